//! What an argument names: a preset, a link, a file, the standard input.

use crate::{Failure, Streams};
use scenario::mail::Claim;
use scenario::{Opened, Shared, preset, quoted};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest file that is read, in bytes: what a zoneinfo may have, and more than a document.
const SIZE_MAX: u64 = scenario::paste::SIZE_MAX as u64;

/// The longest file with the points of a sweep, in bytes.
pub(crate) const LINES_MAX: u64 = 256 << 20;

/// Opens what an argument names; what could not be read of it goes to the user as warnings.
pub(crate) fn shared(input: &str, streams: &mut Streams<'_>) -> Result<Named, Failure> {
    let opened = open(input, streams)?;
    for problem in &opened.problems {
        writeln!(streams.stderr, "warning: {problem}")?;
    }
    for warning in opened.scenario.warnings() {
        writeln!(streams.stderr, "warning: {warning}")?;
    }
    let ledger = lab::compare::ledger_hash();
    let by_claim = opened.claim.as_ref().and_then(|c| c.note(lab::MODEL_VERSION, &ledger));
    for note in opened.model_note.iter().chain(&by_claim) {
        writeln!(streams.stderr, "note: {note}")?;
    }
    Ok(Named { shared: opened.shared(), claim: opened.claim })
}

/// What an argument names.
#[derive(Debug)]
pub(crate) struct Named {
    /// The scenario, its arms and its view.
    pub(crate) shared: Shared,
    /// What a mail says of its numbers.
    pub(crate) claim: Option<Claim>,
}

fn open(input: &str, streams: &mut Streams<'_>) -> Result<Opened, Failure> {
    let text = if input == "-" {
        read(streams.stdin, "the standard input")?
    } else if preset::by_name(input).is_some() || looks_like_link(input) {
        input.to_owned()
    } else {
        match File::open(input) {
            Ok(mut file) => read(&mut file, input)?,
            Err(error) => return Err(Failure::refused(nothing_there(input, &error))),
        }
    };
    scenario::open(&text).map_err(Failure::refused)
}

/// Whether a text begins like `v1.` once an address before it is taken off, and is no file's name.
fn looks_like_link(input: &str) -> bool {
    if input.ends_with(".json") {
        return false;
    }
    let fragment = input.rsplit('#').next().unwrap_or(input);
    let start = fragment.trim_start_matches(['<', '>', '|', '(', '[', '"', '\'', ' ']);
    let digits = start.strip_prefix('v').map_or("", |rest| rest.split('.').next().unwrap_or(""));
    let has_version = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    input.contains('#') || (has_version && start.contains('.'))
}

fn nothing_there(input: &str, error: &std::io::Error) -> String {
    let shown = quoted(input);
    if input.contains(['/', '.']) && input.len() < 4096 {
        return format!("the file {shown} cannot be read: {error}");
    }
    let known = preset::known_names();
    format!("{shown} is no link, no preset (there are {known}) and no file ({error})")
}

/// The text of a file.
pub(crate) fn file(path: &Path, streams: &mut Streams<'_>) -> Result<String, Failure> {
    let shown = path.display().to_string();
    if shown == "-" {
        return read(streams.stdin, "the standard input");
    }
    let unreadable =
        |error| Failure::refused(format!("{} cannot be read: {error}", quoted(&shown)));
    read(&mut File::open(path).map_err(unreadable)?, &shown)
}

/// The text of a file that may hold the lines of a whole sweep.
pub(crate) fn large(path: &Path, streams: &mut Streams<'_>) -> Result<String, Failure> {
    let shown = path.display().to_string();
    if shown == "-" {
        return read_up_to(LINES_MAX, streams.stdin, "the standard input");
    }
    let unreadable =
        |error| Failure::refused(format!("{} cannot be read: {error}", quoted(&shown)));
    read_up_to(LINES_MAX, &mut File::open(path).map_err(unreadable)?, &shown)
}

fn read(from: &mut dyn Read, name: &str) -> Result<String, Failure> {
    read_up_to(SIZE_MAX, from, name)
}

fn read_up_to(most: u64, from: &mut dyn Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let refused = |why: String| Failure::refused(format!("{} {why}", quoted(name)));
    from.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(refused(format!("is longer than {most} bytes, which is the most")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        refused(format!("is not text: byte {place} is no UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_told_from_names_and_files() {
        for link in [
            "v1.l18.x7Q",
            "https://x.example/#v1.l18.x7Q",
            "#junk",
            "<v99.x>",
            "v1.garbage",
            "> v1.x",
        ] {
            assert!(looks_like_link(link), "{link}");
        }
        for other in
            ["lumpkin2018", "v1", "scenario.json", "./v1.json", "v1.json", "../v1.x", "vm.json"]
        {
            assert!(!looks_like_link(other), "{other}");
        }
    }
}
