//! Samples over simulated time: a fixed set of columns and rows at a fixed interval.

use serde::{Deserialize, Serialize};

/// What one column holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Unique key, e.g. `node0.nr_free_pages` or `pgscan_kswapd`.
    pub key: String,
    /// Plain words: `Free memory, node 0`.
    pub label: String,
    /// The kernel's name, e.g. `nr_free_pages`.
    pub kernel_name: String,
    /// `pages`, `pages/s`, `CPUs`, `%`, `ns`.
    pub unit: String,
    /// The node it belongs to, if any.
    pub node: Option<u8>,
}

/// Rows of samples. A row's values stand in the order of the columns; a gauge is its value at the
/// row's time, a rate its mean since the row before; `*.min` and `*.max` columns hold the extremes
/// since the row before, so that no spike is lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the values are.
    pub columns: Vec<Column>,
    /// Time of each row, in nanoseconds since the start of the run.
    pub time_ns: Vec<u64>,
    /// Row-major values: `time_ns.len() * columns.len()` of them.
    pub values: Vec<f64>,
}

impl Table {
    /// The values of one column, oldest first.
    pub fn column(&self, index: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(index).step_by(self.columns.len().max(1)).copied()
    }

    /// The number of the column with this key.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.key == key)
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has not one value a column.
    pub fn push(&mut self, time_ns: u64, row: &[f64]) {
        assert_eq!(row.len(), self.columns.len(), "one value a column");
        self.time_ns.push(time_ns);
        self.values.extend_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_every_nth_value() {
        let column = |key: &str| Column {
            key: key.into(),
            label: String::new(),
            kernel_name: String::new(),
            unit: String::new(),
            node: None,
        };
        let mut table = Table { columns: vec![column("a"), column("b")], ..Table::default() };
        table.push(1, &[1.0, 2.0]);
        table.push(2, &[3.0, 4.0]);
        assert_eq!(table.column(1).collect::<Vec<_>>(), [2.0, 4.0]);
        assert_eq!(table.find("b"), Some(1));
        assert_eq!(table.find("c"), None);
    }
}
