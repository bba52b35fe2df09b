//! Rules 11 to 13 under pressure: which devices fill, by samples of their use.

use super::{Case, Run};
use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::params::SwapDevice;
use crate::kernel::swaps::Samples;

/// Slots that a CPU takes at once up to 6.13 (SWAP_SLOTS_CACHE_SIZE), and of a cluster.
const SLOT_CACHE: u64 = 64;
const CLUSTER: u64 = 512;

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    let devices = &case.params.swaps[..];
    let pairs = || {
        let rest = |i: usize| devices[i + 1..].iter();
        devices.iter().enumerate().flat_map(move |(i, a)| rest(i).map(move |b| (a, b)))
    };
    let mut lines = Vec::new();
    if pairs().any(|(a, b)| a.priority != b.priority) {
        lines.push(strict(case, devices));
    }
    if pairs().any(|(a, b)| a.priority == b.priority) {
        lines.push(spread(case, devices));
    }
    if devices.iter().any(|device| device.priority < 0) {
        let kernel: Vec<i64> = devices.iter().map(|device| device.priority).collect();
        let model = case.runs.first().map(|run| run.priorities.clone()).unwrap_or_default();
        let words = |all: &[i64]| {
            Figure::words(all.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        };
        lines.push(Line {
            rule: 13,
            fact: "default priorities, in the order of swapon".into(),
            kernel: words(&kernel),
            model: words(&model),
            tolerance: "exact".into(),
            verdict: Verdict::of(kernel == model),
        });
    }
    lines
}

/// A figure of samples beside the most that each device had.
fn words(figure: u64, peaks: &[u64]) -> Figure {
    let peaks: Vec<String> = peaks.iter().map(u64::to_string).collect();
    Figure::words(format!("{figure} (at most {})", peaks.join(" ")))
}

/// The largest figure of the model's runs, and the most that its devices had in any.
fn of_runs(case: &Case<'_>, figure: impl Fn(&Samples) -> u64) -> (u64, Vec<u64>) {
    let devices = case.params.swaps.len();
    let largest = case.runs.iter().map(|run: &Run| figure(&run.swaps)).max().unwrap_or(0);
    let mut most = vec![0; devices];
    for run in case.runs {
        for (most, peak) in most.iter_mut().zip(run.swaps.peaks(devices)) {
            *most = peak.max(*most);
        }
    }
    (largest, most)
}

/// Rule 11.
fn strict(case: &Case<'_>, devices: &[SwapDevice]) -> Line {
    const FACT: &str = "pages on a device while one of higher priority had room";
    let Some(seen) = case.swaps else {
        return Line::not_judged(11, FACT, "swaps.csv is missing");
    };
    let kernel = seen.early(devices);
    let (model, most) = of_runs(case, |samples| samples.early(devices));
    Line {
        rule: 11,
        fact: FACT.into(),
        kernel: words(kernel, &seen.peaks(devices.len())),
        model: words(model, &most),
        tolerance: "0".into(),
        verdict: if most.iter().all(|&n| n == 0) {
            Verdict::NotJudged("the model swapped nothing out".into())
        } else {
            Verdict::of(kernel == 0 && model == 0)
        },
    }
}

/// Rule 12.
fn spread(case: &Case<'_>, devices: &[SwapDevice]) -> Line {
    const FACT: &str = "largest difference between devices of equal priority, in pages";
    let Some(seen) = case.swaps else {
        return Line::not_judged(12, FACT, "swaps.csv is missing");
    };
    let cached = case.params.flavour.swap_allocator == catalog::AllocatorId::SlotCache;
    let cpus: usize = case.params.cpus.iter().map(Vec::len).sum();
    let bound = if cached { SLOT_CACHE } else { CLUSTER * cpus as u64 };
    let kernel = seen.spread(devices);
    let (model, most) = of_runs(case, |samples| samples.spread(devices));
    Line {
        rule: 12,
        fact: FACT.into(),
        kernel: words(kernel, &seen.peaks(devices.len())),
        model: words(model, &most),
        tolerance: format!("{bound} at most"),
        verdict: if most.iter().all(|&n| n == 0) {
            Verdict::NotJudged("the model swapped nothing out".into())
        } else {
            Verdict::of(kernel <= bound && model <= bound)
        },
    }
}
