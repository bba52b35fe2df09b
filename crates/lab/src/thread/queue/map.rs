//! When does the queue win? C against A over loads and machines, pair by pair on common draws.

use super::Settings;
use super::windows::{Draws, Wanted, windows};
use report::Report;
use report::compare::figure;
use report::stats::Spread;
use scenario::{Problem, Scenario};

/// Warm-ups of a case, with so many windows behind each.
pub(super) const DRAWS: Draws = Draws { warmups: 2, windows: 2 };
/// Simulated time of every case: short, since hundreds of thousands of pages are swapped out in a
/// window.
pub(super) const WINDOW: Settings<'static> = &[("warmup", "180ms"), ("duration", "90ms")];
/// What a difference has to be before it counts, in per cent.
pub(super) const COUNTS: f64 = crate::thread::COUNTS * 100.0;
/// What a case can say.
pub(super) const VERDICTS: [&str; 4] =
    ["The queue wins", "No difference", "Undecided", "The list wins"];
/// Free slots in each cluster of a swap area where every cluster was begun before.
pub(super) const HOLES: [u32; 3] = [32, 8, 4];
/// Processes of the map, with the limit of their cgroup: as much a process as was measured.
pub(super) const PROCESSES: [(&str, &str); 3] =
    [("24", "512MiB"), ("96", "2GiB"), ("248", "5290MiB")];
/// Free slots a process: somewhat more than it has pages on swap.
const SLOTS: u32 = 16_000;

/// A load on a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// What group of the table it belongs to.
    pub(super) group: &'static str,
    /// What it is.
    pub(super) words: &'static str,
    settings: Settings<'static>,
    /// Processes, by number in [`PROCESSES`].
    pub(super) processes: usize,
    /// Free slots in each cluster, where the area was used before; else it is unused.
    pub(super) holes: Option<u32>,
}

/// No page costs more than what is known: nothing else hides what the lock costs.
const KNOWN: (&str, &str) = ("tlb_flush", "broadcast");

const fn case(group: &'static str, words: &'static str, settings: Settings<'static>) -> Case {
    Case { group, words, settings, processes: 1, holes: None }
}

/// A place of the map.
const fn place(processes: usize, holes: Option<u32>, words: &'static str) -> Case {
    Case { group: MAP, words, settings: &[KNOWN], processes, holes }
}

/// The group of the map's places.
pub(super) const MAP: &str = "processes, free slots";

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

/// The cases, by group; those of the map first, row by row.
pub(super) const CASES: [Case; 22] = [
    place(0, None, "24 processes, unused devices"),
    place(0, Some(32), "24 processes, 32 free in each cluster"),
    place(0, Some(8), "24 processes, 8 free"),
    place(0, Some(4), "24 processes, 4 free"),
    place(1, None, "96 processes, unused devices"),
    place(1, Some(32), "96 processes, 32 free in each cluster"),
    place(1, Some(8), "96 processes, 8 free"),
    place(1, Some(4), "96 processes, 4 free"),
    place(2, None, "248 processes, unused devices"),
    place(2, Some(32), "248 processes, 32 free in each cluster"),
    place(2, Some(8), "248 processes, 8 free"),
    place(2, Some(4), "248 processes, 4 free"),
    case(
        "a queue behind it",
        "serial TLB flushes (fitted), unused devices",
        &[("warmup", "700ms"), ("duration", "300ms")],
    ),
    Case {
        holes: Some(4),
        ..case(
            "a queue behind it",
            "serial TLB flushes (fitted), 4 free",
            &[("warmup", "700ms"), ("duration", "300ms")],
        )
    },
    case("devices", "1 device of 64 GiB", &[KNOWN, ("swap_devices", "1"), ("swap_size", "64GiB")]),
    case("devices", "16 devices of 4 GiB", &[KNOWN, ("swap_devices", "16"), ("swap_size", "4GiB")]),
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
    case(
        "media",
        "NVMe",
        &[KNOWN, ("swap_medium", "nvme"), ("warmup", "800ms"), ("duration", "300ms")],
    ),
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
        let (processes, limit) = PROCESSES[self.processes];
        let own = [("allocator", allocator), ("readers", processes), ("memcg", limit)];
        let all: Vec<(&str, &str)> =
            WINDOW.iter().chain(&own).chain(self.settings).copied().collect();
        let mut scenario = super::scenario(&all, seed)?;
        if let Some(holes) = self.holes {
            scenario.set_text("swap_table", &self.aged(holes))?;
        }
        Ok(scenario)
    }

    /// Eight devices of which every cluster has so many free slots.
    fn aged(&self, holes: u32) -> String {
        let processes: u32 = PROCESSES[self.processes].0.parse().unwrap_or(0);
        // A cluster is 2 MiB.
        let mib = processes * SLOTS / 8 / holes * 2;
        let one = format!("zram-lzo-rle size={mib}MiB priority=10 used=1000 holes={holes}");
        vec![one; 8].join("; ")
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
    /// CPU time spent spinning for swap locks, us a page swapped out.
    pub(super) spin: f64,
    /// Part of the time that swap_avail_lock is held, in per cent.
    pub(super) held: f64,
    /// Slots taken below a device of higher priority with room, of 1,000.
    pub(super) inverted: f64,
    /// How far the peaks of the devices lie apart, in per cent.
    pub(super) spread: f64,
}

/// Spinning for swap locks that can be told from none, in us a page swapped out.
pub(super) const SPINS: f64 = 0.05;

impl Line {
    /// Whether CPUs of either arm wait for swap locks.
    fn spins(&self) -> bool {
        self.arms.iter().any(|arm| arm.spin >= SPINS)
    }

    /// What the case says, in words.
    #[must_use]
    pub(super) fn verdict(&self) -> &'static str {
        let spread = Spread::of(&self.cost);
        let half = spread.half_width().unwrap_or(f64::INFINITY);
        match () {
            // What is no wait for a swap lock is not the queue's doing.
            () if spread.mean.abs() < COUNTS || !self.spins() => VERDICTS[1],
            () if spread.mean + half < 0.0 => VERDICTS[0],
            () if spread.mean - half > 0.0 => VERDICTS[3],
            () => VERDICTS[2],
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
    let reports = windows(&runs, DRAWS)?;
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
        spin: mean(&|r| {
            let pages = r.vmstat.get("pswpout").copied().unwrap_or(0) as f64;
            figure(r, "swap_spin_s") * 1e6 / pages.max(1.0)
        }),
        held: mean(&|r| {
            let held = r.locks.iter().filter(|lock| lock.name == "swap_avail_lock");
            held.map(|lock| lock.utilisation * 100.0).fold(0.0, f64::max)
        }),
        inverted: mean(&|r| slots(r, "inversions") * 1e3 / slots(r, "granted").max(1.0)),
        spread: mean(&|r| figure(r, "swap_balance")),
    }
}
