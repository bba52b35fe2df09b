//! The event queue: one slot an entity in a winner tree.
//!
//! A winner (tournament) tree keeps, for every pair of slots, the event that fires first.
//! Scheduling, re-arming and cancelling each replay one path from a leaf to the root, without a
//! branch that depends on who wins. The order is total: (time, rank, sequence), where the sequence
//! counts calls of [`Queue::schedule`].
//!
//! An event is one word (see [`layout`]), so a match is one comparison. Its time is relative to a
//! base that follows the clock, and its sequence is renumbered when its bits are used up; both
//! happen in [`Queue::repack`], rarely. An event too far ahead for the word keeps its time in full
//! in a table beside, which comes into being with the first such event, and is taken into the tree
//! when the base has come near enough. Every near event fires before every far one, so the order is
//! exact however long a delay is.
//!
//! The event that has just fired stays in its leaf until the next pop. Mostly its entity schedules
//! its next event before that, and the leaf is overwritten: one replay an event instead of two.

mod layout;

use layout::{FAR, Layout, MAX_SLOTS, NEVER};
use units::{EntityId, SimTime};

/// No slot.
const NOBODY: u32 = u32::MAX;
/// Where the first event of all stands in the tree.
const ROOT: usize = 1;

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

/// A pending event in full; the fields are in the order of comparison.
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
/// A clone is a checkpoint: 16 bytes an entity, rounded up to a power of two.
#[derive(Clone, Debug)]
pub struct Queue {
    /// `tree[1]` is the first event; node `i` has children `2i` and `2i+1`; the upper half holds
    /// the slots' own events.
    tree: Vec<u64>,
    /// Number of slots, a power of two.
    slots: u32,
    /// Whose event fired last, while it is still in its leaf.
    popped: u32,
    layout: Layout,
    /// What times in the tree are relative to, in ns; never after `now`.
    base: u64,
    /// Events before `base + window` are in the tree, others are far.
    window: u64,
    /// The next sequence, in its place in a word.
    sequence: u64,
    /// Far events by slot; an entry means something only while the slot's leaf is `FAR`.
    far: Vec<Far>,
    far_sequence: u64,
    now: SimTime,
}

