//! A real machine, pasted.

use super::notice::Notice;
use super::same::Same;
use crate::platform::input;
use crate::state::draft::{self, DraftAction};
use yew::prelude::*;

/// What the box shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What became of the last text.
    pub pasted: Option<Same<draft::Notice>>,
    /// What was done.
    pub edit: Callback<DraftAction>,
}

/// A box for the text of `/proc/zoneinfo` and `sysctl`.
#[component]
pub fn Paste(props: &Props) -> Html {
    let area = use_node_ref();
    let onclick = {
        let (area, edit) = (area.clone(), props.edit.clone());
        move |_| edit.emit(DraftAction::Paste(input::area_text(&area)))
    };
    html! {
        <details class="paste">
            <summary>{ "Paste a machine" }<span>{ "zoneinfo, sysctl" }</span></summary>
            <label for="paste" class="small">
                { "The text of " }<code>{ "/proc/zoneinfo" }</code>{ ", and lines of " }
                <code>{ "sysctl -a" }</code>{ " under it; " }<code>{ "node0.cpus = 0-3" }</code>
                { " says where CPUs stand." }
            </label>
            <textarea id="paste" ref={area} rows="6" spellcheck="false" autocomplete="off" />
            <button class="outlined" {onclick}>{ "Become this machine" }</button>
            if let Some(pasted) = &props.pasted {
                <Notice notice={pasted.clone()} />
            }
        </details>
    }
}
