//! One swap device: its slots, what its CPUs remember of it, and the moves of its clusters between
//! lists.

use super::area::{Area, ORDERS, State};
use super::passage::Passage;
use super::slot_scan::SlotScan;

/// A device as it is switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceConfig {
    /// Slots, the first of which holds the header; at most 2^28.
    pub slots: u32,
    /// Its priority, 0 to 32767; the kernel's default when none.
    pub priority: Option<i16>,
    /// Whether it turns (no SWP_SOLIDSTATE).
    pub rotational: bool,
    /// Whether freed clusters are discarded before they are used again (SWP_PAGE_DISCARD).
    pub discard: bool,
    /// Whether it is a block device: a swap file takes no large folio.
    pub block: bool,
    /// The node that it is attached to, if it is to one.
    pub node: Option<u8>,
}

impl DeviceConfig {
    /// A block device that does not turn, of so many slots, with the default priority.
    #[must_use]
    pub fn new(slots: u32) -> Self {
        Self { slots, priority: None, rotational: false, discard: false, block: true, node: None }
    }
}

/// Slots that a CPU goes on from, by order; 0 when none (the header's slot is never given out).
pub(super) type Next = [u32; ORDERS];

/// A device that is on.
#[derive(Clone, Debug)]
pub struct Device {
    pub(super) config: DeviceConfig,
    /// The priority in force.
    pub(super) priority: i32,
    /// Whether slots may be taken (SWP_WRITEOK).
    pub(super) writable: bool,
    /// Whether it is on the list of devices with free slots.
    pub(super) available: bool,
    /// Used slots without the header.
    pub(super) used: u32,
    /// The most that were used.
    pub(super) peak: u32,
    /// Slots given out since it is on.
    pub(super) taken: u64,
    pub(super) area: Area,
    /// Where each CPU goes on (B, C and the slot cache era).
    pub(super) percpu: Vec<Next>,
    /// Where all CPUs go on, on a rotational device.
    pub(super) global: Next,
    /// How a rotational device is searched in the slot cache era.
    pub(super) scan: Option<SlotScan>,
}

impl Device {
    pub(super) fn new(config: DeviceConfig, priority: i32, cluster: u32, cpus: u32) -> Self {
        Self {
            config,
            priority,
            writable: true,
            available: true,
            used: 0,
            peak: 0,
            taken: 0,
            area: Area::new(cluster, config.slots),
            percpu: vec![[0; ORDERS]; cpus as usize],
            global: [0; ORDERS],
            scan: None,
        }
    }

    /// How it was switched on.
    #[must_use]
    pub fn config(&self) -> &DeviceConfig {
        &self.config
    }

