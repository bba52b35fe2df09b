//! What becomes of pages that were taken off a list (7.2 mm/vmscan.c: shrink_folio_list,
//! folio_check_references, lru_gen_set_refs), as arithmetic on entries: no time passes here.
//!
//! How often a page has been used since it was last looked at is drawn from its class's heat
//! ([`crate::lru::class`]).

use crate::lru::class::{PageKind, Pages};
use crate::lru::entry::{Entry, Flags};
use engine::Stream;

/// What shrink_folio_list decided.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Pages that can be freed now, with their tier (MGLRU).
    pub reclaim: Vec<(Entry, u8)>,
    /// Anonymous pages that have to be written to swap first.
    pub pageout: Vec<(Entry, u8)>,
    /// Pages that go back to the lists, in the state that they have then.
    pub keep: Vec<Entry>,
    /// How many of those were activated.
    pub nr_activate: u64,
    /// How many of those stay inactive, being referenced once.
    pub nr_ref_keep: u64,
    /// Dirty file pages met: flushers write them, reclaim does not (nr_vmscan_immediate_reclaim).
    pub nr_dirty: u64,
    /// Pages met under writeback.
    pub nr_writeback: u64,
    /// Pages met after their writeback, before they were turned to the tail.
    pub nr_written: u64,
    /// Pages looked up in page tables.
    pub nr_mapped: u64,
}

impl Verdict {
    fn keep(&mut self, e: Entry, activate: bool) {
        if activate {
            self.nr_activate += u64::from(e.count);
            self.keep.push(e.flagged(e.flags.with(Flags::ACTIVE)));
        } else {
            self.nr_ref_keep += u64::from(e.count);
            self.keep.push(e);
        }
    }
}

/// Who reclaims, and what may be done.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether the lists are generations.
    pub lru_gen: bool,
    /// Whether there are free swap slots.
    pub swap: bool,
    /// The time, in nanoseconds.
    pub now: u64,
}

/// Judges pages off the inactive end, each kind with its tier.
#[must_use]
pub fn shrink_folio_list(
    taken: &[(Entry, u8)],
    rules: Rules,
    pages: &Pages,
    draws: &mut Stream,
) -> Verdict {
    let mut verdict = Verdict::default();
    for &(e, tier) in taken {
        let class = pages.class(e.class);
        if class.dead {
            verdict.reclaim.push((e, tier));
            continue;
        }
        if e.flags.has(Flags::SWAPPED) {
            if e.flags.has(Flags::RECLAIM) && e.due > rules.now {
                // Still under writeback: activated, to be turned to the tail when it is written.
                verdict.nr_writeback += u64::from(e.count);
                verdict.keep(e, true);
            } else {
                if e.flags.has(Flags::RECLAIM) {
                    verdict.nr_written += u64::from(e.count);
                }
                verdict.reclaim.push((e, tier));
            }
            continue;
        }
        let heat = class.now();
        let uses_known = rules.lru_gen && !class.config.mapped;
        let most = if uses_known { 0 } else { 2 };
        let until = if uses_known { e.heat } else { heat };
        pages.split_by_uses(&e, until, most, draws, |p, uses| {
            if class.config.mapped && !p.flags.has(Flags::UNMAPPED) {
                verdict.nr_mapped += u64::from(p.count);
            }
            match referenced(&p, uses, class.config.mapped, rules.lru_gen) {
                Some((flags, activate)) => verdict.keep(p.flagged(flags), activate),
                None => unreferenced(p, tier, rules, class, &mut verdict),
            }
        });
    }
    draw_dirty(&mut verdict, pages, draws);
    verdict
}

