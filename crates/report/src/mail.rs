//! A comparison as a mail that stands on its own: 7-bit, at most [`WIDTH`] columns, no clock and no
//! locale, so that page and command line write the same bytes.
//!
//! Only the line of the link may be longer: a link cannot be broken. Up to [`TAG_WIDTH`] columns it
//! is a `Link:` tag, which kernel checkers let pass, and beyond that a footnote.

mod figures;
mod layout;
mod panel;

pub use panel::{Cell, Dots, Head, Panel, Row};

use crate::compare::{Arm, Comparison, FIGURES, Verdict, Warm, gain};
use crate::window::seconds;
use catalog::LEDGER;
use catalog::constants::Kind;
use catalog::not_modelled::NOT_MODELLED;
use figures::{Scale, chart, marks, number, table};
use layout::{Page, pad};

/// Most columns of a line.
pub const WIDTH: usize = 72;
/// Most columns of a line that is a `Link:` tag.
pub const TAG_WIDTH: usize = 75;
/// The address in links where nobody has given another one.
pub const ADDRESS: &str = "https://reclaim.example.org/";
/// How many of the things that are not modelled are named.
const NAMED: usize = 4;

/// The mail of a comparison; `address` is that of the page, without `#`.
#[must_use]
pub fn text(c: &Comparison, address: &str) -> String {
    let mut page = Page::default();
    page.line(format!("SIMULATED with reclaimscope, model {}, ledger {}", c.model, c.ledger));
    page.gap();
    about(c, &mut page);
    for warning in &c.warnings {
        page.hanging("Warning: ", warning);
    }
    page.gap();
    for sentence in verdicts(c) {
        page.paragraph(&sentence);
    }
    page.gap();
    let scale = Scale::of(c);
    table("What the application gets", c, &scale, FIGURES.iter().filter(|f| !f.is_cost), &mut page);
    page.gap();
    marks(c, &scale, &mut page);
    page.gap();
    chart(c, &scale, &mut page);
    page.gap();
    table("What it costs", c, &scale, FIGURES.iter().filter(|f| f.is_cost), &mut page);
    for (arm, words) in gains(c, &scale) {
        page.hanging(&format!("  {arm}: "), &words);
    }
    page.gap();
    for arm in &c.arms {
        page.line(format!("digest {} {}", arm.name, arm.digest));
    }
    page.gap();
    assumptions(c, &mut page);
    page.gap();
    links(c, address, &mut page);
    page.finish()
}

/// The scenario, the arms, how it was measured.
fn about(c: &Comparison, page: &mut Page) {
    let seed = c.seeds.first().copied().unwrap_or_default();
    page.paragraph(&format!("{}: {}; seed {seed}", c.preset, c.title));
    let width = c.arms.iter().map(|arm| arm.title().len()).max().unwrap_or(0);
    for (i, arm) in c.arms.iter().enumerate().filter(|_| c.arms.len() > 1) {
        let sets = if i == 0 { "as above" } else { &arm.sets };
        page.hanging(&format!("  {}  ", pad(&arm.title(), width)), sets);
    }
    page.gap();
    let n = c.seeds.len();
    let pairs = if c.arms.len() > 1 {
        "replication i has the same seed in every arm; intervals are of 95 %, paired, by Student's t."
    } else {
        "each with a seed of its own; intervals are of 95 %, by Student's t."
    };
    let replications = if n == 1 { "replication" } else { "replications" };
    page.paragraph(&format!(
        "n = {n} {replications} an arm: {pairs} Warm-up: {}; then {} are measured. sd is the sample \
         standard deviation; * is a difference, = no detectable difference.",
        c.warmup,
        seconds(c.window_s),
    ));
}

