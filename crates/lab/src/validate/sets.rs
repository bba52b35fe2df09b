//! Every set of the collection: how its rows are modelled, or why they are not.

use super::table::Row;
use super::{Modelled, d01, d13, d14, d22, kbuild, slots, usemem};
use catalog::ControlId;
use scenario::Scenario;

/// What is done with the rows of a set.
enum Rule {
    /// A row becomes a run and a figure of it, or has a reason of its own.
    Run(fn(&Row) -> Result<Modelled, String>),
    /// The whole set is not modelled.
    No(&'static str),
    /// The same, with a reason that quotes the preset.
    NoBecause(fn() -> String),
}

use Rule::{No, NoBecause, Run};

const OF_BUILD: &str = "The kernels of this pair differ in what the model has one form of: how the swap \
    cache is kept, or a slot cache above clusters with locks of their own.";
const WAITS: &str = "It is the waiting for si->lock and the clusters' locks by caller; the model has the \
    waits by lock, not by caller.";
const NO_BUILD: &str = "Its load is a kernel build on a machine whose CPUs and memory are not described \
    well enough.";
const CASSANDRA: &str = "Of these runs only operations a second are published, not what a request \
    does; the run of D22, whose counters are published, is modelled.";
const PAGE_FAULTS: &str = "It is a profile, or guests on a host whose load is not described; the \
    page-fault hammer is modelled with D13.";
const HARDWARE: &str = "It is a property of hardware that the model takes as an input, not a \
    result.";
const ZRAM: &str = "It is a property of compressed devices, which the model takes as an input.";

/// What was measured in each set, in a few words.
const TITLES: &[(&str, &str)] = &[
    ("D01a", "dd readers, direct I/O, 2018"),
    ("D01b", "dd readers while memory fills, 2018"),
    ("D01c", "dd readers, one kswapd a node, no shadow entries, 2018"),
    ("D01d", "dd readers, four kswapds a node, no shadow entries, 2018"),
    ("D01e", "dd readers, one kswapd a node, shadow entries, 2018"),
    ("D01f", "dd readers, four kswapds a node, shadow entries, 2018"),
    ("D01g", "Six kswapds a node, as the text of 2018 says"),
    ("D01h", "How many kswapds a node are sensible, advice of 2018"),
    ("D01k", "Rates, shares and costs derived from the tables of 2018"),
    ("D02", "Cassandra, one and eight kswapds a node, 2026"),
    ("D03", "Kernel build in a cgroup on eight zram devices, run by run, 2026"),
    ("D03p", "How often swap devices take turns"),
    ("D03s", "Kernel build in a cgroup on eight zram devices, means, 2026"),
    ("D03v", "Kernel build in a cgroup on eight zram devices, counters of one run, 2026"),
    ("D04", "Kernel build in a cgroup, the locks of the swap allocator, 2024"),
    ("D05", "Waiting for the locks of the swap allocator, 2024"),
    ("D06", "Slot cache removed, 2025"),
    ("D07", "Swap table, phase I, 2025"),
    ("D08", "Swap table, phases II and IV, 2025 and 2026"),
    ("D09", "Four zram devices: strict, bound to nodes, in turn, 2025"),
    ("D10", "Which node's swap device serves a reclaimer, 2022"),
    ("D11", "Page faults from swap, 2016"),
    ("D12", "Swap tiers on a phone"),
    ("D13", "Page-fault hammer, lru_lock and zone->lock, 2018"),
    ("D14", "lru_lock by who waits for it, in a cgroup, 2026"),
    ("D15", "An lru_lock for each cgroup, 2019 and 2020"),
    ("D16", "Profiles of page faults, 2022"),
    ("D17", "Cassandra with and without MGLRU, operations a second, 2021"),
    ("D18", "memcached with and without MGLRU"),
    ("D19", "Intervals of the MGLRU cover letter"),
    ("D20", "Profiles of kswapd on compressed swap"),
    ("D21", "kswapd that demotes to slower memory"),
    ("D22", "Cassandra, kernel counters, 2021"),
    ("D23", "How long zram takes to read"),
    ("D24", "How long zram takes to compress"),
    ("D25", "Core-to-core latency"),
    ("D26", "Two kinds of spinlock"),
    ("D27", "lru_lock against the number of nodes, 2026"),
    ("D28", "Far memory, from papers"),
    ("D29", "Compression in a thread of its own, 2025"),
    ("D30", "The LRU of a node against that of a zone, 2016"),
    ("D31", "Path that frees swap slots, 2024"),
    ("D32", "Field notes on several kswapds"),
    ("M00", "From memory, unverified"),
];

/// What was measured in a set, in a few words.
pub(super) fn title(id: &str) -> &'static str {
    TITLES.iter().find(|(known, _)| *known == id).map_or("a set of its own", |(_, title)| title)
}

