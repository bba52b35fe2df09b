//! Which pages there are: classes of pages that are used alike.
//!
//! A task does not use single pages but classes: the hot keys of a store, the heap of a job, a file
//! that is read round and round. Inside a class that is used at random every page is as likely as
//! any other, so that it is enough to count how many are resident; whether one that a reclaimer
//! looks at has been used since is drawn when it is looked at, from how often the class was used
//! meanwhile ([`Class::heat`]). A loop uses its pages in order: which of them are resident is
//! known.
//!
//! What a class lost leaves shadows (mm/workingset.c): when it was evicted, by runs.

use super::cycle::Cycle;
use super::entry::{ClassId, Entry, Flags};
use super::shadow::{Shadow, Shadows};
use crate::config::NODES_MAX;
use crate::swap::Slot;
use engine::Stream;

use std::collections::VecDeque;

/// Whether pages belong to a file or to a task's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// Anonymous memory: it can only go to swap.
    Anon = 0,
    /// Page cache.
    File = 1,
}

impl PageKind {
    /// The other kind.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Anon => Self::File,
            Self::File => Self::Anon,
        }
    }
}

/// In which order the pages of a class are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each is as likely as any other.
    Random,
    /// One after the other, round and round.
    Loop,
}

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassConfig {
    /// File or anonymous.
    pub kind: PageKind,
    /// Whether it is used through page tables, whose accessed bits reclaim reads, and not
    /// by read().
    pub mapped: bool,
    /// The file whose i_pages lock its pages are inserted and removed under; `None` if that
    /// is drawn
    /// evenly from the readers' files (streams), or for anonymous memory.
    pub mapping: Option<u32>,
    /// How many pages there are; `u64::MAX` for streams whose pages are never used again.
    pub pages: u64,
    /// In which order they are used.
    pub order: Order,
    /// Its memory cgroup.
    pub memcg: u16,
}

impl ClassConfig {
    /// The pages of streams: read once by read(), never found again.
    pub const STREAMS: Self = Self {
        kind: PageKind::File,
        mapped: false,
        mapping: None,
        pages: u64::MAX,
        order: Order::Random,
        memcg: 0,
    };
}

/// A class and what is resident of it.
#[derive(Clone, Debug)]
pub struct Class {
    /// What it is.
    pub config: ClassConfig,
    /// Resident pages by node: on lists, in folio batches or in the hands of a reclaimer.
    pub resident: [u64; NODES_MAX],
    /// How often a resident page has been used so far, on average, with 32 fraction bits; the last
    /// of them also tell what happened before a page table walk from what happened after it.
    pub heat: u64,
    /// Resident pages that have been written to since they came or were last written out.
    pub dirty: u64,
    /// Whether nobody uses it any more: what is still in somebody's hands is freed when met.
    pub dead: bool,
    /// Pages that were evicted and when.
    pub shadows: Shadows,
    /// Pages that tasks wait for.
    expected: u64,
    /// Slots of pages that are on swap, or being written there.
    slots: VecDeque<Slot>,
    cycle: Cycle,
}

/// What a use of a page that is not resident finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// A page that was never resident, or whose shadow is gone.
    Fresh,
    /// One that was evicted.
    Refault(Shadow),
}

impl Class {
    fn new(config: ClassConfig) -> Self {
        Self {
            config,
            resident: [0; NODES_MAX],
            heat: 1,
            dirty: 0,
            dead: false,
            expected: 0,
            shadows: Shadows::new(config.pages),
            slots: VecDeque::new(),
            cycle: Cycle::default(),
        }
    }

    /// Resident pages over all nodes.
    #[must_use]
    #[inline]
    pub fn resident_pages(&self) -> u64 {
        self.resident.iter().sum()
    }

    /// Pages that are neither resident nor on their way; none of a stream's.
    #[must_use]
    #[inline]
    pub fn missing(&self) -> u64 {
        if self.config.pages == u64::MAX {
            return 0;
        }
        self.config.pages.saturating_sub(self.resident_pages() + self.expected)
    }

    /// So many pages are on their way.
    pub fn expect(&mut self, count: u64) {
        self.expected += count;
    }

    /// So many of them will not come.
    pub fn expect_no_more(&mut self, count: u64) {
        self.expected = self.expected.saturating_sub(count);
    }

    /// The node of a resident page, each page being as likely as any other.
    #[must_use]
    pub fn node_of_one(&self, draws: &mut Stream) -> usize {
        let mut at = draws.below(self.resident_pages());
        for (node, &pages) in self.resident.iter().enumerate() {
            if at < pages {
                return node;
            }
            at -= pages;
        }
        0
    }

