//! The model's state as the picture shows it.

use catalog::{AllocatorId, InTierId};
use mm::Machine;
use mm::config::ZONES_PER_NODE;
use mm::lru::PageKind;
use mm::page_alloc::zone::Zone;
use mm::psi::{FIXED_1, Line, Lines};
use mm::swap::SwapLock;
use mm::swap::allocator::Choice;
use mm::task::{Kind, State, Step, Task};
use mm::vmscan::throttle::Reason;
use mm::vmscan::wakeup::Cause;
use report::view::{
    CgroupView, CpuUse, LockView, MachineView, NodeView, ReaderState, SwapDeviceView, SwapView,
    ThrottledView, WakeupView, Who, WorkerState, WorkerView,
};
use report::wire::SwapHeader;
use units::{LockId, NodeId, SimTime, TaskId};

/// The zones of a node, empty ones included.
pub(crate) fn zones(m: &Machine, node: usize) -> &[Zone] {
    &m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE]
}

/// Sums of a node's marks.
pub(crate) fn marks(m: &Machine, node: usize) -> [u64; 3] {
    zones(m, node).iter().fold([0; 3], |[min, low, high], z| {
        [min + z.marks.min, low + z.marks.low, high + z.marks.high]
    })
}

/// The locks of a node with their short names: lru_locks, then the locks of zones that have pages.
pub(crate) fn locks(m: &Machine, node: usize) -> Vec<(LockId, String)> {
    let partitions = m.config.lru_partitions;
    let lru = (0..partitions).map(|p| {
        let name = if partitions == 1 { "lru_lock".into() } else { format!("lru_lock:{p}") };
        (m.lru_lock(node as u32, 0, p), name)
    });
    let zone = zones(m, node).iter().zip(catalog::ZoneKind::ALL).enumerate();
    let zone = zone.filter(|(_, (z, _))| z.managed > 0).map(|(i, (_, kind))| {
        let number = (node * ZONES_PER_NODE + i) as u32;
        (m.zone_lock(number), format!("zone->lock {}", kind.name()))
    });
    lru.chain(zone).collect()
}

/// Names of a node's locks, in the order of its views.
pub(crate) fn lock_names(m: &Machine, node: usize) -> Vec<String> {
    locks(m, node).into_iter().map(|(_, name)| name).collect()
}

/// Every lock of a node with its long name.
pub(crate) fn named_locks(m: &Machine, node: usize) -> Vec<(LockId, String)> {
    let long = |(id, name): (LockId, String)| (id, format!("node{node}/{name}"));
    locks(m, node).into_iter().map(long).collect()
}

/// Tasks that live on a node and have not ended.
pub(crate) fn residents(m: &Machine, node: usize) -> impl Iterator<Item = &Task> {
    let home = NodeId(node as u32);
    let lives = move |t: &&Task| matches!(t.kind, Kind::Task(_)) && t.step != Step::Ended;
    m.tasks.iter().filter(lives).filter(move |t| t.node == home)
}

/// The machine at `time`, which is not before its last event.
pub(crate) fn view(m: &Machine, time: SimTime) -> MachineView {
    let pressure = m.psi.lines(time);
    let nodes = (0..m.nodes.len()).map(|n| node(m, n, time, &pressure)).collect();
    let swap = m.swap.as_ref().map_or([0; 2], |swap| {
        let total = swap.slots.total_slots();
        [total - swap.slots.free_slots(), total]
    });
    let cgroup = m.config.memcgs.get(1).map_or(CgroupView::default(), |config| CgroupView {
        usage: m.memcg_usage(1),
        max: if config.max == u64::MAX { 0 } else { config.max },
        hits: m.memcgs[1].max + m.memcgs[1].high,
    });
    let oom_kills = m.vmstat.oom_kill;
    let devices = devices(m, time);
    MachineView { time_ns: time.as_nanos(), cgroup, swap, devices, oom_kills, nodes }
}

