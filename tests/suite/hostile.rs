//! Readers of foreign text against texts that nobody would write: pieces of good ones, cut, joined,
//! repeated, with bytes changed. No reader may panic or take long, and what it says of a text names
//! its place. `RECLAIMSCOPE_SOAK_SECONDS` sets how long each goes on in a soak.

use std::time::Duration;

use engine::Stream;
use scenario::observed::{Events, Results, Samples};
use scenario::paste::{Sysctl, Zoneinfo};
use scenario::{Arm, Problem, Scenario, Shared, document, link};

use crate::tidy::root;

/// A text that differs from those given by up to eight mutations.
fn mutated(draw: &mut Stream, seeds: &[String]) -> String {
    let pick = |draw: &mut Stream| &seeds[draw.below(seeds.len() as u64) as usize];
    let mut bytes = pick(draw).clone().into_bytes();
    for _ in 0..=draw.below(8) {
        let at = draw.below(bytes.len() as u64 + 1) as usize;
        let most = 1 << draw.below(12);
        let length = draw.below(most) as usize;
        let end = (at + length).min(bytes.len());
        match draw.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let copies = 1 + draw.below(64) as usize;
                let space = (1 << 20) / piece.len().max(1);
                bytes.splice(at..at, piece.repeat(copies.min(space)));
            }
            3 => {
                let other = pick(draw).as_bytes();
                let from = draw.below(other.len() as u64 + 1) as usize;
                let to = (from + length).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            4 => {
                let odd = [
                    "9223372036854775808",
                    "-1",
                    "1e999",
                    "\u{202e}",
                    "\u{a0}",
                    "=\n",
                    "\"",
                    "[[[[[[[[",
                    "{\"a\":",
                    "\r\n> > ",
                    "nan",
                    "v1.",
                    "N0-c",
                    ".B-",
                    "%00",
                    "\0",
                    ",",
                ];
                let piece = odd[draw.below(odd.len() as u64) as usize];
                bytes.splice(at..at, piece.bytes());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = draw.bits() as u8;
                }
            }
        }
        bytes.truncate(1 << 20);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every problem names a place and says something, and there are not too many.
fn judge(problems: &[Problem], text: &str) {
    assert!(problems.len() <= 400, "{} problems", problems.len());
    for problem in problems {
        let shown = problem.to_string();
        let fine = !problem.path.is_empty() && !problem.sentence.is_empty() && shown.len() < 1000;
        let tame = !shown.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(fine && tame, "{shown:?} of {text:?}");
    }
}

/// Goes on with a reader for its time; the cases follow from the name alone.
#[expect(clippy::disallowed_methods, reason = "how long to go on is a matter of the wall clock")]
fn soak(name: &str, seeds: &[String], read: impl Fn(&str)) {
    let soaks = std::env::var_os("RECLAIMSCOPE_SOAK").is_some();
    let set = std::env::var("RECLAIMSCOPE_SOAK_SECONDS").ok().and_then(|s| s.parse().ok());
    let time = Duration::from_secs(if soaks { set.unwrap_or(100) } else { 0 });
    let began = std::time::Instant::now();
    let mut case = 0;
    while case < 300 || began.elapsed() < time {
        let mut draw = Stream::new(case, name, 0);
        let text = mutated(&mut draw, seeds);
        let started = std::time::Instant::now();
        read(&text);
        let took = started.elapsed();
        assert!(took < Duration::from_secs(3), "case {case}: {took:?} for {} bytes", text.len());
        case += 1;
    }
    println!("{name}: {case} texts");
}

fn file(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("a file of the repository")
}

fn compared() -> Shared {
    let mut other = Scenario::preset("lumpkin2018").expect("a preset");
    other.set_text("kswapds", "8").expect("in bounds");
    let first = Arm::new(Scenario::preset("lumpkin2018").expect("a preset"));
    let arm = Arm { name: "eight".into(), scenario: other };
    Shared::compared(vec![first, arm]).expect("two arms")
}

