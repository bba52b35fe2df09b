//! Arms of one question on common random numbers.

use crate::run::Run;
use crate::sweep::{Outcome, in_order, measure, to_the_end};
use catalog::{ControlId, FLAVOURS, Flavour, LEDGER};
use engine::{Digest, Stream};
use report::Report;
use report::compare::{self, About, Comparison, Replica, Runs, Warm};
use report::series::Table;
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

/// Simulates one replication from its beginning.
///
/// # Errors
/// Every problem of the scenario.
pub fn replicate(scenario: &Scenario) -> Outcome<Replica> {
    let (report, samples) = measure(scenario)?;
    Ok(kept((report, samples)))
}

fn kept((report, samples): (Report, Table)) -> Replica {
    Replica::of(&report, &samples)
}

/// Where the replications of one arm begin.
#[derive(Clone, Debug)]
pub struct Beginning {
    scenario: Scenario,
    /// The arm at the beginning of its window, where its replications share that.
    shared: Option<Run>,
}

impl Beginning {
    /// Of an arm. A shared warm-up is simulated here.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn of(scenario: &Scenario, warm: Warm) -> Outcome<Self> {
        let has_warmup = scenario.get(ControlId::Warmup) > 0;
        let run = Run::prepare(scenario)?;
        let shared = (warm == Warm::Shared && has_warmup).then(|| run.warmed_up());
        Ok(Self { scenario: scenario.clone(), shared })
    }

    /// Simulates replication `index`. The first is the run of the scenario, wherever it begins.
    ///
    /// # Errors
    /// None that [`Beginning::of`] has not told.
    pub fn replicate(&self, index: u32) -> Outcome<Replica> {
        let Some(run) = &self.shared else {
            return replicate(&replication(&self.scenario, index));
        };
        let seed = self.scenario.get(ControlId::Seed).unsigned_abs();
        let run = match index {
            0 => run.clone(),
            _ => run.reseeded(replication_seed(seed, index)),
        };
        Ok(kept(to_the_end(run)))
    }
}

