//! kswapd's protocol step by step: tasks are put where the test needs them and called directly.

mod degenerate;
mod policies;
mod several;

use crate::config::{
    Config, DriveConfig, GroupConfig, NodeConfig, Placement, Start, Stream, Work, ZONES_PER_NODE,
    ZoneConfig,
};
use crate::machine::Machine;
use crate::observe::NoObserver;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use crate::vmscan::request::Request;
use crate::vmscan::throttle::Reason;
use catalog::{ConstantId, FLAVOURS, FlavourId, Ledger, PolicyId, ZoneKind};
use units::{SimDuration, SimTime, TaskId};

/// The number of the zone Normal of the first node.
pub(super) const NORMAL: usize = ZoneKind::Normal as usize;
/// The first worker of the first node.
pub(super) const WORKER: TaskId = TaskId(0);

/// One node of zones DMA and Normal, so many workers, one reader, memory full down to high.
pub(super) fn config(kswapds: u32) -> Config {
    let zone = |kind, managed| ZoneConfig { kind, managed, used: 0 };
    Config {
        flavour: FLAVOURS[FlavourId::V7_3 as usize],
        ledger: Ledger::default(),
        nodes: vec![NodeConfig {
            cpus: 4,
            zones: vec![zone(ZoneKind::Dma, 1_024), zone(ZoneKind::Normal, 32_768)],
        }],
        smt: 1,
        tlb: crate::config::Tlb::Interrupt,
        fake_numa: 1,
        distance: 20,
        jiffy: SimDuration::from_millis(4),
        min_free_kbytes: 4_096,
        watermark_scale_factor: 10,
        watermark_boost_factor: 15_000,
        lowmem_reserve_ratio: [256, 256, 32],
        kswapds,
        policy: PolicyId::All,
        policy_literal: false,
        multi_fixed: false,
        lru_gen: false,
        shadow: false,
        classes: vec![crate::lru::ClassConfig::STREAMS],
        memcgs: vec![crate::memcontrol::MemcgConfig::ROOT],
        mms: Vec::new(),
        spread: Vec::new(),
        files: 0,
        swap: None,
        swappiness: 60,
        lru_partitions: 1,
        placement: Placement::Cpu,
        steal: true,
        groups: readers(1, SimDuration::ZERO),
        drives: DriveConfig { count: 1, service: SimDuration::ZERO, latency: SimDuration::ZERO },
        start: Start::Full { inactive_per_mille: 1_000 },
        seed: 1,
    }
}

/// Readers without read-ahead, at this pace.
pub(super) fn readers(count: u32, pace: SimDuration) -> Vec<GroupConfig> {
    vec![GroupConfig::new(count, Work::Stream(Stream { read_ahead: false, pace }))]
}

pub(super) fn sim<'a>(m: &'a mut Machine, observer: &'a mut NoObserver) -> Sim<'a, NoObserver> {
    Sim { m, observer }
}

/// Puts a worker on a CPU at this step, as a wakeup and a dispatch would.
pub(super) fn runs_at(sim: &mut Sim<'_, NoObserver>, id: TaskId, step: Step) {
    sim.wake(id);
    sim.m.tasks[id.index()].step = step;
}

/// Lets every zone of the node have so many free pages, taken from or given to its lists.
pub(super) fn set_free(m: &mut Machine, pages: u64) {
    for zone in 0..ZONES_PER_NODE {
        let z = &mut m.zones[zone];
        if z.managed > 0 {
            z.free = pages + z.reserve[ZONES_PER_NODE - 1];
        }
    }
}

#[test]
fn a_request_is_taken_once_and_given_back_after_a_short_nap() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    let mut sim = sim(&mut m, &mut o);
    sim.ask(0, |request| request.merge(0, ZoneKind::Dma as u8));
    sim.take_request(WORKER);
    assert_eq!(sim.m.tasks[0].work.highest_zoneidx, ZoneKind::Dma as u8);
    assert_eq!(sim.m.nodes[0].request, Request::default());
    // Nobody asks: it keeps the zones of its last run.
    sim.take_request(WORKER);
    assert_eq!(sim.m.tasks[0].work.highest_zoneidx, ZoneKind::Dma as u8);
    sim.give_request_back(WORKER);
    assert_eq!(sim.m.nodes[0].request.highest_zoneidx, Some(ZoneKind::Dma as u8));
    // A request for more zones is not narrowed by what is given back.
    sim.ask(0, |request| request.merge(0, ZoneKind::Movable as u8));
    sim.give_request_back(WORKER);
    assert_eq!(sim.m.nodes[0].request.highest_zoneidx, Some(ZoneKind::Movable as u8));
}

