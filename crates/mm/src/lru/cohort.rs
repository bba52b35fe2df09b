//! A run of pages that stand next to each other on a list.

use crate::config::ZONES_PER_NODE;
use engine::Stream;

/// Pages that entered a list together, counted by zone kind. Their order inside is not kept: what
/// is taken off the tail is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cohort {
    /// Pages by zone kind.
    pub pages: [u64; ZONES_PER_NODE],
    /// How many pages had entered the node's lists when its first one did: its place in the order
    /// over all partitions.
    pub entered: u64,
}

impl Cohort {
    /// How many pages in all.
    #[must_use]
    #[inline]
    pub fn count(&self) -> u64 {
        self.pages.iter().sum()
    }

    /// Takes `n` of its pages (all when it has fewer), drawn from its zones in proportion: whole
    /// shares first, the rest one by one.
    #[inline]
    pub fn take(&mut self, n: u64, draws: &mut Stream) -> [u64; ZONES_PER_NODE] {
        let count = self.count();
        if n >= count {
            return core::mem::take(&mut self.pages);
        }
        let mut taken = [0; ZONES_PER_NODE];
        let before = self.pages;
        let mut left = n;
        for (kind, &pages) in before.iter().enumerate() {
            if pages == count {
                // One zone only: nothing to draw.
                taken[kind] = n;
                self.pages[kind] -= n;
                return taken;
            }
            let share = pages * n / count;
            taken[kind] += share;
            self.pages[kind] -= share;
            left -= share;
        }
        for _ in 0..left {
            let mut at = draws.below(self.count());
            for (kind, pages) in self.pages.iter_mut().enumerate() {
                if at < *pages {
                    *pages -= 1;
                    taken[kind] += 1;
                    break;
                }
                at -= *pages;
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_are_exact_and_in_proportion() {
        let mut draws = Stream::new(1, "test", 0);
        let mut cohort = Cohort { pages: [0, 3_000, 7_000, 0], entered: 0 };
        let mut sum = [0u64; ZONES_PER_NODE];
        for _ in 0..100 {
            let taken = cohort.take(32, &mut draws);
            assert_eq!(taken.iter().sum::<u64>(), 32);
            for (s, t) in sum.iter_mut().zip(taken) {
                *s += t;
            }
        }
        assert_eq!(cohort.count(), 10_000 - 3_200);
        assert_eq!((sum[0], sum[3]), (0, 0));
        assert!((900..1_020).contains(&sum[1]), "{sum:?}");
        assert_eq!(cohort.take(1 << 40, &mut draws).iter().sum::<u64>(), 6_800);
        assert_eq!(cohort.count(), 0);
    }
}
