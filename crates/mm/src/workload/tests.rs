//! What workloads do to memory, on machines small enough to check everything after each event.

use crate::config::{
    Backing, Build, Churn, Config, DriveConfig, GroupConfig, Memory, NodeConfig, Pattern,
    Placement, RegionConfig, Start, Store, Work, ZoneConfig,
};
use crate::lru::ClassConfig;
use crate::machine::Machine;
use crate::memcontrol::MemcgConfig;
use crate::observe::{NoObserver, Observer};
use crate::sim::advance;
use crate::swap::{DeviceConfig, SwapConfig};
use crate::vmscan::pageout::{MediumConfig, SwapSetup};
use crate::{Outcome, invariant};
use catalog::{AllocatorId, ConstantId, FLAVOURS, FlavourId, Ledger, PolicyId, ZoneKind};
use units::{SimDuration, SimTime, TaskId};

/// Pages of the machine.
const MANAGED: u64 = 8_192;

fn config(groups: Vec<GroupConfig>) -> Config {
    let zone = ZoneConfig { kind: ZoneKind::Normal, managed: MANAGED, used: 0 };
    Config {
        flavour: FLAVOURS[FlavourId::V7_3 as usize],
        ledger: Ledger::default(),
        nodes: vec![NodeConfig { cpus: 4, zones: vec![zone] }],
        smt: 1,
        tlb: crate::config::Tlb::Interrupt,
        fake_numa: 1,
        distance: 20,
        jiffy: SimDuration::from_millis(4),
        min_free_kbytes: 512,
        watermark_scale_factor: 10,
        watermark_boost_factor: 0,
        lowmem_reserve_ratio: [256, 256, 32],
        kswapds: 1,
        policy: PolicyId::All,
        policy_literal: false,
        multi_fixed: false,
        lru_gen: false,
        shadow: true,
        classes: vec![ClassConfig::STREAMS],
        memcgs: vec![MemcgConfig::ROOT],
        mms: Vec::new(),
        spread: Vec::new(),
        files: 0,
        swap: None,
        swappiness: 60,
        lru_partitions: 1,
        placement: Placement::Cpu,
        steal: true,
        groups,
        drives: DriveConfig {
            count: 1,
            service: SimDuration::from_micros(70),
            latency: SimDuration::from_micros(60),
        },
        start: Start::Empty,
        seed: 1,
    }
}

fn region(backing: Backing, pages: u64, pattern: Pattern) -> RegionConfig {
    RegionConfig { backing, pages, pattern, shared: false, memcg: 0 }
}

fn memory(region: RegionConfig) -> Memory {
    Memory {
        region,
        prefill: true,
        writes: 0,
        pace: SimDuration::ZERO,
        uses: u64::MAX,
        hold: SimDuration::ZERO,
    }
}

fn at(ms: u64) -> SimTime {
    SimTime::ZERO + SimDuration::from_millis(ms)
}

/// Runs to `until`, and checks all that must hold every few events.
fn run(m: &mut Machine, observer: &mut impl Observer, until: SimTime) {
    let mut events = 0;
    loop {
        let outcome = advance(m, observer, until, 97);
        invariant::check(m).unwrap_or_else(|wrong| panic!("after {events} events: {wrong}"));
        events += 97;
        match outcome {
            Outcome::Budget => {}
            Outcome::Stuck(who) => panic!("stuck in {who}"),
            Outcome::Horizon | Outcome::Idle => return,
        }
    }
}

fn free(m: &Machine) -> u64 {
    m.zones.iter().map(|z| z.free + z.pcp).sum()
}

#[derive(Default)]
struct Ears {
    operations: u64,
    longest: SimDuration,
}

impl Observer for Ears {
    fn operation(&mut self, _: SimTime, took: SimDuration) {
        self.operations += 1;
        self.longest = self.longest.max(took);
    }
}

