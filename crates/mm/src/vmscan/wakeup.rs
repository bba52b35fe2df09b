//! Wakeup policies: how many of a node's workers shall be awake, decided at every wakeup.
//!
//! A policy sees the node at that moment and names a number between 1 and N. Counted as `fixed`,
//! those awake already are subtracted; as `literal`, as many sleepers are woken as the number says,
//! so that wakeups which keep coming wake everybody in the end.
//!
//! A policy is a file of this folder with its place in [`POLICIES`], and a row of
//! `catalog::policies`.
//!
//! Two meters feed the policies that look back: a mean of runnable tasks that halves in 32 ms, and
//! the share of time in which some task of the node was stalled on memory, between the brackets
//! that PSI counts: a call of direct reclaim, a run of balance_pgdat. Both move whenever their
//! level changes.

use crate::machine::Machine;
use catalog::{ConstantId, PolicyId};
use units::{NodeId, SimTime, TaskId};

mod all;
mod cpu_mask;
mod deficit;
mod psi;
mod runnable;
mod runnable_mean;
mod runnable_spare;
mod saturation;
mod single;

/// A wakeup policy: how many of a node's workers shall be awake.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Its name: that of its row in the catalog.
    pub name: &'static str,
    /// How many workers of this node it wants awake now, and what it looked at. The number is
    /// brought between 1 and N by the caller.
    pub target: fn(&mut Machine, usize) -> (u32, u64),
}

/// All policies, in the order of their rows in the catalog.
pub static POLICIES: &[Policy] = &[
    single::POLICY,
    all::POLICY,
    runnable::POLICY,
    runnable_spare::POLICY,
    runnable_mean::POLICY,
    cpu_mask::POLICY,
    psi::POLICY,
    deficit::POLICY,
    saturation::POLICY,
];

/// Fraction bits of a meter.
const FRACTION: u32 = 16;
/// One, in a meter.
pub const ONE: u64 = 1 << FRACTION;
/// ln 2 in 1/65,536.
const LN2: u64 = 45_426;

/// A mean over time whose memory halves in a given span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    mean: u64,
    since: SimTime,
}

impl Meter {
    /// Moves the mean to `now`; `level` (in 1/65,536) held since the last call.
    #[inline]
    pub fn advance(&mut self, now: SimTime, level: u64, half_life: u64) {
        let passed = (now.saturating_since(self.since)).as_nanos();
        self.since = now;
        let whole = passed / half_life;
        if whole >= 32 {
            self.mean = level;
            return;
        }
        // Halve the distance for every whole half-life, then go on in a straight line for the rest:
        // exact to 6 % of what is left of the distance.
        let rest = (passed % half_life) * LN2 / half_life;
        let towards = |mean: u64, num: u64, den: u64| {
            if level >= mean {
                mean + (level - mean) * num / den
            } else {
                mean - (mean - level) * num / den
            }
        };
        let halves = 1 << whole;
        self.mean = towards(self.mean, halves - 1, halves);
        self.mean = towards(self.mean, rest, ONE);
    }

    /// The mean, in 1/65,536.
    #[must_use]
    pub fn mean(&self) -> u64 {
        self.mean
    }
}

/// Why kswapd is woken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// An allocation found no zone above low.
    #[default]
    Allocation,
    /// A fragmentation event raised a zone's marks: order 0, no gfp flags.
    Boost,
    /// A task is about to be throttled until kswapd has made room.
    Throttle,
}

/// What a wakeup saw and decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// When.
    pub time: SimTime,
    /// Why.
    pub cause: Cause,
    /// What the policy looked at: runnable tasks, idle CPUs, a share in 1/1000, pages under high.
    pub saw: u64,
    /// How many workers it wants awake.
    pub target: u32,
    /// How many were awake.
    pub awake: u32,
    /// How many it woke.
    pub woke: u32,
}

