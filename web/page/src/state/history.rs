//! What of the scenario can be undone, and done again.

use scenario::Scenario;
use std::rc::Rc;

/// How many changes are remembered.
const MAX: usize = 200;

/// Scenarios before and after the one that is shown, nearest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    before: Vec<Rc<Scenario>>,
    after: Vec<Rc<Scenario>>,
}

impl History {
    /// Whether there is something to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether there is something to do again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.after.is_empty()
    }

    /// Notes that a scenario is about to be changed: what was undone is forgotten.
    pub fn note(&mut self, shown: &Rc<Scenario>) {
        self.after.clear();
        self.before.push(shown.clone());
        if self.before.len() > MAX {
            self.before.remove(0);
        }
    }

    /// The scenario one change back, or forth; the one that is shown takes its place on the other
    /// side.
    pub fn travel(&mut self, forth: bool, shown: &Rc<Scenario>) -> Option<Rc<Scenario>> {
        let (from, to) = match forth {
            true => (&mut self.after, &mut self.before),
            false => (&mut self.before, &mut self.after),
        };
        let scenario = from.pop()?;
        to.push(shown.clone());
        Some(scenario)
    }
}

/// What changes from one scenario to another, in a sentence: `kswapds a node is 4.`
#[must_use]
pub fn difference(old: &Scenario, new: &Scenario) -> String {
    if old.preset != new.preset {
        return format!("the preset is {}.", new.preset.name);
    }
    let controls = catalog::CONTROLS.iter();
    let differs = |id| old.get(id) != new.get(id) || old.rows(id) != new.rows(id);
    let changed: Vec<_> = controls.filter(|c| differs(c.id)).collect();
    match changed[..] {
        [control] => format!("{} is {}.", control.label, new.text(control.id)),
        [] if old.nodes == new.nodes => "a constant of the ledger.".into(),
        [] => "the machine's nodes.".into(),
        _ => format!("{} settings.", changed.len()),
    }
}
