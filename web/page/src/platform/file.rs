//! Files out and in.

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement,
    HtmlInputElement, Url,
};
use yew::{Callback, Event, TargetCast};

/// The largest file that is read, in bytes.
const SIZE_MAX: f64 = 16_777_216.0;
/// Pixels of a picture for each of its own.
const SCALE: u32 = 2;

/// Hands a text to the person as a file.
pub fn save(name: &str, text: &str) {
    let parts = js_sys::Array::of1(&text.into());
    if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
        hand_over(name, &blob);
    }
}

fn hand_over(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    let anchor = gloo::utils::document().create_element("a").ok();
    if let Some(anchor) = anchor.and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    let _ = Url::revoke_object_url(&url);
}

/// Hands a picture (SVG) to the person as pixels (PNG).
pub fn save_pixels(name: String, svg: &str) {
    let address = format!("data:image/svg+xml,{}", String::from(js_sys::encode_uri_component(svg)));
    let Ok(image) = HtmlImageElement::new() else { return };
    let loaded = image.clone();
    let draw = Closure::once_into_js(move || drop(draw(name, &loaded)));
    image.set_onload(Some(draw.unchecked_ref()));
    image.set_src(&address);
}

fn draw(name: String, image: &HtmlImageElement) -> Result<(), JsValue> {
    let canvas = gloo::utils::document().create_element("canvas")?;
    let canvas: HtmlCanvasElement = canvas.unchecked_into();
    canvas.set_width(image.width() * SCALE);
    canvas.set_height(image.height() * SCALE);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.scale(SCALE.into(), SCALE.into())?;
    context.draw_image_with_html_image_element(image, 0.0, 0.0)?;
    let done = Closure::once_into_js(move |blob: JsValue| {
        if let Some(blob) = blob.dyn_ref::<Blob>() {
            hand_over(&name, blob);
        }
    });
    canvas.to_blob(done.unchecked_ref())
}

/// Calls back with the text of a file that was chosen, or with why it is not read.
pub fn chosen(event: &Event, done: Callback<Result<String, String>>) {
    let input = event.target_dyn_into::<HtmlInputElement>();
    let file = input.and_then(|input| input.files()).and_then(|files| files.get(0));
    let Some(file) = file else { return };
    if file.size() > SIZE_MAX {
        done.emit(Err(format!("The file has {} bytes; at most {SIZE_MAX} are read.", file.size())));
        return;
    }
    yew::platform::spawn_local(async move {
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        done.emit(text.ok_or("The file cannot be read.".to_owned()));
    });
}
