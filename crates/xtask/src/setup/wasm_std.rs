//! The standard library for wasm32-unknown-unknown. The first of these ways that works is taken:
//!
//! | `RECLAIMSCOPE_WASM_STD` | way | usual cost |
//! |---|---|---|
//! | | the compiler has it already | none |
//! | `rustup` | `rustup target add`, as everybody does | 5 s |
//! | `rust-src` | Debian's sources of exactly this compiler's version, compiled by it | 1 min |
//! | `rustc-web` | Debian's own compiler for the web, its library compiled by it | 2 min |
//!
//! `auto`, the default, tries them in this order; naming one tries that one only. The two Debian
//! ways are for machines that reach a distribution's packages but not Rust's own servers; they are
//! `crates/xtask/debian-std.sh`, and end in `toolchain/` of the cache: there, a copy of the
//! compiler (hard links) has the wasm32 library beside the host's, and only wasm is compiled by it.

use std::path::PathBuf;
use std::time::Duration;

use crate::Outcome;
use crate::job::{self, Quiet};
use crate::place::{Place, create_dir, remove_dir, write};
use crate::progress::{say, warn};

/// What the page is compiled for.
const TARGET: &str = "wasm32-unknown-unknown";
/// `rustup target add` may hang where its server cannot be reached.
const RUSTUP_LIMIT: Duration = Duration::from_secs(300);
/// A program that needs core, alloc and std to link.
const PROBE: &str = "fn main() { println!(\"{:?}\", std::time::Duration::from_millis(1)); }\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Auto,
    Rustup,
    RustSrc,
    RustcWeb,
}

impl Mode {
    fn from_environment() -> Outcome<Self> {
        match std::env::var("RECLAIMSCOPE_WASM_STD") {
            Ok(name) => Self::parse(&name),
            Err(_) => Ok(Self::Auto),
        }
    }

    fn parse(name: &str) -> Outcome<Self> {
        match name {
            "" | "auto" => Ok(Self::Auto),
            "rustup" => Ok(Self::Rustup),
            "rust-src" => Ok(Self::RustSrc),
            "rustc-web" => Ok(Self::RustcWeb),
            other => Err(format!(
                "RECLAIMSCOPE_WASM_STD is '{other}': auto, rustup, rust-src or rustc-web."
            )),
        }
    }

    /// Whether the host's own compiler will do.
    fn takes_host(self) -> bool {
        matches!(self, Self::Auto | Self::Rustup)
    }

    /// Whether a copy made earlier in this way will do.
    fn takes_copy(self, how: &str) -> bool {
        match self {
            Self::Auto => true,
            Self::Rustup => false,
            Self::RustSrc => how.starts_with("rust-src "),
            Self::RustcWeb => how.starts_with("rustc-web "),
        }
    }
}

/// Makes sure that the library is there, in the way that the environment asks for.
pub(super) fn bring(place: &Place) -> Outcome {
    let mode = Mode::from_environment()?;
    let compiler = job::answer(place.host("rustc").arg("--version")).ok_or(
        "There is no working rustc on PATH; install Rust first (rustup, stable toolchain).",
    )?;
    if mode.takes_host() && works(place, None) {
        say(&format!("std: skipped, {compiler} has {TARGET} already"));
        return place.set_std_how("host");
    }
    if copy_is_current(place, mode) && works(place, Some(place.toolchain())) {
        say(&format!(
            "std: skipped, already in {} ({})",
            place.toolchain().display(),
            place.std_how().unwrap_or_default()
        ));
        return Ok(());
    }
    if mode.takes_host() && from_rustup(place) {
        return place.set_std_how("host");
    }
    for (name, wanted) in [("rust-src", Mode::RustSrc), ("rustc-web", Mode::RustcWeb)] {
        if (mode == Mode::Auto || mode == wanted) && from_debian(place, name) {
            return Ok(());
        }
    }
    Err(format!(
        "The standard library for {TARGET} could not be had (mode {mode:?}, logs in {}). Install \
         it by hand with 'rustup target add {TARGET}' on a machine that reaches Rust's servers, \
         or with your distribution's package for it, and run this again.",
        place.logs().display()
    ))
}

fn from_rustup(place: &Place) -> bool {
    if place.which("rustup").is_none() {
        say("std: there is no rustup here");
        return false;
    }
    say(&format!("std: rustup target add {TARGET} (usually 5 seconds)"));
    let mut command = place.host("rustup");
    command.args(["target", "add", TARGET]).env("RUST_BACKTRACE", "0");
    let job = Quiet { name: "rustup-target-add", usually: "seconds", limit: Some(RUSTUP_LIMIT) };
    if job.run(place, command).is_ok() && works(place, None) {
        return true;
    }
    say("std: rustup could not bring it");
    false
}

