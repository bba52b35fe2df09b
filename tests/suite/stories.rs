//! The stories: every one is read, its links open, and what it claims holds in the run it shows.

use std::collections::BTreeSet;
use std::fs;

use catalog::ControlId;
use report::{Report, claim};
use scenario::story::{self, Entry, Story};
use scenario::{Scenario, Shared, View, link};

use crate::tidy::root;

/// Most characters of a paragraph, of a line that stands by itself, of an answer.
const PARAGRAPH: usize = 420;
const LINE: usize = 330;
const ANSWER: usize = 130;
/// Most characters of a title and of a story's sentence.
const TITLE: usize = 60;
const ABOUT: usize = 200;

/// Both threads, a machine to follow by hand, and what somebody has to know to read them.
const PROMISED: [&str; 15] = [
    "t1", "t2", "tiny", "wm", "kswd", "lru", "wss", "gens", "lock", "numa", "busy", "slots",
    "ring", "tiers", "memcg",
];

fn file(name: &str) -> String {
    let path = root().join("docs/stories").join(format!("{name}.md"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn all() -> Vec<(Entry, Story)> {
    let index = story::index(&file("index"));
    for name in PROMISED {
        assert!(index.iter().any(|entry| entry.name == name), "the index has no story {name}");
    }
    let read = |entry: Entry| {
        let story = story::read(&file(&entry.name));
        let story = story.unwrap_or_else(|why| panic!("{}.md, {why}", entry.name));
        (entry, story)
    };
    index.into_iter().map(read).collect()
}

#[test]
fn the_index_names_every_file_as_it_names_itself() {
    let all = all();
    let names: BTreeSet<String> = all.iter().map(|(entry, _)| entry.name.clone()).collect();
    assert_eq!(names.len(), all.len(), "a story stands twice");
    let entries = fs::read_dir(root().join("docs/stories")).expect("a folder");
    let files = entries.map(|e| e.expect("a file").file_name().to_string_lossy().into_owned());
    let files: BTreeSet<String> =
        files.filter(|f| f != "index.md").map(|f| f.trim_end_matches(".md").to_owned()).collect();
    assert_eq!(names, files);
    for (entry, story) in &all {
        assert_eq!((&entry.title, &entry.about), (&story.title, &story.about), "{}", entry.name);
        assert!(!entry.group.is_empty(), "{} stands under no heading", entry.name);
    }
}

#[test]
fn texts_are_short_and_plain() {
    for (entry, story) in all() {
        let fits = |what: &str, text: &str, most: usize| {
            let name = &entry.name;
            assert!(text.len() <= most, "{name}: {what} has {} of {most}: {text}", text.len());
            assert!(text.is_ascii(), "{name}: {what} is not ASCII: {text}");
            assert_eq!(text.matches('`').count() % 2, 0, "{name}: open `: {text}");
        };
        fits("the title", &story.title, TITLE);
        fits("the sentence", &story.about, ABOUT);
        assert!((2..=8).contains(&story.steps.len()), "{}: {}", entry.name, story.steps.len());
        for function in &story.read {
            let (path, name) = function.split_once(':').expect("`file:function`");
            assert!(path.ends_with(".c") || path.ends_with(".h"), "{function}");
            assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{function}");
        }
        for step in &story.steps {
            fits("a title", &step.title, TITLE);
            for paragraph in &step.text {
                fits("a paragraph", paragraph, PARAGRAPH);
            }
            for (what, line) in
                [("Watch", &step.watch), ("Ask", &step.ask), ("Because", &step.because)]
            {
                fits(what, line, LINE);
            }
            fits("Try", &step.tries.1, LINE);
            assert!((2..=4).contains(&step.answers.len()), "{}: {}", entry.name, step.title);
            for (_, answer) in &step.answers {
                fits("an answer", answer, ANSWER);
            }
            assert!(!step.claims.is_empty(), "{}: {} claims nothing", entry.name, step.title);
        }
        // Who always takes the first answer must not be right.
        let first = story.steps.iter().filter(|step| step.answers[0].0).count();
        assert!(first < story.steps.len(), "{}: the first answer is always right", entry.name);
    }
}

#[test]
fn every_step_is_a_link_that_opens_at_its_place() {
    for (entry, story) in all() {
        for (i, step) in story.steps.iter().enumerate() {
            let show = format!("learn-{}-{}", entry.name, i + 1);
            let mut shared = Shared::new(step.scenario.clone());
            shared.view = View { time_ns: step.at_ns, show: Some(show) };
            let opened = link::decode(&link::encode_shared(&shared)).expect("a link");
            assert_eq!((opened.problems.len(), opened.shared()), (0, shared), "{}", entry.name);
            let get = |id| step.scenario.get(id).unsigned_abs();
            let end = get(ControlId::Warmup) + get(ControlId::Duration);
            assert!(step.at_ns.is_some_and(|at| at <= end), "{}: {}", entry.name, step.title);
            assert_eq!(step.scenario.warnings(), [], "{}: {}", entry.name, step.title);
        }
    }
}

/// Its numbers are counted by hand, so they are those of its seed.
const BY_HAND: &str = "tiny";

/// What is claimed and does not hold, with every scenario run with this seed where it is given.
fn broken(seed: Option<i64>) -> Vec<String> {
    let mut all = all();
    all.retain(|(entry, _)| seed.is_none() || entry.name != BY_HAND);
    let scenario = |scenario: &Scenario| {
        let mut one = scenario.clone();
        if let Some(seed) = seed {
            one.set(ControlId::Seed, seed).expect("a seed");
        }
        one
    };
    let mut wanted: Vec<Scenario> = Vec::new();
    for step in all.iter().flat_map(|(_, story)| &story.steps) {
        let one = scenario(&step.scenario);
        if !wanted.contains(&one) {
            wanted.push(one);
        }
    }
    let reports: Vec<Report> =
        lab::sweep(&wanted).into_iter().map(|report| report.expect("a story can be run")).collect();
    let mut broken = Vec::new();
    for (entry, story) in &all {
        let of = |step: usize| {
            let one = scenario(&story.steps.get(step)?.scenario);
            wanted.iter().position(|other| *other == one).map(|at| &reports[at])
        };
        let named = |name: &str| of(name.parse::<usize>().ok()?.checked_sub(1)?);
        for (i, step) in story.steps.iter().enumerate() {
            for text in &step.claims {
                let run = of(i).expect("it was run");
                let (at, name) = (format!("step {}", i + 1), &entry.name);
                match claim::check(text, run, &named) {
                    Ok(checked) if checked.holds => {}
                    Ok(claim::Checked { left, right, .. }) => {
                        broken.push(format!("{name}, {at}: {text}: {left} and {right}"));
                    }
                    Err(why) => broken.push(format!("{name}, {at}: {text}: {why}")),
                }
            }
        }
    }
    broken
}

#[test]
fn every_claim_holds() {
    let broken = broken(None);
    assert!(broken.is_empty(), "stories that are no longer true:\n{}", broken.join("\n"));
    if std::env::var_os("RECLAIMSCOPE_SOAK").is_some() {
        for seed in [2, 3] {
            let broken = self::broken(Some(seed));
            assert!(broken.is_empty(), "with seed {seed}:\n{}", broken.join("\n"));
        }
    }
}
