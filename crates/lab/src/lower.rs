//! A scenario as the model's configuration: zones from sizes, marks from sysctls, drives from
//! rates.

mod groups;
mod swap;

use crate::fake_numa;
use catalog::{ConstantId, ControlId, FLAVOURS, Ledger, POLICIES, ZoneKind};
use mm::config::{Config, DriveConfig, NodeConfig, Placement, Start, Tlb, ZoneConfig};
use mm::page_alloc::watermark::{self, ZoneSize};
use scenario::{Problem, Scenario};
use units::{PAGE_SHIFT, SimDuration};

/// What the model runs for this scenario.
///
/// # Errors
/// The problems of the scenario, all of them.
pub fn lower(scenario: &Scenario) -> Result<Config, Vec<Problem>> {
    lower_with(scenario, scenario.ledger())
}

/// The same with other constants than those of the ledger: how far a result hangs on them.
///
/// # Errors
/// The problems of the scenario, all of them.
pub fn lower_with(scenario: &Scenario, ledger: Ledger) -> Result<Config, Vec<Problem>> {
    let problems = scenario.validate();
    if !problems.is_empty() {
        return Err(problems);
    }
    let get = |id| scenario.get(id).unsigned_abs();
    let flavour = FLAVOURS[get(ControlId::Flavour) as usize];
    let (fake_numa, smt) = (get(ControlId::FakeNuma) as u32, get(ControlId::Smt) as u32);
    let nodes = fake_numa::split(nodes(scenario, &ledger), fake_numa, smt);
    let node_cpus: Vec<u32> = nodes.iter().map(|node| node.cpus).collect();
    let factor = get(ControlId::WatermarkScaleFactor);
    let min_free_kbytes = match get(ControlId::MinFreeKbytes) {
        0 => {
            let thp = get(ControlId::Thp) == 1;
            watermark::boot_min_free_kbytes(
                &sizes(&nodes),
                factor,
                thp,
                flavour.min_free_kbytes_cap,
            )
        }
        set => set,
    };
    let hz = catalog::controls::HZ_VALUES[get(ControlId::Hz) as usize];
    let cpus = nodes.iter().map(|n| n.cpus).sum();
    let node_count = nodes.len() as u8;
    Ok(Config {
        flavour,
        nodes,
        smt,
        tlb: match get(ControlId::TlbFlush) {
            0 => Tlb::Interrupt,
            1 => Tlb::Broadcast,
            _ => Tlb::Serial,
        },
        fake_numa,
        distance: get(ControlId::Distance) as u32,
        jiffy: SimDuration::from_nanos(1_000_000_000 / hz),
        min_free_kbytes,
        watermark_scale_factor: factor,
        watermark_boost_factor: get(ControlId::WatermarkBoostFactor),
        lowmem_reserve_ratio: [
            get(ControlId::ReserveDma),
            get(ControlId::ReserveDma32),
            get(ControlId::ReserveNormal),
        ],
        kswapds: get(ControlId::Kswapds) as u32,
        policy: POLICIES[get(ControlId::Policy) as usize].id,
        policy_literal: get(ControlId::PolicyCounting) == 1,
        multi_fixed: get(ControlId::MultiKswapd) == 1,
        lru_gen: get(ControlId::Lru) == 1,
        shadow: get(ControlId::ShadowEntries) == 1,
        classes: vec![mm::lru::ClassConfig::STREAMS],
        memcgs: swap::memcgs(scenario, &ledger),
        mms: Vec::new(),
        spread: Vec::new(),
        files: 0,
        swap: swap::swap(scenario, &flavour, &ledger, cpus, node_count),
        swappiness: get(ControlId::Swappiness),
        lru_partitions: get(ControlId::LruPartitions) as u32,
        placement: match get(ControlId::Placement) {
            0 => Placement::Cpu,
            1 => Placement::Batch,
            _ => Placement::Page,
        },
        steal: get(ControlId::Steal) == 1,
        groups: groups::groups(scenario, &ledger, &node_cpus),
        drives: drives(scenario, &ledger),
        start: if get(ControlId::Start) == 0 {
            Start::Full { inactive_per_mille: get(ControlId::InactiveShare) }
        } else {
            Start::Empty
        },
        seed: get(ControlId::Seed),
        ledger,
    })
}

