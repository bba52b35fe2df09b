//! Where things are: the repository, the build folder, and the cache outside the repository.
//!
//! The cache (`$RECLAIMSCOPE_CACHE`, else `$XDG_CACHE_HOME/reclaimscope`, else
//! `~/.cache/reclaimscope`) holds what takes minutes to make and serves every clone:
//!
//! | path | what |
//! |---|---|
//! | `bin/` | trunk, wasm-bindgen, wasm-bindgen-test-runner, a link to wasm-opt |
//! | `npm/` | binaryen, which wasm-opt comes from |
//! | `toolchain/` | only where rustup cannot bring the wasm32 standard library: see `wasm_std` |
//! | `std-how` | which way the standard library is had |
//! | `env.sh` | to be sourced by a person who wants the same tools in a shell |
//! | `logs/` | output of the last installation of each part |

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// The folders that the commands work in.
pub(crate) struct Place {
    /// The repository.
    pub(crate) root: PathBuf,
    /// Tools kept outside the repository.
    pub(crate) cache: PathBuf,
    /// Cargo's build folder.
    pub(crate) target: PathBuf,
}

impl Place {
    /// Reads the environment; the repository is the one whose xtask this is.
    pub(crate) fn find() -> Outcome<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let start = match package {
            Some(dir) => dir,
            None => std::env::current_dir().map_err(|e| format!("No current folder: {e}."))?,
        };
        let root = start
            .ancestors()
            .find(|dir| dir.join("Cargo.lock").is_file() && dir.join("crates/xtask").is_dir())
            .ok_or("The repository was not found; run cargo xtask inside of it.")?
            .to_path_buf();
        let target = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"]
            .into_iter()
            .find_map(filled)
            .map_or_else(|| root.join("target"), |dir| absolute(Path::new(&dir)));
        let cache = match (filled("RECLAIMSCOPE_CACHE"), filled("XDG_CACHE_HOME"), filled("HOME")) {
            (Some(cache), _, _) => absolute(Path::new(&cache)),
            (None, Some(xdg), _) => Path::new(&xdg).join("reclaimscope"),
            (None, None, Some(home)) => Path::new(&home).join(".cache/reclaimscope"),
            (None, None, None) => {
                return Err("No cache folder: set RECLAIMSCOPE_CACHE or HOME.".to_owned());
            }
        };
        Ok(Self { root, cache, target })
    }

    /// Programs that were built or linked for this project.
    pub(crate) fn bin(&self) -> PathBuf {
        self.cache.join("bin")
    }

    /// The node package that is a tool (binaryen), not a test's.
    pub(crate) fn npm(&self) -> PathBuf {
        self.cache.join("npm")
    }

    /// Output of installations.
    pub(crate) fn logs(&self) -> PathBuf {
        self.cache.join("logs")
    }

    /// The private copy of the compiler, where there is one.
    pub(crate) fn toolchain(&self) -> PathBuf {
        self.cache.join("toolchain")
    }

    /// Which way the wasm32 standard library is had, as the set-up left it; `host` needs no more.
    pub(crate) fn std_how(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.cache.join("std-how")).ok()?;
        Some(text.trim().to_owned())
    }

    /// Notes which way the standard library is had.
    pub(crate) fn set_std_how(&self, how: &str) -> Outcome {
        write(&self.cache.join("std-how"), &format!("{how}\n"))
    }

    /// Whether wasm is compiled by the private copy of the compiler.
    pub(crate) fn has_private_toolchain(&self) -> bool {
        self.std_how().is_some_and(|how| how != "host")
            && self.toolchain().join("bin/rustc").exists()
    }

    /// The search path without the cache's own folders: an earlier `. env.sh` may have put them
    /// first, and the host's compiler is the one that stands there without them.
    pub(crate) fn host_path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        join(std::env::split_paths(&path).filter(|dir| !dir.starts_with(&self.cache)))
    }

    /// The host's search path with the project's tools before it.
    pub(crate) fn tool_path(&self) -> OsString {
        let mut dirs = Vec::new();
        if self.has_private_toolchain() {
            dirs.push(self.toolchain().join("bin"));
        }
        dirs.push(self.bin());
        dirs.extend(std::env::split_paths(&self.host_path()));
        join(dirs)
    }

    /// A command on the host, in the repository (whose toolchain file decides which compiler
    /// counts).
    pub(crate) fn host(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(resolve(program.as_ref(), &self.host_path()));
        command.env("PATH", self.host_path()).current_dir(&self.root);
        command
    }

    /// A command that compiles or handles wasm: the project's tools first.
    pub(crate) fn tool(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(resolve(program.as_ref(), &self.tool_path()));
        command.env("PATH", self.tool_path()).current_dir(&self.root);
        if self.has_private_toolchain() {
            self.use_private_toolchain(&mut command);
        }
        command
    }

    /// Cargo and rustup put the host compiler's libraries on the loader's path, and rustc takes
    /// the folder that its library came from as its sysroot: the private copy would look for the
    /// wasm32 library in the host's sysroot.
    pub(crate) fn use_private_toolchain(&self, command: &mut Command) {
        command.env_remove("RUSTUP_TOOLCHAIN");
        let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") else { return };
        let rest = join(std::env::split_paths(&libraries).filter(|dir| {
            let holds_compiler = std::fs::read_dir(dir).is_ok_and(|entries| {
                entries
                    .flatten()
                    .any(|entry| entry.file_name().to_string_lossy().starts_with("librustc_driver"))
            });
            !holds_compiler
        }));
        if rest.is_empty() {
            command.env_remove("LD_LIBRARY_PATH");
        } else {
            command.env("LD_LIBRARY_PATH", rest);
        }
    }

    /// Where the host has a program, if it has.
    pub(crate) fn which(&self, program: &str) -> Option<PathBuf> {
        search(OsStr::new(program), &self.host_path())
    }
}

