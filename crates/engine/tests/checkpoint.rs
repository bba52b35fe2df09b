//! A clone of a model is a checkpoint, and how a run is cut into slices does not matter: a model
//! that uses all parts of the engine at once has the same digest in every way of running it.

use reclaimscope_engine::cpu::Placed;
use reclaimscope_engine::dist::Exponential;
use reclaimscope_engine::run::advance;
use reclaimscope_engine::{Core, CpuTable, Fired, LockTable, Model, Stop, Stream};
use units::{CpuId, EntityId, LockId, NodeId, SimDuration, SimTime, TaskId};

const CPUS: [u32; 2] = [6, 3];
const TASKS: u32 = 40;
const LOCKS: u32 = 3;
const SLICE: SimDuration = SimDuration::from_micros(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Sleep,
    Work,
    Spin(LockId),
    Hold(LockId),
}

/// Tasks that sleep, wait for a CPU, work, spin for a lock and hold it, each with a stream of its
/// own; a watchdog an hour away that every hold renews, and an alarm that is mostly called off.
#[derive(Clone)]
struct Workshop {
    core: Core,
    cpus: CpuTable,
    locks: LockTable,
    doing: Vec<Doing>,
    on: Vec<CpuId>,
    streams: Vec<Stream>,
    delays: Exponential,
    alarms: u64,
}

const WATCHDOG: EntityId = EntityId(TASKS);
const ALARM: EntityId = EntityId(TASKS + 1);

impl Workshop {
    fn new(seed: u64) -> Self {
        let mut workshop = Self {
            core: Core::new(TASKS + 2),
            cpus: CpuTable::new(&CPUS, 2, TASKS),
            locks: LockTable::new(LOCKS, TASKS),
            doing: vec![Doing::Sleep; TASKS as usize],
            on: vec![CpuId(0); TASKS as usize],
            streams: (0..TASKS).map(|i| Stream::new(seed, "task", u64::from(i))).collect(),
            delays: Exponential::default(),
            alarms: 0,
        };
        for task in 0..TASKS {
            workshop.schedule(TaskId(task), 20_000, 1);
        }
        workshop
    }

    fn schedule(&mut self, task: TaskId, mean: u64, rank: u8) {
        let delay = self.delays.draw(&mut self.streams[task.index()], mean);
        let at = self.core.queue.now() + SimDuration::from_nanos(delay);
        self.core.queue.schedule(EntityId(task.0), at, rank);
    }

    /// A task has its CPU now.
    fn start(&mut self, task: TaskId, cpu: CpuId) {
        self.on[task.index()] = cpu;
        self.doing[task.index()] = Doing::Work;
        self.schedule(task, 5_000, 2);
    }

    fn fire(&mut self, now: SimTime, task: TaskId) {
        let cpu = self.on[task.index()];
        match self.doing[task.index()] {
            Doing::Sleep => {
                let node = NodeId(task.0 % CPUS.len() as u32);
                match self.cpus.wake(now, task, node, cpu) {
                    Placed::Running(cpu) => self.start(task, cpu),
                    Placed::Queued(cpu) => self.on[task.index()] = cpu,
                }
            }
            Doing::Work if self.cpus.slice_over(now, cpu, SLICE) => {
                let next = self.cpus.give_way(now, cpu);
                self.start(next, cpu);
            }
            Doing::Work => {
                let lock = LockId(self.streams[task.index()].below(u64::from(LOCKS)) as u32);
                if self.locks.acquire(now, lock, task, cpu).is_some() {
                    self.hold(task, lock);
                } else {
                    self.doing[task.index()] = Doing::Spin(lock);
                }
            }
            Doing::Hold(lock) => {
                if let Some(grant) = self.locks.release(now, lock, task) {
                    assert_eq!(self.doing[grant.task.index()], Doing::Spin(lock));
                    self.hold(grant.task, lock);
                }
                self.doing[task.index()] = Doing::Sleep;
                self.schedule(task, 20_000, 1);
                if let Some(next) = self.cpus.block(now, cpu) {
                    self.start(next, cpu);
                }
                let hour = SimDuration::from_secs(3_600);
                self.core.queue.schedule(WATCHDOG, now + hour, 0);
            }
            Doing::Spin(_) => panic!("a waiter has no event of its own"),
        }
    }

