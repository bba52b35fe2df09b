//! What a run will cost, before it is run.

use crate::lower::lower;
use catalog::{ConstantId, ControlId};
use mm::Config;
use mm::config::Placement;
use scenario::{Problem, Scenario};

/// Events that one CPU second dispatches, at least: measured, rounded down, wasm included.
const EVENTS_A_SECOND: u64 = 6_000_000;
/// Events to read one window and to reclaim its pages, at most: measured, rounded up.
const EVENTS_A_WINDOW: u64 = 24;
/// Events a second of a reader whose windows do not fit into memory: measured, rounded up.
const THRASHING_EVENTS_A_READER: u64 = 25_000;
/// Events a second of a worker or a throttled task that finds nothing to do.
const IDLE_EVENTS_A_TASK: u64 = 2_000;

/// What a run is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Events.
    pub events: u64,
    /// Seconds of one CPU.
    pub seconds: u64,
}

/// What a run of this scenario is expected to cost, from above: readers are bounded by the drives
/// and by their own work, whatever reclaim does to them.
///
/// # Errors
/// The problems of the scenario.
pub fn estimate(scenario: &Scenario) -> Result<Estimate, Vec<Problem>> {
    let config = lower(scenario)?;
    let span = scenario.get(ControlId::Warmup).unsigned_abs()
        + scenario.get(ControlId::Duration).unsigned_abs();
    let a_second = windows_a_second(&config) * events_a_window(&config)
        + thrashing(&config)
        + IDLE_EVENTS_A_TASK * u64::from(config.kswapds) * config.nodes.len() as u64
        + IDLE_EVENTS_A_TASK * u64::from(config.readers());
    let events = u128::from(a_second) * u128::from(span) / 1_000_000_000;
    let events = u64::try_from(events).unwrap_or(u64::MAX);
    Ok(Estimate { events, seconds: events / EVENTS_A_SECOND })
}

/// Events to read one window and to reclaim its pages, at most.
fn events_a_window(config: &Config) -> u64 {
    let batches = 3;
    let split = match config.placement {
        Placement::Page => u64::from(config.lru_partitions.min(config.flavour.folio_batch)),
        Placement::Cpu | Placement::Batch => 1,
    };
    let shadow = if config.shadow { 4 } else { 0 };
    EVENTS_A_WINDOW + batches * (split - 1) + shadow
}

/// Events a second of readers that want more memory than there is: each keeps reclaiming for
/// itself.
fn thrashing(config: &Config) -> u64 {
    let managed: u64 = config.nodes.iter().flat_map(|n| &n.zones).map(|z| z.managed).sum();
    let wanted = u64::from(config.readers()) * 2 * config.ledger.get(ConstantId::ReadAheadWindow);
    if wanted * 2 > managed { u64::from(config.readers()) * THRASHING_EVENTS_A_READER } else { 0 }
}

fn windows_a_second(config: &Config) -> u64 {
    let ledger = &config.ledger;
    let channels = u64::from(config.drives.count) * ledger.get(ConstantId::DriveChannels);
    let by_drives = channels * 1_000_000_000 / config.drives.service.as_nanos().max(1);
    let pages = ledger.get(ConstantId::ReadAheadWindow);
    let work = pages * ledger.get(ConstantId::CopyPerPage)
        + ledger.get(ConstantId::ReadSubmit)
        + ledger.get(ConstantId::ReadComplete);
    let cpus: u64 = config.nodes.iter().map(|n| u64::from(n.cpus)).sum();
    let by_cpus = cpus.min(u64::from(config.readers())) * 1_000_000_000 / work.max(1);
    by_drives.min(by_cpus)
}
