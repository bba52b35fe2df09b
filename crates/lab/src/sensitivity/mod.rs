//! Which results hang on which constants of the ledger: each constant at both ends of its range,
//! one at a time, and Morris screening, which moves all of them along random paths.
//!
//! A result is an expression over runs (`report::claim`); one with a limit is an answer, yes or no.
//! An answer that a plausible value of a constant flips is undecided as far as that constant goes.

mod headlines;
mod morris;
mod runs;
mod write;

pub use headlines::headlines;
pub use write::{markdown, rows};

use crate::MODEL_VERSION;
use crate::compare::ledger_hash;
use catalog::constants::Kind;
use catalog::{Constant, ConstantId, LEDGER};
use report::sensitivity::{Document, Effect, Outcome, Varied};
use report::{Report, claim};
use scenario::{Problem, Scenario, link};
use std::sync::Arc;

/// Seeds of the runs with the ledger's own values: their spread is what chance does.
const SEEDS: u32 = 4;
/// How many standard deviations of chance a change must exceed to count.
const CHANCE: f64 = 3.0;
/// A smaller change than this share does not count, whatever chance does.
const LEAST: f64 = 0.005;

/// A run by a short name.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The name that results call it by.
    pub name: String,
    /// What is simulated.
    pub scenario: Scenario,
}

/// A result: an expression over arms, `throughput@c8 / throughput@c1`.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A short name.
    pub name: String,
    /// The question or the figure in words.
    pub words: String,
    /// The expression.
    pub expression: String,
    /// Above it the answer is yes.
    pub limit: Option<f64>,
}

/// What is looked into.
#[derive(Clone, Debug)]
pub struct Study {
    /// The runs.
    pub arms: Vec<Arm>,
    /// The results.
    pub asked: Vec<Asked>,
    /// Trajectories of Morris screening over the results whose arms are `screened`; 0 does none.
    pub trajectories: u32,
    /// The arms that screening runs; results that need others are not screened.
    pub screened: Vec<String>,
    /// Whether only constants marked GUESS are varied.
    pub guesses: bool,
}

impl Study {
    /// One scenario with these figures.
    #[must_use]
    pub fn of(scenario: Scenario, figures: &[String], trajectories: u32) -> Self {
        let asked = |figure: &String| Asked {
            name: figure.clone(),
            words: figure.clone(),
            expression: format!("{figure}@run"),
            limit: None,
        };
        Self {
            arms: vec![Arm { name: "run".into(), scenario }],
            asked: figures.iter().map(asked).collect(),
            trajectories,
            screened: vec!["run".into()],
            guesses: false,
        }
    }
}

/// The constants that are not rules of the kernel: their range is more than one value.
pub fn varied() -> impl Iterator<Item = &'static Constant> {
    LEDGER.iter().filter(|constant| constant.low < constant.high)
}

/// Runs a study; `told` hears how many of about how many runs are done.
///
/// # Errors
/// The problems of a scenario, or an expression that cannot be read.
pub fn study(study: &Study, told: &mut dyn FnMut(usize, usize)) -> Result<Document, Vec<Problem>> {
    let is_asked = |c: &&Constant| !study.guesses || c.kind == Kind::Guess;
    let constants: Vec<&Constant> = varied().filter(is_asked).collect();
    let mut lines = runs::Lines::of(study, &constants, told)?;
    lines.ends()?;
    let paths = morris::paths(&constants, study.trajectories);
    let screened = lines.screened(&paths)?;
    let runs::Lines { rows, failed, .. } = lines;
    let names: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
    let asked = |asked: &Asked| -> Result<Measured, Vec<Problem>> {
        let values = values(asked, &rows, &names)?;
        let base = values[0];
        let mut needed = names.iter().filter(|name| asked.expression.contains(&format!("@{name}")));
        let is_screened = study.trajectories > 0
            && needed.all(|name| study.screened.iter().any(|other| other == name));
        let screened =
            if is_screened { self::values(asked, &screened, &names)? } else { Vec::new() };
        Ok(Measured { base, sd: spread(&values[..SEEDS as usize]), values, screened })
    };
    let measured: Vec<Measured> = study.asked.iter().map(asked).collect::<Result<_, _>>()?;
    Ok(document(study, &constants, &paths, &measured, failed))
}

/// What came out for one result.
struct Measured {
    base: f64,
    sd: f64,
    /// Of every row: seeds, then both ends of each constant.
    values: Vec<f64>,
    /// Of every point of the paths.
    screened: Vec<f64>,
}