    fn hold(&mut self, task: TaskId, lock: LockId) {
        self.doing[task.index()] = Doing::Hold(lock);
        self.schedule(task, 2_000, 0);
        let at = self.core.queue.now() + SimDuration::from_micros(1);
        if self.core.queue.is_pending(ALARM) {
            self.core.queue.cancel(ALARM);
        } else {
            self.core.queue.schedule(ALARM, at, 3);
        }
    }

    /// The digest, with what the locks counted and where every stream stands taken in.
    fn whole(&mut self) -> u64 {
        let mut digest = self.core.digest;
        for lock in 0..LOCKS {
            let stats = self.locks.stats(self.core.queue.now(), LockId(lock));
            digest.word(stats.acquisitions);
            digest.word(stats.contended);
            digest.word(stats.wait.as_nanos());
            digest.word(stats.busy.as_nanos());
        }
        for stream in &self.streams {
            digest.word(stream.clone().bits());
        }
        digest.word(self.alarms);
        digest.word(self.core.events);
        digest.value()
    }
}

impl Model for Workshop {
    fn core(&mut self) -> &mut Core {
        &mut self.core
    }

    fn dispatch(&mut self, fired: Fired) {
        let kind = match fired.entity {
            WATCHDOG => 1,
            ALARM => 2,
            _ => 0,
        };
        self.core.digest.event(fired.time, fired.rank, fired.entity, kind, self.alarms);
        match fired.entity {
            WATCHDOG => panic!("the watchdog is renewed for ever"),
            ALARM => self.alarms += 1,
            entity => self.fire(fired.time, TaskId(entity.0)),
        }
    }

    fn name(&self, entity: EntityId) -> String {
        format!("task {}", entity.0)
    }
}

const END: SimTime = SimTime::from_nanos(40_000_000);

fn run(workshop: &mut Workshop, slice: u64) -> u64 {
    while advance(workshop, END, slice) == Stop::Budget {}
    workshop.whole()
}

/// What the run has always been: another value means that links and goldens mean something else
/// now, and that a machine of another word size would show as well.
const WHOLE: u64 = 16_123_885_094_558_679_314;

#[test]
fn slices_do_not_matter() {
    for slice in [u64::MAX, 1_000, 1] {
        assert_eq!(run(&mut Workshop::new(11), slice), WHOLE, "in slices of {slice}");
    }
    assert_ne!(run(&mut Workshop::new(12), u64::MAX), WHOLE, "another seed is another run");
}

#[test]
fn the_model_does_what_it_is_meant_to_test() {
    let mut workshop = Workshop::new(11);
    run(&mut workshop, u64::MAX);
    assert!(workshop.core.events > 70_000, "{}", workshop.core.events);
    assert!(workshop.alarms > 100, "{}", workshop.alarms);
    let contended: u64 = (0..LOCKS).map(|l| workshop.locks.stats(END, LockId(l)).contended).sum();
    assert!(contended > 1_000, "{contended}");
}

#[test]
fn a_clone_goes_on_like_the_original() {
    let mut workshop = Workshop::new(11);
    let mut events = 0;
    // Every number of events from 0 on, then larger steps: also between an event and the next.
    for step in (0..300).map(|_| 1).chain([5_000, 20_000]) {
        let mut clone = workshop.clone();
        if events % 50 == 0 {
            assert_eq!(run(&mut clone, 777), WHOLE, "cloned after {events} events");
        }
        assert_eq!(advance(&mut workshop, END, step), Stop::Budget);
        events += step;
    }
    assert_eq!(run(&mut workshop, u64::MAX), WHOLE, "the original does not feel its clones");
}

#[test]
fn stopping_at_a_time_does_not_matter() {
    let mut workshop = Workshop::new(11);
    for micros in (0..40_000).step_by(7) {
        let until = SimTime::ZERO + SimDuration::from_micros(micros);
        assert_eq!(advance(&mut workshop, until, u64::MAX), Stop::Horizon);
        assert!(workshop.core.queue.now() <= until);
    }
    assert_eq!(run(&mut workshop, u64::MAX), WHOLE);
}
