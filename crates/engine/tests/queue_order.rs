//! The queue against an oracle: a std `BinaryHeap` over (time, rank, sequence) with tombstones.
//! What fires, and when, must be the same for every sequence of operations.

use proptest::prelude::*;
use reclaimscope_engine::{Fired, Queue, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{EntityId, SimDuration, SimTime};

/// (time, rank, sequence, entity)
type Key = (u64, u8, u64, u32);

#[derive(Clone)]
struct Oracle {
    heap: BinaryHeap<Reverse<Key>>,
    live: Vec<Option<Key>>,
    sequence: u64,
    now: u64,
}

impl Oracle {
    fn new(entities: u32) -> Self {
        let live = vec![None; entities as usize];
        Self { heap: BinaryHeap::new(), live, sequence: 0, now: 0 }
    }

    fn schedule(&mut self, entity: u32, at: u64, rank: u8) {
        self.sequence += 1;
        let key = (at, rank, self.sequence, entity);
        self.live[entity as usize] = Some(key);
        self.heap.push(Reverse(key));
    }

    fn cancel(&mut self, entity: u32) {
        self.live[entity as usize] = None;
    }

    fn next(&mut self) -> Option<Key> {
        while let Some(&Reverse(key)) = self.heap.peek() {
            if self.live[key.3 as usize] == Some(key) {
                return Some(key);
            }
            self.heap.pop();
        }
        None
    }

    fn pop_until(&mut self, until: u64) -> Option<Key> {
        let key = self.next().filter(|key| key.0 <= until)?;
        self.heap.pop();
        self.live[key.3 as usize] = None;
        self.now = key.0;
        Some(key)
    }
}

/// Queue and oracle, which are told and asked the same.
#[derive(Clone)]
struct Both {
    queue: Queue,
    oracle: Oracle,
}

fn same(fired: Option<Fired>, key: Option<Key>) {
    let fired = fired.map(|f| (f.time.as_nanos(), f.rank, f.entity.0));
    assert_eq!(fired, key.map(|(time, rank, _, entity)| (time, rank, entity)));
}

impl Both {
    fn new(entities: u32) -> Self {
        Self { queue: Queue::new(entities), oracle: Oracle::new(entities) }
    }

    fn schedule(&mut self, entity: u32, delay: u64, rank: u8) {
        let at = self.oracle.now.saturating_add(delay);
        self.queue.schedule(EntityId(entity), SimTime::from_nanos(at), rank);
        self.oracle.schedule(entity, at, rank);
    }

    fn cancel(&mut self, entity: u32) {
        self.queue.cancel(EntityId(entity));
        self.oracle.cancel(entity);
    }

    /// Pops what fires within `delay`; returns whether there was something.
    fn pop_within(&mut self, delay: u64) -> bool {
        let until = self.oracle.now.saturating_add(delay);
        let key = self.oracle.pop_until(until);
        same(self.queue.pop_until(SimTime::from_nanos(until)), key);
        assert_eq!(self.queue.now().as_nanos(), self.oracle.now);
        key.is_some()
    }

    fn pop(&mut self) -> bool {
        self.pop_within(u64::MAX)
    }

    /// Compares all that can be asked without changing anything.
    fn look(&mut self) {
        let next = self.oracle.next();
        same(self.queue.next(), next);
        assert_eq!(self.queue.next_time().map(SimTime::as_nanos), next.map(|key| key.0));
        assert_eq!(self.queue.is_empty(), next.is_none());
        for (entity, live) in self.oracle.live.iter().enumerate() {
            assert_eq!(self.queue.is_pending(EntityId(entity as u32)), live.is_some());
        }
    }

    fn drain(&mut self) {
        while self.pop() {}
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Schedule(u32, u64, u8),
    Cancel(u32),
    Pop,
    PopWithin(u64),
    Look,
    /// Goes on with a clone, after the original was used up.
    Clone,
}

/// Delays of every magnitude, most of them so short that ties are common, some just beside a power
/// of two: the edges of what fits into a word lie there.
fn delay() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0u64..4,
        2 => 0u64..5_000,
        2 => (0u32..64, 0u64..7).prop_map(|(bit, by)| ((1u64 << bit) + by).saturating_sub(3)),
        1 => Just(3_600_000_000_000),
        1 => any::<u64>(),
    ]
}

fn step(entities: u32) -> impl Strategy<Value = Step> {
    let rank = prop_oneof![4 => 0u8..3, 1 => any::<u8>()];
    prop_oneof![
        6 => (0..entities, delay(), rank).prop_map(|(e, d, r)| Step::Schedule(e, d, r)),
        1 => (0..entities).prop_map(Step::Cancel),
        5 => Just(Step::Pop),
        1 => delay().prop_map(Step::PopWithin),
        1 => Just(Step::Look),
        1 => Just(Step::Clone),
    ]
}

