//! FIFO spinlocks.
//!
//! A task that finds its lock held joins the queue and has no event of its own until the holder
//! releases: the release hands the lock to the first waiter, and the caller schedules the end of
//! that waiter's hold. Waiters spin; the caller charges the time. A lock is touched only at the
//! time of the current event: [`LockTable::acquire`] asserts it, since a reservation ahead of time
//! makes everybody who arrives in between wait for nothing.

use units::{CpuId, LockId, SimDuration, SimTime, TaskId};

const NOBODY: u32 = u32::MAX;

/// What happened at a lock since the counters were last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockStats {
    /// Passages begun.
    pub acquisitions: u64,
    /// Passages that had to wait.
    pub contended: u64,
    /// Time that tasks waited, all together.
    pub wait: SimDuration,
    /// Time that it was held or on its way to the next holder.
    pub busy: SimDuration,
}

#[derive(Clone, Debug)]
struct Lock {
    holder: u32,
    held_since: SimTime,
    last_cpu: CpuId,
    head: u32,
    tail: u32,
    waiters: u32,
    last_arrival: SimTime,
    stats: LockStats,
}

/// What a task waits for, and its place in that queue.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    next: u32,
    since: SimTime,
    cpu: CpuId,
}

/// How a lock came to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who has it now.
    pub task: TaskId,
    /// The CPU that held it before: the lock's cache line comes from there.
    pub from: CpuId,
    /// How long the task waited.
    pub waited: SimDuration,
}

/// All locks of a run.
#[derive(Clone, Debug)]
pub struct LockTable {
    locks: Vec<Lock>,
    waiters: Vec<Waiter>,
}

impl LockTable {
    /// `locks` free locks, for tasks `0..tasks`.
    #[must_use]
    pub fn new(locks: u32, tasks: u32) -> Self {
        let lock = Lock {
            holder: NOBODY,
            held_since: SimTime::ZERO,
            last_cpu: CpuId(NOBODY),
            head: NOBODY,
            tail: NOBODY,
            waiters: 0,
            last_arrival: SimTime::ZERO,
            stats: LockStats::default(),
        };
        let waiter = Waiter { next: NOBODY, since: SimTime::ZERO, cpu: CpuId(0) };
        Self { locks: vec![lock; locks as usize], waiters: vec![waiter; tasks as usize] }
    }

    /// `task`, running on `cpu`, asks for the lock. `None`: it spins until a release grants it.
    ///
    /// # Panics
    /// When `now` lies before an earlier arrival, or the task holds the lock already.
    #[inline]
    pub fn acquire(&mut self, now: SimTime, id: LockId, task: TaskId, cpu: CpuId) -> Option<Grant> {
        let lock = &mut self.locks[id.index()];
        assert!(now >= lock.last_arrival, "a lock is touched at an event's own time only");
        assert!(lock.holder != task.0, "a lock is not taken twice");
        lock.last_arrival = now;
        lock.stats.acquisitions += 1;
        if lock.holder == NOBODY {
            // Nobody has its cache line yet: no CPU is nearer to it than another.
            let from = if lock.last_cpu == CpuId(NOBODY) { cpu } else { lock.last_cpu };
            lock.holder = task.0;
            lock.held_since = now;
            lock.last_cpu = cpu;
            return Some(Grant { task, from, waited: SimDuration::ZERO });
        }
        lock.stats.contended += 1;
        self.waiters[task.index()] = Waiter { next: NOBODY, since: now, cpu };
        if lock.tail == NOBODY {
            lock.head = task.0;
        } else {
            self.waiters[lock.tail as usize].next = task.0;
        }
        lock.tail = task.0;
        lock.waiters += 1;
        None
    }

