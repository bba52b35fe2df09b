//! What is handed over: arms in links and documents, mails there and back through the terminal
//! program.

use cli::Exit;
use serde_json::Value;

use crate::cli::{Said, call, call_with, good, json, refused, scratch};

const ARMS: [&str; 6] =
    ["--arm", "A:kswapds=1", "--arm", "B=eight:kswapds=8,policy=single", "--set", "duration=200ms"];

fn with<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, "tiny"][..], &ARMS, more].concat()
}

#[test]
fn arms_go_through_the_link_and_the_document() {
    let link = good(&with("link", &[]));
    let link = link.trim();
    assert!(link.starts_with("v1.tiny.t200ms.B-eight.k8.p-single."), "{link}");
    let typed = json(&with("compare", &["--reps", "2", "--json"]));
    assert_eq!(json(&["compare", link, "--reps", "2", "--json"]), typed);
    let document = good(&["show", link, "--json"]);
    let path = scratch("arms.json", &document).to_string_lossy().into_owned();
    assert_eq!(json(&["compare", &path, "--reps", "2", "--json"]), typed);
    let arms = typed["arms"].as_array().expect("a list");
    assert_eq!((&arms[1]["name"], &arms[1]["label"]), (&"B".into(), &"eight".into()));
    for arm in arms {
        assert!(arm["throughput"].is_number() && arm["system_time_s"].is_number());
        assert!(arm["means"]["latency_p99_us"]["sd"].is_number());
        let alone = json(&["run", arm["link"].as_str().expect("a link"), "--json"]);
        assert_eq!(alone["throughput"], arm["values"]["throughput"][0]);
    }
    let csv = good(&with("compare", &["--reps", "2", "--csv"]));
    assert!(csv.starts_with("# SIMULATED with reclaimscope, model "), "{csv}");
    let p99 = &arms[1]["values"]["latency_p99_us"][1];
    let line = format!("B,eight,1,{},latency_p99_us,{p99}", typed["seeds"][1]);
    assert!(csv.lines().any(|l| l.trim_end_matches(".0") == line.trim_end_matches(".0")), "{csv}");
    assert_eq!(typed["paired"].as_array().expect("a list")[0]["arm"], "B");
    let said = call(&["run", link]);
    assert!(said.err.contains("arm A is run; `compare` runs all arms"), "{}", said.err);
    assert!(good(&["show", link]).contains("B eight: kswapds=8 policy=single"));
    let words = good(&["link", link, "--explain"]);
    assert!(words.contains("B-eight  ") && words.contains("kswapds = 8 (preset: 1)"), "{words}");
    let changed = good(&["link", link, "--set", "readers=3"]);
    assert!(changed.starts_with("v1.tiny.r3.t200ms.B-eight.k8.p-single."), "for all: {changed}");
}

#[test]
fn arms_are_typed_in_any_order_and_refused_with_a_sentence() {
    let arms = |arms: &[&str]| -> Vec<String> {
        let arms = arms.iter().flat_map(|arm| ["--arm", arm]).map(str::to_owned);
        ["link", "tiny"].into_iter().map(str::to_owned).chain(arms).collect()
    };
    let call_arms = |list: &[&str]| {
        let args = arms(list);
        call(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let link = |list: &[&str]| call_arms(list).out;
    assert_eq!(link(&["B:kswapds=4", "A:"]), link(&["A:", "B:kswapds=4"]));
    assert!(link(&["one:", "four:kswapds=4"]).starts_with("v1.tiny.A-one.B-four.k4."));
    let said = |list: &[&str]| call_arms(list).err;
    assert!(said(&["A:"]).contains("two arms or more"));
    assert!(said(&["A:", "C:"]).contains("none or more than one B"));
    assert!(said(&["A:", "A:"]).contains("none or more than one B"));
    assert!(said(&["A:", "B C:"]).contains("an arm begins with its letter"));
    assert!(said(&["A:", "B:kswapds"]).contains("--arm B: `kswapds` is not KEY=VALUE"));
    assert!(said(&["A:", "B:seed=3"]).contains("the same seed in every arm"));
    assert!(said(&["A:", "B:memory=-1G"]).contains("--arm B: memory: `-1G` is negative"));
    assert!(said(&["A:"; 6]).contains("5 arms at most"));
    let said = refused(&with("compare", &["--reps", "0"]));
    assert!(said.contains("--reps: there can be 1 to 1000 replications, not 0"), "{said}");
    assert!(refused(&["run", "tiny", "--seed", "-5"]).contains("--seed: `-5` is negative"));
}

fn mail() -> String {
    good(&with("mail", &["--reps", "3"]))
}

/// Words of every line wrapped at a width, as a mail program does it.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut column = 0;
        for word in line.split(' ') {
            if column > 0 && column + 1 + word.len() > width {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += word.len();
        }
        out.push('\n');
    }
    out
}

/// Quoted-printable, as it goes over the wire: soft line breaks at 76 columns.
fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.replace('=', "=3D");
        let mut rest = line.as_str();
        while rest.len() > 75 {
            let cut = if rest[..75].ends_with("=3") { 73 } else { 75 };
            out.push_str(&format!("{}=\r\n", &rest[..cut]));
            rest = &rest[cut..];
        }
        out.push_str(&format!("{rest}\r\n"));
    }
    out
}

