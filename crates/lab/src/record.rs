//! Listens to a run: latencies of the window, extremes between samples, the sample rows.

use crate::snapshot::Snapshot;
use crate::trace::TraceLog;
use crate::view::{swap_devices, swap_locks, zones};
use mm::lru::PageKind;
use mm::trace::Event;
use mm::vmscan::wakeup::Decision;
use mm::vmstat::Vmstat;
use mm::{Machine, Observer};
use report::histogram::Histogram;
use report::moment::{Happened, Moment};
use report::series::Column;
use report::view::CpuUse;
use units::{SimDuration, SimTime, TaskId};

/// What a run has told so far.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    pub(crate) operations: Histogram,
    pub(crate) direct: Histogram,
    /// Smallest and largest usable free count of each node since the last sample.
    extremes: Vec<(u64, u64)>,
    last: Snapshot,
    rows: Vec<(u64, Vec<f64>)>,
    moments: Moments,
    /// The event log, where one was asked for.
    pub(crate) trace: Option<TraceLog>,
}

/// Direct reclaim after so many nanoseconds without any is a moment of its own.
const QUIET_NS: u64 = 1_000_000;
/// Most moments of a kind that are noted: the first.
const MOMENTS_MAX: u32 = 4_096;

/// Instants that people look for, as they happen.
#[derive(Clone, Debug, Default)]
struct Moments {
    new: Vec<Happened>,
    noted: [u32; Moment::ALL.len()],
    /// When the last direct reclaim ended, if there was one.
    direct_until: Option<u64>,
    /// Each node's min, and whether it was reached since low was.
    min: Vec<(u64, u64, bool)>,
}

impl Moments {
    fn note(&mut self, time_ns: u64, moment: Moment, node: usize) {
        let noted = &mut self.noted[moment as usize];
        if *noted < MOMENTS_MAX {
            *noted += 1;
            self.new.push(Happened { time_ns, moment, node: node as u8 });
        }
    }

    /// A call of a task returned that had begun at `from`.
    fn direct(&mut self, from: u64, until: u64) {
        if self.direct_until.is_none_or(|last| last.saturating_add(QUIET_NS) < from) {
            self.note(from, Moment::Direct, 0);
        }
        self.direct_until = self.direct_until.max(Some(until));
    }

    fn free(&mut self, time_ns: u64, node: usize, usable: u64) {
        let (min, low, is_under) = &mut self.min[node];
        if usable < *min && !*is_under {
            *is_under = true;
            self.note(time_ns, Moment::Min, node);
        } else if usable > *low {
            *is_under = false;
        }
    }
}

/// Records, or not: one observer for both, since each would bring the model's code once more.
pub(crate) struct Listener<'a>(pub(crate) &'a mut Option<Recorder>);

impl Observer for Listener<'_> {
    #[inline]
    fn trace(&mut self, m: &Machine, task: TaskId, event: &Event) {
        if let Some(log) = self.0.as_mut().and_then(|recorder| recorder.trace.as_mut()) {
            log.trace(m, task, event);
        }
    }

    fn operation(&mut self, _: SimTime, took: SimDuration) {
        if let Some(recorder) = self.0 {
            recorder.operations.record(took.as_nanos());
        }
    }

    fn direct_reclaim(&mut self, now: SimTime, took: SimDuration, _: u64) {
        if let Some(recorder) = self.0 {
            recorder.direct.record(took.as_nanos());
            let now = now.as_nanos();
            recorder.moments.direct(now - took.as_nanos(), now);
        }
    }

    fn wakeup(&mut self, now: SimTime, node: usize, decision: &Decision) {
        if let Some(recorder) = self.0
            && decision.woke > 0
        {
            recorder.moments.note(now.as_nanos(), Moment::Wake, node);
        }
    }

    #[inline]
    fn free(&mut self, now: SimTime, node: usize, _: u64, usable: u64) {
        if let Some(recorder) = self.0 {
            recorder.moments.free(now.as_nanos(), node, usable);
            let (min, max) = &mut recorder.extremes[node];
            *min = (*min).min(usable);
            *max = (*max).max(usable);
        }
    }
}

