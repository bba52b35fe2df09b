//! Per-CPU page lists: how many pages move at once, and when.

use super::zone::Zone;
use catalog::flavours::PcpRule;

/// The list of one CPU for one zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pcp {
    /// Pages on it.
    pub count: u32,
    /// Its bound, where that floats.
    high: u32,
    /// Refills without a free in between double up to this power.
    alloc_factor: u8,
    /// Grows with pages freed without an allocation in between.
    free_count: u32,
}

impl Pcp {
    /// A list of this zone's as it stands after boot.
    #[must_use]
    pub fn new(zone: &Zone) -> Self {
        Self { high: zone.pcp_high_min, ..Self::default() }
    }

    /// How many pages an empty list asks the zone for (7.2 mm/page_alloc.c:nr_pcp_alloc). What a
    /// running kswapd does to the bound concerns frees only.
    #[inline]
    pub fn refill(&mut self, zone: &Zone, rule: PcpRule, scale_max: u64) -> u32 {
        let batch = zone.pcp_batch;
        if rule != PcpRule::AutoTuned {
            return batch;
        }
        self.free_count /= 2;
        self.high = self.high.max(zone.pcp_high_min);
        if zone.pcp_high_max > zone.pcp_high_min && !zone.below_high() {
            self.high = (self.high + batch).min(zone.pcp_high_max);
        }
        let most = self.high.saturating_sub(self.count + batch).max(batch);
        let wanted = batch << self.alloc_factor;
        if wanted <= most && u64::from(self.alloc_factor) < scale_max {
            self.alloc_factor += 1;
        }
        wanted.clamp(batch, most)
    }

    /// Puts `n` freed pages on the list; returns how many of its pages go back to the zone now
    /// (7.2 mm/page_alloc.c:free_frozen_page_commit, nr_pcp_free, nr_pcp_high).
    #[inline]
    pub fn free(&mut self, n: u32, zone: &Zone, rule: PcpRule, scale_max: u64) -> u32 {
        self.alloc_factor /= 2;
        let grow_to = zone.pcp_batch << scale_max;
        let high = self.bound(zone, rule).max(1);
        if self.count + n < high {
            self.count += n;
            self.free_count = (self.free_count + n).min(grow_to);
            return 0;
        }
        // Pages are freed one by one: each may push the list over its bound again.
        let mut left = self.count;
        for _ in 0..n {
            left += 1;
            self.free_count = (self.free_count + 1).min(grow_to);
            if left >= high {
                left -= self.spill(high, zone.pcp_batch, rule).min(left);
            }
        }
        self.count += n;
        self.count - left
    }

    /// How many pages a list at its bound gives back (nr_pcp_free).
    fn spill(&self, high: u32, batch: u32, rule: PcpRule) -> u32 {
        if rule == PcpRule::SixBatches {
            return batch;
        }
        let most = high.saturating_sub(batch).max(batch);
        self.free_count.clamp(batch, most)
    }

    /// The bound in force (nr_pcp_high): while kswapd runs, freed pages return to the zone
    /// quickly, and
    /// a list that floats gives its bound back while the zone is short.
    fn bound(&mut self, zone: &Zone, rule: PcpRule) -> u32 {
        let batch = zone.pcp_batch;
        if rule == PcpRule::SixBatches {
            return 6 * batch;
        }
        let floor = zone.pcp_high_min;
        let high = self.high.max(floor);
        let shorter = high.saturating_sub(self.free_count.max(batch)).max(floor);
        let floats = rule == PcpRule::AutoTuned && zone.pcp_high_max > floor;
        if zone.reclaim_active > 0 {
            if floats {
                self.high = shorter;
            }
            return (4 * batch).min(if floats { shorter } else { high });
        }
        if !floats {
            return floor;
        }
        if zone.below_high() {
            self.high = shorter;
            return self.count.max(floor);
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_alloc::watermark::Marks;

    fn zone() -> Zone {
        Zone { free: 1, pcp_batch: 63, pcp_high_min: 500, pcp_high_max: 2_000, ..Zone::default() }
    }

    #[test]
    fn the_2018_list_moves_one_batch_at_six() {
        let z = Zone { pcp_batch: 31, ..zone() };
        let mut p = Pcp::new(&z);
        assert_eq!(p.refill(&z, PcpRule::SixBatches, 5), 31);
        assert_eq!(p.free(185, &z, PcpRule::SixBatches, 5), 0);
        assert_eq!(p.free(1, &z, PcpRule::SixBatches, 5), 31);
    }

    #[test]
    fn a_floating_bound_shrinks_while_the_zone_is_short_and_grows_when_it_is_not() {
        let marks = Marks { min: 100, low: 200, high: 300, promo: 400 };
        let rich = Zone { free: 1_000, marks, ..zone() };
        let poor = Zone { free: 250, marks, ..zone() };
        let mut p = Pcp::new(&rich);
        for _ in 0..20 {
            p.refill(&rich, PcpRule::AutoTuned, 5);
        }
        assert!(p.high > 1_500, "{}", p.high);
        for _ in 0..40 {
            p.free(63, &poor, PcpRule::AutoTuned, 5);
        }
        assert_eq!(p.high, 500);
    }

    #[test]
    fn refills_double_and_freeing_while_kswapd_runs_spills_at_four_batches() {
        let z = zone();
        let mut p = Pcp::new(&z);
        let first = p.refill(&z, PcpRule::AutoTuned, 5);
        let second = p.refill(&z, PcpRule::AutoTuned, 5);
        assert_eq!((first, second), (63, 126));
        let busy = Zone { reclaim_active: 1, ..z };
        let mut q = Pcp::new(&busy);
        assert_eq!(q.free(251, &busy, PcpRule::AutoTuned, 5), 0);
        let spill = q.free(1, &busy, PcpRule::AutoTuned, 5);
        assert!((63..=189).contains(&spill), "{spill}");
    }
}
