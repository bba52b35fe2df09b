//! Arms of a comparison on common random numbers: means, spreads, paired differences.
//!
//! Replication `i` of every arm has the same seed, so that differences are taken pair by pair: the
//! interval of a difference is that of the mean of the pairs (Student's t), not of two means.

use crate::Report;
use crate::course::{self, Band, Courses};
use crate::parts::{self, Part, Parts};
use crate::series::Table;
use crate::stats::Spread;
use crate::window::{self, Facts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::order;

/// What a difference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The interval lies above 0.
    Higher,
    /// The interval lies below 0.
    Lower,
    /// The interval holds 0: no detectable difference.
    None,
    /// One replication has no interval.
    Unknown,
}

/// Where replications begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warm {
    /// Each at the beginning: every one warms up with draws of its own.
    #[default]
    Own,
    /// Each arm warms up once, with the first seed; its replications go on from there, with draws
    /// of their own. That is sooner done, but what the one warm-up happened to be is in all of
    /// them and in no interval: on `lumpkin2018` with windows of 2 s it makes a third of the
    /// variance of the throughput between runs, on `small` next to nothing.
    Shared,
}

impl Warm {
    /// All, the one that is taken unless another is asked for first.
    pub const ALL: [Self; 2] = [Self::Own, Self::Shared];

    /// Its name on the command line and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Shared => "shared",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|warm| warm.name() == name)
    }
}

/// What is kept of one replication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replica {
    /// Digest over its events.
    pub digest: String,
    /// Every figure of [`FIGURES`].
    pub values: BTreeMap<String, f64>,
    /// kswapd workers of the whole machine.
    pub workers: u64,
    /// Seconds before the window.
    pub warmup_s: f64,
    /// Seconds of the window.
    pub window_s: f64,
    /// Why it ended: `window`, or a sentence.
    pub stopped: String,
    /// Model version.
    pub model: String,
    /// The preset.
    pub preset: String,
    /// What the throughput counts.
    pub throughput_unit: String,
    /// What one operation is.
    pub operation: String,
    /// What its samples say of its window.
    pub facts: Facts,
    /// How figures went over it.
    pub courses: Courses,
    /// What its time and waits are made of.
    pub parts: Parts,
}

impl Replica {
    /// What is kept of a run.
    #[must_use]
    pub fn of(report: &Report, samples: &Table) -> Self {
        Self {
            digest: report.digest.clone(),
            values: order::map(FIGURES.iter().map(|f| (f.name.to_owned(), figure(report, f.name)))),
            workers: report.workers.len() as u64,
            warmup_s: report.warmup_s,
            window_s: report.window_s,
            stopped: report.stopped.clone(),
            model: report.model.clone(),
            preset: report.preset.clone(),
            throughput_unit: report.throughput_unit.clone(),
            operation: report.operation.clone(),
            facts: Facts::of(report, samples),
            courses: course::courses(report, samples),
            parts: parts::parts(report),
        }
    }

    /// A figure; 0 where there is no such one.
    #[must_use]
    pub fn value(&self, figure: &str) -> f64 {
        self.values.get(figure).copied().unwrap_or(0.0)
    }
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Its letter, `A` to `E`.
    pub name: String,
    /// Its short name, or nothing.
    pub label: String,
    /// What it sets, as `--set` takes it.
    pub sets: String,
    /// Its scenario as a link.
    pub link: String,
    /// Digest over its replications, in order.
    pub digest: String,
    /// kswapd workers of the whole machine.
    pub workers: u64,
    /// Mean application work a second.
    pub throughput: f64,
    /// Mean CPU seconds outside idle and outside the tasks' own work, where the workload tells that
    /// apart; of the others all of it is spent in the kernel.
    pub system_time_s: f64,
    /// Every figure's mean and spread.
    pub means: BTreeMap<String, Spread>,
    /// Every figure of every replication, in the order of the seeds.
    pub values: BTreeMap<String, Vec<f64>>,
}

impl Arm {
    /// Its letter, and its short name where it has one.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.label).trim_end().to_owned()
    }
}

