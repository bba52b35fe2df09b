//! The book: its contents name every page, and what it repeats of the code is what the code has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catalog::not_modelled::NOT_MODELLED;
use catalog::{LEDGER, constants::Kind};

use crate::tidy::root;

fn text(name: &str) -> String {
    let path = root().join("docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every page below a folder of the book, by its name from there.
fn pages(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the book") {
        let entry = entry.expect("a file of the book");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            pages(&entry.path(), &format!("{name}/"), found);
        } else if name.ends_with(".md") {
            found.insert(name);
        }
    }
}

#[test]
fn the_contents_name_every_page_and_no_other() {
    let summary = text("SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let named: BTreeSet<String> = links.map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    pages(&root().join("docs"), "", &mut found);
    for name in &named {
        assert!(found.contains(name), "SUMMARY.md names {name}, which is not there");
    }
    let loose = |name: &&String| {
        // Stories have an index of their own; these pages are made by commands and may be missing.
        let is_made = ["SUMMARY.md", "SENSITIVITY.md", "VALIDATION.md"].contains(&name.as_str());
        !named.contains(*name) && !name.starts_with("stories/") && !is_made
    };
    let loose: Vec<_> = found.iter().filter(loose).collect();
    assert!(loose.is_empty(), "SUMMARY.md does not name {loose:?}");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut found = BTreeSet::new();
    pages(&root().join("docs"), "", &mut found);
    for name in &found {
        let page = text(name);
        let folder = root().join("docs").join(name);
        let folder = folder.parent().expect("a folder");
        for rest in page.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            let own = target.split('#').next().unwrap_or_default();
            if own.is_empty() || own.contains("://") {
                continue;
            }
            assert!(folder.join(own).exists(), "{name} leads to {target}, which is not there");
        }
    }
}

#[test]
fn what_is_not_modelled_is_one_list() {
    let page = text("not-modelled.md");
    let listed: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(listed, NOT_MODELLED, "docs/not-modelled.md is another list than the catalog's");
}

/// What was made from another ledger says what is no longer so.
#[test]
fn the_sensitivity_is_of_this_ledger() {
    let (rows, hash) = (text("sensitivity.tsv"), lab::compare::ledger_hash());
    let is_made = rows.lines().count() > 1;
    let page = root().join("docs/SENSITIVITY.md");
    assert_eq!(page.exists(), is_made, "the page and its rows are written by one command");
    let is_named = text("SUMMARY.md").contains("](SENSITIVITY.md)");
    assert_eq!(is_named, is_made, "SUMMARY.md names SENSITIVITY.md where it is there");
    if is_made {
        let wanted = format!("# model {}, ledger {hash}", lab::MODEL_VERSION);
        assert_eq!(rows.lines().next(), Some(wanted.as_str()), "run the sensitivity again");
        let said = format!("ledger {hash}.");
        assert!(text("SENSITIVITY.md").contains(&said), "the page is not of ledger {hash}");
    }
}

#[test]
fn every_row_of_the_sensitivity_is_a_constant() {
    let rows = text("sensitivity.tsv");
    let names: BTreeSet<&str> =
        rows.lines().filter_map(|line| line.split_once('\t')).map(|(name, _)| name).collect();
    for name in &names {
        assert!(LEDGER.iter().any(|c| c.name == *name), "{name} is in no ledger: run it again");
    }
    if std::env::var_os("RECLAIMSCOPE_SOAK").is_none() {
        return;
    }
    let guesses = LEDGER.iter().filter(|c| c.kind == Kind::Guess && c.low < c.high).count();
    let known = names.iter().filter(|n| LEDGER.iter().any(|c| c.name == **n)).count();
    assert!(known * 10 >= guesses * 9, "{known} of {guesses} guesses: run it again");
}
