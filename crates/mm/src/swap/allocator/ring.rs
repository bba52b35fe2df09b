//! C: the queue of rings by priority (patches 9 to 13 of the 2026 series); the rings themselves
//! are [`crate::swap::ring`].

use super::{Allocator, Choice, by_device, chooses, kept_by_device};
use crate::swap::Swap;

/// Its place in the list of allocators.
pub(super) const ALLOCATOR: Allocator = Allocator {
    name: "ring",
    choice: Choice::Rings,
    slot_caches: false,
    discards: 1,
    leaves_device: false,
    begin: chooses,
    resume: by_device,
    remember: kept_by_device,
    goes_on,
};

fn goes_on(swap: &Swap, cpu: u32) -> Option<(u8, u32)> {
    let room = |d: &u8| swap.devices[usize::from(*d)].available;
    let ring = swap.peers.groups.iter().position(|group| group.members.iter().any(room))?;
    swap.cursor(cpu, ring as u8)
}
