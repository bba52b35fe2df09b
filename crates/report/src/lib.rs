//! Results as plain data: no model, no scenario, no drawing.
//!
//! * [`summary::Report`]: what a finished (or running) run says of its window, as it is printed.
//! * [`view::MachineView`]: the machine at one instant, for the picture.
//! * [`series`]: samples over time, for the timelines.
//! * [`claim`]: a claim about figures, checked.
//! * [`compare`]: arms on common random numbers, paired differences with intervals.
//! * [`course`], [`parts`]: how arms differ over time, and what their time and waits are made of.
//! * [`mail`]: a comparison as text for a mail.
//! * [`sensitivity`]: which results hang on which constants.
//! * [`sweep`]: the points of a sweep, a line each; what added workers gain.
//! * [`validation`]: published tables and real kernels beside the model.
//! * [`overlay`]: a real kernel's counters beside those of a run.
//! * [`quantity`]: what a claim compares, in words and with units.
//! * [`stats`]: spreads and intervals, the end of a warm-up.
//! * [`window`]: whether a window is long enough to say something.
//! * [`moment`]: instants that people look for.
//! * [`histogram`]: latencies in logarithmic buckets.
//! * [`why`]: why something is as it is.
//! * [`wire`]: views and samples as flat `f64` arrays, for the border between worker and page.
//!
//! Numbers that can pass 2^53 leave as text (digest); everything else is bounded below that.

pub mod claim;
pub mod compare;
pub mod course;
pub mod histogram;
pub mod mail;
pub mod moment;
pub mod overlay;
pub mod parts;
pub mod quantity;
pub mod sensitivity;
pub mod series;
pub mod stats;
pub mod summary;
pub mod sweep;
pub mod validation;
pub mod view;
pub mod why;
pub mod window;
pub mod wire;

pub use summary::Report;
pub use view::MachineView;
