//! What a run is made from. Built by the caller (lab) out of a valid scenario; the model trusts it.

use crate::lru::ClassConfig;
use crate::memcontrol::MemcgConfig;
use crate::vmscan::pageout::SwapSetup;
pub use crate::workload::group::{
    Backing, Build, Churn, Compile, GroupConfig, Memory, Pattern, Phases, RegionConfig, Store,
    Stream, Work,
};
use catalog::{Flavour, Ledger, PolicyId, ZoneKind};
use units::SimDuration;

/// Largest number of nodes.
pub const NODES_MAX: usize = 8;
/// Zones of one node: DMA, DMA32, Normal, Movable.
pub const ZONES_PER_NODE: usize = 4;
/// Largest number of zones; a zone's number is `node * ZONES_PER_NODE + kind`.
pub const ZONES_MAX: usize = NODES_MAX * ZONES_PER_NODE;

/// A zone that has pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneConfig {
    /// Its kind.
    pub kind: ZoneKind,
    /// Pages handed to the buddy allocator.
    pub managed: u64,
    /// How many of them the kernel and others keep for good: neither free nor on a list, ever.
    pub used: u64,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeConfig {
    /// Hardware threads; 0 for a node with memory only.
    pub cpus: u32,
    /// Its zones, lowest first, each kind at most once.
    pub zones: Vec<ZoneConfig>,
}

/// How a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Memory is full of file pages that were read once, down to the high marks.
    Full {
        /// How many thousandths of them stand on the inactive list.
        inactive_per_mille: u64,
    },
    /// All memory is free.
    Empty,
}

/// Which of a node's partitions new pages join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// That of the CPU that adds the folio batch: its number modulo partitions.
    Cpu,
    /// One folio batch after the other, in turn.
    Batch,
    /// Page by page, as a hash of the page's number would: a batch takes as many locks as it has
    /// pages, up to the number of partitions.
    Page,
}

/// The drives that hold the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveConfig {
    /// How many.
    pub count: u32,
    /// Mean time of one 128 KiB read in one of a drive's channels.
    pub service: SimDuration,
    /// The part of a read's time that does not wait in a channel.
    pub latency: SimDuration,
}

/// Page table entries of an address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mm {
    /// So many all the time.
    Fixed(u64),
    /// As many as these classes have pages.
    Grows(core::ops::Range<u16>),
}

/// How TLBs of other CPUs are flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tlb {
    /// By interrupting each of them (x86).
    Interrupt,
    /// By an instruction that the hardware broadcasts (arm64 TLBI).
    Broadcast,
    /// The same, but the whole machine does one at a time: a guess.
    Serial,
}

/// A machine, its load and how to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The kernel's rules and sizes.
    pub flavour: Flavour,
    /// The constants.
    pub ledger: Ledger,
    /// Nodes, 1 to [`NODES_MAX`]; at least one has CPUs.
    pub nodes: Vec<NodeConfig>,
    /// Hardware threads a core.
    pub smt: u32,
    /// Into how many nodes each node of the hardware is cut: node n belongs to n / this. They are
    /// next to each other, share their memory's channels, and cost nothing to cross.
    pub fake_numa: u32,
    /// SLIT distance between different nodes.
    pub distance: u32,
    /// How TLBs are flushed.
    pub tlb: Tlb,
    /// Length of a timer tick.
    pub jiffy: SimDuration,
    /// min_free_kbytes in force.
    pub min_free_kbytes: u64,
    /// watermark_scale_factor.
    pub watermark_scale_factor: u64,
    /// watermark_boost_factor, in 1/10,000; 0 turns boost off.
    pub watermark_boost_factor: u64,
    /// lowmem_reserve_ratio of DMA, DMA32 and Normal.
    pub lowmem_reserve_ratio: [u64; 3],
    /// kswapd workers a node.
    pub kswapds: u32,
    /// How many of them a wakeup wakes.
    pub policy: PolicyId,
    /// Whether a policy's number is woken on top of the workers that are awake.
    pub policy_literal: bool,
    /// Whether several workers of a node are kept from disturbing each other (facts F.3).
    pub multi_fixed: bool,
    /// Whether the lists are generations (lru_gen) or two.
    pub lru_gen: bool,
    /// Whether evicted pages leave shadow entries, over which files are read again.
    pub shadow: bool,
    /// Classes of pages; the first is that of streams.
    pub classes: Vec<ClassConfig>,
    /// Memory cgroups, each with lists of its own; the root is the first.
    pub memcgs: Vec<MemcgConfig>,
    /// The address spaces that a page table walk visits.
    pub mms: Vec<Mm>,
    /// Mappings that stand for so many files each, over which their pages are spread.
    pub spread: Vec<(u32, u32)>,
    /// Files beside the readers' own.
    pub files: u32,
    /// Swap devices, if there are any.
    pub swap: Option<SwapSetup>,
    /// vm.swappiness.
    pub swappiness: u64,
    /// LRU partitions a node.
    pub lru_partitions: u32,
    /// Which partition new pages join.
    pub placement: Placement,
    /// Whether a worker goes on to other workers' partitions when its own are done.
    pub steal: bool,
    /// The tasks, by groups; their numbers follow each other in this order.
    pub groups: Vec<GroupConfig>,
    /// The drives.
    pub drives: DriveConfig,
    /// How it starts.
    pub start: Start,
    /// Every random draw follows from it.
    pub seed: u64,
}

impl Config {
    /// Tasks over all groups.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.groups.iter().map(|g| g.tasks).sum()
    }

    /// Tasks that read files of their own.
    #[must_use]
    pub fn readers(&self) -> u32 {
        self.groups.iter().filter(|g| g.stream().is_some()).map(|g| g.tasks).sum()
    }

    /// The group of a task.
    #[must_use]
    pub fn group_of(&self, task: u32) -> usize {
        let mut end = 0;
        let found = self.groups.iter().position(|g| {
            end += g.tasks;
            task < end
        });
        found.unwrap_or(0)
    }
}
