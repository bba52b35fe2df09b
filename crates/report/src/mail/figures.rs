//! Tables and the chart of a mail.

use super::WIDTH;
use super::layout::{Page, pad};
use crate::compare::{Arm, Comparison, FIGURES, Figure, Mean, Paired, Verdict};
use crate::stats::{Spread, harmonic_mean};

/// The unit in which the throughput is written.
pub(super) struct Scale {
    factor: f64,
    unit: String,
    words: String,
}

impl Scale {
    /// What suits the first arm.
    pub(super) fn of(c: &Comparison) -> Self {
        let mean = c.arms.first().map_or(0.0, |arm| arm.throughput);
        let is_bytes = c.throughput_unit.starts_with("bytes");
        let (factor, unit) = match mean {
            _ if !is_bytes => (1.0, c.throughput_unit.clone()),
            mean if mean >= 1e9 => (1e9, "GB".to_owned()),
            mean if mean >= 1e6 => (1e6, "MB".to_owned()),
            _ => (1e3, "kB".to_owned()),
        };
        let words = if is_bytes {
            format!("throughput, {unit}/s ({})", c.throughput_unit)
        } else {
            format!("throughput, {unit}/s")
        };
        Self { factor, unit, words }
    }

    /// What one unit of work is called.
    pub(super) fn unit_of_work(&self) -> &str {
        &self.unit
    }

    /// How much of the throughput one unit is.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    pub(super) fn factor_of(&self, figure: &Figure) -> f64 {
        if figure.name == "throughput" { self.factor } else { 1.0 }
    }

    pub(super) fn words_of<'a>(&'a self, figure: &Figure) -> &'a str {
        if figure.name == "throughput" { &self.words } else { figure.words }
    }
}

/// Four significant digits, more only before the point.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size == 0.0 => "0".to_owned(),
        _ if size >= 1e9 => format!("{:.3}e9", value / 1e9),
        _ if size >= 1_000.0 => format!("{value:.0}"),
        _ if size >= 100.0 => format!("{value:.1}"),
        _ if size >= 10.0 => format!("{value:.2}"),
        _ if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

/// Columns of the name, the mean, the spread and the count.
const COLUMNS: [usize; 4] = [20, 10, 9, 4];

/// Every figure of every arm: mean, standard deviation, replications, and against the first arm.
pub(super) fn table(
    title: &str,
    c: &Comparison,
    scale: &Scale,
    figures: impl Iterator<Item = &'static Figure>,
    page: &mut Page,
) {
    let [name, mean, sd, n] = COLUMNS;
    let against = if c.arms.len() > 1 { "  against A, 95 %" } else { "  95 % +/-" };
    let (wide, narrow) = (name + 6, mean - 6);
    page.line(format!("{title:<wide$}{:>narrow$}{:>sd$}{:>n$}{against}", "mean", "sd", "n"));
    let mut absent = Vec::new();
    for figure in figures {
        let is_zero =
            |arm: &Arm| arm.values.get(figure.name).is_none_or(|v| v.iter().all(|v| *v == 0.0));
        if figure.name != "throughput" && c.arms.iter().all(is_zero) {
            absent.push(scale.words_of(figure));
            continue;
        }
        page.line(scale.words_of(figure));
        let factor = scale.factor_of(figure);
        for arm in &c.arms {
            let spread = arm.means.get(figure.name).copied().unwrap_or_default();
            let row = format!(
                "  {}{:>mean$}{:>sd$}{:>n$}",
                pad(&arm.title(), name - 2),
                number(spread.mean / factor),
                number(spread.sd / factor),
                spread.n
            );
            let behind = match c.paired(figure.name, &arm.name) {
                Some(pair) => difference(pair, factor),
                None if c.arms.len() == 1 => half(&spread, factor),
                None => String::new(),
            };
            if row.len() + 2 + behind.len() <= WIDTH {
                page.line(format!("{row}  {behind}"));
            } else {
                page.line(row);
                page.line(format!("{behind:>WIDTH$}"));
            }
        }
    }
    if !absent.is_empty() {
        page.hanging("  not in any arm: ", &absent.join("; "));
    }
}

fn half(spread: &Spread, factor: f64) -> String {
    spread.half_width().map_or_else(String::new, |half| number(half / factor))
}

/// A difference with its interval: in per cent of the first arm where that is not 0.
pub(super) fn difference(pair: &Paired, factor: f64) -> String {
    let mark = match pair.verdict {
        Verdict::Higher | Verdict::Lower => " *",
        Verdict::None => " =",
        Verdict::Unknown => " ?",
    };
    let signed = |v: f64| format!("{}{}", if v < 0.0 { "-" } else { "+" }, number(v.abs()));
    match (pair.per_cent, pair.half_width) {
        (Some(per_cent), Some(half)) => {
            let share = if pair.difference == 0.0 { 0.0 } else { per_cent / pair.difference };
            let half = half * share.abs();
            format!("{per_cent:+.2}% ({:+.2} {:+.2}){mark}", per_cent - half, per_cent + half)
        }
        (Some(per_cent), None) => format!("{per_cent:+.2}%{mark}"),
        (None, Some(half)) => {
            let (low, high) = (pair.difference - half, pair.difference + half);
            let [at, low, high] = [pair.difference, low, high].map(|v| signed(v / factor));
            format!("{at} ({low} {high}){mark}")
        }
        (None, None) => format!("{}{mark}", signed(pair.difference / factor)),
    }
}

