//! Tasks: kswapd workers and those of the workload, what each does now and where its time went.

use crate::config::{NODES_MAX, ZONES_PER_NODE};
use crate::lru::{ClassId, Entry, Flags, LruList, PageKind};
use crate::psi::Counted;
use crate::vmscan::pageout::Swapping;
use crate::vmscan::request::Work;
use crate::vmscan::throttle::Throttled;
use crate::workload::job::Job;
use units::{CpuId, LockId, NodeId, SimDuration, SimTime};

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Worker number `0` of its node.
    Kswapd(u32),
    /// Task number `0` of the workload, over all groups.
    Task(u32),
    /// The task that writes dirty pages.
    Flusher,
}

/// What a task does now. Its time is kept by these; they partition it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// Asleep on kswapd_wait.
    Asleep,
    /// In kswapd's HZ/10 nap.
    Napping,
    /// Ready, without a CPU (or on its way there).
    Runnable,
    /// Spinning for lru_lock.
    SpinLru,
    /// Spinning for zone->lock.
    SpinZone,
    /// Spinning for an i_pages lock.
    SpinIPages,
    /// Spinning for a lock of the swap slots: swap_avail_lock, si->lock, ci->lock.
    SpinSwap,
    /// Waiting on a CPU for its turn to have other CPUs' TLBs flushed.
    TlbWait,
    /// Reclaim: holding lru_lock.
    Isolating,
    /// Reclaim: everything else on a CPU.
    PageWork,
    /// The kernel's work for a task outside reclaim, locks of the allocation side included; of
    /// workloads that do not tell it apart their own work too.
    App,
    /// A task's own work, where the workload tells it apart from the kernel's.
    User,
    /// Waiting for a read.
    Io,
    /// Asleep on pfmemalloc_wait or in reclaim_throttle.
    Throttled,
}

impl State {
    /// How many states there are.
    pub const COUNT: usize = Self::Throttled as usize + 1;
}

