//! What the workers beside the simulator are asked for, and what they have answered so far. One
//! errand at a time; what an earlier one showed stays.

use super::errand::Spec;
use scenario::Problem;
use std::rc::Rc;

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The comparison.
    Compare,
    /// The sweep.
    Sweep,
    /// A text of the run.
    Export,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was asked for.
    #[default]
    Idle,
    /// It is being worked on.
    Running,
    /// It is over.
    Done,
    /// It was cancelled.
    Cancelled,
    /// It cannot be done.
    Refused(Vec<Problem>),
}

impl Phase {
    /// Its name in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Refused(_) => "refused",
        }
    }
}

/// What is there of one errand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// How far it is.
    pub phase: Phase,
    /// What was asked for.
    pub spec: Option<Rc<Spec>>,
    /// Answers so far, and of how many.
    pub progress: (usize, usize),
    /// What is to be shown, as it came.
    pub text: Option<Rc<str>>,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Counts what was asked for.
    pub id: u32,
    /// Who asked last.
    pub slot: Option<Slot>,
    shown: [Rc<Shown>; 3],
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkAction {
    /// Something is asked for; what was being worked on ends.
    Begin(Slot, Rc<Spec>),
    /// No more of it.
    Cancel,
    /// The errand with this number is so far, and this is to be shown.
    Progress(u32, (usize, usize), Option<String>),
    /// The errand with this number is over.
    Over(u32, Vec<Problem>),
}

impl Work {
    /// What there is of what somebody asked for.
    #[must_use]
    pub fn of(&self, slot: Slot) -> &Rc<Shown> {
        &self.shown[slot as usize]
    }

    /// What is being worked on.
    #[must_use]
    pub fn running(&self) -> Option<&Rc<Spec>> {
        let shown = self.of(self.slot?);
        shown.spec.as_ref().filter(|_| shown.phase == Phase::Running)
    }

    /// Changes it.
    pub fn reduce(&mut self, action: WorkAction) {
        match action {
            WorkAction::Begin(slot, spec) => {
                self.end(Phase::Cancelled);
                self.id += 1;
                self.slot = Some(slot);
                let progress = (0, 0);
                let shown = Shown { phase: Phase::Running, spec: Some(spec), progress, text: None };
                self.shown[slot as usize] = Rc::new(shown);
            }
            WorkAction::Cancel => self.end(Phase::Cancelled),
            WorkAction::Progress(id, progress, text) if id == self.id => {
                if let Some(shown) = self.now() {
                    shown.progress = progress;
                    shown.text = text.map(Rc::from).or_else(|| shown.text.take());
                }
            }
            WorkAction::Over(id, problems) if id == self.id => match problems.is_empty() {
                true => self.end(Phase::Done),
                false => self.end(Phase::Refused(problems)),
            },
            WorkAction::Progress(..) | WorkAction::Over(..) => {}
        }
    }

    /// What is being worked on.
    fn now(&mut self) -> Option<&mut Shown> {
        let shown = Rc::make_mut(&mut self.shown[self.slot? as usize]);
        Some(shown).filter(|shown| shown.phase == Phase::Running)
    }

    fn end(&mut self, phase: Phase) {
        if let Some(shown) = self.now() {
            shown.phase = phase;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_to_what_was_ended_change_nothing() {
        let one = |name| Rc::new(Spec::One { name, args: String::new() });
        let mut work = Work::default();
        work.reduce(WorkAction::Begin(Slot::Sweep, one("a")));
        work.reduce(WorkAction::Progress(1, (1, 4), Some("x".into())));
        work.reduce(WorkAction::Progress(1, (2, 4), None));
        assert_eq!(work.of(Slot::Sweep).text.as_deref(), Some("x"));
        work.reduce(WorkAction::Begin(Slot::Compare, one("b")));
        assert_eq!(work.of(Slot::Sweep).phase, Phase::Cancelled);
        work.reduce(WorkAction::Over(1, Vec::new()));
        assert_eq!(work.running(), Some(&one("b")));
        work.reduce(WorkAction::Cancel);
        work.reduce(WorkAction::Progress(2, (1, 1), Some("y".into())));
        assert_eq!(work.of(Slot::Compare).text, None);
        assert_eq!(work.running(), None);
        work.reduce(WorkAction::Begin(Slot::Export, one("c")));
        work.reduce(WorkAction::Over(3, vec![Problem::new("a", "b")]));
        assert_eq!(work.of(Slot::Export).phase.name(), "refused");
    }
}
