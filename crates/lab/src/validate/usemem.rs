//! usemem of vm-scalability (D06, D07, D08): processes that fill memory once, more than there is,
//! so that it goes to swap and never comes back.
//!
//! What is filled a second is taken from a window in which memory is full; so is the CPU time of
//! what is filled, all of it in the kernel. What is filled before reclaim begins costs little.

use super::table::Row;
use super::{Measure, Modelled, Role, What};
use scenario::Scenario;

/// One published case.
struct Case {
    set: &'static str,
    /// What its workload or load says, and its arm.
    says: [&'static str; 2],
    /// Processes, and MiB of each.
    load: [u32; 2],
    /// MiB that memory or the limit holds.
    holds: u32,
    /// Machine and limit.
    settings: &'static [(&'static str, &'static str)],
}

/// 48 cores of two sockets, 96 threads.
const TWO_SOCKETS: &[(&str, &str)] = &[("nodes", "2"), ("cpus", "48"), ("smt", "2")];

const CASES: &[Case] = &[
    Case {
        set: "D06",
        says: ["usemem sequential 4K", "before"],
        load: [31, 1_024],
        holds: 12_288,
        settings: &[
            ("nodes", "1"),
            ("cpus", "32"),
            ("memory", "64GiB"),
            ("memcg", "12GiB"),
            ("flavour", "6.12"),
            ("allocator", "slot-cache"),
        ],
    },
    Case {
        set: "D06",
        says: ["usemem sequential 4K", "after"],
        load: [31, 1_024],
        holds: 12_288,
        settings: &[
            ("nodes", "1"),
            ("cpus", "32"),
            ("memory", "64GiB"),
            ("memcg", "12GiB"),
            ("flavour", "6.12"),
            ("allocator", "global-plist"),
        ],
    },
    Case {
        set: "D07",
        says: ["usemem --init-time -O -y -x -n 31 1G", "after"],
        load: [31, 1_024],
        holds: 4_096,
        settings: &[("memory", "64GiB"), ("memcg", "4GiB"), ("flavour", "7.2")],
    },
    Case {
        set: "D07",
        says: ["usemem -n 32 1536M", "after"],
        load: [32, 1_536],
        holds: 16_384,
        settings: &[("memory", "8GiB"), ("flavour", "7.2")],
    },
    Case {
        set: "D08",
        says: ["usemem --init-time -O -y -x -n 48 1G", "before"],
        load: [48, 1_024],
        holds: 16_384,
        settings: &[("nodes", "1"), ("cpus", "32"), ("memory", "16GiB"), ("flavour", "7.2")],
    },
];

const TREE: &str = "Up to 6.17 the swap cache is a tree with a lock of its own; the model's is part \
    of the slots' clusters, as from 6.18 on.";
const LATER: &str = "What this phase changes, how a slot's users are counted, is one form in the \
    model.";
const ONE_PAGE: &str = "It needs large folios in swap, which the model's workloads do not use.";
const RANDOM: &str = "What a random access of this program counts for is not in its description.";

/// A row of usemem; nothing when it is about something else.
pub(super) fn filling(row: &Row) -> Option<Result<Modelled, String>> {
    let says = |text: &str| row.workload.contains(text) || row.x_value.contains(text);
    if !says("usemem") {
        return None;
    }
    let is = |case: &&Case| row.id == case.set && says(case.says[0]) && row.arm == case.says[1];
    Some(match CASES.iter().find(is) {
        Some(case) => run(case, row),
        None if says("64K") => Err(ONE_PAGE.into()),
        None if says("random") => Err(RANDOM.into()),
        None if row.id == "D07" => Err(TREE.into()),
        None if row.id == "D08" && says("-n 48") => Err(LATER.into()),
        None => Err("How many CPUs this machine has is not stated.".into()),
    })
}

fn run(case: &Case, row: &Row) -> Result<Modelled, String> {
    let [tasks, mib] = case.load;
    let metric = row.metric.split(" (").next().unwrap_or("");
    let measure = match (metric, row.unit.as_str()) {
        ("system time", _) => Measure::FillCpu(tasks * mib - case.holds),
        ("throughput", "KB/s") => Measure::FillRate { per_mib: 1_024, tasks: 1 },
        ("sum throughput", _) => Measure::FillRate { per_mib: 1, tasks: 1 },
        ("single process throughput", _) => Measure::FillRate { per_mib: 1, tasks },
        ("free latency", _) => {
            return Err("How long a process takes to give back what is swapped is not measured: \
                 the model's fill until the window is over."
                .into());
        }
        _ => return Err("This column has no counterpart in the model.".into()),
    };
    let refused = |problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("small").map_err(refused)?;
    let load = [
        ("workload", "hog".to_owned()),
        ("readers", tasks.to_string()),
        ("size", format!("{mib}MiB")),
        ("swap_devices", "1".into()),
        ("swap_size", "64GiB".into()),
        ("swap_medium", "pmem".into()),
        ("start", "empty".into()),
        ("warmup", "1800ms".into()),
        ("duration", "500ms".into()),
    ];
    for (key, value) in TWO_SOCKETS.iter().chain(case.settings) {
        scenario.set_text(key, value).map_err(refused)?;
    }
    for (key, value) in &load {
        scenario.set_text(key, value).map_err(refused)?;
    }
    let what = What::Run { scenario, measure, constants: Vec::new() };
    Ok(Modelled { what, role: Role::Follows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fills_memory_is_run_and_the_rest_has_a_reason() {
        let row = |id: &str, workload: &str, metric: &str, arm: &str| {
            filling(&Row {
                id: id.into(),
                workload: workload.into(),
                metric: metric.into(),
                arm: arm.into(),
                ..Row::default()
            })
        };
        let seven = "usemem --init-time -O -y -x -n 31 1G; 4G memcg; PMEM swap";
        let modelled = row("D07", seven, "system time", "after").expect("usemem");
        let What::Run { scenario, measure, .. } = modelled.expect("modelled").what else {
            panic!("a run")
        };
        assert!(scenario.validate().is_empty());
        assert_eq!(measure, Measure::FillCpu(27 * 1_024));
        let before = row("D07", seven, "system time", "before").expect("usemem");
        assert!(before.expect_err("a reason").contains("tree"));
        assert!(row("D07", seven, "free latency", "after").expect("usemem").is_err());
        assert!(row("D07", "make defconfig", "system time", "after").is_none());
    }
}
