//! A file of the page's own folder, once it is there.

use crate::platform::fetch;
use std::rc::Rc;
use yew::prelude::*;

/// A text, or why there is none.
pub type Read = Result<Rc<str>, Rc<str>>;

/// The text of a file beside the page; nothing until it is there, and for an empty path.
#[hook]
pub fn use_text(path: String) -> Option<Read> {
    let read = use_state(|| None::<(String, Read)>);
    use_effect_with(path.clone(), {
        let read = read.setter();
        move |path| {
            let of = path.clone();
            let done = move |text: Result<String, String>| {
                let text = text.map(Rc::from).map_err(Rc::from);
                read.set(Some((of.clone(), text)));
            };
            if !path.is_empty() {
                fetch::text(path.clone(), Callback::from(done));
            }
        }
    });
    // What was read of another file is not shown as this one.
    read.as_ref().filter(|(of, _)| *of == path).map(|(_, text)| text.clone())
}
