//! Several windows that go on from one warm-up, each under other draws: what a build costs hardly
//! depends on where it began, and the warm-up is most of a short run.

use crate::compare::replication_seed;
use crate::run::{Progress, Run};
use crate::sweep::{Outcome, in_order};
use catalog::{ControlId, Ledger};
use report::Report;
use scenario::{Problem, Scenario};

/// A scenario with its constants.
pub(super) type Wanted = (Scenario, Ledger);

/// Events between two looks at the progress.
const SLICE: u64 = 1 << 20;

/// So many windows of each scenario, whose n-th ones have the same draws if their seeds are equal.
///
/// # Errors
/// A scenario that the model refuses.
pub(super) fn windows(runs: &[Wanted], count: u32) -> Result<Vec<Vec<Report>>, Vec<Problem>> {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    in_order(
        runs,
        |wanted| of_one(wanted, count),
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

fn of_one((scenario, ledger): &Wanted, count: u32) -> Outcome<Vec<Report>> {
    let seed = scenario.get(ControlId::Seed).unsigned_abs();
    let warm = Run::prepare_with(scenario, ledger.clone())?.warmed_up();
    let window = |i: u32| {
        let mut run = warm.reseeded(replication_seed(seed, i));
        while run.advance(SLICE) == Progress::Running {
            run.take_rows();
        }
        run.report()
    };
    Ok((0..count).map(window).collect())
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
        let all = windows(&[run.clone(), run], 3).expect("valid");
        assert_eq!(all[0], all[1]);
        assert!(all[0].iter().all(|report| report.window_s > 0.019 && report.throughput > 0.0));
        assert!(all[0][0] != all[0][1] && all[0][1] != all[0][2]);
    }
}