impl Recorder {
    /// From `time` on, which is not before the last event.
    pub(crate) fn new(m: &Machine, time: SimTime) -> Self {
        let min = |n: usize| {
            let [min, low, _] = crate::view::marks(m, n);
            (min, low, m.nodes[n].usable < min)
        };
        let moments = Moments { min: (0..m.nodes.len()).map(min).collect(), ..Moments::default() };
        Self {
            moments,
            operations: Histogram::default(),
            direct: Histogram::default(),
            extremes: m.nodes.iter().map(|n| (n.usable, n.usable)).collect(),
            last: Snapshot::take(m, time),
            rows: Vec::new(),
            trace: None,
        }
    }

    /// The window begins: latencies so far do not count.
    pub(crate) fn begin_window(&mut self) {
        self.operations.clear();
        self.direct.clear();
    }

    /// The rows since the last call.
    pub(crate) fn take_rows(&mut self) -> Vec<(u64, Vec<f64>)> {
        core::mem::take(&mut self.rows)
    }

    /// The moments since the last call, in order of time.
    pub(crate) fn take_moments(&mut self) -> Vec<Happened> {
        let mut moments = core::mem::take(&mut self.moments.new);
        // A call of direct reclaim is heard of when it returns.
        units::order::by_key(&mut moments, |happened| happened.time_ns);
        moments
    }

    /// Adds the row of `time`.
    pub(crate) fn sample(&mut self, m: &Machine, time: SimTime) {
        let now = Snapshot::take(m, time);
        let before = &self.last;
        let ns = (time - before.time).as_nanos();
        if ns == 0 {
            return;
        }
        let per_second = |n: u64| n as f64 * 1e9 / ns as f64;
        let mut row = Vec::new();
        let partitions = m.config.lru_partitions as usize;
        for (n, node) in m.nodes.iter().enumerate() {
            let (min, max) = self.extremes[n];
            row.extend([node.usable as f64, min as f64, max as f64]);
            let a_node = partitions * m.config.memcgs.len();
            let locks = n * a_node..(n + 1) * a_node;
            let sum = |what: usize| -> u64 {
                locks.clone().map(|l| now.locks[l][what] - before.locks[l][what]).sum()
            };
            let (passages, wait, busy) = (sum(0), sum(2), sum(3));
            row.push(busy as f64 * 100.0 / (ns as f64 * a_node as f64));
            row.push(if passages == 0 { 0.0 } else { wait as f64 / passages as f64 });
            let (first, end) = node.workers;
            row.push((first..end).filter(|&w| awake(m, w)).count() as f64);
            let cpus = m.cpus.of_node(units::NodeId(n as u32));
            row.extend(now.stalled_since(before, cpus).map(|stalled| percent(stalled, ns)));
            row.push(zones(m, n).iter().map(|z| z.boost).sum::<u64>() as f64);
        }
        let (a, b) = (&now.vmstat, &before.vmstat);
        row.extend([
            per_second(a.pgscan_kswapd - b.pgscan_kswapd),
            per_second(a.pgscan_direct - b.pgscan_direct),
            per_second(a.pgsteal_kswapd - b.pgsteal_kswapd),
            per_second(a.pgsteal_direct - b.pgsteal_direct),
        ]);
        row.extend(now.cpu_since(before, m).map(|used| used as f64 / ns as f64));
        row.push(per_second(now.done - before.done));
        row.push(per_second(a.allocstall_normal - b.allocstall_normal));
        let anon = |n| {
            let (inactive, active) = m.list_sizes(n, PageKind::Anon);
            inactive + active
        };
        row.push((0..m.nodes.len()).map(anon).sum::<u64>() as f64);
        let refaults = |v: &Vmstat| v.workingset_refault_anon + v.workingset_refault_file;
        row.extend([
            per_second(refaults(a) - refaults(b)),
            per_second(a.pswpout - b.pswpout),
            per_second(a.pswpin - b.pswpin),
        ]);
        let all = now.stalled_since(before, 0..m.cpus.len());
        row.extend(all.map(|stalled| percent(stalled, ns)));
        self.swap(m, &now, ns, &mut row);
        self.rows.push((time.as_nanos(), row));
        for (n, node) in m.nodes.iter().enumerate() {
            self.extremes[n] = (node.usable, node.usable);
        }
        self.last = now;
    }