    /// `times` uses found a resident page each.
    #[inline]
    pub fn touch(&mut self, times: u64) {
        let resident = self.resident_pages().max(1);
        self.heat += ((u128::from(times) << 32) / u128::from(resident)) as u64;
    }

    /// The number of the use that comes next (loops).
    #[must_use]
    pub fn next_use(&self) -> u64 {
        self.cycle.next
    }

    /// A page table walk notes where the class stands: what comes later is told from it, as are
    /// those pages of a loop that tasks are waiting for.
    pub fn walked(&mut self) -> u64 {
        if self.config.order == Order::Loop {
            return self.cycle.next.saturating_sub(self.expected);
        }
        let at = self.heat;
        self.heat += 1;
        at
    }

    /// How many of these pages were not there yet at a walk.
    #[must_use]
    pub fn later(&self, e: &Entry, walk: u64) -> u32 {
        match self.config.order {
            Order::Random => e.count * u32::from(e.heat > walk),
            Order::Loop => e.count - walk.saturating_sub(e.heat).min(u64::from(e.count)) as u32,
        }
    }

    /// Where the class stands in its uses now: what [`Entry::heat`] of pages that are looked at now
    /// becomes.
    #[must_use]
    #[inline]
    pub fn now(&self) -> u64 {
        match self.config.order {
            Order::Random => self.heat,
            Order::Loop => self.cycle.next,
        }
    }

    /// The next page of a loop is used: whether it is resident.
    pub fn step_loop(&mut self) -> bool {
        let found = self.step_run(true, 1) == 1;
        self.cycle.next += u64::from(!found);
        found
    }

    /// How many pages in a row, `most` at most, are used that are all resident, or all not; the
    /// loop stands behind them (loops).
    pub fn step_run(&mut self, resident: bool, most: u64) -> u64 {
        self.cycle.step_run(self.config.pages.max(1), resident, most)
    }

    /// Pages that were never resident, or are remembered no more.
    #[must_use]
    pub fn fresh(&self) -> u64 {
        self.missing().saturating_sub(self.shadows.count())
    }

    /// What was remembered of evicted pages is forgotten: they are mapped no more.
    pub fn forget(&mut self) {
        self.shadows = Shadows::new(self.config.pages);
    }

    /// A page is written to this slot.
    pub fn put_slot(&mut self, slot: Slot) {
        self.slots.push_back(slot);
    }

    /// The slot of a page that is wanted again: pages of a class being alike, any one; of a loop
    /// the one that was written first.
    pub fn take_slot(&mut self, draws: &mut Stream) -> Option<Slot> {
        if self.config.order == Order::Loop || self.slots.is_empty() {
            return self.slots.pop_front();
        }
        let at = draws.below(self.slots.len() as u64);
        self.slots.swap_remove_back(at as usize)
    }

    /// All slots, which are used no more.
    pub fn take_slots(&mut self) -> Vec<Slot> {
        core::mem::take(&mut self.slots).into()
    }

    /// The slots of its pages.
    pub fn each_slot(&self) -> impl Iterator<Item = Slot> + '_ {
        self.slots.iter().copied()
    }

    /// How many slots its pages have.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Nobody has any of its pages any more: those that are left over are all that there are, until
    /// [`Self::grow`] adds some. Of what is evicted then it is remembered roughly when.
    pub fn restart(&mut self) {
        self.config.pages = self.resident_pages();
        self.shadows = Shadows::rough();
    }

    /// There are so many more pages, which were never there.
    pub fn grow(&mut self, pages: u64) {
        self.config.pages += pages;
    }

    /// There are so many pages from now on: none of them is resident that was not before.
    pub fn resize(&mut self, pages: u64) {
        self.config.pages = pages.max(self.resident_pages());
        self.forget();
    }

    /// A use of a page that is not resident: which one it is.
    #[must_use]
    pub fn draw_miss(&mut self, draws: &mut Stream) -> Miss {
        self.draw_miss_of(self.cycle.next.max(1) - 1, draws)
    }

    /// The same; of a loop for the use of this number.
    #[must_use]
    pub fn draw_miss_of(&mut self, number: u64, draws: &mut Stream) -> Miss {
        if self.config.order == Order::Loop {
            let at = number % self.config.pages.max(1);
            return self.shadows.take_position(at).map_or(Miss::Fresh, Miss::Refault);
        }
        let at = draws.below(self.missing());
        self.shadows.take(at).map_or(Miss::Fresh, Miss::Refault)
    }

    /// Uses of so many pages beside each other, that were evicted together: the shadow of the first
    /// one; the others are taken with it.
    #[must_use]
    pub fn draw_misses(&mut self, count: u64, draws: &mut Stream) -> Miss {
        let at = draws.below(self.missing());
        self.shadows.take_some(at, count).map_or(Miss::Fresh, Miss::Refault)
    }

    fn arrive(&mut self, node: usize, count: u64, first: u64) {
        self.resident[node] += count;
        self.expect_no_more(count);
        if self.config.order == Order::Loop {
            self.cycle.insert(self.config.pages.max(1), first, count);
        }
    }

    fn leave(&mut self, node: usize, e: &Entry, shadow: Option<Shadow>) {
        let count = u64::from(e.count);
        self.resident[node] -= count;
        if self.config.order == Order::Loop {
            self.cycle.remove(self.config.pages.max(1), e.heat, count);
        }
        if let Some(shadow) = shadow
            && self.config.pages != u64::MAX
        {
            if self.config.order == Order::Random {
                self.shadows.push(shadow, count, None);
                return;
            }
            let len = self.config.pages.max(1);
            let first = e.heat % len;
            let before = count.min(len - first);
            self.shadows.push(shadow, before, Some(first));
            if count > before {
                let shadow = Shadow { age: shadow.age + before, ..shadow };
                self.shadows.push(shadow, count - before, Some(0));
            }
        }
    }
}

