//! How many of a node's sleeping kswapd workers a wakeup wakes.

use crate::controls::Choice;

/// The number of a policy: its row in [`POLICIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyId {
    /// One worker, as in every kernel released so far; the others never run.
    Single,
    /// Every sleeping worker at once: the wait is not exclusive (2018 patch).
    All,
}

/// A wakeup policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its number.
    pub id: PolicyId,
    /// Where it comes from.
    pub source: &'static str,
}

/// All wakeup policies.
pub static POLICIES: &[Policy] = &[
    Policy { id: PolicyId::Single, source: "7.3 mm/vmscan.c:wakeup_kswapd" },
    Policy { id: PolicyId::All, source: "Lumpkin RFC 2018-04-02: non-exclusive wait" },
];

/// The same rows as a control shows them.
pub static CHOICES: &[Choice] = &[
    Choice { name: "single", link: "single", label: "one worker" },
    Choice { name: "all", link: "all", label: "all woken" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_choices_agree() {
        assert_eq!(POLICIES.len(), CHOICES.len());
        for (i, row) in POLICIES.iter().enumerate() {
            assert_eq!(row.id as usize, i);
        }
    }
}
