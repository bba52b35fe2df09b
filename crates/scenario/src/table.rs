//! Controls that are tables: their text, and what must hold of their rows.

use crate::problem::{Problem, quoted};
use crate::scenario::Scenario;
use crate::text;
use catalog::{Column, Control, ControlId, Row, Table, tables};

/// Priority of alike devices when all are equal, and of the first when they descend.
const ALIKE_PRIORITY: i64 = 100;
/// What stands for no rows.
const NONE: &str = "none";

/// The rows as text that [`parse`] gives back.
pub(crate) fn print(table: &Table, rows: &[Row]) -> String {
    let cell = |(i, (column, &value)): (usize, (&Column, &i64))| {
        let text = text::print(column, value);
        let text = if value < 0 { value.to_string() } else { text };
        match i {
            0 => Some(text),
            _ if value == column.default => None,
            _ => Some(format!("{}={text}", column.key)),
        }
    };
    let row = |row: &Row| {
        let cells = table.columns.iter().zip(row).enumerate().filter_map(cell);
        cells.collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    if rows.is_empty() { NONE.to_owned() } else { rows.join("; ") }
}

/// The rows that a text means, or why it means none. Bounds are not checked.
pub(crate) fn parse(table: &Table, text: &str) -> Result<Vec<Row>, String> {
    let text = text.trim();
    if text == NONE || text.is_empty() {
        return Ok(Vec::new());
    }
    // One more than there may be, so that it is said that there are too many.
    let rows = text.split(';').take(table.rows_max + 1).enumerate();
    rows.map(|(i, row)| parse_row(table, row).map_err(|why| format!("{} {i}: {why}", table.row)))
        .collect()
}

fn parse_row(table: &Table, text: &str) -> Result<Row, String> {
    let mut row = table.default_row();
    let mut seen = [false; tables::COLUMNS_MAX];
    for (i, cell) in text.split_whitespace().enumerate() {
        let (key, value) = match cell.split_once('=') {
            Some((key, value)) => (key, value),
            None if i == 0 => (table.columns[0].key, cell),
            None => return Err(format!("{} names no column; {}", quoted(cell), known(table))),
        };
        let place = table.columns.iter().position(|column| column.key == key);
        let place =
            place.ok_or_else(|| format!("{} is no column; {}", quoted(key), known(table)))?;
        if core::mem::replace(&mut seen[place], true) {
            return Err(format!("{key} stands twice"));
        }
        row[place] = text::parse(&table.columns[place], value)?;
    }
    if seen[0] { Ok(row) } else { Err(format!("it gives no {}", table.columns[0].key)) }
}

fn known(table: &Table) -> String {
    let keys: Vec<&str> = table.columns.iter().map(|column| column.key).collect();
    format!("known: {}", keys.join(", "))
}

/// Whether rows are such as the table takes.
pub(crate) fn check(control: &Control, rows: &[Row]) -> Result<(), String> {
    let label = control.label;
    let table = control.table().ok_or_else(|| format!("{label} is not a table"))?;
    if rows.len() > table.rows_max {
        return Err(format!("{label} has at most {} rows", table.rows_max));
    }
    for (i, row) in rows.iter().enumerate() {
        for (column, cell) in table.columns.iter().zip(row) {
            let (min, max) = column.bounds();
            if !(min..=max).contains(cell) {
                let (what, range) = (column.label, text::range(column));
                let shown = if *cell < 0 { cell.to_string() } else { text::print(column, *cell) };
                return Err(format!("{} {i}: {what} must be {range}, not {shown}", table.row));
            }
        }
    }
    Ok(())
}

impl Scenario {
    /// The swap devices, a row each: those that are given, or the alike ones.
    #[must_use]
    pub fn devices(&self) -> Vec<Row> {
        let given = self.rows(ControlId::SwapTable);
        if !given.is_empty() {
            return given.to_vec();
        }
        let row = |n: i64| {
            let mut row = tables::DEVICES.default_row();
            row[tables::MEDIUM] = self.get(ControlId::SwapMedium);
            row[tables::SIZE] = self.get(ControlId::SwapSize);
            row[tables::PRIORITY] = match self.get(ControlId::SwapPriorities) {
                0 => -1,
                1 => ALIKE_PRIORITY,
                _ => ALIKE_PRIORITY - n,
            };
            row
        };
        (0..self.get(ControlId::SwapDevices)).map(row).collect()
    }

    /// A cell of a control that is a table, as text.
    #[must_use]
    pub fn cell(&self, id: ControlId, row: usize, column: usize) -> String {
        let cell = self.rows(id).get(row).and_then(|row| row.get(column)).copied().unwrap_or(0);
        let of = id.control().table().and_then(|table| table.columns.get(column));
        if cell < 0 { cell.to_string() } else { of.map_or(String::new(), |c| text::print(c, cell)) }
    }

    /// Sets a cell by text with a unit.
    ///
    /// # Errors
    /// When there is no such cell or the text is no value of it; the scenario is unchanged then.
    pub fn set_cell(
        &mut self,
        id: ControlId,
        row: usize,
        column: usize,
        text: &str,
    ) -> Result<(), Problem> {
        let control = id.control();
        let wrong = |why: String| Problem::new(control.key, why);
        let of = control.table().and_then(|table| table.columns.get(column));
        let of = of.ok_or_else(|| wrong("there is no such column".to_owned()))?;
        let value = text::parse(of, text).map_err(wrong)?;
        let mut rows = self.rows(id).to_vec();
        let cell = rows.get_mut(row).and_then(|row| row.get_mut(column));
        *cell.ok_or_else(|| wrong("there is no such row".to_owned()))? = value;
        self.set_rows(id, rows)
    }
}

/// What must hold across the rows of the swap tables.
pub(crate) fn validate(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let assignment = scenario.choice(ControlId::TierAssignment);
    let ranges = matches!(assignment, "run-time" | "run-time-review" | "boot");
    let mut say = |id: ControlId, sentence: String| {
        problems.push(Problem::new(id.control().key, sentence));
    };
    for id in [ControlId::SwapTiers, ControlId::TiersThen] {
        let rows = scenario.rows(id);
        if rows.is_empty() || !ranges {
            continue;
        }
        let start = |i: usize| rows[i][tables::START];
        if let Some(i) = (1..rows.len()).find(|&i| start(i) >= start(i - 1)) {
            let (own, above) = (start(i), start(i - 1));
            say(id, format!("tier {i} begins at {own}, not below the {above} of the tier above"));
        } else if start(rows.len() - 1) != -1 {
            let last = start(rows.len() - 1);
            say(id, format!("the last tier begins at {last}; some tier must begin at -1"));
        }
    }
    if scenario.choice(ControlId::Zswap) == "virtual" && scenario.get(ControlId::SwapDevices) > 15 {
        let sentence = "virtual swap takes the place of a device: there are at most 15 others";
        say(ControlId::Zswap, sentence.to_owned());
    }
    let shares = scenario.rows(ControlId::SwapFolios).iter().map(|row| row[tables::SHARE]);
    if shares.sum::<i64>() > 1_000 {
        say(ControlId::SwapFolios, "the shares of all orders are more than 1,000".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny(sets: &[(&str, &str)]) -> Result<Scenario, Problem> {
        let mut s = Scenario::preset("tiny").expect("a preset");
        sets.iter().try_for_each(|(key, value)| s.set_text(key, value)).map(|()| s)
    }

    fn refused(key: &str, text: &str) -> String {
        tiny(&[(key, text)]).expect_err("refused").to_string()
    }

    #[test]
    fn rows_are_read_printed_and_refused_with_their_place() {
        let text = "nvme size=16GiB priority=10; hdd; zram-lzo used=500 holes=8 node=2";
        let s = tiny(&[("swap_table", text)]).expect("three devices");
        assert_eq!(s.text(ControlId::SwapTable), text);
        assert_eq!((s.get(ControlId::SwapDevices), s.get(ControlId::SwapSize)), (3, 16 << 30));
        assert_eq!(
            refused("swap_table", "nvme; tape"),
            "swap_table: device 1: `tape` is not one of its values; Medium takes zram-lzo-rle, \
             zram-lz4, zram-zstd, pmem, nvme, ssd, hdd, network or zram-lzo"
        );
        assert!(
            refused("swap_table", "nvme p=3").contains("`p` is no column; known: medium, size")
        );
        assert!(refused("swap_table", "nvme 3").contains("`3` names no column"));
        assert!(refused("swap_table", "nvme size=1G size=2G").contains("size stands twice"));
        assert!(refused("swap_table", "priority=3").ends_with("it gives no medium"));
        assert!(refused("swap_table", "nvme priority=-2").contains("must be -1 to 32767, not -2"));
        assert!(refused("swap_table", "nvme size=2TiB").contains("must be 1MiB to 1TiB, not 2TiB"));
        let many = "nvme;".repeat(5_000);
        assert!(refused("swap_table", &many[..many.len() - 1]).contains("at most 16 rows"));
    }

    #[test]
    fn devices_one_by_one_hide_the_controls_of_alike_ones_until_one_is_set() {
        let mut s = tiny(&[("swap_devices", "2"), ("swap_table", "ssd; hdd size=1GiB; hdd")])
            .expect("devices");
        assert_eq!(s.changes(), [ControlId::SwapTable]);
        s.set_text("swap_size", "4GiB").expect("in bounds");
        assert_eq!(s.text(ControlId::SwapTable), "none");
        let words = [ControlId::SwapDevices, ControlId::SwapSize, ControlId::SwapMedium]
            .map(|id| s.text(id));
        assert_eq!(words, ["3", "4GiB", "ssd"]);
    }

    #[test]
    fn tiers_fall_to_the_lowest_priority_and_shares_are_one() {
        let said = |sets: &[(&str, &str)]| {
            tiny(sets).expect("in bounds").validate().first().map(ToString::to_string)
        };
        let boot = ("tier_assignment", "boot");
        assert_eq!(said(&[boot, ("swap_tiers", "100; 10; -1")]), None);
        let fall = said(&[boot, ("swap_tiers", "10; 10; -1")]).expect("said");
        assert_eq!(fall, "swap_tiers: tier 1 begins at 10, not below the 10 of the tier above");
        assert!(said(&[boot, ("tiers_then", "10; 5")]).expect("said").contains("must begin at -1"));
        assert_eq!(said(&[("swap_tiers", "5; 6")]), None, "by itself a tier has no range");
        assert!(said(&[("swap_folios", "4 share=600; 9 share=500")]).is_some());
        assert!(said(&[("swap_devices", "16"), ("zswap", "virtual")]).is_some());
    }
}
