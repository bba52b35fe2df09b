//! Pasted texts whole, cut, damaged, old and hostile.

use super::*;

/// Two nodes as a 6.x kernel prints them, counters left out.
const TWO_NODES: &str = "\
Node 0, zone      DMA
  per-node stats
      nr_inactive_anon 0
  pages free     3840
        boost    0
        min      22
        low      27
        high     32
        promo    37
        spanned  4095
        present  3998
        managed  3840
        cma      0
        protection: (0, 191, 191)
      nr_free_pages 3840
  pagesets
    cpu: 0
              count:    0
              high:     13
              batch:    1
              high_min: 13
              high_max: 240
  vm stats threshold: 4
    cpu: 1
              count:    5
              high:     13
              batch:    1
              high_min: 13
              high_max: 240
  vm stats threshold: 4
  node_unreclaimable:  0
  start_pfn:           1
Node 0, zone    DMA32
  pages free     40000
        boost    100
        min      1100
        low      1350
        high     1600
        promo    1850
        managed  49049
        protection: (0, 0, 0)
  pagesets
    cpu: 0
              count: 1
              high:  300
              batch: 15
    cpu: 1
              count: 1
              high:  300
              batch: 15
  node_unreclaimable:  0
  start_pfn:           4096
Node 0, zone  Movable
  pages free     0
        min      32
        low      32
        high     32
        managed  0
        protection: (0, 0, 0)
Node 1, zone      DMA
  pages free     0
        min      0
        low      0
        high     0
        managed  0
        protection: (0, 0, 0)
Node 1, zone    DMA32
  pages free     60000
        min      500
        low      625
        high     750
        managed  63791
        protection: (0, 0, 0)
  pagesets
    cpu: 0
              count: 1
              high:  300
              batch: 15
    cpu: 1
              count: 1
              high:  300
              batch: 15
  node_unreclaimable:  0
  start_pfn:           65536
Node 1, zone  Movable
  pages free     0
        min      32
        low      32
        high     32
        managed  0
        protection: (0, 0, 0)
";

fn tiny() -> Scenario {
    Scenario::preset("tiny").expect("a preset")
}

#[test]
fn zones_are_read_with_marks_reserves_and_page_lists() {
    let info = Zoneinfo::parse(TWO_NODES).expect("readable");
    assert_eq!(info.problems, []);
    assert_eq!(info.zones.len(), 6);
    let dma = &info.zones[0];
    assert_eq!((dma.line, dma.node, dma.name.as_str()), (1, 0, "DMA"));
    assert_eq!((dma.free, dma.min, dma.low, dma.high, dma.promo), (3840, 22, 27, 32, Some(37)));
    assert_eq!(dma.protection, [0, 191, 191]);
    assert_eq!(
        dma.pagesets[1],
        Pageset { cpu: 1, count: 5, high: 13, batch: 1, high_min: Some(13), high_max: Some(240) }
    );
    let dma32 = &info.zones[1];
    assert_eq!((dma32.boost, dma32.min, dma32.high), (100, 1100, 1600));
    assert_eq!(dma32.pagesets[0].high_min, None);
    assert_eq!((info.nodes(), info.cpus()), (vec![0, 1], 2));
    assert_eq!(info.class_of("DMA32"), Some(1));
    assert_eq!(info.class_of("Movable"), Some(2));
}

