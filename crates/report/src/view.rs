//! The machine at one instant: what the picture shows.

use serde::{Deserialize, Serialize};

/// What a kswapd worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// Fully asleep on kswapd_wait.
    Asleep,
    /// In the HZ/10 nap before full sleep; the allocator sees the node as idle.
    Napping,
    /// Ready, but another task has its CPU, or the wakeup has not reached it yet.
    Runnable,
    /// Spinning for lru_lock.
    SpinLru,
    /// Spinning for zone->lock.
    SpinZone,
    /// Spinning for the i_pages lock of a file.
    SpinIPages,
    /// Spinning for a lock of the swap slots.
    SpinSwap,
    /// Holding lru_lock: taking pages off a list or putting some back.
    Isolating,
    /// Working on pages that it has taken (unmapping, removing, freeing).
    PageWork,
}

impl WorkerState {
    /// All states, in the order that tables and arrays use.
    pub const ALL: [Self; 9] = [
        Self::Asleep,
        Self::Napping,
        Self::Runnable,
        Self::SpinLru,
        Self::SpinZone,
        Self::SpinIPages,
        Self::SpinSwap,
        Self::Isolating,
        Self::PageWork,
    ];

    /// The name in JSON and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asleep => "asleep",
            Self::Napping => "napping",
            Self::Runnable => "runnable",
            Self::SpinLru => "spinning_lru_lock",
            Self::SpinZone => "spinning_zone_lock",
            Self::SpinIPages => "spinning_i_pages",
            Self::SpinSwap => "spinning_swap_lock",
            Self::Isolating => "isolating",
            Self::PageWork => "page_work",
        }
    }
}

/// What an application task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderState {
    /// On a CPU, doing its own work (allocating, copying, spinning for a lock it needs to
    /// allocate).
    Running,
    /// Ready, waiting for a CPU.
    Runnable,
    /// Waiting for a read to complete.
    Io,
    /// In direct reclaim.
    Direct,
    /// Asleep on pfmemalloc_wait or in reclaim_throttle.
    Throttled,
}

impl ReaderState {
    /// All states, in the order that tables and arrays use.
    pub const ALL: [Self; 5] =
        [Self::Running, Self::Runnable, Self::Io, Self::Direct, Self::Throttled];

    /// The name in JSON and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Runnable => "runnable",
            Self::Io => "io",
            Self::Direct => "direct",
            Self::Throttled => "throttled",
        }
    }
}

/// What a CPU is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CpuUse {
    /// Application work outside reclaim and spinning.
    Application,
    /// kswapd: work on isolated pages.
    KswapdWork,
    /// kswapd or direct reclaim: holding lru_lock to isolate or put back.
    Isolating,
    /// Anybody: spinning for a lock, those of swap slots apart.
    LockSpin,
    /// Direct reclaim: work on isolated pages.
    DirectWork,
    /// Nothing to run.
    Idle,
    /// Anybody: spinning for a lock of the swap slots.
    SwapSpin,
    /// Anybody: waiting for its turn to have TLBs flushed.
    TlbWait,
}

impl CpuUse {
    /// All uses, in the order that tables and arrays use.
    pub const ALL: [Self; 8] = [
        Self::Application,
        Self::KswapdWork,
        Self::Isolating,
        Self::LockSpin,
        Self::DirectWork,
        Self::Idle,
        Self::SwapSpin,
        Self::TlbWait,
    ];

    /// The name in JSON and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Application => "application",
            Self::KswapdWork => "kswapd_work",
            Self::Isolating => "isolating",
            Self::LockSpin => "lock_spin",
            Self::DirectWork => "direct_work",
            Self::Idle => "idle",
            Self::SwapSpin => "swap_spin",
            Self::TlbWait => "tlb_wait",
        }
    }
}

/// A task, as a queue or a holder shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// kswapd worker `1` of node `0`.
    Kswapd(u16, u16),
    /// Reader number `0`; the flag says that it is in direct reclaim.
    Reader(u16, bool),
}

/// A lock and its queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LockView {
    /// `lru_lock`, `lru_lock:3` (partition 3) or `zone->lock Normal`.
    pub name: String,
    /// Who holds it.
    pub holder: Option<Who>,
    /// Nanoseconds since it was taken; 0 when free.
    pub held_ns: u64,
    /// How long this hold lasts in all, in nanoseconds; 0 when free.
    pub hold_ns: u64,
    /// The first of those who spin for it, in order; at most [`LockView::QUEUE_MAX`].
    pub queue: Vec<Who>,
    /// How many spin for it.
    pub waiters: u32,
}

impl LockView {
    /// How many of a queue are named.
    pub const QUEUE_MAX: usize = 24;
}

/// A worker now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerView {
    /// What it does.
    pub state: WorkerState,
    /// Since when, in nanoseconds before now.
    pub since_ns: u64,
    /// Reclaim priority of its pass (12 gentle, 1 hard); 0 outside a pass.
    pub priority: u8,
}

