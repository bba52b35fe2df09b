//! Rules 7 to 9: batches and what a direct reclaim call frees, the sawtooth of free memory, and how
//! much of what is scanned is reclaimed.

use super::{Case, mean, mean_least_most, mode};
use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::observed::Spread;
use crate::kernel::sawtooth::Turns;

/// By how much the mean of direct reclaim's amounts may differ.
const DIRECT_SHARE: f64 = 0.05;
/// The sawtooth: share of the distance from low to high, and pages for MGLRU.
const SAWTOOTH_SHARE: f64 = 0.15;
const SAWTOOTH_PAGES: f64 = 64.0;
/// Turning points that make a mean.
const TURNS_MIN: u64 = 5;
/// Pages of a batch of MGLRU and of the classic lists.
const MIN_LRU_BATCH: u64 = 64;
const SWAP_CLUSTER_MAX: u64 = 32;
/// Why amounts that follow from the length of a list are not judged.
const NO_SAMPLES: &str = "nodes.csv is missing, which says how long the lists were";
/// How far reclaimed over scanned may lie apart.
const STEAL_SCAN: f64 = 0.01;

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = batch(case).into_iter().chain(direct(case)).collect();
    lines.extend(sawtooth(case));
    lines.extend(steal_per_scan(case));
    lines
}

/// The size of kswapd's slices.
fn batch(case: &Case<'_>) -> Option<Line> {
    const FACT: &str = "pages of kswapd's most frequent slice";
    let most = |slices: &std::collections::BTreeMap<u64, u64>| {
        slices.iter().max_by_key(|&(&size, &count)| (count, size)).map(|(&size, _)| size)
    };
    let kernel = most(&case.observed.slices[0])?;
    let own = if case.params.lru_gen { MIN_LRU_BATCH } else { SWAP_CLUSTER_MAX };
    let mut all = std::collections::BTreeMap::new();
    for (&size, &count) in case.runs.iter().flat_map(|r| &r.heard.slices[0]) {
        *all.entry(size).or_insert(0) += count;
    }
    let Some(model) = most(&all) else {
        return Some(Line::not_judged(7, FACT, "kswapd scanned nothing in the model"));
    };
    if case.load.memory.is_some() && kernel != own {
        // A short list's slice is what its priority leaves, and MGLRU isolates what it does not
        // sort: how many pages those are is up to the load. No slice is larger than a batch.
        let largest = |slices: &std::collections::BTreeMap<u64, u64>| {
            slices.keys().next_back().copied().unwrap_or(0)
        };
        return Some(Line {
            rule: 7,
            fact: "pages of kswapd's largest slice".into(),
            kernel: Figure::count(largest(&case.observed.slices[0])),
            model: Figure::count(largest(&all)),
            tolerance: format!("{own} at most"),
            verdict: Verdict::of(largest(&all) <= own),
        });
    }
    Some(Line {
        rule: 7,
        fact: FACT.into(),
        kernel: Figure::count(kernel),
        model: Figure::count(model),
        tolerance: "exact".into(),
        verdict: Verdict::of(kernel == model),
    })
}

/// What a direct reclaim call frees: its mode and its mean. The amount is the list's size, shifted:
/// where that lies at a step the kernel has two amounts next to each other, and the model may have
/// either.
fn direct(case: &Case<'_>) -> Vec<Line> {
    const FACT: &str = "pages that a direct reclaim call frees";
    let Some(kernel) = case.observed.direct else { return Vec::new() };
    if !case.has_samples() {
        return vec![Line::not_judged(7, FACT, NO_SAMPLES)];
    }
    let model: Vec<u64> = case.runs.iter().flat_map(|r| r.heard.direct.iter().copied()).collect();
    let Some((most_frequent, _)) = mode(model.iter().copied()) else {
        return vec![Line::not_judged(7, FACT, "no task of the model had to reclaim")];
    };
    let mean = mean(&model);
    if case.swaps_out() {
        let why = "pages under writeback are freed by later calls: the swap device's speed sets it";
        return vec![Line {
            rule: 7,
            fact: format!("{FACT}: mean"),
            kernel: Figure::Number(kernel.mean),
            model: Figure::Number(mean),
            tolerance: "shown".into(),
            verdict: Verdict::NotJudged(why.into()),
        }];
    }
    vec![
        Line {
            rule: 7,
            fact: format!("{FACT}: mode"),
            kernel: Figure::Range(kernel.median, kernel.p10, kernel.p90),
            model: Figure::count(most_frequent),
            tolerance: "exact: one of the kernel's".into(),
            verdict: Verdict::of((kernel.p10..=kernel.p90).contains(&(most_frequent as f64))),
        },
        Line {
            rule: 7,
            fact: format!("{FACT}: mean"),
            kernel: Figure::Number(kernel.mean),
            model: Figure::Number(mean),
            tolerance: "5 %".into(),
            verdict: Verdict::of((mean - kernel.mean).abs() <= kernel.mean * DIRECT_SHARE),
        },
    ]
}

