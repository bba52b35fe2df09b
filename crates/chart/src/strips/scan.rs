//! Pages scanned and reclaimed a second, by kswapd and by direct reclaim.

use super::largest;
use crate::fill::Fill;
use crate::labels::Label;
use crate::scale::round_up;
use crate::strip::{Frame, Kind, Series, Strip, Stroke};
use crate::theme::Ink;
use crate::words;

pub(crate) fn plan(frame: &Frame<'_>) -> Strip {
    let find = |key: &str| frame.table.find(key);
    let rows = [
        ("kswapd", Ink::Work, find("pgscan_kswapd"), find("pgsteal_kswapd")),
        ("direct", Ink::Direct, find("pgscan_direct"), find("pgsteal_direct")),
    ];
    let columns = rows.iter().flat_map(|row| [row.2, row.3]).flatten();
    let top = round_up(largest(frame, columns));
    let (divisor, prefix) = words::decimal_unit(top);
    let mut strip = Strip::new(Kind::Scan, frame, top);
    strip.divisor = divisor;
    let gap = if prefix.is_empty() { "" } else { " " };
    strip.unit = format!("{prefix}{gap}pages/s");
    for value in [0.0, top / 2.0, top] {
        strip.tick(value, words::short(value / divisor));
    }
    let mut labels = Vec::new();
    for (name, ink, scan, steal) in rows {
        if let Some(column) = scan {
            if ink == Ink::Direct {
                strip.band(&[], &[column], ink, Fill::Dots);
            }
            strip.line(column, Stroke { ink, width: 1.75, dash: &[] });
            let y = strip.axis.y(Strip::last(frame, column).unwrap_or(0.0));
            labels.push(Label::new(y, name, ink).bold());
            strip.series.push(Series { name: name.into(), ink, column, below: Vec::new() });
        }
        if let Some(column) = steal {
            strip.line(column, Stroke { ink, width: 1.25, dash: &[4.0, 3.0] });
        }
    }
    if rows.iter().any(|row| row.3.is_some()) {
        // Where the lines lie apart there is room for it.
        labels.push(Label { weight: 0, ..Label::new(0.0, "dashed: steal", Ink::Ink2) });
    }
    strip.label_ends(labels);
    strip
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::Mark;
    use crate::strips::samples::Samples;

    #[test]
    fn the_unit_has_the_prefix_that_suits_the_top() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        assert!(strip.unit.starts_with("M pages/s"), "{}", strip.unit);
        let ticks: Vec<_> = strip.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["0", "4", "8"]);
    }

    #[test]
    fn direct_reclaim_is_dotted_and_named() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        assert!(
            strip
                .marks(&samples.frame(), 0.0)
                .iter()
                .any(|m| matches!(m, Mark::Cuts(cuts) if !cuts.is_empty()))
        );
        let names: Vec<_> = strip.ends.iter().map(|l| (l.text.as_str(), l.ink)).collect();
        assert_eq!(names[1..], [("kswapd", Ink::Work), ("direct", Ink::Direct)]);
        assert_eq!(names[0].0, "dashed: steal");
    }
}
