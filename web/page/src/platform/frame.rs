//! Animation frames.

use gloo::render::AnimationFrame;

/// Calls back once in the next animation frame, unless the handle is dropped before.
#[must_use]
pub fn request(callback: impl FnOnce() + 'static) -> AnimationFrame {
    gloo::render::request_animation_frame(move |_| callback())
}

/// Whether the page can be seen. While it cannot, there are no animation frames.
#[must_use]
pub fn is_visible() -> bool {
    !gloo::utils::document().hidden()
}
