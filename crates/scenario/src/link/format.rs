//! The formats that links have had, and how each becomes the next.
//!
//! A new format gets a row here and an upgrader in the row before; [`decode`](super::decode) only
//! knows the newest. Links of every format stay in the corpus of tests and must open for ever.

/// The format that is written.
pub const FORMAT: u32 = 1;

/// How the parts of a link (preset, tokens; no version, no check) become those of the next format.
type Upgrader = fn(Vec<String>) -> Vec<String>;

/// One format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its number.
    pub version: u32,
    /// How its parts become those of the next format; the newest has none.
    pub to_next: Option<Upgrader>,
}

/// All formats, from the first.
pub static FORMATS: [Format; FORMAT as usize] = [Format { version: 1, to_next: None }];

/// Brings the parts of a link of `version`, which is at most [`FORMAT`], to the newest format.
pub(super) fn upgrade(version: usize, parts: Vec<String>) -> Vec<String> {
    let formats = FORMATS.iter().skip(version - 1);
    formats.filter_map(|format| format.to_next).fold(parts, |parts, to_next| to_next(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_but_the_newest_has_an_upgrader() {
        for (i, format) in FORMATS.iter().enumerate() {
            assert_eq!(format.version as usize, i + 1);
            assert_eq!(format.to_next.is_some(), format.version < FORMAT, "v{}", format.version);
        }
    }

    #[test]
    fn the_newest_format_passes_unchanged() {
        let parts = vec!["l18".to_owned(), "k8".to_owned()];
        assert_eq!(upgrade(FORMAT as usize, parts.clone()), parts);
    }
}
