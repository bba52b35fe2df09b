//! A story: a lesson in steps, each of which is a scenario to look at, with one thing to watch, one
//! question and one control to try.
//!
//! Stories are files (`docs/stories/*.md`) that people read as they are and that the page fetches
//! when it needs one; nothing of them is compiled in. The form is a small part of Markdown:
//!
//! ```text
//! # Title
//! > What it is about, in a sentence.
//! Minutes: 5
//! Read: mm/vmscan.c:kswapd, mm/vmscan.c:balance_pgdat
//!
//! ## Title of a step
//! Run: tiny start=empty duration=20ms
//! At: 12ms
//!
//! Text, a paragraph or more.
//!
//! Watch: one thing; `Then watch: ` where it is in the results, which an answer uncovers.
//! Ask: a question?
//! - no: an answer that is wrong
//! - yes: the answer
//! Because: why.
//! Try: kswapds: what to do with that control.
//! Claim: allocstall > 0
//! ```
//!
//! A claim is about the run's figures and is checked by tests (`report::claim`).

use crate::scenario::Scenario;
use catalog::{ControlId, controls};

/// The largest file that is read, in bytes.
pub const SIZE_MAX: usize = 64 << 10;

/// A story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its title.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// Minutes that it takes, about.
    pub minutes: u32,
    /// Kernel functions to read afterwards: `file:function`.
    pub read: Vec<String>,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its title.
    pub title: String,
    /// What is simulated.
    pub scenario: Scenario,
    /// Where the time cursor stands, in nanoseconds.
    pub at_ns: Option<u64>,
    /// Paragraphs.
    pub text: Vec<String>,
    /// The one thing to watch.
    pub watch: String,
    /// Whether it is in the results, which an answer uncovers (`Then watch: `).
    pub watch_after: bool,
    /// The question.
    pub ask: String,
    /// Its answers, and whether each is right.
    pub answers: Vec<(bool, String)>,
    /// Why the right answer is right.
    pub because: String,
    /// The control to try, and what to do with it.
    pub tries: (ControlId, String),
    /// What is claimed of the run, for `report::claim`.
    pub claims: Vec<String>,
}

/// Reads a story.
///
/// # Errors
/// What is wrong, with the number of its line, from 1.
pub fn read(text: &str) -> Result<Story, String> {
    if text.len() > SIZE_MAX {
        return Err(format!("the story has {} bytes; at most {SIZE_MAX} are read", text.len()));
    }
    let mut reader = Reader::default();
    for (i, line) in text.lines().enumerate() {
        reader.line(line.trim()).map_err(|why| format!("line {}: {why}", i + 1))?;
    }
    reader.finish()
}

/// A scenario in words: a preset and what is set, `small kswapds=4 readers=32`.
///
/// # Errors
/// What cannot be read of it.
pub fn scenario(words: &str) -> Result<Scenario, String> {
    let words = words_of(words)?;
    let mut words = words.iter().map(String::as_str);
    let mut scenario =
        Scenario::preset(words.next().unwrap_or_default()).map_err(|problem| problem.sentence)?;
    for word in words {
        let (key, value) = word.split_once('=').ok_or("a setting is KEY=VALUE")?;
        scenario.set_text(key, value).map_err(|problem| problem.to_string())?;
    }
    match scenario.validate().into_iter().next() {
        Some(problem) => Err(problem.to_string()),
        None => Ok(scenario),
    }
}

/// Words between blanks; what stands between two `"` belongs together.
fn words_of(text: &str) -> Result<Vec<String>, String> {
    let mut words = vec![String::new()];
    for (i, part) in text.split('"').enumerate() {
        let last = words.len() - 1;
        if i % 2 == 1 {
            words[last].push_str(part);
            continue;
        }
        for (n, piece) in part.split(char::is_whitespace).enumerate() {
            if n > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("there is one").push_str(piece);
        }
    }
    if text.matches('"').count() % 2 == 1 {
        return Err("a `\"` has no other one".to_owned());
    }
    words.retain(|word| !word.is_empty());
    Ok(words)
}

#[derive(Default)]
struct Reader {
    title: String,
    about: String,
    minutes: u32,
    read: Vec<String>,
    done: Vec<Step>,
    step: Option<Draft>,
    /// Whether the last line goes on with this one.
    goes_on: bool,
}

