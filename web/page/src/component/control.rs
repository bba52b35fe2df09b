//! One control: label, exact entry, kernel name, slider, and what it is in a sentence.

use super::device_table;
use super::same::Same;
use crate::picture::sketch::length;
use crate::platform::input;
use crate::state::draft::{DraftAction, Refused};
use crate::state::slider;
use catalog::{Choice, Control, ControlId, FLAVOURS, Flavour, Kind, Unit};
use scenario::Scenario;
use yew::prelude::*;

/// Longer names of a list's rows need a line of their own.
const LABEL_MAX: usize = 13;

/// What a row shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which control.
    pub id: ControlId,
    /// What tells its element from that of the same control elsewhere on the page.
    #[prop_or_default]
    pub name: &'static str,
    /// Its value.
    pub value: i64,
    /// Its value with its unit.
    pub text: String,
    /// Whether it differs from the preset.
    pub is_changed: bool,
    /// Its value in the preset.
    pub base: i64,
    /// What was typed and could not be taken.
    pub refused: Option<Refused>,
    /// Why the value does not go with the others.
    pub problem: Option<String>,
    /// The scenario, for a table.
    pub table: Option<Same<Scenario>>,
    /// What was done.
    pub edit: Callback<DraftAction>,
}

/// One row of the form.
#[component]
pub fn ControlRow(props: &Props) -> Html {
    let is_told = use_state(|| false);
    let control = props.id.control();
    let id = format!("{}control-{}", props.name, control.key);
    let about = format!("{id}-about");
    let error = props.refused.as_ref().map(|refused| refused.sentence.clone());
    let error = error.or_else(|| props.problem.clone());
    let toggle = {
        let is_told = is_told.clone();
        move |_| is_told.set(!*is_told)
    };
    let is_bad = error.is_some();
    let parts = Parts { control, props, id: &id, about: &about, is_bad };
    html! {
        <div class={classes!("control", props.is_changed.then_some("changed"), is_bad.then_some("bad"))}>
            <span class="label">
                if control.table().is_some() {
                    <b id={id.clone()}>{ control.label }</b>
                } else {
                    <label for={id.clone()}>{ control.label }</label>
                }
                <button
                    class="about"
                    onclick={toggle}
                    aria-expanded={if *is_told { "true" } else { "false" }}
                    aria-controls={about.clone()}
                    aria-label={format!("About {}", control.label)}
                >
                    { "?" }
                </button>
                { for props.is_changed.then(|| parts.back()) }
            </span>
            { parts.entry() }
            <code class="kernel">{ control.kernel_name }</code>
            { parts.slider() }
            { parts.table() }
            if let Some(error) = error {
                <p class="error" id={format!("{id}-error")} role="alert">
                    { crate::state::draft::sentence(&error) }
                </p>
            }
            <p class={classes!("told", (!*is_told).then_some("hidden"))} id={about.clone()}>
                { control.sentence }{ " " }{ range(control) }
            </p>
            { assumed(props) }
        </div>
    }
}

/// What is not known of the kernel that is chosen, and what stands for it.
fn assumed(props: &Props) -> Html {
    let row = (props.id == ControlId::Flavour).then_some(props.value);
    let row = row.and_then(|row| FLAVOURS.get(usize::try_from(row).ok()?));
    let text = row.and_then(Flavour::assumptions);
    text.map_or_else(Html::default, |text| {
        html! { <p class="small assumed">{ format!("Assumed of {text}.") }</p> }
    })
}

struct Parts<'a> {
    control: &'static Control,
    props: &'a Props,
    id: &'a str,
    about: &'a str,
    is_bad: bool,
}

