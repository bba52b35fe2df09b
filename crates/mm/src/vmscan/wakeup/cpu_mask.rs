//! As many as CPUs of the node are idle.

use super::Policy;
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "cpu-mask", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let idle = m.node_cpus(node) - m.cpus.busy_on_node(m.nodes[node].cpu_node);
    (idle, idle.into())
}