fn values(
    asked: &Asked,
    reports: &[Vec<Arc<Report>>],
    names: &[&str],
) -> Result<Vec<f64>, Vec<Problem>> {
    let one = |row: &Vec<Arc<Report>>| {
        let first = row.first().ok_or("there is no run")?;
        let named = |name: &str| names.iter().position(|n| *n == name).map(|at| &*row[at]);
        claim::expression(&asked.expression, first, &named)
    };
    let all: Result<Vec<f64>, String> = reports.iter().map(one).collect();
    all.map_err(|why| vec![Problem::new(asked.name.clone(), why)])
}

/// The sample standard deviation.
fn spread(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (squares / (n - 1.0).max(1.0)).sqrt()
}

fn document(
    study: &Study,
    constants: &[&Constant],
    paths: &[morris::Path],
    measured: &[Measured],
    failed: Vec<String>,
) -> Document {
    let outcome = |(asked, m): (&Asked, &Measured)| Outcome {
        name: asked.name.clone(),
        words: asked.words.clone(),
        expression: asked.expression.clone(),
        base: m.base,
        sd: m.sd,
        limit: asked.limit,
    };
    let row = |(i, constant): (usize, &&Constant)| {
        let effect = |(asked, m): (&Asked, &Measured)| {
            let at = SEEDS as usize + 2 * i;
            effect(asked, m, [m.values[at], m.values[at + 1]], morris::screen(paths, i, m))
        };
        Varied {
            name: constant.name.to_owned(),
            kind: constant.kind.word().to_owned(),
            value: constant.value,
            low: constant.low,
            high: constant.high,
            unit: constant.unit.to_owned(),
            effects: study.asked.iter().zip(measured).map(effect).collect(),
        }
    };
    Document {
        kind: "SIMULATED".into(),
        guesses: study.guesses,
        model: MODEL_VERSION.into(),
        ledger: ledger_hash(),
        arms: (study.arms.iter())
            .map(|arm| (arm.name.clone(), link::encode(&arm.scenario)))
            .collect(),
        seeds: SEEDS,
        trajectories: study.trajectories,
        outcomes: study.asked.iter().zip(measured).map(outcome).collect(),
        constants: constants.iter().enumerate().map(row).collect(),
        failed,
    }
}

fn effect(asked: &Asked, m: &Measured, ends: [f64; 2], screened: Option<(f64, f64)>) -> Effect {
    let least = (CHANCE * m.sd).max(LEAST * m.base.abs());
    let moves = ends.iter().any(|end| (end - m.base).abs() > least);
    let yes = |value: f64| asked.limit.is_some_and(|limit| value > limit);
    let flips = asked.limit.is_some() && ends.iter().any(|&end| yes(end) != yes(m.base));
    Effect { ends, moves, flips, screened }
}

/// The number of a constant by its name.
#[must_use]
pub fn constant(name: &str) -> Option<ConstantId> {
    scenario::constant_by_name(name).map(|constant| constant.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_that_bears_on_a_result_moves_it_and_others_do_not() {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        for (key, value) in [("duration", "30ms"), ("drive_bandwidth", "2000")] {
            scenario.set_text(key, value).expect("a value");
        }
        let figures = ["kswapd_us_per_page".to_owned()];
        let mut runs = 0;
        let document =
            study(&Study::of(scenario, &figures, 1), &mut |done, _| runs = done).expect("it runs");
        let count = varied().count();
        assert!(
            runs < SEEDS as usize + 2 * count + count + 1,
            "{runs}: what is not used is not run"
        );
        assert_eq!(document.failed, Vec::<String>::new());
        assert_eq!(document.constants.len(), count);
        let effect = |name: &str| {
            let row = document.constants.iter().find(|row| row.name == name);
            row.expect("a constant of the ledger").effects[0]
        };
        assert!(effect("IsolatePerPage").moves, "{:?}", effect("IsolatePerPage"));
        let same = effect("ZramLz4Write");
        assert!(!same.moves && same.ends[0].to_bits() == document.outcomes[0].base.to_bits());
        assert!(!same.flips, "a figure without a limit is no answer");
        assert_eq!(same.screened, Some((0.0, 0.0)));
        let (mean, _) = effect("IsolatePerPage").screened.expect("it was screened");
        assert!(mean > 0.0);
    }

    #[test]
    fn an_answer_is_undecided_where_a_plausible_value_flips_it() {
        let asked = Asked {
            name: "a".into(),
            words: "b".into(),
            expression: "c".into(),
            limit: Some(1.02),
        };
        let m = Measured { base: 1.01, sd: 0.001, values: Vec::new(), screened: Vec::new() };
        assert!(effect(&asked, &m, [1.0, 1.03], None).flips);
        let small = effect(&asked, &m, [1.009, 1.012], None);
        assert!(!small.flips && !small.moves);
        assert!(effect(&asked, &m, [0.9, 1.01], None).moves);
    }
}