impl Parts<'_> {
    fn described_by(&self) -> String {
        match self.is_bad {
            true => format!("{}-error {}", self.id, self.about),
            false => self.about.to_owned(),
        }
    }

    /// The button that sets it back.
    fn back(&self) -> Html {
        let (edit, id) = (self.props.edit.clone(), self.props.id);
        let base = with_value(id, self.props.base);
        let label = format!("Set {} back to {base}", self.control.label);
        let onclick = move |_| edit.emit(DraftAction::Reset(id));
        html! {
            <button class="about reset" {onclick} title={label.clone()} aria-label={label}>
                <span aria-hidden="true">{ "\u{21ba}" }</span>
            </button>
        }
    }

    fn set(&self, chosen: bool) -> impl Fn(i64) + 'static {
        let edit = self.props.edit.clone();
        let id = self.props.id;
        move |value| edit.emit(DraftAction::Set(id, value, chosen))
    }

    fn entry(&self) -> Html {
        match self.control.kind {
            Kind::Choice(rows) => self.list(rows),
            Kind::Flag => self.flag(),
            Kind::Number { .. } => self.number(),
            // It stands below, over the whole width.
            Kind::Table(_) => html! { <span></span> },
        }
    }

    fn table(&self) -> Html {
        let table = self.control.table().zip(self.props.table.as_ref());
        table.map_or(Html::default(), |(table, scenario)| {
            device_table::rows(scenario, self.props.id, table, &self.props.edit)
        })
    }

    fn list(&self, rows: &'static [Choice]) -> Html {
        let set = self.set(true);
        let onchange = move |event: Event| set(input::chosen_row(&event) as i64);
        let value = usize::try_from(self.props.value).unwrap_or(0);
        let is_long = rows.iter().any(|row| row.label.len() > LABEL_MAX);
        html! {
            <select
                id={self.id.to_owned()}
                class={is_long.then_some("long")}
                {onchange}
                aria-describedby={self.described_by()}
            >
                { for rows.iter().enumerate().map(|(n, row)| html! {
                    <option selected={n == value}>{ row.label }</option>
                }) }
            </select>
        }
    }

    fn flag(&self) -> Html {
        let set = self.set(true);
        let onchange = move |event: Event| set(i64::from(input::is_checked(&event)));
        html! {
            <input
                type="checkbox"
                id={self.id.to_owned()}
                checked={self.props.value != 0}
                {onchange}
                aria-describedby={self.described_by()}
            />
        }
    }

    fn number(&self) -> Html {
        let edit = self.props.edit.clone();
        let id = self.props.id;
        let onchange =
            move |event: Event| edit.emit(DraftAction::Enter(id, input::chosen_text(&event)));
        // What could not be taken stays to be mended.
        let text = self.props.refused.as_ref().map_or(&self.props.text, |refused| &refused.text);
        html! {
            <span class="value">
                <input
                    class="entry"
                    id={self.id.to_owned()}
                    value={text.clone()}
                    data-shown={text.clone()}
                    autocomplete="off"
                    spellcheck="false"
                    {onchange}
                    aria-describedby={self.described_by()}
                    aria-invalid={self.is_bad.then_some("true")}
                />
                <span class="unit">{ unit(self.control.unit) }</span>
            </span>
        }
    }

    fn slider(&self) -> Html {
        let stops = slider::stops(self.control).len();
        if stops == 0 {
            return html! { <span></span> };
        }
        let control = self.control;
        let moved = move |set: &dyn Fn(i64), text: &str| {
            let position = text.parse().ok();
            if let Some(value) = position.and_then(|at| slider::value(control, at)) {
                set(value);
            }
        };
        let (drag, choose) = (self.set(false), self.set(true));
        let position = slider::position(control, self.props.value);
        let share = position as f64 * 100.0 / (stops - 1).max(1) as f64;
        html! {
            <input
                type="range"
                min="0"
                max={(stops - 1).to_string()}
                value={position.to_string()}
                style={format!("--p:{}%", length(share))}
                oninput={move |event: InputEvent| moved(&drag, &input::text(&event))}
                onchange={move |event: Event| moved(&choose, &input::chosen_text(&event))}
                aria-label={format!("{}, slider", control.label)}
                aria-valuetext={self.props.text.clone()}
            />
        }
    }
}

/// What stands beside an entry; values with units of their own carry them.
pub(super) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Kib => "KiB",
        Unit::PerTenThousand => "/10k",
        Unit::PerMille => "/1000",
        Unit::MbPerSecond => "MB/s",
        Unit::Count | Unit::Bytes | Unit::Nanos | Unit::Choice | Unit::Flag | Unit::Rows => "",
    }
}

/// The bounds of a number, in words.
fn range(control: &Control) -> String {
    let Kind::Number { min, max, .. } = control.kind else { return String::new() };
    format!("From {} to {}.", with_value(control.id, min), with_value(control.id, max))
}

/// A value of a control with its unit.
fn with_value(id: ControlId, value: i64) -> String {
    let mut scenario = Scenario::new(&scenario::PRESETS[0]);
    // Bounds and presets are values.
    drop(scenario.set(id, value));
    scenario.text(id)
}
