//! One partition of a node's LRU lists: a set of lists under one lru_lock.
//!
//! A node that is not partitioned has one. Placement is a choice: by the CPU that adds a folio
//! batch, by batches in turn, or page by page; the first two take one lock a batch.
//!
//! The lists are two ([`Lists::Classic`], 7.2 mm/vmscan.c: shrink_lruvec) or four generations
//! ([`Lists::Generations`], MGLRU: lru_gen_shrink_lruvec). Anonymous lists are empty until there is
//! anonymous memory.

use super::list::List;
use crate::config::ZONES_PER_NODE;
use engine::Stream;

/// Generations that must stay young (include/linux/mmzone.h: MIN_NR_GENS).
pub const MIN_NR_GENS: u64 = 2;
/// Generations that can exist at once (MAX_NR_GENS).
pub const MAX_NR_GENS: u64 = 4;

/// The file pages of a partition.
#[derive(Clone, Debug)]
pub enum Lists {
    /// inactive_file and active_file.
    Classic {
        /// Victims come off its tail.
        inactive: Box<List>,
        /// Pages that were used again.
        active: Box<List>,
    },
    /// Generations by sequence number modulo four.
    Generations {
        /// The lists.
        gens: Box<[List; MAX_NR_GENS as usize]>,
        /// The oldest generation.
        min_seq: u64,
        /// The youngest generation.
        max_seq: u64,
    },
}

/// A partition.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Its lists.
    pub lists: Lists,
    /// Whether new pages join the generation after the oldest (6.12) rather than the oldest that
    /// max_seq - 3 allows (7.2).
    new_after_oldest: bool,
}

impl Partition {
    /// Two empty lists with cohorts of up to `cohort_max` pages.
    #[must_use]
    pub fn classic(cohort_max: u64) -> Self {
        let lists = Lists::Classic {
            inactive: Box::new(List::new(cohort_max)),
            active: Box::new(List::new(cohort_max)),
        };
        Self { lists, new_after_oldest: false }
    }

    /// Four empty generations (lru_gen_init_lruvec: the youngest is number 3).
    #[must_use]
    pub fn generations(cohort_max: u64, new_after_oldest: bool) -> Self {
        let gens = Box::new(core::array::from_fn(|_| List::new(cohort_max)));
        let lists = Lists::Generations { gens, min_seq: 0, max_seq: MIN_NR_GENS + 1 };
        Self { lists, new_after_oldest }
    }

    /// Pages that count as inactive: the inactive list, or all but the two youngest generations.
    #[must_use]
    pub fn inactive(&self) -> u64 {
        match &self.lists {
            Lists::Classic { inactive, .. } => inactive.size(),
            Lists::Generations { gens, min_seq, max_seq } => {
                (*min_seq..=max_seq - MIN_NR_GENS).map(|s| at(gens, s).size()).sum()
            }
        }
    }

    /// Pages that count as active: the active list, or the two youngest generations.
    #[must_use]
    pub fn active(&self) -> u64 {
        match &self.lists {
            Lists::Classic { active, .. } => active.size(),
            Lists::Generations { gens, max_seq, .. } => {
                (max_seq + 1 - MIN_NR_GENS..=*max_seq).map(|s| at(gens, s).size()).sum()
            }
        }
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
        sum
    }

    /// The lists themselves.
    pub fn each(&self) -> impl Iterator<Item = &List> {
        let lists: Vec<&List> = match &self.lists {
            Lists::Classic { inactive, active } => vec![inactive, active],
            Lists::Generations { gens, .. } => gens.iter().collect(),
        };
        lists.into_iter()
    }

    /// A batch of pages that were read for the first time joins the lists: the head of the inactive
    /// list, or (7.2 mm_inline.h:lru_gen_folio_seq) generation max_seq - 3, never one below
    /// min_seq.
    pub fn add_new(&mut self, pages: &[u64; ZONES_PER_NODE], entered: u64) {
        match &mut self.lists {
            Lists::Classic { inactive, .. } => inactive.add(pages, entered),
            Lists::Generations { gens, min_seq, max_seq } => {
                let seq = if !self.new_after_oldest {
                    (*max_seq).saturating_sub(MAX_NR_GENS - 1).max(*min_seq)
                } else if *min_seq + MIN_NR_GENS >= *max_seq {
                    *min_seq
                } else {
                    *min_seq + 1
                };
                at_mut(gens, seq).add(pages, entered);
            }
        }
    }

    /// Pages that have been used go to the young end at a full start.
    pub fn add_active(&mut self, pages: &[u64; ZONES_PER_NODE]) {
        match &mut self.lists {
            Lists::Classic { active, .. } => active.add(pages, 0),
            Lists::Generations { gens, max_seq, .. } => at_mut(gens, *max_seq - 1).add(pages, 0),
        }
    }

    /// Takes up to `n` pages that may be evicted off the old end.
    pub fn take(&mut self, n: u64, draws: &mut Stream) -> [u64; ZONES_PER_NODE] {
        match &mut self.lists {
            Lists::Classic { inactive, .. } => inactive.take(n, draws),
            Lists::Generations { gens, min_seq, max_seq } => {
                // try_to_inc_min_seq: generations that are empty are given up, down to two.
                while *min_seq + MIN_NR_GENS <= *max_seq && at(gens, *min_seq).size() == 0 {
                    *min_seq += 1;
                }
                if *min_seq + MIN_NR_GENS > *max_seq {
                    return [0; ZONES_PER_NODE];
                }
                at_mut(gens, *min_seq).take(n, draws)
            }
        }
    }

