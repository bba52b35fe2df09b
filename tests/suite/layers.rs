//! A package uses only what lies below it: the table of ARCHITECTURE.md, read off the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::tidy::root;

/// What each package may depend on, lowest first; packages of this workspace by their short name.
const LAYERS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("catalog", &["units"]),
    ("engine", &["units", "rand"]),
    ("mm", &["units", "catalog", "engine"]),
    ("scenario", &["units", "catalog", "serde", "serde_json"]),
    ("report", &["units", "catalog", "serde", "serde_json", "libm"]),
    ("chart", &["units", "catalog", "report", "plotters", "libm"]),
    (
        "lab",
        &["units", "catalog", "engine", "mm", "scenario", "report", "rayon", "csv", "serde_json"],
    ),
    (
        "cli",
        &["units", "catalog", "scenario", "report", "chart", "lab", "clap", "serde", "serde_json"],
    ),
    ("page", &["units", "catalog", "scenario", "report", "chart", "BROWSER", "libm"]),
    ("worker", &["scenario", "report", "lab", "BROWSER"]),
    ("site", &["page", "worker"]),
    ("tests", &[]),
    ("xtask", &[]),
];

/// What `BROWSER` in the table stands for.
const BROWSER: &[&str] = &[
    "gloo",
    "js-sys",
    "plotters",
    "plotters-canvas",
    "serde",
    "serde_json",
    "wasm-bindgen",
    "wasm-bindgen-futures",
    "web-sys",
    "yew",
];

/// What only tests and benchmarks link, beside the package's own layer.
const IN_TESTS: &[&str] = &[
    "criterion",
    "divan",
    "insta",
    "libm",
    "plotters",
    "plotters-backend",
    "proptest",
    "serde_json",
    "tokio",
    "wasm-bindgen-test",
];

/// What the packages must not know, even through others.
const NEVER: &[(&str, &[&str])] = &[
    ("engine", &["catalog", "mm"]),
    ("mm", &["serde", "serde_json", "scenario", "report", "libm"]),
    ("scenario", &["engine", "mm", "report", "lab"]),
    ("report", &["engine", "mm", "scenario", "lab"]),
    ("chart", &["engine", "mm", "scenario", "lab"]),
    ("page", &["engine", "mm", "lab", "rand", "rayon"]),
];

/// Versions that results or links depend on are named to the last digit.
const EXACT: &[&str] = &["rand", "wasm-bindgen"];

/// A package's own dependencies: (name, is it for tests only, version asked for).
type Manifest = Vec<(String, bool, String)>;

fn short(name: &str) -> String {
    if name == "reclaimscope" {
        return "cli".to_owned();
    }
    name.strip_prefix("reclaimscope-").unwrap_or(name).to_owned()
}

fn manifests() -> BTreeMap<String, Manifest> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo can be started");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata failed: {error}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    packages.iter().map(|package| (short(text(package, "name")), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> Manifest {
    let list = package["dependencies"].as_array().expect("a package lists its dependencies");
    let read = |dependency: &Value| {
        let in_tests = dependency["kind"] == "dev";
        (short(text(dependency, "name")), in_tests, text(dependency, "req").to_owned())
    };
    list.iter().map(read).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn row(package: &str) -> &'static [&'static str] {
    let row = LAYERS.iter().find(|(name, _)| *name == package);
    row.unwrap_or_else(|| panic!("{package} has no row in LAYERS")).1
}

/// Whether the table lets a package use another.
fn allows(package: &str, dependency: &str, in_tests: bool) -> bool {
    let row = row(package);
    let is_layer = LAYERS.iter().any(|(name, _)| *name == dependency);
    row.contains(&dependency)
        || row.contains(&"BROWSER") && BROWSER.contains(&dependency)
        || in_tests && IN_TESTS.contains(&dependency)
        // the tests link everything but the page and these tools, the terminal program too
        || in_tests && package == "tests" && is_layer && !row_is_a_program(dependency)
}

fn row_is_a_program(package: &str) -> bool {
    ["page", "worker", "site", "tests", "xtask"].contains(&package)
}

#[test]
fn every_dependency_is_in_the_table() {
    for (package, manifest) in manifests() {
        for (dependency, in_tests, _) in manifest {
            let place = if in_tests { ", not even in tests" } else { "" };
            assert!(
                allows(&package, &dependency, in_tests),
                "{package} must not use {dependency}{place}: see the table at the top of this file"
            );
        }
    }
}

#[test]
fn every_row_of_the_table_is_a_package() {
    let rows: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let packages: BTreeSet<String> = manifests().into_keys().collect();
    assert_eq!(rows, packages);
}

#[test]
fn the_table_goes_downwards_only() {
    for (index, (package, row)) in LAYERS.iter().enumerate() {
        for dependency in *row {
            let place = LAYERS.iter().position(|(name, _)| name == dependency);
            assert!(
                place.is_none_or(|place| place < index),
                "{package} uses {dependency} above it"
            );
        }
    }
}

#[test]
fn what_must_not_be_known_is_not_reached_through_others() {
    for (package, never) in NEVER {
        let reached = reached_from(package);
        for name in *never {
            assert!(!reached.contains(name), "{package} reaches {name} through {reached:?}");
        }
    }
    assert!(reached_from("worker").contains("engine"), "the worker runs the model");
}

fn reached_from(package: &str) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = row(package).to_vec();
    while let Some(name) = open.pop() {
        let is_layer = LAYERS.iter().any(|(layer, _)| *layer == name);
        if reached.insert(name) && is_layer {
            open.extend(row(name));
        }
    }
    reached
}

#[test]
fn versions_that_results_depend_on_are_exact() {
    for (package, manifest) in manifests() {
        for (dependency, _, version) in manifest {
            let exact = !EXACT.contains(&dependency.as_str()) || version.starts_with('=');
            assert!(exact, "{package} takes {dependency} {version}; name it exactly, with '='");
        }
    }
}

#[test]
fn the_table_says_no_where_it_should() {
    assert!(allows("engine", "rand", false));
    assert!(!allows("engine", "catalog", false));
    assert!(!allows("mm", "serde", true));
    assert!(!allows("page", "lab", true));
    assert!(allows("page", "yew", false));
    assert!(!allows("chart", "yew", false));
    assert!(allows("mm", "proptest", true));
    assert!(!allows("mm", "proptest", false));
    assert!(allows("tests", "mm", true));
    assert!(!allows("tests", "mm", false));
    assert!(!allows("tests", "page", true));
}