/// The swap devices' fixed part: what each is made of, its slots, its priority.
pub(crate) fn swap_headers(m: &Machine, scenario: &scenario::Scenario) -> Vec<SwapHeader> {
    let Some(swap) = &m.swap else { return Vec::new() };
    let rows = scenario.devices();
    let header = |&d: &u8| {
        let device = swap.slots.device(d)?;
        let medium = rows.get(usize::from(d))?[catalog::tables::MEDIUM].unsigned_abs() as usize;
        let name = format!("{} {d}", catalog::swap::MEDIA[medium].name);
        Some(SwapHeader { name, pages: device.pages().into(), priority: device.priority() })
    };
    swap.slots.on().iter().filter_map(header).collect()
}

/// The name of the lock that devices are chosen under.
pub(crate) fn swap_lock_name(m: &Machine) -> String {
    let ring = m.config.swap.as_ref().is_some_and(|s| s.config.allocator == AllocatorId::Ring);
    if ring { "queue mask lock" } else { "swap_avail_lock" }.into()
}

fn devices(m: &Machine, time: SimTime) -> SwapView {
    let Some(swap) = &m.swap else { return SwapView::default() };
    let view = |&d: &u8| SwapDeviceView {
        used: swap.slots.device(d).map_or(0, |device| device.used().into()),
        busy: swap.media[usize::from(d)].busy(time),
        group: swap.slots.group_of(d).map_or(0, u32::from),
        place: swap_place(&swap.slots, d),
        ..SwapDeviceView::default()
    };
    let on = swap.slots.on();
    let mut devices: Vec<SwapDeviceView> = on.iter().map(view).collect();
    let mut count = |(d, left): (u8, u32)| {
        if let Some(at) = on.iter().position(|&other| other == d) {
            devices[at].cpus += 1;
            devices[at].left += left;
        }
    };
    for cpu in 0..m.cpus.len() {
        swap_cursors(&swap.slots, cpu).for_each(&mut count);
    }
    let zswap = swap.zswap.as_ref().map_or([0; 3], |z| [z.pages(), z.bytes(), z.config.max]);
    let lock = Some(lock(m, m.swap_choice_lock(), swap_lock_name(m), time));
    let [_, _, (_, own)] = swap_locks(m);
    let held = own.iter().filter(|&&id| m.locks.holder(id).is_some()).count() as u32;
    let device_locks = [held, own.iter().map(|&id| m.locks.waiters(id)).sum()];
    let clusters = &swap.clusters.stats;
    let cluster_locks = [clusters.acquisitions, clusters.contended];
    SwapView { devices, zswap, lock, device_locks, cluster_locks }
}

/// Where a device stands in the order in which devices are asked, or in its ring; from 1, and 0
/// when it is on no list.
fn swap_place(slots: &mm::swap::Swap, d: u8) -> u32 {
    let own = slots.group_of(d).and_then(|group| slots.groups().nth(group.into()));
    let all = match slots.design().choice {
        Choice::Rings => own.unwrap_or_default(),
        Choice::List => slots.available(0),
    };
    all.iter().position(|&other| other == d).map_or(0, |at| at as u32 + 1)
}

/// Where a CPU goes on: with rings its place in each, else the one device whose cluster or slots it
/// keeps; and how many pages it still takes there, where that is counted.
pub(crate) fn swap_cursors(
    slots: &mm::swap::Swap,
    cpu: u32,
) -> impl Iterator<Item = (u8, u32)> + use<'_> {
    let rings = match slots.design().choice {
        Choice::Rings => slots.groups().count() as u8,
        Choice::List => 0,
    };
    let of_rings = (0..rings).filter_map(move |ring| {
        let (d, left) = slots.cursor(cpu, ring)?;
        // The other policies count no quota.
        let counts = slots.policy_of(d) == Some(InTierId::Ring);
        Some((d, if counts { left } else { 0 }))
    });
    of_rings.chain(slots.goes_on(cpu).filter(|_| rings == 0))
}

