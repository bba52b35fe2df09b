//! The run loop: pops events, hands them to the model, counts, and stops at limits.

use crate::{digest::Digest, queue::Fired, queue::Queue};
use units::{EntityId, SimTime};

/// So many events in a row without time moving stop a run as stuck. It is looked at every so many
/// events of the run, so that it costs nothing: the run stops before twice as many.
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
    /// More than [`STUCK_EVENTS`] passed and time does not move; the name is that of the entity whose
    /// turn it is.
    Stuck(String),
}

/// Dispatches events up to and including `until`, at most `budget` of them.
///
/// The result does not depend on how a run is cut into calls.
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

    /// Fires every `period`; a period of 0 never lets time move.
    struct Metronome {
        core: Core,
        period: SimDuration,
    }

    impl Metronome {
        fn new(period: u64) -> Self {
            let mut core = Core::new(1);
            core.queue.schedule(EntityId(0), SimTime::ZERO, 0);
            Self { core, period: SimDuration::from_nanos(period) }
        }
    }

    impl Model for Metronome {
        fn core(&mut self) -> &mut Core {
            &mut self.core
        }
        fn dispatch(&mut self, fired: Fired) {
            self.core.digest.event(fired.time, fired.rank, fired.entity, 0, 0);
            self.core.queue.schedule(fired.entity, fired.time + self.period, 0);
        }
        fn name(&self, _: EntityId) -> String {
            "metronome".into()
        }
    }

    #[test]
    fn slices_do_not_matter() {
        let end = SimTime::from_nanos(10_000);
        let mut whole = Metronome::new(7);
        assert_eq!(advance(&mut whole, end, u64::MAX), Stop::Horizon);
        let mut sliced = Metronome::new(7);
        while advance(&mut sliced, end, 3) == Stop::Budget {}
        assert_eq!(whole.core.digest, sliced.core.digest);
        assert_eq!(whole.core.events, 10_000 / 7 + 1);
    }

    #[test]
    fn a_loop_without_time_is_named() {
        let mut m = Metronome::new(0);
        let stop = advance(&mut m, SimTime::from_nanos(1), u64::MAX);
        assert_eq!(stop, Stop::Stuck("metronome".into()));
    }
}
