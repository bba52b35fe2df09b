//! A real machine's marks beside the computed ones.

use super::write_json;
use crate::table::{lines, pairs, row};
use crate::{Exit, Failure, Streams};
use lab::machine::{Check, Settings, StaleReserve, Values, ZoneCheck, check};
use scenario::paste::{Sysctl, Zoneinfo};
use serde_json::{Value, json};

/// Compares and prints.
pub(super) fn machine(
    zoneinfo: &Zoneinfo,
    sysctl: Option<&Sysctl>,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let check = check(zoneinfo, sysctl);
    if json {
        write_json(serde_json::to_string_pretty(&check_json(&check)), streams)?;
    } else {
        for line in text(&check) {
            writeln!(streams.stdout, "{line}")?;
        }
    }
    if !check.problems.is_empty() {
        return Err(Failure::all(&check.problems));
    }
    Ok(if check.equal() { Exit::Done } else { Exit::Differs })
}

fn check_json(check: &Check) -> Value {
    let Settings { min_free_kbytes, watermark_scale_factor, lowmem_reserve_ratio, .. } =
        &check.settings;
    let zones: Vec<Value> = check.zones.iter().map(zone_json).collect();
    json!({
        "equal": check.equal() && check.problems.is_empty(),
        "settings": {
            "min_free_kbytes": {
                "value": min_free_kbytes.value, "from": min_free_kbytes.told.words(),
            },
            "watermark_scale_factor": {
                "value": watermark_scale_factor.value, "from": watermark_scale_factor.told.words(),
            },
            "lowmem_reserve_ratio": {
                "value": lowmem_reserve_ratio.value, "from": lowmem_reserve_ratio.told.words(),
            },
        },
        "default_min_free_kbytes": {
            "huge_pages_on": check.settings.defaults.0, "huge_pages_off": check.settings.defaults.1,
        },
        "zones": zones,
        "notes": check.notes,
        "problems": check.problems,
    })
}

fn zone_json(zone: &ZoneCheck) -> Value {
    let stale = |s: &StaleReserve| {
        json!({
            "class": s.class, "printed": s.printed, "managed": s.managed,
            "fits_managed": [s.fits.0, s.fits.1],
        })
    };
    json!({
        "node": zone.node,
        "zone": zone.zone,
        "managed": zone.managed,
        "boost": zone.boost,
        "computed": values_json(&zone.computed),
        "kernel": values_json(&zone.kernel),
        "pcp_high": zone.pcp_high.map(|(least, most)| [least, most]),
        "differs": zone.differs,
        "stale": zone.stale.iter().map(stale).collect::<Vec<_>>(),
        "not_judged": zone.not_judged,
    })
}

fn values_json(values: &Values) -> Value {
    json!({
        "min": values.min,
        "low": values.low,
        "high": values.high,
        "promo": values.promo,
        "lowmem_reserve": values.lowmem_reserve,
        "batch": values.batch,
        "high_min": values.high_min,
        "high_max": values.high_max,
    })
}

fn text(check: &Check) -> Vec<String> {
    let s = &check.settings;
    let number = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |v| v.to_string());
    let ratios = s.lowmem_reserve_ratio.value.iter().flatten().map(u64::to_string);
    let settings = [
        ("min_free_kbytes", number(s.min_free_kbytes.value), s.min_free_kbytes.told),
        (
            "watermark_scale_factor",
            number(s.watermark_scale_factor.value),
            s.watermark_scale_factor.told,
        ),
        ("lowmem_reserve_ratio", ratios.collect::<Vec<_>>().join(" "), s.lowmem_reserve_ratio.told),
    ];
    let settings = settings
        .map(|(name, value, told)| (name.to_owned(), format!("{value}  ({})", told.words())));
    let mut out = pairs(&settings);
    for zone in &check.zones {
        out.push(String::new());
        out.extend(zone_text(zone));
    }
    out.push(String::new());
    out.extend(check.notes.iter().cloned());
    out.push(verdict(check));
    out
}

fn zone_text(zone: &ZoneCheck) -> Vec<String> {
    let boost = match zone.boost {
        0 => String::new(),
        pages => format!(", boost of {pages} taken off"),
    };
    let mut out =
        vec![format!("Node {}, zone {}: managed {}{boost}", zone.node, zone.zone, zone.managed)];
    let mut rows = vec![row(["", "min", "low", "high", "promo", "batch", "high_min", "high_max"])];
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |v| v.to_string());
    for (name, v) in [("computed", &zone.computed), ("kernel", &zone.kernel)] {
        let cells = [v.min, v.low, v.high, v.promo, v.batch, v.high_min, v.high_max].map(number);
        let mut cells = row(std::iter::once(name.to_owned()).chain(cells));
        let reserve = v.lowmem_reserve.iter().flatten().map(u64::to_string);
        cells.push(format!("({})", reserve.collect::<Vec<_>>().join(", ")));
        rows.push(cells);
    }
    rows[0].push("protection".to_owned());
    out.extend(lines(&rows).into_iter().map(|line| format!("  {line}")));
    if let Some((least, most)) = zone.pcp_high {
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        out.push(format!("  high of the per-CPU lists: {range} (floats, not judged)"));
    }
    for stale in &zone.stale {
        out.push(format!(
            "  stale: a reserve of {} fits {} to {} managed pages above this zone; now there are \
             {} (memory freed after boot)",
            stale.printed, stale.fits.0, stale.fits.1, stale.managed
        ));
    }
    if !zone.not_judged.is_empty() {
        out.push(format!("  not judged: {}", zone.not_judged.join(", ")));
    }
    if !zone.differs.is_empty() {
        out.push(format!("  DIFFERS: {}", zone.differs.join(", ")));
    }
    out
}

fn verdict(check: &Check) -> String {
    let zones = check.zones.len();
    let wrong = check.zones.iter().filter(|zone| !zone.differs.is_empty()).count();
    let stale = check.zones.iter().filter(|zone| !zone.stale.is_empty()).count();
    let stale = if stale > 0 { format!(", stale reserves in {stale}") } else { String::new() };
    match wrong {
        _ if !check.problems.is_empty() => format!("Unreadable in part: {zones} zones kept."),
        0 => format!("Equal in all {zones} zones{stale}."),
        _ => format!("Differs in {wrong} of {zones} zones{stale}."),
    }
}
