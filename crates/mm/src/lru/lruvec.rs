//! An lruvec: the lists of one memory cgroup on one node, and what reclaim remembers of them.
//!
//! Costs and deactivation are 7.2 mm/vmscan.c: prepare_scan_control and mm/swap.c: lru_note_cost;
//! refaults mm/workingset.c; the tiers' controller mm/vmscan.c: read_ctrl_pos, positive_ctrl_err.

use super::class::{PageKind, Pages};
use super::generations::{MAX_NR_GENS, MAX_NR_TIERS, Walks};
use super::partition::Partition;
use super::shadow::Shadow;
use catalog::{ConstantId, Ledger};
use engine::Stream;

/// Swappiness that takes anonymous pages only (MAX_SWAPPINESS).
const MAX_SWAPPINESS: u64 = 200;

/// What the controller of MGLRU knows of a kind's tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    /// Refaults under which it sees no reason to protect a tier (MIN_LRU_BATCH).
    batch: u64,
    /// Pages evicted, protected or refaulted since the oldest generation changed, by tier.
    pub evicted: [u64; MAX_NR_TIERS],
    /// Pages kept for their tier.
    pub protected: [u64; MAX_NR_TIERS],
    /// Pages that came back.
    pub refaulted: [u64; MAX_NR_TIERS],
    avg_total: [u64; MAX_NR_TIERS],
    avg_refaulted: [u64; MAX_NR_TIERS],
}

/// A position of the controller (struct ctrl_pos).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pos {
    refaulted: u64,
    total: u64,
    gain: u64,
    batch: u64,
}

impl Pos {
    /// positive_ctrl_err: whether `pv` comes back no oftener than this one, by their gains.
    fn allows(self, pv: Self) -> bool {
        pv.refaulted < self.batch
            || u128::from(pv.refaulted)
                * u128::from(self.total + self.batch)
                * u128::from(self.gain)
                <= u128::from(self.refaulted + 1) * u128::from(pv.total) * u128::from(pv.gain)
    }
}

impl Tiers {
    /// Nothing yet; fewer refaults than `batch` are none.
    #[must_use]
    pub const fn new(batch: u64) -> Self {
        Self {
            batch,
            evicted: [0; MAX_NR_TIERS],
            protected: [0; MAX_NR_TIERS],
            refaulted: [0; MAX_NR_TIERS],
            avg_total: [0; MAX_NR_TIERS],
            avg_refaulted: [0; MAX_NR_TIERS],
        }
    }

    /// read_ctrl_pos for the tiers `from..to`.
    fn pos(&self, from: usize, to: usize, gain: u64) -> Pos {
        let mut pos = Pos { refaulted: 0, total: 0, gain, batch: self.batch };
        for t in from..to {
            pos.refaulted += self.avg_refaulted[t] + self.refaulted[t];
            pos.total += self.avg_total[t] + self.evicted[t] + self.protected[t];
        }
        pos
    }

    /// get_tier_idx: the highest tier that may be evicted: those after the first come back no
    /// oftener than it, at odds of 2 to 3.
    #[must_use]
    pub fn evictable(&self) -> u8 {
        self.evictable_beside(self.pos(0, 1, 2), 3)
    }

    /// The same beside the first tier of the other kind, at the odds that swappiness gives (6.12
    /// get_type_to_scan).
    fn evictable_beside(&self, first: Pos, gain: u64) -> u8 {
        let next = (1..MAX_NR_TIERS).find(|&t| !first.allows(self.pos(t, t + 1, gain)));
        next.unwrap_or(MAX_NR_TIERS) as u8 - 1
    }

    /// reset_ctrl_pos: an old generation is gone, the averages halve.
    pub fn carry_over(&mut self) {
        for t in 0..MAX_NR_TIERS {
            self.avg_refaulted[t] = (self.avg_refaulted[t] + self.refaulted[t]) / 2;
            let total = self.avg_total[t] + self.evicted[t] + self.protected[t];
            self.avg_total[t] = total / 2;
        }
        self.refaulted = [0; MAX_NR_TIERS];
        self.evicted = [0; MAX_NR_TIERS];
        self.protected = [0; MAX_NR_TIERS];
    }
}

/// A page table walk that several reclaimers share (struct lru_gen_mm_state).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Walks that were completed: those for max_seq below this.
    pub seq: u64,
    /// Address spaces of the walk at hand that were handed out.
    pub next: u32,
    /// Reclaimers that are in it.
    pub walkers: u32,
}

