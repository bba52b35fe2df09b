//! A claim about the figures of a run: `pgscan_direct > 0`, `throughput > 1.1 * throughput@1`.
//!
//! A side is numbers and figures with `*` and `/` between them, from left to right; `@NAME` takes a
//! figure from another run, which the caller knows by that name. It is how stories say what shall
//! be seen, so that a test can find one that is no longer true.
//!
//! Figures are those of [`crate::compare::FIGURES`], counters of /proc/vmstat, and:
//!
//! * `direct_p50_us`, `direct_p99_us`, `direct_calls`: calls of direct reclaim;
//! * `state:NAME`: seconds of all kswapd workers in a state; `cpu:NAME`: CPU seconds by use;
//! * `busy:LOCK`, `wait:LOCK`, `passages:LOCK`: the busiest lock with that in its name, seconds
//!   waited for all of them, how often they were taken;
//! * `min:N`, `low:N`, `high:N`, `free:N`, and lists such as `active_file:N`: pages of node N;
//! * `taken:N`, `peak:N`, `size:N`, `group:N` of swap device N: slots given out, the most in use,
//!   all of them, the place of its group of peers; `inversions`;
//! * `workers:N`: kswapd workers of node N; `decisions`, `woke`, `window_s`.

use crate::Report;
use crate::compare::{FIGURES, figure};

/// A figure of a report by name, if there is such a figure.
#[must_use]
pub fn value(report: &Report, name: &str) -> Option<f64> {
    if FIGURES.iter().any(|f| f.name == name) {
        return Some(figure(report, name));
    }
    if let Some((kind, of)) = name.split_once(':') {
        return part(report, kind, of);
    }
    let decided = |of: fn(&crate::summary::Wakeups) -> u64| -> f64 {
        report.wakeups.iter().map(of).sum::<u64>() as f64
    };
    match name {
        "direct_p50_us" => Some(report.direct_reclaim_us.p50),
        "direct_p99_us" => Some(report.direct_reclaim_us.p99),
        "direct_calls" => Some(report.direct_reclaim_us.count as f64),
        "window_s" => Some(report.window_s),
        "decisions" => Some(decided(|w| w.decisions)),
        "woke" => Some(decided(|w| w.woke)),
        "inversions" => report.swap.as_ref().map(|swap| swap.inversions as f64),
        _ => report.vmstat.get(name).map(|&count| count as f64),
    }
}

fn part(report: &Report, kind: &str, of: &str) -> Option<f64> {
    let locks = || report.locks.iter().filter(|lock| lock.name.contains(of));
    let node = || report.nodes.iter().find(|node| node.node.to_string() == of);
    let pages = |pages: u64| pages as f64;
    let device = || report.swap.as_ref()?.devices.get(of.parse::<usize>().ok()?);
    match kind {
        "taken" => device().map(|d| pages(d.taken)),
        "peak" => device().map(|d| pages(d.peak)),
        "size" => device().map(|d| pages(d.pages)),
        "group" => device().map(|d| f64::from(d.group)),
        "state" => Some(report.workers.iter().filter_map(|w| w.seconds.get(of)).sum()),
        "cpu" => Some(report.cpu_s.get(of).copied().unwrap_or(0.0)),
        "busy" => locks().map(|l| l.utilisation).reduce(f64::max),
        "wait" => locks().map(|l| l.wait_s).reduce(|sum, s| sum + s),
        "passages" => locks().map(|l| l.acquisitions as f64).reduce(|sum, n| sum + n),
        "min" => node().map(|n| pages(n.min)),
        "low" => node().map(|n| pages(n.low)),
        "high" => node().map(|n| pages(n.high)),
        "free" => node().map(|n| pages(n.free)),
        "inactive_anon" => node().map(|n| pages(n.lists[0])),
        "active_anon" => node().map(|n| pages(n.lists[1])),
        "inactive_file" => node().map(|n| pages(n.lists[2])),
        "active_file" => node().map(|n| pages(n.lists[3])),
        "workers" => {
            Some(report.workers.iter().filter(|w| w.node.to_string() == of).count() as f64)
        }
        _ => None,
    }
}

