//! A comparison as plain data: what the terminal prints, what docs/VALIDATION.md is made from, and
//! what the page shows.

use super::plan::{Line, Outcome, Validation};
use super::{Fitted, Role, Verdict, fitted, orderings, sets, summary};
use crate::MODEL_VERSION;
use crate::compare::ledger_hash;
use crate::kernel::{self, Figure, Judged, RULES};
use catalog::{FLAVOURS, Flavour};
use report::validation::{
    Constant, Directions, Document, Experiment, Fact, Role as Word, Row, Rule, Set, Verdict as Said,
};

/// Everything about a comparison, and the experiments that were judged with it. `data` is the hash
/// of what it was made from (see [`super::data_hash`]).
#[must_use]
pub fn document(
    validation: &Validation,
    experiments: &[(&str, &Judged)],
    data: String,
) -> Document {
    let mut reasons = Reasons::default();
    let sum = summary(validation);
    let (held, broken) = orderings::check(validation);
    // A set may stand in two places of the table.
    let mut sets: Vec<Vec<Line>> = Vec::new();
    for line in &validation.lines {
        match sets.iter_mut().find(|set| set[0].row.id == line.row.id) {
            Some(set) => set.push(line.clone()),
            None => sets.push(vec![line.clone()]),
        }
    }
    Document {
        kind: "SIMULATED".into(),
        model: MODEL_VERSION.into(),
        ledger: ledger_hash(),
        data,
        reps: validation.reps,
        simulations: validation.simulations as u64,
        sets: sets.iter().map(|lines| set(lines, validation.reps, &mut reasons)).collect(),
        reasons: reasons.0,
        calibrated: sum.calibrated,
        predicted: sum.follows,
        directions: Directions {
            held,
            broken: broken.iter().map(|o| [o.first, o.second]).collect(),
        },
        constants: constants(),
        assumed: FLAVOURS.iter().filter_map(Flavour::assumptions).collect(),
        rules: RULES.iter().map(|&(number, says)| Rule { number, says: says.into() }).collect(),
        experiments: experiments_of(experiments),
    }
}

/// What was fitted, as the document has it.
#[must_use]
pub fn constants() -> Vec<Constant> {
    let constant =
        |f: Fitted| Constant { name: f.name, value: f.value, kind: f.kind.into(), rows: f.rows };
    fitted().into_iter().map(constant).collect()
}

/// Reasons, once each.
#[derive(Default)]
struct Reasons(Vec<String>);

impl Reasons {
    fn number(&mut self, reason: &str) -> usize {
        self.0.iter().position(|known| known == reason).unwrap_or_else(|| {
            self.0.push(reason.into());
            self.0.len() - 1
        })
    }
}

fn set(lines: &[Line], reps: u32, reasons: &mut Reasons) -> Set {
    let id = lines[0].row.id.clone();
    let sum = summary(&Validation { lines: lines.to_vec(), simulations: 0, reps });
    let mut rows: Vec<Row> = lines.iter().map(|line| row(line, reasons)).collect();
    let off = |row: &Row| row.off().unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| match (a.verdict == Said::Miss, b.verdict == Said::Miss) {
        (true, true) => off(b).total_cmp(&off(a)).then(a.line.cmp(&b.line)),
        (a_misses, b_misses) => b_misses.cmp(&a_misses).then(a.line.cmp(&b.line)),
    });
    Set {
        title: sets::title(&id).into(),
        id,
        calibrated: sum.calibrated,
        predicted: sum.follows,
        not_modelled: sum.not_modelled,
        rows,
    }
}

fn row(line: &Line, reasons: &mut Reasons) -> Row {
    let published = &line.row;
    let mut row = Row {
        line: published.line,
        metric: published.metric.clone(),
        unit: published.unit.clone(),
        x: [published.x_name.clone(), published.x_value.clone()],
        arm: published.arm.clone(),
        published: published.printed.clone().unwrap_or_default(),
        model: line.model(),
        spread: line.spread(),
        ratio: line.ratio(),
        role: Word::NotModelled,
        asked: String::new(),
        verdict: Said::NotModelled,
        reason: None,
        link: None,
    };
    match &line.outcome {
        Outcome::NotModelled(reason) => row.reason = Some(reasons.number(reason)),
        Outcome::Modelled { role, asked, verdict, reason, link, .. } => {
            row.role = match role {
                Role::Calibrated => Word::Calibrated,
                Role::Follows => Word::Predicted,
            };
            row.asked = asked.words();
            row.verdict = match verdict {
                Verdict::Ok => Said::Ok,
                Verdict::Miss => Said::Miss,
                Verdict::PrintedOnly => Said::NotJudged,
            };
            row.reason = reason.as_deref().map(|reason| reasons.number(reason));
            row.link = (!link.is_empty()).then(|| link.clone());
        }
    }
    row
}

/// The experiments, and what they show beside each other.
fn experiments_of(judged: &[(&str, &Judged)]) -> Vec<Experiment> {
    let mut all: Vec<Experiment> = judged
        .iter()
        .map(|&(name, judged)| Experiment {
            name: name.into(),
            kernel: judged.kernel().into(),
            facts: facts(&judged.lines),
            notes: judged.notes.clone(),
        })
        .collect();
    let together = kernel::together(judged);
    if !together.is_empty() {
        all.push(Experiment {
            name: "Experiments beside each other".into(),
            kernel: String::new(),
            facts: facts(&together),
            notes: Vec::new(),
        });
    }
    all
}

/// What was compared, misses first.
fn facts(lines: &[kernel::Line]) -> Vec<Fact> {
    let mut facts: Vec<Fact> = lines.iter().map(fact).collect();
    facts.sort_by_key(|fact| fact.verdict != Said::Miss);
    facts
}

fn fact(line: &kernel::Line) -> Fact {
    let (verdict, reason) = match &line.verdict {
        kernel::Verdict::Ok => (Said::Ok, None),
        kernel::Verdict::Miss => (Said::Miss, None),
        kernel::Verdict::NotModelled(reason) => (Said::NotModelled, Some(reason.clone())),
        kernel::Verdict::NotJudged(reason) => (Said::NotJudged, Some(reason.clone())),
    };
    Fact {
        rule: line.rule,
        fact: line.fact.clone(),
        kernel: words(&line.kernel),
        model: words(&line.model),
        tolerance: line.tolerance.clone(),
        verdict,
        reason,
    }
}

/// A figure as it is read.
#[must_use]
pub fn words(figure: &Figure) -> String {
    match figure {
        Figure::None => "-".to_owned(),
        Figure::Number(n) => number(*n),
        Figure::Range(mean, least, most) => {
            format!("{} ({} to {})", number(*mean), number(*least), number(*most))
        }
        Figure::Words(words) => words.clone(),
    }
}

/// A number as it is read: whole, or with three digits after the point.
fn number(n: f64) -> String {
    let text = format!("{n:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if n.abs() >= 100.0 { format!("{n:.0}") } else { short.to_owned() }
}
