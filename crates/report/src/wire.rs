//! Views and samples as flat `f64` arrays: what crosses from the worker to the page without a copy.
//!
//! A view's shape (nodes, locks, workers) is fixed for a run and travels once, as JSON, in the
//! [`Header`]. Decoding checks every length and every value; a short or foreign array gives an
//! error, not a panic.
//!
//! Layout of one view: time, the cgroup's usage, limit and hits, swap slots used and all, kills;
//! for each swap device: used, busy, group, place, CPUs, what they have left; where there are
//! devices: zswap's pages, bytes and limit, the lock that devices are chosen under, two numbers of
//! their own locks and two of their clusters' locks; then for each node of the header:
//! free, min, low, high, four lists, eight generations, pcp, five reader states, eight CPU uses,
//! boost, two pressures, the last wakeup (decisions, since, cause, saw, target, awake, woke), five
//! counts of throttled tasks; for each lock: holder, held, hold, waiters, number of named waiters
//! and those; for each worker: state, since, priority. A task is one number, see [`Who`]: -1
//! nobody, below 2^32 a kswapd (node, worker), from 2^33 on a reader (number, direct).
//!
//! Several views are packed one after the other, each behind its length. A row of samples is its
//! time and then one value a column.

use crate::moment::{Happened, Moment};
use crate::series::Column;
use crate::view::{
    CgroupView, LockView, MachineView, NodeView, SwapDeviceView, SwapView, ThrottledView,
    WakeupView, Who, WorkerState, WorkerView,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Model version.
    pub model: String,
    /// The scenario as a link fragment.
    pub link: String,
    /// Simulated nanoseconds of warm-up.
    pub warmup_ns: u64,
    /// Simulated nanoseconds in all (warm-up and window).
    pub end_ns: u64,
    /// Columns of the sample rows.
    pub columns: Vec<Column>,
    /// The nodes.
    pub nodes: Vec<NodeHeader>,
    /// The swap devices, in the order of swapon.
    pub swap: Vec<SwapHeader>,
    /// The lock that they are chosen under.
    pub swap_lock: String,
    /// Who hands out slots: the name of its row in the catalog; empty without devices.
    pub swap_design: String,
    /// Pages that a CPU takes from a device before it goes on to the next.
    pub swap_quota: u32,
}

/// What is fixed of a swap device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapHeader {
    /// What it is made of, and its number.
    pub name: String,
    /// Slots.
    pub pages: u64,
    /// Its priority.
    pub priority: i32,
}

/// What is fixed of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeHeader {
    /// Hardware threads.
    pub cpus: u32,
    /// Managed pages over its zones.
    pub managed: u64,
    /// Sums of the zones' marks: min, low, high.
    pub marks: [u64; 3],
    /// Names of its locks, in the order of the views.
    pub locks: Vec<String>,
    /// kswapd workers.
    pub workers: u32,
    /// Readers that live on it.
    pub readers: u32,
}

/// An array that is no view or no rows of this run. Nothing of it can be used; the run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError {
    /// Which number of the array.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number {} of the worker's array is not {}.", self.at, self.expected)
    }
}

impl std::error::Error for WireError {}

/// Integers up to this survive as a double.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;
const NOBODY: f64 = -1.0;
const NODE_STEP: f64 = 65_536.0;
const READER_BASE: f64 = 8_589_934_592.0;

/// Appends one view, without its length.
pub fn encode_view(view: &MachineView, out: &mut Vec<f64>) {
    let cgroup = view.cgroup;
    out.extend([view.time_ns, cgroup.usage, cgroup.max, cgroup.hits].map(|n| n as f64));
    out.extend([view.swap[0], view.swap[1], view.oom_kills].map(|n| n as f64));
    for d in &view.devices.devices {
        out.push(d.used as f64);
        out.extend([d.busy, d.group, d.place, d.cpus, d.left].map(f64::from));
    }
    if let Some(lock) = &view.devices.lock {
        out.extend(view.devices.zswap.map(|n| n as f64));
        encode_lock(lock, out);
        out.extend(view.devices.device_locks.map(f64::from));
        out.extend(view.devices.cluster_locks.map(|n| n as f64));
    }
    for node in &view.nodes {
        out.push(node.free as f64);
        out.extend(
            node.marks.iter().chain(&node.lists).chain(&node.gens).map(|&pages| pages as f64),
        );
        out.push(node.pcp as f64);
        out.extend(node.readers.iter().chain(&node.cpus).map(|&n| f64::from(n)));
        encode_reclaim(node, out);
        node.locks.iter().for_each(|lock| encode_lock(lock, out));
        for worker in &node.workers {
            let state = WorkerState::ALL.iter().position(|&s| s == worker.state);
            out.push(state.expect("ALL holds every state") as f64);
            out.extend([worker.since_ns as f64, f64::from(worker.priority)]);
        }
    }
}

