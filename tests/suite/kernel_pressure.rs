//! Experiments under which real kernels swapped out or stood at the limit of a memory cgroup.

use lab::kernel::{Figure, Judged, Line, Verdict, judge_all, together};
use serde_json::json;

use crate::kernel::{Folder, of_rule, ok, reason};

fn missed(judged: &Judged) -> Vec<u32> {
    let missed = judged.lines.iter().filter(|line| line.verdict == Verdict::Miss);
    missed.map(|line| line.rule).collect()
}

fn line<'a>(judged: &'a Judged, rule: u32, fact: &str) -> &'a Line {
    let lines = of_rule(judged, rule);
    let found = lines.iter().find(|line| line.fact.contains(fact));
    found.unwrap_or_else(|| panic!("{fact}: {lines:#?}"))
}

#[test]
fn under_pressure_devices_fill_by_priority_and_peers_stay_together() {
    for (name, rules) in [
        ("6.12/E4P-press-a-t1", [1, 0]),
        ("6.12/E4P-press-b-t1", [0, 1]),
        ("7.3/E4P-press-b-t1", [0, 1]),
        ("7.3/E4P-press-c-t1", [1, 1]),
    ] {
        let judged = Folder::open(name).judge();
        assert_eq!([ok(&judged, 11), ok(&judged, 12)], rules, "{name}: {:#?}", judged.lines);
        assert_eq!(missed(&judged), [0_u32; 0], "{name}: {:#?}", judged.lines);
        let speed = judged.notes.iter().find(|note| note.contains("speed of the swap devices"));
        assert!(speed.is_some_and(|note| note.contains("vdb ")), "{name}: {:?}", judged.notes);
    }
}

#[test]
fn samples_of_devices_can_miss_and_their_absence_is_said() {
    // The second device was used while the first had room.
    let mut folder = Folder::open("6.12/E4P-press-a-t1");
    let rows = "t_ms,vdb_used_pages,vdc_used_pages\n0,0,0\n50,64,0\n100,128,64\n";
    folder.swaps = Some(rows.into());
    assert_eq!(missed(&folder.judge()), [11]);
    let mut folder = Folder::open("6.12/E4P-press-b-t1");
    folder.swaps = Some("t_ms,vdb_used_pages,vdc_used_pages\n0,0,0\n50,65,0\n".into());
    assert_eq!(missed(&folder.judge()), [12]);
    folder.swaps = None;
    let judged = folder.judge();
    assert_eq!(reason(of_rule(&judged, 12)[0]), "swaps.csv is missing");
    assert!(judged.notes.iter().any(|note| note.contains("swaps.csv is missing")));
    folder.swaps = Some("t_ms,vdb_used_pages\n0,-1\n".into());
    assert!(folder.read().is_err_and(|problem| problem.starts_with("swaps.csv line 2")));
}

#[test]
fn default_priorities_are_those_of_the_kernel() {
    for (name, priorities) in [
        ("6.12/E4P-press-b-t1", [-2, -3, -4, -5, -6]),
        ("7.3/E4P-press-b-t1", [-1, -1, -1, -1, -1]),
    ] {
        let lines = |priorities: [i32; 5]| -> Vec<String> {
            let device = |(i, p): (usize, i32)| {
                let letter = char::from(b'b' + i as u8);
                format!("/dev/vd{letter} partition 32764 0 {p}")
            };
            priorities.into_iter().enumerate().map(device).collect()
        };
        let folder = Folder::open(name).with_params(&["swaps_before"], json!(lines(priorities)));
        assert_eq!(ok(&folder.judge(), 13), 1, "{name}");
        let mut wrong = priorities;
        wrong[4] = -9;
        let folder = Folder::open(name).with_params(&["swaps_before"], json!(lines(wrong)));
        let judged = folder.judge();
        assert_eq!(line(&judged, 13, "default").verdict, Verdict::Miss, "{name}");
    }
}

#[test]
fn at_the_limit_of_a_cgroup_only_its_tasks_reclaim() {
    for name in ["6.12/E5-lruy-max256-anon", "7.3/E5-lruy-max256-anon"] {
        let judged = Folder::open(name).judge();
        assert_eq!(missed(&judged), [0_u32; 0], "{name}: {:#?}", judged.lines);
        assert_eq!(ok(&judged, 14), 4, "{name}: {:#?}", of_rule(&judged, 14));
        let kernel = |fact: &str| line(&judged, 14, fact).kernel.clone();
        assert_eq!(kernel("most pages"), Figure::Words("0 (at most 65536)".into()));
        let counted = kernel("/proc/vmstat");
        let none = matches!(&counted, Figure::Words(words) if words.starts_with("0 of "));
        assert_eq!(none, name.starts_with("6.12"), "{name}: {counted:?}");
        for rule in [3, 4, 5, 10, 15] {
            assert!(of_rule(&judged, rule).is_empty(), "{name}: kswapd has no part in it");
        }
    }
}