impl Queue {
    /// A queue for entities `0..entities`.
    ///
    /// # Panics
    /// When there are more than 1,048,576.
    #[must_use]
    pub fn new(entities: u32) -> Self {
        assert!(entities <= MAX_SLOTS, "a queue is for at most {MAX_SLOTS} entities");
        let slots = entities.max(2).next_power_of_two();
        let layout = Layout::new(slots);
        Self {
            tree: vec![NEVER; 2 * slots as usize],
            slots,
            popped: NOBODY,
            layout,
            base: 0,
            window: layout.window(),
            sequence: 0,
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
    /// When there is no such entity.
    #[must_use]
    pub fn is_pending(&self, entity: EntityId) -> bool {
        self.tree[(self.slots + entity.0) as usize] != NEVER && entity.0 != self.popped
    }

    /// When the next event fires.
    #[must_use]
    pub fn next_time(&self) -> Option<SimTime> {
        match self.first() {
            NEVER => None,
            FAR => self.first_far(),
            word => Some(self.time(word)),
        }
    }

    /// Makes `entity` fire at `at`; an event that it had pending is replaced.
    ///
    /// # Panics
    /// When `at` lies before [`Queue::now`], or there is no such entity.
    #[inline]
    pub fn schedule(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        assert!(at >= self.now, "an event in the past");
        let since_base = at.as_nanos() - self.base;
        let fits = since_base < self.window
            && self.layout.holds(rank)
            && self.sequence < self.layout.sequence_end();
        if !fits {
            self.schedule_slowly(entity, at, rank);
            return;
        }
        let word = self.layout.pack(since_base, rank, self.sequence, entity.0);
        self.sequence += self.layout.step();
        if self.popped == entity.0 {
            self.popped = NOBODY;
        }
        self.replay(entity.0, word);
    }

    /// Forgets the pending event of `entity`, if any.
    ///
    /// # Panics
    /// When there is no such entity.
    #[inline]
    pub fn cancel(&mut self, entity: EntityId) {
        if entity.0 != self.popped {
            self.replay(entity.0, NEVER);
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
    #[inline]
    pub fn pop_until(&mut self, until: SimTime) -> Option<Fired> {
        self.settle();
        let mut word = self.tree[ROOT];
        if word >= FAR {
            if word == NEVER || self.first_far()? > until {
                return None;
            }
            word = self.bring_near();
        }
        let time = self.time(word);
        if time > until {
            return None;
        }
        assert!(time >= self.now, "time went back");
        self.now = time;
        self.popped = self.layout.slot(word);
        Some(Fired { time, rank: self.layout.rank(word), entity: EntityId(self.popped) })
    }

    /// The time of an event in the tree.
    #[inline]
    fn time(&self, word: u64) -> SimTime {
        SimTime::from_nanos(self.base + self.layout.since_base(word))
    }

    /// The first event but for the one that has already fired.
    fn first(&self) -> u64 {
        if self.popped == NOBODY {
            return self.tree[ROOT];
        }
        let mut node = (self.slots + self.popped) as usize;
        let mut best = NEVER;
        while node > ROOT {
            best = best.min(self.tree[node ^ 1]);
            node >>= 1;
        }
        best
    }

    /// Puts an event (or `NEVER`) into a slot and plays the matches up to the root again.
    #[inline]
    fn replay(&mut self, slot: u32, word: u64) {
        let tree = self.tree.as_mut_slice();
        let mut node = (self.slots + slot) as usize;
        let mut best = word;
        tree[node] = best;
        while node > ROOT {
            best = best.min(tree[node ^ 1]);
            node >>= 1;
            tree[node] = best;
        }
    }

    /// Takes the event that has fired out of its leaf, unless its entity put another one there.
    #[inline]
    fn settle(&mut self) {
        if self.popped != NOBODY {
            self.replay(self.popped, NEVER);
            self.popped = NOBODY;
        }
    }

    /// Schedules what does not fit as things are: repacks first, or keeps the event beside the tree.
    #[cold]
    #[inline(never)]
    fn schedule_slowly(&mut self, entity: EntityId, at: SimTime, rank: u8) {
        // An event within half a window of now comes into the tree by moving the base to now. Then
        // at least half a window has passed since the last move, so moves stay rare.
        let soon = (at - self.now).as_nanos() < self.window / 2;
        let near = at.as_nanos() - self.base < self.window;
        let renumber = self.sequence >= self.layout.sequence_end();
        if renumber || !self.layout.holds(rank) || (soon && !near) {
            self.repack(self.now.as_nanos(), self.layout.with_rank(rank));
        }
        self.settle();
        let word = self.word(entity.0, at.as_nanos(), rank);
        self.replay(entity.0, word);
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
            self.far = vec![Far::default(); self.slots as usize];
        }
        self.far[slot as usize] = Far { time, rank, sequence: self.far_sequence, slot };
        self.far_sequence += 1;
        FAR
    }

    /// The slots' own events.
    fn leaves(&self) -> &[u64] {
        &self.tree[self.slots as usize..]
    }

    /// Far events, in no order.
    fn far(&self) -> impl Iterator<Item = Far> + '_ {
        self.far.iter().zip(self.leaves()).filter(|&(_, &leaf)| leaf == FAR).map(|(far, _)| *far)
    }

    /// When the first far event fires.
    #[cold]
    #[inline(never)]
    fn first_far(&self) -> Option<SimTime> {
        self.far().map(|far| far.time).min().map(SimTime::from_nanos)
    }

    /// Moves the base to the first far event, which is the next to fire, and returns it.
    #[cold]
    #[inline(never)]
    fn bring_near(&mut self) -> u64 {
        let first = self.first_far().expect("a far event is pending");
        self.repack(first.as_nanos(), self.layout);
        self.tree[ROOT]
    }

    /// Packs everything anew, relative to another base: events are numbered from 0 in their order,
    /// and far ones that are near now come into the tree.
    fn repack(&mut self, base: u64, layout: Layout) {
        self.settle();
        let mut near: Vec<u64> = self.leaves().iter().copied().filter(|&w| w < FAR).collect();
        near.sort_unstable();
        let mut far: Vec<Far> = self.far().collect();
        far.sort_unstable();
        let (old, old_base) = (self.layout, self.base);
        self.layout = layout;
        self.window = layout.window();
        self.base = base;
        self.sequence = 0;
        let near =
            near.into_iter().map(|w| (old.slot(w), old_base + old.since_base(w), old.rank(w)));
        let far = far.into_iter().map(|f| (f.slot, f.time, f.rank));
        // Near ones come before far ones, so this is the order in which all of them fire.
        for (slot, time, rank) in near.chain(far) {
            let word = self.word(slot, time, rank);
            self.tree[(self.slots + slot) as usize] = word;
        }
        for node in (ROOT..self.slots as usize).rev() {
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
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
