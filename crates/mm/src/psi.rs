//! Pressure stall information for memory, as the kernel computes it (7.2 kernel/sched/psi.c), for
//! the system and, which no kernel has, for the CPUs of each node.
//!
//! A CPU is in state SOME while a task of its is stalled on memory, and in state FULL while besides
//! no other task of its runs or wants to: a task that reclaims counts as stalled, not as
//! productive. Every two seconds the CPUs' times are added up, each weighted by the time in which
//! it was not idle, and the averages move. A task is stalled between the marks that direct reclaim,
//! reclaim for a limit and balance_pgdat set; while it waits for a page that had the workingset
//! mark to be read, or swapped in; and while it sleeps for being over memory.high.

use crate::task::{State, Task};
use units::{CpuId, SimDuration, SimTime};

/// Time between two updates of the averages (PSI_FREQ; the kernel adds a tick).
const PERIOD: SimDuration = SimDuration::from_secs(2);
/// Fraction bits of an average, and one in them.
const FSHIFT: u32 = 11;
/// One, in an average.
pub const FIXED_1: u64 = 1 << FSHIFT;
/// What an average keeps of itself over a period: of 10, 60 and 300 seconds.
const EXP: [u64; 3] = [1_677, 1_981, 2_034];
const SOME: usize = 0;
const FULL: usize = 1;
const NONIDLE: usize = 2;

/// Nanoseconds that a CPU was in SOME, in FULL and not idle.
pub type Times = [u64; 3];

/// What a task counts as, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    cpu: u32,
    runs: bool,
    waits_for_io: bool,
    stalled: bool,
}

impl Counted {
    fn of(task: &Task) -> Self {
        let runs = task.on_cpu || task.state == State::Runnable;
        Self {
            cpu: task.cpu.0,
            runs,
            waits_for_io: !runs && task.state == State::Io,
            stalled: task.stalled,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    running: u32,
    iowait: u32,
    memstall: u32,
    memstall_running: u32,
    since: SimTime,
    times: Times,
    /// The times at the last update of the averages.
    collected: Times,
}

impl Cpu {
    /// The times up to `now`.
    fn until(&self, now: SimTime) -> Times {
        let passed = now.saturating_since(self.since).as_nanos();
        let some = self.memstall > 0;
        let full = some && self.running == self.memstall_running;
        let nonidle = self.running + self.iowait + self.memstall > 0;
        let mut times = self.times;
        for (time, is_in) in times.iter_mut().zip([some, full, nonidle]) {
            *time += if is_in { passed } else { 0 };
        }
        times
    }

    fn count(&mut self, task: Counted, by: impl Fn(u32) -> u32) {
        for (counter, counts) in [
            (&mut self.running, task.runs),
            (&mut self.iowait, task.waits_for_io),
            (&mut self.memstall, task.stalled),
            (&mut self.memstall_running, task.stalled && task.runs),
        ] {
            if counts {
                *counter = by(*counter);
            }
        }
    }
}

/// One line of /proc/pressure/memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Averages over 10, 60 and 300 s, in percent times [`FIXED_1`].
    pub avg: [u64; 3],
    /// Stalled time in ns.
    pub total: u64,
}

/// The lines `some` and `full`.
pub type Lines = [Line; 2];

/// The state of all CPUs, and the averages of the system and of each node.
#[derive(Clone, Debug)]
pub struct Psi {
    cpus: Vec<Cpu>,
    /// The CPUs of the system, then of each node.
    ranges: Vec<core::ops::Range<u32>>,
    lines: Vec<Lines>,
    next_update: SimTime,
}

/// SOME and FULL of several CPUs out of what each was in, weighted by what it was not idle.
#[must_use]
pub fn weighted(cpus: impl Iterator<Item = Times>) -> [u64; 2] {
    let (mut sums, mut nonidle) = ([0_u128; 2], 0_u128);
    for times in cpus {
        let weight = u128::from(times[NONIDLE]);
        nonidle += weight;
        sums[SOME] += u128::from(times[SOME]) * weight;
        sums[FULL] += u128::from(times[FULL]) * weight;
    }
    sums.map(|sum| u64::try_from(sum / nonidle.max(1)).unwrap_or(u64::MAX))
}

/// calc_load: an average after one more period with this share (percent, fixed).
fn calc_load(load: u64, exp: u64, active: u64) -> u64 {
    let up = if active >= load { FIXED_1 - 1 } else { 0 };
    (load * exp + active * (FIXED_1 - exp) + up) >> FSHIFT
}

impl Psi {
    /// At time 0: CPUs by node, in order.
    #[must_use]
    pub fn new(cpus: &[u32]) -> Self {
        let all: u32 = cpus.iter().sum();
        let mut ranges = Vec::with_capacity(cpus.len() + 1);
        ranges.push(0..all);
        let mut first = 0;
        for &count in cpus {
            ranges.push(first..first + count);
            first += count;
        }
        Self {
            cpus: vec![Cpu::default(); all as usize],
            lines: vec![Lines::default(); ranges.len()],
            ranges,
            next_update: SimTime::ZERO + PERIOD,
        }
    }

