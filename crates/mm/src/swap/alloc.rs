//! An allocation as a row of passages: which lock it needs next, and what it does under it.
//!
//! The caller takes the lock that [`Allocation::next`] names, calls [`Allocation::pass`], which
//! does what the kernel does under it and says how much that was, holds the lock as long as that
//! takes, and goes on until there is a result. What is done takes effect when the hold begins.
//! Short holds inside another one (moving a cluster between lists under ci->lock, taking a full
//! device off the list) are charged as passages behind it.
//!
//! ```
//! use catalog::{AllocatorId, Ledger};
//! use reclaimscope_mm::swap::{Allocation, DeviceConfig, Request, Swap, SwapConfig};
//! use units::SimDuration;
//!
//! let mut swap = Swap::new(SwapConfig::new(AllocatorId::GlobalPlist, 4)).unwrap();
//! swap.swapon(DeviceConfig::new(1 << 21)).unwrap();
//! let (ledger, line) = (Ledger::default(), SimDuration::from_nanos(50));
//!
//! let mut allocation = Allocation::new(&mut swap, Request::page(0));
//! let mut held = SimDuration::ZERO;
//! while let Some(lock) = allocation.next(&swap) {
//!     // Here the task waits for `lock`; what happens then is what another one finds.
//!     let passage = allocation.pass(&mut swap, |_| false);
//!     assert_eq!(passage.lock, lock);
//!     held += passage.hold(&ledger, line);
//! }
//! let slot = allocation.result().unwrap().unwrap();
//! assert_eq!((slot.device(), slot.offset()), (0, 1));
//! ```

use super::allocator::{Begin, Choice};
use super::area::{ORDERS, State};
use super::passage::{Passage, SwapLock};
use super::ring::Pick;
use super::{Refused, Slot, Swap, old};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The CPU that asks.
    pub cpu: u32,
    /// 2^order slots in a row.
    pub order: u32,
    /// The tiers that the task's cgroup may use, bit 0 the highest.
    pub tiers: u32,
    /// The task's cgroup.
    pub cgroup: u32,
    /// The CPU's node.
    pub node: u8,
}

