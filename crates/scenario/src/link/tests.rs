//! Links there and back, damaged, truncated and hostile; how long they are.

use super::*;
use crate::{MANAGED_MAX, NodeSpec, View, ZoneSpec};
use catalog::{CONTROLS, Kind, Row, Unit, ZoneKind};

fn encode_with(scenario: &Scenario, model: u32) -> String {
    finish(science(&Shared::new(scenario.clone()), model))
}

fn decode_with(text: &str, model: u32) -> Result<Opened, LinkError> {
    read::decode(text, model)
}

fn lumpkin(sets: &[(&str, &str)]) -> Scenario {
    let mut s = Scenario::preset("lumpkin2018").expect("a preset");
    for (key, value) in sets {
        s.set_text(key, value).expect("in bounds");
    }
    s
}

fn opened(text: &str) -> Opened {
    decode(text).expect("opens")
}

fn said(text: &str) -> Vec<String> {
    opened(text).problems.iter().map(ToString::to_string).collect()
}

/// A small generator, so that the same scenarios come every time.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 20
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// A value as a slider or a hand gives it: at most three digits that count, in its unit.
    fn value(&mut self, id: ControlId) -> i64 {
        let (min, max) = id.control().bounds();
        match (id.control().kind, id.control().unit) {
            (Kind::Number { .. }, Unit::Bytes) => {
                ((1 + self.below(1023)) as i64) << [20, 30][self.below(2) as usize]
            }
            (Kind::Number { .. }, _) => {
                let digits = 1 + self.below(u64::from(max.ilog10()) + 1) as u32;
                let v = (1 + self.below(999)) as i64 * 10i64.pow(digits.saturating_sub(3));
                v.clamp(min, max)
            }
            _ => min + self.below((max - min + 1) as u64) as i64,
        }
    }
    fn changed(&mut self, changes: u64) -> Scenario {
        let mut s = Scenario::new(&preset::PRESETS[0]);
        for _ in 0..changes {
            let id = CONTROLS[self.below(ControlId::COUNT as u64) as usize].id;
            // Tables have a test of their own.
            if id != ControlId::Seed && id.control().table().is_none() {
                let value = self.value(id);
                s.set(id, value).expect("in bounds");
            }
        }
        s
    }
    /// So many rows of a table, each as a person fills it in: some cells, round values.
    fn rows(&mut self, id: ControlId, count: usize) -> Vec<Row> {
        let table = id.control().table().expect("a table");
        let row = |draw: &mut Self| {
            let mut row = table.default_row();
            for (i, (cell, column)) in row.iter_mut().zip(table.columns).enumerate() {
                let (min, max) = column.bounds();
                if i > 0 && draw.below(2) == 0 {
                    continue;
                }
                *cell = match column.unit {
                    Unit::Bytes => (1 + draw.below(64) as i64) << 30,
                    _ => min + draw.below((max - min + 1) as u64) as i64,
                };
            }
            row
        };
        (0..count).map(|_| row(self)).collect()
    }
}

#[test]
fn links_with_devices_and_tiers_come_back_and_are_short() {
    const BASE: usize = 29;
    let mut draw = Draw(7);
    let mut lengths = Vec::new();
    for i in 0..1_000 {
        let mut s = Scenario::new(&preset::PRESETS[0]);
        for (id, rows) in [(ControlId::SwapTable, 4), (ControlId::SwapTiers, 3)] {
            let rows = draw.rows(id, rows);
            s.set_rows(id, rows).expect("in bounds");
        }
        s.set(ControlId::TierAssignment, i % 6).expect("in bounds");
        let link = encode(&s);
        assert_eq!(opened(&link), Opened::plain(s.clone()), "{link}");
        let text = crate::document::to_json(&s);
        assert_eq!(crate::document::from_json(&text).expect("a document").scenario, s, "{text}");
        lengths.push(BASE + link.len());
    }
    lengths.sort_unstable();
    assert!(lengths[950] <= 200, "p95 with 4 devices and 3 tiers: {}", lengths[950]);
    let most = [ControlId::SwapTable, ControlId::SwapTiers, ControlId::TiersThen];
    let mut s = Scenario::new(&preset::PRESETS[0]);
    for id in most {
        let rows = id.control().bounds().1 as usize;
        let rows = draw.rows(id, rows);
        s.set_rows(id, rows).expect("in bounds");
    }
    let link = encode(&s);
    assert!(link.len() < SIZE_MAX / 2, "{}", link.len());
    assert_eq!(opened(&link), Opened::plain(s));
}

