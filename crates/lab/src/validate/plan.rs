//! Which simulations a table needs, and what comes out of them row by row.

use super::judge::{Asked, Stages, Verdict};
use super::table::{Row, Table};
use super::{Measure, Modelled, Role, What, Window, sets};
use catalog::{ConstantId, ControlId, Ledger};
use report::Report;
use scenario::{Problem, Scenario, link, quoted};
use std::collections::{BTreeMap, BTreeSet};

/// Most seeds a run is repeated with.
pub const REPS_MAX: u32 = 100;

/// Constants with other values than the ledger's.
type Constants = Vec<(ConstantId, u64)>;

/// A row's way to a figure.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// There is none, for this reason.
    Not(String),
    /// A figure of the run with this number.
    Figure {
        /// The number of the run.
        run: usize,
        /// Which figure.
        measure: Measure,
        /// What the row is to the model.
        role: Role,
    },
    /// A figure that needs no run.
    Value {
        /// The figure.
        value: f64,
        /// What the row is to the model.
        role: Role,
    },
}

/// The simulations that some rows of a table need.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub(super) rows: Vec<(&'a Row, Cell)>,
    /// The runs, each once, with their first seed and what is other in their ledger.
    scenarios: Vec<(Scenario, Constants)>,
    /// What each run is called: the first row that needs it.
    names: Vec<String>,
    reps: u32,
    stages: Stages,
}

/// One published row and what the model says of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The row.
    pub row: Row,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a row.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The model has nothing to stand beside it, for this reason.
    NotModelled(String),
    /// The model has a figure.
    Modelled {
        /// What the row is to the model.
        role: Role,
        /// The model's figures, a seed each, in the order of the seeds; never empty.
        values: Vec<f64>,
        /// What is asked of it.
        asked: Asked,
        /// Whether that is met.
        verdict: Verdict,
        /// Why it misses, where that is known, or why it is not judged.
        reason: Option<String>,
        /// The scenario of the first seed; empty where no run was needed.
        link: String,
    },
}

/// Every row of a table beside the model.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The rows, in the order of the table.
    pub lines: Vec<Line>,
    /// Simulations that were run.
    pub simulations: usize,
    /// Seeds of each scenario.
    pub reps: u32,
}

/// A simulation of a plan that has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished<'a> {
    /// How many have.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Which one this was.
    pub name: &'a str,
}

impl<'a> Plan<'a> {
    /// What the rows of these sets need; all sets when none is named.
    ///
    /// # Errors
    /// A set that the table does not have, or a number of repetitions outside 1 to [`REPS_MAX`].
    pub fn new(
        table: &'a Table,
        wanted: &[String],
        reps: u32,
        window: Option<Window>,
    ) -> Result<Self, Problem> {
        if reps == 0 || reps > REPS_MAX {
            let sentence = format!("{reps} is outside 1 to {REPS_MAX}");
            return Err(Problem::new("repetitions", sentence));
        }
        let known: BTreeSet<&str> = table.rows.iter().map(|row| row.id.as_str()).collect();
        if let Some(set) = wanted.iter().find(|set| !known.contains(set.as_str())) {
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            let sentence = format!("the table has no set {}; it has {known}", quoted(set));
            return Err(Problem::new("sets", sentence));
        }
        let mut plan = Self {
            rows: Vec::new(),
            scenarios: Vec::new(),
            names: Vec::new(),
            reps,
            stages: Stages::of(&table.rows),
        };
        let mut numbers = BTreeMap::new();
        for row in &table.rows {
            if wanted.is_empty() || wanted.contains(&row.id) {
                let cell = match sets::model(row) {
                    Ok(modelled) => plan.cell(row, modelled, window, &mut numbers)?,
                    Err(reason) => Cell::Not(reason),
                };
                plan.rows.push((row, cell));
            }
        }
        Ok(plan)
    }

