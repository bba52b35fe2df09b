//! Slots that are given back, and swap cache that is kept.

use super::area::State;
use super::passage::{Passage, SwapLock};
use super::{Slot, Swap, old};

impl Swap {
    /// The lock that is needed to free a slot, or a run that begins with it.
    #[must_use]
    pub fn free_lock(&self, slot: Slot, pages: u32, cpu: u32) -> SwapLock {
        if !self.design().slot_caches {
            SwapLock::Cluster(slot.device(), slot.offset() / self.cluster)
        } else if pages == 1 && self.caches.active {
            SwapLock::SlotCache(cpu)
        } else {
            SwapLock::Device(slot.device())
        }
    }

    /// Frees a run of slots of one cluster. The passages are added to `passages`: the first is that
    /// of [`Self::free_lock`].
    ///
    /// # Panics
    /// When one of the slots is not used.
    pub fn free(&mut self, slot: Slot, pages: u32, cpu: u32, passages: &mut Vec<Passage>) {
        let lock = self.free_lock(slot, pages, cpu);
        if let SwapLock::SlotCache(cpu) = lock {
            let mut work = Passage::new(lock);
            work.slots = 1;
            passages.push(work);
            let cache = &mut self.caches.cpus[cpu as usize];
            if cache.freed.len() == old::CACHE {
                let freed = core::mem::take(&mut cache.freed);
                self.give_back(freed, passages);
            }
            let cache = &mut self.caches.cpus[cpu as usize];
            debug_assert!(!cache.freed.contains(&slot), "a slot is freed once");
            cache.freed.push(slot);
            // It is still marked as used, but nothing is left in it that could be dropped.
            self.set_cache_only(slot, false);
            return;
        }
        let mut work = Passage::new(lock);
        let edge = self.put(slot, pages, &mut work);
        if let SwapLock::Cluster(d, _) = lock
            && work.list_ops > 0
        {
            let list_ops = core::mem::take(&mut work.list_ops);
            passages.push(work);
            passages.push(Passage { list_ops, ..Passage::new(SwapLock::Device(d)) });
        } else {
            passages.push(work);
        }
        passages.extend(edge);
    }

    /// Gives slots back to their devices, one hold of si->lock a device.
    fn give_back(&mut self, mut slots: Vec<Slot>, passages: &mut Vec<Passage>) {
        slots.sort_unstable();
        let mut edges = Vec::new();
        for group in slots.chunk_by(|a, b| a.device() == b.device()) {
            let mut work = Passage::new(SwapLock::Device(group[0].device()));
            for &slot in group {
                edges.extend(self.put(slot, 1, &mut work));
            }
            passages.push(work);
        }
        passages.append(&mut edges);
    }

    /// Empties the slot caches of all CPUs.
    pub(super) fn drain_caches(&mut self) {
        for cpu in 0..self.caches.cpus.len() {
            let cache = &mut self.caches.cpus[cpu];
            let mut slots = core::mem::take(&mut cache.slots);
            slots.append(&mut cache.freed);
            self.give_back(slots, &mut Vec::new());
        }
    }

    fn put(&mut self, slot: Slot, pages: u32, work: &mut Passage) -> Option<Passage> {
        let (c, at) = (slot.offset() / self.cluster, slot.offset() % self.cluster);
        let ((), edge) = self.on_device(slot.device(), |device, _| {
            device.area.put(c, at, pages);
            device.used -= pages;
            if let Some(scan) = &mut device.scan {
                for offset in slot.offset()..slot.offset() + pages {
                    scan.freed(offset);
                }
            }
            work.slots += pages;
            work.list_ops += device.freed(c);
        });
        edge
    }

    /// Says that the page of a used slot was read back and left in the swap cache, clean: the slot
    /// can be taken when swap runs full. Or that this is no longer so.
    ///
    /// # Panics
    /// When the slot is not used.
    pub fn set_cache_only(&mut self, slot: Slot, cached: bool) {
        self.devices[usize::from(slot.device())].area.set_cached(slot.offset(), cached);
    }

    /// Whether a slot holds nothing but clean swap cache.
    #[must_use]
    pub fn is_cache_only(&self, slot: Slot) -> bool {
        self.devices[usize::from(slot.device())].area.is_cached(slot.offset())
    }

    /// Whether a slot is used.
    #[must_use]
    pub fn is_used(&self, slot: Slot) -> bool {
        self.devices[usize::from(slot.device())].area.is_used(slot.offset())
    }

    /// Frees the slots of full clusters of a device that hold nothing but clean swap cache, as the
    /// device's worker does when it ran full (7.3 mm/swapfile.c:swap_reclaim_work). Returns how
    /// many; the passages are added to `passages`.
    pub fn reclaim_full(&mut self, d: u8, passages: &mut Vec<Passage>) -> u32 {
        let device = &self.devices[usize::from(d)];
        let clusters = device.clusters(State::Full, 0).min(device.used.div_ceil(self.cluster));
        let mut freed = 0;
        for _ in 0..clusters {
            let Some(c) = self.devices[usize::from(d)].area.head(State::Full, 0) else { break };
            let mut isolate = Passage::new(SwapLock::Device(d));
            let mut work = Passage::new(SwapLock::Cluster(d, c));
            let (gone, edge) = self.on_device(d, |device, lost| {
                isolate.list_ops = device.area.detach(c);
                device.reclaim(c, lost, &mut work)
            });
            freed += gone;
            passages.extend([isolate, work]);
            passages.extend(edge);
        }
        freed
    }

    /// Tells a device of up to `most` freed clusters, which can be used again then; how many it
    /// was.
    pub fn discard(&mut self, d: u8, most: u32) -> u32 {
        self.devices[usize::from(d)].discard(most)
    }
}
