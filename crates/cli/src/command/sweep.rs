//! Many simulations, one row a point.

use super::run::{Figures, exit};
use super::{cost, write_json};
use crate::plan::Sweep;
use crate::table::{count, lines, row};
use crate::{Exit, Failure, Streams};
use report::Report;
use serde_json::{Map, Value, json};

/// Simulates all points and prints them in their order.
pub(super) fn sweep(
    sweep: &Sweep,
    json: bool,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    cost::allow(&sweep.scenarios, force, streams)?;
    let mut reports = Vec::new();
    for result in lab::sweep(&sweep.scenarios) {
        reports.push(result.map_err(|problems| Failure::all(&problems))?);
    }
    if json {
        let points = sweep.values.iter().zip(&reports);
        let points: Vec<Value> = points.map(|(v, r)| point_json(&sweep.keys, v, r)).collect();
        write_json(serde_json::to_string_pretty(&json!({ "points": points })), streams)?;
    } else {
        let first = &sweep.scenarios[0];
        writeln!(streams.stdout, "{}: {}", first.preset.name, first.preset.sentence)?;
        writeln!(streams.stdout, "SIMULATED by model {}", lab::MODEL_VERSION)?;
        writeln!(streams.stdout)?;
        for line in lines(&rows(sweep, &reports)) {
            writeln!(streams.stdout, "{line}")?;
        }
    }
    let mut all = Exit::Done;
    for report in &reports {
        if exit(report, streams)? != Exit::Done {
            all = Exit::Differs;
        }
    }
    Ok(all)
}

fn rows(sweep: &Sweep, reports: &[Report]) -> Vec<Vec<String>> {
    let figures = [
        "GB/s",
        "p50 us",
        "p99 us",
        "kswapd Mpg/s/node",
        "direct %",
        "kswapd CPU s",
        "us/page",
        "allocstall",
        "digest",
    ];
    let keys = sweep.keys.iter().cloned();
    let mut rows = vec![row(keys.chain(figures.map(str::to_owned)))];
    for (values, report) in sweep.values.iter().zip(reports) {
        let f = Figures::of(report);
        let us = report.kswapd_us_per_page;
        let cells = [
            format!("{:.3}", report.throughput / 1e9),
            format!("{:.1}", report.latency_us.p50),
            format!("{:.1}", report.latency_us.p99),
            format!("{:.3}", f.kswapd_scan_rate),
            format!("{:.2}", f.direct_share),
            format!("{:.3}", report.kswapd_cpu_s),
            us.map_or_else(|| "-".to_owned(), |us| format!("{us:.4}")),
            count(f.allocstall),
            report.digest.clone(),
        ];
        rows.push(row(values.iter().cloned().chain(cells)));
    }
    rows
}

fn point_json(keys: &[String], values: &[String], report: &Report) -> Value {
    let over: Map<String, Value> =
        keys.iter().cloned().zip(values.iter().map(|v| Value::from(v.as_str()))).collect();
    json!({ "over": over, "report": report })
}
