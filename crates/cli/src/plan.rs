//! From what was typed to what will be done: every value checked, nothing run yet.

use crate::args::{Align, Args, Command, ScenarioArgs, ThreadName, WarmUp};
use crate::command::kernel;
use crate::command::validate::{Format, Wanted};
use crate::input::{self, Named};
use crate::{Failure, Streams};
use lab::grid::{Grid, Shard};
use lab::sensitivity::{Study, headlines};
use lab::validate::{CALIBRATION, Table};
use report::compare::Warm;
use scenario::mail::Claim;
use scenario::observed::{Events, Figure, ReadError, Results, Samples};
use scenario::paste::{Sysctl, Zoneinfo};
use scenario::{Problem, Scenario, Shared, quoted};
use std::path::{Path, PathBuf};

mod arms;

/// What will be done.
#[derive(Debug)]
pub(crate) enum Plan {
    Run { scenario: Scenario, json: bool, log: Option<(Log, String)>, force: bool },
    Link { shared: Shared },
    Explain { rows: Vec<(String, String)> },
    Show { shared: Shared, json: bool },
    Series { scenario: Scenario, form: SeriesForm, force: bool },
    Overlay { overlay: Overlay, json: bool, force: bool },
    Presets { json: bool },
    Sweep { sweep: Sweep, force: bool },
    Merge { files: Vec<(String, String)>, table: bool },
    Compare { comparison: Compared, json: bool, csv: bool, force: bool },
    Mail { comparison: Compared, page: String, force: bool },
    Machine { zoneinfo: Zoneinfo, sysctl: Option<Sysctl>, json: bool },
    Kernel { folders: Vec<kernel::Folder>, json: bool },
    Validate { wanted: Wanted, format: Format },
    Thread { name: Option<ThreadName>, write: Option<PathBuf> },
    Sensitivity { study: Study, json: bool, write: Option<PathBuf>, resume: Option<PathBuf> },
    Predict { index: Table, out: PathBuf, reps: u32 },
}

/// What is compared, and how often each arm is run.
#[derive(Debug)]
pub(crate) struct Compared {
    /// The arms.
    pub(crate) shared: Shared,
    /// Replications of each.
    pub(crate) reps: u32,
    /// Where they begin.
    pub(crate) warm: Warm,
    /// What the mail that was given says of its numbers.
    pub(crate) claim: Option<Claim>,
}

/// How the event log of a run is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    /// As trace-cmd prints it.
    Trace,
    /// As trace events in JSON.
    Perfetto,
}

/// How the series of a run are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesForm {
    /// Comma-separated, with comments on where they come from.
    Csv,
    /// As one document.
    Json,
    /// As a picture.
    Svg,
}

/// What a real kernel did, beside a scenario.
#[derive(Debug)]
pub(crate) struct Overlay {
    /// What is simulated.
    pub(crate) scenario: Scenario,
    /// The kernel's samples.
    pub(crate) samples: Option<Samples>,
    /// The kernel's events.
    pub(crate) events: Option<Events>,
    /// A benchmark's figures.
    pub(crate) results: Vec<(String, f64)>,
    /// Where the file's time 0 stands after the beginning of the window, in milliseconds.
    pub(crate) shift: f64,
    /// The event to align by.
    pub(crate) align: Option<Align>,
    /// Largest difference that agrees, as a share.
    pub(crate) tolerance: f64,
}

/// What is swept, and how it is written.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// The points.
    pub(crate) grid: Grid,
    /// Replications of each.
    pub(crate) reps: u32,
    /// The part that is run.
    pub(crate) shard: Option<Shard>,
    /// How the points are written.
    pub(crate) form: Form,
}

/// How the points of a sweep are written.
#[derive(Debug)]
pub(crate) enum Form {
    /// As tables.
    Table,
    /// As one document of JSON, with the whole report of every point.
    Json,
    /// As lines of JSON.
    Lines,
    /// As lines of JSON into a file.
    File(PathBuf),
}

