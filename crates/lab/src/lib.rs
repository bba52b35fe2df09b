//! The facade: scenario -> run -> report. The only crate that joins scenario, model and report.
