//! The form, made from the catalog: what is used most stands open, the rest one press away.

use super::control::ControlRow;
use super::paste::paste;
use super::same::Same;
use crate::state::Action;
use crate::state::draft::{Draft, DraftAction};
use catalog::{CONTROLS, Control, ControlId, Group};
use scenario::PRESETS;
use yew::prelude::*;

/// What most people change; the others of a group stand under "more".
const FIRST: [ControlId; 12] = [
    ControlId::Nodes,
    ControlId::Cpus,
    ControlId::Memory,
    ControlId::Flavour,
    ControlId::Kswapds,
    ControlId::Policy,
    ControlId::LruPartitions,
    ControlId::WatermarkScaleFactor,
    ControlId::Readers,
    ControlId::Drives,
    ControlId::Seed,
    ControlId::Duration,
];

/// What the form shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is being edited.
    pub draft: Same<Draft>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The form.
#[component]
pub fn Controls(props: &Props) -> Html {
    let is_open = use_state(|| false);
    let area = use_node_ref();
    let draft = &props.draft;
    let changes = draft.scenario.changes();
    let edit = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |action| dispatch.emit(Action::Draft(action)))
    };
    let toggle = {
        let is_open = is_open.clone();
        move |_| is_open.set(!*is_open)
    };
    let (word, expanded) = if *is_open { ("Close", "true") } else { ("Open", "false") };
    html! {
        <aside class={classes!("controls", is_open.then_some("open"))} aria-label="Controls">
            <div class="tabs">
                <b>{ "Controls" }</b>
                <span class="small">{ changed(changes.len()) }</span>
                <button
                    class="outlined end"
                    onclick={toggle}
                    aria-expanded={expanded}
                    aria-controls="form"
                    aria-label={format!("{word} the controls")}
                >
                    { word }
                </button>
            </div>
            <div class="form" id="form">
                { presets(draft.scenario.preset.name, &edit) }
                { paste(draft.pasted.as_deref(), &edit, &area) }
                { for Group::ALL.map(|group| self::group(group, draft, &changes, &edit)) }
            </div>
        </aside>
    }
}

fn changed(count: usize) -> String {
    match count {
        0 => "as the preset".into(),
        n => format!("{n} changed"),
    }
}

fn group(
    group: Group,
    draft: &Same<Draft>,
    changes: &[ControlId],
    edit: &Callback<DraftAction>,
) -> Html {
    let of_group = || CONTROLS.iter().filter(move |control| control.group == group);
    let is_first = |control: &&'static Control| FIRST.contains(&control.id);
    let count = of_group().filter(|control| changes.contains(&control.id)).count();
    let note = match count {
        0 => format!("{} settings", of_group().count()),
        n => format!("{n} changed"),
    };
    let rest: Vec<_> = of_group().filter(|control| !is_first(control)).collect();
    let rest_changed = rest.iter().filter(|control| changes.contains(&control.id)).count();
    let more = match rest_changed {
        0 => String::new(),
        n => format!("{n} changed"),
    };
    let row = |control: &'static Control| row(control, draft, changes, edit);
    html! {
        <details class="group" open=true>
            <summary><h2>{ group.label() }</h2><span>{ note }</span></summary>
            { for of_group().filter(is_first).map(row) }
            <details class="more">
                <summary>{ format!("{} more", rest.len()) }<span>{ more }</span></summary>
                { for rest.into_iter().map(row) }
            </details>
        </details>
    }
}

fn row(
    control: &'static Control,
    draft: &Same<Draft>,
    changes: &[ControlId],
    edit: &Callback<DraftAction>,
) -> Html {
    let problem = draft.problems.iter().find(|problem| problem.path == control.key);
    html! {
        <ControlRow
            key={control.key}
            id={control.id}
            value={draft.scenario.get(control.id)}
            text={draft.scenario.text(control.id)}
            is_changed={changes.contains(&control.id)}
            refused={draft.refused_at(control.id).cloned()}
            problem={problem.map(|problem| crate::state::draft::sentence(&problem.sentence))}
            edit={edit.clone()}
        />
    }
}

fn presets(chosen: &str, edit: &Callback<DraftAction>) -> Html {
    let onchange = {
        let edit = edit.clone();
        move |event: Event| {
            let row = crate::platform::input::chosen_row(&event);
            if let Some(preset) = PRESETS.get(row) {
                edit.emit(DraftAction::Preset(preset.name.into()));
            }
        }
    };
    let sentence = PRESETS.iter().find(|preset| preset.name == chosen);
    html! {
        <div class="preset">
            <label for="preset">{ "Preset" }</label>
            <select id="preset" {onchange} aria-describedby="preset-about">
                { for PRESETS.iter().map(|preset| html! {
                    <option selected={preset.name == chosen}>{ preset.name }</option>
                }) }
            </select>
            <p class="small" id="preset-about">{ sentence.map(|preset| preset.sentence) }</p>
        </div>
    }
}
