//! Anonymous pages on their way to swap (7.2 mm/vmscan.c: shrink_folio_list, pageout;
//! mm/page_io.c: swap_writeout; mm/swap.c: folio_rotate_reclaimable).
//!
//! Each page first gets a slot, passage by passage through the allocator's locks
//! ([`crate::swap`]). A synchronous device has stored it when the call returns, and it is freed in
//! the same pass. An asynchronous one takes it under writeback: it goes back to its list, and when
//! it is written to the tail, where the next scan frees it. zswap stands before both: what it takes
//! is freed at once. A large folio needs slots in a row, or it is split.

use crate::lru::{Entry, Flags, PageKind, entry};
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::swap::medium::Medium;
use crate::swap::zswap::{Zswap, ZswapConfig};
use crate::swap::{Age, Allocation, DeviceConfig, Refused, Request, Slot, Swap, SwapConfig};
use crate::swap::{SwapLock, Tier, TierError};
use crate::task::{State, Step};
use crate::vmscan::swap_lock::ClusterLocks;
use catalog::{ConstantId, ZoneKind};
use engine::Stream;
use std::collections::VecDeque;
use units::{SimDuration, SimTime, TaskId};

pub use crate::swap::medium::MediumConfig;

/// The swap devices of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapSetup {
    /// How slots are handed out.
    pub config: SwapConfig,
    /// The devices, in the order of swapon.
    pub devices: Vec<(DeviceConfig, MediumConfig)>,
    /// What of a device was used before, by device; those behind the last were not used.
    pub ages: Vec<Age>,
    /// What stands before the devices.
    pub zswap: Option<ZswapConfig>,
    /// Orders of large folios, each with its thousandths of the anonymous pages.
    pub folios: Vec<(u32, u64)>,
    /// The tiers that a cgroup may use, bit 0 the highest, by cgroup; all for those behind the
    /// last.
    pub masks: Vec<u32>,
    /// Tiers that are written anew while the system runs.
    pub change: Option<TierChange>,
    /// How many thousandths of the pages hold nothing but zeroes: they take a slot, but are not
    /// written (swpout_zero). The media's times and sizes are those of a mean page.
    pub zero_per_mille: u32,
}

/// Tiers that are written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierChange {
    /// When.
    pub at: SimTime,
    /// The tiers from then on.
    pub tiers: Vec<Tier>,
    /// The masks of the cgroups from then on.
    pub masks: Vec<u32>,
}

/// Swap as a machine has it.
#[derive(Clone, Debug)]
pub struct SwapState {
    /// The slots.
    pub slots: Swap,
    /// What each device is made of.
    pub media: Vec<Medium>,
    /// Bytes that are stored in memory (zram, zswap).
    pub stored: u64,
    /// Pages that those take, by zone, and all of them.
    pub store_pages: Vec<u64>,
    /// The sum of `store_pages`.
    pub store_sum: u64,
    /// zswap.
    pub zswap: Option<Zswap>,
    /// The tiers that a cgroup may use, by cgroup.
    pub masks: Vec<u32>,
    /// What came of writing the tiers anew.
    pub changed: Option<Result<(), TierError>>,
    /// Discards that devices are about, by the time they end.
    pub(super) discards: VecDeque<(SimTime, u8)>,
    /// ci->lock of the devices' clusters.
    pub clusters: ClusterLocks,
    /// Thousandths of a page of zeroes that were written and read, not counted yet.
    zeroes: [u32; 2],
    zero_per_mille: u32,
    /// Draws of how large folios are.
    folio_draws: Stream,
}

/// What a reclaimer is about with swap.
#[derive(Clone, Debug, Default)]
pub struct Swapping {
    /// Pages that still have to be written, with their tiers.
    pub pageout: Vec<(Entry, u8)>,
    /// The allocation of slots for the first of them, and how many it is for.
    allocation: Option<(Allocation, u32)>,
    /// The slots that they have, while they wait for their turn to be written.
    got: Option<(Slot, u32)>,
    /// Pages of a folio that was split, which are still to be written one by one.
    split: u32,
    /// Work on them that has not taken its time yet, in ledger nanoseconds.
    pub(super) owed: u64,
}

