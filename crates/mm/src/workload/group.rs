//! Groups of tasks that do the same: how many, where, when and what.

use units::{SimDuration, SimTime};

/// When the tasks of a group are active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Time before they begin.
    pub start: SimDuration,
    /// How long they go on; zero for the whole run. Their memory is freed then.
    pub length: SimDuration,
    /// A burst of activity and the pause after it, in turn; no pauses when either is zero.
    pub burst: [SimDuration; 2],
}

impl Phases {
    /// Whether the tasks are done at `now`.
    #[must_use]
    pub fn is_over(&self, now: SimTime) -> bool {
        !self.length.is_zero() && now.saturating_since(SimTime::ZERO) >= self.start + self.length
    }

    /// When the pause that `now` lies in is over, if it lies in one.
    #[must_use]
    pub fn pause_until(&self, now: SimTime) -> Option<SimTime> {
        let begin = SimTime::ZERO + self.start;
        if now < begin {
            return Some(begin);
        }
        let [on, off] = self.burst.map(SimDuration::as_nanos);
        if on == 0 || off == 0 {
            return None;
        }
        let at = now.saturating_since(begin).as_nanos() % (on + off);
        (at >= on).then(|| now + SimDuration::from_nanos(on + off - at))
    }
}

/// `dd`-like readers, each of a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Whether a window is read ahead while the one before is used (FADV_RANDOM turns it off).
    pub read_ahead: bool,
    /// Time from the start of one window to that of the next; zero as fast as it goes.
    pub pace: SimDuration,
}

/// In which order and how unevenly pages are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every page as often as any other.
    Uniform,
    /// The page of rank r in proportion to r to the power of minus so many thousandths; ranks lie
    /// anywhere.
    Zipf(u32),
    /// So many thousandths of the pages get so many thousandths of the uses.
    Hot(u32, u32),
    /// One page after the other, round and round.
    Loop,
}

/// What pages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    /// Anonymous memory.
    Anon,
    /// A file that is mapped.
    Mapped,
    /// A file that is read by read().
    Read,
}

/// Pages that are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionConfig {
    /// What they are.
    pub backing: Backing,
    /// How many.
    pub pages: u64,
    /// How they are used.
    pub pattern: Pattern,
    /// Whether all tasks of the group use the same; otherwise each has its own.
    pub shared: bool,
    /// Their memory cgroup.
    pub memcg: u16,
}

/// Memory that is filled and then used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The pages.
    pub region: RegionConfig,
    /// Whether each is touched once first, in order.
    pub prefill: bool,
    /// Thousandths of the uses that write.
    pub writes: u32,
    /// Time from one use to the next; zero as fast as it goes.
    pub pace: SimDuration,
    /// Uses after the fill, of each task; it then ends. `u64::MAX` for the whole run.
    pub uses: u64,
    /// How long it keeps its memory before it ends.
    pub hold: SimDuration,
}

/// Memory that is mapped, filled and unmapped, chunk by chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Churn {
    /// Pages of one chunk.
    pub chunk: u64,
    /// Pages that stay mapped: when there are more, the oldest chunk is unmapped.
    pub window: u64,
    /// Time from one page to the next; zero as fast as it goes.
    pub pace: SimDuration,
}

/// Jobs one after the other, as a build makes them: each reads sources, fills memory, touches it
/// twice, writes its output and exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// Source files of 2 MiB; a job reads six, chosen with a skew of 0.8.
    pub files: u64,
    /// Fewest pages of a job's memory.
    pub pages_min: u64,
    /// Most.
    pub pages_max: u64,
    /// CPU time of a job besides, in ledger nanoseconds.
    pub cpu: u64,
}

