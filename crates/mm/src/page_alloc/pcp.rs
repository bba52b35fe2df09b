//! Per-CPU page lists: how many pages move at once, and when.

use super::zone::Zone;
use catalog::flavours::PcpRule;

/// The list of one CPU for one zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pcp {
    /// Pages on it.
    pub count: u32,
    /// Its bound, where that floats: it grows with refills and shrinks under pressure.
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

    /// How many pages an empty list asks the zone for (7.2 mm/page_alloc.c:nr_pcp_alloc). The bound
    /// grows by as much while the zone is above high, so that the next refill may be larger.
    #[inline]
    pub fn refill(&mut self, zone: &Zone, rule: PcpRule, scale_max: u64) -> u32 {
        let batch = zone.pcp_batch;
        if rule != PcpRule::AutoTuned {
            return batch;
        }
        let wanted = batch << self.alloc_factor;
        let mut high = self.high.max(zone.pcp_high_min);
        if zone.pcp_high_max > zone.pcp_high_min && !zone.below_high(0) {
            high = (high + wanted).min(zone.pcp_high_max);
        }
        self.high = high;
        let most = high.saturating_sub(self.count + batch).max(batch);
        if wanted <= most && u64::from(self.alloc_factor) < scale_max {
            self.alloc_factor += 1;
        }
        wanted.min(most)
    }

    /// Takes `n` pages that are on the list for an allocation.
    #[inline]
    pub fn take(&mut self, n: u32, rule: PcpRule) {
        self.count -= n;
        if rule == PcpRule::AutoTuned {
            self.free_count >>= n.min(31);
        }
    }

    /// Puts `n` freed pages on the list; returns how many of its pages go back to the zone now
    /// (7.2 mm/page_alloc.c:free_frozen_page_commit, nr_pcp_free, nr_pcp_high).
    #[inline]
    pub fn free(&mut self, n: u32, zone: &Zone, rule: PcpRule, scale_max: u64) -> u32 {
        self.alloc_factor >>= n.min(7);
        let grow_to = zone.pcp_batch << scale_max;
        // Nothing can move before the list is that long, once the bound has shrunk to its least.
        let shrinks = rule == PcpRule::AutoTuned
            && (zone.reclaim_active > 0 || zone.below_high(0))
            && self.high > zone.pcp_high_min;
        if !shrinks && self.count + n < self.least_bound(zone, rule) {
            self.count += n;
            self.free_count = (self.free_count + n).min(grow_to);
            return 0;
        }
        // Pages are freed one by one: each may push the list over its bound again.
        let (mut left, mut spilled) = (self.count, 0);
        for _ in 0..n {
            left += 1;
            self.free_count = (self.free_count + 1).min(grow_to);
            let bound = self.bound(zone, rule, left, spilled);
            if left >= bound {
                let spill = self.spill(bound, zone.pcp_batch, rule).min(left);
                left -= spill;
                spilled += spill;
            }
        }
        self.count += n;
        spilled
    }

    /// How many pages a list at its bound gives back (nr_pcp_free).
    fn spill(&self, high: u32, batch: u32, rule: PcpRule) -> u32 {
        if rule == PcpRule::SixBatches {
            return batch;
        }
        let most = high.saturating_sub(batch).max(batch);
        self.free_count.clamp(batch, most)
    }

    /// A length under which no page moves, whatever the list did before.
    fn least_bound(&self, zone: &Zone, rule: PcpRule) -> u32 {
        match rule {
            PcpRule::SixBatches => 6 * zone.pcp_batch,
            _ if zone.reclaim_active > 0 => zone.pcp_high_min.min(4 * zone.pcp_batch),
            PcpRule::AutoTuned if !zone.below_high(0) => self.high.max(zone.pcp_high_min),
            _ => zone.pcp_high_min,
        }
    }

    /// The bound in force for a list of `count` pages, of which `spilled` go back already
    /// (nr_pcp_high): while kswapd runs four batches; while the zone is below high whatever the
    /// list has, down to its least, so that every freed page drives others out. Both shrink a
    /// bound that floats.
    fn bound(&mut self, zone: &Zone, rule: PcpRule, count: u32, spilled: u32) -> u32 {
        let (least, batch) = (zone.pcp_high_min, zone.pcp_batch);
        if rule == PcpRule::SixBatches {
            return 6 * batch;
        }
        let floats = rule == PcpRule::AutoTuned && zone.pcp_high_max > least;
        let high = if rule == PcpRule::AutoTuned { self.high.max(least) } else { least };
        let shrunk = high.saturating_sub(self.free_count.max(batch)).max(least);
        if zone.reclaim_active > 0 {
            self.high = shrunk;
            return shrunk.min(4 * batch);
        }
        if !floats {
            return high;
        }
        if zone.below_high(spilled) {
            self.high = shrunk;
            return count.max(least);
        }
        if count >= high {
            // Room for the batch that goes back.
            self.high = high.max(self.free_count + batch).min(zone.pcp_high_max);
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
        let poor = Zone { free: 0, marks: Marks { high: 3_000, ..marks }, ..zone() };
        let mut p = Pcp::new(&rich);
        for _ in 0..20 {
            p.refill(&rich, PcpRule::AutoTuned, 5);
        }
        assert!(p.high > 1_500, "{}", p.high);
        for _ in 0..40 {
            p.count -= p.free(63, &poor, PcpRule::AutoTuned, 5);
        }
        assert_eq!(p.high, 500);
    }

    #[test]
    fn refills_double_and_freeing_while_kswapd_runs_spills_at_four_batches() {
        let z = zone();
        let mut p = Pcp::new(&z);
        let refills = [0; 6].map(|_| p.refill(&z, PcpRule::AutoTuned, 5));
        assert_eq!(refills, [63, 126, 252, 504, 1_008, 1_937], "the last one: high_max - batch");
        let busy = Zone { reclaim_active: 1, ..z };
        let mut q = Pcp::new(&busy);
        assert_eq!(q.free(251, &busy, PcpRule::AutoTuned, 5), 0);
        let spill = q.free(1, &busy, PcpRule::AutoTuned, 5);
        assert!((63..=189).contains(&spill), "{spill}");
    }
    /// Seen in a real 7.3 kernel (batch 15, low 403, two CPUs): 480 pages at a time while free
    /// memory is above high, and after a direct reclaim of 33 pages the list keeps about high_min,
    /// then refills begin at one batch again.
    #[test]
    fn below_high_freed_pages_drive_listed_ones_out() {
        let z = Zone { pcp_batch: 15, pcp_high_min: 201, pcp_high_max: 4_057, ..zone() };
        let mut p = Pcp::new(&z);
        let mut last = 0;
        for _ in 0..20 {
            last = p.refill(&z, PcpRule::AutoTuned, 5);
        }
        assert_eq!(last, 480);
        let short = Zone { marks: Marks { high: 483, ..Marks::default() }, free: 96, ..z };
        p.count = 468;
        let spilled = p.free(33, &short, PcpRule::AutoTuned, 5);
        assert!((300..=330).contains(&spilled), "{spilled}");
        p.count -= spilled;
        assert!(p.count < 201, "{}", p.count);
        p.take(p.count, PcpRule::AutoTuned);
        let refills = [0; 5].map(|_| p.refill(&short, PcpRule::AutoTuned, 5));
        assert_eq!(refills[..4], [15, 30, 60, 120]);
    }
}
