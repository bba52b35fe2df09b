//! The parts of a report that only the claims of stories read: wakeups and swap devices.

use super::Fields;
use report::summary::{Swap, SwapDevice, Wakeups};

/// A node's wakeups.
pub(super) fn wakeups(fields: &Fields) -> Wakeups {
    Wakeups {
        node: fields.small("node"),
        policy: fields.text("policy"),
        decisions: fields.count("decisions"),
        saw: fields.text("saw"),
        mean_saw: fields.number("mean_saw"),
        mean_target: fields.number("mean_target"),
        woke: fields.count("woke"),
    }
}

/// Swap; none without devices.
pub(super) fn swap(fields: &Fields) -> Option<Swap> {
    fields.get("swap").is_object().then(|| {
        let fields = fields.inner("swap");
        Swap {
            devices: fields.list("devices", device),
            inversions: fields.count("inversions"),
            ..Swap::default()
        }
    })
}

fn device(fields: &Fields) -> SwapDevice {
    SwapDevice {
        name: fields.text("name"),
        priority: fields.number("priority") as i32,
        group: fields.small("group"),
        pages: fields.count("pages"),
        used: fields.count("used"),
        peak: fields.count("peak"),
        taken: fields.count("taken"),
    }
}
