//! The fragment of the address bar: it holds the link of what is shown, and is never sent anywhere.

use gloo::events::EventListener;
use yew::Callback;

/// The fragment, without `#`, decoded.
#[must_use]
pub fn fragment() -> String {
    let hash = raw();
    let fragment = hash.trim_start_matches('#');
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    // What stands around a link in a mail (`<`, `>`, blanks) comes encoded.
    let decoded = js_sys::decode_uri_component(fragment);
    decoded.map_or_else(|_| fragment.to_owned(), String::from)
}

/// The fragment as the browser keeps it, `#` included.
fn raw() -> String {
    gloo::utils::window().location().hash().unwrap_or_default()
}

/// The whole address without fragment and query.
#[must_use]
pub fn base() -> String {
    let href = gloo::utils::window().location().href().unwrap_or_default();
    href.split(['#', '?']).next().unwrap_or_default().to_owned()
}

/// Whether the page stands in another one (`?embed`): its address is that page's business.
#[must_use]
pub fn is_embedded() -> bool {
    let query = gloo::utils::window().location().search().unwrap_or_default();
    query.trim_start_matches('?').split('&').any(|word| word == "embed")
}

/// Writes a fragment; as a new entry of the history when `push`, else in the place of the newest.
/// An embedded page never does.
pub fn write(fragment: &str, push: bool) {
    let hash = format!("#{fragment}");
    if hash == raw() || is_embedded() {
        return;
    }
    let history = gloo::utils::window().history();
    let nothing = wasm_bindgen::JsValue::NULL;
    let _ = history.map(|history| match push {
        true => history.push_state_with_url(&nothing, "", Some(&hash)),
        false => history.replace_state_with_url(&nothing, "", Some(&hash)),
    });
}

/// Calls back with the fragment when a person changed it or went back; not after [`write()`].
pub fn on_change(changed: Callback<String>) -> EventListener {
    let window = gloo::utils::window();
    // Going back to an entry of `write` fires this too, as only its fragment differs.
    EventListener::new(&window, "hashchange", move |_| changed.emit(fragment()))
}

/// The address that a mail names: this one where it is hosted, else none.
#[must_use]
pub fn public() -> String {
    let base = base();
    if base.starts_with("https://") { base } else { String::new() }
}