/// folio_check_references: whether pages that were used so often stay, in which state, and whether
/// they are activated.
fn referenced(e: &Entry, uses: u32, mapped: bool, lru_gen: bool) -> Option<(Flags, bool)> {
    let flags = e.flags.without(Flags::YOUNG);
    if !mapped {
        // mark_page_accessed activates at the second use, when nobody looks: it shows now. MGLRU
        // has counted the uses into the tier.
        let marked = uses + u32::from(e.flags.has(Flags::REFERENCED));
        return (!lru_gen && uses > 0 && marked >= 2)
            .then(|| (flags.without(Flags::REFERENCED), true));
    }
    if uses == 0 && !e.flags.has(Flags::YOUNG) {
        return None;
    }
    if lru_gen {
        // lru_gen_set_refs: the first time only the mark is set.
        let known = flags.has(Flags::REFERENCED) || flags.has(Flags::WORKINGSET);
        let marked = if known {
            flags.without(Flags::REFERENCED).with(Flags::WORKINGSET)
        } else {
            flags.with(Flags::REFERENCED)
        };
        return Some((marked, known));
    }
    Some((flags.with(Flags::REFERENCED), flags.has(Flags::REFERENCED)))
}

/// Pages that nobody used: freed, or anonymous and to be written first.
fn unreferenced(
    p: Entry,
    tier: u8,
    rules: Rules,
    class: &crate::lru::Class,
    verdict: &mut Verdict,
) {
    match class.config.kind {
        PageKind::File => verdict.reclaim.push((p, tier)),
        PageKind::Anon if rules.swap => verdict.pageout.push((p, tier)),
        // No slot: the page is activated.
        PageKind::Anon => verdict.keep(p, true),
    }
}

/// Which of the file pages are dirty, each of a class being so as likely as any other: those are
/// marked for immediate reclaim and activated.
fn draw_dirty(verdict: &mut Verdict, pages: &Pages, draws: &mut Stream) {
    let clean = |e: &Entry| pages.class(e.class).dirty == 0;
    if verdict.reclaim.iter().all(|(e, _)| clean(e)) {
        return;
    }
    for (e, tier) in core::mem::take(&mut verdict.reclaim) {
        let class = pages.class(e.class);
        let (mut dirty, mut left) = (class.dirty, class.resident_pages());
        let mut met = 0;
        for _ in 0..e.count {
            if draws.below(left) < dirty {
                met += 1;
                dirty -= 1;
            }
            left -= 1;
        }
        if met > 0 {
            verdict.nr_dirty += u64::from(met);
            verdict.keep(e.of(met).flagged(e.flags.with(Flags::RECLAIM)), true);
        }
        if met < e.count {
            verdict.reclaim.push((e.of(e.count - met), tier));
        }
    }
}

