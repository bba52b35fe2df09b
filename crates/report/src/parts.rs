//! What a run's time and waits are made of, for arms side by side: CPU by use, kswapd's time by
//! what it does, waits by lock, latency by percentile.

use crate::Report;
use crate::compare::{Paired, Runs, letter, pair};
use crate::stats::Spread;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use units::order;

/// One thing that is broken down.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its name, which stands before a slash in the names of its parts.
    pub name: &'static str,
    /// What it is, in words.
    pub words: &'static str,
    /// Whether its parts add up, so that a bar of one is its share of the sum.
    pub adds_up: bool,
}

const fn block(name: &'static str, words: &'static str, adds_up: bool) -> Block {
    Block { name, words, adds_up }
}

/// What is broken down.
pub static BLOCKS: [Block; 4] = [
    block("cpu", "CPU seconds by use, idle left out", true),
    block("kswapd", "Seconds of all kswapds by what they do, sleep left out", true),
    block("lock", "Seconds that tasks wait for locks; lru_lock by what is done under it", true),
    block("latency", "Latency, microseconds", false),
];

/// The parts of one run: `cpu/application`, `lock/i_pages`.
pub type Parts = BTreeMap<String, f64>;

/// The parts of a run's window.
#[must_use]
pub fn parts(report: &Report) -> Parts {
    let mut parts = Parts::new();
    let mut add = |block: &str, name: &str, value: f64| {
        *parts.entry(format!("{block}/{name}")).or_default() += value;
    };
    for (name, seconds) in report.cpu_s.iter().filter(|(name, _)| *name != "idle") {
        add("cpu", name, *seconds);
    }
    for worker in &report.workers {
        for (state, seconds) in worker.seconds.iter().filter(|(state, _)| *state != "asleep") {
            add("kswapd", state, *seconds);
        }
    }
    for (what, seconds) in &report.lru_wait_s {
        add("lock", &format!("lru_lock, {what}"), *seconds);
    }
    for lock in report.locks.iter().filter(|lock| !lock.name.contains("lru_lock")) {
        let kind = lock.name.split_once('/').map_or(lock.name.as_str(), |(_, kind)| kind);
        add("lock", kind.split(' ').next().unwrap_or(kind), lock.wait_s);
    }
    for (what, latency) in
        [("an operation", report.latency_us), ("direct reclaim", report.direct_reclaim_us)]
    {
        let quantiles = [("median", latency.p50), ("99 %", latency.p99), ("99.9 %", latency.p999)];
        for (name, us) in quantiles.into_iter().chain([("longest", latency.max)]) {
            add("latency", &format!("{what}, {name}"), us);
        }
    }
    parts
}

/// A part in all arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name, that of its block before it.
    pub name: String,
    /// Mean and spread of every arm.
    pub means: Vec<Spread>,
    /// The other arms against the first.
    pub paired: Vec<Paired>,
}

impl Part {
    /// Its block's name and its own.
    #[must_use]
    pub fn split(&self) -> (&str, &str) {
        self.name.split_once('/').unwrap_or(("", &self.name))
    }
}

/// Every part that is not 0 in all arms, block by block.
#[must_use]
pub fn compared(runs: &[Runs]) -> Vec<Part> {
    let replicas = || runs.iter().flat_map(|r| &r.replications);
    let mut names: BTreeSet<&String> = BTreeSet::new();
    names.extend(replicas().flat_map(|r| r.parts.keys()));
    let is_any = |name: &str| replicas().any(|r| r.parts.get(name).is_some_and(|v| *v != 0.0));
    let part = |name: &String| {
        let of = |runs: &Runs| -> Vec<f64> {
            runs.replications.iter().map(|r| r.parts.get(name).copied().unwrap_or(0.0)).collect()
        };
        let all: Vec<Vec<f64>> = runs.iter().map(of).collect();
        let means: Vec<Spread> = all.iter().map(|values| Spread::of(values)).collect();
        let against = |(number, values): (usize, &Vec<f64>)| {
            let pairs: Vec<f64> = values.iter().zip(&all[0]).map(|(b, a)| b - a).collect();
            pair(name, &letter(number), &pairs, means[0].mean)
        };
        let paired = all.iter().enumerate().skip(1).map(against).collect();
        Part { name: name.clone(), means, paired }
    };
    let block = |block: &Block| {
        let own = move |name: &&&String| name.split('/').next() == Some(block.name);
        let mut own: Vec<Part> =
            names.iter().filter(own).filter(|name| is_any(name)).map(|name| part(name)).collect();
        if block.adds_up {
            // What is most in any arm comes first.
            let most = |part: &Part| part.means.iter().map(|m| m.mean).fold(0.0, f64::max);
            order::by(&mut own, |a, b| most(b).total_cmp(&most(a)));
        }
        own
    };
    BLOCKS.iter().flat_map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Replica, Verdict};
    use crate::summary::{Lock, Worker};

    fn lock(name: &str, wait_s: f64) -> Lock {
        Lock {
            name: name.into(),
            acquisitions: 1,
            contended: 1,
            utilisation: 0.5,
            wait_s,
            hold_s: 1.0,
        }
    }

    #[test]
    fn locks_are_added_up_by_kind_and_lru_lock_by_what_for() {
        let report = Report {
            locks: vec![
                lock("node0/lru_lock", 9.0),
                lock("node0/zone->lock Normal", 1.0),
                lock("node1/zone->lock DMA32", 2.0),
                lock("i_pages (all files)", 0.5),
            ],
            lru_wait_s: [("add".to_owned(), 8.0), ("inactive".to_owned(), 1.0)].into(),
            cpu_s: [("idle".to_owned(), 5.0), ("application".to_owned(), 1.0)].into(),
            workers: vec![Worker {
                name: "kswapd0:0".into(),
                node: 0,
                seconds: [("asleep".to_owned(), 1.0), ("page_work".to_owned(), 2.0)].into(),
                nanos: BTreeMap::new(),
                pgscan: 0,
                pgsteal: 0,
            }],
            ..Report::default()
        };
        let parts = parts(&report);
        assert_eq!((parts["lock/zone->lock"], parts["lock/i_pages"]), (3.0, 0.5));
        assert_eq!(parts["lock/lru_lock, add"], 8.0);
        assert_eq!(parts["kswapd/page_work"], 2.0);
        assert!(!parts.contains_key("cpu/idle") && !parts.contains_key("kswapd/asleep"));
    }

    #[test]
    fn parts_are_compared_pair_by_pair_and_the_largest_comes_first() {
        let runs = |waits: [f64; 3]| Runs {
            label: String::new(),
            sets: String::new(),
            link: String::new(),
            replications: waits
                .into_iter()
                .map(|wait| Replica {
                    parts: [
                        ("cpu/a".to_owned(), 1.0),
                        ("cpu/b".to_owned(), wait),
                        ("lock/c".to_owned(), 0.0),
                    ]
                    .into(),
                    ..Replica::default()
                })
                .collect(),
        };
        let parts = compared(&[runs([5.0, 9.0, 7.0]), runs([6.0, 10.5, 8.0])]);
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["cpu/b", "cpu/a"], "what is 0 in all arms is left out");
        assert_eq!(parts[0].paired[0].verdict, Verdict::Higher);
        assert_eq!(parts[1].paired[0].verdict, Verdict::None);
        assert_eq!(parts[0].split(), ("cpu", "b"));
    }
}
