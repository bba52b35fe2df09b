//! What differs between the kernels that can be modelled.
//!
//! One row a kernel; a field says which kernels differ in it and where that is read. What is not
//! known of an old kernel is taken from the next newer one and listed in [`Flavour::assumed`].

use crate::controls::Choice;
use crate::swap::AllocatorId;

/// The number of a flavour: its row in [`FLAVOURS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlavourId {
    /// 4.16, the kernel under the 2018 patch.
    V4_16,
    /// 5.15.
    V5_15,
    /// 6.12.
    V6_12,
    /// 7.2.
    V7_2,
    /// 7.3.
    V7_3,
    /// 7.2 with the series of 2026 (several kswapds a node, swap queue).
    V7_2Series,
}

/// How a per-CPU page list finds its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PcpRule {
    /// high = 6 x batch, one batch moves at a time (4.16 mm/page_alloc.c:pageset_set_batch).
    SixBatches,
    /// high from the low mark, frees grow with their run (5.14 and later, high_min only).
    LowMark,
    /// high floats between high_min and high_max, refills double (6.7 and later).
    AutoTuned,
}

/// The rules and sizes of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flavour {
    /// Its number.
    pub id: FlavourId,
    /// Folios (pages) that a per-CPU LRU batch holds before it takes lru_lock.
    pub folio_batch: u32,
    /// Whether the allocator's first pass skips nodes whose kswapd is awake (6.18 and later).
    pub skip_awake_kswapd: bool,
    /// How per-CPU page lists find their size.
    pub pcp: PcpRule,
    /// Largest pcp batch before rounding, in pages.
    pub pcp_batch_cap: u64,
    /// Upper clamp of the computed min_free_kbytes, in KiB.
    pub min_free_kbytes_cap: u64,
    /// Whether a classic pass takes lru_lock once more to note its cost.
    pub cost_lock: bool,
    /// Whether any progress of reclaim revives a hopeless node (6.12 mm/vmscan.c:shrink_node);
    /// from 7.x
    /// on the node must be balanced too (7.2 kswapd_try_clear_hopeless).
    pub progress_revives: bool,
    /// Whether fragmentation events raise the watermarks (5.0 and later).
    pub watermark_boost: bool,
    /// Whether those throttled as ISOLATED go on as soon as a reclaimer finds fewer pages isolated
    /// (reclaim_throttle, 5.16 and later); before, they sleep out their time.
    pub isolated_wake: bool,
    /// MGLRU: whether an eviction batch goes on to 64 isolated pages whatever the quota (up to
    /// 6.x).
    pub lru_gen_whole_batch: bool,
    /// MGLRU: whether its rules are those before 6.14. New file pages join the generation after the
    /// oldest, what a fault brings the youngest; a walk promotes a page the first time it finds it
    /// used; the oldest generation of file pages never passes that of anonymous ones, which is
    /// scanned first when it is older; refaults of the kinds are compared by their first tiers.
    pub lru_gen_older_rules: bool,
    /// MGLRU: whether sizes of generations say when to age, and a pass ends with it (up to 6.x).
    pub lru_gen_age_by_size: bool,
    /// How it hands out swap slots.
    pub swap_allocator: AllocatorId,
    /// Whether swap devices without a priority get -2, -3 and so on in the order of swapon (6.12
    /// mm/swapfile.c:swapon); all get -1 from 7.x on.
    pub swap_priorities_descend: bool,
    /// Whether reclaim for a cgroup's limit counts in the global pgscan and pgsteal too (7.x).
    pub memcg_scan_global: bool,
    /// What is not known of this kernel and taken from the next newer row.
    pub assumed: &'static [&'static str],
}

impl Flavour {
    /// Its name in `--set` and in what people read.
    #[must_use]
    pub fn name(&self) -> &'static str {
        CHOICES[self.id as usize].name
    }

    /// What is assumed of it, as one text: `kernel 4.16: a; b`; nothing where nothing is.
    #[must_use]
    pub fn assumptions(&self) -> Option<String> {
        let is_any = !self.assumed.is_empty();
        is_any.then(|| format!("kernel {}: {}", self.name(), self.assumed.join("; ")))
    }
}

