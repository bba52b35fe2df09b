//! Kernel builds in a memory cgroup with zram.
//!
//! D03, D03s, D03v: 96 jobs on 256 CPUs of four nodes and eight devices, run to its end twelve
//! times an arm. The model runs some seconds of the preset `kbuild2026`. A whole build is as much
//! user time as the published runs of arm A at 2 GiB took (`BUILD_S`, a stated input); everything
//! else of the build is what the window has of it for each second of user time.
//!
//! D04: 6 to 96 jobs on 96 hardware threads of x86 and one device. Its processes are those of D03:
//! no constant was fitted to it but the user time of a build, which six CPUs have left beside their
//! system time. Kernels after the series of 2024 are taken to hand out slots as 6.15.

use super::table::Row;
use super::{Measure, Modelled, Role, What};
use crate::thread::queue::BUILD_S;
use catalog::ControlId;
use scenario::{Scenario, quoted};

/// User time of a build of D04: 6 CPUs for 1,414 s less 5,235 s of system time (after, -j 6).
const USER_X86_S: u32 = 3_249;

/// What of a build stands beside a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// CPU seconds in the kernel.
    System,
    /// Seconds from its begin to its end.
    Elapsed,
    /// What a counter of vmstat counts.
    Count(&'static str),
    /// Microseconds in the kernel a page swapped out.
    SystemPerSwapOut,
    /// Pages swapped out a second.
    SwapOutRate,
    /// Peaks of the devices: (max - min) / mean.
    Balance,
    /// CPU time over elapsed time, in %.
    CpuPercent,
}

/// A row of D03, D03s or D03v.
pub(super) fn build(row: &Row) -> Result<Modelled, String> {
    let (allocator, like_a) = match row.arm.split(' ').next().unwrap_or("") {
        "A" | "D" => ("global-plist", row.arm.starts_with('A')),
        "B" => ("device-plist", false),
        "C" | "E" => ("ring", false),
        _ => return Err(format!("Its arm {} is none of this test's.", quoted(&row.arm))),
    };
    let measure = Measure::Build(column(row)?, BUILD_S);
    let limit = row.x_value.replace(' ', "");
    let refused = |problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("kbuild2026").map_err(refused)?;
    scenario.set_text("memcg", &limit).map_err(refused)?;
    scenario.set_text("allocator", allocator).map_err(refused)?;
    // A at 2 GiB fixed the load, B at 2 GiB what a passage of the list's lock costs.
    let fixed_b =
        allocator == "device-plist" && matches!(measure, Measure::Build(Build::System, _));
    let two = scenario.get(ControlId::Memcg) == 2 << 30;
    let role = if two && (like_a || fixed_b) { Role::Calibrated } else { Role::Follows };
    Ok(Modelled { what: What::Run { scenario, measure, constants: Vec::new() }, role })
}

/// A row of D04, if it is a build with pages of 4 KiB under a stated limit.
pub(super) fn on_x86(row: &Row) -> Result<Modelled, String> {
    let part = |ends: &str| {
        let mut parts = row.workload.split("; ");
        parts.find_map(|part| part.strip_suffix(ends)).map(|size| format!("{size}iB"))
    };
    if row.workload.contains("zero pages") {
        return Err("Pages of zeroes are swapped out and in by one thread: what that takes is an \
             input here, not a result."
            .into());
    }
    if row.workload.contains("64k") || row.workload.contains("64K") {
        return Err("It needs large folios in swap, which the model's workloads do not use.".into());
    }
    let (Some(limit), Some(size)) = (part(" memcg"), part(" ZRAM")) else {
        return Err("The limits of its arms differ, or are told in two ways.".into());
    };
    let what = match row.metric.as_str() {
        "system time (12 runs)" => Build::System,
        "total time (12 runs)" => Build::Elapsed,
        _ => return Err("This column has no counterpart in the model.".into()),
    };
    let allocator = match row.arm.as_str() {
        "before" => "slot-cache",
        "after" => "global-plist",
        _ => return Err("It is a kernel in the middle of the series.".into()),
    };
    let refused = |problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("kbuild2026").map_err(refused)?;
    let settings = [
        ("nodes", "2"),
        ("cpus", "48"),
        ("smt", "2"),
        ("memory", "64GiB"),
        ("tlb_flush", "interrupt"),
        ("flavour", "6.12"),
        ("swap_devices", "1"),
        ("readers", &row.x_value),
        ("memcg", &limit),
        ("swap_size", &size),
        ("allocator", allocator),
    ];
    for (key, value) in settings {
        scenario.set_text(key, value).map_err(refused)?;
    }
    let measure = Measure::Build(what, USER_X86_S);
    let what = What::Run { scenario, measure, constants: Vec::new() };
    Ok(Modelled { what, role: Role::Follows })
}

