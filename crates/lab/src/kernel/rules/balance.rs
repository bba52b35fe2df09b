//! Rules 4 to 6: when balance_pgdat ends and kswapd sleeps, its nap, and what one balance takes.

use super::{Case, mode, percentile};
use crate::kernel::line::{Figure, Line, Verdict};

/// The nap, a tick of these kernels, and how far their own figures spread, in ms.
const NAP_MS: f64 = 100.0;
const TICK_MS: f64 = 4.0;
const SPREAD_MS: f64 = 15.0;
/// Share of nonzero balances that must be one quantum, in hundredths.
const QUANTUM_SHARE: f64 = 0.85;
/// By how much the amount may differ where the scan budget bounds it.
const BUDGET_SHARE: f64 = 0.05;
/// Pages of an MGLRU batch, and the least that a zone adds to a pass's target.
const MIN_LRU_BATCH: u64 = 64;
const SWAP_CLUSTER_MAX: u64 = 32;
/// An MGLRU pass of kswapd scans a 64th of the lists at most (priority 6).
const BUDGET_SHIFT: u32 = 6;

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    let mut lines = vec![ends(case), nap(case)];
    if case.params.lru_gen {
        lines.extend(quantum(case));
    }
    lines
}

/// Rule 4.
fn ends(case: &Case<'_>) -> Line {
    let sum = |of: fn(&crate::kernel::listen::Listener) -> u64| -> u64 {
        case.runs.iter().map(|r| of(&r.heard)).sum()
    };
    let ends = sum(|h| h.balances.iter().map(|b| b.len() as u64).sum());
    let sleeps = sum(|h| h.sleeps);
    // Only memory that has to be written to a slow device may leave every priority in vain.
    let exhausted = if case.load.memory.is_some() { 0 } else { sum(|h| h.exhausted_balance_ends) };
    let early = sum(|h| h.early_balance_ends) + sum(|h| h.early_sleeps) + exhausted;
    // balance_pgdat also ends when a pass over a boost, begun with a zone at high, reclaims
    // nothing: that is its rule, whatever was allocated meanwhile. How many do is shown.
    let given_up = match sum(|h| h.boosts_given_up) {
        0 => String::new(),
        n => format!(", {n} gave a boost up"),
    };
    Line {
        rule: 4,
        fact: "balances ended and full sleeps with no zone at high".into(),
        kernel: Figure::words("0 by its rule"),
        model: Figure::words(format!("{early} of {ends} and {sleeps}{given_up}")),
        tolerance: "0".into(),
        verdict: if ends == 0 {
            Verdict::NotJudged("kswapd was never woken in the model".into())
        } else {
            Verdict::of(early == 0)
        },
    }
}

/// Rule 5.
fn nap(case: &Case<'_>) -> Line {
    const FACT: &str = "shortest time from kswapd's wake to its sleep, ms";
    let naps = case.runs.iter().flat_map(|r| r.heard.naps.iter()).map(|d| d.as_nanos());
    let ms = |ns: u64| ns as f64 / 1e6;
    let naps: Vec<u64> = naps.collect();
    let shortest = naps.iter().min().copied().map(ms);
    let kernel = case.observed.wake_to_sleep.map(|spread| spread.least);
    let verdict = match (shortest, kernel) {
        (None, _) => Verdict::NotJudged("in the model every nap was ended by the next wake".into()),
        (Some(model), kernel) => {
            let near = |ms: f64, by: f64| (ms - NAP_MS).abs() <= by;
            Verdict::of(near(model, TICK_MS) && kernel.is_none_or(|ms| ms >= NAP_MS - SPREAD_MS))
        }
    };
    Line {
        rule: 5,
        fact: FACT.into(),
        kernel: kernel.map_or(Figure::None, Figure::Number),
        model: shortest.map_or(Figure::None, Figure::Number),
        tolerance: "100 +- 4, the data +- 15".into(),
        verdict,
    }
}

/// Rule 6, node by node.
fn quantum(case: &Case<'_>) -> Vec<Line> {
    let fact = |node: usize| format!("node {node}: pages of one MGLRU balance");
    let woken = |&node: &usize| {
        case.runs.iter().any(|r| r.heard.balances.get(node).is_some_and(|b| !b.is_empty()))
    };
    (0..case.params.nodes())
        .filter(woken)
        .map(|node| {
            if case.swaps_out() {
                let why = "pages under writeback are freed by later balances";
                return Line::not_judged(6, &fact(node), why);
            }
            if case.boosts() {
                let why = "boost: a boosted balance takes more, and how many there are is a guess";
                return Line::not_judged(6, &fact(node), why);
            }
            quantum_of(case, node, fact(node))
        })
        .collect()
}

fn quantum_of(case: &Case<'_>, node: usize, fact: String) -> Line {
    let target: u64 = case.params.zones_of(node).map(|z| z.marks[2].max(SWAP_CLUSTER_MAX)).sum();
    let quantum = target.div_ceil(MIN_LRU_BATCH) * MIN_LRU_BATCH;
    let budget = case.runs.iter().map(|r| r.file[node] >> BUDGET_SHIFT).min().unwrap_or(0);
    let balances = case.runs.iter().filter_map(|r| r.heard.balances.get(node)).flatten();
    let nonzero: Vec<u64> = balances.copied().filter(|&n| n > 0).collect();
    // One node's balances cannot be told from the others' in the kernel's figures.
    let kernel = case.observed.balance.filter(|_| case.params.nodes() == 1 || bound_to(case, node));
    let Some((most_frequent, share)) = mode(nonzero.iter().copied()) else {
        return Line::not_judged(6, &fact, "no balance of the model reclaimed a page");
    };
    if target <= budget {
        let exact = nonzero.iter().filter(|&&n| n == quantum).count() as f64;
        let share_exact = exact / nonzero.len() as f64;
        let agrees = kernel.is_none_or(|k| k.median == quantum as f64);
        return Line {
            rule: 6,
            fact,
            kernel: kernel.map_or(Figure::None, |k| Figure::Number(k.median)),
            model: Figure::words(format!("{most_frequent} in {:.0} %", share * 100.0)),
            tolerance: format!("{quantum} in 85 % of nonzero balances"),
            verdict: Verdict::of(agrees && share_exact >= QUANTUM_SHARE),
        };
    }
    let p90 = percentile(&nonzero, 90).unwrap_or(0);
    let Some(kernel) = kernel else {
        let why = "the scan budget bounds it, and this kernel does not trace what a balance took";
        return Line::not_judged(6, &fact, why);
    };
    Line {
        rule: 6,
        fact: format!("{fact}, bounded by the scan budget: 90th percentile"),
        kernel: Figure::Number(kernel.p90),
        model: Figure::count(p90),
        tolerance: "5 %".into(),
        verdict: Verdict::of((p90 as f64 - kernel.p90).abs() <= kernel.p90 * BUDGET_SHARE),
    }
}

/// Whether all threads take memory from this node only.
fn bound_to(case: &Case<'_>, node: usize) -> bool {
    let masks = &case.load.bind;
    !masks.is_empty() && masks.iter().all(|&mask| mask == 1 << node)
}
