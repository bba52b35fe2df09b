//! Experiments with real kernels against the model, rule by rule, and what happens to folders that
//! are broken, hostile or lack files.

use std::fs;
use std::path::{Path, PathBuf};

use cli::{Exit, Streams, main_with};
use lab::kernel::{Experiment, Figure, Files, Judged, Line, Verdict, judge_all, together};
use mm::config::{GroupConfig, Stream, Work};
use serde_json::{Value, json};
use units::{SimDuration, SimTime, TaskId};

use crate::tidy::root;

/// The texts of a folder.
pub(crate) struct Folder {
    pub(crate) params: String,
    pub(crate) summary: Option<String>,
    nodes: Option<String>,
    swap_runs: Option<String>,
    pub(crate) swaps: Option<String>,
    pub(crate) memcg: Option<String>,
}

impl Folder {
    pub(crate) fn open(name: &str) -> Self {
        let folder = root().join("tests/data/kernel").join(name);
        let file = |name: &str| fs::read_to_string(folder.join(name)).ok();
        Self {
            params: file("params.json").unwrap_or_else(|| panic!("{name} has params.json")),
            summary: file("summary.json"),
            nodes: file("nodes.csv"),
            swap_runs: file("swap_runs.csv"),
            swaps: file("swaps.csv"),
            memcg: file("memcg.csv"),
        }
    }

    pub(crate) fn read(&self) -> Result<Experiment, String> {
        let files = Files {
            params: &self.params,
            summary: self.summary.as_deref(),
            nodes: self.nodes.as_deref(),
            swap_runs: self.swap_runs.as_deref(),
            swaps: self.swaps.as_deref(),
            memcg: self.memcg.as_deref(),
        };
        Experiment::read(&files).map_err(|problems| problems[0].to_string())
    }

    pub(crate) fn judge(&self) -> Judged {
        self.read().expect("readable").judge()
    }

    /// The same with another value at a place of its summary.
    pub(crate) fn with_summary(mut self, path: &[&str], value: Value) -> Self {
        self.summary = Some(altered(self.summary.as_deref().expect("a summary"), path, value));
        self
    }

    pub(crate) fn with_params(mut self, path: &[&str], value: Value) -> Self {
        self.params = altered(&self.params, path, value);
        self
    }
}

fn altered(text: &str, path: &[&str], value: Value) -> String {
    let mut json: Value = serde_json::from_str(text).expect("JSON");
    let mut place = &mut json;
    for key in path {
        place = &mut place[*key];
    }
    *place = value;
    json.to_string()
}

fn names() -> Vec<String> {
    let data = root().join("tests/data/kernel");
    let mut names = Vec::new();
    for kernel in ["6.12", "7.3"] {
        for entry in fs::read_dir(data.join(kernel)).expect("the kernel's folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                names.push(format!("{kernel}/{name}"));
            }
        }
    }
    names.sort();
    names
}

/// Lines of a rule.
pub(crate) fn of_rule(judged: &Judged, rule: u32) -> Vec<&Line> {
    judged.lines.iter().filter(|line| line.rule == rule).collect()
}

/// How many lines of a rule agree.
pub(crate) fn ok(judged: &Judged, rule: u32) -> usize {
    of_rule(judged, rule).iter().filter(|line| line.verdict == Verdict::Ok).count()
}

pub(crate) fn reason(line: &Line) -> &str {
    match &line.verdict {
        Verdict::NotModelled(reason) | Verdict::NotJudged(reason) => reason,
        verdict => panic!("{}: {verdict:?}", line.fact),
    }
}

