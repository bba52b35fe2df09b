//! How memory is given back: by munmap, by the end of a task.
//!
//! A task drains its CPU's folio batch, then its pages leave the lists, batch by batch under
//! lru_lock, and go to its CPU's lists and on to their zones under zone->lock (7.2 mm/memory.c:
//! zap_pte_range, mm/swap.c: folios_put_refs, mm/page_alloc.c: free_unref_folios). All of them
//! leave the lists at once when it begins; from then until they are free they count as pages on
//! their way ([`crate::page_alloc::zone::Zone::batched`]). Pages that stand in another CPU's folio
//! batch or in a reclaimer's hands stay mapped until the region is unmapped again.

use super::job::{Batch, Released};
use crate::config::ZONES_PER_NODE;
use crate::lru::{Entry, PageKind};
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::task::{State, Step};
use catalog::ConstantId;
use units::{EntityId, TaskId};

impl<O: Observer> Sim<'_, O> {
    /// munmap of a region, or of the part of a loop used before number `before`.
    pub(crate) fn unmap(&mut self, id: TaskId, region: u32, before: u64) -> Flow {
        let flush = self.constant(ConstantId::TlbFlush);
        let job = &mut self.m.tasks[id.index()].job;
        job.unmap = (region, before);
        job.owed += flush;
        job.after_release = Step::WorkNext;
        self.lru_add_drain(id, Step::UnmapDrained)
    }

    /// The CPU's folio batch is on the lists: the pages are taken off.
    pub(crate) fn unmap_drained(&mut self, id: TaskId) -> Flow {
        let (region, before) = self.m.tasks[id.index()].job.unmap;
        self.m.unlist(id, region, before);
        self.release_next(id)
    }

    /// The next batch of pages is unmapped.
    pub(crate) fn release_next(&mut self, id: TaskId) -> Flow {
        let most = self.constant(ConstantId::SwapClusterMax) as u32;
        let each = self.constant(ConstantId::UnmapPage) + self.constant(ConstantId::PcpPerPage);
        let job = &mut self.m.tasks[id.index()].job;
        let Some(&first) = job.released.last() else {
            self.m.tasks[id.index()].step = self.m.tasks[id.index()].job.after_release;
            return Flow::GoOn;
        };
        let mut batch = Batch {
            node: first.node,
            partition: first.partition,
            memcg: first.memcg,
            ..Batch::default()
        };
        while let Some(next) = job.released.last_mut() {
            let same = (next.node, next.partition, next.memcg)
                == (batch.node, batch.partition, batch.memcg);
            let count = next.entry.count.min(most - batch.count);
            if !same || count == 0 {
                break;
            }
            batch.count += count;
            batch.zones[usize::from(next.entry.zone)] += count;
            next.entry.count -= count;
            if next.entry.count == 0 {
                job.released.pop();
            }
        }
        job.batch = batch;
        let ns = u64::from(batch.count) * each + core::mem::take(&mut job.owed);
        self.work(id, State::App, ns, batch.node.into(), Step::ReleaseUnmapped)
    }

    /// The batch leaves its lists under lru_lock.
    pub(crate) fn release_unmapped(&mut self, id: TaskId) -> Flow {
        let batch = self.m.tasks[id.index()].job.batch;
        let hold = Hold {
            ns: u64::from(batch.count) * self.constant(ConstantId::ReleasePerPage),
            node: batch.node.into(),
            held: State::App,
            spin: State::SpinLru,
            step: Step::ReleaseFree,
        };
        let lock = self.m.lru_lock(batch.node.into(), batch.memcg, batch.partition.into());
        self.lock(id, lock, hold)
    }

    /// Frees the batch zone by zone to the CPU's lists; a list over its bound spills.
    pub(crate) fn release_free(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let batch = &mut task.job.batch;
        while batch.zone < ZONES_PER_NODE {
            let kind = batch.zone;
            batch.zone += 1;
            let pages = core::mem::take(&mut batch.zones[kind]);
            if pages == 0 {
                continue;
            }
            let number = usize::from(batch.node) * ZONES_PER_NODE + kind;
            let zone = &mut m.zones[number];
            zone.batched -= u64::from(pages);
            zone.pcp += u64::from(pages);
            m.vmstat.pgfree += u64::from(pages);
            let at = task.cpu.index() * m.zones.len() + number;
            let scale = m.config.ledger.get(ConstantId::PcpBatchScaleMax);
            let spill = m.pcps[at].free(pages, &m.zones[number], m.config.flavour.pcp, scale);
            if spill > 0 {
                batch.spill = spill;
                let hold = Hold {
                    ns: u64::from(spill) * m.config.ledger.get(ConstantId::ZonePerPage),
                    node: batch.node.into(),
                    held: State::App,
                    spin: State::SpinZone,
                    step: Step::ReleaseSpilled,
                };
                let lock = m.zone_lock(number as u32);
                return self.lock(id, lock, hold);
            }
        }
        self.release_next(id)
    }

    /// free_pcppages_bulk is done.
    pub(crate) fn release_spilled(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &m.tasks[id.index()];
        let batch = &task.job.batch;
        let number = usize::from(batch.node) * ZONES_PER_NODE + batch.zone - 1;
        let at = task.cpu.index() * m.zones.len() + number;
        // The list may have been drained by somebody else meanwhile.
        let spill = batch.spill.min(m.pcps[at].count);
        m.pcps[at].count -= spill;
        m.zones[number].pcp -= u64::from(spill);
        self.add_free(number as u32, u64::from(spill));
        self.release_free(id)
    }

    /// The task ends: what only it used of anonymous memory is freed, then it never runs again.
    pub(crate) fn task_exit(&mut self, id: TaskId) -> Flow {
        let job = &mut self.m.tasks[id.index()].job;
        job.plan.clear();
        job.after_release = Step::Exit;
        self.lru_add_drain(id, Step::ExitDrained)
    }

    /// The CPU's folio batch is on the lists: the pages of the regions that nobody else uses are
    /// taken off.
    pub(crate) fn exit_drained(&mut self, id: TaskId) -> Flow {
        for region in self.m.regions_of(id) {
            let users = &mut self.m.region_users[region as usize];
            *users -= 1;
            if *users == 0 {
                self.m.unlist(id, region, u64::MAX);
                self.m.bury(region);
            }
        }
        self.release_next(id)
    }

    /// Everything is freed.
    pub(crate) fn exit(&mut self, id: TaskId) -> Flow {
        self.m.alive -= 1;
        self.sleep(id, State::Asleep, None, Step::Ended)
    }

    /// Whether the task was killed; what it was waiting for is given up then.
    pub(crate) fn give_up(&mut self, id: TaskId) -> bool {
        let task = &mut self.m.tasks[id.index()];
        if !task.job.killed {
            return false;
        }
        let class = task.alloc.class;
        let need = core::mem::take(&mut task.alloc.need);
        task.job.runs.clear();
        task.job.to_read = 0;
        task.step = if task.job.is_reader { Step::ReaderWindow } else { Step::WorkNext };
        self.m.pages.class_mut(class).expect_no_more(need.into());
        true
    }
}