fn encode_lock(lock: &LockView, out: &mut Vec<f64>) {
    out.push(lock.holder.map_or(NOBODY, encode_who));
    out.extend([lock.held_ns as f64, lock.hold_ns as f64, f64::from(lock.waiters)]);
    let named = lock.queue.len().min(LockView::QUEUE_MAX);
    out.push(named as f64);
    out.extend(lock.queue.iter().take(named).copied().map(encode_who));
}

/// Boost, pressure, the last wakeup and the throttled.
fn encode_reclaim(node: &NodeView, out: &mut Vec<f64>) {
    out.push(node.boost as f64);
    out.extend(node.pressure.map(f64::from));
    let last = &node.wakeup;
    out.extend([last.decisions as f64, last.since_ns as f64, f64::from(last.cause)]);
    out.push(last.saw as f64);
    out.extend([last.target, last.awake, last.woke].map(f64::from));
    out.extend(node.throttled.counts().map(f64::from));
}

/// Appends a view behind its length, so that several can travel in one array.
pub fn pack_view(view: &MachineView, out: &mut Vec<f64>) {
    let at = out.len();
    out.push(0.0);
    encode_view(view, out);
    out[at] = (out.len() - at - 1) as f64;
}

/// Parts an array of packed views into its views, still flat.
///
/// # Errors
/// When a length does not fit the array.
pub fn unpack_views(array: &[f64]) -> Result<Vec<&[f64]>, WireError> {
    let mut views = Vec::new();
    let mut at = 0;
    while at < array.len() {
        let mut reader = Reader { array, at };
        let length = reader.integer(array.len() as f64, "the length of a view")? as usize;
        let start = reader.at;
        let view = array.get(start..start + length);
        views.push(view.ok_or(WireError { at, expected: "the length of a view" })?);
        at = start + length;
    }
    Ok(views)
}

/// The simulated time of a flat view in nanoseconds; 0 for an empty array.
#[must_use]
pub fn view_time(view: &[f64]) -> u64 {
    view.first().map_or(0, |&t| t as u64)
}

/// Reads one flat view of a run with this header.
///
/// # Errors
/// When the array is shorter, longer or other than the header says.
pub fn decode_view(header: &Header, view: &[f64]) -> Result<MachineView, WireError> {
    let mut reader = Reader { array: view, at: 0 };
    let time_ns = reader.count("a time")?;
    let [usage, max, hits] = reader.counts("a number of a cgroup")?;
    let swap = reader.counts("a number of swap slots")?;
    let oom_kills = reader.count("a number of kills")?;
    let devices = decode_swap(&mut reader, header)?;
    let nodes = header.nodes.iter().map(|n| decode_node(&mut reader, n));
    let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
    if reader.at != view.len() {
        return Err(WireError { at: reader.at, expected: "the end of the view" });
    }
    let cgroup = CgroupView { usage, max, hits };
    Ok(MachineView { time_ns, cgroup, swap, devices, oom_kills, nodes })
}

fn decode_swap(reader: &mut Reader<'_>, header: &Header) -> Result<SwapView, WireError> {
    let mut view = SwapView::default();
    for _ in &header.swap {
        let used = reader.count("a number of used slots")?;
        let [busy, group, place, cpus, left] = reader.small_counts("a number of a swap device")?;
        view.devices.push(SwapDeviceView { used, busy, group, place, cpus, left });
    }
    if !header.swap.is_empty() {
        view.zswap = reader.counts("a number of zswap")?;
        view.lock = Some(decode_lock(reader, &header.swap_lock)?);
        view.device_locks = reader.small_counts("a number of si->lock")?;
        view.cluster_locks = reader.counts("a number of ci->lock")?;
    }
    Ok(view)
}

/// Appends one row of samples.
pub fn encode_row(time_ns: u64, values: &[f64], out: &mut Vec<f64>) {
    out.push(time_ns as f64);
    out.extend_from_slice(values);
}

/// Parts an array of rows into pairs of time (ns) and values.
///
/// # Errors
/// When its length is no multiple of a row's, or a time is none.
pub fn decode_rows<'a>(
    header: &Header,
    rows: &'a [f64],
) -> Result<Vec<(u64, &'a [f64])>, WireError> {
    let width = header.columns.len() + 1;
    if !rows.len().is_multiple_of(width) {
        return Err(WireError { at: rows.len(), expected: "the end of a row" });
    }
    rows.chunks_exact(width)
        .enumerate()
        .map(|(row, values)| {
            let time = Reader { array: rows, at: row * width }.count("a time")?;
            Ok((time, &values[1..]))
        })
        .collect()
}

