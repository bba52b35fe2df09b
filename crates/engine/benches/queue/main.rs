//! The engine's benchmark: `cargo bench -p reclaimscope-engine`.
//!
//! HOLD and LOCK through the engine's public API (queue, locks, digest, run loop), in one
//! interleaved run with two references: a std `BinaryHeap` in the same order, and limit B, which is
//! the model's own work in recorded order without any queue. All three must have the same digest.
//! Printed are M events a CPU second, medians over the rounds, and medians of the ratios inside a
//! round: only ratios mean anything on another machine. A MISS is a report, not a failure.
//!
//! Arguments after `--`: `--rounds N` (default 9); parts of the names of the cases to run (default:
//! all); `--raw` prints only the engine's `name digest nanoseconds`, for `examples/wasm_bench.mjs`.

mod models;
mod rivals;

use models::{CASES, Engine, Hold, Kind, Lock, Work, start};
use rivals::{Heap, Replay, Rival, record};
use std::hint::black_box;

/// Events of one timed run.
const EVENTS: u64 = 1_000_000;

/// Nanoseconds that this thread has been on a CPU, where the system tells; else of the wall clock.
/// Other load on the machine then counts as little as it can.
fn cpu_nanos(start: std::time::Instant) -> u64 {
    // Giving way brings the kernel's account of this thread up to date.
    std::thread::yield_now();
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|line| line.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| start.elapsed().as_nanos() as u64)
}

/// The nanoseconds that `run` took, and what it returned.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures real time")]
fn timed(run: impl FnOnce() -> u64) -> (u64, u64) {
    let start = std::time::Instant::now();
    let before = cpu_nanos(start);
    let digest = black_box(run());
    (cpu_nanos(start) - before, digest)
}

/// Digest of a timed run from a fresh start, after one untimed quarter.
struct Timed {
    nanos: u64,
    digest: u64,
}

/// One model of one size, on the three queues.
trait Case {
    fn name(&self) -> &str;
    fn engine(&self, events: u64) -> Timed;
    fn heap(&self, events: u64) -> Timed;
    fn limit(&self, events: u64) -> Timed;
}

struct Of<W> {
    name: &'static str,
    engine: Engine<W>,
    heap: Rival<Heap, W>,
    limit: Rival<Replay, W>,
}

impl<W: Work + Clone + 'static> Of<W> {
    fn boxed(name: &'static str, work: W, events: u64) -> Box<dyn Case> {
        let n = work.entities();
        let order = record(work.clone(), events + events / 4);
        Box::new(Self {
            name,
            engine: Engine::new(work.clone()),
            heap: Rival::new(Heap::new(n), work.clone()),
            limit: Rival::new(Replay::new(n, order), work),
        })
    }
}

impl<W: Work + Clone> Case for Of<W> {
    fn name(&self) -> &str {
        self.name
    }
    fn engine(&self, events: u64) -> Timed {
        let mut run = black_box(self.engine.clone());
        run.run(events / 4);
        let (nanos, digest) = timed(|| run.run(events));
        Timed { nanos, digest }
    }
    fn heap(&self, events: u64) -> Timed {
        let mut run = black_box(self.heap.clone());
        run.run(events / 4);
        let (nanos, digest) = timed(|| run.run(events));
        Timed { nanos, digest }
    }
    fn limit(&self, events: u64) -> Timed {
        let mut run = black_box(self.limit.clone());
        run.run(events / 4);
        let (nanos, digest) = timed(|| run.run(events));
        Timed { nanos, digest }
    }
}

/// The cases whose names the command line wants.
fn cases(asked: &Asked) -> Vec<Box<dyn Case>> {
    let wanted = CASES.iter().filter(|(name, _)| asked.wants(name));
    wanted
        .map(|&(name, kind)| match kind {
            Kind::Hold { population, rearm } => {
                Of::boxed(name, Hold::new(population, rearm), asked.events)
            }
            Kind::Lock { threads, locks } => {
                Of::boxed(name, Lock::new(threads, locks), asked.events)
            }
        })
        .collect()
}

/// Prints what the engine alone takes: name, digest, nanoseconds.
fn raw(asked: &Asked) {
    for _ in 0..asked.rounds {
        for (name, kind) in CASES.iter().filter(|(name, _)| asked.wants(name)) {
            let mut run = start(*kind);
            run(asked.events / 4);
            let (nanos, digest) = timed(|| run(asked.events));
            println!("{name}\t{digest:016x}\t{nanos}");
        }
    }
}

