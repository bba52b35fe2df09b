//! docs/VALIDATION.md is what this tree prints: its header, its form, and a sample of its rows.
//!
//! `RECLAIMSCOPE_SOAK=1` runs the whole of it, experiments with real kernels too.

use lab::compare::ledger_hash;
use lab::kernel::{Experiment, Files, Judged};
use lab::validate::{CALIBRATION, EXPERIMENTS, Plan, Table, Validation, data_hash, page};
use report::validation::{Document, Role, Row, Set, markdown};
use std::collections::BTreeSet;

use crate::tidy::root;

/// What the sample is drawn with.
const SEED: u64 = 11;
/// How to write the page anew.
const COMMAND: &str = "run: cargo run --release -- validate --write docs";

fn read(name: &str) -> String {
    let path = root().join("docs").join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("docs/{name}: {error}; {COMMAND}"))
}

fn committed() -> Document {
    serde_json::from_str(&read("validation.json")).expect("the data of the page")
}

fn soak() -> bool {
    std::env::var_os("RECLAIMSCOPE_SOAK").is_some()
}

#[test]
fn the_page_was_made_from_this_model_ledger_and_data() {
    let page = committed();
    let data = data_hash(CALIBRATION, EXPERIMENTS);
    let found = (&*page.model, &*page.ledger, &*page.data);
    assert_eq!(found, (lab::MODEL_VERSION, &*ledger_hash(), &*data), "{COMMAND}");
    let table = Table::parse(CALIBRATION, true).expect("the committed table");
    assert_eq!(page.rows().count(), table.rows.len(), "{COMMAND}");
    let names: BTreeSet<&str> = page.experiments.iter().map(|e| e.name.as_str()).collect();
    assert!(EXPERIMENTS.iter().all(|(name, _)| names.contains(name)), "{COMMAND}");
    assert_eq!(page.constants, page::constants(), "{COMMAND}");
}

#[test]
fn the_page_is_its_data_as_markdown() {
    let text = markdown(&committed()).join("\n") + "\n";
    assert!(text == read("VALIDATION.md"), "docs/VALIDATION.md was edited by hand; {COMMAND}");
}

#[test]
fn misses_come_first_and_every_row_without_a_figure_has_a_reason() {
    let page = committed();
    for set in &page.sets {
        let misses =
            set.rows.iter().position(|row| row.verdict != report::validation::Verdict::Miss);
        let after = &set.rows[misses.unwrap_or(set.rows.len())..];
        let missed = |row: &&Row| row.verdict == report::validation::Verdict::Miss;
        assert_eq!(after.iter().filter(missed).count(), 0, "{}", set.id);
        for row in &set.rows {
            let said = page.reason(row).is_some_and(|reason| reason.len() > 20);
            assert!(row.model.is_some() || said, "{} line {}", set.id, row.line);
            assert_eq!(row.model.is_none(), row.role == Role::NotModelled);
        }
    }
}

/// A number that depends on the seed and on which rows there are, nothing else.
fn drawn(set: &Set, among: usize) -> usize {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = set.id.bytes().fold(0xcbf2_9ce4_8422_2325 ^ SEED, step);
    (hash % among as u64) as usize
}

/// A row of every set that the model has something for; all of them in a soak.
fn sample(page: &Document) -> BTreeSet<u64> {
    let mut lines = BTreeSet::new();
    for set in &page.sets {
        let modelled: Vec<&Row> = set.rows.iter().filter(|row| row.model.is_some()).collect();
        if soak() {
            lines.extend(set.rows.iter().map(|row| row.line));
        } else if let Some(row) = modelled.get(drawn(set, modelled.len().max(1))) {
            lines.insert(row.line);
        }
    }
    lines
}

fn judged(experiments: &[(&str, Files<'static>)]) -> Vec<Judged> {
    let read = |(name, files): &(&str, Files<'_>)| {
        Experiment::read(files).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
    };
    let all: Vec<Experiment> = experiments.iter().map(read).collect();
    lab::kernel::judge_all(&all.iter().collect::<Vec<_>>())
}

#[test]
fn an_experiment_of_the_page_comes_out_the_same() {
    let page = committed();
    let one = &EXPERIMENTS[SEED as usize % EXPERIMENTS.len()..][..1];
    let judged = judged(one);
    let nothing = Validation { lines: Vec::new(), simulations: 0, reps: 1 };
    let again = page::document(&nothing, &[(one[0].0, &judged[0])], String::new());
    let before = page.experiments.iter().find(|experiment| experiment.name == one[0].0);
    assert_eq!(again.experiments.first(), before, "{COMMAND}");
}

#[test]
fn a_sample_of_the_page_comes_out_the_same() {
    let page = committed();
    let lines = sample(&page);
    let table = Table::parse(CALIBRATION, true).expect("the committed table");
    let plan = Plan::new(&table, &[], page.reps, None).expect("a plan").only(&lines);
    let validation: Validation = plan.compare().expect("it runs");
    let again = page::document(&validation, &[], page.data.clone());
    assert_eq!(again.rows().count(), lines.len());
    for (set, row) in again.rows() {
        let (_, before) = page.on_line(row.line).expect("a line of the page");
        let same = Row { reason: None, ..row.clone() } == Row { reason: None, ..before.clone() };
        let reasons = [again.reason(row), page.reason(before)];
        assert!(same, "{}: {row:?} was {before:?}; {COMMAND}", set.id);
        assert_eq!(reasons[0], reasons[1], "{} line {}; {COMMAND}", set.id, row.line);
    }
    if soak() {
        let judged = judged(EXPERIMENTS);
        let named: Vec<(&str, &Judged)> =
            EXPERIMENTS.iter().zip(&judged).map(|((name, _), judged)| (*name, judged)).collect();
        assert!(page::document(&validation, &named, page.data.clone()) == page, "{COMMAND}");
    }
}