/// The drives: a channel serves its share of the drive's bandwidth, one window at a time.
fn drives(scenario: &Scenario, ledger: &Ledger) -> DriveConfig {
    let window = ledger.get(ConstantId::ReadAheadWindow) << PAGE_SHIFT;
    let channels = ledger.get(ConstantId::DriveChannels);
    let mb_a_second = scenario.get(ControlId::DriveBandwidth).unsigned_abs();
    // bytes / (10^6 bytes a second) = microseconds; a thousand of them in nanoseconds.
    let service = window * channels * 1_000 / mb_a_second;
    DriveConfig {
        count: scenario.get(ControlId::Drives).unsigned_abs() as u32,
        service: SimDuration::from_nanos(service),
        latency: SimDuration::from_nanos(scenario.get(ControlId::DriveLatency).unsigned_abs()),
    }
}

/// Every zone of the machine, for the formulas.
pub(crate) fn sizes(nodes: &[NodeConfig]) -> Vec<ZoneSize> {
    let zones = nodes.iter().flat_map(|n| &n.zones);
    zones.map(|z| ZoneSize { kind: z.kind, managed: z.managed }).collect()
}

/// The nodes: as pasted, or all alike.
fn nodes(scenario: &Scenario, ledger: &Ledger) -> Vec<NodeConfig> {
    if !scenario.nodes.is_empty() {
        let zone =
            |z: &scenario::ZoneSpec| ZoneConfig { kind: z.kind, managed: z.managed, used: 0 };
        let node = |n: &scenario::NodeSpec| NodeConfig {
            cpus: n.cpus,
            zones: n.zones.iter().map(zone).collect(),
        };
        return scenario.nodes.iter().map(node).collect();
    }
    let count = scenario.get(ControlId::Nodes).unsigned_abs();
    let cpus = scenario.get(ControlId::Cpus).unsigned_abs() as u32;
    let present = scenario.get(ControlId::Memory).unsigned_abs() >> PAGE_SHIFT;
    (0..count).map(|n| NodeConfig { cpus, zones: zones(n == 0, present, ledger) }).collect()
}

/// The zones of a node with this much memory. Only the first node has memory below 4 GiB.
fn zones(first: bool, present: u64, ledger: &Ledger) -> Vec<ZoneConfig> {
    let managed = |pages: u64| pages * ledger.get(ConstantId::ManagedShare) / 1_000;
    if !first || present < ledger.get(ConstantId::OneZoneBelow) {
        let managed = managed(present).max(1);
        return vec![ZoneConfig { kind: ZoneKind::Normal, managed, used: 0 }];
    }
    let (dma, below_4g) =
        (ledger.get(ConstantId::DmaManaged), ledger.get(ConstantId::Dma32Present));
    let low = managed(present.min(below_4g));
    let dma = dma.min(low);
    let dma32 = low - dma;
    let normal = managed(present.saturating_sub(below_4g));
    let all = [
        ZoneConfig { kind: ZoneKind::Dma, managed: dma, used: 0 },
        ZoneConfig { kind: ZoneKind::Dma32, managed: dma32, used: 0 },
        ZoneConfig { kind: ZoneKind::Normal, managed: normal, used: 0 },
    ];
    all.into_iter().filter(|z| z.managed > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_lower_to_machines_of_their_size() {
        let scenario = Scenario::preset("lumpkin2018").expect("a preset");
        let config = lower(&scenario).expect("a valid preset");
        let managed: u64 = config.nodes[1].zones.iter().map(|z| z.managed).sum();
        // 378 GiB a node; the fact sheet's worked example.
        assert_eq!(managed, 97_108_623);
        assert_eq!(config.nodes[0].zones.len(), 3);
        // THP: 11 pageblocks for each of four zones; the square root rule is capped at 65,536.
        assert_eq!(config.min_free_kbytes, 90_112);
        assert_eq!(config.drives.service, SimDuration::from_nanos(74_898));
    }

    #[test]
    fn a_small_first_node_with_three_zones_has_no_more_than_its_memory() {
        let ledger = Ledger::default().with(ConstantId::OneZoneBelow, 1);
        for pages in [1, 100, 3_000, 5_000, 2_000_000] {
            let sum: u64 = zones(true, pages, &ledger).iter().map(|zone| zone.managed).sum();
            assert!(sum <= pages, "{sum} of {pages}");
        }
    }
}
