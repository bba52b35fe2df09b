//! A swap area that was in use before the run begins.

use super::area::State;
use super::{Slot, Swap};
use engine::Stream;

/// How much of a device was used, and what of that was freed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// Clusters that were begun.
    pub clusters: u32,
    /// Free slots in each of them, at places drawn evenly.
    pub holes: u32,
}

impl Swap {
    /// Makes an unused device one that was used. The used slots belong to nobody until somebody
    /// frees them ([`super::Device::used_slots`]); clusters with holes stand in a drawn order.
    ///
    /// # Panics
    /// When the device has used slots.
    pub fn age(&mut self, d: u8, age: Age, stream: &mut Stream) {
        assert!(self.devices[usize::from(d)].used == 0, "an unused device is aged");
        let size = self.cluster;
        let count = self.devices[usize::from(d)].area.clusters.len() as u32;
        let mut order: Vec<u32> = (0..age.clusters.min(count)).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, stream.below(i as u64 + 1) as usize);
        }
        for c in order {
            let slots: Vec<u32> = (0..size)
                .filter(|&at| !self.devices[usize::from(d)].area.is_used(c * size + at))
                .collect();
            let mut at = slots.clone();
            let holes = (age.holes as usize).min(at.len());
            // The first so many of a shuffled list.
            for i in 0..holes {
                let other = i + stream.below((at.len() - i) as u64) as usize;
                at.swap(i, other);
            }
            self.on_device(d, |device, lost| {
                device.area.detach(c);
                for &slot in &slots {
                    device.area.take(c, slot, 1, lost);
                }
                device.count_taken(slots.len() as u32, 0);
                for &hole in &at[..holes] {
                    device.area.put(c, hole, 1);
                }
                device.used -= holes as u32;
                let state = match device.area.clusters[c as usize].count {
                    n if u32::from(n) == size => State::Full,
                    0 => State::Free,
                    _ => State::NonFull,
                };
                device.area.move_to(c, state);
            });
        }
        let device = &mut self.devices[usize::from(d)];
        let slots = device.config.slots;
        let mut free = (1..slots).filter(|&offset| !device.area.is_used(offset));
        let ends = free.next().map(|lowest| (lowest, free.next_back().unwrap_or(lowest)));
        if let Some(scan) = &mut device.scan {
            let (lowest, highest) = ends.unwrap_or((slots, 0));
            scan.bound(lowest, highest);
        }
        (device.peak, device.taken) = (device.used, 0);
    }

    /// The used slots of a device that was aged.
    pub fn used_slots(&self, d: u8) -> impl Iterator<Item = Slot> + '_ {
        self.devices[usize::from(d)].used_slots().map(move |offset| Slot::new(d, offset))
    }
}
