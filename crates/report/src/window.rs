//! Whether a window says something: its warm-up, and how often what repeats came round in it.
//!
//! Memory falls from high to low and kswapd fills it again; direct reclaim comes and goes. A mean
//! over less than [`CYCLES_MIN`] of these depends on where the window begins and ends.

use crate::Report;
use crate::compare::figure;
use crate::series::Table;
use crate::stats::mser5;
use serde::{Deserialize, Serialize};
use units::order;

/// Cycles of the slowest repeating event that a window needs.
pub const CYCLES_MIN: f64 = 10.0;

/// Share of all scanning from which on direct reclaim is more than an accident.
const DIRECT_SHARE_MIN: f64 = 0.05;

/// What the samples of one replication say of its window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The repeating event that came round least often; nothing when none repeats.
    pub slowest: Option<Cycles>,
    /// Seconds at the beginning of the window that MSER-5 counts to the warm-up, by the samples of
    /// the throughput; nothing when it finds no end or there are too few samples.
    pub mser_s: Option<f64>,
}

/// How often something came round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cycles {
    /// `wake-to-wake of kswapd on node 1`, `oscillation of direct reclaim`.
    pub event: String,
    /// How often, at least.
    pub count: f64,
}

impl Facts {
    /// What the report and the samples of one run say. Samples before the window do not count.
    #[must_use]
    pub fn of(report: &Report, samples: &Table) -> Self {
        let warmup_ns = (report.warmup_s * 1e9) as u64;
        let first = samples.time_ns.partition_point(|t| *t <= warmup_ns);
        let column = |key: &str| -> Vec<f64> {
            samples.find(key).map_or_else(Vec::new, |c| samples.column(c).skip(first).collect())
        };
        let mut cycles: Vec<Cycles> = Vec::new();
        for node in &report.wakeups {
            let awake = column(&format!("node{}.workers_awake", node.node));
            let workers = report.workers.iter().filter(|w| w.node == node.node).count().max(1);
            // A wakeup wakes one worker or all: the less of the two, or what samples can see.
            let count = (node.woke as f64 / workers as f64).max(rises(&awake, 0.0, 0.5));
            let event = format!("wake-to-wake of kswapd on node {}", node.node);
            cycles.push(Cycles { event, count });
        }
        let direct = column("allocstall");
        let mean = direct.iter().sum::<f64>() / (direct.len() as f64).max(1.0);
        if figure(report, "direct_share") >= DIRECT_SHARE_MIN {
            let count = rises(&direct, mean * 0.5, mean * 1.5);
            cycles.push(Cycles { event: "oscillation of direct reclaim".into(), count });
        }
        let repeating = cycles.into_iter().filter(|c| c.count > 0.0);
        let slowest = repeating.min_by(|a, b| a.count.total_cmp(&b.count));
        let throughput = column("throughput");
        let row_s = report.window_s / (throughput.len() as f64).max(1.0);
        let mser_s = mser5(&throughput).map(|rows| rows as f64 * row_s);
        Self { slowest, mser_s }
    }
}

/// How often a series rises from `low` or less to `high` or more.
fn rises(values: &[f64], low: f64, high: f64) -> f64 {
    let (mut count, mut armed) = (0.0, false);
    for value in values {
        if *value <= low {
            armed = true;
        } else if armed && *value >= high {
            armed = false;
            count += 1.0;
        }
    }
    count
}

/// Why a window is too short, with how long is enough, in a sentence; `facts` are those of the
/// replications of one arm.
#[must_use]
pub fn too_short(arm: &str, window_s: f64, facts: &[&Facts]) -> Option<String> {
    let slowest = facts.iter().filter_map(|f| f.slowest.as_ref());
    let slowest = slowest.min_by(|a, b| a.count.total_cmp(&b.count))?;
    let same = facts.iter().filter_map(|f| f.slowest.as_ref()).filter(|c| c.event == slowest.event);
    let counts: Vec<f64> = same.map(|c| c.count).collect();
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    if mean >= CYCLES_MIN {
        return None;
    }
    Some(format!(
        "window too short: {arm} saw {mean:.1} cycles of its slowest repeating event ({}) in {}; \
         {CYCLES_MIN:.0} need about {}",
        slowest.event,
        seconds(window_s),
        seconds(round_up(window_s * CYCLES_MIN / mean)),
    ))
}

/// Why the warm-up may be too short, in a sentence: MSER-5 would cut more than a tenth of the
/// window in more than half of the replications.
#[must_use]
pub fn still_warm(arm: &str, window_s: f64, facts: &[&Facts]) -> Option<String> {
    let mut cuts: Vec<f64> = facts.iter().map(|f| f.mser_s.unwrap_or(0.0)).collect();
    order::by(&mut cuts, f64::total_cmp);
    let median = cuts.get(cuts.len() / 2).copied().filter(|cut| *cut > window_s * 0.1)?;
    Some(format!(
        "warm-up too short: by MSER-5 the first {} of the window of {arm} still belong to it",
        seconds(median)
    ))
}

/// A span of time with three digits and its unit.
#[must_use]
pub fn seconds(s: f64) -> String {
    let (value, unit) = match s {
        s if s <= 0.0 => (0.0, "s"),
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "us"),
    };
    let text = match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    };
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

/// A number with two digits, not below it.
fn round_up(value: f64) -> f64 {
    let mut step = 1e-9;
    while step * 100.0 < value {
        step *= 10.0;
    }
    (value / step).ceil() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(count: f64) -> Facts {
        let event = "wake-to-wake of kswapd on node 1".to_owned();
        Facts { slowest: Some(Cycles { event, count }), mser_s: None }
    }

    #[test]
    fn a_short_window_says_how_long_is_enough() {
        let said = too_short("arm B", 0.2, &[&facts(3.0), &facts(4.0)]).expect("too short");
        assert_eq!(
            said,
            "window too short: arm B saw 3.5 cycles of its slowest repeating event (wake-to-wake of \
             kswapd on node 1) in 200ms; 10 need about 580ms"
        );
        assert_eq!(too_short("arm B", 0.2, &[&facts(10.0), &facts(11.0)]), None);
        assert_eq!(too_short("arm B", 0.2, &[&Facts::default()]), None, "nothing repeats");
    }

    #[test]
    fn a_warm_up_that_goes_on_is_told() {
        let warm = |cut| Facts { slowest: None, mser_s: Some(cut) };
        let said = still_warm("arm A", 2.0, &[&warm(0.5), &warm(0.0), &warm(0.4)]).expect("warm");
        assert!(said.contains("first 400ms of the window of arm A"), "{said}");
        assert_eq!(still_warm("arm A", 2.0, &[&warm(0.1), &warm(0.0), &warm(0.4)]), None);
    }

    #[test]
    fn rises_are_counted_with_a_distance() {
        assert_eq!(rises(&[0.0, 2.0, 1.0, 2.0, 0.0, 1.0, 2.0], 0.0, 1.5), 2.0);
        assert_eq!(rises(&[5.0; 9], 2.5, 7.5), 0.0);
        assert_eq!(seconds(0.0005), "500us");
        assert_eq!(seconds(12.0), "12s");
        assert_eq!(seconds(0.0334), "33.4ms");
    }
}
