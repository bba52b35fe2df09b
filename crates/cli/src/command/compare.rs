//! Arms of one question, side by side.

use super::{cost, write_json};
use crate::plan::Compared;
use crate::table::{lines, row};
use crate::{Exit, Failure, Streams};
use catalog::ControlId;
use report::compare::{Comparison, FIGURES, Paired, Verdict, Warm};
use scenario::Scenario;

/// Runs what is to be compared, if the user wants it, and says whether a mail had other numbers.
pub(super) fn simulate(
    compared: &Compared,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Comparison, Failure> {
    let Compared { shared, reps, warm, claim } = compared;
    let again = |first: &Scenario| {
        let mut again = first.clone();
        // A warm-up that is shared is simulated once.
        if *warm == Warm::Shared {
            again.set(ControlId::Warmup, 0).expect("nothing is a warm-up");
        }
        again
    };
    let mut runs = Vec::new();
    for arm in shared.all_arms() {
        runs.extend(std::iter::repeat_n(again(&arm.scenario), *reps as usize - 1));
        runs.push(arm.scenario);
    }
    cost::allow(&runs, force, streams)?;
    let comparison =
        lab::compare::compare(shared, *reps, *warm).map_err(|problems| Failure::all(&problems))?;
    if let Some(claim) = claim {
        let letter = |name: &str| name.chars().next().unwrap_or('?');
        let digests: Vec<(char, String)> =
            comparison.arms.iter().map(|a| (letter(&a.name), a.digest.clone())).collect();
        if let Some(note) = claim.differs(&digests) {
            writeln!(streams.stderr, "note: {note} So it is with another number of replications.")?;
        }
    }
    Ok(comparison)
}

/// Compares the arms and prints means, spreads and paired differences.
pub(super) fn compare(
    compared: &Compared,
    json: bool,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let comparison = simulate(compared, force, streams)?;
    if json {
        write_json(serde_json::to_string_pretty(&comparison), streams)?;
        return Ok(Exit::Done);
    }
    writeln!(streams.stdout, "{}: {}", comparison.preset, comparison.title)?;
    writeln!(
        streams.stdout,
        "SIMULATED by model {}, {} replications an arm on common random numbers, seed {}",
        comparison.model,
        comparison.seeds.len(),
        comparison.seeds[0]
    )?;
    let window = report::window::seconds(comparison.window_s);
    writeln!(streams.stdout, "warm-up: {}; then {window} are measured", comparison.warmup)?;
    writeln!(streams.stdout, "link {}", comparison.link)?;
    for arm in &comparison.arms {
        let (title, sets) = (arm.title(), &arm.sets);
        writeln!(streams.stdout, "arm {title}: {sets}  {}  digest {}", arm.link, arm.digest)?;
    }
    for warning in &comparison.warnings {
        writeln!(streams.stderr, "warning: {warning}")?;
    }
    writeln!(streams.stdout)?;
    for line in lines(&rows(&comparison)) {
        writeln!(streams.stdout, "{line}")?;
    }
    writeln!(streams.stdout)?;
    writeln!(
        streams.stdout,
        "+/- is half of the paired 95 % interval; = means no detectable difference"
    )?;
    Ok(Exit::Done)
}

/// Prints every figure of every replication, a line each.
pub(super) fn replications(
    compared: &Compared,
    force: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let c = simulate(compared, force, streams)?;
    let out = &mut streams.stdout;
    writeln!(out, "# SIMULATED with reclaimscope, model {}, ledger {}", c.model, c.ledger)?;
    writeln!(out, "# link {}", c.link)?;
    writeln!(out, "# warm-up: {}", c.warmup)?;
    writeln!(out, "arm,name,replication,seed,figure,value")?;
    for arm in &c.arms {
        for (figure, values) in &arm.values {
            for (i, (value, seed)) in values.iter().zip(&c.seeds).enumerate() {
                let (letter, name) = (&arm.name, &arm.label);
                writeln!(out, "{letter},{name},{i},{seed},{figure},{value}")?;
            }
        }
    }
    Ok(Exit::Done)
}

fn rows(comparison: &Comparison) -> Vec<Vec<String>> {
    let first = &comparison.arms[0].name;
    let names = comparison.arms.iter().flat_map(|a| [a.name.clone(), "sd".to_owned()]);
    let others = comparison.arms.iter().skip(1).map(|a| format!("{} - {first}", a.name));
    let mut rows = vec![row(std::iter::once(String::new()).chain(names).chain(others))];
    for figure in FIGURES {
        let spreads = comparison.arms.iter().map(|a| a.means[figure.name]);
        let cells = spreads.flat_map(|s| [number(s.mean), number(s.sd)]);
        let paired = comparison.paired.iter().filter(|p| p.figure == figure.name).map(difference);
        rows.push(row(std::iter::once(figure.words.to_owned()).chain(cells).chain(paired)));
    }
    rows
}

/// A difference as it is read: per cent, interval, a mark.
fn difference(p: &Paired) -> String {
    let mark = match p.verdict {
        Verdict::Higher => "+",
        Verdict::Lower => "-",
        Verdict::None => "=",
        Verdict::Unknown => "?",
    };
    match (p.per_cent, p.half_width) {
        (Some(per_cent), Some(half)) if p.difference != 0.0 => {
            let half = half * (per_cent / p.difference).abs();
            format!("{per_cent:+.2} +/-{half:.2} % {mark}")
        }
        (Some(per_cent), _) => format!("{per_cent:+.2} % {mark}"),
        (None, Some(half)) => format!("{} +/-{} {mark}", number(p.difference), number(half)),
        (None, None) => format!("{} {mark}", number(p.difference)),
    }
}

/// Four significant digits, more only before the point.
fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size == 0.0 => "0".to_owned(),
        _ if size >= 1e9 => format!("{:.3}e9", value / 1e9),
        _ if size >= 1_000.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_read_as_they_are_meant() {
        let mut p = Paired {
            figure: "throughput".into(),
            arm: "B".into(),
            difference: 5.0,
            half_width: Some(1.0),
            per_cent: Some(2.5),
            verdict: Verdict::Higher,
        };
        assert_eq!(difference(&p), "+2.50 +/-0.50 % +");
        p.verdict = Verdict::None;
        p.difference = -0.0;
        p.per_cent = Some(0.0);
        assert_eq!(difference(&p), "+0.00 % =");
        p.per_cent = None;
        p.half_width = None;
        p.verdict = Verdict::Unknown;
        p.difference = 12.345;
        assert_eq!(difference(&p), "12.35 ?");
    }
}
