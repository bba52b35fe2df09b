//! MGLRU's lists: up to four generations of anonymous and file pages (7.2 include/linux/mmzone.h:
//! struct lru_gen_folio; mm_inline.h: lru_gen_folio_seq; mm/vmscan.c: sort_folio, scan_folios,
//! inc_min_seq, inc_max_seq).
//!
//! A page that a page table walk found used belongs to a younger generation from then on, but stays
//! on its old list until eviction meets it. So nothing moves at a walk here: each class's heat is
//! noted, and what a page met by eviction would have been at each walk is drawn then.

use super::class::{PageKind, Pages};
use super::entry::{Entry, Flags};
use super::list::List;
use engine::Stream;

/// Generations that must stay young (include/linux/mmzone.h: MIN_NR_GENS).
pub const MIN_NR_GENS: u64 = 2;
/// Generations that can exist at once (MAX_NR_GENS).
pub const MAX_NR_GENS: u64 = 4;
/// Tiers of a generation (MAX_NR_TIERS).
pub const MAX_NR_TIERS: usize = 4;

/// How often each class had been used at the walk that made each of the last generations, by class
/// and sequence number modulo four.
pub type Walks = Vec<[u64; MAX_NR_GENS as usize]>;

/// Pages with their generation and how often they were used.
type Part = (Entry, u64, u32);

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
    /// Whether pages enter by the rules of 6.12: file pages behind the oldest generation, what a
    /// fault brought in the youngest.
    older_rules: bool,
}

