//! Several workers on one node: code written for one kswapd, run by N (facts F.3).
//!
//! As literally written, the workers share one request, one flag, one failure counter and the
//! node's boost, and none looks at the others. The fixed form keeps them apart where that is one
//! worker's business and counts where it is everybody's. With one worker both are the same. By the
//! numbers of F.3:
//!
//! 1. The first worker takes kswapd_order and kswapd_highest_zoneidx from all; fixed, each has a
//!    copy ([`super::request`]).
//! 2. `all` wakes non-exclusive waiters, the other policies exclusive ones ([`super::wakeup`]).
//! 3. A queue with a sleeper no longer says that nobody runs: wakeups go on until all are awake. A
//!    control of its own, `policy_counting`.
//! 4. The allocator passes over a node whose queue is empty, so when all N are awake; fixed, when
//!    one is.
//! 5. A worker that is about to sleep releases every throttled task; fixed, while others work only
//!    if there is room.
//! 6. ZONE_RECLAIM_ACTIVE is a flag that the first one clears, and each subtracts the boost that
//!    all of them saw; fixed, a count, and a boost has one owner.
//! 7. The threshold of per-CPU counters is switched by every sleeper: free counts are exact here.
//! 8. kswapd_failures counts every worker's fruitless run; fixed, only if the others had none
//!    either.
//! 9. Everybody tests the balance between passes only; fixed, between slices while others work.
//! 10. MGLRU: the node's mm_walk is one structure. Workers that would be in it at once are counted;
//!     fixed, each has its own. Losers of the aging race are counted in both.
//! 11. Everybody walks the memory cgroups in the same order, from the first one on.
//! 12. N workers of nice 0 take their share of a busy node's CPUs.
//!
//! Point 13 (kswapd_is_running) touches nothing that is modelled.

use crate::config::ZONES_PER_NODE;
use crate::observe::Observer;
use crate::sim::Sim;
use crate::trace::Event;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// Whether another worker of this one's node is awake.
    fn others_awake(&self, id: TaskId) -> bool {
        let node = &self.m.nodes[self.m.tasks[id.index()].scan.node as usize];
        (node.workers.0..node.workers.1).any(|w| w != id.0 && !self.sleeps(w))
    }

    /// Point 4: whether the allocator's first look passes over the node since kswapd is at work.
    pub(crate) fn kswapd_active(&self, node: usize) -> bool {
        if !self.m.config.multi_fixed {
            return !self.has_sleeper(node);
        }
        let n = &self.m.nodes[node];
        (n.workers.0..n.workers.0 + n.wakeable).any(|w| !self.sleeps(w))
    }

    /// Point 5: a worker that may be about to sleep releases those throttled on pfmemalloc_wait.
    pub(crate) fn release_throttled(&mut self, id: TaskId) {
        let node = self.m.tasks[id.index()].scan.node as usize;
        let fixed = self.m.config.multi_fixed && self.others_awake(id);
        if !fixed || self.allow_direct_reclaim(node) {
            self.wake_pfmemalloc(node);
        }
    }

    /// Point 6: a worker begins on its zones.
    pub(crate) fn set_reclaim_active(&mut self, id: TaskId) {
        let fixed = self.m.config.multi_fixed;
        self.each_zone(id, |zone| {
            zone.reclaim_active = if fixed { zone.reclaim_active + 1 } else { 1 };
        });
    }

    /// Point 6: it is done with them.
    pub(crate) fn clear_reclaim_active(&mut self, id: TaskId) {
        let fixed = self.m.config.multi_fixed;
        self.each_zone(id, |zone| {
            zone.reclaim_active = if fixed { zone.reclaim_active - 1 } else { 0 };
        });
    }

    fn each_zone(&mut self, id: TaskId, change: impl Fn(&mut crate::page_alloc::zone::Zone)) {
        let task = &self.m.tasks[id.index()];
        let first = task.scan.node as usize * ZONES_PER_NODE;
        let last = first + usize::from(task.work.highest_zoneidx);
        self.m.zones[first..=last].iter_mut().for_each(change);
    }

    /// Point 6: notes the boost of the worker's zones, which is to be reclaimed on top; fixed, what
    /// no other one is about already.
    pub(crate) fn boost_begin(&mut self, id: TaskId) {
        let fixed = self.m.config.multi_fixed;
        let task = &mut self.m.tasks[id.index()];
        let first = task.scan.node as usize * ZONES_PER_NODE;
        task.work.boosts = [0; ZONES_PER_NODE];
        for kind in 0..=usize::from(task.work.highest_zoneidx) {
            let zone = &mut self.m.zones[first + kind];
            task.work.boosts[kind] = zone.boost - zone.boost_claimed;
            if fixed {
                zone.boost_claimed = zone.boost;
            }
        }
        task.work.boost_left = task.work.boosts.iter().sum();
    }

    /// Point 6: takes the boost away that it noted, or what is left of that.
    pub(crate) fn boost_end(&mut self, id: TaskId) {
        let fixed = self.m.config.multi_fixed;
        let task = &self.m.tasks[id.index()];
        let first = task.scan.node as usize * ZONES_PER_NODE;
        for (kind, &boost) in task.work.boosts.iter().enumerate() {
            let zone = &mut self.m.zones[first + kind];
            zone.set_boost(zone.boost.saturating_sub(boost));
            if fixed {
                zone.boost_claimed -= boost;
            }
        }
    }

    /// Point 8: a worker tried every priority and reclaimed nothing.
    pub(crate) fn count_failure(&mut self, id: TaskId) {
        let task = &self.m.tasks[id.index()];
        let node = &mut self.m.nodes[task.scan.node as usize];
        let others = node.kswapd_reclaimed != task.work.reclaimed_before;
        if !(self.m.config.multi_fixed && others) {
            node.kswapd_failures += 1;
            let (nid, failures) = (task.scan.node, node.kswapd_failures);
            self.trace(id, Event::ReclaimFail { nid, failures });
        }
    }

    /// Point 9: whether a worker stops in the middle of a pass, since with the others' work there
    /// is enough.
    pub(crate) fn enough_by_others(&self, id: TaskId) -> bool {
        let task = &self.m.tasks[id.index()];
        self.m.config.multi_fixed
            && !task.scan.direct
            && task.is_kswapd()
            && task.work.boost_left == 0
            && self.others_awake(id)
            && self.balanced(task.scan.node as usize, task.work.highest_zoneidx)
    }

    /// Point 10: a reclaimer is about to make a generation. A worker uses its node's mm_walk for
    /// it, direct reclaim one of its own.
    pub(crate) fn aging_begins(&mut self, id: TaskId) {
        let task = &self.m.tasks[id.index()];
        if !task.is_kswapd() {
            return;
        }
        let node = &mut self.m.nodes[task.scan.node as usize];
        if node.aging > 0 && !self.m.config.multi_fixed {
            self.m.vmstat.mm_walk_shared += 1;
        }
        node.aging += 1;
    }

    /// It is made, or another one made it.
    pub(crate) fn aging_ends(&mut self, id: TaskId) {
        let task = &self.m.tasks[id.index()];
        if task.is_kswapd() {
            self.m.nodes[task.scan.node as usize].aging -= 1;
        }
    }
}
