//! Building the page with trunk, and weighing what a visitor loads.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::job;
use crate::place::Place;
use crate::progress::{Watch, in_words, say, warn};

/// What page and worker together may take, compressed as a good static host does. The aim is
/// 350,000, and it is missed. Where the bytes are, in thousands after brotli, each crate's
/// functions compressed together (inlined ones count where they went): the page's views 132, yew
/// 48, core, alloc and the like 103, mm and engine 78, worker and lab 75, scenario 23, report 19,
/// chart 12, serde 15, tables and texts 81. Without model and lab the page alone would already be
/// over the aim. This is what was reached, and 1 %.
const WASM_BUDGET: u64 = 594 * 1000;
/// What they took when somebody last looked where the bytes are.
const WASM_KNOWN: u64 = 588 * 1000;
/// More than this above what is known is told, whatever the budget: a dependency or a table that
/// came along by accident weighs so much.
const WASM_GROWTH: u64 = 25 * 1000;

/// Prints the brotli size of each file named on its command line, one a line.
const WEIGH: &str = "\
const { brotliCompressSync, constants } = require('node:zlib');
const { readFileSync } = require('node:fs');
for (const file of process.argv.slice(1)) {
  const text = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  console.log(brotliCompressSync(text, { params }).length);
}
";

/// Builds the page in release into `folder`. The tools must be there.
pub(crate) fn build(place: &Place, folder: &Path) -> Outcome {
    if !place.root.join("index.html").is_file() {
        return Err("There is no index.html to build the page from.".to_owned());
    }
    say("page: trunk build --release (usually 2 minutes the first time, seconds later)");
    let watch = Watch::start();
    let mut command = place.tool("trunk");
    command.args(["build", "--release", "--dist"]).arg(folder);
    command.env("TRUNK_SKIP_VERSION_CHECK", "true");
    // its report is progress; standard output is for the address or the sizes
    command.stdout(std::io::stderr());
    // trunk 0.21 reads NO_COLOR as true or false and stops at 1, which is what people set
    match std::env::var("NO_COLOR") {
        Ok(value) if value.is_empty() => command.env_remove("NO_COLOR"),
        Ok(_) => command.env("NO_COLOR", "true"),
        Err(_) => &mut command,
    };
    job::open("trunk build", &mut command)?;
    say(&format!("page: built in {} into {}", in_words(watch.elapsed()), folder.display()));
    Ok(())
}

/// Where `serve` and `test` build the page: apart from the `dist/` that `dist` leaves.
pub(crate) fn build_folder(place: &Place) -> PathBuf {
    place.target.join("site")
}

/// Prints the size of each file of a built page, and fails when its wasm is over budget.
pub(crate) fn weigh(place: &Place, folder: &Path) -> Outcome {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    // Earlier versions lie beside the page; nobody loads them with it.
    files.retain(|file| !file.starts_with(folder.join("v")));
    files.sort();
    let compressed = compressed_sizes(place, &files);
    if compressed.is_none() {
        warn("there is no node, so the compressed sizes are not known and not checked");
    }
    let mut table = format!("{:>10} {:>10}  file\n", "bytes", "brotli");
    let (mut all, mut all_brotli, mut wasm_brotli, mut wasms) = (0, 0, 0, 0);
    for (index, file) in files.iter().enumerate() {
        let raw = file.metadata().map_err(|e| format!("{}: {e}.", file.display()))?.len();
        let brotli = compressed.as_ref().map(|sizes| sizes[index]);
        let is_wasm = file.extension().is_some_and(|ending| ending == "wasm");
        all += raw;
        all_brotli += brotli.unwrap_or(0);
        if is_wasm {
            wasms += 1;
            wasm_brotli += brotli.unwrap_or(0);
        }
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        table.push_str(&format!("{raw:>10} {:>10}  {name}\n", known(brotli)));
    }
    let total = compressed.as_ref().map(|_| all_brotli);
    table.push_str(&format!("{all:>10} {:>10}  all {} files\n", known(total), files.len()));
    print!("{table}");
    if wasms == 0 {
        return Err(format!("There is no wasm in {}.", folder.display()));
    }
    if compressed.is_some() {
        println!("{wasms} wasm files: {wasm_brotli} bytes in brotli of {WASM_BUDGET} allowed");
    }
    if let Some(grown) = growth(wasm_brotli) {
        warn(&format!(
            "the wasm has grown by {grown} bytes in brotli over the {WASM_KNOWN} that \
             crates/xtask/src/page.rs knows of"
        ));
    }
    within_budget(wasm_brotli)
}

/// How much more it is than what is known, where that is a lot.
fn growth(wasm_brotli: u64) -> Option<u64> {
    wasm_brotli.checked_sub(WASM_KNOWN).filter(|&grown| grown >= WASM_GROWTH)
}

fn within_budget(wasm_brotli: u64) -> Outcome {
    if wasm_brotli <= WASM_BUDGET {
        return Ok(());
    }
    Err(format!(
        "The wasm of page and worker is {wasm_brotli} bytes in brotli; {WASM_BUDGET} are allowed."
    ))
}

fn known(size: Option<u64>) -> String {
    size.map_or_else(|| "?".to_owned(), |bytes| bytes.to_string())
}

/// `None` when there is no node to ask, or it answers something else.
fn compressed_sizes(place: &Place, files: &[PathBuf]) -> Option<Vec<u64>> {
    let answer = job::answer(place.host("node").arg("-e").arg(WEIGH).args(files))?;
    let sizes: Option<Vec<u64>> = answer.lines().map(|line| line.parse().ok()).collect();
    sizes.filter(|sizes| sizes.len() == files.len())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let unreadable = |e| format!("{} cannot be read: {e}.", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        // trunk's own staging folder begins with a dot
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_a_limit() {
        assert_eq!(within_budget(WASM_BUDGET), Ok(()));
        assert!(
            within_budget(WASM_BUDGET + 1).unwrap_err().contains(&(WASM_BUDGET + 1).to_string())
        );
    }

    #[test]
    fn growth_is_told_from_some_kilobytes_on() {
        assert_eq!(growth(WASM_KNOWN - 1), None);
        assert_eq!(growth(WASM_KNOWN + WASM_GROWTH - 1), None);
        assert_eq!(growth(WASM_KNOWN + WASM_GROWTH), Some(WASM_GROWTH));
    }

    #[test]
    fn a_folder_without_wasm_fails() {
        let folder = std::env::temp_dir().join(format!("xtask-page-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(folder.join("sub/index.html"), "<p>").unwrap();
        std::fs::write(folder.join(".hidden"), "x").unwrap();
        std::fs::create_dir_all(folder.join("v/0.1.0")).unwrap();
        let mut files = Vec::new();
        list(&folder, &mut files).unwrap();
        assert_eq!(files, [folder.join("sub/index.html")]);
        let place =
            Place { root: folder.clone(), cache: folder.clone(), target: folder.join("target") };
        // The wasm of an earlier version is none of this one.
        std::fs::write(folder.join("v/0.1.0/page.wasm"), "x").unwrap();
        assert!(weigh(&place, &folder).unwrap_err().contains("no wasm"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