#[test]
fn nothing_that_is_modelled_is_missed_and_all_orderings_hold() {
    // Of those that swap or stand at a cgroup's limit, which take long, a few; in soak all.
    let pressed = |name: &String| ["E3", "E4P-", "E5-", "E6-an-"].iter().any(|e| name.contains(e));
    let soak = std::env::var_os("RECLAIMSCOPE_SOAK").is_some();
    let few =
        ["7.3/E3-lruy-mix-virtio-sw60", "7.3/E5-lruy-max256-anon", "6.12/E6-an-lruy-rate2000"];
    let takes = |name: &String| soak || !pressed(name) || few.contains(&name.as_str());
    let names: Vec<String> = names().into_iter().filter(takes).collect();
    assert!(soak || names.len() == 51 + few.len(), "{}", names.len());
    let experiments: Vec<Experiment> =
        names.iter().map(|name| Folder::open(name).read().expect("readable")).collect();
    let judged = judge_all(&experiments.iter().collect::<Vec<_>>());
    let named: Vec<(&str, &Judged)> = names.iter().map(String::as_str).zip(&judged).collect();
    for (name, judged) in &named {
        let missed: Vec<&Line> =
            judged.lines.iter().filter(|line| line.verdict == Verdict::Miss).collect();
        assert!(missed.is_empty(), "{name}: {missed:#?}");
    }
    // Marks and distances of every zone of every folder; reserves of a stale kernel are not judged.
    let marks: usize = judged.iter().map(|j| ok(j, 1) + ok(j, 2)).sum();
    assert!(marks > 200, "{marks}");

    let together = together(&named);
    let missed: Vec<&Line> = together.iter().filter(|l| l.verdict == Verdict::Miss).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let count = |what: &str| together.iter().filter(|line| line.fact.starts_with(what)).count();
    assert!(count("kswapd's share under MGLRU and classic") >= 8);
    assert_eq!(count("kswapd's share with fewer and more readers"), 2);
}

#[test]
fn paced_streams_without_boost_show_quantum_amounts_and_sawtooth() {
    for kernel in ["6.12", "7.3"] {
        for list in ["lruy", "lrun"] {
            let name = format!("{kernel}/E2-{list}-bind0-r1-rate5k-noboost");
            let judged = Folder::open(&name).judge();
            assert_eq!(ok(&judged, 3), 3, "{name}: {:#?}", of_rule(&judged, 3));
            assert_eq!(ok(&judged, 4), 1, "{name}: {:#?}", of_rule(&judged, 4));
            assert_eq!(ok(&judged, 6), usize::from(list == "lruy"), "{name}");
            assert_eq!(ok(&judged, 7), 3, "{name}: {:#?}", of_rule(&judged, 7));
            assert_eq!(ok(&judged, 8), 2, "{name}: {:#?}", of_rule(&judged, 8));
            assert_eq!(ok(&judged, 9), 1, "{name}");
            assert!(of_rule(&judged, 16).is_empty(), "{name}: boost is off");
            if list == "lruy" {
                assert_eq!(ok(&judged, 5), 1, "{name}");
                let Figure::Number(nap) = of_rule(&judged, 5)[0].model else { panic!("a number") };
                assert!((100.0..=104.0).contains(&nap), "{name}: {nap}");
            }
        }
    }
}

#[test]
fn with_marks_far_apart_no_task_has_to_reclaim() {
    for kernel in ["6.12", "7.3"] {
        for list in ["lruy", "lrun"] {
            let name = format!("{kernel}/E2-{list}-bind0-r1-rate5k-noboost-wsf200");
            let judged = Folder::open(&name).judge();
            assert_eq!(ok(&judged, 8), 2, "{name}: {:#?}", of_rule(&judged, 8));
            assert_eq!(ok(&judged, 10), 1, "{name}: {:#?}", of_rule(&judged, 10));
        }
    }
    // What one balance takes is bounded by the scan budget here.
    let judged = Folder::open("7.3/E2-lruy-bind0-r1-rate5k-noboost-wsf200").judge();
    assert_eq!(ok(&judged, 6), 1, "{:#?}", of_rule(&judged, 6));
    assert!(of_rule(&judged, 6)[0].fact.contains("scan budget"));
}

