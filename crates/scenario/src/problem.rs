//! What is wrong with one place of a scenario, in a sentence.

use core::fmt;
use serde::{Deserialize, Serialize};

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The place: a control's key, `nodes_detail[1].cpus`, `token 4`, `zoneinfo line 30`.
    pub path: String,
    /// What is wrong there, with the value and what would be right.
    pub sentence: String,
}

impl Problem {
    /// A problem at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { path: path.into(), sentence: sentence.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.sentence)
    }
}

/// The longest piece of foreign text that a sentence repeats, in characters.
const QUOTE_MAX: usize = 40;

/// Foreign text as a sentence repeats it: between backquotes, cut, and without control characters.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (i, c) in text.chars().enumerate() {
        if i == QUOTE_MAX {
            out.push_str("...");
            break;
        }
        out.push(if c.is_control() { '?' } else { c });
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_cut_and_tamed() {
        assert_eq!(quoted("kx8"), "`kx8`");
        assert_eq!(quoted("a\u{1b}[31m"), "`a?[31m`");
        assert_eq!(quoted(&"x".repeat(1000)).len(), QUOTE_MAX + 5);
    }
}
