//! The mails that answer the threads (docs/threads/*.mail): made by this model with these
//! constants, and what a new run of their scenario says again.

use report::stats::Spread;
use scenario::mail::claim;

use crate::cli::call_with;
use crate::tidy::root;

/// Every mail with its name.
fn mails() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root().join("docs/threads")).expect("the folder of the threads");
    let mut mails = Vec::new();
    for entry in folder {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "mail") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            mails.push((name, std::fs::read_to_string(&path).expect("a mail")));
        }
    }
    mails.sort();
    mails
}

/// How a mail is written again.
fn command(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("reclaimscope mail ")).expect("a command");
    let from = line.find("reclaimscope mail ").expect("a command");
    line[from..].to_owned()
}

/// Replications of a mail.
fn reps(text: &str) -> u32 {
    let words = command(text);
    let (_, behind) = words.split_once("--reps ").expect("replications");
    behind.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
}

fn again(text: &str, reps: u32) -> String {
    let said = call_with(&["mail", "-", "--force", "--reps", &reps.to_string()], text, false);
    said.out
}

/// Mean throughput and its standard deviation of every arm, from the rows under the heading.
fn throughput(text: &str) -> Vec<(f64, f64)> {
    let rows = text.lines().skip_while(|line| !line.starts_with("throughput, ")).skip(1);
    let rows =
        rows.take_while(|line| line.starts_with("  ") && !line.trim().starts_with(['+', '-']));
    let numbers = |line: &str| -> Vec<f64> {
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    rows.map(numbers).filter(|n| n.len() >= 2).map(|n| (n[0], n[1])).collect()
}

#[test]
fn the_mails_are_of_this_model_and_these_constants() {
    let mails = mails();
    assert!(!mails.is_empty());
    for (name, text) in mails {
        let claim = claim(&text).expect("a mail of this program");
        let ledger = lab::compare::ledger_hash();
        let how = format!("run: {} --force > docs/threads/{name}", command(&text));
        assert_eq!(claim.note(lab::MODEL_VERSION, &ledger), None, "{name}: {how}");
        let opened = scenario::open(&text).expect("its link");
        assert_eq!((opened.problems, opened.model_note), (vec![], None), "{name}");
        assert!(opened.arms.len() >= 2 && reps(&text) >= 5, "{name}");
        assert_eq!(throughput(&text).len(), opened.arms.len(), "{name}");
    }
}

#[test]
fn a_mail_says_again_what_it_said() {
    let is_soak = std::env::var_os("RECLAIMSCOPE_SOAK").is_some();
    let mails = mails();
    if is_soak {
        for (name, text) in &mails {
            assert_eq!(&again(text, reps(text)), text, "{name}");
        }
    }
    // A few replications must lie where all of them do.
    let (name, text) = &mails[0];
    let few = throughput(&again(text, 2));
    for (arm, ((few, _), (mean, sd))) in few.into_iter().zip(throughput(text)).enumerate() {
        let spread = Spread { mean, sd, n: u64::from(reps(text)) };
        let most = 4.0 * sd + spread.half_width().expect("more than one replication");
        assert!((few - mean).abs() <= most, "{name}, arm {arm}: {few} beside {mean} +/- {sd}");
    }
}
