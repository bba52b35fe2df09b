//! The event log: its lines are those of trace-cmd, its numbers those of vmstat, and it changes no
//! digest.

use std::collections::BTreeMap;
use std::fs;

use cli::{Exit, Streams, main_with};
use lab::{Progress, Run};
use report::Report;
use report::series::Table;
use scenario::Scenario;

/// A line, parsed back.
struct Line {
    comm: String,
    cpu: u32,
    us: u64,
    event: String,
    told: BTreeMap<String, String>,
}

impl Line {
    fn number(&self, key: &str) -> u64 {
        let text = self.told.get(key).unwrap_or_else(|| panic!("{} has {key}", self.event));
        text.parse().unwrap_or_else(|_| panic!("{key}={text} is a number"))
    }

    fn is_kswapd(&self) -> bool {
        self.comm.starts_with("kswapd")
    }
}

/// `         kswapd1-214   [037]  1234.567890: mm_vmscan_kswapd_wake: nid=1 order=0`.
fn parse(line: &str) -> Line {
    assert!(line.len() > 40 && line.is_ascii(), "{line}");
    let (task, rest) = line.split_once('[').expect("a CPU");
    let (cpu, rest) = rest.split_once(']').expect("a CPU's end");
    assert_eq!(cpu.len(), 3, "{line}");
    let (comm, pid) = task.trim().rsplit_once('-').expect("a pid");
    assert!(comm.len() <= 15 && pid.parse::<u32>().is_ok(), "{line}");
    let mut parts = rest.trim().splitn(3, ": ");
    let mut next = || parts.next().unwrap_or_else(|| panic!("{line}"));
    let (seconds, micros) = next().split_once('.').expect("seconds");
    assert_eq!(micros.len(), 6, "{line}");
    let number = |text: &str| text.trim().parse::<u64>().expect("a number");
    let us = number(seconds) * 1_000_000 + number(micros);
    let event = next().strip_prefix("mm_vmscan_").expect("a vmscan event").to_owned();
    let words = next().split_whitespace();
    let pair = |word: &str| {
        let (key, value) = word.split_once('=').unwrap_or_else(|| panic!("{line}"));
        (key.to_owned(), value.to_owned())
    };
    let cpu = cpu.parse().expect("a CPU's number");
    Line { comm: comm.to_owned(), cpu, us, event, told: words.map(pair).collect() }
}

fn scenario(settings: &[(&str, &str)]) -> Scenario {
    let mut scenario = Scenario::preset("tiny").expect("a preset");
    for (key, value) in settings {
        scenario.set_text(key, value).expect("a valid setting");
    }
    scenario
}

/// Two nodes under pressure.
fn pressed(flavour: &str, lru: &str) -> Scenario {
    let machine = [("nodes", "2"), ("cpus", "4"), ("memory", "16MiB"), ("flavour", flavour)];
    let load = [("readers", "12"), ("drive_bandwidth", "3000"), ("duration", "60ms")];
    scenario(&[&machine[..], &load, &[("lru", lru), ("kswapds", "2")]].concat())
}

fn traced(scenario: &Scenario, most: usize) -> (Report, Vec<String>) {
    let mut run = Run::prepare(scenario).expect("a valid scenario").with_trace(most);
    while run.advance(u64::MAX) == Progress::Running {}
    (run.report(), run.trace_lines().collect())
}

#[test]
fn what_is_traced_is_what_is_counted() {
    for flavour in ["6.12", "7.3"] {
        for lru in ["classic", "mglru"] {
            let (report, text) = traced(&pressed(flavour, lru), usize::MAX);
            assert_eq!(text[0], "cpus=8");
            let lines: Vec<Line> = text[1..].iter().map(|line| parse(line)).collect();
            let of = |event: &'static str| lines.iter().filter(move |l| l.event == event);
            let place = format!("{flavour} {lru}");
            let v = |name: &str| report.vmstat[name];
            assert!(v("allocstall_normal") > 10, "{place}: nobody reclaims directly");
            assert_eq!(of("direct_reclaim_begin").count() as u64, v("allocstall_normal"));
            let ends = of("direct_reclaim_end").count() as u64;
            assert!(v("allocstall_normal") - ends <= 12, "{place}: {ends}");
            assert_eq!(of("kswapd_wake").count() as u64, v("pageoutrun"), "{place}");
            let balances = of("balance_pgdat_begin").count() as u64;
            let has_balances = flavour == "7.3";
            assert_eq!(balances, if has_balances { v("pageoutrun") } else { 0 }, "{place}");
            // What is isolated is what is scanned; slices under way are not told of yet.
            let taken = |kswapd: bool| -> u64 {
                let own = of("lru_isolate").filter(|l| l.is_kswapd() == kswapd);
                own.filter(|l| l.told["lru"] == "inactive_file").map(|l| l.number("nr_taken")).sum()
            };
            assert_eq!(taken(true), v("pgscan_kswapd"), "{place}");
            assert_eq!(taken(false), v("pgscan_direct"), "{place}");
            let freed = |kswapd: bool| -> u64 {
                let own = of("lru_shrink_inactive").filter(|l| l.is_kswapd() == kswapd);
                own.map(|l| l.number("nr_reclaimed")).sum()
            };
            for (told, counted) in
                [(freed(true), v("pgsteal_kswapd")), (freed(false), v("pgsteal_direct"))]
            {
                assert!(told <= counted && counted - told <= 16 * 64, "{place}: {told} {counted}");
                assert!(told > 0, "{place}");
            }
            let isolated = of("throttled").filter(|l| l.told["reason"].ends_with("_ISOLATED"));
            let isolated = isolated.count() as u64;
            assert!(isolated <= v("throttle_isolated") && v("throttle_isolated") - isolated <= 12);
            assert!(lines.windows(2).all(|w| w[0].us <= w[1].us), "{place}: time goes back");
            assert!(lines.iter().all(|l| l.cpu < 8 && l.us <= 60_000), "{place}");
        }
    }
}

