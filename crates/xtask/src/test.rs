//! `cargo xtask test`: everything that decides whether the project is green, cheap checks first.
//!
//! A step that fails does not stop the others (they may have more to say), unless `--fail-fast`
//! is given. The last line on standard output is `N passed, N failed`: every test of cargo's and
//! node's runners counts one, and so does every other step. A test that is skipped counts as
//! failed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::Outcome;
use crate::hosted;
use crate::job;
use crate::page;
use crate::place::Place;
use crate::progress::{Watch, error, in_words, say};
use crate::setup::{self, Part};
use crate::site::Site;
use crate::tally::Tally;

/// The crates whose documentation must build without a warning.
const LIBRARIES: [&str; 8] =
    ["units", "catalog", "engine", "mm", "scenario", "report", "chart", "lab"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Lock,
    Fmt,
    Tidy,
    Clippy,
    Test,
    Doc,
    Wasm,
    Browser,
}

impl Step {
    const ALL: [Self; 8] = [
        Self::Lock,
        Self::Fmt,
        Self::Tidy,
        Self::Clippy,
        Self::Test,
        Self::Doc,
        Self::Wasm,
        Self::Browser,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Fmt => "fmt",
            Self::Tidy => "tidy",
            Self::Clippy => "clippy",
            Self::Test => "test",
            Self::Doc => "doc",
            Self::Wasm => "wasm",
            Self::Browser => "browser",
        }
    }

    /// What it checks, and what a person should expect on two cores from an empty build folder.
    fn title(self) -> &'static str {
        match self {
            Self::Lock => "Cargo.lock is current, and what it names is here (seconds)",
            Self::Fmt => "cargo fmt --check (seconds)",
            Self::Tidy => "the source's own rules: tidy and layers (1 minute)",
            Self::Clippy => "cargo clippy, warnings denied (2 minutes)",
            Self::Test => "cargo test, the whole workspace (4 minutes)",
            Self::Doc => "cargo doc, warnings denied (1 minute)",
            Self::Wasm => "the page in release, and its size (3 minutes; 10 more without tools)",
            Self::Browser => "end-to-end tests in Chromium (2 minutes)",
        }
    }

    fn run(self, place: &Place) -> Outcome<Tally> {
        let mut cargo = place.host("cargo");
        let outcome = match self {
            Self::Lock => job::open("cargo fetch", cargo.args(["fetch", "--locked"])),
            Self::Fmt => job::open("cargo fmt", cargo.args(["fmt", "--all", "--check"])),
            Self::Tidy => {
                let suite = ["test", "--quiet", "-p", "reclaimscope-tests", "--test", "suite"];
                cargo.args(suite).args(["--", "tidy::", "layers::"]);
                job::open("tidy and layers", &mut cargo)
            }
            Self::Clippy => {
                cargo.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
                job::open("cargo clippy", &mut cargo)
            }
            Self::Test => return cargo_test(cargo.args(["test", "--workspace", "--no-fail-fast"])),
            Self::Doc => job::open("cargo doc", documentation(&mut cargo)),
            Self::Wasm => build_page(place),
            Self::Browser => return browser_tests(place),
        };
        outcome.map(|()| Tally::check(true))
    }
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    steps: Vec<Step>,
    fail_fast: bool,
}

impl Plan {
    fn parse(arguments: &[String]) -> Outcome<Self> {
        let mut plan = Self { steps: Vec::new(), fail_fast: false };
        for word in arguments {
            if word == "--fail-fast" {
                plan.fail_fast = true;
                continue;
            }
            let step = Step::ALL.into_iter().find(|step| step.name() == word);
            let known = || Step::ALL.map(Step::name).join(" ");
            plan.steps.push(step.ok_or_else(|| format!("'{word}' is no step: {}.", known()))?);
        }
        if plan.steps.is_empty() {
            plan.steps.extend(Step::ALL);
        }
        Ok(plan)
    }
}

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome<ExitCode> {
    let plan = Plan::parse(arguments)?;
    let mut report = Report::default();
    let whole = Watch::start();
    for (index, step) in plan.steps.iter().enumerate() {
        say("");
        say(&format!(
            "step {} of {}, {}: {}",
            index + 1,
            plan.steps.len(),
            step.name(),
            step.title()
        ));
        let watch = Watch::start();
        // The end-to-end tests would only say again that there is no page.
        let page_is_missing = *step == Step::Browser && report.has_failed(Step::Wasm);
        let outcome = if page_is_missing {
            Err("The end-to-end tests did not run, since the page was not built.".to_owned())
        } else {
            step.run(place)
        };
        let tally = outcome.unwrap_or_else(|sentence| {
            error(&sentence);
            Tally::check(false)
        });
        report.steps.push((*step, tally, watch.elapsed()));
        if plan.fail_fast && !tally.is_green() {
            break;
        }
    }
    Ok(report.close(whole.elapsed()))
}

/// What every step came to.
#[derive(Default)]
struct Report {
    steps: Vec<(Step, Tally, Duration)>,
}