/// Pages off the tail of an active list go to the inactive one with the workingset mark (7.2
/// shrink_active_list); their accessed bits are cleared.
pub fn deactivate(taken: &[Entry], pages: &Pages, draws: &mut Stream) -> Vec<Entry> {
    let mut moved = Vec::with_capacity(taken.len());
    for e in taken {
        let class = pages.class(e.class);
        let flags = e.flags.without(Flags::YOUNG).with(Flags::WORKINGSET);
        if e.flags.has(Flags::SWAPPED) {
            moved.push(*e);
            continue;
        }
        if class.config.mapped {
            // Those that no page table maps may have been mapped since.
            let most = u32::from(e.flags.has(Flags::UNMAPPED));
            pages.split_by_uses(e, class.now(), most, draws, |p, _| {
                let flags = p.flags.without(Flags::YOUNG).with(Flags::WORKINGSET);
                moved.push(p.flagged(flags));
            });
        } else {
            pages.split_by_uses(e, class.now(), 1, draws, |p, uses| {
                let mark = if uses > 0 { flags.with(Flags::REFERENCED) } else { flags };
                moved.push(p.flagged(mark));
            });
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lru::class::{ClassConfig, Order};
    use crate::lru::entry::pages as count;

    fn pages(kind: PageKind, mapped: bool, uses: u64) -> Pages {
        let mut pages = Pages::new(&[ClassConfig {
            kind,
            mapped,
            mapping: Some(0),
            pages: 1_000,
            order: Order::Random,
            memcg: 0,
        }]);
        pages.arrive(crate::lru::ClassId(0), 0, 1_000, 0);
        pages.class_mut(crate::lru::ClassId(0)).touch(uses);
        pages
    }

    fn judge(pages: &Pages, flags: Flags, rules: Rules) -> Verdict {
        let taken = [(Entry { count: 1_000, flags, ..Entry::default() }, 0)];
        shrink_folio_list(&taken, rules, pages, &mut Stream::new(1, "test", 0))
    }

    const CLASSIC: Rules = Rules { lru_gen: false, swap: false, now: 0 };

    #[test]
    fn a_mapped_page_has_a_second_chance_and_is_then_activated() {
        let pages = pages(PageKind::File, true, 700);
        let first = judge(&pages, Flags::default(), CLASSIC);
        let freed: u64 = first.reclaim.iter().map(|(e, _)| u64::from(e.count)).sum();
        // e^-0.7 = 49.7 % were not used.
        assert!(freed.abs_diff(497) < 50, "{freed}");
        assert_eq!((first.nr_ref_keep, first.nr_activate), (1_000 - freed, 0));
        assert!(first.keep.iter().all(|e| e.flags == Flags::REFERENCED));
        let again = judge(&pages, Flags::REFERENCED, CLASSIC);
        assert_eq!(again.nr_ref_keep, 0);
        assert!(again.nr_activate.abs_diff(503) < 50);
        let fresh = judge(&pages, Flags::YOUNG, CLASSIC);
        assert_eq!(fresh.nr_ref_keep, 1_000);
    }

    #[test]
    fn a_page_that_was_read_once_is_freed_and_one_read_again_was_activated() {
        let unused = judge(&pages(PageKind::File, false, 0), Flags::REFERENCED, CLASSIC);
        assert_eq!(count(&unused.reclaim.iter().map(|r| r.0).collect::<Vec<_>>()), 1_000);
        let used = judge(&pages(PageKind::File, false, 700), Flags::REFERENCED, CLASSIC);
        assert!(used.nr_activate.abs_diff(503) < 50, "{}", used.nr_activate);
        assert_eq!(used.nr_ref_keep, 0);
    }

    #[test]
    fn anonymous_pages_need_a_slot() {
        let pages = pages(PageKind::Anon, true, 0);
        assert_eq!(judge(&pages, Flags::default(), CLASSIC).nr_activate, 1_000);
        let rules = Rules { swap: true, ..CLASSIC };
        let verdict = judge(&pages, Flags::default(), rules);
        assert_eq!(verdict.pageout.iter().map(|p| p.0.count).sum::<u32>(), 1_000);
    }

    #[test]
    fn generations_mark_first_and_promote_then() {
        let pages = pages(PageKind::File, true, 100_000);
        let rules = Rules { lru_gen: true, swap: false, now: 0 };
        let first = judge(&pages, Flags::default(), rules);
        assert_eq!((first.nr_ref_keep, first.nr_activate), (1_000, 0));
        let again = judge(&pages, Flags::REFERENCED, rules);
        assert_eq!(again.nr_activate, 1_000);
        assert!(again.keep.iter().all(|e| e.flags.has(Flags::WORKINGSET)));
    }

    #[test]
    fn dirty_file_pages_are_left_to_the_flushers() {
        let mut pages = pages(PageKind::File, false, 0);
        pages.class_mut(crate::lru::ClassId(0)).dirty = 250;
        let verdict = judge(&pages, Flags::default(), CLASSIC);
        assert_eq!((verdict.nr_dirty, verdict.nr_activate), (250, 250));
        assert_eq!(verdict.reclaim.iter().map(|r| r.0.count).sum::<u32>(), 750);
    }

    #[test]
    fn deactivated_pages_carry_the_mark() {
        let pages = pages(PageKind::Anon, true, 5_000);
        let taken = [Entry { count: 32, flags: Flags::YOUNG, ..Entry::default() }];
        let moved = deactivate(&taken, &pages, &mut Stream::new(1, "test", 0));
        assert_eq!(moved.len(), 1);
        assert_eq!((moved[0].flags, moved[0].count), (Flags::WORKINGSET, 32));
        assert_eq!(moved[0].heat, pages.class(crate::lru::ClassId(0)).heat);
    }
}