/// What came out, in sentences.
fn verdicts(c: &Comparison) -> Vec<String> {
    let n = c.seeds.len();
    let (Some(first), true) = (c.arms.first(), c.arms.len() > 1) else { return Vec::new() };
    let mut sentences = Vec::new();
    for arm in c.arms.iter().skip(1) {
        for (name, words) in [("throughput", "throughput"), ("latency_p99_us", "p99 latency")] {
            let Some(pair) = c.paired(name, &arm.name) else { continue };
            let (a, b) = (first.title(), arm.title());
            let interval = pair.half_width.zip(pair.per_cent).map(|(half, per_cent)| {
                let half = half * (per_cent / pair.difference).abs();
                format!(" (interval {:+.2} to {:+.2}%)", per_cent - half, per_cent + half)
            });
            let size = pair.per_cent.map_or_else(
                || number(pair.difference.abs()),
                |per_cent| format!("{:.2}%", per_cent.abs()),
            );
            let interval = interval.unwrap_or_default();
            sentences.push(match pair.verdict {
                Verdict::Higher => format!("{b}: {words} {size} higher than {a}{interval}."),
                Verdict::Lower => format!("{b}: {words} {size} lower than {a}{interval}."),
                Verdict::None => {
                    format!("{b}: no detectable difference in {words} from {a} at n = {n}.")
                }
                Verdict::Unknown => {
                    let side = if pair.difference < 0.0 { "lower" } else { "higher" };
                    format!("{b}: {words} {size} {side} than {a}; n = 1 gives no interval.")
                }
            });
        }
    }
    sentences
}

/// What added workers gain and cost: an arm's title, and the words.
fn gains(c: &Comparison, scale: &Scale) -> Vec<(String, String)> {
    let Some((first, others)) = c.arms.split_first() else { return Vec::new() };
    let one = |arm: &Arm| {
        let gain = gain(first, arm, c.window_s)?;
        let unit = scale.unit_of_work();
        let a_unit = gain.cpu_s_a_unit.map_or_else(
            || "nothing gained".to_owned(),
            |s| format!("{} CPU s of kswapd a gained {unit}", number(s * scale.factor())),
        );
        let words = format!(
            "{} kswapds more than A; each adds {:+.2}% throughput and {:+.3} CPUs of kswapd; \
             {a_unit}",
            gain.workers, gain.per_cent_a_worker, gain.cpu_a_worker
        );
        Some((arm.title(), words))
    };
    others.iter().filter_map(one).collect()
}

/// What the numbers rest on.
fn assumptions(c: &Comparison, page: &mut Page) {
    let guesses = LEDGER.iter().filter(|c| c.kind == Kind::Guess).count();
    let fitted = LEDGER.iter().filter(|c| c.kind == Kind::Calibrated).count();
    page.hanging(
        "Assumptions: ",
        &format!(
            "the kernel's rules, event by event; of {} constants {guesses} are GUESS and {fitted} \
             CALIBRATED to published figures, the rest has a source.{}",
            LEDGER.len(),
            c.assumed.iter().map(|text| format!(" Assumed of {text}.")).collect::<String>()
        ),
    );
    let head = |sentence: &str| -> String {
        sentence.split([':', ';', '.', '(']).next().unwrap_or_default().trim().to_owned()
    };
    let named: Vec<String> = NOT_MODELLED.iter().take(NAMED).map(|s| head(s)).collect();
    let more = NOT_MODELLED.len().saturating_sub(NAMED);
    page.hanging("Not modelled: ", &format!("{}; and {more} more.", named.join("; ")));
}

fn links(c: &Comparison, address: &str, page: &mut Page) {
    let n = c.seeds.len();
    let warm = match c.warm {
        warm if warm == Warm::default() => String::new(),
        warm => format!(" --warm {}", warm.name()),
    };
    let short = format!("reclaimscope mail {} --reps {n}{warm}", c.link);
    if "Reproduce: ".len() + short.len() <= WIDTH {
        page.line(format!("Reproduce: {short}"));
    } else {
        page.line("Reproduce: save this mail in FILE, then");
        page.line(format!("           reclaimscope mail FILE --reps {n}{warm}"));
    }
    page.line("The link has what a mail has not: every event, lock and time.");
    page.gap();
    let link = format!("{}#{}", address.trim_end_matches('#'), c.link);
    if "Link: ".len() + link.len() <= TAG_WIDTH {
        page.unbroken(format!("Link: {link}"));
    } else {
        page.unbroken(format!("[1] {link}"));
    }
}

#[cfg(test)]
mod tests;
