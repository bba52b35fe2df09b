//! The numbers of a run in tables: latency, workers, locks, counters, zones.

use chart::words;
use report::Report;
use report::summary::{Latency, Lock, Worker};
use report::view::WorkerState;
use yew::prelude::*;

/// Rows of a long table that stand open; the others are counted.
const ROWS_MAX: usize = 12;

/// All tables.
pub fn tables(report: &Report) -> Html {
    html! {
        <>
            { latency(report) }
            { vmstat(report) }
            { locks(report) }
            { workers(report) }
            { zones(report) }
        </>
    }
}

/// A table; the first column names its rows.
fn table(caption: Html, heads: &[&str], rows: Vec<Vec<String>>, mono: bool) -> Html {
    let row = |cells: Vec<String>| {
        let cells = cells.into_iter().enumerate().map(|(n, text)| match (n, mono) {
            (0, true) => html! { <th scope="row"><code>{ breakable(&text) }</code></th> },
            (0, false) => html! { <th scope="row">{ text }</th> },
            _ => html! { <td>{ text }</td> },
        });
        html! { <tr>{ for cells }</tr> }
    };
    html! {
        <div class="scroll" role="group" tabindex="0" aria-label={heads[0].to_owned()}>
            <table>
                <caption>{ caption }</caption>
                <thead>
                    <tr>{ for heads.iter().map(|h| html! { <th scope="col">{ *h }</th> }) }</tr>
                </thead>
                <tbody>{ for rows.into_iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// A kernel name that may break after its joints.
fn breakable(name: &str) -> Html {
    let parts = name.split_inclusive(['_', '/']);
    html! { <>{ for parts.map(|part| html! { <>{ part.to_owned() }<wbr /></> }) }</> }
}

fn latency(report: &Report) -> Html {
    let row = |name: &str, latency: &Latency| {
        let time = |us: f64| match latency.count {
            0 => "-".to_owned(),
            _ => words::nanos(us * 1e3),
        };
        vec![
            name.to_owned(),
            words::decimal(latency.count as f64),
            time(latency.p50),
            time(latency.p99),
            time(latency.p999),
        ]
    };
    let scanned = report.vmstat.get("pgscan_direct").is_some_and(|&pages| pages > 0);
    // What a task reclaims at a cgroup's limit is no call below min: allocstall leaves it out too.
    let direct = match scanned && report.direct_reclaim_us.count == 0 {
        true => "Direct reclaim below min (at a cgroup's limit it is not timed)",
        false => "Direct reclaim",
    };
    let mut letters = report.operation.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let operation: String = first.into_iter().chain(letters).collect();
    let rows = vec![row(&operation, &report.latency_us), row(direct, &report.direct_reclaim_us)];
    let caption = format!("Latency; an operation is a {}", report.operation);
    table(html! { caption }, &["Latency", "count", "p50", "p99", "p99.9"], rows, false)
}

fn vmstat(report: &Report) -> Html {
    let (some, none): (Vec<_>, Vec<_>) = report.vmstat.iter().partition(|(_, n)| **n > 0);
    let a_second = |n: u64| match report.window_s > 0.0 {
        true => words::decimal(n as f64 / report.window_s),
        false => "-".into(),
    };
    let rows = some.iter().map(|(name, n)| vec![(*name).clone(), words::count(**n), a_second(**n)]);
    let caption =
        html! { <>{ "Counters of " }<code>{ "/proc/vmstat" }</code>{ ", over the window" }</> };
    let names: Vec<_> = none.iter().map(|(name, _)| name.as_str()).collect();
    html! {
        <div class="block">
            { table(caption, &["Counter", "rise", "/s"], rows.collect(), true) }
            if !names.is_empty() {
                <p class="small zero">{ "Zero: " }<code>{ names.join(", ") }</code></p>
            }
        </div>
    }
}

fn locks(report: &Report) -> Html {
    let by_wait: Vec<f64> = report.locks.iter().map(|lock| -lock.wait_s).collect();
    let locks = chart::labels::order(&by_wait).into_iter().map(|n| &report.locks[n]);
    let row = |lock: &Lock| {
        let passages = lock.acquisitions as f64;
        let mean = if passages > 0.0 { lock.wait_s * 1e9 / passages } else { 0.0 };
        vec![
            lock.name.clone(),
            words::decimal(passages),
            words::percent(lock.utilisation),
            words::nanos(mean),
        ]
    };
    let heads = ["Lock", "passages", "held", "mean wait"];
    folded("Locks", &heads, locks.map(row).collect(), "by time waited")
}

fn workers(report: &Report) -> Html {
    let share = |worker: &Worker, states: &[WorkerState]| {
        let seconds: f64 = states.iter().filter_map(|s| worker.seconds.get(s.name())).sum();
        match report.window_s > 0.0 {
            true => words::percent(seconds / report.window_s),
            false => "-".into(),
        }
    };
    let row = |worker: &Worker| {
        use WorkerState as S;
        vec![
            worker.name.clone(),
            share(worker, &[S::Asleep, S::Napping]),
            share(worker, &[S::SpinLru, S::SpinZone, S::SpinIPages, S::SpinSwap]),
            share(worker, &[S::Isolating]),
            share(worker, &[S::PageWork]),
        ]
    };
    let heads = ["Worker", "asleep", "spins", "isolates", "page work"];
    let rows = report.workers.iter().map(row).collect();
    folded("Workers", &heads, rows, "share of the window")
}

fn zones(report: &Report) -> Html {
    let rows = report.nodes.iter().flat_map(|node| {
        node.zones.iter().map(move |zone| {
            vec![
                format!("{} {}", node.node, zone.zone),
                words::decimal(zone.managed as f64),
                words::count(zone.min),
                words::count(zone.low),
                words::count(zone.high),
                words::count(zone.free),
            ]
        })
    });
    let heads = ["Zone", "managed", "min", "low", "high", "free"];
    folded("Zones", &heads, rows.collect(), "pages, at the end")
}

/// A table behind its name. Of many rows the first stand there, the others are counted.
fn folded(name: &str, heads: &[&str], mut rows: Vec<Vec<String>>, what: &str) -> Html {
    let total = rows.len();
    rows.truncate(ROWS_MAX);
    let caption = match total - rows.len() {
        0 => what.to_owned(),
        more => format!("{what}; the first {ROWS_MAX}, {more} more in the report"),
    };
    html! {
        <details class="fold">
            <summary>{ name.to_owned() }<span>{ total.to_string() }</span></summary>
            { table(html! { caption }, heads, rows, true) }
        </details>
    }
}
