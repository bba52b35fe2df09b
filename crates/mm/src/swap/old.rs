//! Up to 6.14: 64 slots a CPU ahead of need (mm/swap_slots.c), and a device's clusters searched
//! under its si->lock, free ones first (6.12 mm/swapfile.c:cluster_alloc_swap_entry).

use super::Slot;
use super::area::{ORDERS, State};
use super::device::Device;
use super::passage::Passage;

/// Slots that a CPU takes at once, and that it keeps before it gives them back (6.12
/// include/linux/swap_slots.h: SWAP_SLOTS_CACHE_SIZE).
pub(super) const CACHE: usize = 64;
/// The caches are used above so many free slots a CPU, and no longer below so many.
const ACTIVATE: u64 = 5 * CACHE as u64;
const DEACTIVATE: u64 = 2 * CACHE as u64;

/// The slot caches of all CPUs.
#[derive(Clone, Debug)]
pub(super) struct SlotCaches {
    pub(super) active: bool,
    pub(super) cpus: Vec<SlotCache>,
}

/// The slot cache of a CPU.
#[derive(Clone, Debug, Default)]
pub(super) struct SlotCache {
    /// Slots to be given out, the next one last.
    pub(super) slots: Vec<Slot>,
    /// Slots that were freed.
    pub(super) freed: Vec<Slot>,
}

impl SlotCaches {
    pub(super) fn new(cpus: u32) -> Self {
        Self { active: false, cpus: vec![SlotCache::default(); cpus as usize] }
    }

    /// Whether they are used with so many free slots; and whether they are given up just now.
    pub(super) fn look(&mut self, free: u64) -> (bool, bool) {
        let cpus = self.cpus.len() as u64;
        if !self.active {
            self.active = free > cpus * ACTIVATE;
            return (self.active, false);
        }
        let given_up = free < cpus * DEACTIVATE;
        self.active = !given_up;
        (self.active, given_up)
    }
}

impl Device {
    /// Takes up to `want` slots, or one run of 2^order.
    #[expect(clippy::too_many_arguments, reason = "all of it is one hold of si->lock")]
    pub(super) fn take_old(
        &mut self,
        cpu: u32,
        order: u32,
        want: usize,
        cached: bool,
        slots: &mut Vec<u32>,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) {
        if self.config.rotational {
            if order == 0 {
                self.scan_slots(want, cached, slots, lost, work);
            }
            return;
        }
        if order > 0 && !self.config.block {
            return;
        }
        while slots.len() < want {
            let Some(slot) = self.search_old(cpu, order, cached, lost, work) else { break };
            slots.push(slot);
        }
    }

    fn search_old(
        &mut self,
        cpu: u32,
        order: u32,
        cached: bool,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) -> Option<u32> {
        let found = self.search_lists_old(cpu, order, cached, lost, work);
        self.percpu[cpu as usize][order as usize] = found.map_or(0, |(_, next)| next);
        found.map(|(slot, _)| slot)
    }

    fn search_lists_old(
        &mut self,
        cpu: u32,
        order: u32,
        cached: bool,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) -> Option<(u32, u32)> {
        let (o, size) = (order as usize, self.area.size);
        loop {
            let next = self.percpu[cpu as usize][o];
            if next != 0 && self.is_usable(next / size, order) {
                let found = self.take_in_place(next / size, next % size, order, cached, lost, work);
                if found.is_some() {
                    return found;
                }
            }
            if let Some(c) = self.area.head(State::Free, 0) {
                return self.take_in_place(c, 0, order, cached, lost, work);
            }
            if cached && let Some(c) = self.area.head(State::Full, 0) {
                work.list_ops += self.area.detach(c);
                self.reclaim(c, lost, work);
            }
            if o < ORDERS - 1
                && let Some(found) = self.search_partial(order, cached, lost, work)
            {
                return Some(found);
            }
            let told = self.discard(u32::MAX);
            work.discarded += told;
            if told == 0 {
                break;
            }
        }
        if order > 0 {
            return None;
        }
        for o in 1..ORDERS {
            for state in [State::Frag, State::NonFull] {
                if let Some(c) = self.area.head(state, o) {
                    let found = self.take_in_place(c, 0, 0, cached, lost, work);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// Clusters of the order itself, partly used: those with freed slots, then the others, each at
    /// most once.
    fn search_partial(
        &mut self,
        order: u32,
        cached: bool,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) -> Option<(u32, u32)> {
        let o = order as usize;
        let mut looked = 0;
        while let Some(c) = self.area.head(State::NonFull, o) {
            work.list_ops += self.area.move_to(c, State::Frag);
            looked += 1;
            let found = self.take_in_place(c, 0, order, cached, lost, work);
            if found.is_some() {
                return found;
            }
        }
        while looked < self.area.len(State::Frag, o)
            && let Some(c) = self.area.head(State::Frag, o)
        {
            work.list_ops += self.area.move_to(c, State::Frag);
            looked += 1;
            let found = self.take_in_place(c, 0, order, cached, lost, work);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Takes a run out of a cluster that stays on its list unless it was free or is full now: a
    /// fresh one goes to those with freed slots (6.12 mm/swapfile.c:cluster_alloc_range).
    fn take_in_place(
        &mut self,
        c: u32,
        at: u32,
        order: u32,
        cached: bool,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) -> Option<(u32, u32)> {
        let (n, size) = (1 << order, self.area.size);
        let cluster = &self.area.clusters[c as usize];
        let (fresh, count) = (cluster.count == 0, u32::from(cluster.count));
        if !cached && count + n > size {
            return None;
        }
        let (found, seen) = self.area.find(c, at, order, cached);
        work.scanned += seen;
        let at = found?;
        if fresh {
            self.set_order(c, order as u8);
        }
        let gone = self.area.take(c, at, n, lost);
        self.count_taken(n, gone);
        work.slots += n;
        let full = u32::from(self.area.clusters[c as usize].count) == size;
        if full {
            work.list_ops += self.area.move_to(c, State::Full);
        } else if fresh {
            work.list_ops += self.area.move_to(c, State::NonFull);
        }
        let next = if !full && at + 2 * n <= size { c * size + at + n } else { 0 };
        Some((c * size + at, next))
    }
}
