//! The answer as a page of Markdown.

use super::{CASES, COUNTS, Case, PARTITIONS, Sensitivity, WORKERS, made_from, sensitivity};
use crate::{MODEL_VERSION, sweep_with};
use catalog::Ledger;
use report::Report;
use report::view::WorkerState;
use scenario::{Problem, link};

/// Seeds of the tables of workers.
const SEEDS: u32 = 3;
/// What eight kswapds a node brought for one (D02: 183,639 for 171,146 requests a second).
const PUBLISHED: f64 = 0.073;

/// Runs everything and writes it up.
///
/// # Errors
/// A scenario that the model refuses.
pub fn document() -> Result<String, Vec<Problem>> {
    let mut rest = String::new();
    let mut said = String::new();
    for (number, case) in CASES.iter().enumerate() {
        rest.push_str(&format!("\n## {}\n\n", case.name));
        let gain = workers(case, &mut rest)?;
        let lines = sensitive(case, &mut rest)?;
        if number == 0 {
            said = verdict(gain, &lines);
        }
    }
    Ok(format!(
        "# What more kswapds a node bring, and what binds then\n\n\
         SIMULATED by model {MODEL_VERSION}, made from ledger and presets {}. Written by \
         `reclaimscope thread`; do not edit.\n\n\
         **{said}**\n\n\
         The thread: seven more kswapds a node gave Cassandra 7.3 % more requests a second and a \
         99th percentile 5.9 % lower (D02). Does lru_lock bind, and would LRU lists in partitions \
         change it?\n\n\
         The preset `cassandra2026` was set so that one kswapd a node gives the published rate and \
         99th percentile, by CPU time a request and drive bandwidth alone. Machine, data and \
         drives are not published: they are assumptions. What eight workers give is a result. A \
         limit is found by relieving it: {PARTITIONS} LRU partitions a node (lock), drives of \
         twice the bandwidth and half the latency (device). What brings most binds; if neither \
         brings {:.0} %, reclaim is a small part of the request path.\n{rest}",
        made_from(),
        COUNTS * 100.0,
    ))
}

/// What the model says of the published gain, and what would have to be otherwise, in a sentence.
fn verdict(gain: f64, lines: &[Sensitivity]) -> String {
    let says = match gain {
        gain if gain < 0.0 => "contradicts even the sign of the published gain",
        gain if gain < PUBLISHED / 2.0 => "does not show the published gain",
        _ => "is in line with the published gain",
    };
    let near = |line: &&Sensitivity| line.answer.workers >= PUBLISHED / 2.0;
    let one = |line: &Sensitivity| {
        let Sensitivity { name, value, answer } = line;
        format!("{name} at {value} ({:+.1} %)", answer.workers * 100.0)
    };
    let needed: Vec<String> = lines.iter().skip(1).filter(near).map(one).collect();
    let needs = match needed.is_empty() {
        true => "nothing that is varied below, one at a time, brings half of it".to_owned(),
        false => format!(
            "of all that is varied below, one at a time, these bring half of it or more: {}; the \
             mail says of none of them what it was",
            needed.join(", ")
        ),
    };
    format!(
        "The model {says}: eight kswapds a node for one give {:+.1} % requests a second here and \
         {:+.1} % in the mail; {needs}.",
        gain * 100.0,
        PUBLISHED * 100.0
    )
}

/// The table of workers, without and with partitions; what eight bring for one without.
fn workers(case: &Case, text: &mut String) -> Result<f64, Vec<Problem>> {
    let mut runs = Vec::new();
    for partitions in [1, PARTITIONS] {
        for n in WORKERS {
            for seed in 1..=SEEDS {
                let mut scenario = case.scenario(n).map_err(|p| vec![p])?;
                let ids = [
                    (catalog::ControlId::LruPartitions, partitions),
                    (catalog::ControlId::Seed, seed),
                ];
                for (id, value) in ids {
                    scenario.set(id, value.into()).map_err(|p| vec![p])?;
                }
                runs.push((scenario, Ledger::default()));
            }
        }
    }
    let reports = sweep_with(&runs).into_iter().collect::<Result<Vec<Report>, _>>()?;
    let first = &reports[0];
    text.push_str(&format!(
        "`{}`; {SEEDS} seeds, {} s of warm-up and a window of {} s each; sd over the seeds. CPU a \
         gained operation is what the added workers used more, over what the tasks got done more, \
         against the line above.\n\n",
        link::encode(&runs[0].0),
        first.warmup_s,
        first.window_s
    ));
    text.push_str(&format!(
        "| workers a node | partitions | {} | sd | gain | p99, ms | kswapd CPUs | of it spinning | \
         direct share | lru_lock held | us of kswapd a gained {} |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        case.unit,
        if case.scale < 1.0 { "MiB" } else { "request" }
    ));
    let mut before: Option<Row> = None;
    let mut done = Vec::new();
    let groups = reports
        .chunks(SEEDS as usize)
        .zip([1, PARTITIONS].iter().flat_map(|&partitions| WORKERS.map(|n| (n, partitions))));
    for (seeds, (n, partitions)) in groups {
        let row = Row::of(seeds, case.scale);
        let gained = before.as_ref().filter(|_| n > 1);
        let gain =
            gained.map_or("-".into(), |b| format!("{:+.1} %", (row.done / b.done - 1.0) * 100.0));
        let cost = gained.map_or("-".into(), |b| {
            let more = row.done - b.done;
            if more > row.sd.max(b.sd) {
                format!("{:.1}", (row.kswapd - b.kswapd) * 1e6 / more)
            } else {
                "nothing gained".into()
            }
        });
        text.push_str(&format!(
            "| {n} | {partitions} | {:.0} | {:.0} | {gain} | {:.2} | {:.2} | {:.0} % | {:.1} % | \
             {:.0} % | {cost} |\n",
            row.done,
            row.sd,
            row.p99,
            row.kswapd,
            row.spinning * 100.0,
            row.direct * 100.0,
            row.held * 100.0,
        ));
        done.push(row.done);
        before = Some(row);
    }
    Ok(done[WORKERS.len() - 1] / done[0] - 1.0)
}

