//! From what was typed to what will be done: every value checked, nothing run yet.

use crate::args::{Args, Command, ScenarioArgs};
use crate::command::kernel;
use crate::command::validate::{self, Format};
use crate::{Failure, Streams, input};
use lab::validate::Table;
use scenario::paste::{Sysctl, Zoneinfo};
use scenario::{Problem, Scenario, quoted};
use std::path::{Path, PathBuf};

/// Most points of a sweep.
const POINTS_MAX: usize = 1_000;

/// What will be done.
#[derive(Debug)]
pub(crate) enum Plan {
    Run { scenario: Scenario, json: bool, force: bool },
    Link { scenario: Scenario },
    Show { scenario: Scenario, json: bool },
    Presets { json: bool },
    Sweep { sweep: Sweep, json: bool, force: bool },
    Compare { arms: Vec<(String, Scenario)>, reps: u32, json: bool, force: bool },
    Machine { zoneinfo: Zoneinfo, sysctl: Option<Sysctl>, json: bool },
    Kernel { folders: Vec<kernel::Folder>, json: bool },
    Validate { table: Table, sets: Vec<String>, reps: u32, format: Format },
    Predict { index: Table, out: PathBuf, reps: u32 },
}

/// The points of a sweep, in order: the last key runs fastest.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// The keys that vary.
    pub(crate) keys: Vec<String>,
    /// What is run, point by point.
    pub(crate) scenarios: Vec<Scenario>,
    /// The values of the keys, point by point.
    pub(crate) values: Vec<Vec<String>>,
}

/// Makes the plan.
pub(crate) fn make(args: Args, streams: &mut Streams<'_>) -> Result<Plan, Failure> {
    Ok(match args.command {
        Command::Run { scenario, json, force } => {
            Plan::Run { scenario: open(&scenario, streams)?, json, force }
        }
        Command::Link { scenario } => {
            let scenario = open(&scenario, streams)?;
            warn(&scenario.validate(), streams)?;
            Plan::Link { scenario }
        }
        Command::Show { scenario, json } => {
            let scenario = open(&scenario, streams)?;
            warn(&scenario.validate(), streams)?;
            Plan::Show { scenario, json }
        }
        Command::Presets { json } => Plan::Presets { json },
        Command::Sweep { scenario, over, json, force } => {
            let base = open(&scenario, streams)?;
            Plan::Sweep { sweep: sweep(&base, &over)?, json, force }
        }
        Command::Compare { scenario, arms: texts, reps, json, force } => {
            let base = open(&scenario, streams)?;
            Plan::Compare { arms: arms(&base, &texts)?, reps, json, force }
        }
        Command::Machine { zoneinfo, sysctl, json } => {
            let text = input::file(&zoneinfo, streams)?;
            let zoneinfo = Zoneinfo::parse(&text).map_err(Failure::refused)?;
            let sysctl = match sysctl {
                None => None,
                Some(path) => {
                    let text = input::file(&path, streams)?;
                    Some(Sysctl::parse(&text).map_err(Failure::refused)?)
                }
            };
            Plan::Machine { zoneinfo, sysctl, json }
        }
        Command::Kernel { folders, json } => {
            Plan::Kernel { folders: kernel::read(&folders, streams)?, json }
        }
        Command::Validate { data, sets, reps, markdown, json } => {
            let table = match data {
                None => Table::parse(validate::COLLECTION, true).map_err(Failure::refused)?,
                Some(path) => table(&path, true, streams)?,
            };
            Plan::Validate { table, sets, reps, format: Format::of(markdown, json) }
        }
        Command::Predict { index, out, reps } => {
            if out.exists() && index.canonicalize().ok() == out.canonicalize().ok() {
                return Err(Failure::refused("--out is the index itself, which stays as it is"));
            }
            Plan::Predict { index: table(&index, false, streams)?, out, reps }
        }
    })
}

/// A table of published figures, with or without values.
fn table(path: &Path, values: bool, streams: &mut Streams<'_>) -> Result<Table, Failure> {
    let text = input::file(path, streams)?;
    let name = quoted(&path.display().to_string());
    Table::parse(&text, values).map_err(|problem| Failure::refused(format!("{name}, {problem}")))
}

