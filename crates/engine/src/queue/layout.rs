//! How a pending event is packed into one word.
//!
//! From the top: time relative to a base, rank, sequence, slot. Comparing two words compares (time,
//! rank, sequence); the slot makes every word different and says whose event it is. How many bits
//! each field has depends on the number of slots and on the highest rank seen.

/// Nothing is pending.
pub(super) const NEVER: u64 = u64::MAX;
/// Something is pending, but too far from the base for a word: time, rank and sequence lie beside.
pub(super) const FAR: u64 = u64::MAX - 1;

/// Most slots: more would leave too few bits for time.
pub(super) const MAX_SLOTS: u32 = 1 << 20;

/// Ranks below 2^3 are packed until a higher one is seen.
const FIRST_RANK_BITS: u32 = 3;
/// Sequence numbers between two renumberings: often enough for the cost of one not to show, ...
const LEAST_SEQUENCE_BITS: u32 = 14;
/// ... and this many times the slots, since a renumbering has to give each pending event its own.
const SEQUENCES_A_SLOT_BITS: u32 = 3;

/// Where the fields of a word lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    slot_bits: u32,
    rank_bits: u32,
    rank_shift: u32,
    time_shift: u32,
}

impl Layout {
    /// The layout for slots `0..slots`, a power of two.
    pub(super) fn new(slots: u32) -> Self {
        Self::with(slots.trailing_zeros(), FIRST_RANK_BITS)
    }

    fn with(slot_bits: u32, rank_bits: u32) -> Self {
        let sequence_bits = LEAST_SEQUENCE_BITS.max(slot_bits + SEQUENCES_A_SLOT_BITS);
        let rank_shift = slot_bits + sequence_bits;
        Self { slot_bits, rank_bits, rank_shift, time_shift: rank_shift + rank_bits }
    }

    /// The layout with room for `rank`, at the cost of bits for time.
    pub(super) fn with_rank(self, rank: u8) -> Self {
        Self::with(self.slot_bits, self.rank_bits.max(u8::BITS - rank.leading_zeros()))
    }

    /// Whether this rank has a place in the word.
    #[inline]
    pub(super) fn holds(self, rank: u8) -> bool {
        u32::from(rank) >> self.rank_bits == 0
    }

    /// Times from the base on that a word can hold, in ns: all ones is left for `NEVER` and `FAR`.
    pub(super) fn window(self) -> u64 {
        (1 << (u64::BITS - self.time_shift)) - 1
    }

    /// What one step in the sequence adds to a word.
    #[inline]
    pub(super) fn step(self) -> u64 {
        1 << self.slot_bits
    }

    /// The first sequence, in its place, that no longer fits.
    #[inline]
    pub(super) fn sequence_end(self) -> u64 {
        1 << self.rank_shift
    }

    /// Packs: `since_base` below the window, a rank that it holds, a sequence in its place.
    #[inline]
    pub(super) fn pack(self, since_base: u64, rank: u8, sequence: u64, slot: u32) -> u64 {
        (since_base << self.time_shift)
            | (u64::from(rank) << self.rank_shift)
            | sequence
            | u64::from(slot)
    }

    /// Time since the base, in ns.
    #[inline]
    pub(super) fn since_base(self, word: u64) -> u64 {
        word >> self.time_shift
    }

    #[inline]
    pub(super) fn rank(self, word: u64) -> u8 {
        ((word >> self.rank_shift) & ((1 << self.rank_bits) - 1)) as u8
    }

    #[inline]
    pub(super) fn slot(self, word: u64) -> u32 {
        (word & (self.step() - 1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_and_rank_leaves_time_and_comes_back() {
        for slot_bits in 1..=MAX_SLOTS.trailing_zeros() {
            for rank in [0, 7, 8, 100, 255] {
                let layout = Layout::new(1 << slot_bits).with_rank(rank);
                assert!(layout.holds(rank));
                assert!(layout.window() > 4_000, "{slot_bits} bits of slots, rank {rank}");
                let since_base = layout.window() - 1;
                let sequence = layout.sequence_end() - layout.step();
                let slot = (1 << slot_bits) - 1;
                let word = layout.pack(since_base, rank, sequence, slot);
                assert!(word < FAR);
                let back = (layout.since_base(word), layout.rank(word), layout.slot(word));
                assert_eq!(back, (since_base, rank, slot));
            }
        }
    }

    #[test]
    fn usual_machines_have_minutes_between_two_bases() {
        // 512 things that can be scheduled: 4.5 minutes; 4,096: 17 s.
        assert!(Layout::new(512).window() > 270_000_000_000);
        assert!(Layout::new(4_096).window() > 17_000_000_000);
    }
}
