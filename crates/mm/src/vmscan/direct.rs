//! Direct reclaim: a task that found no page reclaims for itself (7.2 mm/vmscan.c:
//! try_to_free_pages, throttle_direct_reclaim, shrink_zones).
//!
//! The target is 32 pages, but a pass at the first priority runs through its whole quota of every
//! node that the task may use: (inactive >> 12) pages a node, whatever was reclaimed before.

use crate::config::ZONES_PER_NODE;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use crate::trace::Event;
use catalog::{ConstantId, ZoneKind};
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// allow_direct_reclaim: more than half of min is free over the zones that normal requests use.
    pub(crate) fn allow_direct_reclaim(&self, node: usize) -> bool {
        if self.hopeless(node) {
            return true;
        }
        let first = node * ZONES_PER_NODE;
        let zones = &self.m.zones[first..=first + ZoneKind::Normal as usize];
        let usable = zones.iter().filter(|z| z.managed > 0 && z.lru > 0);
        let (min, free) = usable.fold((0, 0), |(m, f), z| (m + z.marks.min, f + z.free));
        min == 0 || free > min / 2
    }

    /// The first node of the task's zonelist that has zones up to Normal.
    fn throttle_node(&self, id: TaskId) -> Option<usize> {
        let has = |&n: &usize| {
            let first = n * ZONES_PER_NODE;
            self.m.zones[first..=first + ZoneKind::Normal as usize].iter().any(|z| z.managed > 0)
        };
        self.m.zonelist(id).iter().map(|&n| usize::from(n)).find(has)
    }

    /// throttle_direct_reclaim, then try_to_free_pages.
    pub(crate) fn direct_begin(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let throttled = self.m.tasks[id.index()].woken && self.m.tasks[id.index()].direct;
        if !self.m.tasks[id.index()].direct {
            let task = &mut self.m.tasks[id.index()];
            task.direct = true;
            task.woken = false;
            task.alloc.direct_since = now;
            let home = task.node.index();
            self.m.note_stall(id, home, true);
        }
        if !throttled
            && let Some(node) = self.throttle_node(id)
            && !self.allow_direct_reclaim(node)
        {
            self.wake_for_throttled(node);
            self.m.vmstat.pgscan_direct_throttle += 1;
            self.m.nodes[node].pfmemalloc_wait.push(id);
            return self.sleep(id, State::Throttled, None, Step::DirectBegin);
        }
        self.m.vmstat.allocstall_normal += 1;
        self.trace(id, Event::DirectBegin);
        let priority = self.constant(ConstantId::DefPriority) as u8;
        let target = self.constant(ConstantId::SwapClusterMax);
        let scan = &mut self.m.tasks[id.index()].scan;
        scan.direct = true;
        scan.priority = priority;
        scan.total = 0;
        scan.total_scanned = 0;
        scan.visited = 0;
        scan.nr_to_reclaim = target;
        self.m.tasks[id.index()].step = Step::DirectPriority;
        Flow::GoOn
    }

    /// shrink_zones: the next node of the zonelist at this priority, or the next priority.
    pub(crate) fn direct_priority(&mut self, id: TaskId) -> Flow {
        let visited = self.m.tasks[id.index()].scan.visited as usize;
        let limit = self.m.tasks[id.index()].scan.limit.is_some();
        let nodes = if limit {
            // A cgroup's pages lie on any node.
            &self.m.nodes[self.m.tasks[id.index()].node.index()].zonelist[..]
        } else {
            self.m.zonelist(id)
        };
        let next = nodes.get(visited).copied();
        let task = &mut self.m.tasks[id.index()];
        if let Some(node) = next {
            task.scan.node = u32::from(node);
            task.scan.visited += 1;
            task.step = Step::ShrinkNode;
            return Flow::GoOn;
        }
        if limit {
            task.step = Step::DirectRoundDone;
            return Flow::GoOn;
        }
        let first = usize::from(self.m.zonelist(id)[0]);
        self.consider_reclaim_throttle(id, first, Step::DirectRoundDone)
    }

    /// A round over the zonelist is over: enough is reclaimed, or the next priority has its turn.
    pub(crate) fn direct_round_done(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        if task.scan.total >= task.scan.nr_to_reclaim || task.scan.priority == 0 {
            task.step = Step::DirectDone;
            return Flow::GoOn;
        }
        task.scan.visited = 0;
        task.scan.total_scanned = 0;
        task.scan.priority -= 1;
        task.step = Step::DirectPriority;
        Flow::GoOn
    }

    /// A node's pass is over.
    pub(crate) fn direct_pass_done(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let (node, reclaimed) = (task.scan.node as usize, task.scan.nr_reclaimed);
        task.scan.total += reclaimed;
        task.scan.total_scanned += task.scan.nr_scanned;
        task.step = Step::DirectPriority;
        if reclaimed > 0 {
            self.note_progress(node);
        }
        Flow::GoOn
    }

    /// The call returns: another try above min; if pages were reclaimed and none is found all the
    /// same, a drain of all lists and another one; then again, until nothing was reclaimed too
    /// often;
    /// then the task sleeps a tick.
    pub(crate) fn direct_done(&mut self, id: TaskId) -> Flow {
        if self.m.tasks[id.index()].scan.limit.is_some() {
            return self.memcg_reclaimed(id);
        }
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        if task.direct {
            task.direct = false;
            let took = now - task.alloc.direct_since;
            let (home, nr_reclaimed) = (task.node.index(), task.scan.total);
            self.m.note_stall(id, home, false);
            self.observer.direct_reclaim(now, took, nr_reclaimed);
            self.trace(id, Event::DirectEnd { nr_reclaimed });
        }
        self.m.snapshot_refaults(id);
        if let Some(flow) = self.retry_above_min(id) {
            return flow;
        }
        let task = &mut self.m.tasks[id.index()];
        if task.scan.total > 0 && !task.alloc.drained {
            task.alloc.drained = true;
            let home = task.node.0;
            let listed: u64 = self.m.zones.iter().map(|z| z.pcp).sum();
            let cost = self.constant(ConstantId::DrainPerCpu) * u64::from(self.m.cpus.len())
                + self.constant(ConstantId::ZonePerPage) * listed;
            return self.work(id, State::PageWork, cost, home, Step::DirectDrained);
        }
        self.reclaim_again(id)
    }

    /// drain_all_pages is done: the last try of this round.
    pub(crate) fn direct_drained(&mut self, id: TaskId) -> Flow {
        self.drain_all_pages();
        if let Some(flow) = self.retry_above_min(id) {
            return flow;
        }
        self.reclaim_again(id)
    }

    /// should_reclaim_retry.
    fn reclaim_again(&mut self, id: TaskId) -> Flow {
        let limit = self.constant(ConstantId::MaxReclaimRetries) as u32;
        let task = &mut self.m.tasks[id.index()];
        task.alloc.drained = false;
        let progress = task.scan.total > 0;
        task.alloc.no_progress = if progress { 0 } else { task.alloc.no_progress + 1 };
        if task.alloc.no_progress > limit {
            task.alloc.no_progress = 0;
            return self.out_of_memory(id, None);
        }
        task.step = Step::AllocSlowPath;
        Flow::GoOn
    }
}
