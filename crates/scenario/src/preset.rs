//! Named scenarios: what links and documents differ from.
//!
//! A preset that has been published keeps the values of each of its revisions, so that an old link
//! opens to what its sender saw. A change to a published preset, or to the default of a control,
//! is a new revision; the test of the link corpus holds the values.

mod swap;

use catalog::{CONTROLS, ControlId, FlavourId, PolicyId, Row};

/// The values in which one revision of a preset differs from the controls' defaults.
pub type Overrides = &'static [(ControlId, i64)];

/// A named scenario.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in the CLI, in documents and in the page.
    pub name: &'static str,
    /// The name in links: at most 5 lower-case letters and digits.
    pub link: &'static str,
    /// The revision of its values, from 1.
    pub revision: u32,
    /// What it is, in one sentence.
    pub sentence: &'static str,
    /// The values of this revision.
    pub overrides: Overrides,
    /// The values of revisions 1 to `revision - 1`, in order.
    pub earlier: &'static [Overrides],
    /// The rows of the controls that are tables, in every revision.
    pub tables: &'static [(ControlId, &'static [Row])],
}

impl Preset {
    /// The value of every control, by number.
    #[must_use]
    pub fn values(&self) -> [i64; ControlId::COUNT] {
        values_of(self.overrides)
    }

    /// The value of every control in one revision, if that is known.
    #[must_use]
    pub fn values_at(&self, revision: u32) -> Option<[i64; ControlId::COUNT]> {
        if revision == self.revision {
            return Some(self.values());
        }
        let index = usize::try_from(revision.checked_sub(1)?).ok()?;
        self.earlier.get(index).map(|overrides| values_of(overrides))
    }
}

fn values_of(overrides: Overrides) -> [i64; ControlId::COUNT] {
    let mut values = [0; ControlId::COUNT];
    for control in CONTROLS {
        values[control.id as usize] = control.default;
    }
    for &(id, value) in overrides {
        values[id as usize] = value;
    }
    values
}

const SECOND: i64 = 1_000_000_000;

/// The kernel build of the 2026 series, with processes of this size.
macro_rules! kbuild2026 {
    ($size:expr) => {
        &[
            (ControlId::Nodes, 4),
            (ControlId::Cpus, 64),
            // 249 GiB in all.
            (ControlId::Memory, 249 << 28),
            (ControlId::TlbFlush, 2),
            (ControlId::Flavour, FlavourId::V7_2 as i64),
            (ControlId::Kswapds, 1),
            (ControlId::Lru, 1),
            (ControlId::ShadowEntries, 1),
            (ControlId::Memcg, 2 << 30),
            (ControlId::SwapDevices, 8),
            (ControlId::SwapSize, 8 << 30),
            // zram with lzo-rle; all of one priority; design A.
            (ControlId::SwapMedium, 0),
            (ControlId::SwapPriorities, 1),
            (ControlId::Allocator, 2),
            // The row of `kbuild`.
            (ControlId::Workload, 7),
            (ControlId::Readers, 96),
            // Both fitted to swap-outs a second of compiler time in A at 2 GiB (D03v).
            (ControlId::Size, $size),
            (ControlId::RequestCpu, 640_000_000),
            (ControlId::Start, 1),
            (ControlId::Warmup, 2 * SECOND),
            (ControlId::Duration, 5 * SECOND),
        ]
    };
}

