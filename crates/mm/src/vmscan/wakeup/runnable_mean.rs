//! N x (1 - runnable / CPUs), runnable as a decaying mean.

use super::runnable::share;
use super::{FRACTION, Policy};
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "runnable-mean", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let mean = m.runnable_mean(m.nodes[node].cpu_node);
    (share(m, node, mean), mean >> FRACTION)
}
