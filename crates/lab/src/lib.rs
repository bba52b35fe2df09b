//! The facade: scenario -> run -> report. The only crate that joins scenario, model and report.
//!
//! [`Run`] is one simulation: [`Run::prepare`] lowers a scenario to the model, [`Run::advance`]
//! moves it by a budget of events, [`Run::view`] and [`Run::take_rows`] say what it looks like on
//! the way, [`Run::report`] what came out. A clone of a `Run` is a checkpoint of it, and
//! [`track::Track`] keeps such for going back. [`run()`] and [`sweep()`] do all of that at once,
//! [`measure`] keeps the samples, [`trace`] what passed the kernel's tracepoints;
//! [`estimate()`] says
//! beforehand what it will cost.
//!
//! Results depend on nothing but scenario, seed and [`MODEL_VERSION`]: not on slices, not on
//! threads, not on the machine.

pub mod compare;
mod estimate;
pub mod export;
mod fake_numa;
pub mod fork;
pub mod grid;
#[cfg(not(target_family = "wasm"))]
pub mod kernel;
mod lower;
pub mod machine;
mod outcome;
pub mod overlay;
mod record;
mod run;
mod snapshot;
mod summary;
mod sweep;
#[cfg(not(target_family = "wasm"))]
pub mod thread;
pub mod trace;
pub mod track;
#[cfg(not(target_family = "wasm"))]
pub mod validate;
mod view;
mod why;

pub use estimate::{Estimate, estimate};
pub use lower::{lower, lower_with};
pub use run::{Progress, Run};
#[cfg(not(target_family = "wasm"))]
pub use sweep::sweep_with;
pub use sweep::{Outcome, in_order, measure, run, run_with, sweep};

/// The version of the model: two results can be compared only when it is the same.
pub const MODEL_VERSION: &str = "0.1.0";