fn from_debian(place: &Place, way: &str) -> bool {
    say(&format!("std: trying Debian's {way} (usually 1 to 2 minutes, once)"));
    let mut command = place.host("bash");
    command.arg(place.root.join("crates/xtask/debian-std.sh")).arg(way);
    command.env("CACHE", &place.cache).env("TARGET", TARGET);
    // The script runs the private compiler by its path; see Place::use_private_toolchain.
    place.use_private_toolchain(&mut command);
    if let Some(toolchain) = std::env::var_os("RUSTUP_TOOLCHAIN") {
        // It also asks the host's compiler, which rustup chooses by this name.
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    if let Err(sentence) = job::open(way, &mut command) {
        warn(&sentence);
        return false;
    }
    works(place, Some(place.toolchain()))
}

/// Whether the copy was made in a way that will do, from the compiler that is still the host's.
fn copy_is_current(place: &Place, mode: Mode) -> bool {
    let made_from = std::fs::read_to_string(place.toolchain().join(".made-from"));
    let how = place.std_how().unwrap_or_default();
    let host = job::answer(place.host("rustc").arg("-vV"));
    match (made_from, host) {
        (Ok(made_from), Some(host)) => {
            mode.takes_copy(&how) && made_from.split_whitespace().eq(host.split_whitespace())
        }
        _ => false,
    }
}

/// Whether the host's compiler, or the one in `toolchain`, can make a wasm program.
fn works(place: &Place, toolchain: Option<PathBuf>) -> bool {
    let dir = place.cache.join("probe");
    if create_dir(&dir).is_err() || write(&dir.join("probe.rs"), PROBE).is_err() {
        return false;
    }
    let mut command = match toolchain {
        None => place.host("rustc"),
        Some(toolchain) => {
            let mut command = place.host(toolchain.join("bin/rustc"));
            place.use_private_toolchain(&mut command);
            command
        }
    };
    command.args(["--target", TARGET, "-O", "-o"]);
    command.arg(dir.join("probe.wasm")).arg(dir.join("probe.rs"));
    let works = job::succeeds(&mut command);
    // A leftover probe does no harm.
    let _ = remove_dir(&dir);
    works
}

/// Cargo cannot see that the library was replaced (it looks at `rustc -vV` only), and crates
/// compiled against another build of it fail with E0460. So compiled wasm crates are removed when
/// the library is not the one that they were made with.
pub(super) fn drop_stale_crates(place: &Place) -> Outcome {
    let dir = place.target.join(TARGET);
    let now = library_id(place)?;
    let note = dir.join(".std-id");
    if dir.is_dir() && std::fs::read_to_string(&note).unwrap_or_default() != now {
        say(&format!(
            "std: it changed; removing the wasm crates compiled earlier ({})",
            dir.display()
        ));
        remove_dir(&dir)?;
    }
    create_dir(&dir)?;
    write(&note, &now)
}

/// Names and sizes of core's and std's files; their names hold a hash of what they were made from.
fn library_id(place: &Place) -> Outcome<String> {
    let missing = || format!("The library folder of {TARGET} cannot be read.");
    let folder =
        job::answer(place.tool("rustc").args(["--print", "target-libdir", "--target", TARGET]))
            .ok_or_else(missing)?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|_| missing())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("libcore-") || name.starts_with("libstd-") {
            let size = entry.metadata().map_err(|_| missing())?.len();
            files.push(format!("{name} {size}\n"));
        }
    }
    files.sort();
    Ok(files.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_parse_and_an_unknown_one_is_named() {
        assert_eq!(Mode::parse(""), Ok(Mode::Auto));
        assert_eq!(Mode::parse("rust-src"), Ok(Mode::RustSrc));
        assert!(Mode::parse("debian").unwrap_err().contains("'debian'"));
    }

    #[test]
    fn a_copy_made_another_way_is_not_taken() {
        assert!(Mode::Auto.takes_copy("rustc-web 1.96.0"));
        assert!(Mode::RustSrc.takes_copy("rust-src rust-src=1.95.0"));
        assert!(!Mode::RustSrc.takes_copy("rustc-web 1.96.0"));
        assert!(!Mode::Rustup.takes_copy("rust-src rust-src=1.95.0"));
    }
}
