//! One function a rule: each takes a file and returns what is wrong with it, a line each.

use super::source::SourceFile;

/// Longest line of Rust, in characters.
const WIDTH: usize = 100;
/// Longest file, in lines.
const LENGTH: usize = 600;
/// Longest file of the page and its worker.
const LENGTH_WEB: usize = 400;

/// Crates whose results must be the same bits everywhere.
const MODEL: [&str; 4] = ["crates/units", "crates/catalog", "crates/engine", "crates/mm"];
/// Crates that take values and give values.
const LIBRARIES: [&str; 8] = [
    "crates/units",
    "crates/catalog",
    "crates/engine",
    "crates/mm",
    "crates/scenario",
    "crates/report",
    "crates/chart",
    "crates/lab",
];
/// Where the browser may be called.
const PLATFORM: [&str; 2] = ["web/page/src/platform", "web/worker"];

/// Figures and lock files are not written by hand.
const NOT_PROSE: [&str; 2] = ["Cargo.lock", "package-lock.json"];
const DATA: [&str; 1] = ["tests/data"];

fn finding(file: &SourceFile, line: usize, sentence: &str) -> String {
    format!("{}:{line}: {sentence}", file.path())
}

/// The first line of a module says what it is for.
pub(super) fn opens_with_doc(file: &SourceFile) -> Vec<String> {
    if file.text().starts_with("//! ") {
        return Vec::new();
    }
    vec![finding(file, 1, "opens without a `//!` line that says what the module is for")]
}

/// Lines fit beside each other. A sentence in quotes is not broken: what stands beside it must fit.
pub(super) fn line_width(file: &SourceFile) -> Vec<String> {
    let sentence = |line: &str| {
        let quoted = line.split('"').skip(1).step_by(2);
        quoted.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    // A literal that goes on in the next line has a backslash at its end.
    let wide = |(_, line): &(usize, &str)| {
        !line.ends_with('\\') && line.chars().count() > WIDTH + sentence(line)
    };
    let lines = (1..).zip(file.text().lines()).filter(wide);
    lines.map(|(number, _)| finding(file, number, "is wider than 100 columns")).collect()
}

/// A file is read in one sitting.
pub(super) fn file_length(file: &SourceFile) -> Vec<String> {
    let limit = if file.is_in(&["web"]) { LENGTH_WEB } else { LENGTH };
    let lines = file.text().lines().count();
    if lines <= limit {
        return Vec::new();
    }
    vec![finding(file, lines, &format!("has {lines} lines; {limit} are allowed"))]
}

/// Words that have no place in the repository. They are put together here, since this file is
/// checked too. The first list is taken as written, the second in any case.
fn banned() -> (Vec<String>, Vec<String>) {
    let exact = ["TO+DO", "FIX+ME", "to+do!(", "unimple+mented!(", "#[ig+nore", "db+g!("];
    let any_case = [
        "../sha+red",
        "/wo+rk/",
        "/ro+ot/",
        "as an+ ai",
        "ai assis+tant",
        "coding ag+ent",
        "sub+agent",
        "language mo+del",
        "clau+de",
        "anthro+pic",
        "open+ai",
        "chat+gpt",
        "co+pilot",
    ];
    let whole = |words: &[&str]| words.iter().map(|word| word.replace('+', "")).collect();
    (whole(&exact), whole(&any_case))
}

/// Nothing unfinished, no path of one machine, nothing about how the text came about.
pub(super) fn banned_words(file: &SourceFile) -> Vec<String> {
    if NOT_PROSE.contains(&file.path()) || file.is_in(&DATA) {
        return Vec::new();
    }
    let (exact, any_case) = banned();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(file.text().lines()) {
        let lower = line.to_lowercase();
        let exact = exact.iter().filter(|word| line.contains(*word));
        let any_case = any_case.iter().filter(|word| lower.contains(*word));
        for word in exact.chain(any_case) {
            found.push(finding(file, number, &format!("mentions '{word}'")));
        }
    }
    found
}

/// Identifiers and numbers of a line of code, each with the character before it.
fn words(line: &str) -> impl Iterator<Item = (char, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + line[at..].find(is_word)?;
        let end = line[begin..].find(|c| !is_word(c)).map_or(line.len(), |length| begin + length);
        at = end;
        Some((line[..begin].chars().next_back().unwrap_or(' '), &line[begin..end]))
    })
}

fn mentions(file: &SourceFile, names: &[&str], sentence: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in file.code_lines() {
        for (_, word) in words(line).filter(|(_, word)| names.contains(word)) {
            found.push(finding(file, number, &format!("has `{word}`: {sentence}")));
        }
    }
    found
}

/// Everything but the platform and the worker can be tested without a browser.
pub(super) fn browser_access(file: &SourceFile) -> Vec<String> {
    if file.is_in(&PLATFORM) {
        return Vec::new();
    }
    let names = ["web_sys", "js_sys", "wasm_bindgen"];
    mentions(file, &names, "only web/page/src/platform and web/worker touch the browser")
}

/// Hash order differs from run to run.
pub(super) fn hash_order(file: &SourceFile) -> Vec<String> {
    if !file.is_in(&MODEL) {
        return Vec::new();
    }
    mentions(file, &["HashMap", "HashSet"], "its order differs from run to run; use a BTreeMap")
}

/// Integers only: floats round differently where the compiler or the machine differs.
pub(super) fn floats(file: &SourceFile) -> Vec<String> {
    if !file.is_in(&MODEL) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, line) in file.shipped_lines() {
        let bytes = line.as_bytes();
        for (before, word) in words(line) {
            let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
            let fraction = bytes.get(end) == Some(&b'.')
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                && before != '.';
            if is_float(word, fraction) {
                found.push(finding(file, number, &format!("has the float `{word}`")));
            }
        }
    }
    found
}

