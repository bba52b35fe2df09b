//! Sweeps in parts: merged, cut off and taken up again, they are what one run writes.

use cli::Exit;

use crate::cli::{call, good, refused, scratch};

const SWEEP: [&str; 11] = [
    "sweep",
    "tiny",
    "--over",
    "readers=1..4",
    "--over",
    "kswapds=1..4",
    "--set",
    "duration=5ms",
    "--reps",
    "2",
    "--lines",
];

fn sweep(more: &[&str]) -> Vec<String> {
    SWEEP[..10].iter().chain(more).map(|arg| (*arg).to_owned()).collect()
}

fn run(args: &[String]) -> crate::cli::Said {
    call(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn whole() -> String {
    good(&SWEEP)
}

#[test]
fn parts_merged_are_one_run_byte_for_byte() {
    let whole = whole();
    assert_eq!(whole.lines().count(), 17, "a header and 16 points");
    let parts: Vec<String> = (1..=4)
        .map(|i| {
            let said = run(&sweep(&["--shard", &format!("{i}/4")]));
            assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""));
            scratch(&format!("part-{i}.jsonl"), &said.out).to_string_lossy().into_owned()
        })
        .collect();
    let order: Vec<&str> = [3, 0, 2, 1].iter().map(|&i: &usize| parts[i].as_str()).collect();
    assert_eq!(good(&[&["merge"][..], &order].concat()), whole);
    let again = scratch("whole.jsonl", &whole).to_string_lossy().into_owned();
    assert_eq!(good(&["merge", &again, &parts[1]]), whole, "equal points may come twice");
    let table = good(&["merge", &again, "--table"]);
    for words in ["What added workers gain", "readers downwards, kswapds to the right", "+/-"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let said = call(&SWEEP[..10]);
    assert!(said.err.contains("warning: so it is with"), "{}", said.err);
    assert_eq!(said.out, table, "the table of a sweep is that of its file");
}

#[test]
fn parts_that_do_not_belong_together_are_refused_or_missed() {
    let part = |i: usize, more: &[&str]| {
        let said = run(&sweep(&[&["--shard", &format!("{i}/4")][..], more].concat()));
        scratch(&format!("alone-{i}-{}.jsonl", more.len()), &said.out)
            .to_string_lossy()
            .into_owned()
    };
    let (one, two) = (part(1, &[]), part(2, &[]));
    let said = call(&["merge", &one, &two]);
    assert_eq!(said.exit, Exit::Differs);
    assert!(said.err.contains("8 of 16 points are missing: 2, 3, 6, 7"), "{}", said.err);
    assert_eq!(said.out.lines().count(), 9);
    let other = part(3, &["--set", "smt=2"]);
    assert!(refused(&["merge", &one, &other]).contains("line 1: it is a part of another sweep"));
    let text = std::fs::read_to_string(&one).expect("a part");
    let altered = text.replacen("\"workers\":1", "\"workers\":9", 1);
    let altered = scratch("altered.jsonl", &altered).to_string_lossy().into_owned();
    let said = refused(&["merge", &one, &altered]);
    assert!(said.contains("line 2: the point is there already, with other numbers"), "{said}");
    let cut = scratch("cut.jsonl", &text[..text.len() - 20]).to_string_lossy().into_owned();
    assert!(refused(&["merge", &cut]).contains("line 5: it is no point of a sweep"));
    let none = scratch("none.jsonl", "hello\n").to_string_lossy().into_owned();
    assert!(refused(&["merge", &none]).contains("does not begin as a sweep does"));
}

#[test]
fn a_killed_sweep_goes_on_where_its_file_ends() {
    let whole = whole();
    let lines: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    let cuts = [0, 5, lines[0] - 1, lines[0], lines[0] + 1, lines[7] - 1, lines[7], whole.len()];
    for cut in cuts {
        let path = scratch("killed.jsonl", &whole[..cut]).to_string_lossy().into_owned();
        let said = run(&sweep(&["--out", &path]));
        assert_eq!((said.exit, said.out.as_str()), (Exit::Done, ""), "{cut}: {}", said.err);
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), whole, "cut at {cut}");
    }
    let path = scratch("other.jsonl", "precious\n").to_string_lossy().into_owned();
    let said = run(&sweep(&["--out", &path]));
    assert_eq!(said.exit, Exit::Refused);
    assert!(said.err.contains("holds something else than this sweep"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), "precious\n");
    let said = run(&sweep(&["--shard", "5/4"]));
    assert!(said.err.contains("--shard: `5/4` is no part such as 2/4"), "{}", said.err);
}

#[test]
fn a_killed_study_goes_on_where_its_file_ends() {
    let file = scratch("study.ndjson", "");
    let path = file.display().to_string();
    let args =
        ["sensitivity", "tiny", "--set", "duration=20ms", "--metric", "throughput", "--json"];
    let done = |args: &[&str]| {
        let said = call(args);
        assert_eq!(said.exit, Exit::Done, "{}", said.err);
        said.out
    };
    let whole = done(&args);
    let kept: Vec<&str> = args.iter().copied().chain(["--resume", &path]).collect();
    assert_eq!(done(&kept), whole, "keeping its runs changes nothing");
    let text = std::fs::read_to_string(&file).expect("the file");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 40, "{} lines", lines.len());
    // Killed in the middle of a line.
    let half = lines[..30].join("\n") + "\n" + &lines[30][..20];
    std::fs::write(&file, &half).expect("a writable file");
    assert_eq!(done(&kept), whole);
    let again = std::fs::read_to_string(&file).expect("the file");
    let in_order = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(in_order(&again), in_order(&text), "each run is there once");
    // What is of something else stays as it is.
    for (other, why) in [
        (text.replacen("\"model\":\"", "\"model\":\"x", 1), "runs of another model or ledger"),
        ("a shopping list\n".to_owned(), "holds something else than runs"),
    ] {
        std::fs::write(&file, &other).expect("a writable file");
        let said = refused(&kept);
        assert!(said.contains(why), "{said}");
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), other);
    }
    let digest = text.split("\"digest\":\"").nth(1).expect("a digest");
    let other = text.replacen(&digest[..16], "0123456789abcdef", 1);
    std::fs::write(&file, &other).expect("a writable file");
    let said = refused(&kept);
    assert!(said.contains("of another build of the model"), "{said}");
}
