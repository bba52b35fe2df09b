//! Real kernels' watermarks, reserves and per-CPU lists against the formulas, to the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use catalog::{ControlId, ZoneKind};
use lab::machine::{Check, Told, check};
use mm::page_alloc::watermark::{self, ZoneSize};
use scenario::paste::{Sysctl, Zoneinfo, into_scenario};
use scenario::{Scenario, document, link};

use crate::tidy::root;

const KERNELS: [&str; 2] = ["6.12", "7.3"];
/// Zone kinds of these kernels, by class.
const CLASSES: [&str; 5] = ["DMA", "DMA32", "Normal", "Movable", "Device"];

fn data() -> PathBuf {
    root().join("tests/data/kernel")
}

/// One row of `watermarks.csv`: a zone under one setting.
struct Row {
    /// Machine and snapshot.
    machine: (String, String),
    label: String,
    factor: u64,
    kbytes: u64,
    node: String,
    zone: String,
    managed: u64,
    marks: [u64; 4],
    protection: Vec<u64>,
    ratios: Vec<u64>,
}

fn rows(kernel: &str) -> Vec<Row> {
    let path = data().join(kernel).join("watermarks.csv");
    let text = fs::read_to_string(path).expect("the table of this kernel");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a heading").split(',').collect();
    let place: BTreeMap<&str, usize> = names.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let text = |name: &str| cells[place[name]].to_owned();
            let number = |name: &str| cells[place[name]].parse::<u64>().expect("a number");
            let list = |name: &str| -> Vec<u64> {
                let words = cells[place[name]].split_whitespace();
                words.map(|word| word.parse().expect("a number")).collect()
            };
            let boost = number("boost");
            let boot = ["vm_mem_mb", "nodes", "layout"].map(text).join("-");
            Row {
                machine: (boot, text("snapshot")),
                label: text("label"),
                factor: number("watermark_scale_factor"),
                kbytes: number("min_free_kbytes"),
                node: text("node"),
                zone: text("zone"),
                managed: number("managed"),
                marks: ["min", "low", "high", "promo"].map(|name| number(name) - boost),
                protection: list("protection"),
                ratios: list("lowmem_reserve_ratio"),
            }
        })
        .collect()
}

/// The rows of one kernel, snapshot by snapshot.
fn snapshots(kernel: &str) -> Vec<Vec<Row>> {
    let mut all: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    for row in rows(kernel) {
        all.entry(row.machine.clone()).or_default().push(row);
    }
    all.into_values().collect()
}

fn sizes(rows: &[Row]) -> Vec<ZoneSize> {
    let size = |row: &Row| ZoneSize {
        kind: ZoneKind::by_name(&row.zone).expect("a zone that is modelled"),
        managed: row.managed,
    };
    rows.iter().map(size).collect()
}

#[test]
fn every_row_that_was_set_agrees_to_the_page() {
    for kernel in KERNELS {
        let mut checked = 0;
        for snapshot in snapshots(kernel) {
            if snapshot[0].label == "boot" {
                continue;
            }
            let sizes = sizes(&snapshot);
            let lowmem = watermark::lowmem_pages(&sizes);
            for (row, &size) in snapshot.iter().zip(&sizes) {
                let place = format!("{kernel} {:?} node {} {}", row.machine, row.node, row.zone);
                let m = watermark::zone_marks(size, row.kbytes, row.factor, lowmem);
                assert_eq!([m.min, m.low, m.high, m.promo], row.marks, "{place}");
                let managed = CLASSES.map(|class| {
                    let zone = snapshot.iter().find(|r| r.node == row.node && r.zone == class);
                    zone.map_or(0, |zone| zone.managed)
                });
                let reserve: Vec<u64> = (0..CLASSES.len())
                    .map(|j| {
                        watermark::lowmem_reserve(&managed, &row.ratios, size.kind as usize, j)
                    })
                    .collect();
                assert_eq!(reserve, row.protection, "{place}");
                checked += 1;
            }
        }
        assert_eq!(checked, 1662, "{kernel}");
    }
}

