//! Durations in logarithmic buckets: 128 a power of two, so that a quantile is within 1 %.

/// Counts of durations in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    max: u64,
}

/// log2 of the buckets a power of two.
const SUB_BITS: u32 = 7;
/// Durations below this have a bucket each.
const LINEAR: u64 = 1 << SUB_BITS;
const BUCKETS: usize = ((64 - SUB_BITS as usize) + 1) << SUB_BITS;

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0, max: 0 }
    }
}

impl Histogram {
    /// Counts one duration.
    pub fn record(&mut self, nanos: u64) {
        self.counts[bucket(nanos)] += 1;
        self.total += 1;
        self.max = self.max.max(nanos);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.fill(0);
        self.total = 0;
        self.max = 0;
    }

    /// How many durations were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The longest, in nanoseconds.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The smallest duration that at least `per_mille` thousandths do not exceed, in nanoseconds;
    /// 0 when nothing was counted.
    #[must_use]
    pub fn quantile(&self, per_mille: u64) -> u64 {
        let rank = (self.total * per_mille).div_ceil(1000).max(1);
        let mut seen = 0;
        for (i, n) in self.counts.iter().enumerate() {
            seen += n;
            if seen >= rank {
                return upper_edge(i).min(self.max);
            }
        }
        0
    }

    /// Adds what another one counted.
    pub fn merge(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            *a += b;
        }
        self.total += other.total;
        self.max = self.max.max(other.max);
    }
}

fn bucket(nanos: u64) -> usize {
    if nanos < LINEAR {
        return nanos as usize;
    }
    let exponent = 63 - nanos.leading_zeros();
    let sub = (nanos >> (exponent - SUB_BITS)) & (LINEAR - 1);
    (((exponent - SUB_BITS + 1) as usize) << SUB_BITS) + sub as usize
}

fn upper_edge(bucket: usize) -> u64 {
    if bucket < LINEAR as usize {
        return bucket as u64;
    }
    let exponent = (bucket >> SUB_BITS) as u32 - 1;
    let sub = (bucket as u64) & (LINEAR - 1);
    let step = 1u64 << exponent;
    ((LINEAR + sub) * step).saturating_add(step - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_lies_under_its_buckets_edge_and_over_the_one_before() {
        for nanos in [0, 1, 127, 128, 129, 255, 256, 1_000, 123_456_789, u64::MAX] {
            let b = bucket(nanos);
            assert!(nanos <= upper_edge(b), "{nanos}");
            assert!(b == 0 || nanos > upper_edge(b - 1), "{nanos}");
        }
    }

    #[test]
    fn quantiles_are_within_a_hundredth() {
        let mut h = Histogram::default();
        for n in 1..=1_000u64 {
            h.record(n * 1_000);
        }
        for (q, want) in [(500, 500_000), (990, 990_000), (999, 999_000)] {
            let got = h.quantile(q);
            assert!(got >= want && got <= want + want / 100 + 1, "{q}: {got}");
        }
        assert_eq!(h.quantile(1000), 1_000_000);
        assert_eq!(Histogram::default().quantile(500), 0);
    }

    #[test]
    fn merging_adds() {
        let (mut a, mut b) = (Histogram::default(), Histogram::default());
        a.record(5);
        b.record(50);
        a.merge(&b);
        assert_eq!((a.count(), a.max(), a.quantile(1)), (2, 50, 5));
    }
}
