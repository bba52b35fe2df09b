//! The slot cache era (4.11 to 6.14 mm/swap_slots.c): 64 slots a CPU ahead of need. The searches
//! under si->lock are [`crate::swap::old`].

use super::{Allocator, Begin, Choice, kept_by_device};
use crate::swap::Swap;
use crate::swap::alloc::Request;

/// Its place in the list of allocators.
pub(super) const ALLOCATOR: Allocator = Allocator {
    name: "slot-cache",
    choice: Choice::List,
    slot_caches: true,
    discards: u32::MAX,
    leaves_device: false,
    begin,
    resume: |_, _, _| 0,
    remember: kept_by_device,
    goes_on,
};

fn begin(swap: &mut Swap, request: &Request) -> Begin {
    if request.order == 0 && swap.look_at_caches() { Begin::Cache } else { Begin::Choose }
}

fn goes_on(swap: &Swap, cpu: u32) -> Option<(u8, u32)> {
    let slots = &swap.caches.cpus.get(cpu as usize)?.slots;
    slots.last().map(|slot| (slot.device(), slots.len() as u32))
}
