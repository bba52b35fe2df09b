//! The last part of a link: three characters over everything before it.
//!
//! Its first character is one that no token begins with, so that a link whose end was cut off is
//! told apart from one that was altered. There are 126,852 checks: an altered link passes with
//! probability 1 in as many.

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Tokens begin with a lower-case letter or one of `M`, `N` and `S`.
const FIRST: &[u8; 33] = b"0123456789ABCDEFGHIJKLOPQRTUVWXYZ";

/// The check of everything before it, the dot in front of it excluded.
pub(super) fn of(body: &str) -> String {
    // FNV-1a over 64 bits, then a multiply and fold so that every bit reaches the remainder.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in body.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 29;
    let first = FIRST[(hash % 33) as usize];
    let rest = hash / 33;
    let text = [first, ALPHABET[(rest % 62) as usize], ALPHABET[(rest / 62 % 62) as usize]];
    text.iter().map(|&b| char::from(b)).collect()
}

/// Whether a link ends with the check of what stands before.
pub(super) fn is_intact(link: &str) -> bool {
    link.rsplit_once('.').is_some_and(|(body, check)| body.contains('.') && of(body) == check)
}

/// Whether a part could be a check and nothing else.
pub(super) fn has_shape(part: &str) -> bool {
    part.len() == 3
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
        for token in ["k8", "t1s", "p-all", "N0-c1", "S12", "M2"] {
            assert!(!has_shape(token), "{token}");
        }
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
