//! A list of cohorts in shared chunks.
//!
//! Head and tail cohort are plain fields, since they change at nearly every event; everything
//! between lies in chunks behind `Arc`s that are copied only when they change while a checkpoint
//! shares them.

use super::class::Pages;
use super::cohort::Cohort;
use super::entry::Entry;
use crate::config::ZONES_PER_NODE;
use engine::Stream;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Cohorts a chunk.
const CHUNK: usize = 64;

type Chunk = Vec<Cohort>;

/// Pages that a cohort takes, of a list of so many pages that shall have about `cohorts` of them:
/// the order inside a cohort is lost, so that it is small beside the list.
#[must_use]
pub const fn cohort_max(pages: u64, cohorts: u64) -> u64 {
    let size = pages / cohorts;
    if size < 64 { 64 } else { size }
}

/// A FIFO of pages: they enter at the head and leave at the tail.
#[derive(Clone, Debug)]
pub struct List {
    /// Where new pages enter.
    head: Cohort,
    /// Where pages leave.
    tail: Cohort,
    /// Between them, newest chunk first; in a chunk the newest cohort is last.
    chunks: VecDeque<Arc<Chunk>>,
    /// Pages in all.
    size: u64,
    /// Pages that a cohort takes before a new one is begun.
    cohort_max: u64,
}

impl List {
    /// An empty list whose cohorts hold up to `cohort_max` pages.
    #[must_use]
    pub fn new(cohort_max: u64) -> Self {
        Self {
            head: Cohort::default(),
            tail: Cohort::default(),
            chunks: VecDeque::new(),
            size: 0,
            cohort_max: cohort_max.max(1),
        }
    }

