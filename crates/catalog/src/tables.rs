//! Controls that are tables: their columns, of which each cell is an integer like a control's.
//!
//! In `--set` and JSON rows stand behind semicolons, the first cell bare, the others by key where
//! they differ from the default: `nvme size=16GiB priority=10; zram-lzo-rle`. In a link rows are
//! parted by `_` and cells by `-`, each behind its column's letter: `dv-nv-z16G-p10_lzo`.

use crate::controls::{Choice, Kind, Scale, Unit};
use crate::in_tier::TIER_POLICIES;
use crate::swap::MEDIA;

/// A row of a table: a cell a column; those behind the last column are 0.
pub type Row = [i64; COLUMNS_MAX];

/// Most columns of a table.
pub const COLUMNS_MAX: usize = 8;

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The key in `--set` and JSON.
    pub key: &'static str,
    /// The letter in a link; the first column has none.
    pub letter: &'static str,
    /// The heading in the page.
    pub label: &'static str,
    /// One sentence of help.
    pub sentence: &'static str,
    /// What its integers count.
    pub unit: Unit,
    /// What values it takes.
    pub kind: Kind,
    /// What a cell is when nothing is said.
    pub default: i64,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// What a row is: `device`.
    pub row: &'static str,
    /// The columns, the first of which each row says.
    pub columns: &'static [Column],
    /// Most rows.
    pub rows_max: usize,
}

impl Table {
    /// A row of defaults.
    #[must_use]
    pub fn default_row(&self) -> Row {
        let mut row = [0; COLUMNS_MAX];
        for (cell, column) in row.iter_mut().zip(self.columns) {
            *cell = column.default;
        }
        row
    }
}

impl Column {
    /// Smallest and largest value.
    #[must_use]
    pub const fn bounds(&self) -> (i64, i64) {
        self.kind.bounds()
    }
}

const fn number(min: i64, max: i64) -> Kind {
    Kind::Number { min, max, scale: Scale::Linear }
}

const fn choice(
    letter: &'static str,
    key: &'static str,
    label: &'static str,
    rows: &'static [Choice],
    sentence: &'static str,
) -> Column {
    let (unit, kind) = (Unit::Choice, Kind::Choice(rows));
    Column { key, letter, label, sentence, unit, kind, default: 0 }
}

/// The cell of a device's medium; the others of a device by number.
pub const MEDIUM: usize = 0;
/// Its size.
pub const SIZE: usize = 1;
/// Its priority; -1 for none given.
pub const PRIORITY: usize = 2;
/// The clusters that were begun before the run, in thousandths.
pub const USED: usize = 3;
/// Free slots of such a cluster, on average.
pub const HOLES: usize = 4;
/// Whether freed clusters are discarded.
pub const DISCARD: usize = 5;
/// The node that it is attached to, plus 1; 0 for none.
pub const NODE: usize = 6;

/// Swap devices.
pub static DEVICES: Table = Table {
    row: "device",
    rows_max: 16,
    columns: &[
        choice(
            "",
            "medium",
            "Medium",
            MEDIA,
            "What it is made of; a disk that turns has rules of its own.",
        ),
        Column {
            key: "size",
            letter: "z",
            label: "Size",
            sentence: "Its size; of zram before compression.",
            unit: Unit::Bytes,
            kind: Kind::Number { min: 1 << 20, max: 1 << 40, scale: Scale::Log },
            default: 8 << 30,
        },
        Column {
            key: "priority",
            letter: "p",
            label: "Priority",
            sentence: "swapon -p; -1 for none, so that the kernel's default decides.",
            unit: Unit::Count,
            kind: number(-1, 32_767),
            default: -1,
        },
        Column {
            key: "used",
            letter: "u",
            label: "Used /1000",
            sentence: "Clusters of 512 slots that other programs began before the run, in thousandths; they keep what they have.",
            unit: Unit::PerMille,
            kind: number(0, 1_000),
            default: 0,
        },
        Column {
            key: "holes",
            letter: "h",
            label: "Holes",
            sentence: "Free slots that such a cluster has left, on average, at places drawn evenly.",
            unit: Unit::Count,
            kind: number(0, 511),
            default: 0,
        },
        Column {
            key: "discard",
            letter: "d",
            label: "Discard",
            sentence: "Whether the device is told of clusters that were freed before they are used again (swapon --discard=pages).",
            unit: Unit::Flag,
            kind: Kind::Flag,
            default: 0,
        },
        Column {
            key: "node",
            letter: "n",
            label: "Node",
            sentence: "The node that it is attached to, counted from 1; 0 for none.",
            unit: Unit::Count,
            kind: number(0, 8),
            default: 0,
        },
    ],
};