#[test]
fn a_log_changes_no_digest_and_keeps_the_newest_events() {
    let scenario = pressed("7.3", "classic");
    let plain = lab::run(&scenario).expect("a valid scenario");
    let (whole, all) = traced(&scenario, usize::MAX);
    assert_eq!((plain.digest, &plain.vmstat), (whole.digest, &whole.vmstat));
    let (_, few) = traced(&scenario, 10);
    assert_eq!(few.len(), 12);
    assert_eq!(few[2..], all[all.len() - 10..]);
    let lost = format!("[{} EVENTS DROPPED]", all.len() - 1 - 10);
    assert!(few[1].starts_with("CPU:") && few[1].ends_with(&lost), "{}", few[1]);
}

/// What the tool prints with these arguments.
fn tool(args: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = ["reclaimscope", "run", "tiny", "--set", "duration=100ms"].iter().chain(args);
    let exit = {
        let mut streams = Streams {
            stdin: &mut &b""[..],
            stdout: &mut out,
            stderr: &mut err,
            interactive: false,
            progress: false,
        };
        main_with(all.map(std::ffi::OsString::from), &mut streams)
    };
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (exit, text(out), text(err))
}

#[test]
fn the_tool_writes_the_log_to_a_file_or_instead_of_its_numbers() {
    let (exit, printed, _) = tool(&["--trace", "-"]);
    assert_eq!(exit, Exit::Done);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "cpus=2");
    assert!(lines[1..].iter().map(|l| parse(l)).any(|l| l.event == "lru_shrink_inactive"));
    let file = std::env::temp_dir().join(format!("reclaimscope-trace-{}", std::process::id()));
    let name = file.to_str().expect("a name in text");
    let (exit, numbers, _) = tool(&["--trace", name]);
    assert_eq!((exit, numbers.contains("digest")), (Exit::Done, true));
    assert_eq!(fs::read_to_string(&file).expect("a log"), printed);
    fs::remove_file(&file).expect("the file is ours");
    let (exit, _, said) = tool(&["--trace", "/no/such/folder/log"]);
    assert_ne!(exit, Exit::Done);
    assert!(said.contains("/no/such/folder/log") && said.contains("cannot be written"), "{said}");
}

#[test]
fn trace_events_are_json_with_spans_that_nest_and_end() {
    let mut run = Run::prepare(&pressed("7.3", "classic")).expect("valid").with_trace(usize::MAX);
    while run.advance(u64::MAX) == Progress::Running {}
    let mut table = Table { columns: run.header().columns, ..Table::default() };
    run.take_rows().iter().for_each(|(time, row)| table.push(*time, row));
    let text = lab::trace::perfetto(&run, &table).join("\n");
    let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(all["otherData"]["kind"], "SIMULATED");
    assert_eq!(all["otherData"]["digest"], run.digest().as_str());
    assert_eq!(crate::schema::check("trace-events", &all), Vec::<String>::new());
    let events = all["traceEvents"].as_array().expect("a list");
    let of = |ph: &str| events.iter().filter(|e| e["ph"] == ph).count();
    assert!(of("B") > 50 && of("B") == of("E") && of("i") > 100 && of("C") > 100);
    let mut open: BTreeMap<u64, Vec<(String, f64)>> = BTreeMap::new();
    for event in events.iter().filter(|e| e["ph"] == "B" || e["ph"] == "E") {
        let stack = open.entry(event["tid"].as_u64().expect("a thread")).or_default();
        let (name, ts) = (event["name"].as_str().expect("a name"), event["ts"].as_f64());
        if event["ph"] == "B" {
            stack.push((name.to_owned(), ts.expect("a time")));
        } else {
            let (begun, from) = stack.pop().expect("a span that began");
            assert!(begun == name && ts.expect("a time") >= from, "{begun} {name}");
        }
    }
    assert!(open.values().all(Vec::is_empty), "{open:?}");
    let direct = events.iter().filter(|e| e["ph"] == "B" && e["name"] == "direct reclaim");
    assert_eq!(direct.count() as u64, run.report().vmstat["allocstall_normal"]);
    let (exit, printed, _) = tool(&["--perfetto", "-"]);
    assert!(exit == Exit::Done && serde_json::from_str::<serde_json::Value>(&printed).is_ok());
}