#[test]
fn an_unbound_reader_fills_other_nodes_first() {
    for (name, order) in [
        ("7.3/E8-fill-pc-node0", "0 1 2 3"),
        ("6.12/E8-fill-pc-node0", "0 1 2 3"),
        ("7.3/E8-fill-pc-node3", "3 0"),
        ("6.12/E8-fill-pc-node3", "3 0"),
    ] {
        let judged = Folder::open(name).judge();
        let lines = of_rule(&judged, 3);
        let miss = lines.iter().find(|line| line.fact == "numa_miss").expect("a line");
        if name.ends_with("node0") {
            assert_eq!(miss.verdict, Verdict::Ok, "{name}: {miss:?}");
        } else {
            assert!(reason(miss).starts_with("boost"), "{name}: {miss:?}");
        }
        let fell = lines.iter().find(|line| line.fact.contains("order")).expect("a line");
        assert_eq!(fell.kernel, Figure::Words(order.into()), "{name}");
        assert_eq!(fell.verdict, Verdict::Ok, "{name}: {fell:?}");
    }
}

#[test]
fn a_task_that_fills_memory_spills_to_other_nodes_in_order() {
    for kernel in ["6.12", "7.3"] {
        let judged = Folder::open(&format!("{kernel}/E8-fill-anon-node0")).judge();
        let lines = of_rule(&judged, 3);
        let miss = lines.iter().find(|line| line.fact == "numa_miss").expect("a line");
        let within = |model: f64, seen: u64| (model / seen as f64 - 1.0).abs() < 0.1;
        let (Figure::Range(model, ..), Figure::Number(seen)) = (&miss.model, &miss.kernel) else {
            panic!("{miss:?}")
        };
        assert!(within(*model, *seen as u64), "{kernel}: {miss:?}");
        let fell = lines.iter().find(|line| line.fact.contains("order")).expect("a line");
        assert_eq!(fell.verdict, Verdict::Ok, "{kernel}: {fell:?}");
    }
}

#[test]
fn what_the_model_lacks_is_named_with_its_reason() {
    let judged = Folder::open("7.3/E2-lruy-bind0-r1-readahead").judge();
    for rule in [3, 4, 5, 6, 7, 9, 10] {
        let lines = of_rule(&judged, rule);
        assert!(!lines.is_empty(), "rule {rule}");
        let why = "read-ahead in large folios";
        assert!(lines.iter().all(|line| reason(line).starts_with(why)), "{lines:#?}");
    }
    // A folder without the table that a rule is shown by: the rule is listed, not judged.
    let folder = Folder { swap_runs: None, ..Folder::open("7.3/E4-step-b-equal-rot0-cpu1") };
    let judged = folder.judge();
    assert_eq!(reason(of_rule(&judged, 12)[0]), "swap_runs.csv is missing");
    assert!(of_rule(&judged, 3).is_empty(), "steps of MADV_PAGEOUT put no pressure on a node");
    // In 6.12 a block device is read ahead page by page: that is modelled.
    let judged = Folder::open("6.12/E2-lrun-bind0-r1-readahead").judge();
    assert_eq!((ok(&judged, 7), ok(&judged, 9)), (3, 1), "{:#?}", judged.lines);
}

#[test]
fn without_a_summary_only_the_machine_is_judged() {
    let mut folder = Folder::open("7.3/E2-lruy-bind0-r1-rate5k-noboost");
    folder.summary = None;
    let judged = folder.judge();
    assert_eq!((ok(&judged, 1), ok(&judged, 2)), (6, 3));
    for rule in [3, 4, 5, 6, 7, 8, 9, 10] {
        for line in of_rule(&judged, rule) {
            assert_eq!(reason(line), "summary.json is missing", "rule {rule}");
        }
        assert!(!of_rule(&judged, rule).is_empty(), "rule {rule}");
    }
    let mut folder = Folder::open("7.3/E8-fill-pc-node0");
    folder.nodes = None;
    let judged = folder.judge();
    let order = of_rule(&judged, 3).into_iter().find(|line| line.fact.contains("order"));
    assert_eq!(order.map(reason), Some("nodes.csv is missing"));
    let direct = of_rule(&judged, 7).into_iter().find(|line| line.fact.contains("direct"));
    assert!(direct.is_some_and(|line| reason(line).starts_with("nodes.csv is missing")));
    assert!(judged.notes.iter().any(|note| note.starts_with("nodes.csv is missing")));
}

