//! What a person can set, as one table.
//!
//! Every value is an integer in the base unit of its [`Unit`]; a choice is the index of its row, a
//! flag is 0 or 1. Link tokens are lower-case letters; a number follows its token directly (`k8`),
//! a choice follows after a hyphen (`p-all`).

use crate::in_tier::IN_TIER;
use crate::swap::{ALLOCATOR_CHOICES, ASSIGNMENTS, MEDIA, PRIORITIES, ZSWAP, ZSWAP_COMPRESSORS};
use crate::tables::{self, Table};

/// What an integer counts, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    Count,
    /// Bytes; written with a binary unit (`4GiB`, in a link `m4G`).
    Bytes,
    /// Nanoseconds; written with a unit (`250us`).
    Nanos,
    /// KiB, as the kernel's `min_free_kbytes`.
    Kib,
    /// Tenths of a thousandth: 10,000 is the whole (`watermark_scale_factor`).
    PerTenThousand,
    /// Thousandths: 1,000 is the whole.
    PerMille,
    /// Megabytes (10^6 bytes) a second.
    MbPerSecond,
    /// One of a list.
    Choice,
    /// Off or on.
    Flag,
    /// The rows of a table.
    Rows,
}

/// How a slider maps its travel to values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal ratios; 0, where allowed, is the left end.
    Log,
}

/// One row of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value in `--set` and JSON.
    pub name: &'static str,
    /// The value in a link: letters and digits.
    pub link: &'static str,
    /// What it is, in a few words.
    pub label: &'static str,
}

/// What values a control takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer in `min..=max`.
    Number {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// How the slider runs.
        scale: Scale,
    },
    /// An index into the rows.
    Choice(&'static [Choice]),
    /// 0 or 1.
    Flag,
    /// Rows of cells; the integer is how many rows there are.
    Table(&'static Table),
}

impl Kind {
    /// Smallest and largest value.
    #[must_use]
    pub const fn bounds(&self) -> (i64, i64) {
        match *self {
            Self::Number { min, max, .. } => (min, max),
            Self::Choice(rows) => (0, rows.len() as i64 - 1),
            Self::Flag => (0, 1),
            Self::Table(table) => (0, table.rows_max as i64),
        }
    }
}

/// Where a control stands in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Nodes, CPUs, memory, kernel.
    Machine,
    /// kswapd, LRU, watermarks.
    Reclaim,
    /// Swap devices, who hands out their slots, tiers, zswap.
    Swap,
    /// What the tasks do and the devices they read.
    Workload,
    /// Start, seed, times.
    Run,
}

impl Group {
    /// All groups, in page order.
    pub const ALL: [Self; 5] =
        [Self::Machine, Self::Reclaim, Self::Swap, Self::Workload, Self::Run];

    /// The heading.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Machine => "Machine",
            Self::Reclaim => "Reclaim",
            Self::Swap => "Swap",
            Self::Workload => "Workload",
            Self::Run => "Run",
        }
    }
}

/// One control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its number in the table.
    pub id: ControlId,
    /// The key in `--set` and JSON.
    pub key: &'static str,
    /// The token in a link: lower-case letters.
    pub token: &'static str,
    /// The label in the page.
    pub label: &'static str,
    /// The kernel's name for it, or the nearest one.
    pub kernel_name: &'static str,
    /// One sentence of help.
    pub sentence: &'static str,
    /// Where it stands.
    pub group: Group,
    /// What its integer counts.
    pub unit: Unit,
    /// What values it takes.
    pub kind: Kind,
    /// The value in the base scenario; presets differ from it.
    pub default: i64,
}

impl Control {
    /// Smallest and largest value.
    #[must_use]
    pub const fn bounds(&self) -> (i64, i64) {
        self.kind.bounds()
    }

    /// Its table, if it is one.
    #[must_use]
    pub const fn table(&self) -> Option<&'static Table> {
        if let Kind::Table(table) = self.kind { Some(table) } else { None }
    }
}

