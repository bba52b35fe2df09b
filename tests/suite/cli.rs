//! The terminal program, in process: what it prints, what it refuses, and with which exit code.

use std::ffi::OsString;
use std::path::PathBuf;

use cli::{Exit, Streams, main_with};
use serde_json::Value;

use crate::tidy::root;

/// What the program said.
pub(crate) struct Said {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn call_with(args: &[&str], stdin: &str, interactive: bool) -> Said {
    let args = std::iter::once("reclaimscope").chain(args.iter().copied()).map(OsString::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        stdin: &mut stdin.as_bytes(),
        stdout: &mut out,
        stderr: &mut err,
        interactive,
        progress: false,
    };
    let exit = main_with(args, &mut streams);
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    Said { exit, out: text(out), err: text(err) }
}

pub(crate) fn call(args: &[&str]) -> Said {
    call_with(args, "", false)
}

/// Output of a call that succeeds and has nothing to complain about.
pub(crate) fn good(args: &[&str]) -> String {
    let said = call(args);
    assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""), "{args:?}");
    said.out
}

pub(crate) fn json(args: &[&str]) -> Value {
    serde_json::from_str(&good(args)).expect("JSON")
}

/// Errors of a call that is refused.
pub(crate) fn refused(args: &[&str]) -> String {
    let said = call(args);
    assert_eq!((said.exit, said.out.as_str()), (Exit::Refused, ""), "{args:?}: {}", said.err);
    said.err
}

fn zoneinfo(name: &str, ending: &str) -> String {
    let path = root().join("tests/data/kernel/zoneinfo").join(format!("{name}.{ending}"));
    path.to_string_lossy().into_owned()
}

/// A file for one test.
pub(crate) fn scratch(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("reclaimscope-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a writable file");
    path
}

#[test]
fn a_run_has_all_its_numbers_and_the_same_digest_however_it_is_named() {
    let report = json(&["run", "tiny", "--set", "kswapds=2", "--json"]);
    for key in [
        "model",
        "link",
        "seed",
        "digest",
        "start",
        "warmup_s",
        "window_s",
        "throughput",
        "latency_us",
        "vmstat",
        "cpu_s",
        "workers",
        "locks",
        "nodes",
    ] {
        assert!(!report[key].is_null(), "{key} is missing");
    }
    for (list, fields) in [
        ("latency_us", &["p50", "p99", "p999"][..]),
        ("vmstat", &["pgscan_kswapd", "pgsteal_direct"]),
    ] {
        assert!(fields.iter().all(|field| report[list][field].is_number()), "{list}");
    }
    assert_eq!(report["kind"], "SIMULATED");
    assert_eq!(report["workers"].as_array().expect("a list").len(), 2);
    assert!(report["workers"][0]["seconds"]["asleep"].is_number());
    assert!(report["locks"][0]["utilisation"].is_number());
    assert!(report["nodes"][0]["zones"][0]["low"].is_number());

    let link = good(&["link", "tiny", "--set", "kswapds=2"]);
    assert_eq!(report["link"], link.trim());
    let again = json(&["run", link.trim(), "--json"]);
    assert_eq!(again, report);
    let document = good(&["show", link.trim(), "--json"]);
    let path = scratch("scenario.json", &document);
    let from_file = json(&["run", &path.to_string_lossy(), "--json"]);
    assert_eq!(from_file["digest"], report["digest"]);
    let piped = call_with(&["run", "-", "--json"], &document, false);
    assert_eq!(piped.exit, Exit::Done);
    assert!(piped.out.contains(report["digest"].as_str().expect("a text")));

    let text = good(&["run", link.trim()]);
    assert!(text.contains("SIMULATED") && text.contains(link.trim()), "{text}");
    assert!(text.contains(report["digest"].as_str().expect("a text")), "{text}");
    let other = json(&["run", "tiny", "--set", "kswapds=2", "--seed", "2", "--json"]);
    assert_ne!(other["digest"], report["digest"]);
    assert_eq!(other["seed"], 2);
}

