//! An lruvec: the lists of one memory cgroup on one node, and what reclaim remembers of them.
//!
//! Costs and deactivation are 7.2 mm/vmscan.c: prepare_scan_control and mm/swap.c: lru_note_cost;
//! refaults mm/workingset.c; the tiers' controller mm/vmscan.c: read_ctrl_pos, positive_ctrl_err.

use super::class::{PageKind, Pages};
use super::generations::{MAX_NR_GENS, MAX_NR_TIERS, Walks};
use super::partition::Partition;
use super::shadow::Shadow;

/// Pages that a page of I/O counts as beside one that was scanned in vain (SWAP_CLUSTER_MAX).
const IO_COST: u64 = 32;
/// Refaults under which the controller sees no reason to protect a tier (MIN_LRU_BATCH).
const MIN_LRU_BATCH: u64 = 64;

/// What the controller of MGLRU knows of a kind's tiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiers {
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
}

impl Pos {
    /// positive_ctrl_err: whether `pv` comes back no oftener than this one, by their gains.
    fn allows(self, pv: Self) -> bool {
        pv.refaulted < MIN_LRU_BATCH
            || u128::from(pv.refaulted)
                * u128::from(self.total + MIN_LRU_BATCH)
                * u128::from(self.gain)
                <= u128::from(self.refaulted + 1) * u128::from(pv.total) * u128::from(pv.gain)
    }
}

impl Tiers {
    /// read_ctrl_pos for the tiers `from..to`.
    fn pos(&self, from: usize, to: usize, gain: u64) -> Pos {
        let mut pos = Pos { refaulted: 0, total: 0, gain };
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
        let first = self.pos(0, 1, 2);
        let next = (1..MAX_NR_TIERS).find(|&t| !first.allows(self.pos(t, t + 1, 3)));
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
    pub fn new(parts: Vec<Partition>, classes: usize) -> Self {
        Self {
            parts,
            cost: [0; 2],
            nonresident_age: 0,
            activated: [0; 2],
            refaults: [0; 2],
            tiers: [Tiers::default(); 2],
            walks: vec![[0; MAX_NR_GENS as usize]; classes],
            walk: Walk::default(),
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
        self.cost[kind as usize] += IO_COST * io + in_vain;
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
            swappiness.min(200) * (total + 1) / (anon + 1),
            (200 - swappiness.min(200)) * (total + 1) / (file + 1),
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
    /// generation is not long gone.
    pub fn refault_generation(&mut self, kind: PageKind, shadow: &Shadow, pages: u64) -> Refault {
        let max_seq = self.parts[0].gens().map_or(0, |gens| gens.max_seq);
        if max_seq.abs_diff(shadow.seq) >= MAX_NR_GENS {
            return Refault::default();
        }
        self.tiers[kind as usize].refaulted[usize::from(shadow.tier)] += pages;
        self.activated[kind as usize] += pages;
        Refault { activate: true, restore: shadow.workingset }
    }

    /// get_type_to_scan: file pages unless anonymous ones come back so much more rarely, by the
    /// weights that swappiness gives.
    #[must_use]
    pub fn kind_to_scan(&self, swappiness: u64) -> PageKind {
        match swappiness {
            0 | 1 => return PageKind::File,
            200.. => return PageKind::Anon,
            _ => {}
        }
        let all = |kind: PageKind, gain| self.tiers[kind as usize].pos(0, MAX_NR_TIERS, gain);
        let anon = all(PageKind::Anon, swappiness);
        if anon.allows(all(PageKind::File, 200 - swappiness)) {
            PageKind::File
        } else {
            PageKind::Anon
        }
    }

    /// Old generations of a kind were given up so often.
    pub fn generations_gone(&mut self, gone: [u64; 2]) {
        for (tiers, &times) in self.tiers.iter_mut().zip(&gone) {
            for _ in 0..times {
                tiers.carry_over();
            }
        }
    }

    /// inc_max_seq over all partitions, after a walk; notes how often each class has been used.
    pub fn age(&mut self, pages: &Pages) {
        let mut gone = [0; 2];
        for part in &mut self.parts {
            if let Some(gens) = part.gens_mut() {
                let dropped = gens.age();
                gone = [gone[0].max(dropped[0]), gone[1].max(dropped[1])];
            }
        }
        self.generations_gone(gone);
        let Some(max_seq) = self.parts[0].gens().map(|gens| gens.max_seq) else { return };
        for (heats, class) in self.walks.iter_mut().zip(pages.each()) {
            heats[(max_seq % MAX_NR_GENS) as usize] = class.now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::{ClassConfig, test_pages};
    use crate::lru::entry::Entry;

    fn lruvec() -> Lruvec {
        Lruvec::new(vec![Partition::classic(64)], 1)
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
        let mut tiers = Tiers::default();
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
        assert_eq!(v.kind_to_scan(0), PageKind::File);
        assert_eq!(v.kind_to_scan(200), PageKind::Anon);
        assert_eq!(v.kind_to_scan(60), PageKind::File);
        v.tiers[1].evicted[0] = 10_000;
        v.tiers[1].refaulted[0] = 9_000;
        v.tiers[0].evicted[0] = 10_000;
        assert_eq!(v.kind_to_scan(60), PageKind::Anon);
    }
}
