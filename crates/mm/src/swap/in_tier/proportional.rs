//! In proportion to priority, by deficit round robin.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy = Policy { name: "proportional", next };

/// The device at the CPU's place while it has credit, else the next one that has some when its
/// share is added; when none has, the first with room.
fn next(reader: &mut Reader, turn: &Turn<'_>) -> Option<usize> {
    let len = turn.len();
    if reader.credit.is_empty() {
        reader.credit = vec![0; len];
        reader.credit[reader.at] = share(turn, reader.at);
    }
    let first = turn.from(reader.at).find(|&i| turn.is_free(i))?;
    let mut found = None;
    for _ in 0..=len {
        let i = reader.at;
        if turn.is_free(i) && reader.credit[i] > 0 {
            found = Some(i);
            break;
        }
        let after = (i + 1) % len;
        let own = share(turn, after);
        reader.at = after;
        reader.credit[after] = (reader.credit[after] + own).min(own);
    }
    let i = found.unwrap_or(first);
    reader.credit[i] -= i64::from(turn.pages());
    Some(i)
}

/// What a device may give in a round: its part of a quota a device, by priority above the lowest.
fn share(turn: &Turn<'_>, i: usize) -> i64 {
    let lowest = (0..turn.len()).map(|i| turn.priority(i)).min().unwrap_or(0);
    let weight = |i: usize| i64::from(turn.priority(i) - lowest + 1);
    let all: i64 = (0..turn.len()).map(weight).sum();
    let pages = i64::from(turn.quota()) * turn.len() as i64;
    (pages * weight(i) / all).max(1)
}
