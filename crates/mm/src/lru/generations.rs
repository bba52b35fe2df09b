//! MGLRU's lists: up to four generations of anonymous and file pages (7.2 include/linux/mmzone.h:
//! struct lru_gen_folio; mm_inline.h: lru_gen_folio_seq, lru_tier_from_refs; mm/vmscan.c:
//! sort_folio, scan_folios, folio_inc_gen, try_to_inc_min_seq, inc_min_seq, inc_max_seq; for 6.x
//! the same names there).
//!
//! What a page table walk finds used belongs to the generation that is the youngest then, but stays
//! on its old list until eviction meets it. So nothing moves at a walk: each class's heat is noted,
//! and what a page met by eviction would have been at each walk is drawn then.

use super::class::{Order, PageKind, Pages};
use super::entry::{Entry, Flags};
use super::list::List;
pub use super::tier::{MAX_NR_TIERS, REFS_MAX, is_promoted, tier};
use engine::Stream;

/// Generations that must stay young (include/linux/mmzone.h: MIN_NR_GENS).
pub const MIN_NR_GENS: u64 = 2;
/// Generations that can exist at once (MAX_NR_GENS).
pub const MAX_NR_GENS: u64 = 4;
/// How often each class had been used at the walk that made each of the last generations, by class
/// and sequence number modulo four.
pub type Walks = Vec<[u64; MAX_NR_GENS as usize]>;

/// What a scan of the oldest generation found.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// Pages for shrink_folio_list, and the tier of each kind of them (their shadows keep it).
    pub isolated: Vec<(Entry, u8)>,
    /// How many those are.
    pub nr_isolated: u64,
    /// Pages looked at.
    pub nr_scanned: u64,
    /// Pages moved to a younger generation instead, with those of a protected tier among them.
    pub nr_sorted: u64,
    /// Pages of a protected tier by tier.
    pub nr_protected: [u64; MAX_NR_TIERS],
}

/// The generations of one partition.
#[derive(Clone, Debug)]
pub struct Generations {
    gens: Box<[[List; 2]; MAX_NR_GENS as usize]>,
    /// The oldest generation of anonymous and of file pages.
    pub min_seq: [u64; 2],
    /// The youngest generation.
    pub max_seq: u64,
    /// Whether the rules are those before 6.14 ([`catalog::Flavour::lru_gen_older_rules`]).
    older_rules: bool,
}

/// With what a scan sorts.
#[derive(Clone, Copy, Debug)]
pub struct Sorting<'a> {
    /// The classes.
    pub pages: &'a Pages,
    /// Their heats at the walks.
    pub walks: &'a Walks,
    /// The highest tier that may be evicted.
    pub tier_idx: u8,
    /// The time, in nanoseconds.
    pub now: u64,
}

impl Generations {
    /// Four empty generations (lru_gen_init_lruvec: the youngest is number 3).
    #[must_use]
    pub fn new(cohort_max: u64, older_rules: bool) -> Self {
        let list = || List::new(cohort_max);
        let gens = Box::new(core::array::from_fn(|_| [list(), list()]));
        Self { gens, min_seq: [0, 0], max_seq: MIN_NR_GENS + 1, older_rules }
    }

    fn at(&self, seq: u64, kind: usize) -> &List {
        &self.gens[(seq % MAX_NR_GENS) as usize][kind]
    }

    fn at_mut(&mut self, seq: u64, kind: usize) -> &mut List {
        &mut self.gens[(seq % MAX_NR_GENS) as usize][kind]
    }

    /// Every list.
    pub fn each(&self) -> impl Iterator<Item = &List> {
        self.gens.iter().flatten()
    }

    /// Every list of a kind, to change.
    pub fn of_kind(&mut self, kind: PageKind) -> impl Iterator<Item = &mut List> {
        self.gens.iter_mut().map(move |lists| &mut lists[kind as usize])
    }

    /// Pages of one generation and kind.
    #[must_use]
    pub fn size(&self, seq: u64, kind: PageKind) -> u64 {
        self.at(seq, kind as usize).size()
    }

    /// Pages of a kind over all generations.
    #[must_use]
    pub fn total(&self, kind: PageKind) -> u64 {
        self.gens.iter().map(|gen_lists| gen_lists[kind as usize].size()).sum()
    }

