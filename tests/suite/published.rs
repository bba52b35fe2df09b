//! The model beside published measurements: tolerances, shapes, directions.
//!
//! Windows are short here (1 s of warm-up and 3 s), and loads few; `RECLAIMSCOPE_SOAK=1` takes the
//! whole table at its own length. `reclaimscope validate` prints it.

use lab::validate::orderings::{self, check, orderings, to_csv};
use lab::validate::predict::predict;
use lab::validate::{Line, Outcome, Plan, Table, Validation, Verdict, Window, summary};
use std::sync::OnceLock;

const CALIBRATION: &str = include_str!("../data/published/calibration.csv");
const INDEX: &str = include_str!("../data/published/blind-index.csv");
const ORDERINGS: &str = include_str!("../data/orderings.csv");

const THROUGHPUT: &str = "read throughput (iostat total)";
const DIRECT: &str = "pgscan_direct in stage";
const KSWAPD: &str = "pgscan_kswapd in stage";

/// Sets, and the loads that every run of the suite takes of each.
const SHORT: [(&str, &[u32]); 3] =
    [("D01b", &[6, 28, 58, 90]), ("D01c", &[16, 22, 34, 58, 90]), ("D01d", &[16, 34, 58])];

fn window(duration_s: i64) -> Option<Window> {
    let second = 1_000_000_000;
    Some(Window { warmup_ns: second, duration_ns: duration_s * second })
}

fn whole() -> Table {
    Table::parse(CALIBRATION, true).expect("the committed table")
}

/// The lines of the table that some loads of some sets are on, under their own heading.
fn part() -> Table {
    let mut table = whole();
    table.rows.retain(|row| {
        let wanted = |(set, loads): &(&str, &[u32])| {
            row.id == *set && row.x().is_some_and(|x| loads.contains(&x))
        };
        SHORT.iter().any(wanted)
    });
    table
}

/// The comparison of this run of the suite: short, or whole.
fn comparison() -> &'static Validation {
    static ONCE: OnceLock<Validation> = OnceLock::new();
    ONCE.get_or_init(|| {
        if soak() {
            Plan::new(&whole(), &[], 1, None).expect("a plan").compare().expect("it runs")
        } else {
            Plan::new(&part(), &[], 1, window(3)).expect("a plan").compare().expect("it runs")
        }
    })
}

fn soak() -> bool {
    std::env::var_os("RECLAIMSCOPE_SOAK").is_some()
}

fn line(set: &str, metric: &str, readers: u32) -> &'static Line {
    let found = comparison().lines.iter().find(|line| {
        line.row.id == set && line.row.metric == metric && line.row.x() == Some(readers)
    });
    found.unwrap_or_else(|| panic!("{set} has no {metric} at {readers}"))
}

fn model(set: &str, metric: &str, readers: u32) -> f64 {
    line(set, metric, readers).model().expect("a modelled row")
}

/// Share of the pages scanned that direct reclaim scanned.
fn direct_share(set: &str, readers: u32) -> f64 {
    let (kswapd, direct) = (model(set, KSWAPD, readers), model(set, DIRECT, readers));
    direct / (kswapd + direct)
}

/// CPU of all kswapds in microseconds a page that they scanned; the workers of a node are alike.
fn cpu_a_page(set: &str, workers: f64, readers: u32) -> f64 {
    let first: f64 =
        ["kswapd0 cpu", "kswapd1 cpu"].map(|node| model(set, node, readers)).iter().sum();
    let seconds = first / 100.0 * workers * lab::validate::COUNTERS_S;
    seconds * 1e6 / model(set, KSWAPD, readers)
}

#[test]
fn every_published_row_is_modelled_or_has_a_reason() {
    for (text, values) in [(CALIBRATION, true), (INDEX, false)] {
        let table = Table::parse(text, values).expect("the committed table");
        let plan = Plan::new(&table, &[], 1, None).expect("a plan");
        let reasons: Vec<_> = plan.reasons().collect();
        assert_eq!(reasons.len(), table.rows.len());
        for (row, reason) in reasons {
            let Some(reason) = reason else { continue };
            assert!(reason.ends_with('.') && reason.len() > 20, "{}: {reason}", row.id);
            assert!(!reason.contains("No rule"), "{reason}");
        }
    }
}

