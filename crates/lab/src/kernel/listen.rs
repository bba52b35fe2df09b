//! What the model does in an experiment, heard through its hooks.

use catalog::ConstantId;
use mm::config::ZONES_PER_NODE;
use mm::machine::USER_CLASS;
use mm::page_alloc::zone::Zone;
use mm::task::Kind;
use mm::vmscan::wakeup::{Cause, Decision};
use mm::{Machine, Observer};
use std::collections::BTreeMap;
use units::{SimDuration, SimTime, TaskId};

/// Everything heard so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Listener {
    /// Looks for memory that failed, and those with a zone above low.
    pub(super) slow_paths: u64,
    pub(super) early_slow_paths: u64,
    /// Wakes of kswapd for an allocation, and those that a boost caused.
    pub(super) wakes: u64,
    pub(super) boost_wakes: u64,
    /// Pages that each balance_pgdat reclaimed, by node, and those that ended with no zone at high:
    /// without a reason, and having tried every priority.
    pub(super) balances: Vec<Vec<u64>>,
    pub(super) early_balance_ends: u64,
    pub(super) exhausted_balance_ends: u64,
    /// Those that ended so because nothing came of a boost.
    pub(super) boosts_given_up: u64,
    /// Full sleeps, and those with no zone at high.
    pub(super) sleeps: u64,
    pub(super) early_sleeps: u64,
    /// Naps that ended by their time.
    pub(super) naps: Vec<SimDuration>,
    /// Pages that each direct reclaim call freed.
    pub(super) direct: Vec<u64>,
    /// Pages that each reclaim call for a cgroup's limit freed.
    pub(super) memcg_calls: Vec<u64>,
    /// How many slices of which size kswapd scanned, and direct reclaim.
    pub(super) slices: [BTreeMap<u64, u64>; 2],
    napping: BTreeMap<u32, SimTime>,
}

/// The zones of a node that have pages.
fn zones(m: &Machine, node: usize) -> impl Iterator<Item = &Zone> {
    m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE].iter().filter(|z| z.managed > 0)
}

fn some_at_high(m: &Machine, node: usize) -> bool {
    zones(m, node).any(|z| z.free >= z.marks.high + z.reserve[USER_CLASS])
}

impl Observer for Listener {
    fn direct_reclaim(&mut self, _: SimTime, _: SimDuration, nr_reclaimed: u64) {
        self.direct.push(nr_reclaimed);
    }

    fn memcg_reclaim(&mut self, _: SimTime, _: u16, _: SimDuration, freed: u64) {
        self.memcg_calls.push(freed);
    }

    fn wakeup(&mut self, _: SimTime, _: usize, decision: &Decision) {
        match decision.cause {
            Cause::Allocation => self.wakes += 1,
            Cause::Boost => self.boost_wakes += 1,
            Cause::Throttle => {}
        }
    }

    fn slow_path(&mut self, m: &Machine, task: TaskId) {
        let above = |&node: &u8| {
            zones(m, usize::from(node)).any(|z| z.free > z.marks.low + z.reserve[USER_CLASS])
        };
        self.slow_paths += 1;
        self.early_slow_paths += u64::from(m.zonelist(task).iter().any(above));
    }

    fn balance_end(&mut self, m: &Machine, node: usize, nr_reclaimed: u64) {
        if self.balances.len() <= node {
            self.balances.resize(node + 1, Vec::new());
        }
        self.balances[node].push(nr_reclaimed);
        if some_at_high(m, node) {
            return;
        }
        // balance_pgdat also ends when it has tried every priority, and when nothing comes of a
        // boost, whatever happened to free memory during that pass.
        let ended = |by: fn(&mm::task::Task) -> bool| {
            let on_node = m.tasks.iter().filter(|task| task.scan.node as usize == node);
            on_node.filter(|task| matches!(task.kind, Kind::Kswapd(_))).any(by)
        };
        if ended(|task| task.scan.priority < 1) {
            self.exhausted_balance_ends += 1;
        } else if ended(|task| task.work.boost_left > 0) {
            self.boosts_given_up += 1;
        } else {
            self.early_balance_ends += 1;
        }
    }

    fn nap_begin(&mut self, now: SimTime, worker: TaskId) {
        self.napping.insert(worker.0, now);
    }

    fn nap_end(&mut self, at: SimTime, worker: TaskId, woken: bool) {
        if let Some(since) = self.napping.remove(&worker.0)
            && !woken
        {
            self.naps.push(at - since);
        }
    }

    fn kswapd_sleep(&mut self, m: &Machine, node: usize) {
        self.sleeps += 1;
        // Nor does it go on where reclaim is given up.
        let given_up = u64::from(m.nodes[node].kswapd_failures)
            >= m.config.ledger.get(ConstantId::MaxReclaimRetries);
        self.early_sleeps += u64::from(!some_at_high(m, node) && !given_up);
    }

    fn shrink_inactive(&mut self, _: SimTime, _: usize, nr_scanned: u64, direct: bool) {
        *self.slices[usize::from(direct)].entry(nr_scanned).or_insert(0) += 1;
    }
}