    /// Pages of the two youngest generations.
    #[must_use]
    pub fn active(&self, kind: PageKind) -> u64 {
        (self.max_seq + 1 - MIN_NR_GENS..=self.max_seq).map(|s| self.size(s, kind)).sum()
    }

    /// Pages of all older ones.
    #[must_use]
    pub fn inactive(&self, kind: PageKind) -> u64 {
        self.total(kind) - self.active(kind)
    }

    /// When the oldest pages that eviction may take entered, if there are any.
    #[must_use]
    pub fn oldest(&self, kind: PageKind) -> Option<u64> {
        let k = kind as usize;
        (self.min_seq[k]..=self.max_seq - MIN_NR_GENS).find_map(|s| self.at(s, k).oldest())
    }

    /// Pages of the oldest generation that may be evicted and is not empty.
    #[must_use]
    pub fn takeable(&self, kind: PageKind) -> u64 {
        (self.min_seq[kind as usize]..=self.max_seq - MIN_NR_GENS)
            .map(|s| self.size(s, kind))
            .find(|&size| size > 0)
            .unwrap_or(0)
    }

    /// The generation that a page of this kind and state joins (lru_gen_folio_seq): what is used
    /// hardest in the youngest, anonymous pages in the one before, file pages in the oldest that
    /// max_seq - 3 allows, one later if they are referenced or workingset.
    #[must_use]
    pub fn seq_for(&self, kind: PageKind, flags: Flags) -> u64 {
        let min_seq = self.min_seq[kind as usize];
        let back = if flags.has(Flags::ACTIVE) {
            u64::from(!(flags.has(Flags::WORKINGSET) || self.older_rules))
        } else if kind == PageKind::Anon {
            1
        } else if self.older_rules {
            let oldest = min_seq + MIN_NR_GENS >= self.max_seq;
            return if oldest { min_seq } else { min_seq + 1 };
        } else if flags.has(Flags::WORKINGSET) || flags.has(Flags::REFERENCED) {
            2
        } else {
            3
        };
        self.max_seq.saturating_sub(back).max(min_seq)
    }

    /// Pages join the generation that their state asks for.
    pub fn add(&mut self, e: Entry, entered: u64, pages: &Pages) {
        let kind = pages.class(e.class).config.kind;
        let seq = self.seq_for(kind, e.flags);
        let e = e.flagged(e.flags.without(Flags::ACTIVE));
        self.at_mut(seq, kind as usize).add(e, entered, pages);
    }

    /// Pages go to the tail of the oldest generation.
    pub fn add_tail(&mut self, e: Entry, pages: &Pages) {
        let kind = pages.class(e.class).config.kind as usize;
        let seq = self.min_seq[kind];
        self.at_mut(seq, kind).add_tail(e, pages);
    }

    /// The state in which a page that eviction rejected goes back: never to the oldest generation.
    #[must_use]
    pub fn rejected(&self, kind: PageKind, e: &Entry, now: u64) -> Flags {
        let flags = e.flags;
        let waits = flags.has(Flags::SWAPPED.with(Flags::RECLAIM)) && e.due > now;
        if self.older_rules && !waits {
            return flags.without(Flags::REFERENCED).without(Flags::WORKINGSET).with(Flags::ACTIVE);
        }
        if self.seq_for(kind, flags) == self.min_seq[kind as usize] {
            return flags.without(Flags::REFERENCED).with(Flags::ACTIVE);
        }
        flags
    }

    /// Gives up old generations that are empty, down to two, of kinds that can be evicted
    /// (try_to_inc_min_seq). Says of which kinds: the averages of their tiers age. Where both can
    /// be evicted neither goes down to two generations while the other has four; by the older
    /// rules file pages follow anonymous ones.
    pub fn drop_empty(&mut self, kinds: [bool; 2]) -> [bool; 2] {
        let mut min_seq = self.min_seq;
        for kind in (0..2).filter(|&kind| kinds[kind]) {
            while min_seq[kind] + MIN_NR_GENS <= self.max_seq
                && self.at(min_seq[kind], kind).size() == 0
            {
                min_seq[kind] += 1;
            }
        }
        if min_seq == self.min_seq {
            return [false; 2];
        }
        if kinds == [true; 2] {
            let [anon, file] = min_seq;
            let seq = self.max_seq - MIN_NR_GENS;
            if self.older_rules {
                min_seq[0] = anon.min(file);
                min_seq[1] = min_seq[0].max(self.min_seq[1]);
            } else if anon > seq && file < seq {
                min_seq[0] = seq;
            } else if file > seq && anon < seq {
                min_seq[1] = seq;
            }
        }
        let mut dropped = [false; 2];
        for kind in (0..2).filter(|&kind| kinds[kind]) {
            dropped[kind] = min_seq[kind] > self.min_seq[kind];
            self.min_seq[kind] = min_seq[kind].max(self.min_seq[kind]);
        }
        dropped
    }

