//! B: a cluster a CPU and device; the list rotates at every allocation (patch 8 of the 2026
//! series).

use super::{Allocator, Choice, by_device, chooses, kept_by_device};

/// Its place in the list of allocators.
pub(super) const ALLOCATOR: Allocator = Allocator {
    name: "device-plist",
    choice: Choice::List,
    slot_caches: false,
    discards: u32::MAX,
    leaves_device: false,
    begin: chooses,
    resume: by_device,
    remember: kept_by_device,
    // No CPU has a place of its own.
    goes_on: |_, _| None,
};
