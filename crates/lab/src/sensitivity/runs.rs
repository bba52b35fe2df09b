//! The runs of a study: as few as tell the same, each by itself, so that one that fails is a line
//! of the result and not its end; and known ones are not done again.
//!
//! Most constants do nothing in most arms (those of swap where nothing is swapped). A group of them
//! at their low ends, and once more at their high ends, that leaves the digest of an arm as it is
//! has no effect there, and none of it is run one by one.

use super::{Change, SEEDS, Study, morris};
use crate::compare::replication;
use crate::sweep::{Outcome, in_order, run_with};
use catalog::{Constant, ConstantId, ControlId, LEDGER};
use report::Report;
use scenario::{Problem, Scenario, link};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Constants that are tried together at first; they stand side by side in the ledger, which is by
/// topic.
const GROUP: usize = 10;

/// Rows, and what is left open by runs that failed.
type Ends = (Vec<Vec<Arc<Report>>>, BTreeSet<(usize, usize)>);

/// What became of a run: its report, or why there is none.
pub type Ended = Result<Arc<Report>, String>;

/// Runs that have ended, by what was run: a link and the constants that were moved.
pub type Known = BTreeMap<String, Ended>;

/// What is told on the way.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Runs that have ended or were known.
    pub done: usize,
    /// Runs that are known to be needed so far: what bears on nothing is found out on the way.
    pub total: usize,
    /// The run that has just ended, and what was run; nothing when runs were known.
    pub fresh: Option<(&'a str, &'a Ended)>,
}

/// The rows of a study: every arm under one ledger and seed.
pub(super) struct Lines<'a> {
    study: &'a Study,
    constants: &'a [&'static Constant],
    told: &'a mut dyn FnMut(&Heard<'_>),
    known: Known,
    /// What this study runs: a run that is asked for twice is one.
    pub(super) used: BTreeSet<String>,
    done: usize,
    /// Which constants bear on which arm.
    pub(super) alive: Vec<Vec<bool>>,
    /// Seeds with the ledger as it is, then both ends of each constant.
    pub(super) rows: Vec<Vec<Arc<Report>>>,
    /// What failed, in words.
    pub(super) failed: Vec<String>,
}

/// One run.
struct Job {
    arm: usize,
    scenario: Scenario,
    changes: Vec<Change>,
    /// What is tried, in words.
    what: String,
}

impl Job {
    /// What is run: the same key, the same run.
    fn key(&self) -> String {
        let mut key = link::encode(&self.scenario);
        for &(id, value) in &self.changes {
            if value != self.scenario.constant(id) {
                key.push_str(&format!(" {}={value}", LEDGER[id as usize].name));
            }
        }
        key
    }
}

