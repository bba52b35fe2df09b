//! Prints `tests/data/orderings.csv`: which published row is larger than which, from the published
//! figures alone.
//!
//! `cargo run -p reclaimscope-lab --example orderings > tests/data/orderings.csv`

use reclaimscope_lab::validate::{Table, orderings};

fn main() {
    let text = include_str!("../../../tests/data/published/calibration.csv");
    let table = Table::parse(text, true).expect("the committed table can be read");
    print!("{}", orderings::to_csv(&orderings::orderings(&table.rows)));
}
