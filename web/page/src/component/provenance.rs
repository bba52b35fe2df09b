//! How a result was made: enough to make it again.

use crate::platform::address;
use chart::words;
use report::Report;
use yew::prelude::*;

/// Digest, seed, model, link of a report; without one, the version of the model if that is known.
pub fn provenance(report: Option<&Report>, model: Option<&str>) -> Html {
    let Some(report) = report else {
        let model = model.map(|model| format!("model {model}"));
        return html! { <p class="provenance">{ model.unwrap_or_default() }</p> };
    };
    let link = format!("{}#{}", address::base(), report.link);
    let window = words::nanos(report.window_s * 1e9);
    let warmup = words::nanos(report.warmup_s * 1e9);
    html! {
        <div class="provenance">
            <p>
                { "digest " }<output id="digest">{ report.digest.clone() }</output>
                { format!(", seed {}", report.seed) }
            </p>
            <p>{ format!("model {}, {} events", report.model, words::count(report.events)) }</p>
            <p>{ format!("start {}, warm-up {warmup}, window {window}", report.start) }</p>
            <p>{ "Link: " }<a href={format!("#{}", report.link)}>{ link }</a></p>
            <p>{ format!("reclaimscope run {}", report.link) }</p>
        </div>
    }
}
