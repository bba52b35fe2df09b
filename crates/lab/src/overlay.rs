//! What a real kernel did, put beside a run of the same machine: where its time lies on that of the
//! run, how often a second it counted what, and both over time.

use report::Report;
use report::overlay::Lines;
use report::series::Table;
use scenario::observed::{Events, Samples};

/// An event that a file and a run are aligned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The first page that kswapd scanned.
    Kswapd,
    /// The first page that direct reclaim scanned.
    Direct,
}

/// Counters that are drawn over those of the run.
const DRAWN: [&str; 6] =
    ["pgscan_kswapd", "pgscan_direct", "pgsteal_kswapd", "pgsteal_direct", "pswpin", "pswpout"];
/// Most points of a line that is drawn.
const POINTS_MAX: usize = 400;

/// Where the samples' time 0 stands after the beginning of the window, in milliseconds, when both
/// first scan at the same time.
///
/// # Errors
/// A sentence when one of the two never scans.
pub fn shift(
    samples: Option<&Samples>,
    report: &Report,
    table: &Table,
    align: Align,
) -> Result<f64, String> {
    let (counter, what) = match align {
        Align::Kswapd => ("pgscan_kswapd", "kswapd"),
        Align::Direct => ("pgscan_direct", "direct reclaim"),
    };
    let nothing = |who: &str| format!("align: {who} has no time at which {what} begins to scan");
    let column = table.find(counter).ok_or_else(|| nothing("the run"))?;
    let simulated = table.time_ns.iter().zip(table.column(column)).find(|(_, rate)| *rate > 0.0);
    let (simulated, _) = simulated.ok_or_else(|| nothing("the run"))?;
    let first = samples.and_then(|samples| first_rise(samples, counter));
    let observed = first.ok_or_else(|| nothing("the file"))?;
    Ok(*simulated as f64 / 1e6 - report.warmup_s * 1000.0 - observed)
}

/// When a counter rises for the first time, in milliseconds of the file.
fn first_rise(samples: &Samples, counter: &str) -> Option<f64> {
    let column: Vec<(f64, f64)> = samples.column(samples.find(counter)?).collect();
    column.windows(2).find(|pair| pair[1].1 > pair[0].1).map(|pair| pair[1].0)
}

/// How often a second the kernel counted what it counts, within a span of the file's time.
///
/// # Errors
/// A sentence when the samples have nothing in the span.
pub fn rates(
    samples: Option<&Samples>,
    events: Option<&Events>,
    (from, to): (f64, f64),
) -> Result<Vec<(String, f64)>, String> {
    let mut rates = Vec::new();
    if let Some(samples) = samples {
        // Levels do not count anything.
        let counters = samples.names.iter().enumerate().filter(|(_, n)| !n.starts_with("nr_"));
        for (number, name) in counters {
            let rate = samples.rate(number, from, to);
            rates.extend(rate.map(|rate| (name.clone(), rate)));
        }
        if rates.is_empty() {
            let (first, last) = (samples.t_ms.first(), samples.t_ms.last());
            return Err(format!(
                "the samples ({} to {} ms) do not overlap the window, which is {from} to {to} ms of \
                 their time; another shift moves them",
                first.copied().unwrap_or_default(),
                last.copied().unwrap_or_default()
            ));
        }
    }
    if let Some(events) = events {
        // The clock of a trace has no time 0 of its own: all of it counts.
        let (first, last) = events.span_us();
        let seconds = (last - first) as f64 / 1e6;
        for name in events.names.iter().filter(|_| seconds > 0.0) {
            rates.push((name.clone(), events.times(name).count() as f64 / seconds));
        }
    }
    Ok(rates)
}

/// Rates of both over the time of the run; the samples' time 0 is `zero_ms` of it.
#[must_use]
pub fn lines(samples: &Samples, table: &Table, zero_ms: f64) -> Vec<Lines> {
    let end_ms = table.time_ns.last().map_or(0.0, |ns| *ns as f64 / 1e6);
    let one = |name: &&str| {
        let (column, counter) = (table.find(name)?, samples.find(name)?);
        let simulated = table.time_ns.iter().map(|ns| *ns as f64 / 1e6).zip(table.column(column));
        let simulated: Vec<[f64; 2]> = simulated.map(|(t, v)| [t, v]).collect();
        let counted: Vec<(f64, f64)> = samples.column(counter).collect();
        let rate = |pair: &[(f64, f64)]| {
            let [(from, before), (to, after)] = [pair[0], pair[1]];
            let rate = (after - before).max(0.0) * 1000.0 / (to - from).max(f64::MIN_POSITIVE);
            [to + zero_ms, rate]
        };
        let observed = counted.windows(2).map(rate).filter(|[t, _]| (0.0..=end_ms).contains(t));
        let observed = thinned(observed.collect());
        (!observed.is_empty()).then(|| Lines {
            name: (*name).to_owned(),
            simulated: thinned(simulated),
            observed,
        })
    };
    DRAWN.iter().filter_map(one).collect()
}

/// No more points than a picture shows: means of neighbours.
fn thinned(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let step = points.len().div_ceil(POINTS_MAX).max(1);
    let mean = |chunk: &[[f64; 2]]| {
        let n = chunk.len() as f64;
        let sum = |place: usize| chunk.iter().map(|point| point[place]).sum::<f64>() / n;
        [sum(0), sum(1)]
    };
    points.chunks(step).map(mean).collect()
}
