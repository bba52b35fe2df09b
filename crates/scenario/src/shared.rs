//! What people hand to each other: a scenario, the arms that it is compared with, and how it is
//! looked at.
//!
//! Arm A is the scenario itself; the others are written as what differs from it. The view (time
//! cursor, what is shown) never changes a number.

use crate::problem::{Problem, quoted};
use crate::scenario::{Scenario, is_alike, is_shape};
use catalog::{CONTROLS, ControlId, LEDGER, Unit};

/// Most arms of a comparison.
pub const ARMS_MAX: usize = 5;
/// The letters of the arms, in order.
pub const LETTERS: [char; ARMS_MAX] = ['A', 'B', 'C', 'D', 'E'];
/// The longest short name of an arm and the longest name of a view, in characters.
pub const NAME_MAX: usize = 16;

/// The latest time cursor, in nanoseconds: no warm-up and no window is longer than an hour.
pub const TIME_MAX_NS: u64 = 7_200_000_000_000;

/// One arm of a comparison; its letter is its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// A short name beside the letter, or nothing.
    pub name: String,
    /// What it simulates.
    pub scenario: Scenario,
}

impl Arm {
    /// An arm without a short name.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        Self { name: String::new(), scenario }
    }

    /// The controls in which it differs from arm A, in table order; the seed is common to all.
    #[must_use]
    pub fn differences(&self, base: &Scenario) -> Vec<ControlId> {
        let (own, theirs) = (&self.scenario, base);
        let given = |id: ControlId| {
            let alike = own.nodes.is_empty();
            match is_shape(id) {
                // Given nodes hide the shape; nodes that are alike again need all of it.
                true if !alike => false,
                true if !theirs.nodes.is_empty() => true,
                // So do devices that are given one by one, and those that are alike again.
                _ if is_alike(id) && own.has_own_devices() => false,
                _ if is_alike(id) && theirs.has_own_devices() => true,
                _ if id == ControlId::SwapTable && !own.has_own_devices() => false,
                _ => !own.says(id, theirs),
            }
        };
        let ids = CONTROLS.iter().map(|c| c.id);
        ids.filter(|&id| id != ControlId::Seed && given(id)).collect()
    }

    /// Whether its machine is given node by node, other than that of arm A.
    #[must_use]
    pub fn has_own_nodes(&self, base: &Scenario) -> bool {
        !self.scenario.nodes.is_empty() && self.scenario.nodes != base.nodes
    }

    /// What it sets, as `--set` takes it: `kswapds=8 policy=all`; `as A` when nothing.
    #[must_use]
    pub fn words(&self, base: &Scenario) -> String {
        let ids = self.differences(base);
        let one = |id: &ControlId| format!("{}={}", id.control().key, self.scenario.text(*id));
        let mut all: Vec<String> = ids.iter().map(one).collect();
        let constants = self.scenario.constants_unlike(base).into_iter();
        all.extend(constants.map(|(id, value)| format!("{}={value}", LEDGER[id as usize].name)));
        if self.has_own_nodes(base) {
            all.push("nodes of its own".to_owned());
        }
        if all.is_empty() { "as A".to_owned() } else { all.join(" ") }
    }
}

/// How a scenario is looked at; no number depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The time cursor, in simulated nanoseconds since the start of the run.
    pub time_ns: Option<u64>,
    /// What is shown: the page's name of a place.
    pub show: Option<String>,
}

/// A scenario, its arms and its view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The scenario; with arms, arm A.
    pub scenario: Scenario,
    /// All arms, A first; empty when nothing is compared.
    pub arms: Vec<Arm>,
    /// How it is looked at.
    pub view: View,
}

