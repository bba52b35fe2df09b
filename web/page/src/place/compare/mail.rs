//! A mail that comes back: its scenario with its arms is opened, and it is said when its numbers
//! are not those of this model.

use crate::component::pinned::{Made, pinned};
use crate::component::same::Same;
use crate::platform::input;
use crate::platform::object::Json;
use crate::state::errand::{Spec, quoted};
use crate::state::work::{Slot, WorkAction};
use crate::state::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// What the page knows.
    pub state: Same<State>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// A box for the text, and what it says of its numbers.
#[component]
pub(super) fn Mail(props: &Props) -> Html {
    let area = use_node_ref();
    let shown = props.state.work.of(Slot::Export);
    let is_claim = matches!(shown.spec.as_deref(), Some(Spec::One { name: "claim", .. }));
    let claim = shown.text.as_deref().filter(|_| is_claim).and_then(Json::parse);
    let note = claim.as_ref().map(|claim| claim.string("note")).filter(|note| !note.is_empty());
    let other = claim.map(|claim| (claim.string("model"), claim.string("link")));
    let other = other.filter(|(model, _)| !model.is_empty());
    let open = {
        let (area, dispatch) = (area.clone(), props.dispatch.clone());
        move |_: MouseEvent| {
            let text = input::area_text(&area);
            let args = format!("{{\"text\":{}}}", quoted(&text));
            dispatch.emit(Action::Open(text));
            let spec = Spec::One { name: "claim", args };
            dispatch.emit(Action::Work(WorkAction::Begin(Slot::Export, Rc::new(spec))));
        }
    };
    html! {
        <section class="section" aria-label="A mail that comes back">
            <details>
                <summary>{ "Open a mail" }<span>{ "quoted and wrapped as it came" }</span></summary>
                <label for="mail-back" class="small">
                    { "The text of a mail; its link, its arms and what it says of its numbers are \
                       looked for." }
                </label>
                <textarea id="mail-back" ref={area} rows="6" spellcheck="false" />
                <button class="outlined" onclick={open}>{ "Open its comparison" }</button>
            </details>
            if let Some(note) = note {
                <div class="notice bad" role="alert">
                    <div>
                        <p>{ note }</p>
                        if let Some((model, link)) = other {
                            { pinned(Made::Version(&model), &link) }
                        }
                    </div>
                </div>
            }
        </section>
    }
}
