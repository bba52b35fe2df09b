//! Text to quantities: `250us`, `4GiB`. Refuses what it would have to round.

use crate::{Bytes, SimDuration};
use core::fmt;

/// Why a text is not a quantity. The text itself is kept by the caller, who knows the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// It does not begin with a number.
    NoNumber,
    /// The unit is not one of those listed.
    UnknownUnit(&'static str),
    /// The value has more digits after the point than the unit can hold exactly.
    NotExact,
    /// The value does not fit.
    TooLarge,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber => write!(f, "does not begin with a number"),
            Self::UnknownUnit(known) => write!(f, "has an unknown unit (known: {known})"),
            Self::NotExact => write!(f, "is finer than the smallest step of its unit"),
            Self::TooLarge => write!(f, "is too large"),
        }
    }
}

impl core::error::Error for ParseError {}

/// A span of time: `10ns`, `250us`, `1.5ms`, `2s`. A bare number is seconds.
///
/// # Errors
/// When the text is no number, the unit is unknown, or the value is not a whole number of ns.
pub fn parse_duration(text: &str) -> Result<SimDuration, ParseError> {
    let units = &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    scaled(text, units, 1_000_000_000, "ns, us, ms, s").map(SimDuration::from_nanos)
}

/// An amount of memory: `4096B`, `64KiB`, `1.5GiB`; `K M G T` mean the binary units. A bare
/// number is bytes.
///
/// # Errors
/// When the text is no number, the unit is unknown, or the value is not a whole number of bytes.
pub fn parse_bytes(text: &str) -> Result<Bytes, ParseError> {
    let units = &[
        ("B", 1),
        ("KiB", 1 << 10),
        ("K", 1 << 10),
        ("MiB", 1 << 20),
        ("M", 1 << 20),
        ("GiB", 1 << 30),
        ("G", 1 << 30),
        ("TiB", 1 << 40),
        ("T", 1 << 40),
    ];
    scaled(text, units, 1, "B, KiB, MiB, GiB, TiB").map(Bytes)
}

/// `text` as a decimal number times its unit's factor, exactly.
fn scaled(
    text: &str,
    units: &[(&'static str, u64)],
    bare: u64,
    known: &'static str,
) -> Result<u64, ParseError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim();
    let factor = if unit.is_empty() {
        bare
    } else {
        units.iter().find(|(name, _)| *name == unit).ok_or(ParseError::UnknownUnit(known))?.1
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.contains('.') {
        return Err(ParseError::NoNumber);
    }
    let whole: u64 = whole.parse().map_err(|_| ParseError::TooLarge)?;
    let base = whole.checked_mul(factor).ok_or(ParseError::TooLarge)?;
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        return Ok(base);
    }
    if fraction.len() > 12 {
        return Err(ParseError::NotExact);
    }
    let digits: u128 = fraction.parse().map_err(|_| ParseError::NoNumber)?;
    let scaled = digits * u128::from(factor);
    let ten = 10u128.pow(fraction.len() as u32);
    if !scaled.is_multiple_of(ten) {
        return Err(ParseError::NotExact);
    }
    let part = u64::try_from(scaled / ten).map_err(|_| ParseError::TooLarge)?;
    base.checked_add(part).ok_or(ParseError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("250us"), Ok(SimDuration::from_micros(250)));
        assert_eq!(parse_duration("1.5 ms"), Ok(SimDuration::from_micros(1_500)));
        assert_eq!(parse_duration("2"), Ok(SimDuration::from_secs(2)));
        assert_eq!(parse_duration("0.5ns"), Err(ParseError::NotExact));
        assert_eq!(parse_duration("s"), Err(ParseError::NoNumber));
        assert_eq!(parse_duration("1.2.3s"), Err(ParseError::NoNumber));
        assert_eq!(parse_duration("99999999999999999999s"), Err(ParseError::TooLarge));
        assert!(matches!(parse_duration("3h"), Err(ParseError::UnknownUnit(_))));
    }

    #[test]
    fn bytes() {
        assert_eq!(parse_bytes("4GiB"), Ok(Bytes(4 << 30)));
        assert_eq!(parse_bytes("1.5G"), Ok(Bytes(3 << 29)));
        assert_eq!(parse_bytes("378G"), Ok(Bytes(378 << 30)));
        assert_eq!(parse_bytes("20000000T"), Err(ParseError::TooLarge));
        assert_eq!(parse_bytes("0.3B"), Err(ParseError::NotExact));
    }
}
