//! Whole runs, one or many.

use crate::run::{Progress, Run};
use report::Report;
use scenario::{Problem, Scenario};

/// Events between two looks at the progress.
const SLICE: u64 = 1 << 20;

/// Simulates a scenario to its end.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(scenario: &Scenario) -> Result<Report, Vec<Problem>> {
    let mut run = Run::prepare(scenario)?;
    while run.advance(SLICE) == Progress::Running {
        run.take_rows();
    }
    Ok(run.report())
}

/// Simulates scenarios side by side on all cores; the results stand in the scenarios' order.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn sweep(scenarios: &[Scenario]) -> Vec<Result<Report, Vec<Problem>>> {
    use rayon::prelude::*;
    scenarios.par_iter().map(run).collect()
}

/// Simulates scenarios one after the other.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn sweep(scenarios: &[Scenario]) -> Vec<Result<Report, Vec<Problem>>> {
    scenarios.iter().map(run).collect()
}