/// Whether a word is a float type or begins a float literal (`1` in `1.5`, `1e9`, `2f64`).
fn is_float(word: &str, has_fraction: bool) -> bool {
    if matches!(word, "f32" | "f64") {
        return true;
    }
    let is_decimal = word.starts_with(|c: char| c.is_ascii_digit())
        && !["0x", "0b", "0o"].iter().any(|radix| word.starts_with(radix));
    let is_exponent = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '_');
    is_decimal
        && (has_fraction
            || word.ends_with("f32")
            || word.ends_with("f64")
            || word.split_once(['e', 'E']).is_some_and(|(_, rest)| is_exponent(rest)))
}

/// Nothing below the command line and the page reads a file, a clock or the environment, starts a
/// thread by itself, or prints.
pub(super) fn outside_access(file: &SourceFile) -> Vec<String> {
    if !file.is_in(&LIBRARIES) {
        return Vec::new();
    }
    let paths = ["std::fs", "std::net", "std::process", "std::env", "std::thread", "std::time::I"];
    let macros = ["println!", "eprintln!", "print!", "eprint!"];
    let mut found = Vec::new();
    for (number, line) in file.shipped_lines() {
        for name in paths.iter().chain(&macros).filter(|name| line.contains(*name)) {
            found.push(finding(file, number, &format!("has `{name}`, which only cli may")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines on which the rule finds something in a file of this path and text.
    fn lines(rule: fn(&SourceFile) -> Vec<String>, path: &str, text: &str) -> Vec<usize> {
        let found = rule(&SourceFile::new(path, text));
        let line = |sentence: &String| {
            let rest = sentence.strip_prefix(path).and_then(|rest| rest.strip_prefix(':'))?;
            rest.split(':').next()?.parse().ok()
        };
        found.iter().map(|sentence| line(sentence).expect("a finding names its line")).collect()
    }

    #[test]
    fn a_module_opens_with_its_purpose() {
        assert!(lines(opens_with_doc, "a.rs", "//! What.\n").is_empty());
        assert_eq!(lines(opens_with_doc, "a.rs", "use x;\n//! What.\n"), [1]);
        assert_eq!(lines(opens_with_doc, "a.rs", ""), [1]);
    }

    #[test]
    fn width_is_counted_in_characters() {
        let text = format!("{}\n{}\n", "ä".repeat(100), "a".repeat(101));
        assert_eq!(lines(line_width, "a.rs", &text), [2]);
    }

    #[test]
    fn the_page_has_shorter_files() {
        let text = "x\n".repeat(500);
        assert!(lines(file_length, "crates/mm/src/lib.rs", &text).is_empty());
        assert_eq!(lines(file_length, "web/page/src/main.rs", &text), [500]);
        assert_eq!(lines(file_length, "crates/mm/src/lib.rs", &"x\n".repeat(601)), [601]);
    }

    #[test]
    fn banned_words_are_found_in_any_text_but_data() {
        let (exact, any_case) = banned();
        for word in exact.iter().chain(&any_case) {
            let text = format!("fine\na {word} b\n");
            assert_eq!(lines(banned_words, "README.md", &text), [2], "{word}");
            assert!(lines(banned_words, "tests/data/a.csv", &text).is_empty());
        }
        let shouted = any_case[0].to_uppercase();
        assert_eq!(lines(banned_words, "a.rs", &shouted), [1]);
        assert!(lines(banned_words, "a.rs", "what is left to do, a shared list\n").is_empty());
    }

    #[test]
    fn the_browser_is_touched_in_two_places() {
        let text = "// web_sys\nuse web_sys::Window;\nlet s = \"js_sys\";\nwasm_bindgen_test();\n";
        assert_eq!(lines(browser_access, "web/page/src/hook/run.rs", text), [2]);
        assert!(lines(browser_access, "web/page/src/platform/canvas.rs", text).is_empty());
        assert!(lines(browser_access, "web/worker/src/main.rs", text).is_empty());
    }

    #[test]
    fn hash_maps_are_found_in_the_model() {
        let text = "use std::collections::HashMap;\nlet x: BTreeMap<u8, u8>;\n";
        assert_eq!(lines(hash_order, "crates/mm/src/lib.rs", text), [1]);
        assert!(lines(hash_order, "crates/cli/src/main.rs", text).is_empty());
    }

    #[test]
    fn floats_are_found_and_look_alikes_are_not() {
        let text = "fn a(x: f64) {}\nlet b = 1.5;\nlet c = 1e9;\nlet d = 2f32;\nlet e = 3_f64;\n";
        assert_eq!(lines(floats, "crates/engine/src/a.rs", text), [1, 2, 3, 4, 5]);
        let fine = "x.0.1; 0..5; 0x1f64; 0xe9; 1u64; \"4.16\"; as_f64; // 1.5\nt.0.min(3)\n";
        assert!(lines(floats, "crates/engine/src/a.rs", fine).is_empty());
        assert!(lines(floats, "crates/report/src/a.rs", text).is_empty());
        let in_test = "#[cfg(test)]\nmod tests {\n    const A: f64 = 1.5;\n}\n";
        assert!(lines(floats, "crates/engine/src/a.rs", in_test).is_empty());
    }

    #[test]
    fn input_and_output_are_found_in_libraries() {
        let text = "use std::fs;\nprintln!(\"x\");\nlet t = std::time::Instant::now();\n";
        assert_eq!(lines(outside_access, "crates/lab/src/run.rs", text), [1, 2, 3]);
        assert!(lines(outside_access, "crates/cli/src/main.rs", text).is_empty());
        assert!(lines(outside_access, "crates/lab/src/run.rs", "std::time::Duration\n").is_empty());
    }
}
