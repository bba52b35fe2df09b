//! The corpus of published links: every one opens to the scenario that stands beside it.

use std::collections::BTreeSet;
use std::fs;

use catalog::{CONTROLS, ControlId};
use scenario::{PRESETS, Scenario, Shared, document, link};

use crate::tidy::root;

/// Name, link and document of every link.
fn corpus() -> Vec<(String, String, std::path::PathBuf)> {
    let folder = root().join("tests/links");
    let entries = fs::read_dir(folder).expect("tests/links exists");
    let folders = entries.map(|e| e.expect("a readable folder").path()).filter(|p| p.is_dir());
    let mut all: Vec<_> = folders
        .map(|path| {
            let name = path.file_name().expect("a folder").to_string_lossy().into_owned();
            let link = fs::read_to_string(path.join("link.txt")).expect("a link of the corpus");
            (name, link.trim().to_owned(), path.join("scenario.json"))
        })
        .collect();
    all.sort();
    assert!(all.len() >= 8, "the corpus is missing");
    all
}

fn opened(name: &str, link: &str) -> Shared {
    let opened = link::decode(link).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(opened.problems, [], "{name}");
    opened.shared()
}

#[test]
fn every_link_opens_to_its_scenario() {
    let bless = std::env::var_os("RECLAIMSCOPE_BLESS").is_some();
    for (name, link, path) in corpus() {
        let shared = opened(&name, &link);
        if bless {
            fs::write(&path, document::shared_to_json(&shared)).expect("a writable corpus");
        }
        let text = fs::read_to_string(&path).expect("a link has its scenario");
        let written = document::from_json(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written.problems, [], "{name}");
        assert_eq!(shared, written.shared(), "{name}");
    }
}

#[test]
fn a_link_of_the_newest_format_is_written_as_it_stands() {
    let newest = format!("v{}.", link::FORMAT);
    for (name, link, _) in corpus() {
        let shared = opened(&name, &link);
        let first = shared.scenario.preset.revision == 1 && link::MODEL == 1;
        if link.starts_with(&newest) && first {
            assert_eq!(link::encode_shared(&shared), link, "{name}");
        }
    }
}

#[test]
fn every_format_preset_and_token_has_a_link() {
    let corpus = corpus();
    let links: Vec<&str> = corpus.iter().map(|(_, link, _)| link.as_str()).collect();
    for format in &link::FORMATS {
        let start = format!("v{}.", format.version);
        assert!(links.iter().any(|link| link.starts_with(&start)), "no link of {start}");
    }
    for preset in PRESETS {
        let plain = link::encode(&Scenario::new(preset));
        assert!(links.contains(&plain.as_str()), "{} has no plain link {plain}", preset.name);
    }
    let tokens: BTreeSet<&str> = links.iter().flat_map(|link| link.split('.').skip(2)).collect();
    for control in CONTROLS {
        let is_value = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_lowercase());
        let written = |t: &&str| t.strip_prefix(control.token).is_some_and(is_value);
        assert!(tokens.iter().any(written), "no link sets {}: add one", control.key);
    }
    assert!(tokens.iter().any(|token| token.starts_with("S")), "no link has a long seed");
    assert!(tokens.iter().any(|token| token.starts_with("N1-")), "no link has nodes of its own");
    for token in ["c-LockHandOff-100", "A-one", "B-eight", "C", "_t2500ms", "_v-locks"] {
        assert!(tokens.contains(token), "no link has {token}");
    }
}

#[test]
fn the_links_of_this_model_carry_its_number() {
    // The number in links and the version in reports rise together.
    let model = [(1, "0.1.0")];
    assert_eq!(model.last(), Some(&(link::MODEL, lab::MODEL_VERSION)));
    let s = Scenario::preset("tiny").expect("a preset");
    let says_so = link::encode(&s).contains(&format!(".M{}", link::MODEL));
    assert_eq!(says_so, link::MODEL > 1);
}

#[test]
fn a_document_goes_through_a_link_and_back() {
    for preset in PRESETS {
        let mut scenario = Scenario::new(preset);
        for (i, control) in CONTROLS.iter().enumerate() {
            let (min, max) = control.bounds();
            let value = if i % 2 == 0 { min } else { max };
            scenario.set(control.id, value).expect("a bound");
        }
        let text = document::to_json(&scenario);
        let back = document::from_json(&text).expect("a document").scenario;
        assert_eq!(opened(preset.name, &link::encode(&back)).scenario, scenario);
        assert_eq!(back.get(ControlId::Seed), scenario.get(ControlId::Seed));
    }
}
