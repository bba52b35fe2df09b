//! The shareable document: what is simulated, and every way in which people hand it to each other.
//!
//! * [`Scenario`]: one value a control of the catalog, or a machine given zone by zone.
//! * [`preset`]: named scenarios that links and documents differ from.
//! * [`document`]: JSON, for files.
//! * [`link`]: one line for a mail, `v1.l18.k4.r58.x7Q`.
//! * [`Shared`]: a scenario, the arms of a comparison and the view, as links and documents have it.
//! * [`mail`]: a mail that was pasted back.
//! * [`observed`]: samples and events of a real kernel.
//! * [`story`]: lessons in steps, each with a scenario to look at.
//! * [`paste`]: `/proc/zoneinfo` and `sysctl` lines of a real machine.
//!
//! Everything that comes in is untrusted: it is bounded before anything is allocated for it, what
//! can be kept is kept, and the rest is a [`Problem`] that names its place. Nothing here knows the
//! model: whether a scenario can be run beyond its bounds, only `lab` says.

mod constants;
pub mod document;
pub mod link;
pub mod mail;
pub mod observed;
pub mod paste;
pub mod preset;
mod problem;
mod scenario;
mod shared;
pub mod story;
mod table;
mod text;

pub use constants::{constant_by_name, constant_in_words};
pub use document::DocumentError;
pub use link::LinkError;
pub use preset::{PRESETS, Preset};
pub use problem::{Problem, quoted};
pub use scenario::{MANAGED_MAX, NodeSpec, Scenario, ZoneSpec, nodes_max};
pub use shared::{
    ARMS_MAX, Arm, LETTERS, NAME_MAX, Shared, TIME_MAX_NS, View, check_name, value_in_words,
};

use core::fmt;

/// What came out of a link, a document or a name: always a scenario that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The scenario, with everything that could be read; with arms, arm A.
    pub scenario: Scenario,
    /// All arms, A first; empty when nothing is compared.
    pub arms: Vec<Arm>,
    /// How it is looked at.
    pub view: View,
    /// What could not be read, and what stands in its place.
    pub problems: Vec<Problem>,
    /// Set when the text was made under other rules, so that its numbers may differ now.
    pub model_note: Option<String>,
    /// The number of the model that a link was made with, [`link::MODEL`] for anything else.
    pub model: u32,
    /// What a mail says of how its numbers were made.
    pub claim: Option<mail::Claim>,
}

impl Opened {
    /// This scenario, with nothing to say about it.
    #[must_use]
    pub fn plain(scenario: Scenario) -> Self {
        Self::of(Shared::new(scenario))
    }

    /// These arms and this view, with nothing to say about them.
    #[must_use]
    pub fn of(shared: Shared) -> Self {
        let Shared { scenario, arms, view } = shared;
        let problems = Vec::new();
        let model = link::MODEL;
        Self { scenario, arms, view, problems, model_note: None, model, claim: None }
    }

    /// The scenario with its arms and its view.
    #[must_use]
    pub fn shared(&self) -> Shared {
        let (scenario, arms) = (self.scenario.clone(), self.arms.clone());
        Shared { scenario, arms, view: self.view.clone() }
    }
}

/// Why nothing could be opened at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The text looked like a link.
    Link(LinkError),
    /// The text looked like a document.
    Document(DocumentError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(error) => error.fmt(f),
            Self::Document(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for OpenError {}

/// Opens whatever somebody typed or pasted: the name of a preset, a document, or a link with
/// whatever stands around it, a whole mail for instance.
///
/// # Errors
/// When it is none of them, or too long, or made by a newer version.
pub fn open(text: &str) -> Result<Opened, OpenError> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    if let Some(preset) = preset::by_name(trimmed) {
        return Ok(Opened::plain(Scenario::new(preset)));
    }
    if trimmed.starts_with(['{', '[']) {
        return document::from_json(trimmed).map_err(OpenError::Document);
    }
    let opened = link::decode(trimmed).map_err(OpenError::Link)?;
    Ok(Opened { claim: mail::claim(trimmed), ..opened })
}
