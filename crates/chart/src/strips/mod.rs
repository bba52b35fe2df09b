//! The timelines there are. A strip whose columns a run does not have stays empty.

pub mod column;
pub(crate) mod cpu;
pub(crate) mod free;
pub(crate) mod lock;
pub(crate) mod reads;
pub(crate) mod scan;

use crate::strip::Frame;

/// The columns `nodeN.<name>` with their node, in order of node.
fn node_columns(frame: &Frame<'_>, name: &str) -> Vec<(usize, usize)> {
    let find = |node: usize| frame.table.find(&format!("node{node}.{name}")).map(|c| (node, c));
    (0..frame.header.nodes.len()).filter_map(find).collect()
}

/// The largest finite value of some columns; 0 without any.
fn largest(frame: &Frame<'_>, columns: impl IntoIterator<Item = usize>) -> f64 {
    let of = |column| frame.table.column(column).filter(|v| v.is_finite()).fold(0.0, f64::max);
    columns.into_iter().map(of).fold(0.0, f64::max)
}

#[cfg(test)]
pub(crate) mod samples;
