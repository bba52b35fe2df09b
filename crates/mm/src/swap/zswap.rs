//! zswap: pages compressed in memory before a device is written (mm/zswap.c).
//!
//! A page is stored unless the pool is at its limit; from then on none is until the pool has fallen
//! below the threshold, and the oldest entries are written back to make it fall. With a slot of the
//! device each entry keeps the slot that it was given before; under virtual swap it has a virtual
//! one, and a real one is looked for only when it is written back.

use super::{DEVICES_MAX, SLOTS_MAX, Slot};
use std::collections::{BTreeMap, VecDeque};
use units::SimDuration;

/// The device number of virtual slots.
const VIRTUAL: u8 = DEVICES_MAX as u8 - 1;

/// What it is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZswapConfig {
    /// The caller's time for compressing a page.
    pub write: SimDuration,
    /// For decompressing one.
    pub read: SimDuration,
    /// What a stored page takes of memory, in thousandths of a page.
    pub stored_per_mille: u32,
    /// Most memory that it takes, in bytes (max_pool_percent).
    pub max: u64,
    /// The memory below which a pool that was full takes pages again (accept_threshold_percent).
    pub accept: u64,
    /// Entries that are written back for a page that was refused.
    pub batch: u32,
    /// Whether slots are virtual until an entry is written back.
    pub is_virtual: bool,
}

/// What is stored.
#[derive(Clone, Debug)]
pub struct Zswap {
    /// What it is like.
    pub config: ZswapConfig,
    /// The stored slots, each with the number of its store.
    entries: BTreeMap<Slot, u64>,
    /// The same in the order of storing, with some that are gone.
    oldest: VecDeque<(Slot, u64)>,
    stores: u64,
    /// Whether the limit was reached and the pool has not fallen below the threshold since.
    full: bool,
    /// The real slots of virtual ones that were written back.
    backing: BTreeMap<Slot, Slot>,
    /// Virtual slots: the next new one, and those that are free again.
    next: u32,
    spare: Vec<u32>,
}

impl Zswap {
    /// An empty one.
    #[must_use]
    pub fn new(config: ZswapConfig) -> Self {
        Self {
            config,
            entries: BTreeMap::new(),
            oldest: VecDeque::new(),
            stores: 0,
            full: false,
            backing: BTreeMap::new(),
            next: 1,
            spare: Vec::new(),
        }
    }

    /// Bytes that a stored page takes.
    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        u64::from(self.config.stored_per_mille) * units::PAGE_SIZE / 1_000
    }

    /// Bytes that all stored pages take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.entries.len() as u64 * self.page_bytes()
    }

    /// How many pages are stored.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Whether the limit was reached and the pool has not fallen below the threshold since.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Whether a page is taken now (zswap_check_limits).
    pub fn accepts(&mut self) -> bool {
        let bytes = self.bytes();
        self.full = if self.full { bytes > self.config.accept } else { bytes >= self.config.max };
        !self.full
    }

    /// Takes a page with this slot.
    pub fn store(&mut self, slot: Slot) {
        self.stores += 1;
        self.entries.insert(slot, self.stores);
        self.oldest.push_back((slot, self.stores));
        if self.oldest.len() > 2 * self.entries.len() + 64 {
            let entries = &self.entries;
            self.oldest.retain(|(slot, store)| entries.get(slot) == Some(store));
        }
    }

    /// Whether a slot's page is stored here.
    #[must_use]
    pub fn has(&self, slot: Slot) -> bool {
        self.entries.contains_key(&slot)
    }

    /// Takes the oldest entry out, to be written back.
    pub fn take_oldest(&mut self) -> Option<Slot> {
        loop {
            let (slot, store) = self.oldest.pop_front()?;
            if self.entries.get(&slot) == Some(&store) {
                self.entries.remove(&slot);
                return Some(slot);
            }
        }
    }

    /// A virtual slot, if there is one left.
    pub fn virtual_slot(&mut self) -> Option<Slot> {
        let offset = self.spare.pop().or_else(|| {
            let next = self.next;
            (next < SLOTS_MAX).then(|| {
                self.next += 1;
                next
            })
        })?;
        Some(Slot::new(VIRTUAL, offset))
    }

    /// Whether a slot is a virtual one.
    #[must_use]
    pub fn is_virtual(&self, slot: Slot) -> bool {
        self.config.is_virtual && slot.device() == VIRTUAL
    }

    /// Gives a virtual slot a real one.
    pub fn back(&mut self, slot: Slot, real: Slot) {
        self.backing.insert(slot, real);
    }

    /// The slot on a device that a slot stands for; none when its page is stored here without one.
    #[must_use]
    pub fn real(&self, slot: Slot) -> Option<Slot> {
        if self.is_virtual(slot) { self.backing.get(&slot).copied() } else { Some(slot) }
    }

    /// A slot is used no more: whether its page was stored here, and the slot on a device that has
    /// to be freed.
    pub fn free(&mut self, slot: Slot) -> (bool, Option<Slot>) {
        let was_stored = self.entries.remove(&slot).is_some();
        if !self.is_virtual(slot) {
            return (was_stored, Some(slot));
        }
        self.spare.push(slot.offset());
        (was_stored, self.backing.remove(&slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(is_virtual: bool) -> Zswap {
        Zswap::new(ZswapConfig {
            write: SimDuration::ZERO,
            read: SimDuration::ZERO,
            stored_per_mille: 250,
            max: 4 << 10,
            accept: 2 << 10,
            batch: 1,
            is_virtual,
        })
    }

    #[test]
    fn a_full_pool_refuses_until_it_has_fallen_below_the_threshold() {
        let mut pool = pool(false);
        let slot = |n| Slot::new(0, n);
        for n in 1..=4 {
            assert!(pool.accepts());
            pool.store(slot(n));
        }
        assert!(!pool.accepts(), "four quarters of a page are the limit");
        assert_eq!(pool.take_oldest(), Some(slot(1)));
        assert!(!pool.accepts(), "hysteresis");
        assert_eq!(pool.free(slot(2)), (true, Some(slot(2))));
        assert!(pool.accepts());
        pool.store(slot(2));
        assert_eq!([pool.take_oldest(), pool.take_oldest()], [Some(slot(3)), Some(slot(4))]);
        assert_eq!((pool.take_oldest(), pool.take_oldest()), (Some(slot(2)), None));
        assert_eq!(pool.free(slot(1)), (false, Some(slot(1))));
    }

    #[test]
    fn a_virtual_slot_has_a_real_one_only_after_writeback() {
        let mut pool = pool(true);
        let first = pool.virtual_slot().expect("a slot");
        pool.store(first);
        assert_eq!((pool.real(first), pool.has(first)), (None, true));
        assert_eq!(pool.take_oldest(), Some(first));
        pool.back(first, Slot::new(2, 7));
        assert_eq!(pool.real(first), Some(Slot::new(2, 7)));
        assert_eq!(pool.free(first), (false, Some(Slot::new(2, 7))));
        assert_eq!(pool.virtual_slot(), Some(first), "it is free again");
        let second = pool.virtual_slot().expect("a slot");
        pool.store(second);
        assert_eq!(pool.free(second), (true, None));
        assert_ne!(first, second);
    }

    #[test]
    fn what_is_gone_does_not_pile_up() {
        let mut pool = pool(false);
        for round in 1..10_000 {
            pool.store(Slot::new(1, round));
            pool.free(Slot::new(1, round));
        }
        assert!(pool.oldest.len() < 100 && pool.pages() == 0);
    }
}
