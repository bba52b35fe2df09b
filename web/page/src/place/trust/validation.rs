//! What was measured beside the model: misses first, fitted rows apart from predicted ones.

use crate::hook::use_text;
use serde_json::Value;
use std::rc::Rc;
use yew::prelude::*;

/// The part.
#[component]
pub(super) fn Validation() -> Html {
    let text = use_text("validation.json".to_owned());
    let read = use_memo(text, |text| {
        text.as_ref().map(|text| {
            let text = text.as_ref().map_err(|why| why.to_string())?;
            let refused = |_| "The checks cannot be read: the file is damaged.".to_owned();
            serde_json::from_str::<Value>(text).map(Rc::new).map_err(refused)
        })
    });
    match &*read {
        None => html! { <p class="small" role="status">{ "reading the checks" }</p> },
        Some(Err(why)) => html! { <p class="notice bad" role="alert">{ why.clone() }</p> },
        Some(Ok(document)) => all(document),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn rows<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn count(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}

fn all(document: &Value) -> Html {
    let empty = Value::Null;
    let group = |key: &str, words: &str| {
        let group = document.get(key).unwrap_or(&empty);
        let (ok, judged) = (count(group, "ok"), count(group, "judged"));
        html! {
            <div>
                <dt>{ words.to_owned() }</dt>
                <dd>
                    { format!("{ok} of {judged}") }
                    <small>{ format!("{} within 15 %", count(group, "within_15_percent")) }</small>
                </dd>
            </div>
        }
    };
    let directions = document.get("directions").unwrap_or(&empty);
    let broken = rows(directions, "broken").len() as u64;
    let held = count(directions, "held");
    html! {
        <>
            <p class="lead">
                { "Published figures beside the model's, and experiments with real kernels rule by \
                   rule. A miss stays. Rows that fixed a constant are counted apart from those that \
                   follow." }
            </p>
            <dl class="numbers">
                { group("predicted", "predicted rows that agree") }
                { group("calibrated", "fitted rows that agree") }
                <div>
                    <dt>{ "directions that hold" }</dt>
                    <dd>{ format!("{held} of {}", held + broken) }</dd>
                </div>
            </dl>
            <h3>{ "Published figures" }</h3>
            { for rows(document, "sets").iter().map(|set| self::set(set, rows(document, "reasons"))) }
            <h3>{ "What was fitted" }</h3>
            { fitted(rows(document, "constants")) }
            <h3>{ "Experiments with real kernels" }</h3>
            { for rows(document, "experiments").iter().map(experiment) }
            <h3>{ "Assumed of kernels" }</h3>
            <ul class="plain">
                { for rows(document, "assumed").iter().filter_map(Value::as_str).map(|text| html! {
                    <li>{ text.to_owned() }</li>
                }) }
            </ul>
            <p class="provenance">
                { format!(
                    "model {}, ledger {}, data {}; reclaimscope validate",
                    text(document, "model"),
                    text(document, "ledger"),
                    text(document, "data")
                ) }
            </p>
        </>
    }
}

/// How many of some rows miss, and the words for a heading.
fn heading(all: &[Value]) -> (usize, String) {
    let of = |verdict: &str| all.iter().filter(|row| text(row, "verdict") == verdict).count();
    let (misses, ok) = (of("miss"), of("ok"));
    let words = match misses {
        0 => format!("{ok} agree"),
        n => format!("{n} miss, {ok} agree"),
    };
    (misses, words)
}

fn verdict(row: &Value) -> Html {
    let (class, words) = match text(row, "verdict") {
        "ok" => ("ok", "agrees"),
        "miss" => ("miss", "misses"),
        "not_judged" => ("", "not judged"),
        _ => ("", "not modelled"),
    };
    html! { <span class={classes!("verdict-word", class)}>{ words }</span> }
}

fn number(row: &Value, key: &str) -> String {
    let value = row.get(key).and_then(Value::as_f64);
    value.map_or_else(|| "-".to_owned(), chart::words::three)
}

fn set(set: &Value, reasons: &[Value]) -> Html {
    let all = rows(set, "rows");
    let (misses, words) = heading(all);
    let row = |row: &Value| {
        let x: Vec<&str> = rows(row, "x").iter().filter_map(Value::as_str).collect();
        let reason = count(row, "reason") as usize;
        let reason = row.get("reason").and_then(|_| reasons.get(reason)).and_then(Value::as_str);
        let metric = text(row, "metric").to_owned();
        let of = format!("{} {}, {}", x.join(" "), text(row, "arm"), text(row, "unit"));
        html! {
            <tr>
                <th scope="row">
                    if text(row, "link").is_empty() {
                        { metric }
                    } else {
                        <a href={format!("#{}", text(row, "link"))}>{ metric }</a>
                    }
                    <br /><small>{ of }</small>
                </th>
                <td>{ text(row, "published").to_owned() }</td>
                <td>{ number(row, "model") }</td>
                <td>{ number(row, "ratio") }</td>
                <td>{ verdict(row) }<br /><small>{ text(row, "role").replace('_', " ") }</small></td>
                <td class="reason">{ reason.unwrap_or_default().to_owned() }</td>
            </tr>
        }
    };
    let caption = format!("{} {}", text(set, "id"), text(set, "title"));
    html! {
        <details class="fold" open={misses > 0}>
            <summary>{ caption.clone() }<span>{ words }</span></summary>
            <div class="scroll" tabindex="0" role="region" aria-label={caption}>
                <table>
                    <thead><tr>
                        <th>{ "what" }</th><th>{ "published" }</th><th>{ "model" }</th>
                        <th>{ "ratio" }</th><th>{ "verdict" }</th><th class="reason">{ "why" }</th>
                    </tr></thead>
                    <tbody>{ for all.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}

/// Constants and controls of presets that published rows fixed, and which rows.
fn fitted(all: &[Value]) -> Html {
    let row = |constant: &Value| {
        html! {
            <tr>
                <th scope="row">{ text(constant, "name").to_owned() }</th>
                <td>{ text(constant, "value").to_owned() }</td>
                <td class="reason">{ text(constant, "rows").to_owned() }</td>
            </tr>
        }
    };
    html! {
        <details class="fold">
            <summary>{ "Fitted" }<span>{ format!("{} values", all.len()) }</span></summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Fitted">
                <table>
                    <thead><tr>
                        <th>{ "what" }</th><th>{ "value" }</th>
                        <th class="reason">{ "rows that fixed it" }</th>
                    </tr></thead>
                    <tbody>{ for all.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}

fn experiment(experiment: &Value) -> Html {
    let all = rows(experiment, "facts");
    let (misses, words) = heading(all);
    let row = |fact: &Value| {
        html! {
            <tr>
                <th scope="row">{ text(fact, "fact").to_owned() }</th>
                <td>{ text(fact, "kernel").to_owned() }</td>
                <td>{ text(fact, "model").to_owned() }</td>
                <td>{ verdict(fact) }</td>
            </tr>
        }
    };
    let caption = format!("{} {}", text(experiment, "name"), text(experiment, "kernel"));
    html! {
        <details class="fold" open={misses > 0}>
            <summary>{ caption.clone() }<span>{ words }</span></summary>
            <div class="scroll" tabindex="0" role="region" aria-label={caption}>
                <table>
                    <thead><tr>
                        <th>{ "fact" }</th><th>{ "kernel" }</th><th>{ "model" }</th>
                        <th>{ "verdict" }</th>
                    </tr></thead>
                    <tbody>{ for all.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}