#[test]
fn arms_differ_in_their_devices() {
    let text = "nvme priority=5; ssd size=1GiB";
    for [a, b] in [["none", text], [text, "none"], [text, "hdd"], ["hdd", "hdd"]] {
        let arm = |table| Arm::new(lumpkin(&[("swap_devices", "3"), ("swap_table", table)]));
        let shared = Shared::compared(vec![arm(a), arm(b)]).expect("two arms");
        let link = encode_shared(&shared);
        assert_eq!(opened(&link), Opened::of(shared.clone()), "{link}");
        let json = crate::document::shared_to_json(&shared);
        assert_eq!(crate::document::from_json(&json).expect("a document").shared(), shared);
    }
}

#[test]
fn the_plain_preset_is_the_shortest_link() {
    let link = encode(&lumpkin(&[]));
    assert_eq!(link.len(), "v1.l18.xxx".len());
    assert_eq!(opened(&link), Opened::plain(lumpkin(&[])));
}

#[test]
fn differences_are_readable_and_in_the_order_of_the_controls() {
    let sets = [("seed", "7"), ("readers", "58"), ("kswapds", "4"), ("flavour", "7.3")];
    let link = encode(&lumpkin(&sets));
    assert!(link.starts_with("v1.l18.f-73.k4.r58.s7."), "{link}");
}

#[test]
fn random_scenarios_come_back_and_keep_to_the_alphabet() {
    let mut draw = Draw(1);
    for round in 0..2000 {
        let mut s = draw.changed(round % 30);
        s.set(ControlId::Seed, (draw.next() << 9) as i64 & catalog::controls::SEED_MAX)
            .expect("in bounds");
        if round % 3 == 0 {
            let kinds = ZoneKind::ALL.into_iter();
            for _ in 0..=draw.below(8) {
                let zone = |kind| ZoneSpec { kind, managed: 1 + draw.below(MANAGED_MAX) };
                let zones: Vec<_> = kinds.clone().map(zone).collect();
                let node = NodeSpec { cpus: 1 + draw.below(512) as u32, zones };
                if s.nodes.len() < 8 {
                    s.nodes.push(node);
                }
            }
        }
        let link = encode(&s);
        assert_eq!(opened(&link), Opened::plain(s), "{link}");
        assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{link}");
        assert!(link.ends_with(|c: char| c.is_ascii_alphanumeric()), "{link}");
        assert!(link.len() <= 2000, "{}", link.len());
    }
}

#[test]
fn links_are_as_short_as_a_mail_needs() {
    const BASE: usize = 29;
    let mut draw = Draw(2);
    let mut lengths = |changes: u64, seed_below: u64| {
        let mut lengths: Vec<usize> = (0..1000)
            .map(|i| {
                let mut s = draw.changed(i % (changes + 1));
                s.set(ControlId::Seed, (1 + draw.next() % seed_below) as i64).expect("in bounds");
                BASE + encode(&s).len()
            })
            .collect();
        lengths.sort_unstable();
        lengths
    };
    let few = lengths(4, 999);
    assert!(few[950] <= 69, "p95 with up to 4 changes: {}", few[950]);
    let many = lengths(8, 1 << 53);
    assert!(many[500] <= 75, "median with any seed and up to 8 changes: {}", many[500]);
}