/// Appends moments: time, what, node.
pub fn encode_moments(moments: &[Happened], out: &mut Vec<f64>) {
    for happened in moments {
        let what = Moment::ALL.iter().position(|&m| m == happened.moment);
        let what = what.expect("ALL holds every moment") as f64;
        out.extend([happened.time_ns as f64, what, f64::from(happened.node)]);
    }
}

/// Reads moments.
///
/// # Errors
/// When the array is no moments.
pub fn decode_moments(array: &[f64]) -> Result<Vec<Happened>, WireError> {
    let mut reader = Reader { array, at: 0 };
    let mut moments = Vec::new();
    while reader.at < array.len() {
        let time_ns = reader.count("the time of a moment")?;
        let what = reader.integer((Moment::ALL.len() - 1) as f64, "a moment")? as usize;
        let node = reader.integer(255.0, "a node")? as u8;
        moments.push(Happened { time_ns, moment: Moment::ALL[what], node });
    }
    Ok(moments)
}

fn decode_node(reader: &mut Reader<'_>, header: &NodeHeader) -> Result<NodeView, WireError> {
    let free = reader.count("a number of free pages")?;
    let marks = reader.counts("a watermark")?;
    let lists = reader.counts("the length of a list")?;
    let gens = reader.counts("the length of a generation")?;
    let pcp = reader.count("the pages on pcp lists")?;
    let readers = reader.small_counts("a number of readers")?;
    let cpus = reader.small_counts("a number of CPUs")?;
    let boost = reader.count("a boost")?;
    let pressure = reader.small_counts("a pressure")?;
    let wakeup = decode_wakeup(reader)?;
    let throttled = ThrottledView::of(reader.small_counts("a number of throttled tasks")?);
    let locks = header.locks.iter().map(|name| decode_lock(reader, name));
    let locks = locks.collect::<Result<Vec<_>, _>>()?;
    // The header is foreign too: the array bounds the number of workers before anything is kept.
    let mut workers = Vec::new();
    for _ in 0..header.workers {
        let state = reader.integer((WorkerState::ALL.len() - 1) as f64, "a worker's state")?;
        workers.push(WorkerView {
            state: WorkerState::ALL[state as usize],
            since_ns: reader.count("a worker's time")?,
            priority: reader.integer(255.0, "a priority")? as u8,
        });
    }
    Ok(NodeView {
        free,
        marks,
        boost,
        pressure,
        wakeup,
        throttled,
        lists,
        gens,
        pcp,
        locks,
        workers,
        readers,
        cpus,
    })
}

fn decode_wakeup(reader: &mut Reader<'_>) -> Result<WakeupView, WireError> {
    let decisions = reader.count("a number of wakeups")?;
    let since_ns = reader.count("a wakeup's age")?;
    let cause = reader.integer(2.0, "a wakeup's cause")? as u8;
    let saw = reader.count("what a wakeup saw")?;
    let [target, awake, woke] = reader.small_counts("a number of workers")?;
    Ok(WakeupView { decisions, since_ns, cause, saw, target, awake, woke })
}

fn decode_lock(reader: &mut Reader<'_>, name: &str) -> Result<LockView, WireError> {
    let holder = reader.who()?;
    let held_ns = reader.count("a hold's age")?;
    let hold_ns = reader.count("a hold's length")?;
    let waiters = reader.integer(f64::from(u32::MAX), "a number of waiters")? as u32;
    let named = reader.integer(LockView::QUEUE_MAX as f64, "the length of a queue")?;
    let mut queue = Vec::new();
    for _ in 0..named {
        let at = reader.at;
        queue.push(reader.who()?.ok_or(WireError { at, expected: "a waiter" })?);
    }
    Ok(LockView { name: name.to_owned(), holder, held_ns, hold_ns, queue, waiters })
}

fn encode_who(who: Who) -> f64 {
    match who {
        Who::Kswapd(node, worker) => f64::from(node) * NODE_STEP + f64::from(worker),
        Who::Reader(number, direct) => {
            READER_BASE + f64::from(number) * 2.0 + f64::from(u8::from(direct))
        }
    }
}

struct Reader<'a> {
    array: &'a [f64],
    at: usize,
}

