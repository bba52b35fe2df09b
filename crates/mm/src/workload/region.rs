//! Regions: pages that are used again, as a few classes of pages that are used alike.
//!
//! A skewed region is cut by popularity: the pages of ranks 2^k to 2^(k+1) are one class. Weights
//! are shares of all uses with 32 fraction bits and sum to exactly one.

use super::group::{Backing, GroupConfig, Pattern, RegionConfig, Work};
use crate::config::{Config, Mm};
use crate::lru::{ClassConfig, ClassId, Order, PageKind};
use catalog::ConstantId;
use engine::dist::{ONE, exp_neg, ln_ratio};

/// Classes of one region, at most.
const CLASSES_MAX: usize = 24;
/// Pieces that a range of ranks is summed in.
const PIECES: u64 = 16;
/// Positions of a churn's memory: none is ever used again.
const ENDLESS: u64 = 1 << 40;
/// Pages of a shared loop at least; a shorter one is used at random.
const SHARED_LOOP: u64 = 1 << 16;
/// Pages of a source file of a build.
pub const SOURCE_PAGES: u64 = 512;

/// A region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its classes and the share of the uses that each gets.
    pub classes: Vec<(ClassId, u64)>,
    /// Whether it is used in order.
    pub is_loop: bool,
    /// What its pages are.
    pub backing: Backing,
    /// How many there are.
    pub pages: u64,
    /// Pages of each of its classes.
    pub class_pages: Vec<u64>,
    /// The tasks that use it: when the last one ends, anonymous pages are freed.
    pub tasks: u32,
}

impl Region {
    /// Pages of one of its classes.
    #[must_use]
    pub fn class_pages(&self, class: ClassId) -> u64 {
        let at = self.classes.iter().position(|&(own, _)| own == class);
        at.map_or(0, |at| self.class_pages[at])
    }
}

/// The regions of all tasks.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The regions.
    pub regions: Vec<Region>,
    /// For each task the numbers of its regions, in the order that its work names them.
    pub of_task: Vec<Vec<u32>>,
    /// For each group the class that its tasks write new file pages of.
    pub written: Vec<ClassId>,
}

/// Builds the regions of a configuration's groups, and adds their classes, files and address spaces
/// to it.
pub fn lay_out(config: &mut Config) -> Layout {
    let mut layout = Layout::default();
    let groups = config.groups.clone();
    let tasks = config.tasks();
    for group in &groups {
        let mut shared: Vec<Option<u32>> = Vec::new();
        for _ in 0..group.tasks {
            let mut own = Vec::new();
            for (i, region) in regions(group).iter().enumerate() {
                shared.resize(shared.len().max(i + 1), None);
                let number = match shared[i] {
                    Some(number) => {
                        layout.regions[number as usize].tasks += 1;
                        number
                    }
                    None => {
                        let grows = matches!(group.work, Work::Compile(_));
                        let is_store = matches!(group.work, Work::Store(_));
                        let files = if is_store && region.backing == Backing::Mapped {
                            config.ledger.get(ConstantId::StoreFiles) as u32
                        } else {
                            1
                        };
                        add(config, &mut layout, region, (tasks, files), grows)
                    }
                };
                shared[i] = region.shared.then_some(number);
                own.push(number);
            }
            layout.of_task.push(own);
        }
        layout.written.push(written(config, group, tasks));
    }
    layout
}

/// The class of new file pages that a group writes: each page is used once.
fn written(config: &mut Config, group: &GroupConfig, tasks: u32) -> ClassId {
    let memcg = match &group.work {
        Work::Build(_) => group.memcg,
        Work::Store(store) if store.data.memcg > 0 => store.data.memcg,
        Work::Store(_) => group.memcg,
        _ => return ClassId::default(),
    };
    let mapping = Some(tasks + config.files);
    config.files += 1;
    config.classes.push(ClassConfig { mapping, memcg, ..ClassConfig::STREAMS });
    ClassId(config.classes.len() as u16 - 1)
}

/// The regions that a task of a group has.
fn regions(group: &GroupConfig) -> Vec<RegionConfig> {
    let anon = |pages, pattern| RegionConfig {
        backing: Backing::Anon,
        pages,
        pattern,
        shared: false,
        memcg: group.memcg,
    };
    let charged = |region: RegionConfig| match region.memcg {
        0 => RegionConfig { memcg: group.memcg, ..region },
        _ => region,
    };
    match &group.work {
        Work::Stream(_) => Vec::new(),
        Work::Memory(memory) => vec![charged(memory.region)],
        Work::Churn(_) => vec![anon(ENDLESS, Pattern::Loop)],
        Work::Build(build) => vec![
            RegionConfig {
                backing: Backing::Read,
                pages: build.files * SOURCE_PAGES,
                pattern: Pattern::Zipf(800),
                shared: true,
                memcg: group.memcg,
            },
            anon(build.pages_max, Pattern::Uniform),
        ],
        Work::Compile(compile) => vec![anon(compile.pages_max, compile.pattern)],
        Work::Store(store) => vec![charged(store.data), charged(store.heap)],
    }
}