#[test]
fn what_is_mapped_and_unmapped_is_free_again() {
    for lru_gen in [false, true] {
        let churn = Churn { chunk: 1_000, window: 0, pace: SimDuration::ZERO };
        let mut group = GroupConfig::new(3, Work::Churn(churn));
        group.phases.length = SimDuration::from_millis(60);
        let mut m = Machine::new(Config { lru_gen, ..config(vec![group]) });
        let mut ears = Ears::default();
        run(&mut m, &mut ears, at(100));
        let unfinished = m.ops[0] - ears.operations * 1_000;
        assert!(m.alive == 0 && unfinished <= 3_000, "{unfinished}");
        assert!(m.ops[0] > 60_000, "{}", m.ops[0]);
        assert_eq!(m.vmstat.pgfault, m.ops[0]);
        // Nothing is left but what stood in another CPU's batch.
        assert!(free(&m) + 3 * 31 >= MANAGED, "{} free", free(&m));
        assert_eq!(m.vmstat.pageoutrun, 0, "memory was never short");
    }
}

#[test]
fn a_window_of_chunks_stays_mapped() {
    let churn = Churn { chunk: 64, window: 1_024, pace: SimDuration::from_micros(20) };
    let mut m = Machine::new(config(vec![GroupConfig::new(1, Work::Churn(churn))]));
    run(&mut m, &mut NoObserver, at(200));
    let resident = m.pages.class(crate::lru::ClassId(1)).resident_pages();
    assert!((960..=1_120).contains(&resident), "{resident}");
    // 20 us a page.
    assert!(m.vmstat.pgfault.abs_diff(10_000) < 300, "{}", m.vmstat.pgfault);
}

#[test]
fn memory_that_fits_is_filled_once_and_then_only_used() {
    let mut work = memory(region(Backing::Anon, 2_000, Pattern::Zipf(990)));
    work.uses = 100_000;
    work.hold = SimDuration::from_millis(5);
    let mut m = Machine::new(config(vec![GroupConfig::new(2, Work::Memory(work))]));
    run(&mut m, &mut NoObserver, at(12));
    assert_eq!((m.vmstat.pgfault, m.vmstat.pgmajfault), (4_000, 0));
    assert!(m.rss(TaskId(1)) == 2_000 && m.same_mm(TaskId(1)) == [TaskId(1)]);
    run(&mut m, &mut NoObserver, at(60));
    assert_eq!((m.alive, m.ops[0], m.vmstat.pgfault), (0, 200_000, 4_000));
    assert!(free(&m) + 2 * 31 >= MANAGED);
}

/// The share of uses that find no page, once it is steady.
fn misses(pattern: Pattern, pages: u64, lru_gen: bool) -> u64 {
    let mut work = memory(region(Backing::Mapped, pages, pattern));
    work.prefill = false;
    let groups = vec![GroupConfig::new(2, Work::Memory(work))];
    let mut m = Machine::new(Config { lru_gen, ..config(groups) });
    run(&mut m, &mut NoObserver, at(1_500));
    let (ops, faults) = (m.ops[0], m.vmstat.pgmajfault);
    run(&mut m, &mut NoObserver, at(3_000));
    (m.vmstat.pgmajfault - faults) * 1_000_000 / (m.ops[0] - ops)
}

#[test]
fn a_mapped_file_misses_as_it_is_larger_than_memory() {
    for lru_gen in [false, true] {
        assert_eq!(misses(Pattern::Uniform, 3_000, lru_gen), 0, "both files fit");
        // Two files of 8,192 pages: half of them fits at most.
        let uniform = misses(Pattern::Uniform, 8_192, lru_gen);
        assert!((495_000..580_000).contains(&uniform), "{uniform}");
        let zipf = misses(Pattern::Zipf(990), 8_192, lru_gen);
        assert!(zipf < uniform / 2, "{zipf} of {uniform}");
        let hot = misses(Pattern::Hot(200, 950), 8_192, lru_gen);
        assert!(hot < 100_000, "{hot}");
    }
}

#[test]
fn a_loop_longer_than_memory_always_misses_and_one_that_fits_never_does() {
    assert_eq!(misses(Pattern::Loop, 3_000, false), 0);
    let all = misses(Pattern::Loop, 12_000, false);
    assert!(all.abs_diff(1_000_000) < 1_000, "{all}");
}