impl Reader<'_> {
    /// An integer in `0..=max`.
    fn integer(&mut self, max: f64, expected: &'static str) -> Result<u64, WireError> {
        let at = self.at;
        let value = self.array.get(at).copied().unwrap_or(f64::NAN);
        self.at += 1;
        if value >= 0.0 && value <= max && value as u64 as f64 == value {
            return Ok(value as u64);
        }
        Err(WireError { at, expected })
    }

    fn count(&mut self, expected: &'static str) -> Result<u64, WireError> {
        self.integer(EXACT_MAX, expected)
    }

    fn counts<const N: usize>(&mut self, expected: &'static str) -> Result<[u64; N], WireError> {
        let mut counts = [0; N];
        for count in &mut counts {
            *count = self.count(expected)?;
        }
        Ok(counts)
    }

    fn small_counts<const N: usize>(
        &mut self,
        expected: &'static str,
    ) -> Result<[u32; N], WireError> {
        let mut counts = [0; N];
        for count in &mut counts {
            *count = self.integer(f64::from(u32::MAX), expected)? as u32;
        }
        Ok(counts)
    }

    fn who(&mut self) -> Result<Option<Who>, WireError> {
        if self.array.get(self.at) == Some(&NOBODY) {
            self.at += 1;
            return Ok(None);
        }
        let at = self.at;
        let code = self.count("a task")?;
        let reader = (code as f64 - READER_BASE) as u64;
        if (code as f64) < NODE_STEP * NODE_STEP {
            Ok(Some(Who::Kswapd((code >> 16) as u16, (code & 0xffff) as u16)))
        } else if code as f64 >= READER_BASE && reader >> 1 <= u64::from(u16::MAX) {
            Ok(Some(Who::Reader((reader >> 1) as u16, reader & 1 == 1)))
        } else {
            Err(WireError { at, expected: "a task" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_back_and_torn_ones_are_refused() {
        let moments = [
            Happened { time_ns: 7, moment: Moment::Min, node: 1 },
            Happened { time_ns: 1 << 50, moment: Moment::Direct, node: 0 },
        ];
        let mut array = Vec::new();
        encode_moments(&moments, &mut array);
        assert_eq!(decode_moments(&array).unwrap(), moments);
        assert!(decode_moments(&array[..5]).is_err());
        array[1] = 3.0;
        assert!(decode_moments(&array).is_err());
    }

    fn header() -> Header {
        let column = |key: &str| Column {
            key: key.into(),
            label: String::new(),
            kernel_name: String::new(),
            unit: String::new(),
            node: None,
        };
        Header {
            model: "1".into(),
            link: "v1.tiny.x".into(),
            warmup_ns: 0,
            end_ns: 10,
            columns: vec![column("a"), column("b")],
            nodes: vec![node_header(2, 3), node_header(1, 0)],
            swap: [("nvme 0", -1), ("hdd 1", 7)].map(swap_header).to_vec(),
            swap_lock: "swap_avail_lock".into(),
            swap_design: "global-plist".into(),
            swap_quota: 512,
        }
    }

    fn swap_header((name, priority): (&str, i32)) -> SwapHeader {
        SwapHeader { name: name.into(), pages: 99, priority }
    }

    fn node_header(locks: usize, workers: u32) -> NodeHeader {
        let locks = (0..locks).map(|n| format!("lru_lock:{n}")).collect();
        NodeHeader { cpus: 4, managed: 1000, marks: [1, 2, 3], locks, workers, readers: 7 }
    }

    fn view() -> MachineView {
        let lock = |name: &str, holder, queue: Vec<Who>| LockView {
            name: name.into(),
            holder,
            held_ns: 5,
            hold_ns: 9,
            waiters: queue.len() as u32 + 30,
            queue,
        };
        let worker = |state, priority| WorkerView { state, since_ns: 1 << 50, priority };
        let busy = NodeView {
            free: 11,
            marks: [1, 2, 3],
            boost: 724,
            pressure: [10_000, 37],
            wakeup: WakeupView {
                decisions: 1 << 40,
                since_ns: 17,
                cause: 2,
                saw: 1 << 33,
                target: 8,
                awake: 3,
                woke: 5,
            },
            throttled: ThrottledView::of([1, 2, 3, 4, 5]),
            lists: [4, 5, 6, 7],
            gens: [1, 2, 3, 4, 5, 6, 7, 8],
            pcp: 8,
            locks: vec![
                lock(
                    "lru_lock:0",
                    Some(Who::Kswapd(7, 31)),
                    vec![Who::Reader(1023, true), Who::Reader(0, false), Who::Kswapd(0, 0)],
                ),
                lock("lru_lock:1", None, vec![]),
            ],
            workers: vec![
                worker(WorkerState::Asleep, 0),
                worker(WorkerState::PageWork, 12),
                worker(WorkerState::SpinIPages, 1),
            ],
            readers: [1, 2, 3, 4, 5],
            cpus: [6, 5, 4, 3, 2, 1, 0, 7],
        };
        let quiet = NodeView {
            locks: vec![lock("lru_lock:0", Some(Who::Reader(65535, true)), vec![])],
            workers: vec![],
            ..busy.clone()
        };
        let cgroup = CgroupView { usage: 3, max: 9, hits: 2 };
        let nodes = vec![busy, quiet];
        let device = |used| SwapDeviceView { used, busy: 2, group: 1, place: 2, cpus: 3, left: 9 };
        let devices = SwapView {
            devices: vec![device(5), device(1 << 40)],
            zswap: [7, 8, 9],
            lock: Some(lock("swap_avail_lock", None, vec![Who::Reader(3, true)])),
            device_locks: [1, 2],
            cluster_locks: [1 << 40, 3],
        };
        MachineView { time_ns: (1 << 53) - 1, cgroup, swap: [5, 8], devices, oom_kills: 1, nodes }
    }

    #[test]
    fn a_view_comes_back_as_it_was() {
        let mut flat = Vec::new();
        encode_view(&view(), &mut flat);
        assert_eq!(view_time(&flat), (1 << 53) - 1);
        assert_eq!(decode_view(&header(), &flat), Ok(view()));
    }

    #[test]
    fn packed_views_come_back_in_order() {
        let mut packed = Vec::new();
        let mut later = view();
        later.time_ns = 12;
        later.nodes[0].locks[0].queue.clear();
        pack_view(&view(), &mut packed);
        pack_view(&later, &mut packed);
        let views = unpack_views(&packed).unwrap();
        let views: Vec<_> = views.iter().map(|v| decode_view(&header(), v).unwrap()).collect();
        assert_eq!(views, [view(), later]);
        assert_eq!(unpack_views(&[]), Ok(vec![]));
        assert!(unpack_views(&packed[..packed.len() - 1]).is_err());
        for length in [-1.0, 0.5, f64::NAN, 1e300, 2.0] {
            assert!(unpack_views(&[length, 1.0]).is_err(), "{length}");
        }
    }

    #[test]
    fn every_cut_and_every_foreign_number_is_an_error() {
        let mut flat = Vec::new();
        encode_view(&view(), &mut flat);
        for length in 0..flat.len() {
            assert!(decode_view(&header(), &flat[..length]).is_err(), "cut to {length}");
        }
        for at in 0..flat.len() {
            for foreign in [f64::NAN, f64::INFINITY, -2.0, 0.5, 1e300] {
                let mut array = flat.clone();
                array[at] = foreign;
                let error = decode_view(&header(), &array).unwrap_err();
                assert_eq!(error.at, at, "{foreign}: {error}");
            }
        }
        flat.push(0.0);
        assert_eq!(
            decode_view(&header(), &flat).unwrap_err().to_string(),
            format!("Number {} of the worker's array is not the end of the view.", flat.len() - 1)
        );
    }

    #[test]
    fn a_task_between_kswapds_and_readers_is_nobody() {
        let mut flat = Vec::new();
        encode_view(&view(), &mut flat);
        let holder = flat.iter().position(|&v| v == 7.0 * NODE_STEP + 31.0).unwrap();
        for code in [4_294_967_296.0, READER_BASE - 1.0, READER_BASE + 131_072.0] {
            flat[holder] = code;
            assert_eq!(decode_view(&header(), &flat).unwrap_err().expected, "a task");
        }
    }

    #[test]
    fn rows_come_back_and_a_torn_row_is_an_error() {
        let mut rows = Vec::new();
        encode_row(3, &[0.5, -1.0], &mut rows);
        encode_row(4, &[f64::MAX, 0.0], &mut rows);
        let got = decode_rows(&header(), &rows).unwrap();
        assert_eq!(got, [(3, &[0.5, -1.0][..]), (4, &[f64::MAX, 0.0][..])]);
        assert!(decode_rows(&header(), &rows[..5]).is_err());
        rows[3] = -4.0;
        assert_eq!(decode_rows(&header(), &rows).unwrap_err().at, 3);
    }

    #[test]
    fn a_header_that_asks_for_too_much_fails_before_it_is_allocated() {
        let mut header = header();
        header.nodes[0].workers = u32::MAX;
        let mut flat = Vec::new();
        encode_view(&view(), &mut flat);
        assert!(decode_view(&header, &flat).is_err());
    }
}
