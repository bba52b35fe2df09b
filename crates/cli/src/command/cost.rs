//! A run that takes long asks first.

use crate::table::count;
use crate::{Failure, Streams};
use scenario::Scenario;
use std::io::Read;

/// Runs that are expected to take longer ask first, in seconds.
const SECONDS_MAX: u64 = 60;

/// Refuses what is expected to take longer than a minute, unless the user wants it.
pub(super) fn allow<'a>(
    scenarios: impl IntoIterator<Item = &'a Scenario>,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let (mut events, mut seconds) = (0u64, 0u64);
    for scenario in scenarios {
        let estimate = lab::estimate(scenario).map_err(|problems| Failure::all(&problems))?;
        events = events.saturating_add(estimate.events);
        seconds = seconds.saturating_add(estimate.seconds);
    }
    if force || seconds <= SECONDS_MAX {
        return Ok(());
    }
    let cost = format!(
        "this is expected to take up to {} of one CPU ({} events)",
        time(seconds),
        count(events)
    );
    if streams.interactive {
        write!(streams.stderr, "{cost}. Run it? [y/N] ")?;
        streams.stderr.flush()?;
        if answered_yes(streams.stdin) {
            return Ok(());
        }
        return Err(Failure::refused("nothing was run"));
    }
    Err(Failure::refused(format!("{cost}; --force runs it, a shorter `duration` makes it shorter")))
}

/// A number of seconds in the unit that suits it.
fn time(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ => format!("{} days", count(seconds / 86_400)),
    }
}

fn answered_yes(stdin: &mut dyn Read) -> bool {
    // The first character decides; the line behind it does not matter.
    let mut first = [0];
    stdin.read(&mut first).is_ok_and(|n| n == 1 && first[0].eq_ignore_ascii_case(&b'y'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_suits_them() {
        let all = [90, 600, 10_000, 400_000].map(time);
        assert_eq!(all, ["90 seconds", "10 minutes", "2 hours", "4 days"]);
    }
}
