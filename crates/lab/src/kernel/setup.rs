//! An experiment as the model's configuration.

use super::load::Read;
use super::memcg::Limits;
use super::memory;
use super::params::Params;
use catalog::{ConstantId, Ledger, PolicyId};
use mm::config::{
    Backing, Config, DriveConfig, GroupConfig, Memory, NodeConfig, Pattern, Placement,
    RegionConfig, Start, Stream, Work, ZoneConfig,
};
use mm::memcontrol::MemcgConfig;
use mm::vmscan::pageout::SwapSetup;
use units::SimDuration;

/// Timer ticks a second of these kernels.
const HZ: u64 = 250;
/// All nodes of these machines are as far from each other.
const DISTANCE: u32 = 20;
/// lowmem_reserve_ratio that the kernel starts with.
const RESERVE_RATIO: [u64; 3] = [256, 256, 32];
/// For how many seconds idle memory is kept: longer than any run.
const HOLD: u64 = 100_000;
/// Pages of a window in the model's ledger are those of one read.
const WINDOW: ConstantId = ConstantId::ReadAheadWindow;

/// What is known of a CPU emulated in software, as an input of that machine. It takes so many times
/// the time of hardware for the same work: 2.8 us for a page that kswapd reclaims, against 0.24 us
/// in the ledger, and 18 to 34 us for a page that one reader reads, against 1.05 us.
const EMULATED_RECLAIM: u64 = 12;
const EMULATED_READING: u64 = 24;
/// From a wakeup to running there, on average, in ns, exponentially distributed: the median wake
/// takes 1.07 ms in the middle one of 50 runs, and 0.2 to 11 ms in the others.
const EMULATED_WAKE_LATENCY: u64 = 1_500_000;
/// What a pass over a node costs there before its first slice, in ns: a direct reclaim call of two
/// passes and some 45 pages takes 0.41 ms in the median.
const EMULATED_NODE_PASS: u64 = 140_000;
/// The work of reclaim, of the page allocator and of page faults (8 to 16 us for most of them
/// there).
const RECLAIM: &[ConstantId] = &[
    ConstantId::IsolatePerPage,
    ConstantId::NewGeneration,
    ConstantId::PutbackPass,
    ConstantId::ZonePerPage,
    ConstantId::ReclaimIPagesPerPage,
    ConstantId::ReclaimPerPage,
    ConstantId::ActivePerPage,
    ConstantId::ContextSwitch,
    ConstantId::SlowPathEntry,
    ConstantId::DrainPerCpu,
    ConstantId::ZeroPerPage,
    ConstantId::MapPage,
    ConstantId::UnmapPage,
    ConstantId::ReleasePerPage,
    ConstantId::AccessPage,
];
/// The work of a reader.
const READING: &[ConstantId] = &[
    ConstantId::LruAddPerPage,
    ConstantId::InsertIPagesPerPage,
    ConstantId::PcpPerPage,
    ConstantId::CopyPerPage,
    ConstantId::ReadSubmit,
    ConstantId::ReadComplete,
];

/// What a run adds to the machine and the load.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added<'a> {
    /// Its swap devices.
    pub(super) swap: Option<&'a SwapSetup>,
    /// The limits of its memory cgroup, if the load is in one.
    pub(super) limits: Option<Limits>,
    /// Anonymous pages of each node that other processes have and do not use.
    pub(super) idle: &'a [u64],
}

impl Added<'_> {
    /// The tasks that keep them, one a node.
    pub(super) fn idle_tasks(&self) -> u64 {
        self.idle.iter().filter(|&&pages| pages > 0).count() as u64
    }
}

/// The model's configuration for a machine under a load. `used` are the pages of each of the
/// machine's zones that others keep.
pub(super) fn config(
    params: &Params,
    load: &Read,
    added: Added<'_>,
    used: &[u64],
    seed: u64,
) -> Config {
    let pace = match load.rate {
        0 => SimDuration::ZERO,
        rate => SimDuration::from_nanos(load.block_pages * 1_000_000_000 / rate),
    };
    let zones = |node: usize| {
        let zones = params.zones.iter().zip(used).filter(move |(z, _)| z.node as usize == node);
        zones.map(|(z, &used)| ZoneConfig { kind: z.kind, managed: z.managed, used }).collect()
    };
    let nodes = params.cpus.iter().enumerate();
    Config {
        flavour: params.flavour,
        ledger: ledger(params, load),
        nodes: nodes
            .map(|(n, cpus)| NodeConfig { cpus: cpus.len() as u32, zones: zones(n) })
            .collect(),
        smt: 1,
        tlb: mm::config::Tlb::Interrupt,
        fake_numa: 1,
        distance: DISTANCE,
        jiffy: SimDuration::from_nanos(1_000_000_000 / HZ),
        min_free_kbytes: params.min_free_kbytes,
        watermark_scale_factor: params.watermark_scale_factor,
        watermark_boost_factor: params.watermark_boost_factor,
        lowmem_reserve_ratio: RESERVE_RATIO,
        kswapds: 1,
        policy: PolicyId::Single,
        policy_literal: false,
        multi_fixed: false,
        lru_gen: params.lru_gen,
        // No page of a stream is read twice, so that no shadow entry is met.
        shadow: load.memory.is_some(),
        classes: vec![mm::lru::ClassConfig::STREAMS],
        memcgs: memcgs(added.limits),
        mms: Vec::new(),
        spread: Vec::new(),
        files: 0,
        swap: added.swap.cloned(),
        swappiness: params.swappiness,
        lru_partitions: 1,
        placement: Placement::Cpu,
        steal: false,
        groups: {
            let mut groups = groups(params, load, pace, u16::from(added.limits.is_some()));
            groups.extend(idle(params, added.idle));
            groups
        },
        // A device that answers at once (null_blk).
        drives: DriveConfig { count: 1, service: SimDuration::ZERO, latency: SimDuration::ZERO },
        start: Start::Empty,
        seed,
    }
}

