//! What all tasks of the workload together get done a second.

use super::largest;
use crate::labels::Label;
use crate::scale::round_up;
use crate::strip::{Frame, Kind, Series, Strip, Stroke};
use crate::theme::Ink;
use crate::words;

pub(crate) fn plan(frame: &Frame<'_>) -> Strip {
    let column = frame.table.find("throughput");
    let top = round_up(largest(frame, column));
    let (divisor, prefix) = words::decimal_unit(top);
    let mut strip = Strip::new(Kind::Reads, frame, top);
    strip.divisor = divisor;
    let counts = |unit: &str| unit.ends_with("/s") && unit != "bytes/s";
    let is_bytes = !column.is_some_and(|c| counts(&frame.table.columns[c].unit));
    let who = if is_bytes { "readers" } else { "tasks" };
    strip.unit = match column {
        Some(c) if !is_bytes => format!("{prefix} {}", frame.table.columns[c].unit),
        _ => format!("{prefix}B/s"),
    };
    strip.tick(0.0, "0".into());
    strip.tick(top, words::short(top / divisor));
    if let Some(column) = column {
        strip.line(column, Stroke { ink: Ink::App, width: 1.75, dash: &[] });
        if let Some(last) = Strip::last(frame, column) {
            strip.label_ends(vec![Label::new(strip.axis.y(last), who, Ink::App)]);
        }
        let name = who.into();
        strip.series.push(Series { name, ink: Ink::App, column, below: Vec::new() });
    }
    strip
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::samples::Samples;

    #[test]
    fn bytes_are_decimal() {
        let samples = Samples::two_nodes();
        let strip = plan(&samples.frame());
        assert_eq!((strip.unit.as_str(), strip.ticks[1].1.as_str()), ("GB/s", "24"));
    }
}
