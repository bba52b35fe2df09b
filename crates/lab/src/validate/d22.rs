//! Kernel counters of a Cassandra run (D22): what of it the model has.
//!
//! The run is a store of 130 million records of 2 kB in mapped files that do not fit into memory,
//! 144 client threads, uniform keys, one tenth updates. Rates, ratios and costs are those between
//! the snapshots 5 and 25, 1,218 s.

use super::table::Row;
use super::{Measure, Modelled, Role, What};
use scenario::{Problem, Scenario, quoted};

/// Seconds between the snapshots 5 and 25.
const INTERVAL_S: u32 = 1_218;

/// Machine and load as published, and what was read off its baseline: `data_uses` and
/// `request_cpu` off operations, major faults and CPU a second, `drive_bandwidth` off pgpgin,
/// `inactive_share` off the lists' lengths.
const SETTINGS: [(&str, &str); 21] = [
    ("nodes", "2"),
    ("cpus", "24"),
    ("smt", "2"),
    ("memory", "126GiB"),
    ("flavour", "5.15"),
    ("workload", "kv"),
    ("size", "236GiB"),
    ("heap", "66GiB"),
    ("pattern", "uniform"),
    ("writes", "100"),
    ("data_uses", "2"),
    ("request_cpu", "400us"),
    ("shadow_entries", "on"),
    ("start", "full"),
    ("inactive_share", "750"),
    ("readers", "144"),
    ("drives", "1"),
    ("drive_bandwidth", "1700"),
    ("drive_latency", "100us"),
    ("warmup", "60s"),
    ("duration", "20s"),
];

/// A row of D22.
pub(super) fn interval(row: &Row) -> Result<Modelled, String> {
    let measure = column(row)?;
    let generations = match row.arm.as_str() {
        "baseline (classic LRU)" => false,
        "MGLRU" => true,
        other => return Err(format!("Its arm {} is none of this test's.", quoted(other))),
    };
    let refused = |problem: Problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("small").map_err(refused)?;
    for (key, value) in SETTINGS {
        scenario.set_text(key, value).map_err(refused)?;
    }
    if generations {
        scenario.set_text("lru", "mglru").map_err(refused)?;
    }
    let role = if generations { Role::Follows } else { Role::Calibrated };
    Ok(Modelled { what: What::Run { scenario, measure, constants: Vec::new() }, role })
}

fn column(row: &Row) -> Result<Measure, String> {
    let interval = row.x_name == "interval" && row.x_value == "5 to 25";
    Ok(match row.metric.as_str() {
        "kswapd cpu seconds; both nodes" if interval => Measure::KswapdSeconds(INTERVAL_S),
        "kswapd steal rate; both nodes" if interval => Measure::StealRate,
        "kswapd cpu per stolen page" if interval => Measure::CpuPerSteal,
        "kswapd cpu per scanned page" if interval => Measure::CpuPerScan,
        "scan / steal" if interval => Measure::ScanPerSteal,
        "mean cpu of one kswapd" if interval => Measure::KswapdMean,
        metric if metric.ends_with("(cumulative)") || metric.ends_with("since boot") => {
            return Err("It counts from boot on, the loading of the data included, which is not \
                 described; the rates between snapshots are rows of their own."
                .into());
        }
        metric if metric.contains("share of all cycles") => {
            return Err("It is the share of a function in all cycles of a profile; the model's \
                 work is not cut by the kernel's functions."
                .into());
        }
        metric if metric.starts_with("cpu ") || metric.starts_with("nr_") => {
            return Err("It is a single sample of a figure that moves.".into());
        }
        "wmark min" | "wmark low" | "wmark high" | "managed" => {
            return Err(
                "It is what a machine has, an input; `reclaimscope machine` compares such \
                 marks with the kernel's formulas."
                    .into(),
            );
        }
        _ => return Err("This column has no counterpart in the model.".into()),
    })
}
