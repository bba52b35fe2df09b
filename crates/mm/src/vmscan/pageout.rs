//! Anonymous pages on their way to swap (7.2 mm/vmscan.c: shrink_folio_list, pageout;
//! mm/page_io.c: swap_writeout; mm/swap.c: folio_rotate_reclaimable).
//!
//! Each page first gets a slot, passage by passage through the allocator's locks
//! ([`crate::swap`]). A synchronous device has stored it when the call returns, and it is freed in
//! the same pass. An asynchronous one takes it under writeback: it goes back to its list, and when
//! it is written to the tail, where the next scan frees it.

use crate::lru::{Entry, Flags, PageKind, entry};
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::swap::medium::Medium;
use crate::swap::{Allocation, DeviceConfig, Passage, Request, Slot, Swap, SwapConfig, SwapLock};
use crate::task::{State, Step};
use catalog::{ConstantId, ZoneKind};
use units::{LockId, SimDuration, SimTime, TaskId};

pub use crate::swap::medium::MediumConfig;

/// Locks that a device's clusters share out among them.
const CLUSTER_LOCKS: u32 = 64;

/// The swap devices of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapSetup {
    /// How slots are handed out.
    pub config: SwapConfig,
    /// The devices, in the order of swapon.
    pub devices: Vec<(DeviceConfig, MediumConfig)>,
}

/// Swap as a machine has it.
#[derive(Clone, Debug)]
pub struct SwapState {
    /// The slots.
    pub slots: Swap,
    /// What each device is made of.
    pub media: Vec<Medium>,
    /// Bytes that are stored in memory (zram).
    pub stored: u64,
    /// Pages that those take, by zone.
    pub store_pages: Vec<u64>,
}

/// What a reclaimer is about with swap.
#[derive(Clone, Debug, Default)]
pub struct Swapping {
    /// Pages that still have to be written, with their tiers.
    pub pageout: Vec<(Entry, u8)>,
    /// The allocation of a slot for the first of them.
    allocation: Option<Allocation>,
    /// The slot that it has, while it waits for its turn to write.
    got: Option<Slot>,
}

impl SwapState {
    /// Devices without a used slot; `random` thousandths of their service times are random.
    ///
    /// # Panics
    /// When the devices are not such as validation lets through.
    #[must_use]
    pub fn new(setup: &SwapSetup, zones: usize, random: u64, seed: u64) -> Self {
        let mut slots = Swap::new(setup.config.clone()).expect("tiers were validated");
        let mut media = Vec::new();
        for (n, (device, medium)) in setup.devices.iter().enumerate() {
            slots.swapon(*device).expect("devices were validated");
            media.push(Medium::new(*medium, random, seed, n as u64));
        }
        Self { slots, media, stored: 0, store_pages: vec![0; zones] }
    }

    /// Locks that a machine needs for it.
    #[must_use]
    pub fn locks() -> u32 {
        SwapLock::numbers(CLUSTER_LOCKS)
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
        if let Some(slot) = task.swapping.got.take() {
            return self.swap_write(id, slot);
        }
        let Some(swap) = &mut m.swap else { unreachable!("without swap nothing is paged out") };
        let cpu = task.cpu;
        let allocation = match &mut task.swapping.allocation {
            Some(allocation) => allocation,
            None => {
                let request = Request { node: m.cpus.node(cpu).0 as u8, ..Request::page(cpu.0) };
                task.swapping.allocation.insert(Allocation::new(&mut swap.slots, request))
            }
        };
        if let Some(result) = allocation.result() {
            task.swapping.allocation = None;
            return match result {
                Ok(slot) => self.swap_write(id, slot),
                Err(_) => self.swap_refused(id),
            };
        }
        let passage = allocation.pass(&mut swap.slots, |_| false);
        self.swap_passage(id, passage, Step::SwapNext)
    }

