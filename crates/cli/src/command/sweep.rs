//! Many simulations, one row a point.

use super::merge::tables;
use super::run::exit;
use super::{cost, write_json};
use crate::input::LINES_MAX;
use crate::plan::{Form, Sweep};
use crate::{Exit, Failure, Streams};
use report::sweep::Point;
use scenario::quoted;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Simulates all points of a sweep or of its part and writes them in their order.
pub(super) fn sweep(
    sweep: &Sweep,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let all = sweep.grid.scenarios.len();
    let points = sweep.shard.map_or_else(|| (0..all).collect(), |shard| shard.points(all));
    let part = sweep.shard.map(|s| format!("{}/{}", s.index, s.count));
    let header = sweep.grid.header(sweep.reps, part);
    match &sweep.form {
        Form::Json => return whole(sweep, force, streams),
        Form::Table => {
            allow(sweep, &points, force, streams)?;
            let mut done: Vec<Point> = Vec::new();
            simulate(sweep, &points, |point| {
                done.push(point.clone());
                Ok(())
            })?;
            for line in tables(&header, &done) {
                writeln!(streams.stdout, "{line}")?;
            }
            return judge(&done, streams);
        }
        Form::Lines => {
            allow(sweep, &points, force, streams)?;
            writeln!(streams.stdout, "{}", line_of(&header))?;
            simulate(sweep, &points, |point| writeln!(streams.stdout, "{}", line_of(point)))?;
        }
        Form::File(path) => {
            let (mut file, have) = resume(path, &line_of(&header), &points)?;
            let rest = &points[have..];
            if have > 0 {
                let shown = quoted(&path.display().to_string());
                let total = points.len();
                writeln!(streams.stderr, "note: {shown} has {have} of {total} points already")?;
            }
            allow(sweep, rest, force, streams)?;
            simulate(sweep, rest, |point| {
                // A line at a time, so that a killed run loses only what was under way.
                file.write_all(format!("{}\n", line_of(point)).as_bytes())
            })?;
            file.flush()?;
        }
    }
    Ok(Exit::Done)
}

/// Asks before what takes long.
fn allow(
    sweep: &Sweep,
    points: &[usize],
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let scenarios = points.iter().map(|&p| &sweep.grid.scenarios[p]);
    let runs = scenarios.flat_map(|s| std::iter::repeat_n(s, sweep.reps as usize));
    cost::allow(runs, force, streams)
}

/// Simulates points and hands each over.
fn simulate(
    sweep: &Sweep,
    points: &[usize],
    mut done: impl FnMut(&Point) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut written = Ok(());
    let ran = sweep.grid.run(points, sweep.reps, |point| {
        written = done(&point);
        written.is_ok()
    });
    ran.map_err(|problems| Failure::all(&problems))?;
    written.map_err(Failure::Write)
}

/// A line of JSON.
fn line_of<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("points have text keys and finite numbers")
}

/// The file of a sweep, cut behind its last whole point, and how many points it has.
fn resume(path: &Path, header: &str, points: &[usize]) -> Result<(File, usize), Failure> {
    let shown = quoted(&path.display().to_string());
    let refuse = |why: &str| Failure::refused(format!("--out: {shown} {why}"));
    let unusable = |error: io::Error| refuse(&format!("cannot be used: {error}"));
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(unusable)?;
    let mut text = String::new();
    Read::by_ref(&mut file).take(LINES_MAX).read_to_string(&mut text).map_err(unusable)?;
    let mut whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let mut length = 0;
    let mut have = 0;
    match whole.next() {
        // Nothing, or a beginning that was cut off.
        None if header.starts_with(text.trim_end()) => {}
        Some(line) if line.trim_end() == header => {
            length = line.len();
            for (line, due) in whole.zip(points) {
                let point: Option<Point> = serde_json::from_str(line).ok();
                if point.is_none_or(|p| p.point != *due) {
                    break;
                }
                length += line.len();
                have += 1;
            }
        }
        _ => return Err(refuse("holds something else than this sweep; it stays as it is")),
    }
    file.set_len(length as u64).map_err(unusable)?;
    file.seek(SeekFrom::End(0)).map_err(unusable)?;
    if length == 0 {
        file.write_all(format!("{header}\n").as_bytes()).map_err(unusable)?;
    }
    Ok((file, have))
}

/// All points with their whole reports.
fn whole(sweep: &Sweep, force: bool, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    cost::allow(&sweep.grid.scenarios, force, streams)?;
    let mut reports = Vec::new();
    for result in sweep.grid.reports() {
        reports.push(result.map_err(|problems| Failure::all(&problems))?);
    }
    let points = sweep.grid.values.iter().zip(&reports).map(|(values, report)| {
        let values = values.iter().map(|v| Value::from(v.as_str()));
        let keys = sweep.grid.over.iter().map(|axis| axis.key.clone());
        let over: Map<String, Value> = keys.zip(values).collect();
        json!({ "over": over, "report": report })
    });
    let points: Vec<Value> = points.collect();
    write_json(serde_json::to_string_pretty(&json!({ "points": points })), streams)?;
    let mut all = Exit::Done;
    for report in &reports {
        if exit(report, streams)? != Exit::Done {
            all = Exit::Differs;
        }
    }
    Ok(all)
}

/// How many points are named of those that something stands against.
const NAMED_MAX: usize = 3;

/// Says what stands against trusting points.
fn judge(points: &[Point], streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let stopped = |warning: &str| warning.contains("stopped before");
    let doubted: Vec<&Point> = points.iter().filter(|p| !p.warnings.is_empty()).collect();
    for point in doubted.iter().take(NAMED_MAX) {
        for warning in &point.warnings {
            writeln!(streams.stderr, "warning: point {}: {warning}", point.over.join(" "))?;
        }
    }
    if doubted.len() > NAMED_MAX {
        let (more, of) = (doubted.len() - NAMED_MAX, points.len());
        writeln!(streams.stderr, "warning: so it is with {more} more of {of} points")?;
    }
    let whole = doubted.iter().all(|p| !p.warnings.iter().any(|w| stopped(w)));
    Ok(if whole { Exit::Done } else { Exit::Differs })
}
