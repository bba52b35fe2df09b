//! One simulation and its numbers.

use super::{cost, write_json};
use crate::plan::Log;
use crate::table::{count, lines, pairs, ratio, row};
use crate::{Exit, Failure, Streams};
use lab::{Progress, Run};
use report::Report;
use report::series::Table;
use report::summary::{Latency, PressureLine};
use scenario::{Scenario, quoted};
use std::fs::File;
use std::io::BufWriter;

/// Where a run ends that nothing stopped.
const WHOLE: &str = "window";

/// Simulates and prints.
pub(super) fn run(
    scenario: &Scenario,
    json: bool,
    log: Option<(Log, &str)>,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    cost::allow(std::slice::from_ref(scenario), force, streams)?;
    let Some((form, file)) = log else {
        let report = lab::run(scenario).map_err(|problems| Failure::all(&problems))?;
        print(scenario, &report, json, streams)?;
        return Ok(exit(&report, streams)?);
    };
    let run = Run::prepare(scenario).map_err(|problems| Failure::all(&problems))?;
    let failed = |error: std::io::Error| {
        Failure::refused(format!("{} cannot be written: {error}", quoted(file)))
    };
    // Opened before the run, which may take long.
    let out = if file == "-" { None } else { Some(File::create(file).map_err(failed)?) };
    let mut run = run.with_trace(lab::trace::EVENTS_MAX);
    while run.advance(u64::MAX) == Progress::Running {}
    let report = run.report();
    if let Some(out) = out {
        write_log(&mut run, form, &mut BufWriter::new(out)).map_err(failed)?;
        print(scenario, &report, json, streams)?;
    } else {
        write_log(&mut run, form, streams.stdout)?;
    }
    Ok(exit(&report, streams)?)
}

