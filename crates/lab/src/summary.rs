//! The report of a run: differences over its window.

use crate::MODEL_VERSION;
use crate::run::{Progress, Run};
use crate::snapshot::Snapshot;
use crate::view::{self, worker_state};
use catalog::{ControlId, ZoneKind};
use mm::swap::SwapStats;
use mm::task::{Kind, State};
use report::Report;
use report::histogram::Histogram;
use report::summary::{Latency, Lock, Node, Pressure, PressureLine, Wakeups, Worker, Zone};
use report::view::{CpuUse, WorkerState};
use std::collections::BTreeMap;
use units::NodeId;

const NANO: f64 = 1e-9;

/// Values by name.
fn by_name<'a, V>(pairs: impl Iterator<Item = (&'a str, V)>) -> BTreeMap<String, V> {
    units::order::map(pairs.map(|(name, value)| (name.to_owned(), value)))
}

pub(crate) fn report(run: &Run) -> Report {
    let m = &run.machine;
    let end = Snapshot::take(m, run.time());
    let base = run.base.as_deref().cloned().unwrap_or_else(|| end.clone());
    let window_ns = (end.time - base.time).as_nanos();
    let window_s = window_ns as f64 * NANO;
    let counters = |s: &Snapshot| s.vmstat.rows();
    let pairs = counters(&end).into_iter().zip(counters(&base));
    let vmstat: BTreeMap<String, u64> =
        by_name(pairs.map(|((name, now), (_, before))| (name, now - before)));
    let cpu = end.cpu_since(&base, m);
    let workers = workers(run, &base, &end);
    let kswapd_ns: u64 = workers.iter().map(on_cpu_ns).sum();
    let pgscan = vmstat["pgscan_kswapd"];
    let done = end.done - base.done;
    let outcome = crate::outcome::outcome(m);
    let recorder = run.recorder.as_ref();
    Report {
        kind: "SIMULATED".into(),
        model: MODEL_VERSION.into(),
        link: scenario::link::encode(&run.scenario),
        preset: run.scenario.preset.name.into(),
        seed: run.scenario.get(ControlId::Seed).unsigned_abs(),
        digest: run.digest(),
        start: run.scenario.text(ControlId::Start),
        warmup_s: run.warmup.as_nanos() as f64 * NANO,
        window_s,
        stopped: match run.progress() {
            Progress::Finished => "window".into(),
            Progress::Running => "running".into(),
            Progress::Stopped(why) => why.clone(),
        },
        events: run.events(),
        throughput_unit: outcome.unit.into(),
        operation: outcome.operation.into(),
        throughput: if window_ns == 0 { 0.0 } else { done as f64 / window_s },
        latency_us: recorder.map(|r| latency(&r.operations)).unwrap_or_default(),
        direct_reclaim_us: recorder.map(|r| latency(&r.direct)).unwrap_or_default(),
        vmstat,
        cpu_s: by_name(CpuUse::ALL.iter().map(|u| (u.name(), cpu[*u as usize] as f64 * NANO))),
        user_s: end.spent_in(State::User, &base) as f64 * NANO,
        kswapd_cpu_s: kswapd_ns as f64 * NANO,
        kswapd_us_per_page: (pgscan > 0).then(|| kswapd_ns as f64 / 1e3 / pgscan as f64),
        workers,
        wakeups: wakeups(run, &base, &end),
        pressure: pressure(run),
        locks: locks(run, &base, &end, window_ns),
        lru_wait_s: mm::lru::Site::ALL
            .iter()
            .map(|site| {
                let waited = end.lru_waits[*site as usize] - base.lru_waits[*site as usize];
                (site.name().into(), waited as f64 * NANO)
            })
            .collect(),
        swap_slots: swap_slots(&base.slots, &end.slots),
        nodes: nodes(run),
        swap: swap(run),
    }
}

