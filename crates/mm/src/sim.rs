//! Advances a machine: dispatches events, puts tasks on CPUs and takes locks for them.
//!
//! An event is always a task's: the end of a piece of work, of a hold of a lock, of a sleep. The
//! task then goes on at its [`Step`] until it needs time, a lock or sleep. A task that spins for a
//! lock has no event; the release of the lock gives it one.

use crate::lru::Site;
use crate::machine::Machine;
use crate::observe::Observer;
use crate::task::{Kind, State, Step};
use crate::trace::Event;
use catalog::ConstantId;
use engine::cpu::Placed;
use engine::lock::Grant;
use engine::{Core, Fired, Model, Stop};
use units::{EntityId, LockId, NodeId, SimDuration, SimTime, TaskId};

/// Why [`advance`] returned.
pub type Outcome = Stop;

/// Dispatches events up to and including `until`, at most `budget` of them. The state afterwards
/// does not depend on how a run is cut into calls, nor on who listens.
pub fn advance<O: Observer>(
    m: &mut Machine,
    observer: &mut O,
    until: SimTime,
    budget: u64,
) -> Outcome {
    engine::run::advance(&mut Sim { m, observer }, until, budget)
}

/// A machine and who listens to it.
pub(crate) struct Sim<'a, O> {
    pub(crate) m: &'a mut Machine,
    pub(crate) observer: &'a mut O,
}

/// Whether a task goes on in the same event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Its next step is due now.
    GoOn,
    /// It waits for time, a lock or a wakeup.
    Wait,
}

impl<O: Observer> Model for Sim<'_, O> {
    #[inline]
    fn core(&mut self) -> &mut Core {
        &mut self.m.core
    }

    #[inline]
    fn dispatch(&mut self, fired: Fired) {
        let id = TaskId(fired.entity.0);
        let now = fired.time;
        let task = &mut self.m.tasks[id.index()];
        let free = self.m.nodes[task.node.index()].free;
        let payload = (u64::from(task.cpu.0) << 44) ^ free;
        let kind = task.step as u16;
        self.m.core.digest.event(now, fired.rank, fired.entity, kind, payload);
        if !task.on_cpu {
            // A timer or a read ended its sleep.
            self.place(id);
            return;
        }
        if let Some(lock) = task.lock.take() {
            self.release(id, lock);
        } else if self.m.cpus.slice_over(now, task.cpu, self.slice()) {
            self.give_way(id);
            return;
        }
        while self.step(id) == Flow::GoOn {}
    }

    fn name(&self, entity: EntityId) -> String {
        let task = &self.m.tasks[entity.index()];
        match task.kind {
            Kind::Kswapd(w) => format!("kswapd{}:{w} in {:?}", task.scan.node, task.step),
            Kind::Flusher => format!("the flusher in {:?}", task.step),
            Kind::Task(n) => format!("task {n} in {:?}", task.step),
        }
    }
}

