//! MGLRU's side of a pass (7.2 mm/vmscan.c: lru_gen_shrink_node, try_to_shrink_lruvec,
//! evict_folios; for 6.x the batch rules of the flavour's row).
//!
//! Eviction takes batches of up to 64 pages off the oldest generation with one passage of lru_lock,
//! no cost accounting and no ISOLATED throttle. It stops as soon as enough was reclaimed, or, for
//! kswapd, when every zone of the node is above high: direct reclaim stops near 32 pages. When only
//! two generations are left one must be made first. Streamed pages are unmapped, so aging walks no
//! page tables here; it costs its passages of lru_lock.

use crate::config::ZONES_PER_NODE;
use crate::machine::USER_CLASS;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::Step;
use catalog::ConstantId;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// set_initial_priority: kswapd begins a pass where its target is about what one quota holds.
    pub(crate) fn set_initial_priority(&mut self, id: TaskId) {
        let default = self.constant(ConstantId::DefPriority);
        let batch = self.constant(ConstantId::MinLruBatch);
        let scan = self.m.tasks[id.index()].scan;
        if u64::from(scan.priority) != default || scan.nr_to_reclaim < batch {
            return;
        }
        let fls = |n: u64| u64::from(64 - n.leading_zeros());
        let inactive = self.m.file_pages(scan.node as usize).0;
        let priority =
            (fls(inactive).saturating_sub(1)).saturating_sub(fls(scan.nr_to_reclaim - 1));
        let priority = priority.clamp(default / 2, default);
        self.m.tasks[id.index()].scan.priority = priority as u8;
    }

    /// The next batch of a pass, aging, the next partition, or the end.
    pub(crate) fn lru_gen_next(&mut self, id: TaskId) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        if self.should_abort_scan(id) {
            return self.pass_done(id);
        }
        if scan.quota[0] == 0 {
            return self.next_partition(id);
        }
        let part = &self.m.nodes[scan.node as usize].partitions[scan.partition as usize];
        if part.should_age(self.is_first_priority(scan.priority)) {
            let ns = self.constant(ConstantId::NewGeneration);
            return self.lru_passage(id, ns, Step::Aged);
        }
        let cpu = self.m.tasks[id.index()].cpu.index();
        if self.m.batches[cpu].len > 0 {
            return self.lru_add_drain(id, Step::ShrinkInactive);
        }
        self.m.tasks[id.index()].step = Step::ShrinkInactive;
        Flow::GoOn
    }

    fn is_first_priority(&self, priority: u8) -> bool {
        u64::from(priority) == self.constant(ConstantId::DefPriority)
    }

    /// should_abort_scan: enough is reclaimed, or kswapd's node is above high in every zone.
    fn should_abort_scan(&self, id: TaskId) -> bool {
        let scan = &self.m.tasks[id.index()].scan;
        if scan.nr_reclaimed >= scan.nr_to_reclaim {
            return true;
        }
        if scan.direct {
            return false;
        }
        let node = scan.node as usize;
        let margin = self.constant(ConstantId::MinLruBatch);
        let zones = &self.m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
        let mut managed = zones.iter().filter(|z| z.managed > 0);
        managed.all(|z| z.above(z.marks.high + margin, USER_CLASS))
    }

    /// inc_max_seq is done, unless another reclaimer made the generation meanwhile: it checks that
    /// aging is still needed under the lock, and the loser goes on without one.
    pub(crate) fn aged(&mut self, id: TaskId) -> Flow {
        let first = self.is_first_priority(self.m.tasks[id.index()].scan.priority);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let part = &mut m.nodes[task.scan.node as usize].partitions[task.scan.partition as usize];
        if part.should_age(first) {
            part.age();
            m.vmstat.lru_gen_aged += 1;
        } else {
            m.vmstat.lru_gen_age_lost += 1;
        }
        task.step = Step::ShrinkNext;
        Flow::GoOn
    }
}