#[test]
fn the_default_reserve_follows_from_the_marks_before() {
    for kernel in KERNELS {
        let snapshots = snapshots(kernel);
        let mut checked = 0;
        for snapshot in snapshots.iter().filter(|s| s[0].label == "thpnever") {
            let same_boot =
                |s: &&Vec<Row>| s[0].machine.0 == snapshot[0].machine.0 && s[0].label == "boot";
            let before = snapshots.iter().find(same_boot).expect("its boot")[0].kbytes;
            let sizes = sizes(snapshot);
            let lowmem = watermark::lowmem_pages(&sizes);
            let high = |size| watermark::zone_marks(size, before, 10, lowmem).high;
            let pages = watermark::free_buffer_pages(&sizes, high);
            let computed = watermark::default_min_free_kbytes(pages, 262_144);
            assert_eq!(computed, snapshot[0].kbytes, "{kernel} {:?}", snapshot[0].machine);
            checked += 1;
        }
        assert_eq!(checked, 17, "{kernel}");
    }
}

/// Name, zoneinfo and sysctl lines of every file.
fn files() -> Vec<(String, String, String)> {
    let mut names: Vec<PathBuf> = fs::read_dir(data().join("zoneinfo"))
        .expect("the zoneinfo files")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "zoneinfo"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 50);
    let read = |path: PathBuf| fs::read_to_string(path).expect("a readable file");
    names
        .into_iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, read(path.clone()), read(path.with_extension("sysctl")))
        })
        .collect()
}

fn checked(zoneinfo: &str, sysctl: Option<&str>) -> Check {
    let sysctl = sysctl.map(|text| Sysctl::parse(text).expect("readable"));
    check(&Zoneinfo::parse(zoneinfo).expect("readable"), sysctl.as_ref())
}

#[test]
fn fifty_machines_agree_and_eight_have_stale_reserves() {
    let mut stale = Vec::new();
    for (name, zoneinfo, sysctl) in files() {
        let check = checked(&zoneinfo, Some(&sysctl));
        assert_eq!(check.problems, [], "{name}");
        for zone in &check.zones {
            let place = format!("{name}, node {} {}", zone.node, zone.zone);
            assert_eq!(zone.differs, [""; 0], "{place}");
            assert_eq!(zone.not_judged, [""; 0], "{place}");
            let (computed, kernel) = (&zone.computed, &zone.kernel);
            assert_eq!(
                (computed.min, computed.low, computed.high, computed.promo),
                (kernel.min, kernel.low, kernel.high, kernel.promo),
                "{place}"
            );
            let populated = zone.managed > 0;
            assert_eq!(computed.batch.is_some(), populated, "{place}: batch is judged");
            let floats = populated && name.starts_with("7.3");
            assert_eq!(computed.high_min.is_some(), floats, "{place}: high_min is judged");
            assert_eq!((computed.batch, computed.high_min), (kernel.batch, kernel.high_min));
            assert_eq!(computed.high_max, kernel.high_max, "{place}");
        }
        if check.zones.iter().any(|zone| !zone.stale.is_empty()) {
            stale.push(name);
        }
    }
    assert_eq!(stale.len(), 8, "{stale:?}");
    assert!(stale.iter().all(|name| name.starts_with("6.12-e")), "{stale:?}");
}

#[test]
fn a_stale_reserve_names_the_memory_it_fits() {
    let files = files();
    let (_, zoneinfo, sysctl) =
        files.iter().find(|(name, ..)| name == "6.12-e2-lruy-bind0-r1").expect("this file");
    let check = checked(zoneinfo, Some(sysctl));
    let stale = &check.zones[0].stale;
    assert_eq!(stale.len(), 1);
    assert_eq!((stale[0].printed, stale[0].managed), (253, 66_504));
    assert_eq!(stale[0].fits, (64_768, 65_023));
}

