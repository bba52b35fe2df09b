//! Which results hang on which constants of the ledger: each constant at both ends of its range,
//! one at a time, and Morris screening, which moves those that matter along random paths.
//!
//! A result is an expression over runs (`report::claim`); one with a limit is an answer, yes or no.
//! An answer that a plausible value of a constant flips is undecided as far as that constant goes;
//! one that lies within chance of its limit is undecided as it is.

mod headlines;
mod morris;
mod runs;
mod write;

pub use headlines::headlines;
pub use runs::{Ended, Heard, Known};
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
const SEEDS: u32 = 8;
/// How many standard errors of chance a change must exceed to count, by itself and again in the
/// mean with a second seed.
const CHANCE: f64 = 3.0;
/// A smaller change than this share does not count, whatever chance does.
const LEAST: f64 = 0.005;

/// A constant and the value that it is put to.
pub type Change = (ConstantId, u64);

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

/// Runs a study but for the runs that are known; `told` hears of every run that ends.
///
/// # Errors
/// The problems of a scenario, an expression that cannot be read, or known runs of another build.
pub fn study(
    study: &Study,
    known: Known,
    told: &mut dyn FnMut(&Heard<'_>),
) -> Result<Document, Vec<Problem>> {
    let is_asked = |c: &&Constant| !study.guesses || c.kind == Kind::Guess;
    let constants: Vec<&Constant> = varied().filter(is_asked).collect();
    let mut lines = runs::Lines::of(study, &constants, known, told)?;
    lines.ends()?;
    let names: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
    let alone: Vec<Measured> = (study.asked.iter())
        .map(|asked| Measured::of(asked, &lines.rows, &names))
        .collect::<Result<_, _>>()?;
    let is_screened = |asked: &Asked| {
        let mut needed = names.iter().filter(|name| asked.needs(name));
        needed.all(|name| study.screened.iter().any(|other| other == name))
    };
    let mut alone = alone;
    confirm(study, &mut lines, &mut alone, &names)?;
    // Along the paths goes what matters by itself to something that is screened.
    let matters = |i: usize| {
        let all = study.asked.iter().zip(&alone);
        let mut screened = all.filter(|(asked, _)| is_screened(asked));
        screened.any(|(_, m)| m.is_moved(i).contains(&true))
    };
    let moving = (0..constants.len()).filter(|&i| matters(i)).map(|i| constants[i]);
    let paths = morris::paths(&moving.collect::<Vec<_>>(), study.trajectories);
    let screened = lines.screened(&paths)?;
    let mut measured = Vec::new();
    for (asked, mut m) in study.asked.iter().zip(alone) {
        if is_screened(asked) {
            m.screened = values(asked, &screened, &names)?;
        }
        measured.push(m);
    }
    let bears = |i: usize| -> Vec<String> {
        let ends = &lines.rows[SEEDS as usize + 2 * i..][..2];
        let differs =
            |arm: &usize| ends.iter().any(|r| r[*arm].digest != lines.rows[0][*arm].digest);
        (0..names.len()).filter(differs).map(|arm| names[arm].to_owned()).collect()
    };
    let mut document = document(study, &constants, &paths, &measured, lines.failed.clone());
    for (i, varied) in document.constants.iter_mut().enumerate() {
        varied.bears_on = bears(i);
    }
    Ok(Document { runs: lines.used.len(), ..document })
}

/// Runs again, with a second seed, whatever an end seems to have moved: of hundreds of ends chance
/// alone moves some, and hardly any of them twice.
fn confirm(
    study: &Study,
    lines: &mut runs::Lines<'_>,
    measured: &mut [Measured],
    names: &[&str],
) -> Result<(), Vec<Problem>> {
    let all = || study.asked.iter().zip(&*measured);
    let rows = lines.rows.len() - SEEDS as usize;
    let moved = |row: usize, m: &Measured| m.is_moved(row / 2)[row % 2];
    let needed: Vec<Vec<usize>> = (0..rows)
        .map(|row| {
            let needs = |arm: &usize| all().any(|(a, m)| moved(row, m) && a.needs(names[*arm]));
            (0..names.len()).filter(needs).collect()
        })
        .collect();
    let seconds = lines.second(&needed)?;
    for (asked, m) in study.asked.iter().zip(measured) {
        let moved: Vec<bool> = (0..rows).map(|row| moved(row, m)).collect();
        for (row, reports) in seconds.iter().enumerate().filter(|(row, _)| moved[*row]) {
            m.second[row] = values(asked, std::slice::from_ref(reports), names)?.pop();
        }
    }
    Ok(())
}

impl Asked {
    /// Whether the expression takes a figure from an arm.
    fn needs(&self, arm: &str) -> bool {
        let mut words = self.expression.split_whitespace();
        words.any(|word| word.split_once('@').is_some_and(|(_, of)| of == arm))
    }
}

/// What came out for one result.
struct Measured {
    /// Mean over the seeds.
    base: f64,
    /// Their spread.
    sd: f64,
    /// Of every row: seeds, then both ends of each constant.
    values: Vec<f64>,
    /// Of both ends of each constant with a second seed, where the first seemed to be moved.
    second: Vec<Option<f64>>,
    /// Of every point of the paths.
    screened: Vec<f64>,
}

impl Measured {
    fn of(asked: &Asked, rows: &[Vec<Arc<Report>>], names: &[&str]) -> Result<Self, Vec<Problem>> {
        let values = values(asked, rows, names)?;
        let seeds = &values[..SEEDS as usize];
        let (base, sd) = (seeds.iter().sum::<f64>() / f64::from(SEEDS), spread(seeds));
        let second = vec![None; values.len() - SEEDS as usize];
        Ok(Self { base, sd, values, second, screened: Vec::new() })
    }

    /// With a constant, by its number among those varied, at both ends of its range.
    fn ends(&self, constant: usize) -> [f64; 2] {
        [2 * constant, 2 * constant + 1].map(|row| self.end(row).0)
    }

    /// Whether they are further from the mean as it is than chance is.
    fn is_moved(&self, constant: usize) -> [bool; 2] {
        [2 * constant, 2 * constant + 1].map(|row| {
            let (value, seeds) = self.end(row);
            self.is_off(value, seeds)
        })
    }

    /// A row behind the seeds, and over how many seeds it is a mean.
    fn end(&self, row: usize) -> (f64, f64) {
        let first = self.values[SEEDS as usize + row];
        match self.second[row] {
            // Not an event is another one than without the constant.
            _ if first.to_bits() == self.values[0].to_bits() => (self.base, 1.0),
            Some(second) => (f64::midpoint(first, second), 2.0),
            None => (first, 1.0),
        }
    }

    /// Whether a mean over so many seeds is further from that as it is than chance is.
    fn is_off(&self, value: f64, seeds: f64) -> bool {
        let error = self.sd * (1.0 / seeds + 1.0 / f64::from(SEEDS)).sqrt();
        (value - self.base).abs() > (CHANCE * error).max(LEAST * self.base.abs())
    }

    /// Whether a limit is so near to the mean as it is that chance decides.
    fn is_near(&self, limit: f64) -> bool {
        (limit - self.base).abs() <= CHANCE * self.sd / f64::from(SEEDS).sqrt()
    }
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
        by_chance: asked.limit.is_some_and(|limit| m.is_near(limit)),
        joint: asked.limit.filter(|_| !m.screened.is_empty()).map(|limit| {
            let yes = m.screened.iter().filter(|value| **value > limit).count();
            (yes as u32, m.screened.len() as u32)
        }),
    };
    let row = |(i, constant): (usize, &&Constant)| {
        let effect = |(asked, m): (&Asked, &Measured)| {
            let screened = morris::screen(paths, constant.id, m);
            Effect { screened, ..effect(asked, m, i) }
        };
        Varied {
            name: constant.name.to_owned(),
            kind: constant.kind.word().to_owned(),
            value: constant.value,
            low: constant.low,
            high: constant.high,
            unit: constant.unit.to_owned(),
            bears_on: Vec::new(),
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
        runs: 0,
        screened: paths.first().map_or(0, |path| path.order.len() as u32),
        outcomes: study.asked.iter().zip(measured).map(outcome).collect(),
        constants: constants.iter().enumerate().map(row).collect(),
        failed,
    }
}

fn effect(asked: &Asked, m: &Measured, constant: usize) -> Effect {
    let (ends, moved) = (m.ends(constant), m.is_moved(constant));
    let yes = |value: f64| asked.limit.is_some_and(|limit| value > limit);
    // What chance alone may have flipped is no flip by the constant.
    let flips = (0..2).any(|i| moved[i] && yes(ends[i]) != yes(m.base));
    Effect { ends, moves: moved.contains(&true), flips, screened: None }
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
        let (mut runs, mut known) = (0, Known::new());
        let asked = Study::of(scenario, &figures, 1);
        let mut told = |heard: &Heard<'_>| {
            if let Some((key, ended)) = heard.fresh {
                runs += 1;
                known.insert(key.to_owned(), ended.clone());
            }
        };
        let document = study(&asked, Known::new(), &mut told).expect("it runs");
        let count = varied().count();
        assert!(
            runs < SEEDS as usize + 2 * count + count + 1,
            "{runs}: what is not used is not run"
        );
        // Known runs are not done again, but for one that says that they are of this build.
        let mut fresh = 0;
        let mut told = |heard: &Heard<'_>| fresh += usize::from(heard.fresh.is_some());
        let half: Known =
            known.iter().take(runs / 2).map(|(k, e)| (k.clone(), e.clone())).collect();
        assert_eq!(study(&asked, half, &mut told).as_ref(), Ok(&document));
        assert_eq!(fresh, runs - runs / 2);
        for ended in known.values_mut().flatten() {
            Arc::make_mut(ended).digest = "of another build".into();
        }
        let said = study(&asked, known, &mut |_| {}).expect_err("refused");
        assert!(said[0].sentence.contains("another build of the model"), "{said:?}");
        assert_eq!(document.failed, Vec::<String>::new());
        assert_eq!(document.constants.len(), count);
        let bears = |name: &str| {
            let row = document.constants.iter().find(|row| row.name == name);
            row.expect("a constant of the ledger").bears_on.clone()
        };
        assert_eq!(bears("IsolatePerPage"), ["run"]);
        assert!(bears("ZramLz4Write").is_empty(), "no event of the run hangs on it");
        let effect = |name: &str| {
            let row = document.constants.iter().find(|row| row.name == name);
            row.expect("a constant of the ledger").effects[0]
        };
        assert!(effect("IsolatePerPage").moves, "{:?}", effect("IsolatePerPage"));
        let same = effect("ZramLz4Write");
        assert!(!same.moves && same.ends[0].to_bits() == document.outcomes[0].base.to_bits());
        assert!(!same.flips, "a figure without a limit is no answer");
        assert_eq!(same.screened, None, "what does nothing goes along no path");
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
        let m = |sd: f64, ends: [f64; 2], second: Option<f64>| {
            let values = [1.01; SEEDS as usize].into_iter().chain(ends).collect();
            let second = vec![second, second];
            Measured { base: 1.01, sd, values, second, screened: Vec::new() }
        };
        let of = |sd, ends, second| effect(&asked, &m(sd, ends, second), 0);
        assert!(of(0.001, [1.0, 1.03], None).flips);
        assert!(!of(0.02, [1.0, 1.03], None).flips, "chance may have done it");
        let confirmed = of(0.001, [1.01, 1.03], Some(1.04));
        assert!(confirmed.flips && confirmed.ends == [1.01, f64::midpoint(1.03, 1.04)]);
        assert!(!of(0.001, [1.01, 1.03], Some(0.99)).flips, "not again with another seed");
        let small = of(0.001, [1.009, 1.012], None);
        assert!(!small.flips && !small.moves);
        assert!(of(0.001, [0.9, 1.01], None).moves);
        assert!(
            m(0.05, [1.0, 1.0], None).is_near(1.02) && !m(0.001, [1.0, 1.0], None).is_near(1.02)
        );
    }
}
