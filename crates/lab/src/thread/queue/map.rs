//! When does the queue win? C against A over loads and machines, pair by pair on common draws.

use super::Settings;
use super::windows::{Wanted, windows};
use report::Report;
use report::compare::figure;
use report::stats::Spread;
use scenario::{Problem, Scenario};

/// Windows of a case.
pub(super) const WINDOWS: u32 = 6;
/// Simulated time of every case: short, since hundreds of thousands of pages are swapped out in a
/// window and their cost hardly varies.
pub(super) const WINDOW: Settings<'static> = &[("warmup", "250ms"), ("duration", "60ms")];
/// What a case can say.
pub(super) const VERDICTS: [&str; 3] =
    ["The queue wins", "No difference can be told", "The list wins"];

/// A load on a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// What group of the table it belongs to.
    pub(super) group: &'static str,
    /// What it is.
    pub(super) words: &'static str,
    settings: Settings<'static>,
}

/// No page costs more than what is known: nothing else hides what the lock costs.
const KNOWN: (&str, &str) = ("tlb_flush", "broadcast");
/// Half as large processes, so that swap areas of many clusters with few holes are large enough.
const HALF: [(&str, &str); 4] =
    [KNOWN, ("size", "42MiB"), ("request_cpu", "320ms"), ("memcg", "1GiB")];

const fn case(group: &'static str, words: &'static str, settings: Settings<'static>) -> Case {
    Case { group, words, settings }
}

macro_rules! aged {
    ($size:literal, $holes:literal) => {
        concat!(
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes,
            "; ",
            "zram-lzo-rle size=",
            $size,
            " priority=10 used=1000 holes=",
            $holes
        )
    };
}

macro_rules! half {
    ($size:literal, $holes:literal) => {
        &[HALF[0], HALF[1], HALF[2], HALF[3], ("swap_table", aged!($size, $holes))]
    };
}

/// Eight devices that discard.
const DISCARDING: &str = "zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on; \
                          zram-lzo-rle priority=10 discard=on";
/// Four fast devices that are too small, four behind them.
const MIXED: &str = "zram-lzo-rle size=512MiB priority=20; zram-lzo-rle size=512MiB priority=20; \
                     zram-lzo-rle size=512MiB priority=20; zram-lzo-rle size=512MiB priority=20; \
                     zram-lzo-rle priority=10; zram-lzo-rle priority=10; \
                     zram-lzo-rle priority=10; zram-lzo-rle priority=10";
/// Four devices of a tier that the build may not use, four of one that it may.
const MASKED: &str = "zram-lzo-rle priority=20; zram-lzo-rle priority=20; \
                      zram-lzo-rle priority=20; zram-lzo-rle priority=20; \
                      zram-lzo-rle priority=10; zram-lzo-rle priority=10; \
                      zram-lzo-rle priority=10; zram-lzo-rle priority=10";

/// The cases, by group.
pub(super) const CASES: [Case; 23] = [
    case("as measured", "96 processes, 2 GiB, serial TLB flushes (GUESS)", &[]),
    case("as measured", "the same, known costs only", &[KNOWN]),
    case(
        "CPUs that swap",
        "24 processes, 512 MiB",
        &[KNOWN, ("readers", "24"), ("memcg", "512MiB")],
    ),
    case("CPUs that swap", "192 processes, 4 GiB", &[KNOWN, ("readers", "192"), ("memcg", "4GiB")]),
    case(
        "CPUs that swap",
        "248 processes, 5290 MiB",
        &[KNOWN, ("readers", "248"), ("memcg", "5290MiB")],
    ),
    case("slots a cluster", "half as large processes, unused devices", &HALF),
    case("slots a cluster", "32 holes in each cluster", half!("4GiB", "32")),
    case("slots a cluster", "8 holes", half!("16GiB", "8")),
    case("slots a cluster", "4 holes", half!("32GiB", "4")),
    case("slots a cluster", "2 holes", half!("64GiB", "2")),
    case("devices", "1 device of 64 GiB", &[KNOWN, ("swap_devices", "1"), ("swap_size", "64GiB")]),
    case("devices", "2 devices of 32 GiB", &[KNOWN, ("swap_devices", "2"), ("swap_size", "32GiB")]),
    case("devices", "16 devices of 4 GiB", &[KNOWN, ("swap_devices", "16"), ("swap_size", "4GiB")]),
    case(
        "priorities",
        "8 priorities, each device is large enough",
        &[KNOWN, ("swap_priorities", "descending")],
    ),
    case(
        "priorities",
        "4 fast devices of 512 MiB before 4 others",
        &[KNOWN, ("swap_table", MIXED)],
    ),
    case(
        "masks",
        "4 of 8 devices barred, whose tier comes first",
        &[
            KNOWN,
            ("swap_table", MASKED),
            ("tier_assignment", "run-time-review"),
            ("swap_tiers", "15 barred=on; -1"),
        ],
    ),
    case(
        "discard",
        "devices that are told of freed clusters",
        &[KNOWN, ("swap_table", DISCARDING)],
    ),
    case("media", "pmem", &[KNOWN, ("swap_medium", "pmem")]),
    case("media", "zram, zstd", &[KNOWN, ("swap_medium", "zram-zstd")]),
    case("media", "NVMe", &[KNOWN, ("swap_medium", "nvme")]),
    case("quota", "64 pages", &[KNOWN, ("swap_quota", "64")]),
    case("quota", "4096 pages", &[KNOWN, ("swap_quota", "4096")]),
    case(
        "nodes",
        "256 CPUs on one node",
        &[KNOWN, ("nodes", "1"), ("cpus", "256"), ("memory", "249GiB")],
    ),
];

