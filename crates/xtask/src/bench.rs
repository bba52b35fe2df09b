//! `cargo xtask bench`: the benchmarks of the engine and of the model. With arguments, which are
//! the engine's, that one alone.

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
    job::open("cargo bench", &mut command)?;
    if !arguments.is_empty() {
        return Ok(());
    }
    say("bench: cargo bench of the model: CPU time of a simulated second");
    let mut command = place.host("cargo");
    command.args(["bench", "-p", "reclaimscope-lab", "--bench", "presets"]);
    job::open("cargo bench", &mut command)
}