/// An lruvec.
#[derive(Clone, Debug)]
pub struct Lruvec {
    /// Its partitions, each under its own lru_lock.
    pub parts: Vec<Partition>,
    /// What scanning in vain and I/O cost by kind (anon_cost, file_cost).
    pub cost: [u64; 2],
    /// Evictions and activations so far.
    pub nonresident_age: u64,
    /// workingset_activate by kind so far.
    pub activated: [u64; 2],
    /// The same at the last snapshot (lruvec->refaults).
    pub refaults: [u64; 2],
    /// MGLRU: its controller by kind.
    pub tiers: [Tiers; 2],
    /// MGLRU: each class's heat at the walks that made the last four generations.
    pub walks: Walks,
    /// MGLRU: the walk at hand.
    pub walk: Walk,
    /// Pages that a page of I/O counts as beside one that was scanned in vain (SWAP_CLUSTER_MAX).
    io_cost: u64,
}

/// What becomes of a page that was evicted and is used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refault {
    /// It was missed: it would still be there had the lists been as large as the memory.
    pub activate: bool,
    /// It had been active before (workingset_restore): the use cost I/O.
    pub restore: bool,
}

impl Lruvec {
    /// Empty lists.
    #[must_use]
    pub fn new(parts: Vec<Partition>, classes: usize, ledger: &Ledger) -> Self {
        Self {
            parts,
            cost: [0; 2],
            nonresident_age: 0,
            activated: [0; 2],
            refaults: [0; 2],
            tiers: [Tiers::new(ledger.get(ConstantId::MinLruBatch)); 2],
            walks: vec![[0; MAX_NR_GENS as usize]; classes],
            walk: Walk::default(),
            io_cost: ledger.get(ConstantId::SwapClusterMax),
        }
    }

    /// Pages of a kind that count as inactive.
    #[must_use]
    pub fn inactive(&self, kind: PageKind) -> u64 {
        self.parts.iter().map(|p| p.inactive(kind)).sum()
    }

    /// Pages of a kind that count as active.
    #[must_use]
    pub fn active(&self, kind: PageKind) -> u64 {
        self.parts.iter().map(|p| p.active(kind)).sum()
    }

    /// Pages of both kinds.
    #[must_use]
    pub fn size(&self) -> u64 {
        [PageKind::Anon, PageKind::File].iter().map(|&k| self.inactive(k) + self.active(k)).sum()
    }

    /// lru_note_cost: pages scanned in vain and pages of I/O; both kinds' costs halve when their
    /// sum is over a quarter of the lists.
    pub fn note_cost(&mut self, kind: PageKind, in_vain: u64, io: u64) {
        self.cost[kind as usize] += self.io_cost * io + in_vain;
        if self.cost[0] + self.cost[1] > self.size() / 4 {
            self.cost[0] /= 2;
            self.cost[1] /= 2;
        }
    }

    /// The shares in which anonymous and file lists are scanned (calculate_pressure_balance), as
    /// numerators over their sum.
    #[must_use]
    pub fn balance(&self, swappiness: u64) -> [u64; 2] {
        let sum = self.cost[0] + self.cost[1];
        let (anon, file) = (sum + self.cost[0], sum + self.cost[1]);
        let total = anon + file;
        [
            swappiness.min(MAX_SWAPPINESS) * (total + 1) / (anon + 1),
            (MAX_SWAPPINESS - swappiness.min(MAX_SWAPPINESS)) * (total + 1) / (file + 1),
        ]
    }

    /// Whether the active list of a kind shall be scanned too: refaulting pages were activated
    /// since the last snapshot, or the inactive list of the partition is low.
    #[must_use]
    pub fn may_deactivate(&self, kind: PageKind, part: usize) -> bool {
        self.activated[kind as usize] != self.refaults[kind as usize]
            || self.parts[part].inactive_is_low(kind)
    }

    /// snapshot_refaults: at the end of balance_pgdat and of a direct reclaim call.
    pub fn snapshot_refaults(&mut self) {
        self.refaults = self.activated;
    }

    /// A classic page comes back (workingset_refault): activated when no more pages were evicted or
    /// activated since than there are pages that it could have outlived. `swap` says whether
    /// anonymous pages can be evicted at all.
    pub fn refault(&mut self, kind: PageKind, shadow: &Shadow, swap: bool, pages: u64) -> Refault {
        let distance = self.nonresident_age.saturating_sub(shadow.age);
        let (anon, file) = (PageKind::Anon, PageKind::File);
        let workingset = match kind {
            PageKind::File => {
                let anon = if swap { self.active(anon) + self.inactive(anon) } else { 0 };
                self.active(file) + anon
            }
            PageKind::Anon => {
                self.active(file) + self.inactive(file) + if swap { self.active(anon) } else { 0 }
            }
        };
        if distance > workingset {
            return Refault::default();
        }
        self.nonresident_age += pages;
        self.activated[kind as usize] += pages;
        if shadow.workingset {
            self.note_cost(kind, 0, pages);
        }
        Refault { activate: true, restore: shadow.workingset }
    }

