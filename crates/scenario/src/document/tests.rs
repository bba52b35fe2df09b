//! Documents there and back, wrong, hostile, and with arms.

use super::*;
use catalog::ControlId;

fn read(text: &str) -> Opened {
    from_json(text).expect("a document")
}

#[test]
fn only_differences_are_needed_and_units_are_read() {
    let opened = read(
        r#"{"format":1,"preset":"lumpkin2018","kswapds":4,"memory":"64GiB","thp":false,
            "duration":1.5,"flavour":"7.3"}"#,
    );
    assert_eq!(opened.problems, []);
    let s = opened.scenario;
    assert_eq!(s.get(ControlId::Kswapds), 4);
    assert_eq!(s.get(ControlId::Memory), 64 << 30);
    assert_eq!(s.get(ControlId::Thp), 0);
    assert_eq!(s.get(ControlId::Duration), 1_500_000_000);
    assert_eq!(s.text(ControlId::Flavour), "7.3");
    assert_eq!(s.get(ControlId::Readers), 28);
}

#[test]
fn what_is_written_is_read_back() {
    let mut s = Scenario::preset("tiny").expect("a preset");
    s.set_text("seed", "9007199254740991").expect("in bounds");
    s.set_text("drive_latency", "123457ns").expect("in bounds");
    assert_eq!(read(&to_json(&s)), Opened::plain(s.clone()));
    s.nodes = vec![NodeSpec {
        cpus: 3,
        zones: vec![ZoneSpec { kind: ZoneKind::Dma32, managed: 112_693 }],
    }];
    assert_eq!(read(&to_json(&s)), Opened::plain(s));
}

#[test]
fn unknown_and_wrong_fields_are_named_and_the_rest_is_kept() {
    let opened = read(
        r#"{"format":1,"preset":"tiny","colour":"red","kswapds":0,"readers":[1],"cpus":4,
            "seed":1.5,
            "nodes_detail":[{"cpus":2,"zones":[{"zone":"DMA32","managed":1000,"free":3},
            {"zone":"Moon","managed":1}],"mood":1},7]}"#,
    );
    let said: Vec<_> = opened.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "colour: there is no such control; left as it was",
            "kswapds: kswapds a node must be 1 to 32, not 0; left as it was",
            "readers: a value is a text, a number or true or false; left as it was",
            "seed: `1.5` is not a whole number; Seed takes 0 to 9007199254740991; \
             left as it was",
            "nodes_detail[0].mood: there is no such field; known: cpus, zones",
            "nodes_detail[0].zones[0]: there is no field `free` here; known: zone, managed",
            "nodes_detail[0].zones[1]: `zone` must be DMA, DMA32, Normal or Movable; \
             the zone is left out",
            "nodes_detail[1]: a node is an object with cpus and zones",
            "cpus: 4 is not what nodes_detail gives (2), which holds",
        ]
    );
    assert_eq!(opened.scenario.nodes[0].zones[0].managed, 1000);
    assert_eq!(opened.scenario.get(ControlId::Kswapds), 1);
}

#[test]
fn a_missing_preset_is_said_and_a_wrong_one_refused() {
    let opened = read(r#"{"kswapds":4}"#);
    assert_eq!(opened.problems[0].to_string(), "preset: it is missing; lumpkin2018 is taken");
    let error = from_json(r#"{"preset":"nobody"}"#).expect_err("no such preset");
    assert!(
        error.to_string().contains("`nobody`; known: lumpkin2018, cassandra2026, kbuild2026, ")
    );
}

#[test]
fn what_is_no_document_is_refused_at_its_place() {
    let said = |text: &str| from_json(text).expect_err("refused").to_string();
    assert!(said("{\"preset\":\n  tiny}").contains("line 2, column 4"), "{}", said("{\n tiny}"));
    assert!(said("[1]").contains("not an object"));
    assert!(said(r#"{"format":99}"#).contains("newer version"));
    assert!(said(&"[".repeat(100_000)).contains("not JSON"));
    assert!(said(&" ".repeat(SIZE_MAX + 1)).contains("at most 262144"));
}

#[test]
fn floods_are_bounded() {
    let rows: String = (0..5000).map(|i| format!("\"x{i}\":1,")).collect();
    let opened = read(&format!("{{{rows}\"preset\":\"tiny\"}}"));
    assert_eq!(opened.problems.len(), PROBLEMS_MAX + 1);
    let nodes = "{},".repeat(9999) + "{}";
    let opened = read(&format!("{{\"preset\":\"tiny\",\"nodes_detail\":[{nodes}]}}"));
    assert_eq!(opened.scenario.nodes.len(), nodes_max());
}

#[test]
fn arms_and_view_come_back() {
    let text = r#"{"format":1,"preset":"tiny","kswapds":2,
        "arms":[{"name":"two"},{"name":"eight","kswapds":8,"policy":"single"},{}],
        "view":{"time":"500ms","show":"locks"}}"#;
    let opened = read(text);
    assert_eq!(opened.problems, []);
    let shared = opened.shared();
    assert_eq!(shared.arms.len(), 3);
    assert_eq!(shared.arms[1].words(&shared.scenario), "kswapds=8 policy=single");
    assert_eq!(shared.view.time_ns, Some(500_000_000));
    assert_eq!(read(&shared_to_json(&shared)), Opened::of(shared));
}

#[test]
fn arms_that_cannot_be_are_told() {
    let said = |text: &str| -> Vec<String> {
        read(text).problems.iter().map(ToString::to_string).collect()
    };
    let text = r#"{"preset":"tiny","arms":[{"kswapds":2},{"seed":5,"kswapds":0,"name":"a b"},7]}"#;
    assert_eq!(
        said(text),
        [
            "arms[0]: arm A is the scenario itself; what it sets stands outside of `arms`",
            "arms[1].name: `a b` is no name: one has letters, digits, `_` and `-`, and no other \
             ends; left out",
            "arms[1].seed: the seeds of all arms are those of arm A; left out",
            "arms[1].kswapds: kswapds a node must be 1 to 32, not 0; left as it was",
            "arms[2]: an arm is an object with what it sets; taken as arm A is",
        ]
    );
    assert_eq!(
        said(r#"{"preset":"tiny","arms":[{}]}"#),
        ["arms: one arm has none to compare \
        with; left out"]
    );
    assert!(said(r#"{"preset":"tiny","arms":5}"#)[0].contains("not a list"));
    let many = "{},".repeat(5) + "{}";
    assert!(said(&format!("{{\"preset\":\"tiny\",\"arms\":[{many}]}}"))[0].contains("6 arms"));
    assert!(said(r#"{"preset":"tiny","view":{"time":"x","mood":1}}"#).len() == 2);
    assert!(said(r#"{"preset":"tiny","view":{"time":"3h"}}"#)[0].starts_with("view.time: "));
    assert!(said(r#"{"preset":"tiny","view":{"time":"9999s"}}"#)[0].contains("after the end"));
    assert!(said(r#"{"preset":"tiny","":1}"#)[0].starts_with("(no name): there is no such"));
}

#[test]
fn a_name_that_stands_twice_is_refused_at_its_place() {
    let said = |text: &str| from_json(text).expect_err("refused").to_string();
    let twice = "{\"preset\":\"tiny\",\n \"kswapds\":1,\n \"kswapds\":2}";
    assert_eq!(
        said(twice),
        "`kswapds` stands twice in the document, again at line 3, column 10; which of the two \
         holds cannot be known"
    );
    let nested = r#"{"preset":"tiny","nodes_detail":[{"cpus":1,"cpus":2}]}"#;
    assert!(said(nested).starts_with("`cpus` stands twice"));
}