/// Where a task goes on at its next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// kswapd: try to sleep.
    KswapdSleep,
    /// kswapd: the nap ended, by time or by a wakeup.
    KswapdNapped,
    /// kswapd: woken from full sleep.
    KswapdWoken,
    /// kswapd: test the balance and begin a pass, or finish.
    KswapdBalance,
    /// Reclaim: begin the pass over a node.
    ShrinkNode,
    /// Reclaim: choose the next slice of a list.
    ShrinkNext,
    /// Reclaim: one address space was walked for a new generation.
    AgeWalk,
    /// Reclaim: pages of a generation that is given up were moved under lru_lock.
    AgeMerged,
    /// Reclaim: lru_lock is held for a new generation.
    Aged,
    /// Reclaim: this CPU's folio batch is drained; take a slice of the inactive list.
    ShrinkInactive,
    /// Reclaim: lru_lock is held, inactive pages come off the tail.
    InactiveTaken,
    /// Reclaim: pages that belong to younger generations were sorted there under lru_lock.
    InactiveSorted,
    /// Reclaim: the pages taken were worked on; the files' i_pages locks are next.
    InactiveWorked,
    /// Reclaim: the pages of one file left the page cache.
    InactiveRemoved,
    /// Reclaim: the node's age was advanced for those pages.
    AgeNoted,
    /// Reclaim: a batch of freed pages went back to the zone.
    InactiveFreed,
    /// Reclaim: the next anonymous page gets a slot, or is written.
    SwapNext,
    /// Reclaim: pages that stay are put back under lru_lock.
    InactivePutback,
    /// Reclaim: the slice is accounted under lru_lock.
    SliceDone,
    /// Reclaim: lru_lock is held, active pages come off the tail.
    ActiveTaken,
    /// Reclaim: the active pages taken were worked on.
    ActiveWorked,
    /// Reclaim: the active pages stand on the inactive list.
    ActivePutback,
    /// Direct reclaim: test the throttle and begin (again after a throttled sleep).
    DirectBegin,
    /// Direct reclaim: reclaim at this priority, node by node.
    DirectPriority,
    /// Direct reclaim: the call returns.
    DirectDone,
    /// Direct reclaim: all per-CPU lists are drained.
    DirectDrained,
    /// Reader: the data of this window is there.
    ReaderWindow,
    /// Allocation: take what is still needed.
    Alloc,
    /// Allocation: the stocks of all CPUs are drained at a cgroup's limit.
    StocksDrained,
    /// Allocation: the task that ran out of memory slept while another one dies.
    OomSlept,
    /// Allocation: on the slow path, kswapd is woken.
    AllocSlowPath,
    /// Allocation: zone->lock is held, a batch comes to the per-CPU list.
    AllocRefilled,
    /// Allocation: pages are in the page cache, or mapped.
    AllocInserted,
    /// Reader: the pages of the next window are there.
    ReaderFilled,
    /// Anybody: the pages of one node went from a folio batch to its LRU.
    LruAdded,
    /// Reader: the window was copied.
    ReaderCopied,
    /// Reader without read-ahead: the window that it asked for is there.
    ReaderArrived,
    /// Reclaim: a sleep in reclaim_throttle is over.
    ThrottleEnd,
    /// Direct reclaim: every node of the zonelist was reclaimed at this priority.
    DirectRoundDone,
    /// kswapd: balance_pgdat ends without another test.
    KswapdBalanceEnd,
    /// kswapd: a pass over its node is over, and the sleep that came of pages under writeback.
    KswapdPassDone,
    /// Allocation: the sleep of a task over memory.high has ended.
    HighSlept,
    /// The task has ended: it never runs again.
    Ended,
    /// Workload: the next piece of work.
    WorkNext,
    /// Workload: an operation is over.
    WorkDone,
    /// Workload: pages are needed.
    WorkMiss,
    /// Workload: a drive has read them.
    WorkRead,
    /// Freeing: this CPU's folio batch is drained before pages are unmapped.
    UnmapDrained,
    /// Freeing: a batch of pages was unmapped.
    ReleaseUnmapped,
    /// Freeing: a batch left its lists.
    ReleaseFree,
    /// Freeing: pages of a batch went back to their zone.
    ReleaseSpilled,
    /// End of a task: this CPU's folio batch is drained.
    ExitDrained,
    /// End of a task: its memory is free.
    Exit,
    /// Flusher: look for pages to write.
    Flush,
    /// Flusher: pages were submitted.
    FlushSubmitted,
    /// Flusher: a drive has them.
    Flushed,
}

/// What a pass over generations has done about making a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aging {
    /// Nothing.
    #[default]
    No,
    /// Somebody else was at it.
    Lost,
    /// It made one.
    Done,
    /// It made one and took a batch since.
    Evicted,
}

