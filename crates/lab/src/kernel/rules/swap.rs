//! Rules 11 to 13: which swap device takes which page, step by step.

use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::load::Pageout;
use crate::kernel::pageout::{self, Outcome};
use crate::kernel::params::Params;
use crate::kernel::swap_runs::{Run, Runs, Steps};
use std::collections::BTreeMap;

/// What the kernel did.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Seen<'a> {
    pub(in crate::kernel) runs: &'a Runs,
    pub(in crate::kernel) steps: Option<&'a Steps>,
}

/// The lines, and what was taken as it is.
pub(in crate::kernel) type Said = (Vec<Line>, Option<String>);

/// Runs the experiment and compares. Whether a device turns is settled at swapon; the experiment
/// says what the device said of itself when the file was written, which may be another moment.
/// So where the runs differ, the other kind of device is tried, and taken when all of it agrees.
///
/// # Errors
/// Why the model cannot run it.
pub(in crate::kernel) fn judge(
    params: &Params,
    load: &Pageout,
    seen: &Seen<'_>,
) -> Result<Said, String> {
    let stated = params.rotational;
    let outcome = pageout::run(params, load, stated.unwrap_or(false))?;
    let lines = lines(params, seen, &outcome);
    if lines.iter().all(|line| line.verdict == Verdict::Ok) {
        return Ok((lines, None));
    }
    let other = pageout::run(params, load, !stated.unwrap_or(false))?;
    let others = self::lines(params, seen, &other);
    if others.iter().any(|line| line.verdict != Verdict::Ok) {
        return Ok((lines, None));
    }
    let (file, pages) = match stated {
        None => return Ok((others, Some("The swap devices turn: every run says so.".into()))),
        Some(true) => ("turn", "do not"),
        Some(false) => ("do not turn", "do"),
    };
    let note = format!(
        "params.json says that the swap devices {file}; every page went as on devices that {pages}: \
         they were switched on before or after that."
    );
    Ok((others, Some(note)))
}

fn lines(params: &Params, seen: &Seen<'_>, outcome: &Outcome) -> Vec<Line> {
    let priorities: Vec<i64> = params.swaps.iter().map(|device| device.priority).collect();
    let pairs = || {
        priorities
            .iter()
            .enumerate()
            .flat_map(|(i, a)| priorities[i + 1..].iter().map(move |b| (a, b)))
    };
    let distinct = pairs().any(|(a, b)| a != b);
    let equal = pairs().any(|(a, b)| a == b);
    let mut lines = Vec::new();
    if distinct {
        lines.push(order(params, seen, outcome));
    }
    let rule = if equal { 12 } else { 11 };
    lines.push(in_a_row(rule, seen, outcome));
    if let Some(steps) = seen.steps {
        lines.extend(totals(rule, steps, outcome));
    }
    if priorities.iter().any(|&priority| priority < 0) {
        lines.push(Line {
            rule: 13,
            fact: "default priorities, in the order of swapon".into(),
            kernel: numbers(&priorities),
            model: numbers(&outcome.priorities),
            tolerance: "exact".into(),
            verdict: Verdict::of(priorities == outcome.priorities),
        });
    }
    lines
}

/// Pages on a device while one of higher priority was not full: none, and none.
fn order(params: &Params, seen: &Seen<'_>, outcome: &Outcome) -> Line {
    let (kernel, model) = (early(params, seen.runs), early(params, &outcome.runs));
    Line {
        rule: 11,
        fact: "pages on a device while one of higher priority had room".into(),
        kernel: Figure::count(kernel),
        model: Figure::count(model),
        tolerance: "exact".into(),
        verdict: Verdict::of(kernel == model),
    }
}

