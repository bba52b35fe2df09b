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

/// The one x axis of all strips: a span of simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// The time at the left edge, in nanoseconds.
    pub begin_ns: u64,
    /// The time at the right edge, in nanoseconds; after the begin.
    pub end_ns: u64,
    /// The width in pixels.
    pub width: f64,
}

impl TimeAxis {
    /// How long the span is, in nanoseconds; at least 1.
    #[must_use]
    pub fn span_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.begin_ns).max(1)
    }

    /// Where a time stands, in pixels from the left; outside of the width when it is not shown.
    #[must_use]
    pub fn x(&self, time_ns: u64) -> f64 {
        (time_ns as f64 - self.begin_ns as f64) / self.span_ns() as f64 * self.width
    }

    /// The time at a place, kept within the span.
    #[must_use]
    pub fn time(&self, x: f64) -> u64 {
        let share = (x / self.width.max(1.0)).clamp(0.0, 1.0);
        self.begin_ns + (share * self.span_ns() as f64) as u64
    }

    /// Round times that leave at least `gap` pixels between them, with what is written there.
    #[must_use]
    pub fn ticks(&self, gap: f64) -> Vec<(u64, String)> {
        let room = (self.width / gap.max(1.0)) as u64;
        let mut decade = 1u64;
        let step = loop {
            let fits = |m: &u64| self.span_ns() / (m * decade) <= room.max(1);
            match [1, 2, 5].into_iter().find(fits) {
                Some(m) => break m * decade,
                None => decade *= 10,
            }
        };
        let (divisor, unit, digits) = match self.end_ns {
            1_000_000_000.. => (1_000_000_000, "s", 9),
            1_000_000.. => (1_000_000, "ms", 6),
            1_000.. => (1_000, "us", 3),
            _ => (1, "ns", 0),
        };
        let last = self.end_ns / step * step;
        // As many decimals as the step has.
        let zeros = std::iter::successors(Some(step), |s| (s % 10 == 0).then_some(s / 10)).count();
        let places = (digits + 1 - zeros as i32).max(0) as u32;
        let text = |t: u64| {
            let number = trimmed(crate::words::decimals(t as f64 / divisor as f64, places));
            if t == last { format!("{number} {unit}") } else { number }
        };
        let first = self.begin_ns.div_ceil(step);
        (first..=self.end_ns / step).map(|n| (n * step, text(n * step))).collect()
    }
}

/// A number without zeros at the end of its decimals.
fn trimmed(number: String) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number,
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
            let ticks = TimeAxis { begin_ns: 0, end_ns, width }.ticks(60.0);
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
        let axis = TimeAxis { begin_ns: 0, end_ns: 1_000, width: 500.0 };
        assert_eq!(axis.x(400), 200.0);
        assert_eq!(axis.time(200.0), 400);
        assert_eq!(axis.time(-3.0), 0);
        assert_eq!(axis.time(9e9), 1_000);
        assert_eq!(axis.x(2_000), 1_000.0, "what is not shown lies outside");
        let zoomed = TimeAxis { begin_ns: 600, end_ns: 800, width: 500.0 };
        assert_eq!([500, 600, 700].map(|t| zoomed.x(t)), [-250.0, 0.0, 250.0]);
        assert_eq!(zoomed.time(250.0), 700);
        let near = TimeAxis { begin_ns: 2_000_000_000, end_ns: 2_000_300_000, width: 300.0 };
        let texts: Vec<_> = near.ticks(90.0).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["2", "2.0001", "2.0002", "2.0003 s"]);
    }
}