impl SwapSetup {
    /// Devices that were not used before, with nothing before them.
    #[must_use]
    pub fn new(config: SwapConfig, devices: Vec<(DeviceConfig, MediumConfig)>) -> Self {
        let (ages, folios, masks) = (Vec::new(), Vec::new(), Vec::new());
        let (zswap, change, zero_per_mille) = (None, None, 0);
        Self { config, devices, ages, zswap, folios, masks, change, zero_per_mille }
    }
}

impl Swapping {
    /// The slots of the pages at hand, if they have some already: the first, and how many.
    #[must_use]
    pub fn slots(&self) -> Option<(Slot, u32)> {
        let allocated = self.allocation.as_ref();
        let result = allocated.and_then(|(a, pages)| Some((a.result()?.ok()?, *pages)));
        self.got.or(result)
    }
}

impl SwapState {
    /// Devices at the start; `random` thousandths of their service times are random.
    ///
    /// # Panics
    /// When the devices are not such as validation lets through.
    #[must_use]
    pub fn new(setup: &SwapSetup, zones: usize, random: u64, seed: u64) -> Self {
        let mut slots = Swap::new(setup.config.clone()).expect("tiers were validated");
        let mut media = Vec::new();
        for (n, (device, medium)) in setup.devices.iter().enumerate() {
            let number = slots.swapon(*device).expect("devices were validated");
            media.push(Medium::new(*medium, random, seed, n as u64));
            if let Some(age) = setup.ages.get(n).filter(|age| age.clusters > 0) {
                slots.age(number, *age, &mut Stream::new(seed, "swap.age", n as u64));
            }
        }
        Self {
            slots,
            media,
            stored: 0,
            store_pages: vec![0; zones],
            store_sum: 0,
            zswap: setup.zswap.map(Zswap::new),
            masks: setup.masks.clone(),
            changed: None,
            discards: VecDeque::new(),
            clusters: ClusterLocks::new(setup.devices.len()),
            zeroes: [0; 2],
            zero_per_mille: setup.zero_per_mille,
            folio_draws: Stream::new(seed, "swap.folio", 0),
        }
    }

    /// From now on everything is drawn as under another seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.folio_draws = Stream::new(seed, "swap.folio", 0);
        for (number, medium) in self.media.iter_mut().enumerate() {
            medium.reseed(seed, number as u64);
        }
    }

    /// Locks that a machine needs for it, those of clusters apart.
    #[must_use]
    pub fn locks() -> u32 {
        SwapLock::numbers(0)
    }

    /// How many of the next pages that are written (or read) are of zeroes.
    fn zeroes(&mut self, read: bool, pages: u32) -> u64 {
        let sum = &mut self.zeroes[usize::from(read)];
        *sum += self.zero_per_mille * pages;
        let zeroes = *sum / 1_000;
        *sum %= 1_000;
        zeroes.into()
    }

    /// Writes the tiers anew when it is time, and lets discards end that are over.
    fn pass_time(&mut self, now: SimTime, setup: Option<&SwapSetup>) {
        if let Some(change) = setup.and_then(|s| s.change.as_ref())
            && self.changed.is_none()
            && now >= change.at
        {
            let result = self.slots.set_tiers(change.tiers.clone());
            if result.is_ok() {
                self.masks.clone_from(&change.masks);
            }
            self.changed = Some(result);
        }
        while let Some(&(_, device)) = self.discards.front().filter(|(end, _)| *end <= now) {
            self.discards.pop_front();
            self.slots.discard(device, 1);
        }
    }

    /// The order of the next folio, of which at most `most` pages are there.
    fn folio_order(&mut self, folios: &[(u32, u64)], most: u32) -> u32 {
        if folios.is_empty() || most < 2 {
            return 0;
        }
        // Shares are of pages: a folio of 2^order of them is so many times as rare.
        let weight = |&(order, share): &(u32, u64)| (share << 9) >> order;
        let large: u64 = folios.iter().map(weight).sum();
        let rest = 1_000u64.saturating_sub(folios.iter().map(|(_, share)| share).sum()) << 9;
        let mut at = self.folio_draws.below((large + rest).max(1));
        let drawn = folios.iter().find(|folio| {
            let own = weight(folio);
            let found = at < own;
            at = at.saturating_sub(own);
            found
        });
        drawn.map_or(0, |&(order, _)| order.min(most.ilog2()))
    }
}

