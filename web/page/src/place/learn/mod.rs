//! Where to begin: machines and questions that open as live scenarios.

use super::Props;
use crate::state::Action;
use crate::state::draft::DraftAction;
use crate::state::here::{Here, Place};
use scenario::PRESETS;
use yew::prelude::*;

/// The place.
#[component]
pub fn Learn(props: &Props) -> Html {
    let open = |name: &'static str| {
        let dispatch = props.dispatch.clone();
        move |_| {
            dispatch.emit(Action::Draft(DraftAction::Preset(name.to_owned())));
            dispatch.emit(Action::Go(Here::at(Place::Explore)));
        }
    };
    let rows = PRESETS.iter().map(|preset| {
        html! {
            <li>
                <button class="text" onclick={open(preset.name)}>{ preset.name }</button>
                <p>{ preset.sentence }</p>
            </li>
        }
    });
    html! {
        <main class="page">
            <section class="section" aria-label="Learn">
                <h2>{ "Learn" }</h2>
                <p class="lead">{ "Each of these opens as a run that can be stopped anywhere." }</p>
                <ul class="entries">{ for rows }</ul>
            </section>
        </main>
    }
}
