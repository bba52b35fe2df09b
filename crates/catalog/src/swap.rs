//! How swap slots are handed out: allocators, what a tier is, and who serves inside one.

use crate::controls::Choice;

/// The number of a slot allocator: its row in [`ALLOCATORS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllocatorId {
    /// 64 slots a CPU ahead of need, out of per-device per-CPU clusters under si->lock (4.11 to
    /// 6.14 mm/swap_slots.c).
    SlotCache,
    /// A: one cluster a CPU for all devices; devices rotate when it is used up (6.15 to 7.3
    /// mm/swapfile.c:swap_alloc_slow).
    GlobalPlist,
    /// B: a cluster a CPU and device; devices rotate at every allocation (patch 8 of the 2026
    /// series).
    DevicePlist,
    /// C: a queue of rings by priority, a cursor and a quota a CPU (the whole 2026 series).
    Ring,
}

/// All allocators.
pub static ALLOCATORS: &[Choice] = &[
    Choice { name: "slot-cache", link: "cache", label: "Slot cache (to 6.14)" },
    Choice { name: "global-plist", link: "global", label: "Global cluster + plist (A)" },
    Choice { name: "device-plist", link: "device", label: "Device clusters + plist (B)" },
    Choice { name: "ring", link: "ring", label: "Queue of rings (C)" },
];

/// The number of a tier assignment: its row in [`ASSIGNMENTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssignmentId {
    /// No tier: each priority stands for itself.
    None,
    /// Named ranges of priorities at run time (tiers v10): they decide who may use a device; inside
    /// one, priorities still count; no change may move an active device.
    RunTime,
    /// The same as the review of 2026 wants it: devices of one tier are peers whatever their
    /// priorities, and regroup when tiers change.
    RunTimeReview,
    /// Ranges that are given at boot and never change; devices of one are peers.
    Boot,
    /// One tier a distinct priority, fixed when the kernel is built.
    EqualPriority,
    /// The range of priorities cut into n equal parts, fixed when the kernel is built.
    Buckets,
}

/// All assignments.
pub static ASSIGNMENTS: &[Choice] = &[
    Choice { name: "none", link: "none", label: "No tiers" },
    Choice { name: "run-time", link: "runtime", label: "Run time (v10)" },
    Choice { name: "run-time-review", link: "review", label: "Run time (review)" },
    Choice { name: "boot", link: "boot", label: "Boot time" },
    Choice { name: "equal-priority", link: "equal", label: "By equal priority" },
    Choice { name: "buckets", link: "buckets", label: "1/n buckets" },
];

/// The number of an in-tier policy: its row in [`IN_TIER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InTierId {
    /// The ring with its quota.
    Ring,
    /// The next device at every allocation.
    RoundRobin,
    /// In proportion to priority, by deficit round robin.
    Proportional,
    /// The device of which the smallest part is used.
    LeastUsed,
    /// A device by memory cgroup, the others when it is full.
    Cgroup,
    /// Devices of the CPU's node first.
    NumaLocal,
}

/// All in-tier policies.
pub static IN_TIER: &[Choice] = &[
    Choice { name: "ring", link: "ring", label: "Ring with quota" },
    Choice { name: "round-robin", link: "robin", label: "Round robin" },
    Choice { name: "proportional", link: "prop", label: "By priority" },
    Choice { name: "least-used", link: "least", label: "Least used" },
    Choice { name: "cgroup", link: "cgroup", label: "By cgroup" },
    Choice { name: "numa-local", link: "numa", label: "NUMA-local" },
];

/// What a swap device is made of: its row in [`MEDIA`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediumId {
    /// Compressed memory, by lzo-rle.
    ZramLzoRle,
    /// Compressed memory, by lz4.
    ZramLz4,
    /// Compressed memory, by zstd.
    ZramZstd,
    /// Persistent memory.
    Pmem,
    /// A flash drive on PCIe.
    Nvme,
    /// A flash drive on SATA.
    Ssd,
    /// A disk that turns.
    Hdd,
    /// A block device over a network.
    Network,
    /// Compressed memory, by lzo.
    ZramLzo,
}