    /// How many generations the kind has that goes first of those that can be evicted.
    #[must_use]
    pub fn generations_of(&self, kinds: [bool; 2]) -> u64 {
        let kind = usize::from(!kinds[0]);
        self.max_seq - self.min_seq[kind] + 1
    }

    /// Scans the oldest generation of a kind: up to `scan` pages, until `want` are isolated. Pages
    /// that a walk promoted go to their generation, those of a tier above `tier_idx`, or used very
    /// often, to the next one.
    pub fn scan(
        &mut self,
        kind: PageKind,
        (scan, want): (u64, u64),
        with: Sorting<'_>,
        draws: &mut Stream,
    ) -> Scanned {
        let k = kind as usize;
        let mut found = Scanned::default();
        let seq = self.min_seq[k];
        if seq + MIN_NR_GENS > self.max_seq {
            return found;
        }
        let mut taken = Vec::new();
        while found.nr_isolated < want && found.nr_scanned < scan {
            let n = (want - found.nr_isolated).min(scan - found.nr_scanned);
            taken.clear();
            let got = self.at_mut(seq, k).take(n, with.pages, draws, &mut taken);
            if got == 0 {
                break;
            }
            found.nr_scanned += got;
            for e in &taken {
                self.sort(e, seq, with, draws, &mut found);
            }
        }
        found
    }

    /// sort_folio for pages off generation `seq`.
    fn sort(
        &mut self,
        e: &Entry,
        seq: u64,
        with: Sorting<'_>,
        draws: &mut Stream,
        found: &mut Scanned,
    ) {
        let pages = with.pages;
        let class = pages.class(e.class);
        let kind = class.config.kind as usize;
        if e.flags.has(Flags::SWAPPED) {
            if self.older_rules && e.flags.has(Flags::RECLAIM) && e.due > with.now {
                // Under writeback: it waits in the next generation.
                found.nr_sorted += u64::from(e.count);
                self.at_mut(seq + 1, kind).add(*e, 0, pages);
                return;
            }
            found.nr_isolated += u64::from(e.count);
            found.isolated.push((*e, tier(0, e.flags)));
            return;
        }
        let mut parts: Vec<(Entry, u64, u32)> = Vec::new();
        if class.config.mapped {
            self.resolve_walks(e, (seq, self.max_seq), with, draws, &mut parts);
        } else {
            // The use that brought them counts as one, unless that was forgotten.
            let first = u32::from(!e.flags.has(Flags::FORGOTTEN));
            let most = REFS_MAX + 1 - first;
            pages.split_by_uses(e, class.now(), most, draws, |p, uses| {
                parts.push((p, seq, uses + first));
            });
        }
        for (mut p, at, uses) in parts {
            let count = u64::from(p.count);
            let page_tier = tier(uses, p.flags);
            let promoted = is_promoted(uses, p.flags);
            if at > seq {
                found.nr_sorted += count;
                self.at_mut(at, kind).add(p, 0, pages);
            } else if promoted || page_tier > with.tier_idx {
                found.nr_sorted += count;
                if !promoted {
                    found.nr_protected[usize::from(page_tier)] += count;
                }
                p.flags = self.moved_on(p.flags, class.config.mapped);
                if uses > REFS_MAX && !self.older_rules {
                    p.flags = p.flags.with(Flags::WORKINGSET);
                }
                self.at_mut(seq + 1, kind).add(p, 0, pages);
            } else {
                found.nr_isolated += count;
                if !class.config.mapped && class.config.order == Order::Random {
                    // They keep their time: a page that is kept has all its uses still to show.
                    p.heat = e.heat;
                }
                found.isolated.push((p, page_tier));
            }
        }
    }

