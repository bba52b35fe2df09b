//! Small machines on which one rule of swap shows each: what a tier is, who serves inside one, and
//! where a priority is not kept.

use super::Preset;
use catalog::tables::{COLUMNS_MAX, MEDIUM, NODE, PRIORITY, SIZE};
use catalog::{ControlId, Row};

const MIB: i64 = 1 << 20;
/// The row of pmem: a device that costs a run little.
const PMEM: i64 = 3;

/// A device of so many MiB with a priority, attached to a node counted from 1 (0 for none).
const fn device(mib: i64, priority: i64, node: i64) -> Row {
    let mut row = [0; COLUMNS_MAX];
    row[MEDIUM] = PMEM;
    row[SIZE] = mib * MIB;
    row[PRIORITY] = priority;
    row[NODE] = node;
    row
}

/// A tier from a priority on, with the policy of the control.
const fn tier(start: i64) -> Row {
    let mut row = [0; COLUMNS_MAX];
    row[0] = start;
    row
}

/// Two fast devices of a higher and two of a lower priority each.
const FOUR: &[Row] = &[device(24, 100, 0), device(24, 90, 0), device(64, 10, 0), device(64, 0, 0)];
const PAIRS: &[Row] =
    &[device(24, 100, 0), device(24, 100, 0), device(64, 10, 0), device(64, 10, 0)];
const UNEQUAL: &[Row] =
    &[device(64, 40, 0), device(64, 30, 0), device(64, 20, 0), device(64, 10, 0)];
const SIZES: &[Row] =
    &[device(128, 40, 0), device(64, 30, 0), device(32, 20, 0), device(32, 10, 0)];
const NODES: &[Row] = &[device(96, 10, 1), device(96, 10, 2)];
const TWO: &[Row] = &[device(40, 10, 0), device(160, 5, 0)];
const UPPER_AND_LOWER: &[Row] = &[tier(50), tier(-1)];
const MOVED: &[Row] = &[tier(95), tier(5), tier(-1)];
const ONE: &[Row] = &[tier(-1)];

macro_rules! preset {
    ($constant:ident, $name:literal, $link:literal, $sentence:literal,
        [$($id:ident = $value:expr),*], $tables:expr) => {
        #[doc = $sentence]
        pub(super) const $constant: Preset = Preset {
            name: $name,
            link: $link,
            revision: 1,
            sentence: $sentence,
            overrides: &[
                (ControlId::Cpus, 4),
                (ControlId::Swappiness, 100),
                // The row of `random`, on anonymous memory.
                (ControlId::Workload, 1),
                (ControlId::Readers, 4),
                (ControlId::Start, 1),
                (ControlId::Warmup, 100_000_000),
                (ControlId::Duration, 200_000_000),
                $((ControlId::$id, $value),)*
            ],
            earlier: &[],
            tables: $tables,
        };
    };
}