fn write_log(run: &mut Run, form: Log, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    match form {
        Log::Trace => run.trace_lines().try_for_each(|line| writeln!(out, "{line}"))?,
        Log::Perfetto => {
            let mut table = Table { columns: run.header().columns, ..Table::default() };
            run.take_rows().iter().for_each(|(time, row)| table.push(*time, row));
            let lines = lab::trace::perfetto(run, &table);
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    out.flush()
}

fn print(
    scenario: &Scenario,
    report: &Report,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    if json {
        write_json(serde_json::to_string_pretty(report), streams)?;
    } else {
        for line in text(scenario, report) {
            writeln!(streams.stdout, "{line}")?;
        }
    }
    Ok(())
}

/// A run that stopped early has numbers, but not those that were asked for.
pub(super) fn exit(report: &Report, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    if report.stopped == WHOLE {
        return Ok(Exit::Done);
    }
    writeln!(streams.stderr, "error: the run stopped before its end: {}", report.stopped)?;
    Ok(Exit::Differs)
}

fn text(scenario: &Scenario, report: &Report) -> Vec<String> {
    let mut out = vec![
        format!("{}: {}", report.preset, scenario.title()),
        format!("SIMULATED by model {}, seed {}", report.model, report.seed),
        format!("digest {}   {} events", report.digest, count(report.events)),
        format!("link   {}", report.link),
        format!(
            "start {}, warm-up {}s, window {}s, ended by: {}",
            report.start, report.warmup_s, report.window_s, report.stopped
        ),
    ];
    section("Results", pairs(&results(report)), &mut out);
    section("Kernel counters, risen over the window", lines(&vmstat(report)), &mut out);
    section("CPU seconds by use", lines(&cpu(report)), &mut out);
    section("kswapd workers, seconds by state", lines(&workers(report)), &mut out);
    section("kswapd wakeups", lines(&wakeups(report)), &mut out);
    section("Memory pressure, as /proc/pressure/memory", lines(&pressure(report)), &mut out);
    section("Locks", lines(&locks(report)), &mut out);
    section("Nodes at the end, pages", lines(&nodes(report)), &mut out);
    section("Swap devices, pages since the start", lines(&swap(report)), &mut out);
    section("Swap slots since the start", pairs(&slots(report)), &mut out);
    out
}

fn section(title: &str, lines: Vec<String>, out: &mut Vec<String>) {
    if !lines.is_empty() {
        out.push(String::new());
        out.push(title.to_owned());
        out.extend(lines.into_iter().map(|line| format!("  {line}")));
    }
}

fn throughput(report: &Report) -> String {
    if report.throughput_unit.starts_with("bytes") {
        return format!("{:.3} GB/s {}", report.throughput / 1e9, report.throughput_unit);
    }
    format!("{:.1} {}/s", report.throughput, report.throughput_unit)
}

fn results(report: &Report) -> Vec<(String, String)> {
    let figures = Figures::of(report);
    let mut rows = vec![
        ("throughput", throughput(report)),
        (&report.operation, latency(&report.latency_us)),
        ("direct reclaim call", latency(&report.direct_reclaim_us)),
        ("kswapd scans", format!("{:.3} M pages/s a node", figures.kswapd_scan_rate)),
        ("direct reclaim scans", format!("{:.2} % of all pages scanned", figures.direct_share)),
        ("kswapd CPU", format!("{:.3} s, all workers together", report.kswapd_cpu_s)),
    ];
    if let Some(us) = report.kswapd_us_per_page {
        rows.push(("kswapd CPU a page", format!("{us:.4} us a page scanned")));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn latency(l: &Latency) -> String {
    if l.count == 0 {
        return "none".to_owned();
    }
    let [p50, p99, p999, max] = [l.p50, l.p99, l.p999, l.max].map(|us| format!("{us:.1}"));
    let n = count(l.count);
    format!("p50 {p50} us, p99 {p99} us, p99.9 {p999} us, max {max} us, n {n}")
}

/// Figures that the text derives from a report.
struct Figures {
    /// Pages that kswapd scanned, in millions a second and node.
    kswapd_scan_rate: f64,
    /// Pages that direct reclaim scanned, in percent of all.
    direct_share: f64,
}

impl Figures {
    fn of(report: &Report) -> Self {
        let get = |name: &str| report.vmstat.get(name).copied().unwrap_or(0);
        let (kswapd, direct) = (get("pgscan_kswapd"), get("pgscan_direct"));
        let nodes = report.nodes.len().max(1) as f64;
        Self {
            kswapd_scan_rate: ratio(kswapd as f64 / 1e6, report.window_s * nodes),
            direct_share: ratio(direct as f64 * 100.0, (kswapd + direct) as f64),
        }
    }
}

fn vmstat(report: &Report) -> Vec<Vec<String>> {
    let risen = report.vmstat.iter().filter(|(_, n)| **n > 0);
    risen.map(|(name, n)| row([name.clone(), count(*n)])).collect()
}

fn cpu(report: &Report) -> Vec<Vec<String>> {
    let all: f64 = report.cpu_s.values().sum();
    let share = |s: f64| format!("{:.1} %", ratio(s * 100.0, all));
    let uses = report.cpu_s.iter();
    uses.map(|(name, &s)| row([name.clone(), format!("{s:.3}"), share(s)])).collect()
}

fn workers(report: &Report) -> Vec<Vec<String>> {
    let Some(first) = report.workers.first() else { return Vec::new() };
    let states: Vec<&String> = first.seconds.keys().collect();
    let heading = std::iter::once("worker".to_owned())
        .chain(states.iter().map(|s| (*s).clone()))
        .chain(["pgscan", "pgsteal"].map(str::to_owned));
    let mut rows = vec![row(heading)];
    for worker in &report.workers {
        let seconds = states.iter().map(|s| format!("{:.3}", worker.seconds[*s]));
        let pages = [count(worker.pgscan), count(worker.pgsteal)];
        rows.push(row(std::iter::once(worker.name.clone()).chain(seconds).chain(pages)));
    }
    rows
}

fn wakeups(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![row(["node", "policy", "decisions", "saw, mean", "wanted, mean", "woke"])];
    for w in report.wakeups.iter().filter(|w| w.decisions > 0) {
        rows.push(row([
            w.node.to_string(),
            w.policy.clone(),
            count(w.decisions),
            if w.saw == "nothing" { w.saw.clone() } else { format!("{:.1} {}", w.mean_saw, w.saw) },
            format!("{:.2}", w.mean_target),
            count(w.woke),
        ]));
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

fn pressure(report: &Report) -> Vec<Vec<String>> {
    let line = |of: &str, name: &str, l: &PressureLine| {
        row([
            format!("{of} {name}"),
            format!("avg10={:.2}", l.avg10),
            format!("avg60={:.2}", l.avg60),
            format!("avg300={:.2}", l.avg300),
            format!("total={}", l.total_us),
        ])
    };
    let all = report.pressure.iter();
    all.flat_map(|p| [line(&p.of, "some", &p.some), line(&p.of, "full", &p.full)]).collect()
}

fn locks(report: &Report) -> Vec<Vec<String>> {
    let mut rows =
        vec![row(["lock", "acquisitions", "contended", "utilisation", "wait s", "held s"])];
    for lock in report.locks.iter().filter(|lock| lock.acquisitions > 0) {
        rows.push(row([
            lock.name.clone(),
            count(lock.acquisitions),
            count(lock.contended),
            format!("{:.1} %", lock.utilisation * 100.0),
            format!("{:.3}", lock.wait_s),
            format!("{:.3}", lock.hold_s),
        ]));
    }
    rows
}

fn nodes(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![row(["zone", "managed", "min", "low", "high", "reserve", "free"])];
    for node in &report.nodes {
        for zone in &node.zones {
            let pages =
                [zone.managed, zone.min, zone.low, zone.high, zone.reserve, zone.free].map(count);
            let name = format!("node {} {}", node.node, zone.zone);
            rows.push(row(std::iter::once(name).chain(pages)));
        }
    }
    rows
}

fn swap(report: &Report) -> Vec<Vec<String>> {
    let Some(swap) = &report.swap else { return Vec::new() };
    let mut rows = vec![row(["device", "priority", "group", "pages", "used", "peak", "given"])];
    for d in &swap.devices {
        let place = [d.priority.to_string(), d.group.to_string()];
        let pages = [d.pages, d.used, d.peak, d.taken].map(count);
        rows.push(row(std::iter::once(d.name.clone()).chain(place).chain(pages)));
    }
    rows
}

fn slots(report: &Report) -> Vec<(String, String)> {
    let Some(swap) = &report.swap else { return Vec::new() };
    let mut rows = vec![
        ("given", format!("{}, {} refused", count(swap.granted), count(swap.refused))),
        ("devices chosen from the list", count(swap.choices)),
        ("clusters begun", count(swap.switches)),
        (
            "past a device of higher rank with room",
            format!("{}, {} in a row", count(swap.inversions), count(swap.inversion_most)),
        ),
    ];
    if let Some(change) = &swap.tiers_change {
        rows.push(("tiers written anew", change.clone()));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