/// A step that is being read.
#[derive(Default)]
struct Draft {
    title: String,
    scenario: Option<Scenario>,
    at_ns: Option<u64>,
    text: Vec<String>,
    watch: String,
    watch_after: bool,
    ask: String,
    answers: Vec<(bool, String)>,
    because: String,
    tries: Option<(ControlId, String)>,
    claims: Vec<String>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let goes_on = core::mem::replace(&mut self.goes_on, false);
        if line.is_empty() {
            return Ok(());
        }
        if let Some(title) = line.strip_prefix("## ") {
            self.end_step()?;
            self.step = Some(Draft { title: title.to_owned(), ..Draft::default() });
            return Ok(());
        }
        let Some(step) = &mut self.step else { return self.head(line) };
        let (key, rest) = line.split_once(": ").unwrap_or((line, ""));
        match key {
            "Run" => step.scenario = Some(scenario(rest)?),
            "At" => {
                let time = units::parse_duration(rest).map_err(|why| why.to_string())?;
                step.at_ns = Some(time.as_nanos());
            }
            "Watch" | "Then watch" => {
                rest.clone_into(&mut step.watch);
                step.watch_after = key == "Then watch";
            }
            "Ask" => rest.clone_into(&mut step.ask),
            "- yes" | "- no" => step.answers.push((key == "- yes", rest.to_owned())),
            "Because" => rest.clone_into(&mut step.because),
            "Try" => {
                let (name, words) =
                    rest.split_once(": ").ok_or("`Try` names a control, then `:`")?;
                let control = controls::by_key(name).ok_or("`Try` names no control")?;
                step.tries = Some((control.id, words.to_owned()));
            }
            "Claim" => step.claims.push(rest.to_owned()),
            _ => {
                match step.text.last_mut().filter(|_| goes_on) {
                    Some(paragraph) => *paragraph = format!("{paragraph} {line}"),
                    None => step.text.push(line.to_owned()),
                }
                self.goes_on = true;
            }
        }
        Ok(())
    }

    fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some(title) = line.strip_prefix("# ") {
            title.clone_into(&mut self.title);
        } else if let Some(about) = line.strip_prefix("> ") {
            about.clone_into(&mut self.about);
        } else if let Some(minutes) = line.strip_prefix("Minutes: ") {
            self.minutes = minutes.parse().map_err(|_| "minutes are a whole number")?;
        } else if let Some(read) = line.strip_prefix("Read: ") {
            self.read = read.split(", ").map(str::to_owned).collect();
        } else {
            return Err("a story begins with `# `, `> `, `Minutes: ` and `Read: `".to_owned());
        }
        Ok(())
    }

    fn end_step(&mut self) -> Result<(), String> {
        let Some(draft) = self.step.take() else { return Ok(()) };
        let lacks = |what: &str| format!("the step `{}` has no {what}", draft.title);
        let step = Step {
            scenario: draft.scenario.ok_or_else(|| lacks("`Run: `"))?,
            tries: draft.tries.ok_or_else(|| lacks("`Try: `"))?,
            title: draft.title.clone(),
            at_ns: draft.at_ns,
            text: draft.text,
            watch: draft.watch,
            watch_after: draft.watch_after,
            ask: draft.ask,
            answers: draft.answers,
            because: draft.because,
            claims: draft.claims,
        };
        let lacks = |what: &str| Err(format!("the step `{}` has no {what}", step.title));
        match () {
            () if step.text.is_empty() => return lacks("text"),
            () if step.watch.is_empty() => return lacks("`Watch: `"),
            () if step.ask.is_empty() => return lacks("`Ask: `"),
            () if step.because.is_empty() => return lacks("`Because: `"),
            () if step.answers.iter().filter(|(right, _)| *right).count() != 1 => {
                return lacks("single right answer");
            }
            () => {}
        }
        self.done.push(step);
        Ok(())
    }

    fn finish(mut self) -> Result<Story, String> {
        self.end_step()?;
        let Self { title, about, minutes, read, done: steps, .. } = self;
        if title.is_empty() || about.is_empty() || minutes == 0 || read.is_empty() {
            return Err("a story begins with `# `, `> `, `Minutes: ` and `Read: `".to_owned());
        }
        if steps.is_empty() {
            return Err("the story has no step".to_owned());
        }
        Ok(Story { title, about, minutes, read, steps })
    }
}

