//! A comparison as a mail.

use super::compare::simulate;
use crate::plan::Compared;
use crate::{Exit, Failure, Streams};

/// Simulates and prints the mail.
pub(super) fn mail(
    compared: &Compared,
    page: &str,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let comparison = simulate(compared, force, streams)?;
    write!(streams.stdout, "{}", report::mail::text(&comparison, page))?;
    Ok(Exit::Done)
}