/// Runs every arm with the same seeds and compares the others with the first; a scenario without
/// arms is the only one.
///
/// # Errors
/// The problems of the first scenario that has some, with the arm's letter in their path; and one
/// when there are no or too many replications.
pub fn compare(shared: &Shared, reps: u32, warm: Warm) -> Outcome<Comparison> {
    check_reps(reps)?;
    let arms = shared.all_arms();
    let named = |arm: usize, said: Vec<Problem>| -> Vec<Problem> {
        let path = |p: &Problem| format!("arm {}: {}", LETTERS[arm], p.path);
        said.into_iter().map(|p| Problem::new(path(&p), p.sentence)).collect()
    };
    let (mut begins, mut problems) = (Vec::new(), Vec::new());
    in_order(
        &arms,
        |arm| Beginning::of(&arm.scenario, warm),
        |arm, outcome| {
            match outcome {
                Ok(begin) => begins.push(begin),
                Err(said) => problems = named(arm, said),
            }
            problems.is_empty()
        },
    );
    if !problems.is_empty() {
        return Err(problems);
    }
    let jobs: Vec<(usize, u32)> =
        (0..arms.len()).flat_map(|arm| (0..reps).map(move |i| (arm, i))).collect();
    let mut rows: Vec<Vec<Replica>> = vec![Vec::new(); arms.len()];
    in_order(
        &jobs,
        |&(arm, i)| begins[arm].replicate(i),
        |i, outcome| {
            let arm = jobs[i].0;
            match outcome {
                Ok(row) => rows[arm].push(row),
                Err(said) => problems = named(arm, said),
            }
            problems.is_empty()
        },
    );
    if problems.is_empty() { Ok(join(shared, rows, warm)) } else { Err(problems) }
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
pub fn join(shared: &Shared, rows: Vec<Vec<Replica>>, warm: Warm) -> Comparison {
    let arms = shared.all_arms();
    let reps = rows.iter().map(Vec::len).min().unwrap_or(0);
    let seed = shared.scenario.get(ControlId::Seed).unsigned_abs();
    let about = About {
        ledger: ledger_hash(),
        link: link::encode_science(shared),
        title: shared.scenario.title(),
        seeds: (0..).map(|i| replication_seed(seed, i)).take(reps).collect(),
        warm,
        assumed: assumed(arms.iter().map(|arm| &arm.scenario)),
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

/// What is not known of the kernels of some scenarios and assumed, each kernel once.
fn assumed<'a>(scenarios: impl Iterator<Item = &'a Scenario>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for scenario in scenarios {
        let row = usize::try_from(scenario.get(ControlId::Flavour)).ok();
        let text = row.and_then(|row| FLAVOURS.get(row)).and_then(Flavour::assumptions);
        all.extend(text.filter(|text| !all.contains(text)));
    }
    all
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
        let comparison =
            compare(&arms(&[short.clone(), short.clone()]), 3, Warm::Own).expect("valid arms");
        assert!(comparison.paired.iter().all(|p| p.difference == 0.0));
        assert!(comparison.paired.iter().all(|p| p.verdict == Verdict::None));
        assert_eq!(comparison.seeds[0], 1);
        assert_ne!(comparison.seeds[1], comparison.seeds[2]);
        let one = compare(&Shared::new(short.clone()), 1, Warm::Own).expect("one arm");
        let run = crate::run(&short).expect("valid");
        assert_eq!(one.arms[0].throughput, run.throughput);
        assert_eq!(one.arms[0].values["latency_p99_us"], [run.latency_us.p99]);
    }

    #[test]
    fn a_slower_drive_is_detected() {
        let arm = |mb: &str| tiny(&[("duration", "200ms"), ("drive_bandwidth", mb)]);
        let comparison =
            compare(&arms(&[arm("100"), arm("50")]), 4, Warm::Own).expect("valid arms");
        let row = comparison.paired("throughput", "B").expect("a row");
        assert_eq!(row.verdict, Verdict::Lower);
        assert!(row.per_cent.is_some_and(|p| (-60.0..-40.0).contains(&p)), "{row:?}");
        assert_eq!(comparison.arms[1].sets, "drive_bandwidth=50");
    }

    #[test]
    fn a_shared_warm_up_is_simulated_once_and_the_first_replication_is_the_run() {
        let warm = [("warmup", "60ms"), ("duration", "100ms"), ("readers", "3")];
        let shared = compare(&Shared::new(tiny(&warm)), 4, Warm::Shared).expect("valid");
        let values = &shared.arms[0].values["throughput"];
        let run = crate::run(&tiny(&warm)).expect("valid");
        assert_eq!(values[0], run.throughput);
        let begin = Beginning::of(&tiny(&warm), Warm::Shared).expect("valid");
        let digests = [0, 1, 2].map(|i| begin.replicate(i).expect("valid").digest);
        assert_eq!(digests[0], run.digest);
        assert!(digests[0] != digests[1] && digests[1] != digests[2], "draws of their own");
        assert!(shared.warmup.contains("simulated once an arm"), "{}", shared.warmup);
        let own = compare(&Shared::new(tiny(&warm)), 4, Warm::Own).expect("valid");
        assert_eq!(own.arms[0].values["throughput"][0], values[0]);
        assert_ne!(own.arms[0].digest, shared.arms[0].digest);
        let cold = [("duration", "100ms"), ("readers", "3")];
        let both = [Warm::Own, Warm::Shared]
            .map(|warm| compare(&Shared::new(tiny(&cold)), 3, warm).expect("valid"));
        assert_eq!(both[0].arms, both[1].arms, "there is nothing to share without a warm-up");
    }

    #[test]
    fn a_machine_draws_as_if_it_had_had_the_other_seed() {
        use catalog::{ConstantId, Ledger};
        // What the first processes of a build are like is drawn at the start.
        let begins_alike = |name| !["lumpkin2018", "kbuild2026"].contains(&name);
        for preset in scenario::PRESETS.iter().filter(|p| begins_alike(p.name)) {
            let machine = |seed: i64| {
                let mut scenario = Scenario::new(preset);
                scenario.set(ControlId::Seed, seed).expect("a seed");
                // All tasks begin at once, so that the beginning is the same under all seeds.
                let ledger = Ledger::default().with(ConstantId::StartSpread, 1);
                mm::Machine::new(crate::lower_with(&scenario, ledger).expect("valid"))
            };
            let mut other = machine(1);
            assert_ne!(format!("{other:?}"), format!("{:?}", machine(2)));
            other.reseed(2);
            assert_eq!(format!("{other:?}"), format!("{:?}", machine(2)), "{}", preset.name);
        }
    }

    #[test]
    fn replications_are_bounded_and_problems_name_the_arm() {
        assert!(compare(&Shared::new(tiny(&[])), 0, Warm::Own).is_err());
        assert!(compare(&Shared::new(tiny(&[])), REPS_MAX + 1, Warm::Own).is_err());
        let said =
            compare(&arms(&[tiny(&[]), tiny(&[("cpus", "0")])]), 1, Warm::Own).expect_err("no CPU");
        assert_eq!(said[0].path, "arm B: cpus");
    }

    #[test]
    fn a_window_that_is_too_short_is_told() {
        let short = tiny(&[("duration", "2ms")]);
        let comparison = compare(&Shared::new(short), 2, Warm::Own).expect("valid");
        let enough = compare(&Shared::new(tiny(&[])), 2, Warm::Own).expect("valid");
        assert!(
            comparison.warnings.iter().any(|w| w.starts_with("window too short: arm A")),
            "{:?}",
            comparison.warnings
        );
        assert_eq!(enough.warnings, Vec::<String>::new());
    }
}
