//! `cargo xtask soak`: what is too long for `cargo xtask test`.
//!
//! The same tests run with `RECLAIMSCOPE_SOAK=1` in the environment. A test that draws scenarios,
//! sweeps a grid or compares long runs reads it and takes its bigger count; there is no ignored
//! test. Then `tests/browser/frames.mjs` measures the page's frame times while it simulates, and
//! `seek.mjs` how soon any instant of a run is there, `speed.mjs` how soon a comparison is; and
//! `tests/lighthouse/run.mjs` has Lighthouse judge it, where npm can bring Lighthouse.

use std::process::ExitCode;

use crate::Outcome;
use crate::job::{self, Quiet};
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
    for (script, what) in MEASURES {
        let outcome = measure(place, script, what);
        sum.add(Tally::check(outcome.is_ok()));
        if let Err(sentence) = outcome {
            error(&sentence);
        }
    }
    let outcome = lighthouse(place);
    sum.add(Tally::check(outcome.is_ok()));
    if let Err(sentence) = outcome {
        error(&sentence);
    }
    println!("{}", sum.line());
    Ok(if sum.is_green() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is measured of the page, and how long that takes.
const MEASURES: [(&str, &str); 3] = [
    ("frames.mjs", "frame times of the page while it simulates (usually 2 minutes)"),
    ("seek.mjs", "how soon any instant of a run is there (usually 1 minute)"),
    ("speed.mjs", "how soon a comparison in the page is there (usually 1 minute)"),
];

fn measure(place: &Place, name: &str, what: &str) -> Outcome {
    let script = place.root.join("tests/browser").join(name);
    if !script.is_file() {
        return Err(format!("There is no tests/browser/{name} to measure {what}."));
    }
    say(&format!("soak: {what}"));
    setup::bring(place, &Part::BUILD)?;
    setup::bring(place, &Part::END_TO_END)?;
    job::open(name, node_with_page(place)?.arg(script))
}

/// Lighthouse has npm packages of its own, which nothing else needs: they are brought only here.
fn lighthouse(place: &Place) -> Outcome {
    let folder = place.root.join("tests/lighthouse");
    say("soak: Lighthouse on the release build, served with brotli (usually 2 minutes)");
    setup::bring(place, &Part::BUILD)?;
    setup::bring(place, &Part::END_TO_END)?;
    let mut npm = place.host("npm");
    npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    let quiet = Quiet { name: "npm-ci-lighthouse", usually: "20 seconds", limit: None };
    quiet.run(place, npm).map_err(|sentence| {
        format!("Lighthouse was not run, because npm could not bring its packages: {sentence}")
    })?;
    job::open("Lighthouse", node_with_page(place)?.arg(folder.join("run.mjs")))
}
