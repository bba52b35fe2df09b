//! C: groups of peers as rings, each CPU with a place of its own in each.
//!
//! A ring changes only with swapon, swapoff and tiers. A full device is masked and skipped. Whose
//! turn it is inside a ring says its policy ([`super::in_tier`]); nothing global is written on the
//! way.

use super::alloc::Request;
use super::device::Device;
use super::in_tier::{POLICIES, Reader, Turn};
use super::tier::{Grouping, Peers};

/// The queue of rings as CPUs see it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Pages that a CPU takes from a device before it goes on (SWAP_ROUND_ROBIN_QUOTA).
    pub(super) quota: u32,
    /// By CPU, then by ring.
    pub(super) readers: Vec<Reader>,
    rings: usize,
}

/// What a look at a ring says.
pub(super) enum Pick {
    /// The device at this place.
    Device(u8),
    /// Devices have room, and none of them in one piece for this order.
    TooLarge,
    /// No device of it has room.
    Exhausted,
}

impl Queue {
    /// Fresh places: CPUs start spread over the devices.
    pub(super) fn new(cpus: u32, quota: u32, peers: &Grouping) -> Self {
        let groups = &peers.groups;
        let reader = |cpu: u32, group: &Peers| {
            let at = cpu as usize % group.members.len();
            Reader { at, left: quota, credit: Vec::new() }
        };
        let readers = (0..cpus).flat_map(|cpu| groups.iter().map(move |g| reader(cpu, g)));
        Self { quota, readers: readers.collect(), rings: groups.len() }
    }

    pub(super) fn reader(&self, cpu: u32, ring: u8) -> &Reader {
        &self.readers[cpu as usize * self.rings + usize::from(ring)]
    }

    fn reader_mut(&mut self, cpu: u32, ring: u8) -> &mut Reader {
        &mut self.readers[cpu as usize * self.rings + usize::from(ring)]
    }

    /// The next device of a ring for an attempt that has visited some already. What it may take is
    /// counted against the quota at once.
    pub(super) fn pick(
        &mut self,
        devices: &[Device],
        group: &Peers,
        ring: u8,
        request: &Request,
        visited: u16,
    ) -> Pick {
        let turn = Turn::new(devices, &group.members, request, visited, self.quota);
        let policy = &POLICIES[group.policy as usize];
        match (policy.next)(self.reader_mut(request.cpu, ring), &turn) {
            Some(i) => Pick::Device(i as u8),
            None if request.order > 0 && (0..turn.len()).any(|i| turn.has_room(i)) => {
                Pick::TooLarge
            }
            None => Pick::Exhausted,
        }
    }

    /// The device picked gave nothing: what was counted against the quota is given back.
    pub(super) fn gave_nothing(&mut self, request: &Request, ring: u8, at: u8) {
        let quota = self.quota;
        let reader = self.reader_mut(request.cpu, ring);
        reader.gave_nothing(at.into(), 1 << request.order, quota);
    }
}