/// The last wakeup of a node's kswapd: what its policy saw, and what it decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeupView {
    /// How many there were so far; with 0 nothing else means anything.
    pub decisions: u64,
    /// Nanoseconds since the last one.
    pub since_ns: u64,
    /// 0 an allocation found nothing above low, 1 a boost, 2 a task is about to be throttled.
    pub cause: u8,
    /// What the policy looked at; its catalog row says what that is.
    pub saw: u64,
    /// How many workers it wanted awake.
    pub target: u32,
    /// How many were.
    pub awake: u32,
    /// How many it woke.
    pub woke: u32,
}

/// Tasks asleep because reclaim does not go on, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThrottledView {
    /// On pfmemalloc_wait: less than half of min is free.
    pub pfmemalloc: u32,
    /// In reclaim_throttle: pages under writeback.
    pub writeback: u32,
    /// Too many pages in the hands of reclaimers.
    pub isolated: u32,
    /// Nothing reclaimed at priority 1.
    pub noprogress: u32,
    /// A congested node.
    pub congested: u32,
}

impl ThrottledView {
    /// The counts, in the order of the fields.
    #[must_use]
    pub const fn counts(&self) -> [u32; 5] {
        [self.pfmemalloc, self.writeback, self.isolated, self.noprogress, self.congested]
    }

    /// From counts in that order.
    #[must_use]
    pub const fn of([pfmemalloc, writeback, isolated, noprogress, congested]: [u32; 5]) -> Self {
        Self { pfmemalloc, writeback, isolated, noprogress, congested }
    }
}

/// A node now. Amounts are pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    /// Free pages over its zones, less what each keeps from user pages (lowmem_reserve): what the
    /// marks are compared with.
    pub free: u64,
    /// Sums of the zones' marks: min, low, high.
    pub marks: [u64; 3],
    /// By how much those are raised by watermark boost.
    pub boost: u64,
    /// Memory pressure of its CPUs, `some` and `full`: avg10 in hundredths of a percent.
    pub pressure: [u32; 2],
    /// The last wakeup of its kswapd.
    pub wakeup: WakeupView,
    /// Tasks throttled on it.
    pub throttled: ThrottledView,
    /// inactive_anon, active_anon, inactive_file, active_file.
    pub lists: [u64; 4],
    /// Pages by generation, the oldest first, of anonymous and of file pages; zeros when the lists
    /// are classic.
    pub gens: [u64; 8],
    /// Pages on per-CPU lists.
    pub pcp: u64,
    /// The lru_locks (one a partition), then the zone locks.
    pub locks: Vec<LockView>,
    /// The kswapd workers.
    pub workers: Vec<WorkerView>,
    /// Readers that live on this node, by [`ReaderState`].
    pub readers: [u32; 5],
    /// CPUs by [`CpuUse`].
    pub cpus: [u32; CpuUse::ALL.len()],
}

/// The memory cgroup of the workload now; zeros when there is none. Amounts are pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupView {
    /// memory.current.
    pub usage: u64,
    /// memory.max; 0 for none.
    pub max: u64,
    /// Times that usage was about to go over it.
    pub hits: u64,
}

/// A swap device now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapDeviceView {
    /// Used slots.
    pub used: u64,
    /// Requests that it serves.
    pub busy: u32,
    /// The place of its group of peers, 0 asked first.
    pub group: u32,
    /// Where it stands among all devices in the order in which they are asked, 1 first; with rings
    /// its place in its ring. 0 when it is full and so not on the list.
    pub place: u32,
    /// CPUs that go on there for their next page; with rings those whose place in its ring it is.
    pub cpus: u32,
    /// Pages that they have left there together, of their quotas or clusters.
    pub left: u32,
}

/// Swap now, device by device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SwapView {
    /// The devices, in the order of swapon.
    pub devices: Vec<SwapDeviceView>,
    /// Pages in zswap, the bytes that they take, and the most that they may.
    pub zswap: [u64; 3],
    /// The lock that devices are chosen under; none without devices.
    pub lock: Option<LockView>,
    /// si->lock over all devices: how many are held, and how many tasks spin for one.
    pub device_locks: [u32; 2],
    /// ci->lock over all clusters since the start: passages, and those that had to wait.
    pub cluster_locks: [u64; 2],
}

/// The machine now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineView {
    /// The cgroup.
    pub cgroup: CgroupView,
    /// Swap slots that are used, and all.
    pub swap: [u64; 2],
    /// Swap device by device.
    pub devices: SwapView,
    /// Tasks that the OOM killer chose so far.
    pub oom_kills: u64,
    /// Simulated nanoseconds since the start of the run (warm-up included).
    pub time_ns: u64,
    /// The nodes.
    pub nodes: Vec<NodeView>,
}
