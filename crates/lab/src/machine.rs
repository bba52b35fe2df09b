//! A real machine's zoneinfo beside what the kernel's formulas give.
//!
//! What is compared: the marks without boost, `lowmem_reserve`, the page lists' batch, high_min and
//! high_max. `high` floats with the load and is only shown. A value that depends on a setting that
//! nobody told is not judged, and a reserve that fits the smaller `managed` of an earlier moment is
//! stale, not wrong: the kernel computes reserves at boot and frees memory after that.

mod settings;
mod stale;

pub use settings::{Settings, Told};
pub use stale::StaleReserve;

use mm::page_alloc::pcp_size;
use mm::page_alloc::watermark::{self, Marks, ZoneSize};
use scenario::Problem;
use scenario::paste::{Sysctl, Zone, Zoneinfo};
use settings::{batch_caps, sizes};

/// The values of a zone, as computed or as printed; absent where unknown or not printed. In pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Mark min without boost.
    pub min: Option<u64>,
    /// Mark low without boost.
    pub low: Option<u64>,
    /// Mark high without boost.
    pub high: Option<u64>,
    /// Mark promo without boost.
    pub promo: Option<u64>,
    /// `lowmem_reserve`, one a class.
    pub lowmem_reserve: Option<Vec<u64>>,
    /// Pages that move at once between a CPU's list and the buddy allocator.
    pub batch: Option<u64>,
    /// Lower end of a CPU's list.
    pub high_min: Option<u64>,
    /// Upper end of a CPU's list.
    pub high_max: Option<u64>,
}

/// One zone of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneCheck {
    /// Its node.
    pub node: u32,
    /// Its name.
    pub zone: String,
    /// Its managed pages.
    pub managed: u64,
    /// The boost that was taken off the printed marks, in pages.
    pub boost: u64,
    /// What the formulas give.
    pub computed: Values,
    /// What the kernel printed, without boost.
    pub kernel: Values,
    /// Least and most `high` of its page lists: shown, not judged.
    pub pcp_high: Option<(u64, u64)>,
    /// Names of the values that differ.
    pub differs: Vec<&'static str>,
    /// Names of the values that depend on a setting that is not known.
    pub not_judged: Vec<&'static str>,
    /// Reserves of an earlier moment.
    pub stale: Vec<StaleReserve>,
}

/// The whole comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The settings that the formulas were given, and where they come from.
    pub settings: Settings,
    /// The zones, in the order of the text.
    pub zones: Vec<ZoneCheck>,
    /// Why the texts are not whole; nothing that needs all zones is judged then.
    pub problems: Vec<Problem>,
    /// What was assumed, in sentences.
    pub notes: Vec<String>,
}

impl Check {
    /// Whether nothing that was judged differs.
    #[must_use]
    pub fn equal(&self) -> bool {
        self.zones.iter().all(|zone| zone.differs.is_empty())
    }
}

/// Compares what a kernel printed with what its formulas give.
#[must_use]
pub fn check(zoneinfo: &Zoneinfo, sysctl: Option<&Sysctl>) -> Check {
    let nothing_told = Sysctl::default();
    let sysctl = sysctl.unwrap_or(&nothing_told);
    let problems: Vec<Problem> =
        zoneinfo.problems.iter().chain(&sysctl.problems).cloned().collect();
    let mut notes = Vec::new();
    let settings = settings::find(zoneinfo, sysctl, problems.is_empty(), &mut notes);
    let machine = Machine::new(zoneinfo, sysctl, &settings);
    let zones = zoneinfo.zones.iter().zip(sizes(zoneinfo));
    let zones: Vec<ZoneCheck> = zones.map(|(zone, size)| machine.check(zone, size)).collect();
    if looks_like_boot(&zones) {
        notes.push(
            "The marks lie a few percent beside the computed ones, as after boot: the kernel frees \
             memory after it has set them. Writing min_free_kbytes once sets them anew."
                .into(),
        );
    }
    Check { settings, zones, problems, notes }
}

/// Whether all that differs are marks, by a little.
fn looks_like_boot(zones: &[ZoneCheck]) -> bool {
    let near = |a: Option<u64>, b: Option<u64>| {
        let (a, b) = (a.unwrap_or(0), b.unwrap_or(0));
        a.abs_diff(b) * 8 <= a.max(b) + 8
    };
    let small = |zone: &ZoneCheck| {
        let marks = ["min", "low", "high", "promo", "high_min"];
        let (c, k) = (&zone.computed, &zone.kernel);
        zone.differs.iter().all(|name| marks.contains(name))
            && near(c.min, k.min)
            && near(c.high, k.high)
    };
    let wrong = || zones.iter().filter(|zone| !zone.differs.is_empty());
    wrong().next().is_some() && wrong().all(small)
}