#[test]
fn a_pasted_machine_becomes_the_scenario_with_its_settings() {
    let info = Zoneinfo::parse(TWO_NODES).expect("readable");
    let sysctl = Sysctl::parse(
        "kernel = 6.12.117-amd64\nvm.min_free_kbytes = 4096\nvm.watermark_scale_factor=50\n\
         vm.lowmem_reserve_ratio = 64\t32\t8\nnode0.cpus = 0\nnode1.cpus = 1\nvm.swappiness = 60\n",
    )
    .expect("readable");
    assert_eq!(sysctl.problems, []);
    let (s, problems) = into_scenario(&info, Some(&sysctl), &tiny());
    assert_eq!(problems, []);
    assert_eq!(s.validate(), []);
    assert_eq!(s.nodes.len(), 2);
    assert_eq!(s.nodes[0].zones[1], ZoneSpec { kind: ZoneKind::Dma32, managed: 49_049 });
    assert_eq!(s.nodes[1].zones, [ZoneSpec { kind: ZoneKind::Dma32, managed: 63_791 }]);
    assert_eq!((s.nodes[0].cpus, s.nodes[1].cpus), (1, 1));
    assert_eq!(s.text(ControlId::Flavour), "6.12");
    assert_eq!(s.get(ControlId::MinFreeKbytes), 4096);
    assert_eq!(s.get(ControlId::WatermarkScaleFactor), 50);
    assert_eq!((s.get(ControlId::ReserveDma), s.get(ControlId::ReserveDma32)), (64, 32));
    // The third ratio is the Movable zone's here: this kernel has no Normal zone.
    assert_eq!(s.get(ControlId::ReserveNormal), 32);
    let opened = crate::link::decode(&crate::link::encode(&s)).expect("opens");
    assert_eq!((opened.scenario, opened.problems), (s, vec![]));
}

#[test]
fn without_cpus_they_are_shared_out_and_that_is_said() {
    let info = Zoneinfo::parse(TWO_NODES).expect("readable");
    let (s, problems) = into_scenario(&info, None, &tiny());
    assert_eq!((s.nodes[0].cpus, s.nodes[1].cpus), (1, 1));
    assert!(problems[0].to_string().starts_with("cpus: the text does not say which CPUs"));
    assert_eq!(problems.len(), 1);
}

#[test]
fn a_text_cut_anywhere_is_told_and_its_whole_zones_are_kept() {
    let whole = Zoneinfo::parse(TWO_NODES).expect("readable");
    // Nothing shows that a whole node is missing at the end.
    let node_1 = TWO_NODES.find("Node 1").expect("there");
    for cut in 0..TWO_NODES.len() - 1 {
        let text = &TWO_NODES[..cut];
        match Zoneinfo::parse(text) {
            Err(PasteError::NoZone(_)) => assert!(cut < 700, "{cut}"),
            Err(other) => panic!("{cut}: {other}"),
            Ok(info) => {
                // The text may lack no more than its last line end or counters nobody reads.
                let same = info.zones == whole.zones || cut.abs_diff(node_1) <= 1;
                assert!(same || !info.problems.is_empty(), "cut at {cut} is not told");
                for zone in &info.zones {
                    let before = whole.zones.iter().find(|z| z.line == zone.line).expect("there");
                    assert_eq!((zone.min, zone.managed), (before.min, before.managed), "{cut}");
                    assert!(zone.pagesets.len() <= before.pagesets.len());
                    for (a, b) in zone.pagesets.iter().zip(&before.pagesets) {
                        assert_eq!((a.count, a.high, a.batch), (b.count, b.high, b.batch), "{cut}");
                    }
                }
            }
        }
    }
    let cut = Zoneinfo::parse(&TWO_NODES[..TWO_NODES.find("managed  63791").expect("there")]);
    let said: Vec<_> = cut.expect("keeps zones").problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["zoneinfo line 67: zone DMA32 of node 1 is not whole: the text ends at line 72; \
             it is left out"]
    );
}

#[test]
fn an_old_kernel_prints_only_zones_with_pages_and_no_boost() {
    let text = "\
Node 0, zone      DMA
  pages free     3977
        min      33
        low      41
        high     49
        node_scanned  0
        spanned  4095
        present  3998
        managed  3977
      nr_free_pages 3977
        protection: (0, 2991, 31919, 31919)
  pagesets
    cpu: 0
              count: 0
              high:  0
              batch: 1
  vm stats threshold: 8
  all_unreclaimable:   1
  start_pfn:           1
  inactive_ratio:      1
Node 0, zone   Normal
  pages free     100000
        min      16000
        low      20000
        high     24000
        managed  7405568
        protection: (0, 0, 0, 0)
  pagesets
    cpu: 0
              count: 145
              high:  186
              batch: 31
  vm stats threshold: 72
  all_unreclaimable:   0
  start_pfn:           1048576
  inactive_ratio:      15
";
    let info = Zoneinfo::parse(text).expect("readable");
    assert_eq!(info.problems, []);
    assert_eq!((info.zones[0].boost, info.zones[0].promo), (0, None));
    assert_eq!(info.zones[0].protection[2], 31_919);
    assert_eq!(info.zones[1].pagesets[0].high, 186);
    assert_eq!(info.class_of("Normal"), Some(2));
}

