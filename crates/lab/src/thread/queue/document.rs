//! The answer as a page of Markdown.

use super::map::{self, Line};
use super::windows::{Draws, Wanted, windows};
use super::{
    BUILD_S, DESIGNS, LIMITS, Settings, avail_passage, made_from, plus_minus, scenario,
    system_of_build,
};
use crate::MODEL_VERSION;
use catalog::{ConstantId, Ledger};
use report::Report;
use report::compare::figure;
use report::stats::Spread;
use scenario::{Problem, link};

/// A window of the table.
const WINDOW: &str = "1500ms";
/// Windows of the table.
const DRAWS: Draws = Draws { warmups: 2, windows: 2 };
/// Windows of what is looked at more coarsely.
const TWO: Draws = Draws { warmups: 1, windows: 2 };
/// CPUs of a node in the table over CPUs, with warm-up and window: fewer take longer to fill the
/// cgroup.
const CPUS: [[&str; 3]; 6] = [
    ["64", "1s", "500ms"],
    ["32", "1s", "500ms"],
    ["16", "1500ms", "500ms"],
    ["8", "2s", "500ms"],
    ["4", "4s", "1s"],
    ["2", "8s", "2s"],
];

/// Runs everything and writes it up.
///
/// # Errors
/// A scenario that the model refuses.
pub fn document() -> Result<String, Vec<Problem>> {
    let lines = map::map()?;
    let mut text = head();
    let mut rest = String::new();
    let reports = table(&mut rest)?;
    where_time_goes(&reports, &mut rest);
    over_cpus(&mut rest)?;
    when(&lines, &mut rest);
    candidates(&mut rest)?;
    in_short(&reports, &lines, &mut text);
    text.push_str(&rest);
    Ok(text)
}

fn head() -> String {
    let [known, guess] = avail_passage(&Ledger::default(), 250);
    let us = |ns: u64| ns as f64 / 1e3;
    let serial = Ledger::default().get(ConstantId::TlbSerial);
    format!(
        "# What rotating swap devices costs, and when the queue of rings wins\n\n\
         SIMULATED by model {MODEL_VERSION}, made from ledger and presets {}. Written by \
         `reclaimscope thread swap-queue`; do not edit.\n\n\
         The thread: a kernel build in a cgroup, eight zram devices of one priority, 256 CPUs on \
         four nodes. A is the kernel of today (a cluster a CPU for all devices, a list that rotates \
         when it is used up), B gives each device its clusters and rotates at every allocation, C is \
         the queue of rings.\n\n\
         What was set from published rows:\n\n\
         - **A at 2 GiB** fixed the load (process sizes, how often a page is used again: swap-outs \
         and swap-ins a second of compiler time) and TlbSerial = {serial} ns, whose cause is a GUESS: \
         see below.\n\
         - **B at 2 GiB** fixed SwapAvailFar: a passage of swap_avail_lock takes {:.2} us here, the \
         same in A and B. The ledger's hold, seven cache lines, hand-off and its line explain {:.2} us \
         of it; the remaining {:.2} us are fitted, and their cause is a GUESS.\n\n\
         A build is {BUILD_S} s of compiler time (D03v). System time of a build is the system CPU \
         of the window for each unit of work that was finished in it, times that.\n",
        made_from(),
        us(known + guess),
        us(known),
        us(guess),
    )
}

/// Reports by design, limit and seed.
type Reports = Vec<Vec<Vec<Report>>>;