/// The sets by their id.
const SETS: &[(&str, Rule)] = &[
    ("D01a", NoBecause(direct_io)),
    ("D01b", Run(d01::filling)),
    ("D01c", Run(d01::replacing)),
    ("D01d", Run(d01::replacing)),
    ("D01e", Run(d01::replacing)),
    ("D01f", Run(d01::replacing)),
    (
        "D01g",
        No("Its load is not stated, or it was measured on another kernel or on a machine that \
             is not described."),
    ),
    ("D01h", No("It is advice, not a measurement.")),
    ("D01k", Run(d01::replacing)),
    (
        "D02",
        No("Its machine, data and memory are not published. The preset cassandra2026 was set to \
             its rate and 99th percentile at one kswapd; docs/threads/kswapd.md says what eight \
             then give."),
    ),
    ("D03", Run(kbuild::build)),
    ("D03s", Run(kbuild::build)),
    ("D03v", Run(kbuild::build)),
    ("D03p", Run(slots::turns)),
    ("D04", Run(kbuild::on_x86)),
    ("D05", No(WAITS)),
    ("D06", Run(usemem_or_build)),
    ("D07", Run(usemem_or_build)),
    ("D08", Run(usemem_or_build)),
    ("D09", Run(slots::shares)),
    (
        "D10",
        No("Its drive is not named, or its tasks wait for memory of another node, of which the \
             model has the distance but not the drive."),
    ),
    ("D11", No("Its working set, memory and CPUs are not stated.")),
    ("D12", No("It is the launch time of applications on a phone, which the model does not have.")),
    ("D13", Run(d13::faults)),
    ("D14", Run(d14::waits)),
    (
        "D15",
        No(
            "It compares an lru_lock of a node with one of each cgroup; every flavour here has the \
             latter. Its loads are programs of which only the result is published.",
        ),
    ),
    ("D16", No(PAGE_FAULTS)),
    ("D17", No(CASSANDRA)),
    ("D18", No("Of these runs only operations a second are published, not what a request does.")),
    ("D19", No("The cover letter gives percentages without the figures they are of.")),
    (
        "D20",
        No(
            "It is the share of functions in a profile of a client whose load is not described; the \
             model's work is not cut by the kernel's functions.",
        ),
    ),
    (
        "D21",
        No("It needs tiers of memory between which kswapd demotes pages, which this \
             version does not model."),
    ),
    ("D22", Run(d22::interval)),
    ("D23", No(ZRAM)),
    ("D24", No(ZRAM)),
    ("D25", No(HARDWARE)),
    (
        "D26",
        No("It compares two kinds of spinlock in file opens; the model's locks are of \
             one kind."),
    ),
    ("D27", No(PAGE_FAULTS)),
    ("D28", No("It is about memory on other machines, known from summaries only.")),
    (
        "D29",
        No("It needs compression of anonymous pages in a thread of its own, which this \
             version does not model."),
    ),
    (
        "D30",
        No("It compares the LRU of a zone with that of a node; every flavour here has \
             the node's."),
    ),
    ("D31", No(NO_BUILD)),
    ("D32", No("It is a field note without the machine and load that a run would need.")),
    ("M00", No("It is from memory and unverified: nothing is compared with it.")),
];

/// How a row is obtained, or why it is not.
pub(super) fn model(row: &Row) -> Result<Modelled, String> {
    match SETS.iter().find(|(id, _)| *id == row.id).map(|(_, rule)| rule) {
        Some(Run(rule)) => rule(row),
        Some(No(reason)) => Err((*reason).into()),
        Some(NoBecause(reason)) => Err(reason()),
        None => Err(format!("No rule of this version is about the set {}.", row.id)),
    }
}

/// Rows of usemem, and of kernel builds.
fn usemem_or_build(row: &Row) -> Result<Modelled, String> {
    usemem::filling(row).unwrap_or_else(|| Err(OF_BUILD.into()))
}

/// D01a, with the one figure of it that the model has: the drives' ceiling.
fn direct_io() -> String {
    let scenario = Scenario::preset("lumpkin2018").expect("the preset of this set");
    let get = |id| scenario.get(id) as f64;
    let kib = get(ControlId::Drives) * get(ControlId::DriveBandwidth) * 1e6 / 1024.0;
    format!(
        "Direct I/O bypasses the page cache, and the model's readers have nothing else. Its \
         ceiling, 26.25 million KiB/s from 46 readers on, stands beside {:.2} that the preset's \
         drives are given (fixed by D01b).",
        kib / 1e6
    )
}
