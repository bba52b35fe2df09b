//! Rules of what the model does not have, and of files that are not there.

use crate::kernel::line::{Line, Verdict};
use crate::kernel::load::Mode;
use crate::kernel::observed::Observed;
use crate::kernel::params::Params;

/// Which files of an experiment are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::kernel) struct Present {
    pub(in crate::kernel) summary: bool,
    pub(in crate::kernel) swap_runs: bool,
    pub(in crate::kernel) memcg: bool,
}

/// What an experiment shows that was not run: because the model does not have its load, for this
/// reason, or because the file is missing that says what the kernel did.
pub(in crate::kernel) fn not_run(
    params: &Params,
    present: Present,
    observed: Option<&Observed>,
    reason: Option<&str>,
) -> Vec<Line> {
    let line = |(rule, fact, file): (u32, &str, Option<&str>)| match (file, reason) {
        (Some(file), _) => Line::not_judged(rule, fact, &format!("{file} is missing")),
        (None, Some(reason)) => Line::not_modelled(rule, fact, reason),
        (None, None) => Line::not_judged(rule, fact, "the run has no figure of it"),
    };
    let mut lines: Vec<Line> = shown(params, present).into_iter().map(line).collect();
    if !matches!(params.load.mode, Mode::Pageout) {
        let why = match reason {
            Some(reason) => Verdict::NotModelled(reason.to_owned()),
            None => Verdict::NotJudged("summary.json is missing".into()),
        };
        lines.extend(super::boost::not_run(params, observed, why));
    }
    lines
}

/// Rules that an experiment shows, with the file that says what the kernel did if it is missing.
fn shown(params: &Params, present: Present) -> Vec<(u32, &'static str, Option<&'static str>)> {
    let missing = |there: bool, name: &'static str| (!there).then_some(name);
    let summary = missing(present.summary, "summary.json");
    let load = &params.load;
    let limited = load.cgroup || load.mode == Mode::Build;
    let mut rules = Vec::new();
    if !limited && load.mode != Mode::Pageout {
        rules.push((3, "wakes with a zone above low", summary));
        if params.nodes() > 1 {
            rules.push((3, "numa_miss", summary));
        }
        rules.push((4, "balances ended and full sleeps with no zone at high", summary));
        rules.push((5, "shortest time from kswapd's wake to its sleep", summary));
        if params.lru_gen {
            rules.push((6, "pages of one MGLRU balance", summary));
        }
        rules.push((7, "batches and what a direct reclaim call frees", summary));
        let paced = load.read.as_ref().is_ok_and(|read| read.rate > 0);
        if paced && params.watermark_boost_factor == 0 {
            rules.push((8, "turning points of free memory", summary));
        }
        if load.mode == Mode::Read {
            rules.push((9, "reclaimed over scanned", summary));
        }
        rules.push((10, "kswapd's share of what is reclaimed", summary));
    }
    rules.extend(of_swap(params, present, summary));
    if limited {
        let memcg = missing(present.memcg, "memcg.csv");
        rules.push((14, "reclaim calls, kswapd and the most that the cgroup uses", memcg));
    }
    rules
}

/// Rules of swap devices, by their priorities.
fn of_swap(
    params: &Params,
    present: Present,
    summary: Option<&'static str>,
) -> Vec<(u32, &'static str, Option<&'static str>)> {
    let mut priorities: Vec<i64> = params.swaps.iter().map(|d| d.priority).collect();
    priorities.sort_unstable();
    let steps = params.load.mode == Mode::Pageout;
    let file = if steps { (!present.swap_runs).then_some("swap_runs.csv") } else { summary };
    let mut rules = Vec::new();
    if priorities.windows(2).any(|pair| pair[0] != pair[1]) {
        rules.push((11, "devices are used strictly by priority", file));
    }
    if priorities.windows(2).any(|pair| pair[0] == pair[1]) {
        rules.push((12, "pages in a row on devices of equal priority", file));
    }
    if priorities.iter().any(|&priority| priority < 0) {
        rules.push((13, "default priorities", file));
    }
    if !priorities.is_empty() && !steps && !params.load.cgroup {
        rules.push((15, "anonymous pages stolen and swapped by swappiness", summary));
    }
    rules
}
