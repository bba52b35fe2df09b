//! What the model leaves out. Shown wherever results are shown.

/// One thing that is left out, in a sentence.
pub static NOT_MODELLED: &[&str] = &[
    "Anonymous memory, swap and memory cgroups (the lists are there and stay empty).",
    "MGLRU: every flavour runs the classic two-list LRU.",
    "Dirty pages, slab, mapped pages and references: all pages are clean, unmapped and read once.",
    "Shadow entries: refaults are not recorded.",
    "Watermark boost: no fragmentation events occur.",
    "Read-ahead that gives up: a read-ahead page is asked for until it is there (no __GFP_NORETRY).",
    "Per-CPU lists that shrink while idle, and vmstat counters that lag behind (free counts are exact).",
    "Load balancing between nodes: a task stays on the node it starts on; placement uses idle CPUs only.",
    "OOM kill: a task that finds nothing left to reclaim sleeps a tick and tries again.",
    "Wakeups for orders above 0, compaction and large folios.",
];
