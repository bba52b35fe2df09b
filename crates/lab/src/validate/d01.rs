//! The 2018 dd test (D01): how a row of its tables becomes a scenario and a figure of its report.
//!
//! A stage of the test lasted 300 s, which throughput is given for, but the columns out of vmstat
//! cover about 328 s: pages scanned over pages read in every stage in which kswapd alone reclaims.
//! The model's counts are scaled from its window to those 328 s. D01k divides the same counts by
//! 300 s; so does the comparison.

use super::table::Row;
use super::{Measure, Modelled, Role, What, Window};
use catalog::ControlId;
use scenario::{Problem, Scenario, quoted};

/// The stage whose scan counts contain the fill of memory.
pub(super) const FILL_READERS: u32 = 10;
/// Loads of D01e up to which its rows fixed what shadow entries cost.
const SHADOW_FIXED: u32 = 52;
/// D01b: memory is filled, not reclaimed, so a short window of an empty machine will do.
const FILLING: Window = Window { warmup_ns: 1_000_000_000, duration_ns: 3_000_000_000 };

/// D01b: readers of an empty machine, before any reclaim.
pub(super) fn filling(row: &Row) -> Result<Modelled, String> {
    let measure = column(row)?;
    let mut scenario = stage(row, 1)?;
    set(&mut scenario, "start", "empty")?;
    let times =
        [(ControlId::Warmup, FILLING.warmup_ns), (ControlId::Duration, FILLING.duration_ns)];
    for (id, ns) in times {
        scenario.set(id, ns).map_err(|problem| refused(&problem))?;
    }
    let what = What::Run { scenario, measure, constants: Vec::new() };
    Ok(Modelled { what, role: Role::Calibrated })
}

/// D01c to D01f, D01k: readers of a full machine, some kswapds a node, shadow entries on or off.
pub(super) fn replacing(row: &Row) -> Result<Modelled, String> {
    let (kswapds, shadow) = arm(&row.arm)
        .ok_or_else(|| format!("Its arm {} is none of this test's.", quoted(&row.arm)))?;
    let measure = if row.id == "D01k" { derived(row)? } else { column(row)? };
    let mut scenario = stage(row, kswapds)?;
    set(&mut scenario, "shadow_entries", if shadow { "on" } else { "off" })?;
    // What one kswapd gave fixed constants; what more of them give follows.
    let fixed = kswapds == 1 && (!shadow || readers(row)? <= SHADOW_FIXED);
    let role = if fixed { Role::Calibrated } else { Role::Follows };
    Ok(Modelled { what: What::Run { scenario, measure, constants: Vec::new() }, role })
}

/// Number of kswapds and whether shadow entries are on, from
/// `4 kswapd/node; shadow entries DISABLED`.
fn arm(text: &str) -> Option<(u32, bool)> {
    let (kswapds, shadow) = text.split_once(" kswapd/node; shadow entries ")?;
    let shadow = match shadow {
        "ENABLED" => true,
        "DISABLED" => false,
        _ => return None,
    };
    Some((kswapds.parse().ok()?, shadow))
}

fn readers(row: &Row) -> Result<u32, String> {
    let readers = row.x().filter(|_| row.x_name == "dd_tasks");
    readers.ok_or_else(|| "Its load is no number of dd tasks.".into())
}

/// The preset with this row's readers.
fn stage(row: &Row, kswapds: u32) -> Result<Scenario, String> {
    let mut scenario = Scenario::preset("lumpkin2018").map_err(|problem| refused(&problem))?;
    set(&mut scenario, "readers", &readers(row)?.to_string())?;
    set(&mut scenario, "kswapds", &kswapds.to_string())?;
    Ok(scenario)
}

fn set(scenario: &mut Scenario, key: &str, value: &str) -> Result<(), String> {
    scenario.set_text(key, value).map_err(|problem| refused(&problem))
}

