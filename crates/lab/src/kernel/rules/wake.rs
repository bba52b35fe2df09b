//! Rule 3: kswapd is woken only when every zone of the zonelist is at or below low; tasks that are
//! not bound use other nodes first.

use super::Case;
use crate::kernel::line::{Figure, Line, Verdict};

/// Share of a count by which the kernel's and the model's may differ.
const MISS_SHARE: f64 = 0.1;
/// A part of the wakes: where more are those of a boost, boost decides which node is filled.
const BOOST_PARTS: u64 = 3;
/// Pages of the kernel's own that may lie elsewhere, a share of all that were read.
const OWN_SHARE: f64 = 0.001;

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    let mut lines = vec![all_at_low(case)];
    if case.params.nodes() > 1 {
        lines.extend(numa_miss(case));
        if case.is_fill() {
            lines.push(order(case));
        }
    }
    lines
}

fn all_at_low(case: &Case<'_>) -> Line {
    let entries: u64 = case.runs.iter().map(|r| r.heard.slow_paths).sum();
    let early: u64 = case.runs.iter().map(|r| r.heard.early_slow_paths).sum();
    let kernel = case.observed.above_low.map(|above| {
        let boosted = if case.boosts() { ", boost included" } else { "" };
        Figure::words(format!("{} above low in the median{boosted}", above.median))
    });
    Line {
        rule: 3,
        fact: "wakes for an allocation with a zone above low".into(),
        kernel: kernel.unwrap_or(Figure::None),
        model: Figure::words(format!("{early} of {entries}")),
        tolerance: "0".into(),
        verdict: if entries == 0 {
            Verdict::NotJudged("memory was never short in the model".into())
        } else {
            Verdict::of(early == 0)
        },
    }
}

fn numa_miss(case: &Case<'_>) -> Option<Line> {
    const FACT: &str = "numa_miss";
    if !case.observed.has_vmstat {
        return Some(Line::not_judged(3, FACT, "summary.json has no vmstat_delta"));
    }
    let kernel = case.observed.counter("numa_miss");
    let (mean, least, most) = case.over_runs(|r| r.vmstat.numa_miss as f64);
    let pages = case.observed.pages.unwrap_or(0) as f64;
    let apart = (kernel as f64 * MISS_SHARE).max(pages * OWN_SHARE);
    let wakes = case.observed.events.get("mm_vmscan_wakeup_kswapd").copied().unwrap_or(0);
    let boosts = case.observed.boost_wakes;
    let unbound = case.load.bind.is_empty();
    let verdict = if !case.is_fill() {
        Verdict::NotJudged(
            "which thread comes first to the last free pages of a node is a race: only fills are \
             judged"
                .into(),
        )
    } else if unbound && case.boosts() && boosts * BOOST_PARTS > wakes {
        Verdict::NotJudged(format!(
            "boost: {boosts} of the kernel's {wakes} wakes are those of a fragmentation event, \
             which keeps nodes above low; how often they come is a guess"
        ))
    } else {
        Verdict::of((mean - kernel as f64).abs() <= apart)
    };
    Some(Line {
        rule: 3,
        fact: FACT.into(),
        kernel: Figure::count(kernel),
        model: Figure::Range(mean, least, most),
        tolerance: "10 %".into(),
        verdict,
    })
}

/// The order in which nodes ran short, as far as the kernel got.
fn order(case: &Case<'_>) -> Line {
    const FACT: &str = "nodes in the order in which they fell to low";
    let Some(kernel) = case.fell else {
        return Line::not_judged(3, FACT, "nodes.csv is missing");
    };
    let words = |nodes: &[u32]| nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let all = |run: &super::Run| run.fell.starts_with(kernel) || kernel.starts_with(&run.fell);
    Line {
        rule: 3,
        fact: FACT.into(),
        kernel: Figure::words(words(kernel)),
        model: case.runs.first().map_or(Figure::None, |run| Figure::words(words(&run.fell))),
        tolerance: "the same, as far as both go".into(),
        verdict: if kernel.is_empty() {
            Verdict::NotJudged("no node fell to low".into())
        } else {
            Verdict::of(case.runs.iter().all(all))
        },
    }
}
