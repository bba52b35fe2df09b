//! Arms of a comparison on common random numbers: means, spreads, paired differences.
//!
//! Replication `i` of every arm has the same seed, so that differences are taken pair by pair: the
//! interval of a difference is that of the mean of the pairs (Student's t), not of two means.

use crate::Report;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Mean and standard deviation of one figure over replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation between replications; 0 with one.
    pub sd: f64,
    /// How many replications.
    pub n: u64,
}

impl Spread {
    /// Of these values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        if n == 0 {
            return Self::default();
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let sd = if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 };
        Self { mean, sd, n: n as u64 }
    }

    /// Half the width of the 95 % interval of the mean; nothing with one replication.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        (self.n > 1).then(|| student_t(self.n - 1) * self.sd / (self.n as f64).sqrt())
    }
}

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

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Its name, `A` to `E`.
    pub name: String,
    /// Its scenario as a link.
    pub link: String,
    /// Digest over its replications, in order.
    pub digest: String,
    /// Mean application work a second.
    pub throughput: f64,
    /// Mean CPU seconds outside idle: for these workloads all of it is spent in the kernel.
    pub system_time_s: f64,
    /// Every figure's mean and spread.
    pub means: BTreeMap<String, Spread>,
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
    /// Seeds of the replications, in order.
    pub seeds: Vec<u64>,
    /// The arms.
    pub arms: Vec<Arm>,
    /// Every figure of every arm against the first.
    pub paired: Vec<Paired>,
}

/// The figures that are compared, each with what it is in words.
pub static FIGURES: &[(&str, &str)] = &[
    ("throughput", "application work a second"),
    ("latency_p50_us", "median latency"),
    ("latency_p99_us", "latency, 99th percentile"),
    ("latency_p999_us", "latency, 99.9th percentile"),
    ("system_time_s", "CPU seconds outside idle"),
    ("kswapd_cpu_s", "CPU seconds of all kswapds"),
    ("kswapd_us_per_page", "kswapd CPU a page scanned"),
    ("lock_spin_s", "CPU seconds spinning for locks"),
    ("lru_lock_wait_s", "waits for lru_lock"),
    ("allocstall", "direct reclaim calls"),
    ("direct_share", "share of scanning by direct reclaim"),
    ("pgsteal", "pages reclaimed"),
];

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
        "system_time_s" => report.cpu_s.iter().filter(|(k, _)| *k != "idle").map(|(_, s)| s).sum(),
        "kswapd_cpu_s" => report.kswapd_cpu_s,
        "kswapd_us_per_page" => report.kswapd_us_per_page.unwrap_or(0.0),
        "lock_spin_s" => cpu("lock_spin"),
        "lru_lock_wait_s" => {
            report.locks.iter().filter(|l| l.name.contains("lru_lock")).map(|l| l.wait_s).sum()
        }
        "allocstall" => count("allocstall_normal"),
        "direct_share" => {
            let (direct, kswapd) = (count("pgscan_direct"), count("pgscan_kswapd"));
            if direct + kswapd > 0.0 { direct / (direct + kswapd) } else { 0.0 }
        }
        "pgsteal" => count("pgsteal_kswapd") + count("pgsteal_direct"),
        _ => 0.0,
    }
}

/// Compares arms: one row of reports an arm, one a seed, all rows as long as `seeds`. `digest`
/// joins an arm's digests in order.
#[must_use]
pub fn compare(
    names: &[String],
    rows: &[Vec<Report>],
    seeds: &[u64],
    digest: impl Fn(usize, &[Report]) -> String,
) -> Comparison {
    let values = |arm: usize, name: &str| -> Vec<f64> {
        rows[arm].iter().map(|r| figure(r, name)).collect()
    };
    let arms: Vec<Arm> = rows
        .iter()
        .enumerate()
        .map(|(number, reports)| {
            let spread = |name: &str| Spread::of(&values(number, name));
            Arm {
                name: names[number].clone(),
                link: reports.first().map(|r| r.link.clone()).unwrap_or_default(),
                digest: digest(number, reports),
                throughput: spread("throughput").mean,
                system_time_s: spread("system_time_s").mean,
                means: FIGURES.iter().map(|(n, _)| ((*n).into(), spread(n))).collect(),
            }
        })
        .collect();
    let mut paired = Vec::new();
    for (name, _) in FIGURES {
        let base = values(0, name);
        for (arm, arm_name) in names.iter().enumerate().skip(1) {
            let pairs = values(arm, name).iter().zip(&base).map(|(b, a)| b - a).collect::<Vec<_>>();
            paired.push(pair(name, arm_name, &pairs, Spread::of(&base).mean));
        }
    }
    let model = rows.iter().flatten().next().map(|r| r.model.clone()).unwrap_or_default();
    Comparison { kind: "SIMULATED".into(), model, seeds: seeds.to_vec(), arms, paired }
}

fn pair(figure: &str, arm: &str, pairs: &[f64], base: f64) -> Paired {
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

/// The 97.5 % point of Student's t with this many degrees of freedom, to a thousandth.
#[must_use]
pub fn student_t(df: u64) -> f64 {
    const SMALL: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match usize::try_from(df) {
        Ok(0) => f64::INFINITY,
        Ok(df) if df <= SMALL.len() => SMALL[df - 1],
        // Cornish and Fisher's first terms around the normal's 1.95996.
        _ => {
            let (z, df) = (1.959_964, df as f64);
            z + (z * z * z + z) / (4.0 * df)
                + (5.0 * z * z * z * z * z + 16.0 * z * z * z + 3.0 * z) / (96.0 * df * df)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_and_intervals_are_the_textbooks() {
        let s = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert!((s.mean - 5.0).abs() < 1e-12 && (s.sd - 2.138_089_9).abs() < 1e-6);
        let half = s.half_width().expect("eight values");
        assert!((half - 2.365 * 2.138_089_9 / 8f64.sqrt()).abs() < 1e-6);
        assert_eq!(Spread::of(&[1.0]).half_width(), None);
        assert!((student_t(60) - 2.000).abs() < 0.001 && (student_t(120) - 1.980).abs() < 0.001);
    }

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
