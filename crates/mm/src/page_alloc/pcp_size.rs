//! Sizes of the per-CPU page lists: batch, high_min and high_max.
//!
//! Source: 7.2 `mm/page_alloc.c` (`zone_batchsize`, `zone_highsize`,
//! `zone_set_pageset_high_and_batch`). `high` itself floats between the two from 6.7 on.

/// Without `percpu_pagelist_high_fraction`, high_max is this part of a zone.
const HIGH_MAX_FRACTION: u64 = 8;

/// Pages that move between a per-CPU list and the buddy allocator at once.
///
/// `managed` is the zone's managed pages; `cap` the flavour's upper bound before rounding, in pages
/// (256 pages since 4.18, 128 before).
#[must_use]
pub fn batch(managed: u64, cap: u64) -> u64 {
    let base = (managed >> 10).min(cap) / 4;
    if base <= 1 {
        return 1;
    }
    let grown = base + base / 2;
    // One less than a power of two, so that batches of different lists fall out of step.
    (1 << grown.ilog2()) - 1
}

/// The least that a per-CPU list may grow to: the node's share of the zone's low mark.
///
/// `low` is the low mark without boost and `cpus` the CPUs of the node; a node without CPUs is
/// shared by all CPUs of the machine, which the caller passes then.
#[must_use]
pub fn high_min(low: u64, cpus: u64, batch: u64) -> u64 {
    shared(low, cpus, batch)
}

/// The most that a per-CPU list may grow to.
#[must_use]
pub fn high_max(managed: u64, cpus: u64, batch: u64) -> u64 {
    shared(managed / HIGH_MAX_FRACTION, cpus, batch)
}

/// Both ends where `percpu_pagelist_high_fraction` is set: the lists do not float then.
#[must_use]
pub fn high_by_fraction(managed: u64, fraction: u64, cpus: u64, batch: u64) -> u64 {
    shared(managed / fraction.max(1), cpus, batch)
}

fn shared(pages: u64, cpus: u64, batch: u64) -> u64 {
    (pages / cpus.max(1)).max(batch * 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The zones of a live 6.18 machine with two CPUs: managed, low, high_min, high_max.
    #[test]
    fn a_live_machine_agrees() {
        let zones = [
            (3840, 80, 1, 40, 240),
            (3840, 27, 1, 13, 240),
            (772_919, 16_223, 63, 8111, 48_307),
            (772_919, 5491, 63, 2745, 48_307),
            (229_376, 4813, 63, 2406, 14_336),
            (2_195_456, 15_600, 63, 7800, 137_216),
        ];
        for (managed, low, b, min, max) in zones {
            assert_eq!(batch(managed, 256), b);
            assert_eq!(high_min(low, 2, b), min);
            assert_eq!(high_max(managed, 2, b), max);
        }
    }

    #[test]
    fn batches_are_one_less_than_a_power_of_two() {
        assert_eq!(batch(0, 256), 1);
        assert_eq!(batch(8191, 256), 1);
        assert_eq!(batch(8192, 256), 1);
        assert_eq!(batch(12_288, 256), 3);
        assert_eq!(batch(49_049, 256), 15);
        assert_eq!(batch(1 << 30, 256), 63);
        assert_eq!(batch(1 << 30, 128), 31);
    }

    #[test]
    fn four_batches_are_the_least() {
        assert_eq!(high_min(26, 64, 1), 4);
        assert_eq!(high_max(100, 0, 63), 252);
        assert_eq!(high_by_fraction(8000, 8, 2, 1), 500);
    }
}
