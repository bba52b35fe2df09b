//! What always holds: no page is lost, no page is in two places. Checked by tests after every
//! event.

use crate::config::ZONES_PER_NODE;
use crate::lru::Partition;
use crate::machine::Machine;
use crate::page_alloc::zone::Zone;
use crate::swap::Slot;
use crate::task::State;
use catalog::AllocatorId;
use units::{CpuId, SimTime};

/// Checks a state; the first violation in words.
///
/// # Errors
/// When a page is lost or counted twice, a task is in two places, or time does not add up.
pub fn check(m: &Machine) -> Result<(), String> {
    pages(m)?;
    cpus(m)?;
    swap(m)?;
    times(m)
}

/// Slots are conserved and belong to one page each; a device is offered as long as it has some; C
/// gives nothing of a device while one of higher priority has room.
fn swap(m: &Machine) -> Result<(), String> {
    let Some(swap) = &m.swap else { return Ok(()) };
    swap.slots.check()?;
    let mut owned: Vec<_> = m.pages.each().flat_map(crate::lru::Class::each_slot).collect();
    for (slot, pages) in m.tasks.iter().filter_map(|task| task.swapping.slots()) {
        owned.extend((0..pages).map(|i| Slot::new(slot.device(), slot.offset() + i)));
    }
    owned.sort_unstable();
    if let Some(pair) = owned.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two pages have slot {:?}", pair[0]));
    }
    let is_real = |slot: Slot| swap.zswap.as_ref().is_none_or(|zswap| !zswap.is_virtual(slot));
    let free = |&&slot: &&Slot| is_real(slot) && !swap.slots.is_used(slot);
    if let Some(slot) = owned.iter().find(free) {
        return Err(format!("a page has slot {slot:?}, which is free"));
    }
    let stats = swap.slots.stats();
    // Whoever was under way when a device of higher priority had room again could not know.
    let under_way = stats.edges * u64::from(m.cpus.len());
    if swap.slots.allocator() == AllocatorId::Ring && stats.inversions > under_way {
        return Err(format!("{} slots were taken below a device with room", stats.inversions));
    }
    Ok(())
}

/// free + per-CPU lists + folio batches + LRU + isolated + used = managed, in every zone; and the
/// counts kept by zone agree with the lists themselves.
fn pages(m: &Machine) -> Result<(), String> {
    let count = m.zones.len();
    for (number, zone) in m.zones.iter().enumerate() {
        let sum = zone.free + zone.pcp + zone.batched + zone.lru + zone.isolated + zone.used;
        if sum != zone.managed {
            return Err(format!(
                "zone {number}: {sum} pages of {} managed: {zone:?}",
                zone.managed
            ));
        }
        let listed: u64 =
            (0..m.cpus.len() as usize).map(|c| u64::from(m.pcps[c * count + number].count)).sum();
        if listed != zone.pcp {
            return Err(format!("zone {number}: {listed} on per-CPU lists, counted {}", zone.pcp));
        }
    }
    for (n, node) in m.nodes.iter().enumerate() {
        let zones = &m.zones[n * ZONES_PER_NODE..(n + 1) * ZONES_PER_NODE];
        let free: u64 = zones.iter().map(|z| z.free).sum();
        let isolated: u64 = zones.iter().map(|z| z.isolated).sum();
        let in_hands: u64 = node.isolated.iter().sum();
        let usable: u64 = zones.iter().map(Zone::usable).sum();
        if (free, usable, isolated) != (node.free, node.usable, in_hands) {
            return Err(format!(
                "node {n}: free, usable or isolated of its zones and its own differ"
            ));
        }
        let parts = node.lruvecs.iter().flat_map(|vec| &vec.parts);
        let lists: Vec<_> = parts.map(Partition::by_zone).collect();
        for (kind, zone) in zones.iter().enumerate() {
            let on_lists: u64 = lists.iter().map(|by_zone| by_zone[kind]).sum();
            if on_lists != zone.lru {
                return Err(format!(
                    "node {n} kind {kind}: {on_lists} listed, {} counted",
                    zone.lru
                ));
            }
        }
    }
    Ok(())
}

/// A CPU runs one task, a task runs on one CPU, a lock has one holder that runs and knows it.
fn cpus(m: &Machine) -> Result<(), String> {
    let mut running = vec![false; m.tasks.len()];
    for cpu in 0..m.cpus.len() {
        if let Some(task) = m.cpus.current(CpuId(cpu)) {
            if core::mem::replace(&mut running[task.index()], true) {
                return Err(format!("task {task:?} runs on two CPUs"));
            }
            if m.tasks[task.index()].cpu != CpuId(cpu) {
                return Err(format!("task {task:?} runs where it does not know"));
            }
        }
    }
    for lock in 0..m.lock_count() {
        let holder = m.locks.holder(units::LockId(lock));
        if let Some((task, _)) = holder
            && m.tasks[task.index()].lock != Some(units::LockId(lock))
        {
            return Err(format!("lock {lock} has a holder that does not know it"));
        }
    }
    for (number, task) in m.tasks.iter().enumerate() {
        if running[number] != task.on_cpu {
            return Err(format!("task {number}: on a CPU or not, its own word differs"));
        }
        if let Some(lock) = task.lock {
            let id = units::TaskId(number as u32);
            let holds = m.locks.holder(lock).is_some_and(|(holder, _)| holder == id);
            let waits = m.locks.queue(lock).any(|waiter| waiter == id);
            if !task.on_cpu || holds == waits {
                return Err(format!("task {number} and its lock {lock:?} disagree"));
            }
            let spins = matches!(
                task.state,
                State::SpinLru | State::SpinZone | State::SpinIPages | State::SpinSwap
            );
            if waits && !spins && task.state != State::PageWork {
                return Err(format!("task {number} waits for a lock as {:?}", task.state));
            }
        }
        if !task.on_cpu && !off_cpu(task.state) {
            return Err(format!("task {number} is {:?} without a CPU", task.state));
        }
    }
    Ok(())
}

fn off_cpu(state: State) -> bool {
    matches!(state, State::Asleep | State::Napping | State::Runnable | State::Io | State::Throttled)
}

/// The time of every task adds up to the time that has passed.
fn times(m: &Machine) -> Result<(), String> {
    let now = m.now();
    for (number, task) in m.tasks.iter().enumerate() {
        let sum: u64 = task.spent_until(now).iter().sum();
        if SimTime::from_nanos(sum) != now {
            return Err(format!("task {number}: {sum} ns of {now}"));
        }
    }
    Ok(())
}
