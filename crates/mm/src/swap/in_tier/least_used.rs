//! The device of which the smallest part is used; of equal ones the next in turn.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "least-used", next };

fn next(reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    // Parts compare without a division: used of one times size of the other.
    let part = |i: usize, other: usize| u64::from(turn.used(i)) * u64::from(turn.size(other));
    let free = turn.from(reader.at).filter(|&i| turn.is_free(i));
    let least = free.min_by(|&a, &b| part(a, b).cmp(&part(b, a)))?;
    reader.at = (least + 1) % turn.len();
    Some(least)
}