impl Machine {
    /// A fatal signal: the task ends as soon as it notices, before its next piece of work or when
    /// it looks for memory in vain. The tasks of [`Machine::same_mm`] are killed together.
    pub fn kill(&mut self, id: TaskId) {
        let task = &mut self.tasks[id.index()];
        task.job.killed = true;
        if task.state == State::Io && !task.on_cpu {
            let now = self.core.queue.now();
            self.core.queue.cancel(EntityId(id.0));
            self.core.queue.schedule(EntityId(id.0), now, 0);
        }
    }

    /// The regions that a task uses.
    #[must_use]
    pub fn regions_of(&self, id: TaskId) -> Vec<u32> {
        match self.tasks[id.index()].kind {
            crate::task::Kind::Task(number) => self.layout.of_task[number as usize].clone(),
            _ => Vec::new(),
        }
    }

    /// Pages that would be freed, or swapped back in for nobody, if all tasks that share memory
    /// with this one ended: the anonymous ones that are resident.
    #[must_use]
    pub fn rss(&self, id: TaskId) -> u64 {
        let regions = self.regions_of(id);
        let classes = regions.iter().flat_map(|&r| &self.layout.regions[r as usize].classes);
        let class = |&(class, _): &(crate::lru::ClassId, u64)| self.pages.class(class);
        let anon = classes.map(class).filter(|c| c.config.kind == PageKind::Anon);
        anon.map(crate::lru::Class::resident_pages).sum()
    }

    /// The tasks that share anonymous memory with this one, itself included: they are killed
    /// together.
    #[must_use]
    pub fn same_mm(&self, id: TaskId) -> Vec<TaskId> {
        let shared = |&r: &u32| {
            let region = &self.layout.regions[r as usize];
            region.tasks > 1 && region.backing == super::group::Backing::Anon
        };
        let own: Vec<u32> = self.regions_of(id).into_iter().filter(shared).collect();
        let all = (0..self.tasks.len() as u32).map(TaskId);
        all.filter(|&t| t == id || self.regions_of(t).iter().any(|r| own.contains(r))).collect()
    }

    /// Nobody uses a region's anonymous pages any more.
    fn bury(&mut self, region: u32) {
        let layout = std::sync::Arc::clone(&self.layout);
        for &(class, _) in &layout.regions[region as usize].classes {
            let class = self.pages.class_mut(class);
            class.dead = class.config.kind == PageKind::Anon;
        }
    }

    /// Anonymous pages of a region leave the lists for the hands of a task that frees them, all or
    /// those of a loop used before number `before`.
    fn unlist(&mut self, id: TaskId, region: u32, before: u64) {
        let layout = std::sync::Arc::clone(&self.layout);
        let classes = &layout.regions[region as usize].classes;
        let Some(&(first, _)) = classes.first() else { return };
        let config = self.pages.class(first).config;
        if config.kind == PageKind::File {
            return;
        }
        let range = first.0..first.0 + classes.len() as u16;
        let memcg = config.memcg;
        let mut released = Vec::new();
        let mut out: Vec<Entry> = Vec::new();
        for (n, node) in self.nodes.iter_mut().enumerate() {
            let vec = &mut node.lruvecs[usize::from(memcg)];
            for (p, part) in vec.parts.iter_mut().enumerate() {
                out.clear();
                part.purge(PageKind::Anon, &range, before, &self.pages, &mut out);
                released.extend(out.iter().map(|&entry| Released {
                    node: n as u8,
                    partition: p as u16,
                    memcg,
                    entry,
                }));
            }
        }
        for r in &released {
            let zone =
                &mut self.zones[usize::from(r.node) * ZONES_PER_NODE + usize::from(r.entry.zone)];
            zone.lru -= u64::from(r.entry.count);
            zone.batched += u64::from(r.entry.count);
            self.pages.leave(usize::from(r.node), &r.entry, None);
        }
        for &(class, _) in classes {
            // Those of a loop's younger uses stay on swap until the region is given up.
            if before == u64::MAX {
                let slots = self.pages.class_mut(class).take_slots();
                let owed = self.free_slots(id, &slots);
                self.tasks[id.index()].job.owed += owed;
            }
            self.pages.class_mut(class).forget();
        }
        self.tasks[id.index()].job.released.extend(released);
    }
}