#[test]
fn a_scenario_is_shown_in_words_and_its_changes_marked() {
    let text = good(&["show", "lumpkin2018", "--set", "readers=58"]);
    assert!(text.contains("* readers                58"), "{text}");
    assert!(text.contains("  kswapds                1"), "{text}");
    assert!(text.is_ascii());
    let all = json(&["presets", "--json"]);
    assert_eq!(all["presets"][0]["name"], "lumpkin2018");
    assert!(all["controls"].as_array().expect("a list").len() > 20);
    assert!(good(&["presets"]).contains("tiny"));
}

#[test]
fn a_sweep_has_one_row_a_point_in_order() {
    let args = ["sweep", "tiny", "--over", "readers=1,2", "--over", "kswapds=1,2", "--set"];
    let args = [&args[..], &["duration=100ms", "--json"]].concat();
    let sweep = json(&args);
    let points = sweep["points"].as_array().expect("a list");
    let over: Vec<String> = points
        .iter()
        .map(|p| format!("{}{}", p["over"]["readers"], p["over"]["kswapds"]).replace('"', ""))
        .collect();
    assert_eq!(over, ["11", "12", "21", "22"]);
    let alone = json(&["run", "tiny", "--set", "duration=100ms", "--set", "readers=2", "--json"]);
    assert_eq!(points[2]["report"], alone, "a point is the run of its scenario");
    let text = call(&args[..args.len() - 1]).out;
    assert!(text.contains("SIMULATED"));
    let has_digest = |line: &&str| line.split(' ').next_back().is_some_and(|d| d.len() == 16);
    assert_eq!(text.lines().filter(has_digest).count(), 4, "{text}");
    let said = refused(&["sweep", "tiny", "--over", "readers=1,zwei"]);
    assert!(said.contains("readers: `zwei` is not a whole number"), "{said}");
    assert!(refused(&["sweep", "tiny", "--over", "readers"]).contains("key=a,b,c"));
    let many = (1..=1024).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let said = refused(&["sweep", "tiny", "--over", &format!("readers={many}")]);
    assert!(said.contains("at most 1000"), "{said}");
}

#[test]
fn values_out_of_bounds_are_refused_with_them_all_at_once() {
    let args = ["--set", "kswapds=0", "--set", "memory=0", "--set", "nodes=9", "--set", "kswapd=1"];
    let said = refused(&[&["run", "tiny"][..], &args].concat());
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "error: kswapds: kswapds a node must be 1 to 32, not 0",
            "error: memory: Memory a node must be 1MiB to 4TiB, not 0B",
            "error: nodes: NUMA nodes must be 1 to 8, not 9",
            "error: kswapd: there is no such control; did you mean `kswapds`?",
        ]
    );
    assert!(refused(&["run", "tiny", "--set", "kswapds"]).contains("key=value"));
    assert!(refused(&["run", "tiny", "--seed", "x"]).contains("seed: `x` is not a whole number"));
    let said = refused(&["run", "tiny", "--set", "cpus=0"]);
    assert!(said.contains("cpus: no node has a CPU"), "{said}");
}

#[test]
fn damaged_links_open_with_what_is_left_of_them() {
    let link = good(&["link", "tiny", "--set", "kswapds=2", "--set", "seed=7"]);
    let altered = link.trim().replace(".k2.", ".kx2.");
    let said = call(&["show", &altered, "--json"]);
    assert_eq!(said.exit, Exit::Done);
    assert!(said.err.contains("warning: check: the link was altered"), "{}", said.err);
    assert!(said.err.contains("token 1: damaged at token 1 (`kx2`)"), "{}", said.err);
    assert!(said.out.contains("\"seed\": \"7\""), "the rest is kept: {}", said.out);

    let cut = &link.trim()[..link.trim().len() - 4];
    let said = call(&["run", cut, "--json"]);
    assert_eq!(said.exit, Exit::Done);
    assert!(said.err.contains("truncated"), "{}", said.err);
    assert!(said.out.contains("\"seed\": 7"));
}

