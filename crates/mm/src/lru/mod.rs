//! LRU lists as cohorts: runs of list-adjacent pages that entered together.
//!
//! A list of 47 million pages is a few thousand [`cohort::Cohort`]s; pages are counted by zone
//! inside one. Taking pages off the tail draws from the tail cohort; new pages join the head cohort
//! until it is full. [`list::List`] keeps them in shared chunks, so that a checkpoint of a list
//! costs only what changed since the last one. [`partition::Partition`] is one sub-list set with
//! its lock.

pub mod cohort;
pub mod list;
pub mod partition;

pub use cohort::Cohort;
pub use list::List;
pub use partition::Partition;
