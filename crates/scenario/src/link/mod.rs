//! One line that carries a scenario: `v1.<preset>.<tokens>.<check>`.
//!
//! The line is a URL fragment, so nothing of it reaches a server. It holds letters, digits, `.`,
//! `_` and `-` only and ends with a letter or digit, because mail programs cut links at anything
//! else. It says only what differs from the preset, in words that a reader of a mail can make out:
//! `k8` is eight kswapds a node. Two versions travel: the format in front (can I read it) and the
//! model where it is not the first (does it mean the same).
//!
//! Reading never gives up while something can be kept: a damaged token, a value out of bounds and a
//! missing end are problems beside a scenario that holds the rest.

mod check;
mod format;
mod token;

pub use format::{FORMAT, FORMATS, Format};

use crate::preset::{self, Preset};
use crate::problem::{Problem, quoted};
use crate::scenario::{Scenario, is_shape};
use crate::{NodeSpec, Opened};
use catalog::{CONTROLS, ControlId};
use core::fmt;
use token::{Reading, Token};

/// The number of the model's rules that links carry; a run of the same link under another number
/// gives other numbers. It rises whenever a digest changes.
pub const MODEL: u32 = 1;
/// The longest link that is read, in bytes, with everything around it.
pub const SIZE_MAX: usize = 8 << 10;
/// Most tokens of a link: one a control, one a node, the model.
const TOKENS_MAX: usize = ControlId::COUNT + 16;

/// Why a text could not be opened as a link at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is nothing in it.
    Empty,
    /// It is longer than [`SIZE_MAX`]: this many bytes.
    TooLong(usize),
    /// It does not begin like a link; what it begins with.
    NotALink(String),
    /// It is of a format that this program does not know yet.
    NewerThanMe {
        /// The format it says.
        version: u64,
    },
    /// It names a preset that this program does not have.
    UnknownPreset(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the link is empty; one looks like `v1.l18.k4.r58.x7Q`"),
            Self::TooLong(bytes) => {
                write!(f, "the text has {bytes} bytes; a link has at most {SIZE_MAX}")
            }
            Self::NotALink(start) => write!(
                f,
                "{} is not a link, the name of a preset or a document; a link looks like \
                 `v1.l18.k4.r58.x7Q`",
                quoted(start)
            ),
            Self::NewerThanMe { version } => write!(
                f,
                "the link has format {version}, this program reads up to {FORMAT}: it was made by \
                 a newer version"
            ),
            Self::UnknownPreset(name) => {
                let known: Vec<_> = preset::PRESETS.iter().map(|p| p.link).collect();
                write!(f, "the link names the preset {}; known: {}", quoted(name), known.join(", "))
            }
        }
    }
}

impl core::error::Error for LinkError {}

/// The link of a scenario, without `#`. Values of the preset are left out, tokens stand in the
/// order of the controls, given nodes after them.
#[must_use]
pub fn encode(scenario: &Scenario) -> String {
    encode_with(scenario, MODEL)
}

fn encode_with(scenario: &Scenario, model: u32) -> String {
    let preset = scenario.preset;
    let mut link = format!("v{FORMAT}.{}", preset.link);
    if preset.revision > 1 {
        link.push_str(&format!("-{}", preset.revision));
    }
    if model > 1 {
        link.push_str(&format!(".M{model}"));
    }
    for id in scenario.changes() {
        link.push('.');
        link.push_str(&token::write(id, scenario.get(id)));
    }
    for (i, node) in scenario.nodes.iter().enumerate() {
        link.push('.');
        link.push_str(&token::write_node(i, node));
    }
    let check = check::of(&link);
    format!("{link}.{check}")
}

/// Opens a link, with or without the address before it and whatever a mail left around it.
///
/// # Errors
/// When it is no link, too long, of a newer format, or names an unknown preset.
pub fn decode(text: &str) -> Result<Opened, LinkError> {
    decode_with(text, MODEL)
}

fn decode_with(text: &str, model: u32) -> Result<Opened, LinkError> {
    let fragment = find_fragment(text)?;
    let mut parts: Vec<String> =
        fragment.split('.').take(TOKENS_MAX * 2).map(str::to_owned).collect();
    let start = || LinkError::NotALink(fragment.chars().take(40).collect());
    let version = parts[0].strip_prefix('v').filter(|v| !v.is_empty() && v.len() <= 9);
    let version: u64 = version.and_then(|v| v.parse().ok()).filter(|&v| v > 0).ok_or_else(start)?;
    if parts.len() < 2 {
        return Err(start());
    }
    if version > u64::from(FORMAT) {
        return Err(LinkError::NewerThanMe { version });
    }
    let mut problems = Vec::new();
    let intact = take_check(&fragment, &mut parts, &mut problems);
    let mut parts = format::upgrade(version as usize, parts.split_off(1));
    let base = Base::read(&parts.remove(0), model, &mut problems)?;
    Ok(read_tokens(base, &parts, intact, problems))
}

/// The part of a text that is the link: after the last `#`, without quotes, brackets and line
/// breaks that mail put there.
fn find_fragment(text: &str) -> Result<String, LinkError> {
    if text.len() > SIZE_MAX {
        return Err(LinkError::TooLong(text.len()));
    }
    let after = text.rsplit('#').next().unwrap_or(text);
    let edge = |c: char| !c.is_ascii_alphanumeric();
    let words: Vec<_> = after.split_whitespace().map(|w| w.trim_matches(['<', '>', '"'])).collect();
    let first = words.iter().find(|word| !word.trim_matches(edge).is_empty());
    let first = first.ok_or(LinkError::Empty)?.trim_matches(edge).to_owned();
    if check::is_intact(&first) {
        return Ok(first);
    }
    // A mail program may have broken the line inside the link.
    let joined = words.concat();
    let joined = joined.trim_matches(edge);
    if check::is_intact(joined) { Ok(joined.to_owned()) } else { Ok(first) }
}

