//! The address bar always holds the link of what is being edited and where the page is.

use crate::platform::address;
use crate::state::draft::Origin;
use crate::state::here::Place;
use crate::state::{Action, State};
use gloo::timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// A time that was chosen is written when it has stood so long, in milliseconds: browsers slow down
/// whoever writes the address at every move of a pointer.
const STANDS_MS: u32 = 400;

/// What was written last.
#[derive(Default)]
struct Written {
    was_dragged: bool,
    place: Option<Place>,
    waiting: Option<Timeout>,
}

/// Writes the link of what is shown, and opens what is written there by others.
#[hook]
pub fn use_address(state: &Rc<State>, dispatch: &Callback<Action>) {
    let written: Rc<RefCell<Written>> = use_mut_ref(Written::default);
    let draft = &state.draft;
    // Every edit writes it, also one that changes nothing: a link that could not be read does not
    // stay.
    let shared = (draft.scenario.clone(), state.arms.clone());
    let edits = (draft.edits, state.opens);
    let edited = (shared, draft.origin, edits, state.here.clone());
    use_effect_with(edited, {
        let (state, written) = (state.clone(), written.clone());
        move |(_, origin, _, here)| {
            let mut written = written.borrow_mut();
            // What waits would write the link as it was before this edit.
            written.waiting = None;
            let is_dragged = *origin == Origin::Dragged;
            let before = std::mem::replace(&mut written.was_dragged, is_dragged);
            let place = written.place.replace(here.place);
            // One entry of the history for a whole drag, one for a place, and none for what the
            // address itself asked for.
            let went = place.is_some_and(|place| place != here.place);
            let chose = matches!(origin, Origin::Chosen | Origin::Dragged) && !before;
            address::write(&state.link(), chose || went);
        }
    });
    let cursor = state.link_view().time_ns;
    use_effect_with(cursor, {
        let state = state.clone();
        move |_| {
            let write = move || address::write(&state.link(), false);
            written.borrow_mut().waiting = Some(Timeout::new(STANDS_MS, write));
        }
    });
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let listener = address::on_change(Callback::from(move |f| dispatch.emit(Action::Open(f))));
        move || drop(listener)
    });
}
