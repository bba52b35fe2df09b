//! Numbers as a person reads them: three digits that matter, a unit, ASCII only.

/// Bytes of a page.
const PAGE: f64 = 4096.0;

/// A number with so many decimals, rounded half away from zero. Like `format!("{:.n}")`, but by
/// integers: the machinery of float formatting is a tenth of what a page has to load.
#[must_use]
pub fn decimals(value: f64, places: u32) -> String {
    let scale = 10u64.pow(places);
    let scaled = (value.abs() * scale as f64).round();
    if !value.is_finite() || scaled >= 9e15 {
        return "-".into();
    }
    let scaled = scaled as u64;
    let sign = if value < 0.0 && scaled > 0 { "-" } else { "" };
    match places {
        0 => format!("{sign}{scaled}"),
        _ => {
            let width = places as usize;
            format!("{sign}{}.{:0width$}", scaled / scale, scaled % scale)
        }
    }
}

/// Three digits that matter, no exponent: `0.47`, `38.2`, `512`, `1970`; small values to a
/// thousandth.
#[must_use]
pub fn three(value: f64) -> String {
    let size = value.abs();
    let places = if size == 0.0 {
        0
    } else if size < 0.0995 {
        3
    } else if size < 9.995 {
        2
    } else if size < 99.95 {
        1
    } else {
        0
    };
    decimals(value, places)
}

/// Like [`three`], without zeros at the end: `8`, `2.5`.
#[must_use]
pub fn short(value: f64) -> String {
    let text = three(value);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// An integer in groups of three: `23,000`.
#[must_use]
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A step of 1024 that suits an amount: its divisor in bytes and its name.
#[must_use]
pub fn binary_unit(bytes: f64) -> (f64, &'static str) {
    const NAMES: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut divisor = 1.0;
    let mut step = 0;
    while step + 1 < NAMES.len() && bytes.abs() / divisor >= 999.5 {
        divisor *= 1024.0;
        step += 1;
    }
    (divisor, NAMES[step])
}

/// A step of 1000 that suits a value: its divisor and its prefix, `""`, `k`, `M`, `G` or `T`.
#[must_use]
pub fn decimal_unit(value: f64) -> (f64, &'static str) {
    const NAMES: [&str; 5] = ["", "k", "M", "G", "T"];
    let mut divisor = 1.0;
    let mut step = 0;
    while step + 1 < NAMES.len() && value.abs() / divisor >= 999.5 {
        divisor *= 1000.0;
        step += 1;
    }
    (divisor, NAMES[step])
}

/// Pages of 4 KiB as an amount of memory: `306 GiB`.
#[must_use]
pub fn pages(pages: u64) -> String {
    let bytes = pages as f64 * PAGE;
    let (divisor, unit) = binary_unit(bytes);
    format!("{} {unit}", short(bytes / divisor))
}

/// Pages in a given unit of bytes, without its name.
#[must_use]
pub fn pages_in(pages: f64, divisor: f64) -> String {
    three(pages * PAGE / divisor)
}

/// A rate of bytes: `21.8 GB/s`.
#[must_use]
pub fn bytes_per_second(rate: f64) -> String {
    let (divisor, prefix) = decimal_unit(rate);
    format!("{} {prefix}B/s", three(rate / divisor))
}

/// A number with a decimal prefix: `1.97 M`; below 1000 without one.
#[must_use]
pub fn decimal(value: f64) -> String {
    let (divisor, prefix) = decimal_unit(value);
    match prefix {
        "" => short(value),
        _ => format!("{} {prefix}", three(value / divisor)),
    }
}

/// Nanoseconds in the unit that suits them: `3.4 us`.
#[must_use]
pub fn nanos(nanos: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let unit = UNITS.into_iter().find(|(divisor, _)| nanos.abs() >= *divisor * 0.9995);
    let (divisor, name) = unit.unwrap_or((1.0, "ns"));
    match name {
        "ns" => format!("{} ns", short(nanos)),
        _ => format!("{} {name}", short(nanos / divisor)),
    }
}

/// A time of the run: seconds and microseconds, `4.213 906 s`.
#[must_use]
pub fn clock(nanos: u64) -> String {
    let micros = nanos / 1_000;
    format!("{}.{:03} {:03} s", micros / 1_000_000, micros / 1_000 % 1_000, micros % 1_000)
}

/// A share as per cent: `84 %`; under 10 with a digit more.
#[must_use]
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if !value.is_finite() {
        return "-".into();
    }
    if value == 0.0 || value.abs() >= 9.95 {
        format!("{} %", decimals(value, 0))
    } else if value.abs() < 0.05 {
        "<0.1 %".into()
    } else {
        format!("{} %", decimals(value, 1))
    }
}

/// `1 reader`, `8 readers`.
#[must_use]
pub fn plural(n: u64, one: &str) -> String {
    format!("{} {one}{}", count(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_matter() {
        for (value, want) in [
            (0.0, "0"),
            (0.474, "0.47"),
            (0.04, "0.040"),
            (0.0021, "0.002"),
            (9.999, "10.0"),
            (38.24, "38.2"),
            (99.96, "100"),
            (1970.4, "1970"),
            (-3.0, "-3.00"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(three(value), want);
        }
        assert_eq!(short(8.0), "8");
        assert_eq!(short(2.5), "2.5");
        assert_eq!(short(100.0), "100");
    }

    #[test]
    fn decimals_round_and_keep_their_sign() {
        for (value, places, want) in [
            (2.5, 0, "3"),
            (-2.5, 0, "-3"),
            (-0.001, 2, "0.00"),
            (1.05, 1, "1.1"),
            (0.007, 2, "0.01"),
            (1e12, 1, "1000000000000.0"),
            (1e300, 0, "-"),
            (f64::INFINITY, 1, "-"),
        ] {
            assert_eq!(decimals(value, places), want, "{value}");
        }
    }

    #[test]
    fn amounts_have_the_unit_that_suits_them() {
        assert_eq!(pages(0), "0 B");
        assert_eq!(pages(1), "4 KiB");
        assert_eq!(pages(131_072), "512 MiB");
        assert_eq!(pages(92_274_688), "352 GiB");
        assert_eq!(bytes_per_second(21.84e9), "21.8 GB/s");
        assert_eq!(bytes_per_second(0.0), "0 B/s");
        assert_eq!(decimal(1.97e6), "1.97 M");
        assert_eq!(decimal(117.0), "117");
        assert_eq!(count(23_000), "23,000");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn times() {
        assert_eq!(nanos(0.0), "0 ns");
        assert_eq!(nanos(3_400.0), "3.4 us");
        assert_eq!(nanos(9.6e6), "9.6 ms");
        assert_eq!(nanos(2e9), "2 s");
        assert_eq!(clock(4_213_906_999), "4.213 906 s");
        assert_eq!(clock(0), "0.000 000 s");
    }

    #[test]
    fn shares() {
        assert_eq!(percent(0.84), "84 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.0614), "6.1 %");
        assert_eq!(percent(0.0001), "<0.1 %");
        assert_eq!(plural(1, "reader"), "1 reader");
        assert_eq!(plural(8, "reader"), "8 readers");
    }
}
