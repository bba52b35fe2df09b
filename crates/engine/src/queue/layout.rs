//! How a pending event is packed into one word.
//!
//! From the top: time relative to a base, rank, sequence, slot. Comparing two words compares (time,
//! rank, sequence); the slot makes every word different and says whose event it is. How many bits
//! slot and sequence have, and so what is left for time, depends on the number of slots.

/// Nothing is pending.
pub(super) const NEVER: u64 = u64::MAX;
/// Something is pending, but too far from the base for a word: time, rank and sequence lie beside.
pub(super) const FAR: u64 = u64::MAX - 1;

/// Most slots: more would leave too few bits for time.
pub(super) const MAX_SLOTS: u32 = 1 << 17;

const RANK_BITS: u32 = u8::BITS;

/// Where the fields of a word lie. Between two renumberings there are at least 32 sequence numbers
/// a slot, so that their cost does not show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Where rank and time begin; slot and sequence lie below.
    shift: u32,
    slot_mask: u64,
}

impl Layout {
    /// The layout for slots `0..slots`, a power of two.
    pub(super) fn new(slots: u32) -> Self {
        let slot_bits = slots.trailing_zeros();
        let sequence_bits = (slot_bits + 7).clamp(16, 22);
        Self { shift: slot_bits + sequence_bits, slot_mask: u64::from(slots) - 1 }
    }

    /// Times from the base on that a word can hold, in ns: all ones is left for `NEVER` and `FAR`.
    pub(super) fn window(self) -> u64 {
        (1 << (u64::BITS - RANK_BITS - self.shift)) - 1
    }

    /// What one step in the sequence adds to a word.
    #[inline]
    pub(super) fn step(self) -> u64 {
        self.slot_mask + 1
    }

    /// The first sequence, in its place, that no longer fits.
    pub(super) fn sequence_end(self) -> u64 {
        1 << self.shift
    }

    /// Packs: `since_base` below the window, a sequence in its place.
    #[inline]
    pub(super) fn pack(self, since_base: u64, rank: u8, sequence: u64, slot: u32) -> u64 {
        let time_and_rank = (since_base << RANK_BITS) | u64::from(rank);
        (time_and_rank << self.shift) | sequence | u64::from(slot)
    }

    /// Time since the base in ns, and rank.
    #[inline]
    pub(super) fn time_and_rank(self, word: u64) -> (u64, u8) {
        let both = word >> self.shift;
        (both >> RANK_BITS, both as u8)
    }

    #[inline]
    pub(super) fn slot(self, word: u64) -> u32 {
        (word & self.slot_mask) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_leaves_time_and_comes_back() {
        for slot_bits in 1..=MAX_SLOTS.trailing_zeros() {
            let layout = Layout::new(1 << slot_bits);
            assert!(layout.window() > 100_000, "{slot_bits} bits of slots");
            let sequence = layout.sequence_end() - layout.step();
            let slot = (1 << slot_bits) - 1;
            let word = layout.pack(layout.window() - 1, 255, sequence, slot);
            assert!(word < FAR);
            assert_eq!(layout.time_and_rank(word), (layout.window() - 1, 255));
            assert_eq!(layout.slot(word), slot);
        }
    }

    #[test]
    fn usual_machines_have_seconds_in_a_window() {
        assert!(Layout::new(512).window() > 2_000_000_000);
    }
}