impl<O: Observer> Sim<'_, O> {
    pub(crate) fn now(&self) -> SimTime {
        self.m.core.queue.now()
    }

    /// The task passes a tracepoint.
    #[inline]
    pub(crate) fn trace(&mut self, id: TaskId, event: Event) {
        self.observer.trace(self.m, id, &event);
    }

    pub(crate) fn constant(&self, id: ConstantId) -> u64 {
        self.m.config.ledger.get(id)
    }

    /// A span of the ledger in whole ticks, at least one.
    pub(crate) fn ticks(&self, millis: ConstantId) -> SimDuration {
        let jiffy = self.m.config.jiffy;
        let ticks = self.constant(millis) * 1_000_000 / jiffy.as_nanos().max(1);
        jiffy * ticks.max(1)
    }

    fn slice(&self) -> SimDuration {
        SimDuration::from_nanos(self.constant(ConstantId::SchedulerSlice))
    }

    /// One step of a task that has a CPU.
    #[inline]
    fn step(&mut self, id: TaskId) -> Flow {
        match self.m.tasks[id.index()].step {
            Step::KswapdSleep => self.kswapd_try_to_sleep(id),
            Step::KswapdNapped => self.kswapd_napped(id),
            Step::KswapdWoken => self.kswapd_run(id),
            Step::KswapdBalance => self.balance_pgdat(id),
            Step::ShrinkNode => self.shrink_node(id),
            Step::ShrinkNext => self.shrink_next(id),
            Step::AgeWalk => self.age_walk(id),
            Step::AgeMerged => self.age_locked(id),
            Step::Aged => self.aged(id),
            Step::ShrinkInactive => self.shrink_inactive(id),
            Step::InactiveTaken => self.inactive_taken(id),
            Step::InactiveWorked => self.inactive_worked(id),
            Step::InactiveRemoved => self.inactive_removed(id),
            Step::InactiveSorted => self.inactive_sorted(id),
            Step::AgeNoted => self.inactive_remove(id),
            Step::InactiveFreed => self.inactive_freed(id),
            Step::SwapNext => self.swap_next(id),
            Step::InactivePutback => self.inactive_putback(id),
            Step::SliceDone => self.slice_done(id),
            Step::ActiveTaken => self.active_taken(id),
            Step::ActiveWorked => self.active_worked(id),
            Step::ActivePutback => self.active_putback(id),
            Step::DirectBegin => self.direct_begin(id),
            Step::DirectPriority => self.direct_priority(id),
            Step::DirectDone => self.direct_done(id),
            Step::DirectDrained => self.direct_drained(id),
            Step::ReaderWindow => self.reader_window(id),
            Step::Alloc => self.alloc_next(id),
            Step::StocksDrained => self.stocks_drained(id),
            Step::OomSlept => self.oom_slept(id),
            Step::AllocSlowPath => self.alloc_slow_path(id),
            Step::AllocRefilled => self.alloc_refilled(id),
            Step::AllocInserted => self.alloc_inserted(id),
            Step::ReaderFilled => self.submit_and_copy(id),
            Step::LruAdded => self.lru_added(id),
            Step::ReaderCopied => self.reader_copied(id),
            Step::ReaderArrived => self.reader_arrived(id),
            Step::ThrottleEnd => self.throttle_end(id),
            Step::KswapdBalanceEnd => self.balance_end(id),
            Step::KswapdPassDone => self.kswapd_pass_done(id),
            Step::HighSlept => self.high_slept(id),
            Step::DirectRoundDone => self.direct_round_done(id),
            Step::WorkNext => self.work_next(id),
            Step::WorkDone => self.work_done(id),
            Step::WorkMiss => self.work_miss(id),
            Step::WorkRead => self.work_read(id),
            Step::UnmapDrained => self.unmap_drained(id),
            Step::ReleaseUnmapped => self.release_unmapped(id),
            Step::ReleaseFree => self.release_free(id),
            Step::ReleaseSpilled => self.release_spilled(id),
            Step::ExitDrained => self.exit_drained(id),
            Step::Exit => self.exit(id),
            Step::Flush => self.flush(id),
            Step::FlushSubmitted => self.flush_submitted(id),
            Step::Flushed => self.flushed(id),
            Step::Ended => unreachable!("a task that has ended is not scheduled"),
        }
    }

    /// How long `ns` of a task's work on memory of `node` takes now.
    #[inline]
    pub(crate) fn stretch(&mut self, id: TaskId, ns: u64, node: u32) -> SimDuration {
        let remote = self.m.speed.remote();
        self.stretch_by(id, ns, node, remote)
    }

    /// The same, with `remote` thousandths more if `node` is not that of the task's CPU.
    #[inline]
    pub(crate) fn stretch_by(
        &mut self,
        id: TaskId,
        ns: u64,
        node: u32,
        remote: u64,
    ) -> SimDuration {
        let m = &mut *self.m;
        let now = m.core.queue.now();
        let cpu = m.tasks[id.index()].cpu;
        let busy = m.cpus.busy_on_core(cpu);
        let extra = if m.is_near(m.cpus.node(cpu), NodeId(node)) { 0 } else { remote };
        let parts = m.config.fake_numa.max(1);
        let traffic = &mut m.nodes[(node / parts * parts) as usize].traffic;
        SimDuration::from_nanos(m.speed.stretch(ns, busy, traffic, now, extra))
    }

    /// The task works for `ns` (of the ledger's time, on memory of `node`), then goes on at `step`.
    #[inline]
    pub(crate) fn work(
        &mut self,
        id: TaskId,
        state: State,
        ns: u64,
        node: u32,
        step: Step,
    ) -> Flow {
        let took = self.stretch(id, ns, node);
        self.work_for(id, state, took, step)
    }

    /// The task works for `took`, the part up to `first` in one state and the rest in another, then
    /// goes on at `step`.
    #[inline]
    pub(crate) fn work_in_two(
        &mut self,
        id: TaskId,
        states: [State; 2],
        first: SimDuration,
        took: SimDuration,
        step: Step,
    ) -> Flow {
        let now = self.now();
        let flow = self.work_for(id, states[0], took, step);
        self.m.tasks[id.index()].turn = (now + first, states[1]);
        flow
    }

    /// The task works for `took`, whatever it is made of, then goes on at `step`.
    #[inline]
    pub(crate) fn work_for(
        &mut self,
        id: TaskId,
        state: State,
        took: SimDuration,
        step: Step,
    ) -> Flow {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        task.enter(now, state);
        task.step = step;
        self.m.core.queue.schedule(EntityId(id.0), now + took, 0);
        Flow::Wait
    }

    /// The task takes a lock, holds it for `ns` in state `held`, then goes on at `step`. While it
    /// has to wait it spins in state `spin`.
    #[inline]
    pub(crate) fn lock(&mut self, id: TaskId, lock: LockId, hold: Hold) -> Flow {
        self.lock_with_lines(id, lock, hold, (0, SimDuration::ZERO))
    }

    /// The same, where work under the lock needs `lines.0` further cache lines that its last holder
    /// wrote, and takes `lines.1` longer if that was on another node.
    #[inline]
    pub(crate) fn lock_with_lines(
        &mut self,
        id: TaskId,
        lock: LockId,
        hold: Hold,
        lines: (u32, SimDuration),
    ) -> Flow {
        let took = self.stretch(id, hold.ns, hold.node);
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        task.lock = Some(lock);
        task.hold = took;
        task.hold_lines = lines;
        task.held = hold.held;
        task.step = hold.step;
        let cpu = task.cpu;
        match self.m.locks.acquire(now, lock, id, cpu) {
            Some(grant) => self.granted(grant),
            None => self.m.tasks[id.index()].enter(now, hold.spin),
        }
        Flow::Wait
    }

    /// A lock came to a task: after the hand-over its hold begins.
    #[inline]
    fn granted(&mut self, grant: Grant) {
        let now = self.now();
        let m = &mut *self.m;
        let cpu = m.tasks[grant.task.index()].cpu;
        let near = m.is_near(m.cpus.node(grant.from), m.cpus.node(cpu));
        let line = if grant.from == cpu { 0 } else { m.speed.line(near) };
        let task = &mut m.tasks[grant.task.index()];
        let (lines, far) = task.hold_lines;
        let more = if near { SimDuration::ZERO } else { far };
        let ledger = &m.config.ledger;
        let over = if grant.waited.is_zero() {
            ledger.get(ConstantId::LockUncontended)
        } else {
            ledger.get(ConstantId::LockHandOff)
        };
        if task.state == State::SpinLru {
            m.lru_waits[Site::before(task.step) as usize] += grant.waited.as_nanos();
        }
        task.enter(now, task.held);
        let line = line * u64::from(1 + lines);
        task.hold_until = now + SimDuration::from_nanos(line + over) + more + task.hold;
        m.core.queue.schedule(EntityId(grant.task.0), task.hold_until, 0);
    }

    #[inline]
    fn release(&mut self, id: TaskId, lock: LockId) {
        let now = self.now();
        if let Some(grant) = self.m.locks.release(now, lock, id) {
            self.granted(grant);
        }
    }

    /// The task leaves its CPU until `until` (or a wakeup) and then goes on at `step`.
    pub(crate) fn sleep(
        &mut self,
        id: TaskId,
        state: State,
        until: Option<SimTime>,
        step: Step,
    ) -> Flow {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        task.enter(now, state);
        task.step = step;
        task.on_cpu = false;
        task.woken = false;
        let cpu = task.cpu;
        let home = task.node;
        self.m.note_runnable(home);
        self.m.note_pressure(id);
        if let Some(time) = until {
            self.m.core.queue.schedule(EntityId(id.0), time, 0);
        }
        if let Some(next) = self.m.cpus.block(now, cpu) {
            self.switch_to(next);
        }
        Flow::Wait
    }

    /// When a sleep of `span`, whole ticks, ends that begins now: a timer fires at a tick, and
    /// never early, so that the tick at hand does not count (schedule_timeout).
    pub(crate) fn schedule_timeout(&self, span: SimDuration) -> SimTime {
        let jiffy = self.m.config.jiffy;
        let begun = self.now().as_nanos() / jiffy.as_nanos().max(1);
        SimTime::ZERO + jiffy * (begun + 1) + span
    }

    /// Ends a task's sleep early.
    pub(crate) fn wake(&mut self, id: TaskId) {
        self.m.tasks[id.index()].woken = true;
        self.m.core.queue.cancel(EntityId(id.0));
        self.place(id);
    }

    /// A task that sleeps becomes runnable.
    fn place(&mut self, id: TaskId) {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        debug_assert!(!task.on_cpu, "only a sleeping task is woken");
        task.enter(now, State::Runnable);
        let (home, last) = (task.node, task.cpu);
        self.m.note_runnable(home);
        let task = &mut self.m.tasks[id.index()];
        match self.m.cpus.wake(now, id, home, last) {
            Placed::Running(cpu) => {
                task.cpu = cpu;
                task.on_cpu = true;
                let latency = self.wake_latency();
                let at = now + SimDuration::from_nanos(latency);
                self.m.core.queue.schedule(EntityId(id.0), at, 0);
            }
            Placed::Queued(cpu) => {
                task.cpu = cpu;
                let slice = self.slice();
                self.m.cpus.wait_for_slice(now, cpu, slice);
            }
        }
        self.m.note_pressure(id);
    }

    /// From a wakeup to running on an idle CPU, in ns.
    fn wake_latency(&mut self) -> u64 {
        let latency = self.constant(ConstantId::WakeLatency);
        let random = latency * self.constant(ConstantId::WakeRandomShare) / 1_000;
        if random == 0 {
            return latency;
        }
        latency - random + self.m.wake_spread.draw(&mut self.m.wake_draws, random)
    }

    /// A task that waited in a queue gets its CPU.
    fn switch_to(&mut self, id: TaskId) {
        let now = self.now();
        let switch = self.constant(ConstantId::ContextSwitch);
        self.m.tasks[id.index()].on_cpu = true;
        let at = now + SimDuration::from_nanos(switch);
        self.m.core.queue.schedule(EntityId(id.0), at, 0);
    }

    /// The task's slice is over: the next one has the CPU, this one goes on at its step later.
    fn give_way(&mut self, id: TaskId) {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        task.enter(now, State::Runnable);
        task.on_cpu = false;
        let next = self.m.cpus.give_way(now, task.cpu);
        self.switch_to(next);
    }

    /// Gives free pages to a zone.
    #[inline]
    pub(crate) fn add_free(&mut self, zone: u32, pages: u64) {
        let free = self.m.zones[zone as usize].free + pages;
        self.set_free(zone, free);
    }

    /// Takes free pages from a zone.
    #[inline]
    pub(crate) fn take_free(&mut self, zone: u32, pages: u64) {
        let free = self.m.zones[zone as usize].free - pages;
        self.set_free(zone, free);
    }

    #[inline]
    fn set_free(&mut self, zone: u32, free: u64) {
        let now = self.now();
        let number = zone as usize / crate::config::ZONES_PER_NODE;
        let node = &mut self.m.nodes[number];
        let zone = &mut self.m.zones[zone as usize];
        node.free = node.free + free - zone.free;
        node.usable -= zone.usable();
        zone.free = free;
        node.usable += zone.usable();
        self.observer.free(now, number, node.free, node.usable);
    }
}

/// How a lock is held: for how long, on which node's memory, and what the task is then in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// Ledger time under the lock.
    pub(crate) ns: u64,
    /// Whose memory is touched.
    pub(crate) node: u32,
    /// The state while it holds.
    pub(crate) held: State,
    /// The state while it spins.
    pub(crate) spin: State,
    /// Where it goes on afterwards.
    pub(crate) step: Step,
}
