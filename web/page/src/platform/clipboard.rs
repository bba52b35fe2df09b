//! Copying text.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use yew::Callback;

/// Copies a text and calls back with whether that worked.
pub fn copy(text: String, done: Callback<bool>) {
    yew::platform::spawn_local(async move { done.emit(write(&text).await) });
}

async fn write(text: &str) -> bool {
    let navigator = gloo::utils::window().navigator();
    // Without https there is no clipboard, whatever the type says.
    let there = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"));
    if !there.is_ok_and(|clipboard| clipboard.is_object()) {
        return false;
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}
