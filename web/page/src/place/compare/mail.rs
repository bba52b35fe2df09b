//! A mail that comes back: its scenario with its arms is opened, and it is said when its numbers
//! are not those of this model.

use crate::component::same::Same;
use crate::platform::input;
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
    let note = shown.text.clone().filter(|note| is_claim && !note.is_empty());
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
                <p class="notice bad" role="alert">{ note.to_string() }</p>
            }
        </section>
    }
}
