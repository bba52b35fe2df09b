//! `cargo xtask`: the project's only scripts.
//!
//! It installs what is missing, builds and serves the page, and runs everything that decides
//! whether the project is green. It has no dependency, so a fresh clone is under way in seconds.
//! What it installs lies in a cache outside the repository (see [`place`]); a second run finds it
//! there and says so. [`setup`] brings tools, [`page`] builds the page with them, [`site`] hands it
//! out over HTTP, and [`test`], [`soak`], [`bench`], [`dist`] and [`serve`] are the commands.

mod bench;
mod book;
mod dist;
mod hosted;
mod job;
mod page;
mod place;
mod progress;
mod serve;
mod setup;
mod site;
mod soak;
mod tally;
mod test;

use std::process::ExitCode;

/// A result whose error is a sentence for the person at the terminal.
type Outcome<T = ()> = Result<T, String>;

const HELP: &str = "\
cargo xtask COMMAND

  serve [--port N]        install what is missing, build the page in release, serve it
  test [STEP...]          all that decides green; steps: lock fmt tidy clippy test doc wasm browser
       [--fail-fast]      stop at the first step that fails (default: go on, to show everything)
  dist                    leave the page in dist/, for any static host; check its size
       [--single]         also as one file that opens from a disk, dist/reclaimscope.html
       [--link LINK]      at which scenario that file opens
       [--with TAG]       the builds of earlier tags too, each in dist/v/MODEL/
  book                    build the book of docs/ with mdbook, where that is installed
  soak                    what is too long for test: bigger counts, frame times
  bench [CASE...]         the engine's benchmark
  setup [PART...]         only install; parts: std tools opt browser npm

Settings (environment):
  RECLAIMSCOPE_CACHE      where tools are kept (default: ${XDG_CACHE_HOME:-~/.cache}/reclaimscope)
  RECLAIMSCOPE_WASM_STD   how the wasm32 standard library is had: auto (default), rustup, rust-src,
                          rustc-web; docs in crates/xtask/src/setup/wasm_std.rs
  CHROMIUM                the browser that the end-to-end tests drive (default: found on PATH)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(sentence) => {
            progress::error(&sentence);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome<ExitCode> {
    let Some((command, rest)) = arguments.split_first() else {
        print!("{HELP}");
        return Ok(ExitCode::from(2));
    };
    if matches!(command.as_str(), "help" | "-h" | "--help") {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let place = place::Place::find()?;
    match command.as_str() {
        "serve" => serve::run(&place, rest)?,
        "test" => return test::run(&place, rest),
        "dist" => dist::run(&place, rest)?,
        "book" => book::run(&place, rest)?,
        "soak" => return soak::run(&place, rest),
        "bench" => bench::run(&place, rest)?,
        "setup" => setup::run(&place, rest)?,
        other => return Err(format!("There is no command '{other}'; see cargo xtask help.")),
    }
    Ok(ExitCode::SUCCESS)
}