macro_rules! controls {
    ($($(#[$doc:meta])* $id:ident: $key:literal, $token:literal, $group:ident, $unit:ident,
        $kind:expr, $default:expr, $label:literal, $kernel:literal, $sentence:literal;)*) => {
        /// The number of a control: its row in [`CONTROLS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ControlId {
            $($(#[$doc])* #[doc = $sentence] $id,)*
        }

        /// All controls, in page order.
        pub static CONTROLS: &[Control] = &[
            $(Control {
                id: ControlId::$id, key: $key, token: $token, label: $label, kernel_name: $kernel,
                sentence: $sentence, group: Group::$group, unit: Unit::$unit, kind: $kind,
                default: $default,
            },)*
        ];
    };
}

const fn linear(min: i64, max: i64) -> Kind {
    Kind::Number { min, max, scale: Scale::Linear }
}

const fn log(min: i64, max: i64) -> Kind {
    Kind::Number { min, max, scale: Scale::Log }
}

/// 2^53 - 1: larger seeds would not survive a JSON reader that keeps numbers as doubles.
pub const SEED_MAX: i64 = (1 << 53) - 1;

/// How a run starts.
pub static STARTS: &[Choice] = &[
    Choice { name: "full", link: "full", label: "memory filled by the workload's own rule" },
    Choice { name: "empty", link: "empty", label: "all memory free" },
];

/// Which LRU partition new pages join.
pub static PLACEMENTS: &[Choice] = &[
    Choice { name: "cpu", link: "cpu", label: "by the adding CPU" },
    Choice { name: "batch", link: "batch", label: "batches in turn" },
    Choice { name: "page", link: "page", label: "page by page" },
];

/// How a node keeps its pages in order of use.
pub static LRUS: &[Choice] = &[
    Choice { name: "classic", link: "two", label: "two lists" },
    Choice { name: "mglru", link: "gen", label: "generations (MGLRU)" },
];

/// What the tasks do.
pub static WORKLOADS: &[Choice] = &[
    Choice { name: "stream", link: "stream", label: "read files from end to end" },
    Choice { name: "random", link: "rand", label: "use memory or a file, filled or not" },
    Choice { name: "faults", link: "fault", label: "map, touch every page, unmap" },
    Choice { name: "kv", link: "kv", label: "serve requests out of mapped files" },
    Choice { name: "churn", link: "churn", label: "map chunks, unmap the oldest" },
    Choice { name: "build", link: "build", label: "jobs that read, fill memory, write, exit" },
    Choice { name: "hog", link: "hog", label: "fill memory and keep it" },
    Choice { name: "kbuild", link: "kb", label: "processes that grow, use it and exit" },
];

/// How other CPUs' TLBs are flushed.
pub static TLB_FLUSHES: &[Choice] = &[
    Choice { name: "interrupt", link: "ipi", label: "by interrupts (x86)" },
    Choice { name: "broadcast", link: "tlbi", label: "by broadcast (arm64)" },
    Choice { name: "serial", link: "one", label: "by broadcast, one at a time (a guess)" },
];

/// What runs beside the tasks.
pub static MIXES: &[Choice] = &[
    Choice { name: "none", link: "none", label: "nothing" },
    Choice { name: "stream", link: "stream", label: "readers of files" },
    Choice { name: "hog", link: "hog", label: "tasks that fill memory" },
    Choice { name: "churn", link: "churn", label: "tasks that map and unmap" },
    Choice { name: "faults", link: "fault", label: "a page-fault hammer" },
];

/// How unevenly pages are used.
pub static PATTERNS: &[Choice] = &[
    Choice { name: "uniform", link: "even", label: "each as often as any other" },
    Choice { name: "zipf", link: "zipf", label: "by a power of their rank" },
    Choice { name: "hot", link: "hot", label: "a hot set and the rest" },
    Choice { name: "loop", link: "loop", label: "in order, round and round" },
];

/// What the pages are.
pub static BACKINGS: &[Choice] = &[
    Choice { name: "anon", link: "anon", label: "anonymous memory" },
    Choice { name: "mapped", link: "map", label: "a mapped file" },
    Choice { name: "read", link: "read", label: "a file that is read" },
];

/// Timer frequencies of common kernel builds.
pub static HZ: &[Choice] = &[
    Choice { name: "100", link: "100", label: "100 ticks a second" },
    Choice { name: "250", link: "250", label: "250 ticks a second" },
    Choice { name: "300", link: "300", label: "300 ticks a second" },
    Choice { name: "1000", link: "1000", label: "1000 ticks a second" },
];

/// Values of [`HZ`], by row.
pub static HZ_VALUES: [u64; 4] = [100, 250, 300, 1000];

controls! {
    Nodes: "nodes", "n", Machine, Count, linear(1, 8), 2,
        "NUMA nodes", "nodes", "How many NUMA nodes the machine has, each with its own memory, CPUs and kswapd.";
    Cpus: "cpus", "c", Machine, Count, linear(0, 512), 8,
        "CPUs a node", "nr_cpus", "Hardware threads of each node; a node with 0 has memory only.";
    Smt: "smt", "h", Machine, Count, linear(1, 8), 1,
        "Threads a core", "threads_per_core", "Hardware threads that share one core; busy neighbours slow each other.";
    Memory: "memory", "m", Machine, Bytes, log(1 << 20, 4 << 40), 4 << 30,
        "Memory a node", "present_pages", "Memory of each node; the zones follow from it unless a zoneinfo was pasted.";
    Distance: "distance", "d", Machine, Count, linear(11, 254), 21,
        "Remote distance", "node_distance", "SLIT distance from a node to any other; a node to itself is 10.";
    FakeNuma: "fake_numa", "fn", Machine, Count, linear(1, 8), 1,
        "Parts of a node", "numa=fake", "Into how many nodes each node is cut, as numa=fake and sub-NUMA clustering do: each part has lists, locks and kswapds of its own; memory and CPUs are shared out.";
    TlbFlush: "tlb_flush", "tf", Machine, Choice, Kind::Choice(TLB_FLUSHES), 0,
        "TLB flush", "flush_tlb", "How the TLBs of other CPUs are flushed when reclaim unmaps pages. One at a time is a guess: a cost that the kernel build on a large arm64 machine shows and nothing known explains.";
    Flavour: "flavour", "f", Machine, Choice, Kind::Choice(crate::flavours::CHOICES), 4,
        "Kernel", "uname -r", "Which kernel's rules and batch sizes apply.";
    Hz: "hz", "hz", Machine, Choice, Kind::Choice(HZ), 1,
        "Timer ticks", "CONFIG_HZ", "Ticks a second; time-outs of one tick and HZ/10 follow from it.";
    Thp: "thp", "thp", Machine, Flag, Kind::Flag, 1,
        "Huge pages", "transparent_hugepage", "Whether khugepaged runs and raises min_free_kbytes; large folios themselves are modelled on their way to swap only.";
    Kswapds: "kswapds", "k", Reclaim, Count, linear(1, 32), 1,
        "kswapds a node", "max_kswapds_per_node", "How many kswapd workers each node has.";
    Policy: "policy", "p", Reclaim, Choice, Kind::Choice(crate::policies::CHOICES), 1,
        "Wakeup policy", "kswapd_wait", "How many of a node's sleeping workers a wakeup wakes.";
    PolicyCounting: "policy_counting", "pc", Reclaim, Choice, Kind::Choice(crate::policies::COUNTING), 0,
        "Counting workers", "wake_up_nr", "Whether a policy's number counts the workers that are awake already, or wakes as many more at every wakeup.";
    MultiKswapd: "multi_kswapd", "mk", Reclaim, Choice, Kind::Choice(crate::policies::SEVERAL), 0,
        "Several workers", "kswapd", "Whether several workers share request, flags, failure counter and boost as code for one would have them, or are kept from disturbing each other; one worker is the same in both.";
    Lru: "lru", "lru", Reclaim, Choice, Kind::Choice(LRUS), 0,
        "LRU", "lru_gen", "Whether pages are kept on two lists or in generations (MGLRU).";
    LruPartitions: "lru_partitions", "l", Reclaim, Count, linear(1, 32), 1,
        "LRU partitions", "lruvec", "Into how many sub-lists, each with its own lru_lock, every LRU list of a node is split.";
    Placement: "placement", "lp", Reclaim, Choice, Kind::Choice(PLACEMENTS), 0,
        "Placement", "lruvec", "Which partition new pages join; with one partition it makes no difference.";
    Steal: "steal", "st", Reclaim, Flag, Kind::Flag, 1,
        "Stealing", "shrink_lruvec", "Whether a kswapd worker goes on to other workers' partitions when its own are done.";
    ShadowEntries: "shadow_entries", "sh", Reclaim, Flag, Kind::Flag, 0,
        "Shadow entries", "workingset", "Whether evicted pages leave shadow entries in their file, over which it is then read again; they cost time at both ends.";
    WatermarkScaleFactor: "watermark_scale_factor", "w", Reclaim, PerTenThousand, log(1, 3000), 10,
        "Watermark distance", "watermark_scale_factor", "Distance between min, low and high in 1/10,000 of a zone, where that is more than a quarter of min.";
    WatermarkBoostFactor: "watermark_boost_factor", "wb", Reclaim, PerTenThousand, log(0, 100_000), 15_000,
        "Watermark boost", "watermark_boost_factor", "How far a fragmentation event may raise a zone's marks, in 1/10,000 of high; 0 turns it off, and kernels before 5.0 do not have it.";
    MinFreeKbytes: "min_free_kbytes", "mf", Reclaim, Kib, log(0, 64 << 20), 0,
        "Reserve", "min_free_kbytes", "Memory kept free below all watermarks, in KiB; 0 lets the kernel's own formula decide.";
    ReserveDma: "lowmem_reserve_dma", "ra", Reclaim, Count, log(0, 1 << 20), 256,
        "DMA reserve ratio", "lowmem_reserve_ratio[0]", "One page in this many of the higher zones is kept from them in zone DMA; 0 keeps none.";
    ReserveDma32: "lowmem_reserve_dma32", "rb", Reclaim, Count, log(0, 1 << 20), 256,
        "DMA32 reserve ratio", "lowmem_reserve_ratio[1]", "One page in this many of the higher zones is kept from them in zone DMA32; 0 keeps none.";
    ReserveNormal: "lowmem_reserve_normal", "rc", Reclaim, Count, log(0, 1 << 20), 32,
        "Normal reserve ratio", "lowmem_reserve_ratio[2]", "One page in this many of the higher zones is kept from them in zone Normal; 0 keeps none.";
    Swappiness: "swappiness", "sw", Reclaim, Count, linear(0, 200), 60,
        "Swappiness", "swappiness", "How much rather anonymous pages are scanned than file pages: 0 never, 100 alike, 200 only they; without swap it has no effect.";
    Memcg: "memcg", "q", Reclaim, Bytes, log(0, 4 << 40), 0,
        "Cgroup limit", "memory.max", "Memory that the workload may have, its page cache included; at the limit its tasks reclaim for themselves; 0 is no limit. Streams are not counted.";
    MemcgHigh: "memcg_high", "mh", Reclaim, Bytes, log(0, 4 << 40), 0,
        "Cgroup high", "memory.high", "Memory above which the workload's tasks reclaim and are slowed down; 0 is no limit.";
    SwapDevices: "swap_devices", "sd", Swap, Count, linear(0, 16), 0,
        "Swap devices", "swapon", "How many swap devices there are; without one anonymous pages cannot be reclaimed.";
    SwapSize: "swap_size", "j", Swap, Bytes, log(1 << 20, 1 << 40), 8 << 30,
        "Swap size", "/proc/swaps", "Size of each swap device; of zram before compression.";
    SwapMedium: "swap_medium", "sk", Swap, Choice, Kind::Choice(MEDIA), 0,
        "Swap medium", "swap_info_struct", "What swap devices are made of: compressed memory, which takes CPU time and memory, or drives, which pages wait for.";
    SwapPriorities: "swap_priorities", "sp", Swap, Choice, Kind::Choice(PRIORITIES), 0,
        "Swap priorities", "swapon -p", "Whether devices are peers or one is filled after the other; without any the kernel's default decides.";
    SwapTable: "swap_table", "dv", Swap, Rows, Kind::Table(&tables::DEVICES), 0,
        "Devices one by one", "swapon", "Swap devices that differ, in the order of swapon; without rows they are all alike, as above.";
    Allocator: "allocator", "al", Swap, Choice, Kind::Choice(ALLOCATOR_CHOICES), 0,
        "Slot allocator", "folio_alloc_swap", "How swap slots are handed out and devices of one priority take turns.";
    SwapQuota: "swap_quota", "sq", Swap, Count, log(0, 65_536), 0,
        "Quota of a ring", "SWAP_ROUND_ROBIN_QUOTA", "Pages that a CPU takes from a device of a ring before it goes on to the next; 0 is a cluster.";
    TierAssignment: "tier_assignment", "ta", Swap, Choice, Kind::Choice(ASSIGNMENTS), 0,
        "Swap tiers", "swap_tiers", "What makes a tier. Buckets cut the priorities -1 to 32767 into equal parts, so that 0 to 100 all fall into the lowest.";
    TierBuckets: "tier_buckets", "tb", Swap, Count, linear(1, 31), 4,
        "Buckets", "CONFIG_NR_SWAP_TIERS", "Into how many equal parts the priorities are cut; 0 to 100 all fall into the lowest.";
    SwapTiers: "swap_tiers", "ti", Swap, Rows, Kind::Table(&tables::TIERS), 0,
        "Tiers one by one", "/sys/kernel/mm/swap/tiers", "The tiers, the highest first: where each begins, its policy, and whether the workload's cgroup may use it.";
    InTier: "in_tier", "tp", Swap, Choice, Kind::Choice(IN_TIER), 0,
        "Policy among peers", "swap_tiers", "Which device of a tier, or of one priority, serves next under the queue of rings, where the tier's row says nothing else.";
    TiersAt: "tiers_at", "tt", Swap, Nanos, log(0, 3_600_000_000_000), 0,
        "Tiers change at", "/sys/kernel/mm/swap/tiers", "When the tiers are written anew while the system runs; 0 is never.";
    TiersThen: "tiers_then", "tn", Swap, Rows, Kind::Table(&tables::TIERS), 0,
        "Tiers from then on", "/sys/kernel/mm/swap/tiers", "What is written then. Version 10 refuses it (EBUSY) when an active device would move, tiers of boot or build time always (EPERM); the review lets devices regroup.";
    SwapFolios: "swap_folios", "fo", Swap, Rows, Kind::Table(&tables::FOLIOS), 0,
        "Large folios", "THP_SWAP", "Which share of the anonymous pages is swapped out in folios of which order; one that finds no slots in a row is split.";
    Zswap: "zswap", "zw", Swap, Choice, Kind::Choice(ZSWAP), 0,
        "zswap", "zswap", "Whether pages are compressed in memory before a device is written, with a slot of the device or without one until they go there.";
    ZswapCompressor: "zswap_compressor", "zc", Swap, Choice, Kind::Choice(ZSWAP_COMPRESSORS), 0,
        "zswap compressor", "zswap.compressor", "What compresses the pages of zswap.";
    ZswapPool: "zswap_pool", "zp", Swap, Count, linear(1, 100), 20,
        "zswap pool, %", "max_pool_percent", "Most memory that zswap takes, in percent of all; above it pages go to the device and the oldest ones are written back.";
    ZswapAccept: "zswap_accept", "za", Swap, Count, linear(1, 100), 90,
        "zswap accepts at, %", "accept_threshold_percent", "How far below its limit, in percent of it, a full pool must fall before it takes pages again.";
    Workload: "workload", "wl", Workload, Choice, Kind::Choice(WORKLOADS), 0,
        "Workload", "load", "What the tasks do.";
    Readers: "readers", "r", Workload, Count, log(0, 1024), 8,
        "Readers", "task_struct", "Tasks of the workload: readers that each read a file of their own from end to end, one 128 KiB read-ahead window after the other; or its threads, processes or jobs at once.";
    Rate: "rate", "pr", Workload, Count, log(0, 100_000_000), 0,
        "Pace", "pages/s", "Pages a second that each task reads, fills or uses at most; 0 lets it go as fast as it can.";
    Size: "size", "z", Workload, Bytes, log(4096, 4 << 40), 1 << 30,
        "Size", "mmap", "Memory or file of each task, of all together when it is shared; the chunk of the fault hammer, the data of the server, the most of a job's memory, a mean process's of `kbuild`.";
    Backing: "backing", "bk", Workload, Choice, Kind::Choice(BACKINGS), 0,
        "Pages", "vm_area_struct", "Whether the workload `random` uses anonymous memory or a file.";
    Shared: "shared", "sm", Workload, Flag, Kind::Flag, 0,
        "Shared", "MAP_SHARED", "Whether all tasks of the workload `random` use the same memory or file.";
    Pattern: "pattern", "pa", Workload, Choice, Kind::Choice(PATTERNS), 0,
        "Pattern", "accesses", "How unevenly the pages of the workloads `random`, `hog` and `kv` are used.";
    Skew: "skew", "zs", Workload, PerMille, linear(0, 2000), 990,
        "Skew", "zipf", "Zipf pattern: the page of rank r is used in proportion to r to the power of minus so many thousandths.";
    HotShare: "hot_share", "hs", Workload, PerMille, linear(1, 1000), 100,
        "Hot pages", "working set", "Hot pattern: the share of the pages that are hot.";
    HotUses: "hot_uses", "hu", Workload, PerMille, linear(0, 1000), 900,
        "Uses of hot pages", "accesses", "Hot pattern: the share of the uses that hot pages get.";
    Writes: "writes", "wr", Workload, PerMille, linear(0, 1000), 500,
        "Writes", "PG_dirty", "Share of the uses that write to their page, of requests that write.";
    Chunk: "chunk", "u", Workload, Bytes, log(4096, 1 << 40), 1 << 20,
        "Chunk", "mmap", "Workload `churn`: what is mapped and unmapped at once.";
    Heap: "heap", "g", Workload, Bytes, log(4096, 4 << 40), 1 << 30,
        "Heap", "mmap", "Workload `kv`: anonymous memory that all threads use, as unevenly as the data.";
    DataUses: "data_uses", "ru", Workload, Count, linear(1, 100), 4,
        "Data pages a read", "accesses", "Workload `kv`: pages of the data files that a read uses.";
    RequestCpu: "request_cpu", "x", Workload, Nanos, log(0, 1_000_000_000_000), 50_000,
        "CPU time an operation", "utime", "Workloads `kv` and `build`: CPU time of a request or job apart from its memory. Workload `kbuild`: a mean process's own CPU time.";
    RequestWait: "request_wait", "rw", Workload, Nanos, log(0, 1_000_000_000), 0,
        "Wait between requests", "poll", "Workload `kv`: time between two requests of a thread, on the network and at its client.";
    Mix: "mix", "mx", Workload, Choice, Kind::Choice(MIXES), 0,
        "Beside it", "load", "What other tasks run on the machine at the same time.";
    MixTasks: "mix_tasks", "mt", Workload, Count, linear(1, 256), 1,
        "Tasks beside it", "load", "How many other tasks there are.";
    MixSize: "mix_size", "ms", Workload, Bytes, log(4096, 4 << 40), 1 << 30,
        "Their size", "mmap", "Memory of each of the other tasks.";
    MixRate: "mix_rate", "mr", Workload, Count, log(0, 100_000_000), 0,
        "Their pace", "pages/s", "Pages a second of each of the other tasks; 0 lets it go as fast as it can.";
    MixStart: "mix_start", "mb", Workload, Nanos, log(0, 3_600_000_000_000), 0,
        "Their start", "load", "When the other tasks begin.";
    MixOn: "mix_on", "mo", Workload, Nanos, log(0, 3_600_000_000_000), 0,
        "Their bursts", "load", "How long the other tasks go on before each pause; 0 never pauses.";
    MixOff: "mix_off", "mp", Workload, Nanos, log(0, 3_600_000_000_000), 0,
        "Their pauses", "load", "How long they pause after a burst; 0 never pauses.";
    ReadAhead: "read_ahead", "o", Workload, Flag, Kind::Flag, 1,
        "Read-ahead", "POSIX_FADV_RANDOM", "Whether the next window is read while the one before is used; of mapped files, whether a fault reads the window around its page.";
    Bound: "bound", "b", Workload, Flag, Kind::Flag, 0,
        "Bound to a node", "mbind", "Whether a task may take memory from its own node only.";
    Drives: "drives", "dn", Workload, Count, linear(1, 64), 8,
        "Drives", "nvme", "Drives that hold the files; reader number r reads from drive r modulo this.";
    DriveBandwidth: "drive_bandwidth", "db", Workload, MbPerSecond, log(1, 100_000), 3_500,
        "Drive bandwidth", "read MB/s", "What one drive reads a second when its queue never empties.";
    DriveLatency: "drive_latency", "dl", Workload, Nanos, log(0, 1_000_000_000), 65_000,
        "Drive latency", "read latency", "The part of a read's time that does not wait in the drive's queue.";
    Start: "start", "e", Run, Choice, Kind::Choice(STARTS), 0,
        "Start", "start", "Whether memory is full of read file pages at time 0 or empty.";
    InactiveShare: "inactive_share", "i", Run, PerMille, linear(1, 1000), 1000,
        "Inactive share", "nr_inactive_file", "At a full start, how much of the file pages stands on the inactive list.";
    Seed: "seed", "s", Run, Count, log(0, SEED_MAX), 1,
        "Seed", "seed", "Every random draw of the run follows from it.";
    Warmup: "warmup", "wu", Run, Nanos, log(0, 3_600_000_000_000), 1_000_000_000,
        "Warm-up", "warmup", "Simulated time before the window that is measured.";
    Duration: "duration", "t", Run, Nanos, log(1_000, 3_600_000_000_000), 2_000_000_000,
        "Window", "duration", "Simulated time that is measured.";
}

impl ControlId {
    /// How many controls there are.
    pub const COUNT: usize = Self::Duration as usize + 1;

    /// The row of this control.
    #[must_use]
    pub fn control(self) -> &'static Control {
        &CONTROLS[self as usize]
    }
}

/// Whether a control has an effect with so many swap devices, this row of [`ASSIGNMENTS`] and this
/// one of [`ZSWAP`].
#[must_use]
pub fn swap_applies(id: ControlId, devices: i64, assignment: usize, zswap: usize) -> bool {
    use ControlId as Id;
    let ranges = ["run-time", "run-time-review", "boot"].contains(&ASSIGNMENTS[assignment].name);
    let buckets = ASSIGNMENTS[assignment].name == "buckets";
    match id {
        Id::SwapDevices => true,
        Id::TierBuckets => devices > 0 && buckets,
        Id::SwapTiers => devices > 0 && ASSIGNMENTS[assignment].name != "none",
        Id::TiersAt | Id::TiersThen => devices > 0 && ranges,
        Id::ZswapCompressor | Id::ZswapPool | Id::ZswapAccept => devices > 0 && zswap > 0,
        _ => devices > 0 || id.control().group != Group::Swap,
    }
}

/// Whether a control has an effect under a workload (a row of [`WORKLOADS`]) with these rows of
/// [`PATTERNS`] and [`MIXES`].
#[must_use]
pub fn applies(id: ControlId, workload: usize, pattern: usize, mix: usize) -> bool {
    use ControlId as Id;
    let of = |names: &[&str]| names.contains(&WORKLOADS[workload].name);
    let mixed = |names: &[&str]| names.contains(&MIXES[mix].name);
    let uses = of(&["random", "hog", "kv"]);
    match id {
        Id::ReadAhead => of(&["stream", "kv"]) || mixed(&["stream"]),
        Id::Rate => of(&["stream", "random", "churn", "hog", "faults"]),
        Id::Size => !of(&["stream"]),
        Id::Backing | Id::Shared => of(&["random"]),
        Id::Writes => of(&["random", "kv"]),
        Id::Pattern => uses,
        Id::Skew => uses && PATTERNS[pattern].name == "zipf",
        Id::HotShare | Id::HotUses => uses && PATTERNS[pattern].name == "hot",
        Id::Chunk => of(&["churn"]) || mixed(&["churn"]),
        Id::Heap | Id::DataUses | Id::RequestWait => of(&["kv"]),
        Id::RequestCpu => of(&["kv", "build", "kbuild"]),
        Id::MixTasks | Id::MixRate | Id::MixStart | Id::MixOn | Id::MixOff => !mixed(&["none"]),
        Id::MixSize => mixed(&["hog", "churn", "faults"]),
        _ => true,
    }
}

/// The control with this `--set` key.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static Control> {
    CONTROLS.iter().find(|c| c.key == key)
}

