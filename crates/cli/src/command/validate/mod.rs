//! Every published figure beside the model's, and the experiments with real kernels.

use super::write_json;
use crate::{Exit, Failure, Streams};
use lab::kernel::{Experiment, Judged};
use lab::validate::{EXPERIMENTS, Finished, Plan, Table, data_hash, page};
use report::validation::{Document, markdown, text};
use std::path::{Path, PathBuf};

/// How the comparison is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Aligned columns.
    Text,
    /// The same as Markdown.
    Markdown,
    /// The data.
    Json,
    /// Markdown and data as files of a folder.
    Files(PathBuf),
}

/// The files that [`Format::Files`] writes.
const FILES: [&str; 2] = ["VALIDATION.md", "validation.json"];

impl Format {
    /// The format that the switches ask for; they exclude each other.
    pub(crate) fn of(markdown: bool, json: bool, write: Option<PathBuf>) -> Self {
        match (write, markdown, json) {
            (Some(folder), ..) => Self::Files(folder),
            (None, _, true) => Self::Json,
            (None, true, false) => Self::Markdown,
            (None, false, false) => Self::Text,
        }
    }
}

/// What is compared.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The published rows.
    pub(crate) table: Table,
    /// Their text, for the hash.
    pub(crate) text: String,
    /// The sets that are wanted; all when none is named.
    pub(crate) sets: Vec<String>,
    /// Whether the experiments with real kernels are wanted too.
    pub(crate) experiments: bool,
    /// Seeds of every scenario.
    pub(crate) reps: u32,
}

/// Runs what the table needs and prints the comparison.
pub(super) fn validate(
    wanted: &Wanted,
    format: &Format,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let plan =
        Plan::new(&wanted.table, &wanted.sets, wanted.reps, None).map_err(Failure::refused)?;
    if let Format::Files(folder) = format
        && !folder.is_dir()
    {
        let folder = scenario::quoted(&folder.display().to_string());
        return Err(Failure::refused(format!("--write: there is no folder {folder}")));
    }
    let document = document(wanted, &plan, streams)?;
    let lines = match format {
        Format::Json => {
            write_json(serde_json::to_string_pretty(&document), streams)?;
            return Ok(Exit::Done);
        }
        Format::Files(folder) => return write_files(folder, &document, streams),
        Format::Text => text(&document),
        Format::Markdown => markdown(&document),
    };
    for line in lines {
        writeln!(streams.stdout, "{line}")?;
    }
    Ok(Exit::Done)
}

fn document(
    wanted: &Wanted,
    plan: &Plan<'_>,
    streams: &mut Streams<'_>,
) -> Result<Document, Failure> {
    let experiments = if wanted.experiments { EXPERIMENTS } else { &[] };
    let data = data_hash(&wanted.text, experiments);
    let judged = judge(experiments, streams)?;
    let validation = plan
        .compare_with(|finished| say(finished, streams))
        .map_err(|problems| Failure::all(&problems))?;
    let named: Vec<(&str, &Judged)> =
        experiments.iter().zip(&judged).map(|((name, _), judged)| (*name, judged)).collect();
    Ok(page::document(&validation, &named, data))
}

