//! Watermarks, reserves and `min_free_kbytes`: the kernel's integer formulas, to the page.
//!
//! Sources: 7.2 `mm/page_alloc.c` (`__setup_per_zone_wmarks`, `setup_per_zone_lowmem_reserve`,
//! `calculate_min_free_kbytes`, `nr_free_buffer_pages`) and 7.2 `mm/khugepaged.c`
//! (`set_recommended_min_free_kbytes`). Every mark that real 6.12 and 7.3 kernels printed after a
//! sysctl was written agrees with these.

use catalog::ZoneKind;

/// Pages of a pageblock (2 MiB, x86-64).
pub const PAGEBLOCK_PAGES: u64 = 512;
/// Pageblocks that khugepaged wants free per populated zone: 2 of any kind, 3 x 3 against mixing.
const THP_PAGEBLOCKS_A_ZONE: u64 = 2 + 3 * 3;
/// Below this many pages (512 MiB) khugepaged is not started.
const THP_MIN_TOTAL_PAGES: u64 = 512 << 8;
/// Smallest computed `min_free_kbytes`, in KiB.
const MIN_FREE_KBYTES_FLOOR: u64 = 128;

/// The marks of a zone, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    /// Below this only reclaim itself may allocate.
    pub min: u64,
    /// At or below this kswapd is woken.
    pub low: u64,
    /// kswapd reclaims up to this.
    pub high: u64,
    /// Memory tiering promotes while more than this is free.
    pub promo: u64,
}

/// What the formulas need to know of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneSize {
    /// Its kind.
    pub kind: ZoneKind,
    /// Pages handed to the buddy allocator.
    pub managed: u64,
}

/// Managed pages of all zones over which `min_free_kbytes` is spread.
#[must_use]
pub fn lowmem_pages(zones: &[ZoneSize]) -> u64 {
    zones.iter().filter(|z| z.kind.is_lowmem()).map(|z| z.managed).sum()
}

/// The marks of one zone.
///
/// `min_free_kbytes` is the value in force, in KiB; `scale_factor` is `watermark_scale_factor`, in
/// 1/10,000; `lowmem` is [`lowmem_pages`] over the whole machine.
#[must_use]
pub fn zone_marks(zone: ZoneSize, min_free_kbytes: u64, scale_factor: u64, lowmem: u64) -> Marks {
    let pages_min = min_free_kbytes >> 2;
    let share = scaled(pages_min, zone.managed, lowmem.max(1));
    let min = if zone.kind.is_lowmem() { share } else { (zone.managed / 1024).clamp(32, 128) };
    let gap = (share >> 2).max(scaled(zone.managed, scale_factor, 10_000));
    Marks { min, low: min + gap, high: min + 2 * gap, promo: min + 3 * gap }
}

/// Pages that zone number `zone` of a node keeps from an allocation that may use zones up to number
/// `class`: `lowmem_reserve[class]`.
///
/// `managed` are the node's zones from the lowest up, empty ones included; `ratios` is
/// `lowmem_reserve_ratio`, one a zone, where a missing one counts as 0.
#[must_use]
pub fn lowmem_reserve(managed: &[u64], ratios: &[u64], zone: usize, class: usize) -> u64 {
    let ratio = ratios.get(zone).copied().unwrap_or(0);
    if class <= zone || ratio == 0 || managed[zone] == 0 {
        return 0;
    }
    managed[zone + 1..=class].iter().sum::<u64>() / ratio
}

/// Pages above high in all low zones (`nr_free_buffer_pages`), `high` being a zone's high mark at
/// the time of the call: 0 before the first marks are set.
#[must_use]
pub fn free_buffer_pages(zones: &[ZoneSize], high: impl Fn(ZoneSize) -> u64) -> u64 {
    let above = |z: &ZoneSize| z.managed.saturating_sub(high(*z));
    zones.iter().filter(|z| z.kind.is_lowmem()).map(above).sum()
}

/// The computed `min_free_kbytes`, in KiB, from [`free_buffer_pages`]. `cap` is the kernel's upper
/// clamp, in KiB.
#[must_use]
pub fn default_min_free_kbytes(free_buffer_pages: u64, cap: u64) -> u64 {
    (free_buffer_pages * 4 * 16).isqrt().clamp(MIN_FREE_KBYTES_FLOOR, cap)
}

/// What khugepaged raises `min_free_kbytes` to, in KiB: it never lowers it.
///
/// `populated` counts the low zones that have pages, over all nodes.
#[must_use]
pub fn thp_min_free_kbytes(populated: u64, free_buffer_pages: u64) -> u64 {
    (PAGEBLOCK_PAGES * THP_PAGEBLOCKS_A_ZONE * populated).min(free_buffer_pages / 20) << 2
}

/// Whether a machine of this size starts khugepaged when huge pages are on.
#[must_use]
pub fn starts_khugepaged(zones: &[ZoneSize]) -> bool {
    zones.iter().map(|z| z.managed).sum::<u64>() >= THP_MIN_TOTAL_PAGES
}

/// `min_free_kbytes` as a kernel sets it at boot, in KiB: the square root rule while no mark is
/// set yet, then khugepaged's raise where huge pages are on. Nobody wrote the sysctl.
#[must_use]
pub fn boot_min_free_kbytes(zones: &[ZoneSize], scale_factor: u64, thp: bool, cap: u64) -> u64 {
    let computed = default_min_free_kbytes(free_buffer_pages(zones, |_| 0), cap);
    if !thp || !starts_khugepaged(zones) {
        return computed;
    }
    computed.max(recommended(zones, scale_factor, computed))
}

