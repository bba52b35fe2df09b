//! The next device at every allocation.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "round-robin", next };

fn next(reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    let first = turn.from(reader.at).find(|&i| turn.is_free(i))?;
    reader.at = (first + 1) % turn.len();
    Some(first)
}
