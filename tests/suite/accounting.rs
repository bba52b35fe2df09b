//! What reports say adds up, and degenerate cases are equalities.

use lab::{Progress, Run};
use mm::{Machine, Observer};
use report::Report;
use scenario::Scenario;
use units::{SimDuration, SimTime};

fn run(preset: &str, settings: &[(&str, &str)]) -> Report {
    let mut scenario = Scenario::preset(preset).expect("a preset");
    for (key, value) in settings {
        scenario.set_text(key, value).expect("a valid setting");
    }
    lab::run(&scenario).expect("a valid scenario")
}

/// lumpkin2018 in short: enough for a full cycle of kswapd.
const SHORT: [(&str, &str); 3] = [("warmup", "50ms"), ("duration", "300ms"), ("readers", "60")];

#[test]
fn every_workers_time_is_the_window_to_the_nanosecond() {
    let mut settings = SHORT.to_vec();
    settings.push(("kswapds", "4"));
    let report = run("lumpkin2018", &settings);
    assert_eq!(report.workers.len(), 8);
    let mut worked = 0;
    for worker in &report.workers {
        assert_eq!(worker.nanos.values().sum::<u64>(), 300_000_000, "{}", worker.name);
        assert_eq!(worker.nanos.len(), report::view::WorkerState::ALL.len());
        worked += worker.nanos["page_work"];
    }
    assert!(worked > 0, "nobody worked");
}

#[test]
fn cpu_time_by_use_is_all_cpu_time() {
    let report = run("lumpkin2018", &SHORT);
    let sum: f64 = report.cpu_s.values().sum();
    assert!((sum - 104.0 * 0.3).abs() < 1e-6, "{sum}");
}

#[test]
fn pages_scanned_by_workers_are_the_counters() {
    let mut settings = SHORT.to_vec();
    settings.push(("kswapds", "2"));
    let report = run("lumpkin2018", &settings);
    let scanned: u64 = report.workers.iter().map(|w| w.pgscan).sum();
    assert_eq!(scanned, report.vmstat["pgscan_kswapd"]);
    assert!(scanned > 0);
    let stolen = report.vmstat["pgsteal_kswapd"] + report.vmstat["pgsteal_direct"];
    // Clean pages that nobody maps: everything scanned is freed, give or take slices under way.
    let all = scanned + report.vmstat["pgscan_direct"];
    assert!(all.abs_diff(stolen) < 32 * 100, "{all} scanned, {stolen} freed");
}

#[test]
fn one_worker_is_the_same_under_any_policy() {
    let single = run("tiny", &[("policy", "single"), ("readers", "3")]);
    assert!(single.vmstat["pageoutrun"] > 0, "kswapd never ran");
    for policy in catalog::policies::CHOICES {
        for counting in catalog::policies::COUNTING {
            let settings =
                [("policy", policy.name), ("policy_counting", counting.name), ("readers", "3")];
            let other = run("tiny", &settings);
            assert_eq!(single.digest, other.digest, "{} {}", policy.name, counting.name);
            let fixed = [&settings[..], &[("multi_kswapd", "fixed")]].concat();
            assert_eq!(single.digest, run("tiny", &fixed).digest, "{}, fixed", policy.name);
        }
    }
}

#[test]
fn policies_are_careful_where_they_say_so() {
    // 8 workers on nodes of 52 threads with 45 readers each, most of them in I/O or direct reclaim.
    let woken = |policy: &'static str, counting: &'static str| {
        let mut settings = vec![("warmup", "0s"), ("duration", "1s"), ("readers", "90")];
        settings.push(("kswapds", "8"));
        settings.push(("policy", policy));
        settings.push(("policy_counting", counting));
        run("lumpkin2018", &settings).wakeups[0].clone()
    };
    let all = woken("all", "fixed");
    let share = woken("runnable", "fixed");
    assert!(all.decisions > 0 && share.decisions > 0);
    assert!((all.mean_target - 8.0).abs() < 1e-9);
    assert!(share.mean_target < 8.0, "{}", share.mean_target);
    // Counted literally, a number that stays the same wakes more and more.
    let (fixed, literal) = (woken("deficit", "fixed"), woken("deficit", "literal"));
    assert!(literal.woke > fixed.woke, "{literal:?} {fixed:?}");
}

