//! A: one cluster a CPU for all devices; the list rotates when it is used up (7.3
//! mm/swapfile.c:swap_alloc_fast, swap_alloc_slow).

use super::{Allocator, Begin, Choice};
use crate::swap::Swap;
use crate::swap::alloc::Request;

/// Its place in the list of allocators.
pub(super) const ALLOCATOR: Allocator = Allocator {
    name: "global-plist",
    choice: Choice::List,
    slot_caches: false,
    discards: u32::MAX,
    leaves_device: true,
    begin,
    resume: |_, _, _| 0,
    remember,
    goes_on,
};

/// A device that the task may not use is passed by, whatever the CPU remembers.
fn begin(swap: &mut Swap, request: &Request) -> Begin {
    let (d, next) = swap.global[request.cpu as usize][request.order as usize];
    if next != 0 && swap.may_use(d, request.tiers) { Begin::At(d, next) } else { Begin::Choose }
}

fn remember(swap: &mut Swap, d: u8, request: &Request, next: u32) {
    swap.global[request.cpu as usize][request.order as usize] = (d, next);
}

fn goes_on(swap: &Swap, cpu: u32) -> Option<(u8, u32)> {
    let (d, next) = swap.global.get(cpu as usize)?[0];
    (next > 0).then(|| (d, swap.cluster - next % swap.cluster))
}
