//! The swap devices of an experiment as the model has them.

use super::params::{Params, SwapDevice};
use super::swaps::Samples;
use mm::swap::{DEVICES_MAX, DeviceConfig, SLOTS_MAX, Swap, SwapConfig};
use mm::vmscan::pageout::{MediumConfig, SwapSetup};
use units::SimDuration;

/// Most pages of all devices (1 TiB).
const PAGES_MAX: u64 = 1 << 28;
/// What is known of a disk of an emulated machine, as an input of that machine: pages a second that
/// it takes at least, where the run does not show it to be faster.
const EMULATED_DISK_PAGES: f64 = 1_000.0;
/// The time to compress a page into zram, and back, in ns: lz4, some 2 us on hardware, and 12 times
/// that under emulation, as for all work of reclaim.
const ZRAM_PAGE: u64 = 2_000;
const EMULATED: u64 = 12;
/// What zram stores of a page besides what cannot be compressed, in thousandths.
const ZRAM_LEAST: u64 = 20;
const NANOS: f64 = 1e9;

/// Devices as they were switched on, and how slots are handed out to so many CPUs.
///
/// # Errors
/// Why the model cannot have them.
pub(super) fn slots(
    params: &Params,
    cpus: u32,
    turning: bool,
) -> Result<(SwapConfig, Vec<DeviceConfig>, Swap), String> {
    if params.swaps.len() > DEVICES_MAX {
        return Err(format!("more than {DEVICES_MAX} swap devices"));
    }
    let pages = params.swaps.iter().fold(0_u64, |sum, d| sum.saturating_add(d.pages));
    if pages > PAGES_MAX {
        return Err(format!("more than {PAGES_MAX} pages of swap"));
    }
    let mut config = SwapConfig::new(params.flavour.swap_allocator, cpus);
    config.nodes = params.nodes() as u8;
    config.priorities_descend = params.flavour.swap_priorities_descend;
    let mut swap = Swap::new(config.clone()).map_err(|e| e.errno().to_owned())?;
    let mut devices = Vec::new();
    for device in &params.swaps {
        let device = config_of(device, turning)?;
        swap.swapon(device).map_err(|e| format!("a swap device that is refused ({e:?})"))?;
        devices.push(device);
    }
    Ok((config, devices, swap))
}

fn config_of(device: &SwapDevice, turning: bool) -> Result<DeviceConfig, String> {
    if device.used > 0 {
        return Err("swap devices that are in use when the run begins".into());
    }
    // One page of the device is its header.
    let slots = u32::try_from(device.pages + 1).ok().filter(|&slots| slots <= SLOTS_MAX);
    let slots = slots.ok_or_else(|| format!("a swap device of {SLOTS_MAX} pages"))?;
    // The kernel's own default is recomputed.
    let priority = if device.priority < 0 { None } else { i16::try_from(device.priority).ok() };
    let block = device.kind == "partition";
    Ok(DeviceConfig { priority, rotational: turning, block, ..DeviceConfig::new(slots) })
}

/// The devices under a load that swaps, as fast as the samples show them.
///
/// # Errors
/// Why the model cannot have them.
pub(super) fn setup(
    params: &Params,
    samples: Option<&Samples>,
    incompressible: u64,
) -> Result<Option<SwapSetup>, String> {
    if params.swaps.is_empty() {
        return Ok(None);
    }
    let cpus: usize = params.cpus.iter().map(Vec::len).sum();
    let (config, devices, _) = slots(params, cpus as u32, params.rotational.unwrap_or(false))?;
    let media = media(params, samples, incompressible);
    Ok(Some(SwapSetup::new(config, devices.into_iter().zip(media).collect())))
}

fn media(params: &Params, samples: Option<&Samples>, incompressible: u64) -> Vec<MediumConfig> {
    let rates = rates(params, samples);
    let slowdown = if params.emulated { EMULATED } else { 1 };
    let medium = |(device, rate): (&SwapDevice, f64)| {
        if is_zram(device) {
            let page = SimDuration::from_nanos(ZRAM_PAGE * slowdown);
            return MediumConfig {
                synchronous: true,
                write: page,
                read: page,
                latency: SimDuration::ZERO,
                more: page,
                channels: 1,
                writes: 0,
                stored_per_mille: (incompressible * 10 + ZRAM_LEAST).min(1_000) as u32,
            };
        }
        let page = SimDuration::from_nanos((NANOS / rate) as u64);
        MediumConfig {
            synchronous: false,
            write: page,
            read: page,
            latency: SimDuration::ZERO,
            more: page,
            channels: 1,
            writes: 0,
            stored_per_mille: 0,
        }
    };
    params.swaps.iter().zip(rates).map(medium).collect()
}

/// Pages a second of each device.
fn rates(params: &Params, samples: Option<&Samples>) -> Vec<f64> {
    let seen = samples.map(|s| s.rates(params.swaps.len())).unwrap_or_default();
    let rate = |i: usize| seen.get(i).copied().unwrap_or(0.0).max(EMULATED_DISK_PAGES);
    (0..params.swaps.len()).map(rate).collect()
}

fn is_zram(device: &SwapDevice) -> bool {
    device.name.starts_with("zram")
}

/// What was taken as the devices' speed, in a sentence.
pub(super) fn note(params: &Params, samples: Option<&Samples>) -> Option<String> {
    let rates = rates(params, samples);
    let disks = params.swaps.iter().zip(rates).filter(|(device, _)| !is_zram(device));
    let words: Vec<String> =
        disks.map(|(device, rate)| format!("{} {rate:.0}", device.name)).collect();
    if words.is_empty() {
        return None;
    }
    let from = if samples.is_some() {
        "their fastest second in swaps.csv, and 1,000 at least"
    } else {
        "swaps.csv is missing"
    };
    Some(format!(
        "The speed of the swap devices is an input, in pages a second: {} ({from}).",
        words.join(", ")
    ))
}
