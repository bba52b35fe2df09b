//! How many of a node's sleeping kswapd workers a wakeup wakes: a row a policy. What it computes is
//! a file of the model with the same name (`mm::vmscan::wakeup`).

use crate::controls::Choice;

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

macro_rules! policies {
    ($($(#[$doc:meta])* $id:ident: $name:literal, $link:literal, $label:literal, $saw:literal,
        $source:literal;)*) => {
        /// The number of a policy: its row in [`POLICIES`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PolicyId {
            $($(#[$doc])* $id,)*
        }

        /// All wakeup policies.
        pub static POLICIES: &[Policy] =
            &[$(Policy { id: PolicyId::$id, saw: $saw, source: $source },)*];

        /// The same rows as a control shows them.
        pub static CHOICES: &[Choice] =
            &[$(Choice { name: $name, link: $link, label: $label },)*];
    };
}

// Name in `--set` and JSON, name in links, label, what a decision saw, source.
policies! {
    /// One worker, as in every kernel released so far; the others never run.
    Single: "single", "single", "one worker", "nothing",
        "7.3 mm/vmscan.c:wakeup_kswapd";
    /// Every sleeping worker at once: the wait is not exclusive (2018 patch).
    All: "all", "all", "all woken", "nothing",
        "Lumpkin RFC 2018-04-02: non-exclusive wait";
    /// N x (1 - runnable / CPUs), at this moment.
    RunnableShare: "runnable", "run", "runnable load, share", "runnable tasks",
        "Ababneh RFC 2026-09-08 (runnable load of the node); the formula is a GUESS";
    /// CPUs - runnable, at this moment.
    RunnableSpare: "runnable-spare", "spare", "runnable load, spare CPUs", "runnable tasks",
        "Ababneh RFC 2026-09-08 (runnable load of the node); the other plausible formula, GUESS";
    /// N x (1 - runnable / CPUs), runnable as a decaying mean.
    RunnableMean: "runnable-mean", "mean", "runnable load, decaying mean", "runnable tasks, decaying mean",
        "the same on a mean that halves in 32 ms, as PELT does (7.2 kernel/sched/pelt.c)";
    /// As many as CPUs of the node are idle.
    CpuMask: "cpu-mask", "mask", "idle CPUs now", "idle CPUs",
        "Ababneh RFC 2026-09-08: alternative tried, a snapshot of the node's idle CPUs";
    /// Steps by the node's share of time with a task stalled on memory.
    Psi: "psi", "psi", "memory pressure of the node", "1/1000 of time with a stalled task",
        "Ababneh RFC 2026-09-08: alternative tried, pressure ranges; the steps are a GUESS";
    /// By how far free memory has fallen between high and min.
    Deficit: "deficit", "deficit", "how far below high", "pages under high",
        "proposed here: no published source";
    /// One more while those awake are busy nearly all the time.
    Saturation: "saturation", "sat", "workers near 100 % CPU", "1/1000 of the allowed workers' time",
        "Lumpkin 2018 thread: scale up when kswapd nears 100 % CPU; the period is a GUESS";
}

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
