//! Experiments in which real kernels swapped out step by step, against the slot allocators.

use std::fs;

use lab::kernel::{Experiment, Figure, Files, Judged, Line, Verdict};
use mm::swap::{DeviceConfig, Request, Slot, Swap, SwapConfig};
use serde_json::{Value, json};

use crate::tidy::root;

/// The texts of a folder.
#[derive(Clone)]
struct Folder {
    params: Value,
    summary: Option<Value>,
    runs: String,
}

impl Folder {
    fn open(name: &str) -> Self {
        let folder = root().join("tests/data/kernel").join(name);
        let file = |name: &str| fs::read_to_string(folder.join(name)).expect("a file of the data");
        let json = |name: &str| serde_json::from_str(&file(name)).expect("JSON");
        Self {
            params: json("params.json"),
            summary: Some(json("summary.json")),
            runs: file("swap_runs.csv"),
        }
    }

    fn read(&self) -> Result<Experiment, String> {
        let summary = self.summary.as_ref().map(Value::to_string);
        let files = Files {
            params: &self.params.to_string(),
            summary: summary.as_deref(),
            swap_runs: Some(&self.runs),
            ..Files::default()
        };
        Experiment::read(&files).map_err(|problems| problems[0].to_string())
    }

    fn judge(&self) -> Judged {
        self.read().expect("readable").judge()
    }

    /// The same with other arguments of the workload.
    fn with_arguments(mut self, arguments: &[&str]) -> Self {
        self.params["gt_args"] = json!(arguments);
        self
    }

    /// The same with devices of these pages and priorities, of which nothing is known afterwards.
    fn with_devices(mut self, devices: &[(u64, i64)]) -> Self {
        let line = |(i, &(pages, priority)): (usize, &(u64, i64))| {
            format!("/dev/vd{} partition {} 0 {priority}", char::from(b'b' + i as u8), pages * 4)
        };
        let lines: Vec<String> = devices.iter().enumerate().map(line).collect();
        self.params["swaps_before"] = json!(lines);
        self.summary = None;
        self
    }
}

fn names() -> Vec<String> {
    let mut names = Vec::new();
    for kernel in ["6.12", "7.3"] {
        let folder = root().join("tests/data/kernel").join(kernel);
        for entry in fs::read_dir(folder).expect("the kernel's folder") {
            let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
            if name.starts_with("E4-") {
                names.push(format!("{kernel}/{name}"));
            }
        }
    }
    names.sort();
    names
}

/// Lines of rules 11 to 13.
fn swap_lines(judged: &Judged) -> Vec<&Line> {
    judged.lines.iter().filter(|line| (11..=13).contains(&line.rule)).collect()
}

