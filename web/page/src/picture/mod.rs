//! The machine as a drawing: pure functions from a view to shapes, drawn 1:1 in CSS pixels.
//!
//! * [`sketch`]: the shapes and a sheet that collects them.
//! * [`mark`]: the two signs used everywhere: a square is a kswapd, a round mark a reader.
//! * [`node`]: one node, put together from [`tank`], [`lists`], [`gate`], [`tasks`] and [`cpus`].
//! * [`small`]: one node where there are many.
//! * [`swap`]: the swap devices, their order as [`ring`]s or a list.
//! * [`words`]: the same node as a sentence, for those who do not see the drawing.
//! * [`bar`]: a stacked bar with its rows, for the results.

pub mod bar;
pub mod cpus;
pub mod gate;
pub mod lists;
pub mod mark;
pub mod node;
pub mod ring;
pub mod sketch;
pub mod small;
pub mod swap;
pub mod tank;
pub mod tasks;
pub mod words;
