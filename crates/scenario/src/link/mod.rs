//! One line that carries a scenario: `v1.<preset>.<tokens>.<check>`.
//!
//! The line is a URL fragment, so nothing of it reaches a server. It holds letters, digits, `.`,
//! `_` and `-` only and ends with a letter or digit, because mail programs cut links at anything
//! else. It says only what differs from the preset, in words that a reader of a mail can make out:
//! `k8` is eight kswapds a node. Two versions travel: the format in front (can I read it) and the
//! model where it is not the first (does it mean the same).
//!
//! `B` begins arm B: what follows differs from what stood before it, which is arm A. `_t2s` and
//! `_v-locks` are about how it is looked at; no number depends on them.
//!
//! Reading never gives up while something can be kept: a damaged token, a value out of bounds and a
//! missing end are problems beside a scenario that holds the rest.

mod check;
mod explain;
mod find;
mod format;
mod read;
mod token;

pub use explain::explain;
pub use format::{FORMAT, FORMATS, Format};

use crate::preset;
use crate::problem::quoted;
use crate::scenario::Scenario;
use crate::shared::{ARMS_MAX, Arm, LETTERS, Shared};
use crate::{Opened, nodes_max};
use catalog::{ConstantId, ControlId};
use core::fmt;

/// The number of the model's rules that links carry; a run of the same link under another number
/// gives other numbers. It rises whenever a digest changes.
pub const MODEL: u32 = 1;
/// The longest link that is read, in bytes.
pub const SIZE_MAX: usize = 8 << 10;
/// The longest text in which a link is looked for, in bytes: a long mail.
pub const TEXT_MAX: usize = 256 << 10;
/// Most constants of an arm that are read from a link.
const CONSTANTS_MAX: usize = 64;
/// Most tokens of an arm: one a control, one a node, constants, its letter.
const ARM_TOKENS_MAX: usize = ControlId::COUNT + 8 + CONSTANTS_MAX + 1;
/// Most tokens of a link: those of its arms, the model, the view.
const TOKENS_MAX: usize = ARM_TOKENS_MAX * ARMS_MAX + 4;

/// Why a text could not be opened as a link at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is nothing in it.
    Empty,
    /// The link is longer than [`SIZE_MAX`], or the text than [`TEXT_MAX`]: this many bytes.
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
                write!(
                    f,
                    "the text has {bytes} bytes; a link has at most {SIZE_MAX}, a mail around it \
                     {TEXT_MAX}"
                )
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
    let mut link = start(scenario, MODEL);
    write_science(scenario, &mut link);
    finish(link)
}

/// The link of a scenario with its arms and its view, without `#`.
#[must_use]
pub fn encode_shared(shared: &Shared) -> String {
    let mut link = science(shared, MODEL);
    if let Some(time) = shared.view.time_ns {
        push(&mut link, &token::write_cursor(time));
    }
    if let Some(show) = &shared.view.show {
        push(&mut link, &format!("{}{show}", token::SHOW));
    }
    finish(link)
}

/// The link without what does not change a number: the same for all who look at the same science.
#[must_use]
pub fn encode_science(shared: &Shared) -> String {
    finish(science(shared, MODEL))
}

fn science(shared: &Shared, model: u32) -> String {
    let mut link = start(&shared.scenario, model);
    let named = |letter: char, arm: &Arm| match arm.name.as_str() {
        "" => letter.to_string(),
        name => format!("{letter}-{name}"),
    };
    if let Some(first) = shared.arms.first().filter(|arm| !arm.name.is_empty()) {
        push(&mut link, &named(LETTERS[0], first));
    }
    write_science(&shared.scenario, &mut link);
    for (arm, letter) in shared.arms.iter().zip(LETTERS).skip(1) {
        push(&mut link, &named(letter, arm));
        for id in arm.differences(&shared.scenario) {
            push(&mut link, &token::write(&arm.scenario, id));
        }
        write_constants(&arm.scenario.constants_unlike(&shared.scenario), &mut link);
        if arm.has_own_nodes(&shared.scenario) {
            write_nodes(&arm.scenario, &mut link);
        }
    }
    link
}

fn start(scenario: &Scenario, model: u32) -> String {
    let preset = scenario.preset;
    let mut link = format!("v{FORMAT}.{}", preset.link);
    if preset.revision > 1 {
        link.push_str(&format!("-{}", preset.revision));
    }
    if model > 1 {
        push(&mut link, &format!("M{model}"));
    }
    link
}

fn write_science(scenario: &Scenario, link: &mut String) {
    for id in scenario.changes() {
        push(link, &token::write(scenario, id));
    }
    write_constants(scenario.changed_constants(), link);
    write_nodes(scenario, link);
}

fn write_constants(constants: &[(ConstantId, u64)], link: &mut String) {
    for &(id, value) in constants {
        push(link, &token::write_constant(id, value));
    }
}

fn write_nodes(scenario: &Scenario, link: &mut String) {
    for (i, node) in scenario.nodes.iter().enumerate().take(nodes_max()) {
        push(link, &token::write_node(i, node));
    }
}

fn push(link: &mut String, token: &str) {
    link.push('.');
    link.push_str(token);
}

fn finish(body: String) -> String {
    let check = check::of(&body);
    format!("{body}.{check}")
}

/// Opens a link, with or without the address before it and whatever a mail left around it.
///
/// # Errors
/// When it is no link, too long, of a newer format, or names an unknown preset.
pub fn decode(text: &str) -> Result<Opened, LinkError> {
    read::decode(text, MODEL)
}

/// The link that [`decode`] opens of a text, as it was written: for another version of this program
/// to read.
///
/// # Errors
/// When there is none, or it is too long.
pub fn found(text: &str) -> Result<String, LinkError> {
    find::find(text).map(|found| found.fragment)
}

#[cfg(test)]
mod tests;