    /// A page comes back under MGLRU (lru_gen_refault): it counts against its tier when its
    /// generation is not long gone. In a fault, `mapped`, one with the workingset mark joins the
    /// youngest generation.
    pub fn refault_generation(
        &mut self,
        kind: PageKind,
        shadow: &Shadow,
        (pages, mapped): (u64, bool),
    ) -> Refault {
        let max_seq = self.parts[0].gens().map_or(0, |gens| gens.max_seq);
        if max_seq.abs_diff(shadow.seq) >= MAX_NR_GENS {
            return Refault::default();
        }
        self.tiers[kind as usize].refaulted[usize::from(shadow.tier)] += pages;
        let activate = mapped && shadow.workingset;
        self.activated[kind as usize] += pages * u64::from(activate);
        Refault { activate, restore: shadow.workingset }
    }

    /// The kind that is scanned first, and its highest tier that may be evicted (7.2
    /// get_type_to_scan, get_tier_idx; `older` 6.12 isolate_folios).
    #[must_use]
    pub fn to_scan(&self, swappiness: u64, part: usize, older: bool) -> (PageKind, u8) {
        if older && swappiness > 0 {
            return self.older_to_scan(swappiness, part);
        }
        let kind = self.kind_to_scan(swappiness, MAX_NR_TIERS);
        (kind, self.tiers[kind as usize].evictable())
    }

    /// The kind with the older generation; if it is the same, that whose first tier comes back more
    /// rarely, and its tiers beside the first one of the other kind.
    fn older_to_scan(&self, swappiness: u64, part: usize) -> (PageKind, u8) {
        let min_seq = self.parts[part].gens().map_or([0; 2], |gens| gens.min_seq);
        let alone = |kind: PageKind| (kind, self.tiers[kind as usize].evictable());
        if min_seq[0] < min_seq[1] {
            return alone(PageKind::Anon);
        }
        let kind = self.kind_to_scan(swappiness, 1);
        if swappiness <= 1 || swappiness >= MAX_SWAPPINESS {
            return alone(kind);
        }
        let gains = [swappiness, MAX_SWAPPINESS - swappiness];
        let (own, other) = (kind as usize, 1 - kind as usize);
        let first = self.tiers[other].pos(0, 1, gains[other]);
        (kind, self.tiers[own].evictable_beside(first, gains[own]))
    }

    /// File pages unless anonymous ones come back so much more rarely, by the weights that
    /// swappiness gives; of each kind the first tiers count, so many.
    fn kind_to_scan(&self, swappiness: u64, tiers: usize) -> PageKind {
        match swappiness {
            0 | 1 => return PageKind::File,
            MAX_SWAPPINESS.. => return PageKind::Anon,
            _ => {}
        }
        let all = |kind: PageKind, gain| self.tiers[kind as usize].pos(0, tiers, gain);
        let anon = all(PageKind::Anon, swappiness);
        if anon.allows(all(PageKind::File, MAX_SWAPPINESS - swappiness)) {
            PageKind::File
        } else {
            PageKind::Anon
        }
    }

    /// Old generations of these kinds were given up.
    pub fn generations_gone(&mut self, gone: [bool; 2]) {
        for (tiers, _) in self.tiers.iter_mut().zip(&gone).filter(|(_, gone)| **gone) {
            tiers.carry_over();
        }
    }

