//! What of a report stands beside a published figure.

use super::kbuild::Build;
use report::Report;
use report::view::{CpuUse, WorkerState};

/// Seconds of a stage of D01 that the vmstat columns cover.
pub const COUNTERS_S: f64 = 328.0;
/// Seconds of a stage of D01, by which D01k divides.
pub const STAGE_S: f64 = 300.0;
/// Seconds that waits for lru_lock were counted (D14).
const LOCK_S: f64 = 30.0;
/// Bytes of a MiB.
const MIB: f64 = 1024.0 * 1024.0;
/// The share of faults that read pages back which says that filling is over.
const READ_BACK: f64 = 0.1;

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
    /// What this counter of vmstat counts a second.
    Counter(&'static str),
    /// Milliseconds in 30 s that tasks waited for lru_locks, at these sites; at all when none is
    /// named.
    LruWait(&'static [&'static str]),
    /// Memory that is filled a second, in this unit of so many a MiB, over so many tasks.
    FillRate {
        /// Units a MiB.
        per_mib: u32,
        /// Tasks that it is shared by.
        tasks: u32,
    },
    /// CPU seconds that filling so many MiB takes.
    FillCpu(u32),
    /// Something of a whole kernel build of so many seconds of user time.
    Build(Build, u32),
}

impl Measure {
    /// The figure in a report; nothing where there is nothing to divide by.
    #[must_use]
    pub fn of(self, report: &Report) -> Option<f64> {
        let (kswapd, direct) = (count(report, "pgscan_kswapd"), count(report, "pgscan_direct"));
        let in_stage = |n: f64| per(n * COUNTERS_S, report.window_s);
        let stolen = count(report, "pgsteal_kswapd");
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
            Self::StealRate => per(stolen, report.window_s),
            Self::CpuPerSteal => per(report.kswapd_cpu_s * 1e6, stolen),
            Self::CpuPerScan => per(report.kswapd_cpu_s * 1e6, kswapd),
            Self::ScanPerSteal => per(kswapd, stolen),
            Self::Counter(name) => per(count(report, name), report.window_s),
            Self::LruWait(sites) => {
                let wanted = |name: &str| sites.is_empty() || sites.contains(&name);
                let waits = report.lru_wait_s.iter().filter(|(name, _)| wanted(name));
                per(waits.map(|(_, s)| s * 1e3 * LOCK_S).sum(), report.window_s)
            }
            Self::FillRate { per_mib, tasks } => {
                let mib = filled(report)? / MIB * f64::from(per_mib);
                per(mib, report.window_s * f64::from(tasks))
            }
            Self::FillCpu(mib) => {
                let (_, busy) = all_and_busy(report);
                per(busy * f64::from(mib) * MIB, filled(report)?)
            }
            Self::Build(what, user_s) => of_build(what, user_s, report),
        }
    }
}

/// A figure of a whole build: what the window has of it for each second of user time.
fn of_build(what: Build, user_s: u32, report: &Report) -> Option<f64> {
    let whole = |n: f64| per(n * f64::from(user_s), report.user_s);
    let system = all_and_busy(report).1 - report.user_s;
    let out = count(report, "pswpout");
    match what {
        Build::System => whole(system),
        Build::Elapsed => whole(report.window_s),
        Build::Count(name) => whole(count(report, name)),
        Build::SystemPerSwapOut => per(system * 1e6, out),
        Build::SwapOutRate => per(out, report.window_s),
        Build::CpuPercent => per((system + report.user_s) * 100.0, report.window_s),
        Build::Balance => {
            let devices = report.swap.as_ref().map_or(&[][..], |swap| &swap.devices);
            let peaks = || devices.iter().map(|device| device.peak as f64);
            let (low, high) = (peaks().fold(f64::INFINITY, f64::min), peaks().fold(0.0, f64::max));
            per((high - low) * devices.len() as f64, peaks().sum())
        }
    }
}

fn per(a: f64, b: f64) -> Option<f64> {
    (b > 0.0).then(|| a / b)
}

fn count(report: &Report, name: &str) -> f64 {
    report.vmstat.get(name).copied().unwrap_or(0) as f64
}

/// Bytes that tasks filled for the first time; nothing when they read back what was filled.
fn filled(report: &Report) -> Option<f64> {
    let (all, read_back) = (count(report, "pgfault"), count(report, "pgmajfault"));
    let filling = read_back <= all * READ_BACK;
    filling.then_some((all - read_back) * units::PAGE_SIZE as f64)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filling_is_measured_until_it_is_read_back() {
        let report = |faults: u64, read: u64| Report {
            window_s: 2.0,
            vmstat: [("pgfault", faults), ("pgmajfault", read)]
                .map(|(name, n)| (name.to_owned(), n))
                .into(),
            cpu_s: [("idle", 6.0), ("application", 2.0)].map(|(k, s)| (k.to_owned(), s)).into(),
            ..Report::default()
        };
        // 512 MiB in 2 s by 4 tasks, with 2 s of CPU.
        let filling = report(131_072, 0);
        let rate = |per_mib, tasks| Measure::FillRate { per_mib, tasks }.of(&filling);
        assert_eq!((rate(1, 1), rate(1_024, 4)), (Some(256.0), Some(65_536.0)));
        assert_eq!(Measure::FillCpu(1_024).of(&filling), Some(4.0));
        assert_eq!(Measure::FillCpu(1_024).of(&report(131_072, 14_000)), None);
    }

    #[test]
    fn waits_are_those_of_the_sites_that_are_named() {
        let report = Report {
            window_s: 60.0,
            lru_wait_s: [("add", 2.0), ("cost", 1.0)].map(|(k, s)| (k.to_owned(), s)).into(),
            ..Report::default()
        };
        assert_eq!(Measure::LruWait(&[]).of(&report), Some(1_500.0));
        assert_eq!(Measure::LruWait(&["cost"]).of(&report), Some(500.0));
    }

    #[test]
    fn a_build_is_scaled_by_its_user_time() {
        let report = Report {
            window_s: 2.0,
            user_s: 70.0,
            vmstat: [("pswpout", 1_000_000)].map(|(name, n)| (name.to_owned(), n)).into(),
            cpu_s: [("idle", 6.0), ("application", 75.0)].map(|(k, s)| (k.to_owned(), s)).into(),
            ..Report::default()
        };
        let of = |what| Measure::Build(what, 7_000).of(&report).expect("a figure");
        assert!((of(Build::System) - 500.0).abs() < 1e-6);
        assert!((of(Build::Elapsed) - 200.0).abs() < 1e-6);
        assert!((of(Build::Count("pswpout")) - 1e8).abs() < 1.0);
        assert!((of(Build::SystemPerSwapOut) - 5.0).abs() < 1e-9);
        assert!((of(Build::SwapOutRate) - 5e5).abs() < 1e-6);
        assert_eq!(Measure::Build(Build::Balance, 1).of(&report), None, "no device");
    }
}