fn refused(problem: &Problem) -> String {
    format!("The model cannot run it: {problem}.")
}

/// A column of the tables D01b to D01f.
fn column(row: &Row) -> Result<Measure, String> {
    Ok(match row.metric.as_str() {
        "read throughput (iostat total)" => Measure::Throughput,
        "system cpu (vmstat sy; highest 10s sample)" => Measure::SystemCpu,
        "cpu of one dd task (mean)" => Measure::TaskCpu(readers(row)?),
        "kswapd0 cpu" => Measure::WorkerCpu(0),
        "kswapd1 cpu" => Measure::WorkerCpu(1),
        "direct reclaims (allocstall) in stage" => Measure::Stalls,
        "pgscan_kswapd in stage" => Measure::ScanKswapd,
        "pgscan_direct in stage" => Measure::ScanDirect,
        _ => return Err("This column has no counterpart in the model.".into()),
    })
}

/// A column of D01k.
fn derived(row: &Row) -> Result<Measure, String> {
    Ok(match row.metric.as_str() {
        "kswapd scan rate per node" => Measure::ScanRate,
        "share of all scanned pages done by direct reclaim" => Measure::DirectShare,
        "kswapd cpu per page it scanned" => Measure::CpuPerPage,
        _ => return Err("This column has no counterpart in the model.".into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, metric: &str, x: &str, arm: &str) -> Row {
        Row {
            line: 2,
            id: id.into(),
            metric: metric.into(),
            unit: String::new(),
            x_name: "dd_tasks".into(),
            x_value: x.into(),
            arm: arm.into(),
            printed: None,
            ..Row::default()
        }
    }

    fn run(modelled: &Modelled) -> (&Scenario, Measure) {
        let What::Run { scenario, measure, .. } = &modelled.what else { panic!("a run") };
        (scenario, *measure)
    }

    #[test]
    fn a_row_names_its_run() {
        let four = "4 kswapd/node; shadow entries DISABLED";
        let d = replacing(&row("D01d", "kswapd1 cpu", "58", four)).expect("a row");
        assert_eq!((run(&d).1, d.role), (Measure::WorkerCpu(1), Role::Follows));
        let value = |id| run(&d).0.get(id);
        assert_eq!((value(ControlId::Kswapds), value(ControlId::Readers)), (4, 58));
        let k = replacing(&row("D01k", "kswapd scan rate per node", "58", four)).expect("a row");
        assert_eq!(scenario::link::encode(run(&k).0), scenario::link::encode(run(&d).0));
        let e = |x| {
            let arm = "1 kswapd/node; shadow entries ENABLED";
            let modelled = replacing(&row("D01e", "kswapd0 cpu", x, arm)).expect("a row");
            (run(&modelled).0.get(ControlId::ShadowEntries), modelled.role)
        };
        assert_eq!((e("52"), e("58")), ((1, Role::Calibrated), (1, Role::Follows)));
        let b = filling(&row("D01b", "cpu of one dd task (mean)", "6", "-")).expect("a row");
        assert_eq!(run(&b).0.text(ControlId::Start), "empty");
        assert_eq!((run(&b).1, b.role), (Measure::TaskCpu(6), Role::Calibrated));
    }

    #[test]
    fn what_cannot_be_run_has_a_reason() {
        let reason =
            |id, metric, x, arm| replacing(&row(id, metric, x, arm)).expect_err("a reason");
        let off = "1 kswapd/node; shadow entries DISABLED";
        assert!(reason("D01c", "kswapd0 cpu", "6", "many").contains("`many`"));
        assert!(reason("D01c", "load average", "6", off).contains("no counterpart"));
        assert!(reason("D01c", "kswapd0 cpu", "six", off).contains("no number"));
        let cannot = reason("D01c", "kswapd0 cpu", "4000000000", off);
        assert!(cannot.starts_with("The model cannot run it: readers"), "{cannot}");
    }
}
