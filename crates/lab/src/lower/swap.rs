//! The swap and cgroup controls as devices, tiers and limits.

use catalog::swap::MediumId;
use catalog::{
    AllocatorId, AssignmentId, ConstantId, ControlId, Flavour, InTierId, Ledger, Row, tables,
};
use mm::memcontrol::MemcgConfig;
use mm::swap::zswap::ZswapConfig;
use mm::swap::{Age, DeviceConfig, SwapConfig, Tier, TierConfig};
use mm::vmscan::pageout::{MediumConfig, SwapSetup, TierChange};
use scenario::Scenario;
use units::{PAGE_SHIFT, SimDuration, SimTime};

/// Slots of a cluster.
const CLUSTER: u64 = 512;

/// The swap devices of a scenario, if it has any.
pub(super) fn swap(
    scenario: &Scenario,
    flavour: &Flavour,
    ledger: &Ledger,
    cpus: u32,
    nodes: u8,
) -> Option<SwapSetup> {
    let get = |id| scenario.get(id).unsigned_abs();
    let rows = scenario.devices();
    if rows.is_empty() {
        return None;
    }
    let allocator = match get(ControlId::Allocator) {
        0 => flavour.swap_allocator,
        row => AllocatorId::ALL[row as usize - 1],
    };
    let config = SwapConfig {
        nodes,
        quota: get(ControlId::SwapQuota) as u32,
        priorities_descend: flavour.swap_priorities_descend,
        tiers: TierConfig {
            assignment: assignment(scenario),
            tiers: tiers(scenario, ControlId::SwapTiers),
            buckets: get(ControlId::TierBuckets) as u8,
            policy: in_tier(get(ControlId::InTier)),
        },
        ..SwapConfig::new(allocator, cpus)
    };
    let zero = zero_per_mille(scenario, ledger);
    let made_of = |row: &Row| medium(medium_of(row), ledger).of_mean_page(zero);
    let devices = rows.iter().map(|row| (device(row), made_of(row))).collect();
    let folio = |row: &Row| (row[tables::ORDER] as u32, row[tables::SHARE].unsigned_abs());
    Some(SwapSetup {
        ages: rows.iter().map(age).collect(),
        zswap: zswap(scenario, ledger),
        folios: scenario.rows(ControlId::SwapFolios).iter().map(folio).collect(),
        masks: masks(scenario, ControlId::SwapTiers),
        change: change(scenario),
        zero_per_mille: zero,
        ..SwapSetup::new(config, devices)
    })
}

fn medium_of(row: &Row) -> MediumId {
    MediumId::ALL[row[tables::MEDIUM].unsigned_abs() as usize]
}

fn slots(row: &Row) -> u64 {
    // The header takes a slot of its own.
    (row[tables::SIZE].unsigned_abs() >> PAGE_SHIFT).min(u64::from(mm::swap::SLOTS_MAX) - 1) + 1
}

fn device(row: &Row) -> DeviceConfig {
    DeviceConfig {
        rotational: medium_of(row) == MediumId::Hdd,
        priority: i16::try_from(row[tables::PRIORITY]).ok().filter(|&priority| priority >= 0),
        discard: row[tables::DISCARD] == 1,
        node: u8::try_from(row[tables::NODE]).ok().and_then(|node| node.checked_sub(1)),
        ..DeviceConfig::new(slots(row) as u32)
    }
}

fn age(row: &Row) -> Age {
    let clusters = slots(row) / CLUSTER * row[tables::USED].unsigned_abs() / 1_000;
    let holes = row[tables::HOLES].unsigned_abs() as u32;
    Age { clusters: clusters as u32, holes, spread: true }
}

fn assignment(scenario: &Scenario) -> AssignmentId {
    use AssignmentId as Id;
    let all = [Id::None, Id::RunTime, Id::RunTimeReview, Id::Boot, Id::EqualPriority, Id::Buckets];
    all[scenario.get(ControlId::TierAssignment).unsigned_abs() as usize]
}

fn in_tier(row: u64) -> InTierId {
    InTierId::ALL[row as usize]
}

fn tiers(scenario: &Scenario, id: ControlId) -> Vec<Tier> {
    let common = scenario.get(ControlId::InTier).unsigned_abs();
    let tier = |row: &Row| Tier {
        start: row[tables::START] as i32,
        policy: in_tier(row[tables::POLICY].unsigned_abs().checked_sub(1).unwrap_or(common)),
    };
    scenario.rows(id).iter().map(tier).collect()
}

/// The tiers that each cgroup may use: the root all, that of the workload those that are not
/// barred.
fn masks(scenario: &Scenario, id: ControlId) -> Vec<u32> {
    let bit = |(i, row): (usize, &Row)| (row[tables::BARRED] as u32) << i;
    let barred = scenario.rows(id).iter().enumerate().map(bit).fold(0, |all, bit| all | bit);
    vec![u32::MAX, !barred]
}

