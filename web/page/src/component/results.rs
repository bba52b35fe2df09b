//! What came out: the verdict first, then the numbers behind it.

use super::drawing::drawing;
use super::provenance::provenance;
use super::same::Same;
use super::tables::tables;
use crate::hook::use_width;
use crate::picture::bar;
use crate::state::draft::{DraftAction, sentence};
use crate::state::run::{Outcome, Phase, Run, RunAction, Wish};
use crate::state::{Action, select, verdict};
use catalog::not_modelled::NOT_MODELLED;
use chart::words;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

/// What stands before the results while a question waits for its answer. What went wrong with a run
/// and where it comes from are never covered.
#[derive(Clone, Default, PartialEq)]
pub enum Cover {
    /// Nothing.
    #[default]
    None,
    /// A sentence and a button that lifts it or puts it back.
    Offered {
        /// Whether it is lifted.
        is_lifted: bool,
        /// Lifts it or puts it back.
        toggle: Callback<MouseEvent>,
    },
    /// A sentence: only an answer lifts it.
    Demanded,
}

impl Cover {
    /// Whether the results are not to be seen.
    #[must_use]
    pub fn hides(&self) -> bool {
        matches!(self, Self::Demanded | Self::Offered { is_lifted: false, .. })
    }

    fn show(&self) -> Html {
        match self {
            Self::None => Html::default(),
            Self::Demanded => html! {
                <p class="cover">{ "The results are shown once you have answered." }</p>
            },
            // The button stays where it is, and the focus on it.
            Self::Offered { is_lifted, toggle } => html! {
                <div class="cover">
                    if !is_lifted {
                        <p>{ "Answer the story's question first: the results then stand here." }</p>
                    }
                    <button
                        class="outlined"
                        aria-expanded={is_lifted.to_string()}
                        onclick={toggle}
                    >
                        { if *is_lifted { "Cover the results" } else { "Show them without an answer" } }
                    </button>
                </div>
            },
        }
    }
}

/// What is shown of a run.
#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The newest report.
    pub outcome: Option<Same<Outcome>>,
    /// How far the newest request is.
    pub phase: Phase,
    /// Whether the report is of an earlier request.
    pub is_stale: bool,
    /// What the report is of, in a few words.
    pub stand: String,
    /// The version of the worker's model.
    pub model: Option<Rc<str>>,
    /// What was done.
    pub dispatch: Callback<Action>,
    /// What stands before them.
    #[prop_or_default]
    pub cover: Cover,
}

impl Props {
    /// What is shown of this run.
    #[must_use]
    pub fn of(run: &Run, dispatch: Callback<Action>) -> Self {
        Self {
            outcome: run.outcome.as_ref().map(Same::from),
            phase: run.phase.clone(),
            is_stale: run.is_stale(),
            stand: select::stand(run),
            model: run.model.clone(),
            dispatch,
            cover: Cover::None,
        }
    }
}

/// The results.
#[component]
pub fn Results(props: &Props) -> Html {
    let place = use_node_ref();
    let width = use_width(&place);
    let report = props.outcome.as_ref().map(|outcome| &outcome.report);
    let shown = report.filter(|_| !props.cover.hides());
    html! {
        <aside class={classes!("results", props.is_stale.then_some("stale"))} aria-label="Results">
            <div class="first">
                <div class="head">
                    <span class="simulated">{ "SIMULATED" }</span>
                    <span class="small">{ props.stand.clone() }</span>
                </div>
                { problem(&props.phase, &props.dispatch) }
                { props.cover.show() }
                { for shown.map(headline) }
                if report.is_none() {
                    { expectation(&props.phase) }
                }
            </div>
            <div class="rest">
                <div class="block" ref={place}>
                    { for shown.map(|report| page_time(report, width)) }
                </div>
                { for shown.map(tables) }
                <details class="fold">
                    <summary>
                        { "Not modelled" }<span>{ format!("{} things", NOT_MODELLED.len()) }</span>
                    </summary>
                    <ul class="plain">{ for NOT_MODELLED.iter().map(|s| html! { <li>{ *s }</li> }) }</ul>
                </details>
                { provenance(report, props.model.as_deref()) }
            </div>
        </aside>
    }
}

/// What stands where a verdict will be.
fn expectation(phase: &Phase) -> Html {
    let text = match phase {
        Phase::Held => {
            "Press Run, or move a slider: the machine is full of read files, and its readers \
                        are about to ask for more."
        }
        Phase::Idle | Phase::Asked | Phase::Running => {
            "The verdict comes at the end of the window; the machine and the timelines show the run \
             until then."
        }
        _ => return Html::default(),
    };
    html! { <p class="expect">{ text }</p> }
}