impl Request {
    /// A page for a task that may use every tier.
    #[must_use]
    pub fn page(cpu: u32) -> Self {
        Self { cpu, order: 0, tiers: u32::MAX, cgroup: 0, node: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The CPU's slot cache.
    Cache,
    /// A device is chosen from the list.
    Avail,
    /// A device is chosen from the rings.
    Queue,
    /// The cluster that the CPU, or the rotational device, goes on in; from this slot.
    Fast(u32),
    /// The rotational device is tried.
    Global,
    /// The device's lists are looked along.
    Lists,
    /// A cluster taken off a list is searched.
    Scan(u32),
    /// Clean swap cache of a full cluster is dropped.
    Reclaim(u32),
    /// Everything of a device under its lock (up to 6.12).
    Old,
    /// Freed clusters are made usable.
    Discard,
    /// There is a result.
    Done,
}

impl Stage {
    /// How a device is chosen.
    fn choice(choice: Choice) -> Self {
        match choice {
            Choice::List => Self::Avail,
            Choice::Rings => Self::Queue,
        }
    }
}

/// An allocation on its way.
#[derive(Clone, Debug)]
pub struct Allocation {
    request: Request,
    stage: Stage,
    device: u8,
    /// Devices that gave nothing, and places of the ring that were visited.
    tried: u16,
    visited: u16,
    ring: u8,
    place: u8,
    /// How far the device's lists were looked along.
    list: u8,
    discarded: bool,
    global: bool,
    /// Where the best device stood that had room when one was chosen.
    best: i32,
    moved: Option<Passage>,
    edge: Option<Passage>,
    result: Option<Result<Slot, Refused>>,
}

impl Allocation {
    /// Begins one.
    ///
    /// # Panics
    /// When there is no such CPU or order.
    #[must_use]
    pub fn new(swap: &mut Swap, request: Request) -> Self {
        assert!(request.cpu < swap.cpus, "a CPU of the machine asks");
        assert!((request.order as usize) < ORDERS, "a folio is at most a cluster");
        let mut new = Self {
            request,
            stage: Stage::Avail,
            device: 0,
            tried: 0,
            visited: 0,
            ring: 0,
            place: 0,
            list: 0,
            discarded: false,
            global: false,
            best: swap.best_place(&request, 0),
            moved: None,
            edge: None,
            result: None,
        };
        if request.order > 0 && swap.cluster < 1 << (ORDERS - 1) {
            new.end(Err(Refused::TooLarge));
            return new;
        }
        match (swap.design().begin)(swap, &request) {
            Begin::Cache => new.stage = Stage::Cache,
            Begin::At(device, next) => (new.device, new.stage) = (device, Stage::Fast(next)),
            Begin::Choose => new.stage = Stage::choice(swap.design().choice),
        }
        new
    }

    /// The lock that is needed next; none when there is a result.
    #[must_use]
    pub fn next(&self, swap: &Swap) -> Option<SwapLock> {
        if let Some(passage) = self.moved.or(self.edge) {
            return Some(passage.lock);
        }
        let d = self.device;
        let cluster = |offset: u32| SwapLock::Cluster(d, offset / swap.cluster);
        match self.stage {
            Stage::Cache => Some(SwapLock::SlotCache(self.request.cpu)),
            Stage::Avail => Some(SwapLock::Avail),
            Stage::Queue => Some(SwapLock::QueueRead),
            Stage::Fast(offset) => Some(cluster(offset)),
            Stage::Global => Some(SwapLock::Global(d)),
            Stage::Lists | Stage::Old | Stage::Discard => Some(SwapLock::Device(d)),
            Stage::Scan(c) | Stage::Reclaim(c) => Some(SwapLock::Cluster(d, c)),
            Stage::Done => None,
        }
    }

    /// A lock that stays held until this says otherwise: that of a rotational device while it is
    /// tried.
    #[must_use]
    pub fn holding(&self) -> Option<SwapLock> {
        self.global.then_some(SwapLock::Global(self.device))
    }

    /// What came out.
    #[must_use]
    pub fn result(&self) -> Option<Result<Slot, Refused>> {
        if self.moved.or(self.edge).is_some() { None } else { self.result }
    }

    /// Does what is done under the lock that [`Self::next`] named. `held` says of a cluster's lock
    /// whether somebody else has it: such a cluster is passed over.
    ///
    /// # Panics
    /// When there is a result already.
    pub fn pass(&mut self, swap: &mut Swap, held: impl Fn(SwapLock) -> bool) -> Passage {
        if let Some(passage) = self.moved.take().or_else(|| self.edge.take()) {
            return passage;
        }
        let lock = self.next(swap).expect("an allocation without a result needs a lock");
        let mut work = Passage::new(lock);
        match self.stage {
            Stage::Cache => self.cache(swap, &mut work),
            Stage::Avail => self.choose(swap, &mut work),
            Stage::Queue => self.choose_in_ring(swap),
            Stage::Fast(offset) => self.fast(swap, offset, &mut work),
            Stage::Global => {
                self.global = true;
                let device = &swap.devices[usize::from(self.device)];
                let next = device.global[self.request.order as usize];
                self.stage = if next == 0 { Stage::Lists } else { Stage::Fast(next) };
            }
            Stage::Lists => self.lists(swap, &mut work, held),
            Stage::Scan(c) => self.scan(swap, c, &mut work),
            Stage::Reclaim(c) => self.reclaim(swap, c, &mut work),
            Stage::Old => self.old(swap, &mut work),
            Stage::Discard => self.discard(swap, &mut work),
            Stage::Done => unreachable!("no lock is named when there is a result"),
        }
        work
    }

    fn end(&mut self, result: Result<Slot, Refused>) {
        (self.stage, self.global, self.result) = (Stage::Done, false, Some(result));
    }

    fn cache(&mut self, swap: &mut Swap, work: &mut Passage) {
        match swap.caches.cpus[self.request.cpu as usize].slots.pop() {
            Some(slot) => {
                work.slots += 1;
                swap.granted(slot.device(), 1, &self.request, (self.best, self.tried));
                self.end(Ok(slot));
            }
            None => self.stage = Stage::Avail,
        }
    }

    /// The first device of the list that was not tried; it goes behind its peers.
    fn choose(&mut self, swap: &mut Swap, work: &mut Passage) {
        let fits = |&&d: &&u8| self.tried >> d & 1 == 0 && swap.may_use(d, self.request.tiers);
        let Some(&d) = swap.available(self.request.node).iter().find(fits) else {
            self.nothing(swap);
            return;
        };
        swap.stats.choices += 1;
        if swap.requeue(self.request.node, d) {
            swap.stats.rotations += 1;
            (work.requeued, work.list_ops) = (true, work.list_ops + 2);
        }
        self.begin_device(swap, d);
    }

    fn choose_in_ring(&mut self, swap: &mut Swap) {
        while let Some(group) = swap.peers.groups.get(usize::from(self.ring)) {
            if swap.peers.allows(self.ring, self.request.tiers) {
                let (ring, request) = (self.ring, &self.request);
                match swap.queue.pick(&swap.devices, group, ring, request, self.visited) {
                    Pick::Device(place) => {
                        let d = group.members[usize::from(place)];
                        self.visited |= 1 << place;
                        self.place = place;
                        self.begin_device(swap, d);
                        return;
                    }
                    Pick::TooLarge => {
                        swap.stats.refused += 1;
                        self.end(Err(Refused::TooLarge));
                        return;
                    }
                    Pick::Exhausted => {}
                }
            }
            (self.ring, self.visited) = (self.ring + 1, 0);
        }
        self.nothing(swap);
    }

    fn begin_device(&mut self, swap: &Swap, d: u8) {
        self.best = swap.best_place(&self.request, self.tried);
        (self.device, self.list, self.global) = (d, 0, false);
        let device = &swap.devices[usize::from(d)];
        let next = (swap.design().resume)(swap, d, &self.request);
        self.stage = if swap.design().slot_caches {
            Stage::Old
        } else if device.config.rotational {
            Stage::Global
        } else if next != 0 {
            Stage::Fast(next)
        } else {
            Stage::Lists
        };
    }

    /// A device gave nothing.
    fn next_device(&mut self, swap: &mut Swap) {
        self.global = false;
        self.tried |= 1 << self.device;
        if swap.design().choice == Choice::Rings {
            swap.queue.gave_nothing(&self.request, self.ring, self.place);
            self.choose_in_ring(swap);
        } else if self.request.order > 0 {
            // Only the first device is asked for a large folio.
            swap.stats.refused += 1;
            self.end(Err(Refused::TooLarge));
        } else {
            self.stage = Stage::Avail;
        }
    }

    /// No device gives anything: freed clusters that a device was not told of are the last resort.
    fn nothing(&mut self, swap: &mut Swap) {
        let waiting = |&&d: &&u8| {
            let device = &swap.devices[usize::from(d)];
            device.area.head(State::Discard, 0).is_some() && swap.may_use(d, self.request.tiers)
        };
        let device = swap.order.iter().find(waiting).copied();
        if let Some(d) = device
            && self.request.order == 0
            && !self.discarded
        {
            (self.device, self.stage, self.discarded) = (d, Stage::Discard, true);
            return;
        }
        swap.stats.refused += 1;
        let large = self.request.order > 0;
        self.end(Err(if large { Refused::TooLarge } else { Refused::Full }));
    }

    fn discard(&mut self, swap: &mut Swap, work: &mut Passage) {
        let most = swap.design().discards;
        work.discarded = swap.devices[usize::from(self.device)].discard(most);
        work.list_ops += 2 * work.discarded;
        (self.tried, self.visited, self.ring) = (0, 0, 0);
        self.stage = Stage::choice(swap.design().choice);
    }

    fn fast(&mut self, swap: &mut Swap, offset: u32, work: &mut Passage) {
        let c = offset / swap.cluster;
        let order = self.request.order;
        let device = &swap.devices[usize::from(self.device)];
        let mut found = false;
        if device.writable && device.is_usable(c, order) {
            // A cluster that was emptied meanwhile is begun from its start.
            let empty = device.area.clusters[c as usize].count == 0;
            let at = if empty { 0 } else { offset % swap.cluster };
            found = self.take(swap, c, at, work);
        }
        if found {
            return;
        }
        let leaves = swap.design().leaves_device && !self.global;
        self.stage = if leaves { Stage::Avail } else { Stage::Lists };
    }

    /// Looks along the device's lists for a cluster that nobody holds, and takes it off.
    fn lists(&mut self, swap: &mut Swap, work: &mut Passage, held: impl Fn(SwapLock) -> bool) {
        let full = swap.is_full();
        let d = self.device;
        let device = &mut swap.devices[usize::from(d)];
        let large = self.request.order > 0;
        if !device.writable || large && !device.config.block {
            self.next_device(swap);
            return;
        }
        work.times = 0;
        while let Some((state, order, all)) = self.list_at(device.config.discard) {
            if state == State::Full && !full {
                self.list += 1;
                continue;
            }
            work.times += 1;
            let mut c = device.area.head(state, order);
            while let Some(candidate) = c
                && held(SwapLock::Cluster(d, candidate))
            {
                c = device.area.after(candidate);
            }
            if !all {
                self.list += 1;
            }
            if let Some(c) = c {
                work.list_ops += device.area.detach(c);
                self.stage = if state == State::Full { Stage::Reclaim(c) } else { Stage::Scan(c) };
                return;
            }
            if all {
                self.list += 1;
            }
        }
        self.next_device(swap);
    }

    /// A list of the search, its order, and whether all of its clusters are tried or only the first
    /// (7.3 mm/swapfile.c:cluster_alloc_swap_entry).
    fn list_at(&self, discard: bool) -> Option<(State, usize, bool)> {
        let order = self.request.order as usize;
        let (free, nonfull) = ((State::Free, 0, false), (State::NonFull, order, true));
        let full = (State::Full, 0, false);
        let list = usize::from(self.list);
        if order == ORDERS - 1 {
            // A folio of a whole cluster finds nothing in one that is partly used.
            return [free, full].get(list).copied();
        }
        let frag = (State::Frag, order, false);
        let first = if discard { [free, nonfull] } else { [nonfull, free] };
        match list {
            0 | 1 => Some(first[list]),
            2 => Some(full),
            3 => Some(frag),
            _ if order > 0 => None,
            // A page takes from clusters of other orders.
            _ => {
                let (o, second) = (1 + (list - 4) / 2, (list - 4) % 2 == 1);
                let state = if second { State::NonFull } else { State::Frag };
                (o < ORDERS).then_some((state, o, true))
            }
        }
    }

    fn scan(&mut self, swap: &mut Swap, c: u32, work: &mut Passage) {
        let device = &mut swap.devices[usize::from(self.device)];
        if device.is_usable(c, self.request.order) {
            if self.take(swap, c, 0, work) {
                swap.stats.switches += 1;
                return;
            }
        } else {
            let list_ops = device.relocate(c);
            self.moved = Some(Passage { list_ops, ..Passage::new(SwapLock::Device(self.device)) });
        }
        self.stage = Stage::Lists;
    }

    fn reclaim(&mut self, swap: &mut Swap, c: u32, work: &mut Passage) {
        let d = self.device;
        swap.on_device(d, |device, lost| device.reclaim(c, lost, work));
        self.list_move(work);
        self.stage = Stage::Lists;
    }

    /// List moves under a cluster's lock are a hold of the device's.
    fn list_move(&mut self, work: &mut Passage) {
        if work.list_ops > 0 {
            let passage = Passage::new(SwapLock::Device(self.device));
            self.moved = Some(Passage { list_ops: work.list_ops, ..passage });
            work.list_ops = 0;
        }
    }

    /// Takes a run out of a cluster; whether there was one.
    fn take(&mut self, swap: &mut Swap, c: u32, at: u32, work: &mut Passage) -> bool {
        let (d, order, cached) = (self.device, self.request.order, swap.is_full());
        let (found, edge) =
            swap.on_device(d, |device, lost| device.take_from(c, at, order, cached, lost, work));
        self.list_move(work);
        self.edge = edge;
        let next = found.map_or(0, |(_, next)| next);
        self.remember(swap, next);
        if let Some((offset, _)) = found {
            swap.granted(d, 1 << order, &self.request, (self.best, self.tried));
            self.end(Ok(Slot::new(d, offset)));
        }
        found.is_some()
    }

    /// Where to go on the next time.
    fn remember(&self, swap: &mut Swap, next: u32) {
        let device = &mut swap.devices[usize::from(self.device)];
        if device.config.rotational {
            device.global[self.request.order as usize] = next;
        } else {
            (swap.design().remember)(swap, self.device, &self.request, next);
        }
    }

    /// A refill of the CPU's cache, or what is asked for itself.
    fn old(&mut self, swap: &mut Swap, work: &mut Passage) {
        let Request { cpu, order, .. } = self.request;
        let fills = order == 0 && swap.caches.active;
        let want = if fills { old::CACHE.min(swap.free as usize) } else { 1 };
        let (d, cached) = (self.device, swap.is_full());
        let mut slots = Vec::new();
        let ((), edge) = swap.on_device(d, |device, lost| {
            device.take_old(cpu, order, want, cached, &mut slots, lost, work);
        });
        self.edge = edge;
        if slots.is_empty() {
            self.next_device(swap);
            return;
        }
        swap.stats.switches += 1;
        let first = Slot::new(d, slots[0]);
        let rest = slots[1..].iter().rev().map(|&offset| Slot::new(d, offset));
        swap.caches.cpus[cpu as usize].slots.extend(rest);
        swap.granted(d, 1 << order, &self.request, (self.best, self.tried));
        self.end(Ok(first));
    }
}