#[test]
fn what_mail_puts_around_a_link_does_not_matter() {
    let s = lumpkin(&[("kswapds", "4"), ("readers", "58")]);
    let link = encode(&s);
    let (head, tail) = link.split_at(10);
    for text in [
        format!("#{link}"),
        format!("https://reclaim.example.org/#{link}"),
        format!("Link: https://reclaim.example.org/#{link}\n"),
        format!("  <https://reclaim.example.org/#{link}>. "),
        format!("(https://reclaim.example.org/#{link}),"),
        format!("https://reclaim.example.org/#{link} shows it"),
        format!("https://reclaim.example.org/#{head}\n{tail}"),
        format!("> https://reclaim.example.org/#{head}\n> {tail}"),
        format!("\"{link}\""),
        format!("https://reclaim.example.org/#{link}?utm_source=list&utm_medium=mail"),
        format!("https://reclaim.example.org/%23{link}"),
        format!("> {link}"),
        format!("> > > {link}."),
        format!("https://reclaim.example.org/#{head}=\n{tail}"),
        format!("https://reclaim.example.org/#{head}=\r\n{tail}=\r\n"),
        format!("https://reclaim.example.org/#{head}=2E\n").replace("=2E", "") + tail,
        format!("> > https://reclaim.example.org/#{head}\r\n> > {tail}\r\n> > and more"),
        format!("see\u{a0}https://reclaim.example.org/#{link}\u{a0}please"),
        format!("https://reclaim.example.org/#v\n{}", &link[1..]),
        format!("https://reclaim.example.org/#{}\u{200b}{}", &link[..7], &link[7..]),
        format!("Link: https://reclaim.example.org/#{}", link.replace('.', "=2E")),
        format!("Text about #v1 and more.\n\n[1] https://reclaim.example.org/#{link}\n\nBye #2"),
    ] {
        assert_eq!(opened(&text).scenario, s, "{text}");
        assert_eq!(opened(&text).problems, [], "{text}");
    }
}

#[test]
fn a_damaged_token_is_named_and_the_rest_kept() {
    let link = encode(&lumpkin(&[("kswapds", "4"), ("readers", "58"), ("seed", "7")]));
    let damaged = link.replace(".k4.", ".kx4.");
    assert_eq!(
        said(&damaged),
        [
            "check: the link was altered or damaged on its way: its end does not fit the rest; \
             what can be read is kept",
            "token 1: damaged at token 1 (`kx4`): there is no such control; kept the rest",
        ]
    );
    assert_eq!(opened(&damaged).scenario, lumpkin(&[("readers", "58"), ("seed", "7")]));
}

#[test]
fn a_value_out_of_bounds_is_refused_with_them() {
    let link = format!("v1.l18.k99.f-999.r58.{}", check::of("v1.l18.k99.f-999.r58"));
    assert_eq!(
        said(&link),
        [
            "token 1: `k99`: kswapds a node must be 1 to 32, not 99; kept 1",
            "token 2: `f-999`: its value cannot be read; Kernel takes 4.16, 5.15, 6.12, 7.2, 7.3 \
             or 7.2-series; kept 4.16",
        ]
    );
    assert_eq!(opened(&link).scenario, lumpkin(&[("readers", "58")]));
}

#[test]
fn a_truncated_link_keeps_what_came_before_at_every_cut() {
    let whole = lumpkin(&[("kswapds", "4"), ("readers", "58"), ("seed", "7")]);
    let link = encode(&whole);
    for cut in "v1.l18".len()..link.len() {
        let opened = opened(&link[..cut]);
        assert!(!opened.problems.is_empty(), "{}", &link[..cut]);
        let k4 = opened.scenario.get(ControlId::Kswapds) == 4;
        assert_eq!(k4, cut >= "v1.l18.k4".len(), "{}", &link[..cut]);
    }
    assert!(said("v1.l18.k4.r5")[0].contains("truncated, and its last value may be too"));
    assert!(said("v1.l18.k4.Q")[0].contains("truncated"));
    assert_eq!(said("v1.l18.k4.Q").len(), 1);
}

#[test]
fn tokens_twice_and_nodes_that_are_missing_are_told() {
    let told = said("v1.l18.k4.k5.N0-c1-w1000.N2-c1-w1000.N2-c2-w1.n3.000");
    assert!(told[0].starts_with("check: "));
    assert_eq!(
        told[1..],
        [
            "token 2: `k5` sets kswapds a node again; the first stands",
            "token 5: `N2-c2-w1` gives node 2 again; the first stands",
            "nodes: node 1 is missing; the nodes after it move up",
            "nodes: the link gives both single nodes and a shape for all; the nodes hold",
        ]
    );
}

