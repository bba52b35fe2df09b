//! A comparison as the page shows it: the same words and numbers as the mail, in parts.

use super::figures::{Scale, marks, number};
use super::layout::Page;
use super::{gains, text, verdicts};
use crate::compare::{Comparison, FIGURES, Figure, Paired, Verdict};
use serde::Serialize;

/// A comparison in parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// Replications of each arm.
    pub n: usize,
    /// The arms.
    pub arms: Vec<Head>,
    /// What is left out before the window, in words.
    pub warmup: String,
    /// What stands against trusting the numbers, in sentences.
    pub warnings: Vec<String>,
    /// What came out, in sentences.
    pub verdicts: Vec<String>,
    /// What added workers gain and cost, in sentences.
    pub gains: Vec<String>,
    /// Every figure of every arm.
    pub rows: Vec<Row>,
    /// Paired differences, one by one.
    pub dots: Vec<Dots>,
    /// The rows as mmtests prints them.
    pub marks: String,
    /// The mail.
    pub mail: String,
}

/// What an arm is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Head {
    /// Its letter and short name.
    pub title: String,
    /// What it sets.
    pub sets: String,
    /// Digest over its replications.
    pub digest: String,
}

/// A figure of all arms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What it is.
    pub words: String,
    /// Whether it is a cost.
    pub is_cost: bool,
    /// Its values, an arm each.
    pub cells: Vec<Cell>,
}

/// A figure of an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Its mean.
    pub mean: String,
    /// Its standard deviation.
    pub sd: String,
    /// The mean as a share of the largest of all arms, for a bar.
    pub share: f64,
    /// The difference from arm A with its interval; empty for that.
    pub difference: String,
    /// What the difference means: `higher`, `lower`, `none`, `unknown`; empty for arm A.
    pub verdict: &'static str,
}

/// A figure's differences of one arm from A, replication by replication, in per cent of A's mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dots {
    /// The figure.
    pub words: String,
    /// The arm's letter and short name.
    pub title: String,
    /// The differences.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Half of its interval; 0 with one replication.
    pub half: f64,
    /// What it means, in a few words.
    pub verdict: &'static str,
}

impl Panel {
    /// Of a comparison; `address` is that of the page.
    #[must_use]
    pub fn of(c: &Comparison, address: &str) -> Self {
        let scale = Scale::of(c);
        let mut page = Page::default();
        marks(c, &scale, &mut page);
        let head = |arm: &crate::compare::Arm| Head {
            title: arm.title(),
            sets: arm.sets.clone(),
            digest: arm.digest.clone(),
        };
        let gained = gains(c, &scale).into_iter().map(|(arm, words)| format!("{arm}: {words}."));
        Self {
            n: c.seeds.len(),
            arms: c.arms.iter().map(head).collect(),
            warmup: c.warmup.clone(),
            warnings: c.warnings.clone(),
            verdicts: verdicts(c),
            gains: gained.collect(),
            rows: FIGURES.iter().filter_map(|figure| row(c, &scale, figure)).collect(),
            dots: ["throughput", "latency_p99_us"].iter().flat_map(|name| dots(c, name)).collect(),
            marks: page.finish(),
            mail: text(c, address),
        }
    }
}

/// A figure of all arms; none when it is 0 in all of them.
fn row(c: &Comparison, scale: &Scale, figure: &Figure) -> Option<Row> {
    let means: Vec<f64> = c.arms.iter().map(|arm| arm.means[figure.name].mean).collect();
    let most = means.iter().copied().fold(0.0, f64::max);
    if most == 0.0 && figure.name != "throughput" {
        return None;
    }
    let factor = scale.factor_of(figure);
    let cell = |(arm, mean): (&crate::compare::Arm, &f64)| {
        let pair = c.paired(figure.name, &arm.name);
        Cell {
            mean: number(mean / factor),
            sd: number(arm.means[figure.name].sd / factor),
            share: if most > 0.0 { mean / most } else { 0.0 },
            difference: pair.map_or_else(String::new, |p| super::figures::difference(p, factor)),
            verdict: pair.map_or("", |p| name(p.verdict)),
        }
    };
    let cells = c.arms.iter().zip(&means).map(cell).collect();
    Some(Row { words: scale.words_of(figure).to_owned(), is_cost: figure.is_cost, cells })
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::None => "none",
        Verdict::Unknown => "unknown",
    }
}

/// The paired differences of a figure; none where arm A has nothing to take per cents of.
fn dots(c: &Comparison, figure: &str) -> Vec<Dots> {
    let Some((first, others)) = c.arms.split_first() else { return Vec::new() };
    let base = first.means[figure].mean;
    if base == 0.0 {
        return Vec::new();
    }
    let words = FIGURES.iter().find(|f| f.name == figure).map_or("", |f| f.words);
    let of = |arm: &crate::compare::Arm| -> Option<Dots> {
        let pair: &Paired = c.paired(figure, &arm.name)?;
        let pairs = arm.values[figure].iter().zip(&first.values[figure]);
        Some(Dots {
            words: words.to_owned(),
            title: arm.title(),
            values: pairs.map(|(b, a)| (b - a) * 100.0 / base).collect(),
            mean: pair.difference * 100.0 / base,
            half: pair.half_width.unwrap_or(0.0) * 100.0 / base,
            verdict: match pair.verdict {
                Verdict::Higher => "higher",
                Verdict::Lower => "lower",
                Verdict::None => "no detectable difference",
                Verdict::Unknown => "one replication has no interval",
            },
        })
    };
    others.iter().filter_map(of).collect()
}