impl Case {
    /// Its scenario under an allocator.
    ///
    /// # Errors
    /// A setting that the catalog refuses.
    pub(super) fn scenario(&self, allocator: &str, seed: u32) -> Result<Scenario, Problem> {
        let own = [("allocator", allocator)];
        let all: Vec<(&str, &str)> =
            WINDOW.iter().chain(&own).chain(self.settings).copied().collect();
        super::scenario(&all, seed)
    }
}

/// What came out of a case.
pub(super) struct Line {
    /// The case.
    pub(super) case: Case,
    /// System CPU a page swapped out, of C against A, each window, in per cent.
    pub(super) cost: Vec<f64>,
    /// Work done by C against A, in per cent.
    pub(super) work: Vec<f64>,
    /// Means of A, then of C.
    pub(super) arms: [Means; 2],
}

/// What an arm of a case shows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Means {
    /// Slots that a cluster gives before the CPU begins another.
    pub(super) slots: f64,
    /// CPUs that spin for swap locks.
    pub(super) spin: f64,
    /// Part of the time that swap_avail_lock is held, in per cent.
    pub(super) held: f64,
    /// Slots taken below a device of higher priority with room, of 1,000.
    pub(super) inverted: f64,
    /// How far the peaks of the devices lie apart, in per cent.
    pub(super) spread: f64,
}

impl Line {
    /// What the case says, in words.
    #[must_use]
    pub(super) fn verdict(&self) -> &'static str {
        let spread = Spread::of(&self.cost);
        let half = spread.half_width().unwrap_or(f64::INFINITY);
        match () {
            () if spread.mean + half < 0.0 => VERDICTS[0],
            () if spread.mean - half > 0.0 => VERDICTS[2],
            () => VERDICTS[1],
        }
    }
}

/// Runs every case.
///
/// # Errors
/// A scenario that the model refuses.
pub(super) fn map() -> Result<Vec<Line>, Vec<Problem>> {
    let mut runs: Vec<Wanted> = Vec::new();
    for case in CASES {
        for allocator in ["global-plist", "ring"] {
            let scenario = case.scenario(allocator, 1).map_err(|p| vec![p])?;
            let ledger = scenario.ledger();
            runs.push((scenario, ledger));
        }
    }
    let reports = windows(&runs, WINDOWS)?;
    let pairs = CASES.into_iter().zip(reports.chunks(2));
    Ok(pairs.map(|(case, pair)| line(case, &pair[0], &pair[1])).collect())
}

fn line(case: Case, a: &[Report], c: &[Report]) -> Line {
    let against = |of: &dyn Fn(&Report) -> f64| {
        let pair = |(a, c): (&Report, &Report)| (of(c) / of(a).max(1e-9) - 1.0) * 100.0;
        a.iter().zip(c).map(pair).collect()
    };
    Line {
        case,
        cost: against(&|r| figure(r, "system_us_a_swapout")),
        work: against(&|r| r.throughput),
        arms: [means(a), means(c)],
    }
}

fn means(reports: &[Report]) -> Means {
    let n = reports.len() as f64;
    let mean = |of: &dyn Fn(&Report) -> f64| reports.iter().map(of).sum::<f64>() / n;
    let slots = |r: &Report, name: &str| r.swap_slots.get(name).copied().unwrap_or(0) as f64;
    Means {
        slots: mean(&|r| slots(r, "granted") / slots(r, "switches").max(1.0)),
        spin: mean(&|r| figure(r, "swap_spin_s") / r.window_s),
        held: mean(&|r| {
            let held = r.locks.iter().filter(|lock| lock.name == "swap_avail_lock");
            held.map(|lock| lock.utilisation * 100.0).fold(0.0, f64::max)
        }),
        inverted: mean(&|r| slots(r, "inversions") * 1e3 / slots(r, "granted").max(1.0)),
        spread: mean(&|r| figure(r, "swap_balance")),
    }
}