fn open(args: &ScenarioArgs, streams: &mut Streams<'_>) -> Result<Scenario, Failure> {
    let mut scenario = input::scenario(&args.input, streams)?;
    let mut problems = Vec::new();
    for set in &args.sets {
        match set.split_once('=') {
            Some((key, value)) => problems.extend(scenario.set_text(key.trim(), value).err()),
            None => problems.push(Problem::new(
                "--set",
                format!("{} is not of the form key=value, such as kswapds=4", quoted(set)),
            )),
        }
    }
    if let Some(seed) = &args.seed {
        problems.extend(scenario.set_text("seed", seed).err());
    }
    if problems.is_empty() { Ok(scenario) } else { Err(Failure::all(&problems)) }
}

fn warn(problems: &[Problem], streams: &mut Streams<'_>) -> Result<(), Failure> {
    for problem in problems {
        writeln!(streams.stderr, "warning: {problem}")?;
    }
    Ok(())
}

fn sweep(base: &Scenario, over: &[String]) -> Result<Sweep, Failure> {
    let mut sweep =
        Sweep { keys: Vec::new(), scenarios: vec![base.clone()], values: vec![Vec::new()] };
    for axis in over {
        let (key, values) = axis.split_once('=').ok_or_else(|| {
            let shown = quoted(axis);
            Failure::refused(format!("--over: {shown} is not of the form key=a,b,c"))
        })?;
        let (key, values) = (key.trim(), values.split(',').map(str::trim).collect::<Vec<_>>());
        if sweep.keys.iter().any(|known| known == key) {
            return Err(Failure::refused(format!("--over: {} is given twice", quoted(key))));
        }
        let points = sweep.scenarios.len().saturating_mul(values.len());
        if points > POINTS_MAX {
            let sentence = format!("--over: {points} points are too many; at most {POINTS_MAX}");
            return Err(Failure::refused(sentence));
        }
        sweep = widen(&sweep, key, &values)?;
    }
    let problems: Vec<Problem> = sweep.scenarios.iter().flat_map(Scenario::validate).collect();
    if problems.is_empty() { Ok(sweep) } else { Err(Failure::all(&problems)) }
}

/// Every point so far with every value of one more key.
fn widen(sweep: &Sweep, key: &str, values: &[&str]) -> Result<Sweep, Failure> {
    let mut wider = Sweep { keys: sweep.keys.clone(), scenarios: Vec::new(), values: Vec::new() };
    wider.keys.push(key.to_owned());
    for (scenario, point) in sweep.scenarios.iter().zip(&sweep.values) {
        for value in values {
            let mut scenario = scenario.clone();
            scenario.set_text(key, value).map_err(Failure::refused)?;
            wider.scenarios.push(scenario);
            let mut point = point.clone();
            point.push((*value).to_owned());
            wider.values.push(point);
        }
    }
    Ok(wider)
}

/// The arms of a comparison: `A:kswapds=1,policy=all`, each the base with its own settings.
fn arms(base: &Scenario, texts: &[String]) -> Result<Vec<(String, Scenario)>, Failure> {
    let mut arms: Vec<(String, Scenario)> = Vec::new();
    if texts.len() > lab::compare::ARMS_MAX {
        let most = lab::compare::ARMS_MAX;
        return Err(Failure::refused(format!("--arm: {most} arms at most, not {}", texts.len())));
    }
    if texts.len() < 2 {
        return Err(Failure::refused("--arm: a comparison has two arms or more"));
    }
    for text in texts {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let plain =
            !name.is_empty() && name.len() <= 16 && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !plain {
            return Err(Failure::refused(format!(
                "--arm {}: an arm is named by up to 16 letters and digits before a colon",
                quoted(text)
            )));
        }
        if arms.iter().any(|(other, _)| other == name) {
            return Err(Failure::refused(format!("--arm {}: the name stands twice", quoted(name))));
        }
        let mut scenario = base.clone();
        for setting in settings.split(',').filter(|s| !s.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(Failure::refused(format!(
                    "--arm {name}: {} is not KEY=VALUE",
                    quoted(setting)
                )));
            };
            scenario
                .set_text(key, value)
                .map_err(|p| Failure::refused(format!("--arm {name}: {p}")))?;
        }
        arms.push((name.to_owned(), scenario));
    }
    Ok(arms)
}