/// khugepaged's recommendation with the marks that `in_force` KiB give.
#[must_use]
pub fn recommended(zones: &[ZoneSize], scale_factor: u64, in_force: u64) -> u64 {
    let lowmem = lowmem_pages(zones);
    let high = |z| zone_marks(z, in_force, scale_factor, lowmem).high;
    let populated = zones.iter().filter(|z| z.kind.is_lowmem() && z.managed > 0).count() as u64;
    thp_min_free_kbytes(populated, free_buffer_pages(zones, high))
}

/// `a * b / c` without overflow; the quotient is at most `a` or `b` here.
fn scaled(a: u64, b: u64, c: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) / u128::from(c)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ZoneKind::{Dma, Dma32, Movable, Normal};

    const RATIOS: [u64; 5] = [256, 256, 32, 0, 0];

    fn machine(managed: [u64; 4]) -> Vec<ZoneSize> {
        let zone = |(kind, managed)| ZoneSize { kind, managed };
        ZoneKind::ALL.into_iter().zip(managed).map(zone).collect()
    }

    fn marks(zones: &[ZoneSize], zone: usize, kbytes: u64) -> [u64; 4] {
        let m = zone_marks(zones[zone], kbytes, 10, lowmem_pages(zones));
        [m.min, m.low, m.high, m.promo]
    }

    /// A live 6.18 machine whose memory was being hot-added, at four instants.
    #[test]
    fn a_live_machine_agrees() {
        let snapshots = [
            (
                229_376,
                [[64, 80, 96, 112], [12_979, 16_223, 19_467, 22_711], [3851, 4813, 5775, 6737]],
                896,
            ),
            (
                1_441_792,
                [[29, 36, 43, 50], [5886, 7357, 8828, 10_299], [10_980, 13_725, 16_470, 19_215]],
                5632,
            ),
            (
                2_129_920,
                [[22, 27, 32, 37], [4492, 5615, 6738, 7861], [12_380, 15_475, 18_570, 21_665]],
                8320,
            ),
            (
                2_195_456,
                [[21, 26, 31, 36], [4393, 5491, 6589, 7687], [12_480, 15_600, 18_720, 21_840]],
                8576,
            ),
        ];
        for (normal, want, reserve) in snapshots {
            let zones = machine([3840, 772_919, normal, 0]);
            let kbytes = boot_min_free_kbytes(&zones, 10, true, 262_144);
            assert_eq!(kbytes, 67_584);
            for (zone, want) in want.into_iter().enumerate() {
                assert_eq!(marks(&zones, zone, kbytes), want, "zone {zone}, Normal {normal}");
            }
            let managed: Vec<u64> = zones.iter().map(|z| z.managed).collect();
            assert_eq!(lowmem_reserve(&managed, &RATIOS, 0, 1), 3019);
            assert_eq!(lowmem_reserve(&managed, &RATIOS, 0, 2), 3019 + reserve);
            assert_eq!(lowmem_reserve(&managed, &RATIOS, 1, 2), reserve);
            assert_eq!(lowmem_reserve(&managed, &RATIOS, 1, 3), reserve);
            assert_eq!(lowmem_reserve(&managed, &RATIOS, 2, 3), 0);
        }
    }

    #[test]
    fn an_empty_movable_zone_prints_32_four_times_and_a_full_one_is_clamped() {
        let zones = machine([3840, 772_919, 2_195_456, 0]);
        assert_eq!(marks(&zones, 3, 67_584), [32; 4]);
        let zone = ZoneSize { kind: Movable, managed: 1 << 20 };
        assert_eq!(zone_marks(zone, 0, 10, 1).min, 128);
    }

    #[test]
    fn a_reserve_needs_a_ratio_pages_of_its_own_and_a_higher_class() {
        assert_eq!(lowmem_reserve(&[100, 1000], &[10, 10], 0, 1), 100);
        assert_eq!(lowmem_reserve(&[100, 1000], &[0, 10], 0, 1), 0);
        assert_eq!(lowmem_reserve(&[0, 1000], &[10, 10], 0, 1), 0);
        assert_eq!(lowmem_reserve(&[100, 1000], &[10, 10], 1, 1), 0);
        assert_eq!(lowmem_reserve(&[100, 1000], &[], 0, 1), 0);
    }

    #[test]
    fn the_computed_reserve_is_clamped_at_both_ends() {
        assert_eq!(default_min_free_kbytes(0, 262_144), 128);
        assert_eq!(default_min_free_kbytes(97_108_623 * 2, 262_144), 111_489);
        assert_eq!(default_min_free_kbytes(1 << 40, 262_144), 262_144);
        assert_eq!(default_min_free_kbytes(1 << 40, 65_536), 65_536);
    }

    #[test]
    fn huge_pages_raise_by_populated_zones_up_to_a_twentieth() {
        let big = 1 << 30;
        assert_eq!(
            [2, 3, 4, 5].map(|z| thp_min_free_kbytes(z, big)),
            [45_056, 67_584, 90_112, 112_640]
        );
        assert_eq!(thp_min_free_kbytes(3, 240_000), 48_000);
        let small =
            [ZoneSize { kind: Dma, managed: 3840 }, ZoneSize { kind: Dma32, managed: 112_693 }];
        assert_eq!(boot_min_free_kbytes(&small, 10, true, 262_144), 2730);
        assert!(!starts_khugepaged(&small));
    }

    #[test]
    fn a_machine_without_low_memory_divides_by_nothing() {
        let zone = ZoneSize { kind: Normal, managed: 0 };
        assert_eq!(zone_marks(zone, 1024, 10, 0), Marks::default());
        assert_eq!(
            zone_marks(ZoneSize { kind: Dma32, managed: 0 }, u64::MAX, 3000, 0),
            Marks::default()
        );
    }
}
