//! In-tier policies: which device of a group of peers serves next.
//!
//! A policy sees the devices at that moment and the place that the CPU has in the group, and names
//! one device by its place. It writes nothing but the CPU's own place: what CPUs share would have
//! to be a lock.
//!
//! A policy is a file of this folder with its place in [`POLICIES`], and a row of
//! `catalog::in_tier`.

use super::alloc::Request;
use super::device::Device;

mod cgroup;
mod least_used;
mod numa_local;
mod proportional;
mod ring;
mod round_robin;

/// A policy: whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Its name: that of its row in the catalog.
    pub name: &'static str,
    /// The place of the device that serves next; none when no device is free. It moves the CPU's
    /// place, and counts what is asked for against the CPU's quota or the device's credit if it
    /// keeps one: what the device does not give is given back by the caller.
    pub next: fn(&mut Reader, &Turn<'_>) -> Option<usize>,
}

/// All policies, in the order of their rows in the catalog.
pub static POLICIES: &[Policy] = &[
    ring::POLICY,
    round_robin::POLICY,
    proportional::POLICY,
    least_used::POLICY,
    cgroup::POLICY,
    numa_local::POLICY,
];

/// Where a CPU stands in a group of peers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// The place of the device that it is at.
    pub at: usize,
    /// Pages left of the quota there.
    pub left: u32,
    /// What each device may still give, where a policy keeps that; else empty.
    pub credit: Vec<i64>,
}

impl Reader {
    /// The device at a place gave nothing: what was counted for so many pages is given back.
    pub(super) fn gave_nothing(&mut self, at: usize, pages: u32, quota: u32) {
        if let Some(credit) = self.credit.get_mut(at) {
            *credit += i64::from(pages);
        } else if self.at == at {
            self.left = (self.left + pages).min(quota);
        }
    }
}

/// What a policy may look at: the devices of the group by place, and who asks for what.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    devices: &'a [Device],
    members: &'a [u8],
    request: &'a Request,
    /// Places that this attempt has asked already, a bit each.
    visited: u16,
    quota: u32,
}

impl<'a> Turn<'a> {
    /// The turn of a request among the `members` of a group, by their numbers in `devices`.
    #[must_use]
    pub fn new(
        devices: &'a [Device],
        members: &'a [u8],
        request: &'a Request,
        visited: u16,
        quota: u32,
    ) -> Self {
        Self { devices, members, request, visited, quota }
    }

    /// How many devices the group has: places are 0 to one less.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a group without devices has no turn")]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Pages that are asked for.
    #[must_use]
    pub fn pages(&self) -> u32 {
        1 << self.request.order
    }

    /// Pages that a CPU shall take from a device before it goes on.
    #[must_use]
    pub fn quota(&self) -> u32 {
        self.quota
    }

    /// The cgroup of the task that asks.
    #[must_use]
    pub fn cgroup(&self) -> u32 {
        self.request.cgroup
    }

    /// Whether a device has room and was not asked yet for this request.
    #[must_use]
    pub fn is_free(&self, i: usize) -> bool {
        self.visited >> i & 1 == 0 && self.has_room(i)
    }

    /// Whether a device has room.
    #[must_use]
    pub fn has_room(&self, i: usize) -> bool {
        self.device(i).available
    }

    /// Whether a device is attached to the node of the CPU that asks.
    #[must_use]
    pub fn is_local(&self, i: usize) -> bool {
        self.device(i).config.node == Some(self.request.node)
    }

    /// A device's priority.
    #[must_use]
    pub fn priority(&self, i: usize) -> i32 {
        self.device(i).priority
    }

    /// A device's used slots.
    #[must_use]
    pub fn used(&self, i: usize) -> u32 {
        self.device(i).used
    }

    /// A device's slots.
    #[must_use]
    pub fn size(&self, i: usize) -> u32 {
        self.device(i).pages()
    }

    /// All places, from one on around.
    pub fn from(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let len = self.len();
        (place..place + len).map(move |i| i % len)
    }

    fn device(&self, i: usize) -> &Device {
        &self.devices[usize::from(self.members[i])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_catalog_has_its_policy() {
        let names: Vec<_> = POLICIES.iter().map(|policy| policy.name).collect();
        let rows: Vec<_> = catalog::in_tier::IN_TIER.iter().map(|row| row.name).collect();
        assert_eq!(names, rows, "a policy is a file here and a row there, in the same order");
    }
}
