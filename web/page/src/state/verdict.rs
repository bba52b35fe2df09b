//! The report as sentences: what a person reads first.

use chart::words;
use report::Report;
use report::summary::Worker;
use report::view::WorkerState;

/// Seconds that all workers spent in a state.
#[must_use]
pub fn worker_seconds(report: &Report, state: WorkerState) -> f64 {
    let of = |worker: &Worker| worker.seconds.get(state.name()).copied().unwrap_or(0.0);
    report.workers.iter().map(of).sum()
}

/// Pages scanned by direct reclaim, as a share of all; none when nothing was scanned.
#[must_use]
pub fn direct_share(report: &Report) -> Option<f64> {
    let count = |name: &str| report.vmstat.get(name).copied().unwrap_or(0) as f64;
    let (kswapd, direct) = (count("pgscan_kswapd"), count("pgscan_direct"));
    (kswapd + direct > 0.0).then(|| direct / (kswapd + direct))
}

/// CPUs that all kswapds used, on average.
#[must_use]
pub fn kswapd_cpus(report: &Report) -> f64 {
    if report.window_s > 0.0 { report.kswapd_cpu_s / report.window_s } else { 0.0 }
}

/// CPU seconds of one use.
#[must_use]
pub fn cpu(report: &Report, name: &str) -> f64 {
    report.cpu_s.get(name).copied().unwrap_or(0.0)
}

/// CPU microseconds a page that tasks reclaimed, waits for locks among them; none where kswapd
/// reclaimed pages too, whose time cannot be told apart from theirs.
#[must_use]
pub fn direct_us(report: &Report) -> Option<f64> {
    let count = |name: &str| report.vmstat.get(name).copied().unwrap_or(0) as f64;
    let pages = count("pgsteal_direct");
    let uses = ["direct_work", "swap_spin", "lock_spin", "isolating", "tlb_wait"];
    let seconds: f64 = uses.iter().map(|name| cpu(report, name)).sum();
    let is_alone = count("pgsteal_kswapd") == 0.0 && report.kswapd_cpu_s == 0.0;
    (is_alone && pages > 0.0 && seconds > 0.0).then(|| seconds * 1e6 / pages)
}

/// What came out, in one to five sentences.
#[must_use]
pub fn verdict(report: &Report) -> String {
    let mut text = reads(report);
    for part in [workers(report), lock(report), direct(report), cost(report)].into_iter().flatten()
    {
        text.push(' ');
        text.push_str(&part);
    }
    text
}

fn reads(report: &Report) -> String {
    match report.latency_us.count {
        0 if report.throughput == 0.0 => "Nothing was done.".into(),
        _ if !report.throughput_unit.starts_with("bytes") => format!(
            "The tasks did {} {} a second.",
            words::decimal(report.throughput),
            report.throughput_unit
        ),
        _ => format!("Readers got {}.", words::bytes_per_second(report.throughput)),
    }
}

fn workers(report: &Report) -> Option<String> {
    let workers = report.workers.len();
    if workers == 0 || report.window_s <= 0.0 {
        return None;
    }
    let share = kswapd_cpus(report) / workers as f64;
    Some(match (share == 0.0, workers) {
        (true, 1) => "kswapd had nothing to do.".into(),
        (true, _) => "The kswapds had nothing to do.".into(),
        (false, 1) => format!("kswapd used {} of a CPU.", words::percent(share)),
        (false, _) => format!("Each kswapd used {} of a CPU.", words::percent(share)),
    })
}

/// What lru_lock cost them; nothing where it did not matter.
fn lock(report: &Report) -> Option<String> {
    let spin = worker_seconds(report, WorkerState::SpinLru);
    if report.kswapd_cpu_s <= 0.0 || spin / report.kswapd_cpu_s < 0.005 {
        return None;
    }
    let share = words::percent(spin / report.kswapd_cpu_s);
    Some(format!("{share} of that went into waiting for lru_lock."))
}

fn direct(report: &Report) -> Option<String> {
    Some(match direct_share(report)? {
        0.0 => "No direct reclaim.".into(),
        share => format!("Direct reclaim scanned {} of the pages.", words::percent(share)),
    })
}