#[test]
fn what_is_no_link_is_refused_with_a_sentence() {
    let said = refused(&["run", "v99.l18.k4.x7Q"]);
    assert!(said.contains("format 99") && said.contains("newer version"), "{said}");
    let garbage = "garbage ".repeat(125_000);
    let said = refused(&["run", &garbage]);
    assert!(said.len() < 400 && said.contains("no link"), "{said}");
    let said = refused(&["run", &format!("v1.{}", "x".repeat(1_000_000))]);
    assert!(said.contains("1000003 bytes; a link has at most 8192"), "{said}");
    let said = call_with(&["run", "-"], &garbage, false);
    assert_eq!(said.exit, Exit::Refused);
    assert!(said.err.contains("a link has at most"), "{}", said.err);
    assert!(
        refused(&["run", "lumpkin"]).contains("there are lumpkin2018, cassandra2026, kbuild2026")
    );
    assert!(refused(&["show", "./missing.json"]).contains("`./missing.json` cannot be read"));
    assert!(refused(&["show", ""]).contains("no preset"));
}

#[test]
fn unknown_fields_of_a_document_are_named_and_the_rest_is_kept() {
    let text = r#"{"format":1,"preset":"tiny","colour":"red","kswapds":3,"readers":0.5}"#;
    let path = scratch("unknown.json", text);
    let said = call(&["show", &path.to_string_lossy(), "--json"]);
    assert_eq!(said.exit, Exit::Done);
    assert!(said.err.contains("warning: colour: there is no such control"), "{}", said.err);
    assert!(said.err.contains("warning: readers: `0.5` is not a whole number"), "{}", said.err);
    assert!(said.out.contains("\"kswapds\": \"3\""), "{}", said.out);
    let path = scratch("broken.json", "{\"preset\":\n \"tiny\",,}");
    assert!(refused(&["show", &path.to_string_lossy()]).contains("line 2, column 9"));
    let said = call_with(&["show", "-"], "{\"format\":7}", false);
    assert!(said.err.contains("format `7`") && said.exit == Exit::Refused, "{}", said.err);
}

#[test]
fn a_run_of_more_than_a_minute_asks_first() {
    let huge = ["run", "lumpkin2018", "--set", "nodes=8", "--set", "cpus=512"];
    let huge = [&huge[..], &["--set", "duration=3600s", "--set", "readers=1024"]].concat();
    let said = refused(&huge);
    assert!(said.contains("of one CPU") && said.contains("--force"), "{said}");
    let said = call_with(&huge, "n\n", true);
    assert_eq!((said.exit, said.out.as_str()), (Exit::Refused, ""));
    assert!(said.err.contains("Run it? [y/N]") && said.err.contains("nothing was run"));
    let short = ["run", "tiny", "--set", "duration=1ms", "--force"];
    assert_eq!(call(&short).exit, Exit::Done);
}

#[test]
fn a_machine_is_compared_and_the_exit_code_says_how() {
    let (info, settings) =
        (zoneinfo("7.3-512-2-std", "zoneinfo"), zoneinfo("7.3-512-2-std", "sysctl"));
    let args = ["machine", "--zoneinfo", &info, "--sysctl", &settings];
    let text = good(&args);
    assert!(text.contains("Equal in all 10 zones."), "{text}");
    let report = json(&[&args[..], &["--json"]].concat());
    assert_eq!(report["equal"], true);
    let zone = &report["zones"][1];
    assert_eq!((zone["node"].as_u64(), zone["zone"].as_str()), (Some(0), Some("DMA32")));
    assert_eq!(zone["managed"], 49_049);
    assert_eq!((&zone["computed"]["low"], &zone["kernel"]["low"]), (&8608.into(), &8608.into()));
    assert_eq!(zone["computed"]["high_min"], 4304);
    assert_eq!(zone["pcp_high"], serde_json::json!([3065, 3065]));
    assert_eq!(zone["differs"], serde_json::json!([]));

    let altered = std::fs::read_to_string(&info).expect("readable").replace("8608", "8609");
    let path = scratch("altered.zoneinfo", &altered).to_string_lossy().into_owned();
    let said = call(&["machine", "--zoneinfo", &path, "--sysctl", &settings, "--json"]);
    assert_eq!(said.exit, Exit::Differs);
    let report: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(report["equal"], false);
    assert_eq!(report["zones"][1]["differs"], serde_json::json!(["low"]));
    assert_eq!(report["zones"][1]["kernel"]["low"], 8609);

    let said =
        good(&["machine", "--zoneinfo", &zoneinfo("7.3-e4-step-b-equal-rot0-thp", "zoneinfo")]);
    assert!(said.contains("the default with huge pages on"), "{said}");
}

