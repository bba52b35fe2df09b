//! By how far free memory has fallen between high and min.

use super::Policy;
use crate::config::ZONES_PER_NODE;
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "deficit", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let zones = &m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
    let usable = zones.iter().filter(|z| z.managed > 0);
    let (missing, span) = usable.fold((0, 0), |(missing, span), z| {
        let under = z.marks.high.saturating_sub(z.usable());
        (missing + under, span + z.marks.high - z.marks.min)
    });
    let n = u64::from(m.config.kswapds);
    ((n * missing).div_ceil(span.max(1)).min(n) as u32, missing)
}