/// Arms beside each other in a block of rows.
const BESIDE: usize = 3;
/// Columns of the row's name, of a value and of its per cents.
const MARKS: [usize; 3] = [15, 9, 10];

/// Rows as mmtests prints them: means, then spreads; stars where the intervals of the two means are
/// apart.
pub(super) fn marks(c: &Comparison, scale: &Scale, page: &mut Page) {
    let Some((first, others)) = c.arms.split_first() else { return };
    let [name, value, per_cent] = MARKS;
    let cell = value + per_cent;
    page.line("As mmtests prints it; *stars* where the intervals are apart:");
    for block in others.chunks(BESIDE - 1).chain(others.is_empty().then_some(&[][..])) {
        let arms: Vec<&Arm> = std::iter::once(first).chain(block).collect();
        let heads = |text: fn(&Arm) -> &str| -> String {
            arms.iter().map(|arm| format!("{:>cell$}", text(arm))).collect()
        };
        page.line(format!("{:name$}{}", "", heads(|a| &a.name)));
        if arms.iter().any(|arm| !arm.label.is_empty()) {
            page.line(format!("{:name$}{}", "", heads(|a| &a.label)));
        }
        for figure in FIGURES.iter().filter(|f| !f.is_cost) {
            let factor = scale.factor_of(figure);
            let short = figure.name.trim_start_matches("latency_").trim_end_matches("_us");
            let short = if short == "throughput" { scale.unit.as_str() } else { short };
            let mean = |arm: &Arm| match figure.mean {
                Mean::Harmonic => harmonic_mean(&arm.values[figure.name]),
                Mean::Arithmetic => arm.means[figure.name].mean,
            };
            let kind = if figure.mean == Mean::Harmonic { "Hmean" } else { "Amean" };
            let row = |kind: &str, get: &dyn Fn(&Arm) -> f64, stars: bool| {
                let base = get(first);
                let cells: String = arms
                    .iter()
                    .map(|arm| {
                        let apart =
                            stars && apart(&first.means[figure.name], &arm.means[figure.name]);
                        let rise = rise(base, get(arm), apart, arm.name == first.name);
                        format!("{:>value$}{rise:>per_cent$}", number(get(arm) / factor))
                    })
                    .collect();
                format!("{kind:<7}{:<width$}{cells}", pad(short, 8), width = name - 7)
            };
            page.line(row(kind, &mean, true));
            page.line(row("Stddev", &|arm: &Arm| arm.means[figure.name].sd, false));
        }
    }
}

/// Whether the intervals of two means are apart.
fn apart(a: &Spread, b: &Spread) -> bool {
    match (a.half_width(), b.half_width()) {
        (Some(x), Some(y)) => (a.mean - b.mean).abs() > x + y,
        _ => false,
    }
}

/// `( 0.00%)`, `(+1.20%)`, `*+7.30%*`.
fn rise(base: f64, value: f64, apart: bool, is_base: bool) -> String {
    let per_cent = if base == 0.0 { 0.0 } else { (value - base) * 100.0 / base };
    // More digits than a column holds say nothing more.
    let text = match per_cent {
        _ if is_base => " 0.00".to_owned(),
        p if p.abs() < 0.005 => "+0.00".to_owned(),
        p if p.abs() < 100.0 => format!("{p:+.2}"),
        p if p.abs() < 10_000.0 => format!("{p:+.0}"),
        p => format!("{p:+.0e}"),
    };
    if apart { format!("*{text}%*") } else { format!("({text}%)") }
}

/// Columns of an arm's name beside the chart.
const BESIDE_CHART: usize = 20;

/// The throughput of every arm as a mean within its interval, on one axis.
pub(super) fn chart(c: &Comparison, scale: &Scale, page: &mut Page) {
    let spreads: Vec<Spread> =
        c.arms.iter().filter_map(|arm| arm.means.get("throughput").copied()).collect();
    let ends = |s: &Spread| {
        let half = s.half_width().unwrap_or(0.0);
        [(s.mean - half) / scale.factor, (s.mean + half) / scale.factor]
    };
    let all = spreads.iter().flat_map(ends);
    let (low, high) =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if spreads.is_empty() || !low.is_finite() || !high.is_finite() {
        return;
    }
    let width = WIDTH - BESIDE_CHART;
    let place = |v: f64| -> usize {
        let share = if high > low { (v - low) / (high - low) } else { 0.5 };
        // Within the width by construction; rounding to the nearest column.
        ((share * (width - 1) as f64 + 0.5) as usize).min(width - 1)
    };
    // Pairs tell arms apart whose own intervals overlap.
    page.line(match high > low {
        true => "Throughput of each arm by itself: * its mean, |---| its 95 % interval.",
        false => "Throughput of each arm by itself: * its mean.",
    });
    let head = pad(&format!("{}/s", scale.unit), BESIDE_CHART);
    let (left, right) = (number(low), number(high));
    if high > low {
        let right_at = width.saturating_sub(left.len());
        page.line(format!("{head}{left}{right:>right_at$}"));
    } else {
        page.line(format!("{head}{left:^width$}"));
    }
    for (arm, spread) in c.arms.iter().zip(&spreads) {
        let [from, to] = ends(spread).map(place);
        let mut bar = vec![b' '; width];
        bar[from..=to].fill(b'-');
        if to > from {
            bar[from] = b'|';
            bar[to] = b'|';
        }
        bar[place(spread.mean / scale.factor)] = b'*';
        let bar: String = bar.into_iter().map(char::from).collect();
        page.line(format!("{}{bar}", pad(&arm.title(), BESIDE_CHART)));
    }
}
