//! Every published figure beside the model's.

mod blocks;

use super::write_json;
use crate::table::row;
use crate::{Exit, Failure, Streams};
use blocks::{Block, markdown, plain};
use lab::validate::{
    COUNTERS_S, Fitted, Group, Line, Outcome, Plan, STAGE_S, Summary, Table, Validation, Verdict,
    figure, fitted, orderings, summary,
};
use serde_json::{Value, json};

/// The published figures that come with this version.
pub(crate) const COLLECTION: &str =
    include_str!("../../../../../tests/data/published/calibration.csv");

/// How the comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Aligned columns.
    Text,
    /// The same as Markdown.
    Markdown,
    /// Rows as JSON.
    Json,
}

impl Format {
    /// The format that two switches ask for; they exclude each other.
    pub(crate) fn of(markdown: bool, json: bool) -> Self {
        match (markdown, json) {
            (_, true) => Self::Json,
            (true, false) => Self::Markdown,
            (false, false) => Self::Text,
        }
    }
}

/// Runs what the table needs and prints the comparison.
pub(super) fn validate(
    table: &Table,
    sets: &[String],
    reps: u32,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let plan = Plan::new(table, sets, reps, None).map_err(Failure::refused)?;
    announce(&plan, streams)?;
    let validation = plan.compare().map_err(|problems| Failure::all(&problems))?;
    let lines = match format {
        Format::Json => {
            write_json(serde_json::to_string_pretty(&to_json(&validation)), streams)?;
            return Ok(Exit::Done);
        }
        Format::Text => plain(&document(&validation)),
        Format::Markdown => markdown(&document(&validation)),
    };
    for line in lines {
        writeln!(streams.stdout, "{line}")?;
    }
    Ok(Exit::Done)
}

/// Says how much will be run, to somebody who waits for it.
pub(super) fn announce(plan: &Plan<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    if streams.interactive && plan.simulations() > 0 {
        let n = plan.simulations();
        writeln!(streams.stderr, "note: {n} simulations, of about two seconds each")?;
    }
    Ok(())
}

fn document(validation: &Validation) -> Vec<Block> {
    let sum = summary(validation);
    let mut blocks = vec![Block::Title("Published figures beside the model".into())];
    blocks.push(Block::Text(format!(
        "SIMULATED by model {}; {} simulations, seeds a scenario: {}. The vmstat columns of D01 \
         (allocstall, pgscan) cover about {COUNTERS_S} s, throughput {STAGE_S} s: the model's \
         counts are scaled from its window to {COUNTERS_S} s. D01k divides them by {STAGE_S} s.",
        lab::MODEL_VERSION,
        validation.simulations,
        validation.reps,
    )));
    for set in validation.lines.chunk_by(|a, b| a.row.id == b.row.id) {
        blocks.extend(of_set(set, validation.reps));
    }
    blocks.extend(of_fitted(&fitted()));
    blocks.extend(of_summary(&sum, validation));
    blocks
}

/// The table of a set, with its reasons below.
fn of_set(set: &[Line], reps: u32) -> Vec<Block> {
    let arm = &set[0].row.arm;
    let arms_differ = set.iter().any(|line| line.row.arm != *arm);
    let id = &set[0].row.id;
    let title = if arms_differ { id.clone() } else { format!("{id}: {arm}") };
    let mut heading = vec!["metric", "at"];
    let mut right = vec![false, true];
    if arms_differ {
        heading.push("arm");
        right.push(false);
    }
    heading.extend(["published", "model"]);
    right.extend([true, true]);
    if reps > 1 {
        heading.push("sd");
        right.push(true);
    }
    heading.extend(["ratio", "role", "asked", "verdict"]);
    right.extend([true, false, false, false]);
    let mut reasons: Vec<&str> = Vec::new();
    let mut rows = vec![heading.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for line in set {
        let row = &line.row;
        let mut cells = vec![metric(line), format!("{} {}", row.x_name, row.x_value)];
        if arms_differ {
            cells.push(row.arm.clone());
        }
        cells.push(row.printed.clone().unwrap_or_default());
        cells.push(line.model().map_or_else(dash, figure));
        if reps > 1 {
            cells.push(line.spread().map_or_else(dash, figure));
        }
        cells.push(line.ratio().map_or_else(dash, |ratio| format!("{ratio:.3}")));
        cells.extend(judgement(line, &mut reasons));
        rows.push(cells);
    }
    let mut blocks = vec![Block::Heading(title), Block::Table { rows, right }];
    let notes = (1..).zip(reasons).map(|(n, reason)| format!("[{n}] {reason}"));
    blocks.extend(notes.map(Block::Text));
    blocks
}

/// Role, what is asked, and the verdict with the number of its reason.
fn judgement<'a>(line: &'a Line, reasons: &mut Vec<&'a str>) -> [String; 3] {
    let mut numbered = |word: &str, reason: &'a str| {
        let known = reasons.iter().position(|r| *r == reason).unwrap_or_else(|| {
            reasons.push(reason);
            reasons.len() - 1
        });
        format!("{word} [{}]", known + 1)
    };
    match &line.outcome {
        Outcome::NotModelled(reason) => [dash(), dash(), numbered("not modelled", reason)],
        Outcome::Modelled { role, asked, verdict, reason, .. } => {
            let word = verdict.word();
            let verdict = match reason {
                Some(reason) => numbered(word, reason),
                None => word.to_owned(),
            };
            [role.word().to_owned(), asked.words(), verdict]
        }
    }
}

