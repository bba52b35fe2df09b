//! How fast a CPU is now: the one place that turns a ledger time into simulated time.
//!
//! Three causes slow a CPU down. Its core's other hardware threads, when they run; memory traffic
//! on the node whose memory is touched (a mean over the last milliseconds of pages that readers
//! moved); and distance, when that node is not its own.

use catalog::{ConstantId, Ledger};
use units::SimTime;

/// Distance of a node to itself.
const LOCAL_DISTANCE: u64 = 10;
/// Fraction bits of a slow-down factor.
const FRACTION: u32 = 12;
/// One.
const ONE: u64 = 1 << FRACTION;
/// Pages a millisecond at which [`ConstantId::MemoryLoadSlope`] is given: 250,000 pages a second.
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
    fn count(&mut self, now: SimTime, pages: u64, speed: &Speed) {
        self.roll(now, speed);
        self.pages += pages;
    }

    #[inline]
    fn roll(&mut self, now: SimTime, speed: &Speed) {
        let bucket = now.as_nanos() / speed.bucket_ns;
        if bucket == self.bucket {
            return;
        }
        let passed = bucket - self.bucket;
        self.mean = (self.mean * speed.kept + self.pages * 1024 * (1024 - speed.kept)) / 1024;
        for _ in 1..passed.min(FORGET) {
            self.mean = self.mean * speed.kept / 1024;
        }
        if passed > FORGET {
            self.mean = 0;
        }
        self.pages = 0;
        self.bucket = bucket;
        // Pages a bucket to pages a millisecond, which the slope is given for.
        let a_millisecond = self.mean * 1_000_000 / speed.bucket_ns;
        self.factor = a_millisecond * speed.slope_per_mille * ONE / (1_000 * SLOPE_PAGES * 1024);
    }
}

/// The constants of this module, read once from the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    smt_per_mille: u64,
    remote_per_mille: u64,
    remote_copy_per_mille: u64,
    slope_per_mille: u64,
    bucket_ns: u64,
    kept: u64,
    line_same_node: u64,
    line_other_node: u64,
}

impl Speed {
    /// Reads the ledger for a machine whose nodes are `distance` apart: what is given for another
    /// distance grows with what lies beyond the local one.
    #[must_use]
    pub fn new(ledger: &Ledger, distance: u32) -> Self {
        let beyond = |distance: u64| distance.saturating_sub(LOCAL_DISTANCE);
        let far = beyond(u64::from(distance));
        let given = beyond(ledger.get(ConstantId::ReferenceDistance)).max(1);
        let same = ledger.get(ConstantId::LineSameNode);
        let other = ledger.get(ConstantId::LineOtherNode).saturating_sub(same);
        Self {
            smt_per_mille: ledger.get(ConstantId::SmtSlowdown),
            remote_per_mille: ledger.get(ConstantId::RemoteSlowdown) * far / given,
            remote_copy_per_mille: ledger.get(ConstantId::RemoteCopySlowdown) * far / given,
            slope_per_mille: ledger.get(ConstantId::MemoryLoadSlope),
            bucket_ns: ledger.get(ConstantId::TrafficBucket),
            kept: ledger.get(ConstantId::TrafficKept),
            line_same_node: same,
            line_other_node: same + other * far / given,
        }
    }

    /// What work on another node's memory costs more, in thousandths.
    #[must_use]
    #[inline]
    pub fn remote(&self) -> u64 {
        self.remote_per_mille
    }

    /// What a sequential copy out of another node's memory costs more, in thousandths.
    #[must_use]
    #[inline]
    pub fn remote_copy(&self) -> u64 {
        self.remote_copy_per_mille
    }

    /// How long a cache line takes from one CPU to another, on the same node or not, in ns.
    #[must_use]
    #[inline]
    pub fn line(&self, same_node: bool) -> u64 {
        if same_node { self.line_same_node } else { self.line_other_node }
    }

