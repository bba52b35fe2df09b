//! One or two controls over a range of values.

use super::Props;
use crate::component::command::command;
use crate::state::select;
use yew::prelude::*;

/// The place.
#[component]
pub fn Sweep(props: &Props) -> Html {
    let link = select::fragment(&props.state.draft.scenario);
    let words = format!("reclaimscope sweep {link} --over kswapds=1,2,4,8");
    html! {
        <main class="page">
            <section class="section" aria-label="Sweep">
                <h2>{ "Sweep" }</h2>
                <p class="lead">
                    { "The same scenario over a range of one or two of its controls: one row a point." }
                </p>
                { command("In the terminal", &words) }
            </section>
        </main>
    }
}
