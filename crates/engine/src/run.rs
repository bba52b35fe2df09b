//! The run loop: pops events, hands them to the model, counts, and stops at limits.

use crate::{digest::Digest, queue::Fired, queue::Queue};
use units::{EntityId, SimTime};

/// So many events in a row without time moving stop a run as stuck. Whether time moves is looked at
/// every so many events of the run, so that it costs nothing: it may take up to twice as many.
pub const STUCK_EVENTS: u32 = 1_000_000;

/// Queue, digest and counters of a run: part of the model's state, so that a clone of the model is
/// a checkpoint.
#[derive(Clone, Debug)]
pub struct Core {
    /// Pending events.
    pub queue: Queue,
    /// Over every dispatched event.
    pub digest: Digest,
    /// Events dispatched so far.
    pub events: u64,
    /// The time when it was last looked at whether time moves.
    looked: Option<SimTime>,
}

impl Core {
    /// A core for entities `0..entities`.
    #[must_use]
    pub fn new(entities: u32) -> Self {
        Self { queue: Queue::new(entities), digest: Digest::default(), events: 0, looked: None }
    }
}

/// Something that a run loop drives.
pub trait Model {
    /// Its core.
    fn core(&mut self) -> &mut Core;
    /// Handles one event.
    fn dispatch(&mut self, fired: Fired);
    /// What an entity is called, for the message about a run that is stuck.
    fn name(&self, entity: EntityId) -> String;
}

/// Why the loop returned. After [`Stop::Stuck`] the run cannot go on; after the others it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The next event lies after the horizon.
    Horizon,
    /// The event budget is used up.
    Budget,
    /// Nothing is pending.
    Idle,
    /// More than [`STUCK_EVENTS`] passed and time does not move; the name is that of the entity
    /// whose turn it is.
    Stuck(String),
}

/// Dispatches events up to and including `until`, at most `budget` of them.
///
/// What the model does, and when it stops as stuck, does not depend on how a run is cut into calls.
/// The clock stays at the last event: it does not move to `until`.
pub fn advance<M: Model>(model: &mut M, until: SimTime, budget: u64) -> Stop {
    let every = u64::from(STUCK_EVENTS);
    let mut left = budget;
    while left > 0 {
        let slice = left.min(every - model.core().events % every);
        for _ in 0..slice {
            let core = model.core();
            let Some(fired) = core.queue.pop_until(until) else {
                return if core.queue.is_empty() { Stop::Idle } else { Stop::Horizon };
            };
            core.events += 1;
            model.dispatch(fired);
        }
        left -= slice;
        if model.core().events.is_multiple_of(every)
            && let Some(entity) = stands(model.core())
        {
            return Stop::Stuck(model.name(entity));
        }
    }
    Stop::Budget
}

/// Whose turn it is, if time has not moved since this was last asked and does not move now.
fn stands(core: &mut Core) -> Option<EntityId> {
    let now = core.queue.now();
    let before = core.looked.replace(now);
    let next = core.queue.next()?;
    (before == Some(now) && next.time == now).then_some(next.entity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::SimDuration;

    /// Fires every `period`, after `standing` events that do not let time move.
    struct Metronome {
        core: Core,
        period: SimDuration,
        standing: u64,
    }

    impl Metronome {
        fn new(period: u64, standing: u64) -> Self {
            let mut core = Core::new(1);
            core.queue.schedule(EntityId(0), SimTime::ZERO, 0);
            Self { core, period: SimDuration::from_nanos(period), standing }
        }
    }

    impl Model for Metronome {
        fn core(&mut self) -> &mut Core {
            &mut self.core
        }
        fn dispatch(&mut self, fired: Fired) {
            self.core.digest.event(fired.time, fired.rank, fired.entity, 0, 0);
            let stands = self.core.events <= self.standing;
            let delay = if stands { SimDuration::ZERO } else { self.period };
            self.core.queue.schedule(fired.entity, fired.time + delay, 0);
        }
        fn name(&self, _: EntityId) -> String {
            "metronome".into()
        }
    }

    #[test]
    fn slices_do_not_matter() {
        let end = SimTime::from_nanos(10_000);
        let mut whole = Metronome::new(7, 0);
        assert_eq!(advance(&mut whole, end, u64::MAX), Stop::Horizon);
        let mut sliced = Metronome::new(7, 0);
        while advance(&mut sliced, end, 3) == Stop::Budget {}
        assert_eq!(whole.core.digest, sliced.core.digest);
        assert_eq!(whole.core.events, 10_000 / 7 + 1);
    }

    #[test]
    fn a_loop_without_time_is_named() {
        for slice in [u64::MAX, 999] {
            let mut m = Metronome::new(0, 0);
            let stop = loop {
                match advance(&mut m, SimTime::from_nanos(1), slice) {
                    Stop::Budget => {}
                    stop => break stop,
                }
            };
            assert_eq!(stop, Stop::Stuck("metronome".into()));
            assert_eq!(m.core.events, 2 * u64::from(STUCK_EVENTS), "in slices of {slice}");
        }
    }

    #[test]
    fn a_long_moment_is_not_a_loop() {
        let mut m = Metronome::new(500, 3 * u64::from(STUCK_EVENTS) / 2);
        assert_eq!(advance(&mut m, SimTime::from_nanos(10_000), u64::MAX), Stop::Horizon);
        assert_eq!(m.core.queue.now(), SimTime::from_nanos(10_000));
    }

    #[test]
    fn nothing_pending_is_idle_and_a_later_event_is_beyond_the_horizon() {
        let mut m = Metronome::new(7, 0);
        m.core.queue.cancel(EntityId(0));
        assert_eq!(advance(&mut m, SimTime::MAX, 1), Stop::Idle);
        m.core.queue.schedule(EntityId(0), SimTime::from_nanos(11), 0);
        assert_eq!(advance(&mut m, SimTime::from_nanos(10), 1), Stop::Horizon);
        assert_eq!(m.core.queue.now(), SimTime::ZERO, "the clock waits for an event");
        assert_eq!(advance(&mut m, SimTime::from_nanos(11), 1), Stop::Budget);
    }
}