/// Nanoseconds of every round, by queue.
#[derive(Default)]
struct Rounds {
    engine: Vec<f64>,
    heap: Vec<f64>,
    limit: Vec<f64>,
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Rounds {
    fn of_limit(&self) -> f64 {
        median(self.limit.iter().zip(&self.engine).map(|(l, e)| l / e))
    }
    fn of_heap(&self) -> f64 {
        median(self.heap.iter().zip(&self.engine).map(|(h, e)| h / e))
    }
}

fn measure(cases: &[Box<dyn Case>], rounds: usize, events: u64) -> Vec<Rounds> {
    let mut all: Vec<Rounds> = cases.iter().map(|_| Rounds::default()).collect();
    for _ in 0..rounds {
        for (case, rounds) in cases.iter().zip(&mut all) {
            let (engine, heap, limit) =
                (case.engine(events), case.heap(events), case.limit(events));
            assert_eq!(
                engine.digest,
                heap.digest,
                "{}: another order than the heap's",
                case.name()
            );
            assert_eq!(engine.digest, limit.digest, "{}: another order than recorded", case.name());
            rounds.engine.push(engine.nanos as f64);
            rounds.heap.push(heap.nanos as f64);
            rounds.limit.push(limit.nanos as f64);
        }
    }
    all
}

/// What is asked: case, of limit B (else of the heap), at least, and the stretch.
const ASKED: &[(&str, bool, f64, Option<f64>)] = &[
    ("LOCK 96/8", true, 0.45, Some(0.55)),
    ("LOCK 96/8", false, 1.6, None),
    ("LOCK 8/8", true, 0.5, None),
    ("HOLD 1,000", false, 3.0, Some(4.0)),
    ("HOLD 1,000 re-arm", false, 3.0, None),
];

fn report(cases: &[Box<dyn Case>], all: &[Rounds], events: u64) {
    println!(
        "{:<20} {:>9} {:>11} {:>8} {:>9} {:>8}",
        "M events/s", "engine", "BinaryHeap", "limit B", "of limit", "of heap"
    );
    let speed = |nanos: &[f64]| events as f64 * 1e3 / median(nanos.iter().copied());
    for (case, rounds) in cases.iter().zip(all) {
        println!(
            "{:<20} {:>9.1} {:>11.1} {:>8.1} {:>9.2} {:>8.2}",
            case.name(),
            speed(&rounds.engine),
            speed(&rounds.heap),
            speed(&rounds.limit),
            rounds.of_limit(),
            rounds.of_heap(),
        );
    }
    println!("\nasked");
    for &(name, of_limit, least, stretch) in ASKED {
        let Some(i) = cases.iter().position(|c| c.name() == name) else { continue };
        let (ratio, unit) = if of_limit {
            (all[i].of_limit(), "of limit B")
        } else {
            (all[i].of_heap(), "times BinaryHeap")
        };
        let verdict = match stretch {
            _ if ratio < least => "MISS",
            Some(stretch) if ratio >= stretch => "PASS, stretch too",
            _ => "PASS",
        };
        let stretch = stretch.map_or(String::new(), |s| format!(" (stretch {s})"));
        println!("{name:<20} {ratio:>5.2} {unit}, at least {least}{stretch}: {verdict}");
    }
}

/// What the command line asks for.
struct Asked {
    events: u64,
    rounds: usize,
    raw: bool,
    /// Only cases whose name contains one of these; all when empty.
    filters: Vec<String>,
}

impl Asked {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Self {
        // Without --bench (cargo test --benches) this only checks that the digests agree.
        let mut asked = Self { events: 20_000, rounds: 1, raw: false, filters: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => (asked.events, asked.rounds) = (EVENTS, asked.rounds.max(9)),
                "--raw" => (asked.events, asked.raw) = (EVENTS, true),
                "--rounds" => {
                    let number = arguments.next().and_then(|n| n.parse().ok());
                    asked.rounds = number.expect("--rounds takes a number");
                }
                _ => asked.filters.push(argument),
            }
        }
        asked
    }

    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|part| name.contains(part.as_str()))
    }
}

fn main() {
    let asked = Asked::parse(std::env::args().skip(1));
    if asked.raw {
        raw(&asked);
    } else {
        let cases = cases(&asked);
        report(&cases, &measure(&cases, asked.rounds, asked.events), asked.events);
    }
}
