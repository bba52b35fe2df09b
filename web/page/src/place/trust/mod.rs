//! What the numbers rest on: every constant with its source, what was measured beside the model,
//! and what is not modelled.

mod ledger;
mod validation;

use super::Props;
use crate::state::Action;
use crate::state::here::{Here, Place};
use catalog::not_modelled::NOT_MODELLED;
use ledger::LedgerTable;
use validation::Validation;
use yew::prelude::*;

/// The parts: name in links, title.
const PARTS: [(&str, &str); 3] =
    [("ledger", "Constants"), ("checks", "Checks"), ("left-out", "Not modelled")];

/// The place.
#[component]
pub fn Trust(props: &Props) -> Html {
    let Props { state, dispatch, .. } = props;
    let shown = PARTS.iter().position(|(name, _)| *name == &*state.here.detail).unwrap_or(0);
    let button = |(i, (name, title)): (usize, &(&'static str, &'static str))| {
        let (dispatch, name) = (dispatch.clone(), *name);
        let onclick = move |_| {
            dispatch.emit(Action::Go(Here { place: Place::Trust, detail: name.into() }));
        };
        let pressed = (i == shown).to_string();
        html! { <button class="outlined" aria-pressed={pressed} {onclick}>{ *title }</button> }
    };
    html! {
        <main class="page trust">
            <section class="section" aria-label="Trust">
                <h2>{ "Trust" }</h2>
                <p class="lead">
                    { "Everything here is simulated. These are the assumptions, where each comes \
                       from, what was checked against measurements, and what is left out." }
                </p>
                <div class="parts" role="group" aria-label="Parts">
                    { for PARTS.iter().enumerate().map(button) }
                </div>
                { match shown {
                    0 => html! {
                        <LedgerTable draft={state.draft.clone()} dispatch={dispatch.clone()} />
                    },
                    1 => html! { <Validation /> },
                    _ => left_out(),
                } }
            </section>
        </main>
    }
}

fn left_out() -> Html {
    html! {
        <>
            <p class="lead">{ "What the model leaves out. The same list goes into every mail." }</p>
            <ol class="left-out">{ for NOT_MODELLED.iter().map(|s| html! { <li>{ *s }</li> }) }</ol>
        </>
    }
}