fn entities_and_steps() -> impl Strategy<Value = (u32, Vec<Step>)> {
    (1u32..300).prop_flat_map(|n| (Just(n), prop::collection::vec(step(n), 0..600)))
}

fn run(entities: u32, steps: &[Step]) {
    let mut both = Both::new(entities);
    for &step in steps {
        match step {
            Step::Schedule(entity, delay, rank) => both.schedule(entity, delay, rank),
            Step::Cancel(entity) => both.cancel(entity),
            Step::Pop => drop(both.pop()),
            Step::PopWithin(delay) => drop(both.pop_within(delay)),
            Step::Look => both.look(),
            Step::Clone => {
                let kept = both.clone();
                both.drain();
                both = kept;
            }
        }
    }
    both.look();
    both.drain();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_steps_with_few_entities(steps in prop::collection::vec(step(3), 0..300)) {
        run(3, &steps);
    }

    #[test]
    fn any_steps_with_more_entities((entities, steps) in entities_and_steps()) {
        run(entities, &steps);
    }
}

/// Long runs: sequences are renumbered and the base moves many times.
fn long_run(entities: u32, events: u64, mean: u64, seed: u64) {
    let mut both = Both::new(entities);
    let mut stream = Stream::new(seed, "queue", u64::from(entities));
    for entity in 0..entities {
        both.schedule(entity, stream.below(mean), 0);
    }
    for event in 0..events {
        assert!(both.pop() || event > 0);
        // Mostly one comes back for each that fired; now and then one is moved, or taken away.
        let rank = if stream.below(50) == 0 { stream.bits() as u8 } else { stream.below(3) as u8 };
        let delay = match stream.below(1_000) {
            0 => 1 << (20 + stream.below(23)),
            1..20 => 0,
            _ => stream.below(2 * mean),
        };
        let entity = stream.below(u64::from(entities)) as u32;
        both.schedule(entity, delay, rank);
        match stream.below(20) {
            0 => both.cancel(stream.below(u64::from(entities)) as u32),
            1 => both.schedule(stream.below(u64::from(entities)) as u32, stream.below(mean), 1),
            2 if event % 97 == 0 => both.look(),
            _ => {}
        }
    }
    both.look();
    both.drain();
}

#[test]
fn long_runs_with_dense_ties() {
    long_run(5, 400_000, 3, 1);
    long_run(96, 400_000, 20, 2);
}

#[test]
fn long_runs_with_long_delays() {
    long_run(2, 200_000, 1 << 38, 3);
    long_run(600, 300_000, 1 << 30, 4);
    long_run(5_000, 300_000, 1 << 24, 5);
}

#[test]
fn a_long_run_with_very_many_entities() {
    long_run(100_000, 400_000, 20_000, 6);
}

#[test]
fn timers_of_an_hour_fire_among_events_of_a_microsecond() {
    // 2,000 entities leave a window of 134 ms: the hour is far for all but its last moment.
    let entities = 2_000;
    let mut both = Both::new(entities);
    let hour = 3_600_000_000_000;
    for entity in 0..1_000 {
        both.schedule(entity, hour + u64::from(entity % 7), 1);
    }
    // Renewed timers, as of a watchdog that never fires.
    for entity in 0..500 {
        both.schedule(entity, hour + 5, 0);
    }
    both.schedule(1_500, 0, 0);
    for step in 0..200_000u64 {
        assert!(both.pop());
        let delay = if step % 100 == 0 { hour / 1_000 } else { 1_000 };
        both.schedule(1_500 + (step % 300) as u32, delay, 0);
    }
    both.look();
    both.drain();
    assert!(both.queue.now() >= SimTime::ZERO + SimDuration::from_nanos(hour));
}

#[test]
fn the_last_instant_is_an_instant_like_any_other() {
    let mut queue = Queue::new(4);
    queue.schedule(EntityId(2), SimTime::MAX, 1);
    queue.schedule(EntityId(1), SimTime::MAX, 0);
    queue.schedule(EntityId(0), SimTime::MAX, 1);
    let order: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|f| f.entity.0).collect();
    assert_eq!(order, [1, 2, 0]);
    assert_eq!(queue.now(), SimTime::MAX);
}

#[test]
#[should_panic(expected = "no such entity")]
fn an_entity_beyond_the_slots_is_refused() {
    Queue::new(5).schedule(EntityId(8), SimTime::ZERO, 0);
}
