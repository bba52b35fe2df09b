//! How a few figures go over the window, and how those of other arms differ from the first's in
//! time: span by span, pair by pair.

use crate::Report;
use crate::compare::{Runs, letter};
use crate::series::Table;
use crate::stats::Spread;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::order;

/// Spans that a window is divided into.
pub const SPANS: usize = 40;

/// One figure over time, made of columns of the samples.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it is, in words.
    pub words: &'static str,
    /// Its unit; empty for the throughput, which has its own.
    pub unit: &'static str,
    /// Keys of the columns that are added up; `.` before a key: that of every node.
    keys: &'static [&'static str],
    /// What the sum is multiplied by.
    factor: f64,
    /// Whether the mean of the columns is wanted instead of their sum.
    is_mean: bool,
}

const fn sum(
    name: &'static str,
    words: &'static str,
    unit: &'static str,
    keys: &'static [&'static str],
) -> Line {
    Line { name, words, unit, keys, factor: 1.0, is_mean: false }
}

/// MiB of a page of 4 KiB.
const MIB_A_PAGE: f64 = 1.0 / 256.0;

/// The figures that are followed.
pub static LINES: [Line; 6] = [
    sum("throughput", "application work", "", &["throughput"]),
    Line {
        factor: MIB_A_PAGE,
        ..sum("free", "free memory, all nodes", "MiB", &[".nr_free_pages"])
    },
    sum("scanned", "pages scanned", "pages/s", &["pgscan_kswapd", "pgscan_direct"]),
    sum("direct", "pages scanned by direct reclaim", "pages/s", &["pgscan_direct"]),
    sum(
        "reclaim_cpu",
        "CPUs that reclaim, spinning for locks included",
        "CPUs",
        &[
            "cpu.kswapd_work",
            "cpu.isolating",
            "cpu.direct_work",
            "cpu.lock_spin",
            "cpu.swap_spin",
            "cpu.tlb_wait",
        ],
    ),
    Line {
        is_mean: true,
        ..sum(
            "lru_lock_wait",
            "mean wait for lru_lock, mean of the nodes",
            "ns",
            &[".lru_lock.wait"],
        )
    },
];

/// What is kept of one run's course: a value a span for every line that its samples have.
pub type Courses = BTreeMap<String, Vec<f32>>;

/// The course of one run over its window.
#[must_use]
pub fn courses(report: &Report, samples: &Table) -> Courses {
    let row = |line: &Line| {
        let is_wanted = |key: &str| {
            line.keys.iter().any(|wanted| match wanted.strip_prefix('.') {
                Some(_) => key.starts_with("node") && key.ends_with(wanted),
                None => key == *wanted,
            })
        };
        let columns: Vec<usize> =
            (0..samples.columns.len()).filter(|&c| is_wanted(&samples.columns[c].key)).collect();
        (line.name.to_owned(), course(line, &columns, report, samples))
    };
    order::map(LINES.iter().map(row))
}

/// Means over spans of time. A sample stands for the time since the one before.
fn course(line: &Line, columns: &[usize], report: &Report, samples: &Table) -> Vec<f32> {
    let (begin, span) = (report.warmup_s * 1e9, report.window_s * 1e9 / SPANS as f64);
    let divisor = if line.is_mean { columns.len().max(1) as f64 } else { 1.0 };
    let (mut sums, mut times) = ([0.0f64; SPANS], [0.0f64; SPANS]);
    let mut from = 0.0;
    let rows = samples.values.chunks(samples.columns.len().max(1));
    for (&time, row) in samples.time_ns.iter().zip(rows) {
        let to = (time as f64 - begin) / span;
        let value = columns.iter().map(|&c| row[c]).sum::<f64>() * line.factor / divisor;
        // In spans: those that the sample's time reaches into.
        let mut at = from;
        while at < to.min(SPANS as f64) {
            let number = at as usize;
            let until = (number as f64 + 1.0).min(to);
            sums[number] += value * (until - at);
            times[number] += until - at;
            at = until;
        }
        from = to.max(0.0);
    }
    let mut last = 0.0f32;
    let mean = |(sum, time): (f64, f64)| {
        // A span without any sample is one of a run that ended early.
        last = if time > 0.0 { (sum / time) as f32 } else { last };
        last
    };
    sums.into_iter().zip(times).map(mean).collect()
}

/// A line of all arms over the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// The line.
    pub name: String,
    /// Means of the first arm, a span each.
    pub first: Vec<f32>,
    /// The other arms against it.
    pub others: Vec<Against>,
}

/// An arm against the first, span by span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// Its letter.
    pub arm: String,
    /// Mean differences of the pairs.
    pub difference: Vec<f32>,
    /// Half the width of each span's own 95 % interval; empty with one replication.
    pub half_width: Vec<f32>,
}

/// The bands of a comparison; none of a line that is 0 in all arms, and none at all where the
/// windows of the arms are not of one length.
#[must_use]
pub fn bands(runs: &[Runs]) -> Vec<Band> {
    let mut windows = runs.iter().flat_map(|r| &r.replications).map(|r| r.window_s);
    let Some(window) = windows.next() else { return Vec::new() };
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    if others.is_empty() || windows.any(|other| other != window) {
        return Vec::new();
    }
    LINES.iter().filter_map(|line| band(line, first, others)).collect()
}

