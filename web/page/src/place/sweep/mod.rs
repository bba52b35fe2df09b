//! One or two controls over a range of values: a curve or a map, with what added workers bring.

mod picture;

use super::Props;
use super::compare::{buttons, by_group, choice, refused, status};
use crate::component::command::command;
use crate::platform::input;
use crate::platform::object::Json;
use crate::state::errand::Spec;
use crate::state::select;
use crate::state::work::Slot;
use catalog::{Control, ControlId, Group};
use picture::{View, picture};
use yew::prelude::*;

/// Replications that are offered.
const REPS: [u32; 5] = [1, 3, 5, 10, 20];

/// A control and the values that it is to take, as they were typed.
#[derive(Clone, PartialEq)]
struct Axis {
    control: Option<&'static Control>,
    values: String,
}

/// The place.
#[component]
pub fn Sweep(props: &Props) -> Html {
    let state = &props.state;
    let reps = use_state_eq(|| 1);
    let view = use_state_eq(|| View::Throughput);
    let axes = use_state_eq(|| {
        let control = Some(ControlId::Kswapds.control());
        let none = Axis { control: None, values: "1,2,4".into() };
        [Axis { control, values: "1,2,4,8".into() }, none]
    });
    let link = select::fragment(&state.draft.scenario);
    let given = axes.iter().filter_map(|axis| Some((axis.control?, axis.values.trim())));
    let over: Vec<String> = given.map(|(control, v)| format!("{}={v}", control.key)).collect();
    let shown = state.work.of(Slot::Sweep);
    let can_run = state.draft.can_run() && !over.is_empty();
    let typed: String = over.iter().map(|over| format!(" --over {over}")).collect();
    let line = format!("reclaimscope sweep {link}{typed} --reps {}", REPS[*reps]);
    let spec = Spec::Sweep { link, over, reps: REPS[*reps] };
    let set = |place: usize| {
        let axes = axes.clone();
        move |axis: Axis| {
            let mut next = (*axes).clone();
            next[place] = axis;
            axes.set(next);
        }
    };
    let panel = shown.text.as_deref().and_then(Json::parse);
    html! {
        <main class="page sweep">
            <section class="section" aria-label="Sweep">
                <h2>{ "Sweep" }</h2>
                <p class="lead">
                    { "The scenario of Explore over a range of one or two of its controls: " }
                    { select::title(&state.draft.scenario) }
                </p>
                { axis("First control", &axes[0], false, set(0)) }
                { axis("Second control", &axes[1], true, set(1)) }
                <div class="row run" data-phase={shown.phase.name()}>
                    { choice("Replications", &REPS.map(|n| n.to_string()), *reps, move |n| reps.set(n)) }
                    { buttons(&shown.phase, can_run, Slot::Sweep, spec, &props.dispatch) }
                    { status(shown, "points") }
                </div>
                { refused(&shown.phase) }
            </section>
            if let Some(panel) = panel {
                <section class="section results-of" aria-label="Results of the sweep">
                    <div class="head">
                        <h2>{ "Results" }</h2>
                        <span class="simulated">{ "SIMULATED" }</span>
                        { choice(
                            "View",
                            &View::ALL.map(|view| view.title().to_owned()),
                            *view as usize,
                            {
                                let view = view.clone();
                                move |n| view.set(View::ALL[n])
                            },
                        ) }
                    </div>
                    { picture(&panel, *view) }
                    { warnings(&panel) }
                    { rows("Every point", panel.cells("rows")) }
                    { rows("What added workers gain, against the fewest", panel.cells("gains")) }
                </section>
            }
            <section class="section" aria-label="In the terminal">
                { command("The same in the terminal, on all cores", &line) }
            </section>
        </main>
    }
}

/// A control and its values.
fn axis(
    label: &'static str,
    axis: &Axis,
    may_be_none: bool,
    set: impl Fn(Axis) + Clone + 'static,
) -> Html {
    let first = usize::from(may_be_none);
    let choose = {
        let (set, values) = (set.clone(), axis.values.clone());
        move |event: Event| {
            let row = input::chosen_row(&event).checked_sub(first);
            let control = row.and_then(|row| by_group().nth(row));
            set(Axis { control, values: values.clone() });
        }
    };
    let control = axis.control;
    let onchange = move |event: Event| set(Axis { control, values: input::chosen_text(&event) });
    let group = |group: Group| {
        let own = by_group().filter(|c| c.group == group);
        html! {
            <optgroup label={group.label()}>
                { for own.map(|c| html! {
                    <option selected={control.map(|own| own.id) == Some(c.id)}>{ c.label }</option>
                }) }
            </optgroup>
        }
    };
    html! {
        <div class="row set">
            <select onchange={choose} aria-label={label}>
                if may_be_none {
                    <option selected={control.is_none()}>{ "none" }</option>
                }
                { for Group::ALL.into_iter().map(group) }
            </select>
            if control.is_some() {
                <label class="small">
                    { "values " }
                    <input
                        value={axis.values.clone()}
                        data-shown={axis.values.clone()}
                        title="1,2,4 or 1..8"
                        autocomplete="off"
                        {onchange}
                    />
                </label>
            }
        </div>
    }
}

fn warnings(panel: &Json) -> Html {
    let all = panel.strings("warnings");
    html! {
        if !all.is_empty() {
            <div class="notice bad" role="status">
                <ul>{ for all.into_iter().map(|w| html! { <li>{ w }</li> }) }</ul>
            </div>
        }
    }
}

/// A table whose first row has the headings; none with nothing under them.
fn rows(caption: &'static str, rows: Vec<Vec<String>>) -> Html {
    let Some((heads, rows)) = rows.split_first().filter(|(_, rows)| !rows.is_empty()) else {
        return Html::default();
    };
    let row = |cells: &Vec<String>| {
        html! {
            <tr>{ for cells.iter().map(|cell| html! { <td>{ cell.clone() }</td> }) }</tr>
        }
    };
    html! {
        <details class="more">
            <summary>{ caption }</summary>
            <div class="scroll" role="group" tabindex="0" aria-label={caption}>
                <table>
                    <caption>{ caption }</caption>
                    <thead><tr>
                        { for heads.iter().map(|h| html! { <th scope="col">{ h.clone() }</th> }) }
                    </tr></thead>
                    <tbody>{ for rows.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}
