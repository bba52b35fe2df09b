//! Tasks that are done at one go: a replication, a point of a sweep, results put together, what a
//! run looks like as a text. The page gives them to workers that have no run to show, and ends the
//! worker when it does not want the answer any more.
//!
//! Arguments and answers are JSON, but for texts of a run.

use lab::compare::{Beginning, join};
use lab::grid::Grid;
use lab::overlay::Align;
use lab::{MODEL_VERSION, Progress, Run};
use report::compare::{Replica, Warm};
use report::overlay::{agree, agree_figures};
use report::series::Table;
use report::sweep::Point;
use report::{mail, sweep};
use scenario::observed::{Events, Figure, Results, Samples};
use scenario::{Problem, Shared, link};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The largest difference that agrees, as a share.
const TOLERANCE: f64 = 0.25;
/// Arms whose beginning is kept.
const BEGINNINGS_MAX: usize = 5;

type Outcome<T> = Result<T, Vec<Problem>>;

/// What a worker keeps between tasks.
#[derive(Default)]
pub(crate) struct Desk {
    beginnings: Vec<(String, Beginning)>,
}

impl Desk {
    /// Does a task.
    pub(crate) fn take(&mut self, name: &str, args: &str) -> Outcome<String> {
        let args: Value = serde_json::from_str(args).map_err(|e| said("task", &e.to_string()))?;
        match name {
            "replicate" => self.replicate(&args),
            "compare" => compare(&args),
            "grid" => grid(&args),
            "point" => point(&args),
            "sweep" => whole_sweep(&args),
            "export" => export(&args),
            "overlay" => overlay(&args),
            "claim" => Ok(claim(&args)),
            _ => Err(said("task", "there is no such task")),
        }
    }

    /// One replication of an arm.
    fn replicate(&mut self, args: &Value) -> Outcome<String> {
        let (text, warm) = (text(args, "link"), warm(args));
        let key = format!("{} {text}", warm.name());
        let known = self.beginnings.iter().position(|(other, _)| *other == key);
        let at = match known {
            Some(at) => at,
            None => {
                let beginning = Beginning::of(&opened(text)?.scenario, warm)?;
                if self.beginnings.len() == BEGINNINGS_MAX {
                    self.beginnings.remove(0);
                }
                self.beginnings.push((key, beginning));
                self.beginnings.len() - 1
            }
        };
        Ok(written(&self.beginnings[at].1.replicate(number(args, "index") as u32)?))
    }
}

/// A comparison of what was simulated, in parts, and what a mail that was pasted says against it.
fn compare(args: &Value) -> Outcome<String> {
    let shared = opened(text(args, "link"))?;
    let rows: Vec<Vec<Replica>> = read(args, "rows")?;
    let comparison = join(&shared, rows, warm(args));
    let address = match text(args, "address") {
        "" => mail::ADDRESS,
        address => address,
    };
    Ok(written(&mail::Panel::of(&comparison, address)))
}

/// The points of a sweep.
fn grid(args: &Value) -> Outcome<String> {
    let over: Vec<String> = read(args, "over")?;
    let grid = Grid::new(&opened(text(args, "link"))?.scenario, &over)?;
    let points: Vec<Value> = grid
        .values
        .iter()
        .zip(&grid.scenarios)
        .map(|(over, scenario)| json!({ "over": over, "link": link::encode(scenario) }))
        .collect();
    let header = grid.header(number(args, "reps") as u32, None);
    Ok(json!({ "grid": header, "points": points }).to_string())
}

/// One point of a sweep.
fn point(args: &Value) -> Outcome<String> {
    let text = text(args, "link");
    let scenario = opened(text)?.scenario;
    let begin = Beginning::of(&scenario, Warm::Own)?;
    let runs = (0..number(args, "reps") as u32).map(|i| begin.replicate(i));
    let runs = runs.collect::<Outcome<Vec<Replica>>>()?;
    let point = Point::of(number(args, "point") as usize, read(args, "over")?, text.into(), &runs);
    Ok(written(&point))
}

/// A sweep as far as it is done, in parts.
fn whole_sweep(args: &Value) -> Outcome<String> {
    let mut points: Vec<Point> = read(args, "points")?;
    sweep::in_order(&mut points);
    Ok(written(&sweep::Panel::of(&read(args, "grid")?, &points)))
}

