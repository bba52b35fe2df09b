//! Pages of classic inactive lists that are used by read(): marked at one use, active at the next.
//!
//! mark_page_accessed moves a page to the active list at its second use, when no reclaimer looks
//! (7.2 mm/swap.c: folio_mark_accessed). Where in its cohort it stood is not known: its place there
//! stays as a hole, which is found when the list is taken from. How many pages of a class have
//! which mark is counted; of a loop it is known which. So what is on the lists is exact at any
//! time, and only which of a cohort's places are holes is drawn, from how often the class was used
//! since.

use super::class::{Class, Order, Pages};
use super::cycle::Cycle;
use super::entry::{Entry, Flags};
use crate::config::ZONES_PER_NODE;
use engine::Stream;
use engine::dist::{ONE, exp_neg};

/// Pages of a class used at random, of one zone, on an inactive list.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Those that entered without a mark and were not used since.
    unused: u64,
    /// Those that were used once since: they have their mark.
    used: u64,
    /// Those that entered with a mark.
    marked: u64,
    /// Holes of pages that entered without a mark.
    unused_holes: u64,
    /// Holes of those that entered with one.
    marked_holes: u64,
}

/// The marks of a class.
#[derive(Clone, Debug)]
enum Marks {
    Random([Counts; ZONES_PER_NODE]),
    /// Positions without and with a mark, by zone.
    Loop(Box<[[Cycle; 2]; ZONES_PER_NODE]>),
}

/// The marks of all classes on one inactive list.
#[derive(Clone, Debug, Default)]
pub(super) struct AllMarks {
    classes: Vec<Option<Marks>>,
    /// Holes by zone.
    holes: [u64; ZONES_PER_NODE],
}

/// Whether pages of a class move when they are used, and not when a reclaimer meets them.
pub(super) fn moves_at_use(class: &Class) -> bool {
    !class.config.mapped && class.config.pages != u64::MAX
}

impl AllMarks {
    /// Places that are holes.
    pub(super) fn holes(&self) -> u64 {
        self.holes.iter().sum()
    }

    /// The same by zone.
    pub(super) fn holes_by_zone(&self) -> [u64; ZONES_PER_NODE] {
        self.holes
    }

    /// Pages join the list; those of a loop have not been used since `e.heat`.
    pub(super) fn enter(&mut self, e: &Entry, class: &Class) {
        let count = u64::from(e.count);
        let marked = e.flags.has(Flags::REFERENCED);
        let zone = usize::from(e.zone);
        match of(&mut self.classes, e, class.config.order) {
            Marks::Random(counts) if marked => counts[zone].marked += count,
            Marks::Random(counts) => counts[zone].unused += count,
            Marks::Loop(sets) => {
                sets[zone][usize::from(marked)].insert(class.config.pages.max(1), e.heat, count);
            }
        }
    }

    /// Pages of a class that is used at random are used `mean` times each, with 32 fraction bits;
    /// those that become active leave holes, and are said by zone.
    pub(super) fn use_at_random(
        &mut self,
        class: usize,
        mean: u64,
        draws: &mut Stream,
    ) -> [u64; ZONES_PER_NODE] {
        let mut active = [0; ZONES_PER_NODE];
        let Some(Some(Marks::Random(counts))) = self.classes.get_mut(class) else { return active };
        let none = exp_neg(mean);
        let some = ONE - none;
        let once = ((u128::from(mean) * u128::from(none)) >> 32) as u64;
        let twice = some.saturating_sub(once);
        let mut part = |count: u64, share: u64| {
            let exact = u128::from(count) * u128::from(share);
            let rest = (exact as u64) & (ONE - 1);
            let whole = (exact >> 32) as u64 + u64::from(rest > 0 && draws.below(ONE) < rest);
            whole.min(count)
        };
        for (zone, c) in counts.iter_mut().enumerate() {
            let (marked, used) = (part(c.marked, some), part(c.used, some));
            let through = part(c.unused, twice);
            let new = part(c.unused - through, once);
            c.marked -= marked;
            c.marked_holes += marked;
            c.unused -= through + new;
            c.used = c.used + new - used;
            c.unused_holes += used + through;
            active[zone] = marked + used + through;
            self.holes[zone] += active[zone];
        }
        active
    }

