//! An index of held-back figures, filled in.

use super::validate::say;
use crate::table::lines;
use crate::{Exit, Failure, Streams};
use lab::validate::predict::{Prediction, predict_with, to_csv};
use lab::validate::{Plan, Table};
use scenario::quoted;
use std::collections::BTreeMap;
use std::path::Path;

/// Runs what the index needs and writes the copy.
pub(super) fn predict(
    index: &Table,
    out: &Path,
    reps: u32,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let plan = Plan::new(index, &[], reps, None).map_err(Failure::refused)?;
    // An index that is filled already is refused before anything runs.
    let nothing = Prediction { range: None, n: 0, reason: String::new() };
    to_csv(index, &vec![nothing; index.rows.len()]).map_err(Failure::refused)?;
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = quoted(&folder.display().to_string());
        return Err(Failure::refused(format!("--out: there is no folder {folder}")));
    }
    let predictions = predict_with(&plan, |finished| say(finished, streams))
        .map_err(|problems| Failure::all(&problems))?;
    let text = to_csv(index, &predictions).map_err(Failure::refused)?;
    let name = out.display().to_string();
    if name == "-" {
        write!(streams.stdout, "{text}")?;
        return Ok(Exit::Done);
    }
    std::fs::write(out, text).map_err(|error| {
        Failure::refused(format!("{} cannot be written: {error}", quoted(&name)))
    })?;
    for line in summary(index, &predictions) {
        writeln!(streams.stdout, "{line}")?;
    }
    Ok(Exit::Done)
}

/// Rows filled and left empty, by set.
fn summary(index: &Table, predictions: &[Prediction]) -> Vec<String> {
    let mut sets: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (row, prediction) in index.rows.iter().zip(predictions) {
        let (filled, all) = sets.entry(&row.id).or_default();
        *filled += usize::from(prediction.range.is_some());
        *all += 1;
    }
    let mut rows = vec![vec!["set".to_owned(), "rows".to_owned(), "predicted".to_owned()]];
    let row = |(set, (filled, all)): (&&str, &(usize, usize))| {
        vec![(*set).to_owned(), all.to_string(), filled.to_string()]
    };
    rows.extend(sets.iter().map(row));
    let filled: usize = sets.values().map(|(filled, _)| filled).sum();
    let mut out = lines(&rows);
    let all = predictions.len();
    out.push(format!("SIMULATED by model {}: {filled} of {all} rows", lab::MODEL_VERSION));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted() {
        let text =
            "id,metric,unit,x_name,x_value,arm\nD28,a,%,n,1,x\nD05,b,s,n,1,x\nD28,c,s,n,1,x\n";
        let index = Table::parse(text, false).expect("an index");
        let empty = Prediction { range: None, n: 0, reason: String::new() };
        let full = Prediction { range: Some([1.0; 3]), n: 3, reason: String::new() };
        let shown = summary(&index, &[full, empty.clone(), empty]);
        assert_eq!(shown[1..3], ["D05     1          0", "D28     2          1"]);
        assert!(shown[3].ends_with("1 of 3 rows"));
    }
}
