//! A slice of an inactive list, or a batch of MGLRU (7.2 mm/vmscan.c: shrink_inactive_list,
//! evict_folios).
//!
//! Taken off the old end under lru_lock; looked at without it; removed from their files, each
//! under its i_pages lock; freed to the CPU's list, which may spill to the zone; survivors put back
//! under lru_lock; then, where the kernel does so, one short passage for the statistics.

use super::folio_list::{Rules, Verdict, shrink_folio_list};
use super::throttle::Reason;
use crate::config::ZONES_PER_NODE;
use crate::lru::{Entry, Flags, LruList, PageKind, Shadow, entry};
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::task::{Isolated, State, Step, Task};
use crate::trace::Event;
use catalog::ConstantId;
use units::TaskId;

/// Pages off a list with their tiers.
type Taken = Vec<(Entry, u8)>;

impl<O: Observer> Sim<'_, O> {
    /// too_many_isolated, then lru_lock for the next slice of the inactive list.
    pub(crate) fn shrink_inactive(&mut self, id: TaskId) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        let (node, list) = (scan.node as usize, scan.list);
        let slice = self.batch_size(scan.quota[list as usize]);
        if scan.direct && !self.m.config.lru_gen && self.too_many_isolated(node, list.kind()) {
            let scan = &mut self.m.tasks[id.index()].scan;
            if scan.isolated_throttled {
                // Still too many: this slice is given up, the next one is tested anew.
                let quota = &mut scan.quota[list as usize];
                *quota = quota.saturating_sub(slice);
                scan.isolated_throttled = false;
                self.m.tasks[id.index()].step = Step::ShrinkNext;
                return Flow::GoOn;
            }
            scan.isolated_throttled = true;
            return self.reclaim_throttle(id, node, Reason::Isolated, Step::ShrinkInactive);
        }
        let part = self.m.partition(id);
        let there = match part.gens() {
            Some(gens) => gens.takeable(list.kind()),
            None => part.inactive(list.kind()),
        };
        let found = there.min(slice);
        self.m.tasks[id.index()].isolated.expected = found as u32;
        let ns = found * self.constant(ConstantId::IsolatePerPage);
        self.lru_passage(id, ns, Step::InactiveTaken)
    }

    /// Pages that the next slice asks for, of this quota: 32, or a batch of MGLRU.
    pub(crate) fn batch_size(&self, quota: u64) -> u64 {
        if !self.m.config.lru_gen {
            return quota.min(self.constant(ConstantId::SwapClusterMax));
        }
        let batch = self.constant(ConstantId::MinLruBatch);
        if self.m.config.flavour.lru_gen_whole_batch { batch } else { quota.min(batch) }
    }

    /// isolate_lru_folios is done: the pages are the reclaimer's.
    pub(crate) fn inactive_taken(&mut self, id: TaskId) -> Flow {
        self.m.rotate_written(id);
        let (taken, scanned) = if self.m.config.lru_gen {
            self.isolate_generation(id)
        } else {
            self.isolate_inactive(id)
        };
        self.trace_isolate(id, &taken, scanned);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let (node, kind, direct) =
            (task.scan.node as usize, task.scan.list.kind(), task.scan.direct);
        let count: u64 = taken.iter().map(|(e, _)| u64::from(e.count)).sum();
        task.scan.nr_scanned += count;
        task.scan.isolated_throttled = false;
        task.pgscan += count;
        let (memcg, limit) = (task.scan.memcg, task.scan.limit.is_some());
        m.memcgs[usize::from(memcg)].pgscan += count;
        if !limit || m.config.flavour.memcg_scan_global {
            m.vmstat.count_scan(kind, direct, count);
        }
        if count > 0 {
            self.observer.shrink_inactive(m.core.queue.now(), node, count, direct);
        }
        let entries: Vec<Entry> = taken.iter().map(|(e, _)| *e).collect();
        m.isolate(node, kind, &entries);
        let now = m.core.queue.now().as_nanos();
        let rules = Rules { lru_gen: m.config.lru_gen, swap: m.may_swap(), now };
        let verdict = shrink_folio_list(&taken, rules, &m.pages, &mut m.lru_draws);
        let told = [verdict.nr_dirty, verdict.nr_activate, verdict.nr_ref_keep].map(|n| n as u32);
        let [nr_dirty, nr_activate, nr_ref_keep] = told;
        if kind == PageKind::Anon {
            let pending = &mut m.nodes[node].swap_pending;
            *pending -= verdict.nr_written.min(*pending);
        }
        let again = !direct && m.nodes[node].writeback;
        let scan = &mut m.tasks[id.index()].scan;
        *if again { &mut scan.nr_immediate } else { &mut scan.nr_writeback } +=
            verdict.nr_writeback;
        let expected = u64::from(m.tasks[id.index()].isolated.expected);
        m.tasks[id.index()].isolated = Isolated {
            nr_taken: count as u32,
            nr_dirty,
            nr_writeback: verdict.nr_writeback as u32,
            nr_immediate: if again { verdict.nr_writeback as u32 } else { 0 },
            nr_activate,
            nr_ref_keep,
            kind,
            ..Isolated::default()
        };
        let work = self.folio_list_work(id, count, &verdict);
        self.m.take_verdict(id, verdict);
        if scanned > expected {
            // More pages were sorted to younger generations than were to be taken: that was under
            // the lock too.
            let ns = (scanned - expected) * self.constant(ConstantId::IsolatePerPage);
            self.m.tasks[id.index()].isolated.work = work;
            return self.lru_passage(id, ns, Step::InactiveSorted);
        }
        if count == 0 {
            self.m.tasks[id.index()].step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        self.work(id, State::PageWork, work, node as u32, Step::InactiveWorked)
    }

    /// The generation was sorted; what was isolated is worked on.
    pub(crate) fn inactive_sorted(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let (work, node) = (task.isolated.work, task.scan.node);
        if task.isolated.nr_taken == 0 {
            task.step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        self.work(id, State::PageWork, work, node, Step::InactiveWorked)
    }

    /// Writes down what was taken.
    fn trace_isolate(&mut self, id: TaskId, taken: &Taken, nr_scanned: u64) {
        let task = &self.m.tasks[id.index()];
        let lru = task.scan.list;
        let event = Event::Isolate {
            classzone: task.work.highest_zoneidx,
            nr_requested: self.constant(match self.m.config.lru_gen {
                true => ConstantId::MinLruBatch,
                false => ConstantId::SwapClusterMax,
            }),
            nr_scanned,
            nr_taken: taken.iter().map(|(e, _)| u64::from(e.count)).sum(),
            lru,
        };
        self.trace(id, event);
    }

    /// The next pages of a classic inactive list.
    fn isolate_inactive(&mut self, id: TaskId) -> (Taken, u64) {
        let list = self.m.tasks[id.index()].scan.list;
        let slice = self.batch_size(self.m.tasks[id.index()].scan.quota[list as usize]);
        self.m.note_order(id);
        let m = &mut *self.m;
        let scan = &mut m.tasks[id.index()].scan;
        let vec = &mut m.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        let part = &mut vec.parts[scan.partition as usize];
        let mut taken = Vec::new();
        let got = part.take(list, slice, &m.pages, &mut m.lru_draws, &mut taken);
        let quota = &mut scan.quota[list as usize];
        *quota = if got == 0 { 0 } else { quota.saturating_sub(slice) };
        (taken.into_iter().map(|e| (e, 0)).collect(), got)
    }

    /// What shrink_folio_list costs outside all locks: each page's look, for mapped ones the walk
    /// to their page table entries, for those that are unmapped clearing them and, once for all,
    /// the flush of the TLBs that may hold them.
    fn folio_list_work(&self, id: TaskId, count: u64, verdict: &Verdict) -> u64 {
        let m = &*self.m;
        let mut ns = count * self.constant(ConstantId::ReclaimPerPage);
        if m.config.shadow {
            ns += count * self.constant(ConstantId::ShadowEvictPerPage);
        }
        ns += verdict.nr_mapped * self.constant(ConstantId::FolioReferenced);
        let gone = verdict.reclaim.iter().chain(&verdict.pageout);
        let mut unmapped = [0; 2];
        for (e, _) in gone.filter(|(e, _)| m.pages.is_mapped(e)) {
            unmapped[m.pages.class(e.class).config.kind as usize] += u64::from(e.count);
        }
        if unmapped != [0; 2] {
            ns += unmapped[0] * self.constant(ConstantId::TryToUnmap)
                + unmapped[1] * self.constant(ConstantId::TryToUnmapFile)
                + m.tlb_flush(id);
        }
        ns
    }

    /// shrink_folio_list has looked at the pages: those that go leave their files in runs of a
    /// folio batch, as they were added.
    pub(crate) fn inactive_worked(&mut self, id: TaskId) -> Flow {
        self.m.evict(id);
        self.swap_next(id)
    }

    /// The next run of pages leaves its file.
    pub(crate) fn inactive_remove(&mut self, id: TaskId) -> Flow {
        let mut per_page = self.constant(ConstantId::ReclaimIPagesPerPage);
        if self.m.config.shadow {
            per_page += self.constant(ConstantId::ShadowEvictIPagesPerPage);
        }
        let m = &mut *self.m;
        let batch = m.config.flavour.folio_batch;
        let task = &mut m.tasks[id.index()];
        let Some(last) = task.isolated.removals.last_mut() else {
            return self.free_next(id);
        };
        let run = last.1.min(batch);
        let mapping = last.0;
        last.1 -= run;
        if last.1 == 0 {
            task.isolated.removals.pop();
        }
        task.isolated.removed = run;
        let node = task.scan.node;
        let mapping = match mapping {
            Some(mapping) => m.file_of(mapping),
            None => m.readers[m.file_draws.below(m.readers.len() as u64) as usize],
        };
        let hold = Hold {
            ns: u64::from(run) * per_page,
            node,
            held: State::PageWork,
            spin: State::SpinIPages,
            step: Step::InactiveRemoved,
        };
        let lock = m.i_pages_lock(mapping);
        self.lock(id, lock, hold)
    }

    /// One file's pages are gone from its page cache. With shadow entries each of them advances the
    /// node's age, an atomic increment of one cache line. While another CPU increments it too, the
    /// line travels for every single one.
    pub(crate) fn inactive_removed(&mut self, id: TaskId) -> Flow {
        if !self.m.config.shadow {
            return self.inactive_remove(id);
        }
        let task = &self.m.tasks[id.index()];
        let node = task.scan.node;
        let pages = u64::from(task.isolated.removed);
        let line = self.m.age_line(node);
        let rival = self.m.locks.holder(line).map(|(rival, _)| self.m.tasks[rival.index()].cpu);
        let each = match rival {
            None => self.constant(ConstantId::AgeLinePerPage),
            Some(cpu) => {
                let near = self.m.is_near(self.m.cpus.node(cpu), self.m.cpus.node(task.cpu));
                self.m.speed.line(near)
            }
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
            let kind = task.isolated.zone as usize;
            if kind == ZONES_PER_NODE {
                return self.slice_survivors(id);
            }
            let pages = core::mem::take(&mut task.isolated.pages[kind]);
            task.isolated.zone += 1;
            if pages == 0 {
                continue;
            }
            let node = task.scan.node as usize;
            let number = node * ZONES_PER_NODE + kind;
            let zone = &mut m.zones[number];
            zone.isolated -= u64::from(pages);
            zone.pcp += u64::from(pages);
            m.nodes[node].isolated[task.isolated.kind as usize] -= u64::from(pages);
            task.scan.nr_reclaimed += u64::from(pages);
            task.scan.lruvec_reclaimed += u64::from(pages);
            task.isolated.nr_freed += pages;
            task.pgsteal += u64::from(pages);
            let (list_kind, direct) = (task.isolated.kind, task.scan.direct);
            m.vmstat.pgfree += u64::from(pages);
            m.memcgs[usize::from(task.scan.memcg)].pgsteal += u64::from(pages);
            if task.scan.limit.is_none() || m.config.flavour.memcg_scan_global {
                m.vmstat.count_steal(list_kind, direct, u64::from(pages));
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
        let number = task.scan.node * ZONES_PER_NODE as u32 + task.isolated.zone - 1;
        let at = task.cpu.index() * m.zones.len() + number as usize;
        // The list may have been drained by somebody else meanwhile.
        let spill = task.isolated.spill.min(m.pcps[at].count);
        m.pcps[at].count -= spill;
        m.zones[number as usize].pcp -= u64::from(spill);
        self.add_free(number, u64::from(spill));
        self.free_next(id)
    }

    /// Pages that stay go back under lru_lock, if there are any.
    fn slice_survivors(&mut self, id: TaskId) -> Flow {
        let count = entry::pages(&self.m.tasks[id.index()].isolated.keep);
        if count == 0 {
            return self.slice_statistics(id);
        }
        let ns = count * self.constant(ConstantId::LruAddPerPage);
        self.lru_passage(id, ns, Step::InactivePutback)
    }

    /// move_folios_to_lru is done.
    pub(crate) fn inactive_putback(&mut self, id: TaskId) -> Flow {
        self.putback(id);
        self.slice_statistics(id)
    }

    /// Statistics (and, up to 7.2, the cost) of the slice are noted under lru_lock.
    fn slice_statistics(&mut self, id: TaskId) -> Flow {
        if !self.m.config.lru_gen {
            let isolated = &self.m.tasks[id.index()].isolated;
            let (kind, in_vain) = (isolated.kind, isolated.nr_taken - isolated.nr_freed);
            let written = isolated.nr_written;
            self.m.lruvec_mut(id).note_cost(kind, u64::from(in_vain), u64::from(written));
        }
        if !self.m.config.flavour.cost_lock || self.m.config.lru_gen {
            return self.slice_done(id);
        }
        let ns = self.constant(ConstantId::PutbackPass);
        self.lru_passage(id, ns, Step::SliceDone)
    }

    /// A slice of the inactive list is done; the next list has its turn.
    pub(crate) fn slice_done(&mut self, id: TaskId) -> Flow {
        let Task { scan, isolated, .. } = &self.m.tasks[id.index()];
        let event = Event::ShrinkInactive {
            nid: scan.node,
            nr_scanned: isolated.nr_taken.into(),
            nr_reclaimed: isolated.nr_freed.into(),
            nr_dirty: isolated.nr_dirty.into(),
            nr_writeback: isolated.nr_writeback.into(),
            nr_immediate: isolated.nr_immediate.into(),
            nr_activate: isolated.nr_activate.into(),
            nr_ref_keep: isolated.nr_ref_keep.into(),
            priority: scan.priority,
            kind: isolated.kind,
        };
        self.trace(id, event);
        self.m.tasks[id.index()].step = Step::ShrinkNext;
        Flow::GoOn
    }

    /// Pages that a reclaimer kept stand on their lists again; says how many.
    pub(crate) fn putback(&mut self, id: TaskId) -> u64 {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let keep = core::mem::take(&mut task.isolated.keep);
        let (scan, kind) = (task.scan, task.isolated.kind);
        let now = m.core.queue.now().as_nanos();
        let node = &mut m.nodes[scan.node as usize];
        let part = &mut node.lruvecs[usize::from(scan.memcg)].parts[scan.partition as usize];
        let (mut count, mut active) = (0, 0);
        for e in keep {
            let pages = u64::from(e.count);
            let zone = &mut m.zones[scan.node as usize * ZONES_PER_NODE + usize::from(e.zone)];
            zone.isolated -= pages;
            zone.lru += pages;
            let flags = part.gens().map_or(e.flags, |gens| gens.rejected(kind, &e, now));
            part.add(e.flagged(flags), node.entered, &m.pages);
            // move_folios_to_lru: an activated page ages what was evicted (lru_gen_add_folio has
            // cleared PG_active before that).
            active += u64::from(part.gens().is_none() && flags.has(Flags::ACTIVE)) * pages;
            node.entered += pages;
            count += pages;
        }
        node.isolated[kind as usize] -= count;
        node.lruvecs[usize::from(scan.memcg)].nonresident_age += active;
        count
    }
}

impl Machine {
    /// Pages left the lists for a reclaimer's hands.
    pub(crate) fn isolate(&mut self, node: usize, kind: PageKind, taken: &[Entry]) {
        let mut count = 0;
        for e in taken {
            let zone = &mut self.zones[node * ZONES_PER_NODE + usize::from(e.zone)];
            zone.lru -= u64::from(e.count);
            zone.isolated += u64::from(e.count);
            count += u64::from(e.count);
        }
        self.nodes[node].isolated[kind as usize] += count;
    }

    /// How far the next slice's oldest page is from the node's oldest: 0 where there is one list.
    pub(crate) fn note_order(&mut self, id: TaskId) {
        let scan = &self.tasks[id.index()].scan;
        if self.config.lru_partitions == 1 {
            self.vmstat.lru_order_slices += 1;
            return;
        }
        let vec = &self.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        let kind = scan.list.kind();
        let oldest = vec.parts.iter().filter_map(|part| part.oldest(kind)).min();
        if let (Some(own), Some(oldest)) = (vec.parts[scan.partition as usize].oldest(kind), oldest)
        {
            self.vmstat.lru_order_error += own.saturating_sub(oldest);
            self.vmstat.lru_order_slices += 1;
        }
    }

    /// Keeps what shrink_folio_list decided, until its time has passed.
    fn take_verdict(&mut self, id: TaskId, verdict: Verdict) {
        self.vmstat.pgactivate += verdict.nr_activate;
        self.vmstat.nr_vmscan_immediate_reclaim += verdict.nr_dirty;
        let streams = !self.readers.is_empty();
        let isolated = &mut self.tasks[id.index()].isolated;
        for (e, _) in &verdict.reclaim {
            isolated.pages[usize::from(e.zone)] += e.count;
            let config = &self.pages.class(e.class).config;
            if config.kind == PageKind::Anon || (config.mapping.is_none() && !streams) {
                continue;
            }
            match isolated.removals.iter_mut().find(|r| r.0 == config.mapping) {
                Some(removal) => removal.1 += e.count,
                None => isolated.removals.push((config.mapping, e.count)),
            }
        }
        isolated.reclaim = verdict.reclaim;
        isolated.keep = verdict.keep;
        self.tasks[id.index()].swapping.pageout = verdict.pageout;
    }

    /// The pages that go are resident no more: they leave shadows (workingset_eviction).
    pub(crate) fn evict(&mut self, id: TaskId) {
        let gone = core::mem::take(&mut self.tasks[id.index()].isolated.reclaim);
        let scan = self.tasks[id.index()].scan;
        let node = scan.node as usize;
        let vec = &mut self.nodes[node].lruvecs[usize::from(scan.memcg)];
        let lru_gen = vec.parts[scan.partition as usize].gens().map(|gens| gens.min_seq);
        for (e, tier) in gone {
            let kind = self.pages.class(e.class).config.kind as usize;
            if lru_gen.is_some() {
                vec.tiers[kind].evicted[usize::from(tier)] += u64::from(e.count);
            }
            let age = vec.nonresident_age;
            vec.nonresident_age += u64::from(e.count);
            let shadow = Shadow {
                age,
                seq: lru_gen.map_or(0, |min_seq| min_seq[kind]),
                node: node as u8,
                memcg: scan.memcg,
                workingset: e.flags.has(Flags::WORKINGSET),
                tier,
                swapped: e.flags.has(Flags::SWAPPED),
            };
            self.pages.leave(node, &e, Some(shadow));
        }
    }

    /// Pages on a node's lists of one kind: inactive and active.
    #[must_use]
    pub fn list_sizes(&self, node: usize, kind: PageKind) -> (u64, u64) {
        let vecs = &self.nodes[node].lruvecs;
        let inactive = vecs.iter().map(|v| v.inactive(kind)).sum();
        (inactive, vecs.iter().map(|v| v.active(kind)).sum())
    }

    /// The partition that a task reclaims.
    pub(crate) fn partition(&self, id: TaskId) -> &crate::lru::Partition {
        let scan = &self.tasks[id.index()].scan;
        let vec = &self.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        &vec.parts[scan.partition as usize]
    }

    /// The lruvec that a task reclaims.
    pub(crate) fn lruvec_mut(&mut self, id: TaskId) -> &mut crate::lru::Lruvec {
        let scan = &self.tasks[id.index()].scan;
        &mut self.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)]
    }

    /// snapshot_refaults of all lruvecs of a node, as balance_pgdat ends.
    pub(crate) fn snapshot_refaults_of(&mut self, node: usize) {
        for vec in &mut self.nodes[node].lruvecs {
            vec.snapshot_refaults();
        }
    }

    /// The same for the nodes of a task's zonelist, as its direct reclaim ends.
    pub(crate) fn snapshot_refaults(&mut self, id: TaskId) {
        for n in 0..self.zonelist(id).len() {
            let node = usize::from(self.zonelist(id)[n]);
            self.snapshot_refaults_of(node);
        }
    }
}

/// The list that MGLRU's passes stand for while they scan this kind.
pub(crate) fn inactive_of(kind: PageKind) -> LruList {
    LruList::of(kind, false)
}
