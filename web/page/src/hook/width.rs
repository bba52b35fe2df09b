//! How wide an element is drawn.

use crate::platform::size;
use yew::prelude::*;

/// The width of an element in whole CSS pixels; 0 until it is in the page.
#[hook]
pub fn use_width(element: &NodeRef) -> f64 {
    let width = use_state_eq(|| 0.0);
    let setter = width.setter();
    use_effect_with(element.clone(), move |element| {
        setter.set(size::width(element));
        let watch = size::watch(element, Callback::from(move |width| setter.set(width)));
        move || drop(watch)
    });
    *width
}
