//! The scenario being edited, and what of the input could not be taken.

use super::history::{History, difference};
use super::pasted::{has_settings, taken};
use catalog::{CONTROLS, ConstantId, ControlId, Group, Row};
use scenario::paste::{self, Sysctl, Zoneinfo};
use scenario::{PRESETS, Problem, Scenario, link};
use std::rc::Rc;

/// How the scenario came to be what it is: it decides what the address bar does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nothing was asked for; the first preset stands there.
    Nothing,
    /// A link was opened.
    Link,
    /// A slider is being dragged.
    Dragged,
    /// A person chose it.
    Chosen,
}

/// What was typed into an entry and could not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The text as it was typed.
    pub text: String,
    /// Why not.
    pub sentence: String,
}

/// What an opened link or a pasted text had to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What happened, in a sentence.
    pub heading: String,
    /// Whether something could not be read.
    pub is_bad: bool,
    /// The details.
    pub sentences: Vec<String>,
    /// The number of the model that made the link, and the link, where that is another model.
    pub made_with: Option<(u32, String)>,
}

impl Notice {
    /// What has nothing to do with another model.
    fn new(heading: String, is_bad: bool, sentences: Vec<String>) -> Self {
        Self { heading, is_bad, sentences, made_with: None }
    }
}

/// The draft.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The scenario; it is what the address bar names.
    pub scenario: Rc<Scenario>,
    /// Why it cannot be run; empty when it can.
    pub problems: Rc<Vec<Problem>>,
    /// Entries that could not be taken.
    pub refused: Rc<Vec<(ControlId, Refused)>>,
    /// What the opened link said.
    pub opened: Option<Rc<Notice>>,
    /// What became of the pasted text.
    pub pasted: Option<Rc<Notice>>,
    /// How the scenario came about.
    pub origin: Origin,
    /// Counts the changes of the scenario.
    pub edits: u32,
    /// What can be undone and done again.
    pub history: History,
    /// What was undone or done again, for who cannot see it.
    pub said: Rc<str>,
}

/// What can happen to it.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftAction {
    /// A slider, choice or flag has a new value; `chosen` when the person let it go.
    Set(ControlId, i64, bool),
    /// A text was entered.
    Enter(ControlId, String),
    /// A text was entered into a cell of a table: row and column.
    Cell(ControlId, usize, usize, String),
    /// A table is to have one more row.
    AddRow(ControlId),
    /// A row of a table is to go.
    RemoveRow(ControlId, usize),
    /// A table is to have no rows.
    Clear(ControlId),
    /// A constant of the ledger is to have another value of its range.
    Constant(ConstantId, u64),
    /// A control is to have its preset's value.
    Reset(ControlId),
    /// All controls of a group are to have their preset's values.
    ResetGroup(Group),
    /// The scenario before the last change is to be back.
    Undo,
    /// What was undone is to be done again.
    Redo,
    /// The nodes of a pasted machine are to be alike again.
    ResetNodes,
    /// A preset was chosen, by name.
    Preset(String),
    /// A machine was pasted.
    Paste(String),
    /// The address bar has a new fragment.
    Open(String),
    /// The opened link's notice was read.
    DismissOpened,
}