#[test]
fn links_and_mails() {
    let mut links: Vec<String> = ["arms-and-view", "pasted-machine", "long-seed", "machine-tokens"]
        .map(|name| file(&format!("tests/links/{name}/link.txt")))
        .to_vec();
    links.push(format!("> > https://reclaim.example.org/#{}\n", link::encode_shared(&compared())));
    links.push(format!(
        "SIMULATED with reclaimscope, model 0.1.0, ledger 1a2b3c4d\n\ndigest A 0123456789abcdef\n\
         \nLink: https://reclaim.example.org/#{}\n",
        link::encode(&compared().scenario)
    ));
    soak("links and mails", &links, |text| match scenario::open(text) {
        Ok(opened) => {
            judge(&opened.problems, text);
            let again = link::encode_shared(&opened.shared());
            let back = link::decode(&again).expect("what is written is read");
            assert_eq!((back.shared(), back.problems), (opened.shared(), vec![]), "{again}");
            if let Some(claim) = opened.claim {
                let _ = claim.note("0.1.0", "1a2b3c4d");
            }
            let _ = link::explain(text);
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.to_string().len() < 1000),
    });
}

#[test]
fn documents() {
    let mut seeds = vec![document::shared_to_json(&compared())];
    seeds.push(file("tests/links/pasted-machine/scenario.json"));
    seeds.push(file("tests/links/arms-and-view/scenario.json"));
    soak("documents", &seeds, |text| match document::from_json(text) {
        Ok(opened) => {
            judge(&opened.problems, text);
            let again = document::shared_to_json(&opened.shared());
            let back = document::from_json(&again).expect("what is written is read");
            assert_eq!(back.shared(), opened.shared(), "{again}");
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    });
}

#[test]
fn zoneinfo_and_sysctl() {
    let name = "tests/data/kernel/zoneinfo/7.3-512-2-std";
    let seeds = [file(&format!("{name}.zoneinfo")), file(&format!("{name}.sysctl"))];
    soak("zoneinfo", &seeds[..1], |text| match Zoneinfo::parse(text) {
        Ok(read) => judge(&read.problems, text),
        Err(error) => assert!(error.to_string().len() < 1000),
    });
    soak("sysctl", &seeds[1..], |text| match Sysctl::parse(text) {
        Ok(read) => judge(&read.problems, text),
        Err(error) => assert!(error.to_string().len() < 1000),
    });
}

#[test]
fn samples_and_events() {
    let folder = "tests/data/kernel/7.3/E6-pc-lrun-rate5000";
    let proc = "nr_free_pages 100\npgscan_kswapd 5\n".repeat(50);
    let vmstat = "procs ---memory---\n r  b   swpd   free   buff  cache   si   so    bi    bo\n\
                  1  0  0 999999 10000 200000 9 9 9 9\n 2  0  0 4000 10000 200000 0 8 100 0\n\
                  2  0  0 4000 10000 200000 0 8 100 0\n"
        .repeat(9);
    let seeds = [file(&format!("{folder}/vmstat.csv")), proc, vmstat];
    soak("samples", &seeds, |text| match Samples::parse(text, 1000.0) {
        Ok(read) => {
            judge(&read.problems, text);
            assert_eq!(read.values.len(), read.names.len() * read.t_ms.len());
            for number in 0..read.names.len() {
                let rate = read.rate(number, f64::NEG_INFINITY, f64::INFINITY);
                assert!(rate.is_none_or(|rate| !rate.is_nan()), "{text:?}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 1000 && error.to_string().contains(' ')),
    });
    let rows = "Hmean GB 8.11 ( 0.00%) 8.70 *7.27%*\n READ: bw=1000MiB/s (1049MB/s)\n\
                clat percentiles (usec):\n| 50.00th=[ 120], 99.00th=[ 6390]\n\
                Op rate : 43,256 op/s\n";
    soak("results", &[rows.to_owned()], |text| match Results::parse(text) {
        Ok(read) => {
            judge(&read.problems, text);
            for figure in &read.figures {
                let is_fine = figure.name.len() <= 80 && figure.values.iter().all(|v| !v.is_nan());
                assert!(is_fine, "{figure:?} of {text:?}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 1000 && error.to_string().contains(' ')),
    });
    let trace = [file(&format!("{folder}/trace.txt"))];
    soak("events", &trace, |text| match Events::parse(text) {
        Ok(read) => judge(&read.problems, text),
        Err(error) => assert!(error.to_string().len() < 1000),
    });
}
