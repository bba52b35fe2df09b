//! Axes: where a value stands, and which few values are written beside it.

/// A vertical axis from 0 at the bottom to `top` at the upper edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The value at the upper edge; above 0.
    pub top: f64,
    /// The height in pixels.
    pub height: f64,
}

impl Axis {
    /// An axis that shows `max`, with a round number at its upper edge.
    #[must_use]
    pub fn round(max: f64, height: f64) -> Self {
        Self { top: round_up(max), height }
    }

    /// The distance of a value from the upper edge, kept within the strip.
    #[must_use]
    pub fn y(&self, value: f64) -> f64 {
        (self.height * (1.0 - value / self.top)).clamp(0.0, self.height)
    }
}

/// The smallest round number that is not below `max`: its half is round too.
#[must_use]
pub fn round_up(max: f64) -> f64 {
    if !(max.is_finite() && max > 0.0) {
        return 1.0;
    }
    let mut decade = 1.0;
    while decade * 10.0 <= max {
        decade *= 10.0;
    }
    while decade > max {
        decade /= 10.0;
    }
    let mantissas = [1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let enough = |m: &f64| m * decade >= max * 0.999_999;
    mantissas.into_iter().find(enough).map_or(max, |m| m * decade)
}

/// The one x axis of all strips: simulated time from 0 to the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// The end, in nanoseconds; above 0.
    pub end_ns: u64,
    /// The width in pixels.
    pub width: f64,
}

impl TimeAxis {
    /// Where a time stands, in pixels from the left.
    #[must_use]
    pub fn x(&self, time_ns: u64) -> f64 {
        time_ns.min(self.end_ns) as f64 / self.end_ns.max(1) as f64 * self.width
    }

    /// The time at a place, kept within the run.
    #[must_use]
    pub fn time(&self, x: f64) -> u64 {
        ((x / self.width.max(1.0)).clamp(0.0, 1.0) * self.end_ns as f64) as u64
    }

    /// Round times that leave at least `gap` pixels between them, with what is written there.
    #[must_use]
    pub fn ticks(&self, gap: f64) -> Vec<(u64, String)> {
        let room = (self.width / gap.max(1.0)) as u64;
        let mut decade = 1u64;
        let step = loop {
            let fits = |m: &u64| self.end_ns / (m * decade) <= room.max(1);
            match [1, 2, 5].into_iter().find(fits) {
                Some(m) => break m * decade,
                None => decade *= 10,
            }
        };
        let (divisor, unit) = match self.end_ns {
            1_000_000_000.. => (1_000_000_000, "s"),
            1_000_000.. => (1_000_000, "ms"),
            1_000.. => (1_000, "us"),
            _ => (1, "ns"),
        };
        let last = self.end_ns / step * step;
        let text = |t: u64| {
            let number = crate::words::short(t as f64 / divisor as f64);
            if t == last { format!("{number} {unit}") } else { number }
        };
        (0..=self.end_ns / step).map(|n| (n * step, text(n * step))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tops_are_round_and_not_below() {
        for (max, want) in [
            (0.0, 1.0),
            (f64::NAN, 1.0),
            (1.0, 1.0),
            (7.3, 8.0),
            (52.0, 60.0),
            (100.0, 100.0),
            (1.97e6, 2e6),
            (0.0021, 0.0024),
        ] {
            let top = round_up(max);
            assert!((top - want).abs() <= want * 1e-9, "{max}: {top}");
        }
    }

    #[test]
    fn values_beyond_the_edge_stay_in_the_strip() {
        let axis = Axis { top: 10.0, height: 50.0 };
        assert_eq!([0.0, 5.0, 10.0, 20.0, -1.0].map(|v| axis.y(v)), [50.0, 25.0, 0.0, 0.0, 50.0]);
    }

    #[test]
    fn ticks_are_round_and_do_not_touch() {
        let check = |end_ns, width, want: &[&str]| {
            let ticks = TimeAxis { end_ns, width }.ticks(60.0);
            let texts: Vec<_> = ticks.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts, want);
        };
        check(3_000_000_000, 560.0, &["0", "0.5", "1", "1.5", "2", "2.5", "3 s"]);
        check(3_000_000_000, 200.0, &["0", "1", "2", "3 s"]);
        check(1_500, 200.0, &["0", "0.5", "1", "1.5 us"]);
        check(3, 10.0, &["0", "2 ns"]);
    }

    #[test]
    fn time_and_place_agree() {
        let axis = TimeAxis { end_ns: 1_000, width: 500.0 };
        assert_eq!(axis.x(400), 200.0);
        assert_eq!(axis.time(200.0), 400);
        assert_eq!(axis.time(-3.0), 0);
        assert_eq!(axis.time(9e9), 1_000);
        assert_eq!(axis.x(2_000), 500.0);
    }
}
