//! The 2018 dd test (D01): how a row of its tables becomes a scenario and a figure of its report.
//!
//! A stage of the test lasted 300 s, which throughput is given for, but the columns out of vmstat
//! cover about 328 s: pages scanned over pages read in every stage in which kswapd alone reclaims.
//! The model's counts are scaled from its window to those 328 s. D01k divides the same counts by
//! 300 s; so does the comparison.

use super::table::Row;
use super::{Modelled, Role, Window};
use catalog::ControlId;
use report::Report;
use report::view::{CpuUse, WorkerState};
use scenario::{Problem, Scenario, quoted};

/// Seconds of a stage that the vmstat columns cover.
pub const COUNTERS_S: f64 = 328.0;
/// Seconds of a stage, by which D01k divides.
pub const STAGE_S: f64 = 300.0;
/// The stage whose scan counts contain the fill of memory.
pub(super) const FILL_READERS: u32 = 10;
/// Loads of D01e up to which its rows fixed what shadow entries cost.
const SHADOW_FIXED: u32 = 52;
/// D01b: memory is filled, not reclaimed, so a short window of an empty machine will do.
const FILLING: Window = Window { warmup_ns: 1_000_000_000, duration_ns: 3_000_000_000 };

/// What of a report stands beside a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// KiB read a second.
    Throughput,
    /// What the tasks get done a second, in the unit of the report.
    Rate,
    /// CPU of everybody, in % of all hardware threads.
    SystemCpu,
    /// CPU of one of so many readers, in % of a hardware thread.
    TaskCpu(u32),
    /// CPU of the first worker of a node, in %.
    WorkerCpu(u32),
    /// Calls of direct reclaim in 328 s.
    Stalls,
    /// Pages that kswapd scanned in 328 s.
    ScanKswapd,
    /// Pages that direct reclaim scanned in 328 s.
    ScanDirect,
    /// Pages a second and node as D01k has it: those of 328 s over 300 s.
    ScanRate,
    /// Share of all scanned pages that direct reclaim scanned.
    DirectShare,
    /// Microseconds of the first worker a page, as D01k has it: its CPU share over `ScanRate`.
    CpuPerPage,
    /// CPU seconds of all kswapds in so many seconds.
    KswapdSeconds(u32),
    /// Mean CPU of one kswapd, in %.
    KswapdMean,
    /// Pages a second that all kswapds reclaimed.
    StealRate,
    /// Microseconds of kswapd CPU a page that it reclaimed.
    CpuPerSteal,
    /// Microseconds of kswapd CPU a page that it scanned.
    CpuPerScan,
    /// Pages that kswapd scanned for each that it reclaimed.
    ScanPerSteal,
}

impl Measure {
    /// The figure in a report; nothing where there is nothing to divide by.
    #[must_use]
    pub fn of(self, report: &Report) -> Option<f64> {
        let count = |name: &str| report.vmstat.get(name).copied().unwrap_or(0) as f64;
        let per = |a: f64, b: f64| (b > 0.0).then(|| a / b);
        let in_stage = |n: f64| per(n * COUNTERS_S, report.window_s);
        let (kswapd, direct) = (count("pgscan_kswapd"), count("pgscan_direct"));
        match self {
            Self::Throughput => Some(report.throughput / 1024.0),
            Self::Rate => Some(report.throughput),
            Self::SystemCpu => {
                let (all, busy) = all_and_busy(report);
                per(busy * 100.0, all)
            }
            Self::TaskCpu(readers) => {
                let (_, busy) = all_and_busy(report);
                per((busy - report.kswapd_cpu_s) * 100.0, report.window_s * f64::from(readers))
            }
            Self::WorkerCpu(node) => worker_cpu(report, node),
            Self::Stalls => {
                let calls = report.vmstat.iter().filter(|(name, _)| name.starts_with("allocstall"));
                in_stage(calls.map(|(_, n)| *n as f64).sum())
            }
            Self::ScanKswapd => in_stage(kswapd),
            Self::ScanDirect => in_stage(direct),
            Self::ScanRate => per(in_stage(kswapd)?, STAGE_S * report.nodes.len() as f64),
            Self::DirectShare => per(direct, kswapd + direct),
            Self::CpuPerPage => {
                let nodes = report.nodes.len() as u32;
                let cpu: Option<f64> = (0..nodes).map(|node| worker_cpu(report, node)).sum();
                let share = per(cpu?, f64::from(nodes) * 100.0)?;
                per(share * 1e6, Self::ScanRate.of(report)?)
            }
            Self::KswapdSeconds(s) => per(report.kswapd_cpu_s * f64::from(s), report.window_s),
            Self::KswapdMean => {
                per(report.kswapd_cpu_s * 100.0, report.window_s * report.workers.len() as f64)
            }
            Self::StealRate => per(count("pgsteal_kswapd"), report.window_s),
            Self::CpuPerSteal => per(report.kswapd_cpu_s * 1e6, count("pgsteal_kswapd")),
            Self::CpuPerScan => per(report.kswapd_cpu_s * 1e6, kswapd),
            Self::ScanPerSteal => per(kswapd, count("pgsteal_kswapd")),
        }
    }
}

/// CPU seconds that there were, and those that somebody used.
fn all_and_busy(report: &Report) -> (f64, f64) {
    let all: f64 = report.cpu_s.values().sum();
    let idle = report.cpu_s.get(CpuUse::Idle.name()).copied().unwrap_or(0.0);
    (all, all - idle)
}

/// CPU of the first worker of a node, spinning included, in %.
fn worker_cpu(report: &Report, node: u32) -> Option<f64> {
    let off = [WorkerState::Asleep, WorkerState::Napping, WorkerState::Runnable];
    let worker = report.workers.iter().find(|worker| worker.node == node)?;
    let busy = WorkerState::ALL.iter().filter(|state| !off.contains(state));
    let seconds: f64 = busy.filter_map(|state| worker.seconds.get(state.name())).sum();
    (report.window_s > 0.0).then(|| seconds * 100.0 / report.window_s)
}

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
    Ok(Modelled { scenario, measure, role: Role::Calibrated, constants: Vec::new() })
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
    Ok(Modelled { scenario, measure, role, constants: Vec::new() })
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
        }
    }

    #[test]
    fn a_row_names_its_run() {
        let four = "4 kswapd/node; shadow entries DISABLED";
        let d = replacing(&row("D01d", "kswapd1 cpu", "58", four)).expect("a row");
        assert_eq!((d.measure, d.role), (Measure::WorkerCpu(1), Role::Follows));
        let value = |id| d.scenario.get(id);
        assert_eq!((value(ControlId::Kswapds), value(ControlId::Readers)), (4, 58));
        let k = replacing(&row("D01k", "kswapd scan rate per node", "58", four)).expect("a row");
        assert_eq!(scenario::link::encode(&k.scenario), scenario::link::encode(&d.scenario));
        let e = |x| {
            let arm = "1 kswapd/node; shadow entries ENABLED";
            let modelled = replacing(&row("D01e", "kswapd0 cpu", x, arm)).expect("a row");
            (modelled.scenario.get(ControlId::ShadowEntries), modelled.role)
        };
        assert_eq!((e("52"), e("58")), ((1, Role::Calibrated), (1, Role::Follows)));
        let b = filling(&row("D01b", "cpu of one dd task (mean)", "6", "-")).expect("a row");
        assert_eq!(b.scenario.text(ControlId::Start), "empty");
        assert_eq!((b.measure, b.role), (Measure::TaskCpu(6), Role::Calibrated));
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