    /// The figure of a run that is there already, or of one more.
    fn cell(
        &mut self,
        row: &Row,
        modelled: Modelled,
        window: Option<Window>,
        numbers: &mut BTreeMap<(String, Constants), usize>,
    ) -> Result<Cell, Problem> {
        let Modelled { what, role } = modelled;
        let (mut scenario, measure, constants) = match what {
            What::Run { scenario, measure, constants } => (scenario, measure, constants),
            What::Value(value) => return Ok(Cell::Value { value, role }),
        };
        if let Some(window) = window {
            scenario.set(ControlId::Warmup, window.warmup_ns)?;
            scenario.set(ControlId::Duration, window.duration_ns)?;
        }
        let next = self.scenarios.len();
        let run = *numbers.entry((link::encode(&scenario), constants.clone())).or_insert(next);
        if run == next {
            self.scenarios.push((scenario, constants));
            let Row { id, x_name, x_value, arm, .. } = row;
            self.names.push(format!("{id}, {x_name} {x_value}, {arm}"));
        }
        Ok(Cell::Figure { run, measure, role })
    }

    /// The same for the rows on these lines of the table alone; what is asked of them still takes
    /// the whole table into account.
    #[must_use]
    pub fn only(mut self, lines: &BTreeSet<u64>) -> Self {
        self.rows.retain(|(row, _)| lines.contains(&row.line));
        let mut kept: Vec<usize> = Vec::new();
        for (_, cell) in &mut self.rows {
            let Cell::Figure { run, .. } = cell else { continue };
            let number = kept.iter().position(|k| k == run).unwrap_or_else(|| {
                kept.push(*run);
                kept.len() - 1
            });
            *run = number;
        }
        self.scenarios = kept.iter().map(|&run| self.scenarios[run].clone()).collect();
        self.names = kept.iter().map(|&run| self.names[run].clone()).collect();
        self
    }

    /// Every row with the reason why it is not modelled, if it is not.
    pub fn reasons(&self) -> impl Iterator<Item = (&Row, Option<&str>)> {
        self.rows.iter().map(|(row, cell)| match cell {
            Cell::Not(reason) => (*row, Some(reason.as_str())),
            Cell::Figure { .. } | Cell::Value { .. } => (*row, None),
        })
    }

    /// How many simulations it will run.
    #[must_use]
    pub fn simulations(&self) -> usize {
        self.scenarios.len() * self.reps as usize
    }

