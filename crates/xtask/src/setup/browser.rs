//! Chromium for the end-to-end tests: the one on this machine, else the distribution's package.

use std::path::PathBuf;
use std::process::Command;

use crate::Outcome;
use crate::job::{self, Quiet};
use crate::place::Place;
use crate::progress::{say, warn};

/// Names that Chromium and Chrome are installed under.
const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/// Where they are on a Mac, which puts no browser on PATH.
const APPLICATIONS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/// With a font, so that text has a size.
const PACKAGES: [&str; 2] = ["chromium", "fonts-dejavu-core"];

/// The browser that the tests drive, if this machine has one.
pub(crate) fn find(place: &Place) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").filter(|value| !value.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let on_path = NAMES.iter().find_map(|name| place.which(name));
    on_path.or_else(|| APPLICATIONS.iter().map(PathBuf::from).find(|file| file.is_file()))
}

/// Makes sure that there is one that starts.
pub(super) fn bring(place: &Place) -> Outcome {
    let was_there = find(place).is_some();
    if !was_there {
        install(place)?;
    }
    let browser = find(place).ok_or_else(|| advice("none was found after installing it"))?;
    let version = job::answer(place.host(&browser).arg("--version"))
        .ok_or_else(|| advice(&format!("{} does not start", browser.display())))?;
    let skipped = if was_there { "skipped, there is " } else { "" };
    say(&format!("browser: {skipped}{version} ({})", browser.display()));
    Ok(())
}

fn install(place: &Place) -> Outcome {
    if place.which("apt-get").is_none() {
        return Err(advice("there is none, and no apt-get to install it with"));
    }
    say("browser: installing Debian's chromium (usually 1 minute, once)");
    let update = apt(place, &["update", "-qq"]);
    if (Quiet { name: "apt-update", usually: "10 seconds", limit: None })
        .run(place, update)
        .is_err()
    {
        warn("the package lists could not be renewed; trying with those at hand");
    }
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(PACKAGES);
    Quiet { name: "browser-install", usually: "1 minute", limit: None }
        .run(place, apt(place, &arguments))
        .map_err(|sentence| advice(&sentence))
}

/// apt-get as root: directly, or through sudo that must not ask.
fn apt(place: &Place, arguments: &[&str]) -> Command {
    let root = job::answer(place.host("id").arg("-u")).is_some_and(|id| id == "0");
    let mut command = if root { place.host("apt-get") } else { place.host("sudo") };
    if !root {
        command.args(["-n", "apt-get"]);
    }
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn advice(why: &str) -> String {
    format!(
        "The end-to-end tests need Chromium or Chrome: {why}. Install it with your system's \
         package manager, or name the program in CHROMIUM."
    )
}
