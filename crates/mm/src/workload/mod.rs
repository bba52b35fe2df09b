//! What the tasks do: readers of files, and the drives that the files lie on.

pub mod drive;
pub mod group;
pub mod reader;

use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// What a task does when its group is not active: it sleeps through a pause, and ends when the
    /// group does. Nothing while it is active.
    pub(crate) fn rest(&mut self, id: TaskId, step: Step) -> Option<Flow> {
        let now = self.now();
        let phases = self.m.config.groups[self.m.tasks[id.index()].group as usize].phases;
        if phases.is_over(now) {
            return Some(self.task_exit(id));
        }
        let until = phases.pause_until(now)?;
        Some(self.sleep(id, State::Io, Some(until), step))
    }

    /// The task ends: it frees its memory and never runs again.
    pub(crate) fn task_exit(&mut self, id: TaskId) -> Flow {
        self.m.alive -= 1;
        self.sleep(id, State::Asleep, None, Step::Ended)
    }
}