/// The control with this link token.
#[must_use]
pub fn by_token(token: &str) -> Option<&'static Control> {
    CONTROLS.iter().find(|c| c.token == token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_stand_at_their_number_and_names_are_unique() {
        assert_eq!(CONTROLS.len(), ControlId::COUNT);
        let mut names = BTreeSet::new();
        for (row, control) in CONTROLS.iter().enumerate() {
            assert_eq!(control.id as usize, row);
            assert!(names.insert(("key", control.key)), "{} twice", control.key);
            assert!(names.insert(("token", control.token)), "{} twice", control.token);
            assert!(control.token.bytes().all(|b| b.is_ascii_lowercase()));
        }
    }

    #[test]
    fn what_a_workload_does_not_use_does_not_apply() {
        let row = |rows: &[Choice], name| rows.iter().position(|r| r.name == name).expect("a row");
        let (stream, kv) = (row(WORKLOADS, "stream"), row(WORKLOADS, "kv"));
        assert!(!applies(ControlId::Heap, stream, 0, 0) && applies(ControlId::Heap, kv, 0, 0));
        assert!(swap_applies(ControlId::SwapDevices, 0, 0, 0));
        assert!(!swap_applies(ControlId::Allocator, 0, 0, 0));
        assert!(!swap_applies(ControlId::TierBuckets, 1, 0, 0));
        assert!(swap_applies(ControlId::TierBuckets, 1, 5, 0));
        assert!(swap_applies(ControlId::Swappiness, 0, 0, 0));
        assert!(!applies(ControlId::Skew, kv, 0, 0));
        assert!(applies(ControlId::Skew, kv, row(PATTERNS, "zipf"), 0));
        let hog = row(WORKLOADS, "hog");
        assert!(!applies(ControlId::ReadAhead, hog, 0, 0));
        assert!(applies(ControlId::ReadAhead, hog, 0, row(MIXES, "stream")));
        for control in CONTROLS {
            let any = (0..WORKLOADS.len()).any(|w| {
                (0..PATTERNS.len()).any(|p| (0..MIXES.len()).any(|m| applies(control.id, w, p, m)))
            });
            assert!(any, "{} never applies", control.key);
        }
    }

    #[test]
    fn defaults_are_within_bounds() {
        for control in CONTROLS {
            let (min, max) = control.bounds();
            assert!((min..=max).contains(&control.default), "{}", control.key);
        }
    }
}