impl<'a> Lines<'a> {
    /// The arms as they are, with some seeds.
    pub(super) fn of(
        study: &'a Study,
        constants: &'a [&'static Constant],
        known: Known,
        told: &'a mut dyn FnMut(&Heard<'_>),
    ) -> Result<Self, Vec<Problem>> {
        let (arms, seeds) = (study.arms.len(), SEEDS as usize);
        let mut lines = Self {
            study,
            constants,
            told,
            known,
            used: BTreeSet::new(),
            done: 0,
            alive: vec![vec![false; constants.len()]; arms],
            rows: Vec::new(),
            failed: Vec::new(),
        };
        lines.is_of_this_build()?;
        let seed = |i: u32| {
            let job = move |arm: usize| Job {
                arm,
                scenario: replication(&study.arms[arm].scenario, i),
                changes: Vec::new(),
                what: format!("seed {i}"),
            };
            (0..arms).map(job)
        };
        let jobs: Vec<Job> = (0..SEEDS).flat_map(seed).collect();
        let mut all = lines.run(&jobs)?.into_iter();
        for i in 0..seeds {
            let row: Result<Vec<Arc<Report>>, String> = all.by_ref().take(arms).collect();
            // Without the arms as they are there is nothing to compare with.
            let row = row.map_err(|why| vec![Problem::new(format!("seed {i}"), why)])?;
            lines.rows.push(row);
        }
        Ok(lines)
    }

    /// Refuses known runs that this build would not say again: every arm is run once more.
    fn is_of_this_build(&self) -> Result<(), Vec<Problem>> {
        let mut known = Vec::new();
        for arm in &self.study.arms {
            let scenario = replication(&arm.scenario, 0);
            if let Some(Ok(before)) = self.known.get(&link::encode(&scenario)) {
                known.push((&arm.name, scenario, before));
            }
        }
        let mut problems = Vec::new();
        in_order(
            &known,
            |(_, scenario, _)| run_with(scenario, scenario.ledger()),
            |i, now| {
                let (name, _, before) = &known[i];
                match now {
                    Ok(now) if now.digest == before.digest => {}
                    Ok(now) => problems.push(Problem::new(
                        "known runs",
                        format!(
                            "these runs are of another build of the model: run `{name}` has digest \
                             {} there and {} here",
                            before.digest, now.digest
                        ),
                    )),
                    Err(said) => problems = said,
                }
                problems.is_empty()
            },
        );
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Adds the rows of both ends of every constant.
    pub(super) fn ends(&mut self) -> Result<(), Vec<Problem>> {
        self.find_alive()?;
        let all: Vec<usize> = (0..self.study.arms.len()).collect();
        let (rows, _) = self.both_ends(&all)?;
        self.rows.extend(rows);
        Ok(())
    }

    /// Some arms with every constant that bears on them at both ends, one at a time; the others as
    /// they are. And which constants had a run that failed, by arm and number.
    fn both_ends(&mut self, arms: &[usize]) -> Result<Ends, Vec<Problem>> {
        let (mut places, mut jobs) = (Vec::new(), Vec::new());
        for (c, constant) in self.constants.iter().enumerate() {
            for (end, value) in [constant.low, constant.high].into_iter().enumerate() {
                for &arm in arms.iter().filter(|&&arm| self.alive[arm][c]) {
                    places.push((2 * c + end, arm));
                    let what = format!("{} = {value}", constant.name);
                    jobs.push(self.job(arm, vec![(constant.id, value)], what));
                }
            }
        }
        let mut rows = vec![self.rows[0].clone(); 2 * self.constants.len()];
        let mut open = BTreeSet::new();
        for ((row, arm), ended) in places.into_iter().zip(self.run(&jobs)?) {
            match ended {
                Ok(report) => rows[row][arm] = report,
                Err(_) => drop(open.insert((arm, row / 2))),
            }
        }
        Ok((rows, open))
    }

    fn job(&self, arm: usize, changes: Vec<Change>, what: String) -> Job {
        Job { arm, scenario: self.study.arms[arm].scenario.clone(), changes, what }
    }

    /// The rows of both ends with a second seed, where `needed` names arms: those that the constant
    /// does not bear on, and all others, stand as they are with that seed.
    pub(super) fn second(
        &mut self,
        needed: &[Vec<usize>],
    ) -> Result<Vec<Vec<Arc<Report>>>, Vec<Problem>> {
        let (mut places, mut jobs) = (Vec::new(), Vec::new());
        for (row, arms) in needed.iter().enumerate() {
            let constant = self.constants[row / 2];
            let value = [constant.low, constant.high][row % 2];
            for &arm in arms.iter().filter(|&&arm| self.alive[arm][row / 2]) {
                places.push((row, arm));
                let what = format!("{} = {value}, second seed", constant.name);
                let scenario = replication(&self.study.arms[arm].scenario, 1);
                jobs.push(Job { arm, scenario, changes: vec![(constant.id, value)], what });
            }
        }
        let mut rows = vec![self.rows[1].clone(); needed.len()];
        for ((row, arm), ended) in places.into_iter().zip(self.run(&jobs)?) {
            if let Ok(report) = ended {
                rows[row][arm] = report;
            }
        }
        Ok(rows)
    }

    /// Finds which constants bear on which arm, group by group. What does nothing in an arm most
    /// likely does nothing in the next one of the same machine and load: that is one group.
    fn find_alive(&mut self) -> Result<(), Vec<Problem>> {
        let arms = self.study.arms.len();
        let load = |arm: usize| {
            let scenario = &self.study.arms[arm].scenario;
            (scenario.preset.name, scenario.get(ControlId::Workload))
        };
        let like: Vec<Option<usize>> =
            (0..arms).map(|arm| (0..arm).find(|&other| load(other) == load(arm))).collect();
        let all: Vec<usize> = (0..self.constants.len()).collect();
        let groups = |of: &[usize], arm: usize| -> Vec<(usize, Vec<usize>)> {
            of.chunks(GROUP).map(|group| (arm, group.to_vec())).collect()
        };
        let first: Vec<usize> = (0..arms).filter(|&arm| like[arm].is_none()).collect();
        self.try_groups(first.iter().flat_map(|&arm| groups(&all, arm)).collect())?;
        // Of a group that does something, most do nothing: their own runs say which, and a run that
        // failed leaves it open.
        let before = self.failed.len();
        let (ends, open) = self.both_ends(&first)?;
        self.failed.truncate(before);
        for &arm in &first {
            for &c in &all {
                let differs = |row: &Vec<Arc<Report>>| row[arm].digest != self.rows[0][arm].digest;
                let is_other = ends[2 * c..2 * c + 2].iter().any(differs);
                self.alive[arm][c] = is_other || open.contains(&(arm, c));
            }
        }
        let mut whole = Vec::new();
        for (arm, other) in like.iter().enumerate() {
            let Some(other) = *other else { continue };
            let (alive, idle): (Vec<usize>, Vec<usize>) =
                all.iter().partition(|&&c| self.alive[other][c]);
            for c in alive {
                self.alive[arm][c] = true;
            }
            if !idle.is_empty() {
                whole.push((arm, idle));
            }
        }
        // What is not idle together is looked into in groups.
        let awake = self.try_groups(whole)?;
        for (arm, group) in &awake {
            for &c in group {
                self.alive[*arm][c] = false;
            }
        }
        self.try_groups(awake.iter().flat_map(|(arm, group)| groups(group, *arm)).collect())?;
        Ok(())
    }

    /// Tries groups of constants; returns those that change an arm, and marks them alive.
    fn try_groups(
        &mut self,
        groups: Vec<(usize, Vec<usize>)>,
    ) -> Result<Vec<(usize, Vec<usize>)>, Vec<Problem>> {
        let mut jobs = Vec::new();
        for (arm, group) in &groups {
            for is_high in [false, true] {
                let constants = group.iter().map(|&c| self.constants[c]);
                let changes: Vec<Change> =
                    constants.map(|c| (c.id, if is_high { c.high } else { c.low })).collect();
                let first = self.constants[group[0]].name;
                jobs.push(self.job(*arm, changes, format!("{first} and {} more", group.len() - 1)));
            }
        }
        let before = self.failed.len();
        let ended = self.run(&jobs)?;
        // A group that fails is looked into one by one; that says which constant it was.
        self.failed.truncate(before);
        let mut awake = Vec::new();
        for ((arm, group), ends) in groups.into_iter().zip(ended.chunks(2)) {
            let digest = &self.rows[0][arm].digest;
            if !ends.iter().all(|end| end.as_ref().is_ok_and(|report| report.digest == *digest)) {
                for &c in &group {
                    self.alive[arm][c] = true;
                }
                awake.push((arm, group));
            }
        }
        Ok(awake)
    }

    /// The rows of the points of paths; arms that are not screened stand as they are. A point that
    /// only moves what does nothing in an arm is that before it.
    pub(super) fn screened(
        &mut self,
        paths: &[morris::Path],
    ) -> Result<Vec<Vec<Arc<Report>>>, Vec<Problem>> {
        let is_screened = |arm: usize| self.study.screened.contains(&self.study.arms[arm].name);
        let arms: Vec<usize> = (0..self.study.arms.len()).filter(|&arm| is_screened(arm)).collect();
        let mut jobs = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            for (step, point) in path.points.iter().enumerate() {
                for &arm in &arms {
                    // What does nothing in the arm is no part of what is run: such points are one.
                    let bears = |id: ConstantId| {
                        let at = self.constants.iter().position(|c| c.id == id);
                        at.is_some_and(|at| self.alive[arm][at])
                    };
                    let changes = point.iter().copied().filter(|(id, _)| bears(*id)).collect();
                    jobs.push(self.job(arm, changes, format!("path {number}, step {step}")));
                }
            }
        }
        let mut ended = self.run(&jobs)?.into_iter();
        let mut rows = Vec::new();
        for path in paths {
            let mut row = self.rows[0].clone();
            for _ in &path.points {
                for &arm in &arms {
                    if let Some(Ok(report)) = ended.next() {
                        row[arm] = report;
                    }
                }
                rows.push(row.clone());
            }
        }
        Ok(rows)
    }

    /// Does those of some jobs that are not known, on all cores. One that fails is noted.
    fn run(&mut self, jobs: &[Job]) -> Result<Vec<Ended>, Vec<Problem>> {
        let keys: Vec<String> = jobs.iter().map(Job::key).collect();
        let mut fresh: Vec<(&str, &Job)> = Vec::new();
        for (key, job) in keys.iter().zip(jobs) {
            let is_new = self.used.insert(key.clone());
            match self.known.contains_key(key) {
                true => self.done += usize::from(is_new),
                false if is_new => fresh.push((key, job)),
                false => {}
            }
        }
        let mut problems = Vec::new();
        let Self { study, told, known, used, done, failed, rows, .. } = self;
        let total = used.len();
        told(&Heard { done: *done, total, fresh: None });
        in_order(
            &fresh,
            |(_, job)| attempt(job),
            |i, ended| {
                *done += 1;
                match ended {
                    Ok(ended) => {
                        let key = fresh[i].0;
                        told(&Heard { done: *done, total, fresh: Some((key, &ended)) });
                        known.insert(key.to_owned(), ended);
                    }
                    Err(said) => problems = said,
                }
                problems.is_empty()
            },
        );
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut all = Vec::with_capacity(jobs.len());
        for (key, job) in keys.iter().zip(jobs) {
            let as_it_is = rows.first().map(|row| &row[job.arm].stopped);
            let ended = known.get(key).cloned();
            let ended = ended.unwrap_or_else(|| Err("it was not run".into()));
            let ended = ended.and_then(|report| match as_it_is {
                Some(stopped) if *stopped != report.stopped => {
                    Err(format!("it ended otherwise: {}", report.stopped))
                }
                _ => Ok(report),
            });
            if let Err(why) = &ended {
                let (what, arm) = (&job.what, &study.arms[job.arm].name);
                failed.push(format!("{what}, run `{arm}`: {why}"));
            }
            all.push(ended);
        }
        Ok(all)
    }
}

