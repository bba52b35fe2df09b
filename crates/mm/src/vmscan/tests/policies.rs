//! The wakeup policies, row by row of facts F.4: N = 8 workers on a node of C = 8 CPUs with r
//! runnable tasks, i of its CPUs idle and a workers awake.

use super::{NORMAL, config, readers, runs_at, set_free, sim};
use crate::config::Config;
use crate::machine::Machine;
use crate::observe::{NoObserver, Observer};
use crate::sim::Sim;
use crate::task::Step;
use crate::vmscan::wakeup::{Cause, Decision, ONE};
use catalog::{ConstantId, PolicyId, ZoneKind};
use units::{SimDuration, SimTime, TaskId};

const N: u32 = 8;
const CPUS: u32 = 8;

fn machine(policy: PolicyId) -> Machine {
    let mut config = Config { policy, groups: readers(12, SimDuration::ZERO), ..config(N) };
    config.nodes[0].cpus = CPUS;
    Machine::new(config)
}

/// What a policy wants and saw with so many readers runnable.
fn with_runnable(policy: PolicyId, runnable: u32) -> (u32, u64) {
    let (mut m, mut o) = (machine(policy), NoObserver);
    let mut sim = sim(&mut m, &mut o);
    for reader in 0..runnable {
        runs_at(&mut sim, TaskId(N + reader), Step::DirectBegin);
    }
    sim.m.wakeup_target(0)
}

#[test]
fn single_and_all_look_at_nothing() {
    for runnable in [0, 8, 12] {
        assert_eq!(with_runnable(PolicyId::Single, runnable).0, 1);
        assert_eq!(with_runnable(PolicyId::All, runnable).0, N);
    }
}

#[test]
fn runnable_load_leaves_the_share_or_the_number_of_spare_cpus() {
    let targets = |policy| [0, 3, 6, 8, 12].map(|r| with_runnable(policy, r));
    // N (1 - r / C) and C - r, between 1 and N.
    let want = [(8, 0), (5, 3), (2, 6), (1, 8), (1, 12)];
    assert_eq!(targets(PolicyId::RunnableShare), want);
    assert_eq!(targets(PolicyId::RunnableSpare), want);
}

#[test]
fn the_two_formulas_differ_where_workers_and_cpus_do() {
    let target = |policy, kswapds| {
        let mut config =
            Config { policy, groups: readers(12, SimDuration::ZERO), ..config(kswapds) };
        config.nodes[0].cpus = 16;
        let (mut m, mut o) = (Machine::new(config), NoObserver);
        let mut sim = sim(&mut m, &mut o);
        for reader in 0..12 {
            runs_at(&mut sim, TaskId(kswapds + reader), Step::DirectBegin);
        }
        sim.m.wakeup_target(0).0
    };
    assert_eq!(target(PolicyId::RunnableShare, 8), 2, "8 x (1 - 12 / 16)");
    assert_eq!(target(PolicyId::RunnableSpare, 8), 4, "16 - 12");
}

#[test]
fn the_mean_of_runnable_load_halves_in_32_ms() {
    let (mut m, mut o) = (machine(PolicyId::RunnableMean), NoObserver);
    let mut sim = sim(&mut m, &mut o);
    for reader in 0..CPUS {
        runs_at(&mut sim, TaskId(N + reader), Step::DirectBegin);
    }
    assert_eq!(sim.m.wakeup_target(0), (8, 0), "no time has passed");
    advance_clock(&mut sim, 32_000_000);
    assert_eq!(sim.m.wakeup_target(0), (4, 4));
    advance_clock(&mut sim, 64_000_000);
    assert_eq!(sim.m.wakeup_target(0), (2, 6));
}

/// Lets time pass without anybody doing anything.
fn advance_clock<O: Observer>(sim: &mut Sim<'_, O>, to: u64) {
    use units::EntityId;
    let last = EntityId(sim.m.tasks.len() as u32 - 1);
    for task in 0..sim.m.tasks.len() as u32 {
        sim.m.core.queue.cancel(EntityId(task));
    }
    sim.m.core.queue.schedule(last, SimTime::from_nanos(to), 0);
    assert!(sim.m.core.queue.pop().is_some());
}

#[test]
fn the_cpu_mask_counts_idle_cpus_now() {
    assert_eq!(with_runnable(PolicyId::CpuMask, 0), (8, 8));
    assert_eq!(with_runnable(PolicyId::CpuMask, 5), (3, 3));
    // Tasks that queue make no CPU busier than one does.
    assert_eq!(with_runnable(PolicyId::CpuMask, 12), (1, 0));
}

