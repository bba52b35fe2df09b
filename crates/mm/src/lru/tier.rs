//! Tiers: how often a page of a generation was used through file descriptors (7.2 mm_inline.h:
//! folio_lru_refs, lru_tier_from_refs; mm/vmscan.c: sort_folio).

use super::entry::Flags;

/// Tiers of a generation (MAX_NR_TIERS).
pub const MAX_NR_TIERS: usize = 4;
/// Uses through file descriptors that are told apart (LRU_REFS_WIDTH bits beside PG_referenced);
/// one more sets the workingset mark.
pub const REFS_MAX: u32 = 4;

/// The tier of so many uses; a workingset page has the last.
#[must_use]
pub fn tier(uses: u32, flags: Flags) -> u8 {
    if flags.has(Flags::WORKINGSET) || uses > REFS_MAX {
        return MAX_NR_TIERS as u8 - 1;
    }
    match uses {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    }
}

/// Whether a page was used so often that it goes to the next generation whatever its tier may do,
/// and without being counted as protected.
#[must_use]
pub fn is_promoted(uses: u32, flags: Flags) -> bool {
    uses > REFS_MAX || (uses == REFS_MAX && flags.has(Flags::WORKINGSET))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_powers_of_two_and_the_fifth_use_is_the_mark() {
        let tiers: Vec<u8> = (0..7).map(|uses| tier(uses, Flags::default())).collect();
        assert_eq!(tiers, [0, 0, 1, 2, 2, 3, 3]);
        assert_eq!(tier(0, Flags::WORKINGSET), 3);
        assert!(is_promoted(5, Flags::default()) && is_promoted(4, Flags::WORKINGSET));
        assert!(!is_promoted(4, Flags::default()) && !is_promoted(3, Flags::WORKINGSET));
    }
}
