//! Page faults and reads that find no page: memory for it, then the drive if it holds the page.
//!
//! A page whose shadow says that it was swapped out comes in by the same way.

use super::group::Work;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Kind, State, Step};
use catalog::ConstantId;
use units::{SimTime, TaskId};

impl<O: Observer> Sim<'_, O> {
    /// The pages that a task waits for are allocated, run by run; then those that a drive has are
    /// read.
    pub(crate) fn work_miss(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        if let Some(run) = task.job.runs.pop() {
            task.alloc.need = run.count;
            task.alloc.class = run.class;
            task.alloc.flags = run.flags;
            task.alloc.first_use = run.first_use;
            task.alloc.got = Default::default();
            task.alloc.then = Step::WorkMiss;
            task.step = Step::Alloc;
            self.m.pages.class_mut(run.class).expect(run.count.into());
            if let Some(class) = self.m.tasks[id.index()].job.to_dirty.take() {
                self.m.pages.class_mut(class).dirty += u64::from(run.count);
                self.m.dirtied += u64::from(run.count);
                self.note_dirty();
            } else if self.m.pages.class(run.class).config.mapped {
                self.m.vmstat.pgfault += u64::from(run.count);
            }
            return Flow::GoOn;
        }
        if let Some(class) = task.job.swap_in.take()
            && let Some(done) = self.swap_in(id, class)
        {
            return self.wait_for_read(id, done);
        }
        let task = &mut self.m.tasks[id.index()];
        let pages = core::mem::take(&mut task.job.to_read);
        if pages == 0 {
            return self.work_read(id);
        }
        let Kind::Task(number) = task.kind else { unreachable!("tasks read") };
        let mapped = self.m.pages.class(task.alloc.class).config.mapped;
        task.job.owed += self.m.config.ledger.get(ConstantId::ReadSubmit);
        let now = self.now();
        let done = self.m.drives.submit_pages(now, number, pages);
        self.m.pages_read += u64::from(pages);
        self.m.vmstat.pgmajfault += u64::from(mapped);
        let after = self.constant(ConstantId::ReadComplete)
            + self.constant(ConstantId::ContextSwitch)
            + if mapped { self.constant(ConstantId::MapPage) } else { 0 };
        self.m.tasks[id.index()].job.owed += after;
        if done > now {
            return self.wait_for_read(id, done);
        }
        self.work_read(id)
    }

    /// The task sleeps until its pages are read; while it waits for what it should not have lost it
    /// is stalled on memory.
    fn wait_for_read(&mut self, id: TaskId, done: SimTime) -> Flow {
        let task = &self.m.tasks[id.index()];
        if task.job.thrashes {
            let home = task.node.index();
            self.m.note_stall(id, home, true);
        }
        self.sleep(id, State::Io, Some(done), Step::WorkRead)
    }

    /// The pages are there.
    pub(crate) fn work_read(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        self.mark_read(id);
        let task = &mut self.m.tasks[id.index()];
        task.job.thrashes = false;
        if task.stalled {
            let home = task.node.index();
            self.m.note_stall(id, home, false);
        }
        let task = &mut self.m.tasks[id.index()];
        task.step = Step::WorkNext;
        let (missed, group) = (task.job.missed, task.group as usize);
        if let Work::Memory(_) = self.m.config.groups[group].work
            && missed < now
        {
            self.m.tasks[id.index()].job.missed = now;
            self.operation(id, now - missed);
        }
        Flow::GoOn
    }
}