#[test]
fn fifty_real_machines_are_equal() {
    let folder = root().join("tests/data/kernel/zoneinfo");
    let names = std::fs::read_dir(folder).expect("the zoneinfo files").filter_map(|entry| {
        let name = entry.expect("a readable folder").file_name().into_string().expect("a text");
        name.strip_suffix(".sysctl").map(str::to_owned)
    });
    let mut count = 0;
    for name in names {
        let (info, settings) = (zoneinfo(&name, "zoneinfo"), zoneinfo(&name, "sysctl"));
        let text = good(&["machine", "--zoneinfo", &info, "--sysctl", &settings]);
        assert_eq!(text.contains("stale"), name.starts_with("6.12-e"), "{name}");
        count += 1;
    }
    assert_eq!(count, 50);
}

#[test]
fn a_machine_that_cannot_be_read_is_named_with_its_line_and_the_rest_is_kept() {
    let (info, settings) =
        (zoneinfo("7.3-512-2-std", "zoneinfo"), zoneinfo("7.3-512-2-std", "sysctl"));
    let whole = std::fs::read_to_string(&info).expect("readable");
    let path = scratch("cut.zoneinfo", &whole[..whole.len() / 2]).to_string_lossy().into_owned();
    let said = call(&["machine", "--zoneinfo", &path, "--sysctl", &settings, "--json"]);
    assert_eq!(said.exit, Exit::Refused);
    assert!(said.err.contains("zoneinfo line"), "{}", said.err);
    assert!(said.err.contains("the text ends at line"), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).expect("JSON");
    assert!(report["zones"].as_array().expect("a list").len() >= 2, "whole zones are kept");
    assert_eq!(report["equal"], false);

    let path = scratch("none.zoneinfo", "hello\n").to_string_lossy().into_owned();
    assert!(refused(&["machine", "--zoneinfo", &path]).contains("no whole zone is in the text"));
    assert!(refused(&["machine", "--zoneinfo", "/missing/zoneinfo"]).contains("cannot be read"));
    let path = scratch("bad.sysctl", "vm.min_free_kbytes = many\n").to_string_lossy().into_owned();
    let said = call(&["machine", "--zoneinfo", &info, "--sysctl", &path]);
    assert_eq!(said.exit, Exit::Refused);
    assert!(said.err.contains("sysctl line 1"), "{}", said.err);
}

#[test]
fn usage_is_told_on_the_right_stream() {
    let said = call(&["--help"]);
    assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""));
    assert!(said.out.contains("sweep"));
    assert_eq!(call(&["--version"]).exit, Exit::Done);
    let said = call(&["run"]);
    assert_eq!((said.exit, said.out.as_str()), (Exit::Refused, ""));
    assert!(said.err.contains("<INPUT>"), "{}", said.err);
    assert_eq!(call(&["fly"]).exit, Exit::Refused);
}

/// A stream whose reader went away.
struct Closed;

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let mut err = Vec::new();
    let mut streams = Streams {
        stdin: &mut "".as_bytes(),
        stdout: &mut Closed,
        stderr: &mut err,
        interactive: false,
        progress: false,
    };
    let args = ["reclaimscope", "presets"].map(OsString::from);
    assert_eq!(main_with(args, &mut streams), Exit::Done);
    assert_eq!(err, b"");
}
