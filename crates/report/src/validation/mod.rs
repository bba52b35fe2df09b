//! What was measured beside the model, as plain data: published tables row by row, experiments
//! with real kernels rule by rule, and what the constants were fitted to.
//!
//! `lab::validate` makes a [`Document`]; the terminal prints it, docs/validation.json holds it,
//! docs/VALIDATION.md is [`markdown`] of it, and the page shows it. Reasons are kept once each: a
//! row has the number of its own.

mod blocks;
mod layout;

use serde::{Deserialize, Serialize};

pub use layout::{markdown, text};

/// Everything that stands beside the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// `SIMULATED`.
    pub kind: String,
    /// The version of the model.
    pub model: String,
    /// Eight hex digits over the ledger.
    pub ledger: String,
    /// Eight hex digits over the table and the experiments.
    pub data: String,
    /// Seeds that every scenario was run with.
    pub reps: u32,
    /// Simulations of published rows.
    pub simulations: u64,
    /// Why rows are not modelled, not judged or miss; rows have their number here.
    pub reasons: Vec<String>,
    /// The published sets, in the order of the table.
    pub sets: Vec<Set>,
    /// Rows that fixed constants, over all sets.
    pub calibrated: Group,
    /// Rows that the model predicts, over all sets.
    pub predicted: Group,
    /// Which of two published rows is larger.
    pub directions: Directions,
    /// What was fitted.
    pub constants: Vec<Constant>,
    /// What is not known of kernels and assumed, a text a kernel.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What each rule of the experiments says.
    pub rules: Vec<Rule>,
    /// The experiments with real kernels.
    pub experiments: Vec<Experiment>,
}

/// The rows of one published set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Set {
    /// `D01c`.
    pub id: String,
    /// What was measured, in a few words.
    pub title: String,
    /// Rows that fixed constants.
    pub calibrated: Group,
    /// Rows that the model predicts.
    pub predicted: Group,
    /// Rows that the model has nothing for.
    pub not_modelled: usize,
    /// The rows: misses first, the worst before the others; then as in the table.
    pub rows: Vec<Row>,
}

/// The rows of one role in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Rows that the model has a figure for.
    pub rows: usize,
    /// Those that something is asked of.
    pub judged: usize,
    /// Those that meet it.
    pub ok: usize,
    /// Judged rows whose ratio to the published figure means something.
    pub with_ratio: usize,
    /// Those within 15 %.
    pub within_15_percent: usize,
    /// Those within a factor of 1.5 either way.
    pub within_1_5: usize,
}

/// What a row is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It fixed constants.
    Calibrated,
    /// It follows from them.
    Predicted,
    /// The model has nothing for it.
    NotModelled,
}

/// What became of a row or rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// What is asked of it is met.
    Ok,
    /// It is not.
    Miss,
    /// Nothing is asked of it, for a reason.
    NotJudged,
    /// There is no figure of the model.
    NotModelled,
}

/// A published figure and the model's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The line of the table that it stands on.
    pub line: u64,
    /// What was measured.
    pub metric: String,
    /// In which unit.
    pub unit: String,
    /// What varies within the set, and its value.
    pub x: [String; 2],
    /// Which variant was measured.
    pub arm: String,
    /// The figure as printed.
    pub published: String,
    /// The model's, the mean of its seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<f64>,
    /// The standard deviation over the seeds, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// The model's over the published figure, where that is not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Whether it fixed constants or follows.
    pub role: Role,
    /// What is asked of it, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub asked: String,
    /// Whether that is met.
    pub verdict: Verdict,
    /// The number of its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<usize>,
    /// The scenario of its run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// Directions between published rows whose difference exceeds their spread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directions {
    /// Those that the model has.
    pub held: usize,
    /// Those that it does not have: the lines of the two rows.
    pub broken: Vec<[u64; 2]>,
}

/// A constant that was set so that published rows come out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// Its name in the ledger, or the key of its control.
    pub name: String,
    /// Its value with its unit.
    pub value: String,
    /// `fitted`, or `stated input`.
    pub kind: String,
    /// Which rows fixed it.
    pub rows: String,
}

/// A rule of the experiments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its number.
    pub number: u32,
    /// What it says.
    pub says: String,
}

/// One experiment with a real kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// The name of its folder.
    pub name: String,
    /// The kernel as it names itself; empty where several are compared.
    pub kernel: String,
    /// Rule by rule, misses first.
    pub facts: Vec<Fact>,
    /// What was taken as it is.
    pub notes: Vec<String>,
}

/// What a kernel did and what the model does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The number of its rule.
    pub rule: u32,
    /// What is compared.
    pub fact: String,
    /// What the kernel did.
    pub kernel: String,
    /// What the model did.
    pub model: String,
    /// How far they may lie apart.
    pub tolerance: String,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why it is not judged or not modelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Document {
    /// The reason of a row.
    #[must_use]
    pub fn reason(&self, row: &Row) -> Option<&str> {
        self.reasons.get(row.reason?).map(String::as_str)
    }

    /// Every published row.
    pub fn rows(&self) -> impl Iterator<Item = (&Set, &Row)> {
        self.sets.iter().flat_map(|set| set.rows.iter().map(move |row| (set, row)))
    }

    /// The published row on a line of the table.
    #[must_use]
    pub fn on_line(&self, line: u64) -> Option<(&Set, &Row)> {
        self.rows().find(|(_, row)| row.line == line)
    }

    /// Facts of the experiments with this verdict.
    #[must_use]
    pub fn facts(&self, verdict: Verdict) -> usize {
        let facts = self.experiments.iter().flat_map(|experiment| &experiment.facts);
        facts.filter(|fact| fact.verdict == verdict).count()
    }
}

impl Row {
    /// How far the model is off: the ratio or its inverse, whichever is larger.
    #[must_use]
    pub fn off(&self) -> Option<f64> {
        let ratio = self.ratio?;
        Some(if ratio > 0.0 { ratio.max(1.0 / ratio) } else { f64::INFINITY })
    }
}

impl Group {
    /// The rows of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            judged: self.judged + other.judged,
            ok: self.ok + other.ok,
            with_ratio: self.with_ratio + other.with_ratio,
            within_15_percent: self.within_15_percent + other.within_15_percent,
            within_1_5: self.within_1_5 + other.within_1_5,
        }
    }
}

impl Role {
    /// The word that stands in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::Predicted => "predicted",
            Self::NotModelled => "-",
        }
    }
}

impl Verdict {
    /// The word that stands in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Miss => "MISS",
            Self::NotJudged => "not judged",
            Self::NotModelled => "not modelled",
        }
    }
}

/// A figure with as many digits as mean something: whole numbers from 1,000 on, else 4 digits.
#[must_use]
pub fn figure(value: f64) -> String {
    match value.abs() {
        v if v >= 1_000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        v if v >= 1.0 => format!("{value:.3}"),
        _ => format!("{value:.4}"),
    }
}