impl MediumId {
    /// All, by number.
    pub const ALL: [Self; 9] = [
        Self::ZramLzoRle,
        Self::ZramLz4,
        Self::ZramZstd,
        Self::Pmem,
        Self::Nvme,
        Self::Ssd,
        Self::Hdd,
        Self::Network,
        Self::ZramLzo,
    ];
}

/// All media.
pub static MEDIA: &[Choice] = &[
    Choice { name: "zram-lzo-rle", link: "lzo", label: "zram, lzo-rle" },
    Choice { name: "zram-lz4", link: "lz4", label: "zram, lz4" },
    Choice { name: "zram-zstd", link: "zst", label: "zram, zstd" },
    Choice { name: "pmem", link: "pm", label: "pmem" },
    Choice { name: "nvme", link: "nv", label: "NVMe" },
    Choice { name: "ssd", link: "ssd", label: "SATA SSD" },
    Choice { name: "hdd", link: "hdd", label: "HDD" },
    Choice { name: "network", link: "net", label: "Network block device" },
    Choice { name: "zram-lzo", link: "lzp", label: "zram, lzo" },
];

/// What stands before the devices.
pub static ZSWAP: &[Choice] = &[
    Choice { name: "off", link: "off", label: "Off" },
    Choice { name: "on", link: "on", label: "On: a slot of the device each" },
    Choice { name: "virtual", link: "virt", label: "Virtual swap: a slot at writeback" },
];

/// Compressors of zswap, as those of zram.
pub static ZSWAP_COMPRESSORS: &[Choice] = &[
    Choice { name: "lzo", link: "lzp", label: "lzo" },
    Choice { name: "lzo-rle", link: "lzo", label: "lzo-rle" },
    Choice { name: "lz4", link: "lz4", label: "lz4" },
    Choice { name: "zstd", link: "zst", label: "zstd" },
];

/// How the devices of a scenario are ranked.
pub static PRIORITIES: &[Choice] = &[
    Choice { name: "default", link: "k", label: "None given" },
    Choice { name: "equal", link: "eq", label: "All equal" },
    Choice { name: "descending", link: "dn", label: "Descending" },
];

/// The allocator of a scenario; the first is that of its kernel.
pub static ALLOCATOR_CHOICES: &[Choice] = &[
    Choice { name: "kernel", link: "k", label: "The kernel's own" },
    Choice { name: "slot-cache", link: "cache", label: "Slot cache (to 6.14)" },
    Choice { name: "global-plist", link: "a", label: "Global cluster + plist (A)" },
    Choice { name: "device-plist", link: "b", label: "Device clusters + plist (B)" },
    Choice { name: "ring", link: "c", label: "Queue of rings (C)" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_number_and_differ() {
        assert_eq!(ALLOCATORS[AllocatorId::Ring as usize].name, "ring");
        assert_eq!(ASSIGNMENTS[AssignmentId::Buckets as usize].name, "buckets");
        assert_eq!(IN_TIER[InTierId::NumaLocal as usize].name, "numa-local");
        for (number, medium) in MediumId::ALL.into_iter().enumerate() {
            assert_eq!(medium as usize, number);
        }
        for (own, choice) in ALLOCATORS.iter().zip(&ALLOCATOR_CHOICES[1..]) {
            assert_eq!(own.name, choice.name);
        }
        let first = [ALLOCATORS, ASSIGNMENTS, IN_TIER, MEDIA, PRIORITIES, ALLOCATOR_CHOICES];
        for rows in first.into_iter().chain([ZSWAP, ZSWAP_COMPRESSORS]) {
            for (i, row) in rows.iter().enumerate() {
                assert!(rows[..i].iter().all(|r| r.link != row.link && r.name != row.name));
            }
        }
    }
}