/// Makes the plan.
pub(crate) fn make(args: Args, streams: &mut Streams<'_>) -> Result<Plan, Failure> {
    Ok(match args.command {
        Command::Run { scenario, json, trace, perfetto, force } => {
            let Named { shared, .. } = open(&scenario, streams)?;
            if !shared.arms.is_empty() {
                writeln!(streams.stderr, "note: arm A is run; `compare` runs all arms")?;
            }
            let log = trace.map(|file| (Log::Trace, file));
            let log = log.or(perfetto.map(|file| (Log::Perfetto, file)));
            Plan::Run { scenario: shared.scenario, json, log, force }
        }
        Command::Link { scenario, arms: texts, explain } => {
            let shared = arms::with(open(&scenario, streams)?.shared, &texts)?;
            if explain {
                let given = scenario.sets.is_empty() && scenario.seed.is_none() && texts.is_empty();
                let link = scenario::link::encode_shared(&shared);
                // A damaged link is explained as it came.
                let text = if given { &scenario.input } else { &link };
                let rows =
                    scenario::link::explain(text).or_else(|_| scenario::link::explain(&link));
                return Ok(Plan::Explain { rows: rows.map_err(Failure::refused)? });
            }
            warn(&shared.scenario.validate(), streams)?;
            Plan::Link { shared }
        }
        Command::Show { scenario, json } => {
            let Named { shared, .. } = open(&scenario, streams)?;
            warn(&shared.scenario.validate(), streams)?;
            Plan::Show { shared, json }
        }
        Command::Series { scenario, json, svg, force } => {
            let scenario = open(&scenario, streams)?.shared.scenario;
            let form = match (json, svg) {
                (true, _) => SeriesForm::Json,
                (_, true) => SeriesForm::Svg,
                _ => SeriesForm::Csv,
            };
            Plan::Series { scenario, form, force }
        }
        Command::Overlay {
            scenario,
            vmstat,
            trace,
            results,
            column,
            interval,
            shift,
            align,
            tolerance,
            json,
            force,
        } => {
            let scenario = open(&scenario, streams)?.shared.scenario;
            let step = units::parse_duration(&interval).map_err(|why| {
                Failure::refused(format!("--interval: {} {why}", quoted(&interval)))
            })?;
            if step.as_nanos() == 0 || !shift.is_finite() {
                return Err(Failure::refused("--interval is above 0 and --shift is a number"));
            }
            let step_ms = step.as_nanos() as f64 / 1e6;
            let samples = vmstat
                .map(|path| observed(&path, |text| Samples::parse(text, step_ms), streams))
                .transpose()?;
            let events = trace.map(|path| observed(&path, Events::parse, streams)).transpose()?;
            let results =
                results.map(|path| observed(&path, Results::parse, streams)).transpose()?;
            let results = results.map(|r| of_column(&r, column)).transpose()?.unwrap_or_default();
            let read =
                samples.iter().map(|s| &s.problems).chain(events.iter().map(|e| &e.problems));
            let problems: Vec<Problem> = read.flatten().cloned().collect();
            warn(&problems, streams)?;
            let tolerance = f64::from(tolerance) / 100.0;
            let overlay = Overlay { scenario, samples, events, results, shift, align, tolerance };
            Plan::Overlay { overlay, json, force }
        }
        Command::Presets { json } => Plan::Presets { json },
        Command::Sweep { scenario, over, reps, shard, out, lines, json, force } => {
            let base = open(&scenario, streams)?.shared.scenario;
            let refuse = |problems: Vec<Problem>| Failure::all(&problems);
            let grid = Grid::new(&base, &over).map_err(refuse)?;
            lab::compare::check_reps(reps).map_err(refuse)?;
            let shard = shard.map(|text| Shard::parse(&text)).transpose();
            let shard = shard.map_err(Failure::refused)?;
            let form = match out {
                Some(path) => Form::File(path),
                None if json && (reps > 1 || shard.is_some()) => {
                    let sentence =
                        "--json has whole reports of single runs; --lines has replications";
                    return Err(Failure::refused(sentence));
                }
                None if json => Form::Json,
                None if lines || shard.is_some() => Form::Lines,
                None => Form::Table,
            };
            Plan::Sweep { sweep: Sweep { grid, reps, shard, form }, force }
        }
        Command::Merge { files, table } => {
            let mut texts = Vec::new();
            for path in files {
                texts.push((path.display().to_string(), input::large(&path, streams)?));
            }
            Plan::Merge { files: texts, table }
        }
        Command::Compare { scenario, arms: texts, reps, warm, json, csv, force } => {
            let comparison = compared(&scenario, &texts, (reps, warm), streams)?;
            Plan::Compare { comparison, json, csv, force }
        }
        Command::Mail { scenario, arms: texts, reps, warm, page, force } => {
            let comparison = compared(&scenario, &texts, (reps, warm), streams)?;
            Plan::Mail { comparison, page: address(page)?, force }
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
        Command::Validate { data, sets, reps, markdown, json, write } => {
            let experiments = data.is_none() && sets.is_empty();
            let text = match &data {
                None => CALIBRATION.to_owned(),
                Some(path) => input::file(path, streams)?,
            };
            let table = Table::parse(&text, true).map_err(|problem| match &data {
                None => Failure::refused(problem),
                Some(path) => {
                    Failure::refused(format!("{}, {problem}", quoted(&path.display().to_string())))
                }
            })?;
            let wanted = Wanted { table, text, sets, experiments, reps };
            Plan::Validate { wanted, format: Format::of(markdown, json, write) }
        }
        Command::Thread { name, write } => Plan::Thread { name, write },
        Command::Sensitivity { input, sets, metrics, morris, guesses, resume, json, write } => {
            let study = match input {
                None => headlines(morris).map_err(|problems| Failure::all(&problems))?,
                Some(input) => {
                    let args = ScenarioArgs { input, sets, seed: None };
                    let scenario = open(&args, streams)?.shared.scenario;
                    let usual = ["throughput", "latency_p99_us", "kswapd_cpu_s", "direct_share"];
                    let usual = || usual.map(str::to_owned).to_vec();
                    let metrics = if metrics.is_empty() { usual() } else { metrics };
                    Study::of(scenario, &metrics, morris)
                }
            };
            Plan::Sensitivity { study: Study { guesses, ..study }, json, write, resume }
        }
        Command::Predict { index, out, reps } => {
            if out.exists() && index.canonicalize().ok() == out.canonicalize().ok() {
                return Err(Failure::refused("--out is the index itself, which stays as it is"));
            }
            Plan::Predict { index: table(&index, streams)?, out, reps }
        }
    })
}

/// What a file says that a real kernel did.
fn observed<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, ReadError>,
    streams: &mut Streams<'_>,
) -> Result<T, Failure> {
    let text = input::large(path, streams)?;
    let name = quoted(&path.display().to_string());
    read(&text).map_err(|error| Failure::refused(format!("{name}, {error}")))
}

