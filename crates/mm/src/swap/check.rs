//! What must always hold.

use super::allocator::Choice;
use super::{Slot, Swap};

impl Swap {
    /// Looks for contradictions: slots that are lost, counted twice or given out twice, devices
    /// that are full and offered, CPUs that took more than their quota.
    ///
    /// # Errors
    /// The first one, in words.
    pub fn check(&self) -> Result<(), String> {
        let (mut free, mut total) = (0, 0);
        for (d, device) in self.devices.iter().enumerate() {
            let used = device.area.check().map_err(|what| format!("device {d}: {what}"))?;
            if used != device.used + device.area.blocked() {
                return Err(format!("device {d} counts {} of {used} slots", device.used));
            }
            let on = self.order.contains(&(d as u8));
            if on != device.writable && device.used > 0 {
                return Err(format!("device {d} gives slots and is off"));
            }
            if !on {
                continue;
            }
            free += u64::from(device.pages() - device.used);
            total += u64::from(device.pages());
            let room = device.used < device.pages();
            for list in &self.available {
                let listed = list.iter().filter(|&&a| usize::from(a) == d).count();
                if device.available != room || listed != usize::from(room) {
                    let used = device.used;
                    return Err(format!("device {d} with {used} used slots is listed wrongly"));
                }
            }
        }
        if (free, total) != (self.free, self.total) {
            return Err(format!("{} of {free} slots are counted as free", self.free));
        }
        for (node, list) in self.available.iter().enumerate() {
            if !list.is_sorted_by_key(|&d| self.place(node, d)) {
                return Err("a device stands before one of higher rank".to_owned());
            }
        }
        self.check_cpus()
    }

    fn check_cpus(&self) -> Result<(), String> {
        let mut cached: Vec<Slot> = Vec::new();
        for cache in &self.caches.cpus {
            cached.extend(cache.slots.iter().chain(&cache.freed));
        }
        cached.sort_unstable();
        if cached.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("a slot is in two slot caches".to_owned());
        }
        if let Some(slot) = cached.iter().find(|&&slot| !self.is_used(slot)) {
            return Err(format!("{slot:?} is in a slot cache and free"));
        }
        let over = |reader: &super::in_tier::Reader| reader.left > self.queue.quota;
        if self.design().choice == Choice::Rings && self.queue.readers.iter().any(over) {
            return Err("a CPU has more than its quota".to_owned());
        }
        Ok(())
    }
}
