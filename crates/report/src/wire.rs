//! Views and samples as flat `f64` arrays: what crosses from the worker to the page without a copy.
//!
//! A view's shape (nodes, locks, workers) is fixed for a run and travels once, as JSON, in the
//! [`Header`]. Decoding checks every length; a short or foreign array gives an error, not a panic.

use crate::series::Column;
use serde::{Deserialize, Serialize};

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Model version.
    pub model: String,
    /// The scenario as a link fragment.
    pub link: String,
    /// Simulated nanoseconds of warm-up.
    pub warmup_ns: u64,
    /// Simulated nanoseconds in all (warm-up and window).
    pub end_ns: u64,
    /// Columns of the sample rows.
    pub columns: Vec<Column>,
    /// The nodes.
    pub nodes: Vec<NodeHeader>,
}

/// What is fixed of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeHeader {
    /// Hardware threads.
    pub cpus: u32,
    /// Managed pages over its zones.
    pub managed: u64,
    /// Sums of the zones' marks: min, low, high.
    pub marks: [u64; 3],
    /// Names of its locks, in the order of the views.
    pub locks: Vec<String>,
    /// kswapd workers.
    pub workers: u32,
    /// Readers that live on it.
    pub readers: u32,
}
