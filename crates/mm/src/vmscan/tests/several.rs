//! Facts F.3, point by point: what a second worker does to the first as literally written, and what
//! it does not in the fixed form.

use super::{NORMAL, WORKER, config, runs_at, set_free};
use crate::config::Config;
use crate::machine::Machine;
use crate::observe::NoObserver;
use crate::sim::{Sim, advance};
use crate::task::{State, Step};
use catalog::{FLAVOURS, FlavourId, ZoneKind};
use units::{SimTime, TaskId};

const SECOND: TaskId = TaskId(1);
const READER: TaskId = TaskId(2);
/// Literal, fixed.
const FORMS: [bool; 2] = [false, true];

fn form(fixed: bool) -> Machine {
    Machine::new(Config { multi_fixed: fixed, ..config(2) })
}

/// Both workers awake on CPUs, about to run.
fn both_awake<'a>(m: &'a mut Machine, o: &'a mut NoObserver) -> Sim<'a, NoObserver> {
    let mut sim = super::sim(m, o);
    runs_at(&mut sim, WORKER, Step::KswapdWoken);
    runs_at(&mut sim, SECOND, Step::KswapdWoken);
    sim
}

#[test]
fn point_1_the_first_worker_takes_the_request_from_the_second() {
    let zones = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        sim.ask(0, |request| request.merge(0, ZoneKind::Dma as u8));
        sim.take_request(WORKER);
        sim.take_request(SECOND);
        [WORKER, SECOND].map(|id| sim.m.tasks[id.index()].work.highest_zoneidx)
    });
    let (dma, before) = (ZoneKind::Dma as u8, ZoneKind::Movable as u8);
    assert_eq!(zones, [[dma, before], [dma, dma]]);
}

#[test]
fn point_4_a_node_is_passed_over_when_all_or_when_one_is_awake() {
    let active = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = super::sim(&mut m, &mut o);
        let none = sim.kswapd_active(0);
        runs_at(&mut sim, WORKER, Step::KswapdWoken);
        let one = sim.kswapd_active(0);
        runs_at(&mut sim, SECOND, Step::KswapdWoken);
        [none, one, sim.kswapd_active(0)]
    });
    assert_eq!(active, [[false, false, true], [false, true, true]]);
}

#[test]
fn point_5_a_worker_that_cannot_sleep_releases_those_that_wait_for_room() {
    let states = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        set_free(sim.m, 0);
        sim.m.zones[0].free = 0;
        runs_at(&mut sim, READER, Step::DirectBegin);
        sim.direct_begin(READER);
        assert_eq!(sim.m.tasks[READER.index()].state, State::Throttled);
        sim.kswapd_try_to_sleep(WORKER);
        let early = sim.m.tasks[READER.index()].state;
        // With room again it is released in both.
        set_free(sim.m, 8_000);
        sim.kswapd_try_to_sleep(SECOND);
        assert_eq!(sim.m.tasks[READER.index()].state, State::Runnable);
        early
    });
    assert_eq!(states, [State::Runnable, State::Throttled]);
}

#[test]
fn point_6_the_first_to_finish_clears_the_flag_of_all() {
    let active = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        sim.kswapd_run(WORKER);
        sim.kswapd_run(SECOND);
        sim.balance_end(WORKER);
        let one_left = sim.m.zones[NORMAL].reclaim_active;
        sim.balance_end(SECOND);
        assert_eq!(sim.m.zones[NORMAL].reclaim_active, 0);
        one_left
    });
    assert_eq!(active, [0, 1]);
}

#[test]
fn point_6_each_takes_away_the_boost_that_all_of_them_saw() {
    let left = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        sim.m.zones[NORMAL].set_boost(512);
        sim.kswapd_run(WORKER);
        sim.kswapd_run(SECOND);
        // Another event while both work: nobody has reclaimed for it yet.
        sim.m.zones[NORMAL].set_boost(900);
        sim.balance_end(WORKER);
        sim.balance_end(SECOND);
        assert_eq!(sim.m.zones[NORMAL].boost_claimed, 0);
        sim.m.zones[NORMAL].boost
    });
    assert_eq!(left, [0, 388]);
}

#[test]
fn point_8_a_fruitless_run_counts_though_the_other_worker_reclaims() {
    let failures = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        set_free(sim.m, 0);
        sim.m.zones[0].free = 0;
        sim.kswapd_run(WORKER);
        sim.kswapd_run(SECOND);
        sim.m.tasks[SECOND.index()].scan.nr_reclaimed = 64;
        sim.kswapd_pass_done(SECOND);
        sim.m.tasks[WORKER.index()].scan.priority = 0;
        sim.balance_end(WORKER);
        let failures = sim.m.nodes[0].kswapd_failures;
        // Nobody reclaims: it counts in both.
        sim.kswapd_run(WORKER);
        sim.m.tasks[WORKER.index()].scan.priority = 0;
        sim.balance_end(WORKER);
        assert_eq!(sim.m.nodes[0].kswapd_failures, failures + 1);
        failures
    });
    assert_eq!(failures, [1, 0]);
}

#[test]
fn point_9_a_pass_goes_on_though_the_other_worker_has_made_room() {
    let steps = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        set_free(sim.m, 0);
        sim.m.zones[0].free = 0;
        sim.kswapd_run(WORKER);
        sim.balance_pgdat(WORKER);
        let scan = &mut sim.m.tasks[WORKER.index()].scan;
        scan.partitions_left = 1;
        scan.quota = [64; 4];
        set_free(sim.m, 8_000);
        sim.shrink_next(WORKER);
        sim.m.tasks[WORKER.index()].step
    });
    assert_eq!(steps, [Step::ShrinkInactive, Step::KswapdBalance]);
}

#[test]
fn point_10_two_workers_make_a_generation_with_one_mm_walk() {
    let shared = FORMS.map(|fixed| {
        let (mut m, mut o) = (form(fixed), NoObserver);
        let mut sim = both_awake(&mut m, &mut o);
        sim.aging_begins(WORKER);
        sim.aging_begins(SECOND);
        sim.aging_ends(WORKER);
        sim.aging_ends(SECOND);
        sim.aging_begins(SECOND);
        // Direct reclaim brings its own.
        sim.aging_begins(READER);
        sim.m.vmstat.mm_walk_shared
    });
    assert_eq!(shared, [1, 0]);
}

/// A run of half a second under pressure: its digest, and the overshoot of free memory.
fn run(fixed: bool, kswapds: u32, flavour: FlavourId, lru_gen: bool) -> u64 {
    let flavour = FLAVOURS[flavour as usize];
    let mut config = Config { multi_fixed: fixed, flavour, lru_gen, ..config(kswapds) };
    config.groups[0].tasks = 6;
    let mut m = Machine::new(config);
    advance(&mut m, &mut NoObserver, SimTime::from_nanos(500_000_000), u64::MAX);
    assert!(m.vmstat.pageoutrun > 10, "kswapd ran {} times", m.vmstat.pageoutrun);
    m.core.digest.value()
}

#[test]
fn one_worker_is_the_same_in_both_forms_and_several_are_not() {
    for flavour in [FlavourId::V4_16, FlavourId::V6_12, FlavourId::V7_3] {
        for lru_gen in [false, true] {
            assert_eq!(run(false, 1, flavour, lru_gen), run(true, 1, flavour, lru_gen));
            assert_ne!(run(false, 3, flavour, lru_gen), run(true, 3, flavour, lru_gen));
        }
    }
}