#[test]
fn what_is_no_link_is_refused_at_once() {
    assert_eq!(decode(""), Err(LinkError::Empty));
    assert_eq!(decode(" <> "), Err(LinkError::Empty));
    assert_eq!(decode("v99.l18.k4.x7Q"), Err(LinkError::NewerThanMe { version: 99 }));
    assert_eq!(decode("v1.l19.k4.x7Q"), Err(LinkError::UnknownPreset("l19".to_owned())));
    assert_eq!(decode(&"x".repeat(1_000_000)), Err(LinkError::TooLong(1_000_000)));
    for text in ["hello", "v1", "v0.l18.x7Q", "v1x.l18", "v-1.l18", "v9999999999.l18", "1.l18"] {
        assert!(matches!(decode(text), Err(LinkError::NotALink(_))), "{text}");
    }
    let sentence = decode("v99.l18.x7Q").expect_err("newer").to_string();
    assert!(sentence.contains("format 99") && sentence.contains("newer version"), "{sentence}");
}

#[test]
fn a_wrapped_link_keeps_its_values_even_when_it_was_altered() {
    let s = lumpkin(&[("kswapds", "4"), ("readers", "58"), ("seed", "7")]);
    let link = encode(&s).replace(".k4.", ".kx4.");
    let cut = link.find(".s7").expect("the seed") + 2;
    for text in [
        format!("Link: https://x.example/#{}\n> {}\n> and so on", &link[..cut], &link[cut..]),
        format!("Link: https://x.example/#{}=\n{} and so on", &link[..cut], &link[cut..]),
    ] {
        let opened = opened(&text);
        assert_eq!(opened.scenario, lumpkin(&[("readers", "58"), ("seed", "7")]), "{text}");
        assert_eq!(opened.problems.len(), 2, "{text}");
    }
    let text = format!("https://x.example/#{}\nis the text of the next line", &link[..cut]);
    assert_eq!(opened(&text).scenario.get(ControlId::Readers), 58);
}

#[test]
fn the_first_of_several_links_is_opened_and_the_others_are_told() {
    let (one, two) = (lumpkin(&[("kswapds", "4")]), lumpkin(&[("kswapds", "5")]));
    let text = format!("#{} then #{} and #{}", encode(&one), encode(&two), encode(&one));
    assert_eq!(opened(&text).scenario, one);
    assert_eq!(said(&text), ["text: the text holds 2 links; the first is opened"]);
}

fn shared(arms: &[(&str, &[(&str, &str)])]) -> Shared {
    let arm = |(name, sets): &(&str, &[(&str, &str)])| Arm {
        name: (*name).to_owned(),
        scenario: lumpkin(sets),
    };
    Shared::compared(arms.iter().map(arm).collect()).expect("arms")
}

#[test]
fn arms_and_view_travel_with_the_link() {
    let a = [("kswapds", "2"), ("seed", "7")];
    let c = [("kswapds", "2"), ("lru_partitions", "4")];
    let mut s = shared(&[("", &a), ("eight", &[("kswapds", "8")]), ("", &c)]);
    let science = encode_shared(&s);
    assert!(science.starts_with("v1.l18.k2.s7.B-eight.k8.C.l4."), "{science}");
    assert_eq!(opened(&science), Opened::of(s.clone()));
    s.view = View { time_ns: Some(1_500_000_000), show: Some("locks".into()) };
    let link = encode_shared(&s);
    assert!(link.starts_with("v1.l18.k2.s7.B-eight.k8.C.l4._t1500ms._v-locks."), "{link}");
    assert_eq!(opened(&link), Opened::of(s.clone()));
    assert_eq!(encode_science(&s), science, "the view is no science");
    s.arms[0].name = "base".into();
    assert!(encode_shared(&s).starts_with("v1.l18.A-base.k2.s7.B-eight"));
    assert_eq!(opened(&encode_shared(&s)), Opened::of(s));
}

