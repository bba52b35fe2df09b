//! The last part of a link: three characters over everything before it.
//!
//! Its first character is one that no token begins with, so that a link whose end was cut off is
//! told apart from one that was altered. There are 126,852 checks: an altered link passes with
//! probability 1 in as many.

/// Characters of a check.
const LENGTH: usize = 3;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Tokens begin with a lower-case letter or one of `M`, `N` and `S`.
const FIRST: &[u8; 33] = b"0123456789ABCDEFGHIJKLOPQRTUVWXYZ";

/// FNV-1a over 64 bits, byte by byte.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn take(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// The three characters: a multiply and fold, so that every bit reaches the remainder.
    fn text(self) -> [u8; LENGTH] {
        let mut hash = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        let rest = hash / 33;
        let digit = |n: u64| ALPHABET[(n % 62) as usize];
        [FIRST[(hash % 33) as usize], digit(rest), digit(rest / 62)]
    }
}

/// The check of everything before it, the dot in front of it excluded.
pub(super) fn of(body: &str) -> String {
    let mut hash = Hash::new();
    body.bytes().for_each(|byte| hash.take(byte));
    hash.text().iter().map(|&b| char::from(b)).collect()
}

/// Where the longest piece from the beginning ends that is a link with its check, if there is one.
pub(super) fn intact_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut hash, mut dots, mut end) = (Hash::new(), 0, None);
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'.' {
            dots += 1;
            let (from, to) = (at + 1, at + 1 + LENGTH);
            let over = bytes.get(to).is_none_or(|b| !b.is_ascii_alphanumeric());
            if dots > 1 && over && bytes.get(from..to) == Some(&hash.text()[..]) {
                end = Some(to);
            }
        }
        hash.take(byte);
    }
    end
}

/// Whether a link ends with the check of what stands before.
pub(super) fn is_intact(link: &str) -> bool {
    link.rsplit_once('.').is_some_and(|(body, check)| body.contains('.') && of(body) == check)
}

/// Whether a part could be a check and nothing else.
pub(super) fn has_shape(part: &str) -> bool {
    part.len() == LENGTH
        && part.bytes().all(|b| b.is_ascii_alphanumeric())
        && FIRST.contains(&part.as_bytes()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_one_character_is_seen() {
        let body = "v1.l18.k4.r58.s123";
        let check = of(body);
        assert!(has_shape(&check));
        assert!(is_intact(&format!("{body}.{check}")));
        for i in 0..body.len() {
            for &c in ALPHABET {
                let mut other = body.as_bytes().to_vec();
                other[i] = c;
                let other = String::from_utf8(other).expect("ASCII");
                assert!(other == body || of(&other) != check, "{other}");
            }
            let mut swapped = body.as_bytes().to_vec();
            if i > 0 && swapped[i] != swapped[i - 1] {
                swapped.swap(i, i - 1);
                assert_ne!(of(&String::from_utf8(swapped).expect("ASCII")), check);
            }
        }
    }

    #[test]
    fn a_token_has_not_the_shape_of_a_check() {
        for token in ["k8", "t1s", "p-all", "N0-c1", "S12", "M2", "B", "B-x", "_t2", "_v-a"] {
            assert!(!has_shape(token), "{token}");
        }
    }

    #[test]
    fn the_end_of_a_link_is_found_in_what_follows() {
        let body = "v1.l18.k4";
        let link = format!("{body}.{}", of(body));
        for tail in ["", ".", "-", ".And so on", ".k4.r5", "_x"] {
            assert_eq!(intact_end(&format!("{link}{tail}")), Some(link.len()), "{tail}");
        }
        assert_eq!(intact_end(&format!("{link}x")), None);
        assert_eq!(intact_end(body), None);
        assert_eq!(intact_end(&format!("v1.{}", of("v1"))), None, "a link names its preset");
    }

    #[test]
    fn checks_spread_evenly() {
        let mut counts = [0u32; 33];
        for i in 0..33_000 {
            let check = of(&format!("v1.l18.s{i}"));
            let first = check.as_bytes()[0];
            counts[FIRST.iter().position(|&b| b == first).expect("from FIRST")] += 1;
        }
        assert!(counts.iter().all(|&n| (850..1150).contains(&n)), "{counts:?}");
    }
}
