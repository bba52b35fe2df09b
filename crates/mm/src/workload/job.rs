//! What a task of the workload is about: its plan, the pages that it faults in, those that it
//! gives back.

use crate::config::ZONES_PER_NODE;
use crate::lru::{ClassId, Entry, Flags};
use crate::task::Step;
use engine::Stream;
use units::{SimDuration, SimTime};

/// A piece of work. Regions are numbered as [`super::region::Layout`] has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// An operation begins.
    Begin,
    /// CPU time, in ledger nanoseconds.
    Cpu(u64),
    /// So many pages of a region that were never there are touched.
    Fill(u32, u64),
    /// A region grows by so many pages, and what it has is used on the way.
    Grow(u32, u64),
    /// So many uses of a region's pages; `u64::MAX` for ever.
    Use(u32, u64),
    /// So many new file pages are written.
    Write(u32),
    /// A region's pages are unmapped; of one that is used in order those used before this number.
    Unmap(u32, u64),
    /// A sleep.
    Wait(SimDuration),
    /// An operation ends.
    Done,
    /// The task ends.
    Exit,
}

/// Pages that are faulted in together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their class.
    pub class: ClassId,
    /// The state in which they join the lists.
    pub flags: Flags,
    /// Of a loop: the number of the use that asked for the first.
    pub first_use: u64,
    /// How many.
    pub count: u32,
}

/// Pages off the lists that are on their way to be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Released {
    /// Their node.
    pub node: u8,
    /// The partition that they were on.
    pub partition: u16,
    /// Their cgroup.
    pub memcg: u16,
    /// The pages.
    pub entry: Entry,
}

/// A batch of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Their node.
    pub node: u8,
    /// The partition.
    pub partition: u16,
    /// The cgroup.
    pub memcg: u16,
    /// How many.
    pub count: u32,
    /// By zone kind.
    pub zones: [u32; ZONES_PER_NODE],
    /// The zone kind that is next.
    pub zone: usize,
    /// Pages on their way back to the zone before it.
    pub spill: u32,
}

/// What a task is about.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it will do, the next last.
    pub plan: Vec<Op>,
    /// Work done that has not taken its time yet, in ledger nanoseconds.
    pub owed: u64,
    /// The same, of its own work where that is told apart from the kernel's.
    pub user: u64,
    /// Pages that it waits for, the next last.
    pub runs: Vec<Run>,
    /// The class of the page that is on swap.
    pub swap_in: Option<ClassId>,
    /// Those of them that a drive reads.
    pub to_read: u32,
    /// Those of them that are written to at once.
    pub to_dirty: Option<ClassId>,
    /// When the operation began.
    pub began: SimTime,
    /// When the page at hand was missed.
    pub missed: SimTime,
    /// Whether one of them had the workingset mark when it was evicted: to wait for it is a stall
    /// on memory (mm/filemap.c: folio_wait_bit_common; mm/page_io.c: swap_read_folio).
    pub thrashes: bool,
    /// When the task began: a paced one counts from there.
    pub started: SimTime,
    /// Pages filled and uses so far.
    pub units: u64,
    /// Bytes appended to the page of the log at hand.
    pub logged: u64,
    /// Its draws.
    pub draws: Stream,
    /// What is being unmapped: region and use number.
    pub unmap: (u32, u64),
    /// Pages off the lists.
    pub released: Vec<Released>,
    /// Those of them at hand.
    pub batch: Batch,
    /// Where it goes on when they are free.
    pub after_release: Step,
    /// Whether it reads files from end to end instead.
    pub is_reader: bool,
    /// Whether it was killed: it ends as soon as it notices.
    pub killed: bool,
}

impl Job {
    /// Draws anew from now on.
    pub(crate) fn reseed(&mut self, seed: u64, task: u64) {
        self.draws = Stream::new(seed, "work", task);
    }

    /// The job of task number `task`: nothing yet.
    #[must_use]
    pub fn new(seed: u64, task: u64, started: SimTime) -> Self {
        Self {
            plan: Vec::new(),
            owed: 0,
            user: 0,
            runs: Vec::new(),
            swap_in: None,
            to_read: 0,
            to_dirty: None,
            began: started,
            missed: started,
            thrashes: false,
            started,
            units: 0,
            logged: 0,
            draws: Stream::new(seed, "work", task),
            unmap: (0, 0),
            released: Vec::new(),
            batch: Batch::default(),
            after_release: Step::WorkNext,
            is_reader: false,
            killed: false,
        }
    }
}