/// What a claim came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked {
    /// The left side.
    pub left: f64,
    /// The right side.
    pub right: f64,
    /// Whether it holds.
    pub holds: bool,
}

/// What a side of a claim comes to: `throughput@1 / throughput`.
///
/// # Errors
/// What cannot be read of it, or what it names that does not exist.
pub fn expression<'a>(
    text: &str,
    run: &'a Report,
    other: &dyn Fn(&str) -> Option<&'a Report>,
) -> Result<f64, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    side(&words, run, other)
}

/// Checks a claim against a run; `other` gives the run that `@NAME` names.
///
/// # Errors
/// What cannot be read of it, or what it names that does not exist.
pub fn check<'a>(
    claim: &str,
    run: &'a Report,
    other: &dyn Fn(&str) -> Option<&'a Report>,
) -> Result<Checked, String> {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let is_sign = |word: &&str| matches!(*word, "<" | ">" | "=");
    let at = words.iter().position(is_sign).ok_or("a claim has `<`, `>` or `=`")?;
    let left = side(&words[..at], run, other)?;
    let right = side(&words[at + 1..], run, other)?;
    let holds = match words[at] {
        "<" => left < right,
        ">" => left > right,
        // Figures that are equal by a rule; both are counted or divided exactly alike.
        _ => (left - right).abs() <= 1e-9 * right.abs(),
    };
    Ok(Checked { left, right, holds })
}

/// Numbers and figures with `*` and `/` between them, from left to right.
fn side<'a>(
    words: &[&str],
    run: &'a Report,
    other: &dyn Fn(&str) -> Option<&'a Report>,
) -> Result<f64, String> {
    let mut value = 1.0;
    let mut divides = false;
    for (i, word) in words.iter().enumerate() {
        match (i % 2, *word) {
            (0, word) => {
                let term = term(word, run, other)?;
                value = if divides { value / term } else { value * term };
            }
            (_, "*") => divides = false,
            (_, "/") => divides = true,
            (_, word) => return Err(format!("`{word}` stands where `*` or `/` could")),
        }
    }
    if words.len() % 2 == 1 { Ok(value) } else { Err("a side of the claim is incomplete".into()) }
}

fn term<'a>(
    word: &str,
    run: &'a Report,
    other: &dyn Fn(&str) -> Option<&'a Report>,
) -> Result<f64, String> {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.parse().map_err(|_| format!("`{word}` is no number"));
    }
    let (name, of) = word.split_once('@').map_or((word, None), |(name, of)| (name, Some(of)));
    let report = match of {
        Some(of) => other(of).ok_or_else(|| format!("there is no run `{of}`"))?,
        None => run,
    };
    value(report, name).ok_or_else(|| format!("there is no figure `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(throughput: f64, direct: u64) -> Report {
        let vmstat = [("pgscan_direct".to_owned(), direct), ("allocstall_normal".to_owned(), 3)];
        Report { throughput, vmstat: vmstat.into(), ..Report::default() }
    }

    #[test]
    fn claims_compare_figures_of_one_run_or_two() {
        let (one, two) = (report(100.0, 7), report(120.0, 0));
        let other = |name: &str| (name == "1").then_some(&one);
        let holds = |claim: &str| check(claim, &two, &other).expect(claim).holds;
        assert!(holds("throughput > 1.1 * throughput@1"));
        assert!(!holds("throughput > 1.3 * throughput@1"));
        assert!(holds("pgscan_direct = 0") && holds("pgscan_direct@1 = 7"));
        assert!(holds("allocstall = 3"), "all zones together");
        assert!(holds("throughput@1 / allocstall > 33") && holds("2 * allocstall < 7"));
    }

    #[test]
    fn what_is_no_claim_is_told() {
        let run = report(1.0, 0);
        let said = |claim: &str| check(claim, &run, &|_| None).expect_err("refused");
        assert_eq!(said("throughput"), "a claim has `<`, `>` or `=`");
        assert_eq!(said("nothing > 0"), "there is no figure `nothing`");
        assert_eq!(said("throughput > throughput@2"), "there is no run `2`");
        assert!(said("throughput >").contains("incomplete"));
        assert!(said("throughput + 1 > 0").contains("`+`"));
        assert!(said("busy:lru > 0").contains("busy:lru"));
    }
}