/// A figure of one arm against that of the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// The figure.
    pub figure: String,
    /// The arm that is compared with the first.
    pub arm: String,
    /// Mean difference.
    pub difference: f64,
    /// Half the width of its 95 % interval, where there is one.
    pub half_width: Option<f64>,
    /// The difference in per cent of the first arm's mean, where that is not 0.
    pub per_cent: Option<f64>,
    /// What it means.
    pub verdict: Verdict,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Always `SIMULATED`.
    pub kind: String,
    /// Model version.
    pub model: String,
    /// Hash of the ledger of constants.
    pub ledger: String,
    /// The link with all arms.
    pub link: String,
    /// The preset.
    pub preset: String,
    /// The first arm in words.
    pub title: String,
    /// Seeds of the replications, in order.
    pub seeds: Vec<u64>,
    /// What the throughput counts.
    pub throughput_unit: String,
    /// What one operation is.
    pub operation: String,
    /// Where replications begin.
    pub warm: Warm,
    /// What is left out before the window, in words.
    pub warmup: String,
    /// Seconds of the window of the first arm.
    pub window_s: f64,
    /// What stands against trusting the numbers, in sentences.
    pub warnings: Vec<String>,
    /// What is not known of the kernels of the arms and assumed, a text a kernel.
    pub assumed: Vec<String>,
    /// The arms.
    pub arms: Vec<Arm>,
    /// Every figure of every arm against the first.
    pub paired: Vec<Paired>,
    /// What time and waits are made of.
    pub parts: Vec<Part>,
    /// How figures of the arms differ over the window, in [`course::SPANS`] spans.
    pub bands: Vec<Band>,
}

impl Comparison {
    /// A figure of an arm against the first.
    #[must_use]
    pub fn paired(&self, figure: &str, arm: &str) -> Option<&Paired> {
        self.paired.iter().find(|p| p.figure == figure && p.arm == arm)
    }
}

/// How a figure is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// A rate: the harmonic mean is that of its replications.
    Harmonic,
    /// Anything else.
    Arithmetic,
}

/// One figure that is compared.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it is, in words.
    pub words: &'static str,
    /// How it is averaged.
    pub mean: Mean,
    /// Whether it is a cost of the arm rather than what the application gets.
    pub is_cost: bool,
}

const fn gets(name: &'static str, words: &'static str, mean: Mean) -> Figure {
    Figure { name, words, mean, is_cost: false }
}

const fn costs(name: &'static str, words: &'static str) -> Figure {
    Figure { name, words, mean: Mean::Arithmetic, is_cost: true }
}

/// The figures that are compared.
pub static FIGURES: &[Figure] = &[
    gets("throughput", "application work a second", Mean::Harmonic),
    gets("latency_p50_us", "median latency, us", Mean::Arithmetic),
    gets("latency_p99_us", "latency, 99th percentile, us", Mean::Arithmetic),
    gets("latency_p999_us", "latency, 99.9th percentile, us", Mean::Arithmetic),
    costs("system_time_s", "CPU seconds outside idle and user mode"),
    costs("system_us_a_unit", "system CPU a unit of build work, us"),
    costs("system_us_a_swapout", "system CPU a page swapped out, us"),
    costs("kswapd_cpu_s", "CPU seconds of all kswapds"),
    costs("kswapd_us_per_page", "kswapd CPU a page scanned, us"),
    costs("lock_spin_s", "CPU seconds spinning for locks"),
    costs("swap_spin_s", "CPU seconds spinning for swap locks"),
    costs("lru_lock_wait_s", "waits for lru_lock, seconds"),
    costs("allocstall", "direct reclaim calls"),
    costs("direct_share", "share of scanning by direct reclaim"),
    costs("pgsteal", "pages reclaimed"),
    costs("pswpout", "pages written to swap"),
    costs("swap_balance", "peaks of swap devices, (max - min) / mean, %"),
];

/// CPU seconds outside idle and outside the tasks' own work.
fn system_time(report: &Report) -> f64 {
    let busy: f64 = report.cpu_s.iter().filter(|(k, _)| *k != "idle").map(|(_, s)| s).sum();
    busy - report.user_s
}

/// How far the peaks of the devices lie apart, in per cent of their mean.
fn balance(devices: &[crate::summary::SwapDevice]) -> f64 {
    let peaks = || devices.iter().map(|device| device.peak as f64);
    let sum: f64 = peaks().sum();
    if sum == 0.0 {
        return 0.0;
    }
    let (low, high) = (peaks().fold(f64::MAX, f64::min), peaks().fold(0.0, f64::max));
    (high - low) * 100.0 * devices.len() as f64 / sum
}

