//! The lowest and the highest sample that a strip shows: where somebody asks what happened.

use crate::strip::{Frame, Strip};

/// A sample that stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// Its time, in nanoseconds.
    pub time_ns: u64,
    /// Its series, by its number in the strip.
    pub series: usize,
}

/// The highest sample in what the axis shows, or the lowest; of equal ones the first. None where
/// all that is shown is the same.
#[must_use]
pub fn extreme(strip: &Strip, frame: &Frame<'_>, highest: bool) -> Option<Extreme> {
    let table = frame.table;
    let width = table.columns.len();
    let stands_out = |a: f64, b: f64| if highest { a > b } else { a < b };
    let mut found: Option<(f64, Extreme)> = None;
    let mut differs = false;
    for (&time_ns, row) in table.time_ns.iter().zip(table.values.chunks_exact(width.max(1))) {
        if time_ns < frame.time.begin_ns || time_ns > frame.time.end_ns {
            continue;
        }
        for (series, shown) in strip.series.iter().enumerate() {
            let Some(value) = row.get(shown.column).copied().filter(|v| v.is_finite()) else {
                continue;
            };
            differs |= found.is_some_and(|(other, _)| other != value);
            if found.is_none_or(|(other, _)| stands_out(value, other)) {
                found = Some((value, Extreme { time_ns, series }));
            }
        }
    }
    found.filter(|_| differs).map(|(_, extreme)| extreme)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::{Kind, plan};
    use crate::strips::samples::Samples;

    #[test]
    fn the_highest_and_the_lowest_sample_in_view_are_found() {
        let samples = Samples::two_nodes();
        let frame = samples.frame();
        let strip = plan(Kind::Free, &frame);
        let value = |extreme: Extreme| {
            let row = samples.table.time_ns.iter().position(|&t| t == extreme.time_ns).unwrap();
            let column = strip.series[extreme.series].column;
            samples.table.values[row * samples.table.columns.len() + column]
        };
        let shown = |pick: fn(f64, f64) -> f64| {
            let rows = 0..samples.table.time_ns.len();
            let width = samples.table.columns.len();
            let all = rows.flat_map(|row| strip.series.iter().map(move |s| (row, s.column)));
            all.map(|(row, column)| samples.table.values[row * width + column])
                .reduce(pick)
                .unwrap()
        };
        assert_eq!(value(extreme(&strip, &frame, true).unwrap()), shown(f64::max));
        assert_eq!(value(extreme(&strip, &frame, false).unwrap()), shown(f64::min));
    }

    #[test]
    fn where_nothing_differs_nothing_stands_out() {
        let mut samples = Samples::two_nodes();
        samples.table.values.fill(7.0);
        let frame = samples.frame();
        let strip = plan(Kind::Free, &frame);
        assert_eq!(extreme(&strip, &frame, true), None);
        samples.table.time_ns.clear();
        samples.table.values.clear();
        assert_eq!(extreme(&strip, &samples.frame(), false), None);
    }
}
