//! CPUs - runnable, at this moment.

use super::Policy;
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "runnable-spare", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let runnable = m.runnable(node);
    (m.node_cpus(node).saturating_sub(runnable), runnable.into())
}
