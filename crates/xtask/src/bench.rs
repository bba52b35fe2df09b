//! `cargo xtask bench`: the engine's benchmark, with whatever arguments it takes.

use crate::Outcome;
use crate::job;
use crate::place::Place;
use crate::progress::say;

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    say("bench: cargo bench of the engine (usually 3 minutes; leave the machine alone)");
    let mut command = place.host("cargo");
    command.args(["bench", "-p", "reclaimscope-engine", "--bench", "queue"]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    job::open("cargo bench", &mut command)
}