    /// `count` uses of a loop from number `first` on found their pages: those that become active,
    /// as zone, number of the first and count.
    pub(super) fn use_in_order(
        &mut self,
        class: &Class,
        at: usize,
        (first, count): (u64, u64),
    ) -> Vec<(usize, u64, u64)> {
        let mut active = Vec::new();
        let len = class.config.pages.max(1);
        let Some(Some(Marks::Loop(sets))) = self.classes.get_mut(at) else { return active };
        for (zone, [unmarked, marked]) in sets.iter_mut().enumerate() {
            for (number, run) in marked.within(len, first, count) {
                marked.remove(len, number, run);
                self.holes[zone] += run;
                active.push((zone, number, run));
            }
            for (number, run) in unmarked.within(len, first, count) {
                unmarked.remove(len, number, run);
                marked.insert(len, number, run);
            }
        }
        active
    }

    /// Places are taken off the list: calls `out` with the pages that are there, as they are now.
    pub(super) fn leave(
        &mut self,
        e: &Entry,
        pages: &Pages,
        draws: &mut Stream,
        mut out: impl FnMut(Entry),
    ) {
        let class = pages.class(e.class);
        let zone = usize::from(e.zone);
        let entered_marked = e.flags.has(Flags::REFERENCED);
        let mut parts: Vec<(Entry, u32)> = Vec::new();
        pages.split_by_uses(e, class.now(), 2, draws, |p, uses| parts.push((p, uses)));
        let referenced = |p: Entry| p.flagged(p.flags.with(Flags::REFERENCED));
        let len = class.config.pages.max(1);
        let holes = &mut self.holes[zone];
        match of(&mut self.classes, e, class.config.order) {
            Marks::Random(counts) => {
                let mut uses = [0_u64; 3];
                for (p, n) in parts {
                    uses[n as usize] += u64::from(p.count);
                }
                let (unused, used) = counts[zone].take(uses, entered_marked);
                *holes -= u64::from(e.count) - unused - used;
                let now = Entry { heat: class.now(), ..*e };
                if unused > 0 {
                    out(now.of(unused as u32));
                }
                if used > 0 {
                    out(referenced(now.of(used as u32)));
                }
            }
            Marks::Loop(sets) => {
                for (p, n) in parts {
                    let mut left = u64::from(p.count);
                    let is_hole = if entered_marked { n >= 1 } else { n >= 2 };
                    if is_hole && *holes >= left {
                        // Its page may stand elsewhere on the list by now.
                        *holes -= left;
                        continue;
                    }
                    for (set, is_marked) in sets[zone].iter_mut().zip([false, true]) {
                        for (number, run) in set.within(len, p.heat, u64::from(p.count)) {
                            set.remove(len, number, run);
                            left -= run;
                            let there = Entry { heat: number, ..p.of(run as u32) };
                            out(if is_marked { referenced(there) } else { there });
                        }
                    }
                    *holes -= left;
                }
            }
        }
    }
}

/// The marks of the class of some pages.
fn of<'a>(classes: &'a mut Vec<Option<Marks>>, e: &Entry, order: Order) -> &'a mut Marks {
    let at = e.class.index();
    if classes.len() <= at {
        classes.resize(at + 1, None);
    }
    classes[at].get_or_insert_with(|| match order {
        Order::Random => Marks::Random(Default::default()),
        Order::Loop => Marks::Loop(Box::default()),
    })
}

