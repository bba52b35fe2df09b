//! Bringing what is needed to build, serve and test the page; what is there already is skipped.
//!
//! Every part says what it does, how long that usually takes, or what it found. Nothing is written
//! into the repository but `node_modules/` (by the part `npm`), and the system is changed only by
//! `rustup target add` and by the distribution's package manager.

mod browser;
mod npm;
mod opt;
mod tools;
mod wasm_std;

use std::fs::File;
use std::path::PathBuf;

use crate::Outcome;
use crate::place::{Place, create_dir, write};
use crate::progress::{Watch, in_words, say};

pub(crate) use browser::find as find_browser;

/// One thing that can be installed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The wasm32 standard library.
    Std,
    /// trunk and wasm-bindgen-cli.
    Tools,
    /// wasm-opt.
    Opt,
    /// Chromium.
    Browser,
    /// The node packages that the browser tests import.
    Npm,
}

impl Part {
    const ALL: [(&'static str, Self); 5] = [
        ("std", Self::Std),
        ("tools", Self::Tools),
        ("opt", Self::Opt),
        ("browser", Self::Browser),
        ("npm", Self::Npm),
    ];

    /// What building the page takes.
    pub(crate) const BUILD: [Self; 3] = [Self::Std, Self::Tools, Self::Opt];
    /// What the end-to-end tests take beside that.
    pub(crate) const END_TO_END: [Self; 2] = [Self::Browser, Self::Npm];

    fn parse(name: &str) -> Outcome<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, part)| *part)
            .ok_or_else(|| format!("There is no part '{name}': std tools opt browser npm."))
    }
}

/// The command `setup`.
pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    let mut parts = Vec::new();
    for name in arguments {
        parts.push(Part::parse(name)?);
    }
    if parts.is_empty() {
        parts.extend(Part::ALL.map(|(_, part)| part));
    }
    bring(place, &parts)?;
    say(&format!("For the same tools in a shell: . {}", env_file(place).display()));
    Ok(())
}

/// Brings the parts, one run at a time for the whole cache.
pub(crate) fn bring(place: &Place, parts: &[Part]) -> Outcome {
    let watch = Watch::start();
    create_dir(&place.bin())?;
    let _lock = lock(place)?;
    for part in parts {
        match part {
            Part::Std => wasm_std::bring(place)?,
            Part::Tools => tools::bring(place)?,
            Part::Opt => opt::bring(place)?,
            Part::Browser => browser::bring(place)?,
            Part::Npm => npm::bring(place)?,
        }
    }
    if parts.contains(&Part::Std) {
        wasm_std::drop_stale_crates(place)?;
    }
    write(&env_file(place), &env_text(place))?;
    say(&format!("set-up is complete after {}", in_words(watch.elapsed())));
    Ok(())
}

/// Held while the cache is changed; another run waits for it.
fn lock(place: &Place) -> Outcome<File> {
    let path = place.cache.join(".lock");
    let file = File::create(&path).map_err(|e| format!("{}: {e}.", path.display()))?;
    if file.try_lock().is_err() {
        say("waiting for another set-up to finish");
        file.lock().map_err(|e| format!("{} cannot be locked: {e}.", path.display()))?;
    }
    Ok(file)
}

fn env_file(place: &Place) -> PathBuf {
    place.cache.join("env.sh")
}

fn env_text(place: &Place) -> String {
    let mut dirs = String::new();
    if place.has_private_toolchain() {
        dirs = format!("{}:", place.toolchain().join("bin").display());
    }
    let dirs = format!("{dirs}{}", place.bin().display());
    let mut text = format!(
        "# Written by cargo xtask; source it.\n\
         case \":$PATH:\" in *\":{dirs}:\"*) ;; *) PATH=\"{dirs}:$PATH\";; esac; export PATH\n\
         # trunk 0.21 takes NO_COLOR=true, but stops at NO_COLOR=1\n\
         if [ \"${{NO_COLOR:-}}\" = 1 ]; then export NO_COLOR=true; fi\n\
         export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner\n\
         export TRUNK_SKIP_VERSION_CHECK=true\n"
    );
    if let Some(browser) = find_browser(place) {
        text.push_str(&format!("export CHROMIUM=\"{}\"\n", browser.display()));
    }
    if let Some(driver) = place.which("chromedriver") {
        text.push_str(&format!("export CHROMEDRIVER=\"{}\"\n", driver.display()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_name_that_parses_back() {
        for (name, part) in Part::ALL {
            assert_eq!(Part::parse(name), Ok(part));
        }
        assert!(Part::parse("trunk").unwrap_err().contains("'trunk'"));
    }
}
