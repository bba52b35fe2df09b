//! A home device by memory cgroup; the others in turn when it is full.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "cgroup", next };

fn next(_reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    let home = turn.cgroup() as usize % turn.len();
    turn.from(home).find(|&i| turn.is_free(i))
}