    /// What is left of a page's marks when it goes to the next generation (folio_inc_gen).
    fn moved_on(&self, flags: Flags, mapped: bool) -> Flags {
        let flags = flags.without(Flags::REFERENCED);
        let flags = if mapped { flags } else { flags.with(Flags::FORGOTTEN) };
        if self.older_rules { flags.without(Flags::WORKINGSET) } else { flags }
    }

    /// What the walks since made of mapped pages of generation `seq`: at each walk those used since
    /// the one before are marked referenced first, and belong to the generation that was the
    /// youngest then from the second time on; by the older rules at once (folio_update_gen).
    fn resolve_walks(
        &self,
        e: &Entry,
        (seq, last): (u64, u64),
        with: Sorting<'_>,
        draws: &mut Stream,
        parts: &mut Vec<(Entry, u64, u32)>,
    ) {
        parts.push((*e, seq, 0));
        let Some(heats) = with.walks.get(e.class.index()) else { return };
        let class = with.pages.class(e.class);
        for made in seq + 1..=last {
            let heat = heats[(made % MAX_NR_GENS) as usize];
            let before = core::mem::take(parts);
            for (mut p, at, uses) in before {
                // Those that joined the list after this walk; of a loop's run its end.
                let later = class.later(&p, heat);
                p.count -= later;
                if p.count == 0 {
                    parts.push((p.of(later), at, uses));
                    continue;
                }
                let young = p.flags.has(Flags::YOUNG);
                with.pages.split_by_uses(&p, heat, 1, draws, |q, used| {
                    if used == 0 && !young {
                        parts.push((q, at, uses));
                        return;
                    }
                    let flags = q.flags.without(Flags::YOUNG);
                    let referenced = flags.has(Flags::REFERENCED);
                    let known = referenced || flags.has(Flags::WORKINGSET) || self.older_rules;
                    if !known {
                        parts.push((q.flagged(flags.with(Flags::REFERENCED)), at, uses));
                        return;
                    }
                    let flags = flags.without(Flags::REFERENCED).without(Flags::WORKINGSET);
                    let mark = if self.older_rules { flags } else { flags.with(Flags::WORKINGSET) };
                    parts.push((q.flagged(mark), at.max(made - 1), uses));
                });
                if later > 0 {
                    parts.push((Entry { heat, ..p.of(later) }, at, uses));
                }
            }
        }
    }

    /// Whether a new generation shall be made before eviction goes on (7.2 should_run_aging): the
    /// oldest generation is one of the two youngest; or, below the first priority, just behind
    /// them. `kinds` says which kinds can be evicted at all.
    #[must_use]
    pub fn should_age(&self, first_priority: bool, kinds: [bool; 2]) -> bool {
        let oldest = (0..2).filter(|&kind| kinds[kind]).map(|kind| self.min_seq[kind]).min();
        oldest.is_some_and(|seq| {
            seq + MIN_NR_GENS > self.max_seq
                || (!first_priority && seq + MIN_NR_GENS == self.max_seq)
        })
    }

    /// The same by the sizes of the generations (6.12 should_run_aging): young ones are more than
    /// half of all, or old ones fewer than a quarter.
    #[must_use]
    pub fn should_age_by_size(&self, first_priority: bool, kinds: [bool; 2]) -> bool {
        let oldest = (0..2).filter(|&kind| kinds[kind]).map(|kind| self.min_seq[kind]).min();
        let Some(min_seq) = oldest else { return false };
        if min_seq + MIN_NR_GENS > self.max_seq {
            return true;
        }
        if first_priority || min_seq + MIN_NR_GENS < self.max_seq {
            return false;
        }
        let (mut young, mut old, mut total) = (0, 0, 0);
        for kind in (0..2).filter(|&kind| kinds[kind]) {
            for seq in self.min_seq[kind]..=self.max_seq {
                let size = self.at(seq, kind).size();
                total += size;
                if seq == self.max_seq {
                    young += size;
                } else if seq + MIN_NR_GENS == self.max_seq {
                    old += size;
                }
            }
        }
        young * MIN_NR_GENS > total || old * (MIN_NR_GENS + 2) < total
    }

