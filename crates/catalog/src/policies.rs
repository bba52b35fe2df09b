//! How many of a node's sleeping kswapd workers a wakeup wakes.

use crate::controls::Choice;

/// The number of a policy: its row in [`POLICIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyId {
    /// One worker, as in every kernel released so far; the others never run.
    Single,
    /// Every sleeping worker at once: the wait is not exclusive (2018 patch).
    All,
    /// N x (1 - runnable / CPUs), at this moment.
    RunnableShare,
    /// CPUs - runnable, at this moment.
    RunnableSpare,
    /// N x (1 - runnable / CPUs), runnable as a decaying mean.
    RunnableMean,
    /// As many as CPUs of the node are idle.
    CpuMask,
    /// Steps by the node's share of time with a task stalled on memory.
    Psi,
    /// By how far free memory has fallen between high and min.
    Deficit,
    /// One more while those awake are busy nearly all the time.
    Saturation,
}

/// A wakeup policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its number.
    pub id: PolicyId,
    /// What a decision of its saw, in words.
    pub saw: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// All wakeup policies.
pub static POLICIES: &[Policy] = &[
    Policy { id: PolicyId::Single, saw: "nothing", source: "7.3 mm/vmscan.c:wakeup_kswapd" },
    Policy {
        id: PolicyId::All,
        saw: "nothing",
        source: "Lumpkin RFC 2018-04-02: non-exclusive wait",
    },
    Policy {
        id: PolicyId::RunnableShare,
        saw: "runnable tasks",
        source: "Ababneh RFC 2026-09-08 (runnable load of the node); the formula is a GUESS",
    },
    Policy {
        id: PolicyId::RunnableSpare,
        saw: "runnable tasks",
        source: "Ababneh RFC 2026-09-08 (runnable load of the node); the other plausible formula, GUESS",
    },
    Policy {
        id: PolicyId::RunnableMean,
        saw: "runnable tasks, decaying mean",
        source: "the same on a mean that halves in 32 ms, as PELT does (7.2 kernel/sched/pelt.c)",
    },
    Policy {
        id: PolicyId::CpuMask,
        saw: "idle CPUs",
        source: "Ababneh RFC 2026-09-08: alternative tried, a snapshot of the node's idle CPUs",
    },
    Policy {
        id: PolicyId::Psi,
        saw: "1/1000 of time with a stalled task",
        source: "Ababneh RFC 2026-09-08: alternative tried, pressure ranges; the steps are a GUESS",
    },
    Policy {
        id: PolicyId::Deficit,
        saw: "pages under high",
        source: "proposed here: no published source",
    },
    Policy {
        id: PolicyId::Saturation,
        saw: "1/1000 of the allowed workers' time",
        source: "Lumpkin 2018 thread: scale up when kswapd nears 100 % CPU; the period is a GUESS",
    },
];

/// The same rows as a control shows them.
pub static CHOICES: &[Choice] = &[
    Choice { name: "single", link: "single", label: "one worker" },
    Choice { name: "all", link: "all", label: "all woken" },
    Choice { name: "runnable", link: "run", label: "runnable load, share" },
    Choice { name: "runnable-spare", link: "spare", label: "runnable load, spare CPUs" },
    Choice { name: "runnable-mean", link: "mean", label: "runnable load, decaying mean" },
    Choice { name: "cpu-mask", link: "mask", label: "idle CPUs now" },
    Choice { name: "psi", link: "psi", label: "memory pressure of the node" },
    Choice { name: "deficit", link: "deficit", label: "how far below high" },
    Choice { name: "saturation", link: "sat", label: "workers near 100 % CPU" },
];

/// How a policy's number is turned into wakeups.
pub static COUNTING: &[Choice] = &[
    Choice { name: "fixed", link: "fixed", label: "workers awake are subtracted" },
    Choice { name: "literal", link: "lit", label: "as many more at every wakeup" },
];

/// Code written for one kswapd, run by several (facts F.3).
pub static SEVERAL: &[Choice] = &[
    Choice { name: "literal", link: "lit", label: "as written for one" },
    Choice { name: "fixed", link: "fix", label: "kept from disturbing each other" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_choices_agree() {
        assert_eq!(POLICIES.len(), CHOICES.len());
        for (i, row) in POLICIES.iter().enumerate() {
            assert_eq!(row.id as usize, i);
            assert!(!row.saw.is_empty() && !row.source.is_empty());
        }
    }
}