/// One line of the index of stories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heading that it stands under.
    pub group: String,
    /// Its name in links and of its file: letters and digits.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub about: String,
}

/// The longest name of a story, in characters: what a link has room for beside place and step.
pub const NAME_MAX: usize = 5;

/// Reads the index: headings `## Group`, lines `- [Title](name.md): what it is about`. Other lines
/// are for readers of the file.
#[must_use]
pub fn index(text: &str) -> Vec<Entry> {
    let mut group = "";
    let mut entries = Vec::new();
    for line in text.lines().take(200) {
        if let Some(heading) = line.strip_prefix("## ") {
            group = heading.trim();
        }
        let entry = line.strip_prefix("- [").and_then(|rest| {
            let (title, rest) = rest.split_once("](")?;
            let (name, about) = rest.split_once(".md): ")?;
            let plain = name.len() <= NAME_MAX && name.bytes().all(|b| b.is_ascii_alphanumeric());
            plain.then(|| Entry {
                group: group.to_owned(),
                name: name.to_owned(),
                title: title.to_owned(),
                about: about.trim().to_owned(),
            })
        });
        entries.extend(entry);
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "# Marks\n> Free memory.\nMinutes: 3\nRead: mm/a.c:f, mm/b.c:g\n\n\
        ## First\nRun: tiny start=empty kswapds=2\nAt: 12ms\n\nOne\ntwo.\n\nThree.\n\n\
        Watch: it.\nAsk: what?\n- no: this\n- yes: that: indeed\nBecause: so.\n\
        Try: kswapds: move it.\nClaim: allocstall > 0\n";

    #[test]
    fn a_table_is_set_between_quotes() {
        let set = scenario("tiers-equal swap_tiers=\"0 barred=on; -1\" readers=2").expect("valid");
        let text =
            |key| set.text(catalog::CONTROLS.iter().find(|c| c.key == key).expect("a key").id);
        assert_eq!((text("swap_tiers"), text("readers")), ("0 barred=on; -1".into(), "2".into()));
        assert!(scenario("tiny readers=\"2").is_err_and(|why| why.contains("no other one")));
    }

    #[test]
    fn a_story_is_read_whole() {
        let story = read(STORY).expect("a story");
        assert_eq!((story.title.as_str(), story.minutes, story.read.len()), ("Marks", 3, 2));
        let step = &story.steps[0];
        assert_eq!(step.scenario.get(ControlId::Kswapds), 2);
        assert_eq!(step.at_ns, Some(12_000_000));
        assert_eq!(step.text, ["One two.", "Three."]);
        assert_eq!(step.answers, [(false, "this".into()), (true, "that: indeed".into())]);
        assert_eq!(step.tries, (ControlId::Kswapds, "move it.".into()));
        assert_eq!(step.claims, ["allocstall > 0"]);
        assert!(step.watch == "it." && !step.watch_after);
        let after = read(&STORY.replace("Watch: it", "Then watch: it")).expect("a story");
        assert!(after.steps[0].watch == "it." && after.steps[0].watch_after);
    }

    #[test]
    fn what_is_missing_or_wrong_is_told_with_its_line() {
        let said = |from: &str, to: &str| read(&STORY.replace(from, to)).expect_err("refused");
        assert_eq!(said("kswapds=2", "kswapds=99").split(':').next(), Some("line 7"));
        assert!(said("Run: tiny", "Run: huge").contains("there is no preset"));
        assert!(said("kswapds=2", "cpus=0").contains("no node has a CPU"));
        assert!(said("- yes", "- no").contains("single right answer"));
        assert!(said("Because: so.\n", "").contains("`Because: `"));
        assert!(said("Try: kswapds", "Try: nothing").contains("names no control"));
        assert!(said("Minutes: 3\n", "").contains("begins with"));
        assert!(read("").is_err() && read(&"x".repeat(SIZE_MAX + 1)).is_err());
    }

    #[test]
    fn an_index_has_groups_and_names_that_fit_into_links() {
        let all = index("# S\n## A\n- [T](wm.md): about it.\n- [U](too-long.md): no\n## B\nx\n");
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].group.as_str(), all[0].name.as_str()), ("A", "wm"));
        assert_eq!((all[0].title.as_str(), all[0].about.as_str()), ("T", "about it."));
    }
}