#[test]
fn every_judged_figure_can_miss() {
    let open = || Folder::open("7.3/E2-lruy-bind0-r1-rate5k-noboost");
    let missed = |folder: Folder| -> Vec<u32> {
        let judged = folder.judge();
        let lines = judged.lines.iter().filter(|line| line.verdict == Verdict::Miss);
        lines.map(|line| line.rule).collect()
    };
    assert_eq!(missed(open()), [0_u32; 0]);
    let zone = |key, value: u64| open().with_params(&["zones", "0:DMA32", key], json!(value));
    assert_eq!(missed(zone("min", 324)), [1, 2]);
    assert_eq!(missed(zone("promo", 564)), [1, 2]);
    let less = json!("0, 250, 253, 253, 254");
    let reserves = open().with_params(&["zones", "1:DMA32", "protection"], less);
    assert_eq!(missed(reserves), [1]);
    let trace = |path: &[&str], value: Value| {
        let path: Vec<&str> = ["trace"].iter().chain(path).copied().collect();
        missed(open().with_summary(&path, value))
    };
    assert_eq!(trace(&["balance_pgdat_nr_reclaimed", "p50"], json!(512)), [6]);
    assert_eq!(trace(&["kswapd_wake_to_sleep_ms", "p0"], json!(60.0)), [5]);
    assert_eq!(trace(&["direct_nr_reclaimed", "mean"], json!(36.0)), [7]);
    let amounts = json!({
        "n": 132, "sum": 5016, "mean": 33.4, "p0": 34, "p10": 34, "p50": 34, "p90": 34, "p100": 34,
    });
    assert_eq!(trace(&["direct_nr_reclaimed"], amounts), [7]);
    let slices = json!({"32": 900, "64": 3});
    assert_eq!(trace(&["shrink_inactive", "kswapd", "nr_scanned_top"], slices), [7]);
    let free = |key, mean: f64| {
        missed(open().with_summary(&["zone_free", "0:DMA32", key, "mean"], json!(mean)))
    };
    assert_eq!(free("turning_minima", 300.0), [8]);
    assert_eq!(free("turning_maxima", 1_200.0), [8]);
    let counter =
        |name, value: u64| missed(open().with_summary(&["vmstat_delta", name], json!(value)));
    assert_eq!(counter("pgsteal_kswapd", 70_000), [9]);
    assert_eq!(counter("numa_miss", 20_000), [3]);
}

#[test]
fn a_folder_that_was_never_seen_is_run_too() {
    // A later kernel, one node more without CPUs, two readers bound to it from both sides.
    let folder = Folder::open("7.3/E2-lruy-bind0-r1-rate5k-noboost")
        .with_params(&["kernel"], json!("7.4.0-rc1"))
        .with_params(&["node2_cpus"], json!(""))
        .with_params(
            &["gt_args"],
            json!([
                "mode=read",
                "rand=1",
                "threads=2",
                "cpus=0-3",
                "bind=4",
                "secs=20",
                "rate=2500"
            ]),
        );
    let mut params: Value = serde_json::from_str(&folder.params).expect("JSON");
    params["zones"]["2:Movable"] = json!({
        "free": 30_000, "boost": 0, "min": 32, "low": 69, "high": 106, "promo": 143,
        "managed": 30_000, "protection": "0, 0, 0, 0, 0",
    });
    let folder = Folder { params: params.to_string(), nodes: None, ..folder };
    let judged = folder.judge();
    assert!(judged.notes.iter().any(|note| note.contains("rules of 7.3")), "{:?}", judged.notes);
    let line = |rule, what: &str| {
        let found = of_rule(&judged, rule).into_iter().find(|line| line.fact.contains(what));
        found.unwrap_or_else(|| panic!("rule {rule}, {what}"))
    };
    assert_eq!(line(1, "2:Movable min").verdict, Verdict::Ok, "{:?}", line(1, "2:Movable min"));
    // All of the load's pages come from the node without CPUs, which is the one wanted.
    assert_eq!(line(3, "numa_miss").model, Figure::Range(0.0, 0.0, 0.0));
    assert_eq!(line(3, "wakes").verdict, Verdict::Ok);
    assert_eq!(line(4, "balances").verdict, Verdict::Ok);
    let Figure::Words(quantum) = &line(6, "node 2").model else { panic!("words") };
    assert!(quantum.starts_with("128 in"), "the node's own quantum: {quantum}");
}