impl Shared {
    /// A scenario by itself.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        Self { scenario, arms: Vec::new(), view: View::default() }
    }

    /// A comparison. All arms take the seed of the first.
    ///
    /// # Errors
    /// When there are not two to [`ARMS_MAX`] arms, a name is no name, or an arm has another
    /// preset than the first.
    pub fn compared(mut arms: Vec<Arm>) -> Result<Self, Problem> {
        if !(2..=ARMS_MAX).contains(&arms.len()) {
            let sentence = format!("a comparison has 2 to {ARMS_MAX} arms, not {}", arms.len());
            return Err(Problem::new("arms", sentence));
        }
        let first = arms[0].scenario.clone();
        let seed = first.get(ControlId::Seed);
        for (arm, letter) in arms.iter_mut().zip(LETTERS) {
            let at = format!("arm {letter}");
            if !arm.name.is_empty() {
                check_name(&arm.name).map_err(|why| Problem::new(&at, why))?;
            }
            if arm.scenario.preset != first.preset {
                let (own, all) = (arm.scenario.preset.name, first.preset.name);
                let sentence = format!("it is of preset {own}; arm A is of {all}, as all must be");
                return Err(Problem::new(at, sentence));
            }
            arm.scenario.set(ControlId::Seed, seed)?;
        }
        Ok(Self { scenario: first, arms, view: View::default() })
    }

    /// The arms, or the scenario as the only one.
    #[must_use]
    pub fn all_arms(&self) -> Vec<Arm> {
        if self.arms.is_empty() { vec![Arm::new(self.scenario.clone())] } else { self.arms.clone() }
    }

    /// Sets a control in every arm.
    ///
    /// # Errors
    /// When there is no such control or the text is no value of it.
    pub fn set_text(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        self.scenario.set_text(key, value)?;
        self.arms.iter_mut().try_for_each(|arm| arm.scenario.set_text(key, value))
    }
}

/// Whether a text can be the short name of an arm or of a view: letters, digits, `_` and `-`, the
/// first and the last a letter or digit.
///
/// # Errors
/// Why it cannot.
pub fn check_name(name: &str) -> Result<(), String> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let edge = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    if bytes.iter().copied().all(plain) && edge(bytes.first()) && edge(bytes.last()) {
        if bytes.len() <= NAME_MAX {
            return Ok(());
        }
        return Err(format!("the name {} has more than {NAME_MAX} characters", quoted(name)));
    }
    let shown = quoted(name);
    Err(format!("{shown} is no name: one has letters, digits, `_` and `-`, and no other ends"))
}

/// A control's value as a person reads it behind its name: with its unit where its text has none.
#[must_use]
pub fn value_in_words(scenario: &Scenario, id: ControlId) -> String {
    let control = id.control();
    let text = scenario.text(id);
    match control.unit {
        Unit::Kib => format!("{text} KiB"),
        Unit::PerTenThousand => format!("{text} / 10,000"),
        Unit::PerMille => format!("{text} / 1,000"),
        Unit::MbPerSecond => format!("{text} MB/s"),
        Unit::Count | Unit::Bytes | Unit::Nanos | Unit::Choice | Unit::Flag | Unit::Rows => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(name: &str, sets: &[(&str, &str)]) -> Arm {
        let mut scenario = Scenario::preset("lumpkin2018").expect("a preset");
        for (key, value) in sets {
            scenario.set_text(key, value).expect("a value");
        }
        Arm { name: name.to_owned(), scenario }
    }

    #[test]
    fn arms_are_bounded_named_and_share_the_seed() {
        let b = arm("eight", &[("kswapds", "8"), ("seed", "5"), ("policy", "single")]);
        let shared = Shared::compared(vec![arm("", &[("seed", "7")]), b]).expect("two arms");
        assert_eq!(shared.arms[1].scenario.get(ControlId::Seed), 7);
        assert_eq!(shared.arms[1].words(&shared.scenario), "kswapds=8 policy=single");
        assert_eq!(shared.arms[0].words(&shared.scenario), "as A");
        let said = |arms| Shared::compared(arms).expect_err("refused").to_string();
        assert_eq!(said(vec![arm("", &[])]), "arms: a comparison has 2 to 5 arms, not 1");
        assert!(said(vec![arm("", &[]), arm("a b", &[])]).starts_with("arm B: `a b` is no name"));
        assert!(said(vec![arm("", &[]), arm("-x", &[])]).contains("no name"));
        let tiny = Arm::new(Scenario::preset("tiny").expect("a preset"));
        assert!(said(vec![arm("", &[]), tiny]).contains("of preset tiny"));
    }
}