/// All flavours.
pub static FLAVOURS: &[Flavour] = &[
    Flavour {
        id: FlavourId::V4_16,
        folio_batch: 15,
        skip_awake_kswapd: false,
        pcp: PcpRule::SixBatches,
        pcp_batch_cap: 128,
        min_free_kbytes_cap: 65_536,
        // The statistics of a pass are added while the survivors are put back: one more passage.
        cost_lock: true,
        progress_revives: true,
        watermark_boost: false,
        isolated_wake: false,
        lru_gen_whole_batch: true,
        lru_gen_older_rules: true,
        lru_gen_age_by_size: true,
        memcg_scan_global: false,
        swap_allocator: AllocatorId::SlotCache,
        swap_priorities_descend: true,
        assumed: &[
            "throttle rules of direct reclaim (from 5.15)",
            "swap clusters (rules of 6.12)",
            "MGLRU (not in this kernel; rules of 6.12)",
        ],
    },
    Flavour {
        id: FlavourId::V5_15,
        folio_batch: 15,
        skip_awake_kswapd: false,
        pcp: PcpRule::LowMark,
        pcp_batch_cap: 256,
        min_free_kbytes_cap: 262_144,
        cost_lock: true,
        progress_revives: true,
        watermark_boost: true,
        isolated_wake: false,
        lru_gen_whole_batch: true,
        lru_gen_older_rules: true,
        lru_gen_age_by_size: true,
        memcg_scan_global: false,
        swap_allocator: AllocatorId::SlotCache,
        swap_priorities_descend: true,
        assumed: &[
            "reclaim throttle reasons (from 6.12)",
            "swap clusters (rules of 6.12)",
            "MGLRU (not in this kernel; rules of 6.12)",
        ],
    },
    Flavour {
        id: FlavourId::V6_12,
        folio_batch: 31,
        skip_awake_kswapd: false,
        pcp: PcpRule::AutoTuned,
        pcp_batch_cap: 256,
        min_free_kbytes_cap: 262_144,
        cost_lock: true,
        progress_revives: true,
        watermark_boost: true,
        isolated_wake: true,
        lru_gen_whole_batch: true,
        lru_gen_older_rules: true,
        lru_gen_age_by_size: true,
        memcg_scan_global: false,
        swap_allocator: AllocatorId::SlotCache,
        swap_priorities_descend: true,
        assumed: &[],
    },
    Flavour {
        id: FlavourId::V7_2,
        folio_batch: 31,
        skip_awake_kswapd: true,
        pcp: PcpRule::AutoTuned,
        pcp_batch_cap: 256,
        min_free_kbytes_cap: 262_144,
        cost_lock: true,
        progress_revives: false,
        watermark_boost: true,
        isolated_wake: true,
        lru_gen_whole_batch: false,
        lru_gen_older_rules: false,
        lru_gen_age_by_size: false,
        memcg_scan_global: true,
        swap_allocator: AllocatorId::GlobalPlist,
        swap_priorities_descend: false,
        assumed: &[],
    },
    Flavour {
        id: FlavourId::V7_3,
        folio_batch: 31,
        skip_awake_kswapd: true,
        pcp: PcpRule::AutoTuned,
        pcp_batch_cap: 256,
        min_free_kbytes_cap: 262_144,
        cost_lock: false,
        progress_revives: false,
        watermark_boost: true,
        isolated_wake: true,
        lru_gen_whole_batch: false,
        lru_gen_older_rules: false,
        lru_gen_age_by_size: false,
        memcg_scan_global: true,
        swap_allocator: AllocatorId::GlobalPlist,
        swap_priorities_descend: false,
        assumed: &[],
    },
    Flavour {
        id: FlavourId::V7_2Series,
        folio_batch: 31,
        skip_awake_kswapd: true,
        pcp: PcpRule::AutoTuned,
        pcp_batch_cap: 256,
        min_free_kbytes_cap: 262_144,
        cost_lock: true,
        progress_revives: false,
        watermark_boost: true,
        isolated_wake: true,
        lru_gen_whole_batch: false,
        lru_gen_older_rules: false,
        lru_gen_age_by_size: false,
        memcg_scan_global: true,
        swap_allocator: AllocatorId::Ring,
        swap_priorities_descend: false,
        assumed: &["text of the 2026 series beyond what its mails quote"],
    },
];

/// The same rows as a control shows them.
pub static CHOICES: &[Choice] = &[
    Choice { name: "4.16", link: "416", label: "4.16 (2018)" },
    Choice { name: "5.15", link: "515", label: "5.15 (2021)" },
    Choice { name: "6.12", link: "612", label: "6.12 (2024)" },
    Choice { name: "7.2", link: "72", label: "7.2" },
    Choice { name: "7.3", link: "73", label: "7.3" },
    Choice { name: "7.2-series", link: "72s", label: "7.2 + series" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_choices_agree() {
        assert_eq!(FLAVOURS.len(), CHOICES.len());
        for (i, row) in FLAVOURS.iter().enumerate() {
            assert_eq!(row.id as usize, i);
            assert!(row.folio_batch > 0);
            assert_eq!(row.assumptions().is_some(), !row.assumed.is_empty());
        }
        let old = FLAVOURS[0].assumptions().expect("much is not known of it");
        assert!(old.starts_with("kernel 4.16: throttle rules of direct reclaim"), "{old}");
    }
}