#[test]
fn arms_of_pasted_machines_travel_too() {
    let zone = |managed| ZoneSpec { kind: ZoneKind::Normal, managed };
    let node = |managed| NodeSpec { cpus: 2, zones: vec![zone(managed)] };
    let mut given = lumpkin(&[]);
    given.nodes = vec![node(1_000_000), node(2_000_000)];
    let mut other = given.clone();
    other.nodes = vec![node(5_000_000)];
    let mut alike = given.clone();
    alike.set_text("memory", "8GiB").expect("in bounds");
    let mut more = given.clone();
    more.set_text("kswapds", "3").expect("in bounds");
    let arms = [given, other, alike, more].map(Arm::new).to_vec();
    let s = Shared::compared(arms).expect("arms");
    assert_eq!(opened(&encode_shared(&s)), Opened::of(s));
    let arms = [lumpkin(&[]), lumpkin(&[])].map(Arm::new).to_vec();
    let mut s = Shared::compared(arms).expect("arms");
    s.arms[1].scenario.nodes = vec![node(1_000_000)];
    assert_eq!(opened(&encode_shared(&s)), Opened::of(s));
}

#[test]
fn arms_are_damaged_one_by_one() {
    let told = said("v1.l18.k2.B.kx8.r58.s9.C.D-.r1.F.k1.000");
    assert_eq!(
        told[1..],
        [
            "token 3 (arm B): damaged at token 3 (`kx8`): there is no such control; kept the rest",
            "token 5 (arm B): `s9` is left out: the seeds of all arms are those of arm A",
            "token 7 (arm C): damaged at token 7 (`D-`): `` is no name: one has letters, digits, \
             `_` and `-`, and no other ends; kept the rest",
            "token 9 (arm C): damaged at token 9 (`F`): it begins with no letter of a control; \
             kept the rest",
        ]
    );
    let opened = opened("v1.l18.k2.C.r58.B.r59.000");
    assert_eq!(opened.arms.len(), 3);
    assert!(opened.problems[1].sentence.contains("out of order; the next would be B"));
    let many = opened_arms("v1.l18.B.C.D.E.E.k3.000");
    assert_eq!(many, 5);
    assert_eq!(opened_arms("v1.l18.k2.B"), 0, "rather the beginning of a check");
    assert_eq!(opened_arms("v1.l18.k2.B.k"), 2);
}

fn opened_arms(text: &str) -> usize {
    opened(text).arms.len()
}

#[test]
fn random_arms_come_back() {
    let mut draw = Draw(4);
    for round in 0..500 {
        let arms = (0..2 + round % 4).map(|i| Arm {
            name: if draw.below(2) == 0 { String::new() } else { format!("arm-{i}_x") },
            scenario: draw.changed(i * 3),
        });
        let mut s = Shared::compared(arms.collect()).expect("arms");
        if draw.below(2) == 0 {
            s.view.time_ns = Some(draw.below(crate::TIME_MAX_NS + 1));
        }
        let link = encode_shared(&s);
        assert_eq!(opened(&link), Opened::of(s), "{link}");
        assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{link}");
        assert!(link.len() <= SIZE_MAX);
    }
}

#[test]
fn a_link_is_explained_part_by_part() {
    let mut s = shared(&[("", &[("kswapds", "2")]), ("eight", &[("kswapds", "8")])]);
    s.view.time_ns = Some(2_000_000_000);
    let rows = explain(&encode_shared(&s)).expect("a link");
    let words: Vec<String> = rows.iter().map(|(part, words)| format!("{part}: {words}")).collect();
    assert!(words[0].starts_with("v1: format 1"));
    assert!(words[1].starts_with("l18: preset lumpkin2018: The 2018 test"));
    let k2 = "k2: kswapds = 2 (preset: 1); kswapds a node [max_kswapds_per_node]";
    assert_eq!(words[2], k2);
    assert_eq!(words[3], "B-eight: arm B, named eight: differs from arm A in what follows");
    assert_eq!(words[5], "_t2s: time cursor at 2s; changes no number");
    assert!(words[6].contains("nothing before it was altered"));
    let rows = explain("v1.l18.kx2.r9999.000").expect("a damaged link");
    assert!(rows[2].1.starts_with("damaged: there is no such control"));
    assert!(rows[3].1.starts_with("readers: Readers must be"));
    assert!(rows[4].1.contains("altered or damaged"));
}

