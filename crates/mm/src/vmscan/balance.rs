//! balance_pgdat: what a worker does between two sleeps (7.2 mm/vmscan.c: balance_pgdat,
//! kswapd_shrink_node).
//!
//! Passes over the node, each for the sum of the zones' high marks, harder as long as they bring
//! too little, until some zone is above high. A boost is reclaimed on top, gently; a node that is
//! short besides is treated as if it had none, and the boost goes all the same.

use crate::config::ZONES_PER_NODE;
use crate::machine::USER_CLASS;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::Step;
use crate::trace::Event;
use crate::vmscan::request::Work;
use catalog::ConstantId;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// balance_pgdat begins.
    pub(crate) fn balance_begin(&mut self, id: TaskId) -> Flow {
        self.m.vmstat.pageoutrun += 1;
        let priority = self.constant(ConstantId::DefPriority) as u8;
        let task = &mut self.m.tasks[id.index()];
        task.scan.priority = priority;
        task.scan.direct = false;
        task.scan.total = 0;
        task.step = Step::KswapdBalance;
        let node = task.scan.node as usize;
        task.work.reclaimed_before = self.m.nodes[node].kswapd_reclaimed;
        self.boost_begin(id);
        self.set_reclaim_active(id);
        self.m.note_stall(id, node, true);
        self.observer.balance_begin(self.m, node);
        let Work { order, highest_zoneidx, .. } = self.m.tasks[id.index()].work;
        self.trace(id, Event::BalanceBegin { nid: node as u32, order, highest_zoneidx });
        Flow::GoOn
    }

    /// One round of balance_pgdat's loop: done, or a pass at this priority.
    pub(crate) fn balance_pgdat(&mut self, id: TaskId) -> Flow {
        let task = &self.m.tasks[id.index()];
        let (node, highest_zoneidx) = (task.scan.node as usize, task.work.highest_zoneidx);
        if task.scan.priority < 1 {
            return self.balance_end(id);
        }
        let balanced = self.balanced(node, highest_zoneidx);
        let default = self.constant(ConstantId::DefPriority) as u8;
        let task = &mut self.m.tasks[id.index()];
        if !balanced && task.work.boost_left > 0 {
            // The node needs more than its boost: from the beginning, as without one.
            task.work.boost_left = 0;
            task.scan.priority = default;
        }
        if balanced && task.work.boost_left == 0 {
            return self.balance_end(id);
        }
        let target = self.pass_target(node, highest_zoneidx);
        let task = &mut self.m.tasks[id.index()];
        task.scan.nr_to_reclaim = target;
        task.step = Step::ShrinkNode;
        if self.m.config.lru_gen {
            self.set_initial_priority(id);
        }
        Flow::GoOn
    }

    /// kswapd_shrink_node: the sum of max(high, 32) over the node's zones up to this kind.
    fn pass_target(&self, node: usize, highest_zoneidx: u8) -> u64 {
        let least = self.constant(ConstantId::SwapClusterMax);
        self.zones_up_to(node, highest_zoneidx).map(|z| z.marks.high.max(least)).sum()
    }

    /// A pass of kswapd is over: release the throttled if allowed, keep or harden the priority.
    pub(crate) fn kswapd_pass_done(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let node = task.scan.node as usize;
        task.scan.total += task.scan.nr_reclaimed;
        let reclaimed = task.scan.nr_reclaimed;
        self.m.nodes[node].kswapd_reclaimed += reclaimed;
        let enough = task.scan.nr_scanned >= task.scan.nr_to_reclaim;
        let floor = self.m.config.ledger.get(ConstantId::DefPriority) - 2;
        let at_floor = task.work.boost_left > 0 && u64::from(task.scan.priority) == floor;
        task.work.boost_left -= task.work.boost_left.min(reclaimed);
        // A boost that nothing comes of is given up.
        let give_up = task.work.boost_left > 0 && reclaimed == 0;
        if reclaimed == 0 || !(enough || at_floor) {
            task.scan.priority -= 1;
        }
        task.step = if give_up { Step::KswapdBalanceEnd } else { Step::KswapdBalance };
        if reclaimed > 0 {
            self.note_progress(node);
        }
        if !self.m.nodes[node].pfmemalloc_wait.is_empty() && self.allow_direct_reclaim(node) {
            self.wake_pfmemalloc(node);
        }
        Flow::GoOn
    }

    /// Somebody reclaimed pages of the node: it may be given another chance.
    pub(crate) fn note_progress(&mut self, node: usize) {
        if self.m.config.flavour.progress_revives || self.balanced(node, USER_CLASS as u8) {
            self.m.nodes[node].kswapd_failures = 0;
        }
    }

    /// balance_pgdat returns.
    pub(crate) fn balance_end(&mut self, id: TaskId) -> Flow {
        let node = self.m.tasks[id.index()].scan.node as usize;
        // Every priority was tried and nothing came of it.
        let scan = &self.m.tasks[id.index()].scan;
        let boosted = self.m.tasks[id.index()].work.boosts != [0; ZONES_PER_NODE];
        let total = scan.total;
        if total == 0 && scan.priority < 1 && !boosted {
            self.count_failure(id);
        }
        self.m.snapshot_refaults_of(node);
        self.boost_end(id);
        self.clear_reclaim_active(id);
        self.m.note_stall(id, node, false);
        self.observer.balance_end(self.m, node, total);
        let Work { order, highest_zoneidx, .. } = self.m.tasks[id.index()].work;
        let (nid, nr_reclaimed) = (node as u32, total);
        self.trace(id, Event::BalanceEnd { nid, order, highest_zoneidx, nr_reclaimed });
        self.m.tasks[id.index()].step = Step::KswapdSleep;
        Flow::GoOn
    }
}