    /// A task runs, sleeps, moved or began or ended a stall: counts it as what it is now.
    #[inline]
    pub fn note(&mut self, now: SimTime, task: &mut Task) {
        let counts = Counted::of(task);
        if counts == task.counted {
            return;
        }
        self.update(now);
        let was = core::mem::replace(&mut task.counted, counts);
        for (counted, add) in [(was, false), (counts, true)] {
            let cpu = &mut self.cpus[counted.cpu as usize];
            cpu.times = cpu.until(now);
            cpu.since = now;
            if add {
                cpu.count(counted, |n| n + 1);
            } else {
                cpu.count(counted, |n| n - 1);
            }
        }
    }

    /// Moves the averages to the last update before `now`.
    #[inline]
    fn update(&mut self, now: SimTime) {
        while now >= self.next_update {
            self.collect();
        }
    }

    /// collect_percpu_times and update_averages, at the time that they are due.
    fn collect(&mut self) {
        let now = self.next_update;
        self.next_update = now + PERIOD;
        let grown = self.grown(now);
        for (range, lines) in self.ranges.iter().zip(&mut self.lines) {
            let cpus = &grown[range.start as usize..range.end as usize];
            for (line, stalled) in lines.iter_mut().zip(weighted(cpus.iter().copied())) {
                line.total += stalled;
                let percent = stalled.min(PERIOD.as_nanos()) * 100 / PERIOD.as_nanos();
                for (avg, exp) in line.avg.iter_mut().zip(EXP) {
                    *avg = calc_load(*avg, exp, percent << FSHIFT);
                }
            }
        }
        for cpu in &mut self.cpus {
            cpu.collected = cpu.until(now);
        }
    }

    /// What every CPU's times have grown by since the last update.
    fn grown(&self, now: SimTime) -> Vec<Times> {
        let grown = |cpu: &Cpu| {
            let times = cpu.until(now);
            core::array::from_fn(|i| times[i] - cpu.collected[i])
        };
        self.cpus.iter().map(grown).collect()
    }

    /// The lines at `now`: of the system, then of each node. The totals are up to date, the
    /// averages those of the last update.
    #[must_use]
    pub fn lines(&self, now: SimTime) -> Vec<Lines> {
        let mut psi = self.clone();
        psi.update(now);
        let grown = psi.grown(now);
        for (range, lines) in psi.ranges.iter().zip(&mut psi.lines) {
            let cpus = &grown[range.start as usize..range.end as usize];
            for (line, stalled) in lines.iter_mut().zip(weighted(cpus.iter().copied())) {
                line.total += stalled;
            }
        }
        psi.lines
    }

    /// The times of every CPU up to `now`, which is not before the last event.
    #[must_use]
    pub fn times(&self, now: SimTime) -> Vec<Times> {
        self.cpus.iter().map(|cpu| cpu.until(now)).collect()
    }