    /// Pages that making a new generation has to move first, of each kind: those of its oldest
    /// generation when there are four already.
    #[must_use]
    pub fn to_merge(&self) -> u64 {
        let full = |kind: usize| self.max_seq - self.min_seq[kind] + 1 == MAX_NR_GENS;
        (0..2).filter(|&k| full(k)).map(|k| self.at(self.min_seq[k], k).size()).sum()
    }

    /// Makes a new generation (inc_max_seq). Of a kind that has four the oldest is given up first:
    /// its pages go behind those of the next (inc_min_seq). They keep their order and their marks;
    /// the kernel turns the order round and forgets their uses. Says for each kind whether one was
    /// given up, and the pages by tier.
    pub fn age(
        &mut self,
        (pages, walks): (&Pages, &Walks),
        draws: &mut Stream,
    ) -> [Option<[u64; MAX_NR_TIERS]>; 2] {
        let mut merged = [None; 2];
        for (kind, moved) in merged.iter_mut().enumerate() {
            if self.max_seq - self.min_seq[kind] + 1 == MAX_NR_GENS {
                let seq = self.min_seq[kind];
                let empty = self.at(seq, kind).emptied();
                let oldest = core::mem::replace(self.at_mut(seq, kind), empty);
                let with = Sorting { pages, walks, tier_idx: 0, now: 0 };
                *moved = Some(self.tiers_of(&oldest, seq, with, draws));
                let empty = oldest.emptied();
                let next = core::mem::replace(self.at_mut(seq + 1, kind), empty);
                let mut joined = oldest;
                joined.append(next);
                *self.at_mut(seq + 1, kind) = joined;
                self.min_seq[kind] += 1;
            }
        }
        self.max_seq += 1;
        merged
    }