/// The name of who hands out slots; empty without swap.
pub(crate) fn swap_design(m: &Machine) -> String {
    m.swap.as_ref().map(|swap| swap.slots.design().name.into()).unwrap_or_default()
}

/// Pages that a CPU takes from a device before it goes on to the next one.
pub(crate) fn swap_quota(m: &Machine) -> u32 {
    m.swap.as_ref().map_or(0, |swap| swap.slots.quota())
}

/// Pages by generation, oldest first, over all cgroups and partitions.
fn generations(m: &Machine, n: usize) -> [u64; 8] {
    let mut sum = [0; 8];
    for part in m.nodes[n].lruvecs.iter().flat_map(|vec| &vec.parts) {
        let Some(gens) = part.gens() else { continue };
        for (k, kind) in [PageKind::Anon, PageKind::File].into_iter().enumerate() {
            for back in 0..4.min(gens.max_seq + 1) {
                sum[4 * k + 3 - back as usize] += gens.size(gens.max_seq - back, kind);
            }
        }
    }
    sum
}

fn node(m: &Machine, n: usize, time: SimTime, pressure: &[Lines]) -> NodeView {
    let (inactive_file, active_file) = m.file_pages(n);
    let (inactive_anon, active_anon) = m.list_sizes(n, PageKind::Anon);
    let mut readers = [0; ReaderState::ALL.len()];
    for task in residents(m, n) {
        readers[reader_state(task) as usize] += 1;
    }
    let (first, end) = m.nodes[n].workers;
    NodeView {
        free: m.nodes[n].usable,
        marks: marks(m, n),
        boost: zones(m, n).iter().map(|z| z.boost).sum(),
        pressure: pressure[n + 1].map(|line| avg10(&line)),
        wakeup: wakeup(m, n, time),
        throttled: throttled(m, n),
        lists: [inactive_anon, active_anon, inactive_file, active_file],
        gens: generations(m, n),
        pcp: zones(m, n).iter().map(|z| z.pcp).sum(),
        locks: locks(m, n).into_iter().map(|(id, name)| lock(m, id, name, time)).collect(),
        workers: (first..end).map(|w| worker(&m.tasks[w as usize], time)).collect(),
        readers,
        cpus: cpus(m, n),
    }
}

/// An average over 10 s in hundredths of a percent.
fn avg10(line: &Line) -> u32 {
    (line.avg[0] * 100 / FIXED_1) as u32
}

fn wakeup(m: &Machine, n: usize, time: SimTime) -> WakeupView {
    let wakeup = &m.nodes[n].wakeup;
    let last = &wakeup.last;
    WakeupView {
        decisions: wakeup.decisions,
        since_ns: (time - last.time).as_nanos(),
        cause: match last.cause {
            Cause::Allocation => 0,
            Cause::Boost => 1,
            Cause::Throttle => 2,
        },
        saw: last.saw,
        target: last.target,
        awake: last.awake,
        woke: last.woke,
    }
}

pub(crate) fn throttled(m: &Machine, n: usize) -> ThrottledView {
    let node = &m.nodes[n];
    let asleep = |reason: Reason| node.reclaim_wait[reason as usize].len() as u32;
    ThrottledView {
        pfmemalloc: node.pfmemalloc_wait.len() as u32,
        writeback: asleep(Reason::Writeback),
        isolated: asleep(Reason::Isolated),
        noprogress: asleep(Reason::NoProgress),
        congested: asleep(Reason::Congested),
    }
}

