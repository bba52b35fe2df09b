//! What components show, derived from the state.

use super::State;
use super::run::{Phase, Run};
use super::verdict;
use crate::picture::bar::Part;
use crate::picture::sketch::{Paint, Pattern};
use catalog::ControlId;
use chart::{Ink, words};
use report::Report;
use report::view::WorkerState;
use scenario::{Scenario, link};

/// The page's title: `lumpkin2018 - 58 readers, 4 kswapds a node`.
#[must_use]
pub fn title(scenario: &Scenario) -> String {
    let count = |id: ControlId, one: &str| words::plural(scenario.get(id).unsigned_abs(), one);
    // The first workload reads files from end to end; the tasks of others are no readers.
    let reads = scenario.get(ControlId::Workload) == 0;
    format!(
        "{} - {}, {} a node",
        scenario.preset.name,
        count(ControlId::Readers, if reads { "reader" } else { "task" }),
        count(ControlId::Kswapds, "kswapd")
    )
}

/// What stands beside SIMULATED: what the results are of.
#[must_use]
pub fn stand(run: &Run) -> String {
    let Some(outcome) = &run.outcome else {
        return match run.phase {
            Phase::Asked | Phase::Running => "running, results at the end of the window".into(),
            _ => "no results yet".into(),
        };
    };
    if run.is_stale() {
        return difference(&outcome.scenario, &run.scenario);
    }
    let report = &outcome.report;
    let window = words::nanos(report.window_s * 1e9);
    format!("one run of {window}, seed {}", report.seed)
}

/// Of what the old results are, against what is asked for now: `for k1, now k4`.
fn difference(old: &Scenario, new: &Scenario) -> String {
    if old.preset != new.preset {
        return format!("of {}, now {}", old.preset.name, new.preset.name);
    }
    let changed: Vec<_> = catalog::CONTROLS
        .iter()
        .filter(|control| old.get(control.id) != new.get(control.id))
        .collect();
    match changed[..] {
        [control] => {
            let name = control.label.to_ascii_lowercase();
            format!("for {name} {}, now {}", old.text(control.id), new.text(control.id))
        }
        [] => "of the run before".into(),
        _ => format!("of the run before, {} settings ago", changed.len()),
    }
}

/// What the run is doing, in a few words.
#[must_use]
pub fn status(state: &State) -> String {
    let run = &state.run;
    let events = || format!("{} events", words::decimal(run.shows.events as f64));
    match &run.phase {
        Phase::Idle => "reading the simulator".into(),
        Phase::Asked if run.model.is_none() => "reading the simulator".into(),
        Phase::Asked => "preparing".into(),
        Phase::Running => format!("simulating, {}", events()),
        Phase::Held => "ready".into(),
        Phase::Finished => format!("finished, {}", events()),
        Phase::Cancelled => format!("cancelled, {}", events()),
        Phase::TooLong(_) => "not begun".into(),
        Phase::Rejected(_) => "cannot be run".into(),
        Phase::Failed(_) => "stopped".into(),
    }
}

/// The scenario's link, without `#`, place and time.
#[must_use]
pub fn fragment(scenario: &Scenario) -> String {
    link::encode(scenario)
}

/// Where the time of a reclaimed page goes: CPU time of the workers, by what they did, with the
/// microseconds a page; that of direct reclaim when they reclaimed nothing. Empty when nobody did.
#[must_use]
pub fn page_time(report: &Report) -> (f64, Vec<Part>) {
    let pages = report.workers.iter().map(|worker| worker.pgsteal).sum::<u64>() as f64;
    let rows = [
        ("page work", WorkerState::PageWork, Paint::Ink(Ink::Work)),
        ("lru_lock wait", WorkerState::SpinLru, Paint::Pattern(Pattern::Lock)),
        ("isolating", WorkerState::Isolating, Paint::Pattern(Pattern::Iso)),
        ("zone->lock wait", WorkerState::SpinZone, Paint::Pattern(Pattern::Zone)),
        ("i_pages wait", WorkerState::SpinIPages, Paint::Ink(Ink::Io)),
    ];
    let seconds = rows.map(|(_, state, _)| verdict::worker_seconds(report, state));
    let total: f64 = seconds.iter().sum();
    if pages == 0.0 || total <= 0.0 {
        return direct_time(report);
    }
    let parts = rows.into_iter().zip(seconds).map(|((name, _, paint), seconds)| Part {
        name: name.into(),
        share: seconds / total,
        amount: format!("{} us", words::three(seconds * 1e6 / pages)),
        paint,
    });
    (total * 1e6 / pages, parts.collect())
}

/// Where the time of a page goes that a task reclaimed, where kswapd reclaimed none: CPU time of
/// all CPUs by use.
fn direct_time(report: &Report) -> (f64, Vec<Part>) {
    let Some(total) = verdict::direct_us(report) else { return (0.0, Vec::new()) };
    let rows = [
        ("page work", "direct_work", Paint::Ink(Ink::Direct)),
        ("swap lock spin", "swap_spin", Paint::Pattern(Pattern::Zone)),
        ("other lock spin", "lock_spin", Paint::Pattern(Pattern::Lock)),
        ("isolating", "isolating", Paint::Pattern(Pattern::Iso)),
        ("TLB flush wait", "tlb_wait", Paint::Ink(Ink::Io)),
    ];
    let sum: f64 = rows.iter().map(|(_, name, _)| verdict::cpu(report, name)).sum();
    let part = |(name, key, paint): (&str, &str, Paint)| {
        let share = verdict::cpu(report, key) / sum;
        let amount = format!("{} us", words::three(share * total));
        Part { name: name.into(), share, amount, paint }
    };
    (total, rows.into_iter().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_names_what_matters() {
        let mut scenario = Scenario::preset("tiny").unwrap();
        scenario.set(ControlId::Kswapds, 4).unwrap();
        assert_eq!(title(&scenario), "tiny - 1 reader, 4 kswapds a node");
    }

    #[test]
    fn old_results_say_of_what_they_are() {
        let old = Scenario::preset("tiny").unwrap();
        let mut new = old.clone();
        new.set(ControlId::Kswapds, 4).unwrap();
        assert_eq!(difference(&old, &new), "for kswapds a node 1, now 4");
        new.set(ControlId::Seed, 9).unwrap();
        assert_eq!(difference(&old, &new), "of the run before, 2 settings ago");
        let other = Scenario::preset("lumpkin2018").unwrap();
        assert_eq!(difference(&old, &other), "of tiny, now lumpkin2018");
    }

    #[test]
    fn the_time_of_a_page_sums_up() {
        let (total, parts) = page_time(&verdict::sample());
        assert!((total - 1.6).abs() < 1e-9, "{total}");
        let shares: f64 = parts.iter().map(|part| part.share).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        assert_eq!((parts[0].amount.as_str(), parts[1].amount.as_str()), ("0.80 us", "0.60 us"));
    }

    #[test]
    fn without_kswapd_a_pages_time_is_that_of_direct_reclaim() {
        let (total, parts) = page_time(&verdict::swapping());
        assert!((total - 25.0).abs() < 1e-9, "{total}");
        assert_eq!((parts[0].amount.as_str(), parts[1].amount.as_str()), ("10.0 us", "15.0 us"));
        let shares: f64 = parts.iter().map(|part| part.share).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    }
}