/// All classes.
#[derive(Clone, Debug)]
pub struct Pages {
    classes: Vec<Class>,
    /// Pages that a fault on a resident page maps together (fault_around_pages).
    pub(super) fault_around: u64,
    /// Pages charged by memory cgroup.
    usage: Vec<u64>,
}

impl Pages {
    /// Classes with nothing resident.
    #[must_use]
    pub fn new(configs: &[ClassConfig]) -> Self {
        let memcgs = configs.iter().map(|c| usize::from(c.memcg) + 1).max().unwrap_or(1);
        let classes = configs.iter().map(|&c| Class::new(c)).collect();
        Self { classes, fault_around: 1, usage: vec![0; memcgs] }
    }

    /// The same with so many pages that a fault on a resident page maps together.
    #[must_use]
    pub fn with_fault_around(self, pages: u64) -> Self {
        Self { fault_around: pages, ..self }
    }

    /// How many classes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Every class.
    pub fn each(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter()
    }

    /// Every class, to change.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut Class> {
        self.classes.iter_mut()
    }

    /// A class.
    #[must_use]
    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// A class, to change.
    #[inline]
    pub fn class_mut(&mut self, id: ClassId) -> &mut Class {
        &mut self.classes[id.index()]
    }

    /// `count` pages became resident on a node; of a loop those that the uses from number `first`
    /// on asked for. They were charged before.
    pub fn arrive(&mut self, id: ClassId, node: usize, count: u64, first: u64) {
        self.class_mut(id).arrive(node, count, first);
    }

    /// Pages are resident no more, and uncharged; they leave a shadow if they were evicted.
    pub fn leave(&mut self, node: usize, e: &Entry, shadow: Option<Shadow>) {
        let class = self.class_mut(e.class);
        class.leave(node, e, shadow);
        let memcg = class.config.memcg;
        if memcg > 0 {
            self.uncharge(memcg, u64::from(e.count));
        }
    }

    /// Pages charged to a cgroup.
    #[must_use]
    pub fn usage(&self, memcg: u16) -> u64 {
        self.usage.get(usize::from(memcg)).copied().unwrap_or(0)
    }

    pub(crate) fn charge(&mut self, memcg: u16, pages: u64) {
        self.usage[usize::from(memcg)] += pages;
    }

    pub(crate) fn uncharge(&mut self, memcg: u16, pages: u64) {
        self.usage[usize::from(memcg)] -= pages;
    }

    /// Whether page tables map these pages.
    #[must_use]
    #[inline]
    pub fn is_mapped(&self, e: &Entry) -> bool {
        self.classes[e.class.index()].config.mapped && !e.flags.has(Flags::UNMAPPED)
    }

    /// Whether a class is used in order.
    #[must_use]
    #[inline]
    pub fn is_loop(&self, id: ClassId) -> bool {
        self.classes[id.index()].config.order == Order::Loop
    }
}

#[cfg(test)]
pub(crate) fn test_pages(classes: usize) -> Pages {
    Pages::new(&vec![ClassConfig::STREAMS; classes])
}

