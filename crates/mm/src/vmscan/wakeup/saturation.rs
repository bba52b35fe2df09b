//! One more while those awake are busy nearly all the time.

use super::Policy;
use crate::machine::Machine;
use crate::task::State;
use catalog::ConstantId;

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "saturation", target };

fn target(m: &mut Machine, node: usize) -> (u32, u64) {
    let now = m.now();
    let period = m.constant(ConstantId::SaturationPeriod);
    let up = m.constant(ConstantId::SaturationUp);
    let down = m.constant(ConstantId::SaturationDown);
    let (first, end) = m.nodes[node].workers;
    let busy: u64 = (first..end)
        .map(|w| {
            let spent = m.tasks[w as usize].spent_until(now);
            let sleeping = [State::Asleep, State::Napping, State::Runnable];
            spent.iter().sum::<u64>() - sleeping.map(|s| spent[s as usize]).iter().sum::<u64>()
        })
        .sum();
    let n = m.config.kswapds;
    let wakeup = &mut m.nodes[node].wakeup;
    wakeup.allowed = wakeup.allowed.clamp(1, n);
    let passed = now.saturating_since(wakeup.looked).as_nanos();
    let share = (busy - wakeup.busy) * 1_000 / (passed.max(1) * u64::from(wakeup.allowed));
    if passed >= period {
        if share >= up {
            wakeup.allowed = (wakeup.allowed + 1).min(n);
        } else if share <= down {
            wakeup.allowed = (wakeup.allowed - 1).max(1);
        }
        wakeup.looked = now;
        wakeup.busy = busy;
    }
    (wakeup.allowed, share)
}