impl Draft {
    /// The draft that a fragment of the address asks for.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        let mut draft = Self {
            scenario: Rc::new(Scenario::new(&PRESETS[0])),
            problems: Rc::default(),
            refused: Rc::default(),
            opened: None,
            pasted: None,
            origin: Origin::Nothing,
            edits: 0,
            history: History::default(),
            said: "".into(),
        };
        if !fragment.is_empty() {
            draft.take_link(fragment);
            // Nothing was there before it.
            draft.history = History::default();
        }
        draft
    }

    /// Changes it.
    pub fn reduce(&mut self, action: DraftAction) {
        match action {
            DraftAction::Set(id, value, chosen) => self.set(id, value, chosen),
            DraftAction::Enter(id, text) => self.enter(id, text),
            // What is outside of its range is refused where it is entered.
            DraftAction::Constant(id, value) => {
                self.edit(Origin::Chosen, |s| drop(s.set_constant(id, value)));
            }
            DraftAction::Cell(id, row, column, text) => {
                self.try_edit(id, text.clone(), |s| s.set_cell(id, row, column, &text));
            }
            DraftAction::AddRow(id) => self.rows(id, |rows| {
                let more = rows.last().copied();
                rows.extend(more.or_else(|| id.control().table().map(|t| t.default_row())));
            }),
            DraftAction::RemoveRow(id, row) => self.rows(id, |rows| {
                let at = row.min(rows.len());
                rows.drain(at..rows.len().min(at + 1));
            }),
            DraftAction::Clear(id) => self.rows(id, Vec::clear),
            DraftAction::Reset(id) => {
                let base = Scenario::new(self.scenario.preset);
                let rows = base.rows(id).to_vec();
                match id.control().table() {
                    Some(_) => self.rows(id, |own| *own = rows),
                    None => self.set(id, self.preset_value(id), true),
                }
            }
            DraftAction::ResetGroup(group) => {
                let ids: Vec<_> =
                    CONTROLS.iter().filter(|c| c.group == group).map(|c| c.id).collect();
                ids.iter().for_each(|&id| self.accept(id));
                let base = Scenario::new(self.scenario.preset);
                let (tables, numbers): (Vec<_>, Vec<_>) =
                    ids.into_iter().partition(|id| id.control().table().is_some());
                // The preset's own values lie in their bounds. Tables come last: what is common to
                // their rows would write into them.
                self.edit(Origin::Chosen, |s| {
                    let values = base.preset.values();
                    numbers.into_iter().for_each(|id| drop(s.set(id, values[id as usize])));
                    tables.into_iter().for_each(|id| drop(s.set_rows(id, base.rows(id).to_vec())));
                });
            }
            DraftAction::Undo => self.travel(false),
            DraftAction::Redo => self.travel(true),
            DraftAction::ResetNodes => self.edit(Origin::Chosen, |s| s.nodes.clear()),
            DraftAction::Preset(name) => {
                if let Ok(scenario) = Scenario::preset(&name) {
                    self.refused = Rc::default();
                    self.pasted = None;
                    self.edit(Origin::Chosen, |s| *s = scenario);
                }
            }
            DraftAction::Paste(text) => self.paste(&text),
            DraftAction::Open(fragment) => {
                let shown = |opened: scenario::Opened| {
                    opened.problems.is_empty() && opened.scenario == *self.scenario
                };
                if !link::decode(&fragment).is_ok_and(shown) {
                    self.take_link(&fragment);
                }
            }
            DraftAction::DismissOpened => self.opened = None,
        }
    }

    /// Whether it can be run.
    #[must_use]
    pub fn can_run(&self) -> bool {
        self.problems.is_empty()
    }

    /// What was typed into an entry and could not be taken.
    #[must_use]
    pub fn refused_at(&self, id: ControlId) -> Option<&Refused> {
        self.refused.iter().find(|(other, _)| *other == id).map(|(_, refused)| refused)
    }

    /// The value that a control has in the preset.
    #[must_use]
    pub fn preset_value(&self, id: ControlId) -> i64 {
        self.scenario.preset.values()[id as usize]
    }

    /// The control's token in a link, e.g. `k4`; its key where it has none.
    #[must_use]
    pub fn token(&self, id: ControlId) -> String {
        let mut only = Scenario::new(self.scenario.preset);
        let base = link::encode(&only).split('.').count();
        let set = only.set(id, self.scenario.get(id)).is_ok();
        let with = link::encode(&only);
        let parts: Vec<_> = with.split('.').collect();
        match set && parts.len() == base + 1 {
            true => parts[parts.len() - 2].to_owned(),
            false => id.control().key.to_owned(),
        }
    }

    fn edit(&mut self, origin: Origin, change: impl FnOnce(&mut Scenario)) {
        let mut scenario = (*self.scenario).clone();
        change(&mut scenario);
        // A whole drag, and the letting go that ends it, is one change.
        let goes_on = self.origin == Origin::Dragged;
        self.origin = origin;
        if scenario == *self.scenario {
            return;
        }
        if !goes_on {
            self.history.note(&self.scenario);
        }
        self.said = "".into();
        self.show(scenario);
    }

    /// Goes one change back, or forth again.
    fn travel(&mut self, forth: bool) {
        let Some(scenario) = self.history.travel(forth, &self.scenario) else { return };
        let word = if forth { "Done again" } else { "Undone" };
        self.said = format!("{word}: {}", difference(&self.scenario, &scenario)).into();
        self.origin = Origin::Chosen;
        self.refused = Rc::default();
        self.show((*scenario).clone());
    }

    fn show(&mut self, scenario: Scenario) {
        self.problems = Rc::new(scenario.validate());
        self.scenario = Rc::new(scenario);
        self.edits += 1;
    }

    fn set(&mut self, id: ControlId, value: i64, chosen: bool) {
        let origin = if chosen { Origin::Chosen } else { Origin::Dragged };
        self.accept(id);
        // A slider and a list offer only what lies within bounds.
        self.edit(origin, |s| drop(s.set(id, value)));
    }

    /// Changes the rows of a table; the devices begin as they are when all are alike.
    fn rows(&mut self, id: ControlId, change: impl FnOnce(&mut Vec<Row>)) {
        let mut rows = self.scenario.rows(id).to_vec();
        if id == ControlId::SwapTable && rows.is_empty() {
            rows = self.scenario.devices();
        } else {
            change(&mut rows);
        }
        self.try_edit(id, String::new(), |s| s.set_rows(id, rows));
    }

    fn enter(&mut self, id: ControlId, text: String) {
        let key = id.control().key;
        self.try_edit(id, text.clone(), |s| s.set_text(key, &text));
    }

    fn try_edit(
        &mut self,
        id: ControlId,
        text: String,
        change: impl FnOnce(&mut Scenario) -> Result<(), Problem>,
    ) {
        let mut scenario = (*self.scenario).clone();
        match change(&mut scenario) {
            Ok(()) => {
                self.accept(id);
                self.edit(Origin::Chosen, |s| *s = scenario);
            }
            Err(problem) => {
                let refused = Refused { text, sentence: problem.sentence };
                self.accept(id);
                Rc::make_mut(&mut self.refused).push((id, refused));
            }
        }
    }

    fn accept(&mut self, id: ControlId) {
        if self.refused_at(id).is_some() {
            Rc::make_mut(&mut self.refused).retain(|(other, _)| *other != id);
        }
    }

    fn take_link(&mut self, fragment: &str) {
        let edits = self.edits + 1;
        self.refused = Rc::default();
        self.pasted = None;
        self.opened = match link::decode(fragment) {
            Ok(opened) => {
                let heading = match opened.problems.len() {
                    0 => "The link was made under other rules.",
                    _ => "The link is damaged. What can be read of it is shown.",
                };
                let is_bad = !opened.problems.is_empty();
                let mut sentences: Vec<_> =
                    opened.problems.iter().map(|p| sentence(&p.sentence)).collect();
                sentences.extend(opened.model_note);
                self.edit(Origin::Link, |s| *s = opened.scenario);
                let written = link::found(fragment).ok().filter(|_| opened.model != link::MODEL);
                let made_with = written.map(|link| (opened.model, link));
                let notice = Notice::new(heading.into(), is_bad, sentences);
                (!notice.sentences.is_empty()).then(|| Rc::new(Notice { made_with, ..notice }))
            }
            Err(error) => Some(Rc::new(Notice::new(
                format!("The link cannot be opened; {} is shown.", self.scenario.preset.name),
                true,
                vec![sentence(&error.to_string())],
            ))),
        };
        // What is shown is run even where it was shown before.
        self.origin = Origin::Link;
        self.edits = edits;
    }

    fn paste(&mut self, text: &str) {
        let refuse = |error: paste::PasteError| {
            let heading = "Nothing was taken from the text.".into();
            Notice::new(heading, true, vec![sentence(&error.to_string())])
        };
        let sysctl = Sysctl::parse(text);
        let settings = sysctl.as_ref().is_ok_and(has_settings);
        let zoneinfo = match Zoneinfo::parse(text) {
            Ok(zoneinfo) => zoneinfo,
            Err(paste::PasteError::NoZone(_)) if settings => Zoneinfo::default(),
            Err(error) => {
                self.pasted = Some(Rc::new(refuse(error)));
                return;
            }
        };
        let sysctl = sysctl.unwrap_or_default();
        let (scenario, problems) = paste::into_scenario(&zoneinfo, Some(&sysctl), &self.scenario);
        let taken = taken(&self.scenario, &scenario, &zoneinfo);
        let told = [&zoneinfo.problems, &sysctl.problems, &problems];
        let told: Vec<_> =
            told.into_iter().flatten().map(|p| format!("{}: {}", p.path, p.sentence)).collect();
        let sentences = taken.into_iter().chain(told.iter().map(|text| sentence(text))).collect();
        let is_bad = !(zoneinfo.problems.is_empty() && sysctl.problems.is_empty());
        let heading = if is_bad { "Part of the text was taken." } else { "The text was taken." };
        self.refused = Rc::default();
        self.edit(Origin::Chosen, |s| *s = scenario);
        self.pasted = Some(Rc::new(Notice::new(heading.into(), is_bad, sentences)));
    }
}

/// A clause as a sentence: a capital in front, a full stop behind.
#[must_use]
pub fn sentence(clause: &str) -> String {
    let mut letters = clause.trim().chars();
    let mut text: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().collect();
    text.extend(letters);
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}
