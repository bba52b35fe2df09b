//! Allocation: fast path, slow path, per-CPU lists and the folio batch.
//!
//! A task asks for so many pages of a class ([`crate::task::Alloc`]): a reader for those of a
//! read-ahead window. Since a zone's free count moves only when a
//! per-CPU list is refilled or spills, one test of the marks stands for every page that the list
//! gives in the same event; pages are taken in runs of what the list and the folio batch allow.
//!
//! Kernel: 7.2 mm/page_alloc.c get_page_from_freelist, __alloc_pages_slowpath, rmqueue_pcplist;
//! mm/swap.c folio_add_lru.

use crate::config::{Placement, ZONES_PER_NODE};
use crate::lru::{Entry, Order, PageKind};
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

/// The node whose pages of a folio batch are next on their way to the lists.
fn next_node(task: &Task) -> Option<u8> {
    task.adding.iter().map(|&(node, _)| node).min()
}

/// How many pages of a node the next of `adding_left` partitions gets: an even share, rounded up.
fn share(task: &Task, node: u8) -> u32 {
    let own = task.adding.iter().filter(|(n, _)| *n == node);
    let count: u32 = own.map(|(_, e)| e.count).sum();
    count.div_ceil(task.adding_left.max(1))
}

impl<O: Observer> Sim<'_, O> {
    /// The first zone above the mark; with `skip`, nodes whose kswapd is awake do not count. Says
    /// also whether one was skipped.
    fn look(&self, id: TaskId, mark: Mark, skip: bool) -> (Option<u32>, bool) {
        let mut skipped = false;
        for &node in self.m.zonelist(id) {
            if skip && self.kswapd_active(usize::from(node)) {
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

    /// The node that a task's next page comes from, if nothing happens before.
    pub(crate) fn node_to_take(&self, id: TaskId) -> usize {
        let zone = self.find_zone(id, Mark::Low).map(|zone| zone as usize / ZONES_PER_NODE);
        zone.unwrap_or_else(|| usize::from(self.m.zonelist(id)[0]))
    }

    /// Allocates what the next window still needs, run by run.
    pub(crate) fn alloc_next(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        if task.alloc.need == 0 {
            task.step = task.alloc.then;
            return self.handle_over_high(id).unwrap_or(Flow::GoOn);
        }
        if task.alloc.charged == 0 && self.charged_to(id).is_some() {
            return self.charge(id);
        }
        if let Some(zone) = self.find_zone(id, Mark::Low) {
            return self.take_run(id, zone, u32::MAX);
        }
        self.observer.slow_path(self.m, id);
        let home = self.m.tasks[id.index()].node.0;
        let entry = self.constant(ConstantId::SlowPathEntry);
        self.work(id, State::App, entry, home, Step::AllocSlowPath)
    }

    /// __alloc_pages_slowpath: wake kswapd, try above min, else reclaim.
    pub(crate) fn alloc_slow_path(&mut self, id: TaskId) -> Flow {
        if self.give_up(id) {
            return Flow::GoOn;
        }
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
            let alloc = &mut self.m.tasks[id.index()].alloc;
            alloc.no_progress = 0;
            alloc.drained = false;
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
        task.alloc.zone = zone;
        if m.pcps[at].count == 0 {
            let rule = m.config.flavour.pcp;
            let scale = m.config.ledger.get(ConstantId::PcpBatchScaleMax);
            let wanted = m.pcps[at].refill(&m.zones[zone as usize], rule, scale);
            task.alloc.refill = wanted;
            let hold = Hold {
                ns: u64::from(wanted) * m.config.ledger.get(ConstantId::ZonePerPage),
                node: zone / ZONES_PER_NODE as u32,
                held: State::App,
                spin: State::SpinZone,
                step: Step::AllocRefilled,
            };
            let lock = m.zone_lock(zone);
            return self.lock(id, lock, hold);
        }
        let room = m.config.flavour.folio_batch - m.batches[cpu].len;
        let charged = task.alloc.charged;
        let wanted = if charged > 0 { charged } else { task.alloc.need };
        let run = wanted.min(m.pcps[at].count).min(room).min(most);
        task.alloc.charged = charged.saturating_sub(run);
        m.pcps[at].take(run, m.config.flavour.pcp);
        let z = &mut m.zones[zone as usize];
        z.pcp -= u64::from(run);
        z.batched += u64::from(run);
        task.alloc.taken = run;
        if zone as usize / ZONES_PER_NODE == preferred {
            m.vmstat.numa_hit += u64::from(run);
        } else {
            m.vmstat.numa_miss += u64::from(run);
        }
        self.count_pgalloc(zone, u64::from(run));
        self.wake_if_boosted(id, zone);
        self.insert_run(id, run, zone / ZONES_PER_NODE as u32)
    }

    /// The pages taken go into their file under its i_pages lock; anonymous ones are zeroed and
    /// mapped.
    fn insert_run(&mut self, id: TaskId, run: u32, node: u32) -> Flow {
        let m = &*self.m;
        let task = &m.tasks[id.index()];
        let config = &m.pages.class(task.alloc.class).config;
        if config.kind == PageKind::Anon {
            self.count_zeroed(node, run);
            let each = self.constant(ConstantId::ZeroPerPage) + self.constant(ConstantId::MapPage);
            return self.work(id, State::App, u64::from(run) * each, node, Step::AllocInserted);
        }
        let mut per_page = self.constant(ConstantId::InsertIPagesPerPage);
        if m.config.shadow {
            per_page += self.constant(ConstantId::ShadowInsertPerPage);
        }
        let (mapping, task_kind) = (config.mapping, task.kind);
        let file = match (mapping, task_kind) {
            (Some(mapping), _) => self.m.file_of(mapping),
            (None, Kind::Task(number)) => number,
            (None, Kind::Kswapd(_) | Kind::Flusher) => unreachable!("kswapd reads no file"),
        };
        let hold = Hold {
            ns: u64::from(run) * per_page,
            node,
            held: State::App,
            spin: State::SpinIPages,
            step: Step::AllocInserted,
        };
        let lock = self.m.i_pages_lock(file);
        self.lock(id, lock, hold)
    }

    /// Pages that are cleared are memory traffic of their node.
    fn count_zeroed(&mut self, node: u32, pages: u32) {
        let now = self.now();
        let m = &mut *self.m;
        let share = m.config.ledger.get(ConstantId::ZeroTraffic);
        let zeroed = &mut m.zeroed[node as usize];
        *zeroed += u64::from(pages) * share;
        let whole = *zeroed / 1_000;
        *zeroed %= 1_000;
        m.speed.count(&mut m.nodes[node as usize].traffic, now, whole);
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
    pub(crate) fn alloc_refilled(&mut self, id: TaskId) -> Flow {
        let task = &self.m.tasks[id.index()];
        let (zone, cpu) = (task.alloc.zone, task.cpu.index());
        let got = u64::from(task.alloc.refill).min(self.m.zones[zone as usize].free);
        if got == 0 {
            self.m.tasks[id.index()].step = Step::AllocSlowPath;
            return Flow::GoOn;
        }
        self.take_free(zone, got);
        self.fragmentation(zone, got);
        self.m.zones[zone as usize].pcp += got;
        let at = cpu * self.m.zones.len() + zone as usize;
        self.m.pcps[at].count += got as u32;
        // The free count has moved: when it is under low now, the page after the one that asked for
        // the refill finds that out at once.
        let z = &self.m.zones[zone as usize];
        let most = if z.above(z.marks.low, USER_CLASS) { u32::MAX } else { 1 };
        self.take_run(id, zone, most)
    }

    /// The pages are in the page cache, or mapped: they join the CPU's folio batch.
    pub(crate) fn alloc_inserted(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let alloc = &mut task.alloc;
        let node = alloc.zone as usize / ZONES_PER_NODE;
        let count = core::mem::take(&mut alloc.taken);
        m.pages.arrive(alloc.class, node, u64::from(count), alloc.first_use);
        let class = m.pages.class(alloc.class);
        let heat = match class.config.order {
            Order::Random => class.heat,
            Order::Loop => alloc.first_use,
        };
        let zone = (alloc.zone as usize % ZONES_PER_NODE) as u8;
        let e = Entry { heat, due: 0, count, class: alloc.class, zone, flags: alloc.flags };
        alloc.first_use += u64::from(count);
        alloc.need -= count;
        alloc.got[node] += count as u16;
        task.step = Step::Alloc;
        let batch = &mut m.batches[task.cpu.index()];
        batch.add(node as u8, e, &m.pages);
        if batch.len >= m.config.flavour.folio_batch {
            return self.lru_add_drain(id, Step::Alloc);
        }
        Flow::GoOn
    }

    /// Empties the CPU's folio batch to the LRU lists, one lru_lock passage a node, then goes on.
    pub(crate) fn lru_add_drain(&mut self, id: TaskId, then: Step) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let batch = &mut m.batches[task.cpu.index()];
        task.adding.clear();
        core::mem::swap(&mut task.adding, &mut batch.entries);
        batch.len = 0;
        task.after_adding = then;
        self.lru_add_next(id)
    }

    /// Begins with the next node that the batch has pages of, or goes on.
    fn lru_add_next(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Some(node) = next_node(task) else {
            task.step = task.after_adding;
            return Flow::GoOn;
        };
        let partitions = m.config.lru_partitions;
        let turn = m.nodes[usize::from(node)].batches_added;
        m.nodes[usize::from(node)].batches_added += 1;
        (task.adding_to, task.adding_left) = match m.config.placement {
            Placement::Cpu => (task.cpu.0 % partitions, 1),
            Placement::Batch => ((turn % u64::from(partitions)) as u32, 1),
            Placement::Page => ((turn % u64::from(partitions)) as u32, partitions),
        };
        self.lru_add_share(id, node)
    }

    /// Takes the lock of the partition whose share is next: that of the cgroup of the first page.
    fn lru_add_share(&mut self, id: TaskId, node: u8) -> Flow {
        let per_page = self.constant(ConstantId::LruAddPerPage);
        let task = &self.m.tasks[id.index()];
        let held = if task.is_reclaiming() { State::PageWork } else { State::App };
        let own = task.adding.iter().find(|(n, _)| *n == node);
        let memcg = own.map_or(0, |(_, e)| self.m.pages.class(e.class).config.memcg);
        let hold = Hold {
            ns: u64::from(share(task, node)) * per_page,
            node: u32::from(node),
            held,
            spin: State::SpinLru,
            step: Step::LruAdded,
        };
        let lock = self.m.lru_lock(u32::from(node), memcg, task.adding_to);
        self.lock(id, lock, hold)
    }

    /// A share of the first node of the batch stands at the head of its partition's list.
    pub(crate) fn lru_added(&mut self, id: TaskId) -> Flow {
        let partitions = self.m.config.lru_partitions;
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let node = next_node(task).expect("pages to add");
        let mut left = share(task, node);
        let home = &mut m.nodes[usize::from(node)];
        for (_, e) in task.adding.iter_mut().filter(|(n, _)| *n == node) {
            let count = e.count.min(left);
            if count == 0 {
                continue;
            }
            left -= count;
            let part = e.of(count);
            e.count -= count;
            if m.pages.is_loop(e.class) {
                e.heat += u64::from(count);
            }
            let zone = &mut m.zones[usize::from(node) * ZONES_PER_NODE + usize::from(e.zone)];
            zone.batched -= u64::from(count);
            zone.lru += u64::from(count);
            let memcg = usize::from(m.pages.class(e.class).config.memcg);
            let vec = &mut home.lruvecs[memcg];
            vec.parts[task.adding_to as usize].add(part, home.entered, &m.pages);
            home.entered += u64::from(count);
        }
        task.adding.retain(|(_, e)| e.count > 0);
        task.adding_to = (task.adding_to + 1) % partitions;
        task.adding_left -= 1;
        let more = next_node(task) == Some(node);
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