fn band(line: &Line, first: &Runs, others: &[Runs]) -> Option<Band> {
    let of = |runs: &Runs| -> Option<Vec<Vec<f32>>> {
        let one = |r: &crate::compare::Replica| {
            r.courses.get(line.name).filter(|course| course.len() == SPANS).cloned()
        };
        runs.replications.iter().map(one).collect()
    };
    let base = of(first)?;
    let rows = others.iter().map(of).collect::<Option<Vec<_>>>()?;
    let is_zero = |rows: &[Vec<f32>]| rows.iter().flatten().all(|v| *v == 0.0);
    if is_zero(&base) && rows.iter().all(|rows| is_zero(rows)) {
        return None;
    }
    let against = |(number, rows): (usize, &Vec<Vec<f32>>)| {
        let spread = |span: usize| {
            let pairs = rows.iter().zip(&base);
            let pairs = pairs.map(|(b, a)| f64::from(b[span]) - f64::from(a[span]));
            Spread::of(&pairs.collect::<Vec<f64>>())
        };
        let spreads: Vec<Spread> = (0..SPANS).map(spread).collect();
        let half = |spread: &Spread| spread.half_width().map(|half| half as f32);
        Against {
            arm: letter(number + 1),
            difference: spreads.iter().map(|spread| spread.mean as f32).collect(),
            half_width: spreads.iter().filter_map(half).collect(),
        }
    };
    let mean = |span: usize| {
        let values: Vec<f64> = base.iter().map(|course| f64::from(course[span])).collect();
        Spread::of(&values).mean as f32
    };
    Some(Band {
        name: line.name.into(),
        first: (0..SPANS).map(mean).collect(),
        others: rows.iter().enumerate().map(against).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Replica;
    use crate::series::Column;

    /// A run with a warm-up of 1 s and a window of 4 s, sampled every `step` tenths of a second,
    /// whose throughput is `rate` of the time in seconds.
    fn run(step: usize, rate: impl Fn(f64) -> f64) -> (Report, Table) {
        let column = |key: &str| Column {
            key: key.into(),
            label: String::new(),
            kernel_name: String::new(),
            unit: String::new(),
            node: None,
        };
        let keys = ["throughput", "node0.nr_free_pages", "node1.nr_free_pages"];
        let mut samples = Table { columns: keys.map(column).into(), ..Table::default() };
        for tenth in (step..=50).step_by(step) {
            samples.push(tenth as u64 * 100_000_000, &[rate(tenth as f64 / 10.0), 256.0, 512.0]);
        }
        (Report { warmup_s: 1.0, window_s: 4.0, ..Report::default() }, samples)
    }

    #[test]
    fn a_course_is_the_mean_over_each_span_of_the_window_alone() {
        let (report, samples) = run(1, |t| if t <= 1.0 { 1e6 } else { t.ceil() });
        let courses = courses(&report, &samples);
        let throughput = &courses["throughput"];
        assert_eq!(throughput.len(), SPANS);
        assert!(throughput[..10].iter().all(|v| (*v - 2.0).abs() < 1e-3), "{throughput:?}");
        assert!(throughput[30..].iter().all(|v| (*v - 5.0).abs() < 1e-3), "{throughput:?}");
        assert!(courses["free"].iter().all(|v| (*v - 3.0).abs() < 1e-6), "all nodes, in MiB");
        // Samples that are longer than a span stand for all of it.
        let (report, samples) = run(5, |t| t);
        let coarse = &super::courses(&report, &samples)["throughput"];
        assert!((coarse[0] - 1.5).abs() < 1e-3 && (coarse[39] - 5.0).abs() < 1e-3, "{coarse:?}");
    }

    fn replica(value: f32, window_s: f64) -> Replica {
        let courses = [("throughput".to_owned(), vec![value; SPANS])].into();
        Replica { courses, window_s, ..Replica::default() }
    }

    fn runs(values: &[f32], window_s: f64) -> Runs {
        let replications = values.iter().map(|v| replica(*v, window_s)).collect();
        Runs { label: String::new(), sets: String::new(), link: String::new(), replications }
    }

    #[test]
    fn a_band_is_of_pairs_and_only_of_equal_windows() {
        let first = runs(&[10.0, 30.0, 20.0], 1.0);
        let all = bands(&[first.clone(), runs(&[11.0, 32.0, 23.0], 1.0)]);
        assert_eq!(all.len(), 1, "lines that are 0 in all arms are left out");
        let against = &all[0].others[0];
        assert_eq!((all[0].first[5], against.difference[5]), (20.0, 2.0));
        // A mean of 2 of three values with standard deviation 1: t = 4.303.
        assert!((f64::from(against.half_width[5]) - 4.303 / 3f64.sqrt()).abs() < 1e-3);
        assert_eq!(bands(&[first.clone(), runs(&[11.0, 32.0, 23.0], 2.0)]), Vec::new());
        assert_eq!(bands(&[first]), Vec::new(), "there is nothing to differ from");
        let one = bands(&[runs(&[1.0], 1.0), runs(&[3.0], 1.0)]);
        assert!(one[0].others[0].half_width.is_empty(), "one replication has no interval");
    }
}
