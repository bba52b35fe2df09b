//! One value as people write it: `378GiB`, `250us`, `4.16`, `on`.

use crate::problem::quoted;
use catalog::{Column, Control, Kind, Unit};
use units::{Bytes, SimDuration, parse_bytes, parse_duration};

/// The longest text that can be a value.
const VALUE_MAX: usize = 64;

/// What a value belongs to: a control or a column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    label: &'static str,
    unit: Unit,
    kind: Kind,
}

impl From<&Control> for Field {
    fn from(control: &Control) -> Self {
        Self { label: control.label, unit: control.unit, kind: control.kind }
    }
}

impl From<&Column> for Field {
    fn from(column: &Column) -> Self {
        Self { label: column.label, unit: column.unit, kind: column.kind }
    }
}

/// A value with its unit, exactly: [`parse`] gives it back.
pub(crate) fn print(field: impl Into<Field>, value: i64) -> String {
    let control = field.into();
    if let Kind::Choice(rows) = control.kind {
        let row = usize::try_from(value).ok().and_then(|i| rows.get(i));
        return row.map_or_else(|| value.to_string(), |row| row.name.to_owned());
    }
    let amount = u64::try_from(value).unwrap_or(0);
    match control.unit {
        Unit::Bytes => Bytes(amount).to_string(),
        Unit::Nanos => SimDuration::from_nanos(amount).to_string(),
        Unit::Flag => if value == 0 { "off" } else { "on" }.to_owned(),
        _ => value.to_string(),
    }
}

/// The value that a text means for a control, or why it means none. Bounds are not checked.
pub(crate) fn parse(field: impl Into<Field>, text: &str) -> Result<i64, String> {
    let control = field.into();
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{} has no value; it takes {}", control.label, range(control)));
    }
    if text.len() > VALUE_MAX {
        return Err(format!("{} is too long a value for {}", quoted(text), control.label));
    }
    let wrong = |why: &str| {
        let range = range(control);
        format!("{} {why}; {} takes {range}", quoted(text), control.label)
    };
    let number = text.trim_start_matches('-');
    let (min, _) = control.kind.bounds();
    if min >= 0 && number.len() < text.len() && number.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(wrong("is negative"));
    }
    let fits = |amount: u64| i64::try_from(amount).map_err(|_| wrong("is too large"));
    match control.unit {
        Unit::Choice => {
            let Kind::Choice(rows) = control.kind else {
                return Err(wrong("is not one of a list"));
            };
            let row = rows.iter().position(|row| row.name == text);
            row.map(|i| i as i64).ok_or_else(|| wrong("is not one of its values"))
        }
        Unit::Flag => match text {
            "on" | "1" | "true" | "yes" => Ok(1),
            "off" | "0" | "false" | "no" => Ok(0),
            _ => Err(wrong("is neither on nor off")),
        },
        Unit::Bytes => fits(parse_bytes(text).map_err(|e| wrong(&e.to_string()))?.0),
        Unit::Nanos => fits(parse_duration(text).map_err(|e| wrong(&e.to_string()))?.as_nanos()),
        Unit::Kib if text.ends_with(['B', 'K', 'M', 'G', 'T']) => {
            let bytes = parse_bytes(text).map_err(|e| wrong(&e.to_string()))?.0;
            if !bytes.is_multiple_of(1024) {
                return Err(wrong("is not a whole number of KiB"));
            }
            fits(bytes / 1024)
        }
        Unit::MbPerSecond => integer(text.strip_suffix("MB/s").unwrap_or(text), wrong),
        Unit::PerMille | Unit::PerTenThousand | Unit::Count | Unit::Kib => integer(text, wrong),
        Unit::Rows => Err(wrong("is no row")),
    }
}

fn integer(text: &str, wrong: impl Fn(&str) -> String) -> Result<i64, String> {
    use core::num::IntErrorKind::{NegOverflow, PosOverflow};
    text.trim_end().parse().map_err(|error: core::num::ParseIntError| match error.kind() {
        PosOverflow | NegOverflow => wrong("is too large"),
        _ => wrong("is not a whole number"),
    })
}

