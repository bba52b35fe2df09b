//! What the commands do and print.

mod compare;
mod cost;
pub(crate) mod kernel;
mod machine;
mod mail;
mod merge;
mod overlay;
mod predict;
mod run;
mod sensitivity;
mod series;
mod show;
mod sweep;
mod thread;
pub(crate) mod validate;

use crate::plan::Plan;
use crate::{Exit, Failure, Streams};

/// Carries a plan out.
pub(crate) fn carry_out(plan: Plan, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match plan {
        Plan::Run { scenario, json, log, force } => {
            let log = log.as_ref().map(|(form, file)| (*form, file.as_str()));
            run::run(&scenario, json, log, force, streams)
        }
        Plan::Link { shared } => {
            writeln!(streams.stdout, "{}", scenario::link::encode_shared(&shared))?;
            Ok(Exit::Done)
        }
        Plan::Explain { rows } => {
            for line in crate::table::pairs(&rows) {
                writeln!(streams.stdout, "{line}")?;
            }
            Ok(Exit::Done)
        }
        Plan::Show { shared, json } => show::show(&shared, json, streams),
        Plan::Series { scenario, form, force } => series::series(&scenario, form, force, streams),
        Plan::Overlay { overlay, json, force } => overlay::overlay(&overlay, json, force, streams),
        Plan::Presets { json } => show::presets(json, streams),
        Plan::Sweep { sweep, force } => sweep::sweep(&sweep, force, streams),
        Plan::Merge { files, table } => merge::merge(&files, table, streams),
        Plan::Compare { comparison, csv: true, force, .. } => {
            compare::replications(&comparison, force, streams)
        }
        Plan::Compare { comparison, json, force, .. } => {
            compare::compare(&comparison, json, force, streams)
        }
        Plan::Mail { comparison, page, force } => mail::mail(&comparison, &page, force, streams),
        Plan::Machine { zoneinfo, sysctl, json } => {
            machine::machine(&zoneinfo, sysctl.as_ref(), json, streams)
        }
        Plan::Kernel { folders, json } => kernel::kernel(&folders, json, streams),
        Plan::Validate { wanted, format } => validate::validate(&wanted, &format, streams),
        Plan::Thread { name, write } => thread::thread(name, write.as_deref(), streams),
        Plan::Sensitivity { study, json, write, resume } => {
            let (folder, runs) = (write.as_deref(), resume.as_deref());
            sensitivity::sensitivity(&study, json, folder, runs, streams)
        }
        Plan::Predict { index, out, reps } => predict::predict(&index, &out, reps, streams),
    }
}

/// Writes JSON over several lines.
fn write_json(text: serde_json::Result<String>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let text = text.expect("reports and scenarios have text keys and finite numbers");
    writeln!(streams.stdout, "{text}")?;
    Ok(())
}
