//! The two models: HOLD (a queue and nothing else) and LOCK (threads that share FIFO locks).
//!
//! Each is written once, against [`Pending`], and runs on every queue that is compared; the digest
//! of a run says whether two queues fired the same events in the same order.

use reclaimscope_engine::dist::Exponential;
use reclaimscope_engine::{Core, Digest, Fired, LockTable, Model, Queue, Stream};
use units::{CpuId, EntityId, LockId, SimDuration, SimTime, TaskId};

/// One model of one size.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Hold { population: u32, rearm: bool },
    Lock { threads: u32, locks: u32 },
}

/// All that is measured, with the names that the page of results uses.
pub(crate) const CASES: &[(&str, Kind)] = &[
    ("HOLD 96", Kind::Hold { population: 96, rearm: false }),
    ("HOLD 96 re-arm", Kind::Hold { population: 96, rearm: true }),
    ("HOLD 1,000", Kind::Hold { population: 1_000, rearm: false }),
    ("HOLD 1,000 re-arm", Kind::Hold { population: 1_000, rearm: true }),
    ("HOLD 100,000", Kind::Hold { population: 100_000, rearm: false }),
    ("HOLD 100,000 re-arm", Kind::Hold { population: 100_000, rearm: true }),
    ("LOCK 8/1", Kind::Lock { threads: 8, locks: 1 }),
    ("LOCK 8/8", Kind::Lock { threads: 8, locks: 8 }),
    ("LOCK 96/1", Kind::Lock { threads: 96, locks: 1 }),
    ("LOCK 96/8", Kind::Lock { threads: 96, locks: 8 }),
];

/// Starts a case on the engine; what is returned fires so many more events and says the digest.
pub(crate) fn start(kind: Kind) -> Box<dyn FnMut(u64) -> u64> {
    match kind {
        Kind::Hold { population, rearm } => {
            let mut run = Engine::new(Hold::new(population, rearm));
            Box::new(move |events| run.run(events))
        }
        Kind::Lock { threads, locks } => {
            let mut run = Engine::new(Lock::new(threads, locks));
            Box::new(move |events| run.run(events))
        }
    }
}

/// What a model may ask of a queue.
pub(crate) trait Pending {
    /// Makes `entity` fire at `at` in place of what it had pending.
    fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8);
}

impl Pending for Queue {
    #[inline]
    fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        Self::schedule(self, entity, at, rank);
    }
}

/// A model's own work: what it does with an event once a queue has found it.
pub(crate) trait Work {
    /// How many entities it has.
    fn entities(&self) -> u32;
    /// Schedules the first events.
    fn begin(&mut self, queue: &mut impl Pending);
    /// Handles one event.
    fn fire(&mut self, queue: &mut impl Pending, digest: &mut Digest, fired: Fired);
}

/// `population` events are always pending; each schedules its successor when it fires.
#[derive(Clone)]
pub(crate) struct Hold {
    population: u32,
    rearm: bool,
    fired: u64,
    delays: Exponential,
    stream: Stream,
}

impl Hold {
    /// With `rearm`, every fourth event also moves the pending event of another entity.
    pub(crate) fn new(population: u32, rearm: bool) -> Self {
        let stream = Stream::new(1, "hold", 0);
        Self { population, rearm, fired: 0, delays: Exponential::default(), stream }
    }

    #[inline(always)]
    fn renew(&mut self, queue: &mut impl Pending, now: SimTime, entity: u32) {
        let delay = SimDuration::from_nanos(self.delays.draw(&mut self.stream, 1_000));
        queue.schedule(EntityId(entity), now + delay, (entity & 1) as u8);
    }
}

impl Work for Hold {
    fn entities(&self) -> u32 {
        self.population
    }

    fn begin(&mut self, queue: &mut impl Pending) {
        for entity in 0..self.population {
            self.renew(queue, SimTime::ZERO, entity);
        }
    }