/// One figure of a report, by its name in [`FIGURES`].
#[must_use]
pub fn figure(report: &Report, name: &str) -> f64 {
    let count = |key: &str| report.vmstat.get(key).copied().unwrap_or(0) as f64;
    let cpu = |key: &str| report.cpu_s.get(key).copied().unwrap_or(0.0);
    match name {
        "throughput" => report.throughput,
        "latency_p50_us" => report.latency_us.p50,
        "latency_p99_us" => report.latency_us.p99,
        "latency_p999_us" => report.latency_us.p999,
        "system_time_s" => system_time(report),
        "system_us_a_unit" => {
            let units = report.throughput * report.window_s;
            if report.user_s > 0.0 && units > 0.0 { system_time(report) * 1e6 / units } else { 0.0 }
        }
        "system_us_a_swapout" => {
            let pages = count("pswpout");
            if pages > 0.0 { system_time(report) * 1e6 / pages } else { 0.0 }
        }
        "swap_spin_s" => cpu("swap_spin"),
        "pswpout" => count("pswpout"),
        "swap_balance" => report.swap.as_ref().map_or(0.0, |swap| balance(&swap.devices)),
        "kswapd_cpu_s" => report.kswapd_cpu_s,
        "kswapd_us_per_page" => report.kswapd_us_per_page.unwrap_or(0.0),
        "lock_spin_s" => cpu("lock_spin"),
        "lru_lock_wait_s" => {
            report.locks.iter().filter(|l| l.name.contains("lru_lock")).map(|l| l.wait_s).sum()
        }
        "allocstall" => {
            let stalls = report.vmstat.iter().filter(|(name, _)| name.starts_with("allocstall"));
            stalls.map(|(_, n)| *n as f64).sum()
        }
        "direct_share" => {
            let (direct, kswapd) = (count("pgscan_direct"), count("pgscan_kswapd"));
            if direct + kswapd > 0.0 { direct / (direct + kswapd) } else { 0.0 }
        }
        "pgsteal" => count("pgsteal_kswapd") + count("pgsteal_direct"),
        _ => 0.0,
    }
}

/// One arm before it is compared: what it is, and its replications in the order of the seeds.
#[derive(Clone, Debug)]
pub struct Runs {
    /// Its short name, or nothing.
    pub label: String,
    /// What it sets, as `--set` takes it.
    pub sets: String,
    /// Its scenario as a link.
    pub link: String,
    /// Every replication.
    pub replications: Vec<Replica>,
}

/// What a comparison is about.
#[derive(Clone, Debug)]
pub struct About {
    /// Hash of the ledger of constants.
    pub ledger: String,
    /// The link with all arms.
    pub link: String,
    /// The first arm in words.
    pub title: String,
    /// Seeds of the replications, in order.
    pub seeds: Vec<u64>,
    /// Where they begin.
    pub warm: Warm,
    /// What is not known of the kernels of the arms and assumed, a text a kernel.
    pub assumed: Vec<String>,
}

/// Compares arms that have one replication a seed each. `digest` joins an arm's digests in order.
#[must_use]
pub fn compare(
    about: About,
    runs: &[Runs],
    digest: impl Fn(usize, &[String]) -> String,
) -> Comparison {
    let first = runs.iter().flat_map(|r| &r.replications).next();
    let text = |get: fn(&Replica) -> &str| first.map(|r| get(r).to_owned()).unwrap_or_default();
    let window_s = first.map_or(0.0, |r| r.window_s);
    let arms: Vec<Arm> = runs.iter().enumerate().map(|(i, runs)| arm(i, runs, &digest)).collect();
    let mut paired = Vec::new();
    for figure in FIGURES {
        let Some((base, others)) = arms.split_first() else { break };
        let base = &base.values[figure.name];
        for arm in others {
            let values = arm.values[figure.name].iter().zip(base);
            let pairs: Vec<f64> = values.map(|(b, a)| b - a).collect();
            paired.push(pair(figure.name, &arm.name, &pairs, Spread::of(base).mean));
        }
    }
    Comparison {
        kind: "SIMULATED".into(),
        model: text(|r| &r.model),
        ledger: about.ledger,
        link: about.link,
        preset: text(|r| &r.preset),
        title: about.title,
        seeds: about.seeds,
        throughput_unit: text(|r| &r.throughput_unit),
        operation: text(|r| &r.operation),
        warm: about.warm,
        warmup: first.map_or_else(String::new, |r| warmup(r.warmup_s, about.warm)),
        window_s,
        warnings: warnings(runs),
        assumed: about.assumed,
        arms,
        paired,
        parts: parts::compared(runs),
        bands: course::bands(runs),
    }
}

/// What is left out before the window, in words.
fn warmup(seconds: f64, warm: Warm) -> String {
    let span = window::seconds(seconds);
    match warm {
        _ if seconds <= 0.0 => "nothing is left out: the scenario has no warm-up".to_owned(),
        Warm::Own => {
            format!("the first {span} of every replication are left out (that of the scenario)")
        }
        Warm::Shared => format!(
            "the first {span} are left out (that of the scenario); they are simulated once an arm, \
             all its replications go on from there, and what they happened to be is in no interval"
        ),
    }
}