    /// The columns of swap: of each device what it gave out and has in use, of each kind of lock
    /// the CPUs that spun for it.
    fn swap(&self, m: &Machine, now: &Snapshot, ns: u64, row: &mut Vec<f64>) {
        if m.swap.is_none() {
            return;
        }
        let before = &self.last;
        for (n, device) in swap_devices(m).enumerate() {
            let taken = now.slots_taken[n] - before.slots_taken[n];
            row.extend([taken as f64 * 1e9 / ns as f64, f64::from(device.used())]);
        }
        for (_, locks) in swap_locks(m) {
            let wait = now.locks_since(before, locks.into_iter())[2];
            row.push(wait as f64 / ns as f64);
        }
        let wait = now.cluster_locks[2] - before.cluster_locks[2];
        row.push(wait as f64 / ns as f64);
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole as f64
}

fn awake(m: &Machine, worker: u32) -> bool {
    use mm::task::State;
    !matches!(m.tasks[worker as usize].state, State::Asleep | State::Napping)
}

/// The columns of the rows, in their order.
pub(crate) fn columns(m: &Machine) -> Vec<Column> {
    let column = |key: String, label: String, kernel: &str, unit: &str, node: Option<u8>| Column {
        key,
        label,
        kernel_name: kernel.into(),
        unit: unit.into(),
        node,
    };
    let mut columns = Vec::new();
    for n in 0..m.nodes.len() {
        let mut add = |key: &str, label: &str, kernel: &str, unit: &str| {
            let node = u8::try_from(n).ok();
            columns.push(column(
                format!("node{n}.{key}"),
                format!("{label}, node {n}"),
                kernel,
                unit,
                node,
            ));
        };
        add("nr_free_pages", "Free memory above lowmem_reserve", "nr_free_pages", "pages");
        add("nr_free_pages.min", "Least free memory", "nr_free_pages", "pages");
        add("nr_free_pages.max", "Most free memory", "nr_free_pages", "pages");
        add("lru_lock.util", "LRU lock held", "lru_lock", "%");
        add("lru_lock.wait", "Mean wait for the LRU lock", "lru_lock", "ns");
        add("workers_awake", "kswapd workers awake", "kswapd", "workers");
        add("psi.some", "Some task stalled on memory", "memory some", "%");
        add("psi.full", "All tasks stalled on memory", "memory full", "%");
        add("watermark_boost", "Watermark boost", "watermark_boost", "pages");
    }
    let mut add = |key: &str, label: &str, kernel: &str, unit: &str| {
        columns.push(column(key.into(), label.into(), kernel, unit, None));
    };
    add("pgscan_kswapd", "Scanned by kswapd", "pgscan_kswapd", "pages/s");
    add("pgscan_direct", "Scanned by direct reclaim", "pgscan_direct", "pages/s");
    add("pgsteal_kswapd", "Reclaimed by kswapd", "pgsteal_kswapd", "pages/s");
    add("pgsteal_direct", "Reclaimed by direct reclaim", "pgsteal_direct", "pages/s");
    for used in CpuUse::ALL {
        add(&format!("cpu.{}", used.name()), used.name(), "CPU time", "CPUs");
    }
    let outcome = crate::outcome::outcome(m);
    add("throughput", outcome.label, outcome.unit, outcome.rate);
    add("allocstall", "Direct reclaim calls", "allocstall_normal", "calls/s");
    add("nr_anon", "Anonymous memory on lists", "nr_inactive_anon + nr_active_anon", "pages");
    add("workingset_refault", "Refaults", "workingset_refault_*", "pages/s");
    add("pswpout", "Written to swap", "pswpout", "pages/s");
    add("pswpin", "Read from swap", "pswpin", "pages/s");
    add("psi.some", "Some task stalled on memory", "/proc/pressure/memory some", "%");
    add("psi.full", "All tasks stalled on memory", "/proc/pressure/memory full", "%");
    if m.swap.is_some() {
        for n in 0..swap_devices(m).count() {
            let (out, used) = (format!("swap{n}.out"), format!("swap{n}.used"));
            add(&out, &format!("Slots taken on device {n}"), "folio_alloc_swap", "pages/s");
            add(&used, &format!("Slots used of device {n}"), "/proc/swaps Used", "pages");
        }
        let waits = "CPUs that spin for";
        add("swap_avail_lock.spin", &format!("{waits} swap_avail_lock"), "swap_avail_lock", "CPUs");
        add("swap_queue.spin", &format!("{waits} the queue's lock"), "swap queue", "CPUs");
        add("si_lock.spin", &format!("{waits} si->lock"), "si->lock", "CPUs");
        add("ci_lock.spin", &format!("{waits} ci->lock"), "ci->lock", "CPUs");
    }
    columns
}
