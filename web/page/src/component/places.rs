//! Buttons over the parts of a drawing that can be asked about.

use crate::picture::node::Place;
use crate::picture::sketch::length;
use crate::state::Action;
use crate::state::view::ViewAction;
use report::why::Subject;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The parts.
    pub places: Vec<Place>,
    /// What is asked about.
    pub subject: Option<Subject>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The buttons. They stay where they are while a run goes on.
#[component]
pub fn Places(props: &Props) -> Html {
    let button = |place: &Place| {
        let [left, top, wide, high] = place.at.map(length);
        let style = format!("left:{left}px;top:{top}px;width:{wide}px;height:{high}px");
        ask(place.subject, &place.name, style, props.subject, &props.dispatch)
    };
    html! { <>{ for props.places.iter().map(button) }</> }
}

/// A button that asks about a subject, or closes the answer about it.
pub fn ask(
    subject: Subject,
    name: &str,
    style: String,
    chosen: Option<Subject>,
    dispatch: &Callback<Action>,
) -> Html {
    let is_chosen = chosen == Some(subject);
    let next = (!is_chosen).then_some(subject);
    let dispatch = dispatch.clone();
    let onclick = move |_| dispatch.emit(Action::View(ViewAction::Why(next)));
    html! {
        <button
            class="place"
            {style}
            aria-label={format!("Why: {name}")}
            aria-pressed={if is_chosen { "true" } else { "false" }}
            title={format!("Why? {name}")}
            {onclick}
        ></button>
    }
}
