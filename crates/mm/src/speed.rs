//! How fast a CPU is now: the one place that turns a ledger time into simulated time.
//!
//! Three causes slow a CPU down. Its core's other hardware threads, when they run; memory traffic
//! on the node whose memory is touched (a mean over the last milliseconds of pages that readers
//! moved); and distance, when that node is not its own.

use catalog::{ConstantId, Ledger};
use units::SimTime;

/// Fraction bits of a slow-down factor.
const FRACTION: u32 = 12;
/// One.
const ONE: u64 = 1 << FRACTION;
/// Length of a bucket of the traffic meter.
const BUCKET_NS: u64 = 1_000_000;
/// What the mean keeps of its past a bucket, in 1/1024: nine tenths.
const KEEP: u64 = 922;
/// Pages a bucket at which [`ConstantId::MemoryLoadSlope`] is given: 250,000 pages a second.
const SLOPE_PAGES: u64 = 250;
/// Buckets without traffic after which the mean is zero to the last bit.
const FORGET: u64 = 400;

/// Memory traffic of one node: a decaying mean of pages a millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    bucket: u64,
    pages: u64,
    /// Pages a bucket in 1/1024.
    mean: u64,
    /// The slow-down that follows, in 1/4096.
    factor: u64,
}

impl Traffic {
    /// Counts pages moved at `now`.
    #[inline]
    pub fn count(&mut self, now: SimTime, pages: u64, slope_per_mille: u64) {
        self.roll(now, slope_per_mille);
        self.pages += pages;
    }

    #[inline]
    fn roll(&mut self, now: SimTime, slope_per_mille: u64) {
        let bucket = now.as_nanos() / BUCKET_NS;
        if bucket == self.bucket {
            return;
        }
        let passed = bucket - self.bucket;
        self.mean = (self.mean * KEEP + self.pages * 1024 * (1024 - KEEP)) / 1024;
        for _ in 1..passed.min(FORGET) {
            self.mean = self.mean * KEEP / 1024;
        }
        if passed > FORGET {
            self.mean = 0;
        }
        self.pages = 0;
        self.bucket = bucket;
        self.factor = self.mean * slope_per_mille * ONE / (1_000 * SLOPE_PAGES * 1024);
    }
}

/// The constants of this module, read once from the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    smt_per_mille: u64,
    remote_per_mille: u64,
    slope_per_mille: u64,
}

impl Speed {
    /// Reads the ledger.
    #[must_use]
    pub fn new(ledger: &Ledger) -> Self {
        Self {
            smt_per_mille: ledger.get(ConstantId::SmtSlowdown),
            remote_per_mille: ledger.get(ConstantId::RemoteSlowdown),
            slope_per_mille: ledger.get(ConstantId::MemoryLoadSlope),
        }
    }

    /// Counts pages that a reader moved.
    #[inline]
    pub fn count(&self, traffic: &mut Traffic, now: SimTime, pages: u64) {
        traffic.count(now, pages, self.slope_per_mille);
    }

    /// How long `ns` of undisturbed work takes now: on a CPU whose core runs `busy` threads (this
    /// one included), on memory of a node with this traffic, which is another node's if `remote`.
    #[inline]
    #[must_use]
    pub fn stretch(
        &self,
        ns: u64,
        busy: u32,
        traffic: &mut Traffic,
        now: SimTime,
        remote: bool,
    ) -> u64 {
        traffic.roll(now, self.slope_per_mille);
        let memory = ONE + traffic.factor;
        let smt = 1_000 + self.smt_per_mille * u64::from(busy.saturating_sub(1));
        let distance = if remote { 1_000 + self.remote_per_mille } else { 1_000 };
        ns * memory / ONE * smt * distance / 1_000_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_machine_runs_at_the_ledgers_speed_and_neighbours_slow_it() {
        let speed = Speed::new(&Ledger::default());
        let mut t = Traffic::default();
        assert_eq!(speed.stretch(1_000, 1, &mut t, SimTime::ZERO, false), 1_000);
        assert_eq!(speed.stretch(1_000, 2, &mut t, SimTime::ZERO, false), 1_500);
        assert_eq!(speed.stretch(1_000, 1, &mut t, SimTime::ZERO, true), 1_500);
    }

    #[test]
    fn steady_traffic_gives_the_ledgers_slope_and_is_forgotten() {
        let speed = Speed::new(&Ledger::default());
        let mut t = Traffic::default();
        // 2.5 million pages a second: ten times 11.2 %.
        for ms in 0..500 {
            speed.count(&mut t, SimTime::from_nanos(ms * BUCKET_NS), 2_500);
        }
        let now = SimTime::from_nanos(500 * BUCKET_NS);
        let slow = speed.stretch(100_000, 1, &mut t, now, false);
        assert!((211_000..213_000).contains(&slow), "{slow}");
        let later = SimTime::from_nanos(5_000 * BUCKET_NS);
        assert_eq!(speed.stretch(100_000, 1, &mut t, later, false), 100_000);
    }
}