/// A pass of reclaim over one node.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// The node.
    pub node: u32,
    /// 12 gentle to 0 everything.
    pub priority: u8,
    /// Whether the caller is a task in direct reclaim.
    pub direct: bool,
    /// Pages to reclaim before the pass may stop.
    pub nr_to_reclaim: u64,
    /// Pages scanned in this pass.
    pub nr_scanned: u64,
    /// Of those, pages met under writeback; `nr_immediate` those that were met so again on a node
    /// where that is all that reclaim finds.
    pub nr_writeback: u64,
    /// See `nr_writeback`.
    pub nr_immediate: u64,
    /// Pages reclaimed in this pass over one node.
    pub nr_reclaimed: u64,
    /// Partition being shrunk, and how many are still to come after it.
    pub partition: u32,
    /// Partitions still to come, this one included.
    pub partitions_left: u32,
    /// From one of them to the next.
    pub stride: u32,
    /// The memory cgroup whose lists are at hand.
    pub memcg: u16,
    /// Cgroups still to come, this one included.
    pub memcgs_left: u16,
    /// The cgroup whose limit this is about: only its lists are reclaimed.
    pub limit: Option<u16>,
    /// What this pass may still scan of the lists, by [`crate::lru::LruList`]; MGLRU has one quota,
    /// the first.
    pub quota: [u64; 4],
    /// The quotas that it began with.
    pub targets: [u64; 4],
    /// The list at hand, and which one is next in this round.
    pub list: LruList,
    /// See `list`.
    pub cursor: u8,
    /// Whether the active lists of anonymous and file pages are scanned too.
    pub may_deactivate: [bool; 2],
    /// Whether the quotas have been adjusted for having reclaimed enough, or never shall be.
    pub adjusted: bool,
    /// Pages reclaimed of this cgroup's lists in this pass.
    pub lruvec_reclaimed: u64,
    /// Whether this pass has made a generation.
    pub aged: Aging,
    /// Whether the slice at hand has been throttled as ISOLATED already.
    pub isolated_throttled: bool,
    /// Nodes of the zonelist visited at this priority (direct reclaim).
    pub visited: u32,
    /// Reclaimed in all, over every pass since balance_pgdat or the call began.
    pub total: u64,
    /// Scanned in this round over the zonelist (direct reclaim).
    pub total_scanned: u64,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            node: 0,
            priority: 0,
            direct: false,
            nr_to_reclaim: 0,
            nr_scanned: 0,
            nr_writeback: 0,
            nr_immediate: 0,
            nr_reclaimed: 0,
            partition: 0,
            partitions_left: 0,
            stride: 0,
            memcg: 0,
            memcgs_left: 0,
            limit: None,
            quota: [0; 4],
            targets: [0; 4],
            list: LruList::InactiveFile,
            cursor: 0,
            may_deactivate: [false; 2],
            adjusted: false,
            lruvec_reclaimed: 0,
            aged: Aging::No,
            isolated_throttled: false,
            visited: 0,
            total: 0,
            total_scanned: 0,
        }
    }
}

/// Pages in the hands of a reclaimer.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// Anonymous or file pages.
    pub kind: PageKind,
    /// How many pages were taken.
    pub nr_taken: u32,
    /// How many of them were freed.
    pub nr_freed: u32,
    /// How many of them were written.
    pub nr_written: u32,
    /// How many of them were dirty.
    pub nr_dirty: u32,
    /// How many of them were under writeback.
    pub nr_writeback: u32,
    /// How many of those count as met again.
    pub nr_immediate: u32,
    /// How many of them are activated.
    pub nr_activate: u32,
    /// How many of them stay since they were referenced.
    pub nr_ref_keep: u32,
    /// How many were expected to be looked at when the lock was asked for.
    pub expected: u32,
    /// Work on them that is put off, in ns.
    pub work: u64,
    /// Pages of an old generation that still have to be moved to the next one.
    pub to_merge: u64,
    /// Pages that go, with their tiers, until they have left.
    pub reclaim: Vec<(Entry, u8)>,
    /// Pages that stay.
    pub keep: Vec<Entry>,
    /// Files that pages still have to leave, and how many; `None` is any of the readers'.
    pub removals: Vec<(Option<u32>, u32)>,
    /// Pages to be freed by zone kind of the scan's node.
    pub pages: [u32; ZONES_PER_NODE],
    /// Pages that left a file just now.
    pub removed: u32,
    /// Zone kind whose pages are being freed.
    pub zone: u32,
    /// Pages on their way back to that zone.
    pub spill: u32,
}

impl Default for Isolated {
    fn default() -> Self {
        Self {
            kind: PageKind::File,
            nr_taken: 0,
            nr_freed: 0,
            nr_written: 0,
            nr_dirty: 0,
            nr_writeback: 0,
            nr_immediate: 0,
            nr_activate: 0,
            nr_ref_keep: 0,
            expected: 0,
            work: 0,
            to_merge: 0,
            reclaim: Vec::new(),
            keep: Vec::new(),
            removals: Vec::new(),
            pages: [0; ZONES_PER_NODE],
            removed: 0,
            zone: 0,
            spill: 0,
        }
    }
}