/// Writes a small file, with an error that names it.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|e| format!("{} cannot be written: {e}.", path.display()))
}

/// Creates a folder and those above it, with an error that names it.
pub(crate) fn create_dir(path: &Path) -> Outcome {
    std::fs::create_dir_all(path)
        .map_err(|e| format!("The folder {} cannot be made: {e}.", path.display()))
}

/// Removes a folder if it is there.
pub(crate) fn remove_dir(path: &Path) -> Outcome {
    match std::fs::remove_dir_all(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("The folder {} cannot be removed: {e}.", path.display()))
        }
        _ => Ok(()),
    }
}

fn filled(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn join(dirs: impl IntoIterator<Item = PathBuf>) -> OsString {
    std::env::join_paths(dirs).expect("parts of a search path hold no separator")
}

/// `Command` searches the parent's path, not the one that it sets for the child.
fn resolve(program: &OsStr, path: &OsStr) -> PathBuf {
    search(program, path).unwrap_or_else(|| PathBuf::from(program))
}

fn search(program: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Path::new(program).is_file().then(|| PathBuf::from(program));
    }
    std::env::split_paths(path).map(|dir| dir.join(program)).find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_given_path_only() {
        assert!(search(OsStr::new("sh"), OsStr::new("/nowhere:/bin")).is_some());
        assert!(search(OsStr::new("sh"), OsStr::new("/nowhere")).is_none());
        assert!(search(OsStr::new("no-such-program"), OsStr::new("/bin")).is_none());
    }

    #[test]
    fn the_host_path_leaves_out_the_cache() {
        let place = Place {
            root: PathBuf::from("/r"),
            cache: PathBuf::from("/bin"),
            target: PathBuf::from("/t"),
        };
        let kept: Vec<_> = std::env::split_paths(&place.host_path()).collect();
        assert!(!kept.contains(&PathBuf::from("/bin")));
        assert_eq!(place.bin(), PathBuf::from("/bin/bin"));
    }
}