/// Adds a region; says its number.
fn add(
    config: &mut Config,
    layout: &mut Layout,
    region: &RegionConfig,
    (tasks, files): (u32, u32),
    grows: bool,
) -> u32 {
    let pages = region.pages.max(1);
    // A loop that many tasks go round together is longer than what they are waiting for.
    let is_loop = region.pattern == Pattern::Loop && (!region.shared || pages >= SHARED_LOOP);
    let pattern =
        if is_loop || region.pattern != Pattern::Loop { region.pattern } else { Pattern::Uniform };
    let mapping = (region.backing != Backing::Anon).then_some(tasks + config.files);
    if let Some(first) = mapping {
        config.files += files;
        if files > 1 {
            config.spread.push((first, files));
        }
    }
    let first = config.classes.len();
    let parts = parts(pages, pattern);
    if region.backing != Backing::Read && pages < ENDLESS {
        let classes = first as u16..(first + parts.len()) as u16;
        config.mms.push(if grows { Mm::Grows(classes) } else { Mm::Fixed(pages) });
    }
    for &(pages, _) in &parts {
        config.classes.push(ClassConfig {
            kind: if region.backing == Backing::Anon { PageKind::Anon } else { PageKind::File },
            mapped: region.backing != Backing::Read,
            mapping,
            pages,
            order: if is_loop { Order::Loop } else { Order::Random },
            memcg: region.memcg,
        });
    }
    let id = |i: usize| ClassId((first + i) as u16);
    layout.regions.push(Region {
        classes: parts.iter().enumerate().map(|(i, &(_, weight))| (id(i), weight)).collect(),
        class_pages: parts.iter().map(|part| part.0).collect(),
        is_loop,
        backing: region.backing,
        pages,
        tasks: 1,
    });
    layout.regions.len() as u32 - 1
}

/// Classes of so many pages with the share of the uses that each gets.
#[must_use]
pub fn parts(pages: u64, pattern: Pattern) -> Vec<(u64, u64)> {
    let raw: Vec<(u64, u128)> = match pattern {
        Pattern::Uniform | Pattern::Loop => vec![(pages, 1)],
        Pattern::Hot(share, uses) => {
            let hot = (pages * u64::from(share.min(1_000)) / 1_000).clamp(1, pages);
            let uses = u128::from(uses.min(1_000));
            vec![(hot, uses), (pages - hot, 1_000 - uses)]
        }
        Pattern::Zipf(skew) => by_rank(pages, u64::from(skew)),
    };
    let sum: u128 = raw.iter().filter(|part| part.0 > 0).map(|part| part.1).sum();
    let share = |weight: u128| (weight * u128::from(ONE) / sum.max(1)) as u64;
    let there = raw.into_iter().filter(|part| part.0 > 0);
    let mut parts: Vec<(u64, u64)> = there.map(|(pages, w)| (pages, share(w))).collect();
    let given: u64 = parts.iter().map(|part| part.1).sum();
    if let Some(first) = parts.first_mut() {
        first.1 += ONE - given;
    }
    parts
}

/// Ranges of ranks that double, each with the sum of rank^-skew over it; `skew` in thousandths.
fn by_rank(pages: u64, skew: u64) -> Vec<(u64, u128)> {
    let mut ranges = Vec::new();
    let mut first = 1;
    while first <= pages {
        let last = if ranges.len() + 1 == CLASSES_MAX { pages } else { (2 * first - 1).min(pages) };
        ranges.push((last - first + 1, sum_of(first, last, skew)));
        first = last + 1;
    }
    ranges
}

/// The sum of rank^-skew over `first..=last` with 44 fraction bits, in pieces of ranks that count
/// as their middle one.
fn sum_of(first: u64, last: u64, skew: u64) -> u128 {
    let count = last - first + 1;
    let pieces = count.min(PIECES);
    let piece = |i: u64| {
        let (from, to) = (first + count * i / pieces, first + count * (i + 1) / pieces);
        // The square of the root, which keeps the bits of small shares.
        let root = u128::from(exp_neg(ln_ratio((from + to - 1).max(2), 2) * skew / 2_000));
        u128::from(to - from) * ((root * root) >> 20)
    };
    (0..pieces).map(piece).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_pages_to_all() {
        for pattern in [
            Pattern::Uniform,
            Pattern::Loop,
            Pattern::Zipf(600),
            Pattern::Zipf(990),
            Pattern::Zipf(1_200),
            Pattern::Hot(100, 900),
            Pattern::Hot(1_000, 1_000),
        ] {
            for pages in [1, 2, 3, 1_000, 1 << 24, 100_000_000] {
                let parts = parts(pages, pattern);
                assert!(parts.len() <= CLASSES_MAX);
                assert_eq!(parts.iter().map(|p| p.0).sum::<u64>(), pages, "{pattern:?}");
                assert_eq!(parts.iter().map(|p| p.1).sum::<u64>(), ONE, "{pattern:?} {pages}");
            }
        }
    }

    #[test]
    fn zipf_shares_are_those_of_the_harmonic_sums() {
        // H(1000) = 7.48547, H(511) = 6.81451, H(1023) - H(511) is cut at 1000.
        let parts = parts(1_000, Pattern::Zipf(1_000));
        let share = |n: usize| parts[n].1 as u128 * 1_000_000 / u128::from(ONE);
        assert!(share(0).abs_diff(133_592) < 200, "{}", share(0));
        let upper = parts.iter().rev().take(1).map(|p| p.1).sum::<u64>();
        let upper = u128::from(upper) * 1_000_000 / u128::from(ONE);
        // Ranks 512 to 1000: 7.48547 - 6.81451 = 0.67095 of 7.48547.
        assert!(upper.abs_diff(89_635) < 300, "{upper}");
    }
}
