//! Whether the 95 % intervals hold what they promise: over many repeats they must cover the truth
//! about as often as they say, on a queue whose mean is known and on a small machine.

use engine::Stream;
use engine::dist::Exponential;
use lab::compare::replication;
use report::stats::Spread;
use scenario::Scenario;

/// Replications of one interval.
const REPS: usize = 20;

fn is_soak() -> bool {
    std::env::var_os("RECLAIMSCOPE_SOAK").is_some()
}

/// Share of the intervals, one for every [`REPS`] values, that hold the truth.
fn covered(values: &[f64], truth: f64) -> f64 {
    let repeats = values.chunks_exact(REPS);
    let n = repeats.len() as f64;
    let hits = repeats.filter(|values| {
        let spread = Spread::of(values);
        let half = spread.half_width().expect("more than one value");
        (spread.mean - truth).abs() <= half
    });
    hits.count() as f64 / n
}

/// Mean wait of 2,000 customers of a queue with one server, arrivals at half its rate, both at
/// random (M/M/1), that begins in its steady state.
fn mean_wait(seed: u64, delays: &Exponential) -> f64 {
    const SERVICE: u64 = 1_000_000;
    let mut stream = Stream::new(seed, "queue", 0);
    // In the steady state half of the customers wait, for a time that is exponential itself.
    let mut wait = if stream.below(2) == 0 { 0 } else { delays.draw(&mut stream, 2 * SERVICE) };
    let mut sum = 0;
    for _ in 0..2_000 {
        sum += wait;
        let service = delays.draw(&mut stream, SERVICE);
        wait = (wait + service).saturating_sub(delays.draw(&mut stream, 2 * SERVICE));
    }
    sum as f64 / 2_000.0
}

#[test]
fn intervals_cover_the_known_mean_of_a_queue() {
    let delays = Exponential::default();
    let waits: Vec<f64> = (0..200 * REPS as u64).map(|seed| mean_wait(seed, &delays)).collect();
    // Load times service over what the load leaves: one service.
    let share = covered(&waits, 1_000_000.0);
    println!("the mean of the queue lies in {share:.3} of 200 intervals");
    assert!((0.90..=0.99).contains(&share), "{share}");
    assert!(covered(&waits, 1_100_000.0) < 0.9, "a wrong truth is seen");
}

#[test]
fn intervals_cover_the_mean_and_the_paired_difference_on_tiny() {
    let (repeats, bounds) = if is_soak() { (200, 0.90..=0.99) } else { (25, 0.80..=1.0) };
    let arm = |readers: &str, seed: &str| {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        for (key, value) in [("readers", readers), ("duration", "100ms"), ("seed", seed)] {
            scenario.set_text(key, value).expect("a valid setting");
        }
        scenario
    };
    let runs = |readers: &str, seed: &str| -> Vec<f64> {
        let base = arm(readers, seed);
        let jobs: Vec<Scenario> =
            (0..(repeats * REPS) as u32).map(|i| replication(&base, i)).collect();
        let reports = lab::sweep(&jobs).into_iter();
        reports.map(|report| report.expect("a valid scenario").throughput).collect()
    };
    let paired = |seed: &str| -> Vec<[f64; 2]> {
        let both = runs("2", seed).into_iter().zip(runs("1", seed));
        both.map(|(b, a)| [a, b - a]).collect()
    };
    let (one, other) = (paired("1"), paired("2"));
    for (what, name) in ["throughput", "difference"].into_iter().enumerate() {
        // The truth is the mean of other seeds, as many again.
        let column = |rows: &[[f64; 2]]| -> Vec<f64> { rows.iter().map(|r| r[what]).collect() };
        let truth = Spread::of(&column(&other)).mean;
        let share = covered(&column(&one), truth);
        println!("tiny, {name}: the mean lies in {share:.3} of {repeats} intervals");
        assert!(bounds.contains(&share), "{name}: {share}");
    }
}