/// The experiments beside the model.
fn judge(
    experiments: &[(&str, lab::kernel::Files<'_>)],
    streams: &mut Streams<'_>,
) -> Result<Vec<Judged>, Failure> {
    let mut read = Vec::new();
    for (name, files) in experiments {
        let problems = |problems: Vec<scenario::Problem>| {
            let sentence = |problem| format!("{name}: {problem}");
            Failure::Refused(problems.into_iter().map(sentence).collect())
        };
        read.push(Experiment::read(files).map_err(problems)?);
    }
    if !read.is_empty() && streams.progress {
        writeln!(streams.stderr, "note: {} experiments with real kernels", read.len())?;
    }
    Ok(lab::kernel::judge_all(&read.iter().collect::<Vec<_>>()))
}

/// Says on the standard error that a simulation is finished, to somebody who waits.
pub(super) fn say(finished: Finished<'_>, streams: &mut Streams<'_>) {
    let Finished { number, of, name } = finished;
    if streams.progress {
        // Whoever does not want to read it still wants the result.
        let _ = writeln!(streams.stderr, "note: {number} of {of}: {name}");
    }
}

fn write_files(
    folder: &Path,
    document: &Document,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let json = serde_json::to_string(document).expect("a document has finite numbers");
    // A line a set, so that a change can be read.
    let json = json.replace("{\"id\":", "\n{\"id\":").replace("{\"line\":", "\n {\"line\":");
    let texts = [markdown(document).join("\n"), json];
    for (name, text) in FILES.iter().zip(texts) {
        let path = folder.join(name);
        std::fs::write(&path, text + "\n").map_err(|error| {
            let name = scenario::quoted(&path.display().to_string());
            Failure::refused(format!("{name} cannot be written: {error}"))
        })?;
        writeln!(streams.stdout, "{}", path.display())?;
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "id,metric,unit,x_name,x_value,arm,value\n\
        D25,latency,ns,cpu,A|B,x,45\n\
        D25,latency,ns,cpu,C,y,46\n\
        D01h,cap,threads,kind,page cache,advice,6\n";

    fn shown(format: Format) -> String {
        let wanted = Wanted {
            table: Table::parse(TABLE, true).expect("a table"),
            text: TABLE.into(),
            sets: Vec::new(),
            experiments: false,
            reps: 1,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut err,
            interactive: false,
            progress: false,
        };
        let exit = validate(&wanted, &format, &mut streams).expect("it can be written");
        assert_eq!(exit, Exit::Done);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn rows_without_a_model_are_printed_with_their_reason() {
        let text = shown(Format::Text);
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let wanted = "latency, ns cpu A|B x 45 - - - - not modelled [1]";
        assert!(lines.into_iter().any(|line| line == wanted), "{text}");
        assert_eq!(text.matches("not modelled [1]").count(), 3, "{text}");
        assert!(text.contains("[1] It is advice, not a measurement."), "{text}");
        assert!(text.contains("0 of 3 rows are modelled"), "{text}");
        assert!(text.contains("inactive_share"), "{text}");
        assert!(text.is_ascii());
    }

    #[test]
    fn markdown_has_the_same_rows() {
        let text = shown(Format::Markdown);
        assert!(
            text.starts_with("# Published figures and real kernels beside the model\n\n"),
            "{text}"
        );
        let row = "| latency, ns | cpu A\\|B | x | 45 | - | - | - | - | not modelled [1] |";
        assert!(text.contains(row), "{text}");
        assert!(
            text.contains(
                "\n## D01h: How many kswapds a node are sensible, advice of 2018 (advice)\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn json_is_the_document() {
        let text = shown(Format::Json);
        let all: Document = serde_json::from_str(&text).expect("JSON");
        assert_eq!(all.sets.iter().map(|set| set.rows.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(all.sets[0].rows[1].published, "46");
        let advice = &all.sets[1].rows[0];
        assert_eq!(all.reason(advice), Some("It is advice, not a measurement."));
        assert_eq!(all.sets.iter().map(|set| set.not_modelled).sum::<usize>(), 3);
        assert!(all.constants.len() > 3 && all.data.len() == 8);
        assert_eq!(markdown(&all).join("\n") + "\n", shown(Format::Markdown));
    }

    #[test]
    fn files_are_what_is_printed() {
        let folder = std::env::temp_dir().join("reclaimscope-validation-files");
        std::fs::create_dir_all(&folder).expect("a folder");
        let said = shown(Format::Files(folder.clone()));
        assert_eq!(said.lines().count(), FILES.len());
        let read = |name| std::fs::read_to_string(folder.join(name)).expect("a file");
        assert_eq!(read(FILES[0]), shown(Format::Markdown));
        let json = |text: &str| serde_json::from_str::<Document>(text).expect("JSON");
        assert_eq!(json(&read(FILES[1])), json(&shown(Format::Json)));
        std::fs::remove_dir_all(folder).expect("it goes");
    }
}
