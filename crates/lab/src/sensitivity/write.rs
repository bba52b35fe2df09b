//! A study as Markdown, and as rows for the page.

use catalog::ControlId;
use report::sensitivity::{Document, Effect, Outcome, Varied};
use scenario::link;

/// How many constants a result lists as moving it.
const LISTED: usize = 12;

/// The whole study as Markdown.
#[must_use]
pub fn markdown(document: &Document) -> String {
    let mut text = head(document);
    let answers = || document.outcomes.iter().enumerate().filter(|(_, o)| o.limit.is_some());
    if answers().next().is_some() {
        text.push_str(
            "\n## Answers\n\n| question | result | answer | undecided by | all at once |\n\
             |---|---:|---|---|---:|\n",
        );
        for (i, outcome) in answers() {
            let mut flips = flipped(document, i);
            if outcome.by_chance {
                flips.insert(0, "chance: it is too near to its limit".to_owned());
            }
            let as_it_is = answer(outcome);
            let (answer, by) = match flips.is_empty() {
                true => (as_it_is.to_owned(), "nothing that was varied".to_owned()),
                false => (format!("undecided (as it is: {as_it_is})"), flips.join(", ")),
            };
            let joint = outcome
                .joint
                .map_or_else(|| "-".to_owned(), |(yes, of)| format!("yes at {yes} of {of} points"));
            text.push_str(&format!(
                "| {} | {} +/- {} | {answer} | {by} | {joint} |\n",
                outcome.words,
                figure(outcome.base),
                figure(outcome.sd),
            ));
        }
    }
    for (i, outcome) in document.outcomes.iter().enumerate() {
        one(document, i, outcome, &mut text);
    }
    every(document, &mut text);
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
        let windows = link::decode(link).map_or_else(
            |_| String::new(),
            |shared| {
                let time = |id| shared.scenario.text(id);
                let (warmup, window) = (time(ControlId::Warmup), time(ControlId::Duration));
                format!(", warm-up {warmup}, window {window}")
            },
        );
        text.push_str(&format!("- `{name}`: `{link}`{windows}\n"));
    }
    text
}

/// What was done, and how to read it.
fn head(document: &Document) -> String {
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
         time, in {} runs, every one by itself from its beginning; they are listed at the end and \
         their windows are short. Chance is the spread over {} seeds, whose mean is the result. A constant \
         moves a result when an end changes it by more than three standard errors of chance and more \
         than 0.5 %, and does so again in the mean with a second seed. An answer is undecided as far as a constant goes when a plausible value of it flips the \
         answer, and by chance when its limit is nearer than that.\n",
        document.model,
        document.ledger,
        document.constants.len(),
        document.runs,
        document.seeds,
    );
    if document.trajectories > 0 {
        text.push_str(&format!(
            "\nMorris screening moves the {} constants that move something by themselves along {} \
             random paths, all from random values of their ranges, one at a time, by two thirds of \
             its range: the mean of a constant's effects says how much it matters, their spread \
             whether that hangs on the others. All at once: at how many points of these paths the \
             answer is yes. That many guesses are wrong together is unlikely; it is the widest that \
             the ledger allows.\n",
            document.screened, document.trajectories
        ));
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

/// What results are about: `Thread 1: does ...`.
fn topic(outcome: &Outcome) -> &str {
    outcome.words.split_once(": ").map_or("", |(topic, _)| topic)
}

/// Every constant, and what it moves, topic by topic.
fn every(document: &Document, text: &mut String) {
    let mut topics: Vec<&str> = Vec::new();
    for outcome in &document.outcomes {
        if !topics.contains(&topic(outcome)) {
            topics.push(topic(outcome));
        }
    }
    let what = if document.guesses { "GUESS" } else { "constant" };
    text.push_str(&format!(
        "\n## Every {what}\n\n`cannot` is that not one event of these runs changes at either end of \
         the range.\n\n| constant | value | range |"
    ));
    for topic in &topics {
        text.push_str(&format!(" {} |", if topic.is_empty() { "moves" } else { topic }));
    }
    text.push_str(&format!("\n|---|---:|---:|{}\n", "---|".repeat(topics.len())));
    for c in &document.constants {
        let kind = if document.guesses { String::new() } else { format!(" ({})", c.kind) };
        text.push_str(&format!(
            "| {}{kind} | {} {} | {} to {} |",
            c.name, c.value, c.unit, c.low, c.high
        ));
        for topic in &topics {
            text.push_str(&format!(" {} |", in_topic(document, c, topic)));
        }
        text.push('\n');
    }
}

/// What a constant moves of one topic, or that it cannot.
fn in_topic(document: &Document, c: &Varied, of: &str) -> String {
    let is_of = |outcome: &Outcome| topic(outcome) == of;
    let moved = moves(document, c, &is_of);
    if !moved.is_empty() {
        return moved;
    }
    let of_topic = || document.outcomes.iter().filter(|outcome| is_of(outcome));
    let bears = c.bears_on.iter().any(|arm| {
        let at = format!("@{arm}");
        of_topic().any(|o| o.expression.split_whitespace().any(|word| word.ends_with(&at)))
    });
    if bears { "nothing beyond chance".to_owned() } else { "cannot".to_owned() }
}

/// What a constant moves, in words: `B for A +12.0 % to -3.1 % (undecided)`.
fn moves(document: &Document, c: &Varied, is_asked: &dyn Fn(&Outcome) -> bool) -> String {
    let one = |(outcome, effect): (&Outcome, &Effect)| {
        let share = |end: f64| (end / outcome.base - 1.0) * 100.0;
        let [low, high] = effect.ends;
        let undecided = if effect.flips { " (undecided)" } else { "" };
        let shown =
            || format!("{} {:+.1} % to {:+.1} %{undecided}", outcome.name, share(low), share(high));
        (effect.moves && is_asked(outcome)).then(shown)
    };
    let all: Vec<String> = document.outcomes.iter().zip(&c.effects).filter_map(one).collect();
    all.join("; ")
}

/// What the page shows beside the ledger: a line a constant, its name, a tab, what it moves; `-`
/// where no event of any run hangs on it.
#[must_use]
pub fn rows(document: &Document) -> String {
    let mut text = format!("# model {}, ledger {}\n", document.model, document.ledger);
    for c in &document.constants {
        let words = match c.bears_on.is_empty() {
            true => "-".to_owned(),
            false => moves(document, c, &|_| true),
        };
        text.push_str(&format!("{}\t{words}\n", c.name));
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