impl<O: Observer> Sim<'_, O> {
    /// The next anonymous page that was taken to be freed gets a slot, lock by lock.
    pub(crate) fn swap_next(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        if task.swapping.pageout.is_empty() {
            return self.inactive_remove(id);
        }
        if let Some((slot, pages)) = task.swapping.got.take() {
            return self.swap_write(id, slot, pages);
        }
        let Some(swap) = &mut m.swap else { unreachable!("without swap nothing is paged out") };
        let setup = m.config.swap.as_ref();
        if task.swapping.allocation.is_none() {
            swap.pass_time(m.core.queue.now(), setup);
            let is_virtual = swap.zswap.as_ref().is_some_and(|z| z.config.is_virtual);
            if is_virtual {
                let accept = |zswap: &mut Zswap| {
                    if zswap.accepts() { zswap.virtual_slot() } else { None }
                };
                if let Some(slot) = swap.zswap.as_mut().and_then(accept) {
                    return self.zswap_write(id, slot, 1);
                }
                self.zswap_shrink(id);
            }
            self.swap_begin(id, is_virtual);
        }
        self.swap_go_on(id)
    }

    /// The allocation at hand goes on, lock by lock.
    fn swap_go_on(&mut self, id: TaskId) -> Flow {
        loop {
            let now = self.now();
            let m = &mut *self.m;
            let task = &mut m.tasks[id.index()];
            let Some(swap) = &mut m.swap else { unreachable!("without swap nothing is paged out") };
            let Some((allocation, pages)) = &mut task.swapping.allocation else {
                unreachable!("it was begun before")
            };
            let pages = *pages;
            if let Some(result) = allocation.result() {
                task.swapping.allocation = None;
                return match result {
                    Ok(slot) => self.swap_write(id, slot, pages),
                    Err(Refused::TooLarge) if pages > 1 => self.split_folio(id, pages),
                    Err(_) => self.swap_refused(id),
                };
            }
            let lock = allocation.next(&swap.slots);
            if let Some(until) = lock.and_then(|lock| swap.clusters.held_until(lock, now)) {
                return self.work_for(id, State::SpinSwap, until - now, Step::SwapNext);
            }
            let passage = allocation.pass(&mut swap.slots, |_| false);
            if let Some(flow) = self.swap_passage(id, passage, Step::SwapNext) {
                return flow;
            }
        }
    }

    /// Begins the allocation of slots for the next folio; one of virtual swap is a page.
    fn swap_begin(&mut self, id: TaskId, is_virtual: bool) {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Some(swap) = &mut m.swap else { unreachable!("without swap nothing is paged out") };
        let order = if task.swapping.split > 0 || is_virtual {
            task.swapping.split = task.swapping.split.saturating_sub(1);
            0
        } else {
            let most = task.swapping.pageout.last().map_or(0, |(e, _)| e.count);
            let folios = m.config.swap.as_ref().map_or(&[][..], |setup| &setup.folios);
            swap.folio_order(folios, most)
        };
        let cgroup = task.scan.memcg;
        let request = Request {
            node: m.cpus.node(task.cpu).0 as u8,
            order,
            cgroup: cgroup.into(),
            tiers: swap.masks.get(usize::from(cgroup)).copied().unwrap_or(u32::MAX),
            ..Request::page(task.cpu.0)
        };
        let allocation = Allocation::new(&mut swap.slots, request);
        task.swapping.allocation = Some((allocation, 1 << order));
    }

    /// No device has slots in a row for a folio: its pages get theirs one by one (7.2 mm/vmscan.c:
    /// shrink_folio_list, split_folio_to_list).
    fn split_folio(&mut self, id: TaskId, pages: u32) -> Flow {
        let ns = self.constant(ConstantId::SplitFolio);
        let m = &mut *self.m;
        m.vmstat.thp_swpout_fallback += 1;
        m.tasks[id.index()].swapping.split = pages;
        let node = m.cpus.node(m.tasks[id.index()].cpu).0;
        self.work(id, State::PageWork, ns, node, Step::SwapNext)
    }

    /// There is no slot for the page: it is activated.
    fn swap_refused(&mut self, id: TaskId) -> Flow {
        let swapping = &mut self.m.tasks[id.index()].swapping;
        let all = core::mem::take(&mut swapping.pageout);
        let count: u64 = all.iter().map(|(e, _)| u64::from(e.count)).sum();
        let active = all.iter().map(|(e, _)| e.flagged(e.flags.with(Flags::ACTIVE)));
        self.m.tasks[id.index()].isolated.keep.extend(active);
        self.m.vmstat.pgactivate += count;
        self.m.tasks[id.index()].step = Step::SwapNext;
        Flow::GoOn
    }

    /// Pages have slots: they are stored by zswap, or written at once or under writeback.
    fn swap_write(&mut self, id: TaskId, slot: Slot, pages: u32) -> Flow {
        let zswap = self.m.swap.as_mut().and_then(|s| s.zswap.as_mut());
        if let Some(zswap) = zswap.filter(|zswap| !zswap.config.is_virtual) {
            if zswap.accepts() {
                return self.zswap_write(id, slot, pages);
            }
            self.zswap_shrink(id);
        }
        let now = self.now();
        let swap = self.m.swap.as_mut().expect("a slot is on a device");
        if let Some(until) = swap.media[usize::from(slot.device())].full_until(now) {
            self.m.tasks[id.index()].swapping.got = Some((slot, pages));
            return self.sleep(id, State::Io, Some(until), Step::SwapNext);
        }
        // Under virtual swap a page that zswap does not take has both.
        let known = match swap.zswap.as_mut().filter(|z| z.config.is_virtual) {
            Some(zswap) => {
                let own = zswap.virtual_slot().expect("there are more than real ones");
                zswap.back(own, slot);
                own
            }
            None => slot,
        };
        let is_virtual = known != slot;
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let swap = m.swap.as_mut().expect("a slot is on a device");
        let medium = &mut swap.media[usize::from(slot.device())];
        let (synchronous, config) = (medium.config.synchronous, medium.config);
        let (due, ns) = if synchronous {
            (0, config.write.as_nanos() * u64::from(pages))
        } else {
            let sent = medium.write(now, (id, slot.offset()), pages, &m.wake_spread);
            let submit = if sent.merged { ConstantId::SwapMerge } else { ConstantId::SwapSubmit };
            (sent.done.as_nanos(), m.config.ledger.get(submit))
        };
        let node = m.cpus.node(task.cpu).0;
        let zeroes = swap.zeroes(false, pages);
        m.vmstat.swpout_zero += zeroes;
        m.vmstat.pswpout += u64::from(pages) - zeroes;
        m.vmstat.thp_swpout += u64::from(pages > 1);
        if synchronous {
            m.store(node as usize, config.stored_bytes() * u64::from(pages));
        } else {
            m.nodes[m.tasks[id.index()].scan.node as usize].swap_pending += u64::from(pages);
        }
        for page in 0..pages {
            let slot = Slot::new(known.device(), known.offset() + page);
            debug_assert!(page == 0 || !is_virtual, "virtual slots are taken one by one");
            self.page_has_slot(id, slot, synchronous, due);
        }
        if synchronous {
            self.m.evict(id);
        }
        self.flush_and_work(id, ns, node)
    }

    /// A page that was taken to be freed has a slot: it can be freed now, or is under writeback
    /// until `due`.
    pub(super) fn page_has_slot(&mut self, id: TaskId, slot: Slot, synchronous: bool, due: u64) {
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Some((page, tier)) = take_one(&mut task.swapping.pageout, &m.pages) else {
            unreachable!("a slot was asked for a page")
        };
        task.isolated.nr_written += 1;
        let flags = page.flags.with(Flags::SWAPPED);
        if synchronous {
            task.isolated.pages[usize::from(page.zone)] += 1;
            task.isolated.reclaim.push((page.flagged(flags), tier));
        } else {
            let flags = flags.with(Flags::RECLAIM);
            task.isolated.keep.push(Entry { due, ..page.flagged(flags) });
        }
        if m.pages.class(page.class).dead {
            m.free_slots(id, &[slot]);
        } else {
            m.pages.class_mut(page.class).put_slot(slot);
        }
    }

    /// A page that was swapped out is wanted again: its slot is read and freed; says until when
    /// the task has to wait for the device.
    pub(crate) fn swap_in(&mut self, id: TaskId, class: crate::lru::ClassId) -> Option<SimTime> {
        let now = self.now();
        let submit = self.constant(ConstantId::ReadSubmit);
        let m = &mut *self.m;
        let draws = &mut m.tasks[id.index()].job.draws;
        let slot = m.pages.class_mut(class).take_slot(draws)?;
        let swap = m.swap.as_mut()?;
        m.vmstat.pgmajfault += 1;
        let job = &mut m.tasks[id.index()].job;
        let stored = swap.zswap.as_ref().filter(|zswap| zswap.has(slot));
        let done = if let Some(zswap) = stored {
            m.vmstat.zswpin += 1;
            job.owed += zswap.config.read.as_nanos();
            None
        } else {
            let zeroes = swap.zeroes(true, 1);
            m.vmstat.swpin_zero += zeroes;
            m.vmstat.pswpin += 1 - zeroes;
            let real = swap.zswap.as_ref().map_or(Some(slot), |zswap| zswap.real(slot))?;
            let medium = &mut swap.media[usize::from(real.device())];
            if medium.config.synchronous {
                job.owed += medium.config.read.as_nanos();
                None
            } else {
                job.owed += submit;
                Some(medium.submit(now, false, &m.wake_spread))
            }
        };
        let owed = m.free_slots(id, &[slot]);
        m.tasks[id.index()].job.owed += owed;
        done
    }
}

