//! The arms: A is the scenario as it stands, the others are what they set beyond it.

use super::base;
use crate::component::same::Same;
use crate::platform::input;
use crate::state::arms::{ArmsAction, Other};
use crate::state::here::{Here, Place};
use crate::state::{Action, State, draft};
use catalog::{CONTROLS, Control, ControlId, Group, Kind};
use scenario::{ARMS_MAX, LETTERS, Problem};
use yew::prelude::*;

/// What an added arm sets at first: so many kswapds a node.
const FIRST: [&str; ARMS_MAX] = ["", "8", "4", "2", "16"];

/// All arms, and a button for one more.
pub(super) fn editor(
    state: &Same<State>,
    problems: &[Problem],
    dispatch: &Callback<Action>,
) -> Html {
    let others = &state.arms.0;
    let emit = |action: Action| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.emit(action.clone()))
    };
    let next = others.len() + 1;
    let add = ArmsAction::Add("kswapds".into(), FIRST.get(next).copied().unwrap_or("1").into());
    let arm = |(n, other): (usize, &Other)| arm(n, other, state, problems, dispatch);
    html! {
        <div class="arms">
            <fieldset>
                <legend>{ "Arm A" }</legend>
                <p class="small">{ base(state) }</p>
                <button class="text" onclick={emit(Action::Go(Here::at(Place::Explore)))}>
                    { "Change it in Explore" }
                </button>
            </fieldset>
            { for others.iter().enumerate().map(arm) }
            if next < ARMS_MAX {
                <button class="outlined" onclick={emit(Action::Arms(add))}>
                    { format!("Add arm {}", LETTERS[next]) }
                </button>
            }
        </div>
    }
}

fn arm(
    n: usize,
    other: &Other,
    state: &Same<State>,
    problems: &[Problem],
    dispatch: &Callback<Action>,
) -> Html {
    let letter = LETTERS[n + 1];
    let act = {
        let dispatch = dispatch.clone();
        Callback::from(move |action: ArmsAction| dispatch.emit(Action::Arms(action)))
    };
    let rename = {
        let act = act.clone();
        move |event: Event| act.emit(ArmsAction::Name(n, input::chosen_text(&event)))
    };
    let click = |action: ArmsAction| {
        let act = act.clone();
        Callback::from(move |_: MouseEvent| act.emit(action.clone()))
    };
    // One that it does not set yet, with arm A's value.
    let free = |control: &&Control| {
        control.id != ControlId::Seed && !other.sets.iter().any(|(key, _)| key == control.key)
    };
    let fresh = CONTROLS.iter().find(|c| free(c) && c.id == ControlId::Policy);
    let fresh = fresh.or_else(|| CONTROLS.iter().find(free));
    let more = fresh.map(|control| {
        let value = state.draft.scenario.text(control.id);
        ArmsAction::Set(n, other.sets.len(), control.key.into(), value)
    });
    let mine = format!("arm {letter}: ");
    let said = problems.iter().filter(|problem| problem.path.starts_with(&mine));
    let said = said.map(|p| {
        let text = format!("{}: {}", &p.path[mine.len()..], p.sentence);
        html! { <p class="error" role="alert">{ draft::sentence(&text) }</p> }
    });
    let set = |(place, (key, value)): (usize, &(String, String))| {
        setting(
            &format!("Arm {letter}"),
            [key, value],
            state,
            {
                let act = act.clone();
                move |key, value| act.emit(ArmsAction::Set(n, place, key, value))
            },
            click(ArmsAction::Unset(n, place)),
        )
    };
    html! {
        <fieldset>
            <legend>{ format!("Arm {letter}") }</legend>
            <label class="small">
                { "Name " }
                <input
                    value={other.name.clone()}
                    data-shown={other.name.clone()}
                    maxlength="16"
                    size="10"
                    onchange={rename}
                />
            </label>
            { for other.sets.iter().enumerate().map(set) }
            { for said }
            <div class="row">
                if let Some(more) = more {
                    <button class="text" onclick={click(more)}>{ "Another setting" }</button>
                }
                <button class="text end" onclick={click(ArmsAction::Remove(n))}>
                    { format!("Remove arm {letter}") }
                </button>
            </div>
        </fieldset>
    }
}

/// A control and its value.
fn setting(
    whose: &str,
    [key, value]: [&str; 2],
    state: &Same<State>,
    set: impl Fn(String, String) + Clone + 'static,
    unset: Callback<MouseEvent>,
) -> Html {
    let control = CONTROLS.iter().find(|control| control.key == key);
    let controls = || CONTROLS.iter().filter(|control| control.id != ControlId::Seed);
    let choose = {
        let (set, state) = (set.clone(), state.clone());
        let all: Vec<&Control> = by_group().collect();
        move |event: Event| {
            if let Some(control) = all.get(input::chosen_row(&event)) {
                set(control.key.into(), state.draft.scenario.text(control.id));
            }
        }
    };
    let group = |group: Group| {
        let own = controls().filter(|control| control.group == group);
        html! {
            <optgroup label={group.label()}>
                { for own.map(|c| html! {
                    <option selected={c.key == key}>{ c.label }</option>
                }) }
            </optgroup>
        }
    };
    html! {
        <div class="row set">
            if control.is_some() {
                <select onchange={choose} aria-label={format!("{whose}: what it sets")}>
                    { for Group::ALL.into_iter().map(group) }
                </select>
            } else {
                <code>{ key.to_owned() }</code>
            }
            { entry(control, &format!("{whose}: value of {key}"), value, {
                let key = key.to_owned();
                move |value| set(key.clone(), value)
            }) }
            <button class="sign" onclick={unset} aria-label={format!("{whose}: no more {key}")}>
                { "\u{d7}" }
            </button>
        </div>
    }
}

/// A value: one of a list, or a text.
pub(in crate::place) fn entry(
    control: Option<&'static Control>,
    label: &str,
    value: &str,
    set: impl Fn(String) + 'static,
) -> Html {
    let names: Vec<(&'static str, &'static str)> = match control.map(|control| control.kind) {
        Some(Kind::Choice(rows)) => rows.iter().map(|row| (row.name, row.label)).collect(),
        Some(Kind::Flag) => vec![("off", "off"), ("on", "on")],
        _ => {
            let onchange = move |event: Event| set(input::chosen_text(&event));
            return html! {
                <input
                    value={value.to_owned()}
                    data-shown={value.to_owned()}
                    size="8"
                    autocomplete="off"
                    aria-label={label.to_owned()}
                    {onchange}
                />
            };
        }
    };
    let options: Vec<Html> = names
        .iter()
        .map(|(name, label)| html! { <option selected={*name == value}>{ *label }</option> })
        .collect();
    let onchange = move |event: Event| {
        if let Some((name, _)) = names.get(input::chosen_row(&event)) {
            set((*name).to_owned());
        }
    };
    html! { <select {onchange} aria-label={label.to_owned()}>{ for options }</select> }
}

/// The controls as they stand in a list with groups, without the seed.
pub(in crate::place) fn by_group() -> impl Iterator<Item = &'static Control> {
    Group::ALL.into_iter().flat_map(|group| {
        CONTROLS.iter().filter(move |c| c.group == group && c.id != ControlId::Seed)
    })
}
