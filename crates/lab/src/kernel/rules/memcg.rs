//! Rule 14: reclaim at the limits of a memory cgroup. The charging task does it, once for each
//! event; kswapd has no part in it, and it is no stall of the machine.

use super::{Case, percentile};
use crate::kernel::line::{Figure, Line, Verdict};
use mm::vmstat::Vmstat;

/// Pages by which usage may go over memory.max.
const OVER_MAX: u64 = 16;
const PAGE: u64 = 4_096;
const NO_VMSTAT: &str = "summary.json has no vmstat_delta";
const NO_MEMCG: &str = "summary.json says nothing of the cgroup";

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    vec![global(case), calls(case), most(case), counted(case), amounts(case)]
}

/// kswapd and stalls of the whole machine.
fn global(case: &Case<'_>) -> Line {
    const FACT: &str = "runs of kswapd, its scans, and stalls of the machine (allocstall)";
    if !case.observed.has_vmstat {
        return Line::not_judged(14, FACT, NO_VMSTAT);
    }
    let seen = |name: &str| case.observed.counter(name);
    let kernel = seen("pageoutrun") + seen("pgscan_kswapd") + case.observed.counters("allocstall_");
    let of = |v: &Vmstat| v.pageoutrun + v.pgscan_kswapd + v.allocstall_normal;
    let model: u64 = case.runs.iter().map(|run| of(&run.vmstat)).sum();
    Line {
        rule: 14,
        fact: FACT.into(),
        kernel: Figure::count(kernel),
        model: Figure::count(model),
        tolerance: "0".into(),
        verdict: Verdict::of(kernel == 0 && model == 0),
    }
}

/// One call an event.
fn calls(case: &Case<'_>) -> Line {
    const FACT: &str = "reclaim calls for the limit, and events of max and high";
    let Some((max, high)) = case.observed.memcg.as_ref().and_then(|memcg| memcg.events) else {
        return Line::not_judged(14, FACT, NO_MEMCG);
    };
    let calls = case.observed.events.get("mm_vmscan_memcg_reclaim_begin").copied().unwrap_or(0);
    let words = |calls: u64, events: u64| Figure::words(format!("{calls} and {events}"));
    let of = |figure: fn(&mm::memcontrol::Memcg) -> u64| -> u64 {
        case.runs.iter().filter_map(|run| run.memcg.as_ref()).map(figure).sum()
    };
    let (own, events) = (of(|m| m.reclaims), of(|m| m.max + m.high));
    Line {
        rule: 14,
        fact: FACT.into(),
        kernel: words(calls, max + high),
        model: words(own, events),
        tolerance: "as many".into(),
        verdict: if own == 0 && calls > 0 {
            Verdict::Miss
        } else {
            Verdict::of(calls == max + high && own == events)
        },
    }
}

/// The most that was charged.
fn most(case: &Case<'_>) -> Line {
    const FACT: &str = "most pages over memory.max";
    let Some(limit) = case.limits.max else {
        return Line::not_judged(14, FACT, "there is no memory.max");
    };
    let sampled = case.observed.memcg.as_ref().and_then(|memcg| memcg.most);
    let Some(kernel) = case.memcg_most.or(sampled) else {
        return Line::not_judged(14, FACT, "memcg.csv is missing");
    };
    let kernel = kernel.div_ceil(PAGE);
    let peak = |run: &super::Run| run.memcg.as_ref().map(|memcg| memcg.peak);
    let model = case.runs.iter().filter_map(peak).max().unwrap_or(0);
    let words =
        |most: u64| Figure::words(format!("{} (at most {most})", most.saturating_sub(limit)));
    let within = |most: u64| most <= limit + OVER_MAX;
    Line {
        rule: 14,
        fact: FACT.into(),
        kernel: words(kernel),
        model: words(model),
        tolerance: format!("{OVER_MAX} over {limit}"),
        verdict: Verdict::of(within(kernel) && within(model)),
    }
}

/// Whether /proc/vmstat has the cgroup's scans too: not up to 6.x, all of them from 7.x on.
fn counted(case: &Case<'_>) -> Line {
    const FACT: &str = "pages scanned for the limit that /proc/vmstat counts";
    let Some(memcg) = &case.observed.memcg else {
        return Line::not_judged(14, FACT, NO_MEMCG);
    };
    if !case.observed.has_vmstat {
        return Line::not_judged(14, FACT, NO_VMSTAT);
    }
    let words = |part: u64, all: u64| Figure::words(format!("{part} of {all}"));
    let wanted = |all: u64| if case.params.flavour.memcg_scan_global { all } else { 0 };
    let kernel = case.observed.counter("pgscan_direct");
    let own: u64 = case.runs.iter().map(|run| run.vmstat.pgscan_direct).sum();
    let all: u64 = case.runs.iter().filter_map(|r| r.memcg.as_ref()).map(|m| m.pgscan).sum();
    Line {
        rule: 14,
        fact: FACT.into(),
        kernel: words(kernel, memcg.pgscan),
        model: words(own, all),
        tolerance: if wanted(1) == 1 { "all" } else { "none" }.into(),
        verdict: Verdict::of(kernel == wanted(memcg.pgscan) && own == wanted(all)),
    }
}

/// What a call reclaims.
fn amounts(case: &Case<'_>) -> Line {
    let all: Vec<u64> = case.runs.iter().flat_map(|r| r.heard.memcg_calls.clone()).collect();
    let kernel = case.observed.memcg_calls;
    Line {
        rule: 14,
        fact: "pages that a reclaim call for the limit frees, median".into(),
        kernel: kernel.map_or(Figure::None, |spread| Figure::Number(spread.median)),
        model: percentile(&all, 50).map_or(Figure::None, Figure::count),
        tolerance: "shown".into(),
        verdict: Verdict::NotJudged("pages under writeback are freed by later calls".into()),
    }
}
