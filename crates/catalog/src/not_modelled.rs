//! What the model leaves out. Shown wherever results are shown.

/// One thing that is left out, in a sentence.
pub static NOT_MODELLED: &[&str] = &[
    "A second read() of a page activates it at once, but queues for no lock; on partitioned lists it does so when reclaim meets it.",
    "The order of pages inside a cohort, of 64 pages at least, is kept for a loop only: on lists of no more pages than that hit ratios are up to 5 points off (2 in the mean), on those of 512 up to 1.2, on longer ones hardly a quarter.",
    "Swap cache that is kept after a swap-in: the slot is freed at once, so a page that is evicted again unchanged is written again, where a device that is less than half full would not be written to. Swap readahead: a fault reads one page, where devices that complete later bring up to 8 (page-cluster 3), so that loads with neighbours in neighbouring slots fault up to 8 times as often here. Pages filled with one value other than zero.",
    "zswap's shrink worker: entries are written back by the reclaimer that found the pool full; the oldest first, whether they were used again or not; memory.zswap.max and pages that do not compress.",
    "Slots that other programs used before the run are never freed. Pages that joined a request are written one after the other. A swap tier has no name, and no way to move pages to another one.",
    "Slots that are freed when a task ends or a page comes in queue for no lock: their cost is charged. Up to 6.12 that is where most waiting for si->lock is (D05), and builds with many jobs take up to twice as long there.",
    "Hierarchies of cgroups, memory.min and memory.low, memory.swap.max, and streams in a cgroup.",
    "A pass of kswapd that deactivates 32 anonymous pages a round when they are short of inactive ones (kswapd_age_node), and its second try with file pages that a first spared (cache_trim_mode).",
    "The cgroup that reclaim goes on from: every pass begins with the root's lists (the kernel shares an iterator; MGLRU turns a random bin of cgroups).",
    "The retries of direct reclaim that deactivate or walk by force before a task is killed, and the last look at the high mark.",
    "Executable pages, pages with more than one mapping, and address spaces by cgroup in MGLRU's walks: an aging walks all of them.",
    "Clusters that are passed over because somebody holds them (trylock): the model waits. Locks of clusters are 256 a device, so that two clusters may share one.",
    "TLB flushes by address space: an interrupt goes to the busy CPUs of the reclaimer's node, and costs those nothing.",
    "Refaults count their cost without taking lru_lock (kernels to 7.2 take it).",
    "kswapd of kernels to 6.12 could write dirty file pages by itself: only flushers write here.",
    "lru_lock of a node instead of a cgroup (to 5.10), and the costs of lists before 5.8: the flavours 4.16 and 5.15 have the newer ones.",
    "Zones that hold only anonymous pages count as reclaimable even without swap.",
    "Slab, and the neighbours that MGLRU's eviction looks around for in a page table.",
    "The retry test of free and reclaimable pages against min after direct reclaim: tries are counted instead.",
    "Which page lies in which pageblock: fragmentation events, which boost watermarks, come at random, below the high mark and in the highest zone of a node only.",
    "Pages of zones above the one that kswapd was woken for: it takes them too instead of passing over them (pgskip).",
    "The order of pages whose generation is merged into the next (the kernel turns it round, and forgets their marks).",
    "The Bloom filters of MGLRU's page table walks: a walk visits every entry of every address space.",
    "Forgetting of shadow entries under memory pressure (workingset_nodereclaim), and what they cost in memory.",
    "Wakeups for orders above 0, compaction, and large folios but on their way to swap, where pages are drawn into folios anew each time (one by one under virtual swap).",
    "oom_score_adj, page tables and swap in the choice of the OOM victim, and the reserves that it may use: it is the task with the most resident anonymous memory, and it ends when it next looks for memory or work.",
    "Pages of a mapping that stand in another CPU's folio batch, or in a reclaimer's hands, when it is unmapped: they are freed at the next unmapping, or stay when the task ends.",
    "Which accesses follow which: a page that is used once may be used again at once; ranks of a skewed region do not change.",
    "Read-around of file faults apart from the workload kv: each fault of a mapped file reads one page. Faults that only map pages, and those around them, take no time.",
    "File pages under writeback: a page is dirty until a drive has it, and is reclaimed only then; so nobody is throttled as CONGESTED.",
    "Locked pages: a page whose read is still under way can be reclaimed, so machines with hardly more memory than windows in flight do worse than real ones.",
    "Drains of all per-CPU lists queue for no lock: their cost is charged, the zone locks are not taken.",
    "A first node under 1 GiB is one zone (a PC has DMA and DMA32); paste a zoneinfo to have its zones.",
    "Read-ahead that gives up: a read-ahead page is asked for until it is there (no __GFP_NORETRY).",
    "Per-CPU lists that shrink while idle, and vmstat counters that lag behind: free counts are exact.",
    "Load balancing: a task stays on the node it starts on, and wakes on an idle CPU there or in the shortest queue.",
    "node_reclaim (zone_reclaim_mode is 0), nice values, kernel memory other than what a machine is given as used.",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_sentence_that_a_mail_can_carry() {
        for sentence in NOT_MODELLED {
            assert!(sentence.is_ascii() && sentence.ends_with('.'), "{sentence}");
        }
    }
}
