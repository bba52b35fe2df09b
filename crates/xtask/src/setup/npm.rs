//! The node packages of package-lock.json, which the browser tests import, in `node_modules/` of
//! the repository. The page itself has none.

use crate::Outcome;
use crate::job::{self, Quiet};
use crate::place::{Place, write};
use crate::progress::say;

/// The oldest node with the test runner that the tests are written for.
const OLDEST_NODE: u32 = 20;

/// Installs what the lock file names, unless that was done before.
pub(super) fn bring(place: &Place) -> Outcome {
    let node = job::answer(place.host("node").arg("--version")).ok_or_else(|| wanted("none"))?;
    if major(&node).is_none_or(|number| number < OLDEST_NODE) {
        return Err(wanted(&node));
    }
    if place.which("npm").is_none() {
        return Err(wanted(&format!("{node} without npm")));
    }
    let lock = place.root.join("package-lock.json");
    let text = std::fs::read_to_string(&lock).map_err(|e| format!("{}: {e}.", lock.display()))?;
    let note = place.root.join("node_modules/.installed-lock.json");
    if std::fs::read_to_string(&note).is_ok_and(|installed| installed == text) {
        say("npm packages: skipped, node_modules is what package-lock.json says");
        return Ok(());
    }
    say("npm packages: npm ci (usually 5 seconds)");
    let mut command = place.host("npm");
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    Quiet { name: "npm-ci", usually: "5 seconds", limit: None }.run(place, command)?;
    write(&note, &text)
}

fn wanted(found: &str) -> String {
    format!(
        "The browser tests need node {OLDEST_NODE} or newer with npm (found: {found}); install it \
         from your distribution or nodejs.org."
    )
}

/// The 20 of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("20"), None);
    }
}