    /// inc_max_seq over all partitions, after a walk; notes how often each class has been used.
    /// What is merged of a kind that can be evicted counts as protected.
    pub fn age(&mut self, pages: &mut Pages, kinds: [bool; 2], draws: &mut Stream) {
        let Some(max_seq) = self.parts[0].gens().map(|gens| gens.max_seq) else { return };
        for (heats, class) in self.walks.iter_mut().zip(pages.each_mut()) {
            heats[((max_seq + 1) % MAX_NR_GENS) as usize] = class.walked();
        }
        let mut gone = [false; 2];
        for part in &mut self.parts {
            let Some(gens) = part.gens_mut() else { continue };
            for (kind, moved) in gens.age((pages, &self.walks), draws).into_iter().enumerate() {
                let Some(moved) = moved else { continue };
                gone[kind] = true;
                let protected = self.tiers[kind].protected.iter_mut().filter(|_| kinds[kind]);
                protected.zip(moved).for_each(|(sum, new)| *sum += new);
            }
        }
        self.generations_gone(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::{ClassConfig, test_pages};
    use crate::lru::entry::Entry;

    fn lruvec() -> Lruvec {
        Lruvec::new(vec![Partition::classic(64)], 1, &Ledger::default())
    }

    #[test]
    fn the_balance_is_that_of_the_worked_examples() {
        let mut v = lruvec();
        v.cost = [1_000_000, 1_000_000];
        let [anon, file] = v.balance(60);
        assert!(anon.abs_diff(120) <= 1 && file.abs_diff(280) <= 1, "{anon} {file}");
        v.cost = [0, 1_000_000];
        let [anon, file] = v.balance(60);
        assert!(anon.abs_diff(180) <= 1 && file.abs_diff(210) <= 1, "{anon} {file}");
        assert_eq!(v.balance(0)[0], 0);
        assert_eq!(v.balance(200)[1], 0);
    }

    #[test]
    fn costs_halve_when_they_outgrow_the_lists() {
        let mut v = lruvec();
        let pages = Pages::new(&[ClassConfig::STREAMS]);
        v.parts[0].add(Entry { count: 4_000, ..Entry::default() }, 0, &pages);
        v.note_cost(PageKind::File, 900, 0);
        assert_eq!(v.cost, [0, 900]);
        v.note_cost(PageKind::Anon, 0, 10);
        assert_eq!(v.cost, [160, 450]);
    }

    #[test]
    fn a_refault_within_the_workingset_activates() {
        let mut v = lruvec();
        let pages = test_pages(1);
        let active =
            Entry { count: 100, flags: crate::lru::entry::Flags::ACTIVE, ..Entry::default() };
        v.parts[0].add(active, 0, &pages);
        v.nonresident_age = 1_000;
        let at = |age| Shadow { age, ..Shadow::default() };
        assert!(!v.refault(PageKind::File, &at(899), false, 1).activate);
        assert!(v.refault(PageKind::File, &at(900), false, 1).activate);
        assert_eq!((v.nonresident_age, v.activated), (1_001, [0, 1]));
        assert!(v.may_deactivate(PageKind::File, 0));
        v.snapshot_refaults();
        assert_eq!(v.activated, v.refaults);
    }

    #[test]
    fn a_tier_that_comes_back_is_protected() {
        let mut tiers = Tiers::new(64);
        assert_eq!(tiers.evictable(), 3);
        tiers.evicted = [10_000, 1_000, 0, 0];
        tiers.refaulted = [100, 500, 0, 0];
        assert_eq!(tiers.evictable(), 0);
        tiers.carry_over();
        assert_eq!(tiers.evictable(), 0);
        for _ in 0..4 {
            tiers.carry_over();
        }
        assert_eq!(tiers.evictable(), 3);
    }

    #[test]
    fn the_kind_to_scan_follows_swappiness_and_refaults() {
        let mut v = lruvec();
        let first = |v: &Lruvec, swappiness| v.to_scan(swappiness, 0, false).0;
        assert_eq!(first(&v, 0), PageKind::File);
        assert_eq!(first(&v, 200), PageKind::Anon);
        assert_eq!(first(&v, 60), PageKind::File);
        v.tiers[1].evicted[0] = 10_000;
        v.tiers[1].refaulted[0] = 9_000;
        v.tiers[0].evicted[0] = 10_000;
        assert_eq!(first(&v, 60), PageKind::Anon);
    }

    #[test]
    fn the_older_rules_scan_the_older_kind_first_and_compare_first_tiers() {
        let mut v = Lruvec::new(vec![Partition::generations(64, true)], 1, &Ledger::default());
        v.parts[0].gens_mut().expect("generations").min_seq = [0, 1];
        assert_eq!(v.to_scan(60, 0, true).0, PageKind::Anon);
        assert_eq!(v.to_scan(0, 0, true).0, PageKind::File);
        v.parts[0].gens_mut().expect("generations").min_seq = [1, 1];
        // The second tier of file pages comes back; the first does not.
        v.tiers[1].evicted[1] = 10_000;
        v.tiers[1].refaulted[1] = 9_000;
        assert_eq!(v.to_scan(60, 0, true), (PageKind::File, 0));
        assert_eq!(v.to_scan(60, 0, false).0, PageKind::Anon);
    }
}
