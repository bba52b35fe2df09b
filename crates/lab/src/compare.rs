//! Arms of one question on common random numbers.

use crate::sweep::sweep;
use catalog::ControlId;
use engine::{Digest, Stream};
use report::Report;
use report::compare::{self, Comparison};
use scenario::{Problem, Scenario};

/// Most arms of a comparison.
pub const ARMS_MAX: usize = 5;
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

/// Runs every arm with the same seeds and compares the others with the first.
///
/// # Errors
/// The problems of the first scenario that has some, with the arm's name in their path; and one
/// when there are no arms, too many, or too many replications.
pub fn compare(arms: &[(String, Scenario)], reps: u32) -> Result<Comparison, Vec<Problem>> {
    if !(1..=ARMS_MAX).contains(&arms.len()) {
        let sentence = format!("a comparison has 1 to {ARMS_MAX} arms, not {}", arms.len());
        return Err(vec![Problem::new("arm", sentence)]);
    }
    if !(1..=REPS_MAX).contains(&reps) {
        let sentence = format!("there can be 1 to {REPS_MAX} replications, not {reps}");
        return Err(vec![Problem::new("reps", sentence)]);
    }
    let seed = arms[0].1.get(ControlId::Seed).unsigned_abs();
    let seeds: Vec<u64> = (0..reps).map(|i| replication_seed(seed, i)).collect();
    let mut scenarios = Vec::new();
    for (_, scenario) in arms {
        for seed in &seeds {
            let mut one = scenario.clone();
            let value = i64::try_from(*seed).expect("seeds are below 2^53");
            one.set(ControlId::Seed, value).map_err(|p| vec![p])?;
            scenarios.push(one);
        }
    }
    let mut results = sweep(&scenarios).into_iter();
    let mut rows: Vec<Vec<Report>> = Vec::new();
    for (name, _) in arms {
        let row: Result<Vec<Report>, Vec<Problem>> = results.by_ref().take(seeds.len()).collect();
        let named = |p: Problem| Problem::new(format!("arm {name}: {}", p.path), p.sentence);
        rows.push(row.map_err(|problems| problems.into_iter().map(named).collect::<Vec<_>>())?);
    }
    let names: Vec<String> = arms.iter().map(|(name, _)| name.clone()).collect();
    let mut comparison = compare::compare(&names, &rows, &seeds, set_digest);
    for (arm, (_, scenario)) in comparison.arms.iter_mut().zip(arms) {
        arm.link = scenario::link::encode(scenario);
    }
    Ok(comparison)
}

/// Digest over (arm, replication, digest) in index order.
fn set_digest(arm: usize, reports: &[Report]) -> String {
    let mut digest = Digest::default();
    for (replication, report) in reports.iter().enumerate() {
        digest.word(arm as u64);
        digest.word(replication as u64);
        digest.word(u64::from_str_radix(&report.digest, 16).unwrap_or(0));
    }
    format!("{:016x}", digest.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::compare::Verdict;

    fn tiny(settings: &[(&str, &str)]) -> Scenario {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        for (key, value) in settings {
            scenario.set_text(key, value).expect("a valid setting");
        }
        scenario
    }

    #[test]
    fn equal_arms_do_not_differ_and_the_first_replication_is_the_run() {
        let short = tiny(&[("duration", "100ms"), ("readers", "3")]);
        let arms = [("A".to_owned(), short.clone()), ("B".to_owned(), short.clone())];
        let comparison = compare(&arms, 3).expect("valid arms");
        assert!(comparison.paired.iter().all(|p| p.difference == 0.0));
        assert!(comparison.paired.iter().all(|p| p.verdict == Verdict::None));
        assert_eq!(comparison.seeds[0], 1);
        assert_ne!(comparison.seeds[1], comparison.seeds[2]);
        let one = compare(&arms[..1], 1).expect("one arm");
        let run = crate::run(&short).expect("valid");
        assert_eq!(one.arms[0].throughput, run.throughput);
    }

    #[test]
    fn a_slower_drive_is_detected() {
        let arm = |mb: &str| tiny(&[("duration", "200ms"), ("drive_bandwidth", mb)]);
        let arms = [("A".to_owned(), arm("100")), ("B".to_owned(), arm("50"))];
        let comparison = compare(&arms, 4).expect("valid arms");
        let row = comparison.paired.iter().find(|p| p.figure == "throughput").expect("a row");
        assert_eq!(row.verdict, Verdict::Lower);
        assert!(row.per_cent.is_some_and(|p| (-60.0..-40.0).contains(&p)), "{row:?}");
    }

    #[test]
    fn arms_and_replications_are_bounded() {
        assert!(compare(&[], 1).is_err());
        let arms: Vec<_> = (0..6).map(|i| (i.to_string(), tiny(&[]))).collect();
        assert!(compare(&arms, 1).is_err());
        assert!(compare(&arms[..1], 0).is_err());
    }
}