#[test]
fn a_server_and_a_build_run_dirty_pages_and_recycle_all() {
    let part = |backing, pages| RegionConfig {
        shared: true,
        ..region(backing, pages, Pattern::Zipf(900))
    };
    let store = Store {
        data: part(Backing::Mapped, 12_000),
        heap: part(Backing::Anon, 1_000),
        writes: 300,
        data_uses: 3,
        read_around: 1,
        heap_uses: 10,
        log_bytes: 1_024,
        cpu: 20_000,
        wait: SimDuration::ZERO,
    };
    let build = Build { files: 20, pages_min: 100, pages_max: 400, cpu: 1_000_000 };
    let groups =
        || vec![GroupConfig::new(3, Work::Store(store)), GroupConfig::new(2, Work::Build(build))];
    for lru_gen in [false, true] {
        let base = config(groups());
        let ledger = base.ledger.clone().with(ConstantId::DirtyWritebackMillis, 50);
        let mut m = Machine::new(Config { lru_gen, ledger, ..base });
        let mut ears = Ears::default();
        run(&mut m, &mut ears, at(1_500));
        assert_eq!(ears.operations, m.ops[0], "those of the first group are heard of");
        assert!(m.ops[0] > 2_000 && m.ops[1] > 8, "{:?}", m.ops);
        assert!(m.vmstat.nr_written > 1_000, "{:?}", m.vmstat);
        assert!(m.vmstat.workingset_refault_file > 1_000);
        assert!(m.dirty_pages() < MANAGED / 3);
        assert!(ears.longest > SimDuration::from_micros(60), "some request reads");
        assert_eq!(m.same_mm(TaskId(1)).len(), 3, "threads share their heap");
    }
}

#[test]
fn pauses_and_ends_of_groups() {
    let mut group =
        GroupConfig::new(1, Work::Memory(memory(region(Backing::Anon, 500, Pattern::Uniform))));
    group.phases.start = SimDuration::from_millis(10);
    group.phases.burst = [SimDuration::from_millis(10), SimDuration::from_millis(30)];
    let mut m = Machine::new(config(vec![group]));
    run(&mut m, &mut NoObserver, at(9));
    assert_eq!(m.vmstat.pgfault, 0);
    run(&mut m, &mut NoObserver, at(130));
    // Three bursts of 10 ms at 100 ns a use, less the fill.
    assert!(m.ops[0].abs_diff(297_000) < 9_000, "{}", m.ops[0]);
}

#[test]
fn a_killed_task_frees_its_memory() {
    let work = memory(region(Backing::Anon, MANAGED / 2, Pattern::Uniform));
    let mut m = Machine::new(config(vec![GroupConfig::new(1, Work::Memory(work))]));
    run(&mut m, &mut NoObserver, at(200));
    assert_eq!(m.alive, 1);
    assert_eq!(m.rss(TaskId(1)), MANAGED / 2);
    m.kill(TaskId(1));
    run(&mut m, &mut NoObserver, at(400));
    assert_eq!((m.alive, m.rss(TaskId(1))), (0, 0));
    assert!(free(&m) + 31 >= MANAGED);
}

#[test]
fn work_is_not_cut_by_who_looks() {
    let digest = |step: u64| {
        let work = memory(region(Backing::Mapped, 12_000, Pattern::Zipf(990)));
        let mut m = Machine::new(config(vec![GroupConfig::new(3, Work::Memory(work))]));
        for ms in (0..=60).step_by(step as usize) {
            advance(&mut m, &mut NoObserver, at(ms), u64::MAX);
        }
        m.core.digest.value()
    };
    assert_eq!(digest(60), digest(5));
}