fn column(row: &Row) -> Result<Build, String> {
    let metric = row.metric.split("; sample").next().unwrap_or("");
    Ok(match metric {
        "system time" | "mean system time of 12" | "sys_s" => Build::System,
        "elapsed time" | "mean elapsed of 12" => Build::Elapsed,
        "pswpout in run" | "mean pswpout of 12" => Build::Count("pswpout"),
        "system time per page swapped out" => Build::SystemPerSwapOut,
        "swap-out rate (pswpout/elapsed)" => Build::SwapOutRate,
        "peak used over 8 devices: (max-min)/mean" => Build::Balance,
        "cpu_pct" => Build::CpuPercent,
        "user_s" => {
            return Err("It is what the model's window is scaled by: 6,958 s of user time make a \
                 build."
                .into());
        }
        "peak used total of 8 devices" => {
            return Err("It is the highest of a whole build, whose phases (what is compiled and \
                 linked when) the model does not have."
                .into());
        }
        "thp_swpout" => return Err("The build's processes have no large folios here.".into()),
        "vol_ctxsw" | "invol_ctxsw" => {
            return Err("The model counts no context switches.".into());
        }
        m if m.starts_with("sample sd") => {
            return Err("It is the spread of whole builds, which lasts longer than a window of \
                 the model."
                .into());
        }
        "workingset_refault_file" => {
            return Err("The build's files are not read again and again in the model: their \
                 cache is a part of the cgroup that stays."
                .into());
        }
        counter => COUNTERS
            .iter()
            .find(|name| **name == counter)
            .map(|name| Build::Count(name))
            .ok_or("This column has no counterpart in the model.")?,
    })
}

/// Counters of vmstat that the model has.
const COUNTERS: &[&str] = &[
    "pswpout",
    "pswpin",
    "pgsteal_direct",
    "pgscan_direct",
    "pgsteal_anon",
    "pgscan_anon",
    "pgrefill",
    "pgactivate",
    "pgmajfault",
    "pgfault",
    "workingset_refault_anon",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn row(metric: &str, arm: &str, limit: &str) -> Row {
        let (metric, arm, x_value) = (metric.into(), arm.into(), limit.into());
        Row { metric, arm, x_value, ..Row::default() }
    }

    #[test]
    fn an_arm_is_an_allocator_and_a_limit() {
        let of = |arm: &str, limit: &str| {
            let modelled = build(&row("system time; sample 03", arm, limit)).expect("modelled");
            let What::Run { scenario, .. } = modelled.what else { panic!("a run") };
            assert!(scenario.validate().is_empty());
            (scenario.text(ControlId::Allocator), scenario.text(ControlId::Memcg), modelled.role)
        };
        let a = "A global percpu cluster + plist";
        assert_eq!(of(a, "2 GiB"), ("global-plist".into(), "2GiB".into(), Role::Calibrated));
        assert_eq!(of(a, "3 GiB").2, Role::Follows);
        assert_eq!(of("B per-device", "2 GiB").2, Role::Calibrated);
        assert_eq!(of("E priority ring queue (v2)", "2 GiB").0, "ring");
        assert_eq!(of("D base of v2 (as A)", "2 GiB").2, Role::Follows);
    }

    #[test]
    fn what_a_window_does_not_show_has_a_reason() {
        for metric in ["sample sd of elapsed", "thp_swpout; sample 01 (x)", "user_s; sample 01 (x)"]
        {
            assert!(build(&row(metric, "A x", "2 GiB")).is_err(), "{metric}");
        }
        let counter = column(&row("pgrefill; sample 01 (vmstat.delta / time -v)", "A", "2 GiB"));
        assert_eq!(counter, Ok(Build::Count("pgrefill")));
        assert!(build(&row("pswpout in run; sample 01", "F x", "2 GiB")).is_err());
    }

    #[test]
    fn a_build_of_the_other_machine_has_its_limit_and_device() {
        let of = |workload: &str, arm: &str| {
            let workload = format!("make defconfig on tmpfs; ZRAM swap; memcg limit; {workload}");
            let row = Row { workload, ..row("system time (12 runs)", arm, "48") };
            on_x86(&row)
        };
        let modelled = of("768M memcg; 7G ZRAM; 4k pages", "after").expect("modelled");
        let What::Run { scenario, .. } = modelled.what else { panic!("a run") };
        assert!(scenario.validate().is_empty());
        assert_eq!(scenario.get(ControlId::Memcg), 768 << 20);
        assert_eq!(scenario.get(ControlId::SwapSize), 7 << 30);
        assert!(of("1G memcg; 7G ZRAM; 64k mTHP", "before").is_err());
        assert!(of("10G ZRAM", "before").is_err());
    }
}
