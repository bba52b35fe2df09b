//! The page's title.

/// Sets it.
pub fn set_title(title: &str) {
    gloo::utils::document().set_title(title);
}

/// The element that the page is drawn into.
///
/// # Panics
/// When index.html has none.
#[must_use]
pub fn root() -> web_sys::Element {
    let root = gloo::utils::document().get_element_by_id("app");
    root.expect("index.html has an element with the id app")
}
