//! What a run says of its window, as the CLI prints it and the page shows it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Latency of the application's operations, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p999: f64,
    /// The longest.
    pub max: f64,
    /// How many operations.
    pub count: u64,
}

/// Where the time of one kswapd worker went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// `kswapd0:2`.
    pub name: String,
    /// Its node.
    pub node: u32,
    /// Seconds by state; they sum to the window.
    pub seconds: BTreeMap<String, f64>,
    /// The same in nanoseconds: these sum exactly.
    pub nanos: BTreeMap<String, u64>,
    /// Pages it scanned.
    pub pgscan: u64,
    /// Pages it reclaimed.
    pub pgsteal: u64,
}

/// What a node's wakeup policy decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wakeups {
    /// The node.
    pub node: u32,
    /// The policy, by its name in the catalog.
    pub policy: String,
    /// Wakeups that it decided.
    pub decisions: u64,
    /// What a decision looked at, in words, and its mean.
    pub saw: String,
    /// The mean of it over the decisions.
    pub mean_saw: f64,
    /// Mean of the workers it wanted awake.
    pub mean_target: f64,
    /// Workers that were woken.
    pub woke: u64,
}

/// A line of /proc/pressure/memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PressureLine {
    /// Percent of time stalled, averaged over 10 s; updated every 2 s.
    pub avg10: f64,
    /// The same over 60 s.
    pub avg60: f64,
    /// The same over 300 s.
    pub avg300: f64,
    /// Microseconds stalled since the start of the run.
    pub total_us: u64,
}

/// Memory pressure at the end of the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressure {
    /// `system`, or `node0`: a node's CPUs alone, which no kernel shows.
    pub of: String,
    /// Time in which some task was stalled on memory.
    pub some: PressureLine,
    /// Time in which all tasks that were not idle were.
    pub full: PressureLine,
}

/// What happened at one lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// `node0/lru_lock`, `node0/lru_lock:3`, `node1/zone->lock Normal`, `i_pages` (all files).
    pub name: String,
    /// Passages.
    pub acquisitions: u64,
    /// Passages that had to wait.
    pub contended: u64,
    /// Share of the window in which it was held or handed over, 0 to 1 (for `i_pages`: the
    /// busiest).
    pub utilisation: f64,
    /// Seconds that tasks spun for it, all together.
    pub wait_s: f64,
    /// Seconds that it was held.
    pub hold_s: f64,
}

/// A zone and its marks, in pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zone {
    /// `DMA`, `DMA32`, `Normal`, `Movable`.
    pub zone: String,
    /// Pages handed to the buddy allocator.
    pub managed: u64,
    /// Watermark min.
    pub min: u64,
    /// Watermark low.
    pub low: u64,
    /// Watermark high.
    pub high: u64,
    /// lowmem_reserve against the class of user pages.
    pub reserve: u64,
    /// Free pages at the end of the window.
    pub free: u64,
}

/// A node at the end of the window, in pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its number.
    pub node: u32,
    /// Its hardware threads.
    pub cpus: u32,
    /// Sums over its zones.
    pub min: u64,
    /// Sums over its zones.
    pub low: u64,
    /// Sums over its zones.
    pub high: u64,
    /// Free pages.
    pub free: u64,
    /// inactive_anon, active_anon, inactive_file, active_file.
    pub lists: [u64; 4],
    /// Its zones.
    pub zones: Vec<Zone>,
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Always `SIMULATED`.
    pub kind: String,
    /// Model version.
    pub model: String,
    /// The scenario as a link fragment.
    pub link: String,
    /// The preset it differs from.
    pub preset: String,
    /// The seed.
    pub seed: u64,
    /// 16 hex digits over every event up to the end of the window.
    pub digest: String,
    /// `full` or `empty`.
    pub start: String,
    /// Seconds before the window.
    pub warmup_s: f64,
    /// Seconds of the window.
    pub window_s: f64,
    /// What ended the run: `window` when it went to its end.
    pub stopped: String,
    /// Events dispatched from the start to the end.
    pub events: u64,
    /// What `throughput` and `latency_us` count: `bytes read` and `128 KiB read-ahead window`.
    pub throughput_unit: String,
    /// What one operation is.
    pub operation: String,
    /// Application work a second.
    pub throughput: f64,
    /// Latency of the application's operations.
    pub latency_us: Latency,
    /// Latency of direct reclaim calls.
    pub direct_reclaim_us: Latency,
    /// Kernel counters: how much they rose over the window.
    pub vmstat: BTreeMap<String, u64>,
    /// CPU seconds by use, idle included.
    pub cpu_s: BTreeMap<String, f64>,
    /// CPU seconds of the tasks' own work, where the workload tells it apart from the kernel's;
    /// they are part of `application`.
    #[serde(default)]
    pub user_s: f64,
    /// CPU seconds of all kswapd workers, spinning included.
    pub kswapd_cpu_s: f64,
    /// kswapd's CPU microseconds per page it scanned; absent when it scanned none.
    pub kswapd_us_per_page: Option<f64>,
    /// The workers.
    pub workers: Vec<Worker>,
    /// The decisions of the wakeup policy, a row a node.
    pub wakeups: Vec<Wakeups>,
    /// Memory pressure: the system's, then each node's.
    pub pressure: Vec<Pressure>,
    /// The locks.
    pub locks: Vec<Lock>,
    /// Seconds that tasks waited for lru_locks, by what they wanted under them: `add`, `inactive`,
    /// `active`, `cost`, `aging`, `free`.
    pub lru_wait_s: BTreeMap<String, f64>,
    /// What happened to swap slots in the window: `granted`, `refused`, `choices` of a device from
    /// the list, `rotations` of it, `switches` of clusters, `inversions` (slots given while a
    /// device of higher priority had room), `edges` (devices that ran full or had room again).
    #[serde(default)]
    pub swap_slots: BTreeMap<String, u64>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Swap; none without devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap: Option<Swap>,
}

/// Swap from the start of the run to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Swap {
    /// The devices, in the order of swapon.
    pub devices: Vec<SwapDevice>,
    /// Slots given to those who asked.
    pub granted: u64,
    /// Allocations that were refused.
    pub refused: u64,
    /// Times that a device was chosen from the list of those with room (swap_avail_lock).
    pub choices: u64,
    /// Clusters begun, or refills of a slot cache.
    pub switches: u64,
    /// Slots given on a device while one of higher rank had room that was not asked.
    pub inversions: u64,
    /// The most of them in a row that a CPU was given.
    pub inversion_most: u64,
    /// What came of writing the tiers anew: `taken`, or the kernel's error; nothing when it was
    /// not tried.
    pub tiers_change: Option<String>,
}

/// A swap device at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SwapDevice {
    /// What it is made of, and its number.
    pub name: String,
    /// Its priority.
    pub priority: i32,
    /// The place of its group of peers, 0 asked first.
    pub group: u32,
    /// Slots.
    pub pages: u64,
    /// Used slots.
    pub used: u64,
    /// The most that were used at once.
    pub peak: u64,
    /// Slots given out.
    pub taken: u64,
}
