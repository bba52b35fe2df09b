//! What a scenario takes, refuses and says of itself.

use super::*;

fn lumpkin() -> Scenario {
    Scenario::preset("lumpkin2018").expect("a preset")
}

fn pasted() -> Scenario {
    let zone = |kind, managed| ZoneSpec { kind, managed };
    let mut s = lumpkin();
    s.nodes = vec![
        NodeSpec { cpus: 2, zones: vec![zone(ZoneKind::Dma, 3840), zone(ZoneKind::Dma32, 49_049)] },
        NodeSpec { cpus: 3, zones: vec![zone(ZoneKind::Dma32, 63_791)] },
    ];
    s
}

#[test]
fn values_are_set_by_text_and_bounded() {
    let mut s = lumpkin();
    assert_eq!(s.set_text("kswapds", "8"), Ok(()));
    assert_eq!(s.get(ControlId::Kswapds), 8);
    let refused = s.set_text("kswapds", "0").expect_err("below its bounds");
    assert_eq!(refused.to_string(), "kswapds: kswapds a node must be 1 to 32, not 0");
    let refused = s.set_text("nodes", "9").expect_err("above its bounds");
    assert_eq!(refused.sentence, "NUMA nodes must be 1 to 8, not 9");
    let refused = s.set_text("memory", "0").expect_err("below its bounds");
    assert_eq!(refused.sentence, "Memory a node must be 1MiB to 4TiB, not 0B");
    assert_eq!(s.get(ControlId::Kswapds), 8, "a refused value leaves the old one");
    let refused = s.set_text("kswapd", "2").expect_err("no such key");
    assert_eq!(refused.to_string(), "kswapd: there is no such control; did you mean `kswapds`?");
    assert!(s.set_text(&"x".repeat(100_000), "2").expect_err("no such key").path.len() < 50);
}

#[test]
fn changes_are_what_differs_from_the_preset() {
    let mut s = lumpkin();
    assert_eq!(s.changes(), []);
    s.set(ControlId::Seed, 7).expect("in bounds");
    s.set(ControlId::Kswapds, 4).expect("in bounds");
    assert_eq!(s.changes(), [ControlId::Kswapds, ControlId::Seed]);
    s.set(ControlId::Kswapds, 1).expect("in bounds");
    assert_eq!(s.changes(), [ControlId::Seed]);
}

#[test]
fn given_nodes_hide_the_controls_of_the_shape_until_one_is_set() {
    let mut s = pasted();
    assert_eq!(s.validate(), []);
    assert_eq!((s.get(ControlId::Nodes), s.get(ControlId::Cpus), s.total_cpus()), (2, 3, 5));
    assert_eq!(s.get(ControlId::Memory), 63_791 * 4096);
    assert_eq!(s.changes(), []);
    s.set(ControlId::Nodes, 2).expect("the value it has");
    assert_eq!(s.nodes.len(), 2, "setting what already holds keeps the pasted machine");
    s.set(ControlId::Cpus, 8).expect("in bounds");
    assert!(s.nodes.is_empty());
    assert_eq!((s.get(ControlId::Nodes), s.get(ControlId::Memory)), (2, 63_791 * 4096));
}

#[test]
fn fields_are_checked_against_each_other() {
    let mut s = lumpkin();
    s.set(ControlId::Cpus, 0).expect("in bounds");
    assert_eq!(s.validate()[0].path, "cpus");
    let mut s = lumpkin();
    s.set(ControlId::Memory, 1 << 20).expect("in bounds");
    s.set(ControlId::MinFreeKbytes, 1025).expect("in bounds");
    assert_eq!(
        s.validate()[0].to_string(),
        "min_free_kbytes: Reserve of 1025KiB is more than half of the machine's 2MiB"
    );
    let mut s = pasted();
    s.nodes[1].zones[0].managed = u64::MAX;
    s.nodes[0].zones.reverse();
    s.nodes[0].cpus = 513;
    let places: Vec<_> = s.validate().into_iter().map(|p| p.path).collect();
    assert_eq!(
        places,
        ["nodes_detail[0].cpus", "nodes_detail[0].zones", "nodes_detail[1].zones[0].managed"]
    );
    s.nodes = vec![NodeSpec::default(); 1000];
    assert!(s.validate().len() < 20);
}

#[test]
fn the_title_is_a_sentence() {
    assert_eq!(
        lumpkin().title(),
        "2 nodes with 52 CPUs and 378GiB each, kernel 4.16, 1 kswapd a node, 28 readers"
    );
    let tiny = Scenario::preset("tiny").expect("a preset");
    assert_eq!(tiny.title(), "1 node with 2 CPUs and 1MiB, kernel 7.3, 1 kswapd a node, 1 reader");
}

#[test]
fn workloads_are_in_the_title_checked_and_warned_of() {
    let mut s = Scenario::preset("tiny").expect("a preset");
    for (key, value) in [("workload", "churn"), ("size", "512KiB"), ("chunk", "1MiB")] {
        assert_eq!(s.set_text(key, value), Ok(()));
    }
    assert_eq!(
        s.validate()[0].to_string(),
        "chunk: a chunk of 1MiB is larger than the 512KiB that stay mapped"
    );
    assert_eq!(s.set_text("chunk", "64KiB"), Ok(()));
    assert_eq!((s.validate(), s.warnings()), (Vec::new(), Vec::new()));
    for (key, value) in [("workload", "kv"), ("mix", "hog"), ("mix_size", "2MiB")] {
        assert_eq!(s.set_text(key, value), Ok(()));
    }
    assert!(s.title().ends_with("1 thread serving 512KiB, beside 1 hog"), "{}", s.title());
    let warned = s.warnings();
    assert_eq!(warned[0].path, "size");
    assert!(warned[0].sentence.contains("anonymous memory on a machine with 1MiB"));
}

#[test]
fn unknown_presets_are_named_with_those_there_are() {
    let refused = Scenario::preset("lumpkin").expect_err("no such preset");
    let known = "preset: there is no preset `lumpkin`; known: lumpkin2018, cassandra2026, ";
    assert!(refused.to_string().starts_with(known), "{refused}");
}
