//! The scenario as a JSON file: every value by its key, with units, readable and editable by hand.
//!
//! Reading needs only what differs from the preset. A field that is unknown or holds no value of
//! its control is a [`Problem`]; everything else is kept. `arms` lists the arms of a comparison, A
//! first, each with what it sets and a `name` where it has one; `view` is how it is looked at.

use crate::problem::{Problem, place, quoted};
use crate::scenario::{MANAGED_MAX, NodeSpec, Scenario, ZoneSpec, is_shape, nodes_max};
use crate::shared::Shared;
use crate::{Opened, preset};
use catalog::{CONTROLS, LEDGER, ZoneKind};
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

mod arms;
mod strict;

/// The format that is written; older ones are read too.
pub const FORMAT: u64 = 1;
/// The largest document that is read, in bytes.
pub const SIZE_MAX: usize = 256 << 10;
/// How many problems are told one by one.
const PROBLEMS_MAX: usize = 50;

/// Why a document could not be opened at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentError {
    /// It is longer than [`SIZE_MAX`]: this many bytes.
    TooLong(usize),
    /// It is not JSON: line, column, and what the parser says.
    NotJson(usize, usize, String),
    /// A name stands twice in one object: line, column, and the name.
    Twice(usize, usize, String),
    /// It is JSON, but not an object.
    NotAnObject,
    /// Its format is newer than this program: what stands there.
    NewerThanMe(String),
    /// It names a preset that this program does not have.
    UnknownPreset(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => {
                write!(f, "the document has {bytes} bytes; at most {SIZE_MAX} are read")
            }
            Self::NotJson(line, column, why) => {
                write!(f, "the document is not JSON at line {line}, column {column}: {why}")
            }
            Self::Twice(line, column, name) => write!(
                f,
                "{} stands twice in the document, again at line {line}, column {column}; which of \
                 the two holds cannot be known",
                quoted(name)
            ),
            Self::NotAnObject => write!(f, "the document is JSON, but not an object in braces"),
            Self::NewerThanMe(format) => write!(
                f,
                "the document says format {format}, this program reads up to {FORMAT}: it was made \
                 by a newer version"
            ),
            Self::UnknownPreset(name) => {
                let known = preset::known_names();
                write!(f, "the document names the preset {}; known: {known}", quoted(name))
            }
        }
    }
}

impl core::error::Error for DocumentError {}

/// Reads a document.
///
/// # Errors
/// When it is too long, no JSON object, of a newer format, or names an unknown preset.
pub fn from_json(text: &str) -> Result<Opened, DocumentError> {
    if text.len() > SIZE_MAX {
        return Err(DocumentError::TooLong(text.len()));
    }
    let value = strict::parse(text)?;
    let Value::Object(fields) = value else { return Err(DocumentError::NotAnObject) };
    if let Some(format) = fields.get("format").filter(|f| f.as_u64() != Some(FORMAT)) {
        return Err(DocumentError::NewerThanMe(quoted(&format.to_string())));
    }
    let mut problems = Vec::new();
    let preset = match fields.get("preset") {
        Some(Value::String(name)) => {
            preset::by_name(name).ok_or_else(|| DocumentError::UnknownPreset(name.clone()))?
        }
        other => {
            let first = &preset::PRESETS[0];
            let what = if other.is_some() { "is not a name" } else { "is missing" };
            problems.push(Problem::new("preset", format!("it {what}; {} is taken", first.name)));
            first
        }
    };
    let mut scenario = Scenario::new(preset);
    let known = ["format", "preset", "nodes_detail", "arms", "view"];
    read_controls(&fields, &known, &mut scenario, &mut problems);
    if let Some(detail) = fields.get("nodes_detail") {
        let nodes = read_nodes(detail, &mut problems);
        check_shape(&fields, &mut scenario, nodes, &mut problems);
    }
    let arms = arms::read(fields.get("arms"), &scenario, &mut problems);
    let view = arms::read_view(fields.get("view"), &mut problems);
    if problems.len() > PROBLEMS_MAX {
        let more = problems.len() - PROBLEMS_MAX;
        problems.truncate(PROBLEMS_MAX);
        problems.push(Problem::new("document", format!("{more} more problems are not listed")));
    }
    Ok(Opened { problems, ..Opened::of(Shared { scenario, arms, view }) })
}

fn read_controls(
    fields: &Map<String, Value>,
    known: &[&str],
    scenario: &mut Scenario,
    problems: &mut Vec<Problem>,
) {
    for (key, value) in fields {
        if known.contains(&key.as_str()) {
            continue;
        }
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
            _ => {
                let sentence = "a value is a text, a number or true or false; left as it was";
                problems.push(Problem::new(place(key), sentence));
                continue;
            }
        };
        if let Err(mut problem) = scenario.set_text(key, &text) {
            problem.sentence.push_str("; left as it was");
            problems.push(problem);
        }
    }
}

/// Takes the given nodes, and says where the controls of the shape claim something else.
fn check_shape(
    fields: &Map<String, Value>,
    scenario: &mut Scenario,
    nodes: Vec<NodeSpec>,
    problems: &mut Vec<Problem>,
) {
    if nodes.is_empty() {
        return;
    }
    let claimed = scenario.clone();
    scenario.nodes = nodes;
    for control in CONTROLS.iter().filter(|c| is_shape(c.id) && fields.contains_key(c.key)) {
        if claimed.get(control.id) != scenario.get(control.id) {
            let (was, is) = (claimed.text(control.id), scenario.text(control.id));
            let sentence = format!("{was} is not what nodes_detail gives ({is}), which holds");
            problems.push(Problem::new(control.key, sentence));
        }
    }
}

