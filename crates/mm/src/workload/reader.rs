//! Readers: `dd`-like tasks that each read a file of their own from end to end.
//!
//! Read-ahead keeps one window in flight: when a reader comes to a window it first allocates the
//! pages of the next one and submits its read, then copies the window at hand, then waits until the
//! next one is there. Without read-ahead it allocates, submits, waits and copies one window after
//! the other. A paced reader starts its n-th window no earlier than n periods after its own start,
//! but sleeps only when it is more than 2 ms ahead. A file is longer than memory, so that nothing
//! is ever found in the page cache.

use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Kind, State, Step};
use catalog::ConstantId;
use units::{SimDuration, SimTime, TaskId};

/// How far ahead of its pace a reader goes on.
const AHEAD: SimDuration = SimDuration::from_millis(2);

impl<O: Observer> Sim<'_, O> {
    /// The data of a window is there (or the file was just opened).
    pub(crate) fn reader_window(&mut self, id: TaskId) -> Flow {
        let window = self.constant(ConstantId::ReadAheadWindow) as u32;
        let task = &mut self.m.tasks[id.index()];
        task.reading.need = window;
        task.step = Step::ReaderAlloc;
        Flow::GoOn
    }

    /// The pages of the next window are in the page cache: submit its read, then copy the window at
    /// hand, or wait for this one when nothing is read ahead.
    pub(crate) fn submit_and_copy(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Kind::Reader(reader) = task.kind else { unreachable!("readers read") };
        task.reading.ready_at = m.drives.submit(now, reader);
        if m.config.read_ahead {
            return self.copy(id);
        }
        let (home, ready_at) = (task.node.0, task.reading.ready_at);
        task.reading.at_hand = m.config.ledger.get(ConstantId::ReadAheadWindow) as u32;
        if ready_at > now {
            return self.sleep(id, State::Io, Some(ready_at), Step::ReaderArrived);
        }
        self.work(id, State::App, 0, home, Step::ReaderArrived)
    }

    /// The window that was asked for is there.
    pub(crate) fn reader_arrived(&mut self, id: TaskId) -> Flow {
        self.copy(id)
    }

    /// Copies the window at hand to the reader's buffer.
    fn copy(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let m = &mut *self.m;
        let task = &m.tasks[id.index()];
        let home = task.node.0;
        let pages = u64::from(task.reading.at_hand);
        let ledger = &m.config.ledger;
        let per_page = ledger.get(ConstantId::CopyPerPage) + ledger.get(ConstantId::PcpPerPage);
        let fixed = ledger.get(ConstantId::ReadSubmit)
            + ledger.get(ConstantId::ReadComplete)
            + ledger.get(ConstantId::ContextSwitch);
        m.speed.count(&mut m.nodes[home as usize].traffic, now, pages);
        self.work(id, State::App, fixed + pages * per_page, home, Step::ReaderCopied)
    }

    /// The window at hand is read; go on with the next, now, when it is there, or when it is due.
    pub(crate) fn reader_copied(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let window = self.constant(ConstantId::ReadAheadWindow) as u32;
        let reading = &mut self.m.tasks[id.index()].reading;
        if reading.at_hand > 0 {
            reading.windows += 1;
            self.m.pages_read += u64::from(reading.at_hand);
            if reading.last_done > SimTime::ZERO {
                self.observer.operation(now, now - reading.last_done);
            }
            reading.last_done = now;
        }
        reading.at_hand = window;
        let due = reading.started + self.m.config.pace * reading.windows;
        let paced = if due > now + AHEAD { due } else { now };
        let ready_at = reading.ready_at.max(paced);
        if ready_at > now {
            return self.sleep(id, State::Io, Some(ready_at), Step::ReaderWindow);
        }
        self.m.tasks[id.index()].step = Step::ReaderWindow;
        Flow::GoOn
    }
}
