//! The event queue: one slot an entity in a winner tree.
//!
//! A winner (tournament) tree keeps, for every pair of slots, the event that fires first.
//! Scheduling, re-arming and cancelling each replay one path from a leaf to the root, without a
//! branch that depends on who wins. The order is total: (time, rank, sequence), where the sequence
//! counts calls of [`Queue::schedule`].
//!
//! An event is one word (see `layout`), so a match is one comparison. Its time is relative to a
//! base that follows the clock, and its sequence is renumbered when its bits are used up; both
//! happen in `repack`, rarely. An event too far ahead for the word keeps its time in full
//! in a table beside, which comes into being with the first such event, and is taken into the tree
//! when the base has come near enough. Every near event fires before every far one, so the order is
//! exact however long a delay is.
//!
//! The event that has just fired stays in its leaf until the next pop. Mostly its entity schedules
//! its next event before that, and the leaf is overwritten: one replay an event instead of two.

mod layout;
mod tree;

use layout::{FAR, Layout, MAX_SLOTS, NEVER};
use tree::Tree;
use units::{EntityId, SimTime};

/// No slot.
const NOBODY: u32 = u32::MAX;

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

/// An event in full. The order of the fields is the order in which events fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Far {
    time: u64,
    rank: u8,
    /// Counts far events of the whole run.
    sequence: u64,
    slot: u32,
}

/// Pending events, at most one an entity.
///
/// There are as many slots as entities, rounded up to a power of two. A clone is a checkpoint: 16
/// bytes a slot, and 24 more once an event was ever too far ahead for a word.
#[derive(Clone, Debug)]
pub struct Queue {
    tree: Tree,
    /// Whose event fired last, while it is still in its leaf.
    popped: u32,
    layout: Layout,
    /// What times in the tree are relative to, in ns; never after `now`.
    base: u64,
    /// Events before `base + window` are in the tree, others are far.
    window: u64,
    /// The next sequence, in its place in a word.
    sequence: u64,
    /// The first sequence that is too large.
    sequence_end: u64,
    /// Far events by slot; an entry means something only while the slot's leaf is `FAR`.
    far: Vec<Far>,
    far_sequence: u64,
    now: SimTime,
}

impl Queue {
    /// A queue for entities `0..entities`.
    ///
    /// # Panics
    /// When there are more than 131,072.
    #[must_use]
    pub fn new(entities: u32) -> Self {
        assert!(entities <= MAX_SLOTS, "a queue is for at most {MAX_SLOTS} entities");
        let slots = entities.max(2).next_power_of_two();
        let layout = Layout::new(slots);
        Self {
            tree: Tree::new(slots),
            popped: NOBODY,
            layout,
            base: 0,
            window: layout.window(),
            sequence: 0,
            sequence_end: layout.sequence_end(),
            far: Vec::new(),
            far_sequence: 0,
            now: SimTime::ZERO,
        }
    }

    /// The time of the last event that fired.
    #[must_use]
    #[inline]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Whether this entity has a pending event.
    ///
    /// # Panics
    /// When the entity lies beyond the slots.
    #[must_use]
    pub fn is_pending(&self, entity: EntityId) -> bool {
        self.tree.leaves()[entity.index()] != NEVER && entity.0 != self.popped
    }