    /// Pages of generation `seq` by tier: of a loop as walks left them, others by mean use.
    fn tiers_of(
        &self,
        list: &List,
        seq: u64,
        with: Sorting<'_>,
        draws: &mut Stream,
    ) -> [u64; MAX_NR_TIERS] {
        let mut tiers = [0; MAX_NR_TIERS];
        let mut parts = Vec::new();
        for e in list.each().flat_map(|cohort| &cohort.entries) {
            let class = with.pages.class(e.class);
            let mapped = class.config.mapped;
            if mapped && class.config.order == Order::Loop {
                parts.clear();
                // The walk that makes the next generation was done just now.
                self.resolve_walks(e, (seq, self.max_seq + 1), with, draws, &mut parts);
                for (p, _, _) in parts.iter().filter(|part| part.1 == seq) {
                    tiers[usize::from(tier(0, p.flags))] += u64::from(p.count);
                }
                continue;
            }
            let uses = if mapped || class.config.order == Order::Loop {
                0
            } else {
                let first = u64::from(!e.flags.has(Flags::FORGOTTEN));
                first + (class.now().saturating_sub(e.heat) >> 32)
            };
            let uses = uses.min(u64::from(REFS_MAX)) as u32;
            if !is_promoted(uses, e.flags) {
                tiers[usize::from(tier(uses, e.flags))] += u64::from(e.count);
            }
        }
        tiers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::{ClassConfig, Order};
    use crate::lru::entry::ClassId;

    fn pages(kind: PageKind, mapped: bool) -> Pages {
        Pages::new(&[ClassConfig {
            kind,
            mapped,
            mapping: None,
            pages: 10_000,
            order: Order::Random,
            memcg: 0,
        }])
    }

    fn some(count: u32, flags: Flags) -> Entry {
        Entry { count, flags, ..Entry::default() }
    }

    #[test]
    fn pages_land_where_their_state_says() {
        let gens = Generations::new(64, false);
        let at = |kind, flags| gens.seq_for(kind, flags);
        assert_eq!(at(PageKind::File, Flags::default()), 0);
        assert_eq!(at(PageKind::File, Flags::REFERENCED), 1);
        assert_eq!(at(PageKind::Anon, Flags::default()), 2);
        assert_eq!(at(PageKind::File, Flags::ACTIVE), 2);
        assert_eq!(at(PageKind::File, Flags::ACTIVE.with(Flags::WORKINGSET)), 3);
        let older = Generations::new(64, true);
        assert_eq!(older.seq_for(PageKind::File, Flags::default()), 1);
        assert_eq!(older.seq_for(PageKind::Anon, Flags::ACTIVE), 3);
    }

    #[test]
    fn a_fourth_generation_is_joined_to_the_next() {
        let pages = pages(PageKind::Anon, false);
        let mut gens = Generations::new(64, false);
        gens.add(some(100, Flags::default()), 0, &pages);
        let mut draws = Stream::new(1, "test", 0);
        let none = [None; 2];
        assert_eq!(gens.drop_empty([true; 2]), [true; 2]);
        assert_eq!((gens.min_seq, gens.max_seq), ([2, 2], 3));
        assert_eq!((gens.age((&pages, &Vec::new()), &mut draws), gens.max_seq), (none, 4));
        gens.add(some(50, Flags::default()), 0, &pages);
        assert_eq!((gens.age((&pages, &Vec::new()), &mut draws), gens.max_seq), (none, 5));
        assert_eq!(gens.to_merge(), 100);
        assert_eq!(
            gens.age((&pages, &Vec::new()), &mut draws),
            [Some([100, 0, 0, 0]), Some([0; 4])]
        );
        assert_eq!((gens.size(3, PageKind::Anon), gens.max_seq), (150, 6));
        assert_eq!(gens.total(PageKind::Anon), 150);
    }

    #[test]
    fn what_walks_found_used_goes_to_their_generations() {
        let mut p = pages(PageKind::Anon, true);
        let id = ClassId(0);
        p.arrive(id, 0, 10_000, 0);
        let mut gens = Generations::new(64, false);
        for _ in 0..157 {
            gens.add(some(63, Flags::REFERENCED), 0, &p);
        }
        gens.add(some(109, Flags::REFERENCED), 0, &p);
        let mut walks: Walks = vec![[0; 4]];
        let mut draws = Stream::new(1, "test", 0);
        // Half a use a page between two walks.
        for _ in 0..2 {
            p.class_mut(id).touch(5_000);
            gens.age((&p, &walks), &mut draws);
            walks[0][(gens.max_seq % 4) as usize] = p.class_mut(id).walked();
        }
        let with = Sorting { pages: &p, walks: &walks, tier_idx: 3, now: 0 };
        gens.drop_empty([true; 2]);
        let found = gens.scan(PageKind::Anon, (10_000, 10_000), with, &mut draws);
        assert_eq!(found.nr_scanned, 10_000);
        // e^-1 of them were used at neither walk; the others had the mark already.
        assert!(found.nr_isolated.abs_diff(3_679) < 150, "{}", found.nr_isolated);
        assert_eq!(found.nr_sorted, 10_000 - found.nr_isolated);
        // Those of the second walk are in the generation that was the youngest then.
        assert_eq!(gens.size(gens.max_seq, PageKind::Anon), 0);
        let youngest = gens.size(gens.max_seq - 1, PageKind::Anon);
        assert!(youngest.abs_diff(3_935) < 150, "{youngest}");
    }

    #[test]
    fn a_protected_tier_is_kept() {
        let mut p = pages(PageKind::File, false);
        let id = ClassId(0);
        p.arrive(id, 0, 10_000, 0);
        let mut gens = Generations::new(64, false);
        gens.add(some(1_000, Flags::default()), 0, &p);
        p.class_mut(id).touch(10_000);
        let mut draws = Stream::new(1, "test", 0);
        let with = Sorting { pages: &p, walks: &Vec::new(), tier_idx: 0, now: 0 };
        let found = gens.scan(PageKind::File, (1_000, 1_000), with, &mut draws);
        // Used once more or oftener: tier 1 and 2.
        assert!(found.nr_sorted.abs_diff(632) < 50, "{}", found.nr_sorted);
        // Those that were used four times more are promoted, and not counted: 1.9 % of all.
        let promoted = found.nr_sorted - found.nr_protected.iter().sum::<u64>();
        assert!((5..40).contains(&promoted), "{promoted}");
        assert_eq!(gens.size(1, PageKind::File), found.nr_sorted);
        let flags = |flag| {
            let entries = gens.each().flat_map(|list| list.each()).flat_map(|c| &c.entries);
            entries.filter(|e| e.flags.has(flag)).map(|e| u64::from(e.count)).sum::<u64>()
        };
        assert_eq!(
            (flags(Flags::WORKINGSET), flags(Flags::FORGOTTEN)),
            (promoted, found.nr_sorted)
        );
    }
}
