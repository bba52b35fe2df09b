//! A real kernel's counters and events beside those of a run: where the two agree.

use crate::Report;
use crate::compare::{FIGURES, figure};
use serde::{Deserialize, Serialize};

/// Whether a rate of the real kernel is that of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the tolerance.
    Agrees,
    /// Outside.
    Differs,
    /// The model has no such counter.
    NotModelled,
}

/// One counter or event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name in the kernel.
    pub name: String,
    /// How often a second the real kernel counted it.
    pub observed: f64,
    /// How often a second the model did.
    pub simulated: Option<f64>,
    /// The model's over the kernel's, where neither is 0.
    pub ratio: Option<f64>,
    /// What that means.
    pub verdict: Verdict,
}

/// A counter's rate over the time of the run, of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lines {
    /// The counter.
    pub name: String,
    /// Milliseconds of the run and rate a second, of the model.
    pub simulated: Vec<[f64; 2]>,
    /// The same of the kernel.
    pub observed: Vec<[f64; 2]>,
}

/// Rates a second under this are taken for nothing.
const NOTHING: f64 = 0.05;

/// Puts rates a second of a real kernel beside those of a report: `tolerance` is the largest
/// difference that agrees, as a share of either side.
#[must_use]
pub fn agree(report: &Report, observed: &[(String, f64)], tolerance: f64) -> Vec<Row> {
    let one = |(name, value): &(String, f64)| row(name, *value, rate(report, name), tolerance);
    observed.iter().map(one).collect()
}

fn row(name: &str, observed: f64, simulated: Option<f64>, tolerance: f64) -> Row {
    let ratio = simulated.filter(|s| *s > 0.0 && observed > 0.0).map(|s| s / observed);
    let most = 1.0 + tolerance;
    let verdict = match (simulated, ratio) {
        (None, _) => Verdict::NotModelled,
        (Some(s), _) if s < NOTHING && observed < NOTHING => Verdict::Agrees,
        (_, Some(ratio)) if ratio <= most && ratio * most >= 1.0 => Verdict::Agrees,
        _ => Verdict::Differs,
    };
    Row { name: name.to_owned(), observed, simulated, ratio, verdict }
}

/// Puts figures of a benchmark beside those of a report, as [`agree`] does with rates.
#[must_use]
pub fn agree_figures(report: &Report, observed: &[(String, f64)], tolerance: f64) -> Vec<Row> {
    let known = |name: &str| {
        let is_known = FIGURES.iter().any(|f| f.name == name);
        is_known.then(|| figure(report, name))
    };
    observed.iter().map(|(name, value)| row(name, *value, known(name), tolerance)).collect()
}

/// How often a second the model counted something, by the kernel's name of the counter or event.
fn rate(report: &Report, name: &str) -> Option<f64> {
    if report.window_s <= 0.0 {
        return None;
    }
    let counted = match name {
        "mm_vmscan_direct_reclaim_begin" | "mm_vmscan_direct_reclaim_end" => {
            figure(report, "allocstall")
        }
        "mm_vmscan_kswapd_wake" => *report.vmstat.get("kswapd_wake")? as f64,
        _ => *report.vmstat.get(name)? as f64,
    };
    Some(counted / report.window_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_agree_within_the_tolerance_on_both_sides() {
        let vmstat = [("pgscan_kswapd", 2000), ("pgscan_direct", 0), ("allocstall_normal", 6)];
        let report = Report {
            window_s: 2.0,
            vmstat: vmstat.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
            ..Report::default()
        };
        let at = |name: &str, observed: f64| {
            agree(&report, &[(name.to_owned(), observed)], 0.25)[0].clone()
        };
        assert_eq!(at("pgscan_kswapd", 800.0).verdict, Verdict::Agrees);
        assert_eq!(at("pgscan_kswapd", 1250.0).verdict, Verdict::Agrees);
        assert_eq!(at("pgscan_kswapd", 1260.0).verdict, Verdict::Differs);
        assert_eq!(at("pgscan_kswapd", 0.0).verdict, Verdict::Differs);
        assert_eq!(at("pgscan_direct", 0.0).verdict, Verdict::Agrees);
        assert_eq!(at("pgscan_direct", 9.0).verdict, Verdict::Differs);
        assert_eq!(at("compact_stall", 9.0).verdict, Verdict::NotModelled);
        assert_eq!(at("mm_vmscan_direct_reclaim_begin", 3.0).ratio, Some(1.0));
    }
}