/// Takes one page off the last entry.
fn take_one(pageout: &mut Vec<(Entry, u8)>, pages: &crate::lru::Pages) -> Option<(Entry, u8)> {
    let (last, tier) = pageout.last_mut()?;
    let one = (last.of(1), *tier);
    last.count -= 1;
    if pages.is_loop(last.class) {
        last.heat += 1;
    }
    if last.count == 0 {
        pageout.pop();
    }
    Some(one)
}

impl Machine {
    /// Frees slots; says what that costs, in ledger nanoseconds.
    pub(crate) fn free_slots(&mut self, id: TaskId, slots: &[Slot]) -> u64 {
        let cpu = self.tasks[id.index()].cpu.0;
        let now = self.core.queue.now();
        let discard = SimDuration::from_nanos(self.config.ledger.get(ConstantId::DiscardCluster));
        let Some(swap) = &mut self.swap else { return 0 };
        let line = SimDuration::from_nanos(self.speed.line(true));
        let mut passages = Vec::new();
        let mut bytes = 0;
        for &slot in slots {
            let (was_stored, real) = match &mut swap.zswap {
                Some(zswap) => {
                    let freed = zswap.free(slot);
                    bytes += if freed.0 { zswap.page_bytes() } else { 0 };
                    freed
                }
                None => (false, Some(slot)),
            };
            let Some(slot) = real else { continue };
            swap.slots.free(slot, 1, cpu, &mut passages);
            let medium = &mut swap.media[usize::from(slot.device())];
            if !was_stored {
                bytes += medium.config.stored_bytes();
            }
            // What waits for a discard is told to the device at once.
            let waiting = swap.slots.discards_waiting(slot.device());
            let about = swap.discards.iter().filter(|(_, d)| *d == slot.device()).count() as u32;
            for _ in about..waiting {
                swap.discards.push_back((medium.occupy(now, discard), slot.device()));
            }
        }
        let ledger = &self.config.ledger;
        let ns = passages.iter().map(|p| p.hold(ledger, line).as_nanos()).sum();
        self.unstore(bytes);
        ns
    }

