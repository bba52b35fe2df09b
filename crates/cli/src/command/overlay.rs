//! What a real kernel did, beside a run: where they agree.

use super::{cost, write_json};
use crate::args::Align;
use crate::plan::Overlay;
use crate::table::{lines, row};
use crate::{Exit, Failure, Streams};
use report::Report;
use report::overlay::{Row, Verdict, agree, agree_figures};
use report::series::Table;
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
    let rates = lab::overlay::rates(overlay.samples.as_ref(), overlay.events.as_ref(), span);
    let rates = rates.map_err(Failure::refused)?;
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
    let align = match overlay.align {
        None => return Ok(overlay.shift),
        Some(Align::Kswapd) => lab::overlay::Align::Kswapd,
        Some(Align::Direct) => lab::overlay::Align::Direct,
    };
    let aligned = lab::overlay::shift(overlay.samples.as_ref(), report, table, align);
    Ok(aligned.map_err(|why| Failure::refused(format!("--{why}")))? + overlay.shift)
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