#[test]
fn broken_texts_are_errors_with_their_place_and_never_a_panic() {
    let open = || Folder::open("7.3/E8-fill-pc-node0");
    let said = |folder: Folder| folder.read().expect_err("an error");
    let zone =
        |key: &str, value: Value| said(open().with_params(&["zones", "1:DMA32", key], value));
    let place = "params.json, zones, 1:DMA32, managed: ";
    assert_eq!(zone("managed", json!(-4)), format!("{place}is not a whole number from 0"));
    assert!(zone("managed", json!(u64::MAX)).starts_with(place));
    assert!(zone("free", json!(1_u64 << 32)).contains("free of"));
    assert!(zone("boost", json!(9_999)).contains("less than the boost"));
    assert!(zone("protection", json!("0, many")).contains("protection"));
    let params = |path: &[&str], value: Value| said(open().with_params(path, value));
    assert!(params(&["kernel"], json!("newest")).contains("version"));
    assert!(params(&["node2_cpus"], json!("0-99999999")).contains("node2_cpus"));
    assert!(params(&["node2_cpus"], json!("0")).contains("two nodes"));
    assert!(params(&["gt_args"], json!("mode=read")).contains("not a list"));
    assert!(params(&["gt_args"], json!(["mode=read", "threads=100000"])).contains("gt_args[1]"));
    assert!(params(&["zones", "9:DMA32"], json!({})).contains("9:DMA32"));
    assert!(params(&["watermark_scale_factor"], json!("3001")).contains("3000 is the most"));
    let mut folder = open();
    folder.nodes =
        Some("t_ms,n0_dma32_free,n0_nr_inactive_file,n0_nr_active_file\n1,2,x,4\n".into());
    assert_eq!(said(folder), "nodes.csv line 2: `x` is no whole number");
    let mut folder = open();
    folder.nodes = Some("t_ms,n0_dma32_free\n1\n".into());
    assert!(said(folder).starts_with("nodes.csv line 2"));

    // Any text cut anywhere, and any digit another: an error or a run, no panic.
    let whole = open();
    let summary = whole.summary.clone().expect("a summary");
    let cut = |text: &str, at: usize| text.get(..at).unwrap_or("").to_owned();
    for at in (0..whole.params.len()).step_by(41) {
        let mut folder = open();
        folder.params = cut(&whole.params, at);
        assert!(folder.read().is_err(), "cut at {at}");
    }
    for at in (0..summary.len()).step_by(211) {
        let mut folder = open();
        folder.summary = Some(cut(&summary, at));
        assert!(folder.read().is_err(), "cut at {at}");
    }
    let digits: Vec<usize> =
        whole.params.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    for at in digits.iter().step_by(3) {
        for digit in ["0", "99999999"] {
            let mut folder = open();
            folder.params.replace_range(*at..at + 1, digit);
            let _ = folder.read();
        }
    }
}