#[test]
fn a_hopeless_node_is_revived_by_progress() {
    // High lies above what can be reclaimed, so kswapd fails until it gives up.
    let settings =
        [("min_free_kbytes", "512"), ("watermark_scale_factor", "3000"), ("flavour", "6.12")];
    let report = run("tiny", &settings);
    let runs = report.vmstat["pageoutrun"];
    assert!(report.vmstat["allocstall_normal"] > 0, "nobody reclaims directly");
    assert!(runs > 40, "kswapd ran {runs} times and was never woken again");
}

#[test]
fn memory_of_another_node_is_slower_to_read() {
    // One reader whose node is full of pages that others use up spills to the other node.
    let far = |distance: &'static str| {
        let machine = [("nodes", "2"), ("cpus", "2"), ("memory", "64MiB"), ("readers", "2")];
        let load = [("drive_bandwidth", "20000"), ("drive_latency", "0"), ("distance", distance)];
        let run_for = [("start", "empty"), ("duration", "20ms"), ("lru", "mglru")];
        let all: Vec<_> = machine.into_iter().chain(load).chain(run_for).collect();
        run("tiny", &all)
    };
    let (near, remote) = (far("11"), far("200"));
    assert!(near.throughput >= remote.throughput, "{} {}", near.throughput, remote.throughput);
}

#[test]
fn more_workers_never_run_under_the_policy_single() {
    let one = run("tiny", &[("policy", "single"), ("duration", "100ms")]);
    let eight = run("tiny", &[("policy", "single"), ("kswapds", "8"), ("duration", "100ms")]);
    assert_eq!(one.vmstat, eight.vmstat);
    for worker in &eight.workers[1..] {
        assert_eq!(worker.nanos["asleep"], 100_000_000, "{}", worker.name);
    }
}

#[test]
fn one_partition_is_the_same_however_pages_are_placed() {
    let base = run("tiny", &[("readers", "3"), ("kswapds", "2")]);
    for placement in ["cpu", "batch", "page"] {
        for steal in ["on", "off"] {
            let settings =
                [("readers", "3"), ("kswapds", "2"), ("placement", placement), ("steal", steal)];
            assert_eq!(run("tiny", &settings).digest, base.digest, "{placement} {steal}");
        }
    }
    assert_eq!(base.vmstat["lru_order_error"], 0);
    assert!(base.vmstat["lru_order_slices"] > 0);
}

#[test]
fn partitions_relieve_the_lock_and_cost_order() {
    let with = |partitions: &'static str, placement: &'static str| {
        let mut settings = SHORT.to_vec();
        settings.push(("kswapds", "4"));
        settings.push(("lru_partitions", partitions));
        settings.push(("placement", placement));
        run("lumpkin2018", &settings)
    };
    let (one, four) = (with("1", "cpu"), with("4", "cpu"));
    let wait = |r: &Report| -> f64 {
        r.locks.iter().filter(|l| l.name.contains("lru_lock")).map(|l| l.wait_s).sum()
    };
    assert!(wait(&four) < wait(&one) / 4.0, "{} {}", wait(&four), wait(&one));
    assert_eq!(one.vmstat["lru_order_error"], 0);
    assert!(four.vmstat["lru_order_error"] > 0);
    // Page by page, a batch of 15 takes four locks instead of one.
    let passages = |r: &Report| -> u64 {
        r.locks.iter().filter(|l| l.name.contains("lru_lock")).map(|l| l.acquisitions).sum()
    };
    let page = with("4", "page");
    assert!(passages(&page) as f64 > passages(&four) as f64 * 1.5);
}

#[test]
fn memory_that_is_never_short_is_never_reclaimed() {
    let settings = [("start", "empty"), ("warmup", "0s"), ("duration", "200ms"), ("readers", "90")];
    let report = run("lumpkin2018", &settings);
    for counter in ["pgscan_kswapd", "pgscan_direct", "allocstall_normal", "pageoutrun"] {
        assert_eq!(report.vmstat[counter], 0, "{counter}");
    }
    assert!(report.throughput > 1e9);
}