/// What a task wants pages for, and how far it has come.
#[derive(Clone, Debug)]
pub struct Alloc {
    /// Pages that it still needs.
    pub need: u32,
    /// What they will hold.
    pub class: ClassId,
    /// The state in which they join the lists.
    pub flags: Flags,
    /// Of a loop: the number of the use that asked for the first of them.
    pub first_use: u64,
    /// Pages that it has got by node.
    pub got: [u16; NODES_MAX],
    /// Pages taken that are not in their file or mapped yet.
    pub taken: u32,
    /// The zone that `taken` or the refill at hand comes from.
    pub zone: u32,
    /// Pages that the refill at hand asks for.
    pub refill: u32,
    /// Fruitless rounds of direct reclaim.
    pub no_progress: u32,
    /// Whether all lists were drained after the last direct reclaim.
    pub drained: bool,
    /// When the direct reclaim call began.
    pub direct_since: SimTime,
    /// Pages charged to their cgroup that are still to be taken.
    pub charged: u32,
    /// Fruitless reclaim calls at the limit, or calls for memory.high.
    pub charge_tries: u32,
    /// Whether the CPUs' stocks were drained since the last charge.
    pub stocks_drained: bool,
    /// Pages charged over memory.high that are still to be reclaimed.
    pub over_high: u64,
    /// Where the task goes on when it has them.
    pub then: Step,
}

impl Default for Alloc {
    fn default() -> Self {
        Self {
            need: 0,
            class: ClassId::default(),
            flags: Flags::default(),
            first_use: 0,
            got: [0; NODES_MAX],
            taken: 0,
            zone: 0,
            refill: 0,
            no_progress: 0,
            drained: false,
            direct_since: SimTime::ZERO,
            charged: 0,
            charge_tries: 0,
            stocks_drained: false,
            over_high: 0,
            then: Step::ReaderFilled,
        }
    }
}

/// What a reader is about.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// When the window in flight is there.
    pub ready_at: SimTime,
    /// When the last window was finished.
    pub last_done: SimTime,
    /// When the reader started: a paced one counts from there.
    pub started: SimTime,
    /// Windows that it has finished.
    pub windows: u64,
    /// Pages of the window at hand by node: none before the first one was read.
    pub at_hand: [u16; NODES_MAX],
    /// Pages of the window in flight by node.
    pub in_flight: [u16; NODES_MAX],
}

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is.
    pub kind: Kind,
    /// The group that it belongs to, unless it is a worker.
    pub group: u32,
    /// The node whose CPUs it runs on.
    pub node: NodeId,
    /// The CPU that it runs on or ran on last.
    pub cpu: CpuId,
    /// Whether it has that CPU.
    pub on_cpu: bool,
    /// What it does now.
    pub state: State,
    /// Since when.
    pub since: SimTime,
    /// When it goes over to another state without an event, and to which: a piece of work that
    /// begins with one thing and goes on with another.
    pub turn: (SimTime, State),
    /// Where its time went up to `since`, in nanoseconds by [`State`].
    pub spent: [u64; State::COUNT],
    /// Whether it is in direct reclaim.
    pub direct: bool,
    /// Where it goes on.
    pub step: Step,
    /// The lock that it holds or spins for.
    pub lock: Option<LockId>,
    /// How long it will hold it.
    pub hold: SimDuration,
    /// Cache lines that the last holder wrote and that are needed under it, and how much longer it
    /// takes when that was on another node.
    pub hold_lines: (u32, SimDuration),
    /// Its state while it holds it.
    pub held: State,
    /// End of the hold at hand.
    pub hold_until: SimTime,
    /// Whether a wakeup ended its sleep (and not a timer).
    pub woken: bool,
    /// What a kswapd worker works on.
    pub work: Work,
    /// Whether it is stalled on memory (between psi_memstall_enter and psi_memstall_leave).
    pub stalled: bool,
    /// What pressure counts it as.
    pub counted: Counted,
    /// The sleep in reclaim_throttle at hand.
    pub throttled: Option<Throttled>,
    /// The pass at hand.
    pub scan: Scan,
    /// The pages at hand.
    pub isolated: Isolated,
    /// What it wants pages for.
    pub alloc: Alloc,
    /// What it is about with swap, as a reclaimer.
    pub swapping: Swapping,
    /// What a reader is about.
    pub reading: Reading,
    /// What any other task of the workload is about.
    pub job: Job,
    /// Pages of a folio batch on their way to the LRU, each with its node.
    pub adding: Vec<(u8, Entry)>,
    /// The partition that they go to, or the next one of several.
    pub adding_to: u32,
    /// Partitions that still get a share of the node at hand.
    pub adding_left: u32,
    /// Where it goes on when they are there.
    pub after_adding: Step,
    /// Pages scanned and reclaimed since the start.
    pub pgscan: u64,
    /// Pages reclaimed since the start.
    pub pgsteal: u64,
}

