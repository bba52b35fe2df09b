//! What is seen.
//!
//! * [`top_bar`], [`notice`], [`pinned`]: title, changed parameters, what a link or a paste had to
//!   say, earlier versions of the page.
//! * [`controls`], [`control`], `device_table`, [`paste`]: the form, made from the catalog.
//! * [`machine`], [`swap`], [`drawing`]: the nodes and swap devices. * [`playback`], [`fork`]: run,
//!   cancel, the time cursor, another future.
//! * [`timelines`], [`strip`], [`chart_canvas`], [`overlay`], `extremes`, [`chooser`]: the
//!   strips on one clock.
//! * [`results`], [`tables`], [`provenance`]: what came out, and how it was made.
//! * [`command`]: a line for the terminal that does the same.
//! * [`same`]: props that are equal when they are the same allocation.

pub mod chart_canvas;
pub mod chooser;
pub mod command;
pub mod control;
pub mod controls;
mod device_table;
pub mod drawing;
mod extremes;
pub mod fork;
pub mod machine;
pub mod notice;
pub mod overlay;
pub mod paste;
pub mod pinned;
pub mod places;
pub mod playback;
pub mod provenance;
pub mod results;
pub mod same;
pub mod strip;
pub mod swap;
pub mod tables;
pub mod timelines;
pub mod top_bar;
pub mod why;