/// Processes of a build one after the other: each grows, uses what it has on the way, and exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compile {
    /// Pages of a process, on average.
    pub pages: u64,
    /// The most that one has.
    pub pages_max: u64,
    /// How far they spread: the standard deviation of the logarithm, in thousandths.
    pub spread: u32,
    /// A mean process's own CPU time, in ledger nanoseconds; a larger one takes longer in
    /// proportion.
    pub cpu: u64,
    /// What starting and ending a process costs in the kernel apart from its memory, in ledger
    /// nanoseconds.
    pub kernel: u64,
    /// Uses of what a process has for every page that it adds.
    pub uses: u64,
    /// How unevenly they are spread.
    pub pattern: Pattern,
}

impl Compile {
    /// A process's own CPU time a use, in ledger nanoseconds.
    #[must_use]
    pub const fn cpu_per_use(&self) -> u64 {
        let uses = self.pages * self.uses;
        self.cpu / if uses == 0 { 1 } else { uses }
    }
}

/// A key-value store: threads that serve one request after the other out of mapped data files and a
/// heap, and append what is written to a commit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The data files.
    pub data: RegionConfig,
    /// The heap.
    pub heap: RegionConfig,
    /// Thousandths of the requests that write.
    pub writes: u32,
    /// Pages of the data files that a read uses.
    pub data_uses: u64,
    /// Pages that a fault reads: those of its window that are not resident; 1 without read-around.
    pub read_around: u64,
    /// Pages of the heap that a request uses.
    pub heap_uses: u64,
    /// Bytes that a write appends to the log.
    pub log_bytes: u64,
    /// CPU time of a request besides, in ledger nanoseconds.
    pub cpu: u64,
    /// Time between two requests of a thread: the network and its client.
    pub wait: SimDuration,
}

/// What the tasks of a group do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// They read files from end to end.
    Stream(Stream),
    /// They use memory.
    Memory(Memory),
    /// They map and unmap memory.
    Churn(Churn),
    /// They are jobs of a build.
    Build(Build),
    /// They are processes of a build that grow.
    Compile(Compile),
    /// They serve requests.
    Store(Store),
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupConfig {
    /// How many tasks.
    pub tasks: u32,
    /// The nodes that they live on, dealt to them in turn; all nodes with CPUs when empty.
    pub nodes: Vec<u32>,
    /// The nodes that they may take memory from, as bit masks dealt to them in turn; when empty
    /// all nodes, or their own one if they are bound.
    pub mems: Vec<u8>,
    /// Whether each takes memory from its own node only.
    pub bound: bool,
    /// The memory cgroup that they are in, to which their pages are charged; 0 for the root. A
    /// region may name another one.
    pub memcg: u16,
    /// When they are active.
    pub phases: Phases,
    /// What they do.
    pub work: Work,
}

impl GroupConfig {
    /// Tasks that do this all the time, anywhere.
    #[must_use]
    pub const fn new(tasks: u32, work: Work) -> Self {
        Self {
            tasks,
            nodes: Vec::new(),
            mems: Vec::new(),
            bound: false,
            memcg: 0,
            phases: Phases {
                start: SimDuration::ZERO,
                length: SimDuration::ZERO,
                burst: [SimDuration::ZERO; 2],
            },
            work,
        }
    }

    /// The readers that this is, if it is readers.
    #[must_use]
    pub const fn stream(&self) -> Option<&Stream> {
        match &self.work {
            Work::Stream(stream) => Some(stream),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_begin_pause_and_end() {
        let ms = SimDuration::from_millis;
        let at = |n| SimTime::ZERO + ms(n);
        let phases = Phases { start: ms(100), length: ms(50), burst: [ms(10), ms(5)] };
        assert_eq!(phases.pause_until(at(40)), Some(at(100)));
        assert_eq!(phases.pause_until(at(109)), None);
        assert_eq!(phases.pause_until(at(110)), Some(at(115)));
        assert_eq!(phases.pause_until(at(116)), None);
        assert!(!phases.is_over(at(149)) && phases.is_over(at(150)));
        assert_eq!(Phases::default().pause_until(at(1)), None);
        assert!(!Phases::default().is_over(at(1 << 40)));
    }
}
