//! Views of machines of many shapes, for the tests of pictures and state.

use report::series::Column;
use report::view::{
    CgroupView, LockView, MachineView, NodeView, SwapDeviceView, SwapView, Who, WorkerState,
    WorkerView,
};
use report::wire::{Header, NodeHeader, SwapHeader};

/// A machine of so many nodes, each with so many workers, LRU partitions and readers.
pub(crate) fn machine(
    nodes: usize,
    workers: u32,
    partitions: usize,
    readers: u32,
) -> (Header, MachineView) {
    let mut locks: Vec<_> = match partitions {
        1 => vec!["lru_lock".to_owned()],
        n => (0..n).map(|p| format!("lru_lock:{p}")).collect(),
    };
    locks.push("zone->lock Normal".into());
    let header = NodeHeader {
        cpus: 26,
        managed: 92_000_000,
        marks: [11_264, 103_424, 195_840],
        locks: locks.clone(),
        workers,
        readers,
    };
    let state = |n: u32| WorkerState::ALL[(n as usize * 3 + 6) % WorkerState::ALL.len()];
    let lock = |name: &String| {
        let busy = name == &locks[0];
        LockView {
            name: name.clone(),
            holder: busy.then_some(Who::Kswapd(0, 0)),
            held_ns: 2_100,
            hold_ns: 3_400,
            queue: match busy {
                true => vec![Who::Kswapd(0, 1), Who::Reader(17, true), Who::Kswapd(0, 3)],
                false => Vec::new(),
            },
            waiters: if busy { 3 } else { 0 },
        }
    };
    let direct = (readers / 12).min(readers);
    let running = (readers - direct) * 3 / 7;
    let view = NodeView {
        free: 131_072,
        marks: header.marks,
        boost: 0,
        pressure: [0, 0],
        wakeup: report::view::WakeupView::default(),
        throttled: report::view::ThrottledView::default(),
        lists: [235_000, 680_000, 80_216_064, 8_912_896],
        gens: [0; 8],
        pcp: 400,
        locks: locks.iter().map(lock).collect(),
        workers: (0..workers)
            .map(|n| WorkerView { state: awake(state(n)), since_ns: 11_200, priority: 12 })
            .collect(),
        readers: [running, 0, readers - direct - running, direct, 0],
        cpus: [11, 1, 1, 3, 1, 9, 0, 0],
    };
    let column = |key: &str| Column {
        key: key.into(),
        label: key.into(),
        kernel_name: key.into(),
        unit: "pages".into(),
        node: None,
    };
    let header = Header {
        model: "test".into(),
        link: "v1.tiny.x".into(),
        warmup_ns: 0,
        end_ns: 3_000_000_000,
        columns: vec![column("pgscan_kswapd"), column("throughput")],
        nodes: vec![header; nodes],
        swap: Vec::new(),
        swap_lock: String::new(),
        swap_design: String::new(),
        swap_quota: 0,
    };
    (
        header,
        MachineView {
            time_ns: 1_000_000_000,
            cgroup: CgroupView::default(),
            swap: [0; 2],
            devices: SwapView::default(),
            oom_kills: 0,
            nodes: vec![view; nodes],
        },
    )
}

fn awake(state: WorkerState) -> WorkerState {
    match state {
        WorkerState::Asleep | WorkerState::Napping => WorkerState::Isolating,
        other => other,
    }
}

/// A machine's header and swap with so many devices in so many groups, every fourth one full.
pub(crate) fn swap(design: &str, count: u32, groups: u32) -> (Header, SwapView) {
    let (mut header, _) = machine(1, 1, 1, 1);
    header.swap_design = design.into();
    header.swap_quota = 512;
    header.swap_lock = "swap_avail_lock".into();
    let fixed = |n: u32| SwapHeader {
        name: format!("zram-lzo-rle {n}"),
        pages: 1_000,
        priority: 100 - n as i32,
    };
    header.swap = (0..count).map(fixed).collect();
    let device = |n: u32| SwapDeviceView {
        used: u64::from(n % 4 + 1) * 250,
        busy: n % 3,
        group: n % groups,
        place: n + 1,
        cpus: n,
        left: n * 300,
    };
    let lock = LockView {
        name: header.swap_lock.clone(),
        holder: None,
        held_ns: 0,
        hold_ns: 0,
        queue: Vec::new(),
        waiters: 0,
    };
    let view = SwapView {
        devices: (0..count).map(device).collect(),
        zswap: [5, 4 << 20, 8 << 20],
        lock: Some(lock),
        device_locks: [1, 2],
        cluster_locks: [1_000, 20],
    };
    (header, view)
}
