//! wasm-opt, which makes the page's wasm smaller. The page works without it, so a machine where npm
//! cannot bring it gets a stand-in that copies its input, and a warning.

use std::path::Path;

use crate::Outcome;
use crate::job::{self, Quiet};
use crate::place::{Place, create_dir, write};
use crate::progress::{say, warn};

/// The npm package that wasm-opt comes in. Debian's older one cannot read what rustc writes today.
const BINARYEN: &str = "132.0.0";
/// The oldest release on PATH that is taken instead.
const OLDEST: u32 = 116;

/// What stands for wasm-opt where there is none: trunk calls it with `--output=FILE -Oz INPUT`.
const STAND_IN: &str = "#!/bin/sh
# Stands for wasm-opt where it cannot be had: copies its input unchanged.
for argument in \"$@\"; do
    case $argument in
        --version) echo 'wasm-opt version 0 (stand-in)'; exit 0;;
        --output=*) output=${argument#--output=};;
        -*) ;;
        *) input=$argument;;
    esac
done
exec cp \"$input\" \"$output\"
";

/// Makes sure that `bin/` or the host's path has a wasm-opt.
pub(super) fn bring(place: &Place) -> Outcome {
    let link = place.bin().join("wasm-opt");
    if let Some(version) = job::answer(place.host("wasm-opt").arg("--version"))
        && release(&version).is_some_and(|number| number >= OLDEST)
    {
        say(&format!("wasm-opt: skipped, PATH has {version}"));
        return unlink(&link);
    }
    let program = place.npm().join("node_modules/binaryen/bin/wasm-opt");
    let version = job::answer(place.host(&program).arg("--version")).unwrap_or_default();
    if release(&version) == release_of_package() {
        say(&format!(
            "wasm-opt: skipped, binaryen {BINARYEN} is already in {}",
            place.npm().display()
        ));
        return point(&link, &program);
    }
    let outcome = match place.which("npm") {
        Some(_) => install(place),
        None => Err("There is no npm to bring wasm-opt.".to_owned()),
    };
    match outcome {
        Ok(()) => point(&link, &program),
        Err(sentence) => {
            warn(&format!("{sentence} The page will work, but be larger than it need be."));
            unlink(&link)?;
            write(&link, STAND_IN)?;
            make_executable(&link)
        }
    }
}

fn install(place: &Place) -> Outcome {
    say(&format!("wasm-opt: binaryen {BINARYEN} from npm (usually 20 seconds, once)"));
    create_dir(&place.npm())?;
    let manifest = place.npm().join("package.json");
    if !manifest.is_file() {
        write(&manifest, "{\"private\":true}\n")?;
    }
    let mut command = place.host("npm");
    command.arg("install").arg("--prefix").arg(place.npm());
    command.args(["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"]);
    command.arg(format!("binaryen@{BINARYEN}"));
    Quiet { name: "npm-binaryen", usually: "20 seconds", limit: None }.run(place, command)
}

/// The number in `wasm-opt version 132 (version_132)`.
fn release(answer: &str) -> Option<u32> {
    answer.strip_prefix("wasm-opt version ")?.split_whitespace().next()?.parse().ok()
}

fn release_of_package() -> Option<u32> {
    BINARYEN.split('.').next()?.parse().ok()
}

fn unlink(link: &Path) -> Outcome {
    match std::fs::remove_file(link) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{} cannot be removed: {e}.", link.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn point(link: &Path, program: &Path) -> Outcome {
    unlink(link)?;
    std::os::unix::fs::symlink(program, link)
        .map_err(|e| format!("{} cannot be linked: {e}.", link.display()))
}

#[cfg(not(unix))]
fn point(link: &Path, program: &Path) -> Outcome {
    std::fs::copy(program, link).map(drop).map_err(|e| format!("{}: {e}.", link.display()))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
        .map_err(|e| format!("{}: {e}.", file.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Outcome {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_numbers_are_read() {
        assert_eq!(release("wasm-opt version 132 (version_132)"), Some(132));
        assert_eq!(release("wasm-opt version 108"), Some(108));
        assert_eq!(release(""), None);
        assert_eq!(release_of_package(), Some(132));
    }

    #[cfg(unix)]
    #[test]
    fn the_stand_in_copies_its_input() {
        let dir = std::env::temp_dir().join(format!("xtask-opt-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (script, input, output) = (dir.join("wasm-opt"), dir.join("in"), dir.join("out"));
        std::fs::write(&script, STAND_IN).unwrap();
        std::fs::write(&input, "bytes").unwrap();
        let mut command = std::process::Command::new("sh");
        command.arg(&script).arg(format!("--output={}", output.display()));
        command.arg("-Oz").arg(&input).arg("--enable-bulk-memory");
        assert!(command.status().unwrap().success());
        assert_eq!(std::fs::read_to_string(&output).unwrap(), "bytes");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