    /// How many tasks of a CPU are stalled now.
    #[must_use]
    pub fn stalled_on(&self, cpu: CpuId) -> u32 {
        self.cpus[cpu.index()].memstall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Kind, Step};
    use units::NodeId;

    const SECOND: u64 = 1_000_000_000;

    fn at(ns: u64) -> SimTime {
        SimTime::from_nanos(ns)
    }

    /// A task on a CPU that runs, or sleeps for I/O.
    fn task(cpu: u32) -> Task {
        Task::new(Kind::Kswapd(0), NodeId(0), CpuId(cpu), Step::KswapdSleep, State::Asleep)
    }

    fn set(psi: &mut Psi, task: &mut Task, ns: u64, state: State, stalled: bool) {
        task.state = state;
        task.on_cpu = !matches!(state, State::Asleep | State::Io | State::Throttled);
        task.stalled = stalled;
        psi.note(at(ns), task);
    }

    #[test]
    fn a_cpu_is_full_when_all_that_run_on_it_reclaim() {
        let mut psi = Psi::new(&[1]);
        let (mut reclaims, mut works) = (task(0), task(0));
        set(&mut psi, &mut reclaims, 0, State::PageWork, true);
        set(&mut psi, &mut works, 100, State::Runnable, false);
        set(&mut psi, &mut works, 300, State::Io, false);
        // It sleeps in reclaim_throttle: stalled, and nobody is productive.
        set(&mut psi, &mut reclaims, 400, State::Throttled, true);
        set(&mut psi, &mut reclaims, 450, State::Asleep, false);
        assert_eq!(psi.times(at(1_000)), [[450, 250, 1_000]]);
        set(&mut psi, &mut works, 1_000, State::Asleep, false);
        assert_eq!(psi.times(at(2_000)), [[450, 250, 1_000]], "idle");
    }

    #[test]
    fn cpus_weigh_as_much_as_they_are_busy_and_idle_ones_nothing() {
        let mut psi = Psi::new(&[2, 2]);
        let (mut stalled, mut busy) = (task(0), task(1));
        set(&mut psi, &mut stalled, 0, State::PageWork, true);
        set(&mut psi, &mut stalled, SECOND, State::Asleep, false);
        set(&mut psi, &mut busy, 0, State::App, false);
        let lines = psi.lines(at(SECOND));
        assert_eq!(lines[0][SOME].total, SECOND / 2, "two busy CPUs, one of them stalled");
        assert_eq!(lines[1], lines[0], "all of it on node 0");
        assert_eq!(lines[2], Lines::default());
        // One second of two stalled against two of two: weighted 1 to 2.
        let lines = psi.lines(at(2 * SECOND));
        assert_eq!(lines[0][FULL].total, SECOND / 3);
    }

    #[test]
    fn averages_are_the_kernels_fixed_point_ones() {
        let mut psi = Psi::new(&[1]);
        let mut stalled = task(0);
        set(&mut psi, &mut stalled, 0, State::PageWork, true);
        assert_eq!(psi.lines(at(2 * SECOND - 1))[0][SOME].avg, [0; 3]);
        // 100 % for 2 s: 100 x (1 - e^(-2/10)) = 18.13.
        let avg = psi.lines(at(2 * SECOND))[0][SOME].avg;
        assert_eq!(avg.map(|a| a * 100 / FIXED_1), [1_811, 327, 68]);
        let later = psi.lines(at(60 * SECOND))[0][FULL];
        assert_eq!(later.avg.map(|a| a * 100 / FIXED_1 / 100), [99, 63, 18]);
        assert_eq!(later.total, 60 * SECOND);
        // Nothing is stalled any more: the short average falls first.
        set(&mut psi, &mut stalled, 60 * SECOND, State::App, false);
        let [ten, sixty, _] = psi.lines(at(80 * SECOND))[0][SOME].avg;
        assert!(ten < sixty, "{ten} {sixty}");
    }
}
