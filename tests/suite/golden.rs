//! Golden runs: every folder of `tests/golden/` holds a link and what its run gave.
//!
//! A changed model changes them; `RECLAIMSCOPE_BLESS=1 cargo test -p reclaimscope-tests golden`
//! writes the new figures, and the diff shows what changed.

use std::fmt::Write as _;
use std::fs;

use lab::{Progress, Run};

use crate::tidy::root;

/// The lines of a golden: few enough to read, enough to see what moved.
fn figures(link: &str) -> String {
    let opened = scenario::link::decode(link).unwrap_or_else(|e| panic!("{link}: {e}"));
    assert!(opened.problems.is_empty(), "{link}: {:?}", opened.problems);
    let mut run = Run::prepare(&opened.scenario).unwrap_or_else(|p| panic!("{link}: {p:?}"));
    while run.advance(1 << 20) == Progress::Running {}
    let report = run.report();
    let mut out = String::new();
    let mut line = |key: &str, value: String| writeln!(out, "{key} {value}").expect("a String");
    line("title", opened.scenario.title());
    line("model", report.model);
    line("digest", report.digest);
    line("events", report.events.to_string());
    line("bytes_a_second", format!("{:.0}", report.throughput));
    line("latency_us", format!("{:?}", report.latency_us));
    line("direct_reclaim_us", format!("{:?}", report.direct_reclaim_us));
    for (name, value) in report.vmstat.iter().filter(|(_, v)| **v > 0) {
        line(name, value.to_string());
    }
    for worker in report.workers {
        let busy: Vec<String> = worker
            .nanos
            .iter()
            .filter(|(_, ns)| **ns > 0)
            .map(|(s, ns)| format!("{s}={ns}"))
            .collect();
        line(&worker.name, busy.join(" "));
    }
    for lock in report.locks.iter().filter(|l| l.acquisitions > 0) {
        line(&lock.name, format!("{} {} {:.6}", lock.acquisitions, lock.contended, lock.wait_s));
    }
    out
}

#[test]
fn golden_runs_give_what_they_gave() {
    let folder = root().join("tests/golden");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("tests/golden exists")
        .map(|e| e.expect("a readable folder").path())
        .collect();
    names.sort();
    assert!(names.len() >= 4, "goldens are missing");
    let bless = std::env::var_os("RECLAIMSCOPE_BLESS").is_some();
    for path in names {
        let link = fs::read_to_string(path.join("link.txt")).expect("a golden has a link");
        let got = figures(link.trim());
        let expected = path.join("expect.txt");
        if bless {
            fs::write(&expected, got).expect("a writable golden");
            continue;
        }
        let want = fs::read_to_string(&expected).expect("a golden has figures");
        assert_eq!(got, want, "{}", path.display());
    }
}
