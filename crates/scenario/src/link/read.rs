//! From the parts of a link to what it stands for.

use super::token::{self, Reading, Token};
use super::{CONSTANTS_MAX, FORMAT, LinkError, TOKENS_MAX, check, find, format};
use crate::preset::{self, Preset};
use crate::problem::{Problem, quoted};
use crate::scenario::{Scenario, is_alike, is_shape};
use crate::shared::{Arm, LETTERS, View};
use crate::{NodeSpec, Opened};
use catalog::{CONTROLS, ConstantId, ControlId};

/// How many problems are told one by one.
const PROBLEMS_MAX: usize = 100;

/// A link in its parts.
pub(super) struct Parts {
    /// The format that it was written in.
    pub(super) version: u64,
    /// Preset and tokens of the newest format.
    pub(super) parts: Vec<String>,
    /// Whether it is as it was written.
    pub(super) intact: bool,
    /// What is wrong with its end.
    pub(super) problems: Vec<Problem>,
}

/// The link of a text, taken apart.
pub(super) fn take_apart(text: &str) -> Result<Parts, LinkError> {
    let find::Found { fragment, others } = find::find(text)?;
    let mut parts: Vec<String> =
        fragment.split('.').take(TOKENS_MAX * 2).map(str::to_owned).collect();
    let start = || LinkError::NotALink(fragment.chars().take(40).collect());
    let version = parts[0].strip_prefix('v').filter(|v| !v.is_empty() && v.len() <= 9);
    let version: u64 = version.and_then(|v| v.parse().ok()).filter(|&v| v > 0).ok_or_else(start)?;
    if parts.len() < 2 {
        return Err(start());
    }
    if version > u64::from(FORMAT) {
        return Err(LinkError::NewerThanMe { version });
    }
    let mut problems = Vec::new();
    let intact = take_check(&fragment, &mut parts, &mut problems);
    let parts = format::upgrade(version as usize, parts.split_off(1));
    if others > 0 {
        let sentence = format!("the text holds {} links; the first is opened", others + 1);
        problems.push(Problem::new("text", sentence));
    }
    Ok(Parts { version, parts, intact, problems })
}

/// Opens the link of a text for this model.
pub(super) fn decode(text: &str, model: u32) -> Result<Opened, LinkError> {
    let Parts { mut parts, intact, mut problems, .. } = take_apart(text)?;
    let base = Base::read(&parts.remove(0), model, &mut problems)?;
    Ok(read_tokens(base, &parts, intact, problems))
}

/// Takes the check off the end of the parts, and says what is wrong with it. Returns whether the
/// link is as it was written.
fn take_check(fragment: &str, parts: &mut Vec<String>, problems: &mut Vec<Problem>) -> bool {
    if check::is_intact(fragment) {
        parts.pop();
        return true;
    }
    let last = parts.last().map_or("", String::as_str);
    if parts.len() > 2 && check::has_shape(last) {
        parts.pop();
        problems.push(Problem::new(
            "check",
            "the link was altered or damaged on its way: its end does not fit the rest; what can \
             be read is kept",
        ));
    } else {
        // What stands last may be a token that was cut; it is worth keeping if it reads as one. A
        // letter by itself is rather the beginning of the check than an arm.
        let cut = |reading| matches!(reading, Reading::Nothing(_) | Reading::Token(Token::Arm(..)));
        if parts.len() > 2 && cut(token::read(last)) {
            parts.pop();
        }
        problems.push(Problem::new(
            "check",
            "the end of the link is missing: it was truncated, and its last value may be too; what \
             can be read is kept",
        ));
    }
    false
}

/// What the tokens differ from.
pub(super) struct Base {
    pub(super) scenario: Scenario,
    note: Option<String>,
    model: u32,
}

