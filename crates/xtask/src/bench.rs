//! `cargo xtask bench`: the engine's benchmarks, with whatever arguments they take.

use crate::Outcome;
use crate::job;
use crate::place::Place;
use crate::progress::say;

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    say("bench: cargo bench -p reclaimscope-engine (usually 3 minutes; leave the machine alone)");
    let mut command = place.host("cargo");
    command.args(["bench", "-p", "reclaimscope-engine"]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    job::open("cargo bench", &mut command)
}
