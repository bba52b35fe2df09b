//! `cargo xtask soak`: what is too long for `cargo xtask test`.
//!
//! The same tests run with `RECLAIMSCOPE_SOAK=1` in the environment. A test that draws scenarios,
//! sweeps a grid or compares long runs reads it and takes its bigger count; there is no ignored
//! test. Then `tests/browser/frames.mjs` measures the page's frame times while it simulates.

use std::process::ExitCode;

use crate::Outcome;
use crate::job;
use crate::place::Place;
use crate::progress::{error, say};
use crate::setup::{self, Part};
use crate::tally::Tally;
use crate::test::{cargo_test, node_with_page};

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome<ExitCode> {
    say("soak: cargo test with RECLAIMSCOPE_SOAK=1 (usually half an hour)");
    let mut cargo = place.host("cargo");
    cargo.args(["test", "--workspace", "--no-fail-fast"]).args(arguments);
    let mut sum = cargo_test(cargo.env("RECLAIMSCOPE_SOAK", "1"))?;
    if let Err(sentence) = frame_times(place) {
        error(&sentence);
        sum.add(Tally::check(false));
    } else {
        sum.add(Tally::check(true));
    }
    println!("{}", sum.line());
    Ok(if sum.is_green() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn frame_times(place: &Place) -> Outcome {
    let script = place.root.join("tests/browser/frames.mjs");
    if !script.is_file() {
        return Err("There is no tests/browser/frames.mjs to measure frame times with.".to_owned());
    }
    say("soak: frame times of the page while it simulates (usually 2 minutes)");
    setup::bring(place, &Part::BUILD)?;
    setup::bring(place, &Part::END_TO_END)?;
    job::open("frames.mjs", node_with_page(place)?.arg(script))
}
