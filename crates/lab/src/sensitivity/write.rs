//! A study as Markdown, and as rows for the page.

use report::sensitivity::{Document, Effect, Outcome, Varied};

/// How many constants a result lists as moving it.
const LISTED: usize = 12;

/// The whole study as Markdown.
#[must_use]
pub fn markdown(document: &Document) -> String {
    let (option, which) = match document.guesses {
        true => (" --guesses", " marked GUESS"),
        false => ("", " with a range"),
    };
    let morris = match document.trajectories {
        0 => String::new(),
        n => format!(" --morris {n}"),
    };
    let mut text = format!(
        "# Which results hang on which constants\n\n\
         SIMULATED by model {}, ledger {}. Written by `reclaimscope sensitivity{option}{morris} \
         --write docs`; do not edit.\n\n\
         Each of the {} constants{which} is put to both ends of its range in the ledger, one at a \
         time; chance is the spread over {} seeds. A constant moves a result when an end changes it \
         by more than three standard deviations of chance and more than 0.5 %. An answer is \
         undecided as far as a constant goes when a plausible value of it flips the answer.\n",
        document.model,
        document.ledger,
        document.constants.len(),
        document.seeds,
    );
    if document.trajectories > 0 {
        text.push_str(&format!(
            "\nMorris screening moves all of them along {} random paths, one at a time, by two \
             thirds of its range: the mean of a constant's effects says how much it matters, their \
             spread whether that hangs on the others.\n",
            document.trajectories
        ));
    }
    let answers = || document.outcomes.iter().enumerate().filter(|(_, o)| o.limit.is_some());
    if answers().next().is_some() {
        text.push_str(
            "\n## Answers\n\n| question | result | answer | undecided by |\n|---|---:|---|---|\n",
        );
        for (i, outcome) in answers() {
            let flips = flipped(document, i);
            let (answer, by) = match flips.is_empty() {
                true => (answer(outcome), "nothing in the ledger".to_owned()),
                false => ("undecided", flips.join(", ")),
            };
            text.push_str(&format!(
                "| {} | {} +/- {} | {answer} (as it is: {}) | {by} |\n",
                outcome.words,
                figure(outcome.base),
                figure(outcome.sd),
                self::answer(outcome),
            ));
        }
    }
    for (i, outcome) in document.outcomes.iter().enumerate() {
        one(document, i, outcome, &mut text);
    }
    guesses(document, &mut text);
    if !document.failed.is_empty() {
        text.push_str(
            "\n## Runs that came to no end\n\nAs if the constant did nothing there, which is not \
             known.\n\n",
        );
        for line in &document.failed {
            text.push_str(&format!("- {line}\n"));
        }
    }
    text.push_str("\n## Runs\n\n");
    for (name, link) in &document.arms {
        text.push_str(&format!("- `{name}`: `{link}`\n"));
    }
    text
}

fn answer(outcome: &Outcome) -> &'static str {
    let yes = outcome.limit.is_some_and(|limit| outcome.base > limit);
    if yes { "yes" } else { "no" }
}

/// The constants that flip an answer.
fn flipped(document: &Document, outcome: usize) -> Vec<String> {
    let flips = document.constants.iter().filter(|c| c.effects[outcome].flips);
    flips.map(|c| format!("{} ({})", c.name, c.kind)).collect()
}

/// What moves one result, most first.
fn one(document: &Document, i: usize, outcome: &Outcome, text: &mut String) {
    let share = |end: f64| (end / outcome.base - 1.0) * 100.0;
    let size = |c: &Varied| {
        let [low, high] = c.effects[i].ends;
        (low - outcome.base).abs().max((high - outcome.base).abs())
    };
    let mut moving: Vec<&Varied> =
        document.constants.iter().filter(|c| c.effects[i].moves).collect();
    moving.sort_by(|a, b| size(b).total_cmp(&size(a)));
    text.push_str(&format!(
        "\n## {}\n\n{}. As it is: {}, chance {}. Moved by {} constants",
        outcome.name,
        outcome.words.trim_end_matches('?'),
        figure(outcome.base),
        figure(outcome.sd),
        moving.len()
    ));
    if moving.is_empty() {
        text.push_str(".\n");
        return;
    }
    let screened = moving.iter().any(|c| c.effects[i].screened.is_some());
    text.push_str(if moving.len() > LISTED { "; the first twelve:\n\n" } else { ":\n\n" });
    text.push_str("| constant | value | range | at its low end | at its high end |");
    text.push_str(if screened { " Morris: mean effect, spread |\n" } else { "\n" });
    text.push_str("|---|---:|---:|---:|---:|");
    text.push_str(if screened { "---:|\n" } else { "\n" });
    for c in moving.iter().take(LISTED) {
        let [low, high] = c.effects[i].ends;
        text.push_str(&format!(
            "| {} ({}) | {} | {} to {} {} | {:+.1} % | {:+.1} % |",
            c.name,
            c.kind,
            c.value,
            c.low,
            c.high,
            c.unit,
            share(low),
            share(high)
        ));
        match c.effects[i].screened {
            Some((mean, sd)) if screened => {
                text.push_str(&format!(" {:.1} %, {:.1} % |\n", mean * 100.0, sd * 100.0));
            }
            _ => text.push('\n'),
        }
    }
}

/// Every guess, and what it moves.
fn guesses(document: &Document, text: &mut String) {
    text.push_str(
        "\n## Every GUESS\n\n| constant | value | range | moves |\n|---|---:|---:|---|\n",
    );
    for c in document.constants.iter().filter(|c| c.kind == "GUESS") {
        let moves = moves(document, c);
        let shown = if moves.is_empty() { "none of these results" } else { &moves };
        text.push_str(&format!(
            "| {} | {} {} | {} to {} | {shown} |\n",
            c.name, c.value, c.unit, c.low, c.high
        ));
    }
}

/// What a constant moves, in words: `B for A +12.0 % to -3.1 % (undecided)`.
fn moves(document: &Document, c: &Varied) -> String {
    let one = |(outcome, effect): (&Outcome, &Effect)| {
        let share = |end: f64| (end / outcome.base - 1.0) * 100.0;
        let [low, high] = effect.ends;
        let undecided = if effect.flips { " (undecided)" } else { "" };
        let shown =
            || format!("{} {:+.1} % to {:+.1} %{undecided}", outcome.name, share(low), share(high));
        (effect.moves || effect.flips).then(shown)
    };
    let all: Vec<String> = document.outcomes.iter().zip(&c.effects).filter_map(one).collect();
    all.join("; ")
}

/// What the page shows beside the ledger: a line a constant, its name, a tab, what it moves.
#[must_use]
pub fn rows(document: &Document) -> String {
    let mut text = format!("# model {}, ledger {}\n", document.model, document.ledger);
    for c in &document.constants {
        text.push_str(&format!("{}\t{}\n", c.name, moves(document, c)));
    }
    text
}

/// A figure with three digits or so.
fn figure(value: f64) -> String {
    let size = value.abs();
    match () {
        () if size >= 1_000.0 => format!("{value:.0}"),
        () if size >= 0.001 || size == 0.0 => format!("{value:.3}"),
        () => format!("{value:.2e}"),
    }
}
