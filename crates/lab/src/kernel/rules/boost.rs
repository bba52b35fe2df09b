//! Rule 16: fragmentation events raise a zone's marks by so much at most, and the next allocation
//! wakes kswapd without flags. How often such events come is not demanded: the model's rate is a
//! guess from the counts of such experiments.

use super::Case;
use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::observed::Observed;
use crate::kernel::params::{Params, Zone};
use mm::page_alloc::watermark::Marks;

/// Wakes of a boost in the kernel from which on the model must have some.
const WAKES_MIN: u64 = 10;

/// The largest boost that the kernel's rule allows this zone.
fn bound(zone: &Zone, factor: u64) -> u64 {
    let high = zone.marks[2];
    let marks = Marks { min: 0, low: 0, high, promo: 0 };
    let zone = mm::page_alloc::zone::Zone { managed: zone.managed, marks, ..Default::default() };
    zone.boost_max(factor).unwrap_or(0)
}

pub(super) fn lines(case: &Case<'_>) -> Vec<Line> {
    let factor = case.params.watermark_boost_factor;
    if !case.boosts() {
        return Vec::new();
    }
    let of_zone = |(i, zone): (usize, &Zone)| {
        let seen = case.observed.zone_free.get(&zone.name())?.boost_max?;
        let bound = bound(zone, factor);
        let model = case.runs.iter().map(|r| r.boost[i]).max().unwrap_or(0);
        Some(Line {
            rule: 16,
            fact: format!("{} largest boost", zone.name()),
            kernel: Figure::count(seen),
            model: Figure::count(model),
            tolerance: format!("{bound} at most"),
            verdict: Verdict::of(seen <= bound && model <= bound),
        })
    };
    let mut lines: Vec<Line> = case.params.zones.iter().enumerate().filter_map(of_zone).collect();
    lines.push(wakes(case));
    lines
}

/// Wakes without an allocation's flags.
fn wakes(case: &Case<'_>) -> Line {
    let kernel = case.observed.boost_wakes;
    let all = case.observed.events.get("mm_vmscan_wakeup_kswapd").copied().unwrap_or(0);
    let model: u64 = case.runs.iter().map(|r| r.heard.boost_wakes).sum();
    let others: u64 = case.runs.iter().map(|r| r.heard.wakes).sum();
    Line {
        rule: 16,
        fact: "wakes of order 0 without gfp flags".into(),
        kernel: Figure::words(format!("{kernel} of {all}")),
        model: Figure::words(format!("{model} of {}", model + others)),
        tolerance: "some where the kernel has some".into(),
        verdict: if kernel < WAKES_MIN {
            Verdict::NotJudged("the kernel has hardly any".into())
        } else {
            Verdict::of(model > 0)
        },
    }
}

/// The rule of an experiment that is not run.
pub(super) fn not_run(params: &Params, observed: Option<&Observed>, why: Verdict) -> Vec<Line> {
    let factor = params.watermark_boost_factor;
    if factor == 0 || !params.flavour.watermark_boost {
        return Vec::new();
    }
    let of_zone = |zone: &Zone| {
        let seen = observed?.zone_free.get(&zone.name())?.boost_max?;
        Some(Line {
            rule: 16,
            fact: format!("{} largest boost", zone.name()),
            kernel: Figure::count(seen),
            model: Figure::None,
            tolerance: format!("{} at most", bound(zone, factor)),
            verdict: why.clone(),
        })
    };
    params.zones.iter().filter_map(of_zone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mm::page_alloc::watermark::PAGEBLOCK_PAGES;

    #[test]
    fn the_bound_of_a_zone_is_the_kernels() {
        let zone = |managed, high| Zone {
            node: 0,
            kind: catalog::ZoneKind::Dma32,
            managed,
            free: 0,
            boost: 0,
            marks: [0, 0, high, 0],
            protection: Vec::new(),
        };
        assert_eq!(PAGEBLOCK_PAGES, 512);
        assert_eq!(bound(&zone(66_504, 483), 15_000), 724);
        assert_eq!(bound(&zone(66_504, 27), 15_000), PAGEBLOCK_PAGES);
        assert_eq!(bound(&zone(2_047, 483), 15_000), 0);
    }
}