#[test]
fn a_mail_is_plain_narrow_and_complete() {
    let mail = mail();
    assert!(mail.is_ascii());
    for line in mail.lines() {
        let is_link = line.starts_with("Link: ") && line.len() <= 75;
        assert!(line.len() <= 72 || is_link || line.starts_with("[1] "), "{line}");
    }
    for word in [
        "SIMULATED",
        "B eight  kswapds=8",
        "Hmean",
        "Stddev",
        "( 0.00%)",
        "What it costs",
        "kswapds more than A",
        "digest A ",
        "Not modelled: ",
        "Warm-up: ",
    ] {
        assert!(mail.contains(word), "{word}: {mail}");
    }
    let link = good(&with("link", &[]));
    assert!(mail.contains(&format!("Link: https://reclaim.example.org/#{link}")), "{mail}");
    let own = good(&with("mail", &["--reps", "3", "--page", "https://k.example/r/"]));
    assert!(own.contains(&format!("\nLink: https://k.example/r/#{link}")));
    assert!(refused(&with("mail", &["--page", "x y"])).contains("--page: `x y` is no address"));
}

#[test]
fn a_mail_comes_back_as_it_was_sent() {
    let mail = mail();
    let link = good(&with("link", &[]));
    let dotted = mail.replace(link.trim(), &format!("{}).", link.trim()));
    let quote = |text: &str, mark: &str| -> String {
        text.lines().map(|line| format!("{mark}{line}\n")).collect()
    };
    let three = quote(&wrapped(&quote(&quote(&mail, "> "), "> "), 72), "> ");
    for (how, text) in [
        ("as it is", mail.clone()),
        ("three levels, wrapped", three.clone()),
        ("three levels without spaces", quote(&mail, ">>>")),
        ("CRLF", mail.replace('\n', "\r\n")),
        ("dot behind the link", dotted),
        ("quoted-printable", quoted_printable(&three)),
        ("non-breaking spaces", mail.replace(' ', "\u{a0}")),
        ("in another mail", format!("On Monday somebody wrote:\n{three}\nI doubt #3 of it.\n")),
    ] {
        let said = call_with(&["link", "-"], &text, false);
        assert_eq!((said.out.as_str(), said.err.as_str()), (link.as_str(), ""), "{how}: {text}");
    }
    let again = call_with(&["mail", "-", "--reps", "3"], &three, false);
    assert_eq!((again.out, again.err), (mail, String::new()));
}

#[test]
fn a_mail_with_other_numbers_is_told() {
    let mail = mail();
    let note = |text: &str| -> String {
        let Said { exit, err, .. } = call_with(&["mail", "-", "--reps", "3"], text, false);
        assert_eq!(exit, Exit::Done);
        err
    };
    let model = format!("model {}", lab::MODEL_VERSION);
    assert!(note(&mail.replace(&model, "model 0.0.9")).contains("made with model `0.0.9`"));
    let ledger = format!("ledger {}", lab::compare::ledger_hash());
    let other = note(&mail.replace(&ledger, "ledger 00000000"));
    assert!(other.contains("not those of this model: its constants were others"), "{other}");
    let at = mail.find("digest B ").expect("a digest") + "digest B ".len();
    let altered = format!("{}{}{}", &mail[..at], "0123456789abcdef", &mail[at + 16..]);
    assert!(note(&altered).contains("the digest of arm B is"), "{}", note(&altered));
    assert_eq!(note(&mail), "");
}

#[test]
fn a_short_window_is_told_with_what_is_enough() {
    let args = ["compare", "tiny", "--arm", "A:", "--arm", "B:", "--set", "duration=3ms", "--reps"];
    let said = call(&[&args[..], &["2"]].concat());
    assert!(said.err.contains("warning: window too short: arm A saw"), "{}", said.err);
    assert!(said.err.contains("10 need about"), "{}", said.err);
    let report: Value =
        serde_json::from_str(&call(&[&args[..], &["2", "--json"]].concat()).out).expect("JSON");
    assert!(report["warnings"][0].as_str().is_some_and(|w| w.contains("window too short")));
    assert!(report["warmup"].as_str().is_some_and(|w| w.contains("no warm-up")));
}
