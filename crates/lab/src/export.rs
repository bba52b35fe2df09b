//! Series of a finished run as text, with where they come from.

use crate::compare::ledger_hash;
use report::Report;
use report::series::Table;
use report::window::seconds;
use serde_json::json;
use std::fmt::Write;

/// The rows of a table with their times.
fn rows(table: &Table) -> impl Iterator<Item = (u64, &[f64])> {
    let width = table.columns.len().max(1);
    table.time_ns.iter().copied().zip(table.values.chunks_exact(width))
}

/// Milliseconds with all digits that the time has.
fn t_ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// Comma-separated: comments on the run, a line of keys, a line a sample.
#[must_use]
pub fn csv(report: &Report, table: &Table) -> String {
    let mut out = format!(
        "# SIMULATED with reclaimscope, model {}, ledger {}\n# link {}\n# digest {}, seed {}\n\
         # warm-up {}, window {}\n",
        report.model,
        ledger_hash(),
        report.link,
        report.digest,
        report.seed,
        seconds(report.warmup_s),
        seconds(report.window_s)
    );
    let units = table.columns.iter().map(|c| format!("{}: {}", c.key, c.unit));
    let keys = core::iter::once("t_ms").chain(table.columns.iter().map(|c| c.key.as_str()));
    let units = units.collect::<Vec<_>>().join("; ");
    let keys = keys.collect::<Vec<_>>().join(",");
    // Writing into a string cannot fail.
    let _ = writeln!(out, "# units {units}\n{keys}");
    for (time, row) in rows(table) {
        let _ = write!(out, "{}", t_ms(time));
        for value in row {
            let _ = write!(out, ",{value}");
        }
        out.push('\n');
    }
    out
}

/// One document of JSON; docs/schema/series.schema.json describes it.
///
/// # Panics
/// Never: samples are finite numbers.
#[must_use]
pub fn json(report: &Report, table: &Table) -> String {
    let rows: Vec<_> =
        rows(table).map(|(time, row)| json!({ "t_ms": t_ms(time), "values": row })).collect();
    let all = json!({
        "kind": report.kind,
        "model": report.model,
        "ledger": ledger_hash(),
        "link": report.link,
        "digest": report.digest,
        "seed": report.seed,
        "warmup_s": report.warmup_s,
        "window_s": report.window_s,
        "columns": table.columns,
        "rows": rows,
    });
    serde_json::to_string(&all).expect("samples are finite numbers") + "\n"
}
