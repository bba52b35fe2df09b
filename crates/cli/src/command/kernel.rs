//! Experiments with real kernels beside the model.

use super::write_json;
use crate::table::{lines, row};
use crate::{Exit, Failure, Streams, input};
use lab::kernel::{Experiment, Figure, Files, Judged, Line, RULES, Verdict};
use lab::validate::page::words;
use scenario::quoted;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Most folders of one call.
const FOLDERS_MAX: usize = 1_000;

/// A folder that could be read.
#[derive(Debug)]
pub(crate) struct Folder {
    name: String,
    experiment: Experiment,
}

/// Reads every folder; all that is wrong with them is said at once.
pub(crate) fn read(folders: &[PathBuf], streams: &mut Streams<'_>) -> Result<Vec<Folder>, Failure> {
    if folders.len() > FOLDERS_MAX {
        return Err(Failure::refused(format!("there are more than {FOLDERS_MAX} folders")));
    }
    let (mut read, mut problems) = (Vec::new(), Vec::new());
    for path in folders {
        let name = path.display().to_string();
        match experiment(path, streams) {
            Ok(experiment) => read.push(Folder { name, experiment }),
            Err(Failure::Refused(sentences)) => {
                problems.extend(sentences.iter().map(|s| format!("{}: {s}", quoted(&name))));
            }
            Err(failure) => return Err(failure),
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(Failure::Refused(problems)) }
}

fn experiment(folder: &Path, streams: &mut Streams<'_>) -> Result<Experiment, Failure> {
    if !folder.is_dir() {
        return Err(Failure::refused("is not a folder"));
    }
    let params = input::file(&folder.join("params.json"), streams)?;
    let mut optional = |name: &str| -> Result<Option<String>, Failure> {
        let path = folder.join(name);
        if path.exists() { input::file(&path, streams).map(Some) } else { Ok(None) }
    };
    let (summary, nodes) = (optional("summary.json")?, optional("nodes.csv")?);
    let swap_runs = optional("swap_runs.csv")?;
    let (swaps, memcg) = (optional("swaps.csv")?, optional("memcg.csv")?);
    let files = Files {
        params: &params,
        summary: summary.as_deref(),
        nodes: nodes.as_deref(),
        swap_runs: swap_runs.as_deref(),
        swaps: swaps.as_deref(),
        memcg: memcg.as_deref(),
    };
    Experiment::read(&files).map_err(|problems| Failure::all(&problems))
}

/// Runs, compares and prints.
pub(super) fn kernel(
    folders: &[Folder],
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let experiments: Vec<&Experiment> = folders.iter().map(|folder| &folder.experiment).collect();
    let judged = lab::kernel::judge_all(&experiments);
    let named: Vec<(&str, &Judged)> = folders
        .iter()
        .zip(&judged)
        .map(|(folder, judged)| (folder.name.as_str(), judged))
        .collect();
    let together = lab::kernel::together(&named);
    let all = judged.iter().flat_map(|judged| &judged.lines).chain(&together);
    let counts = Counts::of(all);
    if json {
        let folder = |&(name, judged): &(&str, &Judged)| {
            json!({
                "folder": name,
                "kernel": judged.kernel(),
                "lines": judged.lines.iter().map(line_json).collect::<Vec<_>>(),
                "notes": judged.notes,
            })
        };
        let rule = |&(number, words): &(u32, &str)| json!({"rule": number, "says": words});
        let report = json!({
            "folders": named.iter().map(folder).collect::<Vec<_>>(),
            "together": together.iter().map(line_json).collect::<Vec<_>>(),
            "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            "runs": lab::kernel::RUNS,
            "ok": counts.ok,
            "misses": counts.misses,
            "not_modelled": counts.not_modelled,
            "not_judged": counts.not_judged,
        });
        write_json(serde_json::to_string_pretty(&report), streams)?;
    } else {
        for (name, judged) in &named {
            writeln!(streams.stdout, "{name}: kernel {}", judged.kernel())?;
            print(&judged.lines, streams)?;
            for note in &judged.notes {
                writeln!(streams.stdout, "  {note}")?;
            }
            writeln!(streams.stdout)?;
        }
        if !together.is_empty() {
            writeln!(streams.stdout, "Together")?;
            print(&together, streams)?;
            writeln!(streams.stdout)?;
        }
        let Counts { ok, misses, not_modelled, not_judged } = counts;
        writeln!(
            streams.stdout,
            "{ok} ok, {misses} missed, {not_modelled} not modelled, {not_judged} not judged; the \
             model's figures are those of {} runs.",
            lab::kernel::RUNS
        )?;
    }
    Ok(if counts.misses == 0 { Exit::Done } else { Exit::Differs })
}

/// How many lines have which verdict.
#[derive(Default)]
struct Counts {
    ok: u32,
    misses: u32,
    not_modelled: u32,
    not_judged: u32,
}

impl Counts {
    fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let mut counts = Self::default();
        for line in lines {
            *match line.verdict {
                Verdict::Ok => &mut counts.ok,
                Verdict::Miss => &mut counts.misses,
                Verdict::NotModelled(_) => &mut counts.not_modelled,
                Verdict::NotJudged(_) => &mut counts.not_judged,
            } += 1;
        }
        counts
    }
}

fn print(all: &[Line], streams: &mut Streams<'_>) -> Result<(), Failure> {
    let mut rows = vec![row(["  rule", "kernel", "model", "tolerance", "verdict"])];
    for line in all {
        let fact = format!("  {:>2} {}", line.rule, line.fact);
        let verdict = match &line.verdict {
            Verdict::Ok => "ok".to_owned(),
            Verdict::Miss => "MISS".to_owned(),
            Verdict::NotModelled(_) => "not modelled".to_owned(),
            Verdict::NotJudged(_) => "not judged".to_owned(),
        };
        let cells =
            [fact, words(&line.kernel), words(&line.model), line.tolerance.clone(), verdict];
        rows.push(row(cells));
    }
    let reasons = std::iter::once(None).chain(all.iter().map(|line| match &line.verdict {
        Verdict::NotModelled(reason) | Verdict::NotJudged(reason) => Some(reason),
        Verdict::Ok | Verdict::Miss => None,
    }));
    for (line, reason) in lines(&rows).iter().zip(reasons) {
        match reason {
            Some(reason) => writeln!(streams.stdout, "{line}: {reason}")?,
            None => writeln!(streams.stdout, "{line}")?,
        }
    }
    Ok(())
}

fn line_json(line: &Line) -> Value {
    let figure = |figure: &Figure| match figure {
        Figure::None => Value::Null,
        Figure::Number(n) => json!(n),
        Figure::Range(mean, least, most) => json!({"mean": mean, "least": least, "most": most}),
        Figure::Words(words) => json!(words),
    };
    let (verdict, reason) = match &line.verdict {
        Verdict::Ok => ("ok", None),
        Verdict::Miss => ("MISS", None),
        Verdict::NotModelled(reason) => ("not modelled", Some(reason)),
        Verdict::NotJudged(reason) => ("not judged", Some(reason)),
    };
    json!({
        "rule": line.rule,
        "fact": line.fact,
        "kernel": figure(&line.kernel),
        "model": figure(&line.model),
        "tolerance": line.tolerance,
        "verdict": verdict,
        "reason": reason,
    })
}
