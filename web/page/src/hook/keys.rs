//! Keys that work wherever the focus stands.

use crate::platform::input;
use crate::state::Action;
use crate::state::draft::DraftAction;
use yew::prelude::*;

/// Undo and redo, unless a text is being typed: that has an undo of its own.
#[hook]
pub fn use_keys(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let pressed = move |(key, shift): (String, bool)| {
            let action = match (key.to_ascii_lowercase().as_str(), shift) {
                ("z", false) => DraftAction::Undo,
                ("z", true) | ("y", false) => DraftAction::Redo,
                _ => return false,
            };
            dispatch.emit(Action::Draft(action));
            true
        };
        let listener = input::on_control_key(Box::new(pressed));
        move || drop(listener)
    });
}
