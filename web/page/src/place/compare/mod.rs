//! Several arms side by side, on common random numbers.

use super::Props;
use crate::component::command::command;
use crate::state::select;
use yew::prelude::*;

/// The place.
#[component]
pub fn Compare(props: &Props) -> Html {
    let link = select::fragment(&props.state.draft.scenario);
    let words = format!(
        "reclaimscope compare {} --arm A: --arm B:kswapds=4",
        props.state.draft.scenario.preset.name
    );
    html! {
        <main class="page">
            <section class="section" aria-label="Compare">
                <h2>{ "Compare" }</h2>
                <p class="lead">
                    { "Two to five settings on common random numbers: every difference with its \
                       interval." }
                </p>
                { command("In the terminal", &words) }
                { command("This scenario, for arm A", &format!("reclaimscope show {link}")) }
            </section>
        </main>
    }
}