    /// Memory that stored pages take: whole pages off the highest zone of the node that has one, or
    /// of any node, whatever its marks (the caller may use the reserves).
    pub(crate) fn store(&mut self, node: usize, bytes: u64) {
        let Some(swap) = &mut self.swap else { return };
        swap.stored += bytes;
        let wanted = swap.stored.div_ceil(units::PAGE_SIZE);
        while self.swap.as_ref().is_some_and(|s| s.store_sum < wanted) {
            let kinds = ZoneKind::ALL.len();
            let own = (node * kinds..(node + 1) * kinds).rev();
            let all = own.chain((0..self.zones.len()).rev());
            let Some(zone) = all.into_iter().find(|&z| self.zones[z].free > 0) else { return };
            if let Some(swap) = &mut self.swap {
                swap.store_pages[zone] += 1;
                swap.store_sum += 1;
            }
            self.zones[zone].used += 1;
            self.take_page(zone);
        }
    }

    /// Stored pages are gone: pages that are no longer needed are free again.
    pub(super) fn unstore(&mut self, bytes: u64) {
        let Some(swap) = &mut self.swap else { return };
        swap.stored -= bytes.min(swap.stored);
        let wanted = swap.stored.div_ceil(units::PAGE_SIZE);
        while self.swap.as_ref().is_some_and(|s| s.store_sum > wanted) {
            let most = (0..self.zones.len())
                .max_by_key(|&z| self.swap.as_ref().map_or(0, |s| s.store_pages[z]));
            let (Some(zone), Some(swap)) = (most, &mut self.swap) else { return };
            swap.store_pages[zone] -= 1;
            swap.store_sum -= 1;
            self.zones[zone].used -= 1;
            self.give_page(zone);
        }
    }

