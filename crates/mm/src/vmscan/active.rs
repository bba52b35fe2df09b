//! A slice of an active list (7.2 mm/vmscan.c: shrink_active_list): 32 pages off its tail under
//! lru_lock, their accessed bits read and cleared without it, then all of them to the head of the
//! inactive list under it again.

use super::folio_list;
use crate::lru::{LruList, entry};
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Isolated, State, Step, Task};
use crate::trace::Event;
use catalog::ConstantId;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// lru_lock for a slice of an active list.
    pub(crate) fn take_active(&mut self, id: TaskId, list: LruList) -> Flow {
        let most = self.constant(ConstantId::SwapClusterMax);
        let scan = &mut self.m.tasks[id.index()].scan;
        scan.list = list;
        let slice = scan.quota[list as usize].min(most);
        let found = self.m.partition(id).active(list.kind()).min(slice);
        let ns = found * self.constant(ConstantId::IsolatePerPage);
        self.lru_passage(id, ns, Step::ActiveTaken)
    }

    /// The active pages are the reclaimer's: each is looked up in page tables if it is mapped.
    pub(crate) fn active_taken(&mut self, id: TaskId) -> Flow {
        let most = self.constant(ConstantId::SwapClusterMax);
        let per_page = self.constant(ConstantId::ActivePerPage);
        let per_mapped = self.constant(ConstantId::FolioReferenced);
        let m = &mut *self.m;
        let scan = &mut m.tasks[id.index()].scan;
        let (node, list) = (scan.node as usize, scan.list);
        let slice = scan.quota[list as usize].min(most);
        scan.quota[list as usize] -= slice;
        let vec = &mut m.nodes[node].lruvecs[usize::from(scan.memcg)];
        let part = &mut vec.parts[scan.partition as usize];
        let mut taken = Vec::new();
        let count = part.take(list, slice, &m.pages, &mut m.lru_draws, &mut taken);
        if count == 0 {
            scan.quota[list as usize] = 0;
            m.tasks[id.index()].step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        m.isolate(node, list.kind(), &taken);
        m.vmstat.pgrefill += count;
        let keep = folio_list::deactivate(&taken, &m.pages, &mut m.lru_draws);
        let mapped: u64 =
            keep.iter().filter(|e| m.pages.is_mapped(e)).map(|e| u64::from(e.count)).sum();
        m.tasks[id.index()].isolated = Isolated { keep, kind: list.kind(), ..Isolated::default() };
        let ns = count * per_page + mapped * per_mapped;
        self.work(id, State::PageWork, ns, node as u32, Step::ActiveWorked)
    }

    /// move_folios_to_lru: the pages go to the head of the inactive list under lru_lock.
    pub(crate) fn active_worked(&mut self, id: TaskId) -> Flow {
        let count = entry::pages(&self.m.tasks[id.index()].isolated.keep);
        let ns = count * self.constant(ConstantId::LruAddPerPage);
        self.lru_passage(id, ns, Step::ActivePutback)
    }

    /// The pages stand on the inactive list.
    pub(crate) fn active_putback(&mut self, id: TaskId) -> Flow {
        let count = self.putback(id);
        self.m.vmstat.pgdeactivate += count;
        let Task { scan, isolated, .. } = &self.m.tasks[id.index()];
        let (nid, priority, kind) = (scan.node, scan.priority, isolated.kind);
        let (nr_taken, nr_deactivated) = (count, count);
        self.trace(id, Event::ShrinkActive { nid, nr_taken, nr_deactivated, priority, kind });
        self.m.tasks[id.index()].step = Step::ShrinkNext;
        if !self.m.config.flavour.cost_lock {
            return Flow::GoOn;
        }
        let ns = self.constant(ConstantId::PutbackPass);
        self.lru_passage(id, ns, Step::ShrinkNext)
    }
}
