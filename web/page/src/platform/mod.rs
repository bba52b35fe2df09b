//! The browser, behind names of what the page needs. Nothing else of the page touches it.
//!
//! * [`address`]: the fragment of the address bar. * [`clipboard`]: copying.
//! * [`worker`]: the simulator, as messages in and out.
//! * [`pool`]: workers beside it, which do tasks. * [`object`]: JSON, read by the browser.
//! * [`file`]: files out and in.
//! * [`frame`]: animation frames. * [`size`]: how wide an element is.
//! * [`canvas`]: a strip on a canvas. * [`theme`]: colours and the choice of a theme.
//! * [`fetch`]: files beside the page.
//! * [`input`]: what an event's element holds. * [`document`]: the page's title.

pub mod address;
pub mod canvas;
pub mod clipboard;
pub mod document;
pub mod fetch;
pub mod file;
pub mod frame;
pub mod input;
pub mod object;
pub mod pool;
pub mod size;
pub mod theme;
pub mod worker;