#[test]
fn a_load_too_large_to_run_is_listed_with_the_reason() {
    let small = |arguments: &[&str]| {
        let folder = Folder::open("7.3/E2-lruy-bind0-r1-rate5k-noboost");
        let folder = folder.with_params(&["gt_args"], json!(arguments));
        folder.with_summary(&["workload"], json!(null)).judge()
    };
    let judged =
        small(&["mode=read", "rand=1", "rate=10000000", "threads=64", "secs=3600", "bytes=1T"]);
    assert!(of_rule(&judged, 4).iter().all(|line| reason(line).contains("events")));
    let judged = small(&["mode=read", "rand=1", "secs=3600", "ms=1"]);
    assert!(of_rule(&judged, 4).iter().all(|line| reason(line).contains("samples")));
    let judged = small(&["mode=read", "rand=1", "cpus=77"]);
    assert!(of_rule(&judged, 4).iter().all(|line| reason(line).contains("CPUs")));
    let judged = small(&["mode=read", "rand=1", "bind=64"]);
    assert!(of_rule(&judged, 4).iter().all(|line| reason(line).contains("bound to nodes")));
}

fn call(args: &[&str]) -> (Exit, String, String) {
    let args = ["reclaimscope", "kernel"].iter().chain(args).map(std::ffi::OsString::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        stdin: &mut "".as_bytes(),
        stdout: &mut out,
        stderr: &mut err,
        interactive: false,
        progress: false,
    };
    let exit = main_with(args, &mut streams);
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    (exit, text(out), text(err))
}

/// A copy of a folder for one test, its summary altered.
fn copy(name: &str, to: &str, alter: impl Fn(String) -> String) -> PathBuf {
    let from = root().join("tests/data/kernel").join(name);
    let folder = std::env::temp_dir().join(format!("reclaimscope-kernel-{}", std::process::id()));
    let folder = folder.join(to);
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    for file in ["params.json", "summary.json", "nodes.csv", "swap_runs.csv"] {
        let Ok(text) = fs::read_to_string(from.join(file)) else { continue };
        let text = if file == "summary.json" { alter(text) } else { text };
        fs::write(folder.join(file), text).expect("a writable file");
    }
    folder
}

#[test]
fn the_command_prints_every_rule_and_its_exit_code_says_whether_one_was_missed() {
    let data = root().join("tests/data/kernel");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let name = "7.3/E2-lrun-bind0-r1-rate5k-noboost";
    let good = path(&data.join(name));
    let (exit, out, err) = call(&[&good]);
    assert_eq!((exit, err.as_str()), (Exit::Done, ""), "{out}");
    for text in ["rule", "kernel", "model", "tolerance", "verdict", "323 403 483 563", "0 missed"] {
        assert!(out.contains(text), "{text}: {out}");
    }

    let bad = copy(name, "missed", |text| {
        altered(&text, &["trace", "direct_nr_reclaimed", "mean"], json!(60.0))
    });
    let (exit, out, _) = call(&[&good, &path(&bad), "--json"]);
    assert_eq!(exit, Exit::Differs);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["misses"], 1);
    assert_eq!(report["folders"].as_array().map(Vec::len), Some(2));
    let lines = report["folders"][1]["lines"].as_array().expect("lines");
    let missed: Vec<&Value> = lines.iter().filter(|line| line["verdict"] == "MISS").collect();
    assert_eq!(
        (missed.len(), &missed[0]["rule"], &missed[0]["kernel"]),
        (1, &json!(7), &json!(60.0))
    );
    for key in ["fact", "model", "tolerance", "reason"] {
        assert!(lines.iter().all(|line| line.get(key).is_some()), "{key}");
    }

    // What cannot be read is said of all folders at once, and nothing is run.
    let broken = copy(name, "broken", |text| text[..text.len() / 2].to_owned());
    let (exit, out, err) = call(&[&good, &path(&broken), "/missing/folder"]);
    assert_eq!((exit, out.as_str()), (Exit::Refused, ""));
    assert!(err.contains("summary.json line") && err.contains("is not a folder"), "{err}");
    assert_eq!(call(&[]).0, Exit::Refused);
    fs::remove_dir_all(bad.parent().expect("a folder")).expect("removable");
}

/// Hears when the free pages of a node fell, when looks for memory failed, and how long naps were.
#[derive(Default)]
struct Ears {
    usable: u64,
    under_low: Option<SimTime>,
    noticed_after: Vec<SimDuration>,
    nap: Option<SimTime>,
    naps: Vec<SimDuration>,
    end: SimTime,
}

