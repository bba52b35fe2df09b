//! Arms of one question on common random numbers.

use crate::sweep::{Outcome, in_order, measure};
use catalog::{ControlId, LEDGER};
use engine::{Digest, Stream};
use report::Report;
use report::compare::{self, About, Comparison, Runs};
use report::window::Facts;
use scenario::{LETTERS, Problem, Scenario, Shared, link};

/// Most replications.
pub const REPS_MAX: u32 = 1_000;

/// The seed of replication `index` of a run with `seed`: the first is the seed itself, so that one
/// replication is the run.
#[must_use]
pub fn replication_seed(seed: u64, index: u32) -> u64 {
    if index == 0 {
        return seed;
    }
    let bound = ControlId::Seed.control().bounds().1.unsigned_abs();
    Stream::new(seed, "replication", index.into()).below(bound)
}

/// The scenario of a replication.
///
/// # Panics
/// Never: all seeds are in bounds.
#[must_use]
pub fn replication(scenario: &Scenario, index: u32) -> Scenario {
    let seed = replication_seed(scenario.get(ControlId::Seed).unsigned_abs(), index);
    let mut one = scenario.clone();
    let value = i64::try_from(seed).expect("seeds are below 2^53");
    one.set(ControlId::Seed, value).expect("seeds are in bounds");
    one
}

/// Eight hex digits over every constant of the ledger: other constants, other numbers.
#[must_use]
pub fn ledger_hash() -> String {
    let mut digest = Digest::default();
    for constant in LEDGER {
        for byte in constant.name.bytes() {
            digest.word(byte.into());
        }
        digest.word(constant.value);
    }
    format!("{:08x}", digest.value() >> 32)
}

/// Simulates one replication: its report, and what its samples say of the window.
///
/// # Errors
/// Every problem of the scenario.
pub fn replicate(scenario: &Scenario) -> Outcome<(Report, Facts)> {
    let (report, samples) = measure(scenario)?;
    let facts = Facts::of(&report, &samples);
    Ok((report, facts))
}

/// Runs every arm with the same seeds and compares the others with the first; a scenario without
/// arms is the only one.
///
/// # Errors
/// The problems of the first scenario that has some, with the arm's letter in their path; and one
/// when there are no or too many replications.
pub fn compare(shared: &Shared, reps: u32) -> Outcome<Comparison> {
    check_reps(reps)?;
    let arms = shared.all_arms();
    let jobs: Vec<Scenario> =
        arms.iter().flat_map(|arm| (0..reps).map(|i| replication(&arm.scenario, i))).collect();
    let mut rows: Vec<Vec<(Report, Facts)>> = vec![Vec::new(); arms.len()];
    let mut problems = Vec::new();
    in_order(&jobs, replicate, |i, outcome| {
        let arm = i / reps as usize;
        match outcome {
            Ok(row) => rows[arm].push(row),
            Err(said) => {
                let path = |p: &Problem| format!("arm {}: {}", LETTERS[arm], p.path);
                problems = said.into_iter().map(|p| Problem::new(path(&p), p.sentence)).collect();
            }
        }
        problems.is_empty()
    });
    if problems.is_empty() { Ok(join(shared, rows)) } else { Err(problems) }
}

/// Refuses too many and too few replications.
///
/// # Errors
/// When they are.
pub fn check_reps(reps: u32) -> Outcome<()> {
    if (1..=REPS_MAX).contains(&reps) {
        return Ok(());
    }
    let sentence = format!("there can be 1 to {REPS_MAX} replications, not {reps}");
    Err(vec![Problem::new("--reps", sentence)])
}

