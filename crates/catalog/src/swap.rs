//! How swap slots are handed out: allocators and what a tier is; who serves inside one is
//! [`crate::in_tier`].

use crate::controls::Choice;

macro_rules! allocators {
    ($($(#[$doc:meta])* $id:ident: $name:literal, $link:literal, $label:literal;)*) => {
        /// The number of a slot allocator: its row in [`ALLOCATORS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum AllocatorId {
            $($(#[$doc])* $id,)*
        }

        impl AllocatorId {
            /// All, by number.
            pub const ALL: &[Self] = &[$(Self::$id,)*];
        }

        /// All allocators. What one does is a file of the model with its name
        /// (`mm::swap::allocator`).
        pub static ALLOCATORS: &[Choice] =
            &[$(Choice { name: $name, link: $link, label: $label },)*];

        /// The allocator of a scenario; the first is that of its kernel.
        pub static ALLOCATOR_CHOICES: &[Choice] = &[
            Choice { name: "kernel", link: "k", label: "The kernel's own" },
            $(Choice { name: $name, link: $link, label: $label },)*
        ];
    };
}

// Name in `--set` and JSON, name in links, label.
allocators! {
    /// 64 slots a CPU ahead of need, out of per-device per-CPU clusters under si->lock (4.11 to
    /// 6.14 mm/swap_slots.c).
    SlotCache: "slot-cache", "cache", "Slot cache (to 6.14)";
    /// A: one cluster a CPU for all devices; devices rotate when it is used up (6.15 to 7.3
    /// mm/swapfile.c:swap_alloc_slow).
    GlobalPlist: "global-plist", "a", "Global cluster + plist (A)";
    /// B: a cluster a CPU and device; devices rotate at every allocation (patch 8 of the 2026
    /// series).
    DevicePlist: "device-plist", "b", "Device clusters + plist (B)";
    /// C: a queue of rings by priority, a cursor and a quota a CPU (the whole 2026 series).
    Ring: "ring", "c", "Queue of rings (C)";
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_tier::IN_TIER;

    #[test]
    fn rows_stand_at_their_number_and_differ() {
        assert_eq!(ALLOCATORS[AllocatorId::Ring as usize].name, "ring");
        assert_eq!(ASSIGNMENTS[AssignmentId::Buckets as usize].name, "buckets");
        for (number, medium) in MediumId::ALL.into_iter().enumerate() {
            assert_eq!(medium as usize, number);
        }
        assert_eq!(ALLOCATORS, &ALLOCATOR_CHOICES[1..]);
        assert_eq!(AllocatorId::ALL.len(), ALLOCATORS.len());
        let first = [ALLOCATORS, ASSIGNMENTS, MEDIA, PRIORITIES, ALLOCATOR_CHOICES];
        for rows in first.into_iter().chain([ZSWAP, ZSWAP_COMPRESSORS, IN_TIER]) {
            for (i, row) in rows.iter().enumerate() {
                assert!(rows[..i].iter().all(|r| r.link != row.link && r.name != row.name));
            }
        }
    }
}
