//! The swap and cgroup controls as devices and limits.

use catalog::swap::MediumId;
use catalog::{AllocatorId, ConstantId, ControlId, Flavour, Ledger};
use mm::memcontrol::MemcgConfig;
use mm::swap::{DeviceConfig, SwapConfig};
use mm::vmscan::pageout::{MediumConfig, SwapSetup};
use scenario::Scenario;
use units::{PAGE_SHIFT, SimDuration};

/// Priority of the devices when all are equal, and of the first when they descend.
const PRIORITY: i16 = 100;

/// The swap devices of a scenario, if it has any.
pub(super) fn swap(
    scenario: &Scenario,
    flavour: &Flavour,
    ledger: &Ledger,
    cpus: u32,
    nodes: u8,
) -> Option<SwapSetup> {
    let get = |id| scenario.get(id).unsigned_abs();
    let count = get(ControlId::SwapDevices);
    if count == 0 {
        return None;
    }
    let allocator = match get(ControlId::Allocator) {
        0 => flavour.swap_allocator,
        1 => AllocatorId::SlotCache,
        2 => AllocatorId::GlobalPlist,
        3 => AllocatorId::DevicePlist,
        _ => AllocatorId::Ring,
    };
    let medium = MediumId::ALL[get(ControlId::SwapMedium) as usize];
    // The header takes a slot of its own.
    let slots = (get(ControlId::SwapSize) >> PAGE_SHIFT) as u32 + 1;
    let device = |n: u64| DeviceConfig {
        rotational: medium == MediumId::Hdd,
        priority: match get(ControlId::SwapPriorities) {
            0 => None,
            1 => Some(PRIORITY),
            _ => Some(PRIORITY - n as i16),
        },
        ..DeviceConfig::new(slots)
    };
    let config = SwapConfig {
        nodes,
        priorities_descend: flavour.swap_priorities_descend,
        ..SwapConfig::new(allocator, cpus)
    };
    let made_of = self::medium(medium, ledger);
    Some(SwapSetup { config, devices: (0..count).map(|n| (device(n), made_of)).collect() })
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
        channels: 1,
        writes: 0,
        stored_per_mille: stored.map_or(0, |id| ledger.get(id) as u32),
    };
    let block = |page: Id, latency: SimDuration, channels: u64| MediumConfig {
        synchronous: false,
        write: span(page),
        read: span(page),
        latency,
        channels: channels as u32,
        writes: ledger.get(Id::SwapWritesAtOnce) as u32,
        stored_per_mille: 0,
    };
    match id {
        MediumId::ZramLzoRle => {
            memory(Id::ZramLzoRleWrite, Id::ZramLzoRleRead, Some(Id::ZramLzoRleStored))
        }
        MediumId::ZramLz4 => memory(Id::ZramLz4Write, Id::ZramLz4Read, Some(Id::ZramLz4Stored)),
        MediumId::ZramZstd => memory(Id::ZramZstdWrite, Id::ZramZstdRead, Some(Id::ZramZstdStored)),
        MediumId::Pmem => memory(Id::PmemPage, Id::PmemPage, None),
        MediumId::Nvme => block(Id::NvmePage, span(Id::NvmeLatency), ledger.get(Id::NvmeChannels)),
        MediumId::Ssd => block(Id::SsdPage, span(Id::SsdLatency), ledger.get(Id::SsdChannels)),
        MediumId::Hdd => block(Id::HddPage, SimDuration::ZERO, 1),
        MediumId::Network => {
            block(Id::NetworkPage, span(Id::NetworkLatency), ledger.get(Id::NvmeChannels))
        }
    }
}

/// The cgroups of a scenario: the root, and that of the workload if it has a limit.
pub(super) fn memcgs(scenario: &Scenario) -> Vec<MemcgConfig> {
    let pages = |id| match scenario.get(id).unsigned_abs() >> PAGE_SHIFT {
        0 => u64::MAX,
        pages => pages,
    };
    let own = MemcgConfig { max: pages(ControlId::Memcg), high: pages(ControlId::MemcgHigh) };
    if own == MemcgConfig::ROOT { vec![own] } else { vec![MemcgConfig::ROOT, own] }
}
