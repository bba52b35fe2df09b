//! The travel of a slider: the round values that it stops at. The entry beside it takes any value.

use catalog::{CONTROLS, Control, Kind, Scale, Unit};
use std::sync::OnceLock;

/// Most values that a linear slider stops at.
const STOPS_MAX: i64 = 1024;

/// The values that the slider of a control stops at, in order; empty for a choice or a flag.
#[must_use]
pub fn stops(control: &Control) -> &'static [i64] {
    static STOPS: OnceLock<Vec<Vec<i64>>> = OnceLock::new();
    let all = STOPS.get_or_init(|| CONTROLS.iter().map(stops_of).collect());
    all.get(control.id as usize).map_or(&[], Vec::as_slice)
}

fn stops_of(control: &Control) -> Vec<i64> {
    let Kind::Number { min, max, scale } = control.kind else { return Vec::new() };
    let mut stops = match (scale, control.unit) {
        (Scale::Linear, _) => {
            let step = ((max - min) / STOPS_MAX + 1) as usize;
            (min..=max).step_by(step).collect()
        }
        (Scale::Log, Unit::Bytes | Unit::Kib) => binary(min, max),
        (Scale::Log, _) => decimal(min, max),
    };
    stops.dedup();
    if stops.first() != Some(&min) {
        stops.insert(0, min);
    }
    if stops.last() != Some(&max) {
        stops.push(max);
    }
    stops
}

/// Powers of two and quarters between them.
fn binary(min: i64, max: i64) -> Vec<i64> {
    let quarters = (0..60).flat_map(|power| {
        let one = 1i64 << power;
        [4, 5, 6, 7].map(|quarter| one * quarter / 4)
    });
    quarters.filter(|value| (min..=max).contains(value)).collect()
}

/// One digit, then every second number of two digits.
fn decimal(min: i64, max: i64) -> Vec<i64> {
    let mut stops: Vec<i64> = (1..10).collect();
    let mut decade = 1i64;
    while decade <= max / 10 {
        stops.extend((10..100).step_by(2).map(|digits| digits * decade));
        decade = decade.saturating_mul(10);
    }
    stops.retain(|value| (min..=max).contains(value));
    stops
}

/// The stop nearest to a value.
#[must_use]
pub fn position(control: &Control, value: i64) -> usize {
    let stops = stops(control);
    let after = stops.partition_point(|&stop| stop < value);
    let distance = |n: &usize| stops.get(*n).map_or(i64::MAX, |&stop| (stop - value).abs());
    [after, after.saturating_sub(1)].into_iter().min_by_key(distance).unwrap_or(0)
}

/// The value at a stop.
#[must_use]
pub fn value(control: &Control, position: usize) -> Option<i64> {
    let stops = stops(control);
    stops.get(position.min(stops.len().saturating_sub(1))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::ControlId;

    #[test]
    fn every_slider_reaches_both_bounds_and_each_stop_is_at_its_place() {
        for control in CONTROLS {
            let stops = stops(control);
            if !matches!(control.kind, Kind::Number { .. }) {
                assert!(stops.is_empty(), "{}", control.key);
                continue;
            }
            let (min, max) = control.bounds();
            assert_eq!((stops[0], stops[stops.len() - 1]), (min, max), "{}", control.key);
            assert!(stops.len() <= STOPS_MAX as usize + 1, "{}: {}", control.key, stops.len());
            for (n, &stop) in stops.iter().enumerate() {
                assert_eq!(position(control, stop), n, "{} {stop}", control.key);
                assert_eq!(value(control, n), Some(stop));
            }
        }
    }

    #[test]
    fn a_value_between_stops_stands_at_the_nearest() {
        let memory = ControlId::Memory.control();
        let at = value(memory, position(memory, 378 << 30)).unwrap();
        assert_eq!(at, 384 << 30);
        let readers = ControlId::Readers.control();
        let stops: Vec<_> = stops(readers).iter().copied().filter(|v| *v <= 12).collect();
        assert_eq!(stops, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
        assert_eq!(value(readers, usize::MAX), Some(1024));
    }
}
