//! A document as a page of text or of Markdown: what misses comes first.

use super::blocks::{self, Block};
use super::{Document, Experiment, Group, Row, Set, Verdict, figure};

/// For a terminal.
#[must_use]
pub fn text(document: &Document) -> Vec<String> {
    blocks::plain(&page(document))
}

/// docs/VALIDATION.md.
#[must_use]
pub fn markdown(document: &Document) -> Vec<String> {
    blocks::markdown(&page(document))
}

fn page(document: &Document) -> Vec<Block> {
    let mut page = vec![Block::Title("Published figures and real kernels beside the model".into())];
    page.push(Block::Text(format!(
        "SIMULATED by model {}, ledger {}, data {}. {} simulations of published rows, seeds a \
         scenario: {}. Written by `reclaimscope validate`; do not edit.",
        document.model, document.ledger, document.data, document.simulations, document.reps,
    )));
    page.push(Block::Text(
        "A row that fixed constants is calibrated; what the model says of the others is predicted, \
         with no constant of its own. Ratio is model over published. Nothing is taken out because \
         it misses."
            .into(),
    ));
    summary(document, &mut page);
    misses(document, &mut page);
    directions(document, &mut page);
    constants(document, &mut page);
    assumed(document, &mut page);
    for set in &document.sets {
        of_set(document, set, &mut page);
    }
    for experiment in &document.experiments {
        of_experiment(experiment, &mut page);
    }
    page
}