    /// Pages whose writeback is over stand at the tail of their inactive list (or of the oldest
    /// generation), ready to be freed; says how many were moved.
    pub(crate) fn rotate_written(&mut self, id: TaskId) -> u64 {
        let now = self.core.queue.now().as_nanos();
        // They are turned batch by batch (lru_move_tail); a reclaimer that meets one of the others
        // frees it where it stands.
        let batch = self.config.flavour.folio_batch as usize;
        let scan = self.tasks[id.index()].scan;
        let node = &mut self.nodes[scan.node as usize];
        let part = &mut node.lruvecs[usize::from(scan.memcg)].parts[scan.partition as usize];
        if !part.has_written(batch, now) {
            return 0;
        }
        let mut done = Vec::new();
        part.take_written(PageKind::Anon, now, &mut done);
        let count = entry::pages(&done);
        for e in done {
            // Pages of a loop keep their place in it.
            let looped = self.pages.is_loop(e.class);
            let heat = if looped { e.heat } else { self.pages.class(e.class).now() };
            let e = Entry { heat, due: 0, ..e.flagged(e.flags.without(Flags::RECLAIM)) };
            part.add_tail(e, &self.pages);
        }
        node.swap_pending -= count.min(node.swap_pending);
        self.vmstat.pgrotated += count;
        count
    }
}
