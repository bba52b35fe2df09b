//! Instants and spans of simulated time, in integer nanoseconds.
//!
//! Instant - instant = span and instant + span = instant; nothing else compiles. The plain
//! operators panic on overflow in every build (a run is bounded to [`SimTime::MAX`] long before);
//! saturating forms have it in their name.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Sub};

/// A span of simulated time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimDuration(u64);

/// An instant of simulated time: nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of `n` nanoseconds.
    #[must_use]
    pub const fn from_nanos(n: u64) -> Self {
        Self(n)
    }
    /// A span of `n` microseconds.
    ///
    /// # Panics
    /// When it is longer than [`SimDuration::MAX`].
    #[must_use]
    pub const fn from_micros(n: u64) -> Self {
        Self(n.checked_mul(1_000).expect("a span overflows"))
    }
    /// A span of `n` milliseconds.
    ///
    /// # Panics
    /// When it is longer than [`SimDuration::MAX`].
    #[must_use]
    pub const fn from_millis(n: u64) -> Self {
        Self(n.checked_mul(1_000_000).expect("a span overflows"))
    }
    /// A span of `n` seconds.
    ///
    /// # Panics
    /// When it is longer than [`SimDuration::MAX`].
    #[must_use]
    pub const fn from_secs(n: u64) -> Self {
        Self(n.checked_mul(1_000_000_000).expect("a span overflows"))
    }
    /// The span in nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }
    /// `self - other`, or zero when that would be negative.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
    /// Whether the span is empty.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl SimTime {
    /// The start of a run.
    pub const ZERO: Self = Self(0);
    /// An instant that no run reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `n` nanoseconds after the start.
    #[must_use]
    pub const fn from_nanos(n: u64) -> Self {
        Self(n)
    }
    /// Nanoseconds since the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }
    /// The span from `earlier` to `self`, or zero when `earlier` is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> SimDuration {
        SimDuration(self.0.saturating_sub(earlier.0))
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;
    #[inline]
    fn add(self, d: SimDuration) -> Self {
        Self(self.0.checked_add(d.0).expect("simulated time overflows 584 years"))
    }
}

impl Sub for SimTime {
    type Output = SimDuration;
    #[inline]
    fn sub(self, earlier: Self) -> SimDuration {
        SimDuration(self.0.checked_sub(earlier.0).expect("an instant minus a later one"))
    }
}

impl Add for SimDuration {
    type Output = Self;
    #[inline]
    fn add(self, d: Self) -> Self {
        Self(self.0.checked_add(d.0).expect("a span overflows"))
    }
}

impl AddAssign for SimDuration {
    #[inline]
    fn add_assign(&mut self, d: Self) {
        *self = *self + d;
    }
}

impl Sub for SimDuration {
    type Output = Self;
    #[inline]
    fn sub(self, d: Self) -> Self {
        Self(self.0.checked_sub(d.0).expect("a span minus a longer one"))
    }
}

impl Mul<u64> for SimDuration {
    type Output = Self;
    #[inline]
    fn mul(self, n: u64) -> Self {
        Self(self.0.checked_mul(n).expect("a span overflows"))
    }
}

impl fmt::Display for SimDuration {
    /// The span with the largest unit that keeps it exact: `250us`, `1500ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.0;
        match n {
            0 => write!(f, "0s"),
            _ if n.is_multiple_of(1_000_000_000) => write!(f, "{}s", n / 1_000_000_000),
            _ if n.is_multiple_of(1_000_000) => write!(f, "{}ms", n / 1_000_000),
            _ if n.is_multiple_of(1_000) => write!(f, "{}us", n / 1_000),
            _ => write!(f, "{n}ns"),
        }
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}s", self.0 / 1_000_000_000, self.0 % 1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_spans_combine() {
        let t = SimTime::ZERO + SimDuration::from_micros(3);
        assert_eq!(t - SimTime::from_nanos(1_000), SimDuration::from_nanos(2_000));
        assert_eq!(t.saturating_since(SimTime::from_nanos(9_000)), SimDuration::ZERO);
        assert_eq!(SimDuration::from_micros(250).to_string(), "250us");
        assert_eq!(SimDuration::from_millis(1_500).to_string(), "1500ms");
        assert_eq!(SimTime::from_nanos(1_000_000_001).to_string(), "1.000000001s");
    }

    #[test]
    fn spans_print_with_the_largest_exact_unit() {
        for (nanos, text) in [
            (0, "0s"),
            (999, "999ns"),
            (1_000, "1us"),
            (1_001, "1001ns"),
            (2_000_000, "2ms"),
            (61_000_000_000, "61s"),
        ] {
            assert_eq!(SimDuration::from_nanos(nanos).to_string(), text);
        }
    }

    #[test]
    fn saturating_forms_stop_at_the_ends() {
        let long = SimDuration::from_secs(2);
        assert_eq!(SimDuration::from_secs(1).saturating_sub(long), SimDuration::ZERO);
        assert_eq!(long.saturating_sub(SimDuration::from_secs(1)), SimDuration::from_secs(1));
        assert_eq!(SimTime::MAX.saturating_since(SimTime::ZERO), SimDuration::MAX);
    }

    #[test]
    #[should_panic(expected = "a span overflows")]
    fn a_span_of_too_many_seconds_panics() {
        let _ = SimDuration::from_secs(u64::MAX / 1_000_000_000 + 1);
    }

    #[test]
    #[should_panic(expected = "overflows 584 years")]
    fn an_instant_after_the_last_panics() {
        let _ = SimTime::MAX + SimDuration::from_nanos(1);
    }

    #[test]
    #[should_panic(expected = "minus a later one")]
    fn an_instant_minus_a_later_one_panics() {
        let _ = SimTime::ZERO - SimTime::from_nanos(1);
    }
}
