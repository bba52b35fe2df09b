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

    /// The rows up to a time, in nanoseconds.
    #[must_use]
    pub fn until(&self, time_ns: u64) -> Self {
        let rows = self.time_ns.partition_point(|&time| time <= time_ns);
        Self {
            columns: self.columns.clone(),
            time_ns: self.time_ns[..rows].to_vec(),
            values: self.values[..rows * self.columns.len()].to_vec(),
        }
    }

    /// The rows from a time on, in nanoseconds, and the one before.
    #[must_use]
    pub fn since(&self, time_ns: u64) -> Self {
        let first = self.time_ns.partition_point(|&time| time <= time_ns).saturating_sub(1);
        Self {
            columns: self.columns.clone(),
            time_ns: self.time_ns[first..].to_vec(),
            values: self.values[first * self.columns.len()..].to_vec(),
        }
    }

    /// The rows of another table before those of this one, whatever their times: for what is to
    /// have room for both.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        Self {
            columns: self.columns.clone(),
            time_ns: [&other.time_ns[..], &self.time_ns].concat(),
            values: [&other.values[..], &self.values].concat(),
        }
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
        table.push(5, &[5.0, 6.0]);
        assert_eq!(table.until(3), table.until(4));
        assert_eq!(table.until(3).values, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(table.since(3).time_ns, [2, 5]);
        assert_eq!(table.until(1).after(&table.since(3)).time_ns, [2, 5, 1]);
    }
}
