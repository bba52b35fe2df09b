//! Rule 15: what swappiness decides. With 0 no anonymous page is taken while there are file pages;
//! with more of it more is swapped out.

use super::{Case, Entry};
use crate::kernel::line::{Figure, Line, Verdict};

/// The swappiness between which the rule orders what is swapped out. Between 60 and 100 the kernel
/// itself is told apart by 93 pages of 1,608 in one pair of experiments: of others nothing is said.
const ORDERED: [u64; 3] = [0, 60, 200];

/// Pages swapped out, in the kernel and in the mean over the model's runs.
pub(in crate::kernel) type Swapped = (u64, f64);

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    if case.params.swaps.is_empty() || !case.observed.has_vmstat {
        return Vec::new();
    }
    let seen = |name: &str| case.observed.counter(name);
    if case.params.swappiness > 0 {
        let (mean, least, most) = case.over_runs(|r| r.vmstat.pswpout as f64);
        return vec![Line {
            rule: 15,
            fact: format!("pages swapped out with swappiness {}", case.params.swappiness),
            kernel: Figure::count(seen("pswpout")),
            model: Figure::Range(mean, least, most),
            tolerance: "shown".into(),
            verdict: Verdict::NotJudged(
                "set by the machine's and its swap devices' speed; orderings are judged".into(),
            ),
        }];
    }
    let kernel = seen("pswpout") + seen("pgsteal_anon");
    let model: u64 = case.runs.iter().map(|r| r.vmstat.pswpout + r.vmstat.pgsteal_anon).sum();
    vec![Line {
        rule: 15,
        fact: "anonymous pages reclaimed and swapped out with swappiness 0".into(),
        kernel: Figure::count(kernel),
        model: Figure::count(model),
        tolerance: "0".into(),
        verdict: if kernel == 0 {
            Verdict::of(model == 0)
        } else {
            Verdict::NotJudged("the kernel had no file pages left".into())
        },
    }]
}

/// What was swapped out under a load beside swap devices.
pub(in crate::kernel) fn swapped(case: &Case<'_>) -> Option<Swapped> {
    let there = !case.params.swaps.is_empty() && case.observed.has_vmstat;
    let model = || case.over_runs(|r| r.vmstat.pswpout as f64).0;
    there.then(|| (case.observed.counter("pswpout"), model()))
}

/// Whether the rule orders experiments with this swappiness.
pub(super) fn is_ordered(swappiness: u64) -> bool {
    ORDERED.contains(&swappiness)
}

/// More is swapped out with more swappiness, in the kernel and in the model.
pub(super) fn compared(less: &Entry<'_>, more: &Entry<'_>) -> Option<Line> {
    let (few, many) = (less.swapped?, more.swapped?);
    let words = |a: f64, b: f64| Figure::words(format!("{a:.0} and {b:.0}"));
    let (from, to) = (less.params.swappiness, more.params.swappiness);
    Some(Line {
        rule: 15,
        fact: format!(
            "swapped out with swappiness {from} and {to}: {} and {}",
            less.name, more.name
        ),
        kernel: words(few.0 as f64, many.0 as f64),
        model: words(few.1, many.1),
        tolerance: "second above first".into(),
        verdict: if few.0 >= many.0 {
            Verdict::NotJudged("the kernel itself swapped no more out".into())
        } else {
            Verdict::of(many.1 > few.1)
        },
    })
}
