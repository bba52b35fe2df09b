//! Every series of a run's samples.

use super::cost;
use crate::plan::SeriesForm;
use crate::{Exit, Failure, Streams};
use chart::Theme;
use chart::svg::{Caption, picture};
use scenario::Scenario;

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
        SeriesForm::Json => write!(streams.stdout, "{}", lab::export::json(&report, &table))?,
        SeriesForm::Csv => write!(streams.stdout, "{}", lab::export::csv(&report, &table))?,
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