impl Base {
    pub(super) fn read(
        part: &str,
        model: u32,
        problems: &mut Vec<Problem>,
    ) -> Result<Self, LinkError> {
        let (name, revision) = part.split_once('-').unwrap_or((part, "1"));
        let unknown = || LinkError::UnknownPreset(part.chars().take(40).collect());
        let preset: &'static Preset = preset::by_link(name).ok_or_else(unknown)?;
        let values = revision.parse().ok().and_then(|revision| preset.values_at(revision));
        let values = values.unwrap_or_else(|| {
            let (shown, current) = (quoted(revision), preset.revision);
            let sentence = format!(
                "{} has no revision {shown} here; the values of revision {current} are taken",
                preset.name
            );
            problems.push(Problem::new("preset", sentence));
            preset.values()
        });
        let note = (revision != preset.revision.to_string() && values != preset.values()).then(|| {
            format!(
                "The link was made from revision {revision} of {}; now it is at {}. The values are \
                 those of the link.",
                preset.name, preset.revision
            )
        });
        Ok(Self { scenario: Scenario::with_values(preset, values), note, model })
    }
}

/// Reads the tokens one by one.
fn read_tokens(base: Base, parts: &[String], intact: bool, problems: Vec<Problem>) -> Opened {
    let Base { scenario, note, model } = base;
    let mut reader = Reader {
        problems,
        arms: vec![Segment::new(String::new(), scenario)],
        view: View::default(),
        model: 1,
    };
    for (i, part) in parts.iter().enumerate().take(TOKENS_MAX) {
        reader.read(i + 1, part);
    }
    if parts.len() > TOKENS_MAX {
        let sentence = format!("the link has more than {TOKENS_MAX} tokens; the rest is left out");
        reader.problems.push(Problem::new("tokens", sentence));
    }
    reader.finish_arm();
    let Reader { mut problems, arms, view, model: made_with } = reader;
    if !intact {
        problems.dedup();
    }
    if problems.len() > PROBLEMS_MAX {
        let more = problems.len() - PROBLEMS_MAX;
        problems.truncate(PROBLEMS_MAX);
        problems.push(Problem::new("tokens", format!("{more} more problems are not listed")));
    }
    let model_note = (made_with != model).then(|| {
        format!(
            "The link was made with model {made_with}, this is model {model}: its numbers differ."
        )
    });
    let model_note = match (note, model_note) {
        (Some(a), Some(b)) => Some(format!("{a} {b}")),
        (a, b) => a.or(b),
    };
    let mut arms: Vec<Arm> =
        arms.into_iter().map(|s| Arm { name: s.name, scenario: s.scenario }).collect();
    let scenario = arms[0].scenario.clone();
    if arms.len() == 1 {
        arms.clear();
    }
    Opened { scenario, arms, view, problems, model_note, model: made_with, claim: None }
}

/// The tokens of one arm.
struct Segment {
    name: String,
    scenario: Scenario,
    seen: [bool; ControlId::COUNT],
    nodes: Vec<(usize, NodeSpec)>,
    constants: Vec<ConstantId>,
}

impl Segment {
    fn new(name: String, scenario: Scenario) -> Self {
        Self {
            name,
            scenario,
            seen: [false; ControlId::COUNT],
            nodes: Vec::new(),
            constants: Vec::new(),
        }
    }

    fn has_shape(&self) -> bool {
        CONTROLS.iter().any(|c| is_shape(c.id) && self.seen[c.id as usize])
    }
}

struct Reader {
    problems: Vec<Problem>,
    /// Arm A, and those that have begun.
    arms: Vec<Segment>,
    view: View,
    model: u32,
}

impl Reader {
    /// The place that a problem names.
    fn at(&self, place: &str) -> String {
        match self.arms.len() - 1 {
            0 => place.to_owned(),
            arm => format!("{place} (arm {})", LETTERS[arm]),
        }
    }

    fn read(&mut self, number: usize, part: &str) {
        let path = self.at(&format!("token {number}"));
        let shown = quoted(part);
        let complaint = match token::read(part) {
            Reading::Token(token) => self.take(token).map(|why| format!("{shown}{why}")),
            Reading::Refused(id, why) => {
                let kept = self.current().scenario.text(id);
                Some(format!("{shown}: {why}; kept {kept}"))
            }
            Reading::Nothing(why) => {
                Some(format!("damaged at token {number} ({shown}): {why}; kept the rest"))
            }
        };
        self.problems.extend(complaint.map(|sentence| Problem::new(path, sentence)));
    }

