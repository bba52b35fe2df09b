//! How wide an element is, and when that changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};
use yew::{Callback, NodeRef};

/// Watches an element until it is dropped.
#[derive(Debug)]
pub struct Watch {
    observer: ResizeObserver,
    _changed: Closure<dyn FnMut()>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// The width of an element in whole CSS pixels; 0 before it is there.
#[must_use]
pub fn width(element: &NodeRef) -> f64 {
    let element = element.cast::<HtmlElement>();
    element.map_or(0.0, |e| f64::from(e.client_width()))
}

/// Calls back with the width of an element whenever its size changes.
#[must_use]
pub fn watch(element: &NodeRef, changed: Callback<f64>) -> Option<Watch> {
    let target = element.cast::<Element>()?;
    let element = element.clone();
    let on_change = Closure::<dyn FnMut()>::new(move || changed.emit(width(&element)));
    let observer = ResizeObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
    observer.observe(&target);
    Some(Watch { observer, _changed: on_change })
}
