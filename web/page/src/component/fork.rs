//! Another future of the run: changes count from the cursor on, and both futures are drawn.

use super::playback::Props;
use crate::state::Action;
use crate::state::run::RunAction;
use chart::words;
use yew::prelude::*;

fn does(props: &Props, from_ns: Option<u64>) -> Callback<MouseEvent> {
    let dispatch = props.dispatch.clone();
    Callback::from(move |_| dispatch.emit(Action::Run(RunAction::Fork(from_ns))))
}

/// The button that leaves the run where the cursor stands. It is always there, so that nothing
/// moves under the pointer when a cursor comes.
pub fn button(props: &Props) -> Html {
    let is_off = props.follows || !props.has_views || props.left_ns.is_some();
    html! {
        <button
            class="outlined step"
            onclick={does(props, Some(props.time_ns))}
            disabled={is_off}
            aria-label="Fork: change from here on"
            title="Change from here on: what is set from now on counts from the cursor's time"
        >
            { "Fork" }
        </button>
    }
}

/// What a fork is, while there is one, and the way out of it.
pub fn row(props: &Props) -> Html {
    let Some(ns) = props.left_ns else { return Html::default() };
    html! {
        <div class="row fork small">
            <span>
                { format!(
                    "Changes count from {} on. Thin lines: the run without them. A link holds the \
                     settings, not the fork.",
                    words::clock(ns)
                ) }
            </span>
            <button class="text" onclick={does(props, None)}>{ "Leave the fork" }</button>
        </div>
    }
}