    /// The priority in force.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Slots that can be used: all but the header's.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.config.slots - 1
    }

    /// Used slots.
    #[must_use]
    pub fn used(&self) -> u32 {
        self.used
    }

    /// The most slots that were used at once.
    #[must_use]
    pub fn peak(&self) -> u32 {
        self.peak
    }

    /// Slots given out since it is on.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether it is offered to those who look for a slot.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.available
    }

    /// Clusters that stand on a list (of this order, where there is one an order).
    #[must_use]
    pub fn clusters(&self, state: State, order: usize) -> u32 {
        if state == State::Isolated { 0 } else { self.area.len(state, order) }
    }

    /// The used slots, in order, without the header.
    pub fn used_slots(&self) -> impl Iterator<Item = u32> + '_ {
        (1..self.config.slots).filter(|&offset| self.area.is_used(offset))
    }

    /// Whether a cluster can serve an order: it is empty, of that order, or the order is 0 (7.3
    /// mm/swapfile.c:cluster_is_usable).
    pub(super) fn is_usable(&self, c: u32, order: u32) -> bool {
        let cluster = &self.area.clusters[c as usize];
        cluster.state != State::Discard
            && (order == 0 || cluster.count == 0 || u32::from(cluster.order) == order)
    }

    /// Takes a run out of a cluster from `at` on (7.3 mm/swapfile.c:alloc_swap_scan_cluster), puts
    /// the cluster where it belongs then, and returns the slot and where to go on, 0 for nowhere.
    /// `cached`: slots with nothing but clean swap cache may be taken.
    pub(super) fn take_from(
        &mut self,
        c: u32,
        at: u32,
        order: u32,
        cached: bool,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) -> Option<(u32, u32)> {
        let (n, size) = (1 << order, self.area.size);
        let enough = cached || u32::from(self.area.clusters[c as usize].count) + n <= size;
        let (found, seen) = if enough { self.area.find(c, at, order, cached) } else { (None, 0) };
        work.scanned += seen;
        let mut next = 0;
        if let Some(at) = found {
            if self.area.clusters[c as usize].count == 0 {
                self.set_order(c, order as u8);
            }
            let gone = self.area.take(c, at, n, lost);
            self.count_taken(n, gone);
            work.slots += n;
            let full = u32::from(self.area.clusters[c as usize].count) == size;
            if !full && at + 2 * n <= size {
                next = c * size + at + n;
            }
        }
        work.list_ops += self.relocate(c);
        found.map(|at| (c * size + at, next))
    }

    /// Gives an empty cluster to an order; it leaves the list of free ones with that.
    pub(super) fn set_order(&mut self, c: u32, order: u8) {
        // A list is one of an order: no node may stay behind on the old one's.
        let state = self.area.clusters[c as usize].state;
        debug_assert!(matches!(state, State::Isolated | State::Free | State::Discard));
        self.area.clusters[c as usize].order = order;
    }

    pub(super) fn count_taken(&mut self, n: u32, gone: u32) {
        self.used = self.used + n - gone;
        self.peak = self.peak.max(self.used);
        self.taken += u64::from(n);
    }

    /// Puts a cluster on the list that an allocation leaves it on (7.3
    /// mm/swapfile.c:relocate_cluster). Returns how many list nodes moved.
    pub(super) fn relocate(&mut self, c: u32) -> u32 {
        let cluster = &self.area.clusters[c as usize];
        let state = match u32::from(cluster.count) {
            0 if cluster.state == State::Discard => return 0,
            0 => State::Free,
            n if n == self.area.size => State::Full,
            _ => State::Frag,
        };
        if cluster.state == state { 0 } else { self.area.move_to(c, state) }
    }

    /// Puts a cluster on the list that a free leaves it on. One that somebody looks through is put
    /// in its place by him.
    pub(super) fn freed(&mut self, c: u32) -> u32 {
        let cluster = &self.area.clusters[c as usize];
        let state = match cluster.count {
            0 if self.config.discard => State::Discard,
            0 => State::Free,
            _ => State::NonFull,
        };
        if cluster.state == state || cluster.state == State::Isolated {
            return 0;
        }
        self.area.move_to(c, state)
    }

    /// Frees the slots of an isolated full cluster that hold nothing but clean swap cache (7.3
    /// mm/swapfile.c:swap_reclaim_full_clusters).
    pub(super) fn reclaim(&mut self, c: u32, lost: &mut Vec<u32>, work: &mut Passage) -> u32 {
        let gone = self.area.drop_cached(c, lost);
        work.scanned += self.area.size;
        work.slots += gone;
        self.used -= gone;
        work.list_ops += match self.area.clusters[c as usize].count {
            0 if self.config.discard => self.area.move_to(c, State::Discard),
            _ if gone == 0 => self.relocate(c),
            0 => self.area.move_to(c, State::Free),
            _ => self.area.move_to(c, State::NonFull),
        };
        gone
    }

    /// Tells the device of freed clusters, at most so many, which can be used again then. Returns
    /// how many.
    pub(super) fn discard(&mut self, most: u32) -> u32 {
        let mut done = 0;
        while done < most
            && let Some(c) = self.area.head(State::Discard, 0)
        {
            self.area.move_to(c, State::Free);
            done += 1;
        }
        done
    }
}
