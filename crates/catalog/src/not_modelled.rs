//! What the model leaves out. Shown wherever results are shown.

/// One thing that is left out, in a sentence.
pub static NOT_MODELLED: &[&str] = &[
    "Anonymous memory, swap and memory cgroups (the lists are there and stay empty).",
    "MGLRU: every flavour runs the classic two-list LRU.",
    "Dirty pages, slab, mapped pages and references: all pages are clean, unmapped and read once.",
    "Shadow entries: refaults are not recorded.",
    "Watermark boost: no fragmentation events occur.",
    "Wakeups for orders above 0, compaction and large folios.",
];
