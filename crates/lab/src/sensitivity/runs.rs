//! The runs of a study: as few as tell the same, each by itself, so that one that fails is a line
//! of the result and not its end.
//!
//! Most constants do nothing in most arms (those of swap where nothing is swapped). A group of them
//! at their low ends, and once more at their high ends, that leaves the digest of an arm as it is
//! has no effect there, and none of it is run one by one.

use super::{SEEDS, Study, morris};
use crate::compare::replication;
use crate::sweep::{Outcome, in_order, run_with};
use catalog::{Constant, Ledger};
use report::Report;
use scenario::{Problem, Scenario};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Constants that are tried together at first; they stand side by side in the ledger, which is by
/// topic.
const GROUP: usize = 10;

/// The rows of a study: every arm under one ledger and seed.
pub(super) struct Lines<'a> {
    study: &'a Study,
    constants: &'a [&'static Constant],
    told: &'a mut dyn FnMut(usize, usize),
    done: usize,
    total: usize,
    /// Which constants bear on which arm.
    alive: Vec<Vec<bool>>,
    /// Seeds with the ledger as it is, then both ends of each constant.
    pub(super) rows: Vec<Vec<Arc<Report>>>,
    /// What failed, in words.
    pub(super) failed: Vec<String>,
}

/// One run.
struct Job {
    arm: usize,
    scenario: Scenario,
    ledger: Ledger,
    /// What is tried, in words.
    what: String,
}

/// What became of it.
type Ended = Result<Report, String>;

impl<'a> Lines<'a> {
    /// The arms as they are, with some seeds.
    pub(super) fn of(
        study: &'a Study,
        constants: &'a [&'static Constant],
        told: &'a mut dyn FnMut(usize, usize),
    ) -> Result<Self, Vec<Problem>> {
        let (arms, seeds) = (study.arms.len(), SEEDS as usize);
        let mut lines = Self {
            study,
            constants,
            told,
            done: 0,
            // About: how much can be left out shows on the way.
            total: arms * (seeds + 2 * constants.len().div_ceil(GROUP)),
            alive: vec![vec![false; constants.len()]; arms],
            rows: Vec::new(),
            failed: Vec::new(),
        };
        let seed = |i: u32| {
            let job = move |arm: usize| Job {
                arm,
                scenario: replication(&study.arms[arm].scenario, i),
                ledger: Ledger::default(),
                what: format!("seed {i}"),
            };
            (0..arms).map(job)
        };
        let ended = lines.run((0..SEEDS).flat_map(seed).collect())?;
        let mut all = ended.into_iter();
        for i in 0..seeds {
            let row: Result<Vec<Arc<Report>>, String> =
                all.by_ref().take(arms).map(|ended| ended.map(Arc::new)).collect();
            // Without the arms as they are there is nothing to compare with.
            let row = row.map_err(|why| vec![Problem::new(format!("seed {i}"), why)])?;
            lines.rows.push(row);
        }
        Ok(lines)
    }

    /// Adds the rows of both ends of every constant.
    pub(super) fn ends(&mut self) -> Result<(), Vec<Problem>> {
        self.find_alive()?;
        let mut jobs = Vec::new();
        for (c, constant) in self.constants.iter().enumerate() {
            for value in [constant.low, constant.high] {
                let ledger = Ledger::default().with(constant.id, value);
                let what = format!("{} = {value}", constant.name);
                let arms = (0..self.study.arms.len()).filter(|&arm| self.alive[arm][c]);
                jobs.extend(arms.map(|arm| {
                    (
                        2 * c + usize::from(value == constant.high),
                        Job {
                            arm,
                            scenario: self.study.arms[arm].scenario.clone(),
                            ledger: ledger.clone(),
                            what: what.clone(),
                        },
                    )
                }));
            }
        }
        self.total += jobs.len();
        let base = self.rows[0].clone();
        let mut rows = vec![base; 2 * self.constants.len()];
        let (places, jobs): (Vec<(usize, usize)>, Vec<Job>) =
            jobs.into_iter().map(|(row, job)| ((row, job.arm), job)).unzip();
        for ((row, arm), ended) in places.into_iter().zip(self.run(jobs)?) {
            if let Ok(report) = ended {
                rows[row][arm] = Arc::new(report);
            }
        }
        self.rows.extend(rows);
        Ok(())
    }

    /// Finds which constants bear on which arm, group by group.
    fn find_alive(&mut self) -> Result<(), Vec<Problem>> {
        let (mut jobs, mut groups) = (Vec::new(), Vec::new());
        for (number, group) in self.constants.chunks(GROUP).enumerate() {
            for is_high in [false, true] {
                let end = |c: &&Constant| (c.id, if is_high { c.high } else { c.low });
                let ends = group.iter().map(end);
                let ledger = ends.fold(Ledger::default(), |all, (id, value)| all.with(id, value));
                for arm in 0..self.study.arms.len() {
                    groups.push((arm, number));
                    jobs.push(Job {
                        arm,
                        scenario: self.study.arms[arm].scenario.clone(),
                        ledger: ledger.clone(),
                        what: format!("{} and {} more", group[0].name, group.len() - 1),
                    });
                }
            }
        }
        let before = self.failed.len();
        let ended = self.run(jobs)?;
        // A group that fails is looked into one by one; that says which constant it was.
        self.failed.truncate(before);
        for ((arm, group), ended) in groups.into_iter().zip(ended) {
            let is_same = ended.is_ok_and(|report| report.digest == self.rows[0][arm].digest);
            if !is_same {
                let first = group * GROUP;
                let end = (first + GROUP).min(self.constants.len());
                self.alive[arm][first..end].fill(true);
            }
        }
        Ok(())
    }

    /// The rows of the points of paths; arms that are not screened stand as they are. A point that
    /// only moves what does nothing in an arm is that before it.
    pub(super) fn screened(
        &mut self,
        paths: &[morris::Path],
    ) -> Result<Vec<Vec<Arc<Report>>>, Vec<Problem>> {
        let is_screened = |arm: usize| self.study.screened.contains(&self.study.arms[arm].name);
        let arms: Vec<usize> = (0..self.study.arms.len()).filter(|&arm| is_screened(arm)).collect();
        let (mut jobs, mut runs) = (Vec::new(), Vec::new());
        for (number, path) in paths.iter().enumerate() {
            for (step, ledger) in path.points.iter().enumerate() {
                let moved = step.checked_sub(1).map(|before| path.order[before]);
                for &arm in &arms {
                    let runs_it = moved.is_none_or(|constant| self.alive[arm][constant]);
                    runs.push(runs_it);
                    if runs_it {
                        jobs.push(Job {
                            arm,
                            scenario: self.study.arms[arm].scenario.clone(),
                            ledger: ledger.clone(),
                            what: format!("path {number}, step {step}"),
                        });
                    }
                }
            }
        }
        self.total += jobs.len();
        let mut ended = self.run(jobs)?.into_iter();
        let mut runs = runs.into_iter();
        let mut rows = Vec::new();
        for path in paths {
            let mut row = self.rows[0].clone();
            for _ in &path.points {
                for &arm in &arms {
                    if runs.next() == Some(true)
                        && let Some(Ok(report)) = ended.next()
                    {
                        row[arm] = Arc::new(report);
                    }
                }
                rows.push(row.clone());
            }
        }
        Ok(rows)
    }

    /// Does jobs on all cores. A job that fails is noted.
    fn run(&mut self, jobs: Vec<Job>) -> Result<Vec<Ended>, Vec<Problem>> {
        let mut all = Vec::with_capacity(jobs.len());
        let mut problems = Vec::new();
        let Self { study, told, done, total, failed, rows, .. } = self;
        in_order(&jobs, attempt, |i, ended| {
            *done += 1;
            told(*done, *total);
            match ended {
                Ok(ended) => {
                    let as_it_is = rows.first().map(|row| &row[jobs[i].arm].stopped);
                    let ended = ended.and_then(|report| match as_it_is {
                        Some(stopped) if *stopped != report.stopped => {
                            Err(format!("it ended otherwise: {}", report.stopped))
                        }
                        _ => Ok(report),
                    });
                    if let Err(why) = &ended {
                        let (what, arm) = (&jobs[i].what, &study.arms[jobs[i].arm].name);
                        failed.push(format!("{what}, run `{arm}`: {why}"));
                    }
                    all.push(ended);
                }
                Err(said) => problems = said,
            }
            problems.is_empty()
        });
        if problems.is_empty() { Ok(all) } else { Err(problems) }
    }
}

