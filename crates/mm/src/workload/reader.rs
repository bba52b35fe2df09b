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

impl<O: Observer> Sim<'_, O> {
    /// What a task asked for is read: of the pages that still are in its CPU's folio batch, MGLRU
    /// sees the mark when they are drained (mm/swap.c: lru_gen_inc_refs); classic lists count every
    /// new page that is read as marked.
    pub(crate) fn mark_read(&mut self, id: TaskId) {
        let m = &mut *self.m;
        let task = &m.tasks[id.index()];
        let matters = m.config.lru_gen && !m.config.flavour.lru_gen_older_rules;
        if matters && !m.pages.class(task.alloc.class).config.mapped {
            m.batches[task.cpu.index()].mark_read(task.alloc.class);
        }
    }

    /// The data of a window is there (or the file was just opened).
    pub(crate) fn reader_window(&mut self, id: TaskId) -> Flow {
        if let Some(flow) = self.rest(id, Step::ReaderWindow) {
            return flow;
        }
        let window = self.constant(ConstantId::ReadAheadWindow) as u32;
        let task = &mut self.m.tasks[id.index()];
        task.alloc.need = window;
        task.alloc.then = Step::ReaderFilled;
        task.step = Step::Alloc;
        Flow::GoOn
    }

    /// The pages of the next window are in the page cache: submit its read, then copy the window at
    /// hand, or wait for this one when nothing is read ahead.
    pub(crate) fn submit_and_copy(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let Kind::Task(reader) = task.kind else { unreachable!("readers read") };
        task.reading.ready_at = m.drives.submit(now, reader);
        task.reading.in_flight = core::mem::take(&mut task.alloc.got);
        let group = &m.config.groups[task.group as usize];
        if group.stream().is_some_and(|stream| stream.read_ahead) {
            return self.copy(id);
        }
        let (home, ready_at) = (task.node.0, task.reading.ready_at);
        task.reading.at_hand = core::mem::take(&mut task.reading.in_flight);
        if ready_at > now {
            return self.sleep(id, State::Io, Some(ready_at), Step::ReaderArrived);
        }
        self.work(id, State::App, 0, home, Step::ReaderArrived)
    }

    /// The window that was asked for is there.
    pub(crate) fn reader_arrived(&mut self, id: TaskId) -> Flow {
        self.copy(id)
    }

    /// Copies the window at hand to the reader's buffer: what lies on another node takes longer,
    /// and
    /// is traffic there.
    fn copy(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let ledger = &self.m.config.ledger;
        let per_page = ledger.get(ConstantId::CopyPerPage) + ledger.get(ConstantId::PcpPerPage);
        let fixed = ledger.get(ConstantId::ReadSubmit)
            + ledger.get(ConstantId::ReadComplete)
            + ledger.get(ConstantId::ContextSwitch);
        let task = &self.m.tasks[id.index()];
        let (home, at_hand) = (task.node.0, task.reading.at_hand);
        for (node, pages) in at_hand.iter().enumerate().filter(|(_, pages)| **pages > 0) {
            let m = &mut *self.m;
            let parts = m.config.fake_numa.max(1) as usize;
            let traffic = &mut m.nodes[node / parts * parts].traffic;
            m.speed.count(traffic, now, u64::from(*pages));
        }
        let mut took = self.stretch(id, fixed, home);
        for (node, pages) in at_hand.iter().enumerate().filter(|(_, pages)| **pages > 0) {
            let remote = self.m.speed.remote_copy();
            took += self.stretch_by(id, u64::from(*pages) * per_page, node as u32, remote);
        }
        self.work_for(id, State::App, took, Step::ReaderCopied)
    }

    /// The window at hand is read; go on with the next, now, when it is there, or when it is due.
    pub(crate) fn reader_copied(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let ahead = SimDuration::from_nanos(self.constant(ConstantId::PaceAhead));
        let group = &self.m.config.groups[self.m.tasks[id.index()].group as usize];
        let pace = group.stream().map_or(SimDuration::ZERO, |stream| stream.pace);
        let in_flight = self.m.tasks[id.index()].reading.in_flight;
        if in_flight.iter().all(|&pages| pages == 0) {
            self.mark_read(id);
        }
        let reading = &mut self.m.tasks[id.index()].reading;
        let read: u64 = reading.at_hand.iter().map(|&p| u64::from(p)).sum();
        let mut took = None;
        if read > 0 {
            // A paced reader's operation begins when it is due, not when the one before ended.
            let began = reading.last_done.max(reading.started + pace * reading.windows);
            if reading.last_done > SimTime::ZERO {
                took = Some(now.saturating_since(began));
            }
            reading.windows += 1;
            reading.last_done = now;
            let group = self.m.tasks[id.index()].group as usize;
            self.m.pages_read += read;
            self.m.ops[group] += read;
        }
        if let Some(took) = took {
            self.operation(id, took);
        }
        let reading = &mut self.m.tasks[id.index()].reading;
        reading.at_hand = core::mem::take(&mut reading.in_flight);
        let due = reading.started + pace * reading.windows;
        let paced = if due > now + ahead { due } else { now };
        let ready_at = reading.ready_at.max(paced);
        if ready_at > now {
            return self.sleep(id, State::Io, Some(ready_at), Step::ReaderWindow);
        }
        self.m.tasks[id.index()].step = Step::ReaderWindow;
        Flow::GoOn
    }
}
