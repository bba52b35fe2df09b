//! Whole runs, one or many.

use crate::run::{Progress, Run};
use catalog::Ledger;
use report::Report;
use report::series::Table;
use scenario::{Problem, Scenario};

/// Events between two looks at the progress.
const SLICE: u64 = 1 << 20;

/// What became of one scenario.
pub type Outcome<T> = Result<T, Vec<Problem>>;

/// Simulates a scenario to its end.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(scenario: &Scenario) -> Outcome<Report> {
    run_with(scenario, scenario.ledger())
}

/// The same with other constants than those of the ledger.
///
/// # Errors
/// Every problem of the scenario.
pub fn run_with(scenario: &Scenario, ledger: Ledger) -> Outcome<Report> {
    let mut run = Run::prepare_with(scenario, ledger)?;
    while run.advance(SLICE) == Progress::Running {
        run.take_rows();
    }
    Ok(run.report())
}

/// Simulates a scenario to its end and keeps all its samples.
///
/// # Errors
/// Every problem of the scenario.
pub fn measure(scenario: &Scenario) -> Outcome<(Report, Table)> {
    Ok(to_the_end(Run::prepare(scenario)?))
}

/// Goes on with a run to its end and keeps all its samples from here.
pub(crate) fn to_the_end(mut run: Run) -> (Report, Table) {
    let mut table = Table { columns: run.header().columns, ..Table::default() };
    let mut running = true;
    while running {
        running = run.advance(SLICE) == Progress::Running;
        for (time, row) in run.take_rows() {
            table.push(time, &row);
        }
    }
    (run.report(), table)
}

/// Simulates scenarios side by side on all cores; the results stand in the scenarios' order.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn sweep(scenarios: &[Scenario]) -> Vec<Outcome<Report>> {
    use rayon::prelude::*;
    scenarios.par_iter().map(run).collect()
}

/// The same, each with a ledger of its own.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn sweep_with(runs: &[(Scenario, Ledger)]) -> Vec<Outcome<Report>> {
    use rayon::prelude::*;
    runs.par_iter().map(|(scenario, ledger)| run_with(scenario, ledger.clone())).collect()
}

/// Simulates scenarios one after the other.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn sweep(scenarios: &[Scenario]) -> Vec<Outcome<Report>> {
    scenarios.iter().map(run).collect()
}

/// Works side by side on all cores and hands each result over, with its number, as soon as it is
/// there. Ends early when `done` says so.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn as_they_end<T: Sync, R: Send>(
    work: &[T],
    run: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(usize, R) -> bool,
) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    rayon::in_place_scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            let (send, next, run) = (send.clone(), &next, &run);
            scope.spawn(move |_| {
                // One counter for all, so that they begin in their order.
                while let Some((i, one)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    work.get(i).map(|one| (i, one))
                } {
                    if send.send((i, run(one))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (i, result) in &receive {
            if !done(i, result) {
                next.store(work.len(), Ordering::Relaxed);
                return;
            }
        }
    });
}

/// Does jobs (whole simulations) side by side on all cores and hands each result over as soon as
/// those before it have been. Ends early when `done` says so.
#[cfg(not(target_family = "wasm"))]
pub fn in_order<J: Sync, T: Send>(
    jobs: &[J],
    run: impl Fn(&J) -> T + Sync,
    mut done: impl FnMut(usize, T) -> bool,
) {
    let (mut waiting, mut due) = (std::collections::BTreeMap::new(), 0);
    as_they_end(jobs, run, |i, result| {
        waiting.insert(i, result);
        while let Some(result) = waiting.remove(&due) {
            if !done(due, result) {
                return false;
            }
            due += 1;
        }
        true
    });
}

/// Does jobs one after the other and hands each result over. Ends early when `done` says so.
#[cfg(target_family = "wasm")]
pub fn in_order<J: Sync, T: Send>(
    jobs: &[J],
    run: impl Fn(&J) -> T + Sync,
    mut done: impl FnMut(usize, T) -> bool,
) {
    for (i, job) in jobs.iter().enumerate() {
        if !done(i, run(job)) {
            return;
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn results_are_handed_over_in_order_and_no_more_than_wanted() {
        let scenarios = vec![Scenario::preset("tiny").expect("a preset"); 50];
        let mut seen = Vec::new();
        in_order(
            &scenarios,
            |s| s.total_cpus(),
            |i, cpus| {
                seen.push((i, cpus));
                true
            },
        );
        assert_eq!(seen, (0..50).map(|i| (i, 2)).collect::<Vec<_>>());
        let mut count = 0;
        in_order(
            &scenarios,
            |s| s.total_cpus(),
            |_, _| {
                count += 1;
                count < 7
            },
        );
        assert_eq!(count, 7);
    }

    #[test]
    fn a_measured_run_is_the_run_with_its_samples() {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        scenario.set_text("duration", "50ms").expect("a valid setting");
        let (report, table) = measure(&scenario).expect("valid");
        assert_eq!(report, run(&scenario).expect("valid"));
        assert!((500..=601).contains(&table.time_ns.len()), "{}", table.time_ns.len());
        assert_eq!(table.time_ns.last(), Some(&50_000_000));
    }
}