/// A run by itself.
fn attempt(job: &Job) -> Result<Ended, Vec<Problem>> {
    guarded(|| run_with(&job.scenario, job.ledger.clone()))
}

/// What stops the model is an answer.
fn guarded(run: impl FnOnce() -> Outcome<Report>) -> Result<Ended, Vec<Problem>> {
    catch_unwind(AssertUnwindSafe(run)).map_or_else(
        |panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Ok(Err(format!("the model failed: {}", text.unwrap_or("no reason was given"))))
        },
        |outcome| outcome.map(Ok),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_run_is_a_line_and_not_the_end() {
        let failed = guarded(|| panic!("{} pages too few", 3)).expect("no problem of a scenario");
        assert_eq!(failed.expect_err("it failed"), "the model failed: 3 pages too few");
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        scenario.set_text("duration", "20ms").expect("a value");
        let study = Study::of(scenario.clone(), &["throughput".to_owned()], 0);
        let constants: Vec<&Constant> = super::super::varied().take(3).collect();
        let mut heard = (0, 0);
        let mut told = |done: usize, total: usize| heard = (done, total);
        let mut lines = Lines::of(&study, &constants, &mut told).expect("the arm runs");
        // As if the arm as it is ended in another way than all others do.
        Arc::make_mut(&mut lines.rows[0][0]).stopped = "somehow".into();
        Arc::make_mut(&mut lines.rows[0][0]).digest = String::new();
        lines.ends().expect("no problem");
        assert_eq!(lines.failed.len(), 6, "{:?}", lines.failed);
        assert!(lines.failed[0].contains("run `run`: it ended otherwise: window"));
        assert_eq!(lines.rows.len(), SEEDS as usize + 6);
        assert_eq!(lines.rows[5][0], lines.rows[0][0], "what is as it is stands in its place");
        let done = lines.done;
        assert_eq!(heard.0, done);
    }
}
