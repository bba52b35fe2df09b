//! How wide an element is, whether it is on the screen, and when that changes.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry, ResizeObserver,
};
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

/// Watches whether an element is on the screen, until it is dropped.
#[derive(Debug)]
pub struct SeenWatch {
    observer: IntersectionObserver,
    _changed: Closure<dyn FnMut(Array)>,
}

impl Drop for SeenWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls back with whether any of an element is on the screen, now and whenever that changes.
#[must_use]
pub fn watch_seen(element: &NodeRef, changed: Callback<bool>) -> Option<SeenWatch> {
    let target = element.cast::<Element>()?;
    let on_change = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        // The last entry is the newest.
        let newest = entries.pop().dyn_into::<IntersectionObserverEntry>();
        changed.emit(newest.is_ok_and(|entry| entry.is_intersecting()));
    });
    let observer = IntersectionObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
    observer.observe(&target);
    Some(SeenWatch { observer, _changed: on_change })
}