/// The root, and the cgroup that the load may be in.
fn memcgs(limits: Option<Limits>) -> Vec<MemcgConfig> {
    let pages = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let own = limits.map(|limits| MemcgConfig {
        max: pages(limits.max),
        high: pages(limits.high),
        kept: 0,
    });
    [Some(MemcgConfig::ROOT), own].into_iter().flatten().collect()
}

/// The threads.
fn groups(params: &Params, load: &Read, pace: SimDuration, memcg: u16) -> Vec<GroupConfig> {
    let nodes = homes(params, load);
    let mems: Vec<u8> = load.bind.iter().map(|&mask| mask as u8).collect();
    if let Some(memory) = &load.memory {
        return memory::groups(memory, load.threads, &nodes, &mems, memcg);
    }
    let stream = Stream { read_ahead: !load.random, pace };
    vec![GroupConfig { nodes, mems, ..GroupConfig::new(load.threads, Work::Stream(stream)) }]
}

/// Tasks that have memory on one node each and never use it again.
fn idle(params: &Params, idle: &[u64]) -> Vec<GroupConfig> {
    let with_cpus = |node: usize| params.cpus.get(node).is_some_and(|cpus| !cpus.is_empty());
    let first = (0..params.cpus.len()).find(|&node| with_cpus(node)).unwrap_or(0);
    let there = idle.iter().enumerate().filter(|(_, pages)| **pages > 0);
    let keep = |(node, &pages): (usize, &u64)| {
        let region = RegionConfig {
            backing: Backing::Anon,
            pages,
            pattern: Pattern::Loop,
            shared: false,
            memcg: 0,
        };
        let work = Work::Memory(Memory {
            region,
            prefill: true,
            writes: 0,
            pace: SimDuration::ZERO,
            uses: 0,
            hold: SimDuration::from_secs(HOLD),
        });
        let home = if with_cpus(node) { node } else { first };
        GroupConfig { nodes: vec![home as u32], mems: vec![1 << node], ..GroupConfig::new(1, work) }
    };
    there.map(keep).collect()
}

fn ledger(params: &Params, load: &Read) -> Ledger {
    let mut ledger = Ledger::default().with(WINDOW, load.block_pages);
    if params.emulated {
        for (all, slowdown) in [(RECLAIM, EMULATED_RECLAIM), (READING, EMULATED_READING)] {
            for &id in all {
                let value = ledger.get(id) * slowdown;
                ledger = ledger.with(id, value);
            }
        }
        ledger = ledger
            .with(ConstantId::NodePass, EMULATED_NODE_PASS)
            .with(ConstantId::WakeLatency, EMULATED_WAKE_LATENCY)
            .with(ConstantId::WakeRandomShare, 1_000)
            // Distance costs nothing where the memory of all nodes is one array of the emulator.
            .with(ConstantId::RemoteSlowdown, 0);
    }
    ledger
}

/// The node of each thread: lists of CPUs are dealt to threads, and the nodes of a list to those
/// that have it. Fewer than there are threads when a list names no CPU of the machine.
pub(super) fn homes(params: &Params, load: &Read) -> Vec<u32> {
    let node_of = |cpu: &u32| params.cpus.iter().position(|cpus| cpus.contains(cpu));
    let all: Vec<u32> = params.cpus.concat();
    let lists = if load.cpus.is_empty() { core::slice::from_ref(&all) } else { &load.cpus[..] };
    let nodes_of = |list: &Vec<u32>| {
        let mut nodes: Vec<usize> = list.iter().filter_map(node_of).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    };
    let nodes: Vec<Vec<usize>> = lists.iter().map(nodes_of).collect();
    let home = |thread: usize| {
        let nodes = &nodes[thread % nodes.len()];
        nodes.get(thread / lists.len() % nodes.len().max(1)).map(|&node| node as u32)
    };
    (0..load.threads as usize).filter_map(home).collect()
}
