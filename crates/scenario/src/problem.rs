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

/// Foreign text as a sentence repeats it: between backquotes, cut, and without characters that a
/// terminal or a page would act on instead of showing them.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (i, c) in text.chars().enumerate() {
        if i == QUOTE_MAX {
            out.push_str("...");
            break;
        }
        if is_format(c) {
            out.push_str(&format!("<U+{:04X}>", u32::from(c)));
        } else {
            out.push(if c.is_control() { '?' } else { c });
        }
    }
    out.push('`');
    out
}

/// A foreign name as the place of a problem: as [`quoted`] shows it, without quotes.
pub(crate) fn place(name: &str) -> String {
    let shown = quoted(name);
    match shown.trim_matches('`').trim() {
        "" => "(no name)".to_owned(),
        shown => shown.to_owned(),
    }
}

/// Characters that are invisible or turn the direction of what stands around them (Unicode's
/// general categories Cf, Zl, Zp, private use and unassigned noncharacters, and the fillers that
/// look like spaces).
fn is_format(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x34F | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x890..=0x891 | 0x8E2
        | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xE000..=0xF8FF | 0xFDD0..=0xFDEF
        | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0xFFFE..=0xFFFF
        | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A
        | 0xE0000..=0xE0FFF | 0xF0000..=0x10_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_cut_and_tamed() {
        assert_eq!(quoted("kx8"), "`kx8`");
        assert_eq!(quoted("a\u{1b}[31m"), "`a?[31m`");
        assert_eq!(quoted(&"x".repeat(1000)).len(), QUOTE_MAX + 5);
        assert_eq!(quoted("a\u{202e}b\u{200b}\u{feff}c"), "`a<U+202E>b<U+200B><U+FEFF>c`");
        assert_eq!(quoted("\u{e9}\u{4e2d}"), "`\u{e9}\u{4e2d}`");
    }
}
