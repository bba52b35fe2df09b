//! Which results hang on which constants.

use super::write_json;
use crate::{Exit, Failure, Streams};
use lab::sensitivity::{Study, markdown, rows, study};
use std::path::Path;

/// Runs between two lines of progress where nobody sees one that changes.
const LINE: usize = 200;

/// Runs a study and prints or writes what came out.
pub(super) fn sensitivity(
    asked: &Study,
    json: bool,
    folder: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = scenario::quoted(&folder.display().to_string());
        return Err(Failure::refused(format!("--write: there is no folder {folder}")));
    }
    let document = {
        let (interactive, stderr) = (streams.interactive, &mut streams.stderr);
        let mut told = |done: usize, total: usize| {
            // Who cannot be told how far it is gets the result all the same.
            if interactive {
                let _ = write!(stderr, "\r{done} of {total} runs");
            } else if done.is_multiple_of(LINE) {
                let _ = writeln!(stderr, "{done} of about {total} runs");
            }
        };
        study(asked, &mut told).map_err(|problems| Failure::all(&problems))?
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
        let shown = scenario::quoted(&path.display().to_string());
        std::fs::write(&path, text)
            .map_err(|why| Failure::refused(format!("{shown} cannot be written: {why}")))?;
        writeln!(streams.stdout, "{shown}")?;
    }
    Ok(Exit::Done)
}
