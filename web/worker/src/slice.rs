//! How many events a slice has: so many that a cancel waits for no more than a few milliseconds,
//! and that short runs are seen at more than their two ends.

/// Wall time of a slice, in milliseconds.
const SLICE_MS: f64 = 6.0;
/// Events of the first slice, before anything was measured.
const FIRST: u64 = 500;
const MIN: u64 = 50;
const MAX: u64 = 2_000_000;

/// The budget of the next slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slice {
    budget: u64,
}

impl Slice {
    /// Before the first slice.
    pub(crate) const fn new() -> Self {
        Self { budget: FIRST }
    }

    /// Events of the next slice.
    pub(crate) const fn budget(self) -> u64 {
        self.budget
    }

    /// Learns from a slice: how many events it had, how long it took, and what share of the run it
    /// simulated against the share that it should at most.
    pub(crate) fn learn(&mut self, events: u64, took_ms: f64, share: f64, share_max: f64) {
        let by_time = if took_ms > 0.0 { SLICE_MS / took_ms } else { 2.0 };
        let by_share = if share > 0.0 { share_max / share } else { 2.0 };
        // A slow turn of the machine must not starve the run, nor a fast one make it deaf.
        let factor = by_time.min(by_share).clamp(0.25, 2.0);
        self.budget = ((events.max(1) as f64 * factor) as u64).clamp(MIN, MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The budget after many slices at so many events a millisecond and a run of so many events.
    fn settled(rate: f64, run: f64) -> u64 {
        let mut slice = Slice::new();
        for _ in 0..60 {
            let events = slice.budget();
            slice.learn(events, events as f64 / rate, events as f64 / run, 1.0 / 240.0);
        }
        slice.budget()
    }

    #[test]
    fn a_long_run_is_sliced_by_wall_time() {
        let budget = settled(4_000.0, 1e9);
        assert!((20_000..=28_000).contains(&budget), "{budget}");
    }

    #[test]
    fn a_short_run_is_sliced_by_its_length() {
        let budget = settled(4_000.0, 100_000.0);
        assert!((350..=450).contains(&budget), "{budget}");
    }

    #[test]
    fn a_clock_that_stands_still_does_not_stop_it() {
        let mut slice = Slice::new();
        for _ in 0..60 {
            slice.learn(slice.budget(), 0.0, 0.0, 1.0);
        }
        assert_eq!(slice.budget(), MAX);
    }
}