/// Takes the check off the end of the parts, and says what is wrong with it. Returns whether the
/// link is as it was written.
fn take_check(fragment: &str, parts: &mut Vec<String>, problems: &mut Vec<Problem>) -> bool {
    if check::is_intact(fragment) {
        parts.pop();
        return true;
    }
    let last = parts.last().map_or("", String::as_str);
    if parts.len() > 2 && check::has_shape(last) {
        parts.pop();
        problems.push(Problem::new(
            "check",
            "the link was altered or damaged on its way: its end does not fit the rest; what can \
             be read is kept",
        ));
    } else {
        // What stands last may be a token that was cut; it is worth keeping if it reads as one.
        if parts.len() > 2 && matches!(token::read(last), Reading::Nothing(_)) {
            parts.pop();
        }
        problems.push(Problem::new(
            "check",
            "the end of the link is missing: it was truncated, and its last value may be too; what \
             can be read is kept",
        ));
    }
    false
}

/// What the tokens differ from.
struct Base {
    scenario: Scenario,
    note: Option<String>,
    model: u32,
}

impl Base {
    fn read(part: &str, model: u32, problems: &mut Vec<Problem>) -> Result<Self, LinkError> {
        let (name, revision) = part.split_once('-').unwrap_or((part, "1"));
        let unknown = || LinkError::UnknownPreset(part.chars().take(40).collect());
        let preset: &'static Preset = preset::by_link(name).ok_or_else(unknown)?;
        let values = revision.parse().ok().and_then(|revision| preset.values_at(revision));
        let values = values.unwrap_or_else(|| {
            let (shown, current) = (quoted(revision), preset.revision);
            let sentence = format!(
                "{} has no revision {shown} here; the values of revision {current} are taken",
                preset.name
            );
            problems.push(Problem::new("preset", sentence));
            preset.values()
        });
        let note = (revision != preset.revision.to_string() && values != preset.values()).then(|| {
            format!(
                "The link was made from revision {revision} of {}; now it is at {}. The values are \
                 those of the link.",
                preset.name, preset.revision
            )
        });
        Ok(Self { scenario: Scenario::with_values(preset, values), note, model })
    }
}

/// Reads the tokens one by one.
fn read_tokens(base: Base, parts: &[String], intact: bool, problems: Vec<Problem>) -> Opened {
    let Base { mut scenario, note, model } = base;
    let mut reader =
        Reader { problems, seen: [false; ControlId::COUNT], nodes: Vec::new(), model: 1 };
    for (i, part) in parts.iter().enumerate().take(TOKENS_MAX) {
        reader.read(i + 1, part, &mut scenario);
    }
    if parts.len() > TOKENS_MAX {
        let sentence = format!("the link has more than {TOKENS_MAX} tokens; the rest is left out");
        reader.problems.push(Problem::new("tokens", sentence));
    }
    let Reader { mut problems, mut nodes, seen, model: made_with } = reader;
    if !nodes.is_empty() {
        nodes.sort_by_key(|(number, _)| *number);
        if let Some(i) = (0..nodes.len()).find(|&i| nodes[i].0 != i) {
            let sentence = format!("node {i} is missing; the nodes after it move up");
            problems.push(Problem::new("nodes", sentence));
        }
        if CONTROLS.iter().any(|c| is_shape(c.id) && seen[c.id as usize]) {
            let sentence = "the link gives both single nodes and a shape for all; the nodes hold";
            problems.push(Problem::new("nodes", sentence));
        }
        scenario.nodes = nodes.into_iter().map(|(_, node)| node).collect();
    }
    if !intact {
        problems.dedup();
    }
    let model_note = (made_with != model).then(|| {
        format!(
            "The link was made with model {made_with}, this is model {model}: its numbers differ."
        )
    });
    let model_note = match (note, model_note) {
        (Some(a), Some(b)) => Some(format!("{a} {b}")),
        (a, b) => a.or(b),
    };
    Opened { scenario, problems, model_note }
}

struct Reader {
    problems: Vec<Problem>,
    seen: [bool; ControlId::COUNT],
    nodes: Vec<(usize, NodeSpec)>,
    model: u32,
}

impl Reader {
    fn read(&mut self, number: usize, part: &str, scenario: &mut Scenario) {
        let path = format!("token {number}");
        let shown = quoted(part);
        let mut complain = |what: String| self.problems.push(Problem::new(&path, what));
        match token::read(part) {
            Reading::Token(Token::Control(id, value)) => {
                let label = id.control().label;
                if core::mem::replace(&mut self.seen[id as usize], true) {
                    complain(format!("{shown} sets {label} again; the first stands"));
                } else if let Err(problem) = scenario.set(id, value) {
                    let kept = scenario.text(id);
                    complain(format!("{shown}: {}; kept {kept}", problem.sentence));
                }
            }
            Reading::Token(Token::Node(node, spec)) => {
                if self.nodes.iter().any(|(other, _)| *other == node) {
                    complain(format!("{shown} gives node {node} again; the first stands"));
                } else {
                    self.nodes.push((node, spec));
                }
            }
            Reading::Token(Token::Model(model)) => self.model = model,
            Reading::Refused(id, why) => {
                let kept = scenario.text(id);
                complain(format!("{shown}: {why}; kept {kept}"));
            }
            Reading::Nothing(why) => {
                complain(format!("damaged at token {number} ({shown}): {why}; kept the rest"));
            }
        }
    }
}

#[cfg(test)]
mod tests;
