//! Which results hang on which constants.

use super::write_json;
use crate::input::LINES_MAX;
use crate::{Exit, Failure, Streams};
use lab::sensitivity::{Ended, Heard, Known, Study, markdown, rows, study};
use report::Report;
use scenario::quoted;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// Runs between two lines of progress where nobody sees one that changes.
const LINE: usize = 200;

/// What a file of runs begins with.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    kind: String,
    runs_of: String,
    model: String,
    ledger: String,
}

impl Header {
    fn now() -> Self {
        Self {
            kind: "SIMULATED".into(),
            runs_of: "reclaimscope sensitivity".into(),
            model: lab::MODEL_VERSION.into(),
            ledger: lab::compare::ledger_hash(),
        }
    }
}

/// A run in it: its report, or why there is none.
#[derive(Debug, Serialize, Deserialize)]
struct Line<R> {
    run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

fn line_of(run: &str, ended: &Ended) -> String {
    let (report, failed) = (ended.as_deref().ok(), ended.as_ref().err().cloned());
    let line = Line::<&Report> { run: run.to_owned(), report, failed };
    serde_json::to_string(&line).expect("figures are finite, keys are text")
}

fn read_line(line: &str) -> Option<(String, Ended)> {
    let Line { run, report, failed } = serde_json::from_str::<Line<Report>>(line).ok()?;
    match (report, failed) {
        (Some(report), None) => Some((run, Ok(Arc::new(report)))),
        (None, Some(failed)) => Some((run, Err(failed))),
        _ => None,
    }
}

/// The runs of a file, which is cut behind its last whole one.
fn resume(path: &Path) -> Result<(File, Known), Failure> {
    let shown = quoted(&path.display().to_string());
    let refuse = |why: &str| Failure::refused(format!("--resume: {shown} {why}"));
    let unusable = |error: io::Error| refuse(&format!("cannot be used: {error}"));
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(unusable)?;
    let mut text = String::new();
    Read::by_ref(&mut file).take(LINES_MAX).read_to_string(&mut text).map_err(unusable)?;
    let header = serde_json::to_string(&Header::now()).expect("texts");
    let mut whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let (mut length, mut known) = (0, Known::new());
    match whole.next() {
        // Nothing, or a beginning that was cut off.
        None if header.starts_with(text.trim_end()) => {}
        Some(line) if line.trim_end() == header => {
            length = line.len();
            for line in whole {
                let Some((run, ended)) = read_line(line) else { break };
                length += line.len();
                known.insert(run, ended);
            }
        }
        Some(line) if serde_json::from_str::<Header>(line).is_ok() => {
            return Err(refuse("has runs of another model or ledger; it stays as it is"));
        }
        _ => return Err(refuse("holds something else than runs; it stays as it is")),
    }
    file.set_len(length as u64).map_err(unusable)?;
    file.seek(SeekFrom::End(0)).map_err(unusable)?;
    if length == 0 {
        file.write_all(format!("{header}\n").as_bytes()).map_err(unusable)?;
    }
    Ok((file, known))
}

/// Runs a study and prints or writes what came out.
pub(super) fn sensitivity(
    asked: &Study,
    json: bool,
    folder: Option<&Path>,
    runs: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = quoted(&folder.display().to_string());
        return Err(Failure::refused(format!("--write: there is no folder {folder}")));
    }
    let (mut file, known) = match runs {
        Some(path) => resume(path).map(|(file, known)| (Some(file), known))?,
        None => (None, Known::new()),
    };
    let document = {
        let (interactive, stderr) = (streams.interactive, &mut streams.stderr);
        let mut kept = Ok(());
        let mut told = |heard: &Heard<'_>| {
            let Heard { done, total, fresh } = *heard;
            if let (Some(file), Some((run, ended)), Ok(())) = (&mut file, fresh, &kept) {
                // A line at a time, so that a killed study loses only what was under way.
                kept = file.write_all(format!("{}\n", line_of(run, ended)).as_bytes());
            }
            // Who cannot be told how far it is gets the result all the same.
            if interactive {
                let _ = write!(stderr, "\r{done} of {total} runs so far");
            } else if fresh.is_some() && done.is_multiple_of(LINE) {
                let _ = writeln!(stderr, "{done} of {total} runs so far");
            }
        };
        let document =
            study(asked, known, &mut told).map_err(|problems| Failure::all(&problems))?;
        kept?;
        document
    };
    if streams.interactive {
        writeln!(streams.stderr)?;
    }
    if json {
        write_json(serde_json::to_string_pretty(&document), streams)?;
        return Ok(Exit::Done);
    }
    let Some(folder) = folder else {
        write!(streams.stdout, "{}", markdown(&document))?;
        return Ok(Exit::Done);
    };
    let data = serde_json::to_string(&document).expect("figures are finite, keys are text");
    let files = [
        ("SENSITIVITY.md", markdown(&document)),
        ("sensitivity.json", data + "\n"),
        ("sensitivity.tsv", rows(&document)),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        let shown = quoted(&path.display().to_string());
        std::fs::write(&path, text)
            .map_err(|why| Failure::refused(format!("{shown} cannot be written: {why}")))?;
        writeln!(streams.stdout, "{shown}")?;
    }
    Ok(Exit::Done)
}
