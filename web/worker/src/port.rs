//! Messages in and out, turns between them, and the wall clock: all that touches the browser.

use js_sys::{Array, Float64Array, Object, Reflect};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // A plain new object takes any field.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object
}

/// Sends a message.
pub(crate) fn post(fields: &[(&str, JsValue)]) {
    // It fails only for values that cannot be cloned, and these are texts and numbers.
    let _ = scope().post_message(&object(fields));
}

/// Sends a message with arrays that are handed over.
pub(crate) fn post_arrays(fields: &[(&str, JsValue)], arrays: &[(&str, &[f64])]) {
    let message = object(fields);
    let handed = Array::new();
    for (name, numbers) in arrays {
        let array = Float64Array::from(*numbers);
        handed.push(&array.buffer());
        let _ = Reflect::set(&message, &JsValue::from_str(name), &array);
    }
    let _ = scope().post_message_with_transfer(&message, &handed);
}

/// A field that is text; empty when it is none.
pub(crate) fn text(message: &JsValue, field: &str) -> String {
    let value = Reflect::get(message, &JsValue::from_str(field)).ok();
    value.and_then(|value| value.as_string()).unwrap_or_default()
}

/// A field that is a number; 0 when it is none.
pub(crate) fn number(message: &JsValue, field: &str) -> f64 {
    let value = Reflect::get(message, &JsValue::from_str(field)).ok();
    value.and_then(|value| value.as_f64()).unwrap_or(0.0)
}

/// Calls a function with every message of the page, as long as the worker lives.
pub(crate) fn on_message(mut take: impl FnMut(&JsValue) + 'static) {
    let listen = move |event: MessageEvent| take(&event.data());
    let listen = Closure::<dyn FnMut(MessageEvent)>::new(listen).into_js_value();
    scope().set_onmessage(Some(listen.unchecked_ref()));
}

/// Milliseconds of wall time since the worker began.
pub(crate) fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// Work in turns: after each, waiting messages are taken first. A message to oneself comes at once,
/// where a timer would wait for milliseconds.
#[derive(Clone)]
pub(crate) struct Turn {
    knock: MessagePort,
    waiting: Rc<Cell<bool>>,
}

impl Turn {
    /// Turns that call `work` until it says that there is no more.
    pub(crate) fn new(mut work: impl FnMut() -> bool + 'static) -> Self {
        let channel = MessageChannel::new().expect("a browser with workers has channels");
        let waiting = Rc::new(Cell::new(false));
        let turn = Self { knock: channel.port1(), waiting };
        let again = turn.clone();
        let listen = move |_: MessageEvent| {
            again.waiting.set(false);
            if work() {
                again.request();
            }
        };
        let listen = Closure::<dyn FnMut(MessageEvent)>::new(listen).into_js_value();
        channel.port2().set_onmessage(Some(listen.unchecked_ref()));
        turn
    }

    /// Asks for a turn, unless one is coming.
    pub(crate) fn request(&self) {
        if !self.waiting.replace(true) {
            let _ = self.knock.post_message(&JsValue::NULL);
        }
    }
}