fn lock(m: &Machine, id: LockId, name: String, time: SimTime) -> LockView {
    let holder = m.locks.holder(id);
    let (held_ns, hold_ns) = holder.map_or((0, 0), |(task, since)| {
        let whole = m.tasks[task.index()].hold_until.saturating_since(since);
        ((time - since).as_nanos(), whole.as_nanos())
    });
    LockView {
        name,
        holder: holder.map(|(task, _)| who(m, task)),
        held_ns,
        hold_ns,
        queue: m.locks.queue(id).take(LockView::QUEUE_MAX).map(|t| who(m, t)).collect(),
        waiters: m.locks.waiters(id),
    }
}

/// The swap devices, in the order of swapon.
pub(crate) fn swap_devices(m: &Machine) -> impl Iterator<Item = &mm::swap::Device> {
    let slots = m.swap.as_ref().map(|swap| &swap.slots);
    slots.into_iter().flat_map(|slots| slots.on().iter().filter_map(|&d| slots.device(d)))
}

/// The locks of the swap slots by what they guard: swap_avail_lock, that of the queue, si->lock of
/// all devices.
pub(crate) fn swap_locks(m: &Machine) -> [(&'static str, Vec<LockId>); 3] {
    let on = m.swap.as_ref().map_or(&[][..], |swap| swap.slots.on());
    let number = |lock| m.swap_lock(lock);
    [
        ("swap_avail_lock", number(SwapLock::Avail).into_iter().collect()),
        ("swap queue lock", number(SwapLock::QueueUpdate).into_iter().collect()),
        ("si->lock", on.iter().filter_map(|&d| number(SwapLock::Device(d))).collect()),
    ]
}

pub(crate) fn who(m: &Machine, id: TaskId) -> Who {
    let task = &m.tasks[id.index()];
    match task.kind {
        Kind::Kswapd(w) => Who::Kswapd(task.scan_home() as u16, w as u16),
        Kind::Task(r) => Who::Reader(r as u16, task.direct),
        Kind::Flusher => Who::Reader(u16::MAX, false),
    }
}

fn worker(task: &Task, time: SimTime) -> WorkerView {
    let state = worker_state(task.state_at(time));
    let in_pass = !matches!(state, WorkerState::Asleep | WorkerState::Napping);
    WorkerView {
        state,
        since_ns: (time - task.since).as_nanos(),
        priority: if in_pass { task.scan.priority } else { 0 },
    }
}

/// A worker's state; it is never in one of the application's.
pub(crate) fn worker_state(state: State) -> WorkerState {
    match state {
        State::Asleep => WorkerState::Asleep,
        State::Napping => WorkerState::Napping,
        State::Runnable => WorkerState::Runnable,
        State::SpinLru => WorkerState::SpinLru,
        State::SpinZone => WorkerState::SpinZone,
        State::SpinIPages => WorkerState::SpinIPages,
        State::SpinSwap => WorkerState::SpinSwap,
        State::Isolating => WorkerState::Isolating,
        State::PageWork | State::TlbWait | State::App | State::User | State::Throttled => {
            WorkerState::PageWork
        }
        // It waits for its turn to write to a swap device.
        State::Io => WorkerState::Asleep,
    }
}

fn reader_state(task: &Task) -> ReaderState {
    match task.state {
        State::Throttled => ReaderState::Throttled,
        State::Io => ReaderState::Io,
        _ if task.direct => ReaderState::Direct,
        State::Runnable => ReaderState::Runnable,
        _ => ReaderState::Running,
    }
}

/// CPUs of a node by use. A CPU on its way to a task that was woken counts as idle.
fn cpus(m: &Machine, n: usize) -> [u32; CpuUse::ALL.len()] {
    let mut used = [0; CpuUse::ALL.len()];
    for cpu in m.cpus.of_node(NodeId(n as u32)) {
        let place = m.cpus.current(units::CpuId(cpu)).and_then(|task| {
            let task = &m.tasks[task.index()];
            crate::snapshot::cpu_use(task.kind, task.state as usize)
        });
        used[place.unwrap_or(CpuUse::Idle) as usize] += 1;
    }
    used
}
