//! Which settings a kernel ran with: told by sysctl lines, or found among the defaults.

use catalog::{FLAVOURS, FlavourId, ZoneKind};
use mm::page_alloc::watermark::{self, ZoneSize};
use scenario::paste::{Sysctl, Zone, Zoneinfo};

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A sysctl line says it.
    Sysctl,
    /// The kernel's default with huge pages on; the marks agree with it.
    ThpOn,
    /// The kernel's default with huge pages off; the marks agree with it.
    ThpOff,
    /// The kernel's default, which is the same with huge pages on and off; the marks agree.
    ThpEither,
    /// The kernel's default, without a check.
    Default,
    /// Nobody said it, and no default fits.
    Unknown,
}

impl Told {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Sysctl => "sysctl",
            Self::ThpOn => "default with huge pages on",
            Self::ThpOff => "default with huge pages off",
            Self::ThpEither => "default, the same with huge pages on and off",
            Self::Default => "default",
            Self::Unknown => "unknown",
        }
    }
}

/// A setting and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value, where there is one.
    pub value: Option<T>,
    /// Where it comes from.
    pub told: Told,
}

/// The settings that the formulas were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `min_free_kbytes`, in KiB.
    pub min_free_kbytes: Setting<u64>,
    /// `watermark_scale_factor`, in 1/10,000.
    pub watermark_scale_factor: Setting<u64>,
    /// `lowmem_reserve_ratio`, one a class.
    pub lowmem_reserve_ratio: Setting<Vec<u64>>,
    /// What `min_free_kbytes` is by default, in KiB, with huge pages on and off.
    pub defaults: (u64, u64),
    /// Whether the marks can be judged.
    pub marks_known: bool,
    /// Whether all zones are there.
    pub complete: bool,
}

/// Kernels from here on let `min_free_kbytes` grow to 256 MiB instead of 64.
const HIGHER_CAP_SINCE: (u32, u32) = (5, 8);
/// Kernels from here on have page list batches of up to 63 pages instead of 31.
const LARGER_BATCH_SINCE: (u32, u32) = (4, 19);
const DEFAULT_SCALE_FACTOR: u64 = 10;

/// The zones as the formulas see them. HighMem has the marks of Movable, Device those of the rest.
///
/// Older kernels treat Movable as any other zone: their empty ones have marks of 0, those of newer
/// kernels of 32.
pub(super) fn sizes(zoneinfo: &Zoneinfo) -> Vec<ZoneSize> {
    let is_plain = |zone: &Zone| zone.name == "Movable" && zone.managed == 0 && zone.high == 0;
    let movable = match zoneinfo.zones.iter().any(is_plain) {
        true => ZoneKind::Normal,
        false => ZoneKind::Movable,
    };
    let kind = |name: &str| match name {
        "HighMem" => ZoneKind::Movable,
        "Movable" => movable,
        name => ZoneKind::by_name(name).unwrap_or(ZoneKind::Normal),
    };
    let size = |zone: &Zone| ZoneSize { kind: kind(&zone.name), managed: zone.managed };
    zoneinfo.zones.iter().map(size).collect()
}

/// Upper bounds of the batch that the kernel may have, the likeliest first.
pub(super) fn batch_caps(kernel: Option<(u32, u32)>) -> Vec<u64> {
    let old = FLAVOURS[FlavourId::V4_16 as usize].pcp_batch_cap;
    let new = FLAVOURS[FlavourId::V7_3 as usize].pcp_batch_cap;
    match kernel {
        Some(version) if version < LARGER_BATCH_SINCE => vec![old],
        Some(_) => vec![new],
        None => vec![new, old],
    }
}

fn min_free_kbytes_caps(kernel: Option<(u32, u32)>) -> Vec<u64> {
    let old = FLAVOURS[FlavourId::V4_16 as usize].min_free_kbytes_cap;
    let new = FLAVOURS[FlavourId::V7_3 as usize].min_free_kbytes_cap;
    match kernel {
        Some(version) if version < HIGHER_CAP_SINCE => vec![old],
        Some(_) => vec![new],
        None => vec![new, old],
    }
}

