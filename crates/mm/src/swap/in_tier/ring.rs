//! The ring of the series: a CPU stays with a device for a quota of pages, then goes on.

use super::{Policy, Reader, Turn};

/// Its place in the list of policies.
pub(super) const POLICY: Policy =
    Policy { name: "ring", next: |reader, turn| with_quota(reader, turn, |_| true) };

/// The device at the CPU's place while its quota lasts, else the next one; of those only that
/// `takes` takes.
pub(super) fn with_quota(
    reader: &mut Reader,
    turn: &Turn<'_>,
    takes: impl Fn(usize) -> bool,
) -> Option<usize> {
    let (len, n) = (turn.len(), turn.pages());
    let steps = if reader.left >= n { 0 } else { 1 }..=len;
    let mut places = steps.map(|step| (step, (reader.at + step) % len));
    let (step, i) = places.find(|&(_, i)| turn.is_free(i) && takes(i))?;
    if step > 0 {
        (reader.at, reader.left) = (i, turn.quota().max(n));
    }
    reader.left -= n;
    Some(i)
}
