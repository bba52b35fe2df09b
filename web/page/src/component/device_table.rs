//! A control that is a table: a line a row, opened to edit its cells.

use super::control::unit;
use crate::platform::input;
use crate::state::draft::DraftAction;
use catalog::{Choice, Column, ControlId, Kind, Table, tables};
use scenario::Scenario;
use yew::prelude::*;

/// The rows with what is done to them.
pub(super) fn rows(
    scenario: &Scenario,
    id: ControlId,
    table: &'static Table,
    edit: &Callback<DraftAction>,
) -> Html {
    let count = scenario.rows(id).len();
    let act = |action: DraftAction| {
        let edit = edit.clone();
        Callback::from(move |_: MouseEvent| edit.emit(action.clone()))
    };
    let devices = id == ControlId::SwapTable;
    let (add, clear) = match (devices, count) {
        (true, 0) => ("Set one by one".into(), ""),
        (true, _) => (format!("Add a {}", table.row), "All alike"),
        _ => (format!("Add a {}", table.row), if count > 0 { "None" } else { "" }),
    };
    html! {
        <div class="rows">
            { for (0..count).map(|row| line(scenario, id, table, row, edit)) }
            <span>
                if count < table.rows_max {
                    <button class="text" onclick={act(DraftAction::AddRow(id))}>{ add }</button>
                }
                if !clear.is_empty() {
                    <button class="text" onclick={act(DraftAction::Clear(id))}>{ clear }</button>
                }
            </span>
        </div>
    }
}

fn line(
    scenario: &Scenario,
    id: ControlId,
    table: &'static Table,
    row: usize,
    edit: &Callback<DraftAction>,
) -> Html {
    let name = format!("{} {}", table.row, row + 1);
    let remove = {
        let edit = edit.clone();
        move |_: MouseEvent| edit.emit(DraftAction::RemoveRow(id, row))
    };
    let cells = table.columns.iter().enumerate();
    html! {
        <details key={row}>
            <summary><b>{ row + 1 }</b>{ summary(scenario, id, table, row) }</summary>
            { for cells.map(|(c, column)| cell(scenario, (id, row, c), column, &name, edit)) }
            <button class="text" onclick={remove}>{ format!("Remove {name}") }</button>
        </details>
    }
}

/// A row in a few words: its first cell and those that are not as they are by themselves.
fn summary(scenario: &Scenario, id: ControlId, table: &Table, row: usize) -> String {
    let Some(cells) = scenario.rows(id).get(row) else { return String::new() };
    let columns = table.columns.iter().zip(cells).enumerate();
    let word = |(c, (column, value)): (usize, (&Column, &i64))| {
        let text = scenario.cell(id, row, c);
        let short = column.letter;
        match (c, column.kind) {
            (tables::MEDIUM, Kind::Choice(rows)) => Some(label(rows, *value).to_owned()),
            (0, _) => Some(format!("{} {text}", column.label.to_ascii_lowercase())),
            _ if id == ControlId::SwapTable && c == tables::SIZE => Some(text),
            _ if *value == column.default => None,
            (_, Kind::Choice(rows)) => Some(label(rows, *value).to_ascii_lowercase()),
            (_, Kind::Flag) => Some(column.label.to_ascii_lowercase()),
            _ => Some(format!("{short} {text}")),
        }
    };
    columns.filter_map(word).collect::<Vec<_>>().join(", ")
}

fn label(rows: &[Choice], value: i64) -> &'static str {
    usize::try_from(value).ok().and_then(|row| rows.get(row)).map_or("", |row| row.label)
}

fn cell(
    scenario: &Scenario,
    (id, row, c): (ControlId, usize, usize),
    column: &'static Column,
    name: &str,
    edit: &Callback<DraftAction>,
) -> Html {
    let key = format!("{}-{row}-{}", id.control().key, column.key);
    let value = scenario.rows(id).get(row).map_or(0, |cells| cells[c]);
    let edit = edit.clone();
    let set = move |text: String| edit.emit(DraftAction::Cell(id, row, c, text));
    let entry = match column.kind {
        Kind::Choice(rows) => {
            let names: &'static [Choice] = rows;
            let onchange = move |event: Event| {
                let chosen = names.get(input::chosen_row(&event));
                set(chosen.map_or("", |row| row.name).to_owned());
            };
            let options = rows.iter().enumerate().map(|(n, row)| {
                html! { <option selected={n as i64 == value}>{ row.label }</option> }
            });
            html! { <select id={key.clone()} {onchange}>{ for options }</select> }
        }
        Kind::Flag => {
            let onchange = move |event: Event| {
                set(if input::is_checked(&event) { "on" } else { "off" }.into())
            };
            html! { <input type="checkbox" id={key.clone()} checked={value != 0} {onchange} /> }
        }
        _ => {
            let onchange = move |event: Event| set(input::chosen_text(&event));
            let text = scenario.cell(id, row, c);
            html! {
                <span class="value">
                    <input class="entry" id={key.clone()} value={text} autocomplete="off" {onchange} />
                    <span class="unit">{ unit(column.unit) }</span>
                </span>
            }
        }
    };
    html! {
        <span class="cell" title={column.sentence} key={column.key}>
            <label for={key}>{ column.label }<span class="hidden">{ format!(" of {name}") }</span></label>
            { entry }
        </span>
    }
}
