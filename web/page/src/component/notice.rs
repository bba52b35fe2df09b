//! What an opened link or a pasted text had to say.

use crate::component::pinned::{Made, pinned};
use crate::state::draft::Notice;
use yew::prelude::*;

/// A heading with sentences; what is bad has a bar at its left. It can be put away where somebody
/// takes note of that.
pub fn notice(notice: &Notice, dismiss: Option<Callback<()>>) -> Html {
    let button = dismiss.map(|dismiss| {
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
                if let Some((number, link)) = &notice.made_with {
                    { pinned(Made::Number(*number), link) }
                }
            </div>
            { button }
        </div>
    }
}
