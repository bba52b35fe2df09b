//! A scenario in words, and the list of presets.

use super::write_json;
use crate::table::pairs;
use crate::{Exit, Failure, Streams};
use catalog::{CONTROLS, Column, Control, Kind, LEDGER};
use scenario::{LETTERS, PRESETS, Scenario, Shared, constant_in_words, link, value_in_words};
use serde_json::{Value, json};

/// Prints a scenario.
pub(super) fn show(
    shared: &Shared,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    if json {
        write!(streams.stdout, "{}", scenario::document::shared_to_json(shared))?;
        return Ok(Exit::Done);
    }
    let (scenario, out) = (&shared.scenario, &mut streams.stdout);
    writeln!(out, "{}: {}", scenario.preset.name, scenario.title())?;
    writeln!(out, "{}", scenario.preset.sentence)?;
    writeln!(out, "link {}", link::encode_shared(shared))?;
    let changed = scenario.changes();
    let mut group = None;
    for control in CONTROLS {
        if group.replace(control.group) != Some(control.group) {
            writeln!(out, "\n{}", control.group.label())?;
        }
        let value = value_in_words(scenario, control.id);
        let mark = if changed.contains(&control.id) { '*' } else { ' ' };
        writeln!(out, "{mark} {:<22} {value:<20} {}", control.key, control.kernel_name)?;
    }
    if !changed.is_empty() {
        writeln!(out, "\n* differs from the preset")?;
    }
    if !scenario.changed_constants().is_empty() {
        writeln!(out, "\nConstants that are not the ledger's")?;
    }
    for &(id, value) in scenario.changed_constants() {
        let (name, was) = (LEDGER[id as usize].name, LEDGER[id as usize].value);
        writeln!(out, "* {name:<22} {:<20} ledger: {was}", constant_in_words(id, value))?;
    }
    if !scenario.nodes.is_empty() {
        writeln!(out, "\nNodes, one by one")?;
        for (i, node) in scenario.nodes.iter().enumerate() {
            let zone = |z: &scenario::ZoneSpec| format!("{} {} pages", z.kind.name(), z.managed);
            let zones: Vec<String> = node.zones.iter().map(zone).collect();
            writeln!(out, "  node {i}: {} CPUs; managed: {}", node.cpus, zones.join(", "))?;
        }
    }
    if !shared.arms.is_empty() {
        writeln!(out, "\nArms")?;
    }
    for (arm, letter) in shared.arms.iter().zip(LETTERS) {
        let title = format!("{letter} {}", arm.name);
        writeln!(out, "  {}: {}", title.trim_end(), arm.words(scenario))?;
    }
    Ok(Exit::Done)
}

/// Prints the presets.
pub(super) fn presets(json: bool, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    if json {
        let presets: Vec<Value> = PRESETS
            .iter()
            .map(|preset| {
                json!({
                    "name": preset.name,
                    "link": preset.link,
                    "revision": preset.revision,
                    "sentence": preset.sentence,
                    "scenario": Scenario::new(preset),
                })
            })
            .collect();
        let controls: Vec<Value> = CONTROLS.iter().map(control_json).collect();
        let all = json!({ "presets": presets, "controls": controls });
        write_json(serde_json::to_string_pretty(&all), streams)?;
        return Ok(Exit::Done);
    }
    let rows: Vec<(String, String)> =
        PRESETS.iter().map(|p| (p.name.to_owned(), Scenario::new(p).title())).collect();
    for (line, preset) in pairs(&rows).iter().zip(PRESETS) {
        writeln!(streams.stdout, "{line}")?;
        writeln!(streams.stdout, "    {}", preset.sentence)?;
    }
    Ok(Exit::Done)
}

/// What values are taken: bounds, names, or the columns of a table.
fn values(kind: Kind) -> Value {
    match kind {
        Kind::Number { .. } | Kind::Flag => {
            let (min, max) = kind.bounds();
            json!({ "min": min, "max": max })
        }
        Kind::Choice(rows) => rows.iter().map(|row| row.name).collect(),
        Kind::Table(table) => {
            let column = |column: &Column| {
                let values = values(column.kind);
                json!({ "key": column.key, "values": values, "sentence": column.sentence })
            };
            let columns: Vec<Value> = table.columns.iter().map(column).collect();
            json!({ "rows_max": table.rows_max, "columns": columns })
        }
    }
}

fn control_json(control: &Control) -> Value {
    json!({
        "key": control.key,
        "token": control.token,
        "label": control.label,
        "kernel_name": control.kernel_name,
        "group": control.group.label(),
        "unit": format!("{:?}", control.unit),
        "values": values(control.kind),
        "sentence": control.sentence,
    })
}