    /// Whether nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first() == NEVER
    }

    /// When the next event fires.
    #[must_use]
    pub fn next_time(&self) -> Option<SimTime> {
        self.next().map(|next| next.time)
    }

    /// The next event, without taking it.
    #[must_use]
    pub fn next(&self) -> Option<Fired> {
        match self.first() {
            NEVER => None,
            FAR => self.first_far(),
            word => Some(self.fired(word)),
        }
    }

    /// Makes `entity` fire at `at`; an event that it had pending is replaced.
    ///
    /// # Panics
    /// When `at` lies before [`Queue::now`], or the entity lies beyond the slots.
    #[inline]
    pub fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        assert!(at >= self.now, "an event in the past");
        let since_base = at.as_nanos() - self.base;
        if since_base >= self.window || self.sequence >= self.sequence_end {
            self.schedule_slowly(entity, at, rank);
            return;
        }
        let word = self.layout.pack(since_base, rank, self.sequence, entity.0);
        self.sequence += self.layout.step();
        if self.popped == entity.0 {
            self.popped = NOBODY;
        }
        self.tree.put(entity.0, word);
    }

    /// Forgets the pending event of `entity`, if any.
    ///
    /// # Panics
    /// When the entity lies beyond the slots.
    pub fn cancel(&mut self, entity: EntityId) {
        if entity.0 != self.popped {
            self.tree.put(entity.0, NEVER);
        }
    }

    /// Takes the first event and moves the clock to it.
    ///
    /// # Panics
    /// When time would go back.
    #[inline]
    pub fn pop(&mut self) -> Option<Fired> {
        self.pop_until(SimTime::MAX)
    }

    /// Takes the first event, if it fires at `until` or before, and moves the clock to it.
    ///
    /// # Panics
    /// When time would go back.
    #[inline(always)] // What it returns would go through memory, on the longest path of a run loop.
    pub fn pop_until(&mut self, until: SimTime) -> Option<Fired> {
        self.settle();
        let mut word = self.tree.first();
        if word >= FAR {
            if word == NEVER || self.first_far()?.time > until {
                return None;
            }
            word = self.bring_near();
        }
        let fired = self.fired(word);
        if fired.time > until {
            return None;
        }
        assert!(fired.time >= self.now, "time went back");
        self.now = fired.time;
        self.popped = fired.entity.0;
        Some(fired)
    }

    /// The word of the first event but for the one that has already fired.
    fn first(&self) -> u64 {
        match self.popped {
            NOBODY => self.tree.first(),
            slot => self.tree.first_but(slot),
        }
    }

    /// What an event in the tree is when it fires.
    #[inline]
    fn fired(&self, word: u64) -> Fired {
        let (since_base, rank) = self.layout.time_and_rank(word);
        let time = SimTime::from_nanos(self.base + since_base);
        Fired { time, rank, entity: EntityId(self.layout.slot(word)) }
    }

    /// Takes the event that has fired out of its leaf, unless its entity put another one there.
    #[inline]
    fn settle(&mut self) {
        if self.popped != NOBODY {
            self.tree.put(self.popped, NEVER);
            self.popped = NOBODY;
        }
    }

    /// Schedules what does not fit as things are: repacks first, or keeps the event beside the
    /// tree.
    #[cold]
    #[inline(never)]
    fn schedule_slowly(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        self.settle();
        // An event within half a window of now comes into the tree by moving the base to now. Then
        // at least half a window has passed since the last move, so moves stay rare.
        let soon = (at - self.now).as_nanos() < self.window / 2;
        let near = at.as_nanos() - self.base < self.window;
        if (soon && !near) || self.sequence >= self.sequence_end {
            self.repack(self.now.as_nanos());
        }
        let word = self.word(entity.0, at.as_nanos(), rank);
        self.tree.put(entity.0, word);
    }

    /// The next event in sequence, as what its leaf must hold.
    fn word(&mut self, slot: u32, time: u64, rank: u8) -> u64 {
        let since_base = time - self.base;
        if since_base < self.window {
            let word = self.layout.pack(since_base, rank, self.sequence, slot);
            self.sequence += self.layout.step();
            return word;
        }
        if self.far.is_empty() {
            self.far = vec![Far::default(); self.tree.leaves().len()];
        }
        self.far[slot as usize] = Far { time, rank, sequence: self.far_sequence, slot };
        self.far_sequence += 1;
        FAR
    }

    /// Far events, in no order.
    fn far(&self) -> impl Iterator<Item = Far> + '_ {
        let leaves = self.tree.leaves().iter();
        self.far.iter().zip(leaves).filter(|&(_, &leaf)| leaf == FAR).map(|(far, _)| *far)
    }

    /// The first far event.
    #[cold]
    #[inline(never)]
    fn first_far(&self) -> Option<Fired> {
        let far = self.far().min()?;
        let time = SimTime::from_nanos(far.time);
        Some(Fired { time, rank: far.rank, entity: EntityId(far.slot) })
    }

    /// Moves the base to the first far event, which is the next to fire, and returns it.
    #[cold]
    #[inline(never)]
    fn bring_near(&mut self) -> u64 {
        let first = self.first_far().expect("a far event is pending");
        self.repack(first.time.as_nanos());
        self.tree.first()
    }

    /// Packs everything anew, relative to another base: events are numbered from 0 in the order in
    /// which they fire, and far ones that are near now come into the tree. Nothing that has fired
    /// may still be in its leaf.
    fn repack(&mut self, base: u64) {
        let mut near: Vec<u64> =
            self.tree.leaves().iter().copied().filter(|&word| word < FAR).collect();
        near.sort_unstable();
        let mut far: Vec<Far> = self.far().collect();
        far.sort_unstable();
        let (layout, old_base) = (self.layout, self.base);
        self.base = base;
        self.sequence = 0;
        let near = near.into_iter().map(|word| {
            let (since_base, rank) = layout.time_and_rank(word);
            (layout.slot(word), old_base + since_base, rank)
        });
        let far = far.into_iter().map(|far| (far.slot, far.time, far.rank));
        // Near ones fire before far ones.
        let words: Vec<(u32, u64)> =
            near.chain(far).map(|(slot, time, rank)| (slot, self.word(slot, time, rank))).collect();
        self.tree.put_all(&words);
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
