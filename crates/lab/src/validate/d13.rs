//! The page-fault test of 2018 (D13): will-it-scale's page_fault1 as processes, each of which maps
//! 128 MiB, touches every page and unmaps it, on two sockets of 22 cores with two hardware threads.
//!
//! The kernels with a changed lock are modelled by what was changed: no buddy work but the splice
//! of a batch under zone->lock; LRU operations of different CPUs that do not exclude each other.
//! Threads of one process queue for mmap_sem, which the model does not have.

use super::table::Row;
use super::{Measure, Modelled, Role, What};
use catalog::ConstantId;
use scenario::{Scenario, quoted};

/// Tasks up to which the rows fixed what a fault and its traffic cost.
const FIXED: u32 = 22;
/// zone->lock of the kernel that moves whole batches: about 100 ns for a list of 31 pages.
const SPLICE: u64 = 3;
/// The machine and its load; the window is some rounds of the slowest case.
const SETTINGS: &[(&str, &str)] = &[
    ("nodes", "2"),
    ("cpus", "44"),
    ("smt", "2"),
    ("memory", "251GiB"),
    ("workload", "faults"),
    ("size", "128MiB"),
    ("start", "empty"),
    ("warmup", "500ms"),
    ("duration", "600ms"),
];

/// A row of one of the four kernels with so many processes.
pub(super) fn faults(row: &Row) -> Result<Modelled, String> {
    let (parallel_lists, batched) = match row.arm.split(' ').next().unwrap_or("") {
        "baseline" => (false, false),
        "lru" => (true, false),
        "lu-zone" => (false, true),
        "lru-lu-zone" => (true, true),
        _ => return Err(format!("Its arm {} is none of this test's.", quoted(&row.arm))),
    };
    if !row.metric.ends_with("process mode") {
        return Err("Its threads share an address space, and queue for mmap_sem.".into());
    }
    let tasks = row.x().filter(|&tasks| row.x_name == "tasks" && tasks > 0);
    let tasks = tasks.ok_or("Its load is no number of tasks.")?;
    let refused = |problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("lumpkin2018").map_err(refused)?;
    for (key, value) in SETTINGS {
        scenario.set_text(key, value).map_err(refused)?;
    }
    scenario.set_text("readers", &tasks.to_string()).map_err(refused)?;
    if parallel_lists {
        scenario.set_text("lru_partitions", "32").map_err(refused)?;
    }
    let constants = if batched { vec![(ConstantId::ZonePerPage, SPLICE)] } else { Vec::new() };
    let fixed = tasks <= FIXED && !parallel_lists && !batched;
    let role = if fixed { Role::Calibrated } else { Role::Follows };
    Ok(Modelled { what: What::Run { scenario, measure: Measure::Rate, constants }, role })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(metric: &str, tasks: &str, arm: &str) -> Row {
        Row {
            line: 2,
            id: "D13".into(),
            metric: metric.into(),
            unit: "faults/s".into(),
            x_name: "tasks".into(),
            x_value: tasks.into(),
            arm: arm.into(),
            printed: None,
            ..Row::default()
        }
    }

    fn run(modelled: &Modelled) -> (&Scenario, usize) {
        let What::Run { scenario, constants, .. } = &modelled.what else { panic!("a run") };
        (scenario, constants.len())
    }

    #[test]
    fn processes_of_the_four_kernels_are_modelled() {
        let (process, thread) = ("page faults; process mode", "page faults; thread mode");
        let model = |metric, tasks, arm| faults(&row(metric, tasks, arm));
        let at = |tasks| model(process, tasks, "baseline").expect("modelled");
        assert_eq!((at("22").role, at("23").role), (Role::Calibrated, Role::Follows));
        let both = model(process, "8", "lru-lu-zone (both)").expect("modelled");
        assert_eq!((both.role, run(&both).1), (Role::Follows, 1));
        assert_eq!(run(&at("88")).0.get(catalog::ControlId::Readers), 88);
        assert!(run(&at("88")).0.validate().is_empty());
        for (metric, tasks, arm) in [
            (thread, "8", "baseline"),
            (process, "8", "something else"),
            (process, "0", "baseline"),
            (process, "2000", "baseline"),
        ] {
            assert!(model(metric, tasks, arm).is_err(), "{metric} {tasks} {arm}");
        }
    }

    #[test]
    fn one_process_and_eight_fault_as_fast_as_was_published() {
        let rate = |tasks: &str| {
            let row = row("page faults; process mode", tasks, "baseline");
            let modelled = faults(&row).expect("modelled");
            let mut going = crate::Run::prepare(run(&modelled).0).expect("valid");
            while going.advance(1 << 20) == crate::run::Progress::Running {}
            Measure::Rate.of(&going.report()).expect("a rate")
        };
        let (one, eight) = (rate("1"), rate("8"));
        assert!((one / 626_944.0 - 1.0).abs() < 0.1, "{one}");
        assert!((eight / 3_986_712.0 - 1.0).abs() < 0.1, "{eight}");
    }
}
