//! Whether an element is on the screen.

use crate::platform::size;
use yew::prelude::*;

/// Whether any of an element is on the screen; true until it is known.
#[hook]
pub fn use_seen(element: &NodeRef) -> bool {
    let seen = use_state_eq(|| true);
    let setter = seen.setter();
    use_effect_with(element.clone(), move |element| {
        let watch = size::watch_seen(element, Callback::from(move |is| setter.set(is)));
        move || drop(watch)
    });
    *seen
}
