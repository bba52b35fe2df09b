//! Allocation: fast path, slow path, per-CPU lists and the folio batch.
//!
//! A reader asks for the pages of a read-ahead window. Since a zone's free count moves only when a
//! per-CPU list is refilled or spills, one test of the marks stands for every page that the list
//! gives in the same event; pages are taken in runs of what the list and the folio batch allow.
//!
//! Kernel: 7.2 mm/page_alloc.c get_page_from_freelist, __alloc_pages_slowpath, rmqueue_pcplist;
//! mm/swap.c folio_add_lru.

use crate::config::{Placement, ZONES_PER_NODE};
use crate::machine::USER_CLASS;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::task::{Kind, State, Step, Task};
use catalog::{ConstantId, ZoneKind};
use units::TaskId;

/// Which mark a look for memory respects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Low,
    Min,
}

/// What the next of `adding_left` partitions gets of a node's pages: an even share, rounded up.
fn share(task: &Task, node: usize) -> [u64; ZONES_PER_NODE] {
    let all = &task.adding[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
    let count: u32 = all.iter().map(|&p| u32::from(p)).sum();
    let mut left = count.div_ceil(task.adding_left.max(1));
    core::array::from_fn(|kind| {
        let pages = u32::from(all[kind]).min(left);
        left -= pages;
        u64::from(pages)
    })
}

impl<O: Observer> Sim<'_, O> {
    /// The first zone above the mark; with `skip`, nodes whose kswapd is awake do not count. Says
    /// also whether one was skipped.
    fn look(&self, id: TaskId, mark: Mark, skip: bool) -> (Option<u32>, bool) {
        let mut skipped = false;
        for &node in self.m.zonelist(id) {
            if skip && !self.has_sleeper(usize::from(node)) {
                skipped = true;
                continue;
            }
            for kind in (0..ZONES_PER_NODE).rev() {
                let number = usize::from(node) * ZONES_PER_NODE + kind;
                let zone = &self.m.zones[number];
                if zone.managed == 0 {
                    continue;
                }
                let level = match mark {
                    Mark::Low => zone.marks.low,
                    Mark::Min => zone.marks.min,
                };
                if zone.above(level, USER_CLASS) {
                    return (Some(number as u32), skipped);
                }
            }
        }
        (None, skipped)
    }

    /// get_page_from_freelist: from 6.18 on, a machine with more than one node passes over nodes
    /// whose kswapd is awake first.
    fn find_zone(&self, id: TaskId, mark: Mark) -> Option<u32> {
        let skip = self.m.config.flavour.skip_awake_kswapd && self.m.nodes.len() > 1;
        match self.look(id, mark, skip) {
            (None, true) => self.look(id, mark, false).0,
            (zone, _) => zone,
        }
    }

    /// Allocates what the next window still needs, run by run.
    pub(crate) fn reader_alloc(&mut self, id: TaskId) -> Flow {
        if self.m.tasks[id.index()].reading.need == 0 {
            return self.submit_and_copy(id);
        }
        if let Some(zone) = self.find_zone(id, Mark::Low) {
            return self.take_run(id, zone, u32::MAX);
        }
        self.observer.slow_path(self.m, id);
        let home = self.m.tasks[id.index()].node.0;
        let entry = self.constant(ConstantId::SlowPathEntry);
        self.work(id, State::App, entry, home, Step::ReaderSlowPath)
    }

    /// __alloc_pages_slowpath: wake kswapd, try above min, else reclaim.
    pub(crate) fn reader_slow_path(&mut self, id: TaskId) -> Flow {
        self.wake_all_kswapds(id);
        if let Some(zone) = self.find_zone(id, Mark::Min) {
            return self.take_run(id, zone, u32::MAX);
        }
        self.m.tasks[id.index()].step = Step::DirectBegin;
        Flow::GoOn
    }

    /// Another try above min after reclaim; whether it found a zone.
    pub(crate) fn retry_above_min(&mut self, id: TaskId) -> Option<Flow> {
        self.find_zone(id, Mark::Min).map(|zone| {
            let reading = &mut self.m.tasks[id.index()].reading;
            reading.no_progress = 0;
            reading.drained = false;
            self.take_run(id, zone, u32::MAX)
        })
    }

    /// Takes as many pages as are wanted, listed and fit the folio batch, `most` at most; an empty
    /// list is refilled first.
    fn take_run(&mut self, id: TaskId, zone: u32, most: u32) -> Flow {
        let preferred = usize::from(self.m.zonelist(id)[0]);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let cpu = task.cpu.index();
        let at = cpu * m.zones.len() + zone as usize;
        task.reading.zone = zone;
        if m.pcps[at].count == 0 {
            let rule = m.config.flavour.pcp;
            let scale = m.config.ledger.get(ConstantId::PcpBatchScaleMax);
            let wanted = m.pcps[at].refill(&m.zones[zone as usize], rule, scale);
            task.reading.refill = wanted;
            let hold = Hold {
                ns: u64::from(wanted) * m.config.ledger.get(ConstantId::ZonePerPage),
                node: zone / ZONES_PER_NODE as u32,
                held: State::App,
                spin: State::SpinZone,
                step: Step::ReaderRefilled,
            };
            let lock = m.zone_lock(zone);
            return self.lock(id, lock, hold);
        }
        let room = m.config.flavour.folio_batch - m.batches[cpu].len;
        let run = task.reading.need.min(m.pcps[at].count).min(room).min(most);
        m.pcps[at].take(run, m.config.flavour.pcp);
        let z = &mut m.zones[zone as usize];
        z.pcp -= u64::from(run);
        z.batched += u64::from(run);
        task.reading.taken = run;
        let Kind::Reader(reader) = task.kind else { unreachable!("readers allocate") };
        if zone as usize / ZONES_PER_NODE == preferred {
            m.vmstat.numa_hit += u64::from(run);
        } else {
            m.vmstat.numa_miss += u64::from(run);
        }
        self.count_pgalloc(zone, u64::from(run));
        let mut per_page = self.constant(ConstantId::InsertIPagesPerPage);
        if self.m.config.shadow {
            per_page += self.constant(ConstantId::ShadowInsertPerPage);
        }
        let hold = Hold {
            ns: u64::from(run) * per_page,
            node: zone / ZONES_PER_NODE as u32,
            held: State::App,
            spin: State::SpinIPages,
            step: Step::ReaderInserted,
        };
        let lock = self.m.i_pages_lock(reader);
        self.lock(id, lock, hold)
    }

    fn count_pgalloc(&mut self, zone: u32, pages: u64) {
        let v = &mut self.m.vmstat;
        match ZoneKind::ALL[zone as usize % ZONES_PER_NODE] {
            ZoneKind::Dma => v.pgalloc_dma += pages,
            ZoneKind::Dma32 => v.pgalloc_dma32 += pages,
            ZoneKind::Normal => v.pgalloc_normal += pages,
            ZoneKind::Movable => v.pgalloc_movable += pages,
        }
    }

    /// rmqueue_bulk is done: the batch stands on the per-CPU list. The zone may have run dry since.
    pub(crate) fn reader_refilled(&mut self, id: TaskId) -> Flow {
        let task = &self.m.tasks[id.index()];
        let (zone, cpu) = (task.reading.zone, task.cpu.index());
        let got = u64::from(task.reading.refill).min(self.m.zones[zone as usize].free);
        if got == 0 {
            self.m.tasks[id.index()].step = Step::ReaderSlowPath;
            return Flow::GoOn;
        }
        self.take_free(zone, got);
        self.m.zones[zone as usize].pcp += got;
        let at = cpu * self.m.zones.len() + zone as usize;
        self.m.pcps[at].count += got as u32;
        // The free count has moved: when it is under low now, the page after the one that asked for
        // the refill finds that out at once.
        let z = &self.m.zones[zone as usize];
        let most = if z.above(z.marks.low, USER_CLASS) { u32::MAX } else { 1 };
        self.take_run(id, zone, most)
    }

    /// The pages are in the page cache: they join the CPU's folio batch.
    pub(crate) fn reader_inserted(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let batch = &mut m.batches[task.cpu.index()];
        batch.pages[task.reading.zone as usize] += task.reading.taken as u8;
        batch.len += task.reading.taken;
        task.reading.need -= task.reading.taken;
        task.reading.filling[task.reading.zone as usize / ZONES_PER_NODE] +=
            task.reading.taken as u8;
        task.reading.taken = 0;
        if batch.len >= m.config.flavour.folio_batch {
            return self.lru_add_drain(id, Step::ReaderAlloc);
        }
        task.step = Step::ReaderAlloc;
        Flow::GoOn
    }

    /// Empties the CPU's folio batch to the LRU lists, one lru_lock passage a node, then goes on.
    pub(crate) fn lru_add_drain(&mut self, id: TaskId, then: Step) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let batch = &mut m.batches[task.cpu.index()];
        task.adding = batch.pages;
        task.after_adding = then;
        *batch = crate::machine::FolioBatch::default();
        self.lru_add_next(id)
    }

    /// Begins with the next node that the batch has pages of, or goes on.
    fn lru_add_next(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let is_there = |z: &[u8]| z.iter().any(|&p| p > 0);
        let Some(node) = task.adding.chunks(ZONES_PER_NODE).position(is_there) else {
            task.step = task.after_adding;
            return Flow::GoOn;
        };
        let partitions = m.config.lru_partitions;
        let turn = m.nodes[node].batches_added;
        m.nodes[node].batches_added += 1;
        (task.adding_to, task.adding_left) = match m.config.placement {
            Placement::Cpu => (task.cpu.0 % partitions, 1),
            Placement::Batch => ((turn % u64::from(partitions)) as u32, 1),
            Placement::Page => ((turn % u64::from(partitions)) as u32, partitions),
        };
        self.lru_add_share(id, node)
    }

    /// Takes the lock of the partition whose share is next.
    fn lru_add_share(&mut self, id: TaskId, node: usize) -> Flow {
        let per_page = self.constant(ConstantId::LruAddPerPage);
        let task = &self.m.tasks[id.index()];
        let held = if task.is_reclaiming() { State::PageWork } else { State::App };
        let hold = Hold {
            ns: share(task, node).iter().sum::<u64>() * per_page,
            node: node as u32,
            held,
            spin: State::SpinLru,
            step: Step::LruAdded,
        };
        let lock = self.m.lru_lock(node as u32, task.adding_to);
        self.lock(id, lock, hold)
    }

    /// A share of the first node of the batch stands at the head of its partition's list.
    pub(crate) fn lru_added(&mut self, id: TaskId) -> Flow {
        let partitions = self.m.config.lru_partitions;
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let is_there = |z: &[u8]| z.iter().any(|&p| p > 0);
        let node = task.adding.chunks(ZONES_PER_NODE).position(is_there).expect("pages to add");
        let pages = share(task, node);
        let first = node * ZONES_PER_NODE;
        for (kind, count) in pages.iter().enumerate() {
            task.adding[first + kind] -= *count as u8;
            m.zones[first + kind].batched -= count;
            m.zones[first + kind].lru += count;
        }
        let home = &mut m.nodes[node];
        home.partitions[task.adding_to as usize].add_new(&pages, home.entered);
        home.entered += pages.iter().sum::<u64>();
        task.adding_to = (task.adding_to + 1) % partitions;
        task.adding_left -= 1;
        let more = task.adding[first..first + ZONES_PER_NODE].iter().any(|&p| p > 0);
        if more { self.lru_add_share(id, node) } else { self.lru_add_next(id) }
    }

    /// Gives every page on per-CPU lists back to its zone (drain_all_pages).
    pub(crate) fn drain_all_pages(&mut self) {
        let count = self.m.zones.len();
        for zone in 0..count {
            let listed: u64 = (0..self.m.cpus.len() as usize)
                .map(|cpu| u64::from(core::mem::take(&mut self.m.pcps[cpu * count + zone].count)))
                .sum();
            if listed > 0 {
                self.m.zones[zone].pcp -= listed;
                self.add_free(zone as u32, listed);
            }
        }
        self.m.vmstat.drain_all_pages += 1;
    }
}
