//! Waits for lru_lock in a memory cgroup (D14): 16 processes that use 256 MiB each at random under
//! a limit of 512 MiB, with swap, on 176 cores.
//!
//! Of the 30 s that were counted the first part is the filling: 67 thousand pages a second were
//! stolen and 41 thousand came back, and the difference is the 3.5 GiB that swap took for the first
//! time. So the run begins with empty memory and lasts 30 s. The drive of the swap file is not
//! named; its rate is what pages stolen a second fixed. The patched kernel takes no lru_lock to
//! note what reclaim costs, as 7.3.

use super::table::Row;
use super::{Measure, Modelled, Role, What};
use catalog::ConstantId;
use scenario::{Scenario, quoted};

/// The machine and its load. Memory outside the cgroup is not used; a little is quicker to run.
const SETTINGS: &[(&str, &str)] = &[
    ("nodes", "2"),
    ("cpus", "88"),
    ("smt", "2"),
    ("memory", "2GiB"),
    ("workload", "random"),
    ("backing", "anon"),
    ("size", "256MiB"),
    ("writes", "1000"),
    ("readers", "16"),
    ("memcg", "512MiB"),
    ("swap_devices", "1"),
    ("swap_size", "16GiB"),
    ("swap_medium", "ssd"),
    ("start", "empty"),
    ("warmup", "0ns"),
    ("duration", "30s"),
];
/// Channel time of a page on the drive.
pub(super) const DRIVE_PAGE_NS: u64 = 71_000;

/// A row of D14.
pub(super) fn waits(row: &Row) -> Result<Modelled, String> {
    let flavour = match row.arm.as_str() {
        "baseline" => "7.2",
        "patched" => "7.3",
        other => return Err(format!("Its arm {} is none of this test's.", quoted(other))),
    };
    let measure = column(&row.metric)?;
    let refused = |problem| format!("The model cannot run it: {problem}.");
    let mut scenario = Scenario::preset("small").map_err(refused)?;
    for (key, value) in SETTINGS.iter().chain(&[("flavour", flavour)]) {
        scenario.set_text(key, value).map_err(refused)?;
    }
    let fixed = flavour == "7.2" && measure == Measure::Counter("pgsteal_direct");
    let role = if fixed { Role::Calibrated } else { Role::Follows };
    let constants = vec![(ConstantId::SsdPage, DRIVE_PAGE_NS)];
    Ok(Modelled { what: What::Run { scenario, measure, constants }, role })
}

fn column(metric: &str) -> Result<Measure, String> {
    let Some(site) = metric.strip_prefix("lru_lock wait in 30 s at ") else {
        return Ok(match metric {
            "pgscan_direct" => Measure::Counter("pgscan_direct"),
            "pgsteal_direct" => Measure::Counter("pgsteal_direct"),
            "workingset_refault_anon" => Measure::Counter("workingset_refault_anon"),
            _ => return Err("This column has no counterpart in the model.".into()),
        });
    };
    let sites: &[&str] = match site.split(['+', ' ']).next().unwrap_or("") {
        "total" => &[],
        "lru_add_drain_cpu" => &["add"],
        "shrink_node" => &["inactive"],
        "shrink_active_list" => &["active"],
        "shrink_lruvec" => &["cost"],
        "workingset_refault" => {
            return Err("A refault notes its cost without a passage of lru_lock in the model, in \
                 7.2 too."
                .into());
        }
        _ => return Err("The model has no such place that takes lru_lock.".into()),
    };
    Ok(Measure::LruWait(sites))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kernels_run_the_same_load() {
        let model = |metric: &str, arm: &str| {
            waits(&Row { metric: metric.into(), arm: arm.into(), ..Row::default() })
        };
        let cost = "lru_lock wait in 30 s at shrink_lruvec+0x770 (lru_note_cost_unlock_irq)";
        let of = |arm| {
            let modelled = model(cost, arm).expect("modelled");
            let What::Run { scenario, measure, .. } = modelled.what else { panic!("a run") };
            assert!(scenario.validate().is_empty());
            (measure, scenario.text(catalog::ControlId::Flavour))
        };
        assert_eq!(of("baseline"), (Measure::LruWait(&["cost"]), "7.2".into()));
        assert_eq!(of("patched").1, "7.3");
        let steal = model("pgsteal_direct", "baseline").expect("modelled");
        assert_eq!(steal.role, Role::Calibrated);
        assert!(model("pgsteal_direct", "else").is_err() && model("cycles", "patched").is_err());
        let total = model("lru_lock wait in 30 s at total lru_lock wait", "patched");
        assert_eq!(total.expect("modelled").role, Role::Follows);
    }
}
