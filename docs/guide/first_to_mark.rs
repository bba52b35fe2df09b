//! The first device until nine tenths of it are used, then the next: the example of the guide.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "first-to-mark", next };

fn next(_reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    let free = || (0..turn.len()).filter(|&i| turn.is_free(i));
    let below = |i: usize| u64::from(turn.used(i)) * 10 < u64::from(turn.size(i)) * 9;
    free().find(|&i| below(i)).or_else(|| free().next())
}