    /// When the pages that the next take finds entered, if there are any.
    #[must_use]
    #[inline]
    pub fn oldest(&self) -> Option<u64> {
        match &self.lists {
            Lists::Classic { inactive, .. } => inactive.oldest(),
            Lists::Generations { gens, min_seq, max_seq } => {
                (*min_seq..=max_seq - MIN_NR_GENS).find_map(|s| at(gens, s).oldest())
            }
        }
    }

    /// How many pages the next take may find.
    #[must_use]
    pub fn takeable(&self) -> u64 {
        match &self.lists {
            Lists::Classic { inactive, .. } => inactive.size(),
            Lists::Generations { gens, min_seq, max_seq } => (*min_seq..=max_seq - MIN_NR_GENS)
                .map(|s| at(gens, s).size())
                .find(|&size| size > 0)
                .unwrap_or(0),
        }
    }

    /// Takes up to `n` pages off the tail of the active list.
    pub fn take_active(&mut self, n: u64, draws: &mut Stream) -> [u64; ZONES_PER_NODE] {
        match &mut self.lists {
            Lists::Classic { active, .. } => active.take(n, draws),
            Lists::Generations { .. } => [0; ZONES_PER_NODE],
        }
    }

    /// Whether a new generation shall be made first (7.2 should_run_aging): there is nothing to
    /// evict
    /// but the two youngest; or, below the first priority, only one generation beside them.
    #[must_use]
    pub fn should_age(&self, first_priority: bool) -> bool {
        let Lists::Generations { gens, min_seq, max_seq } = &self.lists else { return false };
        let oldest = (*min_seq..=*max_seq).find(|&s| at(gens, s).size() > 0);
        oldest.is_some_and(|seq| {
            seq + MIN_NR_GENS > *max_seq || (!first_priority && seq + MIN_NR_GENS == *max_seq)
        })
    }

    /// Makes a new generation (inc_max_seq), after giving up old ones that are empty. There are at
    /// most three when it is called, so that none has to be merged.
    pub fn age(&mut self) {
        let Lists::Generations { gens, min_seq, max_seq } = &mut self.lists else { return };
        while *min_seq + MIN_NR_GENS <= *max_seq && at(gens, *min_seq).size() == 0 {
            *min_seq += 1;
        }
        assert!(*max_seq - *min_seq + 1 < MAX_NR_GENS, "a fifth generation");
        *max_seq += 1;
    }

    /// Whether the inactive list is too short beside the active one (7.2
    /// mm/vmscan.c:inactive_is_low): inactive x sqrt(10 x size in GiB) < active. Generations have
    /// no such rule.
    #[must_use]
    pub fn inactive_is_low(&self) -> bool {
        let Lists::Classic { inactive, active } = &self.lists else { return false };
        let gib = (inactive.size() + active.size()) >> 18;
        let ratio = if gib == 0 { 1 } else { (10 * gib).isqrt() };
        inactive.size() * ratio < active.size()
    }
}

fn at(gens: &[List; MAX_NR_GENS as usize], seq: u64) -> &List {
    &gens[(seq % MAX_NR_GENS) as usize]
}

fn at_mut(gens: &mut [List; MAX_NR_GENS as usize], seq: u64) -> &mut List {
    &mut gens[(seq % MAX_NR_GENS) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(n: u64) -> [u64; ZONES_PER_NODE] {
        [0, 0, n, 0]
    }

    #[test]
    fn the_inactive_ratio_grows_with_the_root_of_the_size() {
        let low = |inactive: u64, active: u64| {
            let mut p = Partition::classic(1 << 20);
            p.add_new(&normal(inactive), 0);
            p.add_active(&normal(active));
            p.inactive_is_low()
        };
        // 100 GiB in all: ratio 31, so 3.1 GiB would be enough.
        assert!(!low(9 << 18, 91 << 18));
        assert!(low(2 << 18, 98 << 18));
        assert!(!low(10, 10));
        assert!(low(9, 10));
    }

    #[test]
    fn streamed_pages_enter_the_oldest_generation_and_leave_first() {
        let mut draws = Stream::new(1, "test", 0);
        let mut p = Partition::generations(64, false);
        p.add_active(&normal(500));
        p.add_new(&normal(300), 0);
        assert_eq!((p.inactive(), p.active()), (300, 500));
        assert_eq!(p.take(200, &mut draws), normal(200));
        assert!(!p.should_age(true));
        assert_eq!(p.take(200, &mut draws), normal(100));
        // Only young generations are left: nothing more can be taken before aging.
        assert!(p.should_age(true));
        assert_eq!(p.take(1, &mut draws), normal(0));
        p.age();
        assert!(!p.should_age(true));
        assert_eq!(p.take(1, &mut draws), normal(1));
    }

    #[test]
    fn below_the_first_priority_a_generation_is_made_earlier() {
        let mut draws = Stream::new(1, "test", 0);
        let mut p = Partition::generations(64, false);
        p.add_new(&normal(10), 0);
        p.add_active(&normal(10));
        assert!(!p.should_age(false), "two old generations are left");
        p.take(10, &mut draws);
        p.age();
        // Now the oldest pages are two behind the youngest generation.
        assert!(!p.should_age(true) && p.should_age(false));
    }

    #[test]
    fn in_6_12_new_pages_join_the_second_oldest_while_there_are_more_than_three() {
        let mut p = Partition::generations(64, true);
        p.add_new(&normal(10), 0);
        let Lists::Generations { gens, .. } = &p.lists else { panic!("generations") };
        assert_eq!(gens.each_ref().map(List::size), [0, 10, 0, 0]);
    }
}
