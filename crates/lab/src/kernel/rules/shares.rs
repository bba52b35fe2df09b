//! Rule 10: who reclaims. Shares are set by how fast the machine is and are shown only; what is
//! demanded is that no direct reclaim stays none where marks lie far apart, and orderings between
//! experiments that differ in one thing.

use super::{Case, Run, Swapped};
use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::load::Read;
use crate::kernel::params::Params;

/// A watermark_scale_factor from which marks lie far apart.
const FAR_APART: u64 = 200;

/// kswapd's share of what is reclaimed, in a run of the model; nothing when nothing was.
fn share(run: &Run) -> Option<f64> {
    let v = &run.vmstat;
    let all = v.pgsteal_kswapd + v.pgsteal_direct;
    (all > 0).then(|| v.pgsteal_kswapd as f64 / all as f64)
}

/// The same of the kernel.
fn kernel_share(case: &Case<'_>) -> Option<f64> {
    let kswapd = case.observed.counter("pgsteal_kswapd");
    let all = kswapd + case.observed.counter("pgsteal_direct");
    (all > 0).then(|| kswapd as f64 / all as f64)
}

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    const SHARE: &str = "kswapd's share of what is reclaimed";
    if !case.observed.has_vmstat {
        return vec![Line::not_judged(10, SHARE, "summary.json has no vmstat_delta")];
    }
    let mut lines = Vec::new();
    let stalls = |name: &str| case.observed.counters(name);
    let far_apart = case.params.watermark_scale_factor >= FAR_APART && case.load.rate > 0;
    if far_apart && stalls("allocstall_") == 0 {
        let model: u64 = case.runs.iter().map(|r| r.vmstat.allocstall_normal).sum();
        lines.push(Line {
            rule: 10,
            fact: "direct reclaim of a paced load with marks far apart".into(),
            kernel: Figure::count(0),
            model: Figure::count(model),
            tolerance: "0".into(),
            verdict: Verdict::of(model == 0),
        });
    }
    let (Some(kernel), Some((mean, least, most))) = (kernel_share(case), model_share(case.runs))
    else {
        return lines;
    };
    lines.push(Line {
        rule: 10,
        fact: SHARE.into(),
        kernel: Figure::Number(kernel),
        model: Figure::Range(mean, least, most),
        tolerance: "shown".into(),
        verdict: Verdict::NotJudged("set by the machine's speed; orderings are judged".into()),
    });
    lines
}

fn model_share(runs: &[Run]) -> Option<(f64, f64, f64)> {
    let shares: Option<Vec<f64>> = runs.iter().map(share).collect();
    shares.filter(|s| !s.is_empty()).map(|shares| super::mean_least_most(&shares))
}

/// The kernel's share and the model's mean, where both reclaimed.
pub(in crate::kernel) type Shares = (f64, f64);

/// The shares of an experiment.
pub(in crate::kernel) fn shares(case: &Case<'_>) -> Option<Shares> {
    Some((kernel_share(case)?, model_share(case.runs)?.0))
}

/// An experiment among others.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Entry<'a> {
    pub(in crate::kernel) name: &'a str,
    pub(in crate::kernel) params: &'a Params,
    /// Its load as it was run.
    pub(in crate::kernel) load: &'a Read,
    pub(in crate::kernel) shares: Option<Shares>,
    pub(in crate::kernel) swapped: Option<Swapped>,
}

impl Entry<'_> {
    fn kernel(&self) -> f64 {
        self.shares.map_or(0.0, |shares| shares.0)
    }

    /// Whether it has nothing but anonymous memory on swap. Of the six pairs of these that are told
    /// of the kernel itself has three the other way round: there is no ordering to ask for.
    fn only_swaps(&self) -> bool {
        let memory = self.load.memory.as_ref().is_some_and(|own| own.readers.0 == 0);
        memory && !self.params.swaps.is_empty()
    }

    fn model(&self) -> f64 {
        self.shares.map_or(0.0, |shares| shares.1)
    }
}