impl mm::Observer for Ears {
    fn slow_path(&mut self, m: &mm::Machine, _: TaskId) {
        if let Some(since) = self.under_low.take() {
            self.noticed_after.push(m.now() - since);
        }
    }
    fn free(&mut self, now: SimTime, _: usize, _: u64, usable: u64) {
        if usable <= 403 && self.usable > 403 {
            self.under_low = Some(now);
        }
        self.usable = usable;
    }
    fn nap_begin(&mut self, now: SimTime, _: TaskId) {
        self.nap = Some(now);
    }
    fn nap_end(&mut self, at: SimTime, _: TaskId, woken: bool) {
        if let Some(since) = self.nap.take().filter(|_| !woken) {
            self.naps.push(at - since);
            self.end = self.end.max(at);
        }
    }
}

/// The machine of E2 with one node: 64,921 pages of Normal memory under a paced reader.
fn paced_reader() -> mm::Config {
    let scenario = scenario::Scenario::preset("tiny").expect("a preset");
    let mut config = lab::lower(&scenario).expect("valid");
    let zone = mm::ZoneConfig { kind: catalog::ZoneKind::Normal, managed: 64_921, used: 20_000 };
    config.nodes = vec![mm::NodeConfig { cpus: 2, zones: vec![zone] }];
    config.flavour = catalog::FLAVOURS[catalog::FlavourId::V7_3 as usize];
    config.min_free_kbytes = 323 * 4;
    config.watermark_scale_factor = 10;
    config.lru_gen = true;
    let stream = Stream { read_ahead: false, pace: SimDuration::from_micros(6_400) };
    config.groups = vec![GroupConfig::new(1, Work::Stream(stream))];
    config.jiffy = SimDuration::from_millis(4);
    config.start = mm::config::Start::Empty;
    config
}

#[test]
fn a_refill_that_ends_below_low_is_noticed_by_the_next_page_and_timers_fire_at_ticks() {
    let mut machine = mm::Machine::new(paced_reader());
    let mut ears = Ears::default();
    let end = SimTime::ZERO + SimDuration::from_secs(20);
    mm::advance(&mut machine, &mut ears, end, u64::MAX);
    assert!(ears.noticed_after.len() > 20, "{}", ears.noticed_after.len());
    let late = ears.noticed_after.iter().filter(|d| **d > SimDuration::from_micros(200)).count();
    // The page that asked for the refill may be the last one of its window.
    assert!(late * 10 <= ears.noticed_after.len(), "{late} of {}", ears.noticed_after.len());
    assert!(ears.naps.len() > 20);
    let (least, most) = (SimDuration::from_millis(100), SimDuration::from_millis(104));
    assert!(ears.naps.iter().all(|nap| *nap > least && *nap <= most), "{:?}", ears.naps);
    assert_eq!(ears.end.as_nanos() % 4_000_000, 0, "a nap ends at a tick");
}

#[test]
fn a_reader_bound_to_other_nodes_takes_memory_there_only() {
    let mut config = paced_reader();
    config.nodes = vec![config.nodes[0].clone(); 3];
    config.groups[0].nodes = vec![0];
    config.groups[0].mems = vec![0b110];
    let mut machine = mm::Machine::new(config);
    let free = |m: &mm::Machine| [0, 1, 2].map(|n: usize| m.nodes[n].free);
    let before = free(&machine);
    let end = SimTime::ZERO + SimDuration::from_secs(15);
    mm::advance(&mut machine, &mut mm::NoObserver, end, u64::MAX);
    let after = free(&machine);
    assert_eq!(after[0], before[0]);
    assert!(after[1] < 1_000 && after[2] < before[2], "{after:?}");
    let v = machine.vmstat;
    assert_eq!(v.numa_hit + v.numa_miss, v.pgalloc_normal);
    assert!(v.numa_hit > 40_000 && v.numa_miss > 20_000, "the first node of the mask is wanted");
}
