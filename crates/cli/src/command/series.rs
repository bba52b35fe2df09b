//! Every series of a run's samples.

use super::cost;
use crate::plan::SeriesForm;
use crate::{Exit, Failure, Streams};
use chart::Theme;
use chart::svg::{Caption, picture};
use report::Report;
use report::series::Table;
use report::window::seconds;
use scenario::Scenario;
use serde_json::json;

/// Simulates and prints the samples.
pub(super) fn series(
    scenario: &Scenario,
    form: SeriesForm,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    cost::allow(std::slice::from_ref(scenario), force, streams)?;
    let (report, table) = lab::measure(scenario).map_err(|problems| Failure::all(&problems))?;
    match form {
        SeriesForm::Json => write_json(&report, &table, streams)?,
        SeriesForm::Csv => write_csv(&report, &table, streams)?,
        SeriesForm::Svg => {
            let run = lab::Run::prepare(scenario).map_err(|problems| Failure::all(&problems))?;
            let (title, ledger) = (scenario.title(), lab::compare::ledger_hash());
            let caption = Caption { title: &title, ledger: &ledger };
            let svg = picture(&run.header(), &table, &report, caption, &Theme::LIGHT);
            write!(streams.stdout, "{svg}")?;
        }
    }
    super::run::exit(&report, streams).map_err(Failure::Write)
}

/// The rows of a table with their times.
fn rows(table: &Table) -> impl Iterator<Item = (u64, &[f64])> {
    let width = table.columns.len().max(1);
    table.time_ns.iter().copied().zip(table.values.chunks_exact(width))
}

/// Milliseconds with all digits that the time has.
fn t_ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

fn write_csv(report: &Report, table: &Table, streams: &mut Streams<'_>) -> std::io::Result<()> {
    let out = &mut streams.stdout;
    let ledger = lab::compare::ledger_hash();
    writeln!(out, "# SIMULATED with reclaimscope, model {}, ledger {ledger}", report.model)?;
    writeln!(out, "# link {}", report.link)?;
    writeln!(out, "# digest {}, seed {}", report.digest, report.seed)?;
    writeln!(out, "# warm-up {}, window {}", seconds(report.warmup_s), seconds(report.window_s))?;
    let units: Vec<String> =
        table.columns.iter().map(|c| format!("{}: {}", c.key, c.unit)).collect();
    writeln!(out, "# units {}", units.join("; "))?;
    write!(out, "t_ms")?;
    for column in &table.columns {
        write!(out, ",{}", column.key)?;
    }
    writeln!(out)?;
    for (time, row) in rows(table) {
        write!(out, "{}", t_ms(time))?;
        for value in row {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_json(report: &Report, table: &Table, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let rows: Vec<_> =
        rows(table).map(|(time, row)| json!({ "t_ms": t_ms(time), "values": row })).collect();
    let all = json!({
        "kind": report.kind,
        "model": report.model,
        "ledger": lab::compare::ledger_hash(),
        "link": report.link,
        "digest": report.digest,
        "seed": report.seed,
        "warmup_s": report.warmup_s,
        "window_s": report.window_s,
        "columns": table.columns,
        "rows": rows,
    });
    super::write_json(serde_json::to_string(&all), streams)
}