/// Compares what has been simulated: a row an arm, a replication a seed, as many of each arm.
#[must_use]
pub fn join(shared: &Shared, rows: Vec<Vec<(Report, Facts)>>) -> Comparison {
    let arms = shared.all_arms();
    let reps = rows.iter().map(Vec::len).min().unwrap_or(0);
    let seed = shared.scenario.get(ControlId::Seed).unsigned_abs();
    let about = About {
        ledger: ledger_hash(),
        link: link::encode_science(shared),
        title: shared.scenario.title(),
        seeds: (0..).map(|i| replication_seed(seed, i)).take(reps).collect(),
    };
    let runs: Vec<Runs> = arms
        .into_iter()
        .zip(rows)
        .map(|(arm, mut replications)| {
            replications.truncate(reps);
            let (sets, link) = (arm.words(&shared.scenario), link::encode(&arm.scenario));
            Runs { label: arm.name, sets, link, replications }
        })
        .collect();
    compare::compare(about, &runs, set_digest)
}

/// Digest over (arm, replication, digest) in index order.
fn set_digest(arm: usize, digests: &[String]) -> String {
    let mut digest = Digest::default();
    for (replication, one) in digests.iter().enumerate() {
        digest.word(arm as u64);
        digest.word(replication as u64);
        digest.word(u64::from_str_radix(one, 16).unwrap_or(0));
    }
    format!("{:016x}", digest.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::compare::Verdict;
    use scenario::Arm;

    fn tiny(settings: &[(&str, &str)]) -> Scenario {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        for (key, value) in settings {
            scenario.set_text(key, value).expect("a valid setting");
        }
        scenario
    }

    fn arms(scenarios: &[Scenario]) -> Shared {
        Shared::compared(scenarios.iter().cloned().map(Arm::new).collect()).expect("arms")
    }

    #[test]
    fn equal_arms_do_not_differ_and_the_first_replication_is_the_run() {
        let short = tiny(&[("duration", "100ms"), ("readers", "3")]);
        let comparison = compare(&arms(&[short.clone(), short.clone()]), 3).expect("valid arms");
        assert!(comparison.paired.iter().all(|p| p.difference == 0.0));
        assert!(comparison.paired.iter().all(|p| p.verdict == Verdict::None));
        assert_eq!(comparison.seeds[0], 1);
        assert_ne!(comparison.seeds[1], comparison.seeds[2]);
        let one = compare(&Shared::new(short.clone()), 1).expect("one arm");
        let run = crate::run(&short).expect("valid");
        assert_eq!(one.arms[0].throughput, run.throughput);
        assert_eq!(one.arms[0].values["latency_p99_us"], [run.latency_us.p99]);
    }

    #[test]
    fn a_slower_drive_is_detected() {
        let arm = |mb: &str| tiny(&[("duration", "200ms"), ("drive_bandwidth", mb)]);
        let comparison = compare(&arms(&[arm("100"), arm("50")]), 4).expect("valid arms");
        let row = comparison.paired("throughput", "B").expect("a row");
        assert_eq!(row.verdict, Verdict::Lower);
        assert!(row.per_cent.is_some_and(|p| (-60.0..-40.0).contains(&p)), "{row:?}");
        assert_eq!(comparison.arms[1].sets, "drive_bandwidth=50");
    }

    #[test]
    fn replications_are_bounded_and_problems_name_the_arm() {
        assert!(compare(&Shared::new(tiny(&[])), 0).is_err());
        assert!(compare(&Shared::new(tiny(&[])), REPS_MAX + 1).is_err());
        let said = compare(&arms(&[tiny(&[]), tiny(&[("cpus", "0")])]), 1).expect_err("no CPU");
        assert_eq!(said[0].path, "arm B: cpus");
    }

    #[test]
    fn a_window_that_is_too_short_is_told() {
        let short = tiny(&[("duration", "2ms")]);
        let comparison = compare(&Shared::new(short), 2).expect("valid");
        let enough = compare(&Shared::new(tiny(&[])), 2).expect("valid");
        assert!(
            comparison.warnings.iter().any(|w| w.starts_with("window too short: arm A")),
            "{:?}",
            comparison.warnings
        );
        assert_eq!(enough.warnings, Vec::<String>::new());
    }
}
