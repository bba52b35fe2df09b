//! trunk and wasm-bindgen-cli, built from their published crates into the cache.
//!
//! Both are built quickly rather than well: trunk's own release profile has fat LTO and one
//! codegen unit. Neither gets TLS: they cannot download anything, and need not, since every tool
//! that trunk looks for is on the path that [`Place::tool`] sets.

use std::path::Path;

use crate::Outcome;
use crate::job::{self, Quiet};
use crate::place::{Place, remove_dir};
use crate::progress::{say, warn};

/// Trunk 0.22 asks for a newer compiler than the project does.
const TRUNK: &str = "0.21.14";
/// Their unoptimised code would make hashing of large files slow.
const HASHING: [&str; 3] = ["sha1", "sha2", "seahash"];

/// Builds what is missing or of another version.
pub(super) fn bring(place: &Place) -> Outcome {
    let built = bindgen(place)? | trunk(place)?;
    if built { remove_dir(&place.cache.join("target-tools")) } else { Ok(()) }
}

fn bindgen(place: &Place) -> Outcome<bool> {
    let lock = place.root.join("Cargo.lock");
    let text = std::fs::read_to_string(&lock).map_err(|e| format!("{}: {e}.", lock.display()))?;
    let version = locked_version(&text, "wasm-bindgen")
        .ok_or("Cargo.lock names no wasm-bindgen, so its command cannot be chosen.")?;
    if has(&place.bin().join("wasm-bindgen"), &format!("wasm-bindgen {version}"))
        && place.bin().join("wasm-bindgen-test-runner").exists()
    {
        say(&format!("wasm-bindgen-cli {version}: skipped, already in {}", place.bin().display()));
        return Ok(false);
    }
    say(&format!("wasm-bindgen-cli {version}: building it (usually 2 to 3 minutes, once)"));
    let build = Build { name: "wasm-bindgen-cli", version, opt_level: "1", usually: "2 minutes" };
    if build.run(place, true).is_err() {
        // The lock file inside the crate may name a dependency that a mirror lacks.
        warn("trying again with dependencies of cargo's own choice");
        build.run(place, false)?;
    }
    Ok(true)
}

fn trunk(place: &Place) -> Outcome<bool> {
    if has(&place.bin().join("trunk"), &format!("trunk {TRUNK}")) {
        say(&format!("trunk {TRUNK}: skipped, already in {}", place.bin().display()));
        return Ok(false);
    }
    say(&format!("trunk {TRUNK}: building it (usually 3 to 6 minutes on two cores, once)"));
    let build = Build { name: "trunk", version: TRUNK, opt_level: "0", usually: "3 to 6 minutes" };
    build.run(place, true)?;
    Ok(true)
}

fn has(program: &Path, version: &str) -> bool {
    let mut command = std::process::Command::new(program);
    job::answer(command.arg("--version")).is_some_and(|answer| answer == version)
}

struct Build<'a> {
    name: &'a str,
    version: &'a str,
    opt_level: &'a str,
    usually: &'a str,
}

impl Build<'_> {
    fn run(&self, place: &Place, locked: bool) -> Outcome {
        let mut command = place.host("cargo");
        // From the cache: the project's own cargo settings must not decide how tools are built.
        command.current_dir(&place.cache);
        for crate_name in HASHING {
            command.arg("--config");
            command.arg(format!("profile.release.package.{crate_name}.opt-level=2"));
        }
        command.args(["install", self.name, "--version", self.version, "--force"]);
        command.args(["--no-default-features", "--root"]).arg(&place.cache);
        if locked {
            command.arg("--locked");
        }
        command
            .env("CARGO_TARGET_DIR", place.cache.join("target-tools"))
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.opt_level);
        Quiet { name: self.name, usually: self.usually, limit: None }.run(place, command)
    }
}

/// The version of a package in the text of a Cargo.lock.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == name)?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_that_of_the_package_itself() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.129"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
