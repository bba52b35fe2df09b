//! The kernel's vmscan tracepoints that the model has, with what each tells (7.2
//! include/trace/events/vmscan.h).

use crate::lru::{LruList, PageKind};
use crate::vmscan::throttle::Reason;
use units::SimDuration;

/// What a tracepoint tells. Numbers of pages, unless a name says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// mm_vmscan_kswapd_sleep: a worker falls fully asleep.
    KswapdSleep {
        /// Its node.
        nid: u32,
    },
    /// mm_vmscan_kswapd_wake: a worker begins a run, whether or not it slept.
    KswapdWake {
        /// Its node.
        nid: u32,
        /// The order that it balances for.
        order: u8,
    },
    /// mm_vmscan_wakeup_kswapd: an allocation wakes kswapd.
    WakeupKswapd {
        /// The node.
        nid: u32,
        /// The order asked for.
        order: u8,
        /// Whether with an allocation's flags, or without any, because of a boost.
        gfp: bool,
    },
    /// mm_vmscan_balance_pgdat_begin (7.x).
    BalanceBegin {
        /// The node.
        nid: u32,
        /// The order.
        order: u8,
        /// The highest zone kind.
        highest_zoneidx: u8,
    },
    /// mm_vmscan_balance_pgdat_end (7.x).
    BalanceEnd {
        /// The node.
        nid: u32,
        /// The order.
        order: u8,
        /// The highest zone kind.
        highest_zoneidx: u8,
        /// Pages reclaimed.
        nr_reclaimed: u64,
    },
    /// mm_vmscan_direct_reclaim_begin.
    DirectBegin,
    /// mm_vmscan_direct_reclaim_end.
    DirectEnd {
        /// Pages reclaimed.
        nr_reclaimed: u64,
    },
    /// mm_vmscan_memcg_reclaim_begin: a task reclaims for its cgroup's limit.
    MemcgBegin,
    /// mm_vmscan_memcg_reclaim_end.
    MemcgEnd {
        /// Pages reclaimed.
        nr_reclaimed: u64,
    },
    /// mm_vmscan_lru_isolate: pages come off a list.
    Isolate {
        /// The highest zone kind.
        classzone: u8,
        /// Pages asked for.
        nr_requested: u64,
        /// Pages looked at.
        nr_scanned: u64,
        /// Pages taken.
        nr_taken: u64,
        /// The list.
        lru: LruList,
    },
    /// mm_vmscan_lru_shrink_inactive: a slice of an inactive list is done.
    ShrinkInactive {
        /// The node.
        nid: u32,
        /// Pages taken.
        nr_scanned: u64,
        /// Pages freed.
        nr_reclaimed: u64,
        /// Dirty pages.
        nr_dirty: u64,
        /// Pages that were met under writeback.
        nr_writeback: u64,
        /// Those of them that had been met before, while the node waited for writeback.
        nr_immediate: u64,
        /// Pages activated.
        nr_activate: u64,
        /// Pages kept since they were referenced.
        nr_ref_keep: u64,
        /// The priority.
        priority: u8,
        /// What kind of pages.
        kind: PageKind,
    },
    /// mm_vmscan_lru_shrink_active: a slice of an active list is done.
    ShrinkActive {
        /// The node.
        nid: u32,
        /// Pages taken.
        nr_taken: u64,
        /// Pages moved to the inactive list.
        nr_deactivated: u64,
        /// The priority.
        priority: u8,
        /// What kind of pages.
        kind: PageKind,
    },
    /// mm_vmscan_throttled: a sleep in reclaim_throttle is over.
    Throttled {
        /// The node.
        nid: u32,
        /// How long it should have been.
        timeout: SimDuration,
        /// How long it was.
        delayed: SimDuration,
        /// Why.
        reason: Reason,
    },
    /// mm_vmscan_kswapd_reclaim_fail (7.x): a run reclaimed nothing at all.
    ReclaimFail {
        /// The node.
        nid: u32,
        /// Failures so far.
        failures: u32,
    },
}
