//! LRU lists as cohorts: runs of list-adjacent pages that entered together.
//!
//! [`class`] says which pages there are and how they are used; an [`entry::Entry`] is so many of
//! them in one state. A list of 47 million pages is a few thousand [`cohort::Cohort`]s of such
//! entries; taking pages off the tail draws from the tail cohort, new pages join the head cohort
//! until it is full. [`list::List`] keeps them in shared chunks, so that a checkpoint of a list
//! costs only what changed since the last one. [`partition::Partition`] is one set of lists with
//! its lock, classic or [`generations`]; [`lruvec::Lruvec`] the lists of a cgroup on a node.

pub mod class;
pub mod cohort;
mod cycle;
pub mod entry;
pub mod generations;
pub mod list;
pub mod lruvec;
mod marks;
pub mod partition;
pub mod shadow;
pub mod site;
pub mod tier;
mod uses;

pub use class::{Class, ClassConfig, Miss, Order, PageKind, Pages};
pub use cohort::Cohort;
pub use entry::{ClassId, Entry, Flags};
pub use generations::Generations;
pub use list::List;
pub use lruvec::Lruvec;
pub use partition::{LruList, Partition};
pub use shadow::Shadow;
pub use site::Site;
