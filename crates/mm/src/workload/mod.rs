//! What the tasks do: readers of files, and the drives that the files lie on.

pub mod drive;
pub mod reader;