fn metric(line: &Line) -> String {
    format!("{}, {}", line.row.metric, line.row.unit)
}

fn dash() -> String {
    "-".to_owned()
}

fn of_fitted(all: &[Fitted]) -> Vec<Block> {
    let mut rows =
        vec![["constant", "value", "kind", "rows that fixed it"].map(str::to_owned).to_vec()];
    for f in all {
        rows.push(vec![f.name.into(), f.value.clone(), f.kind.into(), f.rows.clone()]);
    }
    vec![
        Block::Heading("Fitted constants".into()),
        Block::Table { rows, right: vec![false, true, false, false] },
        Block::Text("No other constant of the ledger is marked as fitted.".into()),
    ]
}

fn of_summary(sum: &Summary, validation: &Validation) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Summary".into())];
    let mut rows = vec![
        ["miss", "at", "published", "model", "ratio", "asked", "reason"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for number in &sum.misses {
        let line = &validation.lines[*number];
        let Outcome::Modelled { asked, reason, .. } = &line.outcome else { continue };
        rows.push(vec![
            format!("{} {}", line.row.id, metric(line)),
            format!("{} {}", line.row.x_name, line.row.x_value),
            line.row.printed.clone().unwrap_or_default(),
            line.model().map_or_else(dash, figure),
            line.ratio().map_or_else(dash, |ratio| format!("{ratio:.3}")),
            asked.words(),
            reason.clone().unwrap_or_else(|| "not known".into()),
        ]);
    }
    if sum.misses.is_empty() {
        blocks.push(Block::Text("No row misses what is asked of it.".into()));
    } else {
        blocks
            .push(Block::Table { rows, right: vec![false, true, true, true, true, false, false] });
    }
    let mut rows = vec![
        ["role", "rows", "judged", "ok", "within 15 %", "within 1.5x"].map(str::to_owned).to_vec(),
    ];
    for (name, group) in [("calibrated", &sum.calibrated), ("follows", &sum.follows)] {
        let Group { rows: all, judged, ok, with_ratio, within_15_percent, within_1_5 } = *group;
        let of = |n: usize| share(n, with_ratio);
        rows.push(vec![
            name.into(),
            all.to_string(),
            judged.to_string(),
            share(ok, judged),
            of(within_15_percent),
            of(within_1_5),
        ]);
    }
    blocks.push(Block::Table { rows, right: vec![false, true, true, true, true, true] });
    if let Some(number) = sum.worst {
        let line = &validation.lines[number];
        let (metric, x) = (metric(line), &line.row.x_value);
        let ratio = line.ratio().map_or_else(dash, |ratio| format!("{ratio:.3}"));
        let id = &line.row.id;
        blocks.push(Block::Text(format!(
            "Worst judged row: {id}, {metric}, at {x}: model over published {ratio}."
        )));
    }
    blocks.extend(of_directions(validation));
    let modelled = sum.rows - sum.not_modelled;
    blocks.push(Block::Text(format!(
        "{modelled} of {} rows are modelled; the others have their reason below their set.",
        sum.rows
    )));
    blocks
}

/// The directions between published rows, broken ones row by row.
fn of_directions(validation: &Validation) -> Vec<Block> {
    let (held, broken) = orderings::check(validation);
    let all = held + broken.len();
    let mut blocks = vec![Block::Text(format!(
        "Directions between published rows whose difference exceeds their spread: {} hold.",
        share(held, all)
    ))];
    if broken.is_empty() {
        return blocks;
    }
    let mut rows = vec![row(["direction that does not hold", "published", "model"])];
    let line = |number: u64| validation.lines.iter().find(|line| line.row.line == number);
    for o in &broken {
        let (Some(a), Some(b)) = (line(o.first), line(o.second)) else { continue };
        let printed = |line: &Line| line.row.printed.clone().unwrap_or_default();
        let model = |line: &Line| line.model().map_or_else(dash, figure);
        rows.push(row([
            format!("{}, {}, at {} and {}", o.set, o.metric, o.first_x, o.second_x),
            format!("{} and {}", printed(a), printed(b)),
            format!("{} and {}", model(a), model(b)),
        ]));
    }
    blocks.push(Block::Table { rows, right: vec![false, true, true] });
    blocks
}

/// `12 of 13 (92.3 %)`.
fn share(part: usize, of: usize) -> String {
    if of == 0 {
        return dash();
    }
    format!("{part} of {of} ({:.1} %)", part as f64 * 100.0 / of as f64)
}

fn to_json(validation: &Validation) -> Value {
    let sum = summary(validation);
    let group = |g: &Group| {
        json!({
            "rows": g.rows, "judged": g.judged, "ok": g.ok, "with_ratio": g.with_ratio,
            "within_15_percent": g.within_15_percent, "within_1_5": g.within_1_5,
        })
    };
    let line_of = |number: &usize| validation.lines[*number].row.line;
    let (held, broken) = orderings::check(validation);
    let constants = fitted();
    let constant =
        |f: &Fitted| json!({ "name": f.name, "value": f.value, "kind": f.kind, "rows": f.rows });
    json!({
        "kind": "SIMULATED",
        "model": lab::MODEL_VERSION,
        "simulations": validation.simulations,
        "reps": validation.reps,
        "counters_s": COUNTERS_S,
        "rows": validation.lines.iter().map(row_json).collect::<Vec<_>>(),
        "fitted": constants.iter().map(constant).collect::<Vec<_>>(),
        "summary": {
            "rows": sum.rows,
            "not_modelled": sum.not_modelled,
            "calibrated": group(&sum.calibrated),
            "follows": group(&sum.follows),
            "misses": sum.misses.iter().map(line_of).collect::<Vec<_>>(),
            "worst": sum.worst.as_ref().map(line_of),
            "directions": {
                "held": held,
                "broken": broken.iter().map(|o| [o.first, o.second]).collect::<Vec<_>>(),
            },
        },
    })
}

fn row_json(line: &Line) -> Value {
    let row = &line.row;
    let mut value = json!({
        "line": row.line, "id": row.id, "metric": row.metric, "unit": row.unit,
        "x_name": row.x_name, "x_value": row.x_value, "arm": row.arm,
        "published": row.value().map_or_else(|| json!(row.printed), |value| json!(value)),
        "model": line.model(), "ratio": line.ratio(),
    });
    let more = match &line.outcome {
        Outcome::NotModelled(reason) => json!({
            "role": "not modelled", "verdict": "not modelled", "reason": reason,
        }),
        Outcome::Modelled { role, values, asked, verdict, reason, link } => json!({
            "role": role.word(),
            "values": values,
            "spread": line.spread(),
            "n": values.len(),
            "asked": asked.words(),
            "verdict": if *verdict == Verdict::Miss { "miss" } else { verdict.word() },
            "reason": reason,
            "link": link,
        }),
    };
    if let (Value::Object(all), Value::Object(more)) = (&mut value, more) {
        all.extend(more);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "id,metric,unit,x_name,x_value,arm,value\n\
        D25,latency,ns,cpu,A|B,x,45\n\
        D25,latency,ns,cpu,C,y,46\n\
        D01h,cap,threads,kind,page cache,advice,6\n";

    fn shown(format: Format) -> String {
        let table = Table::parse(TABLE, true).expect("a table");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut err,
            interactive: false,
        };
        let exit = validate(&table, &[], 1, format, &mut streams).expect("it can be written");
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
        assert!(text.starts_with("# Published figures beside the model\n\n"), "{text}");
        let row = "| latency, ns | cpu A\\|B | x | 45 | - | - | - | - | not modelled [1] |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("\n## D01h: advice\n"), "{text}");
    }

    #[test]
    fn json_has_a_row_each() {
        let all: Value = serde_json::from_str(&shown(Format::Json)).expect("JSON");
        assert_eq!(all["rows"].as_array().map(Vec::len), Some(3));
        assert_eq!(all["rows"][1]["published"], 46.0);
        assert_eq!(all["rows"][2]["reason"], "It is advice, not a measurement.");
        assert_eq!(all["summary"]["not_modelled"], 3);
        assert!(all["fitted"].as_array().is_some_and(|list| list.len() > 3));
    }
}
