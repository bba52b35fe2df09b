//! Published measurements beside the model.
//!
//! A [`Table`] of published rows becomes a [`Plan`]: every row is a figure of some run, or has a
//! reason why it is none (`sets`). Rows of one scenario run it once. The plan is carried out in
//! parallel and compared ([`Plan::compare`]: ratio, tolerance, verdict a row) or, for an index
//! without values, filled in ([`predict`]). What the constants were fitted to is listed beside it
//! (`fitted`), and [`orderings`] keeps the directions that the published rows show. [`page`] is all
//! of it as plain data, experiments with real kernels beside it.

mod collection;
mod d01;
mod d13;
mod d14;
mod d22;
mod fitted;
mod judge;
mod kbuild;
mod known;
mod measure;
pub mod orderings;
pub mod page;
mod plan;
pub mod predict;
mod sets;
mod slots;
mod summary;
mod table;
mod usemem;

pub use collection::{CALIBRATION, EXPERIMENTS, data_hash};
pub use fitted::{Fitted, fitted};
pub use judge::{Asked, Verdict};
pub use kbuild::Build;
pub use measure::{COUNTERS_S, Measure, STAGE_S};
pub use plan::{Finished, Line, Outcome, Plan, REPS_MAX, Validation};
pub use report::validation::{Group, figure};
pub use summary::{Summary, summary};
pub use table::{BYTES_MAX, ROWS_MAX, Row, Table};

use catalog::ConstantId;
use scenario::Scenario;

/// What a row is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Constants were set so that rows of this table come out.
    Calibrated,
    /// It follows, with no constant of its own.
    Follows,
}

/// The times of a run, in place of those that the set asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Simulated nanoseconds before the window.
    pub warmup_ns: i64,
    /// Simulated nanoseconds of the window.
    pub duration_ns: i64,
}

/// A row that the model has.
#[derive(Clone, Debug)]
pub(crate) struct Modelled {
    pub(crate) what: What,
    pub(crate) role: Role,
}

/// Where the model's figure comes from.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one a row, for a moment")]
pub(crate) enum What {
    /// A figure of a run.
    Run {
        scenario: Scenario,
        measure: Measure,
        /// Constants that this run has other values of, by their cause.
        constants: Vec<(ConstantId, u64)>,
    },
    /// A rule, without a run.
    Value(f64),
}