/// The figures of one column.
fn of_column(results: &Results, column: usize) -> Result<Vec<(String, f64)>, Failure> {
    let value = |figure: &Figure| {
        let value = figure.values.get(column.checked_sub(1)?)?;
        Some((figure.name.clone(), *value))
    };
    let all: Vec<(String, f64)> = results.figures.iter().filter_map(value).collect();
    if all.is_empty() {
        return Err(Failure::refused(format!("--column: no row has a column {column}")));
    }
    Ok(all)
}

/// An index of published figures without their values.
fn table(path: &Path, streams: &mut Streams<'_>) -> Result<Table, Failure> {
    let text = input::file(path, streams)?;
    let name = quoted(&path.display().to_string());
    Table::parse(&text, false).map_err(|problem| Failure::refused(format!("{name}, {problem}")))
}

fn open(args: &ScenarioArgs, streams: &mut Streams<'_>) -> Result<Named, Failure> {
    let mut named = input::shared(&args.input, streams)?;
    let mut problems = Vec::new();
    for set in &args.sets {
        match set.split_once('=') {
            Some((key, value)) => problems.extend(named.shared.set_text(key.trim(), value).err()),
            None => problems.push(Problem::new(
                "--set",
                format!("{} is not of the form key=value, such as kswapds=4", quoted(set)),
            )),
        }
    }
    if let Some(seed) = &args.seed {
        let problem = named.shared.set_text("seed", seed).err();
        problems.extend(problem.map(|p| Problem::new("--seed", p.sentence)));
    }
    if problems.is_empty() { Ok(named) } else { Err(Failure::all(&problems)) }
}

/// What is compared.
fn compared(
    args: &ScenarioArgs,
    texts: &[String],
    (reps, warm): (u32, WarmUp),
    streams: &mut Streams<'_>,
) -> Result<Compared, Failure> {
    let Named { shared, claim } = open(args, streams)?;
    let shared = arms::with(shared, texts)?;
    lab::compare::check_reps(reps).map_err(|problems| Failure::all(&problems))?;
    let is_as_sent = texts.is_empty() && args.sets.is_empty() && args.seed.is_none();
    let warm = match warm {
        WarmUp::Shared => Warm::Shared,
        WarmUp::Own => Warm::Own,
    };
    Ok(Compared { shared, reps, warm, claim: claim.filter(|_| is_as_sent) })
}

/// An address that a mail can carry.
fn address(page: String) -> Result<String, Failure> {
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '#');
    let is_address = page.contains("://") && page.trim_end_matches('#').chars().all(plain);
    if is_address && page.len() <= 200 {
        return Ok(page);
    }
    let sentence = "is no address of a page, such as https://reclaim.example.org/";
    Err(Failure::refused(format!("--page: {} {sentence}", quoted(&page))))
}

fn warn(problems: &[Problem], streams: &mut Streams<'_>) -> Result<(), Failure> {
    for problem in problems {
        writeln!(streams.stderr, "warning: {problem}")?;
    }
    Ok(())
}