impl Task {
    /// A task that sleeps on `node` and will go on at `step`.
    #[must_use]
    pub fn new(kind: Kind, node: NodeId, cpu: CpuId, step: Step, state: State) -> Self {
        Self {
            kind,
            group: 0,
            node,
            cpu,
            on_cpu: false,
            state,
            since: SimTime::ZERO,
            turn: (SimTime::MAX, state),
            spent: [0; State::COUNT],
            direct: false,
            step,
            lock: None,
            hold: SimDuration::ZERO,
            hold_lines: (0, SimDuration::ZERO),
            held: State::App,
            hold_until: SimTime::ZERO,
            woken: false,
            work: Work::default(),
            stalled: false,
            counted: Counted::default(),
            throttled: None,
            scan: Scan::default(),
            isolated: Isolated::default(),
            alloc: Alloc::default(),
            swapping: Swapping::default(),
            reading: Reading::default(),
            job: Job::new(0, 0, SimTime::ZERO),
            adding: Vec::new(),
            adding_to: 0,
            adding_left: 0,
            after_adding: step,
            pgscan: 0,
            pgsteal: 0,
        }
    }

    /// Enters a state; the time since the last change goes to the state left.
    #[inline]
    pub fn enter(&mut self, now: SimTime, state: State) {
        if now >= self.turn.0 {
            self.take_turn();
        }
        self.spent[self.state as usize] += (now - self.since).as_nanos();
        self.state = state;
        self.since = now;
        self.turn.0 = SimTime::MAX;
    }

    /// The other state of a piece of work has begun.
    fn take_turn(&mut self) {
        let (at, state) = self.turn;
        self.spent[self.state as usize] += (at - self.since).as_nanos();
        (self.state, self.since, self.turn.0) = (state, at, SimTime::MAX);
    }

    /// What it does at `now`, which is not before its last event.
    #[must_use]
    pub fn state_at(&self, now: SimTime) -> State {
        if now >= self.turn.0 { self.turn.1 } else { self.state }
    }

    /// Where its time went up to `now`, in nanoseconds by [`State`].
    #[must_use]
    pub fn spent_until(&self, now: SimTime) -> [u64; State::COUNT] {
        let mut spent = self.spent;
        let turn = self.turn.0.min(now);
        spent[self.state as usize] += (turn - self.since).as_nanos();
        spent[self.turn.1 as usize] += (now - turn).as_nanos();
        spent
    }

    /// Whether it reclaims: for its node as a worker, or for itself.
    #[must_use]
    pub fn is_reclaiming(&self) -> bool {
        self.direct || self.is_kswapd()
    }

    /// The node that a worker reclaims: always the same one.
    #[must_use]
    pub fn scan_home(&self) -> u32 {
        self.scan.node
    }

    /// Whether it is a kswapd worker.
    #[must_use]
    pub fn is_kswapd(&self) -> bool {
        matches!(self.kind, Kind::Kswapd(_))
    }
}
