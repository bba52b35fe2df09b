//! The places, the title, what differs from the preset, the link and the theme.

use super::same::Same;
use crate::hook::ThemeHandle;
use crate::platform::{address, clipboard};
use crate::state::draft::{Draft, DraftAction};
use crate::state::here::{Here, Place};
use crate::state::{Action, select};
use catalog::LEDGER;
use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is being edited.
    pub draft: Same<Draft>,
    /// Which place is shown.
    pub place: Place,
    /// The link that is copied.
    pub link: String,
    /// The theme.
    pub theme: ThemeHandle,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The bar at the top.
#[component]
pub fn TopBar(props: &Props) -> Html {
    let ThemeHandle { choice, next, .. } = &props.theme;
    let next = next.clone();
    html! {
        <header class="top">
            <b class="name">{ "reclaimscope" }</b>
            { places(props.place, &props.dispatch) }
            <span class="space"></span>
            <h1>{ select::title(&props.draft.scenario) }</h1>
            <Chips draft={props.draft.clone()} dispatch={props.dispatch.clone()} />
            if address::is_embedded() {
                <a
                    class="outlined"
                    href={format!("{}#{}", address::base(), props.link)}
                    target="_blank"
                    rel="noopener"
                >
                    { "Open the whole page" }
                </a>
            }
            <CopyLink link={props.link.clone()} />
            <button
                class="outlined"
                onclick={move |_| next.emit(())}
                aria-label={format!("Theme: {}; press for {}", choice.name(), choice.next().name())}
                title={format!("Theme: {}", choice.name())}
            >
                { "Theme" }
            </button>
        </header>
    }
}

/// The places of the page.
fn places(shown: Place, dispatch: &Callback<Action>) -> Html {
    let button = |place: Place| {
        let dispatch = dispatch.clone();
        let onclick = move |_| dispatch.emit(Action::Go(Here::at(place)));
        let current = (place == shown).then_some("page");
        html! { <button {onclick} aria-current={current}>{ place.title() }</button> }
    };
    html! {
        <nav class="places" aria-label="Places">{ for Place::ALL.into_iter().map(button) }</nav>
    }
}

#[derive(Properties, PartialEq)]
struct ChipsProps {
    draft: Same<Draft>,
    dispatch: Callback<Action>,
}

#[component]
fn Chips(ChipsProps { draft, dispatch }: &ChipsProps) -> Html {
    let scenario = &draft.scenario;
    let emit = |action: DraftAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.emit(Action::Draft(action.clone())))
    };
    let nodes = (!scenario.nodes.is_empty()).then(|| {
        let label = "Remove the pasted machine: the nodes follow from the controls again";
        chip("pasted machine", label.to_owned(), emit(DraftAction::ResetNodes))
    });
    let changed = scenario.changes().into_iter().map(|id| {
        let control = id.control();
        let token = draft.token(id);
        let mut base = scenario::Scenario::new(scenario.preset);
        // The preset's own value lies in its bounds.
        drop(base.set(id, draft.preset_value(id)));
        let label = format!("Remove {token}: {} back to {}", control.label, base.text(id));
        chip(&in_words(scenario, id), label, emit(DraftAction::Reset(id)))
    });
    let constants = scenario.changed_constants().iter().map(|&(id, value)| {
        let constant = &LEDGER[id as usize];
        let label = format!("Remove {}: back to {}", constant.name, constant.value);
        chip(
            &format!("{}={value}", constant.name),
            label,
            emit(DraftAction::Constant(id, constant.value)),
        )
    });
    html! {
        <ul class="chips" aria-label="Preset and changed parameters">
            <li class="chip" title="Preset">{ scenario.preset.name }</li>
            { for nodes }
            { for changed }
            { for constants }
        </ul>
    }
}

/// Most letters of a value in a chip; a longer one stands at its control.
const VALUE_MAX: usize = 18;

/// A changed setting: `Memory a node 1GiB`.
fn in_words(scenario: &scenario::Scenario, id: catalog::ControlId) -> String {
    let (label, value) = (id.control().label, scenario.text(id));
    if value.len() > VALUE_MAX { label.to_owned() } else { format!("{label} {value}") }
}

fn chip(text: &str, label: String, remove: Callback<MouseEvent>) -> Html {
    html! {
        <li class="chip changed">
            { text.to_owned() }
            <button onclick={remove} title={label.clone()} aria-label={label}>
                <span aria-hidden="true">{ "\u{d7}" }</span>
            </button>
        </li>
    }
}

#[derive(Properties, PartialEq)]
struct CopyLinkProps {
    link: String,
}

/// How long the button says what became of it, in milliseconds.
const SAID_MS: u32 = 2_000;

#[component]
fn CopyLink(props: &CopyLinkProps) -> Html {
    let said = use_state(|| None::<bool>);
    // The button says again what it does after a while; a timer of an earlier press ends.
    use_effect_with(*said, {
        let said = said.setter();
        move |now| {
            let timeout = now.map(|_| Timeout::new(SAID_MS, move || said.set(None)));
            move || drop(timeout)
        }
    });
    let onclick = {
        let link = format!("{}#{}", address::base(), props.link);
        let said = said.setter();
        move |_| {
            let said = said.clone();
            clipboard::copy(link.clone(), Callback::from(move |worked| said.set(Some(worked))));
        }
    };
    let text = match *said {
        None => "Copy link",
        Some(true) => "Copied",
        Some(false) => "Not copied",
    };
    html! {
        <>
            <button class="outlined copy" {onclick}>{ text }</button>
            <span class="hidden" role="status">
                { match *said {
                    None => "",
                    Some(true) => "The link was copied.",
                    Some(false) => "The link could not be copied; it stands in the address bar.",
                } }
            </span>
        </>
    }
}
