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
const FIRST: [ControlId; 20] = [
    ControlId::Nodes,
    ControlId::Cpus,
    ControlId::Memory,
    ControlId::Flavour,
    ControlId::Kswapds,
    ControlId::Policy,
    ControlId::LruPartitions,
    ControlId::WatermarkScaleFactor,
    ControlId::SwapDevices,
    ControlId::SwapTable,
    ControlId::Allocator,
    ControlId::TierAssignment,
    ControlId::SwapTiers,
    ControlId::Zswap,
    ControlId::Workload,
    ControlId::Readers,
    ControlId::Size,
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
    let filter = use_state_eq(String::new);
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
    let form = Form { draft, changes: &changes, edit: &edit, filter: &filter };
    html! {
        <aside class={classes!("controls", is_open.then_some("open"))} aria-label="Controls">
            <div class="tabs">
                <b>{ "Controls" }</b>
                <span class="small">{ changed(changes.len()) }</span>
                { form.travel(false) }
                { form.travel(true) }
                <span class="hidden" role="status">{ &*draft.said }</span>
                <button
                    class="outlined open"
                    onclick={toggle}
                    aria-expanded={expanded}
                    aria-controls="form"
                    aria-label={format!("{word} the controls")}
                >
                    { word }
                </button>
            </div>
            <div class="form" id="form">
                { find(&filter, form.found()) }
                { presets(draft.scenario.preset.name, &edit) }
                { paste(draft.pasted.as_deref(), &edit, &area) }
                { for Group::ALL.map(|group| form.group(group)) }
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

/// The box that filters the controls; `found` says how many it leaves.
fn find(filter: &UseStateHandle<String>, found: Option<usize>) -> Html {
    let oninput = {
        let filter = filter.setter();
        move |event: InputEvent| filter.set(crate::platform::input::text(&event))
    };
    html! {
        <div class="find">
            <input
                id="find"
                type="search"
                placeholder="Find a control"
                aria-label="Find a control by its name or kernel name"
                autocomplete="off"
                spellcheck="false"
                value={(**filter).clone()}
                {oninput}
            />
            <span class="small" role="status">
                { found.map(|n| chart::words::plural(n as u64, "control")) }
            </span>
        </div>
    }
}

/// What the groups are made from.
struct Form<'a> {
    draft: &'a Same<Draft>,
    changes: &'a [ControlId],
    edit: &'a Callback<DraftAction>,
    filter: &'a str,
}

impl Form<'_> {
    /// The button that undoes, or does again.
    fn travel(&self, forth: bool) -> Html {
        let history = &self.draft.history;
        let (action, label, sign, can) = match forth {
            true => (DraftAction::Redo, "Redo", "\u{21b7}", history.can_redo()),
            false => (DraftAction::Undo, "Undo", "\u{21b6}", history.can_undo()),
        };
        let keys = if forth { "Control+Shift+Z" } else { "Control+Z" };
        html! {
            <button
                class={classes!("outlined", "sign", (!forth).then_some("end"))}
                onclick={self.does(action)}
                disabled={!can}
                aria-label={label}
                aria-keyshortcuts={keys}
                title={format!("{label} ({})", keys.replace("Control", "Ctrl"))}
            >
                <span aria-hidden="true">{ sign }</span>
            </button>
        }
    }

    fn does(&self, action: DraftAction) -> Callback<MouseEvent> {
        let edit = self.edit.clone();
        Callback::from(move |_| edit.emit(action.clone()))
    }

    /// Whether a control is looked for.
    fn matches(&self, control: &Control) -> bool {
        let wanted = self.filter.trim().to_ascii_lowercase();
        let names = [control.label, control.key, control.kernel_name];
        names.iter().any(|name| name.to_ascii_lowercase().contains(&wanted))
    }

    /// How many controls are found, if any are looked for.
    fn found(&self) -> Option<usize> {
        let is_looking = !self.filter.trim().is_empty();
        is_looking.then(|| CONTROLS.iter().filter(|control| self.matches(control)).count())
    }

    fn group(&self, group: Group) -> Html {
        let row_of = |id| self.draft.scenario.get(id).unsigned_abs() as usize;
        let kinds = [ControlId::Workload, ControlId::Pattern, ControlId::Mix].map(row_of);
        let devices = self.draft.scenario.get(ControlId::SwapDevices);
        let [tiers, zswap] = [ControlId::TierAssignment, ControlId::Zswap].map(row_of);
        // What has no effect under this workload is shown once it is set, or looked for.
        let shown = move |control: &&'static Control| {
            self.found().is_some()
                || self.changes.contains(&control.id)
                || (catalog::controls::applies(control.id, kinds[0], kinds[1], kinds[2])
                    && catalog::controls::swap_applies(control.id, devices, tiers, zswap))
        };
        let of_group = || {
            let own = CONTROLS.iter().filter(move |control| control.group == group);
            own.filter(move |control| shown(control))
        };
        let changed = |control: &&'static Control| self.changes.contains(&control.id);
        let count = of_group().filter(changed).count();
        let note = match count {
            0 => chart::words::plural(of_group().count() as u64, "setting"),
            n => format!("{n} changed"),
        };
        let row = |control: &'static Control| row(control, self.draft, self.changes, self.edit);
        let rows = if self.found().is_some() {
            let found: Vec<_> = of_group().filter(|control| self.matches(control)).collect();
            if found.is_empty() {
                return Html::default();
            }
            html! { <>{ for found.into_iter().map(row) }</> }
        } else {
            let (first, rest): (Vec<&'static Control>, Vec<_>) =
                of_group().partition(|control| FIRST.contains(&control.id));
            let more = match rest.iter().filter(|control| changed(control)).count() {
                0 => String::new(),
                n => format!("{n} changed"),
            };
            html! {
                <>
                    { for first.into_iter().map(row) }
                    if !rest.is_empty() {
                        <details class="more">
                            <summary>{ format!("{} more", rest.len()) }<span>{ more }</span></summary>
                            { for rest.into_iter().map(row) }
                        </details>
                    }
                </>
            }
        };
        html! {
            <details class="group" open=true key={group.label()}>
                <summary><h2>{ group.label() }</h2><span>{ note }</span></summary>
                if count > 1 {
                    <button class="text back" onclick={self.does(DraftAction::ResetGroup(group))}>
                        { format!("Set all of {} back", group.label()) }
                    </button>
                }
                { rows }
            </details>
        }
    }
}

fn row(
    control: &'static Control,
    draft: &Same<Draft>,
    changes: &[ControlId],
    edit: &Callback<DraftAction>,
) -> Html {
    let warnings = draft.scenario.warnings();
    let mut problems = draft.problems.iter().chain(&warnings);
    let problem = problems.find(|problem| problem.path == control.key);
    html! {
        <ControlRow
            key={control.key}
            id={control.id}
            value={draft.scenario.get(control.id)}
            text={draft.scenario.text(control.id)}
            is_changed={changes.contains(&control.id)}
            refused={draft.refused_at(control.id).cloned()}
            base={draft.preset_value(control.id)}
            table={control.table().map(|_| Same::from(&draft.scenario))}
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