/// Mean low and high turning points of free memory under a paced load without boost. The kernel
/// ran once, and where its balances fall differs from run to run: its mean must lie within the
/// tolerance of the means of the model's runs.
fn sawtooth(case: &Case<'_>) -> Vec<Line> {
    if case.load.rate == 0 || case.boosts() || case.swaps_out() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for (i, zone) in case.params.zones.iter().enumerate() {
        let Some(seen) = case.observed.zone_free.get(&zone.name()) else { continue };
        let gap = (zone.marks[2] - zone.marks[1]) as f64;
        let share = gap * SAWTOOTH_SHARE;
        let apart = if case.params.lru_gen { share.max(SAWTOOTH_PAGES) } else { share };
        let points = |which: fn(&Turns) -> &Vec<u64>| -> Vec<f64> {
            let runs = case.runs.iter().map(|r| which(&r.turns[i]));
            runs.filter(|turns| turns.len() as u64 >= TURNS_MIN).map(|turns| mean(turns)).collect()
        };
        let minima = (seen.minima, points(|turns| &turns.minima), "low");
        let maxima = (seen.maxima, points(|turns| &turns.maxima), "high");
        for (kernel, means, which) in [minima, maxima] {
            let Some(kernel) = kernel.filter(|k: &Spread| k.n >= TURNS_MIN) else { continue };
            let fact = format!("{} free, mean of {which} turning points", zone.name());
            if means.is_empty() || !case.has_samples() {
                let seldom = "free memory turned too seldom in the model";
                let why = if case.has_samples() { seldom } else { NO_SAMPLES };
                lines.push(Line::not_judged(8, &fact, why));
                continue;
            }
            let (mean, least, most) = mean_least_most(&means);
            let near = (least - apart..=most + apart).contains(&kernel.mean);
            lines.push(Line {
                rule: 8,
                fact,
                kernel: Figure::Number(kernel.mean),
                model: Figure::Range(mean, least, most),
                tolerance: format!("{apart:.0} pages of a run"),
                verdict: Verdict::of(near),
            });
        }
    }
    lines
}

/// Reclaimed over scanned; pages of zones too high for the request were skipped, not scanned.
fn steal_per_scan(case: &Case<'_>) -> Option<Line> {
    const FACT: &str = "reclaimed over scanned, less skipped";
    if !case.observed.has_vmstat {
        return Some(Line::not_judged(9, FACT, "summary.json has no vmstat_delta"));
    }
    let seen = |name: &str| {
        case.observed.counter(&format!("{name}_kswapd"))
            + case.observed.counter(&format!("{name}_direct"))
    };
    let scanned = seen("pgscan").saturating_sub(case.observed.counters("pgskip_"));
    if scanned == 0 {
        return Some(Line::not_judged(9, FACT, "the kernel scanned nothing"));
    }
    let kernel = seen("pgsteal") as f64 / scanned as f64;
    let ratio = |r: &super::Run| {
        let v = &r.vmstat;
        let scanned = (v.pgscan_kswapd + v.pgscan_direct).max(1);
        (v.pgsteal_kswapd + v.pgsteal_direct) as f64 / scanned as f64
    };
    let (mean, least, most) = case.over_runs(ratio);
    if case.load.memory.is_some() {
        return Some(Line {
            rule: 9,
            fact: FACT.into(),
            kernel: Figure::Number(kernel),
            model: Figure::Range(mean, least, most),
            tolerance: "shown".into(),
            verdict: Verdict::NotJudged(
                "used pages are kept, and those under writeback scanned again".into(),
            ),
        });
    }
    Some(Line {
        rule: 9,
        fact: FACT.into(),
        kernel: Figure::Number(kernel),
        model: Figure::Range(mean, least, most),
        tolerance: "0.01".into(),
        verdict: Verdict::of((mean - kernel).abs() <= STEAL_SCAN),
    })
}
