//! One partition of an lruvec: a set of lists under one lru_lock.
//!
//! An lruvec that is not partitioned has one. Placement is a choice: by the CPU that adds a folio
//! batch, by batches in turn, or page by page; the first two take one lock a batch.
//!
//! The lists are four ([`Lists::Classic`], 7.2 mm/vmscan.c: shrink_lruvec) or four generations of
//! either kind ([`Lists::Generations`], MGLRU: lru_gen_shrink_lruvec).

use super::class::{Order, PageKind, Pages};
use super::entry::{self, ClassId, Entry, Flags};
use super::generations::Generations;
use super::list::List;
use super::marks::{AllMarks, moves_at_use};
use crate::config::ZONES_PER_NODE;
use engine::Stream;
use std::collections::BTreeSet;
use std::ops::Range;

/// The classic lists, in the order in which a pass goes through them (enum lru_list).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LruList {
    /// inactive_anon.
    InactiveAnon = 0,
    /// active_anon.
    ActiveAnon = 1,
    /// inactive_file.
    InactiveFile = 2,
    /// active_file.
    ActiveFile = 3,
}

impl LruList {
    /// All of them, in order.
    pub const ALL: [Self; 4] =
        [Self::InactiveAnon, Self::ActiveAnon, Self::InactiveFile, Self::ActiveFile];

    /// The list of this kind, active or not.
    #[must_use]
    pub const fn of(kind: PageKind, active: bool) -> Self {
        Self::ALL[2 * kind as usize + active as usize]
    }

    /// What stands on it.
    #[must_use]
    pub const fn kind(self) -> PageKind {
        match self {
            Self::InactiveAnon | Self::ActiveAnon => PageKind::Anon,
            Self::InactiveFile | Self::ActiveFile => PageKind::File,
        }
    }

    /// Whether it is an active list.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::ActiveAnon | Self::ActiveFile)
    }
}

/// The pages of a partition.
#[derive(Clone, Debug)]
pub enum Lists {
    /// By [`LruList`].
    Classic(Box<[List; 4]>),
    /// MGLRU.
    Generations(Generations),
}

/// A partition.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Its lists.
    pub lists: Lists,
    /// When its pages under writeback are written, in nanoseconds: each time once, however often
    /// such a page was met and put back.
    written: BTreeSet<u64>,
    /// The marks of pages on the inactive file list that are used by read(), where it is the only
    /// one of its lruvec.
    marks: Option<Box<AllMarks>>,
}

impl Partition {
    /// Four empty lists with cohorts of up to `cohort_max` pages.
    #[must_use]
    pub fn classic(cohort_max: u64) -> Self {
        let lists = Box::new(core::array::from_fn(|_| List::new(cohort_max)));
        Self { lists: Lists::Classic(lists), written: BTreeSet::new(), marks: None }
    }

    /// The same, moving pages that are used by read() at their second use: that is only for an
    /// lruvec that is not partitioned, since it must be known where they stand.
    #[must_use]
    pub fn with_marks(self) -> Self {
        let is_classic = matches!(self.lists, Lists::Classic(_));
        Self { marks: is_classic.then(Box::default), ..self }
    }

    /// Empty generations; `older_rules` are those of 6.12.
    #[must_use]
    pub fn generations(cohort_max: u64, older_rules: bool) -> Self {
        let lists = Lists::Generations(Generations::new(cohort_max, older_rules));
        Self { lists, written: BTreeSet::new(), marks: None }
    }

    /// Pages of a kind that count as inactive: the inactive list, or all but the two youngest
    /// generations.
    #[must_use]
    #[inline]
    pub fn inactive(&self, kind: PageKind) -> u64 {
        match &self.lists {
            Lists::Classic(lists) => {
                lists[LruList::of(kind, false) as usize].size() - self.holes(kind)
            }
            Lists::Generations(gens) => gens.inactive(kind),
        }
    }

    /// Pages of a kind that count as active: the active list, or the two youngest generations.
    #[must_use]
    #[inline]
    pub fn active(&self, kind: PageKind) -> u64 {
        match &self.lists {
            Lists::Classic(lists) => lists[LruList::of(kind, true) as usize].size(),
            Lists::Generations(gens) => gens.active(kind),
        }
    }

    /// Pages of a kind.
    #[must_use]
    pub fn size(&self, kind: PageKind) -> u64 {
        self.inactive(kind) + self.active(kind)
    }

