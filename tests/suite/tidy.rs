//! The rules of the source that no compiler checks: what a file opens with, how long it is, what
//! it must not mention. [`rules`] has one function a rule, each with tests of its own; this file
//! runs them over the files of the repository.

mod rules;
mod source;

use std::path::{Path, PathBuf};
use std::process::Command;

use source::SourceFile;

/// Files longer than the limit, to be split: this list only shrinks.
const LONG_FILES: &[&str] = &[];
/// Largest file that may be committed, in bytes.
const LARGEST_FILE: u64 = 1_000_000;
/// What a reader is promised.
const PAGES: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files that are committed or about to be, by their path in the repository.
fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root())
        .output()
        .expect("git lists the files of the repository");
    assert!(output.status.success(), "git ls-files failed: these tests need a git checkout");
    let list = String::from_utf8(output.stdout).expect("file names are text");
    // A file that was deleted but not yet committed so is still listed.
    let exists = |path: &&str| root().join(path).is_file();
    let mut files: Vec<String> = list.split('\0').filter(exists).map(ToOwned::to_owned).collect();
    files.sort();
    files.dedup();
    assert!(files.iter().any(|path| path == "Cargo.toml"), "the list of files has no Cargo.toml");
    files
}

/// The text files with one of the endings (all of them when none is given).
fn texts(endings: &[&str]) -> Vec<SourceFile> {
    let wanted =
        |path: &String| endings.is_empty() || endings.iter().any(|ending| path.ends_with(ending));
    let mut texts = Vec::new();
    for path in files().into_iter().filter(wanted) {
        let bytes = std::fs::read(root().join(&path)).expect("a listed file can be read");
        if let Ok(text) = String::from_utf8(bytes) {
            texts.push(SourceFile::new(&path, &text));
        }
    }
    assert!(!texts.is_empty(), "no file ends with {endings:?}");
    texts
}

/// Applies a rule to files and fails with everything that it found.
fn check(files: &[SourceFile], rule: impl Fn(&SourceFile) -> Vec<String>) {
    let found: Vec<String> = files.iter().flat_map(rule).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    check(&texts(&[".rs"]), rules::opens_with_doc);
}

#[test]
fn lines_are_not_too_wide() {
    check(&texts(&[".rs"]), rules::line_width);
}

#[test]
fn files_are_not_too_long() {
    check(&texts(&[".rs"]), |file| {
        if LONG_FILES.contains(&file.path()) { Vec::new() } else { rules::file_length(file) }
    });
}

#[test]
fn the_list_of_long_files_only_shrinks() {
    let files = texts(&[".rs"]);
    for path in LONG_FILES {
        let file = files.iter().find(|file| file.path() == *path);
        let file = file.unwrap_or_else(|| panic!("{path} is gone: take it off LONG_FILES"));
        assert!(
            !rules::file_length(file).is_empty(),
            "{path} is short now: take it off LONG_FILES"
        );
    }
}

#[test]
fn nothing_unfinished_or_out_of_place_is_mentioned() {
    check(&texts(&[]), rules::banned_words);
}

#[test]
fn no_file_is_huge() {
    for path in files() {
        let size = root().join(&path).metadata().expect("a listed file has a size").len();
        assert!(size <= LARGEST_FILE, "{path} has {size} bytes; {LARGEST_FILE} are allowed");
    }
}

#[test]
fn the_promised_pages_exist() {
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
        assert!(text.starts_with("# "), "{page} is missing or has no title");
    }
}

#[test]
fn only_the_platform_and_the_worker_touch_the_browser() {
    check(&texts(&[".rs"]), rules::browser_access);
}

#[test]
fn the_model_has_no_hash_order() {
    check(&texts(&[".rs"]), rules::hash_order);
}

#[test]
fn the_model_has_no_floats() {
    check(&texts(&[".rs"]), rules::floats);
}

#[test]
fn libraries_touch_nothing_outside() {
    check(&texts(&[".rs"]), rules::outside_access);
}

#[test]
fn the_bans_of_clippy_hold_everywhere() {
    // One inside a package would replace the one at the root.
    let lists: Vec<String> =
        files().into_iter().filter(|path| path.ends_with("clippy.toml")).collect();
    assert_eq!(lists, ["clippy.toml"]);
}