/// Why there is no new result, with the one thing to do about it.
fn problem(phase: &Phase, dispatch: &Callback<Action>) -> Html {
    let button = |text: &str, action: Action| {
        let dispatch = dispatch.clone();
        let onclick = move |_| dispatch.emit(action.clone());
        html! { <button class="outlined" {onclick}>{ text.to_owned() }</button> }
    };
    let ask = |wish| Action::Run(RunAction::Ask(wish));
    let (sentences, action) = match phase {
        Phase::Failed(sentence) => (vec![sentence.clone()], button("Run again", ask(Wish::Run))),
        Phase::TooLong(seconds) => {
            let text = format!("This run would take about {} of computing.", long(*seconds));
            (vec![text], button("Run it all the same", ask(Wish::RunLong)))
        }
        Phase::Rejected(problems) => {
            let told = problems.iter().map(|problem| sentence(&problem.sentence)).collect();
            let first = problems.first().and_then(|p| catalog::controls::by_key(&p.path));
            let reset = first.map(|control| {
                let text = format!("Set {} back", control.label);
                button(&text, Action::Draft(DraftAction::Reset(control.id)))
            });
            (told, reset.unwrap_or_default())
        }
        _ => return Html::default(),
    };
    html! {
        <div class="notice bad" role="alert">
            <div>{ for sentences.into_iter().map(|s| html! { <p>{ s }</p> }) }</div>
            { action }
        </div>
    }
}

/// Seconds of computing in words.
fn long(seconds: u64) -> String {
    match seconds {
        0..=119 => words::plural(seconds, "second"),
        120..=7_199 => words::plural(seconds / 60, "minute"),
        7_200..=172_799 => words::plural(seconds / 3_600, "hour"),
        _ => words::plural(seconds / 86_400, "day"),
    }
}

/// What reclaim cost: kswapd's CPUs, or CPU time a page where tasks reclaimed them all.
fn reclaim(report: &Report) -> (String, String, String) {
    if let Some(us) = verdict::direct_us(report) {
        let note = match report.vmstat.get("pswpout") {
            Some(&pages) if pages > 0 => format!("{} swapped out", words::decimal(pages as f64)),
            _ => "kswapd slept".into(),
        };
        return ("Direct, us a page".into(), words::three(us), note);
    }
    let page = |us: f64| format!("{} us a page", words::three(us));
    let note = report.kswapd_us_per_page.map_or_else(|| "nothing scanned".into(), page);
    ("kswapd, CPUs".into(), words::three(verdict::kswapd_cpus(report)), note)
}

/// The verdict and the three numbers that it rests on.
fn headline(report: &Report) -> Html {
    let (divisor, prefix) = words::decimal_unit(report.throughput);
    let numbers = [
        (
            match report.throughput_unit.as_str() {
                "bytes read" => format!("Reads, {prefix}B/s"),
                other => format!("{prefix} {other}/s").trim_start().to_owned(),
            },
            words::three(report.throughput / divisor),
            match report.latency_us.count {
                0 => "no latency".into(),
                _ => format!("p99 {}", words::nanos(report.latency_us.p99 * 1e3)),
            },
        ),
        reclaim(report),
        (
            "Direct reclaim".to_owned(),
            verdict::direct_share(report).map_or_else(|| "none".into(), words::percent),
            "of pgscan".to_owned(),
        ),
    ];
    // A number and its sign stay on one line.
    let verdict = verdict::verdict(report).replace(" %", "\u{a0}%");
    html! {
        <>
            <p class="verdict">{ verdict }</p>
            <dl class="numbers">
                { for numbers.into_iter().map(|(name, value, note)| html! {
                    <div><dt>{ name }</dt><dd>{ value }<small>{ note }</small></dd></div>
                }) }
            </dl>
        </>
    }
}

/// Where the time of a reclaimed page goes.
fn page_time(report: &Report, width: f64) -> Html {
    let (total, parts) = select::page_time(report);
    if parts.is_empty() {
        return html! {
            <>
                <h2>{ "Where a reclaimed page's time goes" }</h2>
                <p class="small">{ "Nothing was reclaimed." }</p>
            </>
        };
    }
    let words: Vec<_> =
        parts.iter().map(|p| format!("{} {}", p.name, words::percent(p.share))).collect();
    let label = format!("Time of a reclaimed page: {}", words.join(", "));
    html! {
        <>
            <h2>{ format!("Where a reclaimed page's {} us go", words::three(total)) }</h2>
            { drawing(&bar::draw(&parts, width), [width, bar::height(&parts)], label) }
        </>
    }
}