/// What holds for all zones.
struct Machine<'a> {
    zoneinfo: &'a Zoneinfo,
    settings: &'a Settings,
    lowmem: u64,
    /// CPUs that share a node's page lists, by node, where that is known.
    cpus: Vec<(u32, Option<u64>)>,
    fraction: u64,
    batch_cap: u64,
}

impl<'a> Machine<'a> {
    fn new(zoneinfo: &'a Zoneinfo, sysctl: &Sysctl, settings: &'a Settings) -> Self {
        let sizes = sizes(zoneinfo);
        let nodes = zoneinfo.nodes();
        let all = u64::from(zoneinfo.cpus());
        let cpus_of = |node: u32| match sysctl.node_cpus(node) {
            // A node without CPUs splits its lists among all CPUs of the machine.
            Some(0) => Some(all),
            Some(cpus) => Some(u64::from(cpus)),
            None => (nodes.len() == 1).then_some(all),
        };
        let cpus = nodes.iter().map(|&node| (node, cpus_of(node))).collect();
        let caps = batch_caps(sysctl.kernel);
        let fits = |cap: &&u64| {
            zoneinfo.zones.iter().all(|zone| {
                zone.pagesets.iter().all(|set| set.batch == pcp_size::batch(zone.managed, **cap))
            })
        };
        let batch_cap = caps.iter().find(fits).copied().unwrap_or(caps[0]);
        Self {
            zoneinfo,
            settings,
            lowmem: watermark::lowmem_pages(&sizes),
            cpus,
            fraction: sysctl.percpu_pagelist_high_fraction.unwrap_or(0),
            batch_cap,
        }
    }

    fn check(&self, zone: &Zone, size: ZoneSize) -> ZoneCheck {
        let mut out = ZoneCheck {
            node: zone.node,
            zone: zone.name.clone(),
            managed: zone.managed,
            boost: zone.boost,
            computed: Values::default(),
            kernel: printed(zone),
            pcp_high: pcp_high(zone),
            differs: Vec::new(),
            not_judged: Vec::new(),
            stale: Vec::new(),
        };
        self.check_marks(size, &mut out);
        self.check_reserve(zone, &mut out);
        if !zone.pagesets.is_empty() && zone.managed > 0 {
            self.check_lists(zone, &mut out);
        }
        out
    }

    fn check_marks(&self, size: ZoneSize, out: &mut ZoneCheck) {
        if let Some(kbytes) = self.settings.min_free_kbytes.value {
            let factor = self.settings.watermark_scale_factor.value.unwrap_or(0);
            let Marks { min, low, high, promo } =
                watermark::zone_marks(size, kbytes, factor, self.lowmem);
            let (computed, kernel) = (&mut out.computed, &out.kernel);
            computed.min = Some(min);
            computed.low = Some(low);
            computed.high = Some(high);
            computed.promo = kernel.promo.map(|_| promo);
        }
        let marks = [
            ("min", out.computed.min, out.kernel.min),
            ("low", out.computed.low, out.kernel.low),
            ("high", out.computed.high, out.kernel.high),
            ("promo", out.computed.promo, out.kernel.promo),
        ];
        for (name, computed, kernel) in marks {
            judge(name, computed, kernel, self.settings.marks_known, out);
        }
    }

    fn check_reserve(&self, zone: &Zone, out: &mut ZoneCheck) {
        let classes = zone.protection.len();
        let managed = self.managed_by_class(zone.node, classes);
        let Some(class) = self.zoneinfo.class_of(&zone.name).filter(|&c| c < classes) else {
            return out.not_judged.push("lowmem_reserve");
        };
        let ratios = self.settings.lowmem_reserve_ratio.value.as_deref().unwrap_or(&[]);
        let computed: Vec<u64> =
            (0..classes).map(|j| watermark::lowmem_reserve(&managed, ratios, class, j)).collect();
        let differs = computed != zone.protection;
        out.computed.lowmem_reserve = Some(computed);
        if !differs {
            return;
        }
        // Kernels before 5.8 printed reserves of zones without pages, where they mean nothing.
        let whole = self.settings.complete;
        if zone.managed == 0 || !whole {
            return out.not_judged.push("lowmem_reserve");
        }
        let rows = self.reserve_rows(zone.node, &managed);
        match stale::find(class, &managed, &rows) {
            Some(stale) => out.stale = stale,
            None if self.settings.lowmem_reserve_ratio.told == Told::Sysctl => {
                out.differs.push("lowmem_reserve");
            }
            None => out.not_judged.push("lowmem_reserve"),
        }
    }

