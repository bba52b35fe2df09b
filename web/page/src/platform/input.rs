//! What the element of an event holds. An element of another kind holds nothing.

use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{
    ClipboardEvent, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
};
use yew::{Event, InputEvent, KeyboardEvent, NodeRef, PointerEvent, TargetCast};

/// The text of an entry or the position of a slider.
#[must_use]
pub fn text(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|e| e.value()).unwrap_or_default()
}

/// The same, when it was chosen.
#[must_use]
pub fn chosen_text(event: &Event) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|e| e.value()).unwrap_or_default()
}

/// Whether a box is checked.
#[must_use]
pub fn is_checked(event: &Event) -> bool {
    event.target_dyn_into::<HtmlInputElement>().is_some_and(|e| e.checked())
}

/// The row of a list that was chosen.
#[must_use]
pub fn chosen_row(event: &Event) -> usize {
    let list = event.target_dyn_into::<HtmlSelectElement>();
    list.and_then(|list| usize::try_from(list.selected_index()).ok()).unwrap_or(0)
}

/// The text of a box of many lines.
#[must_use]
pub fn area_text(area: &NodeRef) -> String {
    area.cast::<HtmlTextAreaElement>().map(|e| e.value()).unwrap_or_default()
}

/// How far right of an element's left edge the pointer stands, in pixels.
#[must_use]
pub fn across(event: &PointerEvent, element: &NodeRef) -> f64 {
    let left = element.cast::<HtmlElement>().map(|e| e.get_bounding_client_rect().left());
    f64::from(event.client_x()) - left.unwrap_or(0.0)
}

/// Lets an element get all events of the pointer until it is released.
pub fn capture(event: &PointerEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let _ = target.map(|element| element.set_pointer_capture(event.pointer_id()));
}

/// Calls back with a key that is pressed together with Control or Command, and whether Shift is
/// too; a key that was taken does nothing else. Not while a text is being typed.
pub fn on_control_key(mut pressed: Box<dyn FnMut((String, bool)) -> bool>) -> EventListener {
    let window = gloo::utils::window();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window, "keydown", options, move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        let is_ours = (key.ctrl_key() || key.meta_key()) && !key.alt_key() && !is_typed(key);
        if is_ours && pressed((key.key(), key.shift_key())) {
            key.prevent_default();
        }
    })
}

/// Whether the event's element holds a text that is not what the page shows: it is being typed.
fn is_typed(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target() else { return false };
    if target.dyn_ref::<HtmlTextAreaElement>().is_some() {
        return true;
    }
    let Some(entry) = target.dyn_ref::<HtmlInputElement>() else { return false };
    match entry.get_attribute("data-shown") {
        Some(shown) => entry.value() != shown,
        None => entry.type_() == "search" && !entry.value().is_empty(),
    }
}

/// The text of a paste that is longer than `most`; it then goes nowhere else.
#[must_use]
pub fn long_paste(event: &Event, most: u32) -> Option<String> {
    let paste = event.dyn_ref::<ClipboardEvent>()?;
    let text = paste.clipboard_data()?.get_data("text/plain").ok()?;
    if text.len() as u64 <= u64::from(most) {
        return None;
    }
    event.prevent_default();
    Some(text)
}