/// Finds the settings; `complete` says whether all zones could be read.
pub(super) fn find(
    zoneinfo: &Zoneinfo,
    sysctl: &Sysctl,
    complete: bool,
    notes: &mut Vec<String>,
) -> Settings {
    let sizes = sizes(zoneinfo);
    let told = |value: Option<u64>, default| match value {
        Some(value) => Setting { value: Some(value), told: Told::Sysctl },
        None => Setting { value: Some(default), told: Told::Default },
    };
    let factor = told(sysctl.watermark_scale_factor, DEFAULT_SCALE_FACTOR);
    let scale = factor.value.unwrap_or(DEFAULT_SCALE_FACTOR);
    let fits = |kbytes: u64| agrees(zoneinfo, &sizes, kbytes, scale);
    let min_free_kbytes = match sysctl.min_free_kbytes {
        Some(kbytes) => Setting { value: Some(kbytes), told: Told::Sysctl },
        None => default_that_fits(&sizes, scale, sysctl.kernel, fits),
    };
    let cap = min_free_kbytes_caps(sysctl.kernel)[0];
    let defaults =
        [true, false].map(|thp| watermark::boot_min_free_kbytes(&sizes, scale, thp, cap)).into();
    let given = min_free_kbytes.told == Told::Sysctl && factor.told == Told::Sysctl;
    let fitting = complete && min_free_kbytes.value.is_some_and(fits);
    let marks_known = complete && (given || fitting);
    if !complete {
        notes.push(
            "The text is not whole, so the marks are not judged: they need every zone.".into(),
        );
    } else if !marks_known {
        notes.push(
            "The marks fit no default with huge pages on or off: min_free_kbytes or \
             watermark_scale_factor was set, or memory was freed after the marks were. They are \
             not judged without --sysctl."
                .into(),
        );
    } else if min_free_kbytes.told != Told::Sysctl {
        let (value, words) = (min_free_kbytes.value.unwrap_or(0), min_free_kbytes.told.words());
        notes.push(format!("The marks fit min_free_kbytes = {value}: the {words}."));
    }
    let lowmem_reserve_ratio = match &sysctl.lowmem_reserve_ratio {
        Some(ratios) => Setting { value: Some(ratios.clone()), told: Told::Sysctl },
        None => Setting { value: Some(default_ratios(zoneinfo)), told: Told::Default },
    };
    if min_free_kbytes.told != Told::Sysctl {
        let (on, off): (u64, u64) = defaults;
        notes.push(format!(
            "By default min_free_kbytes is {on} with huge pages on and {off} with huge pages off."
        ));
    }
    Settings {
        min_free_kbytes,
        watermark_scale_factor: factor,
        defaults,
        lowmem_reserve_ratio,
        marks_known,
        complete,
    }
}

/// Whether all printed marks are those of these settings.
fn agrees(zoneinfo: &Zoneinfo, sizes: &[ZoneSize], kbytes: u64, scale: u64) -> bool {
    let lowmem = watermark::lowmem_pages(sizes);
    zoneinfo.zones.iter().zip(sizes).all(|(zone, &size)| {
        let marks = watermark::zone_marks(size, kbytes, scale, lowmem);
        let boosted = |mark: u64| mark + zone.boost;
        zone.min == boosted(marks.min)
            && zone.low == boosted(marks.low)
            && zone.high == boosted(marks.high)
            && zone.promo.is_none_or(|promo| promo == boosted(marks.promo))
    })
}

/// The default with huge pages on or off whose marks were printed; else the one with huge pages
/// on, as nobody's value.
fn default_that_fits(
    sizes: &[ZoneSize],
    scale: u64,
    kernel: Option<(u32, u32)>,
    fits: impl Fn(u64) -> bool,
) -> Setting<u64> {
    let caps = min_free_kbytes_caps(kernel);
    for &cap in &caps {
        let (on, off) = defaults(sizes, scale, cap);
        let (on_fits, off_fits) =
            (on.iter().find(|&&kb| fits(kb)), off.iter().find(|&&kb| fits(kb)));
        match (on_fits, off_fits) {
            (Some(&kbytes), Some(_)) => {
                return Setting { value: Some(kbytes), told: Told::ThpEither };
            }
            (Some(&kbytes), None) => return Setting { value: Some(kbytes), told: Told::ThpOn },
            (None, Some(&kbytes)) => return Setting { value: Some(kbytes), told: Told::ThpOff },
            (None, None) => {}
        }
    }
    let kbytes = watermark::boot_min_free_kbytes(sizes, scale, true, caps[0]);
    Setting { value: Some(kbytes), told: Told::Unknown }
}

/// The values that `min_free_kbytes` can have with nobody's hand on it: with huge pages on, and
/// off.
///
/// The kernel computes it from the pages above the high marks in force, so the value depends on
/// the one before: none at boot, and after each switch of huge pages or hot-plug that of before.
fn defaults(sizes: &[ZoneSize], scale: u64, cap: u64) -> (Vec<u64>, Vec<u64>) {
    let lowmem = watermark::lowmem_pages(sizes);
    let computed = |before: u64| {
        let high = |size| watermark::zone_marks(size, before, scale, lowmem).high;
        let pages = watermark::free_buffer_pages(sizes, high);
        watermark::default_min_free_kbytes(pages, cap)
    };
    let boot = watermark::boot_min_free_kbytes(sizes, scale, false, cap);
    let raised = |kbytes: u64| kbytes.max(watermark::recommended(sizes, scale, kbytes));
    let first_on = raised(boot);
    let mut off = vec![boot, computed(first_on)];
    let mut on = vec![first_on];
    for _ in 0..3 {
        off.extend([off[0], off[off.len() - 1]].map(computed));
        let last = on[on.len() - 1];
        on.extend([
            raised(computed(last)),
            computed(last).max(watermark::recommended(sizes, scale, last)),
        ]);
    }
    if !watermark::starts_khugepaged(sizes) {
        on.extend(off.clone());
    }
    (on, off)
}

fn default_ratios(zoneinfo: &Zoneinfo) -> Vec<u64> {
    let mut ratios = vec![0; 8];
    for (name, ratio) in [("DMA", 256), ("DMA32", 256), ("Normal", 32)] {
        if let Some(class) = zoneinfo.class_of(name).filter(|&class| class < ratios.len()) {
            ratios[class] = ratio;
        }
    }
    ratios
}
