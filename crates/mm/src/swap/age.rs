//! A swap area that was in use before the run begins.

use super::area::State;
use super::{Slot, Swap};
use engine::Stream;

/// How much of a device was used, and what of that was freed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// Clusters that were begun.
    pub clusters: u32,
    /// Free slots of a begun cluster, at places drawn evenly.
    pub holes: u32,
    /// Whether they are so many on average, drawn over all clusters at once as frees in no order
    /// leave them (one has more, another none), or so many in each.
    pub spread: bool,
}

impl Swap {
    /// Makes an unused device one that was used. The used slots belong to nobody until somebody
    /// frees them ([`Self::used_slots`]); clusters with holes stand in a drawn order.
    ///
    /// # Panics
    /// When the device has used slots.
    pub fn age(&mut self, d: u8, age: Age, stream: &mut Stream) {
        let device = &self.devices[usize::from(d)];
        assert!(device.used == 0, "an unused device is aged");
        let count = age.clusters.min(device.area.clusters.len() as u32);
        let mut order: Vec<u32> = (0..count).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, stream.below(i as u64 + 1) as usize);
        }
        let mut holes = self.holes(d, count, age, stream);
        holes.sort_unstable();
        let size = self.cluster;
        for c in order {
            let own = holes.partition_point(|&hole| hole < c * size)
                ..holes.partition_point(|&hole| hole < (c + 1) * size);
            self.fill(d, c, &holes[own]);
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

    /// The slots of the first `count` clusters that are to be free.
    fn holes(&self, d: u8, count: u32, age: Age, stream: &mut Stream) -> Vec<u32> {
        let area = &self.devices[usize::from(d)].area;
        let slots = |from: u32, to: u32| -> Vec<u32> {
            (from * area.size..to * area.size).filter(|&offset| !area.is_used(offset)).collect()
        };
        // The first so many of a shuffled list.
        let mut draw = |mut all: Vec<u32>, most: usize| {
            let most = most.min(all.len());
            for i in 0..most {
                let other = i + stream.below((all.len() - i) as u64) as usize;
                all.swap(i, other);
            }
            all.truncate(most);
            all
        };
        if age.spread {
            return draw(slots(0, count), count as usize * age.holes as usize);
        }
        (0..count).flat_map(|c| draw(slots(c, c + 1), age.holes as usize)).collect()
    }

    /// Uses all slots of a cluster but these.
    fn fill(&mut self, d: u8, c: u32, holes: &[u32]) {
        let size = self.cluster;
        self.on_device(d, |device, lost| {
            device.area.detach(c);
            let free = |&at: &u32| !device.area.is_used(c * size + at);
            let free: Vec<u32> = (0..size).filter(free).collect();
            for &at in &free {
                device.area.take(c, at, 1, lost);
            }
            for &hole in holes {
                device.area.put(c, hole - c * size, 1);
            }
            device.count_taken((free.len() - holes.len()) as u32, 0);
            let state = match device.area.clusters[c as usize].count {
                n if u32::from(n) == size => State::Full,
                0 => State::Free,
                _ => State::NonFull,
            };
            device.area.move_to(c, state);
        });
    }

    /// The used slots of a device.
    pub fn used_slots(&self, d: u8) -> impl Iterator<Item = Slot> + '_ {
        self.devices[usize::from(d)].used_slots().map(move |offset| Slot::new(d, offset))
    }
}