/// The tier of so many uses through file descriptors (lru_tier_from_refs); a workingset page has
/// the last.
#[must_use]
pub fn tier(uses: u32, flags: Flags) -> u8 {
    if flags.has(Flags::WORKINGSET) {
        return MAX_NR_TIERS as u8 - 1;
    }
    match uses {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    }
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

    /// Gives up old generations that are empty, down to two (try_to_inc_min_seq). Says how often
    /// for each kind: each time the averages of its tiers age.
    pub fn drop_empty(&mut self) -> [u64; 2] {
        let mut dropped = [0; 2];
        for (kind, count) in dropped.iter_mut().enumerate() {
            while self.min_seq[kind] + MIN_NR_GENS <= self.max_seq
                && self.at(self.min_seq[kind], kind).size() == 0
            {
                self.min_seq[kind] += 1;
                *count += 1;
            }
        }
        dropped
    }

    /// Scans the oldest generation of a kind: up to `scan` pages, until `want` are isolated. Pages
    /// that a walk promoted go to their generation, those of a tier above `tier_idx` to the next
    /// one.
    pub fn scan(
        &mut self,
        kind: PageKind,
        (scan, want): (u64, u64),
        tier_idx: u8,
        (pages, walks): (&Pages, &Walks),
        draws: &mut Stream,
    ) -> Scanned {
        let k = kind as usize;
        let mut found = Scanned::default();
        let seq = self.min_seq[k];
        if seq + MIN_NR_GENS > self.max_seq {
            return found;
        }
        let mut taken = Vec::new();
        let mut parts = [Vec::new(), Vec::new()];
        while found.nr_isolated < want && found.nr_scanned < scan {
            let n = (want - found.nr_isolated).min(scan - found.nr_scanned);
            taken.clear();
            let got = self.at_mut(seq, k).take(n, pages, draws, &mut taken);
            if got == 0 {
                break;
            }
            found.nr_scanned += got;
            for e in &taken {
                self.sort(e, (seq, tier_idx), (pages, walks), draws, &mut found, &mut parts);
            }
        }
        found
    }

    /// sort_folio for pages off generation `seq`.
    fn sort(
        &mut self,
        e: &Entry,
        (seq, tier_idx): (u64, u8),
        (pages, walks): (&Pages, &Walks),
        draws: &mut Stream,
        found: &mut Scanned,
        parts: &mut [Vec<Part>; 2],
    ) {
        let class = pages.class(e.class);
        let kind = class.config.kind as usize;
        if e.flags.has(Flags::SWAPPED) {
            // Unmapped: nobody can have used it.
            found.nr_isolated += u64::from(e.count);
            found.isolated.push((*e, tier(0, e.flags)));
            return;
        }
        if class.config.mapped {
            self.resolve_walks(e, seq, (pages, walks), draws, parts);
        } else {
            // The use that brought them counts as one.
            let parts = &mut parts[0];
            pages.split_by_uses(e, class.now(), 7, draws, |p, uses| parts.push((p, seq, uses + 1)));
        }
        for (mut p, at, uses) in parts[0].drain(..) {
            let count = u64::from(p.count);
            let page_tier = tier(if class.config.mapped { 0 } else { uses }, p.flags);
            if at > seq {
                found.nr_sorted += count;
                self.at_mut(at, kind).add(p, 0, pages);
            } else if page_tier > tier_idx {
                found.nr_sorted += count;
                found.nr_protected[usize::from(page_tier)] += count;
                p.flags = p.flags.without(Flags::REFERENCED).without(Flags::YOUNG);
                self.at_mut(seq + 1, kind).add(p, 0, pages);
            } else {
                found.nr_isolated += count;
                if !class.config.mapped && class.config.order == super::class::Order::Random {
                    // They keep their time: a page that is kept has all its uses still to show.
                    p.heat = e.heat;
                }
                found.isolated.push((p, page_tier));
            }
        }
    }

    /// What the walks since made of mapped pages of generation `seq`: at each walk those used since
    /// the one before are marked referenced first, and belong to the generation that the walk made
    /// from the second time on (folio_update_gen).
    fn resolve_walks(
        &self,
        e: &Entry,
        seq: u64,
        (pages, walks): (&Pages, &Walks),
        draws: &mut Stream,
        [parts, before]: &mut [Vec<Part>; 2],
    ) {
        parts.push((*e, seq, 0));
        let Some(heats) = walks.get(e.class.index()) else { return };
        for s in seq + 1..=self.max_seq {
            let heat = heats[(s % MAX_NR_GENS) as usize];
            core::mem::swap(parts, before);
            for (p, at, uses) in before.drain(..) {
                if heat <= p.heat {
                    // It joined the list after this walk.
                    parts.push((p, at, uses));
                    continue;
                }
                let young = p.flags.has(Flags::YOUNG);
                pages.split_by_uses(&p, heat, 1, draws, |q, used| {
                    if used == 0 && !young {
                        parts.push((q, at, uses));
                        return;
                    }
                    let flags = q.flags.without(Flags::YOUNG);
                    if !flags.has(Flags::REFERENCED) && !flags.has(Flags::WORKINGSET) {
                        parts.push((q.flagged(flags.with(Flags::REFERENCED)), at, uses));
                    } else {
                        let flags = flags.without(Flags::REFERENCED).with(Flags::WORKINGSET);
                        parts.push((q.flagged(flags), s, uses));
                    }
                });
            }
        }
    }

    /// Whether a new generation shall be made before eviction goes on (7.2 should_run_aging): the
    /// oldest pages are in the two youngest generations; or, below the first priority, just behind
    /// them. `kinds` says which kinds can be evicted at all.
    #[must_use]
    pub fn should_age(&self, first_priority: bool, kinds: [bool; 2]) -> bool {
        let oldest = (0..2)
            .filter(|&kind| kinds[kind])
            .filter_map(|kind| {
                (self.min_seq[kind]..=self.max_seq).find(|&s| self.at(s, kind).size() > 0)
            })
            .min();
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

    /// Makes a new generation (inc_max_seq); a kind that has four joins its oldest to the next
    /// first. Says for which kinds the oldest was given up.
    pub fn age(&mut self) -> [u64; 2] {
        let mut dropped = self.drop_empty();
        for (kind, count) in dropped.iter_mut().enumerate() {
            if self.max_seq - self.min_seq[kind] + 1 == MAX_NR_GENS {
                let seq = self.min_seq[kind];
                let empty = self.at(seq, kind).emptied();
                let mut oldest = core::mem::replace(self.at_mut(seq, kind), empty);
                let empty = oldest.emptied();
                let next = core::mem::replace(self.at_mut(seq + 1, kind), empty);
                oldest.append(next);
                *self.at_mut(seq + 1, kind) = oldest;
                self.min_seq[kind] += 1;
                *count += 1;
            }
        }
        self.max_seq += 1;
        dropped
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
        assert_eq!(gens.age(), [2, 3 - 1]);
        assert_eq!((gens.min_seq, gens.max_seq), ([2, 2], 4));
        gens.add(some(50, Flags::default()), 0, &pages);
        assert_eq!(gens.age()[0], 0);
        assert_eq!(gens.to_merge(), 100);
        assert_eq!(gens.age()[0], 1);
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
        // Half a use a page between two walks.
        for _ in 0..2 {
            p.class_mut(id).touch(5_000);
            gens.age();
            walks[0][(gens.max_seq % 4) as usize] = p.class(id).heat;
        }
        let mut draws = Stream::new(1, "test", 0);
        let found = gens.scan(PageKind::Anon, (10_000, 10_000), 3, (&p, &walks), &mut draws);
        assert_eq!(found.nr_scanned, 10_000);
        // e^-1 of them were used at neither walk; the others had the mark already.
        assert!(found.nr_isolated.abs_diff(3_679) < 150, "{}", found.nr_isolated);
        assert_eq!(found.nr_sorted, 10_000 - found.nr_isolated);
        let youngest = gens.size(gens.max_seq, PageKind::Anon);
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
        let found = gens.scan(PageKind::File, (1_000, 1_000), 0, (&p, &Vec::new()), &mut draws);
        // Used once more or oftener: tier 1 and 2.
        assert!(found.nr_sorted.abs_diff(632) < 50, "{}", found.nr_sorted);
        assert_eq!(found.nr_protected.iter().sum::<u64>(), found.nr_sorted);
        assert_eq!(gens.size(1, PageKind::File), found.nr_sorted);
    }
}
