//! Rules of slot allocation (D03p, D09): slots alone, without time, by the code that a run uses.

use super::table::Row;
use super::{Modelled, Role, What};
use catalog::AllocatorId;
use mm::swap::{Allocation, DeviceConfig, Request, Swap, SwapConfig};

/// Slots of the devices of [`turns`].
const SMALL: u32 = 1 << 16;
/// Slots that are taken to see how long a turn lasts.
const TAKEN: u32 = 10_000;
/// Slots of a device of 16 GiB.
const LARGE: u32 = 1 << 22;
/// Bytes that were used of the devices in the run with strict priorities, a stated input: 16 GiB
/// and 966.2 MiB.
const USED: u64 = (16 << 30) + 966 * (1 << 20) + (1 << 20) / 5;

/// D03p: allocations on one CPU before another device has its turn.
pub(super) fn turns(row: &Row) -> Result<Modelled, String> {
    let allocator = match row.arm.as_str() {
        "slot cache" => AllocatorId::SlotCache,
        "A" => AllocatorId::GlobalPlist,
        "B" => AllocatorId::DevicePlist,
        "C/E" => AllocatorId::Ring,
        _ => return Err("It is a rule of no allocator that the model has.".into()),
    };
    let mut swap = Swap::new(SwapConfig::new(allocator, 1)).map_err(|_| "It has no devices.")?;
    for _ in 0..4 {
        let device = DeviceConfig { priority: Some(10), ..DeviceConfig::new(SMALL) };
        swap.swapon(device).map_err(|_| "A device is too small.")?;
    }
    let devices: Vec<u8> = (0..TAKEN).filter_map(|_| take(&mut swap)).collect();
    let longest = devices.chunk_by(|a, b| a == b).map(<[u8]>::len).max().unwrap_or(0);
    Ok(Modelled { what: What::Value(longest as f64), role: Role::Follows })
}

/// D09: bytes used of each of four devices of 16 GiB.
pub(super) fn shares(row: &Row) -> Result<Modelled, String> {
    let strict = match row.arm.split([' ', ';']).next().unwrap_or("") {
        "strict" => true,
        "equal" => false,
        "NUMA-bound" => return Err("Which node each zram device belongs to is not stated.".into()),
        _ => {
            return Err("The table that the gain is from could not be read, and the machine's \
                 memory is not stated."
                .into());
        }
    };
    let number = row.x_value.strip_prefix("zram").and_then(|n| n.parse::<u8>().ok());
    let wanted = number.filter(|n| *n < 4).ok_or("It is about none of the four devices.")?;
    let used = used(strict).ok_or("The devices are full.")?;
    // How much was used in all is read off the rows with strict priorities.
    let role = if strict { Role::Calibrated } else { Role::Follows };
    Ok(Modelled { what: What::Value(used[usize::from(wanted)]), role })
}

/// Bytes used of each device when as much is swapped as in the published run with strict
/// priorities.
fn used(strict: bool) -> Option<[f64; 4]> {
    let mut swap = Swap::new(SwapConfig::new(AllocatorId::GlobalPlist, 1)).ok()?;
    for n in 0..4 {
        let priority = if strict { Some(10 - n) } else { None };
        // The header takes a slot of its own.
        swap.swapon(DeviceConfig { priority, ..DeviceConfig::new(LARGE + 1) }).ok()?;
    }
    let mut used = [0.0; 4];
    for _ in 0..USED / units::PAGE_SIZE {
        used[usize::from(take(&mut swap)?)] += units::PAGE_SIZE as f64;
    }
    Some(used)
}

/// Takes a slot; says of which device.
fn take(swap: &mut Swap) -> Option<u8> {
    let mut allocation = Allocation::new(swap, Request::page(0));
    loop {
        if let Some(result) = allocation.result() {
            return result.ok().map(mm::swap::Slot::device);
        }
        allocation.pass(swap, |_| false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(modelled: Result<Modelled, String>) -> f64 {
        let What::Value(value) = modelled.expect("modelled").what else { panic!("no run") };
        value
    }

    #[test]
    fn turns_last_as_long_as_published() {
        let of = |arm: &str| value(turns(&Row { arm: arm.into(), ..Row::default() }));
        assert_eq!(["slot cache", "A", "B", "C/E"].map(of), [64.0, 512.0, 1.0, 512.0]);
        assert!(turns(&Row::default()).is_err());
    }

    #[test]
    fn strict_priorities_fill_one_device_after_the_other() {
        let of = |arm: &str, device: &str| {
            shares(&Row { arm: arm.into(), x_value: device.into(), ..Row::default() })
        };
        let strict = "strict descending priority (before a2468cc9bfdf)";
        assert_eq!(value(of(strict, "zram0")), (16_u64 << 30) as f64);
        assert_eq!(value(of(strict, "zram2")), 0.0);
        assert!(of("NUMA-bound lists (a2468cc9bfdf)", "zram0").is_err());
        assert!(of(strict, "-").is_err() && of("round robin", "-").is_err());
    }
}