/// A run by itself.
fn attempt(job: &Job) -> Result<Ended, Vec<Problem>> {
    let as_it_is = job.scenario.ledger();
    let ledger = job.changes.iter().fold(as_it_is, |all, &(id, value)| all.with(id, value));
    guarded(|| run_with(&job.scenario, ledger))
}

/// What stops the model is an answer.
fn guarded(run: impl FnOnce() -> Outcome<Report>) -> Result<Ended, Vec<Problem>> {
    catch_unwind(AssertUnwindSafe(run)).map_or_else(
        |panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Ok(Err(format!("the model failed: {}", text.unwrap_or("no reason was given"))))
        },
        |outcome| outcome.map(|report| Ok(Arc::new(report))),
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
        let mut heard = 0;
        let mut told = |so_far: &Heard<'_>| heard = so_far.done;
        let mut lines =
            Lines::of(&study, &constants, Known::new(), &mut told).expect("the arm runs");
        // As if the arm as it is ended in another way than all others do.
        Arc::make_mut(&mut lines.rows[0][0]).stopped = "somehow".into();
        Arc::make_mut(&mut lines.rows[0][0]).digest = String::new();
        lines.ends().expect("no problem");
        assert_eq!(lines.failed.len(), 6, "{:?}", lines.failed);
        assert!(lines.failed[0].contains("run `run`: it ended otherwise: window"));
        assert_eq!(lines.rows.len(), SEEDS as usize + 6);
        assert_eq!(
            lines.rows[SEEDS as usize][0], lines.rows[0][0],
            "what is as it is stands in its place"
        );
        let (done, used) = (lines.done, lines.used.len());
        assert_eq!((heard, used), (done, done));
    }
}
