//! Drawing from reports: what a picture shows is planned as data, then drawn on any plotters
//! backend.
//!
//! * [`strip`]: a timeline as data: axis, marks, labels, and what it reads at a time.
//! * [`strips`]: the timelines there are, one file each, and [`strips::column`] for any column.
//! * [`extreme`]: its lowest and its highest sample.
//! * [`twin`]: the same samples as a table of words.
//! * [`draw`]: marks onto a plotters drawing area. Text is left to the surface, which knows fonts.
//! * [`svg`]: all timelines as one picture that stands on its own.
//! * [`scale`], [`path`], [`fill`], [`labels`]: axes, lines, patterns, text that keeps apart.
//! * [`theme`]: colours by what they mean. [`words`]: numbers as a person reads them.
//!
//! Nothing here knows a browser, a scenario or the model. Coordinates are CSS pixels from the upper
//! left corner of a strip's plot.

pub mod draw;
pub mod extreme;
pub mod fill;
pub mod labels;
pub mod path;
pub mod scale;
pub mod strip;
pub mod strips;
pub mod svg;
pub mod theme;
pub mod twin;
pub mod words;

pub use strip::{Frame, Kind, Strip};
pub use theme::{Ink, Theme};
