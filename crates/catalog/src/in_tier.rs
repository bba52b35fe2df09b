//! Who serves among devices of one tier, or of one priority: a row a policy. What it does is a file
//! of the model with the same name (`mm::swap::in_tier`).

use crate::controls::Choice;

/// An in-tier policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InTier {
    /// Its number.
    pub id: InTierId,
    /// Where it comes from.
    pub source: &'static str,
}

macro_rules! in_tier {
    ($($(#[$doc:meta])* $id:ident: $name:literal, $link:literal, $label:literal,
        $source:literal;)*) => {
        /// The number of an in-tier policy: its row in [`IN_TIER`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum InTierId {
            $($(#[$doc])* $id,)*
        }

        impl InTierId {
            /// All, by number.
            pub const ALL: &[Self] = &[$(Self::$id,)*];
        }

        /// All in-tier policies, with their sources.
        pub static IN_TIER_SOURCES: &[InTier] =
            &[$(InTier { id: InTierId::$id, source: $source },)*];

        /// The same rows as a control shows them.
        pub static IN_TIER: &[Choice] =
            &[$(Choice { name: $name, link: $link, label: $label },)*];

        /// The same behind one that is whatever the control says: the policies of a tier's row.
        pub static TIER_POLICIES: &[Choice] = &[
            Choice { name: "default", link: "k", label: "As set below" },
            $(Choice { name: $name, link: $link, label: $label },)*
        ];
    };
}

// Name in `--set` and JSON, name in links, label, source.
in_tier! {
    /// The ring with its quota.
    Ring: "ring", "ring", "Ring with quota",
        "Song RFC v2 2026-08, patches 9 to 13: a cursor and a quota a CPU";
    /// The next device at every allocation.
    RoundRobin: "round-robin", "robin", "Round robin",
        "Park review 2026-08: plain round robin";
    /// In proportion to priority, by deficit round robin.
    Proportional: "proportional", "prop", "By priority",
        "Park review 2026-08: in proportion to priority; the weights are a GUESS";
    /// The device of which the smallest part is used.
    LeastUsed: "least-used", "least", "Least used",
        "proposed here: no published source";
    /// A device by memory cgroup, the others when it is full.
    Cgroup: "cgroup", "cgroup", "By cgroup",
        "Park review 2026-08: choice by memory cgroup (for xswap)";
    /// Devices of the CPU's node first.
    NumaLocal: "numa-local", "numa", "NUMA-local",
        "up to 6.14 mm/swapfile.c: a list of devices a node (swap_numa)";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_choices_agree() {
        assert_eq!(IN_TIER_SOURCES.len(), IN_TIER.len());
        assert_eq!(&TIER_POLICIES[1..], IN_TIER);
        for (i, row) in IN_TIER_SOURCES.iter().enumerate() {
            assert_eq!((row.id as usize, InTierId::ALL[i]), (i, row.id));
            assert!(!row.source.is_empty());
        }
    }
}
