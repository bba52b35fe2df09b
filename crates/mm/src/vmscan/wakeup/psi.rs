//! Steps by the node's share of time with a task stalled on memory.

use super::{ONE, Policy};
use crate::machine::Machine;
use catalog::ConstantId;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "psi", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let now = m.now();
    let half_life = m.constant(ConstantId::PsiHalfLife);
    let wakeup = &mut m.nodes[node].wakeup;
    wakeup.stall.advance(now, if wakeup.stalled > 0 { ONE } else { 0 }, half_life);
    let share = wakeup.stall.mean() * 1_000 / ONE;
    let n = m.config.kswapds;
    let step = [ConstantId::PsiLow, ConstantId::PsiMiddle, ConstantId::PsiHigh];
    let wanted = match step.iter().filter(|&&c| share >= m.constant(c)).count() {
        0 => 1,
        1 => n / 4,
        2 => n / 2,
        _ => n,
    };
    (wanted, share)
}
