//! What a full start finds in memory: pages of the stores' files and heaps, as a long run leaves
//! them.
//!
//! The heap was touched long ago. Of data files that do not fit, a class keeps so much as an LRU
//! list would (Che's approximation: a page is resident if it was used within one time that is the
//! same for all). How often a page is used while it stands on the lists follows from how soon
//! misses replace all of them. The rest of memory holds file pages that were read once, that of a
//! cgroup nothing yet.

use super::group::Work;
use super::region::{Layout, Region};
use crate::config::Config;
use crate::lru::ClassId;
use catalog::ConstantId;
use engine::dist::{ONE, exp_neg, ln_ratio};

/// Runs that what was evicted is remembered in.
const RUNS: u64 = 256;
/// Steps of a bisection over 64 bits.
const STEPS: u32 = 64;

/// Pages of a class that are resident at time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resident {
    /// Their class.
    pub class: ClassId,
    /// How many.
    pub pages: u64,
    /// How often one is used from when it enters the lists until it leaves them, with 32 fraction
    /// bits.
    pub uses: u64,
    /// Pages that were evicted before, and are remembered.
    pub gone: u64,
    /// Whether those on the inactive list are not mapped by any page table yet.
    pub unmapped: bool,
    /// How often a page passes the inactive list in its life, about.
    pub passes: u64,
}

/// What is resident of the stores when there is room for so many pages.
#[must_use]
pub fn residents(config: &Config, layout: &Layout, room: u64) -> Vec<Resident> {
    let mut all = Vec::new();
    let mut left = room;
    let passes = config.ledger.get(ConstantId::StorePasses).max(1);
    let mut task = 0;
    for group in &config.groups {
        let own = layout.of_task.get(task).filter(|_| group.tasks > 0 && group.memcg == 0);
        task += group.tasks as usize;
        if let (Work::Store(store), Some(own)) = (&group.work, own) {
            let region = |which: usize| &layout.regions[own[which] as usize];
            of_heap(region(1), passes, &mut left, &mut all);
            of_data(region(0), [store.read_around, passes], &mut left, &mut all);
        }
    }
    all
}

fn of_heap(region: &Region, passes: u64, left: &mut u64, all: &mut Vec<Resident>) {
    for &(class, _) in &region.classes {
        let pages = region.class_pages(class).min(*left / 2);
        *left -= pages;
        all.push(Resident { class, pages, uses: 0, gone: 0, unmapped: false, passes });
    }
}

fn of_data(region: &Region, [around, passes]: [u64; 2], left: &mut u64, all: &mut Vec<Resident>) {
    let parts: Vec<(ClassId, u64, u64)> =
        region.classes.iter().map(|&(c, w)| (c, region.class_pages(c), w)).collect();
    let kept = kept(&parts, *left);
    let sum: u64 = kept.iter().sum();
    *left -= sum;
    // Misses a use, with 32 fraction bits: how many uses replace everything.
    let missing = |(&(_, pages, weight), &kept): (&(ClassId, u64, u64), &u64)| {
        u128::from(weight) * u128::from(pages - kept) / u128::from(pages.max(1))
    };
    let misses: u128 = parts.iter().zip(&kept).map(missing).sum();
    let lifetime = (u128::from(sum) << 32) / (misses * u128::from(around * passes)).max(1);
    for (&(class, pages, weight), &kept) in parts.iter().zip(&kept) {
        let uses = u128::from(weight) * lifetime / u128::from(pages.max(1));
        let uses = uses.min(u128::from(8 * ONE)) as u64;
        all.push(Resident {
            class,
            pages: kept,
            uses,
            gone: pages - kept,
            unmapped: around > 1,
            passes,
        });
    }
}

/// When the pages of a class that are gone were evicted, the first the longest ago: the nodes and
/// counts of runs, and how many other pages have been evicted since from that node. Every page that
/// is gone is as likely to come back as any other, so that ages are exponential.
#[must_use]
pub fn evicted(gone: u64, shares: &[u64]) -> Vec<(usize, u64, u64)> {
    let all: u64 = shares.iter().sum::<u64>().max(1);
    let mut runs = Vec::new();
    for i in (0..RUNS).rev() {
        for (node, &share) in shares.iter().enumerate() {
            let own = (u128::from(gone) * u128::from(share) / u128::from(all)) as u64;
            let ago = ln_ratio(2 * RUNS, 2 * (RUNS - i) - 1);
            let ago = ((u128::from(own) * u128::from(ago)) >> 32) as u64;
            let count = own * (i + 1) / RUNS - own * i / RUNS;
            if count > 0 {
                runs.push((node, count, ago));
            }
        }
    }
    runs
}

/// How many pages of each class are resident if `room` are.
fn kept(parts: &[(ClassId, u64, u64)], room: u64) -> Vec<u64> {
    let sizes = || parts.iter().map(|part| part.1);
    if sizes().sum::<u64>() <= room {
        return sizes().collect();
    }
    let at = |time: u64| -> Vec<u64> {
        let of = |&(_, pages, weight): &(ClassId, u64, u64)| {
            let uses = u128::from(weight) * u128::from(time) / u128::from(pages.max(1));
            let gone = exp_neg(uses.min(u128::from(64 * ONE)) as u64);
            pages - ((u128::from(pages) * u128::from(gone)) >> 32) as u64
        };
        parts.iter().map(of).collect()
    };
    let (mut low, mut high) = (0, u64::MAX);
    for _ in 0..STEPS {
        let middle = low + (high - low) / 2;
        if at(middle).iter().sum::<u64>() <= room {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_evicted_is_remembered_oldest_first() {
        let runs = evicted(10_000, &[3, 1]);
        assert_eq!(runs.iter().map(|run| run.1).sum::<u64>(), 10_000);
        assert_eq!(runs.iter().filter(|run| run.0 == 1).map(|run| run.1).sum::<u64>(), 2_500);
        let ages: Vec<u64> = runs.iter().filter(|run| run.0 == 0).map(|run| run.2).collect();
        assert!(ages.is_sorted_by(|a, b| a >= b) && ages[0] > 4 * 7_500, "{ages:?}");
        // The mean of an exponential distribution.
        let sum: u64 = runs.iter().filter(|run| run.0 == 0).map(|run| run.1 * run.2).sum();
        assert!((sum / 7_500).abs_diff(7_500) < 150, "{}", sum / 7_500);
    }

    #[test]
    fn what_fits_stays_and_of_the_rest_the_hot_pages_do() {
        let class = ClassId(1);
        let even = [(class, 1_000, ONE)];
        assert_eq!(kept(&even, 1_000), [1_000]);
        assert!(kept(&even, 750)[0].abs_diff(750) <= 1);
        let skewed = [(class, 100, ONE / 10 * 9), (class, 900, ONE / 10)];
        let both = kept(&skewed, 300);
        assert!(both[0] >= 99 && both[0] + both[1] <= 300, "{both:?}");
        assert!(both[1] > 190, "{both:?}");
    }
}
