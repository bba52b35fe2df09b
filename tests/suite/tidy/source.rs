//! A source file as the rules see it: its text, and its code without comments and literals.

/// A text file of the repository.
pub(crate) struct SourceFile {
    path: String,
    text: String,
    code: String,
}

impl SourceFile {
    /// `path` is relative to the repository, with `/` between folders.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let code = if path.ends_with(".rs") { code_only(text) } else { String::new() };
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Numbered lines of the code: comments and what is between quotes are blank.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines())
    }

    /// The same without the test modules, for rules about what ships.
    pub(crate) fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let name = self.path.rsplit('/').next().unwrap_or("");
        let is_test = name == "tests.rs"
            || name.ends_with("_tests.rs")
            || self.path.split('/').any(|part| ["tests", "benches", "examples"].contains(&part));
        let mut skipping = is_test;
        let mut after_attribute = false;
        self.code_lines().filter(move |(_, line)| {
            if is_test {
                return false;
            }
            if skipping {
                // rustfmt puts the end of a module into the first column
                skipping = *line != "}";
                return false;
            }
            if *line == "#[cfg(test)]" {
                after_attribute = true;
                return false;
            }
            if after_attribute && !line.starts_with("#[") {
                after_attribute = false;
                skipping = line.ends_with('{');
                return false;
            }
            true
        })
    }

    /// Whether it lies in one of these folders.
    pub(crate) fn is_in(&self, folders: &[&str]) -> bool {
        folders
            .iter()
            .any(|folder| self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// Blanks comments, strings and characters; every line keeps its number and its columns.
fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = blank_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
            continue;
        }
        for &c in &chars[at..end] {
            code.push(if c == '\n' { '\n' } else { ' ' });
        }
        at = end;
    }
    code
}

/// Where the comment or literal that begins at `at` ends; `at` itself when none begins there.
fn blank_end(chars: &[char], at: usize) -> usize {
    let rest = &chars[at..];
    let in_word = at > 0 && is_word(chars[at - 1]);
    match rest {
        ['/', '/', ..] => at + rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => at + block_comment(rest),
        ['"', ..] => at + quoted(rest, '"'),
        ['\'', ..] => at + character(rest),
        ['r', '"' | '#', ..] if !in_word => at + raw_string(rest, 1),
        ['b' | 'c', 'r', '"' | '#', ..] if !in_word => at + raw_string(rest, 2),
        _ => at,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A character literal, or 0 for a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => quoted(rest, '\''),
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    }
}

/// A raw string whose hashes begin at `prefix`, or 0 for a raw identifier.
fn raw_string(rest: &[char], prefix: usize) -> usize {
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let body = prefix + hashes + 1;
    if rest.get(body - 1) != Some(&'"') {
        return 0;
    }
    let is_end = |at: &usize| {
        rest[*at] == '"'
            && rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    (body..rest.len()).find(is_end).map_or(rest.len(), |at| at + 1 + hashes)
}

#[test]
fn comments_and_literals_are_blank() {
    for (text, code) in [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ \n d */ e", "a              \n      e"),
        (r#"f("x\"y", 'z', '\'') + 'a"#, "f(      ,    ,     ) + 'a"),
        (r##"r#"a"b"# + br"c" + r#type"##, "         +       + r#type"),
        ("for_r\"x\"", "for_r   "),
        ("'\"' + \"'\"", "    +    "),
    ] {
        assert_eq!(code_only(text), code, "{text}");
    }
}

#[test]
fn an_open_end_is_no_panic() {
    for text in ["\"abc", "/* x", "r#\"x", "'\\", "b", "r#", "'"] {
        assert_eq!(code_only(text).chars().count(), text.chars().count());
    }
}

#[test]
fn test_modules_do_not_ship() {
    let text = "a\n#[cfg(test)]\nmod x;\nb\n#[cfg(test)]\n#[rustfmt::skip]\nmod y {\n    c\n}\nd\n";
    let lines = |path: &str| -> Vec<String> {
        SourceFile::new(path, text).shipped_lines().map(|(n, line)| format!("{n}{line}")).collect()
    };
    assert_eq!(lines("crates/mm/src/lru.rs"), ["1a", "4b", "6#[rustfmt::skip]", "10d"]);
    assert!(lines("crates/mm/src/lru/tests.rs").is_empty());
    assert!(lines("crates/mm/tests/oracle.rs").is_empty());
}

#[test]
fn a_folder_is_not_a_prefix_of_a_name() {
    let file = SourceFile::new("crates/mmap/src/lib.rs", "");
    assert!(!file.is_in(&["crates/mm"]));
    assert!(file.is_in(&["crates/mm", "crates/mmap"]));
}
