//! Everything cumulative of a machine at one instant: differences of two give a window or a sample.

use crate::view;
use mm::Machine;
use mm::psi::{self, Times};
use mm::swap::SwapStats;
use mm::task::{Kind, State};
use mm::vmstat::Vmstat;
use report::view::CpuUse;
use units::{LockId, SimTime};

/// Cumulative figures up to an instant.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) time: SimTime,
    pub(crate) vmstat: Vmstat,
    /// What the first group's tasks have done.
    pub(crate) done: u64,
    /// Nanoseconds by state, a row a task.
    pub(crate) spent: Vec<[u64; State::COUNT]>,
    /// Pages scanned and reclaimed, a row a task.
    pub(crate) pages: Vec<(u64, u64)>,
    /// Every node's wakeups: decisions, sums of targets, workers woken, sum of what they saw.
    pub(crate) wakeups: Vec<[u64; 4]>,
    /// What every CPU was in for memory pressure.
    pub(crate) pressure: Vec<Times>,
    /// Every lock: acquisitions, contended, wait ns, busy ns.
    pub(crate) locks: Vec<[u64; 4]>,
    /// Waiting for lru_locks, by site.
    pub(crate) lru_waits: [u64; mm::lru::Site::ALL.len()],
    /// The same over ci->lock of all clusters.
    pub(crate) cluster_locks: [u64; 4],
    /// Slots that every swap device has given out.
    pub(crate) slots_taken: Vec<u64>,
    /// What happened to slots.
    pub(crate) slots: SwapStats,
}

impl Snapshot {
    /// The figures of `m` up to `time`, which is not before its last event.
    pub(crate) fn take(m: &Machine, time: SimTime) -> Self {
        Self {
            time,
            vmstat: m.vmstat,
            done: crate::outcome::done(m),
            spent: m.tasks.iter().map(|t| t.spent_until(time)).collect(),
            pages: m.tasks.iter().map(|t| (t.pgscan, t.pgsteal)).collect(),
            wakeups: m
                .nodes
                .iter()
                .map(|n| [n.wakeup.decisions, n.wakeup.targets, n.wakeup.woke, n.wakeup.saw])
                .collect(),
            pressure: m.psi.times(time),
            locks: (0..m.lock_count())
                .map(|l| {
                    let s = m.locks.stats(time, LockId(l));
                    [s.acquisitions, s.contended, s.wait.as_nanos(), s.busy.as_nanos()]
                })
                .collect(),
            lru_waits: m.lru_waits,
            cluster_locks: m.swap.as_ref().map_or([0; 4], |swap| {
                let s = swap.clusters.stats;
                [s.acquisitions, s.contended, s.wait, s.busy]
            }),
            slots_taken: view::swap_devices(m).map(|device| device.taken()).collect(),
            slots: m.swap.as_ref().map_or(SwapStats::default(), |swap| *swap.slots.stats()),
        }
    }

    /// What happened since `before` at the locks of these numbers, all together.
    pub(crate) fn locks_since(
        &self,
        before: &Self,
        locks: impl Iterator<Item = LockId>,
    ) -> [u64; 4] {
        locks.fold([0; 4], |sum, lock| {
            let (now, then) = (self.locks[lock.index()], before.locks[lock.index()]);
            core::array::from_fn(|what| sum[what] + now[what] - then[what])
        })
    }

    /// Nanoseconds since `before` in which some of these CPUs' tasks were stalled on memory, and
    /// all.
    pub(crate) fn stalled_since(&self, before: &Self, cpus: core::ops::Range<u32>) -> [u64; 2] {
        psi::weighted(cpus.map(|cpu| {
            let (now, then) = (&self.pressure[cpu as usize], &before.pressure[cpu as usize]);
            core::array::from_fn(|i| now[i] - then[i])
        }))
    }

    /// Nanoseconds that all tasks have spent in a state since `before`.
    pub(crate) fn spent_in(&self, state: State, before: &Self) -> u64 {
        let rows = self.spent.iter().zip(&before.spent);
        rows.map(|(now, then)| now[state as usize] - then[state as usize]).sum()
    }

    /// CPU nanoseconds by use since `before`, idle included.
    pub(crate) fn cpu_since(&self, before: &Self, m: &Machine) -> [u64; CpuUse::ALL.len()] {
        let mut used = [0; CpuUse::ALL.len()];
        for (number, task) in m.tasks.iter().enumerate() {
            for state in 0..State::COUNT {
                let ns = self.spent[number][state] - before.spent[number][state];
                if let Some(place) = cpu_use(task.kind, state) {
                    used[place as usize] += ns;
                }
            }
        }
        let all = (self.time - before.time).as_nanos() * u64::from(m.cpus.len());
        used[CpuUse::Idle as usize] = all.saturating_sub(used.iter().sum());
        used
    }
}

/// What a CPU is used for while a task of this kind is in this state; nothing for sleep.
pub(crate) fn cpu_use(kind: Kind, state: usize) -> Option<CpuUse> {
    let kswapd = matches!(kind, Kind::Kswapd(_));
    match state {
        s if s == State::App as usize || s == State::User as usize => Some(CpuUse::Application),
        s if s == State::SpinSwap as usize => Some(CpuUse::SwapSpin),
        s if s == State::TlbWait as usize => Some(CpuUse::TlbWait),
        s if s == State::PageWork as usize && kswapd => Some(CpuUse::KswapdWork),
        s if s == State::PageWork as usize => Some(CpuUse::DirectWork),
        s if s == State::Isolating as usize => Some(CpuUse::Isolating),
        s if (State::SpinLru as usize..=State::SpinIPages as usize).contains(&s) => {
            Some(CpuUse::LockSpin)
        }
        _ => None,
    }
}