impl Report {
    fn has_failed(&self, wanted: Step) -> bool {
        self.steps.iter().any(|(step, tally, _)| *step == wanted && !tally.is_green())
    }

    /// Prints the table and the closing line.
    fn close(&self, took: Duration) -> ExitCode {
        let mut sum = Tally::default();
        say("");
        for (step, tally, took) in &self.steps {
            let verdict = if tally.is_green() { "ok" } else { "FAILED" };
            let skipped = match tally.skipped {
                0 => String::new(),
                number => format!(", {number} of these skipped"),
            };
            say(&format!(
                "{:<8} {verdict:<7} {:>12}  {}{skipped}",
                step.name(),
                in_words(*took),
                tally.line()
            ));
            sum.add(*tally);
        }
        say(&format!("{:<8} {:<7} {:>12}", "all", "", in_words(took)));
        println!("{}", sum.line());
        if sum.is_green() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs cargo's tests and counts them.
pub(crate) fn cargo_test(command: &mut Command) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let exited_well = job::read_lines(command, |line| tally.read_cargo(line))?;
    Ok(tally.close(exited_well))
}

fn documentation(cargo: &mut Command) -> &mut Command {
    cargo.args(["doc", "--quiet", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    for library in LIBRARIES {
        cargo.arg("-p").arg(format!("reclaimscope-{library}"));
    }
    cargo
}

fn build_page(place: &Place) -> Outcome {
    setup::bring(place, &Part::BUILD)?;
    let folder = page::build_folder(place);
    page::build(place, &folder)?;
    hosted::single(&folder, "")?;
    hosted::finish(&folder)?;
    page::weigh(place, &folder)
}

fn browser_tests(place: &Place) -> Outcome<Tally> {
    let files = scripts(place, ".test.mjs")?;
    if files.is_empty() {
        return Err("There is no end-to-end test in tests/browser.".to_owned());
    }
    setup::bring(place, &Part::END_TO_END)?;
    let mut node = node_with_page(place)?;
    // One file at a time: two browsers on two cores would make every wait a guess. A test that
    // hangs ends after five minutes.
    node.args(["--test", "--test-concurrency=1", "--test-timeout=300000"]);
    node.arg("--test-reporter=spec").args(files);
    let mut tally = Tally::default();
    let exited_well = job::read_lines(&mut node, |line| tally.read_node(line))?;
    Ok(tally.close(exited_well))
}

/// A node command with the built page being served and the command line tool built; what the
/// scripts in tests/browser read from the environment is set here and described in its README.
pub(crate) fn node_with_page(place: &Place) -> Outcome<Command> {
    let folder = page::build_folder(place);
    if !folder.join("index.html").is_file() {
        build_page(place)?;
    }
    say("building the command line tool, whose digests the page must show too");
    let mut cargo = place.host("cargo");
    // with the features of the whole workspace, so that what the step test compiled is taken
    cargo.args(["build", "--quiet", "--workspace", "--bin", "reclaimscope", "--profile", "test"]);
    job::open("cargo build", &mut cargo)?;
    let browser = setup::find_browser(place).ok_or("There is no browser for the tests.")?;
    let site = Site::bind(&folder, 0)?;
    let mut node = place.host("node");
    node.env("RECLAIMSCOPE_URL", site.url());
    node.env("RECLAIMSCOPE_CLI", cli(place)).env("CHROMIUM", browser).env("NO_COLOR", "1");
    site.serve_in_background();
    Ok(node)
}

fn cli(place: &Place) -> PathBuf {
    place.target.join("debug").join(format!("reclaimscope{}", std::env::consts::EXE_SUFFIX))
}

/// The files of tests/browser with this ending, in order of name.
fn scripts(place: &Place, ending: &str) -> Outcome<Vec<OsString>> {
    let folder = place.root.join("tests/browser");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}.", folder.display()))?;
    let mut files: Vec<OsString> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ending))
        .map(|entry| entry.path().into_os_string())
        .collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Outcome<Plan> {
        Plan::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn all_steps_run_when_none_is_named() {
        let plan = parse(&["--fail-fast"]).unwrap();
        assert!(plan.fail_fast);
        assert_eq!(plan.steps, Step::ALL);
    }

    #[test]
    fn steps_run_in_the_order_given_and_an_unknown_one_is_named() {
        assert_eq!(parse(&["doc", "fmt"]).unwrap().steps, [Step::Doc, Step::Fmt]);
        assert!(parse(&["lint"]).unwrap_err().contains("'lint'"));
    }

    #[test]
    fn a_failed_step_is_remembered() {
        let steps = vec![
            (Step::Fmt, Tally::check(true), Duration::ZERO),
            (Step::Wasm, Tally::check(false), Duration::ZERO),
        ];
        let report = Report { steps };
        assert!(report.has_failed(Step::Wasm));
        assert!(!report.has_failed(Step::Fmt));
        assert!(!report.has_failed(Step::Browser));
    }
}