    /// Managed pages of a node's zones by class; 0 for zones that are not printed.
    fn managed_by_class(&self, node: u32, classes: usize) -> Vec<u64> {
        let mut managed = vec![0; classes];
        for zone in self.zoneinfo.zones.iter().filter(|zone| zone.node == node) {
            if let Some(class) = self.zoneinfo.class_of(&zone.name).filter(|&c| c < classes) {
                managed[class] = zone.managed;
            }
        }
        managed
    }

    /// The printed reserves of a node's zones that have pages, with their ratios.
    fn reserve_rows(&self, node: u32, managed: &[u64]) -> Vec<stale::Row<'_>> {
        let ratios = self.settings.lowmem_reserve_ratio.value.as_deref().unwrap_or(&[]);
        let zones = self.zoneinfo.zones.iter().filter(|zone| zone.node == node && zone.managed > 0);
        zones
            .filter_map(|zone| {
                let class = self.zoneinfo.class_of(&zone.name)?;
                let ratio = ratios.get(class).copied().unwrap_or(0);
                let printed = zone.protection.get(..managed.len())?;
                Some(stale::Row { class, ratio, printed })
            })
            .collect()
    }

    fn check_lists(&self, zone: &Zone, out: &mut ZoneCheck) {
        let batch = pcp_size::batch(zone.managed, self.batch_cap);
        out.computed.batch = Some(batch);
        judge_all("batch", batch, zone.pagesets.iter().map(|set| Some(set.batch)), out);
        if out.kernel.high_min.is_none() && out.kernel.high_max.is_none() {
            return;
        }
        let cpus = self.cpus.iter().find(|(node, _)| *node == zone.node).and_then(|(_, n)| *n);
        let Some(cpus) = cpus else {
            return out.not_judged.extend(["high_min", "high_max"]);
        };
        // high_min follows the low mark in force: where settings are unknown, the printed one.
        let low = match self.settings.marks_known {
            true => out.computed.low,
            false => out.kernel.low,
        };
        let (least, most) = match self.fraction {
            0 => (
                pcp_size::high_min(low.unwrap_or(0), cpus, batch),
                pcp_size::high_max(zone.managed, cpus, batch),
            ),
            fraction => {
                let fixed = pcp_size::high_by_fraction(zone.managed, fraction, cpus, batch);
                (fixed, fixed)
            }
        };
        out.computed.high_min = Some(least);
        out.computed.high_max = Some(most);
        judge_all("high_min", least, zone.pagesets.iter().map(|set| set.high_min), out);
        judge_all("high_max", most, zone.pagesets.iter().map(|set| set.high_max), out);
    }
}

/// The printed values without boost; page lists as the first CPU has them.
fn printed(zone: &Zone) -> Values {
    let list = zone.pagesets.first();
    Values {
        min: Some(zone.min.saturating_sub(zone.boost)),
        low: Some(zone.low.saturating_sub(zone.boost)),
        high: Some(zone.high.saturating_sub(zone.boost)),
        promo: zone.promo.map(|promo| promo.saturating_sub(zone.boost)),
        lowmem_reserve: Some(zone.protection.clone()),
        batch: list.map(|set| set.batch),
        high_min: list.and_then(|set| set.high_min),
        high_max: list.and_then(|set| set.high_max),
    }
}

fn pcp_high(zone: &Zone) -> Option<(u64, u64)> {
    let highs = zone.pagesets.iter().map(|set| set.high);
    Some((highs.clone().min()?, highs.max()?))
}

fn judge(
    name: &'static str,
    computed: Option<u64>,
    kernel: Option<u64>,
    known: bool,
    out: &mut ZoneCheck,
) {
    if kernel.is_none() {
        return;
    }
    if !known {
        out.not_judged.push(name);
    } else if computed != kernel {
        out.differs.push(name);
    }
}

/// Judges a value that every CPU's list has; where one differs, that one is shown.
fn judge_all(
    name: &'static str,
    computed: u64,
    printed: impl Iterator<Item = Option<u64>>,
    out: &mut ZoneCheck,
) {
    let Some(wrong) = printed.flatten().find(|value| *value != computed) else { return };
    out.differs.push(name);
    let place = match name {
        "batch" => &mut out.kernel.batch,
        "high_min" => &mut out.kernel.high_min,
        _ => &mut out.kernel.high_max,
    };
    *place = Some(wrong);
}
