//! Swap devices and the hand-out of their slots (mm/swapfile.c, mm/swap_slots.c).
//!
//! [`Swap`] is all devices as one value: cloning it is a checkpoint. An allocation is a row of
//! [`passage`]s, lock by lock ([`alloc::Allocation`]), so that whoever simulates time takes each
//! lock when it is needed; [`Swap::alloc`] goes through them at once. A free is one step whose
//! passages are charged behind each other ([`Swap::free`]).
//!
//! Slots are exact: clusters with bitmaps ([`area`]), on the lists that the kernel keeps them on.
//! How many allocations a cluster switch serves, what rotates when and where devices run full
//! follows from that. Four allocators share them ([`allocator`]): the slot cache era (`old`, with
//! `slot_scan` for devices that turn), A and B with a list of devices by priority, C with rings
//! (`ring`). [`tier`] says who is whose peer, [`in_tier`] whose turn it is among peers, [`zswap`]
//! stands before the devices, [`age`] makes a used area, [`Swap::check`] looks for contradictions.
//!
//! Not here: clusters are taken in ascending order (the kernel starts at a random column), and a
//! slot is used by one page.

pub mod age;
pub mod alloc;
pub mod allocator;
pub mod area;
mod check;
mod device;
mod free;
pub mod in_tier;
pub mod medium;
mod old;
pub mod passage;
mod ring;
mod slot_scan;
pub mod tier;
pub mod zswap;

pub use age::Age;
pub use alloc::{Allocation, Request};
pub use area::State;
pub use device::{Device, DeviceConfig};
pub use passage::{Passage, SwapLock};
pub use tier::{Tier, TierConfig, TierError};

use allocator::{ALLOCATORS, Allocator};
use area::{CLUSTER, CLUSTER_SMALL, ORDERS};
use catalog::{AllocatorId, AssignmentId, InTierId};
use core::num::NonZeroU32;
use old::SlotCaches;
use ring::Queue;
use slot_scan::SlotScan;
use tier::Grouping;

/// Most devices.
pub const DEVICES_MAX: usize = 16;
/// Most slots of a device: 1 TiB.
pub const SLOTS_MAX: u32 = 1 << OFFSET_BITS;
const OFFSET_BITS: u32 = 28;

/// A slot: a device and a place on it. `Option<Slot>` takes 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(NonZeroU32);

impl Slot {
    /// The slot at `offset` of a device.
    ///
    /// # Panics
    /// When it is the header's, or no device has it.
    #[must_use]
    pub fn new(device: u8, offset: u32) -> Self {
        assert!(usize::from(device) < DEVICES_MAX && offset < SLOTS_MAX && offset > 0);
        let both = u32::from(device) << OFFSET_BITS | offset;
        Self(NonZeroU32::new(both).expect("the header's slot is never used"))
    }

    /// The device, by the order of swapon.
    #[must_use]
    pub fn device(self) -> u8 {
        (self.0.get() >> OFFSET_BITS) as u8
    }

    /// The place on it.
    #[must_use]
    pub fn offset(self) -> u32 {
        self.0.get() & (SLOTS_MAX - 1)
    }
}

/// Why no slot was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No device that may be used has a free slot.
    Full,
    /// No run of that length was found where one was looked for: the folio is split.
    TooLarge,
}

/// Why a device is not switched on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapError {
    /// As many as there may be are on.
    TooMany,
    /// It has no slot beside the header's, or more than there may be.
    Size,
    /// Its priority is below 0.
    Priority,
    /// There is no such device, or it is off.
    NoDevice,
}

/// How slots are handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapConfig {
    /// By whom.
    pub allocator: AllocatorId,
    /// CPUs that ask.
    pub cpus: u32,
    /// Whether a cluster holds 512 slots and large folios get some (CONFIG_THP_SWAP), or 256.
    pub large_folios: bool,
    /// Pages that a CPU takes from a device of a ring before it goes on; the cluster's size when 0.
    pub quota: u32,
    /// Nodes; up to 6.14 each has a list of devices of its own.
    pub nodes: u8,
    /// Whether default priorities descend from -2 in the order of swapon, or all are -1.
    pub priorities_descend: bool,
    /// Tiers.
    pub tiers: TierConfig,
}