fn read_nodes(detail: &Value, problems: &mut Vec<Problem>) -> Vec<NodeSpec> {
    let Value::Array(rows) = detail else {
        problems.push(Problem::new("nodes_detail", "it is not a list of nodes; left out"));
        return Vec::new();
    };
    let max = nodes_max();
    if rows.len() > max {
        let sentence = format!("it lists {} nodes; the first {max} are kept", rows.len());
        problems.push(Problem::new("nodes_detail", sentence));
    }
    let rows = rows.iter().take(max).enumerate();
    rows.map(|(i, row)| read_node(&format!("nodes_detail[{i}]"), row, problems)).collect()
}

fn read_node(path: &str, row: &Value, problems: &mut Vec<Problem>) -> NodeSpec {
    let mut node = NodeSpec::default();
    let Value::Object(fields) = row else {
        problems.push(Problem::new(path, "a node is an object with cpus and zones"));
        return node;
    };
    for (key, value) in fields {
        let at = format!("{path}.{}", place(key));
        match (key.as_str(), value) {
            ("cpus", value) => match value.as_u64().and_then(|n| u32::try_from(n).ok()) {
                Some(cpus) => node.cpus = cpus,
                None => problems.push(Problem::new(at, "CPUs are a whole number from 0; 0 taken")),
            },
            ("zones", Value::Array(zones)) => {
                if zones.len() > ZoneKind::ALL.len() {
                    let sentence = format!("it lists {} zones; a node has at most 4", zones.len());
                    problems.push(Problem::new(&at, sentence));
                }
                let zones = zones.iter().take(ZoneKind::ALL.len()).enumerate();
                let read = zones.filter_map(|(j, z)| read_zone(&format!("{at}[{j}]"), z, problems));
                node.zones = read.collect();
            }
            ("zones", _) => problems.push(Problem::new(at, "zones are a list")),
            _ => problems.push(Problem::new(at, "there is no such field; known: cpus, zones")),
        }
    }
    node
}

fn read_zone(path: &str, zone: &Value, problems: &mut Vec<Problem>) -> Option<ZoneSpec> {
    let kind = zone.get("zone").and_then(Value::as_str).and_then(ZoneKind::by_name);
    let managed = zone.get("managed").and_then(Value::as_u64);
    let unknown = zone
        .as_object()
        .and_then(|fields| fields.keys().find(|key| !matches!(key.as_str(), "zone" | "managed")));
    if let Some(key) = unknown {
        let sentence = format!("there is no field {} here; known: zone, managed", quoted(key));
        problems.push(Problem::new(path, sentence));
    }
    match (kind, managed) {
        (Some(kind), Some(managed)) => Some(ZoneSpec { kind, managed }),
        (None, _) => {
            problems.push(Problem::new(
                path,
                "`zone` must be DMA, DMA32, Normal or Movable; the zone is left out",
            ));
            None
        }
        (_, None) => {
            problems.push(Problem::new(
                path,
                format!("`managed` must be 1 to {MANAGED_MAX} pages; the zone is left out"),
            ));
            None
        }
    }
}

impl Serialize for Scenario {
    /// Every value by its key, in the controls' order.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_scenario(self, &mut map)?;
        map.end()
    }
}

impl Serialize for Shared {
    /// The scenario, then arms and view where there are some.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_scenario(&self.scenario, &mut map)?;
        if !self.arms.is_empty() {
            map.serialize_entry("arms", &arms::write(self))?;
        }
        if let Some(view) = arms::write_view(&self.view) {
            map.serialize_entry("view", &view)?;
        }
        map.end()
    }
}

fn write_scenario<M: SerializeMap>(scenario: &Scenario, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("format", &FORMAT)?;
    map.serialize_entry("preset", scenario.preset.name)?;
    for control in CONTROLS {
        map.serialize_entry(control.key, &scenario.text(control.id))?;
    }
    for &(id, value) in scenario.changed_constants() {
        map.serialize_entry(LEDGER[id as usize].name, &value)?;
    }
    if !scenario.nodes.is_empty() {
        map.serialize_entry("nodes_detail", &write_nodes(&scenario.nodes))?;
    }
    Ok(())
}

fn write_nodes(nodes: &[NodeSpec]) -> Value {
    let zone = |z: &ZoneSpec| json!({ "zone": z.kind.name(), "managed": z.managed });
    let node = |n: &NodeSpec| {
        let zones: Vec<Value> = n.zones.iter().map(zone).collect();
        json!({ "cpus": n.cpus, "zones": zones })
    };
    nodes.iter().map(node).collect()
}

/// The document of a scenario, over several lines, with a line end at its end.
#[must_use]
pub fn to_json(scenario: &Scenario) -> String {
    pretty(scenario)
}

/// The document of a scenario with its arms and its view.
#[must_use]
pub fn shared_to_json(shared: &Shared) -> String {
    pretty(shared)
}

fn pretty<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("a map with text keys and plain values is always JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
