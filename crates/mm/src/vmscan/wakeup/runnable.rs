//! N x (1 - runnable / CPUs), at this moment.

use super::{ONE, Policy};
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "runnable", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let runnable = m.runnable(node);
    (share(m, node, u64::from(runnable) * ONE), runnable.into())
}

/// The workers allowed, in proportion to the CPUs that no runnable task wants; tasks in 1/65,536.
pub(super) fn share(m: &Machine, node: usize, tasks: u64) -> u32 {
    let (n, cpus) = (u64::from(m.config.kswapds), u64::from(m.node_cpus(node)));
    let spare = cpus * ONE - tasks.min(cpus * ONE);
    (n * spare / (cpus * ONE)) as u32
}
