//! The run loop: pops events, hands them to the model, counts, and stops at limits.

use crate::{digest::Digest, queue::Fired, queue::Queue};
use units::{EntityId, SimTime};

/// Events without time moving before a run is stopped as stuck.
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
    /// Events dispatched since time last moved.
    standing: u32,
}

impl Core {
    /// A core for entities `0..entities`.
    #[must_use]
    pub fn new(entities: u32) -> Self {
        Self { queue: Queue::new(entities), digest: Digest::default(), events: 0, standing: 0 }
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
    /// A million events passed without time moving; the name is that of the last entity.
    Stuck(String),
}

/// Dispatches events up to and including `until`, at most `budget` of them.
///
/// The result does not depend on how a run is cut into calls.
pub fn advance<M: Model>(model: &mut M, until: SimTime, budget: u64) -> Stop {
    for _ in 0..budget {
        let core = model.core();
        let before = core.queue.now();
        let Some(fired) = core.queue.pop_until(until) else {
            return if core.queue.next_time().is_none() { Stop::Idle } else { Stop::Horizon };
        };
        core.standing = if fired.time > before { 0 } else { core.standing + 1 };
        let standing = core.standing;
        core.events += 1;
        model.dispatch(fired);
        if standing >= STUCK_EVENTS {
            return Stop::Stuck(model.name(fired.entity));
        }
    }
    Stop::Budget
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
