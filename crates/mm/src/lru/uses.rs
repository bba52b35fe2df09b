//! How often pages have been used since they were last looked at: drawn from how often their class
//! was, or known, of a loop.

use super::class::{Class, Order, Pages};
use super::entry::{Entry, Flags};
use engine::Stream;
use engine::dist::{ONE, poisson};

/// Uses of a page, with 32 fraction bits, that are none: one in a million, and the marks of walks.
const NEVER: u64 = 1 << 12;

impl Pages {
    /// Splits pages by how often they have been used since they were last looked at, `most` at
    /// most, and calls `out` with each part: the pages, looked at now, and that number.
    ///
    /// `until` is how far uses count ([`Class::now`] at some time); those after it stay to be found
    /// later. A use of a page that is not mapped, or of one beside it, is a fault that maps all of
    /// them with their accessed bits set (7.2 mm/memory.c: do_fault_around).
    pub fn split_by_uses(
        &self,
        e: &Entry,
        until: u64,
        most: u32,
        draws: &mut Stream,
        mut out: impl FnMut(Entry, u32),
    ) {
        let class = self.class(e.class);
        if class.config.order == Order::Loop {
            return split_loop(class, e, until, most, out);
        }
        let unmapped = e.flags.has(Flags::UNMAPPED);
        let beside = if unmapped { self.fault_around } else { 1 };
        let mean = until.saturating_sub(e.heat).saturating_mul(beside);
        let mapped = e.flags.without(Flags::UNMAPPED);
        let now = Entry { heat: until.max(e.heat), ..*e };
        if mean < NEVER || most == 0 {
            return out(now, 0);
        }
        // Half a page's use in a billion: far above any count of pages, nothing is drawn.
        if mean > 40 * ONE {
            return out(now.flagged(mapped), most);
        }
        let mut counts = [0u32; 8];
        let bound = most.min(counts.len() as u32 - 1);
        for _ in 0..e.count {
            counts[poisson(draws, mean, bound) as usize] += 1;
        }
        for (uses, &count) in counts.iter().enumerate() {
            if count > 0 {
                let flags = if uses > 0 { mapped } else { e.flags };
                out(now.of(count).flagged(flags), uses as u32);
            }
        }
    }
}

/// The pages of a run of a loop: whether the loop came round to them again is known.
fn split_loop(class: &Class, e: &Entry, until: u64, most: u32, mut out: impl FnMut(Entry, u32)) {
    let len = class.config.pages.max(1);
    let mut left = *e;
    while left.count > 0 {
        // The last use of the first page: the run up to the loop's place was used as often.
        let rounds = until.saturating_sub(left.heat + 1) / len;
        let last = left.heat + rounds * len;
        let run = if until > last {
            (until - last).min(u64::from(left.count)) as u32
        } else {
            left.count
        };
        out(Entry { heat: last, count: run, ..left }, (rounds.min(u64::from(most))) as u32);
        left.heat += u64::from(run);
        left.count -= run;
    }
}
