//! Any column of the samples by itself; where each node has one, all of them together.

use super::largest;
use crate::labels::Label;
use crate::scale::round_up;
use crate::strip::{Frame, Kind, Layer, Series, Strip, Stroke};
use crate::theme::Ink;
use crate::words;
use report::series::Column;

/// Columns that are the same of each node, or one of the whole machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its key without the node: `psi.some`.
    pub key: String,
    /// In plain words, without the node.
    pub label: String,
    /// The kernel's name.
    pub kernel_name: String,
    /// The unit of its values.
    pub unit: String,
    /// Whether each node has one.
    pub is_of_nodes: bool,
    /// The columns, in order of node.
    pub columns: Vec<usize>,
}

/// What the columns of a run can be shown by, in the order in which they first stand there. The
/// extremes of a column (`.min`, `.max`) go with it.
#[must_use]
pub fn bases(columns: &[Column]) -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        if column.key.ends_with(".min") || column.key.ends_with(".max") {
            continue;
        }
        let is_of_nodes = column.node.is_some();
        let key = match is_of_nodes {
            true => column.key.split_once('.').map_or("", |(_, key)| key),
            false => &column.key,
        };
        let same = |base: &&mut Base| base.key == key && base.is_of_nodes == is_of_nodes;
        if let Some(base) = bases.iter_mut().find(same) {
            base.columns.push(number);
            continue;
        }
        let label = column.label.split(", node ").next().unwrap_or_default();
        bases.push(Base {
            key: key.to_owned(),
            label: capital(label),
            kernel_name: column.kernel_name.clone(),
            unit: column.unit.clone(),
            is_of_nodes,
            columns: vec![number],
        });
    }
    bases
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let mut text: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().collect();
    text.push_str(letters.as_str());
    text
}

pub(crate) fn plan(number: u8, frame: &Frame<'_>) -> Strip {
    let base = bases(&frame.table.columns).into_iter().nth(usize::from(number));
    let columns = base.as_ref().map(|base| base.columns.clone()).unwrap_or_default();
    let unit = base.as_ref().map_or("", |base| base.unit.as_str());
    let highest = largest(frame, columns.iter().copied());
    let top = if unit == "%" { 100.0 } else { round_up(highest) };
    let (divisor, unit) = in_words(top, unit);
    let mut strip = Strip::new(Kind::Column(number), frame, top);
    strip.divisor = divisor;
    strip.unit = unit;
    strip.tick(0.0, "0".into());
    strip.tick(top, words::short(top / divisor));
    let is_of_nodes = base.is_some_and(|base| base.is_of_nodes);
    let mut labels = Vec::new();
    for (node, &column) in columns.iter().enumerate().rev() {
        let key = &frame.table.columns[column].key;
        let extreme = |end: &str| frame.table.find(&format!("{key}.{end}"));
        if let (Some(low), Some(high)) = (extreme("min"), extreme("max")) {
            strip.layers.insert(0, Layer::Range(low, high, Ink::Line));
        }
        let ink = if node == 0 { Ink::Ink } else { Ink::Ink3 };
        strip.line(column, Stroke::node(node, ink));
        let name = if is_of_nodes { format!("node {node}") } else { "all".to_owned() };
        if let Some(last) = Strip::last(frame, column) {
            labels.push(Label::new(strip.axis.y(last), name.clone(), Ink::Ink));
        }
        strip.series.insert(0, Series { name, ink: Ink::Ink, column, below: Vec::new() });
    }
    strip.label_ends(labels);
    strip
}

/// What values up to `top` are divided by, and the unit that they then have.
fn in_words(top: f64, unit: &str) -> (f64, String) {
    match (unit, top) {
        ("ns", 1e6..) => (1e6, "ms".to_owned()),
        ("ns", 1e3..) => (1e3, "us".to_owned()),
        ("bytes/s", _) => {
            let (divisor, prefix) = words::decimal_unit(top);
            (divisor, format!("{prefix}B/s"))
        }
        _ if top < 1e3 => (1.0, unit.to_owned()),
        _ => {
            let (divisor, prefix) = words::decimal_unit(top);
            (divisor, format!("{prefix} {unit}").trim().to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::samples::Samples;

    #[test]
    fn every_column_can_be_shown_and_nodes_stand_together() {
        let samples = Samples::two_nodes();
        let bases = bases(&samples.table.columns);
        let free = bases.iter().position(|base| base.key == "nr_free_pages").unwrap();
        assert_eq!(bases[free].columns.len(), 2);
        assert!(bases[free].is_of_nodes);
        let shown: usize = bases.iter().map(|base| base.columns.len()).sum();
        let all = samples.table.columns.iter();
        let extremes = all.filter(|c| c.key.ends_with(".min") || c.key.ends_with(".max")).count();
        assert_eq!(shown + extremes, samples.table.columns.len());
        for (number, base) in bases.iter().enumerate() {
            let strip = plan(number as u8, &samples.frame());
            assert_eq!(strip.series.len(), base.columns.len(), "{base:?}");
            assert!(strip.axis.top > 0.0, "{base:?}");
        }
    }

    #[test]
    fn a_column_that_a_run_does_not_have_leaves_an_empty_strip() {
        let strip = plan(200, &Samples::two_nodes().frame());
        assert!(strip.series.is_empty() && strip.layers.is_empty());
    }

    #[test]
    fn units_are_those_of_the_top() {
        assert_eq!(in_words(2e6, "ns"), (1e6, "ms".into()));
        assert_eq!(in_words(5.0, "workers"), (1.0, "workers".into()));
        assert_eq!(in_words(4e6, "pages/s").1, "M pages/s");
        assert_eq!(in_words(4e9, "bytes/s").1, "GB/s");
    }
}
