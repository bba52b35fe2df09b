//! Rings of the devices of the CPU's node, then of all others.

use super::ring::with_quota;
use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "numa-local", next };

fn next(reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    with_quota(reader, turn, |i| turn.is_local(i)).or_else(|| with_quota(reader, turn, |_| true))
}
