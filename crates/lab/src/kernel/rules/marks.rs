//! Rules 1 and 2: watermarks, reserves and the distance between marks.

use crate::kernel::line::{Figure, Line, Verdict};
use crate::kernel::params::{Params, Zone};
use mm::config::ZONES_PER_NODE;
use mm::page_alloc::watermark::{self, ZoneSize};

/// The ratios that the kernel starts with; nothing in an experiment says that they were changed.
const RATIOS: [u64; ZONES_PER_NODE] = [256, 256, 32, 0];

pub(super) fn lines(params: &Params) -> Vec<Line> {
    let sizes: Vec<ZoneSize> =
        params.zones.iter().map(|z| ZoneSize { kind: z.kind, managed: z.managed }).collect();
    let lowmem = watermark::lowmem_pages(&sizes);
    let mut lines = vec![min_free_kbytes(params, &sizes)];
    for (zone, size) in params.zones.iter().zip(&sizes) {
        let (kbytes, factor) = (params.min_free_kbytes, params.watermark_scale_factor);
        let m = watermark::zone_marks(*size, kbytes, factor, lowmem);
        let model = [m.min, m.low, m.high, m.promo];
        lines.push(Line {
            rule: 1,
            fact: format!("{} min low high promo", zone.name()),
            kernel: numbers(&zone.marks),
            model: numbers(&model),
            tolerance: "exact".into(),
            verdict: Verdict::of(model == zone.marks),
        });
        lines.push(reserve(params, zone));
    }
    for zone in &params.zones {
        let [min, low, high, promo] = zone.marks;
        let gaps = |a: u64, b: u64| b.checked_sub(a);
        let all = [gaps(min, low), gaps(low, high), gaps(high, promo)];
        let m = watermark::zone_marks(
            ZoneSize { kind: zone.kind, managed: zone.managed },
            params.min_free_kbytes,
            params.watermark_scale_factor,
            lowmem,
        );
        let words = |g: Option<u64>| g.map_or_else(|| "negative".into(), |g| g.to_string());
        lines.push(Line {
            rule: 2,
            fact: format!("{} low-min, high-low, promo-high", zone.name()),
            kernel: Figure::words(all.map(words).join(" ")),
            model: numbers(&[m.low - m.min, m.high - m.low, m.promo - m.high]),
            tolerance: "exact".into(),
            verdict: Verdict::of(all == [Some(m.low - m.min); 3]),
        });
    }
    lines
}

/// The value that the kernel computes. It does so at boot and when memory comes or goes, from the
/// memory of that moment, and anybody may write another one.
fn min_free_kbytes(params: &Params, sizes: &[ZoneSize]) -> Line {
    let (factor, cap) = (params.watermark_scale_factor, params.flavour.min_free_kbytes_cap);
    let model = watermark::boot_min_free_kbytes(sizes, factor, params.huge_pages, cap);
    let verdict = if model == params.min_free_kbytes {
        Verdict::Ok
    } else {
        let why = "computed from the memory of an earlier moment, or written by somebody";
        Verdict::NotJudged(why.into())
    };
    Line {
        rule: 1,
        fact: "min_free_kbytes, and the default for this memory".into(),
        kernel: Figure::count(params.min_free_kbytes),
        model: Figure::count(model),
        tolerance: "exact".into(),
        verdict,
    }
}

/// What a zone keeps from requests that may use higher ones. A reserve that was computed at boot,
/// before memory was freed, is smaller by what that added; it fits an earlier `managed`.
fn reserve(params: &Params, zone: &Zone) -> Line {
    let node = zone.node as usize;
    let mut managed = [0; ZONES_PER_NODE];
    for other in params.zones_of(node) {
        managed[other.kind as usize] = other.managed;
    }
    let own = zone.kind as usize;
    let classes = zone.protection.len().min(ZONES_PER_NODE);
    let model: Vec<u64> = (0..classes)
        .map(|class| watermark::lowmem_reserve(&managed, &RATIOS, own, class))
        .collect();
    let printed = &zone.protection[..classes];
    // Memory may have grown sixteenfold since then, not more.
    let fits = |(&now, &then): (&u64, &u64)| then <= now && now <= then.saturating_mul(16);
    let verdict = if model == printed {
        Verdict::Ok
    } else if model.iter().zip(printed).all(fits) {
        let why = "stale: computed at boot, when the zones above had fewer pages";
        Verdict::NotJudged(why.into())
    } else {
        Verdict::Miss
    };
    Line {
        rule: 1,
        fact: format!("{} lowmem_reserve", zone.name()),
        kernel: numbers(printed),
        model: numbers(&model),
        tolerance: "exact".into(),
        verdict,
    }
}

fn numbers(all: &[u64]) -> Figure {
    Figure::words(all.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
}
