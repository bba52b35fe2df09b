//! A comparison as the page shows it: the same words and numbers as the mail, in parts.

use super::figures::{Scale, marks, number};
use super::layout::Page;
use super::{gains, text, verdicts};
use crate::compare::{Comparison, FIGURES, Figure, Paired, Verdict};
use crate::course::{Band, LINES, SPANS};
use crate::parts::{BLOCKS, Part};
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
    /// What time and waits are made of, in the order of [`BLOCKS`].
    pub parts: Vec<Rows>,
    /// Differences over the window.
    pub bands: Vec<Strip>,
    /// Seconds of the window.
    pub window_s: f64,
    /// The rows as mmtests prints them.
    pub marks: String,
    /// The mail.
    pub mail: String,
}

/// Rows under a heading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rows {
    /// What they are.
    pub words: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// How a figure of the other arms differs from that of the first over the window.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strip {
    /// What it is.
    pub words: String,
    /// Its unit.
    pub unit: String,
    /// Means of the first arm, a span each.
    pub first: Vec<f32>,
    /// The other arms.
    pub others: Vec<Other>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// Its letter and short name.
    pub title: String,
    /// Mean differences.
    pub difference: Vec<f32>,
    /// Half of their intervals; empty with one replication.
    pub half_width: Vec<f32>,
    /// Spans whose interval does not hold 0, in a sentence.
    pub verdict: String,
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
            parts: parts(c),
            bands: c.bands.iter().filter_map(|band| strip(c, &scale, band)).collect(),
            window_s: c.window_s,
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

/// The parts block by block; a block without any is left out.
fn parts(c: &Comparison) -> Vec<Rows> {
    let rows = |block: &crate::parts::Block| {
        let own: Vec<&Part> = c.parts.iter().filter(|p| p.split().0 == block.name).collect();
        let total = |arm: usize| own.iter().map(|part| part.means[arm].mean).sum::<f64>();
        let most = (0..c.arms.len()).map(total).fold(0.0, f64::max);
        let row = |part: &&Part| {
            let largest = part.means.iter().map(|m| m.mean).fold(0.0, f64::max);
            let whole = if block.adds_up { most } else { largest };
            let cell = |(arm, spread): (usize, &crate::stats::Spread)| {
                let pair = arm.checked_sub(1).map(|other| &part.paired[other]);
                Cell {
                    mean: number(spread.mean),
                    sd: number(spread.sd),
                    share: if whole > 0.0 { spread.mean / whole } else { 0.0 },
                    difference: pair
                        .map_or_else(String::new, |p| super::figures::difference(p, 1.0)),
                    verdict: pair.map_or("", |p| name(p.verdict)),
                }
            };
            let words = part.split().1.replace('_', " ");
            let cells = part.means.iter().enumerate().map(cell).collect();
            Row { words, is_cost: false, cells }
        };
        Rows { words: block.words.to_owned(), rows: own.iter().map(row).collect() }
    };
    BLOCKS.iter().map(rows).filter(|block| !block.rows.is_empty()).collect()
}

/// A band in the units of the page.
fn strip(c: &Comparison, scale: &Scale, band: &Band) -> Option<Strip> {
    let line = LINES.iter().find(|line| line.name == band.name)?;
    let factor = if line.name == "throughput" { scale.factor() } else { 1.0 };
    let scaled = |values: &[f32]| -> Vec<f32> {
        values.iter().map(|v| (f64::from(*v) / factor) as f32).collect()
    };
    let other = |against: &crate::course::Against| {
        let pairs = || against.difference.iter().zip(&against.half_width);
        let [above, below] = [1.0f32, -1.0].map(|sign| {
            pairs().filter(|(difference, half)| *difference * sign - *half > 0.0).count()
        });
        Other {
            title: c
                .arms
                .iter()
                .find(|a| a.name == against.arm)
                .map_or_else(String::new, |a| a.title()),
            difference: scaled(&against.difference),
            half_width: scaled(&against.half_width),
            verdict: match against.half_width.len() {
                0 => "one replication has no interval".to_owned(),
                _ => format!("above 0 in {above} of {SPANS} spans, below in {below}"),
            },
        }
    };
    Some(Strip {
        words: line.words.to_owned(),
        unit: match line.unit {
            "" => format!("{}/s", scale.unit_of_work()),
            unit => unit.to_owned(),
        },
        first: scaled(&band.first),
        others: band.others.iter().map(other).collect(),
    })
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