    fn current(&mut self) -> &mut Segment {
        self.arms.last_mut().expect("arm A is always there")
    }

    /// Takes a token, or says why not; what is said follows the token at once.
    fn take(&mut self, token: Token) -> Option<String> {
        let is_first = self.arms.len() == 1;
        let current = self.current();
        match token {
            Token::Control(ControlId::Seed, _) if !is_first => {
                return Some(" is left out: the seeds of all arms are those of arm A".to_owned());
            }
            Token::Control(id, value) => {
                if core::mem::replace(&mut current.seen[id as usize], true) {
                    return Some(format!(" sets {} again; the first stands", id.control().label));
                }
                if is_shape(id) {
                    current.scenario.make_alike();
                }
                if is_alike(id) && !current.seen[ControlId::SwapTable as usize] {
                    current.scenario.make_devices_alike();
                }
                if let Err(problem) = current.scenario.set(id, value) {
                    let kept = current.scenario.text(id);
                    return Some(format!(": {}; kept {kept}", problem.sentence));
                }
            }
            Token::Rows(id, rows) => {
                if core::mem::replace(&mut current.seen[id as usize], true) {
                    return Some(format!(" sets {} again; the first stands", id.control().label));
                }
                if let Err(problem) = current.scenario.set_rows(id, rows) {
                    let kept = current.scenario.text(id);
                    return Some(format!(": {}; kept {kept}", problem.sentence));
                }
            }
            Token::Constant(id, value) => {
                if current.constants.contains(&id) {
                    return Some(" sets its constant again; the first stands".to_owned());
                }
                if current.constants.len() == CONSTANTS_MAX {
                    let most = "is left out: an arm changes at most";
                    return Some(format!(" {most} {CONSTANTS_MAX} constants"));
                }
                current.constants.push(id);
                let refused = current.scenario.set_constant(id, value).err();
                return refused.map(|problem| format!(": {}; left as it was", problem.sentence));
            }
            Token::Node(node, spec) => {
                if current.nodes.iter().any(|(other, _)| *other == node) {
                    return Some(format!(" gives node {node} again; the first stands"));
                }
                current.nodes.push((node, spec));
            }
            Token::Model(model) => self.model = model,
            Token::Arm(0, name) if is_first => current.name = name,
            Token::Arm(place, name) => return self.begin_arm(place, name),
            Token::Cursor(time) => self.view.time_ns = Some(time),
            Token::Show(show) => self.view.show = Some(show),
        }
        None
    }

    fn begin_arm(&mut self, place: usize, name: String) -> Option<String> {
        self.finish_arm();
        let complaint = (place != self.arms.len()).then(|| {
            let expected = LETTERS.get(self.arms.len()).map_or("none".to_owned(), char::to_string);
            format!(" begins an arm out of order; the next would be {expected}")
        });
        if self.arms.len() < LETTERS.len() {
            let scenario = self.arms[0].scenario.clone();
            self.arms.push(Segment::new(name, scenario));
            return complaint.map(|why| format!("{why}, and it is taken for that"));
        }
        // Its tokens change nothing: they go to an arm that is dropped.
        complaint.map(|why| format!("{why}; its tokens follow those of arm E"))
    }

    /// Gives the arm that has been read its nodes.
    fn finish_arm(&mut self) {
        let path = self.at("nodes");
        let current = self.current();
        let mut nodes = core::mem::take(&mut current.nodes);
        if nodes.is_empty() {
            return;
        }
        let both = current.has_shape();
        units::order::by_key(&mut nodes, |(number, _)| *number);
        if let Some(i) = (0..nodes.len()).find(|&i| nodes[i].0 != i) {
            let sentence = format!("node {i} is missing; the nodes after it move up");
            self.problems.push(Problem::new(&path, sentence));
        }
        self.current().scenario.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        if both {
            let sentence = "the link gives both single nodes and a shape for all; the nodes hold";
            self.problems.push(Problem::new(path, sentence));
        }
    }
}