/// What direct reclaim cost where it was all there was.
fn cost(report: &Report) -> Option<String> {
    let us = direct_us(report)?;
    let pages = report.vmstat.get("pgsteal_direct").copied().unwrap_or(0) as f64;
    let spin = cpu(report, "swap_spin") * 1e6 / pages / us;
    let what =
        if report.vmstat.get("pswpout").is_some_and(|&n| n > 0) { "swapping" } else { "freeing" };
    let mut text =
        format!("Each page took {} us of CPU time of the {what} tasks", words::three(us));
    if spin >= 0.005 {
        text.push_str(&format!(", {} of it spinning for swap locks", words::percent(spin)));
    }
    text.push('.');
    Some(text)
}

#[cfg(test)]
pub(crate) fn swapping() -> Report {
    let cpu_s = [("direct_work", 0.2), ("swap_spin", 0.3), ("application", 9.0)];
    let vmstat = [("pgscan_direct", 20_000), ("pgsteal_direct", 20_000), ("pswpout", 20_000)];
    Report {
        cpu_s: cpu_s.map(|(name, s)| (name.to_owned(), s)).into(),
        vmstat: vmstat.map(|(name, n)| (name.to_owned(), n)).into(),
        kswapd_cpu_s: 0.0,
        workers: Vec::new(),
        ..sample()
    }
}

#[cfg(test)]
pub(crate) fn sample() -> Report {
    use report::summary::Latency;
    let worker = |n: u32| {
        let states = [
            (WorkerState::Asleep, 0.4),
            (WorkerState::SpinLru, 0.6),
            (WorkerState::PageWork, 0.8),
            (WorkerState::Isolating, 0.2),
        ];
        let seconds = states.map(|(state, s)| (state.name().to_owned(), s));
        Worker {
            name: format!("kswapd0:{n}"),
            node: 0,
            seconds: seconds.clone().into(),
            nanos: seconds.map(|(name, s)| (name, (s * 1e9) as u64)).into(),
            pgscan: 1_000_000,
            pgsteal: 1_000_000,
        }
    };
    Report {
        kind: "SIMULATED".into(),
        model: "0".into(),
        link: "v1.tiny.x".into(),
        preset: "tiny".into(),
        seed: 1,
        digest: "0123456789abcdef".into(),
        start: "full".into(),
        warmup_s: 0.0,
        window_s: 2.0,
        stopped: "window".into(),
        events: 1_000,
        throughput_unit: "bytes read".into(),
        operation: "window".into(),
        throughput: 21.84e9,
        latency_us: Latency { p50: 100.0, p99: 900.0, p999: 1_000.0, max: 2_000.0, count: 9 },
        direct_reclaim_us: Latency::default(),
        vmstat: [
            ("pgscan_kswapd".to_owned(), 2_000_000),
            ("pgscan_direct".to_owned(), 0),
            ("pgsteal_kswapd".to_owned(), 2_000_000),
        ]
        .into(),
        cpu_s: [].into(),
        kswapd_cpu_s: 3.2,
        kswapd_us_per_page: Some(1.6),
        workers: vec![worker(0), worker(1)],
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_become_sentences() {
        assert_eq!(
            verdict(&sample()),
            "Readers got 21.8 GB/s. Each kswapd used 80 % of a CPU. 37 % of that went into waiting \
             for lru_lock. No direct reclaim."
        );
    }

    #[test]
    fn direct_reclaim_alone_is_told_by_its_cost_a_page() {
        assert_eq!(
            verdict(&swapping()),
            "Readers got 21.8 GB/s. Direct reclaim scanned 100 % of the pages. Each page took 25.0 \
             us of CPU time of the swapping tasks, 60 % of it spinning for swap locks."
        );
    }

    #[test]
    fn what_did_not_matter_is_left_out() {
        let mut report = sample();
        report.workers.truncate(1);
        report.workers[0].seconds.clear();
        report.kswapd_cpu_s = 0.0;
        report.vmstat.insert("pgscan_kswapd".into(), 0);
        assert_eq!(verdict(&report), "Readers got 21.8 GB/s. kswapd had nothing to do.");
        report.vmstat.insert("pgscan_direct".into(), 7);
        report.throughput = 0.0;
        report.latency_us.count = 0;
        assert_eq!(
            verdict(&report),
            "Nothing was done. kswapd had nothing to do. Direct reclaim scanned 100 % of the pages."
        );
    }
}