/// Windows of each of these, all with the same draws.
fn run(wanted: &[Settings<'_>], draws: Draws) -> Result<Vec<Vec<Report>>, Vec<Problem>> {
    let mut runs: Vec<Wanted> = Vec::new();
    for settings in wanted {
        let scenario = scenario(settings, 1).map_err(|p| vec![p])?;
        let ledger = scenario.ledger();
        runs.push((scenario, ledger));
    }
    windows(&runs, draws)
}

fn each(reports: &[Report], of: impl Fn(&Report) -> f64) -> Vec<f64> {
    reports.iter().map(of).collect()
}

fn mean(reports: &[Report], of: impl Fn(&Report) -> f64) -> f64 {
    each(reports, of).iter().sum::<f64>() / reports.len() as f64
}

fn counter(report: &Report, name: &str) -> f64 {
    report.vmstat.get(name).copied().unwrap_or(0) as f64
}

/// Pages swapped out in a whole build, in millions.
fn swapped_out(report: &Report) -> f64 {
    let work = report.throughput * report.window_s / 1e3;
    counter(report, "pswpout") * f64::from(BUILD_S) / work / 1e6
}

/// The table of the thread.
fn table(text: &mut String) -> Result<Reports, Vec<Problem>> {
    let mut all = Vec::new();
    for design in DESIGNS {
        let wanted = LIMITS
            .map(|limit| [("allocator", design.allocator), ("memcg", limit), ("duration", WINDOW)]);
        all.push(run(&wanted.each_ref().map(|s| &s[..]), DRAWS)?);
    }
    let first = &all[0][0][0];
    text.push_str(&format!(
        "\n## The table\n\n`{}` and its arms; {} seeds with {:.0} s of warm-up each, from whose end {} \
         windows of {:.1} s go on under other draws; +/- is half of the 95 % interval between all of \
         them. The \
         peaks are those of the window and what was before it, not of a whole build.\n\n\
         | arm | limit | system s of a build | published | error | what it is | us a swap-out | swap-outs, M \
         | swapped in for each out | device peaks, (max - min) / mean |\n\
         |---|---|---:|---:|---:|---|---:|---:|---:|---:|\n",
        link::encode(&scenario(&[("duration", WINDOW)], 1).map_err(|p| vec![p])?),
        DRAWS.warmups,
        first.warmup_s,
        DRAWS.windows,
        first.window_s
    ));
    for (design, by_limit) in DESIGNS.iter().zip(&all) {
        for (i, reports) in by_limit.iter().enumerate() {
            let system = each(reports, system_of_build);
            let value = system.iter().sum::<f64>() / system.len() as f64;
            text.push_str(&format!(
                "| {} | {} | {} | {:.0} | {:+.1} % | {} | {} | {} | {:.3} | {} % |\n",
                design.letter,
                LIMITS[i],
                plus_minus(&system, 0),
                design.published[i],
                (value / design.published[i] - 1.0) * 100.0,
                design.role[i],
                plus_minus(&each(reports, |r| figure(r, "system_us_a_swapout")), 1),
                plus_minus(&each(reports, swapped_out), 0),
                mean(reports, |r| counter(r, "pswpin") / counter(r, "pswpout").max(1.0)),
                plus_minus(&each(reports, |r| figure(r, "swap_balance")), 1),
            ));
        }
    }
    text.push_str("\nPair by pair, on the same processes:\n\n| | 2 GiB | 3 GiB | published |\n|---|---:|---:|---|\n");
    for (number, letter, said) in [(1, "B", "+116.9 %, +135.4 %"), (2, "C", "+0.59 %, +1.34 %")] {
        let against = |limit: usize| {
            let pairs = all[number][limit].iter().zip(&all[0][limit]);
            let cost = |(r, a): (&Report, &Report)| {
                (system_of_build(r) / system_of_build(a) - 1.0) * 100.0
            };
            plus_minus(&pairs.map(cost).collect::<Vec<_>>(), 2)
        };
        text.push_str(&format!(
            "| {letter} against A | {} % | {} % | {said} |\n",
            against(0),
            against(1)
        ));
    }
    Ok(all)
}

/// What the CPUs of each arm do.
fn where_time_goes(all: &Reports, text: &mut String) {
    text.push_str(
        "\n## Where the time goes\n\nCPUs at 2 GiB, of 256; slots a switch is what a cluster gives \
         before the CPU begins another.\n\n\
         | arm | compiler | kernel beside reclaim | reclaim | swap locks | TLB flush (fitted) | idle | \
         swap_avail_lock held | passages/s | slots a switch |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (design, by_limit) in DESIGNS.iter().zip(all) {
        let reports = &by_limit[0];
        let cpus =
            |name: &str| mean(reports, |r| r.cpu_s.get(name).copied().unwrap_or(0.0) / r.window_s);
        let user = mean(reports, |r| r.user_s / r.window_s);
        let lock = |of: fn(&report::summary::Lock) -> f64| {
            mean(reports, |r| {
                r.locks.iter().find(|lock| lock.name == "swap_avail_lock").map_or(0.0, of)
            })
        };
        let window = reports[0].window_s;
        let slots = |r: &Report, name: &str| r.swap_slots.get(name).copied().unwrap_or(0) as f64;
        text.push_str(&format!(
            "| {} | {user:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0} % | {:.0} | {:.0} |\n",
            design.letter,
            cpus("application") - user,
            cpus("direct_work") + cpus("isolating") + cpus("lock_spin"),
            cpus("swap_spin"),
            cpus("tlb_wait"),
            cpus("idle"),
            lock(|lock| lock.utilisation * 100.0),
            lock(|lock| lock.acquisitions as f64) / window,
            mean(reports, |r| slots(r, "granted") / slots(r, "switches").max(1.0)),
        ));
    }
}

/// B against A from 256 CPUs down.
fn over_cpus(text: &mut String) -> Result<(), Vec<Problem>> {
    text.push_str(
        "\n## B falls to A with fewer CPUs\n\n96 processes at 2 GiB on four nodes; two windows each.\n\n\
         | CPUs | A, system s of a build | B | B against A | swap_avail_lock held in B |\n\
         |---:|---:|---:|---:|---:|\n",
    );
    for [cpus, warmup, window] in CPUS {
        let of = |allocator| {
            let time = [("warmup", warmup), ("duration", window)];
            [("allocator", allocator), ("cpus", cpus), time[0], time[1]]
        };
        let (a, b) = (of("global-plist"), of("device-plist"));
        let reports = run(&[&a, &b], TWO)?;
        let [a, b] = [0, 1].map(|i| mean(&reports[i], system_of_build));
        let held = mean(&reports[1], |r| {
            let lock = r.locks.iter().find(|lock| lock.name == "swap_avail_lock");
            lock.map_or(0.0, |lock| lock.utilisation * 100.0)
        });
        text.push_str(&format!(
            "| {} | {a:.0} | {b:.0} | {:+.1} % | {held:.0} % |\n",
            4 * cpus.parse::<u32>().unwrap_or(0),
            (b / a - 1.0) * 100.0
        ));
    }
    Ok(())
}

/// What the cost that nothing known explains may be.
fn candidates(text: &mut String) -> Result<(), Vec<Problem>> {
    let known = ("tlb_flush", "broadcast");
    let at = |limit| {
        let short = [("warmup", "1s"), ("duration", "700ms")];
        [known, ("allocator", "global-plist"), ("memcg", limit), short[0], short[1]]
    };
    let (two, three) = (at("2GiB"), at("3GiB"));
    let plain = run(&[&two, &three], TWO)?;
    let [two_s, three_s] = [0, 1].map(|i| mean(&plain[i], system_of_build));
    // Plain work on every page that is swapped out, so much that A at 2 GiB comes out.
    let lacking = (DESIGNS[0].published[0] - two_s) * 1e9;
    let stolen = mean(&plain[0], |r| {
        counter(r, "pgsteal_anon") * f64::from(BUILD_S) / (r.throughput * r.window_s / 1e3)
    });
    let more = lacking / stolen;
    let plain = more / 1e3;
    let broadcast = Ledger::default().get(ConstantId::TlbBroadcast);
    let mut runs: Vec<Wanted> = Vec::new();
    for settings in [&two, &three] {
        let scenario = scenario(&settings[..], 1).map_err(|p| vec![p])?;
        let ledger = scenario.ledger().with(ConstantId::TlbBroadcast, broadcast + more as u64);
        runs.push((scenario, ledger));
    }
    let work = windows(&runs, TWO)?;
    let [work_two, work_three] = [0, 1].map(|i| mean(&work[i], system_of_build));
    let published = DESIGNS[0].published;
    let error = |s: f64, i: usize| format!("{:+.1} %", (s / published[i] - 1.0) * 100.0);
    text.push_str(&format!(
        "\n## What the ledger does not explain\n\nWith known costs only (`tlb_flush=broadcast`) A takes \
         {two_s:.0} s at 2 GiB ({}) and {three_s:.0} s at 3 GiB ({}): {:.1} us of every stolen page are \
         missing. The preset puts them into something that the whole machine does one at a time, \
         TlbSerial a page (`tlb_flush=serial`); it is switched off by `tlb_flush=broadcast`. The pair of \
         limits says what kind of cost it is:\n\n\
         | candidate | A at 2 GiB | A at 3 GiB | for | against |\n|---|---:|---:|---|---|\n\
         | one at a time, a stolen page: broadcast TLB flushes that wait for each other | see the table | \
         see the table | system time a swap-out falls from 2 to 3 GiB (89.3 to 82.4 us published), as a \
         queue's does; arm64 broadcasts every flush to all four dies | no public measurement of such a \
         queue on this machine |\n\
         | plain work of {plain:.1} us more, a stolen page | {} | {} | compression and reverse mapping on a \
         slow core may cost more than the ledger says | more than ten times the ledger's compression; the cost \
         of a page does not fall with the limit |\n\
         | counters of slots (nr_swap_pages, the cgroup's, the device's), one line each, at every \
         allocation and free | not run | not run | a queue too, of about the same size if each addition \
         takes 160 ns | a load that allocates slots without freeing any would tell; none is published |\n\
         | lru_lock | not run | not run | one a node for all 96 processes | held a few per cent of the \
         time here; a saturated one would make a page dearer at 3 GiB, where more are \
         sorted a page |\n",
        error(two_s, 0),
        error(three_s, 1),
        plain,
        error(work_two, 0),
        error(work_three, 1),
    ));
    Ok(())
}

/// The answer, from what the rest shows.
fn in_short(all: &Reports, lines: &[Line], text: &mut String) {
    let against = |number: usize, limit: usize| {
        let of = |arm: usize| mean(&all[arm][limit], system_of_build);
        (of(number) / of(0) - 1.0) * 100.0
    };
    let held = |number: usize| {
        mean(&all[number][0], |r| {
            let lock = r.locks.iter().find(|lock| lock.name == "swap_avail_lock");
            lock.map_or(0.0, |lock| lock.utilisation * 100.0)
        })
    };
    text.push_str(&format!(
        "\n## In short\n\n\
         - **Where B's time goes**: into swap_avail_lock, one for all CPUs, which it takes for every \
         page: held {:.0} % of the time, against {:.0} % in A, which takes it once a cluster. System \
         time at 2 and 3 GiB: {:+.0} % and {:+.0} % (published +117 % and +135 %).\n\
         - **On the load of the mail the queue neither costs nor brings anything**: {:+.1} % and \
         {:+.1} % (published +0.6 % and +1.3 %). A hardly uses the lock that the queue removes.\n",
        held(1),
        held(0),
        against(1, 0),
        against(1, 1),
        against(2, 0),
        against(2, 1),
    ));
    for verdict in map::VERDICTS {
        let of = lines.iter().filter(|line| line.verdict() == verdict);
        let cases: Vec<String> = of
            .map(|line| {
                let cost = Spread::of(&line.cost).mean;
                format!("{} ({cost:+.0} %)", line.case.words)
            })
            .collect();
        let said = if cases.is_empty() { "nowhere".to_owned() } else { cases.join("; ") };
        text.push_str(&format!("- **{verdict}**: {said}.\n"));
    }
}

/// The map.
fn when(lines: &[Line], text: &mut String) {
    let columns: Vec<String> = map::HOLES.iter().map(|h| format!("{h} free in each")).collect();
    text.push_str(&format!(
        "\n## When does the queue win?\n\nSystem CPU a page swapped out, C against A, without the \
         guess: a queue behind the lock would hide what it costs. Each process has as much memory and \
         swap as in the mail. The free slots of a cluster decide how long A stays away from its lock: \
         on an area that is used for the first time, or less than it once was, a cluster gives hundreds \
         before the next is looked for.\n\n\
         | processes | unused devices | {} |\n|---:|---:|{}\n",
        columns.join(" | "),
        "---:|".repeat(columns.len()),
    ));
    for (row, (processes, _)) in map::PROCESSES.iter().enumerate() {
        let of = lines.iter().filter(|l| l.case.group == map::MAP && l.case.processes == row);
        let cells: Vec<String> = of.map(|l| format!("{} %", plus_minus(&l.cost, 1))).collect();
        text.push_str(&format!("| {processes} | {} |\n", cells.join(" | ")));
    }
    text.push_str(&format!(
        "\nAll cases: {} pairs of windows of {} (NVMe and the guess longer), two behind each of {} \
         warm-ups. What decides is system CPU a page: the queue or the list wins when the 95 % interval \
         of the pairs leaves 0 out, the mean is {:.0} % or more, and somebody spins for swap locks at \
         all ({} us a page); other differences are those of lru_lock, and chance. Undecided: somebody \
         spins, and the interval is too wide. Slots a switch are what a cluster \
         gives before a CPU begins another; they, the time spun for swap locks, the lock's share and \
         the rest are A's, then C's. Inverted are slots of 1,000 that were taken while a device of \
         higher priority had room.\n\n\
         | what varies | case | system CPU a page, C against A | work done | | slots a switch | \
         spinning for swap locks, us a page | swap_avail_lock held | inverted | peaks apart |\n\
         |---|---|---:|---:|---|---:|---:|---:|---:|---:|\n",
        map::DRAWS.warmups * map::DRAWS.windows,
        map::WINDOW[1].1,
        map::DRAWS.warmups,
        map::COUNTS,
        map::SPINS,
    ));
    for line in lines {
        let [a, c] = line.arms;
        text.push_str(&format!(
            "| {} | {} | {} % | {} % | {} | {:.0}, {:.0} | {:.2}, {:.2} | {:.0} %, {:.0} % | {:.1}, {:.1} \
             | {:.1}, {:.1} % |\n",
            line.case.group,
            line.case.words,
            plus_minus(&line.cost, 1),
            plus_minus(&line.work, 1),
            line.verdict(),
            a.slots,
            c.slots,
            a.spin,
            c.spin,
            a.held,
            c.held,
            a.inverted,
            c.inverted,
            a.spread,
            c.spread,
        ));
    }
}