    /// The holder lets go; the first waiter, if any, has the lock now.
    ///
    /// # Panics
    /// When `task` does not hold the lock, or `now` lies before it took it.
    #[inline]
    pub fn release(&mut self, now: SimTime, id: LockId, task: TaskId) -> Option<Grant> {
        let lock = &mut self.locks[id.index()];
        assert!(lock.holder == task.0, "only the holder lets go");
        lock.stats.busy += now - lock.held_since;
        if lock.head == NOBODY {
            lock.holder = NOBODY;
            return None;
        }
        let next = lock.head;
        let waiter = self.waiters[next as usize];
        lock.head = waiter.next;
        if lock.head == NOBODY {
            lock.tail = NOBODY;
        }
        lock.waiters -= 1;
        let waited = now - waiter.since;
        lock.stats.wait += waited;
        lock.holder = next;
        lock.held_since = now;
        let from = lock.last_cpu;
        lock.last_cpu = waiter.cpu;
        Some(Grant { task: TaskId(next), from, waited })
    }

    /// Who holds the lock, and since when.
    #[must_use]
    pub fn holder(&self, id: LockId) -> Option<(TaskId, SimTime)> {
        let lock = &self.locks[id.index()];
        (lock.holder != NOBODY).then_some((TaskId(lock.holder), lock.held_since))
    }

    /// How many spin for the lock.
    #[must_use]
    pub fn waiters(&self, id: LockId) -> u32 {
        self.locks[id.index()].waiters
    }

    /// Those who spin for the lock, first in line first.
    pub fn queue(&self, id: LockId) -> impl Iterator<Item = TaskId> + '_ {
        let mut at = self.locks[id.index()].head;
        core::iter::from_fn(move || {
            let task = (at != NOBODY).then_some(TaskId(at))?;
            at = self.waiters[task.index()].next;
            Some(task)
        })
    }

    /// What happened at the lock up to `now`: what its holder and waiters have spent so far counts.
    ///
    /// # Panics
    /// When `now` lies before the lock was last taken or asked for.
    #[must_use]
    pub fn stats(&self, now: SimTime, id: LockId) -> LockStats {
        let lock = &self.locks[id.index()];
        let mut stats = lock.stats;
        if lock.holder != NOBODY {
            stats.busy += now - lock.held_since;
        }
        for task in self.queue(id) {
            stats.wait += now - self.waiters[task.index()].since;
        }
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(n: u64) -> SimTime {
        SimTime::from_nanos(n)
    }

    #[test]
    fn waiters_get_the_lock_in_the_order_of_their_arrival() {
        let mut t = LockTable::new(1, 4);
        let l = LockId(0);
        assert!(t.acquire(at(0), l, TaskId(0), CpuId(0)).is_some());
        assert!(t.acquire(at(1), l, TaskId(3), CpuId(3)).is_none());
        assert!(t.acquire(at(2), l, TaskId(1), CpuId(1)).is_none());
        assert_eq!(t.queue(l).collect::<Vec<_>>(), [TaskId(3), TaskId(1)]);
        assert_eq!(t.stats(at(5), l).wait, SimDuration::from_nanos(4 + 3));
        let grant = t.release(at(10), l, TaskId(0)).expect("two wait");
        let want = Grant { task: TaskId(3), from: CpuId(0), waited: SimDuration::from_nanos(9) };
        assert_eq!(grant, want);
        assert_eq!(t.release(at(12), l, TaskId(3)).map(|g| g.task), Some(TaskId(1)));
        assert_eq!(t.release(at(15), l, TaskId(1)), None);
        let stats = t.stats(at(20), l);
        assert_eq!((stats.acquisitions, stats.contended), (3, 2));
        assert_eq!(stats.wait, SimDuration::from_nanos(9 + 10));
        assert_eq!(stats.busy, SimDuration::from_nanos(15));
        assert_eq!(t.holder(l), None);
    }

    #[test]
    #[should_panic(expected = "own time only")]
    fn reserving_ahead_is_caught() {
        let mut t = LockTable::new(1, 2);
        t.acquire(at(50), LockId(0), TaskId(0), CpuId(0));
        t.acquire(at(20), LockId(0), TaskId(1), CpuId(1));
    }

    #[test]
    #[should_panic(expected = "only the holder")]
    fn only_the_holder_releases() {
        let mut t = LockTable::new(1, 2);
        t.acquire(at(0), LockId(0), TaskId(0), CpuId(0));
        t.release(at(1), LockId(0), TaskId(1));
    }
}