#[test]
fn one_page_more_or_less_is_seen_wherever_it_is() {
    let files = files();
    let (_, zoneinfo, sysctl) =
        files.iter().find(|(name, ..)| name == "7.3-2048-2-normal").expect("this file");
    let mut seen = 0;
    let mut in_lists = false;
    let mut zone_is_populated = false;
    for (i, line) in zoneinfo.lines().enumerate() {
        let mut words = line.split_whitespace();
        let (key, value) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        in_lists = (in_lists || key == "pagesets") && key != "Node";
        if key == "managed" {
            zone_is_populated = value != "0";
        }
        let judged = match in_lists {
            false => ["min", "low", "high", "promo"].contains(&key),
            true => ["batch:", "high_min:", "high_max:"].contains(&key),
        };
        let judged = judged || (key == "protection:" && zone_is_populated);
        if !judged {
            continue;
        }
        // The last number of the line, one more than it was.
        let end = line.trim_end_matches(')').len();
        let begin = line[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        let number: u64 = line[begin..end].parse().expect("a number");
        let altered = format!("{}{}{}", &line[..begin], number + 1, &line[end..]);
        let text: Vec<&str> = zoneinfo
            .lines()
            .enumerate()
            .map(|(j, line)| if i == j { altered.as_str() } else { line })
            .collect();
        let check = checked(&(text.join("\n") + "\n"), Some(sysctl));
        let told = !check.equal() || !check.problems.is_empty();
        assert!(told, "line {}: {altered}", i + 1);
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn a_boost_is_taken_off_first() {
    for (name, zoneinfo, sysctl) in files().into_iter().step_by(7) {
        let mut boosted = String::new();
        let mut boost = 0;
        let mut before_lists = true;
        for line in zoneinfo.lines() {
            let mut words = line.split_whitespace();
            let (key, value) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            match key {
                "Node" => before_lists = true,
                "pagesets" => before_lists = false,
                _ => {}
            }
            let number: u64 = value.parse().unwrap_or(0);
            match key {
                "boost" => {
                    boost += 512;
                    boosted.push_str(&format!("        boost    {boost}\n"));
                }
                "min" | "low" | "high" | "promo" if before_lists => {
                    boosted.push_str(&format!("        {key}      {}\n", number + boost));
                }
                _ => {
                    boosted.push_str(line);
                    boosted.push('\n');
                }
            }
        }
        assert!(boost > 0, "{name}");
        let check = checked(&boosted, Some(&sysctl));
        assert!(check.equal() && check.problems.is_empty(), "{name}");
        assert!(check.zones.iter().all(|zone| zone.boost > 0), "{name}");
    }
}

/// A 32-bit kernel of the 4.x years: HighMem, reserves of empty zones, Movable like any other.
#[test]
fn an_old_kernel_follows_the_rules_of_its_time() {
    let zone = |name: &str, numbers: [u64; 5], reserve: &str, batch: u64| {
        let [free, min, low, high, managed] = numbers;
        let mut text = format!(
            "Node 0, zone {name:>8}\n  pages free     {free}\n        min      {min}\n        \
             low      {low}\n        high     {high}\n        managed  {managed}\n        \
             protection: ({reserve})\n"
        );
        if managed > 0 {
            text.push_str("  pagesets\n    cpu: 0\n              count: 16\n");
            text.push_str(&format!("              high:  {}\n", batch * 6));
            text.push_str(&format!("              batch: {batch}\n"));
            text.push_str("  node_unreclaimable:  0\n  start_pfn:           131072\n");
        }
        text
    };
    let text = zone("DMA", [49_492, 4096, 5120, 6144, 105_724], "0, 0, 1491, 1491", 31)
        + &zone("Normal", [0; 5], "0, 0, 11928, 11928", 0)
        + &zone("HighMem", [63_096, 128, 3824, 7520, 381_696], "0, 0, 0, 0", 31)
        + &zone("Movable", [0; 5], "0, 0, 0, 0", 0);
    let sysctl = "kernel = 4.14\nvm.min_free_kbytes = 16384\nvm.watermark_scale_factor = 10\n\
                  vm.lowmem_reserve_ratio = 256 32 0 0\nnode0.cpus = 0\n";
    let check = checked(&text, Some(sysctl));
    assert_eq!(check.problems, []);
    for zone in &check.zones {
        assert_eq!(zone.differs, [""; 0], "{}: {:?}", zone.zone, zone.computed);
    }
    assert_eq!(check.zones[1].not_judged, ["lowmem_reserve"], "an empty zone keeps nothing");
    assert_eq!(check.zones[0].computed.batch, Some(31));
}

#[test]
fn without_settings_the_default_that_fits_is_named_and_others_are_not_judged() {
    let mut named = BTreeMap::new();
    for (name, zoneinfo, sysctl) in files() {
        let check = checked(&zoneinfo, None);
        assert!(check.equal(), "{name}: what is not known is not judged");
        let told = check.settings.min_free_kbytes.told;
        let lines = sysctl.lines().find_map(|line| line.strip_prefix("vm.min_free_kbytes = "));
        let real: u64 = lines.expect("in every file").parse().expect("a number");
        match told {
            Told::Unknown => {
                assert!(check.zones[0].not_judged.contains(&"min"), "{name}");
                assert!(!check.settings.marks_known, "{name}");
            }
            _ => {
                // Several values round to the same marks.
                let found = check.settings.min_free_kbytes.value.expect("named");
                assert!(found.abs_diff(real) < 4, "{name}: {found} for {real}");
                assert!(!check.zones[0].not_judged.contains(&"min"), "{name}");
            }
        }
        *named.entry(told.words()).or_insert(0) += 1;
    }
    assert_eq!(named["default with huge pages on"], 2, "{named:?}");
    assert!(named["unknown"] >= 30, "settings were written in most files: {named:?}");
    // With everything at its default, 512 MiB of Normal memory a node, huge pages on.
    let (_, zoneinfo, _) = files().swap_remove(0);
    let check = checked(&zoneinfo, Some("vm.min_free_kbytes = 65536\nnode0.cpus = 0-3\n"));
    assert_eq!(check.settings.watermark_scale_factor.told, Told::Default);
    assert!(check.settings.marks_known, "one setting told, the other at its default, and it fits");
}

#[test]
fn fifty_machines_go_through_paste_link_and_document_and_become_the_models() {
    let base = Scenario::preset("lumpkin2018").expect("a preset");
    for (name, zoneinfo, sysctl) in files() {
        let zoneinfo = Zoneinfo::parse(&zoneinfo).expect("readable");
        let sysctl = Sysctl::parse(&sysctl).expect("readable");
        let (mut scenario, problems) = into_scenario(&zoneinfo, Some(&sysctl), &base);
        assert_eq!(problems, [], "{name}");
        assert_eq!(scenario.validate(), [], "{name}");
        let populated = zoneinfo.zones.iter().filter(|zone| zone.managed > 0).count();
        let zones: usize = scenario.nodes.iter().map(|node| node.zones.len()).sum();
        assert_eq!(zones, populated, "{name}");
        assert!(name.starts_with(&scenario.text(ControlId::Flavour)), "{name}");

        let text = link::encode(&scenario);
        assert!(text.len() < 300, "{name}: {text}");
        let opened = link::decode(&text).expect("opens");
        assert_eq!((opened.scenario, opened.problems), (scenario.clone(), vec![]), "{name}");
        let opened = document::from_json(&document::to_json(&scenario)).expect("opens");
        assert_eq!((opened.scenario, opened.problems), (scenario.clone(), vec![]), "{name}");

        scenario.set_text("start", "empty").expect("a value");
        let machine = mm::Machine::new(lab::lower(&scenario).expect("valid"));
        for zone in zoneinfo.zones.iter().filter(|zone| zone.managed > 0) {
            let place = format!("{name}, node {} {}", zone.node, zone.name);
            let kind = ZoneKind::by_name(&zone.name).expect("modelled");
            let number = zone.node as usize * mm::config::ZONES_PER_NODE + kind as usize;
            let model = &machine.zones[number];
            assert_eq!(model.managed, zone.managed, "{place}");
            let m = model.marks;
            assert_eq!([m.min, m.low, m.high], [zone.min, zone.low, zone.high], "{place}");
            let list = zone.pagesets[0];
            assert_eq!(u64::from(model.pcp_batch), list.batch, "{place}");
            if let (Some(least), Some(most)) = (list.high_min, list.high_max) {
                assert_eq!(u64::from(model.pcp_high_min), least, "{place}");
                assert_eq!(u64::from(model.pcp_high_max), most, "{place}");
            }
        }
    }
}
