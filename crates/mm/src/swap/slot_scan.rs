//! How a rotational device is searched up to 6.12, which gives it no clusters: slot by slot, in
//! order, in stretches of 512 (6.12 mm/swapfile.c:scan_swap_map_slots).
//!
//! A search may look at 256 slots before it takes a break; where a stretch was found by passing
//! 512 slots, two are left, and that is why such a refill gets three slots and not 64.

use super::device::Device;
use super::passage::Passage;

/// Slots of a stretch.
const STRETCH: u32 = 512;
/// Slots that may be looked at without a break (6.12: LATENCY_LIMIT).
const LATENCY_LIMIT: i64 = 256;

/// Where the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotScan {
    /// Where it goes on.
    next: u32,
    /// Slots left of the stretch.
    left: u32,
    /// No slot below is free, and none above; above is 0 when none is at all.
    lowest: u32,
    highest: u32,
}

impl SlotScan {
    pub(super) fn new(slots: u32) -> Self {
        Self { next: 1, left: 0, lowest: 1, highest: slots - 1 }
    }

    /// The lowest and the highest free slot; 0 for the highest when none is.
    pub(super) fn bound(&mut self, lowest: u32, highest: u32) {
        (self.lowest, self.highest) = (lowest, highest);
    }

    /// A slot was freed.
    pub(super) fn freed(&mut self, offset: u32) {
        self.lowest = self.lowest.min(offset);
        self.highest = self.highest.max(offset);
    }
}

impl Device {
    fn open(&self, offset: u32, cached: bool) -> bool {
        !self.area.is_used(offset) || cached && self.area.is_cached(offset)
    }

    /// Takes up to `want` slots. `cached`: those with nothing but clean swap cache may be taken.
    pub(super) fn scan_slots(
        &mut self,
        want: usize,
        cached: bool,
        slots: &mut Vec<u32>,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) {
        let Some(mut scan) = self.scan else { return };
        let mut ration = LATENCY_LIMIT;
        let mut base = scan.next;
        let mut offset = base;
        let mut tired = false;
        let over = scan.left == 0;
        scan.left = scan.left.wrapping_sub(1);
        if over {
            scan.left = STRETCH - 1;
            if self.pages() - self.used >= STRETCH {
                base = scan.lowest;
                offset = base;
                if let Some(start) = self.stretch(&scan, &mut ration, work) {
                    offset = start;
                }
            }
        }
        while scan.highest > 0 {
            if offset > scan.highest {
                base = scan.lowest;
                offset = base;
            }
            if !self.open(offset, cached) {
                if !slots.is_empty() {
                    break;
                }
                // Nothing was found yet: on to the end, then from the beginning.
                let mut rest = (offset + 1..=scan.highest).chain(scan.lowest..base);
                let found = rest.find(|&at| {
                    work.scanned += 1;
                    ration -= 1;
                    if ration < 0 {
                        (ration, tired) = (LATENCY_LIMIT, true);
                    }
                    self.open(at, cached)
                });
                match found {
                    Some(at) => offset = at,
                    None => break,
                }
            }
            self.take_slot(&mut scan, offset, slots, lost, work);
            if slots.len() == want || offset >= scan.highest {
                break;
            }
            ration -= 1;
            if ration < 0 {
                break;
            }
            if scan.left > 0 {
                offset += 1;
                if self.open(offset, false) {
                    scan.left -= 1;
                    continue;
                }
            }
            if tired {
                break;
            }
            let limit = if offset < base { base } else { scan.highest };
            let mut found = false;
            while offset <= limit && !found {
                ration -= 1;
                if ration <= 0 {
                    break;
                }
                work.scanned += 1;
                found = self.open(offset, false);
                offset += u32::from(!found);
            }
            if !found {
                break;
            }
        }
        if !slots.is_empty() {
            scan.next = offset + 1;
        }
        self.scan = Some(scan);
    }

    /// The first 512 free slots in a row, not aligned.
    fn stretch(&self, scan: &SlotScan, ration: &mut i64, work: &mut Passage) -> Option<u32> {
        let mut last = scan.lowest + STRETCH - 1;
        let mut offset = scan.lowest;
        while last <= scan.highest {
            work.scanned += 1;
            if self.area.is_used(offset) {
                last = offset + STRETCH;
            } else if offset == last {
                return Some(offset - (STRETCH - 1));
            }
            *ration -= 1;
            if *ration < 0 {
                *ration = LATENCY_LIMIT;
            }
            offset += 1;
        }
        None
    }

    fn take_slot(
        &mut self,
        scan: &mut SlotScan,
        offset: u32,
        slots: &mut Vec<u32>,
        lost: &mut Vec<u32>,
        work: &mut Passage,
    ) {
        let (c, at) = (offset / self.area.size, offset % self.area.size);
        let gone = self.area.take(c, at, 1, lost);
        work.list_ops += self.relocate(c);
        self.count_taken(1, gone);
        work.slots += 1;
        slots.push(offset);
        if offset == scan.lowest {
            scan.lowest += 1;
        }
        if offset == scan.highest {
            scan.highest -= 1;
        }
        if self.used == self.pages() {
            (scan.lowest, scan.highest) = (self.config.slots, 0);
        }
    }
}
