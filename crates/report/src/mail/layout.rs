//! Lines of a mail: ASCII, within the columns.

use super::WIDTH;

/// Lines that are being written.
#[derive(Debug, Default)]
pub(super) struct Page(Vec<String>);

impl Page {
    /// A line as it stands, wrapped only where it would be too long.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let text = ascii(text.as_ref());
        if text.len() <= WIDTH {
            self.0.push(text.trim_end().to_owned());
        } else {
            self.paragraph(&text);
        }
    }

    /// A line that must not be broken, however long.
    pub(super) fn unbroken(&mut self, text: impl AsRef<str>) {
        self.0.push(ascii(text.as_ref()));
    }

    /// An empty line, never two in a row.
    pub(super) fn gap(&mut self) {
        if self.0.last().is_some_and(|line| !line.is_empty()) {
            self.0.push(String::new());
        }
    }

    /// Words over as many lines as they need.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.hanging("", text);
    }

    /// A beginning and words behind it, which stay behind it on further lines.
    pub(super) fn hanging(&mut self, beginning: &str, text: &str) {
        let indent = beginning.len().min(WIDTH / 2);
        let mut line = ascii(beginning);
        let mut fresh = true;
        for word in ascii(text).split_ascii_whitespace() {
            for piece in pieces(word, WIDTH - indent) {
                let gap = usize::from(!fresh);
                if !fresh && line.len() + gap + piece.len() > WIDTH {
                    self.0.push(line.trim_end().to_owned());
                    line = " ".repeat(indent);
                } else if !fresh {
                    line.push(' ');
                }
                line.push_str(piece);
                fresh = false;
            }
        }
        self.0.push(line.trim_end().to_owned());
    }

    /// All lines, each with its end.
    pub(super) fn finish(self) -> String {
        let mut text = self.0.join("\n");
        text.push('\n');
        text
    }
}

/// A word in pieces that fit.
fn pieces(word: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut rest = word;
    core::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(rest.len().min(width));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Text with a question mark for whatever is not 7-bit and printable.
fn ascii(text: &str) -> String {
    text.chars().map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' }).collect()
}

/// A text with spaces behind it up to a width, cut where it is longer.
pub(super) fn pad(text: &str, width: usize) -> String {
    let cut: String = text.chars().take(width).collect();
    format!("{cut:<width$}")
}
