//! What a claim compares, in words and with units, so that a reader can check it: `cpu:swap_spin`
//! is told as the CPU time spent spinning for swap locks, in seconds.

use crate::Report;
use crate::claim;

/// One side of a claim, apart from its numbers and from the run that it is taken of.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What the figures are multiplied by.
    pub factor: f64,
    /// The figures alone, `cpu:swap_spin / pswpout`; empty where the side is a number.
    pub figures: String,
    /// The run that they are of; none for the run that the claim is about.
    pub of: Option<String>,
}

/// A claim in its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// What stands before the sign.
    pub left: Side,
    /// `less than`, `more than` or `equal to`.
    pub relation: &'static str,
    /// What stands after it.
    pub right: Side,
}

/// Takes a claim apart; none if it is none.
#[must_use]
pub fn parts(claim: &str) -> Option<Parts> {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let at = words.iter().position(|word| matches!(*word, "<" | ">" | "="))?;
    let relation = match words[at] {
        "<" => "less than",
        ">" => "more than",
        _ => "equal to",
    };
    Some(Parts { left: side(&words[..at])?, relation, right: side(&words[at + 1..])? })
}

/// Numbers become the factor, the rest the figures.
fn side(words: &[&str]) -> Option<Side> {
    let mut side = Side { factor: 1.0, figures: String::new(), of: None };
    let mut sign = "*";
    for (i, word) in words.iter().enumerate() {
        if i % 2 == 1 {
            sign = word;
        } else if let Ok(number) = word.parse::<f64>() {
            side.factor = if sign == "/" { side.factor / number } else { side.factor * number };
        } else {
            let (name, of) = word.split_once('@').map_or((*word, None), |(n, of)| (n, Some(of)));
            if !side.figures.is_empty() {
                side.figures.push_str(&format!(" {sign} "));
            } else if sign == "/" {
                return None;
            }
            side.figures.push_str(name);
            side.of = of.map(str::to_owned).or(side.of);
        }
    }
    Some(side)
}

/// What a value is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Microseconds.
    Micros,
    /// Things that are counted.
    Count,
    /// Pages.
    Pages,
    /// Things a second; of what, the report says.
    Rate,
    /// A share of 1.
    Share,
}

/// What figures are, in words, and their unit: `pswpout` is `pages swapped out`, in pages.
#[must_use]
pub fn told(figures: &str) -> (String, Unit) {
    if let Some((what, per)) = figures.split_once(" / ") {
        let (what, unit) = told(what);
        let per = if per == "pswpout" { "page swapped out".to_owned() } else { told(per).0 };
        let words = format!("{what}, a {per}");
        return (words, if unit == Unit::Seconds { Unit::Micros } else { Unit::Count });
    }
    if let Some((kind, of)) = figures.split_once(':') {
        return told_of(kind, of);
    }
    let (words, unit) = match figures {
        "throughput" => ("throughput", Unit::Rate),
        "latency_p50_us" => ("median latency", Unit::Micros),
        "latency_p99_us" => ("latency, 99th percentile", Unit::Micros),
        "kswapd_cpu_s" => ("CPU time of all kswapds", Unit::Seconds),
        "lru_lock_wait_s" => {
            ("time that is waited for lru_lock, all tasks together", Unit::Seconds)
        }
        "window_s" => ("length of the window", Unit::Seconds),
        "allocstall" => ("calls of direct reclaim (allocstall)", Unit::Count),
        "direct_share" => ("share of direct reclaim in pages scanned", Unit::Share),
        "pgsteal" => ("pages reclaimed (pgsteal)", Unit::Pages),
        "pgsteal_kswapd" => ("pages reclaimed by kswapd (pgsteal_kswapd)", Unit::Pages),
        "pgsteal_direct" => ("pages reclaimed by tasks (pgsteal_direct)", Unit::Pages),
        "pgscan_kswapd" => ("pages scanned by kswapd (pgscan_kswapd)", Unit::Pages),
        "pgscan_direct" => ("pages scanned by tasks (pgscan_direct)", Unit::Pages),
        "pswpout" => ("pages swapped out (pswpout)", Unit::Pages),
        "kswapd_wake" => ("wakeups of kswapd", Unit::Count),
        "inversions" => ("slots given while a device of higher rank had room", Unit::Count),
        "woke" => ("workers woken, all wakeups together", Unit::Count),
        "numa_miss" => ("pages from another node (numa_miss)", Unit::Pages),
        "numa_hit" => ("pages from the wanted node (numa_hit)", Unit::Pages),
        "workingset_refault_file" => ("refaults (workingset_refault_file)", Unit::Pages),
        "workingset_activate_file" => {
            ("refaults that were activated (workingset_activate_file)", Unit::Pages)
        }
        other => (other, Unit::Count),
    };
    (words.to_owned(), unit)
}

