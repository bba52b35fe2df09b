//! Counters under the kernel's names.

use crate::lru::PageKind;
use crate::lru::lruvec::Refault;

macro_rules! vmstat {
    ($($field:ident: $doc:literal;)*) => {
        /// Counters since the start of the run; the names are those of /proc/vmstat unless a row
        /// says so.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Vmstat {
            $(#[doc = $doc] pub $field: u64,)*
        }

        impl Vmstat {
            /// Name and value of every counter.
            #[must_use]
            pub fn rows(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), self.$field),)*]
            }
        }
    };
}

vmstat! {
    pgalloc_dma: "Pages allocated from DMA zones.";
    pgalloc_dma32: "Pages allocated from DMA32 zones.";
    pgalloc_normal: "Pages allocated from Normal zones.";
    pgalloc_movable: "Pages allocated from Movable zones.";
    pgfree: "Pages freed.";
    pgfault: "Page faults (those of new pages and of pages that were evicted).";
    pgmajfault: "Page faults that read from a drive.";
    nr_written: "Dirty file pages that the flusher wrote.";
    pgscan_kswapd: "Pages that kswapd took off inactive lists to look at.";
    pgscan_direct: "The same in direct reclaim.";
    pgsteal_kswapd: "Pages that kswapd freed.";
    pgsteal_direct: "Pages that direct reclaim freed.";
    pgscan_anon: "Anonymous pages that reclaim took off a list to look at.";
    pgscan_file: "File pages that reclaim took off a list to look at.";
    pgsteal_anon: "Anonymous pages that reclaim freed.";
    pgsteal_file: "File pages that reclaim freed.";
    pgrefill: "Active pages looked at; under MGLRU pages moved to a younger generation by eviction.";
    pgactivate: "Pages moved to an active list or to a young generation.";
    workingset_refault_anon: "Anonymous pages that came back after eviction.";
    workingset_refault_file: "File pages that came back after eviction.";
    workingset_activate_anon: "Those of them that were activated at once.";
    workingset_activate_file: "Those of the file pages that were activated at once.";
    workingset_restore_anon: "Those of them that had been active before.";
    workingset_restore_file: "Those of the file pages that had been active before.";
    nr_vmscan_immediate_reclaim: "Dirty file pages that reclaim met and left to the flushers.";
    pswpout: "Pages written to swap devices.";
    pswpin: "Pages read from swap devices.";
    thp_swpout: "Large folios written to swap in one piece.";
    thp_swpout_fallback: "Large folios that were split for want of slots in a row.";
    zswpout: "Pages stored by zswap.";
    zswpin: "Pages that came back from zswap.";
    zswpwb: "Pages that zswap wrote back to a device.";
    swpout_zero: "Pages of zeroes that took a slot and were not written.";
    swpin_zero: "Pages of zeroes that came back without being read.";
    pgrotated: "Pages turned to the tail of their list when they were written.";
    pgdeactivate: "Pages moved from an active to an inactive list.";
    pageoutrun: "Runs of balance_pgdat.";
    allocstall_normal: "Tries of direct reclaim (counted as for GFP_USER; the kernel counts by the request's zone).";
    pgscan_direct_throttle: "Tasks put to sleep because free memory was under half of min.";
    throttle_writeback: "Sleeps in reclaim_throttle: pages under writeback (not in /proc/vmstat).";
    throttle_isolated: "Sleeps in reclaim_throttle: too many pages in the hands of reclaimers (not in /proc/vmstat).";
    throttle_noprogress: "Sleeps in reclaim_throttle: nothing reclaimed at priority 1 (not in /proc/vmstat).";
    throttle_congested: "Sleeps in reclaim_throttle: a congested node (not in /proc/vmstat).";
    kswapd_low_wmark_hit_quickly: "kswapd woken in its short nap.";
    kswapd_high_wmark_hit_quickly: "kswapd found its node unbalanced before it could sleep.";
    watermark_boost: "Fragmentation events that raised a zone's marks (not in /proc/vmstat).";
    drain_all_pages: "Drains of all per-CPU lists after direct reclaim that freed pages for others (not in /proc/vmstat).";
    kswapd_wake: "Workers that a wakeup woke (not in /proc/vmstat).";
    numa_hit: "Pages from the node that was wanted.";
    numa_miss: "Pages from another node than the one wanted.";
    lru_gen_aged: "Generations made (not in /proc/vmstat).";
    lru_gen_age_lost: "Reclaimers that found a new generation made by another one (not in /proc/vmstat).";
    mm_walk_shared: "Workers that began to make a generation while another one of their node did, with one mm_walk for both (not in /proc/vmstat).";
    lru_order_error: "Pages between a slice's oldest page and the node's oldest, summed over slices (not in /proc/vmstat).";
    lru_order_slices: "Slices that were compared so (not in /proc/vmstat).";
    oom_kill: "Tasks that the OOM killer chose.";
}

impl Vmstat {
    /// Pages taken off a list of this kind; `direct` if by a task for itself.
    pub(crate) fn count_scan(&mut self, kind: PageKind, direct: bool, pages: u64) {
        *(if direct { &mut self.pgscan_direct } else { &mut self.pgscan_kswapd }) += pages;
        match kind {
            PageKind::Anon => self.pgscan_anon += pages,
            PageKind::File => self.pgscan_file += pages,
        }
    }

    /// Pages freed.
    pub(crate) fn count_steal(&mut self, kind: PageKind, direct: bool, pages: u64) {
        *(if direct { &mut self.pgsteal_direct } else { &mut self.pgsteal_kswapd }) += pages;
        match kind {
            PageKind::Anon => self.pgsteal_anon += pages,
            PageKind::File => self.pgsteal_file += pages,
        }
    }

    /// A page came back.
    pub(crate) fn count_refault(&mut self, kind: PageKind, refault: Refault, pages: u64) {
        let (all, activate, restore) = match kind {
            PageKind::Anon => (
                &mut self.workingset_refault_anon,
                &mut self.workingset_activate_anon,
                &mut self.workingset_restore_anon,
            ),
            PageKind::File => (
                &mut self.workingset_refault_file,
                &mut self.workingset_activate_file,
                &mut self.workingset_restore_file,
            ),
        };
        *all += pages;
        *activate += pages * u64::from(refault.activate);
        *restore += pages * u64::from(refault.restore);
    }
}