/// The model's words of the line about all runs.
fn model(judged: &Judged) -> &str {
    let lines = swap_lines(judged);
    let line = lines.into_iter().find(|line| line.fact.starts_with("pages in a row"));
    match line.map(|line| &line.model) {
        Some(Figure::Words(words)) => words,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_page_of_every_experiment_goes_where_the_kernel_put_it() {
    let names = names();
    assert_eq!(names.len(), 26);
    for name in &names {
        let judged = Folder::open(name).judge();
        let lines = swap_lines(&judged);
        assert!(lines.iter().all(|line| line.verdict == Verdict::Ok), "{name}: {lines:#?}");
        let rules: Vec<u32> = lines.iter().map(|line| line.rule).collect();
        let has = |rule| rules.contains(&rule);
        assert_eq!(
            has(11),
            name.contains("-a-") || name.contains("-c-") || name.contains("6.12/E4-step-d")
        );
        assert_eq!(has(12), !name.contains("-a-") && !name.contains("6.12/E4-step-d"));
        assert_eq!(has(13), name.contains("-d-"), "{name}");
        assert!(lines.len() >= 4, "{name}: runs, devices, lengths and growth: {lines:#?}");
    }
}

#[test]
fn a_flag_that_was_written_at_another_moment_is_found_out_and_said() {
    let said = |name: &str| {
        let notes = Folder::open(name).judge().notes;
        notes.iter().any(|note| note.starts_with("params.json says that the swap devices turn"))
    };
    for kernel in ["6.12", "7.3"] {
        for (name, expected) in
            [("rot0-burst", true), ("rot0-thp", kernel == "6.12"), ("rot1-cpu1", false)]
        {
            assert_eq!(
                said(&format!("{kernel}/E4-step-b-equal-{name}")),
                expected,
                "{kernel} {name}"
            );
        }
    }
    // The wrong kind of device is not taken for a kernel that does neither.
    let mut folder = Folder::open("6.12/E4-step-b-equal-rot1-cpu1");
    folder.params["kernel"] = json!("7.3.4");
    let judged = folder.judge();
    assert!(swap_lines(&judged).iter().any(|line| line.verdict == Verdict::Miss));
    assert!(judged.notes.iter().all(|note| !note.contains("swap devices")), "{:?}", judged.notes);
}

#[test]
fn every_figure_can_miss() {
    let open = || Folder::open("7.3/E4-step-c-tiers-rot0-cpu1");
    let missed = |folder: &Folder| -> Vec<String> {
        let judged = folder.judge();
        let lines = swap_lines(&judged).into_iter().filter(|line| line.verdict == Verdict::Miss);
        lines.map(|line| line.fact.clone()).collect()
    };
    assert_eq!(missed(&open()), [""; 0]);
    let runs = |from: &str, to: &str| {
        let mut folder = open();
        assert!(folder.runs.contains(from), "{from}");
        folder.runs = folder.runs.replacen(from, to, 1);
        missed(&folder)
    };
    let all = "pages in a row: devices, lengths, steps and CPUs of all runs";
    assert_eq!(runs("vdb,512,1533", "vdb,512,1534"), [all]);
    assert_eq!(runs("vdb,512,1533,0", "vdb,512,1533,1"), [all]);
    // A page on the third device while the first ones have room.
    let early = "pages on a device while one of higher priority had room";
    assert_eq!(runs("vdb,512,1533", "vdd,512,1533"), [early, all]);
    assert_eq!(runs("vdb,512,1533", "vdb,511,1533"), [early, all], "the first is never full");
    assert_eq!(runs("vdf,5636,38399,0\n", ""), [all], "a table that ends early");
    let summary = |path: &[&str], value: u64| {
        let mut folder = open();
        let mut place = folder.summary.as_mut().expect("a summary");
        for key in path {
            place = &mut place[*key];
        }
        *place = json!(value);
        missed(&folder)
    };
    let used = "used pages of each device at the end";
    assert_eq!(summary(&["pageout", "final_used_pages", "vdc"], 8_190), [used]);
    assert_eq!(summary(&["pageout", "n_runs"], 66), ["runs, and how long"]);
    assert_eq!(summary(&["pageout", "run_length_hist", "511"], 5), ["runs, and how long"]);
    let growth = "by how much used pages grow";
    assert_eq!(summary(&["pageout", "counter_increment_hist", "1"], 38_399), [growth]);
    // All priorities by default, which this kernel gives otherwise.
    let mut folder = Folder::open("7.3/E4-step-d-default-rot0-cpu1");
    folder.params["swaps_before"][1] = json!("/dev/vdc partition 32764 0 -2");
    assert!(missed(&folder).contains(&"default priorities, in the order of swapon".to_owned()));
}

#[test]
fn folders_that_were_never_seen_are_run_too() {
    // Two tiers in huge pages: 15 clusters of each device are whole; then huge pages are split, the
    // rest of both goes, and the lower tier begins.
    let tiers = [(8_191, 10), (8_191, 10), (8_191, 5)];
    for kernel in ["7.3", "6.12"] {
        let folder = Folder::open(&format!("{kernel}/E4-step-b-equal-rot0-thp"))
            .with_arguments(&["mode=pageout", "size=80M", "step=512", "turncpus=0", "thp=1"])
            .with_devices(&tiers);
        let mut folder = folder;
        folder.params["rotational"] = json!("0");
        folder.runs = "device,pages,last_step,cpu_at_first_page\n".into();
        for step in 0..30 {
            let device = ["vdb", "vdc"][step % 2];
            folder.runs.push_str(&format!("{device},512,{step},0\n"));
        }
        // What is split is shown with the device of its last page: cut before it.
        folder.runs.push_str("# TRIMMED\n");
        let judged = folder.judge();
        let lines = swap_lines(&judged);
        assert!(lines.iter().all(|line| line.verdict == Verdict::Ok), "{kernel}: {lines:#?}");
    }
    // Devices of other sizes on a later kernel, three CPUs of which one has two turns.
    let mut folder = Folder::open("7.3/E4-step-b-equal-rot0-cpu4")
        .with_arguments(&["mode=pageout", "size=4M", "step=1", "turncpus=5,7,5,2", "burst=1"])
        .with_devices(&[(2_047, 3), (1_000, 3)]);
    folder.params["kernel"] = json!("8.1.0");
    folder.runs =
        "device,pages,last_step,cpu_at_first_page\nvdb,1,0,5\nvdc,1,1,7\nvdb,2,3,5\n".into();
    folder.runs.push_str("vdb,1,4,5\n");
    let judged = folder.judge();
    assert!(model(&judged).starts_with("run 3: vdb 3 to step 4"), "{}", model(&judged));
    let note = judged.notes.iter().any(|note| note.contains("rules of 7.3"));
    assert!(note, "{:?}", judged.notes);
}

#[test]
fn what_the_allocators_cannot_run_is_listed_with_the_reason() {
    let reasons = |folder: &Folder| {
        let judged = folder.judge();
        let reason = |line: &&Line| match &line.verdict {
            Verdict::NotModelled(reason) => reason.clone(),
            verdict => panic!("{verdict:?}"),
        };
        let reasons: Vec<String> = swap_lines(&judged).iter().map(reason).collect();
        assert!(!reasons.is_empty());
        reasons[0].clone()
    };
    let open = || Folder::open("7.3/E4-step-b-equal-rot0-cpu1");
    let arguments = |all: &[&str]| reasons(&open().with_arguments(all));
    assert!(arguments(&["mode=pageout", "threads=3"]).contains("several tasks"));
    assert!(arguments(&["mode=pageout", "size=1T"]).contains("pages"));
    assert!(arguments(&["mode=pageout", "cg=/x"]).contains("cgroup"));
    assert!(arguments(&["mode=pageout", "colour=red"]).contains("`colour`"));
    let many = [(1_000, 1); 17];
    assert!(reasons(&open().with_devices(&many)).contains("16 swap devices"));
    let huge = [(1 << 30, 1), (5, 1)];
    assert!(reasons(&open().with_devices(&huge)).contains("pages of swap"));
    let mut used = open();
    used.params["swaps_before"][0] = json!("/dev/vdb partition 32764 400 10");
    assert!(reasons(&used).contains("in use"));
}

#[test]
fn broken_tables_and_devices_are_errors_with_their_place() {
    let open = || Folder::open("7.3/E4-step-b-equal-rot0-cpu4");
    let said = |folder: &Folder| folder.read().expect_err("an error");
    let mut folder = open();
    folder.runs = folder.runs.replacen("vdb,1,4,0", "vdb,many,4,0", 1);
    assert_eq!(said(&folder), "swap_runs.csv line 6: `many` is no whole number");
    for line in
        ["/dev/vdb partition 32764 0", "/dev/vdb partition x 0 10", "/dev/vdb partition 4 0 1e9"]
    {
        let mut folder = open();
        folder.params["swaps_before"][0] = json!(line);
        assert!(said(&folder).starts_with("params.json, swaps_before[0]: "), "{line}");
    }
    let mut folder = open();
    folder.summary.as_mut().expect("a summary")["pageout"]["run_length_hist"] = json!({"x": 1});
    assert!(said(&folder).starts_with("summary.json, pageout, run_length_hist: "));
    // Whatever digit is changed, nothing panics.
    let whole = open();
    let digits: Vec<usize> =
        whole.runs.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    for at in digits.iter().step_by(97) {
        let mut folder = open();
        folder.runs.replace_range(*at..at + 1, "99999999999");
        let _ = folder.read().map(|experiment| experiment.judge());
    }
}

/// What the steps of an experiment leave used after the task's exit: slots that only wait in the
/// caches of CPUs.
fn used_after_exit(folder: &Folder, turning: bool, written: bool) -> Vec<u64> {
    let argument = |key: &str, default: &str| {
        let all = folder.params["gt_args"].as_array().expect("arguments");
        let value = all.iter().find_map(|a| a.as_str()?.strip_prefix(key)?.strip_prefix('='));
        value.unwrap_or(default).to_owned()
    };
    let size: u64 = argument("size", "").trim_end_matches('M').parse().expect("MiB");
    let step: u64 = argument("step", "1").parse().expect("pages");
    let turns: Vec<u32> =
        argument("turncpus", "0").split(',').map(|cpu| cpu.parse().expect("a CPU")).collect();
    let mut config = SwapConfig::new(catalog::AllocatorId::SlotCache, 4);
    config.priorities_descend = true;
    let mut swap = Swap::new(config).expect("no tiers");
    for line in folder.params["swaps_before"].as_array().expect("devices") {
        let words: Vec<&str> = line.as_str().expect("a line").split_whitespace().collect();
        let slots = words[2].parse::<u32>().expect("KiB") / 4 + 1;
        let priority = words[4].parse::<i16>().ok().filter(|&priority| priority >= 0);
        let device = DeviceConfig::new(slots);
        let device = DeviceConfig { priority, rotational: turning, ..device };
        swap.swapon(device).expect("a device");
    }
    let order = if argument("thp", "0") == "1" { 9 } else { 0 };
    let mut slots = Vec::new();
    for page in (0..size * 256).step_by(1 << order) {
        let cpu = turns[(page / step) as usize % turns.len()];
        let request = Request { order, ..Request::page(cpu) };
        slots.push(swap.alloc(request, &mut Vec::new()).expect("room"));
    }
    // Pages that a synchronous device has written have left the swap cache: their slots go in runs,
    // past the caches. Those of other devices are still in it, and go one by one.
    let next = |a: &Slot, b: &Slot| {
        let same_cluster = a.offset() / 512 == b.offset() / 512;
        let behind = a.device() == b.device() && a.offset() + 1 == b.offset();
        written && behind && same_cluster
    };
    for run in slots.chunk_by(next) {
        swap.free(run[0], (run.len() as u32) << order, 0, &mut Vec::new());
    }
    assert_eq!(swap.check(), Ok(()));
    swap.on().iter().map(|&d| swap.device(d).map_or(0, |d| d.used().into())).collect()
}

#[test]
fn what_stays_used_after_the_exit_waits_in_slot_caches() {
    for name in names().iter().filter(|name| name.starts_with("6.12/")) {
        let folder = Folder::open(name);
        let after = folder.summary.as_ref().expect("a summary")["swaps_after"].clone();
        let used = |line: &Value| {
            let word = line.as_str().expect("a line").split_whitespace().nth(3).map(str::parse);
            word.expect("five words").map_or(0, |kib: u64| kib / 4)
        };
        let kernel: Vec<u64> = after.as_array().expect("devices").iter().map(used).collect();
        let model = used_after_exit(&folder, name.contains("rot1"), name.contains("zram"));
        assert_eq!(model, kernel, "{name}");
    }
}