#[test]
fn pressure_goes_in_steps() {
    let target = |stalled_ms: u64| {
        let (mut m, mut o) = (machine(PolicyId::Psi), NoObserver);
        let mut sim = sim(&mut m, &mut o);
        sim.m.note_stall(TaskId(0), 0, true);
        advance_clock(&mut sim, stalled_ms * 1_000_000);
        sim.m.note_stall(TaskId(0), 0, false);
        sim.m.wakeup_target(0)
    };
    // The meter halves in a second: so many ms of stall are a share of 0.7 in 1,000 each.
    assert_eq!(target(0).0, 1);
    assert_eq!(target(8), (1, 5), "under 1 %");
    assert_eq!(target(30), (2, 20), "under 5 %: N / 4");
    assert_eq!(target(100), (4, 69), "under 10 %: N / 2");
    assert_eq!(target(300).0, 8);
}

#[test]
fn the_deficit_goes_from_high_to_min() {
    let target = |share: u64| {
        let mut m = machine(PolicyId::Deficit);
        for zone in [ZoneKind::Dma as usize, NORMAL] {
            let z = &mut m.zones[zone];
            let span = z.marks.high - z.marks.min;
            z.free = z.reserve[3] + z.marks.high - span * share / 8;
        }
        m.wakeup_target(0).0
    };
    assert_eq!([0, 1, 4, 8].map(target), [1, 1, 4, 8]);
    let mut empty = machine(PolicyId::Deficit);
    set_free(&mut empty, 0);
    assert_eq!(empty.wakeup_target(0).0, 8, "below min too");
}

#[test]
fn saturation_adds_a_worker_a_period_while_those_allowed_are_busy() {
    let (mut m, mut o) = (machine(PolicyId::Saturation), NoObserver);
    let mut sim = sim(&mut m, &mut o);
    let period = sim.constant(ConstantId::SaturationPeriod);
    assert_eq!(sim.m.wakeup_target(0).0, 1);
    runs_at(&mut sim, TaskId(0), Step::KswapdBalance);
    sim.m.tasks[0].enter(SimTime::ZERO, crate::task::State::PageWork);
    advance_clock(&mut sim, period / 2);
    assert_eq!(sim.m.wakeup_target(0).0, 1, "not before the period is over");
    advance_clock(&mut sim, period);
    assert_eq!(sim.m.wakeup_target(0), (2, 1_000));
    // One busy worker of two allowed is half of what there is: one fewer.
    advance_clock(&mut sim, 2 * period);
    assert_eq!(sim.m.wakeup_target(0), (1, 500));
}

/// Keeps the decisions that it hears of.
#[derive(Default)]
struct Decisions(Vec<Decision>);

impl Observer for Decisions {
    fn wakeup(&mut self, _: SimTime, _: usize, decision: &Decision) {
        self.0.push(*decision);
    }
}

/// The decisions at three wakeups under a policy that wants 2.
fn three_wakeups(literal: bool) -> Vec<Decision> {
    let mut config = Config {
        policy: PolicyId::RunnableSpare,
        policy_literal: literal,
        groups: readers(6, SimDuration::ZERO),
        ..config(N)
    };
    config.nodes[0].cpus = 8;
    let (mut m, mut o) = (Machine::new(config), Decisions::default());
    let mut sim = Sim { m: &mut m, observer: &mut o };
    set_free(sim.m, 0);
    sim.m.zones[0].free = 0;
    for reader in 0..6 {
        sim.wake(TaskId(N + reader));
    }
    for _ in 0..3 {
        sim.wakeup_kswapd(TaskId(N), 0, ZoneKind::Movable as u8, Cause::Allocation);
    }
    assert_eq!(sim.m.nodes[0].wakeup.last, sim.observer.0[2]);
    o.0
}

#[test]
fn a_decision_says_what_it_saw_wanted_found_and_did() {
    let said = |d: &Decision| (d.saw, d.target, d.awake, d.woke);
    let fixed: Vec<_> = three_wakeups(false).iter().map(said).collect();
    assert_eq!(fixed, [(6, 2, 0, 2), (8, 1, 2, 0), (8, 1, 2, 0)], "min(w - a, sleepers)");
    let literal: Vec<_> = three_wakeups(true).iter().map(said).collect();
    assert_eq!(literal, [(6, 2, 0, 2), (8, 1, 2, 1), (9, 1, 3, 1)], "w more each time");
    assert!(three_wakeups(true).iter().all(|d| d.cause == Cause::Allocation));
    assert_eq!(ONE, 65_536);
}
