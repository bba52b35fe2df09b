//! Several windows that go on from one warm-up, each under other draws: what a build costs hardly
//! depends on where it began, and the warm-up is most of a short run.

use crate::compare::{replication, replication_seed};
use crate::run::{Progress, Run};
use crate::sweep::{Outcome, in_order};
use catalog::{ControlId, Ledger};
use report::Report;
use scenario::{Problem, Scenario};

/// A scenario with its constants.
pub(super) type Wanted = (Scenario, Ledger);

/// Events between two looks at the progress.
const SLICE: u64 = 1 << 20;

/// How often something is drawn anew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    /// Warm-ups, each of a seed.
    pub(super) warmups: u32,
    /// Windows behind each.
    pub(super) windows: u32,
}

/// The windows of each scenario, warm-up by warm-up; the n-th ones of two scenarios have the same
/// draws if their seeds are equal.
///
/// # Errors
/// A scenario that the model refuses.
pub(super) fn windows(runs: &[Wanted], draws: Draws) -> Result<Vec<Vec<Report>>, Vec<Problem>> {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    in_order(
        runs,
        |wanted| of_one(wanted, draws),
        |_, outcome| {
            match outcome {
                Ok(reports) => all.push(reports),
                Err(said) => problems = said,
            }
            problems.is_empty()
        },
    );
    if problems.is_empty() { Ok(all) } else { Err(problems) }
}

fn of_one((scenario, ledger): &Wanted, draws: Draws) -> Outcome<Vec<Report>> {
    let mut reports = Vec::new();
    for seed in (0..draws.warmups).map(|i| replication(scenario, i)) {
        let warm = Run::prepare_with(&seed, ledger.clone())?.warmed_up();
        let seed = seed.get(ControlId::Seed).unsigned_abs();
        for i in 0..draws.windows {
            let mut run = warm.reseeded(replication_seed(seed, i));
            while run.advance(SLICE) == Progress::Running {
                run.take_rows();
            }
            reports.push(run.report());
        }
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_begin_at_the_same_place_and_differ() {
        let mut scenario = Scenario::preset("small").expect("a preset");
        for (key, value) in [("warmup", "20ms"), ("duration", "20ms")] {
            scenario.set_text(key, value).expect("a valid setting");
        }
        let run = (scenario, Ledger::default());
        let draws = Draws { warmups: 2, windows: 2 };
        let all = windows(&[run.clone(), run], draws).expect("valid");
        assert_eq!(all[0], all[1]);
        assert!(all[0].iter().all(|report| report.window_s > 0.019 && report.throughput > 0.0));
        assert_eq!(all[0].len(), 4);
        for (i, report) in all[0].iter().enumerate() {
            assert!(all[0][..i].iter().all(|other| other.throughput != report.throughput));
        }
    }
}
