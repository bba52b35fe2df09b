//! An experiment that swaps out step by step (MADV_PAGEOUT), in the model: its devices are switched
//! on in the order of /proc/swaps, its CPUs take their turns, and each page, or each huge page in
//! one piece where that is found, asks the kernel's allocator for a slot.

use super::devices;
use super::load::Pageout;
use super::params::Params;
use super::swap_runs::Runs;
use mm::swap::{Refused, Request, Swap};
use std::collections::BTreeMap;

/// Pages of a huge page, and its order.
const HUGE: u64 = 512;
const HUGE_ORDER: u32 = 9;
/// Most pages of a run.
const PAGES_MAX: u64 = 1 << 22;

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
    if params.swaps.is_empty() {
        return Err("steps of MADV_PAGEOUT without a swap device".into());
    }
    // The slot cache counts all CPUs; those that take turns are numbered among them.
    let cpus: usize = params.cpus.iter().map(Vec::len).sum();
    let cpus = cpus.max(load.cpus.len()) as u32;
    Ok(devices::slots(params, cpus, turning)?.2)
}