/// What a control takes, in words: `1 to 32`, `1MiB to 4TiB`, `4.16, 5.15 or 7.3`, `on or off`.
pub(crate) fn range(field: impl Into<Field>) -> String {
    let control = field.into();
    match control.kind {
        Kind::Number { min, max, .. } => {
            format!("{} to {}", print(control, min), print(control, max))
        }
        Kind::Flag => "on or off".to_owned(),
        Kind::Table(table) => format!("none to {} rows, a {} each", table.rows_max, table.row),
        Kind::Choice(rows) => {
            let names: Vec<_> = rows.iter().map(|row| row.name).collect();
            match names.split_last() {
                Some((last, [])) => (*last).to_owned(),
                Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                None => "nothing".to_owned(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::{CONTROLS, ControlId};

    fn value(id: ControlId, text: &str) -> Result<i64, String> {
        parse(id.control(), text)
    }

    #[test]
    fn values_are_read_in_their_units() {
        assert_eq!(value(ControlId::Memory, "378GiB"), Ok(378 << 30));
        assert_eq!(value(ControlId::DriveLatency, "250us"), Ok(250_000));
        assert_eq!(value(ControlId::Duration, "16"), Ok(16_000_000_000));
        assert_eq!(value(ControlId::Flavour, "4.16"), Ok(0));
        assert_eq!(value(ControlId::Hz, "1000"), Ok(3));
        assert_eq!(value(ControlId::MinFreeKbytes, "65536"), Ok(65_536));
        assert_eq!(value(ControlId::MinFreeKbytes, "64MiB"), Ok(65_536));
        assert_eq!(value(ControlId::DriveBandwidth, "3360MB/s"), Ok(3360));
        assert_eq!(
            ["on", "off", "true", "0"].map(|t| value(ControlId::Thp, t)),
            [1, 0, 1, 0].map(Ok)
        );
    }

    #[test]
    fn negative_amounts_are_said_to_be_negative() {
        for (id, text) in [
            (ControlId::Memory, "-1GiB"),
            (ControlId::DriveLatency, "-5us"),
            (ControlId::Kswapds, "-1"),
            (ControlId::Seed, "-99999999999999999999"),
            (ControlId::MinFreeKbytes, "-4K"),
        ] {
            let said = value(id, text).expect_err("refused");
            let label = id.control().label;
            assert!(
                said.starts_with(&format!(
                    "`{}` is negative; {label} takes",
                    &text[..text.len().min(40)]
                )),
                "{said}"
            );
        }
    }

    #[test]
    fn refusals_name_the_value_and_what_is_taken() {
        let sentence = |id, text: &str| value(id, text).expect_err("refused");
        assert_eq!(
            sentence(ControlId::Kswapds, "many"),
            "`many` is not a whole number; kswapds a node takes 1 to 32"
        );
        assert_eq!(
            sentence(ControlId::Memory, "3 elephants"),
            "`3 elephants` has an unknown unit (known: B, KiB, MiB, GiB, TiB); \
             Memory a node takes 1MiB to 4TiB"
        );
        assert!(
            sentence(ControlId::Flavour, "3.10")
                .ends_with("4.16, 5.15, 6.12, 7.2, 7.3 or 7.2-series")
        );
        assert!(sentence(ControlId::Thp, "maybe").contains("neither on nor off"));
        assert!(sentence(ControlId::Seed, "99999999999999999999").contains("too large"));
        assert!(sentence(ControlId::MinFreeKbytes, "1000B").contains("whole number of KiB"));
        assert!(sentence(ControlId::Seed, &"9".repeat(5000)).len() < 200);
        assert!(sentence(ControlId::Seed, " ").contains("no value"));
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for control in CONTROLS.iter().filter(|c| c.table().is_none()) {
            let (min, max) = control.bounds();
            for v in [min, max, control.default, min + (max - min) / 3, min + (max - min) / 7] {
                assert_eq!(parse(control, &print(control, v)), Ok(v), "{}", control.key);
            }
        }
    }
}