    /// An empty list with cohorts of the same size.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self::new(self.cohort_max)
    }

    /// Pages on the list.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Pages by zone kind.
    #[must_use]
    pub fn by_zone(&self) -> [u64; ZONES_PER_NODE] {
        let mut sum = [0; ZONES_PER_NODE];
        let inner = self.chunks.iter().flat_map(|chunk| chunk.iter());
        for cohort in inner.chain([&self.head, &self.tail]) {
            for e in &cohort.entries {
                sum[usize::from(e.zone)] += u64::from(e.count);
            }
        }
        sum
    }

    /// Its cohorts, oldest first.
    pub fn each(&self) -> impl Iterator<Item = &Cohort> {
        let inner = self.chunks.iter().rev().flat_map(|chunk| chunk.iter());
        [&self.tail].into_iter().chain(inner).chain([&self.head])
    }

    /// Cohorts on the list.
    #[must_use]
    pub fn cohorts(&self) -> usize {
        self.chunks.iter().map(|c| c.len()).sum::<usize>() + 2
    }

    /// Bytes that a clone of this list does not share with `other`.
    #[must_use]
    pub fn bytes_not_shared_with(&self, other: &Self) -> u64 {
        let own = self.chunks.iter().filter(|c| !other.chunks.iter().any(|o| Arc::ptr_eq(c, o)));
        let entries = |c: &Cohort| c.entries.capacity() * size_of::<Entry>();
        let inner = |c: &Chunk| c.iter().map(entries).sum::<usize>();
        let chunks = own.map(|c| c.capacity() * size_of::<Cohort>() + inner(c)).sum::<usize>();
        (size_of::<Self>() + self.chunks.len() * size_of::<usize>() + chunks) as u64
    }

    /// When the oldest pages entered, if there are any.
    #[must_use]
    #[inline]
    pub fn oldest(&self) -> Option<u64> {
        if self.size == 0 {
            return None;
        }
        if self.tail.count() > 0 {
            return Some(self.tail.entered);
        }
        let inner = self.chunks.back().and_then(|chunk| chunk.first());
        Some(inner.unwrap_or(&self.head).entered)
    }

    /// Puts pages at the head; `entered` pages had entered the node's lists before them.
    #[inline]
    pub fn add(&mut self, new: Entry, entered: u64, pages: &Pages) {
        if self.head.count() == 0 {
            self.head.entered = entered;
        }
        self.size += u64::from(new.count);
        self.head.add(new, pages);
        if self.head.count() >= self.cohort_max {
            let full = core::mem::take(&mut self.head);
            self.push_inner(full);
        }
    }

    /// Puts pages at the tail, where they are taken next.
    #[inline]
    pub fn add_tail(&mut self, new: Entry, pages: &Pages) {
        self.size += u64::from(new.count);
        self.tail.add(new, pages);
    }

    /// Takes up to `n` pages off the tail to `out`; says how many.
    #[inline]
    pub fn take(&mut self, n: u64, pages: &Pages, draws: &mut Stream, out: &mut Vec<Entry>) -> u64 {
        let wanted = n.min(self.size);
        let mut left = wanted;
        self.size -= left;
        while left > 0 {
            if self.tail.count() == 0 {
                self.tail = self.pop_inner();
            }
            left -= self.tail.take(left, pages, draws, out);
        }
        wanted
    }

    /// Takes the pages whose writeback is over to `out`.
    pub fn take_written(&mut self, now: u64, out: &mut Vec<Entry>) {
        let mut gone = self.tail.take_written(now, out);
        for chunk in self.chunks.iter_mut().rev() {
            if chunk.iter().any(|cohort| cohort.has_written(now)) {
                let chunk = Arc::make_mut(chunk);
                for cohort in chunk.iter_mut() {
                    gone += cohort.take_written(now, out);
                }
                chunk.retain(|cohort| cohort.count() > 0);
            }
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
        gone += self.head.take_written(now, out);
        self.size -= gone;
    }

    /// Takes all pages of these classes to `out`, of loops those used before number `before`; says
    /// how many. Chunks without such pages stay shared.
    pub fn purge(
        &mut self,
        classes: &Range<u16>,
        before: u64,
        pages: &Pages,
        out: &mut Vec<Entry>,
    ) -> u64 {
        let mut gone = self.tail.purge(classes, before, pages, out);
        for chunk in self.chunks.iter_mut().rev() {
            if !chunk.iter().any(|cohort| cohort.has(classes, before, pages)) {
                continue;
            }
            let chunk = Arc::make_mut(chunk);
            for cohort in chunk.iter_mut() {
                gone += cohort.purge(classes, before, pages, out);
            }
            chunk.retain(|cohort| cohort.count() > 0);
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
        gone += self.head.purge(classes, before, pages, out);
        self.size -= gone;
        gone
    }

    /// Puts all pages of another list, which are younger, at the head, cohort by cohort.
    pub fn append(&mut self, mut younger: Self) {
        self.size += younger.size;
        let old_head = core::mem::take(&mut self.head);
        if old_head.count() > 0 {
            self.push_inner(old_head);
        }
        let tail = core::mem::take(&mut younger.tail);
        if tail.count() > 0 {
            self.push_inner(tail);
        }
        for chunk in younger.chunks.into_iter().rev() {
            self.chunks.push_front(chunk);
        }
        self.head = younger.head;
    }

    fn push_inner(&mut self, cohort: Cohort) {
        match self.chunks.front_mut() {
            Some(chunk) if chunk.len() < CHUNK => Arc::make_mut(chunk).push(cohort),
            _ => {
                let mut chunk = Chunk::with_capacity(CHUNK);
                chunk.push(cohort);
                self.chunks.push_front(Arc::new(chunk));
            }
        }
    }

    /// The oldest cohort that is not the tail's.
    fn pop_inner(&mut self) -> Cohort {
        let Some(chunk) = self.chunks.back_mut() else { return core::mem::take(&mut self.head) };
        // The oldest of a chunk is its first; taking from the front of 64 small values is cheap.
        let chunk_mut = Arc::make_mut(chunk);
        let cohort = chunk_mut.remove(0);
        if chunk_mut.is_empty() {
            self.chunks.pop_back();
        }
        cohort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::test_pages;
    use crate::lru::entry;

    fn normal(n: u64) -> [u64; ZONES_PER_NODE] {
        [0, 0, n, 0]
    }

    fn some(zone: u8, count: u32) -> Entry {
        Entry { zone, count, ..Entry::default() }
    }

    fn take(list: &mut List, n: u64, draws: &mut Stream) -> [u64; ZONES_PER_NODE] {
        let mut out = Vec::new();
        list.take(n, &test_pages(1), draws, &mut out);
        entry::by_zone(&out)
    }

    #[test]
    fn pages_leave_in_the_order_they_came() {
        let pages = test_pages(1);
        let mut draws = Stream::new(1, "test", 0);
        let mut list = List::new(10);
        for _ in 0..100 {
            list.add(some(1, 7), 0, &pages);
        }
        for _ in 0..100 {
            list.add(some(2, 7), 0, &pages);
        }
        assert_eq!(list.size(), 1_400);
        assert_eq!(list.by_zone(), [0, 700, 700, 0]);
        let first = take(&mut list, 700, &mut draws);
        // The cohort at the seam may mix; everything else is in order.
        assert!(first[1] >= 690, "{first:?}");
        assert_eq!(take(&mut list, 5_000, &mut draws).iter().sum::<u64>(), 700);
        assert_eq!((list.size(), list.by_zone()), (0, normal(0)));
        assert_eq!(take(&mut list, 1, &mut draws), normal(0));
    }

    #[test]
    fn the_oldest_is_known() {
        let pages = test_pages(1);
        let mut draws = Stream::new(1, "test", 0);
        let mut list = List::new(10);
        assert_eq!(list.oldest(), None);
        for n in 0..5 {
            list.add(some(2, 10), n * 10, &pages);
        }
        assert_eq!(list.oldest(), Some(0));
        take(&mut list, 25, &mut draws);
        assert_eq!(list.oldest(), Some(20));
        take(&mut list, 20, &mut draws);
        list.add(some(2, 1), 50, &pages);
        assert_eq!(list.oldest(), Some(40));
    }

    #[test]
    fn what_is_put_at_the_tail_leaves_next_and_lists_join_in_order() {
        let pages = test_pages(1);
        let mut draws = Stream::new(1, "test", 0);
        let mut list = List::new(10);
        list.add(some(1, 300), 0, &pages);
        list.add_tail(some(0, 5), &pages);
        assert_eq!(take(&mut list, 5, &mut draws), [5, 0, 0, 0]);
        let mut younger = List::new(10);
        for _ in 0..100 {
            younger.add(some(2, 9), 0, &pages);
        }
        take(&mut younger, 4, &mut draws);
        list.append(younger);
        assert_eq!(list.size(), 300 + 896);
        assert_eq!(take(&mut list, 300, &mut draws), [0, 300, 0, 0]);
        assert_eq!(take(&mut list, 9_999, &mut draws), normal(896));
    }

    #[test]
    fn a_purge_takes_one_class_and_keeps_the_order_of_the_others() {
        let pages = test_pages(2);
        let mut draws = Stream::new(1, "test", 0);
        let mut list = List::new(10);
        let of = |class, count| Entry { class: entry::ClassId(class), count, ..Entry::default() };
        for n in 0..200 {
            list.add(of(u16::from(n >= 100), 10), n * 10, &pages);
        }
        list.add(of(1, 4), 2_000, &pages);
        let checkpoint = list.clone();
        let mut out = Vec::new();
        assert_eq!(list.purge(&(1..2), u64::MAX, &pages, &mut out), 1_004);
        assert_eq!((entry::pages(&out), list.size(), list.oldest()), (1_004, 1_000, Some(0)));
        assert_eq!(list.each().map(Cohort::count).sum::<u64>(), 1_000);
        assert_eq!(checkpoint.size(), 2_004);
        out.clear();
        assert_eq!(list.take(2_000, &pages, &mut draws, &mut out), 1_000);
        assert!(out.iter().all(|e| e.class == entry::ClassId(0)));
    }

    #[test]
    fn of_a_loop_only_the_older_uses_are_purged() {
        let mut pages = test_pages(0);
        let class = pages.push_loop_for_test(1_000);
        let mut list = List::new(8);
        for n in 0..10 {
            list.add(Entry { class, heat: n * 7, count: 7, ..Entry::default() }, 0, &pages);
        }
        let mut out = Vec::new();
        assert_eq!(list.purge(&(0..1), 30, &pages, &mut out), 30);
        assert_eq!(out.iter().map(|e| e.heat).min(), Some(0));
        assert_eq!(list.each().flat_map(|c| &c.entries).map(|e| e.heat).min(), Some(30));
        assert_eq!(list.size(), 40);
    }

    #[test]
    fn a_clone_shares_all_but_what_changes() {
        let pages = test_pages(1);
        let mut draws = Stream::new(1, "test", 0);
        let mut list = List::new(1);
        for _ in 0..64 * 50 {
            list.add(some(2, 1), 0, &pages);
        }
        let checkpoint = list.clone();
        list.add(some(2, 1), 0, &pages);
        take(&mut list, 3, &mut draws);
        assert_eq!(checkpoint.size(), 3_200);
        let whole = (50 * CHUNK * size_of::<Cohort>()) as u64;
        let added = list.bytes_not_shared_with(&checkpoint);
        assert!(added < whole / 10, "{added} of {whole}");
    }
}
