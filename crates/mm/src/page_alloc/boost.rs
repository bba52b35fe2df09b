//! Watermark boost: after a fragmentation event a zone's marks stand higher until kswapd has
//! reclaimed as much (7.2 mm/page_alloc.c:boost_watermark, rmqueue; 5.0 and later).
//!
//! An event is an allocation that takes a pageblock of another mobility. Which page lies where is
//! not modelled: events come at random, as often per page that leaves the buddy allocator as the
//! ledger says, and only while the zone is not above high, since otherwise there are free blocks of
//! every mobility (six of seven events of the experiments that the rate is from came below high
//! and its largest boost). They come in the highest zone of a node that has pages: a run of kswapd
//! for a lower one would have to pass over the pages of the zones above.

use crate::config::ZONES_PER_NODE;
use crate::machine::Machine;
use crate::observe::Observer;
use crate::page_alloc::watermark::PAGEBLOCK_PAGES;
use crate::page_alloc::zone::Zone;
use crate::sim::Sim;
use crate::vmscan::wakeup::Cause;
use catalog::ConstantId;
use units::TaskId;

/// Pageblocks that a zone must have for its marks to be boosted.
const LEAST_PAGEBLOCKS: u64 = 4;

impl Zone {
    /// The highest boost of this zone, in pages, or nothing if it is not boosted at all. `factor`
    /// is watermark_boost_factor, in 1/10,000 of the high mark.
    #[must_use]
    pub fn boost_max(&self, factor: u64) -> Option<u64> {
        let high = self.marks.high - self.boost;
        if factor == 0 || high == 0 || self.managed < LEAST_PAGEBLOCKS * PAGEBLOCK_PAGES {
            return None;
        }
        let share = u128::from(high) * u128::from(factor) / 10_000;
        Some(PAGEBLOCK_PAGES.max(u64::try_from(share).unwrap_or(u64::MAX)))
    }

    /// One event: a pageblock more, up to the bound. Whether the zone is boosted now.
    pub fn raise_boost(&mut self, factor: u64) -> bool {
        let Some(max) = self.boost_max(factor) else { return false };
        self.set_boost((self.boost + PAGEBLOCK_PAGES).min(max));
        true
    }

    /// Sets the boost; the marks in force move with it.
    pub fn set_boost(&mut self, boost: u64) {
        let was = core::mem::replace(&mut self.boost, boost);
        for mark in
            [&mut self.marks.min, &mut self.marks.low, &mut self.marks.high, &mut self.marks.promo]
        {
            *mark = *mark - was + boost;
        }
    }
}

impl Machine {
    /// Whether boost is on, and the zone the one of its node where events come.
    fn may_fragment(&self, zone: usize) -> bool {
        let config = &self.config;
        if config.watermark_boost_factor == 0 || !config.flavour.watermark_boost {
            return false;
        }
        let end = zone / ZONES_PER_NODE * ZONES_PER_NODE + ZONES_PER_NODE;
        self.zones[zone + 1..end].iter().all(|z| z.managed == 0)
    }
}

impl<O: Observer> Sim<'_, O> {
    /// So many pages left the buddy allocator of a zone: perhaps out of another's pageblock.
    pub(crate) fn fragmentation(&mut self, zone: u32, pages: u64) {
        let zone = zone as usize;
        if !self.m.may_fragment(zone) || !self.m.zones[zone].below_high(0) {
            return;
        }
        let factor = self.m.config.watermark_boost_factor;
        let rate = self.constant(ConstantId::FragmentationEvents).max(1);
        let mut passed = pages;
        while passed >= self.m.zones[zone].until_fragmented {
            passed -= self.m.zones[zone].until_fragmented;
            // The first draw of a run comes before its first event.
            let first = self.m.zones[zone].until_fragmented == 0;
            let m = &mut *self.m;
            let drawn = m.wake_spread.draw(&mut m.fragmentation_draws, 1_000_000 / rate);
            m.zones[zone].until_fragmented = drawn.max(1);
            if !first && m.zones[zone].raise_boost(factor) {
                m.zones[zone].boosted_watermark = true;
                m.vmstat.watermark_boost += 1;
            }
        }
        self.m.zones[zone].until_fragmented -= passed;
    }

    /// rmqueue, at its end: the flag ZONE_BOOSTED_WATERMARK makes this allocation wake kswapd, for
    /// order 0, the zones up to this one and no flags.
    pub(crate) fn wake_if_boosted(&mut self, id: TaskId, zone: u32) {
        if core::mem::take(&mut self.m.zones[zone as usize].boosted_watermark) {
            let (node, kind) = (zone as usize / ZONES_PER_NODE, zone as usize % ZONES_PER_NODE);
            self.wakeup_kswapd(id, node, kind as u8, Cause::Boost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_alloc::watermark::Marks;

    fn zone(managed: u64, high: u64) -> Zone {
        let marks = Marks { min: high / 2, low: high * 3 / 4, high, promo: high * 5 / 4 };
        Zone { managed, marks, ..Zone::default() }
    }

    /// Seen in real kernels: high 483 and 597 give boosts of 724 and 895 at most.
    #[test]
    fn the_bound_is_three_halves_of_high_and_a_pageblock_at_least() {
        let mut z = zone(66_504, 483);
        assert!(z.raise_boost(15_000));
        assert_eq!(z.boost, 512);
        assert_eq!(z.marks.high, 483 + 512);
        assert!(z.raise_boost(15_000));
        assert_eq!((z.boost, z.marks.min), (724, 241 + 724));
        z.raise_boost(15_000);
        assert_eq!(z.boost, 724, "the bound is taken off the mark without boost");
        assert_eq!(zone(66_504, 597).boost_max(15_000), Some(895));
        assert_eq!(zone(66_504, 27).boost_max(15_000), Some(512));
        z.set_boost(0);
        assert_eq!(z.marks, zone(66_504, 483).marks);
    }

    #[test]
    fn small_zones_and_a_factor_of_0_are_not_boosted() {
        assert!(!zone(2_047, 100).raise_boost(15_000));
        assert!(zone(2_048, 100).raise_boost(15_000));
        assert!(!zone(66_504, 483).raise_boost(0));
    }
}
