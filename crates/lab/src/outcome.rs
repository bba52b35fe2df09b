//! What a run counts as its outcome: what the first group's tasks get done.

use mm::Machine;
use mm::config::{Backing, Work};

/// The names of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What is counted: `bytes read`, `requests`.
    pub(crate) unit: &'static str,
    /// What an operation is, whose latency is measured.
    pub(crate) operation: &'static str,
    /// How the counts are called in a timeline.
    pub(crate) label: &'static str,
    /// The timeline's unit.
    pub(crate) rate: &'static str,
}

/// What this machine's run counts.
pub(crate) fn outcome(m: &Machine) -> Outcome {
    let new = |unit, operation, label, rate| Outcome { unit, operation, label, rate };
    match m.config.groups.first().map(|group| &group.work) {
        None | Some(Work::Stream(_)) => {
            new("bytes read", "128 KiB read-ahead window", "Read by the readers", "bytes/s")
        }
        Some(Work::Memory(memory)) => match memory.region.backing {
            Backing::Anon => new("page uses", "page fault", "Uses of pages", "uses/s"),
            Backing::Mapped => new("page uses", "page fault that reads", "Uses of pages", "uses/s"),
            Backing::Read => new("page reads", "read from a drive", "Reads of pages", "reads/s"),
        },
        Some(Work::Churn(_)) => {
            new("page faults", "chunk mapped, filled and unmapped", "Page faults", "faults/s")
        }
        Some(Work::Compile(_)) => {
            new("ms of compiler time", "process", "Build work", "ms of compiler time/s")
        }
        Some(Work::Build(_)) => new("jobs", "job", "Jobs done", "jobs/s"),
        Some(Work::Store(_)) => new("requests", "request", "Requests served", "requests/s"),
    }
}

/// How much of it was done so far.
pub(crate) fn done(m: &Machine) -> u64 {
    let ops = m.ops.first().copied().unwrap_or(0);
    match m.config.groups.first().map(|group| &group.work) {
        Some(Work::Stream(_)) => ops << units::PAGE_SHIFT,
        Some(Work::Compile(_)) => ops / 1_000_000,
        _ => ops,
    }
}