/// Orderings between experiments: pairs that differ in the list, in the number of threads or in
/// swappiness only.
pub(in crate::kernel) fn together(all: &[Entry<'_>]) -> Vec<Line> {
    let shared: Vec<&Entry<'_>> = all.iter().filter(|entry| entry.shares.is_some()).collect();
    let mut lines = Vec::new();
    for a in &shared {
        for b in &shared {
            if same(a, b, Apart::List) && b.params.lru_gen && !a.params.lru_gen {
                lines.push(compared("kswapd's share under MGLRU and classic", b, a));
            }
        }
    }
    for a in &shared {
        // The next larger number of threads under the same settings.
        let more =
            shared.iter().filter(|b| same(a, b, Apart::Threads) && a.load.threads < b.load.threads);
        if let Some(b) = more.min_by_key(|b| b.load.threads) {
            lines.push(compared("kswapd's share with fewer and more readers", a, b));
        }
    }
    let ordered = |entry: &&Entry<'_>| {
        entry.swapped.is_some() && super::swappiness::is_ordered(entry.params.swappiness)
    };
    let swapped: Vec<&Entry<'_>> = all.iter().filter(ordered).collect();
    for a in &swapped {
        // The next larger swappiness of those that the rule names.
        let more = swapped
            .iter()
            .filter(|b| same(a, b, Apart::Swappiness) && a.params.swappiness < b.params.swappiness);
        if let Some(b) = more.min_by_key(|b| b.params.swappiness) {
            lines.extend(super::swappiness::compared(a, b));
        }
    }
    lines
}

/// What two experiments differ in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apart {
    List,
    Threads,
    Swappiness,
}

/// Whether two experiments are alike but for one thing. Threads are compared unpaced only, and when
/// they read: paced ones share a load.
fn same(a: &Entry<'_>, b: &Entry<'_>, apart: Apart) -> bool {
    let (x, y) = (a.load, b.load);
    let machine = |p: &Params| -> Vec<(u32, usize, u64)> {
        p.zones.iter().map(|z| (z.node, z.kind as usize, z.managed >> 12)).collect()
    };
    let settings = |p: &Params| {
        (p.watermark_scale_factor, p.watermark_boost_factor > 0, p.limits, p.load.cgroup)
    };
    let (p, q) = (a.params, b.params);
    let alike = p.kernel == q.kernel
        && p.cpus == q.cpus
        && machine(p) == machine(q)
        && p.swaps == q.swaps
        && settings(p) == settings(q)
        && (&x.cpus, &x.bind, x.random, &x.memory) == (&y.cpus, &y.bind, y.random, &y.memory);
    let load = (x.threads, x.rate) == (y.threads, y.rate);
    let swappiness = p.swappiness == q.swappiness;
    alike
        && match apart {
            Apart::List => load && swappiness,
            Apart::Threads => {
                let reads = x.memory.is_none() && (x.rate, y.rate) == (0, 0);
                p.lru_gen == q.lru_gen && swappiness && reads
            }
            Apart::Swappiness => p.lru_gen == q.lru_gen && load,
        }
}

/// The share of the first is above that of the second, in the kernel and in the model; or neither.
fn compared(what: &str, more: &Entry<'_>, less: &Entry<'_>) -> Line {
    let words = |a: f64, b: f64| Figure::words(format!("{a:.3} and {b:.3}"));
    let kernel = more.kernel() - less.kernel();
    let verdict = if kernel < 0.0 {
        Verdict::NotJudged("the kernel's own shares are the other way round here".into())
    } else if more.only_swaps() && less.only_swaps() {
        Verdict::NotJudged("anonymous memory only: the kernel itself has either order".into())
    } else if kernel == 0.0 {
        Verdict::of(more.model() >= less.model())
    } else {
        Verdict::of(more.model() > less.model())
    };
    Line {
        rule: 10,
        fact: format!("{what}: {} and {}", more.name, less.name),
        kernel: words(more.kernel(), less.kernel()),
        model: words(more.model(), less.model()),
        tolerance: "first above second".into(),
        verdict,
    }
}
