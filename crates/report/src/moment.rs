//! Instants of a run that people look for.

use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A task entered direct reclaim, after a while in which none did.
    Direct,
    /// A kswapd worker was woken from full sleep.
    Wake,
    /// A node's free pages fell below min.
    Min,
}

impl Moment {
    /// All of them, in the order that arrays use.
    pub const ALL: [Self; 3] = [Self::Direct, Self::Wake, Self::Min];

    /// Its name in plain words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct reclaim",
            Self::Wake => "worker wakes",
            Self::Min => "min reached",
        }
    }
}

/// A moment at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happened {
    /// When, in simulated nanoseconds since the start of the run.
    pub time_ns: u64,
    /// What.
    pub moment: Moment,
    /// On which node.
    pub node: u8,
}
