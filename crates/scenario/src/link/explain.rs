//! A link in words, part by part.

use super::read::{Base, Parts, take_apart};
use super::token::{self, Reading, Token};
use super::{LinkError, MODEL, TOKENS_MAX};
use crate::constants::constant_in_words;
use crate::problem::Problem;
use crate::scenario::Scenario;
use crate::shared::{LETTERS, value_in_words};
use catalog::{ControlId, LEDGER};

/// Every part of a link and what it means, in the link's order; what is damaged says so.
///
/// # Errors
/// When it is no link, too long, of a newer format, or names an unknown preset.
pub fn explain(text: &str) -> Result<Vec<(String, String)>, LinkError> {
    let Parts { version, parts, intact, mut problems } = take_apart(text)?;
    let mut rows = vec![(format!("v{version}"), format!("format {version}"))];
    let said = problems.len();
    let base = Base::read(&parts[0], MODEL, &mut problems)?.scenario;
    let preset = base.preset;
    let mut meaning = format!("preset {}: {}", preset.name, preset.sentence);
    for problem in problems.drain(said..) {
        meaning.push_str(&format!(" ({})", problem.sentence));
    }
    rows.push((parts[0].clone(), meaning));
    let tokens = parts.iter().skip(1).take(TOKENS_MAX);
    rows.extend(tokens.map(|part| (part.clone(), token_in_words(part, &base))));
    let check = if intact {
        "nothing before it was altered".to_owned()
    } else {
        problems.iter().map(|p| p.sentence.as_str()).collect::<Vec<_>>().join("; ")
    };
    rows.push(("check".to_owned(), check));
    Ok(rows)
}

fn token_in_words(part: &str, base: &Scenario) -> String {
    match token::read(part) {
        Reading::Token(Token::Control(id, value)) => {
            let mut with = base.clone();
            let set = with.set(id, value);
            control_in_words(id, &with, base, set)
        }
        Reading::Token(Token::Rows(id, rows)) => {
            let mut with = base.clone();
            let set = with.set_rows(id, rows);
            control_in_words(id, &with, base, set)
        }
        Reading::Token(Token::Constant(id, value)) => {
            let constant = &LEDGER[id as usize];
            let (name, kind, source) = (constant.name, constant.kind.word(), constant.source);
            let (is, was) = (constant_in_words(id, value), constant.value);
            format!("constant {name} = {is} (ledger: {was}, {kind}: {source})")
        }
        Reading::Token(Token::Node(number, node)) => {
            let zones = node.zones.iter().map(|z| format!("{} {}", z.kind.name(), z.managed));
            let zones: Vec<String> = zones.collect();
            format!("node {number}: {} CPUs; managed pages: {}", node.cpus, zones.join(", "))
        }
        Reading::Token(Token::Model(model)) => format!("made with model {model}"),
        Reading::Token(Token::Arm(place, name)) => {
            let named = if name.is_empty() { String::new() } else { format!(", named {name}") };
            match place {
                0 => format!("arm A{named}"),
                _ => format!(
                    "arm {}{named}: differs from arm A in what follows",
                    LETTERS.get(place).copied().unwrap_or('?')
                ),
            }
        }
        Reading::Token(Token::Cursor(nanos)) => {
            format!("time cursor at {}; changes no number", units::SimDuration::from_nanos(nanos))
        }
        Reading::Token(Token::Show(show)) => format!("shows {show}; changes no number"),
        Reading::Refused(id, why) => format!("{}: {why}", id.control().key),
        Reading::Nothing(why) => format!("damaged: {why}"),
    }
}

fn control_in_words(
    id: ControlId,
    with: &Scenario,
    base: &Scenario,
    set: Result<(), Problem>,
) -> String {
    let control = id.control();
    let key = control.key;
    if let Err(problem) = set {
        return format!("{key}: {}", problem.sentence);
    }
    let (is, was) = (value_in_words(with, id), value_in_words(base, id));
    format!("{key} = {is} (preset: {was}); {} [{}]", control.label, control.kernel_name)
}
