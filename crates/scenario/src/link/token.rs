//! One token of a link: a control and its value, or a node of a pasted machine.
//!
//! * `k8`, `r58`, `pr250k`: a number, after the control's letters; large ones in thousands or
//!   millions.
//! * `m378G`, `t16s`, `dl55us`: an amount with the largest unit that keeps it exact.
//! * `p-all`, `f-416`: a row of a choice, after a hyphen. `thp0`, `b1`: a flag.
//! * `dv-nv-z16G-p10_lzo`: the rows of a table, cells behind hyphens, each after its column's
//!   letter (`n1` for -1).
//! * `S2gosa7pa2gv`: a seed of seven digits or more, base 62.
//! * `N0-c2-d3840-w49049`: node 0 with 2 CPUs and its zones' managed pages: `d` DMA, `w` DMA32,
//!   `n` Normal, `m` Movable.
//! * `c-IsolatePerPage-40`: a constant of the ledger has another value, in its unit.
//! * `M2`: made with model 2; without it, model 1.
//! * `B`, `B-eight`: arm B begins, with a short name; `A-one` names arm A.
//! * `_t2s`: the time cursor. `_v-locks`: what is shown.

use crate::constants::constant_by_name;
use crate::scenario::{MANAGED_MAX, NodeSpec, Scenario, ZoneSpec, nodes_max};
use crate::shared::{LETTERS, TIME_MAX_NS, check_name};
use crate::text::range;
use catalog::tables::COLUMNS_MAX;
use catalog::{
    Column, ConstantId, Control, ControlId, Kind, LEDGER, Row, Table, Unit, ZoneKind, controls,
};

/// A token that was understood; its value may still be out of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A control and its value.
    Control(ControlId, i64),
    /// A constant of the ledger and its value.
    Constant(ConstantId, u64),
    /// A control that is a table, and its rows.
    Rows(ControlId, Vec<Row>),
    /// A node, by number.
    Node(usize, NodeSpec),
    /// The model that the link was made with.
    Model(u32),
    /// An arm by its place, and its short name.
    Arm(usize, String),
    /// The time cursor, in nanoseconds.
    Cursor(u64),
    /// What is shown.
    Show(String),
}

/// What a piece of text is as a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// A token.
    Token(Token),
    /// It names a control, but holds no value of it: why.
    Refused(ControlId, String),
    /// It is no token: why.
    Nothing(String),
}

/// What stands before the name of a constant.
const CONSTANT: &str = "c-";
/// What stands before the time cursor.
const CURSOR: &str = "_t";
/// What stands before the name of what is shown.
pub(super) const SHOW: &str = "_v-";
/// Seeds from here on are written in base 62.
const LONG_SEED: i64 = 1_000_000;
/// The largest number that is read at all: no control and no zone comes near.
const NUMBER_DIGITS_MAX: usize = 18;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BYTE_UNITS: [(&str, i64); 5] =
    [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1)];
