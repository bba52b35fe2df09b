//! `cargo xtask dist`: a folder that any static host serves.

use crate::Outcome;
use crate::page;
use crate::place::Place;
use crate::progress::say;
use crate::setup::{self, Part};

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    if !arguments.is_empty() {
        return Err(format!("dist takes no arguments, not '{}'.", arguments.join(" ")));
    }
    setup::bring(place, &Part::BUILD)?;
    let folder = place.root.join("dist");
    page::build(place, &folder)?;
    page::weigh(place, &folder)?;
    say(&format!("{} can be copied to any static host, below any path", folder.display()));
    Ok(())
}