#[test]
fn a_cgroup_stays_under_its_limit_and_reclaims_for_itself() {
    for (lru_gen, flavour) in
        [(false, FlavourId::V7_3), (true, FlavourId::V7_3), (true, FlavourId::V6_12)]
    {
        let region = RegionConfig { memcg: 1, ..region(Backing::Mapped, 4_000, Pattern::Uniform) };
        let mut c = config(vec![GroupConfig::new(2, Work::Memory(memory(region)))]);
        c.memcgs.push(MemcgConfig { max: 1_024, ..MemcgConfig::ROOT });
        c.lru_gen = lru_gen;
        c.flavour = FLAVOURS[flavour as usize];
        let mut m = Machine::new(c);
        let mut most = 0;
        for ms in 0..200 {
            run(&mut m, &mut NoObserver, at(ms));
            most = most.max(m.memcg_usage(1));
        }
        let memcg = m.memcgs[1];
        assert!(memcg.max > 10 && memcg.reclaims == memcg.max, "{memcg:?}");
        assert!(most <= 1_024 && memcg.peak == 1_024, "{most} {memcg:?}");
        // Nobody else hears of it: no kswapd, no allocstall; 7.x counts the scanning globally.
        let v = &m.vmstat;
        assert_eq!((v.pageoutrun, v.allocstall_normal, v.pgscan_kswapd), (0, 0, 0));
        let global = if flavour == FlavourId::V6_12 { 0 } else { memcg.pgscan };
        assert_eq!(v.pgscan_direct, global);
        assert!(memcg.pgsteal > 0 && v.workingset_refault_file > 0, "{lru_gen} {memcg:?} {v:?}");
    }
}

#[test]
fn over_high_a_task_reclaims_or_sleeps() {
    let region = RegionConfig { memcg: 1, ..region(Backing::Anon, 4_000, Pattern::Uniform) };
    let mut c = config(vec![GroupConfig::new(1, Work::Memory(memory(region)))]);
    c.memcgs.push(MemcgConfig { high: 1_024, ..MemcgConfig::ROOT });
    let mut m = Machine::new(c);
    run(&mut m, &mut NoObserver, at(2_000));
    // Nothing can be reclaimed without swap: the further over, the longer each sleep.
    assert!(m.memcgs[1].high > 2 && m.memcgs[1].max == 0, "{:?}", m.memcgs[1]);
    let early = m.memcg_usage(1);
    assert!((1_024..2_000).contains(&early), "{early}");
    run(&mut m, &mut NoObserver, at(6_000));
    assert!(m.memcg_usage(1) - early < 400, "{early} then {}", m.memcg_usage(1));
}

#[test]
fn a_limit_without_anything_to_reclaim_kills_the_largest() {
    let of = |pages| RegionConfig { memcg: 1, ..region(Backing::Anon, pages, Pattern::Uniform) };
    let mut c = config(vec![
        GroupConfig::new(1, Work::Memory(memory(of(500)))),
        GroupConfig::new(1, Work::Memory(memory(of(3_000)))),
    ]);
    c.memcgs.push(MemcgConfig { max: 1_024, ..MemcgConfig::ROOT });
    let mut m = Machine::new(c);
    run(&mut m, &mut NoObserver, at(1_000));
    assert_eq!((m.vmstat.oom_kill, m.memcgs[1].oom_kill, m.alive), (1, 1, 1));
    assert_eq!((m.rss(TaskId(1)), m.rss(TaskId(2))), (500, 0));
    assert!(m.memcg_usage(1) < 700);
}

#[test]
fn memory_that_is_all_anonymous_ends_in_a_kill() {
    let work = |pages| Work::Memory(memory(region(Backing::Anon, pages, Pattern::Uniform)));
    let groups = vec![GroupConfig::new(1, work(MANAGED / 2)), GroupConfig::new(1, work(MANAGED))];
    let mut m = Machine::new(config(groups));
    run(&mut m, &mut NoObserver, at(2_000));
    assert_eq!((m.vmstat.oom_kill, m.alive), (1, 1));
    assert_eq!(m.rss(TaskId(1)), MANAGED / 2);
}

fn swap(synchronous: bool, pages: u32, stored_per_mille: u32) -> SwapSetup {
    let medium = MediumConfig {
        synchronous,
        write: SimDuration::from_micros(if synchronous { 4 } else { 10 }),
        read: SimDuration::from_micros(if synchronous { 2 } else { 10 }),
        latency: SimDuration::from_micros(20),
        more: SimDuration::from_micros(10),
        channels: 4,
        writes: 0,
        stored_per_mille,
    };
    let config = SwapConfig::new(AllocatorId::GlobalPlist, 4);
    SwapSetup::new(config, vec![(DeviceConfig::new(pages + 1), medium)])
}

