//! Swap in words: what its drawing says, and how it is read.

use crate::picture::gate;
use chart::words;
use report::view::{SwapDeviceView, SwapView};
use report::wire::{Header, SwapHeader};

/// What the marks of the drawing mean, for this allocator.
#[must_use]
pub fn legend(header: &Header, view: &SwapView) -> String {
    let quota = header.swap_quota;
    let peers = |n: u32| view.devices.iter().filter(|d| d.group == n).count() > 1;
    let has_ring = (0..view.devices.len() as u32).any(peers);
    let first = match &*header.swap_design {
        "ring" if !has_ring => format!(
            "Devices without peers are asked by priority: one below is asked only when those above \
             it are full. CPUs: all of them, each with a place at every device; \
             \u{201c}left\u{201d}: the pages that it takes there before it begins its quota of \
             {quota} anew, on the mean."
        ),
        "ring" => format!(
            "The devices of a ring serve clockwise, for each CPU apart. Marks outside a ring: the \
             CPUs, beside the device that gives each its next page; where there are too many, an \
             arc, the longer the more. \u{201c}Left\u{201d}: the pages that such a CPU still takes \
             there, on the mean, before it goes on to the next device (quota {quota})."
        ),
        "device-plist" => "Every page asks the first device of the list, which then goes behind \
                           its peers, under the lock above."
            .into(),
        "slot-cache" => format!(
            "A CPU fetches {quota} slots at a time from the first device of the list, which then \
             goes behind its peers. CPUs: those that keep slots of that device; \u{201c}left\u{201d}: \
             how many, on the mean."
        ),
        _ => format!(
            "A CPU takes a cluster of {quota} slots from the first device of the list, which then \
             goes behind its peers. CPUs: those that go on in a cluster of that device; \
             \u{201c}left\u{201d}: its slots that they have before them, on the mean."
        ),
    };
    format!("{first} Dark arc and bar: used slots. Press a part to ask why.")
}

/// The drawing in sentences.
#[must_use]
pub fn sentences(header: &Header, view: &SwapView) -> String {
    let one = |(fixed, now): (&SwapHeader, &SwapDeviceView)| {
        let left = match now.left.checked_div(now.cpus) {
            Some(left) if left > 0 => format!(", {left} pages left each on the mean"),
            _ => String::new(),
        };
        format!(
            "{}, priority {}, group {}: {:.0} percent used, {} requests under way, {} CPUs go on \
             there{left}.",
            fixed.name,
            fixed.priority,
            now.group + 1,
            (now.used as f64 / fixed.pages.max(1) as f64).min(1.0) * 100.0,
            now.busy,
            now.cpus
        )
    };
    let mut all: Vec<String> = header.swap.iter().zip(&view.devices).map(one).collect();
    if view.zswap[2] > 0 {
        let [pages, bytes, max] = view.zswap;
        let memory = |bytes: u64| words::pages(bytes / 4_096);
        all.push(format!("zswap holds {pages} pages in {} of {}.", memory(bytes), memory(max)));
    }
    if let Some(lock) = &view.lock {
        all.push(format!("{}: {}, {} wait.", lock.name, gate::state(lock, 0, false), lock.waiters));
    }
    let [held, waiters] = view.device_locks;
    all.push(format!("si->lock: {held} held, {waiters} wait."));
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn words_say_what_the_drawing_shows() {
        let (header, view) = samples::swap("ring", 4, 2);
        let said = sentences(&header, &view);
        assert!(said.contains("zram-lzo-rle 2, priority 98, group 1: 75 percent used"), "{said}");
        assert!(said.contains("3 CPUs go on there, 300 pages left each on the mean."), "{said}");
        assert!(said.contains("swap_avail_lock: free, 0 wait."), "{said}");
        assert!(legend(&header, &view).contains("quota 512"));
    }
}