#[test]
fn a_text_quoted_in_a_mail_reads_the_same() {
    let whole = Zoneinfo::parse(TWO_NODES).expect("readable");
    let quoted: String = TWO_NODES.lines().map(|line| format!("> > {line}\r\n")).collect();
    assert_eq!(Zoneinfo::parse(&quoted), Ok(whole));
}

#[test]
fn damaged_lines_are_named() {
    let text = TWO_NODES
        .replace("min      500", "min      5OO")
        .replace("Node 1, zone  Movable", "Node 0, zone  Movable");
    let said: Vec<_> = Zoneinfo::parse(&text)
        .expect("keeps zones")
        .problems
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        said,
        [
            "zoneinfo line 69: `min      5OO` cannot be read",
            "zoneinfo line 67: zone DMA32 of node 1 is not whole; it is left out",
            "zoneinfo line 85: zone Movable of node 0 is there twice; the first is kept",
        ]
    );
    let error = Zoneinfo::parse("hello\nworld").expect_err("no zone").to_string();
    assert!(error.contains("`hello`") && error.contains("Node 0, zone DMA32"), "{error}");
}

#[test]
fn zones_that_are_not_modelled_are_left_out_with_a_word() {
    let text = TWO_NODES.replace("Node 0, zone    DMA32", "Node 0, zone    Device");
    let info = Zoneinfo::parse(&text).expect("readable");
    let (s, problems) = into_scenario(&info, None, &tiny());
    assert_eq!(
        problems[1].to_string(),
        "zoneinfo line 33: zone Device of node 0 is not modelled; its 49049 pages are left out"
    );
    assert_eq!(s.nodes[0].zones.len(), 1);
}

#[test]
fn sysctl_lines_that_cannot_be_read_are_named() {
    let sysctl = Sysctl::parse(
        "vm.min_free_kbytes = lots\n# vm.watermark_scale_factor = 1\nnode0.cpus = 0-x\nnonsense\n\
         kernel = seven\nvm.lowmem_reserve_ratio =\n",
    )
    .expect("readable");
    let said: Vec<_> = sysctl.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "sysctl line 1: vm.min_free_kbytes has the value `lots`: it takes a whole number from 0 to 2147483647",
            "sysctl line 3: node0.cpus has the value `0-x`: `0-x` is no list of CPUs",
            "sysctl line 5: kernel has the value `seven`: it is no version such as 7.3",
            "sysctl line 6: vm.lowmem_reserve_ratio has the value ``: it takes 1 to 8 numbers",
        ]
    );
    assert_eq!(sysctl.watermark_scale_factor, None);
}

#[test]
fn kernels_find_their_flavour() {
    let name = |version| {
        let (row, exact) = flavour_of(version);
        let Kind::Choice(rows) = ControlId::Flavour.control().kind else { unreachable!() };
        (rows[row].name, exact)
    };
    assert_eq!(name((6, 12)), ("6.12", true));
    assert_eq!(name((7, 2)), ("7.2", true));
    assert_eq!(name((6, 1)), ("5.15", false));
    assert_eq!(name((3, 10)), ("4.16", false));
    assert_eq!(name((9, 0)), ("7.3", false));
}

