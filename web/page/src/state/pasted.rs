//! What a pasted machine changed, in words.

use catalog::{CONTROLS, ControlId};
use scenario::Scenario;
use scenario::paste::{Sysctl, Zoneinfo};

/// Whether a text sets something that a scenario has.
pub(super) fn has_settings(sysctl: &Sysctl) -> bool {
    sysctl.min_free_kbytes.is_some()
        || sysctl.watermark_scale_factor.is_some()
        || sysctl.lowmem_reserve_ratio.is_some()
        || sysctl.kernel.is_some()
}

/// What a paste changed, in sentences.
pub(super) fn taken(before: &Scenario, after: &Scenario, zoneinfo: &Zoneinfo) -> Vec<String> {
    let mut sentences = Vec::new();
    if !zoneinfo.zones.is_empty() {
        let zones: usize = after.nodes.iter().map(|node| node.zones.len()).sum();
        let plural = |n: usize, one: &str| chart::words::plural(n as u64, one);
        sentences.push(format!(
            "Taken: {} in {}, {} in all, {}.",
            plural(zones, "zone"),
            plural(after.nodes.len(), "node"),
            after.total_memory(),
            plural(after.total_cpus() as usize, "CPU"),
        ));
    }
    let shape = [ControlId::Nodes, ControlId::Cpus, ControlId::Memory];
    for id in CONTROLS.iter().map(|c| c.id).filter(|id| !shape.contains(id)) {
        if before.get(id) != after.get(id) {
            let name = id.control().kernel_name;
            sentences.push(format!("Taken: {name} is {}.", after.text(id)));
        }
    }
    if sentences.is_empty() {
        sentences.push("The machine is as it was.".into());
    }
    sentences
}