#[test]
fn a_full_start_agrees_with_filling_memory_the_long_way() {
    let machine = [("nodes", "2"), ("cpus", "8"), ("memory", "64MiB"), ("readers", "8")];
    let drives = [("drives", "4"), ("drive_bandwidth", "500")];
    let common = |extra: [(&'static str, &'static str); 3]| {
        let all: Vec<_> = machine.into_iter().chain(drives).chain(extra).collect();
        run("tiny", &all)
    };
    // 128 MiB at some 2 GB/s is full after 70 ms.
    let long = common([("start", "empty"), ("warmup", "300ms"), ("duration", "2s")]);
    let full = common([("start", "full"), ("warmup", "20ms"), ("duration", "2s")]);
    let close = |a: f64, b: f64, within: f64| (a / b - 1.0).abs() < within;
    assert!(
        close(long.throughput, full.throughput, 0.02),
        "{} {}",
        long.throughput,
        full.throughput
    );
    let scanned = |r: &Report| (r.vmstat["pgscan_kswapd"] + r.vmstat["pgscan_direct"]) as f64;
    assert!(close(scanned(&long), scanned(&full), 0.03), "{} {}", scanned(&long), scanned(&full));
    assert!(close(long.kswapd_cpu_s, full.kswapd_cpu_s, 0.10));
}

/// How many pages each call of direct reclaim freed.
#[derive(Default)]
struct Calls(Vec<u64>);

impl Observer for Calls {
    fn direct_reclaim(&mut self, _: SimTime, _: SimDuration, nr_reclaimed: u64) {
        self.0.push(nr_reclaimed);
    }
}

#[test]
fn one_direct_reclaim_takes_the_whole_quota_of_every_node_that_it_may_use() {
    // Rule: inactive >> 12 of each node at the first priority, whatever was freed before.
    for (bound, nodes) in [("off", 2.0), ("on", 1.0)] {
        let mut scenario = Scenario::preset("lumpkin2018").expect("a preset");
        scenario.set_text("readers", "90").expect("a valid setting");
        scenario.set_text("bound", bound).expect("a valid setting");
        let mut machine = Machine::new(lab::lower(&scenario).expect("a valid scenario"));
        let mut calls = Calls::default();
        let end = SimTime::ZERO + SimDuration::from_millis(1_500);
        mm::advance(&mut machine, &mut calls, end, u64::MAX);
        assert!(calls.0.len() > 50, "{} calls", calls.0.len());
        let mean = calls.0.iter().sum::<u64>() as f64 / calls.0.len() as f64;
        let quota = (machine.file_pages(1).0 >> 12) as f64 * nodes;
        assert!((mean / quota - 1.0).abs() < 0.03, "{mean} pages a call, quota {quota}");
    }
}

#[test]
fn every_sample_row_covers_about_the_same_time() {
    for (preset, duration) in [("tiny", "1s"), ("tiny", "70ms"), ("lumpkin2018", "100ms")] {
        let mut scenario = Scenario::preset(preset).expect("a preset");
        scenario.set_text("warmup", "0s").expect("a valid setting");
        scenario.set_text("duration", duration).expect("a valid setting");
        let mut run = Run::prepare(&scenario).expect("a valid scenario");
        while run.advance(u64::MAX) == Progress::Running {}
        let times: Vec<u64> = run.take_rows().into_iter().map(|(time, _)| time).collect();
        let step = times[0];
        assert_eq!(times.last(), Some(&run.time_ns()), "{preset} {duration}");
        for pair in times.windows(2) {
            let covered = pair[1] - pair[0];
            assert!(
                (step / 2..=step).contains(&covered),
                "{preset} {duration}: {covered} of {step}"
            );
        }
    }
}

#[test]
fn a_run_reports_while_it_runs() {
    let scenario = Scenario::preset("tiny").expect("a preset");
    let mut run = Run::prepare(&scenario).expect("a valid scenario");
    assert_eq!(run.advance(10), Progress::Running);
    let report = run.report();
    assert_eq!(report.stopped, "running");
    assert_eq!(run.view().nodes.len(), run.header().nodes.len());
}

