//! The event queue: one slot an entity in a winner tree.
//!
//! A winner (tournament) tree keeps, for every pair of slots, the one that fires first. Scheduling,
//! re-arming, cancelling and popping each replay one path from a leaf to the root; nothing is
//! allocated after [`Queue::new`]. The order is total: (time, rank, sequence).

use units::{EntityId, SimTime};

/// An event that fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    /// When.
    pub time: SimTime,
    /// Its rank among events of the same time.
    pub rank: u8,
    /// Whose event it is.
    pub entity: EntityId,
}

/// Time first, then rank and sequence in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    time: u64,
    tie: u64,
}

const NEVER: Key = Key { time: u64::MAX, tie: u64::MAX };
const RANK_SHIFT: u32 = 56;

/// Pending events, at most one an entity.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Key of each slot; `NEVER` when nothing is pending.
    keys: Vec<Key>,
    /// `tree[1]` is the root; node `i` has children `2i` and `2i+1`; leaves are slots.
    tree: Vec<u32>,
    leaves: usize,
    sequence: u64,
    now: SimTime,
}

impl Queue {
    /// A queue for entities `0..entities`.
    #[must_use]
    pub fn new(entities: u32) -> Self {
        let leaves = (entities.max(2) as usize).next_power_of_two();
        let keys = vec![NEVER; leaves];
        let mut tree = vec![0u32; leaves];
        for node in (1..leaves).rev() {
            let left = if 2 * node >= leaves { 2 * node - leaves } else { tree[2 * node] as usize };
            tree[node] = left as u32;
        }
        Self { keys, tree, leaves, sequence: 0, now: SimTime::ZERO }
    }

    /// The time of the last event that fired.
    #[must_use]
    #[inline]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Whether this entity has a pending event.
    #[must_use]
    pub fn is_pending(&self, entity: EntityId) -> bool {
        self.keys[entity.index()].time != u64::MAX
    }

    /// When the next event fires.
    #[must_use]
    #[inline]
    pub fn next_time(&self) -> Option<SimTime> {
        let key = self.keys[self.tree[1] as usize];
        (key.time != u64::MAX).then(|| SimTime::from_nanos(key.time))
    }

    /// Makes `entity` fire at `at`; an event that it had pending is replaced.
    ///
    /// # Panics
    /// When `at` lies before [`Queue::now`].
    #[inline]
    pub fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        assert!(at >= self.now, "an event in the past");
        self.sequence += 1;
        let tie = (u64::from(rank) << RANK_SHIFT) | self.sequence;
        self.keys[entity.index()] = Key { time: at.as_nanos(), tie };
        self.replay(entity.index());
    }

    /// Forgets the pending event of `entity`, if any.
    pub fn cancel(&mut self, entity: EntityId) {
        self.keys[entity.index()] = NEVER;
        self.replay(entity.index());
    }

    /// Takes the first event and moves the clock to it.
    ///
    /// # Panics
    /// When time would go back.
    #[inline]
    pub fn pop(&mut self) -> Option<Fired> {
        let slot = self.tree[1] as usize;
        let key = self.keys[slot];
        if key.time == u64::MAX {
            return None;
        }
        let time = SimTime::from_nanos(key.time);
        assert!(time >= self.now, "time went back");
        self.now = time;
        self.keys[slot] = NEVER;
        self.replay(slot);
        Some(Fired { time, rank: (key.tie >> RANK_SHIFT) as u8, entity: EntityId(slot as u32) })
    }

    /// Plays the matches on the path from a slot to the root again.
    #[inline]
    fn replay(&mut self, slot: usize) {
        let mut node = slot + self.leaves;
        let mut winner = slot as u32;
        let mut best = self.keys[slot];
        while node > 1 {
            let sibling = node ^ 1;
            let rival = if sibling >= self.leaves {
                (sibling - self.leaves) as u32
            } else {
                self.tree[sibling]
            };
            let key = self.keys[rival as usize];
            if key < best {
                best = key;
                winner = rival;
            }
            node /= 2;
            self.tree[node] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::SimDuration;

    fn at(n: u64) -> SimTime {
        SimTime::from_nanos(n)
    }

    #[test]
    fn equal_times_fire_by_rank_and_then_first_come_first_served() {
        let mut q = Queue::new(5);
        q.schedule(EntityId(4), at(7), 1);
        q.schedule(EntityId(0), at(7), 1);
        q.schedule(EntityId(2), at(7), 0);
        q.schedule(EntityId(3), at(5), 9);
        let order: Vec<u32> = core::iter::from_fn(|| q.pop()).map(|f| f.entity.0).collect();
        assert_eq!(order, [3, 2, 4, 0]);
        assert_eq!(q.now(), at(7));
    }

    #[test]
    fn scheduling_again_replaces_and_cancelling_forgets() {
        let mut q = Queue::new(2);
        q.schedule(EntityId(0), at(10), 0);
        q.schedule(EntityId(0), at(20), 0);
        q.schedule(EntityId(1), at(15), 0);
        q.cancel(EntityId(1));
        assert!(!q.is_pending(EntityId(1)));
        assert_eq!(q.next_time(), Some(at(20)));
        assert_eq!(q.pop().map(|f| f.time), Some(at(20)));
        assert_eq!(q.pop(), None);
    }

    #[test]
    #[should_panic(expected = "in the past")]
    fn an_event_in_the_past_is_refused() {
        let mut q = Queue::new(2);
        q.schedule(EntityId(0), at(10), 0);
        q.pop();
        q.schedule(EntityId(0), q.now() + SimDuration::from_nanos(1), 0);
        q.schedule(EntityId(1), at(9), 0);
    }
}
