//! What a real kernel did beside a run of the same machine, and series that go out and come in.

use cli::Exit;
use scenario::observed::{Events, Samples};

use crate::cli::{call, good, json, refused, scratch};
use crate::tidy::root;

fn data(name: &str) -> String {
    let folder = root().join("tests/data/kernel/7.3/E6-pc-lrun-rate5000");
    folder.join(name).to_string_lossy().into_owned()
}

/// The machine and the load of the experiment, from its params.json.
fn same_machine() -> String {
    let text = r#"{"format": 1, "preset": "tiny", "flavour": "7.3", "thp": "off", "lru": "classic",
        "readers": 2, "rate": 2500, "bound": "on", "drives": 1, "drive_bandwidth": "3500",
        "warmup": "2s", "duration": "5s", "min_free_kbytes": "2719",
        "nodes_detail": [{"cpus": 4, "zones": [{"zone": "DMA", "managed": 3840},
        {"zone": "DMA32", "managed": 112687}]}]}"#;
    scratch("same-machine.json", text).to_string_lossy().into_owned()
}

#[test]
fn a_real_kernel_is_put_beside_the_same_machine() {
    let (machine, samples) = (same_machine(), data("vmstat.csv"));
    // Memory is full after 20 seconds of the experiment.
    let args = ["overlay", &machine, "--vmstat", &samples, "--shift", "-20000"];
    let said = call(&args);
    assert!(said.out.contains("SIMULATED") && said.err.is_empty(), "{} {}", said.out, said.err);
    let row = |name: &str| -> Vec<String> {
        let line = said.out.lines().find(|line| line.starts_with(name)).expect("a row");
        line.split_whitespace().map(str::to_owned).collect()
    };
    for name in ["pgscan_kswapd", "pgsteal_kswapd", "numa_hit"] {
        assert_eq!(row(name)[4], "agrees", "{:?}", row(name));
    }
    assert!(said.out.contains("not counted by the model: phase, ops_done"), "{}", said.out);
    let early = call(&["overlay", &machine, "--vmstat", &samples, "--json"]);
    assert_eq!(early.exit, Exit::Differs, "memory is not full yet");
    let early: serde_json::Value = serde_json::from_str(&early.out).expect("JSON");
    let rows = early["rows"].as_array().expect("rows");
    let scan = rows.iter().find(|row| row["name"] == "pgscan_kswapd").expect("a row");
    assert_eq!(scan["verdict"], "differs");
    let aligned = call(&[&args[..4], &["--align", "kswapd", "--json"]].concat());
    let aligned: serde_json::Value = serde_json::from_str(&aligned.out).expect("JSON");
    assert!(aligned["shift_ms"].as_f64().is_some_and(|ms| ms < -15_000.0), "{aligned}");
    let said = refused(&[&args[..4], &["--shift", "-90000"]].concat());
    assert!(said.contains("do not overlap the window"), "{said}");
}

#[test]
fn events_of_a_real_kernel_are_counted() {
    let text = std::fs::read_to_string(data("trace.txt")).expect("a trace");
    let events = Events::parse(&text).expect("events");
    assert_eq!(events.problems, []);
    assert!(events.times("mm_vmscan_kswapd_wake").count() > 5);
    let said = call(&["overlay", &same_machine(), "--trace", &data("trace.txt")]);
    assert!(said.out.contains("mm_vmscan_kswapd_wake"), "{}", said.out);
    let none = scratch("none.trace", "hello\n").to_string_lossy().into_owned();
    let said = refused(&["overlay", "tiny", "--trace", &none]);
    assert!(said.contains("none.trace`, line 1: no event is in the text"), "{said}");
}

#[test]
fn series_go_out_with_their_origin_and_come_in_again() {
    let args = ["series", "tiny", "--set", "duration=50ms"];
    let csv = good(&args);
    assert!(csv.starts_with("# SIMULATED with reclaimscope, model "), "{csv}");
    let read = Samples::parse(&csv, 1.0).expect("samples");
    assert_eq!(read.problems, []);
    let all = json(&[&args[..], &["--json"]].concat());
    let rows = all["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), read.t_ms.len());
    let columns = all["columns"].as_array().expect("columns");
    assert_eq!(columns.len(), read.names.len());
    let at = read.find("throughput").expect("a column");
    let last = read.column(at).last().expect("a row").1;
    assert_eq!(rows[rows.len() - 1]["values"][at], last);
    assert!(csv.contains(all["digest"].as_str().expect("a digest")));
    let svg = good(&[&args[..], &["--svg"]].concat());
    let digest = all["digest"].as_str().expect("a digest");
    for text in ["SIMULATED with reclaimscope", digest, "tiny: 1 node with 2 CPUs"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    assert_eq!(crate::schema::check("series", &all), Vec::<String>::new());
}

#[test]
fn rows_of_a_benchmark_are_put_beside_a_run() {
    let run = json(&["run", "tiny", "--json"]);
    let (rate, p99) = (&run["throughput"], &run["latency_us"]["p99"]);
    let text = format!("Hmean kB {} ( 0.00%)\nAmean p99 1.0 ( 0.00%) {p99} ( 0.00%)\n", {
        rate.as_f64().expect("a rate") / 1e3
    });
    let path = scratch("rows.mmtests", &text).to_string_lossy().into_owned();
    let said = call(&["overlay", "tiny", "--results", &path, "--json"]);
    assert_eq!((said.exit, said.err.as_str()), (Exit::Differs, ""));
    let rows: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let verdict = |rows: &serde_json::Value, name: &str| {
        let rows = rows["rows"].as_array().expect("rows").clone();
        rows.iter().find(|row| row["name"] == name).expect("a row")["verdict"].clone()
    };
    assert_eq!(verdict(&rows, "throughput"), "agrees");
    assert_eq!(verdict(&rows, "latency_p99_us"), "differs");
    let second = json(&["overlay", "tiny", "--results", &path, "--column", "2", "--json"]);
    assert_eq!(verdict(&second, "latency_p99_us"), "agrees");
    let said = refused(&["overlay", "tiny", "--results", &path, "--column", "3"]);
    assert!(said.contains("no row has a column 3"), "{said}");
}