fn swap(run: &Run) -> Option<report::summary::Swap> {
    let state = run.machine.swap.as_ref()?;
    let slots = &state.slots;
    let headers = view::swap_headers(&run.machine, &run.scenario);
    let device = |(&d, header): (&u8, report::wire::SwapHeader)| {
        let device = slots.device(d)?;
        Some(report::summary::SwapDevice {
            name: header.name,
            priority: header.priority,
            group: slots.group_of(d).map_or(0, u32::from),
            pages: header.pages,
            used: device.used().into(),
            peak: device.peak().into(),
            taken: device.taken(),
        })
    };
    let stats = slots.stats();
    Some(report::summary::Swap {
        devices: slots.on().iter().zip(headers).filter_map(device).collect(),
        granted: stats.granted,
        refused: stats.refused,
        choices: stats.choices,
        switches: stats.switches,
        inversions: stats.inversions,
        inversion_most: stats.inversion_most,
        tiers_change: state.changed.map(|result| match result {
            Ok(()) => "taken".to_owned(),
            Err(error) => error.errno().to_owned(),
        }),
    })
}

/// Time of a worker on a CPU, spinning included.
fn on_cpu_ns(worker: &Worker) -> u64 {
    let off = [WorkerState::Asleep, WorkerState::Napping, WorkerState::Runnable];
    let names = WorkerState::ALL.iter().filter(|s| !off.contains(s)).map(|s| s.name());
    names.map(|name| worker.nanos[name]).sum()
}

fn latency(h: &Histogram) -> Latency {
    let us = |ns: u64| ns as f64 / 1e3;
    Latency {
        p50: us(h.quantile(500)),
        p99: us(h.quantile(990)),
        p999: us(h.quantile(999)),
        max: us(h.max()),
        count: h.count(),
    }
}

fn workers(run: &Run, base: &Snapshot, end: &Snapshot) -> Vec<Worker> {
    let tasks = run.machine.tasks.iter().enumerate();
    tasks
        .filter_map(|(number, task)| {
            let Kind::Kswapd(worker) = task.kind else { return None };
            let mut nanos: BTreeMap<String, u64> =
                by_name(WorkerState::ALL.iter().map(|s| (s.name(), 0)));
            for state in STATES {
                let spent = end.spent[number][state as usize] - base.spent[number][state as usize];
                *nanos.entry(worker_state(state).name().into()).or_default() += spent;
            }
            Some(Worker {
                name: format!("kswapd{}:{worker}", task.scan_home()),
                node: task.scan_home(),
                seconds: by_name(nanos.iter().map(|(k, &ns)| (k.as_str(), ns as f64 * NANO))),
                nanos,
                pgscan: end.pages[number].0 - base.pages[number].0,
                pgsteal: end.pages[number].1 - base.pages[number].1,
            })
        })
        .collect()
}

fn wakeups(run: &Run, base: &Snapshot, end: &Snapshot) -> Vec<Wakeups> {
    let policy = run.scenario.text(ControlId::Policy);
    let looks_at = catalog::POLICIES[run.machine.config.policy as usize].saw;
    let rows = end.wakeups.iter().zip(&base.wakeups).enumerate();
    rows.map(|(node, (now, before))| {
        let [decisions, targets, woke, saw] = core::array::from_fn(|i| now[i] - before[i]);
        let mean = |sum: u64| sum as f64 / (decisions as f64).max(1.0);
        Wakeups {
            node: node as u32,
            policy: policy.clone(),
            decisions,
            saw: looks_at.into(),
            mean_saw: mean(saw),
            mean_target: mean(targets),
            woke,
        }
    })
    .collect()
}

fn pressure(run: &Run) -> Vec<Pressure> {
    let line = |l: &mm::psi::Line| {
        let [avg10, avg60, avg300] = l.avg.map(|a| a as f64 / mm::psi::FIXED_1 as f64);
        PressureLine { avg10, avg60, avg300, total_us: l.total / 1_000 }
    };
    let all = run.machine.psi.lines(run.time());
    let rows = all.iter().enumerate().map(|(n, [some, full])| Pressure {
        of: if n == 0 { "system".into() } else { format!("node{}", n - 1) },
        some: line(some),
        full: line(full),
    });
    rows.collect()
}

/// Every state of a task.
const STATES: [State; State::COUNT] = [
    State::Asleep,
    State::Napping,
    State::Runnable,
    State::SpinLru,
    State::SpinZone,
    State::SpinIPages,
    State::SpinSwap,
    State::TlbWait,
    State::Isolating,
    State::PageWork,
    State::App,
    State::User,
    State::Io,
    State::Throttled,
];