    /// Takes the lock of a passage for as long as it lasts, then goes on at `step`.
    fn swap_passage(&mut self, id: TaskId, passage: Passage, step: Step) -> Flow {
        let m = &*self.m;
        let node = m.cpus.node(m.tasks[id.index()].cpu).0;
        let line = SimDuration::from_nanos(m.speed.line(m.nodes.len() == 1));
        let ns = passage.hold(&m.config.ledger, line).as_nanos();
        match passage.lock.number(CLUSTER_LOCKS) {
            None => self.work(id, State::PageWork, ns, node, step),
            Some(number) => {
                let held = State::PageWork;
                let lock = m.swap_lock(number);
                self.lock(id, lock, Hold { ns, node, held, spin: State::PageWork, step })
            }
        }
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

    /// The page has a slot: it is written, at once or under writeback.
    fn swap_write(&mut self, id: TaskId, slot: Slot) -> Flow {
        let now = self.now();
        let flush = self.constant(ConstantId::TlbFlush)
            + self.constant(ConstantId::TlbFlushPerCpu) * self.m.cpus_to_flush(id);
        let submit = self.constant(ConstantId::SwapSubmit);
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Some(swap) = &mut m.swap else { unreachable!("a slot is on a device") };
        if let Some(until) = swap.media[usize::from(slot.device())].full_until(now) {
            task.swapping.got = Some(slot);
            return self.sleep(id, State::Io, Some(until), Step::SwapNext);
        }
        let Some((page, tier)) = take_one(&mut task.swapping.pageout, &m.pages) else {
            unreachable!("a slot was asked for a page")
        };
        m.vmstat.pswpout += 1;
        task.isolated.nr_written += 1;
        let dead = m.pages.class(page.class).dead;
        if !dead {
            m.pages.class_mut(page.class).put_slot(slot);
        }
        let node = m.cpus.node(task.cpu).0;
        let medium = &mut swap.media[usize::from(slot.device())];
        if medium.config.synchronous {
            let ns = medium.config.write.as_nanos() + flush;
            let bytes = u64::from(medium.config.stored_per_mille) * units::PAGE_SIZE / 1_000;
            task.isolated.pages[usize::from(page.zone)] += 1;
            task.isolated.reclaim.push((page.flagged(page.flags.with(Flags::SWAPPED)), tier));
            m.store(node as usize, bytes);
            m.evict(id);
            if dead {
                m.free_slots(id, &[slot]);
            }
            return self.work(id, State::PageWork, ns, node, Step::SwapNext);
        }
        let done = medium.submit(now, true, &m.wake_spread);
        let flags = page.flags.with(Flags::SWAPPED).with(Flags::RECLAIM);
        task.isolated.keep.push(Entry { due: done.as_nanos(), ..page.flagged(flags) });
        m.nodes[task.scan.node as usize].write_pending += 1;
        if dead {
            m.free_slots(id, &[slot]);
        }
        self.work(id, State::PageWork, submit + flush, node, Step::SwapNext)
    }

    /// A page that was swapped out is wanted again: its slot is read and freed; says until when
    /// the task has to wait for the device.
    pub(crate) fn swap_in(&mut self, id: TaskId, class: crate::lru::ClassId) -> Option<SimTime> {
        let now = self.now();
        let submit = self.constant(ConstantId::ReadSubmit);
        let m = &mut *self.m;
        let slot = m.pages.class_mut(class).take_slot()?;
        let swap = m.swap.as_mut()?;
        let medium = &mut swap.media[usize::from(slot.device())];
        m.vmstat.pswpin += 1;
        m.vmstat.pgmajfault += 1;
        let job = &mut m.tasks[id.index()].job;
        let done = if medium.config.synchronous {
            job.owed += medium.config.read.as_nanos();
            None
        } else {
            job.owed += submit;
            Some(medium.submit(now, false, &m.wake_spread))
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
    /// The locks of the slot allocator come behind those of all files.
    fn swap_lock(&self, number: u32) -> LockId {
        LockId(self.lock_count() - SwapState::locks() + number)
    }

    /// CPUs whose TLBs may hold what a reclaimer unmaps: those of its node that run a task.
    pub(crate) fn cpus_to_flush(&self, id: TaskId) -> u64 {
        let node = self.cpus.node(self.tasks[id.index()].cpu);
        u64::from(self.cpus.busy_on_node(node))
    }

    /// Frees slots; says what that costs, in ledger nanoseconds.
    pub(crate) fn free_slots(&mut self, id: TaskId, slots: &[Slot]) -> u64 {
        let cpu = self.tasks[id.index()].cpu.0;
        let Some(swap) = &mut self.swap else { return 0 };
        let line = SimDuration::from_nanos(self.speed.line(true));
        let mut passages = Vec::new();
        let mut bytes = 0;
        for &slot in slots {
            swap.slots.free(slot, 1, cpu, &mut passages);
            let medium = &swap.media[usize::from(slot.device())].config;
            bytes += u64::from(medium.stored_per_mille) * units::PAGE_SIZE / 1_000;
        }
        let ledger = &self.config.ledger;
        let ns = passages.iter().map(|p| p.hold(ledger, line).as_nanos()).sum();
        self.unstore(bytes);
        ns
    }

    /// Memory that stored pages take: whole pages off the highest zone of the node that has one, or
    /// of any node, whatever its marks (the caller may use the reserves).
    fn store(&mut self, node: usize, bytes: u64) {
        let Some(swap) = &mut self.swap else { return };
        swap.stored += bytes;
        let wanted = swap.stored.div_ceil(units::PAGE_SIZE);
        while self.swap.as_ref().map_or(0, |s| s.store_pages.iter().sum()) < wanted {
            let kinds = ZoneKind::ALL.len();
            let own = (node * kinds..(node + 1) * kinds).rev();
            let all = own.chain((0..self.zones.len()).rev());
            let Some(zone) = all.into_iter().find(|&z| self.zones[z].free > 0) else { return };
            if let Some(swap) = &mut self.swap {
                swap.store_pages[zone] += 1;
            }
            self.zones[zone].used += 1;
            self.take_page(zone);
        }
    }

    /// Stored pages are gone: pages that are no longer needed are free again.
    fn unstore(&mut self, bytes: u64) {
        let Some(swap) = &mut self.swap else { return };
        swap.stored -= bytes.min(swap.stored);
        let wanted = swap.stored.div_ceil(units::PAGE_SIZE);
        let mut have: u64 = swap.store_pages.iter().sum();
        while have > wanted {
            let most = (0..self.zones.len())
                .max_by_key(|&z| self.swap.as_ref().map_or(0, |s| s.store_pages[z]));
            let (Some(zone), Some(swap)) = (most, &mut self.swap) else { return };
            swap.store_pages[zone] -= 1;
            have -= 1;
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
        node.write_pending -= count.min(node.write_pending);
        self.vmstat.pgrotated += count;
        count
    }
}
