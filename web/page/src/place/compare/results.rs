//! What came out of a comparison.

use super::bands::Bands;
use super::dots;
use crate::picture::sketch::length;
use crate::platform::clipboard;
use crate::platform::object::Json;
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The panel, as JSON.
    pub text: Rc<str>,
    /// Whether other arms are set up by now.
    pub is_stale: bool,
}

/// Sentences, plots, the table, the mail.
#[component]
pub(super) fn Results(props: &Props) -> Html {
    let said = use_state_eq(|| "");
    let Some(panel) = Json::parse(&props.text) else { return Html::default() };
    let sentences = |name: &str, class: &'static str| {
        let all = panel.strings(name);
        html! {
            if !all.is_empty() {
                <ul {class}>{ for all.into_iter().map(|s| html! { <li>{ s }</li> }) }</ul>
            }
        }
    };
    let warnings = panel.strings("warnings");
    let mail = panel.string("mail");
    let copy = {
        let (mail, said) = (mail.clone(), said.clone());
        move |_: MouseEvent| {
            let said = said.clone();
            clipboard::copy(
                mail.clone(),
                Callback::from(move |worked| {
                    said.set(if worked {
                        "The mail was copied."
                    } else {
                        "It could not be copied."
                    });
                }),
            );
        }
    };
    let n = panel.number("n").unwrap_or(0.0);
    html! {
        <section class="section results-of" aria-label="Results of the comparison" data-n={n.to_string()}>
            <div class="head">
                <h2>{ "Results" }</h2>
                <span class="simulated">{ "SIMULATED" }</span>
                <span class="small">
                    { format!("n = {n} an arm, paired, 95 % intervals; warm-up: {}", panel.string("warmup")) }
                </span>
            </div>
            if props.is_stale {
                <p class="notice" role="status">{ "These are of the settings before; run again." }</p>
            }
            { sentences("verdicts", "lead") }
            { sentences("gains", "lead") }
            if !warnings.is_empty() {
                <div class="notice bad" role="status">
                    <ul>{ for warnings.into_iter().map(|w| html! { <li>{ w }</li> }) }</ul>
                </div>
            }
            { dots::plots(&panel) }
            <Bands panel={panel.clone()} key_of={mail.clone()} />
            { table(&panel) }
            { parts(&panel) }
            <details class="more">
                <summary>{ "As mmtests prints it" }</summary>
                <pre tabindex="0">{ panel.string("marks") }</pre>
            </details>
            <div class="head">
                <h2>{ "Mail" }</h2>
                <button class="primary copy-mail" onclick={copy}>{ "Copy the mail" }</button>
                <span class="small" role="status">{ *said }</span>
            </div>
            <textarea
                class="mail"
                readonly=true
                rows="16"
                aria-label="The mail"
                value={mail}
            />
        </section>
    }
}

/// Every figure of every arm, costs under what the application gets.
fn table(panel: &Json) -> Html {
    let arms = panel.list("arms");
    let rows = panel.list("rows");
    let part = |is_cost: bool| rows.iter().filter(move |row| row.is("is_cost") == is_cost);
    let gets = block("What the application gets", arms.len(), part(false));
    let costs = block("What it costs", arms.len(), part(true));
    framed("Every figure of every arm", &arms, "Figure", html! { <>{ gets }{ costs }</> })
}

/// What time and waits are made of, an arm beside the other.
fn parts(panel: &Json) -> Html {
    let arms = panel.list("arms");
    let one = |part: &Json| block(&part.string("words"), arms.len(), part.list("rows").iter());
    let rows = html! { <>{ for panel.list("parts").iter().map(one) }</> };
    html! {
        <details class="more">
            <summary>{ "Where the time goes: CPU, kswapd, locks, latency" }</summary>
            { framed("Where the time of every arm goes", &arms, "Part", rows) }
        </details>
    }
}

fn block<'a>(title: &str, arms: usize, rows: impl Iterator<Item = &'a Json>) -> Html {
    html! {
        <tbody>
            <tr><th colspan={(arms + 1).to_string()} scope="colgroup">{ title.to_owned() }</th></tr>
            { for rows.map(line) }
        </tbody>
    }
}

/// A table with a column an arm.
fn framed(label: &'static str, arms: &[Json], first: &'static str, rows: Html) -> Html {
    html! {
        <div class="scroll" role="group" tabindex="0" aria-label={label}>
            <table class="arms-table">
                <caption>{ "mean \u{b1} standard deviation; difference from A with its interval" }</caption>
                <thead><tr>
                    <th scope="col">{ first }</th>
                    { for arms.iter().map(|arm| html! {
                        <th scope="col">
                            { arm.string("title") }<br /><code>{ arm.string("sets") }</code>
                        </th>
                    }) }
                </tr></thead>
                { rows }
            </table>
        </div>
    }
}

fn line(row: &Json) -> Html {
    let cell = |cell: &Json| {
        let (sign, words) = match cell.string("verdict").as_str() {
            "higher" => ("\u{25b2}", "higher"),
            "lower" => ("\u{25bc}", "lower"),
            "none" => ("=", "no detectable difference"),
            "unknown" => ("?", "no interval"),
            _ => ("", ""),
        };
        let difference = cell.string("difference");
        let difference = difference.trim_end_matches([' ', '*', '=', '?']).to_owned();
        let width = length(cell.number("share").unwrap_or(0.0) * 100.0);
        html! {
            <td>
                <span class="share" style={format!("--w:{width}%")}></span>
                <b>{ cell.string("mean") }</b>
                <small>{ format!(" \u{b1} {}", cell.string("sd")) }</small>
                if !sign.is_empty() {
                    <br /><span title={words}>{ format!("{sign} {difference}") }</span>
                    <span class="hidden">{ words }</span>
                }
            </td>
        }
    };
    html! {
        <tr>
            <th scope="row">{ row.string("words") }</th>
            { for row.list("cells").iter().map(cell) }
        </tr>
    }
}
