//! A pass over a node's lists, slice by slice (7.2 mm/vmscan.c: shrink_node, shrink_lruvec,
//! shrink_inactive_list, shrink_active_list).
//!
//! A slice is 32 pages: taken off the tail under lru_lock; worked on without it; removed from their
//! files, each under its i_pages lock; freed to the CPU's list, which may spill to the zone; then
//! one short passage of lru_lock for the statistics. The reclaimer's partition comes first, the
//! others follow in turn.

use crate::config::ZONES_PER_NODE;
use crate::lru::Partition;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::task::{Isolated, Kind, State, Step};
use crate::vmscan::throttle::Reason;
use catalog::ConstantId;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// Begins the pass over `scan.node`.
    pub(crate) fn shrink_node(&mut self, id: TaskId) -> Flow {
        let partitions = self.m.config.lru_partitions;
        let task = &mut self.m.tasks[id.index()];
        let own = match task.kind {
            Kind::Kswapd(worker) => worker,
            Kind::Reader(_) => task.cpu.0,
        };
        task.scan.nr_scanned = 0;
        task.scan.nr_reclaimed = 0;
        task.scan.partition = own % partitions;
        task.scan.partitions_left = partitions;
        task.scan.stride = 1;
        if let Kind::Kswapd(_) = task.kind
            && !self.m.config.steal
        {
            // A worker's own partitions: every n-th from its number on, n workers sharing them out.
            // A policy that wakes fewer of them leaves some partitions to direct reclaim.
            let workers = self.m.nodes[task.scan.node as usize].wakeable.min(partitions);
            task.scan.stride = workers;
            task.scan.partitions_left = (partitions - own % partitions).div_ceil(workers);
        }
        let node = task.scan.node;
        self.begin_partition(id);
        let cost = self.constant(ConstantId::NodePass);
        self.work(id, State::PageWork, cost, node, Step::ShrinkNext)
    }

    /// get_scan_count for file pages: size >> priority; the active list only if inactive is low.
    fn begin_partition(&mut self, id: TaskId) {
        let m = &mut *self.m;
        let scan = &mut m.tasks[id.index()].scan;
        let part = &m.nodes[scan.node as usize].partitions[scan.partition as usize];
        let active = if part.inactive_is_low() { part.active() } else { 0 };
        // MGLRU's quota counts every generation (get_nr_to_scan).
        let size = if m.config.lru_gen { part.inactive() + part.active() } else { part.inactive() };
        scan.quota = [size >> scan.priority, active >> scan.priority];
        scan.isolated_throttled = false;
    }

    /// Takes the lru_lock of the partition at hand for `ns`, then goes on at `step`.
    pub(crate) fn lru_passage(&mut self, id: TaskId, ns: u64, step: Step) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        let hold = Hold { ns, node: scan.node, held: State::Isolating, spin: State::SpinLru, step };
        let lock = self.m.lru_lock(scan.node, scan.partition);
        self.lock(id, lock, hold)
    }

    /// The next slice, partition, or the end of the pass.
    pub(crate) fn shrink_next(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let scan = &mut task.scan;
        if self.m.config.lru_gen {
            return self.lru_gen_next(id);
        }
        // A pass of direct reclaim at the first priority goes through its whole quota.
        let whole = scan.direct
            && u64::from(scan.priority) == self.m.config.ledger.get(ConstantId::DefPriority);
        if scan.nr_reclaimed >= scan.nr_to_reclaim && !whole {
            return self.pass_done(id);
        }
        if scan.quota[0] > 0 {
            if self.m.batches[task.cpu.index()].len > 0 {
                return self.lru_add_drain(id, Step::ShrinkInactive);
            }
            task.step = Step::ShrinkInactive;
            return Flow::GoOn;
        }
        if scan.quota[1] > 0 {
            return self.take_active(id);
        }
        self.next_partition(id)
    }

    /// Goes on with the next partition of the node, or ends the pass.
    pub(crate) fn next_partition(&mut self, id: TaskId) -> Flow {
        let partitions = self.m.config.lru_partitions;
        let scan = &mut self.m.tasks[id.index()].scan;
        scan.partitions_left -= 1;
        if scan.partitions_left == 0 {
            return self.pass_done(id);
        }
        scan.partition = (scan.partition + scan.stride) % partitions;
        self.begin_partition(id);
        self.m.tasks[id.index()].step = Step::ShrinkNext;
        Flow::GoOn
    }

    pub(crate) fn pass_done(&mut self, id: TaskId) -> Flow {
        if self.m.tasks[id.index()].scan.direct {
            self.direct_pass_done(id)
        } else {
            self.kswapd_pass_done(id)
        }
    }

    /// too_many_isolated, then lru_lock for the next slice of the inactive list.
    pub(crate) fn shrink_inactive(&mut self, id: TaskId) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        let node = scan.node as usize;
        let slice = self.batch_size(scan.quota[0]);
        if scan.direct && !self.m.config.lru_gen && self.too_many_isolated(node) {
            let scan = &mut self.m.tasks[id.index()].scan;
            if scan.isolated_throttled {
                // Still too many: this slice is given up, the next one is tested anew.
                scan.quota[0] = scan.quota[0].saturating_sub(slice);
                scan.isolated_throttled = false;
                self.m.tasks[id.index()].step = Step::ShrinkNext;
                return Flow::GoOn;
            }
            scan.isolated_throttled = true;
            return self.reclaim_throttle(id, node, Reason::Isolated, Step::ShrinkInactive);
        }
        let part = &self.m.nodes[node].partitions[scan.partition as usize];
        let found = part.takeable().min(slice);
        let ns = found * self.constant(ConstantId::IsolatePerPage);
        self.lru_passage(id, ns, Step::InactiveTaken)
    }

    /// Pages that the next slice asks for, of this quota: 32, or a batch of MGLRU.
    fn batch_size(&self, quota: u64) -> u64 {
        if !self.m.config.lru_gen {
            return quota.min(self.constant(ConstantId::SwapClusterMax));
        }
        let batch = self.constant(ConstantId::MinLruBatch);
        if self.m.config.flavour.lru_gen_whole_batch { batch } else { quota.min(batch) }
    }

    /// isolate_lru_folios is done: the pages are the reclaimer's.
    pub(crate) fn inactive_taken(&mut self, id: TaskId) -> Flow {
        let mut per_page = self.constant(ConstantId::ReclaimPerPage);
        if self.m.config.shadow {
            per_page += self.constant(ConstantId::ShadowEvictPerPage);
        }
        let slice = self.batch_size(self.m.tasks[id.index()].scan.quota[0]);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let node = task.scan.node as usize;
        // How far its oldest page is from the node's oldest: 0 where there is one list.
        let oldest = m.nodes[node].partitions.iter().filter_map(Partition::oldest).min();
        let part = &mut m.nodes[node].partitions[task.scan.partition as usize];
        if let (Some(own), Some(oldest)) = (part.oldest(), oldest) {
            m.vmstat.lru_order_error += own - oldest;
            m.vmstat.lru_order_slices += 1;
        }
        let taken = part.take(slice, &mut m.lru_draws);
        task.scan.quota[0] = task.scan.quota[0].saturating_sub(slice);
        let count: u64 = taken.iter().sum();
        for (kind, pages) in taken.iter().enumerate() {
            let zone = &mut m.zones[node * ZONES_PER_NODE + kind];
            zone.lru -= pages;
            zone.isolated += pages;
        }
        m.nodes[node].isolated += count;
        task.scan.nr_scanned += count;
        task.scan.isolated_throttled = false;
        task.pgscan += count;
        if task.scan.direct {
            m.vmstat.pgscan_direct += count;
        } else {
            m.vmstat.pgscan_kswapd += count;
        }
        let direct = task.scan.direct;
        self.observer.shrink_inactive(m.core.queue.now(), node, count, direct);
        task.isolated = Isolated {
            pages: taken.map(|p| p as u32),
            in_files: count as u32,
            ..Isolated::default()
        };
        if count == 0 {
            task.scan.quota[0] = 0;
            task.step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        self.work(id, State::PageWork, count * per_page, node as u32, Step::InactiveWorked)
    }

    /// shrink_folio_list has looked at the pages: all clean, unmapped and unreferenced. They leave
    /// their files in runs of a folio batch, as they were added.
    pub(crate) fn inactive_worked(&mut self, id: TaskId) -> Flow {
        let mut per_page = self.constant(ConstantId::ReclaimIPagesPerPage);
        if self.m.config.shadow {
            per_page += self.constant(ConstantId::ShadowEvictIPagesPerPage);
        }
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let run = task.isolated.in_files.min(m.config.flavour.folio_batch);
        if run == 0 || m.config.readers == 0 {
            return self.free_next(id);
        }
        task.isolated.in_files -= run;
        task.isolated.removed = run;
        let file = m.file_draws.below(u64::from(m.config.readers)) as u32;
        let hold = Hold {
            ns: u64::from(run) * per_page,
            node: task.scan.node,
            held: State::PageWork,
            spin: State::SpinIPages,
            step: Step::InactiveRemoved,
        };
        let lock = m.i_pages_lock(file);
        self.lock(id, lock, hold)
    }

    /// One file's pages are gone from its page cache. With shadow entries each of them advances the
    /// node's age, an atomic increment of one cache line. While another CPU increments it too, the
    /// line travels for every single one.
    pub(crate) fn inactive_removed(&mut self, id: TaskId) -> Flow {
        if !self.m.config.shadow {
            return self.inactive_worked(id);
        }
        let task = &self.m.tasks[id.index()];
        let node = task.scan.node;
        let pages = u64::from(task.isolated.removed);
        let line = self.m.age_line(node);
        let rival = self.m.locks.holder(line).map(|(rival, _)| self.m.tasks[rival.index()].cpu);
        let each = match rival {
            None => self.constant(ConstantId::AgeLinePerPage),
            Some(cpu) => self.m.speed.line(self.m.cpus.node(cpu) == self.m.cpus.node(task.cpu)),
        };
        let hold = Hold {
            ns: pages * each,
            node,
            held: State::PageWork,
            spin: State::PageWork,
            step: Step::AgeNoted,
        };
        self.lock(id, line, hold)
    }

    /// Frees the pages zone by zone to the CPU's lists; a list over its bound spills.
    fn free_next(&mut self, id: TaskId) -> Flow {
        loop {
            let m = &mut *self.m;
            let task = &mut m.tasks[id.index()];
            let kind = task.isolated.kind as usize;
            if kind == ZONES_PER_NODE {
                return self.slice_statistics(id);
            }
            let pages = core::mem::take(&mut task.isolated.pages[kind]);
            task.isolated.kind += 1;
            if pages == 0 {
                continue;
            }
            let node = task.scan.node as usize;
            let number = node * ZONES_PER_NODE + kind;
            let zone = &mut m.zones[number];
            zone.isolated -= u64::from(pages);
            zone.pcp += u64::from(pages);
            m.nodes[node].isolated -= u64::from(pages);
            task.scan.nr_reclaimed += u64::from(pages);
            task.pgsteal += u64::from(pages);
            m.vmstat.pgfree += u64::from(pages);
            if task.scan.direct {
                m.vmstat.pgsteal_direct += u64::from(pages);
            } else {
                m.vmstat.pgsteal_kswapd += u64::from(pages);
            }
            let at = task.cpu.index() * m.zones.len() + number;
            let scale = m.config.ledger.get(ConstantId::PcpBatchScaleMax);
            let spill = m.pcps[at].free(pages, &m.zones[number], m.config.flavour.pcp, scale);
            if spill > 0 {
                task.isolated.spill = spill;
                let hold = Hold {
                    ns: u64::from(spill) * m.config.ledger.get(ConstantId::ZonePerPage),
                    node: node as u32,
                    held: State::PageWork,
                    spin: State::SpinZone,
                    step: Step::InactiveFreed,
                };
                let lock = m.zone_lock(number as u32);
                return self.lock(id, lock, hold);
            }
        }
    }

    /// free_pcppages_bulk is done.
    pub(crate) fn inactive_freed(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let number = task.scan.node * ZONES_PER_NODE as u32 + task.isolated.kind - 1;
        let at = task.cpu.index() * m.zones.len() + number as usize;
        // The list may have been drained by somebody else meanwhile.
        let spill = task.isolated.spill.min(m.pcps[at].count);
        m.pcps[at].count -= spill;
        m.zones[number as usize].pcp -= u64::from(spill);
        self.add_free(number, u64::from(spill));
        self.free_next(id)
    }

    /// Statistics (and, up to 7.2, the cost) of the slice are noted under lru_lock.
    fn slice_statistics(&mut self, id: TaskId) -> Flow {
        if !self.m.config.flavour.cost_lock || self.m.config.lru_gen {
            return self.slice_done(id);
        }
        let ns = self.constant(ConstantId::PutbackPass);
        self.lru_passage(id, ns, Step::SliceDone)
    }

    /// A slice of the inactive list is done; the active list has its turn if it has a quota.
    pub(crate) fn slice_done(&mut self, id: TaskId) -> Flow {
        if self.m.tasks[id.index()].scan.quota[1] > 0 {
            return self.take_active(id);
        }
        self.m.tasks[id.index()].step = Step::ShrinkNext;
        Flow::GoOn
    }

    /// lru_lock for a slice of the active list.
    fn take_active(&mut self, id: TaskId) -> Flow {
        let most = self.constant(ConstantId::SwapClusterMax);
        let scan = self.m.tasks[id.index()].scan;
        let part = &self.m.nodes[scan.node as usize].partitions[scan.partition as usize];
        let found = part.active().min(scan.quota[1].min(most));
        let ns = found * self.constant(ConstantId::IsolatePerPage);
        self.lru_passage(id, ns, Step::ActiveTaken)
    }

    /// The active pages are the reclaimer's; none of them is referenced.
    pub(crate) fn active_taken(&mut self, id: TaskId) -> Flow {
        let most = self.constant(ConstantId::SwapClusterMax);
        let per_page = self.constant(ConstantId::ActivePerPage);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let node = task.scan.node as usize;
        let part = &mut m.nodes[node].partitions[task.scan.partition as usize];
        let slice = task.scan.quota[1].min(most);
        task.scan.quota[1] -= slice;
        let taken = part.take_active(slice, &mut m.lru_draws);
        let count: u64 = taken.iter().sum();
        if count == 0 {
            task.scan.quota[1] = 0;
            task.step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        for (kind, pages) in taken.iter().enumerate() {
            let zone = &mut m.zones[node * ZONES_PER_NODE + kind];
            zone.lru -= pages;
            zone.isolated += pages;
        }
        m.nodes[node].isolated += count;
        m.vmstat.pgrefill += count;
        task.isolated = Isolated { pages: taken.map(|p| p as u32), ..Isolated::default() };
        self.work(id, State::PageWork, count * per_page, node as u32, Step::ActiveWorked)
    }

    /// move_folios_to_lru: the pages go to the head of the inactive list under lru_lock.
    pub(crate) fn active_worked(&mut self, id: TaskId) -> Flow {
        let task = &self.m.tasks[id.index()];
        let ns = u64::from(task.isolated.count()) * self.constant(ConstantId::LruAddPerPage);
        self.lru_passage(id, ns, Step::ActivePutback)
    }

    /// The pages stand on the inactive list.
    pub(crate) fn active_putback(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let node = task.scan.node as usize;
        let pages = task.isolated.pages.map(u64::from);
        let count: u64 = pages.iter().sum();
        for (kind, pages) in pages.iter().enumerate() {
            let zone = &mut m.zones[node * ZONES_PER_NODE + kind];
            zone.isolated -= pages;
            zone.lru += pages;
        }
        m.nodes[node].isolated -= count;
        let home = &mut m.nodes[node];
        home.partitions[task.scan.partition as usize].add_new(&pages, home.entered);
        home.entered += count;
        m.vmstat.pgdeactivate += count;
        task.isolated = Isolated::default();
        task.step = Step::ShrinkNext;
        if !m.config.flavour.cost_lock {
            return Flow::GoOn;
        }
        let ns = self.constant(ConstantId::PutbackPass);
        self.lru_passage(id, ns, Step::ShrinkNext)
    }
}