    /// Pages by zone kind.
    #[must_use]
    pub fn by_zone(&self) -> [u64; ZONES_PER_NODE] {
        let mut sum = [0; ZONES_PER_NODE];
        for list in self.each() {
            for (s, p) in sum.iter_mut().zip(list.by_zone()) {
                *s += p;
            }
        }
        if let Some(marks) = &self.marks {
            for (s, holes) in sum.iter_mut().zip(marks.holes_by_zone()) {
                *s -= holes;
            }
        }
        sum
    }

    /// Places of the inactive list of a kind whose pages have become active.
    fn holes(&self, kind: PageKind) -> u64 {
        match &self.marks {
            Some(marks) if kind == PageKind::File => marks.holes(),
            _ => 0,
        }
    }

    /// Pages of a class that is used at random by read() are used `mean` times each, with 32
    /// fraction bits; says how many become active.
    pub fn use_at_random(
        &mut self,
        id: ClassId,
        mean: u64,
        (entered, pages): (u64, &Pages),
        draws: &mut Stream,
    ) -> u64 {
        let (Lists::Classic(lists), Some(marks)) = (&mut self.lists, &mut self.marks) else {
            return 0;
        };
        let active = marks.use_at_random(id.index(), mean, draws);
        let heat = pages.class(id).now();
        for (zone, &count) in active.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (zone, count) = (zone as u8, count as u32);
            let e = Entry { heat, count, class: id, zone, ..Entry::default() };
            lists[LruList::ActiveFile as usize].add(e, entered, pages);
        }
        active.iter().sum()
    }

    /// `count` uses by read() of a loop from number `first` on found their pages; says how many
    /// become active.
    pub fn use_in_order(
        &mut self,
        id: ClassId,
        uses: (u64, u64),
        (entered, pages): (u64, &Pages),
    ) -> u64 {
        let (Lists::Classic(lists), Some(marks)) = (&mut self.lists, &mut self.marks) else {
            return 0;
        };
        let active = marks.use_in_order(pages.class(id), id.index(), uses);
        for &(zone, heat, count) in &active {
            let (zone, count) = (zone as u8, count as u32);
            let e = Entry { heat, count, class: id, zone, ..Entry::default() };
            lists[LruList::ActiveFile as usize].add(e, entered, pages);
        }
        active.iter().map(|run| run.2).sum()
    }

    /// The lists themselves.
    pub fn each(&self) -> impl Iterator<Item = &List> {
        let lists: Vec<&List> = match &self.lists {
            Lists::Classic(lists) => lists.iter().collect(),
            Lists::Generations(gens) => gens.each().collect(),
        };
        lists.into_iter()
    }

    /// Pages join the lists where their state says: the head of the active or inactive list, or
    /// their generation.
    #[inline]
    pub fn add(&mut self, e: Entry, entered: u64, pages: &Pages) {
        if e.flags.has(Flags::RECLAIM.with(Flags::SWAPPED)) {
            self.written.insert(e.due);
        }
        match &mut self.lists {
            Lists::Classic(lists) => {
                let class = pages.class(e.class);
                let list = LruList::of(class.config.kind, e.flags.has(Flags::ACTIVE));
                let mut e = e.flagged(e.flags.without(Flags::ACTIVE));
                if !list.is_active()
                    && let Some(marks) = &mut self.marks
                    && moves_at_use(class)
                {
                    if class.config.order == Order::Random {
                        // Uses on the way to the list are not seen.
                        e.heat = class.now();
                    }
                    marks.enter(&e, class);
                }
                lists[list as usize].add(e, entered, pages);
            }
            Lists::Generations(gens) => gens.add(e, entered, pages),
        }
    }

    /// Whether the writeback of so many pages is over by now that still stand where they were.
    #[must_use]
    pub fn has_written(&self, pages: usize, now: u64) -> bool {
        self.written.range(..=now).nth(pages.saturating_sub(1)).is_some()
    }

    /// The next times, so many at most, at which a page is written.
    pub fn written_after(&self, now: u64, most: usize) -> impl Iterator<Item = u64> {
        self.written.range(now + 1..).copied().take(most)
    }

    /// Takes the pages of a kind whose writeback is over to `out`.
    pub fn take_written(&mut self, kind: PageKind, now: u64, out: &mut Vec<Entry>) {
        self.written = self.written.split_off(&(now + 1));
        match &mut self.lists {
            Lists::Classic(lists) => {
                for active in [false, true] {
                    lists[LruList::of(kind, active) as usize].take_written(now, out);
                }
            }
            Lists::Generations(gens) => {
                gens.of_kind(kind).for_each(|list| list.take_written(now, out));
            }
        }
    }

    /// Pages go to the tail of the inactive list, or of the oldest generation.
    pub fn add_tail(&mut self, e: Entry, pages: &Pages) {
        let kind = pages.class(e.class).config.kind;
        match &mut self.lists {
            Lists::Classic(lists) => {
                lists[LruList::of(kind, false) as usize].add_tail(e, pages);
            }
            Lists::Generations(gens) => gens.add_tail(e, pages),
        }
    }

    /// Takes up to `n` pages off the tail of a classic list; says how many.
    pub fn take(
        &mut self,
        list: LruList,
        n: u64,
        pages: &Pages,
        draws: &mut Stream,
        out: &mut Vec<Entry>,
    ) -> u64 {
        match &mut self.lists {
            Lists::Classic(lists) => match &mut self.marks {
                Some(marks) if list == LruList::InactiveFile => {
                    take_marked(&mut lists[list as usize], marks, n, pages, draws, out)
                }
                _ => lists[list as usize].take(n, pages, draws, out),
            },
            Lists::Generations(_) => 0,
        }
    }

    /// Takes all pages of these classes of a kind to `out`, of loops those used before number
    /// `before`.
    pub fn purge(
        &mut self,
        kind: PageKind,
        classes: &Range<u16>,
        before: u64,
        pages: &Pages,
        out: &mut Vec<Entry>,
    ) {
        match &mut self.lists {
            Lists::Classic(lists) => {
                for active in [false, true] {
                    lists[LruList::of(kind, active) as usize].purge(classes, before, pages, out);
                }
            }
            Lists::Generations(gens) => {
                for list in gens.of_kind(kind) {
                    list.purge(classes, before, pages, out);
                }
            }
        }
    }

    /// The generations, if these are generations.
    #[must_use]
    pub fn gens(&self) -> Option<&Generations> {
        match &self.lists {
            Lists::Classic(_) => None,
            Lists::Generations(gens) => Some(gens),
        }
    }

    /// The same, to change.
    pub fn gens_mut(&mut self) -> Option<&mut Generations> {
        match &mut self.lists {
            Lists::Classic(_) => None,
            Lists::Generations(gens) => Some(gens),
        }
    }

    /// When the pages of a kind that the next take finds entered, if there are any.
    #[must_use]
    #[inline]
    pub fn oldest(&self, kind: PageKind) -> Option<u64> {
        match &self.lists {
            Lists::Classic(lists) => lists[LruList::of(kind, false) as usize].oldest(),
            Lists::Generations(gens) => gens.oldest(kind),
        }
    }

    /// Whether the inactive list of a kind is too short beside the active one (7.2
    /// mm/vmscan.c:inactive_is_low): inactive x sqrt(10 x size in GiB) < active. Generations have
    /// no such rule.
    #[must_use]
    pub fn inactive_is_low(&self, kind: PageKind) -> bool {
        if self.gens().is_some() {
            return false;
        }
        let (inactive, active) = (self.inactive(kind), self.active(kind));
        let gib = (inactive + active) >> 18;
        let ratio = if gib == 0 { 1 } else { (10 * gib).isqrt() };
        inactive * ratio < active
    }
}

/// Takes `n` pages off the tail of an inactive list in which some places are holes.
fn take_marked(
    list: &mut List,
    marks: &mut AllMarks,
    n: u64,
    pages: &Pages,
    draws: &mut Stream,
    out: &mut Vec<Entry>,
) -> u64 {
    let mut got = 0;
    let mut places = Vec::new();
    while got < n && list.take(n - got, pages, draws, &mut places) > 0 {
        for e in places.drain(..) {
            if !moves_at_use(pages.class(e.class)) {
                got += u64::from(e.count);
                entry::merge(out, e, pages.is_loop(e.class));
                continue;
            }
            marks.leave(&e, pages, draws, |p| {
                got += u64::from(p.count);
                entry::merge(out, p, pages.is_loop(p.class));
            });
        }
    }
    got
}
