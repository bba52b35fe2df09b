//! The flusher: it writes dirty file pages to the drives (7.2 mm/page-writeback.c:
//! wb_over_bg_thresh, fs/fs-writeback.c: wb_writeback), when more than the background share of
//! memory is dirty and what has been dirty for 30 s. One task for the whole machine. Reclaim does
//! not write file pages.

use crate::config::Work;
use crate::lru::{ClassId, PageKind};
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use catalog::ConstantId;
use units::{SimDuration, TaskId};

/// Looks back at what was dirty so many periods ago: 30 s at 5 s each.
const EXPIRE_PERIODS: usize = 6;

/// What the flusher knows.
#[derive(Clone, Debug, Default)]
pub struct Flusher {
    /// The flusher, if anything can be dirty.
    pub task: Option<TaskId>,
    /// Pages dirtied in all at the last periods' ends, the newest last.
    history: Vec<u64>,
    /// Pages written in all.
    written: u64,
    /// The period that comes next.
    period: u64,
    /// Pages being written, and of which class.
    writing: (ClassId, u64),
}

/// Whether tasks of this kind write to files.
#[must_use]
pub fn writes(work: &Work) -> bool {
    match work {
        Work::Stream(_) | Work::Churn(_) | Work::Compile(_) => false,
        Work::Memory(memory) => {
            memory.writes > 0 && memory.region.backing == crate::config::Backing::Mapped
        }
        Work::Build(_) | Work::Store(_) => true,
    }
}

impl<O: Observer> Sim<'_, O> {
    /// Pages were dirtied or cleaned: how many wait to be written on every node; the flusher is
    /// woken when they are too many.
    pub(crate) fn note_dirty(&mut self) {
        let m = &mut *self.m;
        let mut pending = [0; crate::config::NODES_MAX];
        for class in m.pages.each().filter(|class| class.dirty > 0) {
            let resident = class.resident_pages().max(1);
            for (sum, &own) in pending.iter_mut().zip(&class.resident) {
                *sum += class.dirty.min(resident) * own / resident;
            }
        }
        for (node, pages) in m.nodes.iter_mut().zip(pending) {
            node.write_pending = pages;
        }
        if let Some(flusher) = m.flusher.task
            && m.tasks[flusher.index()].state == State::Asleep
            && m.dirty_pages() > m.dirty_limit(ConstantId::DirtyBackgroundRatio)
        {
            self.wake(flusher);
        }
    }

    /// The flusher looks for something to write, or sleeps until its next period.
    pub(crate) fn flush(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let period = SimDuration::from_millis(self.constant(ConstantId::DirtyWritebackMillis));
        let m = &mut *self.m;
        if now.as_nanos() >= period.as_nanos() * (m.flusher.period + 1) {
            m.flusher.period = now.as_nanos() / period.as_nanos();
            m.flusher.history.push(m.dirtied);
            if m.flusher.history.len() > EXPIRE_PERIODS + 1 {
                m.flusher.history.remove(0);
            }
        }
        let old = match m.flusher.history.len() {
            n if n > EXPIRE_PERIODS => m.flusher.history[0].saturating_sub(m.flusher.written),
            _ => 0,
        };
        let dirty = m.dirty_pages();
        let over = dirty.saturating_sub(m.dirty_limit(ConstantId::DirtyBackgroundRatio));
        let want = over.max(old).min(m.config.ledger.get(ConstantId::WritebackPages));
        let most = (0..m.pages.len()).map(|c| ClassId(c as u16)).max_by_key(|&c| {
            let class = m.pages.class(c);
            (class.dirty, core::cmp::Reverse(c))
        });
        let Some(class) = most.filter(|_| want > 0 && dirty > 0) else {
            let next = units::SimTime::ZERO + period * (m.flusher.period + 1);
            return self.sleep(id, State::Asleep, Some(next), Step::Flush);
        };
        let count = want.min(m.pages.class(class).dirty);
        m.flusher.writing = (class, count);
        let number = m.config.tasks();
        let done = m.drives.submit_pages(now, number, count as u32);
        let cost = count * self.constant(ConstantId::WritePerPage);
        let took = self.stretch(id, cost, self.m.tasks[id.index()].node.0);
        self.m.tasks[id.index()].reading.ready_at = done;
        self.work_for(id, State::App, took, Step::FlushSubmitted)
    }

    /// The pages are submitted: they are clean when the drive has them.
    pub(crate) fn flush_submitted(&mut self, id: TaskId) -> Flow {
        let ready_at = self.m.tasks[id.index()].reading.ready_at;
        if ready_at > self.now() {
            return self.sleep(id, State::Io, Some(ready_at), Step::Flushed);
        }
        self.flushed(id)
    }

    /// The drive has them.
    pub(crate) fn flushed(&mut self, id: TaskId) -> Flow {
        let m = &mut *self.m;
        let (class, count) = m.flusher.writing;
        let class = m.pages.class_mut(class);
        class.dirty -= count.min(class.dirty);
        m.flusher.written += count;
        m.vmstat.nr_written += count;
        m.tasks[id.index()].step = Step::Flush;
        self.note_dirty();
        Flow::GoOn
    }
}

impl Machine {
    /// Pages that are dirty.
    #[must_use]
    pub fn dirty_pages(&self) -> u64 {
        self.pages.each().map(|class| class.dirty).sum()
    }

    /// A share of the memory that can be dirty: what is free, and file pages (7.2
    /// global_dirtyable_memory).
    fn dirty_limit(&self, ratio: ConstantId) -> u64 {
        let nodes = 0..self.nodes.len();
        let file = nodes.map(|n| {
            let (inactive, active) = self.list_sizes(n, PageKind::File);
            inactive + active + self.nodes[n].free
        });
        file.sum::<u64>() * self.config.ledger.get(ratio) / 100
    }

    /// Whether writers are held up (balance_dirty_pages).
    #[must_use]
    pub fn too_dirty(&self) -> bool {
        self.flusher.task.is_some() && self.dirty_pages() > self.dirty_limit(ConstantId::DirtyRatio)
    }
}