fn change(scenario: &Scenario) -> Option<TierChange> {
    let at = scenario.get(ControlId::TiersAt).unsigned_abs();
    (at > 0).then(|| TierChange {
        at: SimTime::from_nanos(at),
        tiers: tiers(scenario, ControlId::TiersThen),
        masks: masks(scenario, ControlId::TiersThen),
    })
}

fn zswap(scenario: &Scenario, ledger: &Ledger) -> Option<ZswapConfig> {
    let get = |id| scenario.get(id).unsigned_abs();
    let is_virtual = match scenario.choice(ControlId::Zswap) {
        "on" => false,
        "virtual" => true,
        _ => return None,
    };
    let like = match scenario.choice(ControlId::ZswapCompressor) {
        "lzo" => MediumId::ZramLzo,
        "lzo-rle" => MediumId::ZramLzoRle,
        "lz4" => MediumId::ZramLz4,
        _ => MediumId::ZramZstd,
    };
    let MediumConfig { write, read, stored_per_mille, .. } = medium(like, ledger);
    let max = scenario.total_memory().0 / 100 * get(ControlId::ZswapPool);
    let accept = max / 100 * get(ControlId::ZswapAccept);
    let batch = ledger.get(ConstantId::ZswapBatch) as u32;
    Some(ZswapConfig { write, read, stored_per_mille, max, accept, batch, is_virtual })
}

/// What a medium takes, by the ledger.
fn medium(id: MediumId, ledger: &Ledger) -> MediumConfig {
    use ConstantId as Id;
    let span = |id: Id| SimDuration::from_nanos(ledger.get(id));
    let memory = |write: Id, read: Id, stored: Option<Id>| MediumConfig {
        synchronous: true,
        write: span(write),
        read: span(read),
        latency: SimDuration::ZERO,
        more: span(write),
        channels: 1,
        writes: 0,
        stored_per_mille: stored.map_or(0, |id| ledger.get(id) as u32),
    };
    let block = |page: Id, more: Id, latency: SimDuration, channels: u64| MediumConfig {
        synchronous: false,
        write: span(page),
        read: span(page),
        latency,
        more: span(more),
        channels: channels as u32,
        writes: ledger.get(Id::SwapWritesAtOnce) as u32,
        stored_per_mille: 0,
    };
    match id {
        MediumId::ZramLzo => memory(Id::ZramLzoWrite, Id::ZramLzoRead, Some(Id::ZramLzoStored)),
        MediumId::ZramLzoRle => {
            memory(Id::ZramLzoRleWrite, Id::ZramLzoRleRead, Some(Id::ZramLzoRleStored))
        }
        MediumId::ZramLz4 => memory(Id::ZramLz4Write, Id::ZramLz4Read, Some(Id::ZramLz4Stored)),
        MediumId::ZramZstd => memory(Id::ZramZstdWrite, Id::ZramZstdRead, Some(Id::ZramZstdStored)),
        MediumId::Pmem => memory(Id::PmemPage, Id::PmemPage, None),
        MediumId::Nvme => {
            let channels = ledger.get(Id::NvmeChannels);
            block(Id::NvmePage, Id::NvmeMore, span(Id::NvmeLatency), channels)
        }
        MediumId::Ssd => {
            let channels = ledger.get(Id::SsdChannels);
            block(Id::SsdPage, Id::SsdMore, span(Id::SsdLatency), channels)
        }
        MediumId::Hdd => block(Id::HddPage, Id::HddMore, SimDuration::ZERO, 1),
        MediumId::Network => {
            let channels = ledger.get(Id::NvmeChannels);
            block(Id::NetworkPage, Id::NetworkMore, span(Id::NetworkLatency), channels)
        }
    }
}

/// Pages of zeroes among those of the workload, in thousandths.
fn zero_per_mille(scenario: &Scenario, ledger: &Ledger) -> u32 {
    match scenario.choice(ControlId::Workload) {
        "kbuild" => ledger.get(ConstantId::CompileZero) as u32,
        _ => 0,
    }
}

/// The cgroups of a scenario: the root, and that of the workload if it has a limit or may not use
/// every tier.
pub(super) fn memcgs(scenario: &Scenario, ledger: &Ledger) -> Vec<MemcgConfig> {
    let pages = |id| match scenario.get(id).unsigned_abs() >> PAGE_SHIFT {
        0 => u64::MAX,
        pages => pages,
    };
    let own =
        MemcgConfig { max: pages(ControlId::Memcg), high: pages(ControlId::MemcgHigh), kept: 0 };
    let barred = [ControlId::SwapTiers, ControlId::TiersThen]
        .iter()
        .any(|&id| scenario.rows(id).iter().any(|row| row[tables::BARRED] == 1));
    if own == MemcgConfig::ROOT && !barred {
        return vec![own];
    }
    let kept = match scenario.choice(ControlId::Workload) {
        // Of a limit so small that there is hardly room for it, a part.
        "kbuild" => ledger.get(ConstantId::CompileCharged).min(own.max.min(own.high) / 4),
        _ => 0,
    };
    vec![MemcgConfig::ROOT, MemcgConfig { kept, ..own }]
}
