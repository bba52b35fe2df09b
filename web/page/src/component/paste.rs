//! A real machine, pasted.

use super::notice::notice;
use crate::platform::input;
use crate::state::draft::{DraftAction, Notice};
use yew::prelude::*;

/// A box for the text of `/proc/zoneinfo` and `sysctl`, and what became of the last one.
pub fn paste(pasted: Option<&Notice>, edit: &Callback<DraftAction>, area: &NodeRef) -> Html {
    let onclick = {
        let (area, edit) = (area.clone(), edit.clone());
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
            <textarea id="paste" ref={area.clone()} rows="6" spellcheck="false" autocomplete="off" />
            <button class="outlined" {onclick}>{ "Become this machine" }</button>
            { for pasted.map(|pasted| notice(pasted, None)) }
        </details>
    }
}