fn told_of(kind: &str, of: &str) -> (String, Unit) {
    let cpu = match of {
        "application" => "the tasks' own CPU time",
        "direct_work" => "CPU time of direct reclaim",
        "kswapd_work" => "CPU time of kswapd's work on pages",
        "swap_spin" => "CPU time spent spinning for swap locks",
        "lock_spin" => "CPU time spent spinning for other locks",
        "idle" => "CPU time that is idle",
        other => other,
    };
    let state = of.replace('_', " ");
    match kind {
        "cpu" => (cpu.to_owned(), Unit::Seconds),
        "state" => (format!("time of all kswapds: {state}"), Unit::Seconds),
        "busy" => (format!("share of the time that {of} is held or handed over"), Unit::Share),
        "wait" => (format!("time that is waited for {of}"), Unit::Seconds),
        "passages" => (format!("how often {of} is taken"), Unit::Count),
        "taken" => (format!("slots given out by swap device {of}"), Unit::Count),
        "peak" => (format!("most slots in use on swap device {of}"), Unit::Count),
        "size" => (format!("slots of swap device {of}"), Unit::Count),
        "group" => (format!("place of swap device {of}'s group of peers"), Unit::Count),
        "workers" => (format!("kswapds of node {of}"), Unit::Count),
        _ => (format!("{} of node {of}", kind.replace('_', " ")), Unit::Pages),
    }
}

/// The value of figures in a run, in their unit; none if the run has no such figure.
#[must_use]
pub fn value(figures: &str, report: &Report) -> Option<f64> {
    let value = claim::expression(figures, report, &|_| None).ok()?;
    // Seconds a page are told in microseconds.
    let is_ratio = figures.contains(" / ") && told(figures).1 == Unit::Micros;
    Some(if is_ratio { value * 1e6 } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_taken_apart() {
        let parts = parts("cpu:swap_spin / pswpout < 0.3 * cpu:swap_spin@2 / pswpout@2").unwrap();
        assert_eq!(parts.left.figures, "cpu:swap_spin / pswpout");
        assert_eq!((parts.left.factor, parts.left.of, parts.relation), (1.0, None, "less than"));
        assert_eq!(parts.right.figures, "cpu:swap_spin / pswpout");
        assert_eq!((parts.right.factor, parts.right.of.as_deref()), (0.3, Some("2")));
        let number = super::parts("allocstall > 300").unwrap().right;
        assert_eq!((number.factor, number.figures.as_str()), (300.0, ""));
        assert_eq!(super::parts("allocstall"), None);
    }

    #[test]
    fn figures_are_told_with_their_unit() {
        let vmstat = [("pswpout".to_owned(), 1_000)];
        let cpu_s = [("swap_spin".to_owned(), 0.015)];
        let report = Report { vmstat: vmstat.into(), cpu_s: cpu_s.into(), ..Report::default() };
        assert_eq!(value("cpu:swap_spin", &report), Some(0.015));
        assert_eq!(told("cpu:swap_spin").1, Unit::Seconds);
        let each = "cpu:swap_spin / pswpout";
        assert!((value(each, &report).unwrap() - 15.0).abs() < 1e-9, "microseconds a page");
        assert_eq!(told(each).1, Unit::Micros);
        assert_eq!(told("min:0"), ("min of node 0".to_owned(), Unit::Pages));
        assert_eq!(value("nothing", &report), None);
    }
}
