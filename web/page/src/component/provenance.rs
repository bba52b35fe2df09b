//! How a result was made: enough to make it again.

use super::same::Same;
use crate::platform::address;
use crate::state::run::Outcome;
use chart::words;
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The report.
    pub outcome: Option<Same<Outcome>>,
    /// The version of the worker's model.
    pub model: Option<Rc<str>>,
}

/// Digest, seed, model, link.
#[component]
pub fn Provenance(props: &Props) -> Html {
    let Some(outcome) = &props.outcome else {
        let model = props.model.as_deref().map(|model| format!("model {model}"));
        return html! { <p class="provenance">{ model.unwrap_or_default() }</p> };
    };
    let report = &outcome.report;
    let link = format!("{}#{}", address::base(), report.link);
    let window = words::nanos(report.window_s * 1e9);
    let warmup = words::nanos(report.warmup_s * 1e9);
    html! {
        <div class="provenance">
            <p>{ "digest " }<output id="digest">{ report.digest.clone() }</output>{ format!(", seed {}", report.seed) }</p>
            <p>{ format!("model {}, {} events", report.model, words::count(report.events)) }</p>
            <p>{ format!("start {}, warm-up {warmup}, window {window}", report.start) }</p>
            <p>{ "Link: " }<a href={format!("#{}", report.link)}>{ link }</a></p>
            <p>{ format!("reclaimscope run {}", report.link) }</p>
        </div>
    }
}
