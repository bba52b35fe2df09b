//! The mail of made-up runs: its alphabet, its width, what it says.

use super::*;
use crate::Report;
use crate::compare::{About, Replica, Runs, Warm, compare};
use crate::series::Table;
use crate::window::{Cycles, Facts};

/// Arms with these throughputs, a replication each.
fn comparison(arms: &[(&str, &[f64])], link: &str) -> Comparison {
    let runs = |(label, values): &(&str, &[f64])| Runs {
        label: (*label).to_owned(),
        sets: "kswapds=8 policy=single lru_partitions=4 watermark_scale_factor=300 hz=1000".into(),
        link: link.to_owned(),
        replications: values.iter().map(|v| Replica::of(&report(*v), &Table::default())).collect(),
    };
    let about = About {
        ledger: "1a2b3c4d".into(),
        link: link.to_owned(),
        title: "2 nodes with 52 CPUs and 378GiB each, kernel 4.16, 1 kswapd a node".into(),
        seeds: (0..arms[0].1.len() as u64).collect(),
        warm: Warm::Own,
        assumed: vec!["kernel 4.16: swap clusters (rules of 6.12); MGLRU".into()],
    };
    let runs: Vec<Runs> = arms.iter().map(runs).collect();
    compare(about, &runs, |arm, _| format!("{arm:016x}"))
}

fn report(throughput: f64) -> Report {
    Report {
        kind: "SIMULATED".into(),
        model: "0.1.0".into(),
        preset: "lumpkin2018".into(),
        stopped: "window".into(),
        throughput_unit: "bytes read".into(),
        warmup_s: 4.0,
        window_s: 16.0,
        throughput,
        ..Report::default()
    }
}

fn checked(c: &Comparison) -> String {
    let mail = text(c, ADDRESS);
    assert!(mail.is_ascii() && mail.ends_with('\n'), "{mail}");
    for line in mail.lines() {
        let is_link = line.starts_with("Link: ") && line.len() <= TAG_WIDTH;
        let fits = line.len() <= WIDTH || is_link || line.starts_with("[1] ");
        assert!(fits && line.trim_end() == line, "{line}");
    }
    assert!(!mail.contains("\n\n\n"), "{mail}");
    mail
}

#[test]
fn a_difference_is_told_in_words_rows_and_marks() {
    let c = comparison(
        &[("one", &[8.10e9, 8.12e9, 8.11e9]), ("eight", &[8.70e9, 8.71e9, 8.69e9])],
        "v1.l18.A-one.B-eight.k8.x7Q",
    );
    let mail = checked(&c);
    assert!(mail.starts_with("SIMULATED with reclaimscope, model 0.1.0, ledger 1a2b3c4d\n"));
    assert!(mail.contains("\nB eight: throughput 7.27% higher than A one (interval"), "{mail}");
    assert!(mail.contains("no detectable difference in p99 latency from A one at n = 3"), "{mail}");
    assert!(mail.contains("Hmean  GB         8.1100  ( 0.00%)   8.7000  *+7.27%*"), "{mail}");
    assert!(mail.contains("Stddev GB"), "{mail}");
    assert!(mail.contains("\nLink: https://reclaim.example.org/#v1.l18.A-one"), "{mail}");
    assert!(mail.contains("Reproduce: reclaimscope mail v1.l18"), "{mail}");
    assert!(mail.contains("digest B 0000000000000001"), "{mail}");
    assert!(mail.contains("|-*-|") && mail.contains("not in any arm: "), "{mail}");
    let joined = mail.replace("\n             ", " ");
    assert!(joined.contains("source. Assumed of kernel 4.16: swap clusters (rules of"), "{mail}");
    for word in ["kswapds=8", "Warm-up: the first 4s", "Not modelled: ", "GUESS"] {
        assert!(mail.contains(word), "{word}: {mail}");
    }
}

#[test]
fn five_arms_long_links_and_odd_numbers_keep_to_the_width() {
    let odd = [1e-12, 0.0, 3e15];
    let arms: Vec<(&str, &[f64])> = ["abcdefghijklmnop"; 5].map(|name| (name, &odd[..])).to_vec();
    let mail = checked(&comparison(&arms, &format!("v1.l18.{}", "x".repeat(300))));
    assert!(mail.contains("\n[1] https://reclaim.example.org/#v1.l18.xxx"), "{mail}");
    assert!(mail.contains("reclaimscope mail FILE --reps 3"), "{mail}");
    checked(&comparison(&[("", &[0.0])], "v1.tiny.x7Q"));
    checked(&comparison(&[("", &[1e6, 2e6])], "v1.tiny.x7Q"));
    checked(&comparison(&[("", &[0.0, 0.0]), ("", &[1.0, 2.0])], "v1.tiny.x7Q"));
    let one = checked(&comparison(&[("", &[5e6]), ("", &[6e6])], "v1.tiny.x7Q"));
    assert!(one.contains("n = 1 gives no interval"), "{one}");
}

#[test]
fn warnings_are_in_the_mail() {
    let mut c = comparison(&[("", &[5e6, 6e6]), ("", &[6e6, 5e6])], "v1.tiny.x7Q");
    let slowest = Some(Cycles { event: "wake-to-wake of kswapd on node 0".into(), count: 2.0 });
    let facts = Facts { slowest, mser_s: None };
    c.warnings.extend(crate::window::too_short("arm B", 0.2, &[&facts]));
    let mail = checked(&c);
    assert!(mail.contains("Warning: window too short: arm B saw 2.0 cycles of"), "{mail}");
    assert!(mail.replace("\n         ", " ").contains("10 need about 1s"), "{mail}");
}

#[test]
fn the_panel_says_what_the_mail_says() {
    let c = comparison(
        &[("one", &[8.10e9, 8.12e9, 8.11e9]), ("eight", &[8.70e9, 8.71e9, 8.69e9])],
        "v1.l18.A-one.B-eight.k8.x7Q",
    );
    let panel = Panel::of(&c, ADDRESS);
    assert_eq!(panel.mail, text(&c, ADDRESS));
    assert!(panel.mail.contains(panel.marks.trim_end()), "{}", panel.marks);
    assert!(panel.verdicts[0].starts_with("B eight: throughput 7.27% higher"));
    assert_eq!(panel.rows.len(), 1, "what is 0 in all arms is left out");
    let [a, b] = &panel.rows[0].cells[..] else { panic!("two arms") };
    assert_eq!((a.mean.as_str(), a.verdict, b.verdict), ("8.1100", "", "higher"));
    assert!(b.share == 1.0 && a.share < 1.0 && b.difference.starts_with("+7.27% ("));
    let dots = &panel.dots[0];
    assert_eq!((dots.values.len(), dots.title.as_str()), (3, "B eight"));
    assert!((dots.mean - 7.2749).abs() < 1e-3 && dots.half > 0.0, "{dots:?}");
}