#[test]
fn pressure_is_none_without_reclaim_and_the_systems_is_that_of_one_node() {
    let quiet = run("tiny", &[("start", "empty"), ("memory", "1GiB"), ("duration", "3s")]);
    assert_eq!(quiet.vmstat["pageoutrun"], 0);
    for pressure in &quiet.pressure {
        assert_eq!((pressure.some.total_us, pressure.full.total_us), (0, 0), "{}", pressure.of);
    }
    let busy = run("tiny", &[("readers", "6"), ("duration", "5s")]);
    let names: Vec<&str> = busy.pressure.iter().map(|p| p.of.as_str()).collect();
    assert_eq!(names, ["system", "node0"]);
    let (system, node) = (&busy.pressure[0], &busy.pressure[1]);
    assert_eq!((system.some, system.full), (node.some, node.full));
    assert!(system.some.total_us > 10_000, "{system:?}");
    assert!(system.full.total_us <= system.some.total_us);
    // Averages over 10 s have come closer to the share than those over 300 s.
    assert!(system.some.avg10 > 10.0 * system.some.avg300, "{system:?}");
    let share = system.some.total_us as f64 / 5e6 * 100.0;
    assert!(system.some.avg10 < share, "{system:?}: they begin at 0");
}

#[test]
fn the_timelines_pressure_adds_up_to_about_the_total() {
    let mut scenario = Scenario::preset("tiny").expect("a preset");
    scenario.set_text("readers", "6").expect("a valid setting");
    let mut run = Run::prepare(&scenario).expect("a valid scenario");
    while run.advance(u64::MAX) == Progress::Running {}
    let header = run.header();
    let at = |key: &str| header.columns.iter().position(|c| c.key == key).expect("a column");
    let (some, full) = (at("psi.some"), at("node0.psi.full"));
    let rows = run.take_rows();
    let mut before = 0;
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for (time, row) in &rows {
        sum += row[some] / 100.0 * (time - before) as f64 / 1e3;
        worst = worst.max(row[full]);
        before = *time;
    }
    assert!(worst <= 100.0);
    // The weights are those of an interval: of a sample here, of the whole second there.
    let total = run.report().pressure[0].some.total_us as f64;
    assert!((sum / total - 1.0).abs() < 0.3, "{sum} {total}");
}

#[test]
fn a_node_in_parts_has_the_same_memory_and_cpus_and_relieves_the_lock_without_a_patch() {
    let with = |parts: &'static str| {
        let mut settings = SHORT.to_vec();
        settings.extend([("kswapds", "2"), ("fake_numa", parts)]);
        run("lumpkin2018", &settings)
    };
    let (whole, cut) = (with("1"), with("4"));
    assert_eq!((whole.nodes.len(), cut.nodes.len()), (2, 8));
    let cpus = |r: &Report| -> u32 { r.nodes.iter().map(|n| n.cpus).sum() };
    assert_eq!((cpus(&whole), cpus(&cut)), (104, 104));
    let managed = |r: &Report, kind: &str| -> u64 {
        let zones = r.nodes.iter().flat_map(|n| &n.zones);
        zones.filter(|z| z.zone == kind).map(|z| z.managed).sum()
    };
    for kind in ["DMA", "DMA32", "Normal"] {
        assert_eq!(managed(&whole, kind), managed(&cut, kind), "{kind}");
    }
    let wait = |r: &Report| -> f64 {
        r.locks.iter().filter(|l| l.name.contains("lru_lock")).map(|l| l.wait_s).sum()
    };
    assert!(wait(&cut) < wait(&whole) / 2.0, "{} {}", wait(&cut), wait(&whole));
    let mut scenario = Scenario::preset("lumpkin2018").expect("a preset");
    scenario.set_text("fake_numa", "5").expect("within its own bounds");
    let problems = lab::run(&scenario).expect_err("ten nodes");
    let said = problems[0].to_string();
    assert!(said.contains("2 nodes of 5 parts are 10; a machine has at most 8"), "{said}");
}
