//! An index without values, filled in: what the model says a held-back row will be.
//!
//! A row whose cause is not modelled stays empty with its reason. The range of a prediction is the
//! extremes of its seeds, widened by what the same column misses by at most in the rows that were
//! open: the tolerance that is asked of them.

use super::plan::{Cell, Finished, Plan, figures, mean};
use super::table::{Row, Table};
use super::{Build, Measure};
use report::Report;
use report::validation::figure;
use scenario::Problem;

/// What is added to an index.
pub const COLUMNS: [&str; 5] = ["predicted", "low", "high", "n", "reason"];

/// The share of direct reclaim below which its onset, not its size, is uncertain.
const ONSET: f64 = 0.10;

/// One row of an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Mean, low and high; nothing where the model has no cause for the row.
    pub range: Option<[f64; 3]>,
    /// Seeds.
    pub n: usize,
    /// Where it comes from, or why it is empty.
    pub reason: String,
}

/// Runs what an index needs and predicts its rows, in their order.
///
/// # Errors
/// The problems of a scenario that the model refuses.
pub fn predict(plan: &Plan<'_>) -> Result<Vec<Prediction>, Vec<Problem>> {
    predict_with(plan, |_| {})
}

/// The same; `done` hears of every simulation that is finished.
///
/// # Errors
/// The problems of a scenario that the model refuses.
pub fn predict_with(
    plan: &Plan<'_>,
    done: impl FnMut(Finished<'_>),
) -> Result<Vec<Prediction>, Vec<Problem>> {
    let reports = plan.run(done)?;
    let predicted = |(row, cell): &(&Row, Cell)| match cell {
        Cell::Not(reason) => Prediction { range: None, n: 0, reason: reason.clone() },
        Cell::Value { value, .. } => of_value(*value),
        Cell::Figure { run, measure, .. } => {
            prediction(*measure, row.arm.ends_with("shadow entries ENABLED"), &reports[*run])
        }
    };
    Ok(plan.rows.iter().map(predicted).collect())
}

/// What a rule without a run says: how much is used in all is that of the run that is open.
fn of_value(value: f64) -> Prediction {
    let reason = "A rule of slot allocation, with as much swapped as in the run that is open; the \
                  range is wide by a factor of 1.5, since how much it was is not stated.";
    Prediction { range: Some([value, value / 1.5, value * 1.5]), n: 1, reason: reason.into() }
}

fn prediction(measure: Measure, shadow: bool, reports: &[Report]) -> Prediction {
    let empty = |reason: String| Prediction { range: None, n: 0, reason };
    if let Some(ended) = reports.iter().find(|report| report.stopped != "window") {
        return empty(format!("The run ended early: {}.", ended.stopped));
    }
    if matches!(measure, Measure::LruWait(["add"] | ["active"])) {
        return empty(
            "The open row of this place misses by more than 50 times: what else takes the lock \
             there is not in the model."
                .into(),
        );
    }
    let Some(values) = figures(measure, reports) else {
        return empty("The run has nothing to divide by for this row.".into());
    };
    let shares = figures(Measure::DirectShare, reports).unwrap_or_default();
    let (widen, why) = uncertainty(measure, shadow);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let (mut low, mut high) = (least / widen, most * widen);
    let mut predicted = mean(&values);
    let mut reason = format!("SIMULATED: mean of the seeds; the range is their extremes, {why}");
    let of_direct = matches!(measure, Measure::Stalls | Measure::ScanDirect | Measure::DirectShare);
    if of_direct && mean(&shares) < ONSET {
        low = 0.0;
        high = high.max(at_onset(measure, reports));
        reason.push_str(", and from none to 10 % of all scanning, since it is near its onset");
    }
    let in_percent = matches!(
        measure,
        Measure::SystemCpu | Measure::TaskCpu(_) | Measure::WorkerCpu(_) | Measure::KswapdMean
    );
    let whole = if in_percent { 100.0 } else { 1.0 };
    if in_percent || measure == Measure::DirectShare {
        [predicted, low, high] = [predicted, low, high].map(|value| value.min(whole));
    }
    if matches!(measure, Measure::Stalls | Measure::ScanKswapd | Measure::ScanDirect) {
        reason.push_str("; counts are scaled to the 328 s that the vmstat columns cover");
    }
    if measure == Measure::ScanRate {
        reason.push_str("; pages of 328 s over 300 s, as in the rows that were open");
    }
    reason.push('.');
    Prediction { range: Some([predicted, low, high]), n: values.len(), reason }
}

/// The factor by which a range is widened, and the words for it.
const fn uncertainty(measure: Measure, shadow: bool) -> (f64, &'static str) {
    match (measure, shadow) {
        (Measure::FillRate { .. } | Measure::FillCpu(_), _) => {
            (2.00, "widened by a factor of 2, as far as open rows of this program miss")
        }
        (Measure::Build(Build::Balance, _), _) => {
            (2.00, "widened by a factor of 2: devices drift apart over a whole build")
        }
        (Measure::Build(Build::System | Build::SystemPerSwapOut, 6_958), _) => {
            (1.15, "widened by 15 %, as is asked of open rows")
        }
        (Measure::Build(..), _) => (1.50, "widened by a factor of 1.5, as is asked of open rows"),
        (Measure::LruWait([]), _) => {
            (4.00, "widened by a factor of 4, as far as the open row misses")
        }
        (Measure::Counter(_) | Measure::LruWait(_), _) => {
            (1.50, "widened by a factor of 1.5, as is asked of what follows")
        }
        (Measure::Rate, _) => (1.50, "widened by a factor of 1.5, as is asked of open rows"),
        (
            Measure::KswapdSeconds(_)
            | Measure::KswapdMean
            | Measure::StealRate
            | Measure::CpuPerSteal
            | Measure::CpuPerScan
            | Measure::ScanPerSteal,
            _,
        ) => (1.50, "widened by a factor of 1.5, as is asked of what follows"),
        (Measure::Throughput, false) => (1.10, "widened by 10 %"),
        (Measure::Throughput, true) => (1.15, "widened by 15 %"),
        (Measure::SystemCpu | Measure::TaskCpu(_), false) => (1.15, "widened by 15 %"),
        (Measure::ScanKswapd | Measure::ScanRate, false) => (1.15, "widened by 15 %"),
        (Measure::WorkerCpu(_), false) => {
            (1.30, "widened by 30 %: the published workers of two nodes differ by that much")
        }
        (_, false) => (1.50, "widened by a factor of 1.5"),
        (Measure::ScanKswapd | Measure::ScanRate, true) => {
            (1.50, "widened by a factor of 1.5, as far as open rows with shadow entries miss")
        }
        (Measure::SystemCpu | Measure::TaskCpu(_), true) => {
            (1.75, "widened by a factor of 1.75, as far as open rows with shadow entries miss")
        }
        (_, true) => {
            (2.5, "widened by a factor of 2.5, as far as open rows with shadow entries miss")
        }
    }
}

/// The figure that direct reclaim would have if it did a tenth of all scanning.
fn at_onset(measure: Measure, reports: &[Report]) -> f64 {
    let of = |measure| mean(&figures(measure, reports).unwrap_or_default());
    let pages = ONSET * (of(Measure::ScanKswapd) + of(Measure::ScanDirect));
    match measure {
        Measure::DirectShare => ONSET,
        Measure::ScanDirect => pages,
        // A call scans inactive >> 12 of every node.
        _ => {
            let quota =
                |report: &Report| report.nodes.iter().map(|n| n.lists[2] >> 12).sum::<u64>();
            reports.first().map_or(0.0, |report| pages / (quota(report).max(1)) as f64)
        }
    }
}

/// The index with the predictions beside its rows, as CSV.
///
/// # Errors
/// The index has one of the columns already, or another number of rows.
pub fn to_csv(index: &Table, predictions: &[Prediction]) -> Result<String, Problem> {
    if let Some(column) = COLUMNS.iter().find(|c| index.heading.iter().any(|h| h == **c)) {
        return Err(Problem::new("line 1", format!("there is a column `{column}` already")));
    }
    if index.records.len() != predictions.len() {
        let sentence = format!("{} rows, {} predictions", index.records.len(), predictions.len());
        return Err(Problem::new("the table", sentence));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: &csv::StringRecord, more: [String; COLUMNS.len()]| {
        let fields = record.iter().chain(more.iter().map(String::as_str));
        writer.write_record(fields).expect("a vector takes every record");
    };
    write(&index.heading, COLUMNS.map(str::to_owned));
    for (record, p) in index.records.iter().zip(predictions) {
        let [predicted, low, high] = match p.range {
            None => [const { String::new() }; 3],
            Some(range) => range.map(figure),
        };
        let n = if p.range.is_some() { p.n.to_string() } else { String::new() };
        write(record, [predicted, low, high, n, p.reason.clone()]);
    }
    let bytes = writer.into_inner().expect("a vector takes every byte");
    Ok(String::from_utf8(bytes).expect("fields are text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "id,hardware,metric,unit,x_name,x_value,arm\n\
        D28,\"far, away\",change,%,n,1,x\n\
        D01d,box,read throughput (iostat total),KB/s,dd_tasks,64,\
        4 kswapd/node; shadow entries DISABLED\n";

    #[test]
    fn an_index_is_copied_and_what_has_no_cause_stays_empty() {
        let index = Table::parse(INDEX, false).expect("an index");
        let plan = Plan::new(&index, &["D28".into()], 1, None).expect("a plan");
        let mut predictions = predict(&plan).expect("nothing to run");
        assert_eq!(predictions[0].range, None);
        let range = Some([22_000_000.4, 0.25, 30.0]);
        predictions.push(Prediction { range, n: 3, reason: "because".into() });
        let text = to_csv(&index, &predictions).expect("a table");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "id,hardware,metric,unit,x_name,x_value,arm,predicted,low,high,n,reason"
        );
        assert!(lines[1].starts_with("D28,\"far, away\",change,%,n,1,x,,,,,\"It is about"));
        assert!(lines[2].ends_with("DISABLED,22000000,0.2500,30.00,3,because"), "{}", lines[2]);
        let again = Table::parse(&text, false).expect("it can be read again");
        let refused = to_csv(&again, &predictions).expect_err("it is filled already");
        assert_eq!(refused.to_string(), "line 1: there is a column `predicted` already");
    }
}