#[test]
fn a_worker_balances_the_zones_that_it_was_asked_for() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    set_free(&mut m, 0);
    m.zones[0].free = 0;
    m.zones[NORMAL].free = m.zones[NORMAL].marks.high + 1;
    let sim = sim(&mut m, &mut o);
    assert!(sim.balanced(0, ZoneKind::Movable as u8), "Normal is above high");
    assert!(!sim.balanced(0, ZoneKind::Dma as u8), "DMA is not");
}

#[test]
fn a_nap_that_a_wakeup_ends_goes_round_with_the_old_request() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    let mut sim = sim(&mut m, &mut o);
    runs_at(&mut sim, WORKER, Step::KswapdSleep);
    sim.m.tasks[0].work.highest_zoneidx = ZoneKind::Normal as u8;
    set_free(sim.m, 1_000);
    assert_eq!(sim.kswapd_try_to_sleep(WORKER), Flow::Wait);
    assert_eq!(sim.m.tasks[0].state, State::Napping);
    sim.wake(WORKER);
    assert_eq!(sim.kswapd_napped(WORKER), Flow::GoOn);
    assert_eq!(sim.m.vmstat.kswapd_low_wmark_hit_quickly, 1);
    assert_eq!(sim.m.tasks[0].work.highest_zoneidx, ZoneKind::Normal as u8);
    assert_eq!(sim.m.nodes[0].request, Request::default(), "taken by the run that begins");
}

#[test]
fn no_progress_throttles_only_while_much_waits_to_be_written() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    let reader = TaskId(1);
    let mut sim = sim(&mut m, &mut o);
    runs_at(&mut sim, reader, Step::DirectPriority);
    sim.m.tasks[1].scan.priority = 1;
    sim.m.tasks[1].scan.total_scanned = 100;
    let then = Step::DirectRoundDone;
    assert_eq!(sim.consider_reclaim_throttle(reader, 0, then), Flow::GoOn, "all is clean");
    sim.m.nodes[0].write_pending = sim.m.zones[NORMAL].managed;
    assert_eq!(sim.consider_reclaim_throttle(reader, 0, then), Flow::Wait);
    assert_eq!(sim.m.vmstat.throttle_noprogress, 1);
    let throttled = sim.m.tasks[1].throttled.expect("it sleeps");
    assert_eq!(throttled.reason.name(), "VMSCAN_THROTTLE_NOPROGRESS");
    assert_eq!(sim.m.tasks[1].state, State::Throttled);
    assert_eq!(throttled.until, SimTime::ZERO + SimDuration::from_millis(8), "a tick, rounded up");
    // Somebody who reclaims more than an eighth of what he scans ends it.
    runs_at(&mut sim, WORKER, Step::KswapdBalance);
    sim.m.tasks[0].scan.total = 13;
    sim.m.tasks[0].scan.total_scanned = 100;
    sim.consider_reclaim_throttle(WORKER, 0, Step::KswapdBalance);
    assert_eq!(sim.m.tasks[1].state, State::Runnable);
    sim.throttle_end(reader);
    assert_eq!(sim.m.tasks[1].step, then);
    assert_eq!(sim.m.tasks[1].throttled, None);
}

#[test]
fn each_reason_has_its_time_and_the_isolated_go_on_when_fewer_are() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    let reader = TaskId(1);
    let mut sim = sim(&mut m, &mut o);
    sim.m.nodes[0].write_pending = u64::MAX / 4;
    let reasons = [Reason::Writeback, Reason::Isolated, Reason::NoProgress, Reason::Congested];
    let ticks = reasons.map(|reason| {
        runs_at(&mut sim, reader, Step::ShrinkInactive);
        assert_eq!(sim.reclaim_throttle(reader, 0, reason, Step::ShrinkInactive), Flow::Wait);
        let throttled = sim.m.tasks[1].throttled.expect("it sleeps");
        sim.wake_throttled(0, reason);
        sim.throttle_end(reader);
        sim.m.tasks[1].on_cpu = false;
        sim.m.cpus = engine::CpuTable::new(&[4], 1, 2);
        (throttled.until - SimTime::ZERO).as_nanos() / 4_000_000 - 1
    });
    assert_eq!(ticks, [25, 5, 1, 1]);
    runs_at(&mut sim, reader, Step::ShrinkInactive);
    sim.m.nodes[0].isolated = [0, u64::MAX / 2];
    assert!(sim.too_many_isolated(0, crate::lru::PageKind::File));
    sim.reclaim_throttle(reader, 0, Reason::Isolated, Step::ShrinkInactive);
    sim.m.nodes[0].isolated = [0; 2];
    assert!(!sim.too_many_isolated(0, crate::lru::PageKind::File));
    assert_eq!(sim.m.tasks[1].state, State::Runnable, "not before its 20 ms");
    let v = &sim.m.vmstat;
    let counts =
        [v.throttle_writeback, v.throttle_isolated, v.throttle_noprogress, v.throttle_congested];
    assert_eq!(counts, [1, 2, 1, 1]);
    assert_eq!(sim.constant(ConstantId::WritebackThrottleMillis), 100);
}