impl SwapConfig {
    /// An allocator for so many CPUs, with large folios, equal default priorities and no tiers.
    #[must_use]
    pub fn new(allocator: AllocatorId, cpus: u32) -> Self {
        Self {
            allocator,
            cpus,
            large_folios: true,
            quota: 0,
            nodes: 1,
            priorities_descend: false,
            tiers: TierConfig::default(),
        }
    }
}

/// What happened since the counters were last reset. In pages unless said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwapStats {
    /// Slots given to those who asked.
    pub granted: u64,
    /// Allocations refused.
    pub refused: u64,
    /// Devices chosen from the list of available ones: passages of swap_avail_lock.
    pub choices: u64,
    /// Choices that put a device behind its peers.
    pub rotations: u64,
    /// Clusters begun, or refills of a slot cache.
    pub switches: u64,
    /// Slots given on a device while one of higher rank had room that was not asked, when the
    /// device was chosen and still when the slot was given.
    pub inversions: u64,
    /// The most of them in a row that one CPU was given.
    pub inversion_most: u64,
    /// Times a device left or joined the list of those with room.
    pub edges: u64,
}

/// All swap devices.
#[derive(Clone, Debug)]
pub struct Swap {
    allocator: AllocatorId,
    cpus: u32,
    cluster: u32,
    descend: bool,
    tiers: TierConfig,
    /// By number. One that is off keeps its number until another takes it.
    devices: Vec<Device>,
    /// Those that are on, in the order of swapon.
    order: Vec<u8>,
    /// Those with room: by rank, peers in the order in which they are asked (swap_avail_head, up to
    /// 6.14 swap_avail_heads of each node).
    available: Vec<Vec<u8>>,
    peers: Grouping,
    /// A: the device and the slot at which a CPU goes on, by order.
    global: Vec<[(u8, u32); ORDERS]>,
    queue: Queue,
    caches: SlotCaches,
    /// Slots in a row that each CPU was given while a device of higher rank had room.
    inverted: Vec<u64>,
    /// Free slots (nr_swap_pages), and all (total_swap_pages).
    free: u64,
    total: u64,
    dropped: Vec<Slot>,
    scratch: Vec<u32>,
    stats: SwapStats,
}

impl Swap {
    /// No device.
    ///
    /// # Errors
    /// Tiers that do not fit together.
    pub fn new(config: SwapConfig) -> Result<Self, TierError> {
        config.tiers.validate()?;
        let cluster = if config.large_folios { CLUSTER } else { CLUSTER_SMALL };
        let quota = if config.quota == 0 { cluster } else { config.quota };
        let slot_caches = ALLOCATORS[config.allocator as usize].slot_caches;
        let lists = if slot_caches { config.nodes } else { 1 };
        Ok(Self {
            allocator: config.allocator,
            cpus: config.cpus,
            cluster,
            descend: config.priorities_descend,
            tiers: config.tiers,
            devices: Vec::new(),
            order: Vec::new(),
            available: vec![Vec::new(); usize::from(lists.max(1))],
            peers: Grouping::default(),
            global: vec![[(0, 0); ORDERS]; config.cpus as usize],
            queue: Queue::new(config.cpus, quota, &Grouping::default()),
            caches: SlotCaches::new(config.cpus),
            inverted: vec![0; config.cpus as usize],
            free: 0,
            total: 0,
            dropped: Vec::new(),
            scratch: Vec::new(),
            stats: SwapStats::default(),
        })
    }