/// A line of that table.
struct Row {
    done: f64,
    sd: f64,
    p99: f64,
    /// CPUs that kswapds kept busy.
    kswapd: f64,
    spinning: f64,
    direct: f64,
    held: f64,
}

impl Row {
    fn of(seeds: &[Report], scale: f64) -> Self {
        let n = seeds.len() as f64;
        let mean = |of: &dyn Fn(&Report) -> f64| seeds.iter().map(of).sum::<f64>() / n;
        let done = mean(&|r| r.throughput * scale);
        let off = |r: &Report| (r.throughput * scale - done) * (r.throughput * scale - done);
        let squares: f64 = seeds.iter().map(off).sum();
        Self {
            done,
            sd: (squares / (n - 1.0).max(1.0)).sqrt(),
            p99: mean(&|r| r.latency_us.p99 / 1e3),
            kswapd: mean(&|r| r.kswapd_cpu_s / r.window_s),
            spinning: mean(&|r| spinning(r) / r.kswapd_cpu_s.max(1e-9)),
            direct: mean(&|r| {
                let count = |name: &str| r.vmstat.get(name).copied().unwrap_or(0) as f64;
                let (kswapd, direct) = (count("pgscan_kswapd"), count("pgscan_direct"));
                direct / (kswapd + direct).max(1.0)
            }),
            held: mean(&|r| {
                let lru = r.locks.iter().filter(|lock| lock.name.contains("lru_lock"));
                lru.map(|lock| lock.utilisation).fold(0.0, f64::max)
            }),
        }
    }
}

/// Seconds that kswapds spun for locks.
fn spinning(report: &Report) -> f64 {
    let spins = WorkerState::ALL.iter().map(|s| s.name()).filter(|name| name.contains("spin"));
    let of = |name: &str| -> f64 {
        report.workers.iter().filter_map(|worker| worker.seconds.get(name)).sum()
    };
    spins.map(of).sum()
}

/// The table of ranges.
fn sensitive(case: &Case, text: &mut String) -> Result<Vec<Sensitivity>, Vec<Problem>> {
    let lines = sensitivity(case)?;
    text.push_str(
        "\nOver which ranges that holds (one seed; a constant at both ends of its range in the \
         ledger, an input at half and at twice its value):\n\n\
         | what is varied (its value) | to | 8 workers for 1 | then partitions | then drives | \
         the answer |\n|---|---:|---:|---:|---:|---|\n",
    );
    for line in &lines {
        let percent = |share: f64| format!("{:+.1} %", share * 100.0);
        let answer = &line.answer;
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            line.name,
            line.value,
            percent(answer.workers),
            percent(answer.lock),
            percent(answer.device),
            answer.binds().words()
        ));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::super::Answer;
    use super::*;

    #[test]
    fn the_sentence_says_the_sign_and_what_it_would_need() {
        let line = |name: &str, workers: f64| Sensitivity {
            name: name.into(),
            value: "2600".into(),
            answer: Answer { workers, lock: 0.0, device: 0.0 },
        };
        let lines = [line("as it is", 0.09), line("readers", -0.01), line("drives", 0.07)];
        let said = verdict(-0.017, &lines);
        assert!(said.starts_with("The model contradicts even the sign"), "{said}");
        assert!(
            said.contains("give -1.7 % requests a second here and +7.3 % in the mail"),
            "{said}"
        );
        assert!(said.contains("half of it or more: drives at 2600 (+7.0 %); the mail"), "{said}");
        assert!(!said.contains("readers") && !said.contains("as it is"), "{said}");
        assert_eq!(said.matches('.').count(), 4, "one sentence: {said}");
        assert!(verdict(0.01, &lines[..2]).contains("nothing that is varied below"));
        assert!(verdict(0.06, &lines).contains("is in line with"));
    }
}