#[test]
fn figures_of_a_cgroup_can_miss_and_their_absence_is_said() {
    let open = || Folder::open("6.12/E5-lruy-max256-anon");
    let mut folder = open()
        .with_summary(&["vmstat_delta", "pageoutrun"], json!(1))
        .with_summary(&["memcg", "events", "max"], json!(114))
        .with_summary(&["vmstat_delta", "pgscan_direct"], json!(9));
    folder.memcg = Some(format!("t_ms,current\n0,{}\n", (65_536 + 17) * 4_096));
    assert_eq!(missed(&folder.judge()), [14, 14, 14, 14]);
    // The limit is in params.json too; without either there is nothing to run.
    let mut folder = open().with_summary(&["memcg"], json!(null));
    folder.summary = folder.summary.map(|text| text.replace("\"memcg\":null,", ""));
    let judged = folder.with_params(&["limits"], json!("anon")).judge();
    assert!(reason(of_rule(&judged, 14)[0]).starts_with("a memory cgroup whose limits"));
    let swap = open().with_summary(&["memcg", "memory.swap.max"], json!("4096")).judge();
    assert_eq!(reason(of_rule(&swap, 14)[0]), "memory.swap.max");
}

#[test]
fn swappiness_decides_whether_and_how_much_anonymous_memory_goes() {
    let names = ["sw0", "sw60", "sw100", "sw200"].map(|sw| format!("7.3/E3-lruy-mix-virtio-{sw}"));
    let experiments: Vec<_> =
        names.iter().map(|name| Folder::open(name).read().expect("readable")).collect();
    let judged = judge_all(&experiments.iter().collect::<Vec<_>>());
    for (name, judged) in names.iter().zip(&judged) {
        assert_eq!(missed(judged), [0_u32; 0], "{name}: {:#?}", judged.lines);
        let threads = judged.notes.iter().any(|note| note.contains("the work of 2 threads"));
        assert!(threads, "{name}: {:?}", judged.notes);
    }
    assert_eq!(ok(&judged[0], 15), 1, "{:#?}", of_rule(&judged[0], 15));
    let named: Vec<(&str, &Judged)> = names.iter().map(String::as_str).zip(&judged).collect();
    let lines = together(&named);
    let orderings: Vec<&Line> = lines.iter().filter(|line| line.rule == 15).collect();
    // Of 0, 60 and 200: with 60 and 100 the kernel swaps out the same idle memory, a few pages more
    // with 100.
    assert_eq!(orderings.len(), 2, "{lines:#?}");
    assert!(orderings.iter().all(|line| line.verdict == Verdict::Ok), "{orderings:#?}");
    for (judged, kernel) in judged[1..3].iter().zip([1_608.0, 1_701.0]) {
        let Figure::Range(mean, ..) = line(judged, 15, "swapped out").model else { panic!("runs") };
        assert!((kernel / 3.0..=kernel * 3.0).contains(&mean), "{mean} and {kernel}");
    }

    let judged = Folder::open("6.12/E3-lruy-mix-virtio-sw0").judge();
    assert_eq!(ok(&judged, 15), 1, "{:#?}", of_rule(&judged, 15));
    // A kernel that swapped out with swappiness 0 had no file pages left.
    let folder = Folder::open("6.12/E3-lruy-mix-virtio-sw0");
    let judged = folder.with_summary(&["vmstat_delta", "pswpout"], json!(5)).judge();
    assert!(reason(of_rule(&judged, 15)[0]).contains("no file pages"));
}

#[test]
fn what_a_slow_device_decides_is_shown_and_not_judged() {
    let judged = Folder::open("6.12/E6-an-lruy-rate2000").judge();
    assert_eq!(missed(&judged), [0_u32; 0], "{:#?}", judged.lines);
    assert!(reason(line(&judged, 6, "MGLRU")).contains("writeback"));
    assert_eq!(line(&judged, 7, "largest slice").verdict, Verdict::Ok);
    assert_eq!((ok(&judged, 3), ok(&judged, 4), ok(&judged, 5)), (1, 1, 1));
}