/// State of the policies of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WakeupState {
    /// Mean of runnable tasks.
    pub runnable: Meter,
    /// Share of time with a stalled task.
    pub stall: Meter,
    /// Tasks of the node that are stalled on memory now.
    pub stalled: u32,
    /// Workers that the saturation policy allows now.
    allowed: u32,
    /// When it looked last, and the busy time of the workers then.
    looked: SimTime,
    busy: u64,
    /// The last decision.
    pub last: Decision,
    /// Decisions so far.
    pub decisions: u64,
    /// Sum of what they saw.
    pub saw: u64,
    /// Sum of their targets.
    pub targets: u64,
    /// Workers woken.
    pub woke: u64,
}

impl Machine {
    /// How many workers of the node the policy wants awake now, and what it looked at.
    #[must_use]
    pub fn wakeup_target(&mut self, node: usize) -> (u32, u64) {
        let (wanted, saw) = (POLICIES[self.config.policy as usize].target)(self, node);
        (wanted.clamp(1, self.config.kswapds), saw)
    }

    /// Runnable tasks on the CPUs of a node: those that run and those that wait for a CPU.
    #[must_use]
    pub fn runnable(&self, node: usize) -> u32 {
        let home = self.nodes[node].cpu_node;
        self.cpus.busy_on_node(home) + self.cpus.queued_on_node(home)
    }

    /// Hardware threads of a node.
    #[must_use]
    pub fn node_cpus(&self, node: usize) -> u32 {
        self.cpus.of_node(self.nodes[node].cpu_node).len() as u32
    }

    /// A task begins or ends a stall on the memory of a node (psi_memstall_enter,
    /// psi_memstall_leave).
    pub fn note_stall(&mut self, id: TaskId, node: usize, begins: bool) {
        self.tasks[id.index()].stalled = begins;
        self.note_pressure(id);
        let half_life = self.constant(ConstantId::PsiHalfLife);
        let now = self.now();
        let wakeup = &mut self.nodes[node].wakeup;
        wakeup.stall.advance(now, if wakeup.stalled > 0 { ONE } else { 0 }, half_life);
        if begins {
            wakeup.stalled += 1;
        } else {
            wakeup.stalled -= 1;
        }
    }

    /// A task may count as something else for memory pressure now.
    #[inline]
    pub fn note_pressure(&mut self, id: TaskId) {
        let now = self.core.queue.now();
        self.psi.note(now, &mut self.tasks[id.index()]);
    }

    /// The number of runnable tasks on a node's CPUs is about to change.
    #[inline]
    pub fn note_runnable(&mut self, home: NodeId) {
        if self.config.policy == PolicyId::RunnableMean {
            self.runnable_mean(home);
        }
    }

    fn runnable_mean(&mut self, home: NodeId) -> u64 {
        let level = u64::from(self.cpus.busy_on_node(home) + self.cpus.queued_on_node(home)) * ONE;
        let half_life = self.constant(ConstantId::RunnableHalfLife);
        let now = self.now();
        let meter = &mut self.nodes[home.index()].wakeup.runnable;
        meter.advance(now, level, half_life);
        meter.mean()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_catalog_has_its_policy() {
        let names: Vec<_> = POLICIES.iter().map(|policy| policy.name).collect();
        let rows: Vec<_> = catalog::policies::CHOICES.iter().map(|row| row.name).collect();
        assert_eq!(names, rows, "a policy is a file here and a row there, in the same order");
    }

    #[test]
    fn a_meter_halves_its_distance_in_its_half_life() {
        let at = SimTime::from_nanos;
        let mut whole = Meter::default();
        whole.advance(at(1_000), ONE, 1_000);
        assert_eq!(whole.mean(), ONE / 2);
        let mut steps = Meter::default();
        for t in 1..=100 {
            steps.advance(at(t * 10), ONE, 1_000);
        }
        assert!(steps.mean().abs_diff(ONE / 2) < ONE / 100, "{}", steps.mean());
        steps.advance(at(1_000_000), 0, 1_000);
        assert_eq!(steps.mean(), 0);
    }
}