    /// Runs everything: by scenario, the reports of its seeds. `done` hears of every simulation
    /// that is finished.
    ///
    /// # Errors
    /// The problems of a scenario that the model refuses.
    pub(super) fn run(
        &self,
        mut done: impl FnMut(Finished<'_>),
    ) -> Result<Vec<Vec<Report>>, Vec<Problem>> {
        let mut all = Vec::with_capacity(self.simulations());
        for (number, (scenario, constants)) in self.scenarios.iter().enumerate() {
            let with = |ledger: Ledger, &(id, value): &(ConstantId, u64)| ledger.with(id, value);
            let ledger = constants.iter().fold(Ledger::default(), with);
            for rep in 0..self.reps {
                let mut scenario = scenario.clone();
                let seed = scenario.get(ControlId::Seed).saturating_add(i64::from(rep));
                scenario.set(ControlId::Seed, seed).map_err(|problem| vec![problem])?;
                all.push((number, scenario, ledger.clone()));
            }
        }
        // Long ones first, so that none is left over when the others are done.
        let length = |scenario: &Scenario| {
            scenario.get(ControlId::Warmup) + scenario.get(ControlId::Duration)
        };
        all.sort_by_key(|(_, scenario, _)| core::cmp::Reverse(length(scenario)));
        let run = |(_, scenario, ledger): &(usize, Scenario, Ledger)| {
            crate::run_with(scenario, ledger.clone())
        };
        let mut by_scenario = vec![Vec::new(); self.scenarios.len()];
        let (mut problems, mut number) = (None, 0);
        crate::sweep::as_they_end(&all, run, |i, outcome| {
            number += 1;
            let at = all[i].0;
            done(Finished { number, of: all.len(), name: &self.names[at] });
            match outcome {
                Ok(report) => by_scenario[at].push(report),
                Err(found) => problems = Some(found),
            }
            problems.is_none()
        });
        if let Some(problems) = problems {
            return Err(problems);
        }
        for reports in &mut by_scenario {
            reports.sort_by_key(|report: &Report| report.seed);
        }
        Ok(by_scenario)
    }

    /// Runs everything and puts it beside the published figures.
    ///
    /// # Errors
    /// The problems of a scenario that the model refuses.
    pub fn compare(&self) -> Result<Validation, Vec<Problem>> {
        self.compare_with(|_| {})
    }

    /// The same; `done` hears of every simulation that is finished.
    ///
    /// # Errors
    /// The problems of a scenario that the model refuses.
    pub fn compare_with(&self, done: impl FnMut(Finished<'_>)) -> Result<Validation, Vec<Problem>> {
        let reports = self.run(done)?;
        let line = |(row, cell): &(&Row, Cell)| {
            let outcome = match cell {
                Cell::Not(reason) => Outcome::NotModelled(reason.clone()),
                Cell::Value { value, role } => of_value(row, *value, *role),
                Cell::Figure { run, measure, role } => {
                    let link = link::encode(&self.scenarios[*run].0);
                    self.outcome(row, *measure, *role, &reports[*run], link)
                }
            };
            Line { row: (*row).clone(), outcome }
        };
        let lines = self.rows.iter().map(line).collect();
        Ok(Validation { lines, simulations: self.simulations(), reps: self.reps })
    }

    fn outcome(
        &self,
        row: &Row,
        measure: Measure,
        role: Role,
        reports: &[Report],
        link: String,
    ) -> Outcome {
        if let Some(ended) = reports.iter().find(|report| report.stopped != "window") {
            return Outcome::NotModelled(format!("The run ended early: {}.", ended.stopped));
        }
        let Some(published) = row.value() else {
            return Outcome::NotModelled("The published figure is not a number.".into());
        };
        let Some(values) = figures(measure, reports) else {
            return Outcome::NotModelled("The run has nothing to divide by for this row.".into());
        };
        let model = mean(&values);
        let direct = mean(&figures(Measure::DirectShare, reports).unwrap_or_default());
        let asked = Asked::of(row, measure, role, &self.stages);
        let verdict = match asked {
            Asked::NodesWithin { .. } | Asked::NodesFactor(_) => {
                let published = self.stages.kswapd_mean(row).unwrap_or(published);
                let nodes = (0..reports[0].nodes.len() as u32).map(Measure::WorkerCpu);
                let of_node = |node| mean(&figures(node, reports).unwrap_or_default());
                asked.judge(published, mean(&nodes.map(of_node).collect::<Vec<_>>()), direct)
            }
            _ => asked.judge(published, model, direct),
        };
        let reason = match (&asked, verdict) {
            (Asked::Nothing(why), _) => Some((*why).to_owned()),
            (_, Verdict::Miss) => super::known::known(row).map(ToOwned::to_owned),
            _ => None,
        };
        Outcome::Modelled { role, values, asked, verdict, reason, link }
    }
}

/// A row that needs no run: it is exact.
fn of_value(row: &Row, value: f64, role: Role) -> Outcome {
    let Some(published) = row.value() else {
        return Outcome::NotModelled("The published figure is not a number.".into());
    };
    let asked = Asked::Within { percent: 1.0, points: 0.0 };
    let verdict = asked.judge(published, value, 0.0);
    let link = String::new();
    Outcome::Modelled { role, values: vec![value], asked, verdict, reason: None, link }
}

impl Line {
    /// The model's mean over the seeds.
    #[must_use]
    pub fn model(&self) -> Option<f64> {
        match &self.outcome {
            Outcome::Modelled { values, .. } => Some(mean(values)),
            Outcome::NotModelled(_) => None,
        }
    }

    /// The sample standard deviation over the seeds; nothing below two of them.
    #[must_use]
    pub fn spread(&self) -> Option<f64> {
        match &self.outcome {
            Outcome::Modelled { values, .. } => deviation(values),
            Outcome::NotModelled(_) => None,
        }
    }

    /// The model's mean over the published figure, where that is not 0.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let published = self.row.value().filter(|published| *published != 0.0)?;
        Some(self.model()? / published)
    }
}

/// The figure of every seed.
pub(super) fn figures(measure: Measure, reports: &[Report]) -> Option<Vec<f64>> {
    reports.iter().map(|report| measure.of(report)).collect()
}

/// The mean, 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The sample standard deviation; nothing below two values.
fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let middle = mean(values);
    let squares: f64 = values.iter().map(|v| (v - middle) * (v - middle)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "id,metric,unit,x_name,x_value,arm,value\n";

    fn table(rows: &str) -> Table {
        Table::parse(&format!("{HEADING}{rows}"), true).expect("a table")
    }

    #[test]
    fn rows_of_one_scenario_run_it_once() {
        let arm = "1 kswapd/node; shadow entries DISABLED";
        let table = table(&format!(
            "D01c,kswapd0 cpu,%,dd_tasks,10,{arm},5\nD01c,kswapd1 cpu,%,dd_tasks,10,{arm},5\n\
             D01k,kswapd scan rate per node,pages/s,dd_tasks,10,{arm},5\n\
             D01c,kswapd0 cpu,%,dd_tasks,16,{arm},5\nD19,change,%,n,1,x,5\n"
        ));
        let plan = Plan::new(&table, &[], 3, None).expect("a plan");
        assert_eq!((plan.scenarios.len(), plan.simulations()), (2, 6));
        assert!(matches!(&plan.rows[4].1, Cell::Not(reason) if reason.contains("percentages")));
        let some = Plan::new(&table, &["D19".into()], 1, None).expect("a plan");
        assert_eq!((some.rows.len(), some.simulations()), (1, 0));
    }

    #[test]
    fn a_part_of_a_plan_runs_what_it_needs() {
        let arm = "1 kswapd/node; shadow entries DISABLED";
        let table = table(&format!(
            "D01c,kswapd0 cpu,%,dd_tasks,10,{arm},5\nD01c,kswapd0 cpu,%,dd_tasks,16,{arm},5\n\
             D01c,kswapd1 cpu,%,dd_tasks,16,{arm},5\nD19,change,%,n,1,x,5\n"
        ));
        let plan = Plan::new(&table, &[], 2, None).expect("a plan");
        let part = plan.only(&[3, 4, 5].into());
        assert_eq!((part.rows.len(), part.simulations()), (3, 2));
        assert!(part.names[0].contains("16"), "{:?}", part.names);
        assert!(matches!(part.rows[1].1, Cell::Figure { run: 0, .. }));
    }

    #[test]
    fn what_is_asked_for_wrongly_is_said() {
        let table = table("D19,change,%,n,1,x,5\n");
        let refused = |sets: &[String], reps| {
            Plan::new(&table, sets, reps, None).expect_err("a wrong plan").to_string()
        };
        let unknown = refused(&["D1".into()], 1);
        assert_eq!(unknown, "sets: the table has no set `D1`; it has D19");
        assert_eq!(refused(&[], 0), "repetitions: 0 is outside 1 to 100");
        assert_eq!(refused(&[], 101), "repetitions: 101 is outside 1 to 100");
    }

    #[test]
    fn spread_needs_two_values() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(deviation(&[1.0, 2.0, 6.0]), Some(7f64.sqrt()));
        assert_eq!((mean(&[]), deviation(&[1.0])), (0.0, None));
    }
}
