//! The published schemas of JSON output: what the terminal program prints fits them, and what does
//! not fit is found.

use serde_json::Value;

use crate::cli::{good, json};
use crate::tidy::root;

fn schema(name: &str) -> Value {
    let path = root().join("docs/schema").join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(path).expect("a published schema");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// What does not fit, with its place: as much of JSON Schema as the schemas use.
fn misfits(schema: &Value, root: &Value, value: &Value, at: &str) -> Vec<String> {
    let known = ["$schema", "$defs", "title", "description", "type", "properties", "required"];
    let more = ["additionalProperties", "items", "minItems", "enum", "const", "oneOf", "$ref"];
    let last = ["pattern", "minimum"];
    let rules = schema.as_object().expect("a schema is an object");
    for rule in rules.keys() {
        let all = known.iter().chain(&more).chain(&last);
        assert!(all.into_iter().any(|k| k == rule), "{rule} is not checked here");
    }
    let mut found = Vec::new();
    let mut miss = |what: String| found.push(format!("{at}: {what}"));
    if let Some(target) = rules.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#')).expect("a definition");
        return misfits(target, root, value, at);
    }
    if let Some(choices) = rules.get("oneOf").and_then(Value::as_array) {
        let fitting = choices.iter().filter(|s| misfits(s, root, value, at).is_empty()).count();
        if fitting != 1 {
            miss(format!("fits {fitting} of the choices"));
        }
    }
    if let Some(kind) = rules.get("type") {
        let kinds = kind.as_array().cloned().unwrap_or_else(|| vec![kind.clone()]);
        if !kinds.iter().any(|k| is_a(value, k.as_str().expect("a type"))) {
            miss(format!("is no {kind}"));
        }
    }
    if rules.get("const").is_some_and(|only| only != value) {
        miss("is another constant".to_owned());
    }
    if rules.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
        miss(format!("{value} is none of the values"));
    }
    if let (Some(pattern), Some(text)) = (rules.get("pattern"), value.as_str())
        && !fits(pattern.as_str().expect("a pattern"), text)
    {
        miss(format!("{text} does not fit {pattern}"));
    }
    if rules.get("minimum").is_some_and(|_| value.as_f64().is_some_and(|n| n < 0.0)) {
        miss("is negative".to_owned());
    }
    if let Some(fields) = value.as_object() {
        let none = serde_json::Map::new();
        let properties = rules.get("properties").and_then(Value::as_object).unwrap_or(&none);
        for name in rules.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !fields.contains_key(name.as_str().expect("a name")) {
                miss(format!("{name} is missing"));
            }
        }
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match (properties.get(name), rules.get("additionalProperties")) {
                (Some(schema), _) => found.extend(misfits(schema, root, field, &at)),
                (None, Some(Value::Bool(false))) => found.push(format!("{at}: is not known")),
                (None, Some(schema)) => found.extend(misfits(schema, root, field, &at)),
                (None, None) => {}
            }
        }
    }
    if let (Some(schema), Some(rows)) = (rules.get("items"), value.as_array()) {
        for (i, row) in rows.iter().enumerate() {
            found.extend(misfits(schema, root, row, &format!("{at}[{i}]")));
        }
    }
    found
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not checked here"),
    }
}

/// The patterns that the schemas have.
fn fits(pattern: &str, text: &str) -> bool {
    let hex =
        |n: usize| text.len() == n && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    match pattern {
        "^[0-9a-f]{16}$" => hex(16),
        "^[0-9a-f]{8}$" => hex(8),
        "^[0-9]+/[0-9]+$" => text.split('/').all(|n| n.parse::<u32>().is_ok()),
        link if link.starts_with("^v[0-9]+") => {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
            text.starts_with('v') && text.bytes().all(plain)
        }
        other => panic!("the pattern {other} is not checked here"),
    }
}

pub(crate) fn check(name: &str, value: &Value) -> Vec<String> {
    let schema = schema(name);
    misfits(&schema, &schema, value, name)
}

const ARMS: [&str; 10] = [
    "tiny",
    "--set",
    "duration=50ms",
    "--arm",
    "A:",
    "--arm",
    "B=two:kswapds=2",
    "--reps",
    "2",
    "--json",
];

#[test]
fn a_comparison_fits_its_schema_and_others_do_not() {
    let mut comparison = json(&[&["compare"][..], &ARMS].concat());
    assert_eq!(check("compare", &comparison), Vec::<String>::new());
    comparison["arms"][1]["digest"] = "0".into();
    comparison["paired"][0]["verdict"] = 5.into();
    comparison["mood"] = true.into();
    comparison.as_object_mut().expect("an object").remove("seeds");
    assert_eq!(check("compare", &comparison).len(), 4);
}

#[test]
fn every_line_of_a_sweep_fits_its_schema() {
    let lines = ["sweep", "tiny", "--set", "duration=20ms", "--over", "kswapds=1,2", "--lines"];
    let shard = [&lines[..], &["--shard", "1/1"]].concat();
    for text in [good(&lines), good(&shard)] {
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            assert_eq!(check("sweep", &line), Vec::<String>::new());
        }
    }
    assert_eq!(check("sweep", &serde_json::json!({"kind": "measured"})).len(), 1);
}
