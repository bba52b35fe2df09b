//! An experiment that swaps out step by step (MADV_PAGEOUT), in the model: its devices are switched
//! on in the order of /proc/swaps, its CPUs take their turns, and each page, or each huge page in
//! one piece where that is found, asks the kernel's allocator for a slot.

use super::load::Pageout;
use super::params::{Params, SwapDevice};
use super::swap_runs::Runs;
use mm::swap::{DEVICES_MAX, DeviceConfig, Refused, Request, SLOTS_MAX, Swap, SwapConfig};
use std::collections::BTreeMap;

/// Pages of a huge page, and its order.
const HUGE: u64 = 512;
const HUGE_ORDER: u32 = 9;
/// Most pages of a run, and of all devices (1 TiB).
const PAGES_MAX: u64 = 1 << 22;
const DEVICE_PAGES_MAX: u64 = 1 << 28;

/// What the model did.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) runs: Runs,
    /// Used pages of each device at the end.
    pub(super) used: BTreeMap<String, u64>,
    /// How often used pages of a device grew by how many.
    pub(super) growth: BTreeMap<u64, u64>,
    /// Priorities, by the kernel's rule where the experiment has default ones.
    pub(super) priorities: Vec<i64>,
}

/// Runs it, the devices turning or not.
///
/// # Errors
/// Why the model cannot.
pub(super) fn run(params: &Params, load: &Pageout, turning: bool) -> Result<Outcome, String> {
    let pages = load.bytes / 4096;
    if pages > PAGES_MAX {
        return Err(format!("more than {PAGES_MAX} pages that are swapped out"));
    }
    let mut swap = devices(params, load, turning)?;
    let numbers = numbers(&load.cpus);
    let mut outcome = Outcome {
        runs: Runs::default(),
        used: BTreeMap::new(),
        growth: BTreeMap::new(),
        priorities: Vec::new(),
    };
    let mut seen = vec![0; params.swaps.len()];
    // A huge page of which only a part is meant is split first.
    let huge = load.huge && load.step.is_multiple_of(HUGE);
    for step in 0..pages.div_ceil(load.step) {
        let cpu = load.cpus[(step / load.burst) as usize % load.cpus.len()];
        let node = params.cpus.iter().position(|cpus| cpus.contains(&cpu)).unwrap_or(0) as u8;
        let page = Request { node, ..Request::page(numbers[cpu as usize]) };
        let mut left = load.step.min(pages - step * load.step);
        while left > 0 {
            let whole = huge && left >= HUGE;
            out(&mut swap, page, whole);
            left -= if whole { HUGE } else { 1 };
        }
        for (i, device) in params.swaps.iter().enumerate() {
            let used = swap.device(i as u8).map_or(0, |d| u64::from(d.used()));
            if used > seen[i] {
                outcome.runs.grew(&device.name, used - seen[i], step, cpu.into());
                *outcome.growth.entry(used - seen[i]).or_insert(0) += 1;
            }
            seen[i] = used;
        }
    }
    for (i, device) in params.swaps.iter().enumerate() {
        outcome.used.insert(device.name.clone(), seen[i]);
        let priority = swap.device(i as u8).map_or(0, |d| d.priority());
        outcome.priorities.push(priority.into());
    }
    Ok(outcome)
}

/// The number of each CPU among those that take turns.
fn numbers(cpus: &[u32]) -> Vec<u32> {
    let most = cpus.iter().copied().max().unwrap_or(0) as usize;
    let mut numbers = vec![u32::MAX; most + 1];
    let mut next = 0;
    for &cpu in cpus {
        let number = &mut numbers[cpu as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
    }
    numbers
}

/// Swaps a page out, or a huge page; a huge one for which there is no room in one piece is split.
fn out(swap: &mut Swap, page: Request, huge: bool) {
    let mut passages = Vec::new();
    if huge {
        let request = Request { order: HUGE_ORDER, ..page };
        if swap.alloc(request, &mut passages) != Err(Refused::TooLarge) {
            return;
        }
    }
    for _ in 0..if huge { HUGE } else { 1 } {
        passages.clear();
        // A page that gets no slot stays in memory.
        if swap.alloc(page, &mut passages).is_err() {
            return;
        }
    }
}

fn devices(params: &Params, load: &Pageout, turning: bool) -> Result<Swap, String> {
    if params.swaps.len() > DEVICES_MAX {
        return Err(format!("more than {DEVICES_MAX} swap devices"));
    }
    if params.swaps.is_empty() {
        return Err("steps of MADV_PAGEOUT without a swap device".into());
    }
    let pages = params.swaps.iter().fold(0_u64, |sum, d| sum.saturating_add(d.pages));
    if pages > DEVICE_PAGES_MAX {
        return Err(format!("more than {DEVICE_PAGES_MAX} pages of swap"));
    }
    // The slot cache counts all CPUs; those that take turns are numbered among them.
    let cpus: usize = params.cpus.iter().map(Vec::len).sum();
    let cpus = cpus.max(load.cpus.len()) as u32;
    let mut config = SwapConfig::new(params.flavour.swap_allocator, cpus);
    config.nodes = params.nodes() as u8;
    config.priorities_descend = params.flavour.swap_priorities_descend;
    let mut swap = Swap::new(config).map_err(|e| e.errno().to_owned())?;
    for device in &params.swaps {
        let config = config_of(device, turning)?;
        swap.swapon(config).map_err(|e| format!("a swap device that is refused ({e:?})"))?;
    }
    Ok(swap)
}

fn config_of(device: &SwapDevice, turning: bool) -> Result<DeviceConfig, String> {
    if device.used > 0 {
        return Err("swap devices that are in use when the run begins".into());
    }
    // One page of the device is its header.
    let slots = u32::try_from(device.pages + 1).ok().filter(|&slots| slots <= SLOTS_MAX);
    let slots = slots.ok_or_else(|| format!("a swap device of {SLOTS_MAX} pages"))?;
    // The kernel's own default is recomputed.
    let priority = if device.priority < 0 { None } else { i16::try_from(device.priority).ok() };
    let block = device.kind == "partition";
    Ok(DeviceConfig { priority, rotational: turning, block, ..DeviceConfig::new(slots) })
}
