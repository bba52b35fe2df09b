//! LRU by cohorts against LRU page by page.
//!
//! Both run the same uses of the same pages in a memory that is too small, with the same rules and
//! the same reclaim loop; one keeps every page and its flags ([`exact`]), the other the model's
//! lists ([`cohorts`]). What they must agree in: the share of uses that find their page, and how
//! far back the pages that come back were evicted. `RECLAIMSCOPE_SOAK=1` takes every size, load and
//! seed; otherwise a few are enough to see a rule go wrong.

mod cohorts;
mod exact;
mod traces;

use traces::{Load, Trace};

/// What a side found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    hits: u64,
    uses: u64,
    distances: Vec<u64>,
}

impl Found {
    /// Hits in per cent of all uses.
    fn ratio(&self) -> f64 {
        self.hits as f64 * 100.0 / self.uses.max(1) as f64
    }

    fn quartiles(&mut self) -> [u64; 3] {
        self.distances.sort_unstable();
        let n = self.distances.len();
        [1, 2, 3].map(|q| self.distances.get(n * q / 4).copied().unwrap_or(0))
    }
}

/// Which lists, and how pages are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) lru_gen: bool,
    pub(crate) mapped: bool,
}

impl Rules {
    /// How far the quartiles of the refault distance may be apart.
    ///
    /// mark_page_accessed moves a page at its second use; the model moves it when a reclaimer meets
    /// it. So the classic active list of pages that are read is a little too short at any time.
    fn apart(self) -> f64 {
        if self.mapped { 0.1 } else { 0.25 }
    }

    /// How far hit ratios may be apart in points: the mean over seeds, and any seed's. Uses by
    /// read() show late in classic lists, as above; in generations of a few hundred pages the
    /// controller of the tiers decides on a few dozen refaults, so that the exact side differs by
    /// as much from seed to seed.
    fn points(self) -> (f64, f64) {
        if self.mapped { (1.0, 2.0) } else { (2.0, 4.0) }
    }
}

/// Both sides of one case; the first tenth of the uses fills memory and is not counted.
fn compare(load: Load, memory: u64, uses: u64, seed: u64, rules: Rules) -> (Found, Found) {
    let trace = Trace::new(load, memory);
    (exact::run(&trace, memory, uses, seed, rules), cohorts::run(&trace, memory, uses, seed, rules))
}

fn soak() -> bool {
    std::env::var_os("RECLAIMSCOPE_SOAK").is_some()
}

/// Runs a load in several seeds: the mean difference of the hit ratios in points is at most 1, none
/// is over 2, and the quartiles of the refault distance agree within a tenth (more for pages that
/// are read).
fn check(load: Load, rules: Rules) {
    let sizes: &[u64] = if soak() { &[64, 512, 4_096, 32_768, 65_536] } else { &[512, 8_192] };
    let (uses, seeds) = if soak() { (1_000_000, 10) } else { (300_000, 3) };
    for &memory in sizes {
        let mut sum = 0.0;
        for seed in 0..seeds {
            let (mut exact, mut cohorts) = compare(load, memory, uses, seed, rules);
            let difference = cohorts.ratio() - exact.ratio();
            let say = format!(
                "{load:?} {rules:?} memory {memory} seed {seed}: {:.2} % exact, {:.2} % cohorts",
                exact.ratio(),
                cohorts.ratio()
            );
            if std::env::var_os("ORACLE_SHOW").is_some() {
                println!("{say} {:?} {:?}", exact.quartiles(), cohorts.quartiles());
            }
            // What walks made of a loop's pages is kept by generation: where generations
            // merge, some pages of it are taken for others. A miss: other loops are exact.
            let taken_for_others = load == Load::Loop && rules.lru_gen && rules.mapped;
            let loops = if taken_for_others { rules.points().1 } else { 0.01 };
            let most = if load == Load::Loop { loops } else { rules.points().1 };
            assert!(difference.abs() <= most, "{say}");
            sum += difference;
            if exact.distances.len() > 2_000 && !taken_for_others {
                let pairs = exact.quartiles().into_iter().zip(cohorts.quartiles());
                for (quartile, (own, other)) in pairs.enumerate() {
                    let apart = own.abs_diff(other) as f64 / own.max(1) as f64;
                    assert!(apart <= rules.apart(), "{say}: quartile {quartile} {own} and {other}");
                }
            }
        }
        let mean = sum / f64::from(seeds as u32);
        assert!(
            mean.abs() <= rules.points().0,
            "{load:?} {rules:?} memory {memory}: mean difference {mean:.2}"
        );
    }
}

const LOADS: [Load; 7] = [
    Load::Uniform,
    Load::Zipf(600),
    Load::Zipf(900),
    Load::Zipf(1_200),
    Load::Loop,
    Load::Scan,
    Load::Mix,
];

#[test]
fn classic_lists_of_mapped_pages_agree() {
    for load in LOADS {
        check(load, Rules { lru_gen: false, mapped: true });
    }
}

#[test]
fn classic_lists_of_pages_that_are_read_agree() {
    // Beside a scan or a loop the late move costs more, which the list of what is not
    // modelled says.
    let alone = |load: &Load| !matches!(load, Load::Mix | Load::Scan);
    for load in LOADS.into_iter().filter(alone) {
        check(load, Rules { lru_gen: false, mapped: false });
    }
}

#[test]
fn generations_of_mapped_pages_agree() {
    for load in LOADS {
        check(load, Rules { lru_gen: true, mapped: true });
    }
}

#[test]
fn generations_of_pages_that_are_read_agree() {
    for load in LOADS.into_iter().filter(|&load| load != Load::Mix) {
        check(load, Rules { lru_gen: true, mapped: false });
    }
}
