//! The page: controls, machine, timelines, results. It links no model; the simulator runs in a
//! worker.
//!
//! Event -> [`state::Action`] -> pure reduce -> [`state::select`] -> components.
//!
//! * [`state`]: what the page knows, without a browser.
//! * [`picture`]: the machine as a drawing, without a browser.
//! * [`hook`]: what reaches outside: worker, address bar, theme, sizes.
//! * [`platform`]: the browser, behind names of what the page needs; nothing else touches it.
//! * [`place`]: the places of the page, a folder each.
//! * [`component`]: what is seen. Components get values and callbacks, and keep no state of the
//!   run.

pub mod app;
pub mod component;
pub mod hook;
pub mod picture;
pub mod place;
pub mod platform;
pub mod state;

#[cfg(test)]
mod samples;

/// Mounts the page in the place of what index.html shows before it is there.
pub fn run() {
    platform::document::tell_failures();
    yew::Renderer::<app::App>::with_root(platform::document::root()).render();
}
