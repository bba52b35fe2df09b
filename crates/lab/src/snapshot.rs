//! Everything cumulative of a machine at one instant: differences of two give a window or a sample.

use mm::Machine;
use mm::psi::{self, Times};
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
        }
    }

    /// Nanoseconds since `before` in which some of these CPUs' tasks were stalled on memory, and
    /// all.
    pub(crate) fn stalled_since(&self, before: &Self, cpus: core::ops::Range<u32>) -> [u64; 2] {
        psi::weighted(cpus.map(|cpu| {
            let (now, then) = (&self.pressure[cpu as usize], &before.pressure[cpu as usize]);
            core::array::from_fn(|i| now[i] - then[i])
        }))
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
        s if s == State::App as usize => Some(CpuUse::Application),
        s if s == State::PageWork as usize && kswapd => Some(CpuUse::KswapdWork),
        s if s == State::PageWork as usize => Some(CpuUse::DirectWork),
        s if s == State::Isolating as usize => Some(CpuUse::Isolating),
        s if (State::SpinLru as usize..=State::SpinIPages as usize).contains(&s) => {
            Some(CpuUse::LockSpin)
        }
        _ => None,
    }
}
