//! Files of the page's own folder, read when they are needed.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Response;
use yew::Callback;

/// The longest file that is taken, in characters.
const SIZE_MAX: u32 = 4 << 20;

/// Reads a file beside the page, and calls back with its text or with why there is none.
pub fn text(path: String, done: Callback<Result<String, String>>) {
    spawn_local(async move {
        let why = |_: JsValue| format!("{path} cannot be read. Reload the page to try again.");
        done.emit(get(&path).await.map_err(why));
    });
}

async fn get(path: &str) -> Result<String, JsValue> {
    let answer = JsFuture::from(gloo::utils::window().fetch_with_str(path)).await?;
    let answer: Response = answer.dyn_into()?;
    if !answer.ok() {
        return Err(JsValue::NULL);
    }
    let text: js_sys::JsString = JsFuture::from(answer.text()?).await?.dyn_into()?;
    if text.length() > SIZE_MAX {
        return Err(JsValue::NULL);
    }
    Ok(String::from(text))
}