/// The cell of a tier's lowest priority; the others of a tier by number.
pub const START: usize = 0;
/// Its policy: 0 for that of the control, else a row of `in_tier::IN_TIER` plus 1.
pub const POLICY: usize = 1;
/// Whether the workload's cgroup is kept out of it.
pub const BARRED: usize = 2;

/// Swap tiers, the highest first.
pub static TIERS: Table = Table {
    row: "tier",
    rows_max: 31,
    columns: &[
        Column {
            key: "start",
            letter: "",
            label: "From priority",
            sentence: "The lowest priority of the tier; the last tier begins at -1. What is made by priority or by buckets has its own.",
            unit: Unit::Count,
            kind: number(-1, 32_767),
            default: -1,
        },
        choice("q", "policy", "Policy", TIER_POLICIES, "Which of its devices serves next."),
        Column {
            key: "barred",
            letter: "x",
            label: "Barred",
            sentence: "Whether the workload's cgroup may not use it (memory.swap.tiers.max is 0).",
            unit: Unit::Flag,
            kind: Kind::Flag,
            default: 0,
        },
    ],
};

/// The cell of a folio's order; the other one is its share.
pub const ORDER: usize = 0;
/// Thousandths of the anonymous pages that are swapped out in folios of this order.
pub const SHARE: usize = 1;

/// Large folios by order.
pub static FOLIOS: Table = Table {
    row: "order",
    rows_max: 9,
    columns: &[
        Column {
            key: "order",
            letter: "",
            label: "Order",
            sentence: "A folio has 2^order pages.",
            unit: Unit::Count,
            kind: number(1, 9),
            default: 4,
        },
        Column {
            key: "share",
            letter: "s",
            label: "Share /1000",
            sentence: "Thousandths of the anonymous pages that are in such folios.",
            unit: Unit::PerMille,
            kind: number(0, 1_000),
            default: 1_000,
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_at_their_number_and_letters_differ() {
        let key = |table: &Table, cell: usize| table.columns[cell].key;
        let cells = [MEDIUM, SIZE, PRIORITY, USED, HOLES, DISCARD, NODE];
        assert_eq!(
            cells.map(|cell| key(&DEVICES, cell)),
            ["medium", "size", "priority", "used", "holes", "discard", "node"]
        );
        assert_eq!([START, POLICY, BARRED].map(|c| key(&TIERS, c)), ["start", "policy", "barred"]);
        assert_eq!([ORDER, SHARE].map(|c| key(&FOLIOS, c)), ["order", "share"]);
        for table in [&DEVICES, &TIERS, &FOLIOS] {
            assert!(table.columns.len() <= COLUMNS_MAX && table.columns[0].letter.is_empty());
            for (i, column) in table.columns.iter().enumerate() {
                let (min, max) = column.bounds();
                assert!((min..=max).contains(&column.default), "{}", column.key);
                let before = &table.columns[..i];
                assert!(before.iter().all(|c| c.letter != column.letter && c.key != column.key));
                assert!(i == 0 || column.letter.len() == 1);
            }
        }
    }
}
