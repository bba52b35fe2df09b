//! The document: its title, its failures, the place of the page in it.

/// Whether there is a document: a worker has none.
#[must_use]
pub fn is_there() -> bool {
    web_sys::window().is_some()
}

/// Sets it.
pub fn set_title(title: &str) {
    gloo::utils::document().set_title(title);
}

/// The earlier versions of the page that are on this host beside it, `v/VERSION/` each: the number
/// that links carry of its model, and the version.
#[must_use]
pub fn versions() -> Vec<(u32, String)> {
    let meta = gloo::utils::document().query_selector("meta[name=models]").ok().flatten();
    let listed = meta.and_then(|meta| meta.get_attribute("content")).unwrap_or_default();
    let one = |word: &str| {
        let (number, version) = word.split_once('=')?;
        Some((number.parse().ok()?, version.to_owned()))
    };
    listed.split_whitespace().filter_map(one).collect()
}

/// From now on a failure of the page itself is told above it: what is shown then stands still.
pub fn tell_failures() {
    std::panic::set_hook(Box::new(|info| {
        let document = gloo::utils::document();
        let Ok(notice) = document.create_element("p") else { return };
        notice.set_class_name("notice bad");
        let _ = notice.set_attribute("role", "alert");
        let sentence = format!(
            "The page failed and stands still; reload it, the address holds your settings. {info}"
        );
        notice.set_text_content(Some(&sentence));
        let _ = gloo::utils::body().prepend_with_node_1(&notice);
        web_sys::console::error_1(&sentence.into());
    }));
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
