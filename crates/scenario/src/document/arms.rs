//! The arms of a comparison and the view, as a document has them.

use super::{read_controls, read_nodes, write_nodes};
use crate::problem::{Problem, place, quoted};
use crate::scenario::{Scenario, is_shape};
use crate::shared::{ARMS_MAX, Arm, Shared, TIME_MAX_NS, View, check_name};
use catalog::{CONTROLS, LEDGER};
use serde_json::{Map, Value, json};

/// The arms of a document, A first; `base` is arm A.
pub(super) fn read(arms: Option<&Value>, base: &Scenario, problems: &mut Vec<Problem>) -> Vec<Arm> {
    let rows = match arms {
        None => return Vec::new(),
        Some(Value::Array(rows)) => rows,
        Some(_) => {
            problems.push(Problem::new("arms", "it is not a list of arms; left out"));
            return Vec::new();
        }
    };
    if rows.len() > ARMS_MAX {
        let sentence = format!("it lists {} arms; the first {ARMS_MAX} are kept", rows.len());
        problems.push(Problem::new("arms", sentence));
    }
    if rows.len() == 1 {
        problems.push(Problem::new("arms", "one arm has none to compare with; left out"));
        return Vec::new();
    }
    let rows = rows.iter().take(ARMS_MAX).enumerate();
    rows.map(|(i, row)| read_arm(i, row, base, problems)).collect()
}

fn read_arm(number: usize, row: &Value, base: &Scenario, problems: &mut Vec<Problem>) -> Arm {
    let path = format!("arms[{number}]");
    let mut arm = Arm::new(base.clone());
    let Value::Object(fields) = row else {
        problems
            .push(Problem::new(path, "an arm is an object with what it sets; taken as arm A is"));
        return arm;
    };
    match fields.get("name") {
        None => {}
        Some(name) => match check_name(name.as_str().unwrap_or_default()) {
            Ok(()) => name.as_str().unwrap_or_default().clone_into(&mut arm.name),
            Err(why) => {
                let at = format!("{path}.name");
                problems.push(Problem::new(at, format!("{why}; left out")));
            }
        },
    }
    if number == 0 {
        if fields.keys().any(|key| key != "name") {
            let sentence = "arm A is the scenario itself; what it sets stands outside of `arms`";
            problems.push(Problem::new(path, sentence));
        }
        return arm;
    }
    if fields.contains_key("seed") {
        let sentence = "the seeds of all arms are those of arm A; left out";
        problems.push(Problem::new(format!("{path}.seed"), sentence));
    }
    if CONTROLS.iter().any(|c| is_shape(c.id) && fields.contains_key(c.key)) {
        arm.scenario.make_alike();
    }
    let mut said = Vec::new();
    read_controls(fields, &["name", "seed", "nodes_detail"], &mut arm.scenario, &mut said);
    if let Some(detail) = fields.get("nodes_detail") {
        let nodes = read_nodes(detail, &mut said);
        if !nodes.is_empty() {
            arm.scenario.nodes = nodes;
        }
    }
    problems
        .extend(said.into_iter().map(|p| Problem::new(format!("{path}.{}", p.path), p.sentence)));
    arm
}

/// The arms of a comparison, each with what it sets.
pub(super) fn write(shared: &Shared) -> Value {
    let row = |arm: &Arm| {
        let mut fields = Map::new();
        if !arm.name.is_empty() {
            fields.insert("name".into(), arm.name.as_str().into());
        }
        for id in arm.differences(&shared.scenario) {
            fields.insert(id.control().key.into(), arm.scenario.text(id).into());
        }
        for (id, value) in arm.scenario.constants_unlike(&shared.scenario) {
            fields.insert(LEDGER[id as usize].name.into(), value.into());
        }
        if arm.has_own_nodes(&shared.scenario) {
            fields.insert("nodes_detail".into(), write_nodes(&arm.scenario.nodes));
        }
        Value::Object(fields)
    };
    shared.arms.iter().map(row).collect()
}

/// How a document is looked at.
pub(super) fn read_view(view: Option<&Value>, problems: &mut Vec<Problem>) -> View {
    let mut read = View::default();
    let fields = match view {
        None => return read,
        Some(Value::Object(fields)) => fields,
        Some(_) => {
            problems.push(Problem::new("view", "it is not an object; left out"));
            return read;
        }
    };
    for (key, value) in fields {
        let at = format!("view.{}", place(key));
        let why = match (key.as_str(), value) {
            ("time", Value::String(text)) => match units::parse_duration(text) {
                Ok(time) if time.as_nanos() > TIME_MAX_NS => {
                    format!("{} is after the end of every run; left out", quoted(text))
                }
                Ok(time) => {
                    read.time_ns = Some(time.as_nanos());
                    continue;
                }
                Err(why) => format!("{} {why}; left out", quoted(text)),
            },
            ("show", Value::String(text)) => match check_name(text) {
                Ok(()) => {
                    read.show = Some(text.clone());
                    continue;
                }
                Err(why) => format!("{why}; left out"),
            },
            ("time" | "show", _) => "it is not a text; left out".to_owned(),
            _ => "there is no such field; known: time, show".to_owned(),
        };
        problems.push(Problem::new(at, why));
    }
    read
}

/// The view, if it says anything.
pub(super) fn write_view(view: &View) -> Option<Value> {
    let time = view.time_ns.map(|ns| units::SimDuration::from_nanos(ns).to_string());
    let fields = [("time", time), ("show", view.show.clone())];
    let fields = fields.into_iter().filter_map(|(key, v)| Some((key.to_owned(), json!(v?))));
    let map: Map<String, Value> = fields.collect();
    (!map.is_empty()).then_some(Value::Object(map))
}
