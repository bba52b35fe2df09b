//! Zones: free pages, marks and reserves.

use super::watermark::Marks;
use crate::machine::USER_CLASS;

/// A zone. One without pages has `managed == 0` and is on no zonelist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Pages handed to the buddy allocator.
    pub managed: u64,
    /// Free pages in the buddy allocator; per-CPU lists are not counted.
    pub free: u64,
    /// Watermarks in force, the boost included, as /proc/zoneinfo prints them.
    pub marks: Marks,
    /// By how much the marks are raised (watermark_boost).
    pub boost: u64,
    /// How much of that a worker reclaims, where workers share it out among themselves.
    pub boost_claimed: u64,
    /// ZONE_BOOSTED_WATERMARK: the next allocation wakes kswapd.
    pub boosted_watermark: bool,
    /// Pages that leave it until its next fragmentation event; 0 before the first draw.
    pub until_fragmented: u64,
    /// lowmem_reserve by the highest zone kind that a request may use.
    pub reserve: [u64; crate::config::ZONES_PER_NODE],
    /// Pages on per-CPU lists.
    pub pcp: u64,
    /// Pages that are neither free nor on a list, ever.
    pub used: u64,
    /// Pages in folio batches or on their way there.
    pub batched: u64,
    /// Pages on LRU lists.
    pub lru: u64,
    /// Pages in the hands of reclaimers.
    pub isolated: u64,
    /// ZONE_RECLAIM_ACTIVE: 1 while a worker of the node is in balance_pgdat, or how many are.
    pub reclaim_active: u32,
    /// Upper bound of per-CPU lists: 6.7 and later let it float.
    pub pcp_high_min: u32,
    /// Largest value of that bound.
    pub pcp_high_max: u32,
    /// Pages that move between a per-CPU list and the zone at once.
    pub pcp_batch: u32,
}

impl Zone {
    /// Free pages that user pages may be taken from: those above the zone's reserve.
    #[must_use]
    #[inline]
    pub fn usable(&self) -> u64 {
        self.free.saturating_sub(self.reserve[USER_CLASS])
    }

    /// The marks without boost.
    #[must_use]
    pub fn plain_marks(&self) -> Marks {
        let Marks { min, low, high, promo } = self.marks;
        let less = self.boost;
        Marks { min: min - less, low: low - less, high: high - less, promo: promo - less }
    }

    /// ZONE_BELOW_HIGH: whether it is at or under its high mark, with `more` pages given back.
    #[must_use]
    #[inline]
    pub fn below_high(&self, more: u32) -> bool {
        self.free + u64::from(more) <= self.marks.high + self.reserve[USER_CLASS]
    }

    /// Whether a request of order 0 that may use zones up to `class` finds more than `mark` free
    /// (7.2 mm/page_alloc.c:zone_watermark_fast: strictly more).
    #[must_use]
    #[inline]
    pub fn above(&self, mark: u64, class: usize) -> bool {
        self.free > mark + self.reserve[class]
    }
}
