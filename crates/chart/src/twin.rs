//! A strip's samples as a table of words, thinned so that a person and a screen reader can take it.

use crate::strip::Strip;
use crate::words;
use report::series::Table;

/// A table in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// What it holds, with unit and thinning: one sentence.
    pub caption: String,
    /// Names of the columns, time first.
    pub columns: Vec<String>,
    /// Rows, each with a text a column.
    pub rows: Vec<Vec<String>>,
}

/// The strip's series as a table of at most `rows_max` rows: of several samples a row shows the
/// last.
#[must_use]
pub fn twin(strip: &Strip, table: &Table, rows_max: usize) -> Twin {
    let total = table.time_ns.len();
    let step = total.div_ceil(rows_max.max(1)).max(1);
    let width = table.columns.len();
    let names = strip.series.iter().map(|s| s.name.clone());
    let columns = std::iter::once("Time, s".to_owned()).chain(names).collect();
    let row = |row: usize| {
        let time = words::decimals(table.time_ns[row] as f64 / 1e9, 4);
        let value = |column: usize| table.values[row * width + column] / strip.divisor;
        let values = strip.series.iter().map(|s| words::three(value(s.column)));
        std::iter::once(time).chain(values).collect()
    };
    let rows = (step - 1..total).step_by(step).map(row).collect();
    let thinned = match step {
        1 => "all samples".to_owned(),
        _ => format!("one of {step} samples"),
    };
    let title = strip.kind.title(&table.columns);
    Twin { caption: format!("{title}, {}; {thinned}", strip.unit), columns, rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::{Kind, plan};
    use crate::strips::samples::Samples;

    #[test]
    fn every_strip_has_a_twin_with_its_series() {
        let samples = Samples::two_nodes();
        for kind in Kind::ALL {
            let strip = plan(kind, &samples.frame());
            let twin = twin(&strip, &samples.table, 300);
            assert_eq!(twin.columns.len(), strip.series.len() + 1, "{kind:?}");
            assert_eq!(twin.rows.len(), 2, "{kind:?}");
            assert!(twin.caption.ends_with("all samples"), "{}", twin.caption);
        }
    }

    #[test]
    fn many_samples_are_thinned_and_the_caption_says_so() {
        let mut samples = Samples::two_nodes();
        let row = samples.table.values[..samples.table.columns.len()].to_vec();
        for n in 0..998u64 {
            samples.table.push(2_000_000_001 + n, &row);
        }
        let strip = plan(Kind::Reads, &samples.frame());
        let twin = twin(&strip, &samples.table, 300);
        assert_eq!(twin.rows.len(), 250);
        assert_eq!(twin.caption, "Reads, GB/s; one of 4 samples");
        assert_eq!(twin.rows[0], ["2.0000", "22.3"]);
    }
}