fn warnings(runs: &[Runs]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (number, runs) in runs.iter().enumerate() {
        let Some(first) = runs.replications.first() else { continue };
        let name = format!("arm {}", letter(number));
        let facts: Vec<&Facts> = runs.replications.iter().map(|r| &r.facts).collect();
        warnings.extend(window::too_short(&name, first.window_s, &facts));
        warnings.extend(window::still_warm(&name, first.window_s, &facts));
        if let Some(r) = runs.replications.iter().find(|r| r.stopped != "window") {
            warnings.push(format!("{name} stopped before its end: {}", r.stopped));
        }
    }
    warnings
}

/// The letter of an arm by its place.
#[must_use]
pub fn letter(number: usize) -> String {
    "ABCDE".chars().nth(number).unwrap_or('?').to_string()
}

fn arm(number: usize, runs: &Runs, digest: impl Fn(usize, &[String]) -> String) -> Arm {
    let replications = || runs.replications.iter();
    let all = |f: &Figure| replications().map(|r| r.value(f.name)).collect::<Vec<f64>>();
    let values = order::map(FIGURES.iter().map(|f| (f.name.to_owned(), all(f))));
    let spreads = values.iter().map(|(name, values)| (name.clone(), Spread::of(values)));
    let means = order::map(spreads);
    let digests: Vec<String> = replications().map(|r| r.digest.clone()).collect();
    Arm {
        name: letter(number),
        label: runs.label.clone(),
        sets: runs.sets.clone(),
        link: runs.link.clone(),
        digest: digest(number, &digests),
        workers: replications().next().map_or(0, |r| r.workers),
        throughput: means["throughput"].mean,
        system_time_s: means["system_time_s"].mean,
        means,
        values,
    }
}

/// The mean of the pairs' differences, with what it means.
pub(crate) fn pair(figure: &str, arm: &str, pairs: &[f64], base: f64) -> Paired {
    let spread = Spread::of(pairs);
    let half_width = spread.half_width();
    let verdict = match half_width {
        None => Verdict::Unknown,
        Some(half) if spread.mean - half > 0.0 => Verdict::Higher,
        Some(half) if spread.mean + half < 0.0 => Verdict::Lower,
        Some(_) => Verdict::None,
    };
    Paired {
        figure: figure.into(),
        arm: arm.into(),
        difference: spread.mean,
        half_width,
        per_cent: (base != 0.0).then(|| spread.mean * 100.0 / base),
        verdict,
    }
}

/// What the workers that an arm has more than the first gain and cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Workers more than those of the first arm.
    pub workers: u64,
    /// Throughput gained a second and added worker, in per cent of the first arm's.
    pub per_cent_a_worker: f64,
    /// CPU seconds of all kswapds a second and added worker.
    pub cpu_a_worker: f64,
    /// CPU seconds of all kswapds for each unit of work more; nothing when no work was gained.
    pub cpu_s_a_unit: Option<f64>,
}

/// What the added workers of an arm gain and cost against the first; nothing when it has no more.
#[must_use]
pub fn gain(first: &Arm, arm: &Arm, window_s: f64) -> Option<Gain> {
    let workers = arm.workers.checked_sub(first.workers).filter(|n| *n > 0)?;
    if first.throughput == 0.0 || window_s == 0.0 {
        return None;
    }
    let cpu = |a: &Arm| a.means["kswapd_cpu_s"].mean / window_s;
    let (more, cost) = (arm.throughput - first.throughput, cpu(arm) - cpu(first));
    Some(Gain {
        workers,
        per_cent_a_worker: more * 100.0 / first.throughput / workers as f64,
        cpu_a_worker: cost / workers as f64,
        cpu_s_a_unit: (more > 0.0).then(|| cost / more),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_find_what_spreads_would_hide() {
        // Two arms whose own spread is 10 times their difference, pair by pair.
        let noise = [10.0, -20.0, 5.0, 15.0, -10.0];
        let pairs: Vec<f64> = noise.iter().map(|n| (101.0 + n) - (100.0 + n)).collect();
        assert_eq!(pair("x", "B", &pairs, 100.0).verdict, Verdict::Higher);
        assert_eq!(pair("x", "B", &noise, 100.0).verdict, Verdict::None);
        assert_eq!(pair("x", "B", &[1.0], 100.0).verdict, Verdict::Unknown);
        let lower: Vec<f64> = pairs.iter().map(|p| -p).collect();
        assert_eq!(pair("x", "B", &lower, 100.0).verdict, Verdict::Lower);
        assert_eq!(pair("x", "B", &pairs, 0.0).per_cent, None);
    }
}
