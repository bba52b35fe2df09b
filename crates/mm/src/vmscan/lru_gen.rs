//! MGLRU's side of a pass (7.2 mm/vmscan.c: lru_gen_shrink_node, try_to_shrink_lruvec,
//! evict_folios; for 6.x the batch rules of the flavour's row).
//!
//! Eviction takes batches of up to 64 pages off the oldest generation with one passage of lru_lock,
//! no cost accounting and no ISOLATED throttle. It stops as soon as enough was reclaimed, or, for
//! kswapd, when every zone of the node is above high: direct reclaim stops near 32 pages. When only
//! two generations are left one must be made first: by a walk of the page tables of every address
//! space, which reclaimers that age at once share, and one passage of lru_lock.

use super::slice::inactive_of;
use crate::config::Mm;
use crate::lru::generations::{MIN_NR_GENS, Sorting};
use crate::lru::{ClassId, Entry, PageKind};
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Aging, State, Step};
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
        let kinds = [(PageKind::File, true), (PageKind::Anon, self.scan_may_swap(id))];
        let evictable = kinds.iter().filter(|(_, may)| *may);
        let inactive: u64 =
            evictable.map(|&(kind, _)| self.m.list_sizes(scan.node as usize, kind).0).sum();
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
        // Root reclaim goes on to other cgroups after a round that aged.
        if scan.quota[0] == 0 || (scan.aged == Aging::Evicted && scan.limit.is_none()) {
            return self.next_partition(id);
        }
        if scan.aged == Aging::No && self.should_run_aging(id) {
            return self.age_begin(id);
        }
        let Some(kind) = self.kind_to_evict(id) else {
            // evict_folios finds nothing, but gives up generations that are empty.
            self.drop_empty(id);
            return self.next_partition(id);
        };
        let task = &mut self.m.tasks[id.index()];
        if task.scan.aged != Aging::No {
            task.scan.aged = Aging::Evicted;
        }
        task.scan.list = inactive_of(kind);
        if self.m.batches[task.cpu.index()].len > 0 {
            return self.lru_add_drain(id, Step::ShrinkInactive);
        }
        task.step = Step::ShrinkInactive;
        Flow::GoOn
    }

    /// Which kinds may be evicted at all: file pages, and anonymous ones if there is swap.
    pub(super) fn evictable_kinds(&self, id: TaskId) -> [bool; 2] {
        [self.scan_may_swap(id) && self.m.config.swappiness > 0, true]
    }

    fn should_run_aging(&self, id: TaskId) -> bool {
        let first = self.is_first_priority(self.m.tasks[id.index()].scan.priority);
        let kinds = self.evictable_kinds(id);
        let Some(gens) = self.m.partition(id).gens() else { return false };
        if self.m.config.flavour.lru_gen_age_by_size {
            gens.should_age_by_size(first, kinds)
        } else {
            gens.should_age(first, kinds)
        }
    }

    /// The kind that is scanned first, or the other one when it has nothing old.
    fn kind_to_evict(&self, id: TaskId) -> Option<PageKind> {
        let scan = &self.m.tasks[id.index()].scan;
        let part = scan.partition as usize;
        let vec = &self.m.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        let gens = vec.parts[part].gens()?;
        let kinds = self.evictable_kinds(id);
        let swappiness = if kinds[0] { self.m.config.swappiness } else { 0 };
        let older = self.m.config.flavour.lru_gen_older_rules;
        let first = vec.to_scan(swappiness, part, older).0;
        let both = [first, first.other()];
        both.into_iter().filter(|&k| kinds[k as usize]).find(|&kind| gens.takeable(kind) > 0)
    }

    /// try_to_inc_min_seq of the lists at hand.
    fn drop_empty(&mut self, id: TaskId) {
        let kinds = self.evictable_kinds(id);
        let part = self.m.tasks[id.index()].scan.partition as usize;
        let vec = self.m.lruvec_mut(id);
        if let Some(gens) = vec.parts[part].gens_mut() {
            let gone = gens.drop_empty(kinds);
            vec.generations_gone(gone);
        }
    }

    /// evict_folios under lru_lock: empty generations are given up, then the oldest one of the kind
    /// that the controller prefers is scanned, and of the other kind if there is none, or, by the
    /// rules of 7.2, of the same again if all of its pages were sorted; says what was isolated and
    /// how many pages were looked at.
    pub(crate) fn isolate_generation(&mut self, id: TaskId) -> (Vec<(Entry, u8)>, u64) {
        self.m.note_order(id);
        self.drop_empty(id);
        let kinds = self.evictable_kinds(id);
        let batch = self.batch_size(self.m.tasks[id.index()].scan.quota[0]);
        let most = self.constant(ConstantId::MaxLruBatch);
        let now = self.now().as_nanos();
        let m = &mut *self.m;
        let flavour = &m.config.flavour;
        let scan = &mut m.tasks[id.index()].scan;
        let part = scan.partition as usize;
        let vec = &mut m.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        let limit = if flavour.lru_gen_whole_batch { most } else { batch };
        let older = flavour.lru_gen_older_rules;
        let swappiness = if kinds[0] { m.config.swappiness } else { 0 };
        let (mut kind, mut tier_idx) = vec.to_scan(swappiness, part, older);
        let mut scanned = 0;
        let mut isolated = Vec::new();
        for _ in kinds.iter().filter(|may| **may) {
            let Some(gens) = vec.parts[part].gens_mut() else { break };
            let with = Sorting { pages: &m.pages, walks: &vec.walks, tier_idx, now };
            let found = gens.scan(kind, (limit, batch), with, &mut m.lru_draws);
            let protected = &mut vec.tiers[kind as usize].protected;
            protected.iter_mut().zip(found.nr_protected).for_each(|(sum, new)| *sum += new);
            m.vmstat.pgrefill += found.nr_sorted;
            scanned += found.nr_scanned;
            scan.list = inactive_of(kind);
            isolated = found.isolated;
            if found.nr_isolated > 0 || (older && found.nr_scanned == limit) {
                break;
            }
            if older || found.nr_scanned == 0 {
                kind = kind.other();
                tier_idx = vec.tiers[kind as usize].evictable();
            }
        }
        let quota = scan.quota[0];
        scan.quota[0] = if scanned == 0 { 0 } else { quota.saturating_sub(scanned) };
        self.drop_empty(id);
        if older
            && self.m.partition(id).gens().is_some_and(|g| g.generations_of(kinds) == MIN_NR_GENS)
        {
            // Nothing is left to evict before the next aging.
            self.m.tasks[id.index()].scan.quota[0] = 0;
        }
        (isolated, scanned)
    }

    fn is_first_priority(&self, priority: u8) -> bool {
        u64::from(priority) == self.constant(ConstantId::DefPriority)
    }

    /// should_abort_scan: enough is reclaimed, or kswapd's node is above high in every zone.
    fn should_abort_scan(&self, id: TaskId) -> bool {
        let scan = &self.m.tasks[id.index()].scan;
        // Up to 6.12 a reclaim call for a limit goes through its whole quota.
        let whole = scan.limit.is_some() && self.m.config.flavour.lru_gen_age_by_size;
        if scan.nr_reclaimed >= scan.nr_to_reclaim && !whole {
            return true;
        }
        if scan.direct {
            return false;
        }
        let node = scan.node as usize;
        let margin = self.constant(ConstantId::MinLruBatch);
        let highest = self.m.tasks[id.index()].work.highest_zoneidx;
        let mut zones = self.zones_up_to(node, highest);
        zones.all(|z| z.above(z.marks.high + margin, usize::from(highest)))
    }

    /// try_to_inc_max_seq: nothing to do when somebody completed the walk of this generation
    /// meanwhile; else this reclaimer joins it.
    fn age_begin(&mut self, id: TaskId) -> Flow {
        let vec = self.m.lruvec_mut(id);
        let seq = vec.parts[0].gens().map_or(0, |gens| gens.max_seq);
        if vec.walk.seq >= seq {
            return self.age_lost(id);
        }
        vec.walk.walkers += 1;
        self.aging_begins(id);
        self.age_walk(id)
    }

    /// Somebody else makes the generation: this one goes on without, and mostly finds nothing.
    fn age_lost(&mut self, id: TaskId) -> Flow {
        self.m.vmstat.lru_gen_age_lost += 1;
        let task = &mut self.m.tasks[id.index()];
        task.scan.aged = Aging::Lost;
        task.step = Step::ShrinkNext;
        Flow::GoOn
    }

    /// walk_mm over the next address space (iterate_mm_list): reclaimers that age at the same time
    /// share them out. The last one to finish makes the generation.
    pub(crate) fn age_walk(&mut self, id: TaskId) -> Flow {
        let mms = self.m.config.mms.len() as u32;
        let per_pte = self.constant(ConstantId::WalkPerPte);
        let node = self.m.tasks[id.index()].scan.node;
        let vec = self.m.lruvec_mut(id);
        if vec.walk.next < mms {
            let mm = vec.walk.next as usize;
            vec.walk.next += 1;
            let entries = match &self.m.config.mms[mm] {
                Mm::Fixed(entries) => *entries,
                Mm::Grows(classes) => {
                    let pages = |class| self.m.pages.class(ClassId(class)).config.pages;
                    classes.clone().map(pages).sum()
                }
            };
            let ns = entries * per_pte;
            return self.work(id, State::PageWork, ns, node, Step::AgeWalk);
        }
        vec.walk.walkers -= 1;
        if vec.walk.walkers > 0 {
            self.aging_ends(id);
            return self.age_lost(id);
        }
        vec.walk.next = 0;
        vec.walk.seq = vec.parts[0].gens().map_or(0, |gens| gens.max_seq);
        let merge: u64 =
            vec.parts.iter().filter_map(|p| p.gens()).map(|gens| gens.to_merge()).sum();
        self.m.tasks[id.index()].isolated.to_merge = merge;
        self.age_locked(id)
    }

    /// lru_lock for inc_max_seq; pages of an oldest generation that has to be given up are moved
    /// first, a bounded number a hold.
    pub(crate) fn age_locked(&mut self, id: TaskId) -> Flow {
        let most = self.constant(ConstantId::MaxLruBatch);
        let per_page = self.constant(ConstantId::IsolatePerPage);
        let left = &mut self.m.tasks[id.index()].isolated.to_merge;
        let part = (*left).min(most);
        *left -= part;
        if part > 0 {
            return self.lru_passage(id, part * per_page, Step::AgeMerged);
        }
        let ns = self.constant(ConstantId::NewGeneration);
        self.lru_passage(id, ns, Step::Aged)
    }

    /// inc_max_seq is done.
    pub(crate) fn aged(&mut self, id: TaskId) -> Flow {
        self.aging_ends(id);
        let kinds = self.evictable_kinds(id);
        let m = &mut *self.m;
        let scan = &mut m.tasks[id.index()].scan;
        let vec = &mut m.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        vec.age(&mut m.pages, kinds, &mut m.lru_draws);
        scan.aged = Aging::Done;
        if m.config.flavour.lru_gen_age_by_size {
            // Up to 6.12 the pass over the lruvec ends when it has aged.
            scan.quota = [0; 4];
        }
        m.vmstat.lru_gen_aged += 1;
        m.tasks[id.index()].step = Step::ShrinkNext;
        Flow::GoOn
    }
}