    /// Counts pages that a reader moved.
    #[inline]
    pub fn count(&self, traffic: &mut Traffic, now: SimTime, pages: u64) {
        traffic.count(now, pages, self);
    }

    /// How long `ns` of undisturbed work takes now: on a CPU whose core runs `busy` threads (this
    /// one included), on memory of a node with this traffic; `extra` thousandths more for its
    /// distance.
    #[inline]
    #[must_use]
    pub fn stretch(
        &self,
        ns: u64,
        busy: u32,
        traffic: &mut Traffic,
        now: SimTime,
        extra: u64,
    ) -> u64 {
        traffic.roll(now, self);
        let memory = ONE + traffic.factor;
        let smt = 1_000 + self.smt_per_mille * u64::from(busy.saturating_sub(1));
        let distance = 1_000 + extra;
        if ns < 1 << 28 {
            return ns * memory / ONE * smt * distance / 1_000_000;
        }
        // Minutes of work on a slow machine are more than 64 bits hold on the way.
        let slowed = u128::from(ns) * u128::from(memory) / u128::from(ONE);
        let stretched = slowed * u128::from(smt) * u128::from(distance) / 1_000_000;
        u64::try_from(stretched).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_machine_runs_at_the_ledgers_speed_and_neighbours_slow_it() {
        let speed = Speed::new(&Ledger::default(), 21);
        let mut t = Traffic::default();
        assert_eq!(speed.stretch(1_000, 1, &mut t, SimTime::ZERO, 0), 1_000);
        assert_eq!(speed.stretch(1_000, 2, &mut t, SimTime::ZERO, 0), 1_500);
        assert_eq!(speed.stretch(1_000, 1, &mut t, SimTime::ZERO, speed.remote()), 1_500);
    }

    #[test]
    fn the_longest_work_on_the_slowest_machine_is_only_long() {
        let slowdown = Ledger::default().with(ConstantId::SmtSlowdown, 1_000);
        let speed = Speed::new(&slowdown, 255);
        let (mut t, now) = (Traffic::default(), SimTime::from_nanos(1_000_000));
        speed.count(&mut t, now, 1 << 24);
        let later = SimTime::from_nanos(200_000_000);
        let long = speed.stretch(1_000_000_000_000, 8, &mut t, later, speed.remote());
        let short = speed.stretch(1_000_000, 8, &mut t, later, speed.remote());
        assert_eq!(long / 1_000_000_000, short / 1_000);
        assert!(long > 8_000_000_000_000);
    }

    #[test]
    fn distance_stretches_what_is_remote() {
        let (near, far) = (Speed::new(&Ledger::default(), 15), Speed::new(&Ledger::default(), 32));
        let mut t = Traffic::default();
        let remote = |s: &Speed, t: &mut Traffic| s.stretch(1_000, 1, t, SimTime::ZERO, s.remote());
        assert_eq!((remote(&near, &mut t), remote(&far, &mut t)), (1_227, 2_000));
        assert_eq!((near.line(true), far.line(true)), (50, 50));
        assert_eq!((near.line(false), far.line(false)), (81, 190));
    }

    #[test]
    fn steady_traffic_gives_the_ledgers_slope_and_is_forgotten() {
        let speed = Speed::new(&Ledger::default(), 21);
        let mut t = Traffic::default();
        // 2.5 million pages a second: ten times 11.2 %.
        for ms in 0..500 {
            speed.count(&mut t, SimTime::from_nanos(ms * 1_000_000), 2_500);
        }
        let now = SimTime::from_nanos(500 * 1_000_000);
        let slow = speed.stretch(100_000, 1, &mut t, now, 0);
        assert!((211_000..213_000).contains(&slow), "{slow}");
        let later = SimTime::from_nanos(5_000 * 1_000_000);
        assert_eq!(speed.stretch(100_000, 1, &mut t, later, 0), 100_000);
    }
}