const COUNT_UNITS: [(&str, i64); 3] = [("m", 1_000_000), ("k", 1_000), ("", 1)];
/// Counts from here on are written in thousands or millions where that is exact.
const LONG_COUNT: i64 = 100_000;
const TIME_UNITS: [(&str, i64); 4] =
    [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
const ZONE_LETTERS: [(char, ZoneKind); 4] = [
    ('d', ZoneKind::Dma),
    ('w', ZoneKind::Dma32),
    ('n', ZoneKind::Normal),
    ('m', ZoneKind::Movable),
];

/// The token of a control's value in a scenario.
pub(super) fn write(scenario: &Scenario, id: ControlId) -> String {
    let control = id.control();
    match control.table() {
        Some(table) => {
            let row = |row| write_row(table, row);
            let rows: Vec<String> = scenario.rows(id).iter().map(row).collect();
            format!("{}-{}", control.token, rows.join("_"))
        }
        None => write_value(id, scenario.get(id)),
    }
}

/// The token of a control's value, which lies in its bounds.
fn write_value(id: ControlId, value: i64) -> String {
    let control = id.control();
    if id == ControlId::Seed && value >= LONG_SEED {
        return format!("S{}", to_base62(value));
    }
    let hyphen = if let Kind::Choice(_) = control.kind { "-" } else { "" };
    format!("{}{hyphen}{}", control.token, plain(control.kind, control.unit, value))
}

/// A value without what it belongs to.
fn plain(kind: Kind, unit: Unit, value: i64) -> String {
    match (kind, unit) {
        (Kind::Choice(rows), _) => rows[value as usize].link.to_owned(),
        (_, Unit::Bytes) => with_unit(value, &BYTE_UNITS),
        (_, Unit::Nanos) => with_unit(value, &TIME_UNITS),
        (_, Unit::Count | Unit::Kib) if value >= LONG_COUNT => with_unit(value, &COUNT_UNITS),
        _ if value < 0 => format!("n{}", value.unsigned_abs()),
        _ => value.to_string(),
    }
}

/// A row of a table: its first cell, and those that differ from their column's default.
fn write_row(table: &Table, row: &Row) -> String {
    let cells = table.columns.iter().zip(row).enumerate();
    let said = cells.filter(|(i, (column, cell))| *i == 0 || **cell != column.default);
    let text = said.map(|(_, (column, &cell))| {
        format!("{}{}", column.letter, plain(column.kind, column.unit, cell))
    });
    text.collect::<Vec<_>>().join("-")
}

/// Reads what stands behind the token of a table; bounds are checked by whoever takes it.
fn read_rows(table: &Table, text: &str) -> Result<Vec<Row>, String> {
    let text = text.strip_prefix('-').unwrap_or(text);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    // One more than there may be, so that it is said that there are too many.
    text.split('_')
        .take(table.rows_max + 1)
        .enumerate()
        .map(|(i, r)| read_row(table, i, r))
        .collect()
}

fn read_row(table: &Table, number: usize, text: &str) -> Result<Row, String> {
    let mut row = table.default_row();
    let mut seen = [false; COLUMNS_MAX];
    for (i, cell) in text.split('-').enumerate() {
        let own = |c: &&Column| !c.letter.is_empty() && cell.starts_with(c.letter);
        let column = if i == 0 { table.columns.first() } else { table.columns.iter().find(own) };
        let at = || format!("cell {} of {} {number}", i + 1, table.row);
        let column = column.ok_or_else(|| format!("{} is of no column", at()))?;
        let place = table.columns.iter().position(|c| c.key == column.key).unwrap_or(0);
        if core::mem::replace(&mut seen[place], true) {
            return Err(format!("{} gives its {} again", at(), column.label));
        }
        let rest = &cell[column.letter.len()..];
        let value = plain_value(column.kind, column.unit, rest);
        row[place] = value.ok_or_else(|| {
            format!("{} cannot be read; {} takes {}", at(), column.label, range(column))
        })?;
    }
    Ok(row)
}

/// The value that [`plain`] wrote.
fn plain_value(kind: Kind, unit: Unit, text: &str) -> Option<i64> {
    if let Kind::Choice(rows) = kind {
        return rows.iter().position(|row| row.link == text).map(|row| row as i64);
    }
    let (min, _) = kind.bounds();
    if min < 0
        && let Some(below) = text.strip_prefix('n')
    {
        return number(below).map(|value| -value);
    }
    match unit {
        Unit::Bytes => amount(text, &BYTE_UNITS),
        Unit::Nanos => amount(text, &TIME_UNITS),
        Unit::Count | Unit::Kib => amount(text, &COUNT_UNITS),
        _ => number(text),
    }
}

/// The token of a constant.
pub(super) fn write_constant(id: ConstantId, value: u64) -> String {
    format!("{CONSTANT}{}-{value}", LEDGER[id as usize].name)
}

/// The token of a node.
pub(super) fn write_node(number: usize, node: &NodeSpec) -> String {
    let mut token = format!("N{number}-c{}", node.cpus);
    for zone in &node.zones {
        let (letter, _) = ZONE_LETTERS[zone.kind as usize];
        token.push_str(&format!("-{letter}{}", zone.managed));
    }
    token
}

/// The token of the time cursor.
pub(super) fn write_cursor(nanos: u64) -> String {
    let nanos = nanos.min(TIME_MAX_NS) as i64;
    format!("{CURSOR}{}", with_unit(nanos, &TIME_UNITS))
}

/// Reads one token.
pub(super) fn read(text: &str) -> Reading {
    let nothing = |why: &str| Reading::Nothing(why.to_owned());
    match text.as_bytes() {
        [] => nothing("it is empty"),
        [b'N', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => {
            read_node(&text[1..]).map_or_else(Reading::Nothing, Reading::Token)
        }
        [b'M', ..] => match number(&text[1..]).and_then(|n| u32::try_from(n).ok()) {
            Some(model) if model > 0 => Reading::Token(Token::Model(model)),
            _ => nothing("it gives no number of a model"),
        },
        [b'_', ..] => read_view(text).map_or_else(Reading::Nothing, Reading::Token),
        [b'A'..=b'E'] | [b'A'..=b'E', b'-', ..] => {
            read_arm(text).map_or_else(Reading::Nothing, Reading::Token)
        }
        [b'S', ..] => match from_base62(&text[1..]) {
            Some(seed) => Reading::Token(Token::Control(ControlId::Seed, seed)),
            None => Reading::Refused(ControlId::Seed, "it is no seed".to_owned()),
        },
        [b'c', b'-', ..] => read_constant(text).map_or_else(Reading::Nothing, Reading::Token),
        _ => read_control(text),
    }
}

fn read_constant(text: &str) -> Result<Token, String> {
    let rest = text.strip_prefix(CONSTANT).unwrap_or_default();
    let (name, value) = rest.split_once('-').unwrap_or((rest, ""));
    let constant = constant_by_name(name).ok_or("the ledger has no such constant here")?;
    let value = number(value).and_then(|value| u64::try_from(value).ok());
    let value = value.ok_or_else(|| format!("it gives no value of {name}"))?;
    Ok(Token::Constant(constant.id, value))
}

fn read_view(text: &str) -> Result<Token, String> {
    if let Some(show) = text.strip_prefix(SHOW) {
        return check_name(show).map(|()| Token::Show(show.to_owned()));
    }
    let time = text.strip_prefix(CURSOR).ok_or("it is about a view that is not known here")?;
    let nanos = amount(time, &TIME_UNITS).and_then(|nanos| u64::try_from(nanos).ok());
    let nanos = nanos.filter(|nanos| *nanos <= TIME_MAX_NS);
    nanos.map(Token::Cursor).ok_or_else(|| "it gives no time of a run, such as `_t2s`".to_owned())
}

fn read_arm(text: &str) -> Result<Token, String> {
    let place = LETTERS.iter().position(|letter| text.starts_with(*letter));
    let place = place.ok_or("there is no such arm")?;
    let name = text[1..].strip_prefix('-').unwrap_or_default();
    if text.len() > 1 {
        check_name(name)?;
    }
    Ok(Token::Arm(place, name.to_owned()))
}

fn read_control(text: &str) -> Reading {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let (name, rest) = text.split_at(letters);
    if name.is_empty() {
        return Reading::Nothing("it begins with no letter of a control".to_owned());
    }
    let Some(control) = controls::by_token(name) else {
        return Reading::Nothing("there is no such control".to_owned());
    };
    if let Some(table) = control.table() {
        return match read_rows(table, rest) {
            Ok(rows) => Reading::Token(Token::Rows(control.id, rows)),
            Err(why) => Reading::Refused(control.id, why),
        };
    }
    let value = match control.kind {
        Kind::Choice(_) => {
            rest.strip_prefix('-').and_then(|rest| plain_value(control.kind, control.unit, rest))
        }
        _ => plain_value(control.kind, control.unit, rest),
    };
    match value {
        Some(value) => Reading::Token(Token::Control(control.id, value)),
        None => Reading::Refused(control.id, refusal(control, rest)),
    }
}

fn refusal(control: &Control, rest: &str) -> String {
    let takes = range(control);
    let why = if rest.is_empty() { "it gives no value" } else { "its value cannot be read" };
    format!("{why}; {} takes {takes}", control.label)
}

fn amount(text: &str, units: &[(&str, i64)]) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    let count = number(count)?;
    if count == 0 && unit.is_empty() {
        return Some(0);
    }
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    Some(count.saturating_mul(*factor))
}

fn number(text: &str) -> Option<i64> {
    let plain =
        (1..=NUMBER_DIGITS_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn with_unit(value: i64, units: &[(&str, i64)]) -> String {
    let exact = units.iter().find(|(_, factor)| value != 0 && value % factor == 0);
    exact.map_or_else(|| value.to_string(), |(name, factor)| format!("{}{name}", value / factor))
}

fn read_node(text: &str) -> Result<Token, String> {
    let mut fields = text.split('-');
    let index = fields.next().and_then(number).and_then(|n| usize::try_from(n).ok());
    let max = nodes_max();
    let index = index.filter(|&n| n < max).ok_or_else(|| format!("nodes are 0 to {}", max - 1))?;
    let mut node = NodeSpec::default();
    for field in fields {
        let mut chars = field.chars();
        let letter = chars.next().ok_or("it has an empty field")?;
        let value = number(chars.as_str()).ok_or_else(|| format!("`{letter}` has no number"))?;
        if letter == 'c' {
            node.cpus = u32::try_from(value).map_err(|_| "it has too many CPUs")?;
            continue;
        }
        let kind = ZONE_LETTERS.iter().find(|(l, _)| *l == letter).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| format!("`{letter}` is no zone"))?;
        if node.zones.last().is_some_and(|zone| zone.kind >= kind) {
            return Err("its zones are out of order".to_owned());
        }
        let managed = value as u64;
        if !(1..=MANAGED_MAX).contains(&managed) {
            return Err(format!("zone {} must have 1 to {MANAGED_MAX} pages", kind.name()));
        }
        node.zones.push(ZoneSpec { kind, managed });
    }
    Ok(Token::Node(index, node))
}

fn to_base62(value: i64) -> String {
    let (mut rest, mut digits) = (value, Vec::new());
    while rest > 0 {
        digits.push(BASE62[(rest % 62) as usize]);
        rest /= 62;
    }
    digits.iter().rev().map(|&b| char::from(b)).collect()
}

fn from_base62(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 10 {
        return None;
    }
    text.bytes().try_fold(0i64, |sum, byte| {
        let digit = BASE62.iter().position(|&b| b == byte)? as i64;
        sum.checked_mul(62)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::CONTROLS;

    fn value(text: &str) -> Option<(ControlId, i64)> {
        match read(text) {
            Reading::Token(Token::Control(id, value)) => Some((id, value)),
            _ => None,
        }
    }

    #[test]
    fn tokens_are_short_and_readable() {
        let written = |id, value| write_value(id, value);
        assert_eq!(written(ControlId::Kswapds, 8), "k8");
        assert_eq!(written(ControlId::Policy, 1), "p-all");
        assert_eq!(written(ControlId::Flavour, 0), "f-416");
        assert_eq!(written(ControlId::Memory, 378 << 30), "m378G");
        assert_eq!(written(ControlId::Memory, (1 << 30) + 1), "m1073741825");
        assert_eq!(written(ControlId::Duration, 16_000_000_000), "t16s");
        assert_eq!(written(ControlId::Duration, 500_000_000), "t500ms");
        assert_eq!(written(ControlId::DriveLatency, 55_000), "dl55us");
        assert_eq!(written(ControlId::Warmup, 0), "wu0");
        assert_eq!(written(ControlId::Thp, 0), "thp0");
        assert_eq!(written(ControlId::Seed, 999_999), "s999999");
        assert_eq!(written(ControlId::Seed, 9_007_199_254_740_991), "SfFgnDxSe7");
    }

    #[test]
    fn every_control_comes_back_from_its_token() {
        for control in CONTROLS.iter().filter(|c| c.table().is_none()) {
            let (min, max) = control.bounds();
            for v in [min, max, control.default, min + (max - min) / 3, min + (max - min) / 5] {
                let back = value(&write_value(control.id, v));
                assert_eq!(back, Some((control.id, v)), "{}", control.key);
            }
        }
    }

    #[test]
    fn rows_of_a_table_come_back_and_their_damage_is_told() {
        let mut s = Scenario::preset("tiny").expect("a preset");
        let text = "nvme size=16GiB priority=10; hdd discard=on; zram-lzo-rle size=4GiB priority=0";
        s.set_text("swap_table", text).expect("three devices");
        let token = write(&s, ControlId::SwapTable);
        assert_eq!(token, "dv-nv-z16G-p10_hdd-d1_lzo-z4G-p0");
        let rows = s.rows(ControlId::SwapTable).to_vec();
        assert_eq!(read(&token), Reading::Token(Token::Rows(ControlId::SwapTable, rows)));
        s.set_text("swap_tiers", "100; 10 policy=least-used barred=on; -1").expect("three tiers");
        let token = write(&s, ControlId::SwapTiers);
        assert_eq!(token, "ti-100_10-qleast-x1_n1");
        let rows = s.rows(ControlId::SwapTiers).to_vec();
        assert_eq!(read(&token), Reading::Token(Token::Rows(ControlId::SwapTiers, rows)));
        let why = |text| match read(text) {
            Reading::Refused(_, why) => why,
            other => format!("{other:?}"),
        };
        assert!(why("dv-tape").starts_with("cell 1 of device 0 cannot be read; Medium takes zram"));
        assert_eq!(why("dv-nv-y5"), "cell 2 of device 0 is of no column");
        assert_eq!(why("dv-nv_nv-p5-p6"), "cell 3 of device 1 gives its Priority again");
        assert_eq!(why("dv-nv-pn1x").find("cannot be read"), Some(19));
    }

    #[test]
    fn damage_is_told_from_wrong_values() {
        assert_eq!(
            read(&write_constant(ConstantId::IsolatePerPage, 40)),
            Reading::Token(Token::Constant(ConstantId::IsolatePerPage, 40))
        );
        let why = |text| match read(text) {
            Reading::Nothing(why) => format!("nothing: {why}"),
            Reading::Refused(id, why) => format!("{}: {why}", id.control().key),
            Reading::Token(token) => format!("{token:?}"),
        };
        assert_eq!(why("kx8"), "nothing: there is no such control");
        assert_eq!(why("k8x"), "kswapds: its value cannot be read; kswapds a node takes 1 to 32");
        assert_eq!(why("k"), "kswapds: it gives no value; kswapds a node takes 1 to 32");
        assert_eq!(why("e-ful"), "start: its value cannot be read; Start takes full or empty");
        assert_eq!(why("c-Nothing-4"), "nothing: the ledger has no such constant here");
        assert_eq!(why("c-IsolatePerPage"), "nothing: it gives no value of IsolatePerPage");
        assert!(why("c-IsolatePerPage-99999999999999999999").contains("no value"));
        assert_eq!(why("8"), "nothing: it begins with no letter of a control");
        assert_eq!(why(""), "nothing: it is empty");
        assert!(why("k99999999999999999999").contains("cannot be read"));
        assert!(
            why("m9999999999T").contains("9223372036854775807"),
            "saturates, then out of bounds"
        );
        assert!(why("Sxxxxxxxxxxxxxx").starts_with("seed"));
        assert!(why("k\u{e9}8").starts_with("kswapds"));
    }

    #[test]
    fn nodes_come_back_and_their_damage_is_told() {
        let zones =
            ZoneKind::ALL.map(|kind| ZoneSpec { kind, managed: 1000 + kind as u64 }).to_vec();
        let node = NodeSpec { cpus: 512, zones };
        let text = write_node(3, &node);
        assert_eq!(text, "N3-c512-d1000-w1001-n1002-m1003");
        assert_eq!(read(&text), Reading::Token(Token::Node(3, node)));
        for damaged in
            ["N8-c1", "N0-c", "N0-x1", "N0-w5-d4", "N0-w0", "N0-w5-w5", "N0--", "N0-w9999999999"]
        {
            assert!(matches!(read(damaged), Reading::Nothing(_)), "{damaged}");
        }
    }
}
