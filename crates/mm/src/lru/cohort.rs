//! A run of pages that stand next to each other on a list.

use super::class::Pages;
use super::entry::{self, Entry, Flags};
use engine::Stream;
use std::ops::Range;

/// Pages that entered a list together, counted by class, zone and state. Their order inside is only
/// kept where all are of one loop: else what is taken off the tail is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cohort {
    /// The pages.
    pub entries: Vec<Entry>,
    /// How many in all.
    count: u64,
    /// How many pages had entered the node's lists when its first one did: its place in the order
    /// over all partitions.
    pub entered: u64,
}

impl Cohort {
    /// How many pages in all.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds pages.
    #[inline]
    pub fn add(&mut self, new: Entry, pages: &Pages) {
        self.count += u64::from(new.count);
        entry::merge(&mut self.entries, new, pages.is_loop(new.class));
    }

    /// Takes `n` of its pages (all when it has fewer) to `out`: of one loop the oldest, else drawn
    /// in proportion: whole shares first, the rest one by one.
    #[inline]
    pub fn take(&mut self, n: u64, pages: &Pages, draws: &mut Stream, out: &mut Vec<Entry>) -> u64 {
        let count = self.count;
        if n >= count {
            self.count = 0;
            for e in self.entries.drain(..) {
                entry::merge(out, e, pages.is_loop(e.class));
            }
            return count;
        }
        self.count -= n;
        if let [only] = self.entries.as_mut_slice() {
            // One kind of pages only: nothing to draw.
            let taken = split(only, n as u32, pages);
            entry::merge(out, taken, pages.is_loop(taken.class));
            return n;
        }
        let mut left = n;
        let first = self.entries[0].class;
        if pages.is_loop(first) && self.entries.iter().all(|e| e.class == first) {
            for e in &mut self.entries {
                let part = left.min(u64::from(e.count));
                if part > 0 {
                    entry::merge(out, split(e, part as u32, pages), true);
                    left -= part;
                }
            }
            self.entries.retain(|e| e.count > 0);
            return n;
        }
        for e in &mut self.entries {
            let share = u64::from(e.count) * n / count;
            if share > 0 {
                let taken = split(e, share as u32, pages);
                entry::merge(out, taken, pages.is_loop(taken.class));
                left -= share;
            }
        }
        let mut rest = self.count + left;
        for _ in 0..left {
            let mut at = draws.below(rest);
            rest -= 1;
            for e in &mut self.entries {
                if at < u64::from(e.count) {
                    let taken = split(e, 1, pages);
                    entry::merge(out, taken, pages.is_loop(taken.class));
                    break;
                }
                at -= u64::from(e.count);
            }
        }
        self.entries.retain(|e| e.count > 0);
        n
    }
}

impl Cohort {
    /// Whether it has pages of these classes, of loops those used before number `before`.
    pub fn has(&self, classes: &Range<u16>, before: u64, pages: &Pages) -> bool {
        let goes = |e: &Entry| {
            classes.contains(&e.class.0) && (!pages.is_loop(e.class) || e.heat < before)
        };
        self.entries.iter().any(goes)
    }

    /// Whether it has pages whose writeback is over.
    #[must_use]
    pub fn has_written(&self, now: u64) -> bool {
        self.entries.iter().any(|e| is_written(e, now))
    }

    /// Takes the pages whose writeback is over to `out`; says how many.
    pub fn take_written(&mut self, now: u64, out: &mut Vec<Entry>) -> u64 {
        let mut gone = 0;
        for e in self.entries.iter_mut().filter(|e| is_written(e, now)) {
            out.push(*e);
            gone += u64::from(e.count);
            e.count = 0;
        }
        self.entries.retain(|e| e.count > 0);
        self.count -= gone;
        gone
    }