#[test]
fn large_and_hostile_texts_are_bounded() {
    assert_eq!(Zoneinfo::parse(&" ".repeat(SIZE_MAX + 1)), Err(PasteError::TooLong(SIZE_MAX + 1)));
    assert!(Sysctl::parse(&" ".repeat(SIZE_MAX + 1)).is_err());
    let headings: String = (0..100_000).map(|i| format!("Node {i}, zone DMA\n")).collect();
    assert!(Zoneinfo::parse(&headings).is_err());
    let zone =
        "  pages free 1\n min 1\n low 1\n high 1\n managed 1\n protection: (0)\n start_pfn: 1\n";
    let zones: String = (0..30_000).map(|i| format!("Node {i}, zone DMA\n{zone}")).collect();
    let info = Zoneinfo::parse(&zones).expect("readable");
    assert_eq!((info.zones.len(), info.problems.len()), (ZONES, PROBLEMS_MAX + 1));
    let (s, problems) = into_scenario(&info, None, &tiny());
    assert_eq!(s.nodes.len(), nodes_max());
    assert!(problems.len() <= ZONES + 1);
    let cpus: String = (0..200_000).map(|i| format!("node{i}.cpus = 0\n")).collect();
    assert_eq!(Sysctl::parse(&cpus).expect("readable").problems.len(), PROBLEMS_MAX + 1);
}

const ZONES: usize = 1024;

#[test]
fn altered_texts_never_panic_and_give_a_machine_within_bounds() {
    let mut state = 7u64;
    let mut draw = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut read = 0;
    for _ in 0..3000 {
        let mut bytes = TWO_NODES.as_bytes().to_vec();
        for _ in 0..=draw(6) {
            let at = draw(bytes.len().max(1));
            if bytes.is_empty() {
                break;
            }
            match draw(4) {
                0 => bytes[at] = draw(256) as u8,
                1 => drop(bytes.drain(at..(at + draw(60)).min(bytes.len()))),
                2 => bytes.splice(at..at, *b"99999999999").for_each(drop),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let sysctl = Sysctl::parse(&text).expect("short enough");
        let Ok(info) = Zoneinfo::parse(&text) else { continue };
        let (scenario, _) = into_scenario(&info, Some(&sysctl), &tiny());
        let opened = crate::link::decode(&crate::link::encode(&scenario)).expect("opens");
        assert_eq!(opened.scenario, scenario);
        assert!(scenario.validate().iter().all(|p| p.path == "nodes_detail"), "{text}");
        read += 1;
    }
    assert!(read > 500, "{read}");
}

#[test]
fn a_zone_whose_heading_is_lost_is_told_and_never_joins_another() {
    let whole = Zoneinfo::parse(TWO_NODES).expect("whole");
    let with_mark = format!("\u{feff}{TWO_NODES}");
    assert_eq!(Zoneinfo::parse(&with_mark).expect("whole"), whole);
    for heading in ["Node 0, zone      DMA\n", "Node 0, zone    DMA32\n"] {
        for instead in ["", "Nod 0, zone    DMA32\n"] {
            let text = TWO_NODES.replacen(heading, instead, 1);
            let read = Zoneinfo::parse(&text).expect("other zones are whole");
            assert_eq!(read.zones.len(), whole.zones.len() - 1, "{heading:?} {instead:?}");
            assert!(!read.problems.is_empty(), "{heading:?} {instead:?}: nothing is said");
            for zone in &read.zones {
                let same = |z: &&Zone| (z.node, &z.name) == (zone.node, &zone.name);
                let want = whole.zones.iter().find(same).expect("a zone of the text");
                assert_eq!((zone.managed, zone.high), (want.managed, want.high), "{}", zone.name);
            }
        }
    }
}

#[test]
fn values_that_no_kernel_takes_are_told() {
    let lines = "vm.min_free_kbytes = 18446744073709551615\nvm.watermark_scale_factor = 0\n";
    let sysctl = Sysctl::parse(lines).expect("short");
    assert_eq!(sysctl.problems.len(), 2, "{:?}", sysctl.problems);
    assert_eq!((sysctl.min_free_kbytes, sysctl.watermark_scale_factor), (None, None));
}
