//! The shareable document: what is simulated, and every way in which people hand it to each other.
//!
//! * [`Scenario`]: one value a control of the catalog, or a machine given zone by zone.
//! * [`preset`]: named scenarios that links and documents differ from.
//! * [`document`]: JSON, for files.
//! * [`link`]: one line for a mail, `v1.l18.k4.r58.x7Q`.
//! * [`paste`]: `/proc/zoneinfo` and `sysctl` lines of a real machine.
//!
//! Everything that comes in is untrusted: it is bounded before anything is allocated for it, what
//! can be kept is kept, and the rest is a [`Problem`] that names its place. Nothing here knows the
//! model: whether a scenario can be run beyond its bounds, only `lab` says.

pub mod document;
pub mod link;
pub mod paste;
pub mod preset;
mod problem;
mod scenario;
mod text;

pub use document::DocumentError;
pub use link::LinkError;
pub use preset::{PRESETS, Preset};
pub use problem::{Problem, quoted};
pub use scenario::{MANAGED_MAX, NodeSpec, Scenario, ZoneSpec, nodes_max};

use core::fmt;

/// What came out of a link, a document or a name: always a scenario that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The scenario, with everything that could be read.
    pub scenario: Scenario,
    /// What could not be read, and what stands in its place.
    pub problems: Vec<Problem>,
    /// Set when the text was made under other rules, so that its numbers may differ now.
    pub model_note: Option<String>,
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
/// whatever stands around it.
///
/// # Errors
/// When it is none of them, or too long, or made by a newer version.
pub fn open(text: &str) -> Result<Opened, OpenError> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    if let Some(preset) = preset::by_name(trimmed) {
        let scenario = Scenario::new(preset);
        return Ok(Opened { scenario, problems: Vec::new(), model_note: None });
    }
    if trimmed.starts_with(['{', '[']) {
        return document::from_json(trimmed).map_err(OpenError::Document);
    }
    link::decode(trimmed).map_err(OpenError::Link)
}