    /// Takes all pages of these classes to `out`, of loops those used before number `before`; says
    /// how many.
    pub fn purge(
        &mut self,
        classes: &Range<u16>,
        before: u64,
        pages: &Pages,
        out: &mut Vec<Entry>,
    ) -> u64 {
        let mut gone = 0;
        for e in self.entries.iter_mut().filter(|e| classes.contains(&e.class.0)) {
            let most =
                if pages.is_loop(e.class) { before.saturating_sub(e.heat) } else { u64::MAX };
            let n = u64::from(e.count).min(most);
            if n > 0 {
                out.push(split(e, n as u32, pages));
                gone += n;
            }
        }
        self.entries.retain(|e| e.count > 0);
        self.count -= gone;
        gone
    }
}

/// Whether pages were under writeback until now: their time says when it is over.
fn is_written(e: &Entry, now: u64) -> bool {
    e.flags.has(Flags::RECLAIM.with(Flags::SWAPPED)) && e.due <= now
}

/// Takes `n` pages of an entry; of a run of a loop the oldest.
fn split(e: &mut Entry, n: u32, pages: &Pages) -> Entry {
    let taken = e.of(n);
    e.count -= n;
    if pages.is_loop(e.class) {
        e.heat += u64::from(n);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::test_pages;
    use crate::lru::entry::{ClassId, by_zone};

    #[test]
    fn takes_are_exact_and_in_proportion() {
        let pages = test_pages(2);
        let mut draws = Stream::new(1, "test", 0);
        let mut cohort = Cohort::default();
        for (zone, count) in [(1, 3_000), (2, 7_000)] {
            cohort.add(Entry { zone, count, ..Entry::default() }, &pages);
        }
        let mut sum = Vec::new();
        for _ in 0..100 {
            let mut taken = Vec::new();
            assert_eq!(cohort.take(32, &pages, &mut draws, &mut taken), 32);
            assert_eq!(entry::pages(&taken), 32);
            for e in taken {
                entry::merge(&mut sum, e, false);
            }
        }
        assert_eq!(cohort.count(), 10_000 - 3_200);
        let sum = by_zone(&sum);
        assert_eq!((sum[0], sum[3]), (0, 0));
        assert!((900..1_020).contains(&sum[1]), "{sum:?}");
        let mut rest = Vec::new();
        assert_eq!(cohort.take(1 << 40, &pages, &mut draws, &mut rest), 6_800);
        assert_eq!((cohort.count(), cohort.entries.len()), (0, 0));
    }

    #[test]
    fn a_loops_oldest_pages_leave_first() {
        let mut pages = test_pages(1);
        let looped = pages.push_loop_for_test(1_000);
        let mut draws = Stream::new(1, "test", 0);
        let mut cohort = Cohort::default();
        cohort.add(Entry { class: looped, heat: 50, count: 10, ..Entry::default() }, &pages);
        cohort.add(Entry { class: looped, heat: 60, count: 10, ..Entry::default() }, &pages);
        cohort.add(Entry { class: ClassId(0), count: 1, ..Entry::default() }, &pages);
        let mut out = Vec::new();
        cohort.take(20, &pages, &mut draws, &mut out);
        let run = out.iter().find(|e| e.class == looped).expect("a run");
        assert_eq!(run.heat, 50);
        assert!(run.count >= 19);
    }

    #[test]
    fn of_one_loop_the_order_is_kept_whatever_their_state() {
        let mut pages = test_pages(0);
        let class = pages.push_loop_for_test(1_000);
        let mut draws = Stream::new(1, "test", 0);
        let mut cohort = Cohort::default();
        for (heat, flags) in
            [(50, Flags::default()), (60, Flags::REFERENCED), (70, Flags::default())]
        {
            cohort.add(Entry { class, heat, count: 10, flags, ..Entry::default() }, &pages);
        }
        let mut out = Vec::new();
        assert_eq!(cohort.take(15, &pages, &mut draws, &mut out), 15);
        assert_eq!(out.iter().map(|e| (e.heat, e.count)).collect::<Vec<_>>(), [(50, 10), (60, 5)]);
        assert_eq!(cohort.entries.iter().map(|e| e.heat).collect::<Vec<_>>(), [65, 70]);
    }
}