fn locks(run: &Run, base: &Snapshot, end: &Snapshot, window_ns: u64) -> Vec<Lock> {
    let m = &run.machine;
    let difference = |l: usize| -> [u64; 4] {
        core::array::from_fn(|what| end.locks[l][what] - base.locks[l][what])
    };
    let window = (window_ns as f64).max(1.0);
    let row = |name: String, [acquisitions, contended, wait, busy]: [u64; 4], share: f64| Lock {
        name,
        acquisitions,
        contended,
        utilisation: share,
        wait_s: wait as f64 * NANO,
        hold_s: busy as f64 * NANO,
    };
    let mut rows = Vec::new();
    for n in 0..m.nodes.len() {
        for (id, name) in view::named_locks(m, n) {
            let d = difference(id.index());
            rows.push(row(name, d, d[3] as f64 / window));
        }
        // Those of the cgroup's own lists.
        for memcg in 1..m.config.memcgs.len() as u16 {
            for p in 0..m.config.lru_partitions {
                let d = difference(m.lru_lock(n as u32, memcg, p).index());
                let name = format!("node{n}/cgroup lru_lock:{p}");
                rows.push(row(name, d, d[3] as f64 / window));
            }
        }
        if m.config.shadow {
            let d = difference(m.age_line(n as u32).index());
            rows.push(row(format!("node{n}/nonresident_age line"), d, d[3] as f64 / window));
        }
    }
    // The files' locks as one row: sums, and the utilisation of the busiest.
    let files =
        (0..m.config.tasks() + m.config.files).map(|r| difference(m.i_pages_lock(r).index()));
    let (sum, busiest) = files.fold(([0; 4], 0), |(sum, busiest), d| {
        (core::array::from_fn(|i| sum[i] + d[i]), d[3].max(busiest))
    });
    rows.push(row("i_pages (all files)".into(), sum, busiest as f64 / window));
    if m.swap.is_some() {
        for (name, locks) in view::swap_locks(m) {
            let d = end.locks_since(base, locks.iter().copied());
            let busy = locks.iter().map(|lock| difference(lock.index())[3]).max();
            rows.push(row(name.into(), d, busy.unwrap_or(0) as f64 / window));
        }
        let d = core::array::from_fn(|i| end.cluster_locks[i] - base.cluster_locks[i]);
        rows.push(row("ci->lock (all clusters)".into(), d, d[3] as f64 / window));
    }
    rows
}

fn swap_slots(base: &SwapStats, end: &SwapStats) -> BTreeMap<String, u64> {
    let rows = [
        ("granted", base.granted, end.granted),
        ("refused", base.refused, end.refused),
        ("choices", base.choices, end.choices),
        ("rotations", base.rotations, end.rotations),
        ("switches", base.switches, end.switches),
        ("inversions", base.inversions, end.inversions),
        ("edges", base.edges, end.edges),
    ];
    by_name(rows.into_iter().map(|(name, before, now)| (name, now - before)))
}

fn nodes(run: &Run) -> Vec<Node> {
    let m = &run.machine;
    (0..m.nodes.len())
        .map(|n| {
            let zones: Vec<Zone> = view::zones(m, n)
                .iter()
                .zip(ZoneKind::ALL)
                .filter(|(z, _)| z.managed > 0)
                .map(|(z, kind)| Zone {
                    zone: kind.name().into(),
                    managed: z.managed,
                    min: z.marks.min,
                    low: z.marks.low,
                    high: z.marks.high,
                    reserve: z.reserve[mm::machine::USER_CLASS],
                    free: z.free,
                })
                .collect();
            let [min, low, high] = view::marks(m, n);
            let (inactive_file, active_file) = m.file_pages(n);
            Node {
                node: n as u32,
                cpus: m.cpus.of_node(NodeId(n as u32)).len() as u32,
                min,
                low,
                high,
                free: m.nodes[n].free,
                lists: [0, 0, inactive_file, active_file],
                zones,
            }
        })
        .collect()
}
