//! What the tasks do: groups of readers, of users of memory, of jobs and of servers; the drives
//! that the files lie on and the flusher that writes to them.

pub mod compile;
pub mod drive;
pub mod fault;
pub mod flusher;
pub mod group;
pub mod job;
pub mod program;
pub mod reader;
pub mod region;
pub mod release;
pub mod resident;
pub mod usage;

#[cfg(test)]
mod tests;

use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use units::{SimDuration, TaskId};

impl<O: Observer> Sim<'_, O> {
    /// An operation of a task is done; listeners hear of those of the first group.
    pub(crate) fn operation(&mut self, id: TaskId, took: SimDuration) {
        if self.m.tasks[id.index()].group == 0 {
            let now = self.now();
            self.observer.operation(now, took);
        }
    }

    /// What a task does when its group is not active: it sleeps through a pause, and ends when the
    /// group does. Nothing while it is active.
    pub(crate) fn rest(&mut self, id: TaskId, step: Step) -> Option<Flow> {
        let now = self.now();
        let phases = self.m.config.groups[self.m.tasks[id.index()].group as usize].phases;
        if phases.is_over(now) || self.m.tasks[id.index()].job.killed {
            return Some(self.task_exit(id));
        }
        let until = phases.pause_until(now)?;
        Some(self.sleep(id, State::Io, Some(until), step))
    }
}
