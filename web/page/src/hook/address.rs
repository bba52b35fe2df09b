//! The address bar always holds the link of what is being edited.

use crate::platform::address;
use crate::state::draft::{Draft, DraftAction, Origin};
use crate::state::{Action, select};
use std::cell::Cell;
use yew::prelude::*;

/// Writes the draft's link, and opens what is written there by others.
#[hook]
pub fn use_address(draft: &Draft, dispatch: &Callback<Action>) {
    let was_dragged = use_memo((), |()| Cell::new(false));
    // Every edit writes it, also one that changes nothing: a link that could not be read does not
    // stay.
    let edited = (draft.scenario.clone(), draft.origin, draft.edits);
    use_effect_with(edited, move |(scenario, origin, _)| {
        let is_dragged = *origin == Origin::Dragged;
        let before = was_dragged.replace(is_dragged);
        // One entry of the history for a whole drag, and none for what the address itself asked
        // for.
        let push = matches!(origin, Origin::Chosen | Origin::Dragged) && !before;
        address::write(&select::fragment(scenario), push);
    });
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let open = move |fragment| dispatch.emit(Action::Draft(DraftAction::Open(fragment)));
        let listener = address::on_change(Callback::from(open));
        move || drop(listener)
    });
}
