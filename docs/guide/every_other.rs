//! Half of the workers, whatever the node does: the example of the guide.

use super::Policy;
use crate::machine::Machine;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "every-other", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let runnable = m.runnable(node);
    (m.config.kswapds.div_ceil(2), runnable.into())
}