#[test]
fn the_experiments_of_this_version_are_those_of_the_folder() {
    let data = crate::tidy::root().join("tests/data/kernel");
    let mut found = Vec::new();
    for kernel in ["6.12", "7.3"] {
        for folder in std::fs::read_dir(data.join(kernel)).expect("a folder") {
            let folder = folder.expect("an entry");
            if folder.path().join("params.json").is_file() {
                found.push(format!("{kernel}/{}", folder.file_name().display()));
            }
        }
    }
    found.sort();
    let known: Vec<&str> = lab::validate::EXPERIMENTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(known, found, "crates/lab/src/validate/collection.rs lists them");
    for (name, files) in lab::validate::EXPERIMENTS {
        let there = |file: &str| data.join(name).join(file).is_file();
        let tables = [
            ("nodes.csv", files.nodes),
            ("swap_runs.csv", files.swap_runs),
            ("swaps.csv", files.swaps),
            ("memcg.csv", files.memcg),
        ];
        for (file, text) in tables {
            assert_eq!(text.is_some(), there(file), "{name}/{file}");
        }
    }
}

#[test]
fn directions_are_made_from_the_published_figures_alone() {
    let made = to_csv(&orderings(&whole().rows));
    assert!(made.lines().count() > 1_000);
    let same = made == ORDERINGS;
    assert!(
        same,
        "run: cargo run -p reclaimscope-lab --example orderings > tests/data/orderings.csv"
    );
}

#[test]
fn throughput_without_shadow_entries_is_within_its_tolerance_in_every_row() {
    let wanted = |line: &&Line| {
        line.row.metric == THROUGHPUT && ["D01b", "D01c", "D01d"].contains(&line.row.id.as_str())
    };
    let rows = comparison().lines.iter().filter(wanted);
    let mut judged = 0;
    for line in rows {
        let Outcome::Modelled { verdict, asked, .. } = &line.outcome else { continue };
        let (row, ratio) = (&line.row, line.ratio().expect("a ratio"));
        assert_eq!(*verdict, Verdict::Ok, "{} at {}: {ratio}, {asked:?}", row.id, row.x_value);
        judged += 1;
    }
    assert!(judged >= 12, "{judged} rows");
}

#[test]
fn two_thirds_of_what_follows_are_within_a_factor_of_1_5() {
    let follows = summary(comparison()).follows;
    let (within, of) = (follows.within_1_5, follows.with_ratio);
    assert!(of >= 15 && within * 3 >= of * 2, "{within} of {of}");
}

#[test]
fn direct_reclaim_appears_between_22_and_34_readers_with_one_worker() {
    assert!(direct_share("D01c", 16) < 0.01, "{}", direct_share("D01c", 16));
    assert!(direct_share("D01c", 22) < 0.02, "{}", direct_share("D01c", 22));
    assert!(direct_share("D01c", 34) > 0.10, "{}", direct_share("D01c", 34));
}

#[test]
fn four_workers_leave_no_direct_reclaim_up_to_58_readers() {
    for readers in [16, 34, 58] {
        let share = direct_share("D01d", readers);
        assert!(share < 0.01, "{share} at {readers}");
    }
}

#[test]
fn a_page_costs_four_workers_more_than_one_at_the_same_load() {
    for readers in [16, 34, 58] {
        let (one, four) = (cpu_a_page("D01c", 1.0, readers), cpu_a_page("D01d", 4.0, readers));
        assert!(four > one * 1.05, "{four} and {one} us at {readers}");
    }
}

#[test]
fn kswapd_scans_less_beyond_its_peak_as_direct_reclaim_takes_over() {
    let rate = |readers| model("D01c", KSWAPD, readers) / lab::validate::COUNTERS_S / 2.0;
    assert!(rate(22) > rate(16), "it rises to its peak: {} {}", rate(16), rate(22));
    assert!(rate(34) > 1.2 * rate(58) && rate(58) > 1.2 * rate(90), "{} {}", rate(34), rate(58));
    assert!(direct_share("D01c", 34) < direct_share("D01c", 58));
    assert!(direct_share("D01c", 58) < direct_share("D01c", 90));
    let cpu = |readers| model("D01c", "kswapd0 cpu", readers);
    assert!(cpu(90) < cpu(34), "and its CPU falls with it: {} {}", cpu(34), cpu(90));
}

#[test]
fn the_published_directions_hold() {
    let (held, broken) = check(comparison());
    assert!(held > 100, "{held}");
    // D01c fixed constants, and its misses are listed with their reason; so are those of D13's
    // kernel with parallel lists. What else follows has to hold.
    let known = |o: &orderings::Ordering| o.set == "D01c" || o.set == "D13";
    let (fixed, follows): (Vec<_>, Vec<_>) = broken.into_iter().partition(known);
    assert!(fixed.len() * 15 < held, "{held} hold, and these do not: {fixed:#?}");
    assert!(follows.is_empty(), "{follows:#?}");
}

