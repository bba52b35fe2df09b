//! A mail that was pasted back: what it says of how its numbers were made.
//!
//! The scenario of a mail is that of its link ([`crate::open`]). Beside it the mail names the model
//! and the ledger of constants that made its numbers, and the digest of every arm; quotes and new
//! line breaks do not hide them.

use crate::problem::quoted;
use crate::shared::LETTERS;

/// How a mail begins that reclaimscope wrote; a space and its model follow.
pub const BEGINS: &str = "SIMULATED with reclaimscope, model";
/// What stands before the hash of the ledger.
pub const LEDGER: &str = ", ledger ";
/// What stands before an arm's letter and digest.
pub const DIGEST: &str = "digest ";

/// What a mail says of how its numbers were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The version of the model.
    pub model: String,
    /// The hash of the ledger of constants.
    pub ledger: String,
    /// The digests of the arms, by letter, as far as they could be read.
    pub digests: Vec<(char, String)>,
}

impl Claim {
    /// Why the numbers of the mail are not those of this model, where they are not.
    #[must_use]
    pub fn note(&self, model: &str, ledger: &str) -> Option<String> {
        if self.model != model {
            let theirs = quoted(&self.model);
            return Some(format!(
                "The numbers in the mail are not those of this model: they were made with model \
                 {theirs}, this is model {model}."
            ));
        }
        (!self.ledger.is_empty() && self.ledger != ledger).then(|| {
            format!(
                "The numbers in the mail are not those of this model: its constants were others \
                 (ledger {}, here {ledger}).",
                quoted(&self.ledger)
            )
        })
    }

    /// The first arm whose digest is another one now, in a sentence; `digests` are those of a new
    /// run, by letter.
    #[must_use]
    pub fn differs(&self, digests: &[(char, String)]) -> Option<String> {
        let other = self.digests.iter().find_map(|(letter, theirs)| {
            let (_, ours) = digests.iter().find(|(l, _)| l == letter)?;
            (ours != theirs).then_some((letter, theirs, ours))
        });
        other.map(|(letter, theirs, ours)| {
            format!(
                "The numbers in the mail are not those of this model: the digest of arm {letter} \
                 is {ours}, in the mail {theirs}."
            )
        })
    }
}

/// What a text says of how its numbers were made, if it is a mail of ours.
#[must_use]
pub fn claim(text: &str) -> Option<Claim> {
    if text.len() > crate::link::TEXT_MAX {
        return None;
    }
    let flat = flat(text);
    let rest = flat[flat.find(BEGINS)? + BEGINS.len()..].trim_start();
    let word = |text: &str| -> String {
        let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
        let word: String = text.chars().take_while(plain).take(40).collect();
        word.trim_end_matches(['.', '-', '+']).to_owned()
    };
    let model = word(rest);
    let behind = &rest[model.len()..];
    let ledger = behind.strip_prefix(LEDGER).map(word).unwrap_or_default();
    let mut digests = Vec::new();
    for (at, _) in rest.match_indices(DIGEST).take(LETTERS.len()) {
        let mut words = rest[at + DIGEST.len()..].splitn(3, ' ');
        let letter = words.next().and_then(|w| LETTERS.into_iter().find(|l| w == l.to_string()));
        let digest = words.next().map(word).filter(|d| d.len() == 16);
        digests.extend(letter.zip(digest));
    }
    Some(Claim { model, ledger, digests })
}

/// The words of a text on one line, without the marks of quotes.
fn flat(text: &str) -> String {
    let mut flat = String::with_capacity(text.len());
    let mut goes_on = true;
    for line in text.lines() {
        let line: String = line.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
        let line = line.replace("=20", " ").replace("=C2=A0", " ");
        for word in line.split(' ').skip_while(|w| w.trim_matches(['>', '|']).is_empty()) {
            let word = word.trim_start_matches('>');
            if word.is_empty() {
                continue;
            }
            if !goes_on {
                flat.push(' ');
            }
            // Quoted-printable ends a line inside a word.
            goes_on = word.ends_with('=');
            flat.push_str(word.strip_suffix('=').unwrap_or(word));
        }
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "SIMULATED with reclaimscope, model 0.1.0, ledger 1a2b3c4d\n\n\
                        digest A 0123456789abcdef\ndigest B 0123456789abcde0\n";

    #[test]
    fn a_quoted_and_wrapped_mail_still_says_how_it_was_made() {
        let whole = claim(MAIL).expect("a mail");
        assert_eq!((whole.model.as_str(), whole.ledger.as_str()), ("0.1.0", "1a2b3c4d"));
        assert_eq!(whole.digests.len(), 2);
        assert_eq!(whole.digests[1], ('B', "0123456789abcde0".to_owned()));
        let quoted = MAIL.replace("model 0", "model\n> > > 0").replace("digest", "> > > digest");
        assert_eq!(claim(&quoted), Some(whole.clone()));
        assert_eq!(claim(&MAIL.replace('\n', "\r\n")), Some(whole.clone()));
        assert_eq!(claim(&MAIL.replace(' ', "\u{a0}")), Some(whole.clone()));
        assert_eq!(claim(&MAIL.replace("0.1.0", "0.=\n1.0")), Some(whole));
        assert_eq!(claim("hello"), None);
        assert_eq!(claim(BEGINS).expect("a mail").model, "");
    }

    #[test]
    fn other_numbers_are_told() {
        let claim = claim(MAIL).expect("a mail");
        assert_eq!(claim.note("0.1.0", "1a2b3c4d"), None);
        let note = claim.note("0.2.0", "1a2b3c4d").expect("another model");
        assert!(note.contains("made with model `0.1.0`, this is model 0.2.0"), "{note}");
        assert!(claim.note("0.1.0", "ffffffff").expect("constants").contains("here ffffffff"));
        let same = [('A', "0123456789abcdef".to_owned())];
        assert_eq!(claim.differs(&same), None);
        let other = [('B', "ffffffffffffffff".to_owned())];
        assert!(claim.differs(&other).expect("differs").contains("arm B"));
    }
}