    #[inline]
    fn fire(&mut self, queue: &mut impl Pending, digest: &mut Digest, fired: Fired) {
        digest.event(fired.time, fired.rank, fired.entity, 0, self.fired);
        self.fired += 1;
        self.renew(queue, fired.time, fired.entity.0);
        if self.rearm && self.fired.is_multiple_of(4) {
            let other = self.stream.below(u64::from(self.population)) as u32;
            self.renew(queue, fired.time, other);
        }
    }
}

/// Think, mean 2 us; hold, mean 1 us; hand-off, ns.
const THINK: u64 = 2_000;
const HOLD: u64 = 1_000;
const HANDOFF: u64 = 100;
/// A hold that ends comes before a thread that arrives at the same instant.
const RANK_RELEASE: u8 = 0;
const RANK_ARRIVE: u8 = 1;
const THINKING: u32 = u32::MAX;

/// `threads` threads loop: think, take one of the FIFO locks, hold it, let go.
#[derive(Clone)]
pub(crate) struct Lock {
    table: LockTable,
    locks: u64,
    /// The lock that a thread holds or waits for.
    wants: Vec<u32>,
    delays: Exponential,
    stream: Stream,
}

impl Lock {
    pub(crate) fn new(threads: u32, locks: u32) -> Self {
        Self {
            table: LockTable::new(locks, threads),
            locks: u64::from(locks),
            wants: vec![THINKING; threads as usize],
            delays: Exponential::default(),
            stream: Stream::new(1, "lock", 0),
        }
    }

    #[inline]
    fn after(&mut self, mean: u64) -> SimDuration {
        SimDuration::from_nanos(self.delays.draw(&mut self.stream, mean))
    }
}

impl Work for Lock {
    fn entities(&self) -> u32 {
        self.wants.len() as u32
    }

    fn begin(&mut self, queue: &mut impl Pending) {
        for thread in 0..self.entities() {
            let at = SimTime::ZERO + self.after(THINK);
            queue.schedule(EntityId(thread), at, RANK_ARRIVE);
        }
    }

    #[inline]
    fn fire(&mut self, queue: &mut impl Pending, digest: &mut Digest, fired: Fired) {
        let thread = fired.entity;
        let task = TaskId(thread.0);
        let now = fired.time;
        let wanted = self.wants[thread.index()];
        let kind = u16::from(fired.rank);
        if wanted == THINKING {
            let lock = self.stream.below(self.locks) as u32;
            digest.event(now, fired.rank, thread, kind, u64::from(lock));
            self.wants[thread.index()] = lock;
            if self.table.acquire(now, LockId(lock), task, CpuId(thread.0)).is_some() {
                let end = now + self.after(HOLD);
                queue.schedule(thread, end, RANK_RELEASE);
            }
        } else {
            digest.event(now, fired.rank, thread, kind, u64::from(wanted));
            self.wants[thread.index()] = THINKING;
            if let Some(grant) = self.table.release(now, LockId(wanted), task) {
                let end = now + SimDuration::from_nanos(HANDOFF) + self.after(HOLD);
                queue.schedule(EntityId(grant.task.0), end, RANK_RELEASE);
            }
            let arrival = now + self.after(THINK);
            queue.schedule(thread, arrival, RANK_ARRIVE);
        }
    }
}

/// A model on the engine's own queue, driven by the engine's own run loop.
#[derive(Clone)]
pub(crate) struct Engine<W> {
    pub(crate) core: Core,
    pub(crate) work: W,
}

impl<W: Work> Engine<W> {
    pub(crate) fn new(mut work: W) -> Self {
        let mut core = Core::new(work.entities());
        work.begin(&mut core.queue);
        Self { core, work }
    }

    /// Fires `events` more events and returns the digest.
    pub(crate) fn run(&mut self, events: u64) -> u64 {
        reclaimscope_engine::run::advance(self, SimTime::MAX, events);
        self.core.digest.value()
    }
}

impl<W: Work> Model for Engine<W> {
    #[inline]
    fn core(&mut self) -> &mut Core {
        &mut self.core
    }
    #[inline]
    fn dispatch(&mut self, fired: Fired) {
        self.work.fire(&mut self.core.queue, &mut self.core.digest, fired);
    }
    fn name(&self, entity: EntityId) -> String {
        format!("entity {}", entity.0)
    }
}
