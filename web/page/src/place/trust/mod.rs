//! What the numbers rest on: what is modelled and what is not.

use super::Props;
use catalog::not_modelled::NOT_MODELLED;
use yew::prelude::*;

/// The place.
#[component]
pub fn Trust(_props: &Props) -> Html {
    html! {
        <main class="page">
            <section class="section" aria-label="Trust">
                <h2>{ "Trust" }</h2>
                <p class="lead">{ "Everything here is simulated. What the model leaves out:" }</p>
                <ul class="plain">{ for NOT_MODELLED.iter().map(|s| html! { <li>{ *s }</li> }) }</ul>
            </section>
        </main>
    }
}