fn summary(document: &Document, page: &mut Vec<Block>) {
    page.push(Block::Heading("Summary".into()));
    let head = ["role", "rows", "judged", "ok", "within 15 %", "within 1.5x"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let groups = [("calibrated", document.calibrated), ("predicted", document.predicted)];
    for (name, group) in groups {
        rows.push(of_group(name, group));
    }
    page.push(Block::Table { rows, right: vec![false, true, true, true, true, true] });
    // Of figures that shall be none a ratio says nothing.
    let judged = |row: &Row| row.verdict != Verdict::NotJudged && !row.asked.starts_with("under");
    let worst = document.rows().filter(|(_, row)| judged(row));
    let worst = worst.filter_map(|(set, row)| Some((row.off()?, set, row)));
    if let Some((_, set, row)) =
        worst.max_by(|a, b| a.0.total_cmp(&b.0).then(b.2.line.cmp(&a.2.line)))
    {
        page.push(Block::Text(format!(
            "Worst judged row: {}, {}, at {}: model over published {}.",
            set.id,
            metric(row),
            row.x[1],
            ratio(row)
        )));
    }
    let head = ["set", "what", "rows", "modelled", "ok of judged", "within 15 %", "within 1.5x"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for set in &document.sets {
        let all = set.calibrated.and(set.predicted);
        let of = |n: usize, all: usize| if all == 0 { dash() } else { format!("{n} of {all}") };
        rows.push(vec![
            set.id.clone(),
            set.title.clone(),
            set.rows.len().to_string(),
            all.rows.to_string(),
            of(all.ok, all.judged),
            of(all.within_15_percent, all.with_ratio),
            of(all.within_1_5, all.with_ratio),
        ]);
    }
    page.push(Block::Table { rows, right: vec![false, false, true, true, true, true, true] });
    let (all, modelled) =
        (document.rows().count(), document.calibrated.rows + document.predicted.rows);
    page.push(Block::Text(format!(
        "{modelled} of {all} rows are modelled; the others have their reason below their set."
    )));
    if !document.experiments.is_empty() {
        let of = |verdict| document.facts(verdict);
        page.push(Block::Text(format!(
            "Experiments with real kernels, rule by rule: {} ok, {} missed, {} not judged, {} not \
             modelled.",
            of(Verdict::Ok),
            of(Verdict::Miss),
            of(Verdict::NotJudged),
            of(Verdict::NotModelled)
        )));
    }
}

fn of_group(name: &str, group: Group) -> Vec<String> {
    vec![
        name.to_owned(),
        group.rows.to_string(),
        group.judged.to_string(),
        share(group.ok, group.judged),
        share(group.within_15_percent, group.with_ratio),
        share(group.within_1_5, group.with_ratio),
    ]
}

fn misses(document: &Document, page: &mut Vec<Block>) {
    page.push(Block::Heading("Misses".into()));
    let head = ["row", "at", "published", "model", "ratio", "role", "asked", "reason"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut missed: Vec<(&Set, &Row)> =
        document.rows().filter(|(_, row)| row.verdict == Verdict::Miss).collect();
    let off = |row: &Row| row.off().unwrap_or(f64::INFINITY);
    missed.sort_by(|a, b| off(b.1).total_cmp(&off(a.1)).then(a.1.line.cmp(&b.1.line)));
    for (set, row) in &missed {
        rows.push(vec![
            format!("{} {}", set.id, metric(row)),
            at(row),
            row.published.clone(),
            row.model.map_or_else(dash, figure),
            ratio(row),
            row.role.word().into(),
            row.asked.clone(),
            document.reason(row).unwrap_or("not known").into(),
        ]);
    }
    if missed.is_empty() {
        page.push(Block::Text("No row misses what is asked of it.".into()));
    } else {
        let right = vec![false, true, true, true, true, false, false, false];
        page.push(Block::Table { rows, right });
    }
    let head = ["experiment", "rule", "kernel", "model", "tolerance"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for experiment in &document.experiments {
        for fact in experiment.facts.iter().filter(|fact| fact.verdict == Verdict::Miss) {
            rows.push(vec![
                experiment.name.clone(),
                format!("{} {}", fact.rule, fact.fact),
                fact.kernel.clone(),
                fact.model.clone(),
                fact.tolerance.clone(),
            ]);
        }
    }
    if rows.len() > 1 {
        page.push(Block::Table { rows, right: vec![false; 5] });
    }
}

fn directions(document: &Document, page: &mut Vec<Block>) {
    let all = document.directions.held + document.directions.broken.len();
    page.push(Block::Heading("Directions".into()));
    page.push(Block::Text(format!(
        "Which of two published rows is larger, where their difference exceeds their spread: {} \
         hold in the model.",
        share(document.directions.held, all)
    )));
    let mut rows = vec![
        ["direction that does not hold", "published", "model", "why"].map(str::to_owned).to_vec(),
    ];
    for [first, second] in &document.directions.broken {
        let (Some((set, a)), Some((_, b))) = (document.on_line(*first), document.on_line(*second))
        else {
            continue;
        };
        let model = |row: &Row| row.model.map_or_else(dash, figure);
        rows.push(vec![
            format!("{}, {}, at {} and {}", set.id, metric(a), at(a), at(b)),
            format!("{} and {}", a.published, b.published),
            format!("{} and {}", model(a), model(b)),
            document.reason(a).or_else(|| document.reason(b)).unwrap_or("not known").into(),
        ]);
    }
    if rows.len() > 1 {
        page.push(Block::Table { rows, right: vec![false, true, true, false] });
    }
}

fn constants(document: &Document, page: &mut Vec<Block>) {
    page.push(Block::Heading("Fitted constants".into()));
    let head = ["constant", "value", "kind", "rows that fixed it"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for c in &document.constants {
        rows.push(vec![c.name.clone(), c.value.clone(), c.kind.clone(), c.rows.clone()]);
    }
    page.push(Block::Table { rows, right: vec![false, true, false, false] });
    page.push(Block::Text("No other constant of the ledger is marked as fitted.".into()));
}

fn assumed(document: &Document, page: &mut Vec<Block>) {
    page.push(Block::Heading("Assumed of kernels".into()));
    page.push(Block::Text(
        "What is not known of a kernel is taken from the next newer one; published rows of such a \
         kernel are compared under these rules."
            .into(),
    ));
    let mut rows = vec![["kernel", "assumed"].map(str::to_owned).to_vec()];
    for text in &document.assumed {
        let (kernel, assumed) = text.split_once(": ").unwrap_or((text, ""));
        rows.push(vec![kernel.trim_start_matches("kernel ").to_owned(), assumed.to_owned()]);
    }
    page.push(Block::Table { rows, right: vec![false, false] });
}

/// The table of a set, with its reasons below.
fn of_set(document: &Document, set: &Set, page: &mut Vec<Block>) {
    let arms_differ = set.rows.iter().any(|row| row.arm != set.rows[0].arm);
    let spread = set.rows.iter().any(|row| row.spread.is_some());
    let mut heading = vec!["metric", "at"];
    let mut right = vec![false, true];
    if arms_differ {
        heading.push("arm");
        right.push(false);
    }
    heading.extend(["published", "model"]);
    right.extend([true, true]);
    if spread {
        heading.push("sd");
        right.push(true);
    }
    heading.extend(["ratio", "role", "asked", "verdict"]);
    right.extend([true, false, false, false]);
    let mut reasons: Vec<usize> = Vec::new();
    let mut rows = vec![heading.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for row in &set.rows {
        let mut cells = vec![metric(row), at(row)];
        if arms_differ {
            cells.push(row.arm.clone());
        }
        cells.push(row.published.clone());
        cells.push(row.model.map_or_else(dash, figure));
        if spread {
            cells.push(row.spread.map_or_else(dash, figure));
        }
        cells.push(ratio(row));
        cells.push(row.role.word().into());
        cells.push(if row.asked.is_empty() { dash() } else { row.asked.clone() });
        cells.push(verdict(row, &mut reasons));
        rows.push(cells);
    }
    page.push(Block::Heading(title(set, arms_differ)));
    page.push(Block::Table { rows, right });
    let said = (1..).zip(reasons).filter_map(|(n, reason)| {
        Some(Block::Text(format!("[{n}] {}", document.reasons.get(reason)?)))
    });
    page.extend(said);
}

fn title(set: &Set, arms_differ: bool) -> String {
    let mut title = format!("{}: {}", set.id, set.title);
    if !arms_differ && let Some(row) = set.rows.first() {
        title.push_str(&format!(" ({})", row.arm));
    }
    title
}

/// The verdict with the number of its reason below the table.
fn verdict(row: &Row, reasons: &mut Vec<usize>) -> String {
    let word = row.verdict.word();
    let Some(reason) = row.reason else { return word.into() };
    let known = reasons.iter().position(|r| *r == reason).unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    });
    format!("{word} [{}]", known + 1)
}

fn of_experiment(experiment: &Experiment, page: &mut Vec<Block>) {
    let Experiment { name, kernel, .. } = experiment;
    let kernel = if kernel.is_empty() { String::new() } else { format!(": kernel {kernel}") };
    page.push(Block::Heading(format!("{name}{kernel}")));
    let head = ["rule", "kernel", "model", "tolerance", "verdict"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for fact in &experiment.facts {
        let verdict = match &fact.reason {
            Some(reason) => format!("{}: {reason}", fact.verdict.word()),
            None => fact.verdict.word().to_owned(),
        };
        rows.push(vec![
            format!("{} {}", fact.rule, fact.fact),
            fact.kernel.clone(),
            fact.model.clone(),
            fact.tolerance.clone(),
            verdict,
        ]);
    }
    page.push(Block::Table { rows, right: vec![false; 5] });
    page.extend(experiment.notes.iter().cloned().map(Block::Text));
}

fn metric(row: &Row) -> String {
    format!("{}, {}", row.metric, row.unit)
}

fn at(row: &Row) -> String {
    format!("{} {}", row.x[0], row.x[1])
}

fn ratio(row: &Row) -> String {
    row.ratio.map_or_else(dash, |ratio| format!("{ratio:.3}"))
}

fn dash() -> String {
    "-".to_owned()
}

/// `12 of 13 (92.3 %)`.
fn share(part: usize, of: usize) -> String {
    if of == 0 {
        return dash();
    }
    format!("{part} of {of} ({:.1} %)", part as f64 * 100.0 / of as f64)
}
