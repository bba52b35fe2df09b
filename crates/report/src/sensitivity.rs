//! Which results hang on which constants, as plain data.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a constant does to a result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The result with the constant at the low and at the high end of its range.
    pub ends: [f64; 2],
    /// Whether that is more than chance.
    pub moves: bool,
    /// Whether it flips the answer.
    pub flips: bool,
    /// Morris screening: mean absolute effect and spread of the effects, as shares of the result;
    /// nothing where it was not screened.
    pub screened: Option<(f64, f64)>,
}

/// A constant that was varied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// How well it is known, as the ledger has it.
    pub kind: String,
    /// Its value.
    pub value: u64,
    /// The low end of its range.
    pub low: u64,
    /// The high end.
    pub high: u64,
    /// What these count.
    pub unit: String,
    /// The runs of which an event changes when it is put to an end of its range.
    #[serde(default)]
    pub bears_on: Vec<String>,
    /// What it does, in the order of the outcomes.
    pub effects: Vec<Effect>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// A short name.
    pub name: String,
    /// In words.
    pub words: String,
    /// As `report::claim` reads it.
    pub expression: String,
    /// With the ledger's own values.
    pub base: f64,
    /// Its spread over seeds.
    pub sd: f64,
    /// Above it the answer is yes; nothing for a figure.
    pub limit: Option<f64>,
    /// Whether it lies within chance of its limit, so that no constant is needed to flip it.
    #[serde(default)]
    pub by_chance: bool,
    /// Along the paths of Morris screening: points where the answer is yes, and points.
    #[serde(default)]
    pub joint: Option<(u32, u32)>,
}

/// The whole of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Always `SIMULATED`.
    pub kind: String,
    /// Model version.
    pub model: String,
    /// Hash of the ledger.
    pub ledger: String,
    /// Whether only constants marked GUESS were varied.
    #[serde(default)]
    pub guesses: bool,
    /// The runs: name and link.
    pub arms: BTreeMap<String, String>,
    /// Seeds of the runs that tell chance.
    pub seeds: u32,
    /// Paths of Morris screening.
    pub trajectories: u32,
    /// Constants that go along them: those that matter one at a time.
    #[serde(default)]
    pub screened: u32,
    /// Runs that all of this took.
    #[serde(default)]
    pub runs: usize,
    /// The results.
    pub outcomes: Vec<Outcome>,
    /// The constants.
    pub constants: Vec<Varied>,
    /// Runs that came to no end, in words; the values as they are stand in their place.
    #[serde(default)]
    pub failed: Vec<String>,
}
