//! Slot allocators: where they differ.
//!
//! All of them walk through the same passages ([`super::alloc`]) over the same clusters. What an
//! allocator says of itself is who chooses a device, where a CPU goes on, and what it remembers.
//!
//! An allocator is a file of this folder with its place in [`ALLOCATORS`], and a row of
//! `catalog::swap`.

use super::alloc::Request;
use super::{Swap, SwapLock};

mod device_plist;
mod global_plist;
mod ring;
mod slot_cache;

/// An allocator.
#[derive(Clone, Copy, Debug)]
pub struct Allocator {
    /// Its name: that of its row in the catalog.
    pub name: &'static str,
    /// Who names the device.
    pub choice: Choice,
    /// Whether slots are taken and kept as up to 6.14: ahead of need in a cache a CPU, a whole
    /// device searched under si->lock, a list of devices a node.
    pub slot_caches: bool,
    /// Freed clusters that a device is told of in one attempt, when no slot is left otherwise.
    pub discards: u32,
    /// Whether another device is chosen when the cluster that a CPU goes on in has nothing left;
    /// else the rest of its device is looked through.
    pub(super) leaves_device: bool,
    /// Where an allocation begins.
    pub(super) begin: fn(&mut Swap, &Request) -> Begin,
    /// The slot from which a CPU goes on in a device that was chosen; 0 for none.
    pub(super) resume: fn(&Swap, u8, &Request) -> u32,
    /// Remembers the slot from which the CPU goes on in a device, 0 for none.
    pub(super) remember: fn(&mut Swap, u8, &Request, u32),
    /// Where a CPU goes on for a page: the device, and the pages that it has left there.
    pub(super) goes_on: fn(&Swap, u32) -> Option<(u8, u32)>,
}

/// Who names the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The list of devices with room, under swap_avail_lock: its head, which goes behind its peers.
    List,
    /// The queue of rings: the CPU's own place.
    Rings,
}

impl Choice {
    /// The lock under which a device joins those with room, or leaves them.
    #[must_use]
    pub fn edge_lock(self) -> SwapLock {
        match self {
            Self::List => SwapLock::Avail,
            Self::Rings => SwapLock::QueueUpdate,
        }
    }
}

/// Where an allocation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// In the CPU's slot cache.
    Cache,
    /// At this device, in the cluster of this slot.
    At(u8, u32),
    /// With the choice of a device.
    Choose,
}

/// All allocators, in the order of their rows in the catalog.
pub static ALLOCATORS: &[Allocator] =
    &[slot_cache::ALLOCATOR, global_plist::ALLOCATOR, device_plist::ALLOCATOR, ring::ALLOCATOR];

/// Every allocation chooses a device.
fn chooses(_: &mut Swap, _: &Request) -> Begin {
    Begin::Choose
}

/// Where the CPU goes on in the device, which keeps that by CPU.
fn by_device(swap: &Swap, d: u8, request: &Request) -> u32 {
    swap.devices[usize::from(d)].percpu[request.cpu as usize][request.order as usize]
}

/// The device keeps it by CPU.
fn kept_by_device(swap: &mut Swap, d: u8, request: &Request, next: u32) {
    let device = &mut swap.devices[usize::from(d)];
    device.percpu[request.cpu as usize][request.order as usize] = next;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_catalog_has_its_allocator() {
        let names: Vec<_> = ALLOCATORS.iter().map(|allocator| allocator.name).collect();
        let rows: Vec<_> = catalog::swap::ALLOCATORS.iter().map(|row| row.name).collect();
        assert_eq!(names, rows, "an allocator is a file here and a row there, in the same order");
    }
}
