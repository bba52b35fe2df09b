//! Random valid scenarios from one seed: every invariant holds after every event.
//!
//! A failure prints the link of its scenario; `reclaimscope run <link>` repeats it. With
//! `RECLAIMSCOPE_SOAK=1` there are many more.

use catalog::{ControlId, Row, ZoneKind, tables};
use engine::Stream;
use mm::{Machine, NoObserver, invariant};
use scenario::{NodeSpec, Scenario, ZoneSpec};
use units::SimTime;

const SEED: u64 = 20_261_130;
/// Events after each of which the state is checked; later ones are checked now and then.
const EVERY: u64 = 1_500;
const NOW_AND_THEN: u64 = 211;

fn count() -> u64 {
    if std::env::var("RECLAIMSCOPE_SOAK").is_ok() { 2_000 } else { 50 }
}

/// A scenario drawn from the seed: small machines, so that checking everything is cheap.
pub(crate) fn draw(index: u64) -> Scenario {
    let mut s = Stream::new(SEED, "swarm", index);
    let mut scenario = Scenario::preset("tiny").expect("a preset");
    let mut between = |low: u64, high: u64| -> i64 { (low + s.below(high - low + 1)) as i64 };
    let memory = between(1, 64) << between(20, 23);
    let settings = [
        (ControlId::Nodes, between(1, 8)),
        (ControlId::Cpus, between(1, 12)),
        (ControlId::Smt, between(1, 4)),
        (ControlId::Memory, memory),
        (ControlId::Distance, between(11, 40)),
        (ControlId::Flavour, between(0, 5)),
        (ControlId::Hz, between(0, 3)),
        (ControlId::Thp, between(0, 1)),
        (ControlId::Kswapds, between(1, 6)),
        (ControlId::Policy, between(0, 8)),
        (ControlId::PolicyCounting, between(0, 1)),
        (ControlId::Lru, between(0, 1)),
        (ControlId::LruPartitions, between(1, 5)),
        (ControlId::Placement, between(0, 2)),
        (ControlId::Steal, between(0, 1)),
        (ControlId::ShadowEntries, between(0, 1)),
        (ControlId::WatermarkScaleFactor, between(1, 300)),
        (ControlId::Readers, between(1, 40)),
        (ControlId::Bound, between(0, 1)),
        (ControlId::ReadAhead, between(0, 1)),
        (ControlId::Rate, between(0, 2) * between(1_000, 1_000_000)),
        (ControlId::Drives, between(1, 8)),
        (ControlId::DriveBandwidth, between(50, 5_000)),
        (ControlId::DriveLatency, between(0, 200_000)),
        (ControlId::Start, between(0, 1)),
        (ControlId::InactiveShare, between(1, 1_000)),
        (ControlId::Seed, between(0, 1_000_000)),
        (ControlId::Duration, between(1, 15) * 1_000_000),
        (ControlId::Workload, between(0, 7)),
        (ControlId::TlbFlush, between(0, 2)),
        (ControlId::Memcg, between(0, 1) * (memory >> between(1, 4))),
        (ControlId::MemcgHigh, between(0, 3) / 3 * (memory >> between(1, 4))),
        (ControlId::Swappiness, between(0, 200)),
        (ControlId::SwapDevices, between(0, 2) * between(1, 4)),
        (ControlId::SwapSize, between(1, 4) << 20),
        (ControlId::SwapMedium, between(0, 7)),
        (ControlId::SwapPriorities, between(0, 2)),
        (ControlId::Allocator, between(0, 4)),
        (ControlId::Size, memory >> between(0, 3)),
        (ControlId::Chunk, between(1, 16) << 12),
        (ControlId::Backing, between(0, 2)),
        (ControlId::Shared, between(0, 1)),
        (ControlId::Pattern, between(0, 3)),
        (ControlId::Skew, between(0, 2_000)),
        (ControlId::HotShare, between(1, 1_000)),
        (ControlId::HotUses, between(0, 1_000)),
        (ControlId::Writes, between(0, 1_000)),
        (ControlId::Heap, memory >> between(1, 4)),
        (ControlId::DataUses, between(1, 20)),
        (ControlId::RequestCpu, between(0, 100_000)),
        (ControlId::RequestWait, between(0, 1) * between(0, 200_000)),
        (ControlId::Mix, between(0, 4)),
        (ControlId::MixTasks, between(1, 4)),
        (ControlId::MixSize, memory >> between(1, 5)),
        (ControlId::MixRate, between(0, 1) * between(1_000, 1_000_000)),
        (ControlId::MixStart, between(0, 5) * 1_000_000),
        (ControlId::MixOn, between(0, 3) * 1_000_000),
        (ControlId::MixOff, between(0, 3) * 1_000_000),
    ];
    for (id, value) in settings {
        scenario.set(id, value).expect("drawn within bounds");
    }
    if index % 2 == 1 {
        paste(&mut scenario, &mut s);
    }
    if index % 4 < 2 {
        swap(&mut scenario, &mut Stream::new(SEED, "swarm.swap", index));
    }
    scenario
}