preset!(
    NONE,
    "tiers-none",
    "tnone",
    "No tiers: each priority stands for itself, and a device is filled before the next is begun.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4],
    &[(ControlId::SwapTable, FOUR)]
);
preset!(
    RUN_TIME,
    "tiers-v10",
    "tv10",
    "Tiers at run time as in version 10: inside one, priorities still count, and a change that would move an active device is refused (EBUSY).",
    [
        Nodes = 1,
        Memory = 64 * MIB,
        Size = 32 * MIB,
        Allocator = 4,
        TierAssignment = 1,
        TiersAt = 150_000_000
    ],
    &[
        (ControlId::SwapTable, FOUR),
        (ControlId::SwapTiers, UPPER_AND_LOWER),
        (ControlId::TiersThen, MOVED),
    ]
);
preset!(
    REVIEW,
    "tiers-review",
    "trev",
    "Tiers at run time as the review wants them: devices of one tier are peers even with different priorities, and regroup when the tiers change; every slot stays.",
    [
        Nodes = 1,
        Memory = 64 * MIB,
        Size = 32 * MIB,
        Allocator = 4,
        TierAssignment = 2,
        TiersAt = 150_000_000
    ],
    &[
        (ControlId::SwapTable, FOUR),
        (ControlId::SwapTiers, UPPER_AND_LOWER),
        (ControlId::TiersThen, MOVED),
    ]
);
preset!(
    BOOT,
    "tiers-boot",
    "tboot",
    "Tiers from the boot line: devices of one tier are peers, and no change is possible (EPERM).",
    [
        Nodes = 1,
        Memory = 64 * MIB,
        Size = 32 * MIB,
        Allocator = 4,
        TierAssignment = 3,
        TiersAt = 150_000_000
    ],
    &[
        (ControlId::SwapTable, FOUR),
        (ControlId::SwapTiers, UPPER_AND_LOWER),
        (ControlId::TiersThen, MOVED),
    ]
);
preset!(
    EQUAL,
    "tiers-equal",
    "tequ",
    "A tier a distinct priority, fixed when the kernel is built: equal priorities are peers, and nothing else is.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4, TierAssignment = 4],
    &[(ControlId::SwapTable, PAIRS)]
);
preset!(
    BUCKETS,
    "tiers-buckets",
    "tbuck",
    "Priorities cut into four equal parts when the kernel is built: 0 to 100 all fall into the lowest, so that all four devices are peers.",
    [
        Nodes = 1,
        Memory = 64 * MIB,
        Size = 32 * MIB,
        Allocator = 4,
        TierAssignment = 5,
        TierBuckets = 4
    ],
    &[(ControlId::SwapTable, FOUR)]
);
preset!(
    RING,
    "policy-ring",
    "pring",
    "One tier, a ring with a quota: each CPU takes a cluster's worth of pages from a device and goes on to the next.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4, TierAssignment = 2, InTier = 0],
    &[(ControlId::SwapTable, UNEQUAL), (ControlId::SwapTiers, ONE)]
);
preset!(
    ROBIN,
    "policy-robin",
    "prob",
    "One tier, strict round robin: each CPU takes the next device at every page.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4, TierAssignment = 2, InTier = 1],
    &[(ControlId::SwapTable, UNEQUAL), (ControlId::SwapTiers, ONE)]
);
preset!(
    PROPORTIONAL,
    "policy-priority",
    "pprop",
    "One tier, by priority: each device gets pages in proportion to its priority above the lowest.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4, TierAssignment = 2, InTier = 2],
    &[(ControlId::SwapTable, UNEQUAL), (ControlId::SwapTiers, ONE)]
);
preset!(
    LEAST,
    "policy-least",
    "plea",
    "One tier of devices of different sizes, the least used first: all are filled to the same part.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 4, TierAssignment = 2, InTier = 3],
    &[(ControlId::SwapTable, SIZES), (ControlId::SwapTiers, ONE)]
);
preset!(
    CGROUP,
    "policy-cgroup",
    "pcgr",
    "One tier, by cgroup: the workload's cgroup has a device of its own, and the others only when that is full.",
    [
        Nodes = 1,
        Memory = 64 * MIB,
        Size = 32 * MIB,
        Allocator = 4,
        TierAssignment = 2,
        InTier = 4,
        Memcg = 48 * MIB
    ],
    &[(ControlId::SwapTable, SIZES), (ControlId::SwapTiers, ONE)]
);
preset!(
    NUMA,
    "policy-numa",
    "pnuma",
    "One tier, NUMA-local: each CPU's pages go to the device of its own node while that has room.",
    [
        Nodes = 2,
        Memory = 64 * MIB,
        Size = 64 * MIB,
        Allocator = 4,
        TierAssignment = 2,
        InTier = 5,
        Bound = 1
    ],
    &[(ControlId::SwapTable, NODES), (ControlId::SwapTiers, ONE)]
);
preset!(
    INVERSION,
    "swap-inversion",
    "sinv",
    "A priority inversion of the global cluster (A): slots of the fast device become free, and a CPU goes on in its cluster of the slow one, up to 512 slots; the queue of rings (allocator=ring) has none.",
    [Nodes = 1, Memory = 64 * MIB, Size = 32 * MIB, Allocator = 2],
    &[(ControlId::SwapTable, TWO)]
);
