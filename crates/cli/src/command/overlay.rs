//! What a real kernel did, beside a run: where they agree.

use super::{cost, write_json};
use crate::args::Align;
use crate::plan::Overlay;
use crate::table::{lines, row};
use crate::{Exit, Failure, Streams};
use report::Report;
use report::overlay::{Row, Verdict, agree, agree_figures};
use report::series::Table;
use scenario::observed::Samples;
use serde_json::json;

/// Simulates and prints rates side by side.
pub(super) fn overlay(
    overlay: &Overlay,
    json: bool,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    cost::allow(std::slice::from_ref(&overlay.scenario), force, streams)?;
    let (report, table) =
        lab::measure(&overlay.scenario).map_err(|problems| Failure::all(&problems))?;
    let shift = shift(overlay, &report, &table)?;
    // What the file's clock shows while the window lasts.
    let span = (0.0 - shift, report.window_s * 1000.0 - shift);
    let rates = rates(overlay, span)?;
    let mut rows = agree(&report, &rates, overlay.tolerance);
    rows.extend(agree_figures(&report, &overlay.results, overlay.tolerance));
    if json {
        let all = json!({
            "kind": report.kind, "model": report.model, "link": report.link,
            "digest": report.digest, "shift_ms": shift, "from_ms": span.0, "to_ms": span.1,
            "tolerance": overlay.tolerance, "rows": rows,
        });
        write_json(serde_json::to_string_pretty(&all), streams)?;
    } else {
        print(overlay, &report, span, &rows, streams)?;
    }
    let differs = rows.iter().any(|row| row.verdict == Verdict::Differs);
    Ok(if differs { Exit::Differs } else { Exit::Done })
}

/// Where the file's time 0 stands after the beginning of the window, in milliseconds.
fn shift(overlay: &Overlay, report: &Report, table: &Table) -> Result<f64, Failure> {
    let Some(align) = overlay.align else { return Ok(overlay.shift) };
    let (counter, what) = match align {
        Align::Kswapd => ("pgscan_kswapd", "kswapd"),
        Align::Direct => ("pgscan_direct", "direct reclaim"),
    };
    let nothing = |who: &str| {
        Failure::refused(format!("--align: {who} has no time at which {what} begins to scan"))
    };
    let column = table.find(counter).ok_or_else(|| nothing("the run"))?;
    let simulated = table.time_ns.iter().zip(table.column(column)).find(|(_, rate)| *rate > 0.0);
    let (simulated, _) = simulated.ok_or_else(|| nothing("the run"))?;
    let first = overlay.samples.as_ref().and_then(|s| first_rise(s, counter));
    let observed = first.ok_or_else(|| nothing("the file"))?;
    Ok(*simulated as f64 / 1e6 - report.warmup_s * 1000.0 - observed + overlay.shift)
}

/// When a counter rises for the first time, in milliseconds of the file.
fn first_rise(samples: &Samples, counter: &str) -> Option<f64> {
    let column: Vec<(f64, f64)> = samples.column(samples.find(counter)?).collect();
    column.windows(2).find(|pair| pair[1].1 > pair[0].1).map(|pair| pair[1].0)
}

/// How often a second the kernel counted what it counts, within a span of the file's time.
fn rates(overlay: &Overlay, (from, to): (f64, f64)) -> Result<Vec<(String, f64)>, Failure> {
    let mut rates = Vec::new();
    if let Some(samples) = &overlay.samples {
        // Levels do not count anything.
        let counters = samples.names.iter().enumerate().filter(|(_, n)| !n.starts_with("nr_"));
        for (number, name) in counters {
            let rate = samples.rate(number, from, to);
            rates.extend(rate.map(|rate| (name.clone(), rate)));
        }
        if rates.is_empty() {
            let (first, last) = (samples.t_ms.first(), samples.t_ms.last());
            return Err(Failure::refused(format!(
                "the samples ({} to {} ms) do not overlap the window, which is {from} to {to} ms of \
                 their time; --shift moves them",
                first.copied().unwrap_or_default(),
                last.copied().unwrap_or_default()
            )));
        }
    }
    if let Some(events) = &overlay.events {
        // The clock of a trace has no time 0 of its own: all of it counts.
        let (first, last) = events.span_us();
        let seconds = (last - first) as f64 / 1e6;
        for name in events.names.iter().filter(|_| seconds > 0.0) {
            rates.push((name.clone(), events.times(name).count() as f64 / seconds));
        }
    }
    Ok(rates)
}

fn print(
    overlay: &Overlay,
    report: &Report,
    (from, to): (f64, f64),
    rows: &[Row],
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let out = &mut streams.stdout;
    writeln!(out, "{}: {}", report.preset, overlay.scenario.title())?;
    writeln!(out, "SIMULATED by model {}, seed {}", report.model, report.seed)?;
    writeln!(out, "digest {}   link {}", report.digest, report.link)?;
    writeln!(
        out,
        "the window of {} s beside {from:.0} to {to:.0} ms of the samples; agrees: within {:.0} %",
        report.window_s,
        overlay.tolerance * 100.0
    )?;
    writeln!(out)?;
    let mut cells = vec![row(["a second, or as named", "kernel", "model", "ratio", ""])];
    let known = rows.iter().filter(|row| row.verdict != Verdict::NotModelled);
    for line in known {
        let verdict = if line.verdict == Verdict::Agrees { "agrees" } else { "differs" };
        cells.push(row([
            line.name.clone(),
            format!("{:.1}", line.observed),
            line.simulated.map_or_else(|| "-".to_owned(), |s| format!("{s:.1}")),
            line.ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.3}")),
            verdict.to_owned(),
        ]));
    }
    for line in lines(&cells) {
        writeln!(out, "{line}")?;
    }
    let missing: Vec<&str> = rows
        .iter()
        .filter(|row| row.verdict == Verdict::NotModelled)
        .map(|row| row.name.as_str())
        .collect();
    if !missing.is_empty() {
        writeln!(out, "\nnot counted by the model: {}", missing.join(", "))?;
    }
    Ok(())
}