impl Counts {
    /// So many places of pages that were used never, once, and oftener by what was drawn: how many
    /// pages are there without and with a mark. What was drawn is corrected by what is counted.
    fn take(&mut self, [never, once, oftener]: [u64; 3], marked: bool) -> (u64, u64) {
        if marked {
            let places = never + once + oftener;
            let least = places.saturating_sub(self.marked_holes);
            let there = never.clamp(least, places.min(self.marked));
            self.marked -= there;
            self.marked_holes -= places - there;
            return (0, there);
        }
        let mut left = oftener;
        let holes = left.min(self.unused_holes);
        left = left - holes + once;
        let used = left.min(self.used);
        left = left - used + never;
        let unused = left.min(self.unused);
        left -= unused;
        // What finds no room above finds it below.
        let more = left.min(self.used - used);
        let (used, left) = (used + more, left - more);
        self.unused -= unused;
        self.used -= used;
        self.unused_holes -= holes + left;
        (unused, used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::ClassConfig;
    use crate::lru::entry::ClassId;

    fn read(pages: u64, order: Order) -> Pages {
        let config = ClassConfig { pages, order, ..ClassConfig::STREAMS };
        let mut pages = Pages::new(&[config]);
        let all = pages.class(ClassId(0)).config.pages;
        pages.arrive(ClassId(0), 0, all, 0);
        pages
    }

    #[test]
    fn pages_become_active_at_their_second_use_and_leave_holes() {
        let mut pages = read(10_000, Order::Random);
        let mut draws = Stream::new(1, "test", 0);
        let mut marks = AllMarks::default();
        let heat = pages.class(ClassId(0)).now();
        let marked = Entry { count: 6_000, heat, flags: Flags::REFERENCED, ..Entry::default() };
        let unmarked = Entry { count: 4_000, heat, ..Entry::default() };
        marks.enter(&marked, pages.class(ClassId(0)));
        marks.enter(&unmarked, pages.class(ClassId(0)));
        let mut active = 0;
        for _ in 0..100 {
            pages.class_mut(ClassId(0)).touch(100);
            active += marks.use_at_random(0, ONE / 100, &mut draws)[0];
        }
        // One use a page: 1 - e^-1 of the marked, 1 - 2 e^-1 of the others.
        assert!(active.abs_diff(3_793 + 1_057) < 60, "{active}");
        assert_eq!(marks.holes(), active);
        let mut there = [0, 0];
        for e in [marked, unmarked] {
            for _ in 0..e.count / 100 {
                marks.leave(&e.of(100), &pages, &mut draws, |p| {
                    there[usize::from(p.flags.has(Flags::REFERENCED))] += u64::from(p.count);
                });
            }
        }
        assert_eq!((there[0] + there[1], marks.holes()), (10_000 - active, 0));
        assert!(there[0].abs_diff(1_472) < 60, "{there:?}");
    }

    #[test]
    fn of_a_loop_it_is_known_which() {
        let mut pages = read(100, Order::Loop);
        let mut draws = Stream::new(1, "test", 0);
        let mut marks = AllMarks::default();
        assert_eq!(pages.class_mut(ClassId(0)).step_run(true, 100), 100);
        let marked = Entry { count: 60, heat: 0, flags: Flags::REFERENCED, ..Entry::default() };
        let unmarked = Entry { count: 40, heat: 60, ..Entry::default() };
        marks.enter(&marked, pages.class(ClassId(0)));
        marks.enter(&unmarked, pages.class(ClassId(0)));
        assert_eq!(pages.class_mut(ClassId(0)).step_run(true, 30), 30);
        let active = marks.use_in_order(pages.class(ClassId(0)), 0, (100, 30));
        assert_eq!((active, marks.holes()), (vec![(0, 100, 30)], 30));
        assert_eq!(pages.class_mut(ClassId(0)).step_run(true, 50), 50);
        let active = marks.use_in_order(pages.class(ClassId(0)), 0, (130, 50));
        assert_eq!(active, [(0, 130, 30)]);
        let mut there = Vec::new();
        for e in [marked, unmarked] {
            marks.leave(&e, &pages, &mut draws, |p| there.push((p.heat, p.count, p.flags)));
        }
        let none = Flags::default();
        assert_eq!(there, [(160, 20, Flags::REFERENCED), (80, 20, none)]);
        assert_eq!(marks.holes(), 0);
    }
}