/// A run as a text: it is simulated once more, which gives the same.
fn export(args: &Value) -> Outcome<String> {
    let mut run = Run::prepare(&opened(text(args, "link"))?.scenario)?;
    let form = text(args, "form");
    if form == "ledger" {
        return Ok(lab::compare::ledger_hash());
    }
    if matches!(form, "trace" | "perfetto") {
        run = run.with_trace(lab::trace::EVENTS_MAX);
    }
    while run.advance(u64::MAX) == Progress::Running {}
    let mut table = Table { columns: run.header().columns, ..Table::default() };
    for (time, row) in run.take_rows() {
        table.push(time, &row);
    }
    Ok(match form {
        "json" => lab::export::json(&run.report(), &table),
        "trace" => run.trace_lines().map(|line| line + "\n").collect(),
        "perfetto" => lab::trace::perfetto(&run, &table).join("\n"),
        _ => lab::export::csv(&run.report(), &table),
    })
}

/// What a real kernel or a benchmark did, beside a run of the scenario.
fn overlay(args: &Value) -> Outcome<String> {
    let foreign = text(args, "text");
    let refuse = |why: String| said("the file", &why);
    let (mut samples, mut events, mut figures) = (None, None, Vec::new());
    let mut problems = Vec::new();
    if foreign.contains("mm_vmscan_") {
        let read = Events::parse(foreign).map_err(|e| refuse(e.to_string()))?;
        problems.extend(read.problems.clone());
        events = Some(read);
    } else if let Ok(read) = Results::parse(foreign) {
        let first = |f: &Figure| f.values.first().map(|value| (f.name.clone(), *value));
        figures.extend(read.figures.iter().filter_map(first));
    } else {
        let read = Samples::parse(foreign, 1_000.0).map_err(|e| refuse(e.to_string()))?;
        problems.extend(read.problems.clone());
        samples = Some(read);
    }
    let (report, table) = lab::measure(&opened(text(args, "link"))?.scenario)?;
    let by_event = match text(args, "align") {
        "kswapd" => Some(Align::Kswapd),
        "direct" => Some(Align::Direct),
        _ => None,
    };
    let aligned = by_event.map(|by| lab::overlay::shift(samples.as_ref(), &report, &table, by));
    let aligned = aligned.transpose().map_err(refuse)?.unwrap_or(0.0);
    let shift = aligned + args["shift"].as_f64().unwrap_or(0.0);
    let span = (0.0 - shift, report.window_s * 1000.0 - shift);
    let rates = lab::overlay::rates(samples.as_ref(), events.as_ref(), span).map_err(refuse)?;
    let mut rows = agree(&report, &rates, TOLERANCE);
    rows.extend(agree_figures(&report, &figures, TOLERANCE));
    let zero_ms = report.warmup_s * 1000.0 + shift;
    let lines = samples.map(|samples| lab::overlay::lines(&samples, &table, zero_ms));
    Ok(json!({
        "digest": report.digest, "shift_ms": shift, "rows": rows, "problems": problems.iter()
            .map(ToString::to_string).collect::<Vec<_>>(),
        "lines": lines.unwrap_or_default(),
    })
    .to_string())
}

/// What a pasted mail says of how its numbers were made, where that is not how they are made here;
/// with the model and the link where the model is another one.
fn claim(args: &Value) -> String {
    let mail = text(args, "text");
    let Some(claim) = scenario::mail::claim(mail) else { return "{}".to_owned() };
    let note = claim.note(MODEL_VERSION, &lab::compare::ledger_hash()).unwrap_or_default();
    let other = Some(claim.model).filter(|model| model != MODEL_VERSION);
    json!({ "note": note, "model": other, "link": link::found(mail).ok() }).to_string()
}

fn said(path: &str, sentence: &str) -> Vec<Problem> {
    vec![Problem::new(path, sentence)]
}

fn text<'a>(args: &'a Value, name: &str) -> &'a str {
    args[name].as_str().unwrap_or_default()
}

fn number(args: &Value, name: &str) -> u64 {
    args[name].as_u64().unwrap_or_default()
}

fn warm(args: &Value) -> Warm {
    Warm::by_name(text(args, "warm")).unwrap_or_default()
}

fn read<T: DeserializeOwned>(args: &Value, name: &str) -> Outcome<T> {
    serde_json::from_value(args[name].clone()).map_err(|e| said(name, &e.to_string()))
}

fn opened(text: &str) -> Outcome<Shared> {
    match link::decode(text) {
        Ok(opened) if opened.problems.is_empty() => Ok(opened.shared()),
        Ok(opened) => Err(opened.problems),
        Err(error) => Err(said("scenario", &error.to_string())),
    }
}

fn written<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data can be written as JSON")
}
