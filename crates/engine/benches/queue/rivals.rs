//! What the engine's queue is compared with: a std `BinaryHeap`, and no queue at all.

use crate::models::{Pending, Work};
use reclaimscope_engine::{Digest, Fired};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{EntityId, SimTime};

/// A queue that says what fires next.
pub(crate) trait Pop: Pending {
    fn pop(&mut self) -> Option<Fired>;
}

/// A model on another queue, driven by the plainest loop.
#[derive(Clone)]
pub(crate) struct Rival<Q, W> {
    pub(crate) queue: Q,
    pub(crate) work: W,
    digest: Digest,
}

impl<Q: Pop, W: Work> Rival<Q, W> {
    pub(crate) fn new(mut queue: Q, mut work: W) -> Self {
        work.begin(&mut queue);
        Self { queue, work, digest: Digest::default() }
    }

    /// Fires `events` more events and returns the digest.
    pub(crate) fn run(&mut self, events: u64) -> u64 {
        for _ in 0..events {
            let Some(fired) = self.queue.pop() else { break };
            self.work.fire(&mut self.queue, &mut self.digest, fired);
        }
        self.digest.value()
    }
}

const RANK_SHIFT: u32 = 56;

/// The standard library's heap in the same order (time, rank, sequence). An event that was replaced
/// stays in the heap as a tombstone: the sequence of an entity's live event is kept beside.
#[derive(Clone)]
pub(crate) struct Heap {
    heap: BinaryHeap<Reverse<(u64, u64, u32)>>,
    live: Vec<u64>,
    sequence: u64,
}

impl Heap {
    pub(crate) fn new(entities: u32) -> Self {
        let heap = BinaryHeap::with_capacity(2 * entities as usize);
        Self { heap, live: vec![u64::MAX; entities as usize], sequence: 0 }
    }
}

impl Pending for Heap {
    #[inline]
    fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        self.sequence += 1;
        let tie = (u64::from(rank) << RANK_SHIFT) | self.sequence;
        self.live[entity.index()] = tie;
        self.heap.push(Reverse((at.as_nanos(), tie, entity.0)));
    }
}

impl Pop for Heap {
    #[inline]
    fn pop(&mut self) -> Option<Fired> {
        while let Some(Reverse((time, tie, entity))) = self.heap.pop() {
            if self.live[entity as usize] == tie {
                self.live[entity as usize] = u64::MAX;
                let rank = (tie >> RANK_SHIFT) as u8;
                let time = SimTime::from_nanos(time);
                return Some(Fired { time, rank, entity: EntityId(entity) });
            }
        }
        None
    }
}

/// Limit B: who fires next is read from a recording of the same run. What is left is the model's
/// own work, with its event kept in its entity's slot.
#[derive(Clone)]
pub(crate) struct Replay {
    order: std::sync::Arc<[u32]>,
    at: usize,
    slots: Vec<(SimTime, u8)>,
}

impl Replay {
    pub(crate) fn new(entities: u32, order: std::sync::Arc<[u32]>) -> Self {
        Self { order, at: 0, slots: vec![(SimTime::ZERO, 0); entities as usize] }
    }
}

impl Pending for Replay {
    #[inline]
    fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        self.slots[entity.index()] = (at, rank);
    }
}

impl Pop for Replay {
    #[inline]
    fn pop(&mut self) -> Option<Fired> {
        let entity = *self.order.get(self.at)?;
        self.at += 1;
        let (time, rank) = self.slots[entity as usize];
        Some(Fired { time, rank, entity: EntityId(entity) })
    }
}

/// Records who fires: the order that [`Replay`] repeats.
pub(crate) fn record<W: Work>(work: W, events: u64) -> std::sync::Arc<[u32]> {
    struct Recorder {
        heap: Heap,
        order: Vec<u32>,
    }
    impl Pending for Recorder {
        fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
            self.heap.schedule(entity, at, rank);
        }
    }
    impl Pop for Recorder {
        fn pop(&mut self) -> Option<Fired> {
            let fired = self.heap.pop()?;
            self.order.push(fired.entity.0);
            Some(fired)
        }
    }
    let recorder = Recorder { heap: Heap::new(work.entities()), order: Vec::new() };
    let mut run = Rival::new(recorder, work);
    run.run(events);
    run.queue.order.into()
}
