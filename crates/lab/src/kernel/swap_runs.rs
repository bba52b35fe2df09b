//! Which device took how many pages in a row: `swap_runs.csv`, and the same of the model.
//!
//! The kernel's table was made from the used pages of each device after each step, so that devices
//! that grew in the same step stand in the order of /proc/swaps, and a device that grew in two
//! steps in a row is one run.

use scenario::{Problem, quoted};
use std::collections::BTreeMap;

/// The file's name.
const FILE: &str = "swap_runs.csv";
/// Most runs, and most bytes of a device's name.
const RUNS_MAX: usize = 1_000_000;
const NAME_MAX: usize = 100;
/// Its columns.
const COLUMNS: [&str; 4] = ["device", "pages", "last_step", "cpu_at_first_page"];

/// Pages in a row on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Its name without `/dev/`.
    pub(super) device: String,
    /// How many.
    pub(super) pages: u64,
    /// The step after which the last of them was seen.
    pub(super) last_step: u64,
    /// The CPU of the step after which the first of them was seen.
    pub(super) cpu: u64,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    /// In their order.
    pub(super) rows: Vec<Run>,
    /// Whether it ends before the run did.
    pub(super) cut: bool,
}

impl Runs {
    /// Reads the text of the table.
    ///
    /// # Errors
    /// What is wrong in it, with its line.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let wrong = |line: usize, why: String| Problem::new(format!("{FILE} line {line}"), why);
        let mut runs = Self::default();
        for (i, line) in text.lines().enumerate() {
            let number = i + 1;
            if let Some(remark) = line.strip_prefix('#') {
                runs.cut |= remark.contains("TRIMMED");
                continue;
            }
            let cells: Vec<&str> = line.splitn(5, ',').map(str::trim).collect();
            if number == 1 {
                if cells != COLUMNS {
                    return Err(wrong(1, format!("the columns are not {}", COLUMNS.join(", "))));
                }
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let [device, pages, last_step, cpu] = cells[..] else {
                return Err(wrong(number, format!("has {} cells and not 4", cells.len())));
            };
            if device.is_empty() || device.len() > NAME_MAX {
                return Err(wrong(number, format!("{} is no device", quoted(device))));
            }
            if runs.rows.len() == RUNS_MAX {
                return Err(wrong(number, format!("more than {RUNS_MAX} runs")));
            }
            let whole = |cell: &str| match cell.parse::<u64>() {
                Ok(n) if n < 1 << 50 => Ok(n),
                _ => Err(wrong(number, format!("{} is no whole number", quoted(cell)))),
            };
            runs.rows.push(Run {
                device: device.to_owned(),
                pages: whole(pages)?,
                last_step: whole(last_step)?,
                cpu: whole(cpu)?,
            });
        }
        if runs.rows.is_empty() && text.trim().is_empty() {
            return Err(wrong(1, "the table is empty".into()));
        }
        Ok(runs)
    }

    /// A device grew in a step.
    pub(super) fn grew(&mut self, device: &str, pages: u64, step: u64, cpu: u64) {
        match self.rows.last_mut() {
            Some(last) if last.device == device => {
                last.pages += pages;
                last.last_step = step;
            }
            _ => self.rows.push(Run { device: device.to_owned(), pages, last_step: step, cpu }),
        }
    }

    /// How many runs have how many pages.
    pub(super) fn lengths(&self) -> BTreeMap<u64, u64> {
        let mut lengths = BTreeMap::new();
        for run in &self.rows {
            *lengths.entry(run.pages).or_insert(0) += 1;
        }
        lengths
    }
}

/// What the summary says of a run by steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// How many runs there were in all.
    pub runs: Option<u64>,
    /// Used pages of each device at the end.
    pub used: BTreeMap<String, u64>,
    /// How many runs had how many pages; the most frequent lengths.
    pub lengths: BTreeMap<u64, u64>,
    /// How often used pages of a device grew by how many; the most frequent ones.
    pub growth: BTreeMap<u64, u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_a_row_on_a_device_are_one_run() {
        let mut runs = Runs::default();
        for (device, pages, step, cpu) in
            [("a", 3, 0, 0), ("a", 2, 1, 1), ("b", 1, 1, 1), ("a", 1, 2, 0)]
        {
            runs.grew(device, pages, step, cpu);
        }
        let text = "device,pages,last_step,cpu_at_first_page\na,5,1,0\nb,1,1,1\na,1,2,0\n";
        assert_eq!(Runs::read(text), Ok(runs.clone()));
        assert_eq!(runs.lengths(), BTreeMap::from([(1, 2), (5, 1)]));
        let cut = Runs::read(&format!("{text}# TRIMMED: 9 runs in all\n")).map(|runs| runs.cut);
        assert_eq!(cut, Ok(true));
    }

    #[test]
    fn a_broken_table_is_an_error_with_its_line() {
        let said = |text: &str| Runs::read(text).map_err(|p| p.to_string());
        let head = "device,pages,last_step,cpu_at_first_page\n";
        let row = |row: &str| said(&format!("{head}vdb,1,0,0\n{row}\n"));
        for text in ["", "device,pages\n", "a,1,2,3\n"] {
            assert!(said(text).is_err_and(|s| s.starts_with("swap_runs.csv line 1")), "{text}");
        }
        for text in ["vdb,1,0", "vdb,1,0,0,0", "vdb,-1,0,0", "vdb,1e3,0,0", ",1,0,0"] {
            assert!(row(text).is_err_and(|s| s.starts_with("swap_runs.csv line 3")), "{text}");
        }
    }
}
