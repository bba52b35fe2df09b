//! What an opened link or a pasted text had to say.

use super::same::Same;
use crate::state::draft;
use yew::prelude::*;

/// A notice.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it says.
    pub notice: Same<draft::Notice>,
    /// When it can be put away.
    #[prop_or_default]
    pub dismiss: Option<Callback<()>>,
}

/// A heading with sentences; what is bad has a bar at its left.
#[component]
pub fn Notice(props: &Props) -> Html {
    let notice = &props.notice;
    let button = props.dismiss.clone().map(|dismiss| {
        let onclick = move |_| dismiss.emit(());
        html! { <button class="outlined" {onclick}>{ "Close" }</button> }
    });
    html! {
        <div class={classes!("notice", notice.is_bad.then_some("bad"))} role="status">
            <div>
                <p><b>{ notice.heading.clone() }</b></p>
                if !notice.sentences.is_empty() {
                    <ul>
                        { for notice.sentences.iter().map(|s| html! { <li>{ s.clone() }</li> }) }
                    </ul>
                }
            </div>
            { button }
        </div>
    }
}