#[test]
fn garbage_never_panics_and_its_problems_are_bounded() {
    let mut draw = Draw(3);
    let alphabet: Vec<char> =
        "v1.l8tinyNMSBCkrs-_0169xQ#<>=2E% \u{a0}\u{e9}\u{1f600}\n".chars().collect();
    for _ in 0..5000 {
        let n = draw.below(60);
        let tail: String =
            (0..n).map(|_| alphabet[draw.below(alphabet.len() as u64) as usize]).collect();
        let _ = decode(&tail);
        if let Ok(opened) = decode(&format!("v1.tiny.{tail}")) {
            assert!(opened.problems.len() <= TOKENS_MAX + 4);
        }
    }
    let many = format!("v1.tiny{}", ".".repeat(8000));
    assert!(opened(&many).problems.len() <= TOKENS_MAX + 4);
}

#[test]
fn a_link_says_which_model_made_it() {
    let s = lumpkin(&[("kswapds", "4")]);
    let newer = encode_with(&s, 3);
    assert!(newer.starts_with("v1.l18.M3.k4."), "{newer}");
    let opened = decode_with(&newer, 5).expect("opens");
    assert_eq!((opened.scenario.clone(), opened.problems.clone()), (s.clone(), vec![]));
    let note = opened.model_note.expect("another model");
    assert_eq!(note, "The link was made with model 3, this is model 5: its numbers differ.");
    let first = decode_with(&encode_with(&s, 1), 2).expect("opens");
    assert!(first.model_note.expect("another model").contains("made with model 1"));
    assert_eq!(decode_with(&newer, 3).expect("opens").model_note, None);
    assert_eq!((opened.model, first.model), (3, 1));
    let quoted = format!("> > See https://example.org/#{newer}.\r\n> >\r\n");
    assert_eq!(found(&quoted).as_deref(), Ok(newer.as_str()), "as it was written");
}

#[test]
fn a_revision_that_is_not_known_is_told() {
    let body = "v1.l18-7.k4";
    let link = format!("{body}.{}", check::of(body));
    assert_eq!(
        said(&link),
        ["preset: lumpkin2018 has no revision `7` here; the values of revision 1 are taken"]
    );
}

#[test]
fn changed_constants_travel_with_the_link_and_its_arms() {
    let a = lumpkin(&[("kswapds", "4"), ("LockHandOff", "20"), ("IsolatePerPage", "150")]);
    let mut b = a.clone();
    b.set_text("IsolatePerPage", "80").expect("the ledger's own");
    b.set_text("ZonePerPage", "60").expect("in range");
    let shared = Shared::compared(vec![Arm::new(a.clone()), Arm::new(b)]).expect("two arms");
    let link = encode_shared(&shared);
    let science = "v1.l18.k4.c-LockHandOff-20.c-IsolatePerPage-150.\
                   B.c-IsolatePerPage-80.c-ZonePerPage-60.";
    assert!(link.starts_with(science), "{link}");
    let back = opened(&link);
    assert_eq!((back.problems.as_slice(), &back.shared()), (&[][..], &shared));
    assert_eq!(shared.arms[1].words(&a), "IsolatePerPage=80 ZonePerPage=60");
    let text = crate::document::shared_to_json(&shared);
    assert_eq!(crate::document::from_json(&text).expect("a document").shared(), shared);
    let rows = explain(&link).expect("a link");
    assert!(rows[3].1.starts_with("constant LockHandOff = 20 ns (ledger: 60, GUESS"), "{rows:?}");
    let all = said(&finish("v1.l18.c-ZonePerPage-9999.c-ZonePerPage-30.c-Gone-1".to_owned()));
    assert_eq!(
        all[0],
        "token 1: `c-ZonePerPage-9999`: it must be 15 to 60 ns/page, not 9999; left as it was"
    );
    assert!(all[1].contains("again; the first stands") && all[2].contains("no such constant"));
}