/// A run of kswapd on the boost of the zone Normal, up to its first test of the balance.
fn boosted(m: &mut Machine, boost: u64) {
    let mut o = NoObserver;
    let mut sim = sim(m, &mut o);
    sim.m.zones[NORMAL].set_boost(boost);
    runs_at(&mut sim, WORKER, Step::KswapdWoken);
    sim.kswapd_run(WORKER);
    assert_eq!(sim.m.tasks[0].work.boost_left, boost);
}

#[test]
fn a_boost_is_reclaimed_though_the_node_is_balanced_and_then_taken_away() {
    let mut m = Machine::new(config(1));
    set_free(&mut m, 8_000);
    boosted(&mut m, 512);
    let mut o = NoObserver;
    let mut sim = sim(&mut m, &mut o);
    assert_eq!(sim.balance_pgdat(WORKER), Flow::GoOn);
    assert_eq!(sim.m.tasks[0].step, Step::ShrinkNode, "it reclaims all the same");
    // Two priorities harder, and no more, as long as something comes of it.
    for priority in [11, 10, 10, 10] {
        sim.m.tasks[0].scan.nr_scanned = 1;
        sim.m.tasks[0].scan.nr_reclaimed = 1;
        sim.kswapd_pass_done(WORKER);
        assert_eq!(sim.m.tasks[0].scan.priority, priority);
    }
    sim.m.tasks[0].scan.nr_reclaimed = 508;
    sim.kswapd_pass_done(WORKER);
    assert_eq!(sim.m.tasks[0].work.boost_left, 0);
    // More events came meanwhile: only what this run was about goes away.
    sim.m.zones[NORMAL].set_boost(700);
    sim.balance_pgdat(WORKER);
    assert_eq!(sim.m.tasks[0].step, Step::KswapdSleep);
    assert_eq!(sim.m.zones[NORMAL].boost, 188);
}

#[test]
fn a_node_short_of_memory_forgets_its_boost_and_a_fruitless_boost_is_given_up() {
    let mut m = Machine::new(config(1));
    set_free(&mut m, 8_000);
    boosted(&mut m, 512);
    let mut o = NoObserver;
    let mut sim = sim(&mut m, &mut o);
    sim.m.tasks[0].scan.nr_scanned = 64;
    sim.m.tasks[0].scan.nr_reclaimed = 0;
    sim.kswapd_pass_done(WORKER);
    assert_eq!(sim.m.tasks[0].step, Step::KswapdBalanceEnd);
    sim.balance_end(WORKER);
    assert_eq!((sim.m.zones[NORMAL].boost, sim.m.nodes[0].kswapd_failures), (0, 0));
    // Short of memory, it goes on as without a boost: from priority 12, to high.
    sim.m.zones[NORMAL].set_boost(512);
    sim.kswapd_run(WORKER);
    set_free(sim.m, 0);
    sim.m.zones[0].free = 0;
    sim.m.tasks[0].scan.priority = 10;
    sim.balance_pgdat(WORKER);
    assert_eq!(sim.m.tasks[0].work.boost_left, 0);
    assert_eq!((sim.m.tasks[0].scan.priority, sim.m.tasks[0].step), (12, Step::ShrinkNode));
}

#[test]
fn an_allocation_after_a_fragmentation_event_wakes_kswapd_for_its_zone() {
    let (mut m, mut o) = (Machine::new(config(1)), NoObserver);
    set_free(&mut m, 8_000);
    let mut sim = sim(&mut m, &mut o);
    sim.wake_if_boosted(TaskId(1), NORMAL as u32);
    assert_eq!(sim.m.vmstat.kswapd_wake, 0, "no event, no wakeup");
    // Some 350 events in a million pages, none of them in DMA or where there is much.
    sim.fragmentation(NORMAL as u32, 1_000_000);
    set_free(sim.m, 0);
    sim.fragmentation(0, 1_000_000);
    assert_eq!(sim.m.vmstat.watermark_boost, 0);
    for _ in 0..1_000 {
        sim.fragmentation(NORMAL as u32, 1_000);
    }
    let events = sim.m.vmstat.watermark_boost;
    assert!((300..400).contains(&events), "{events}");
    let zone = sim.m.zones[NORMAL];
    assert_eq!(Some(zone.boost), zone.boost_max(15_000));
    sim.wake_if_boosted(TaskId(1), NORMAL as u32);
    assert_eq!(sim.m.vmstat.kswapd_wake, 1);
    assert_eq!(sim.m.nodes[0].request.highest_zoneidx, Some(ZoneKind::Normal as u8));
    sim.wake_if_boosted(TaskId(1), NORMAL as u32);
    assert_eq!(sim.m.nodes[0].wakeup.decisions, 1, "the flag is gone");
}