    /// Switches a device on and returns its number.
    ///
    /// # Errors
    /// Too many devices, a size or a priority that no device has.
    pub fn swapon(&mut self, config: DeviceConfig) -> Result<u8, SwapError> {
        if config.slots < 2 || config.slots > SLOTS_MAX {
            return Err(SwapError::Size);
        }
        let priority = match config.priority {
            Some(priority) if priority < 0 => return Err(SwapError::Priority),
            Some(priority) => i32::from(priority),
            None if self.descend => {
                let on = self.order.iter().map(|&d| self.devices[usize::from(d)].priority);
                on.min().unwrap_or(-1).min(-1) - 1
            }
            None => -1,
        };
        let mut device = Device::new(config, priority, self.cluster, self.cpus);
        if config.rotational && self.design().slot_caches {
            device.scan = Some(SlotScan::new(config.slots));
        }
        let gone = |d: &u8| !self.order.contains(d) && self.devices[usize::from(*d)].used == 0;
        let number = (0..self.devices.len() as u8).find(gone);
        let pages = u64::from(device.pages());
        let d = match number {
            Some(d) => {
                self.devices[usize::from(d)] = device;
                d
            }
            None if self.devices.len() == DEVICES_MAX => return Err(SwapError::TooMany),
            None => {
                self.devices.push(device);
                self.devices.len() as u8 - 1
            }
        };
        self.order.push(d);
        self.available.iter_mut().for_each(|list| list.push(d));
        (self.free, self.total) = (self.free + pages, self.total + pages);
        self.regroup();
        Ok(d)
    }

    /// Takes a device out of use: it gives no slot any more. It is off when the last used one is
    /// freed, by whoever brings its pages back.
    ///
    /// # Errors
    /// There is no such device.
    pub fn swapoff(&mut self, d: u8) -> Result<(), SwapError> {
        if !self.order.contains(&d) {
            return Err(SwapError::NoDevice);
        }
        self.drain_caches();
        self.order.retain(|&other| other != d);
        self.available.iter_mut().for_each(|list| list.retain(|&other| other != d));
        let device = &mut self.devices[usize::from(d)];
        (device.writable, device.available) = (false, false);
        self.free -= u64::from(device.pages() - device.used);
        self.total -= u64::from(device.pages());
        let priority = device.priority;
        if self.descend && priority < -1 {
            // Those that came later move up (6.12 mm/swapfile.c:swapoff).
            for &other in &self.order {
                let later = &mut self.devices[usize::from(other)];
                later.priority += i32::from(later.priority < priority);
            }
        }
        for next in self.global.iter_mut().flatten() {
            if next.0 == d {
                *next = (0, 0);
            }
        }
        self.regroup();
        Ok(())
    }

    /// Other tiers. Devices regroup, every slot stays.
    ///
    /// # Errors
    /// Ranges that do not fit together, a device that would move (v10), tiers that are fixed.
    pub fn set_tiers(&mut self, tiers: Vec<Tier>) -> Result<(), TierError> {
        let new = TierConfig { tiers, ..self.tiers.clone() };
        match self.tiers.assignment {
            AssignmentId::RunTime | AssignmentId::RunTimeReview => new.validate()?,
            _ => return Err(TierError::Fixed),
        }
        let moves = |&d: &u8| {
            let priority = self.devices[usize::from(d)].priority;
            // Tiers are told apart by where they begin: one more above leaves those below alone.
            let start = |config: &TierConfig| {
                config.tier_of(priority).map(|t| config.tiers[usize::from(t)].start)
            };
            start(&self.tiers) != start(&new)
        };
        let moved = self.order.iter().any(moves);
        if moved && self.tiers.assignment == AssignmentId::RunTime && !self.tiers.tiers.is_empty() {
            return Err(TierError::Busy);
        }
        self.tiers = new;
        self.regroup();
        Ok(())
    }

    /// Another policy for a tier, 0 the highest. Cursors begin anew, every slot stays.
    ///
    /// # Errors
    /// There is no such tier, or tiers have no policies (v10).
    pub fn set_policy(&mut self, tier: u8, policy: InTierId) -> Result<(), TierError> {
        self.tiers = self.tiers.clone().with_policy(tier, policy)?;
        self.regroup();
        Ok(())
    }

    fn regroup(&mut self) {
        self.peers = Grouping::new(&self.tiers, &self.devices, &self.order);
        for node in 0..self.available.len() {
            let mut list = core::mem::take(&mut self.available[node]);
            units::order::by_key(&mut list, |&d| self.place(node, d));
            self.available[node] = list;
        }
        self.queue = Queue::new(self.cpus, self.queue.quota, &self.peers);
    }

    /// Allocates at once, with nobody else on the way; the passages are added to `passages`.
    ///
    /// # Errors
    /// Why there is none.
    pub fn alloc(
        &mut self,
        request: Request,
        passages: &mut Vec<Passage>,
    ) -> Result<Slot, Refused> {
        let mut allocation = Allocation::new(self, request);
        loop {
            if let Some(result) = allocation.result() {
                return result;
            }
            passages.push(allocation.pass(self, |_| false));
        }
    }