#[test]
fn what_memory_cannot_hold_is_on_swap() {
    for (lru_gen, synchronous) in [(false, true), (true, true), (false, false), (true, false)] {
        let work = memory(region(Backing::Anon, 2 * MANAGED, Pattern::Uniform));
        let mut c = config(vec![GroupConfig::new(1, Work::Memory(work))]);
        c.lru_gen = lru_gen;
        c.swap = Some(swap(synchronous, 4 * MANAGED as u32, if synchronous { 300 } else { 0 }));
        let mut m = Machine::new(c);
        run(&mut m, &mut NoObserver, at(300));
        let v = m.vmstat;
        let say = format!("{lru_gen} {synchronous} {v:?}");
        assert_eq!((v.oom_kill, m.alive), (0, 1), "{say}");
        assert!(v.pswpout > MANAGED && v.pswpin > 100, "{say}");
        // One may be on its way in.
        assert!(v.workingset_refault_anon - v.pswpin <= 1, "{say}");
        assert!(v.pgsteal_anon > 0 && v.pgsteal_file == 0, "{say}");
        // Every page of the region is resident, on swap, or both while it is being written.
        let resident = m.rss(TaskId(1));
        let slots: usize = m.pages.each().map(crate::lru::Class::slots).sum();
        let used = m.swap.as_ref().map(|s| s.slots.total_slots() - s.slots.free_slots());
        assert_eq!(used, Some(slots as u64), "{say}");
        assert!(resident + slots as u64 >= 2 * MANAGED - 64, "{resident} {slots} {say}");
        let stored = m.swap.as_ref().map_or(0, |s| s.store_pages.iter().sum::<u64>());
        let expected = if synchronous { slots as u64 * 3 / 10 } else { 0 };
        // A batch may have its slots and not be stored yet.
        assert!(stored.abs_diff(expected) < 16, "{stored} {expected}");
        m.kill(TaskId(1));
        run(&mut m, &mut NoObserver, at(400));
        let used = m.swap.as_ref().map(|s| s.slots.total_slots() - s.slots.free_slots());
        assert_eq!((m.alive, used), (0, Some(0)), "{say}");
        assert!(free(&m) + 31 >= MANAGED, "{} {say}", free(&m));
    }
}

#[test]
fn one_pass_over_memory_that_is_swapped_out_finds_no_page_again() {
    for (lru_gen, synchronous) in [(false, true), (true, true), (false, false), (true, false)] {
        let own = region(Backing::Anon, 2 * MANAGED, Pattern::Loop);
        let work = Memory { prefill: false, uses: 2 * MANAGED, ..memory(own) };
        let mut c = config(vec![GroupConfig::new(1, Work::Memory(work))]);
        c.lru_gen = lru_gen;
        c.swap = Some(swap(synchronous, 4 * MANAGED as u32, 0));
        let mut m = Machine::new(c);
        run(&mut m, &mut NoObserver, at(3_000));
        let v = m.vmstat;
        assert_eq!((m.alive, v.pgfault), (0, 2 * MANAGED), "{lru_gen} {synchronous} {v:?}");
        assert!(v.pswpout > MANAGED / 2, "{lru_gen} {synchronous} {v:?}");
        assert_eq!((v.pswpin, v.workingset_refault_anon), (0, 0), "{lru_gen} {synchronous}");
    }
}

#[test]
fn swappiness_zero_leaves_anonymous_memory_alone() {
    let anon = memory(region(Backing::Anon, MANAGED / 2, Pattern::Zipf(990)));
    let file = memory(region(Backing::Read, MANAGED, Pattern::Uniform));
    let swapped = |swappiness| {
        let groups =
            vec![GroupConfig::new(1, Work::Memory(anon)), GroupConfig::new(1, Work::Memory(file))];
        let mut c = config(groups);
        c.swappiness = swappiness;
        c.swap = Some(swap(true, 4 * MANAGED as u32, 300));
        let mut m = Machine::new(c);
        run(&mut m, &mut NoObserver, at(300));
        assert!(m.vmstat.pgsteal_file > 0);
        m.vmstat.pswpout
    };
    assert_eq!(swapped(0), 0);
    assert!(swapped(200) > 0);
}