/// All presets; the first is what opens when nothing is asked for.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "lumpkin2018",
        link: "l18",
        revision: 1,
        sentence: "The 2018 test of several kswapds a node: dd readers on eight NVMe drives, \
                   two nodes of 52 hardware threads and 378 GiB, kernel 4.16.",
        overrides: &[
            (ControlId::Nodes, 2),
            (ControlId::Cpus, 52),
            (ControlId::Smt, 2),
            (ControlId::Memory, 378 << 30),
            (ControlId::Flavour, FlavourId::V4_16 as i64),
            // The rows of 250 ticks and of a full start.
            (ControlId::Hz, 1),
            (ControlId::Thp, 1),
            (ControlId::Kswapds, 1),
            (ControlId::Policy, PolicyId::All as i64),
            (ControlId::Readers, 28),
            (ControlId::Drives, 8),
            (ControlId::DriveBandwidth, 3_500),
            (ControlId::DriveLatency, 65_000),
            (ControlId::Start, 0),
            (ControlId::InactiveShare, 485),
            (ControlId::Warmup, 4 * SECOND),
            (ControlId::Duration, 16 * SECOND),
        ],
        earlier: &[],
        tables: &[],
    },
    Preset {
        name: "cassandra2026",
        link: "c26",
        revision: 1,
        sentence: "The Cassandra test of the 2026 series: four client streams of 64 threads each. \
                   The mail gives rates and latencies only; machine, data and drives are assumed.",
        overrides: &[
            (ControlId::Nodes, 2),
            (ControlId::Cpus, 96),
            (ControlId::Smt, 2),
            (ControlId::Memory, 256 << 30),
            (ControlId::Flavour, FlavourId::V7_2Series as i64),
            (ControlId::Kswapds, 1),
            (ControlId::Policy, PolicyId::All as i64),
            // Generations, evicted pages remembered; the row of `kv`.
            (ControlId::Lru, 1),
            (ControlId::ShadowEntries, 1),
            (ControlId::Workload, 3),
            (ControlId::Readers, 256),
            (ControlId::Size, 530 << 30),
            (ControlId::Heap, 64 << 30),
            (ControlId::Writes, 100),
            (ControlId::DataUses, 2),
            // Both set so that one kswapd gives the published 171,146 requests a second with a
            // 99th percentile of 6.375 ms (D02).
            (ControlId::RequestCpu, 600_000),
            (ControlId::DriveBandwidth, 1_300),
            (ControlId::Drives, 4),
            (ControlId::DriveLatency, 100_000),
            (ControlId::Warmup, SECOND),
            (ControlId::Duration, 2 * SECOND),
        ],
        earlier: &[],
        tables: &[],
    },
    Preset {
        name: "kbuild2026",
        link: "kb26",
        revision: 2,
        sentence: "The kernel build of the 2026 swap queue series: 96 processes at once in a cgroup \
                   of 2 GiB, eight zram devices of one priority, 256 CPUs on four nodes of arm64.",
        overrides: kbuild2026!(84 << 20),
        tables: &[],
        // What was fitted before lists and generations were changed.
        earlier: &[kbuild2026!(90 << 20)],
    },
    Preset {
        name: "small",
        link: "small",
        revision: 1,
        sentence: "Two nodes of 4 GiB and 16 readers on fast drives: kswapd wakes every few \
                   milliseconds, so that windows of 200 ms say something.",
        overrides: &[
            (ControlId::Nodes, 2),
            (ControlId::Cpus, 16),
            (ControlId::Memory, 4 << 30),
            (ControlId::Readers, 16),
            (ControlId::Drives, 8),
            (ControlId::DriveBandwidth, 3_500),
            (ControlId::DriveLatency, 65_000),
            (ControlId::Warmup, SECOND / 20),
            (ControlId::Duration, SECOND / 5),
        ],
        earlier: &[],
        tables: &[],
    },
    Preset {
        name: "tiny",
        link: "tiny",
        revision: 1,
        sentence: "One node of 256 pages, two CPUs, one reader: small enough to check by hand.",
        overrides: &[
            (ControlId::Nodes, 1),
            (ControlId::Cpus, 2),
            (ControlId::Memory, 1 << 20),
            (ControlId::Readers, 1),
            (ControlId::Drives, 1),
            (ControlId::DriveBandwidth, 100),
            (ControlId::Warmup, 0),
            (ControlId::Duration, SECOND),
        ],
        earlier: &[],
        tables: &[],
    },
    swap::NONE,
    swap::RUN_TIME,
    swap::REVIEW,
    swap::BOOT,
    swap::EQUAL,
    swap::BUCKETS,
    swap::RING,
    swap::ROBIN,
    swap::PROPORTIONAL,
    swap::LEAST,
    swap::CGROUP,
    swap::NUMA,
    swap::INVERSION,
];

/// The preset with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// The preset with this link name.
#[must_use]
pub fn by_link(link: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.link == link)
}

/// The names of all presets, for sentences.
#[must_use]
pub fn known_names() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use std::collections::BTreeSet;

    #[test]
    fn every_preset_is_valid_named_once_and_keeps_its_history() {
        let mut names = BTreeSet::new();
        for preset in PRESETS {
            assert!(
                names.insert(preset.name) & names.insert(preset.link)
                    | (preset.name == preset.link)
            );
            assert!(preset.link.len() <= 5);
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
            assert!(preset.link.bytes().all(plain), "{}", preset.link);
            assert_eq!(preset.earlier.len() as u32, preset.revision - 1, "{}", preset.name);
            assert_eq!(Scenario::new(preset).validate(), [], "{}", preset.name);
            let ids: BTreeSet<_> = preset.overrides.iter().map(|(id, _)| id).collect();
            assert_eq!(ids.len(), preset.overrides.len(), "{}: a control twice", preset.name);
            assert_eq!(preset.values_at(preset.revision), Some(preset.values()));
            assert_eq!(preset.values_at(preset.revision + 1), None);
            assert_eq!(preset.values_at(0), None);
        }
    }
}