    /// Who hands out slots.
    #[must_use]
    pub fn allocator(&self) -> AllocatorId {
        self.allocator
    }

    /// What is particular to it.
    #[must_use]
    pub fn design(&self) -> &'static Allocator {
        &ALLOCATORS[self.allocator as usize]
    }

    /// A device that was switched on.
    #[must_use]
    pub fn device(&self, d: u8) -> Option<&Device> {
        self.devices.get(usize::from(d))
    }

    /// The devices that are on, in the order of swapon.
    #[must_use]
    pub fn on(&self) -> &[u8] {
        &self.order
    }

    /// Freed clusters of a device that wait until it was told of them (discard).
    #[must_use]
    pub fn discards_waiting(&self, d: u8) -> u32 {
        self.devices.get(usize::from(d)).map_or(0, |device| device.area.len(State::Discard, 0))
    }

    /// The devices with room, in the order in which they are asked from a node.
    #[must_use]
    pub fn available(&self, node: u8) -> &[u8] {
        &self.available[self.list_of(node)]
    }

    /// The devices of each group of peers, the first one asked first.
    pub fn groups(&self) -> impl Iterator<Item = &[u8]> {
        self.peers.groups.iter().map(|group| &group.members[..])
    }

    /// C: the device that a CPU is at in a ring, and the pages left of its quota.
    #[must_use]
    pub fn cursor(&self, cpu: u32, ring: u8) -> Option<(u8, u32)> {
        let group = self.peers.groups.get(usize::from(ring)).filter(|_| cpu < self.cpus)?;
        let reader = self.queue.reader(cpu, ring);
        Some((group.members[reader.at], reader.left))
    }

    /// Where a CPU goes on for a page: the device, and the pages that it has left there of a quota
    /// (C), a cluster (A) or its slot cache; none where it has no place of its own.
    #[must_use]
    pub fn goes_on(&self, cpu: u32) -> Option<(u8, u32)> {
        (self.design().goes_on)(self, cpu)
    }

    /// The place of a device's group among all, 0 asked first; none when it is off.
    #[must_use]
    pub fn group_of(&self, d: u8) -> Option<u8> {
        self.peers.rank.get(usize::from(d)).copied().filter(|&rank| rank != u8::MAX)
    }

    /// Who serves inside a device's group of peers; none when it is off. Only rings ask it.
    #[must_use]
    pub fn policy_of(&self, d: u8) -> Option<InTierId> {
        self.peers.groups.get(usize::from(self.group_of(d)?)).map(|group| group.policy)
    }

    /// Pages that a CPU takes from a device before it goes on to the next: its quota in a ring (C),
    /// a cluster (A), a page (B), a slot cache.
    #[must_use]
    pub fn quota(&self) -> u32 {
        match self.allocator {
            AllocatorId::Ring => self.queue.quota,
            AllocatorId::GlobalPlist => self.cluster,
            AllocatorId::DevicePlist => 1,
            AllocatorId::SlotCache => old::CACHE as u32,
        }
    }

    /// Free slots, those in slot caches not among them.
    #[must_use]
    pub fn free_slots(&self) -> u64 {
        self.free
    }

    /// All slots.
    #[must_use]
    pub fn total_slots(&self) -> u64 {
        self.total
    }

    /// Whether more than half of all slots are used, so that swap cache is dropped for its slot
    /// (7.3 mm/swap.h: vm_swap_full).
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.free * 2 < self.total
    }

    /// Counters.
    #[must_use]
    pub fn stats(&self) -> &SwapStats {
        &self.stats
    }

    /// Begins to count anew.
    pub fn reset_stats(&mut self) {
        self.stats = SwapStats::default();
    }

    /// Slots that lost the clean swap cache that they held, since this was last asked: their pages
    /// have no slot any more.
    pub fn take_dropped(&mut self) -> Vec<Slot> {
        core::mem::take(&mut self.dropped)
    }

    /// Whether a device may be asked: it gives slots, and the mask has its tier.
    fn may_use(&self, d: u8, tiers: u32) -> bool {
        let device = &self.devices[usize::from(d)];
        device.writable && self.peers.allows(self.peers.rank[usize::from(d)], tiers)
    }

    fn look_at_caches(&mut self) -> bool {
        let (active, given_up) = self.caches.look(self.free);
        if given_up {
            self.drain_caches();
        }
        active
    }

    /// The list of a node's CPUs.
    fn list_of(&self, node: u8) -> usize {
        usize::from(node).min(self.available.len() - 1)
    }

    /// Where a device stands on a list: devices of the same place are peers. With a list a node, a
    /// device of default priority that belongs to the node comes before all other default ones
    /// (6.12 mm/swapfile.c:setup_swap_info).
    fn place(&self, list: usize, d: u8) -> i32 {
        if !self.design().slot_caches {
            return self.peers.rank[usize::from(d)].into();
        }
        let device = &self.devices[usize::from(d)];
        let own = device.config.node.is_some_and(|node| usize::from(node) == list);
        if own && device.priority < 0 { 1 } else { -device.priority }
    }

    /// Puts a device behind its peers; whether anything moved (plist_requeue).
    fn requeue(&mut self, node: u8, d: u8) -> bool {
        let list = self.list_of(node);
        let all = &self.available[list];
        let Some(at) = all.iter().position(|&other| other == d) else { return false };
        let own = self.place(list, d);
        let peers = all[at + 1..].iter().take_while(|&&other| self.place(list, other) == own);
        let behind = peers.count();
        self.available[list][at..=at + behind].rotate_left(1);
        behind > 0
    }

    /// Does something to a device and draws the consequences: free slots, whether it is full or has
    /// room again, whose swap cache was dropped. The passage is what joining or leaving the list
    /// costs.
    fn on_device<T>(
        &mut self,
        d: u8,
        work: impl FnOnce(&mut Device, &mut Vec<u32>) -> T,
    ) -> (T, Option<Passage>) {
        let device = &mut self.devices[usize::from(d)];
        let before = device.used;
        let result = work(device, &mut self.scratch);
        self.dropped.extend(self.scratch.drain(..).map(|offset| Slot::new(d, offset)));
        if !device.writable {
            return (result, None);
        }
        self.free = self.free + u64::from(before) - u64::from(device.used);
        let room = device.used < device.pages();
        if room == device.available {
            return (result, None);
        }
        device.available = room;
        for list in 0..self.available.len() {
            if room {
                let (all, own) = (&self.available[list], self.place(list, d));
                let at = all.partition_point(|&other| self.place(list, other) <= own);
                self.available[list].insert(at, d);
            } else {
                self.available[list].retain(|&other| other != d);
            }
        }
        self.stats.edges += 1;
        let lock = self.design().choice.edge_lock();
        (result, Some(Passage { list_ops: 1, ..Passage::new(lock) }))
    }

    /// Where the best device with room stands that a request may use, apart from those that gave
    /// nothing; behind all when none has.
    fn best_place(&self, request: &Request, tried: u16) -> i32 {
        let list = self.list_of(request.node);
        let room = |&&d: &&u8| {
            let device = &self.devices[usize::from(d)];
            // What waits for a discard is no room yet.
            let waiting = device.area.len(State::Discard, 0) * self.cluster;
            let room = device.used + waiting < device.pages();
            room && tried >> d & 1 == 0 && self.may_use(d, request.tiers)
        };
        let best = self.available[list].iter().find(room);
        best.map_or(i32::MAX, |&d| self.place(list, d))
    }

    /// Counts what was given to somebody. `best` is where the best device stood when he chose one:
    /// what became free while he was on his way, he could not know. Those `tried` gave nothing:
    /// others took what was left, or have its cluster in their hands.
    fn granted(&mut self, d: u8, pages: u64, request: &Request, (best, tried): (i32, u16)) {
        self.stats.granted += pages;
        let own = self.place(self.list_of(request.node), d);
        let inverted = best < own && self.best_place(request, tried) < own;
        let run = &mut self.inverted[request.cpu as usize];
        *run = if inverted { *run + pages } else { 0 };
        if inverted {
            self.stats.inversions += pages;
            self.stats.inversion_most = self.stats.inversion_most.max(*run);
        }
    }
}
