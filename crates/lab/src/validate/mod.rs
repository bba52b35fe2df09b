//! Published measurements beside the model.

pub mod orderings;
mod table;

pub use table::{BYTES_MAX, ROWS_MAX, Row, Table};