/// Devices that grew in the same step are taken by priority: their order in it is not known.
fn early(params: &Params, runs: &Runs) -> u64 {
    let mut used: BTreeMap<&str, u64> = BTreeMap::new();
    let mut early = 0;
    let priority = |run: &Run| {
        params.swaps.iter().find(|device| device.name == run.device).map(|device| device.priority)
    };
    for step in runs.rows.chunk_by(|a, b| a.last_step == b.last_step) {
        let mut step: Vec<&Run> = step.iter().collect();
        step.sort_by_key(|run| priority(run).map(|priority| -priority));
        for run in step {
            let room = params.swaps.iter().any(|device| {
                Some(device.priority) > priority(run)
                    && used.get(device.name.as_str()).copied().unwrap_or(0) < device.pages
            });
            early += if room { run.pages } else { 0 };
            *used.entry(&run.device).or_insert(0) += run.pages;
        }
    }
    early
}

/// Every run of the table against the model's.
fn in_a_row(rule: u32, seen: &Seen<'_>, outcome: &Outcome) -> Line {
    let kernel = &seen.runs.rows;
    let model = &outcome.runs.rows[..];
    let differs = kernel.iter().zip(model).position(|(k, m)| k != m);
    let shorter = kernel.len().min(model.len());
    let ends = seen.runs.cut && kernel.len() <= model.len() || kernel.len() == model.len();
    let place = differs.or((!ends).then_some(shorter));
    let words = |rows: &[Run], lengths: &BTreeMap<u64, u64>| match place {
        None => Figure::words(format!("{} runs: {}", rows.len(), frequent(lengths))),
        Some(i) => Figure::words(rows.get(i).map_or_else(
            || format!("no run {} more", i + 1),
            |run| {
                let Run { device, pages, last_step, cpu } = run;
                format!("run {}: {device} {pages} to step {last_step}, CPU {cpu}", i + 1)
            },
        )),
    };
    // A table that was cut is compared as far as it goes.
    let own = Runs { rows: model[..shorter].to_vec(), cut: false };
    Line {
        rule,
        fact: "pages in a row: devices, lengths, steps and CPUs of all runs".into(),
        kernel: words(kernel, &seen.runs.lengths()),
        model: words(if place.is_none() { &own.rows } else { model }, &own.lengths()),
        tolerance: "exact".into(),
        verdict: Verdict::of(place.is_none()),
    }
}

/// What the summary counts over the whole run.
fn totals(rule: u32, steps: &Steps, outcome: &Outcome) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = |fact: &str, kernel: String, model: String, agrees: bool| {
        lines.push(Line {
            rule,
            fact: fact.into(),
            kernel: Figure::words(kernel),
            model: Figure::words(model),
            tolerance: "exact".into(),
            verdict: Verdict::of(agrees),
        });
    };
    if !steps.used.is_empty() {
        let words = |used: &BTreeMap<String, u64>| {
            let all: Vec<String> = used.iter().map(|(name, n)| format!("{name} {n}")).collect();
            all.join(", ")
        };
        let fact = "used pages of each device at the end";
        line(fact, words(&steps.used), words(&outcome.used), steps.used == outcome.used);
    }
    // Lengths that are rare may be left out of the summary.
    let among = |all: &BTreeMap<u64, u64>, own: &BTreeMap<u64, u64>| {
        all.iter().all(|(length, n)| own.get(length) == Some(n))
    };
    let runs = outcome.runs.rows.len() as u64;
    let lengths = outcome.runs.lengths();
    if let Some(all) = steps.runs {
        let same = all == runs && among(&steps.lengths, &lengths);
        let words = |n: u64, of: &BTreeMap<u64, u64>| format!("{n}: {}", frequent(of));
        line("runs, and how long", words(all, &steps.lengths), words(runs, &lengths), same);
    }
    if !steps.growth.is_empty() {
        let same = among(&steps.growth, &outcome.growth);
        let fact = "by how much used pages grow";
        line(fact, frequent(&steps.growth), frequent(&outcome.growth), same);
    }
    lines
}

/// The most frequent first: `512 x70, 511 x5`.
fn frequent(counts: &BTreeMap<u64, u64>) -> String {
    let mut all: Vec<(u64, u64)> = counts.iter().map(|(&length, &n)| (n, length)).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    let words = all.iter().take(5).map(|(n, length)| format!("{length} x{n}"));
    words.collect::<Vec<_>>().join(", ")
}

fn numbers(all: &[i64]) -> Figure {
    Figure::words(all.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
}