#[cfg(test)]
impl Pages {
    pub(crate) fn push_loop_for_test(&mut self, pages: u64) -> ClassId {
        let config = ClassConfig { pages, order: Order::Loop, ..ClassConfig::STREAMS };
        self.classes.push(Class::new(config));
        ClassId(self.classes.len() as u16 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::dist::ONE;

    fn looped(len: u64) -> Class {
        let config = ClassConfig { pages: len, order: Order::Loop, ..ClassConfig::STREAMS };
        Class::new(config)
    }

    fn run(first: u64, count: u32) -> Entry {
        Entry { heat: first, count, ..Entry::default() }
    }

    #[test]
    fn a_loop_knows_which_pages_are_resident() {
        let mut class = looped(10);
        for first in 0..10 {
            assert!(!class.step_loop());
            class.arrive(0, 1, first);
        }
        assert_eq!(class.cycle.resident, [(0, 10)]);
        assert!(class.step_loop());
        class.leave(0, &run(3, 3), None);
        assert_eq!(class.cycle.resident, [(0, 3), (6, 10)]);
        class.leave(0, &run(18, 4), None);
        assert_eq!(class.cycle.resident, [(2, 3), (6, 8)]);
        class.arrive(0, 3, 13);
        assert_eq!(class.cycle.resident, [(2, 8)]);
        assert_eq!(class.resident_pages(), 6);
    }

    #[test]
    fn a_loop_steps_over_runs_at_once() {
        let mut class = looped(10);
        assert_eq!((class.step_run(true, 5), class.step_run(false, 4)), (0, 4));
        class.arrive(0, 4, 0);
        assert_eq!(class.step_run(false, 100), 6);
        class.arrive(0, 6, 4);
        assert_eq!((class.next_use(), class.step_run(true, 35)), (10, 35));
        class.leave(0, &run(7, 2), None);
        assert_eq!((class.step_run(true, 100), class.step_run(false, 100)), (2, 2));
        assert_eq!(class.step_run(true, 100), 8);
    }

    #[test]
    fn what_is_unmapped_leaves_no_shadow() {
        let mut pages = Pages::new(&[ClassConfig { pages: 100, ..ClassConfig::STREAMS }]);
        let class = pages.class_mut(ClassId(0));
        class.arrive(0, 60, 0);
        class.leave(0, &run(0, 20), Some(Shadow::default()));
        assert_eq!((class.missing(), class.fresh()), (60, 40));
        class.forget();
        assert_eq!(class.fresh(), 60);
        class.resize(10);
        assert_eq!(class.config.pages, 40, "what is resident stays");
    }

    #[test]
    fn runs_of_a_loop_split_where_it_stands() {
        let mut pages = test_pages(0);
        let id = pages.push_loop_for_test(10);
        for first in 0..14 {
            pages.class_mut(id).step_loop();
            if first < 10 {
                pages.arrive(id, 0, 1, first);
            }
        }
        let mut parts = Vec::new();
        let mut draws = Stream::new(1, "test", 0);
        let e = Entry { class: id, ..run(0, 10) };
        let now = pages.class(id).now();
        pages.split_by_uses(&e, now, 3, &mut draws, |e, uses| parts.push((e.heat, e.count, uses)));
        assert_eq!(parts, [(10, 4, 1), (4, 6, 0)]);
    }

    #[test]
    fn uses_of_a_random_class_are_drawn_by_its_heat() {
        let config = ClassConfig { pages: 1_000, ..ClassConfig::STREAMS };
        let mut pages = Pages::new(&[config]);
        let id = ClassId(0);
        pages.arrive(id, 0, 1_000, 0);
        let e = Entry { class: id, count: 1_000, ..Entry::default() };
        pages.class_mut(id).touch(1_000);
        let heat = pages.class(id).heat;
        assert!(heat.abs_diff(ONE) < 4);
        let mut counts = [0u32; 3];
        let mut draws = Stream::new(1, "test", 0);
        pages.split_by_uses(&e, heat, 2, &mut draws, |e, uses| counts[uses as usize] += e.count);
        // e^-1 are not used, e^-1 once.
        assert!(counts[0].abs_diff(368) < 45 && counts[1].abs_diff(368) < 45, "{counts:?}");
        assert_eq!(counts.iter().sum::<u32>(), 1_000);
        let mut miss = pages.class(id).clone();
        miss.leave(0, &e.of(400), Some(Shadow { age: 7, ..Shadow::default() }));
        assert_eq!(miss.missing(), 400);
        assert!(matches!(miss.draw_miss(&mut draws), Miss::Refault(s) if s.age == 7));
    }
}