#[test]
fn an_index_is_filled_where_the_model_has_the_cause() {
    let mut index = Table::parse(INDEX, false).expect("the committed index");
    if !soak() {
        index.rows.retain(|row| match row.id.as_str() {
            "D13" => row.x() == Some(33),
            "D03" | "D03s" | "D03v" | "D04" => soak(),
            id => !id.starts_with("D01") || row.x() == Some(64),
        });
    }
    let length = if soak() { None } else { window(1) };
    let plan = Plan::new(&index, &[], 2, length).expect("a plan");
    let predictions = predict(&plan).expect("it runs");
    let mut filled = 0;
    for (row, prediction) in index.rows.iter().zip(&predictions) {
        let (id, metric) = (&row.id, &row.metric);
        let modelled = match id.as_str() {
            "D03" => !metric.starts_with("peak used total"),
            "D03s" => !metric.starts_with("sample sd"),
            "D03v" => {
                ["thp_swpout", "user_s", "vol_ctxsw", "invol_ctxsw", "workingset_refault_file"]
                    .iter()
                    .all(|column| !metric.starts_with(column))
            }
            "D04" => row.workload.contains("4k pages"),
            "D06" => row.workload.contains("usemem sequential 4K"),
            "D07" => row.workload.contains("usemem") && metric != "free latency",
            "D09" => row.arm.starts_with("equal"),
            "D13" => metric.contains("process"),
            "D14" => ["lru_add_drain", "shrink_active_list", "workingset_refault+"]
                .iter()
                .all(|site| !metric.contains(site)),
            "D22" => row.x_name == "interval",
            id => ["D01d", "D01f", "D01k"].contains(&id),
        };
        assert_eq!(prediction.range.is_some(), modelled, "{id} {metric}: {}", prediction.reason);
        let Some([mean, low, high]) = prediction.range else { continue };
        assert!(low <= mean && mean <= high, "{id} {metric}: {low} {mean} {high}");
        // Nobody waits where the patched kernel takes no lock; nothing comes back in a second.
        let none = id == "D14" && (metric.contains("cost") || !soak());
        assert!(high > 0.0 || none, "{id} {metric}: {high}");
        assert!(row.unit != "%" || high <= 100.0, "{id} {metric}: {high}");
        assert_eq!(prediction.n, if id == "D09" { 1 } else { 2 });
        filled += 1;
    }
    assert_eq!(filled, if soak() { 243 } else { 42 });
}

/// The ratio of the model's figure to the published one in some rows of a set, over a window of
/// so many milliseconds.
fn ratios(set: &str, wanted: impl Fn(&lab::validate::Row) -> bool, ms: i64) -> Vec<(String, f64)> {
    let mut table = whole();
    table.rows.retain(|row| row.id == set && wanted(row));
    let window = Window { warmup_ns: ms * 500_000, duration_ns: ms * 1_000_000 };
    let plan = Plan::new(&table, &[], 1, Some(window)).expect("a plan");
    let lines = plan.compare().expect("it runs").lines;
    let ratio = |line: &Line| {
        let name = format!("{} at {}", line.row.metric, line.row.x_value);
        line.ratio().map(|ratio| (name, ratio))
    };
    lines.iter().filter_map(ratio).collect()
}

#[test]
fn the_page_fault_hammer_gives_the_published_rates_up_to_22_tasks() {
    let wanted = |row: &lab::validate::Row| {
        row.arm == "baseline" && [1, 4, 8, 22].contains(&row.x().unwrap_or(0))
    };
    let all = ratios("D13", wanted, 200);
    assert_eq!(all.len(), 4, "processes only: {all:?}");
    for (name, ratio) in all {
        assert!((0.9..=1.1).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn a_store_larger_than_memory_keeps_one_kswapd_as_busy_as_published() {
    let wanted = |row: &lab::validate::Row| row.arm.contains("classic") && row.x_name == "interval";
    let all = ratios("D22", wanted, 4_000);
    assert_eq!(all.len(), 6, "{all:?}");
    for (name, ratio) in all {
        // The window is shorter than the list takes to pass.
        assert!((0.7..=1.3).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn the_threads_page_was_made_from_this_model() {
    let page = include_str!("../../docs/threads/kswapd.md");
    for wanted in [format!("model {}", lab::MODEL_VERSION), lab::thread::made_from()] {
        let command = "run: cargo run --release -- thread > docs/threads/kswapd.md";
        assert!(page.contains(&wanted), "{wanted} is not in the page; {command}");
    }
}

#[test]
fn the_swap_threads_page_was_made_from_this_model() {
    let page = include_str!("../../docs/threads/swap-queue.md");
    for wanted in [format!("model {}", lab::MODEL_VERSION), lab::thread::queue::made_from()] {
        let command = "run: reclaimscope thread swap-queue --write docs/threads";
        assert!(page.contains(&wanted), "{wanted} is not in the page; {command}");
    }
}