/// Gives the scenario swap devices one by one, tiers that may change while it runs, large folios,
/// and zswap before them.
fn swap(scenario: &mut Scenario, s: &mut Stream) {
    let mut between = |low: u64, high: u64| -> i64 { (low + s.below(high - low + 1)) as i64 };
    let row = |cells: &[(usize, i64)]| {
        let mut row = Row::default();
        cells.iter().for_each(|&(cell, value)| row[cell] = value);
        row
    };
    let nodes = scenario.get(ControlId::Nodes).unsigned_abs();
    let devices = (0..between(1, 6)).map(|_| {
        row(&[
            (tables::MEDIUM, between(0, 8)),
            (tables::SIZE, between(1, 8) << 20),
            (tables::PRIORITY, between(0, 4) - 1),
            (tables::USED, between(0, 1) * between(0, 1_000)),
            (tables::HOLES, between(0, 511)),
            (tables::DISCARD, between(0, 1)),
            (tables::NODE, between(0, nodes)),
        ])
    });
    let devices: Vec<Row> = devices.collect();
    let mut tiers = || -> Vec<Row> {
        let above = between(0, 3);
        let policy = between(0, catalog::in_tier::IN_TIER.len() as u64);
        let start = |i| if i == above { -1 } else { above - i };
        (0..=above)
            .map(|i| {
                row(&[
                    (tables::START, start(i)),
                    (tables::POLICY, if i % 2 == 0 { policy } else { 0 }),
                    (tables::BARRED, i64::from(between(0, 3) == 0)),
                ])
            })
            .collect()
    };
    let (before, after) = (tiers(), tiers());
    let folios = match between(0, 2) {
        0 => vec![row(&[(tables::ORDER, between(1, 9)), (tables::SHARE, between(1, 1_000))])],
        _ => Vec::new(),
    };
    let all = [
        (ControlId::SwapTable, devices),
        (ControlId::SwapTiers, before),
        (ControlId::TiersThen, after),
        (ControlId::SwapFolios, folios),
    ];
    for (id, rows) in all {
        scenario.set_rows(id, rows).expect("drawn within bounds");
    }
    let settings = [
        (ControlId::TierAssignment, between(0, 5)),
        (ControlId::TierBuckets, between(1, 31)),
        (ControlId::InTier, between(0, 5)),
        (ControlId::SwapQuota, between(0, 1) * between(1, 600)),
        (ControlId::TiersAt, between(0, 1) * between(1, 10) * 1_000_000),
        (ControlId::Zswap, between(0, 2)),
        (ControlId::ZswapCompressor, between(0, 3)),
    ];
    for (id, value) in settings {
        scenario.set(id, value).expect("drawn within bounds");
    }
    let refused = scenario.validate();
    assert!(refused.is_empty(), "{refused:?}");
}

/// Gives the scenario nodes one by one: any zones, nodes without CPUs, reserves, a set minimum.
fn paste(scenario: &mut Scenario, s: &mut Stream) {
    let count = 1 + s.below(4);
    for node in 0..count {
        let mut zones = Vec::new();
        for kind in ZoneKind::ALL {
            if s.below(2) == 1 {
                zones.push(ZoneSpec { kind, managed: 1 + s.below(20_000) });
            }
        }
        if zones.is_empty() {
            zones.push(ZoneSpec { kind: ZoneKind::Normal, managed: 500 + s.below(20_000) });
        }
        let cpus = if node > 0 && s.below(3) == 0 { 0 } else { 1 + s.below(8) as u32 };
        scenario.nodes.push(NodeSpec { cpus, zones });
    }
    let mut set = |id, value: u64| scenario.set(id, value as i64).expect("within bounds");
    set(ControlId::ReserveDma, s.below(300));
    set(ControlId::ReserveDma32, s.below(300));
    set(ControlId::ReserveNormal, s.below(64));
    set(ControlId::MinFreeKbytes, s.below(3) * 500);
    if !scenario.validate().is_empty() {
        scenario.set(ControlId::MinFreeKbytes, 0).expect("within bounds");
    }
}

#[test]
fn invariants_hold_after_every_event() {
    for index in 0..count() {
        let scenario = draw(index);
        let link = scenario::link::encode(&scenario);
        let config = lab::lower(&scenario).unwrap_or_else(|p| panic!("{link}: {p:?}"));
        let mut machine = Machine::new(config);
        let end = SimTime::from_nanos(scenario.get(ControlId::Duration).unsigned_abs());
        let mut step = 1;
        invariant::check(&machine).unwrap_or_else(|e| panic!("{link} at the start: {e}"));
        while let engine::Stop::Budget = mm::advance(&mut machine, &mut NoObserver, end, step) {
            let events = machine.core.events;
            invariant::check(&machine).unwrap_or_else(|e| panic!("{link} event {events}: {e}"));
            step = if events > EVERY { NOW_AND_THEN } else { 1 };
        }
        invariant::check(&machine).unwrap_or_else(|e| panic!("{link} at the end: {e}"));
        assert!(machine.core.events > 0, "{link}: nothing happened");
    }
}

#[test]
fn links_of_the_swarm_open_to_the_same_scenario() {
    for index in 0..500 {
        let scenario = draw(index);
        let link = scenario::link::encode(&scenario);
        let opened = scenario::link::decode(&link).unwrap_or_else(|e| panic!("{link}: {e}"));
        assert!(opened.problems.is_empty(), "{link}: {:?}", opened.problems);
        assert_eq!(opened.scenario, scenario, "{link}");
    }
}
