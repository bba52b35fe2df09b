//! A real machine, pasted.

use super::notice::notice;
use crate::platform::input;
use crate::state::draft::{DraftAction, Notice};
use yew::prelude::*;

/// Longer texts are not put into the box, in bytes: a machine's zoneinfo has some 100,000.
const SHOWN_MAX: u32 = 300_000;

/// A box for the text of `/proc/zoneinfo` and `sysctl`, and what became of the last one.
pub fn paste(pasted: Option<&Notice>, edit: &Callback<DraftAction>, area: &NodeRef) -> Html {
    let onclick = {
        let (area, edit) = (area.clone(), edit.clone());
        move |_| edit.emit(DraftAction::Paste(input::area_text(&area)))
    };
    // A box of a megabyte of text would stand still for seconds: it is taken without being shown.
    let onpaste = {
        let edit = edit.clone();
        move |event: Event| {
            if let Some(text) = input::long_paste(&event, SHOWN_MAX) {
                edit.emit(DraftAction::Paste(text));
            }
        }
    };
    html! {
        <details class="paste">
            <summary>{ "Paste a machine" }<span>{ "zoneinfo, sysctl" }</span></summary>
            <label for="paste" class="small">
                { "The text of " }<code>{ "/proc/zoneinfo" }</code>{ ", and lines of " }
                <code>{ "sysctl -a" }</code>{ " under it; " }<code>{ "node0.cpus = 0-3" }</code>
                { " says where CPUs stand." }
            </label>
            <textarea
                id="paste"
                ref={area.clone()}
                rows="6"
                spellcheck="false"
                autocomplete="off"
                {onpaste}
            />
            <button class="outlined" {onclick}>{ "Become this machine" }</button>
            { for pasted.map(|pasted| notice(pasted, None)) }
        </details>
    }
}
