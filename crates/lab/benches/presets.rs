//! The model's benchmark: `cargo bench -p reclaimscope-lab --bench presets`.
//!
//! CPU seconds that one simulated second takes, after an untimed warm-up, on one thread. The bar is
//! the project's; a MISS is a report, not a failure.
//!
//! Arguments after `--`: `--rounds N` (default 3); parts of the names of the cases to run (default:
//! all).

use catalog::ControlId;
use reclaimscope_lab::Run;
use scenario::Scenario;

/// Name, preset, settings, bar in CPU seconds a simulated second.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], f64);

const CASES: [Case; 4] = [
    ("kbuild2026 A", "kbuild2026", &[], 0.75),
    ("kbuild2026 B", "kbuild2026", &[("allocator", "device-plist")], 0.75),
    ("kbuild2026 C", "kbuild2026", &[("allocator", "ring")], 0.75),
    ("lumpkin2018, 58 readers", "lumpkin2018", &[("readers", "58"), ("kswapds", "4")], 0.75),
];
/// Simulated nanoseconds that are timed.
const WINDOW: i64 = 1_000_000_000;

/// Seconds that this thread has been on a CPU, where the system tells; else of the wall clock.
fn cpu_seconds(start: std::time::Instant) -> f64 {
    // Giving way brings the kernel's account of this thread up to date.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    nanos.map_or_else(|| start.elapsed().as_secs_f64(), |nanos| nanos as f64 / 1e9)
}

/// CPU seconds of the window, and its events.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures real time")]
fn measure(preset: &str, settings: &[(&str, &str)]) -> (f64, u64) {
    let mut scenario = Scenario::preset(preset).expect("a preset");
    for (key, value) in settings {
        scenario.set_text(key, value).expect("a setting");
    }
    let warmup = 1_000_000_000;
    scenario.set(ControlId::Warmup, warmup).expect("within bounds");
    scenario.set(ControlId::Duration, WINDOW).expect("within bounds");
    let mut run = Run::prepare(&scenario).expect("a valid preset").without_recording();
    while run.time_ns() < warmup.unsigned_abs() {
        run.advance(10_000);
    }
    let (events, start) = (run.events(), std::time::Instant::now());
    let before = cpu_seconds(start);
    run.advance(u64::MAX);
    (cpu_seconds(start) - before, run.events() - events)
}

fn main() {
    let mut rounds = 3_usize;
    let mut names: Vec<String> = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--rounds" => {
                let number = args.next().and_then(|n| n.parse().ok());
                rounds = number.expect("--rounds takes a number");
            }
            _ => names.push(arg),
        }
    }
    println!("CPU seconds a simulated second, the least of {rounds}");
    for (name, preset, settings, bar) in CASES {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let all: Vec<(f64, u64)> = (0..rounds.max(1)).map(|_| measure(preset, settings)).collect();
        let least = all.iter().copied().fold((f64::MAX, 0), |a, b| if b.0 < a.0 { b } else { a });
        let met = if least.0 <= bar { "met" } else { "MISS" };
        let events = least.1 as f64 / 1e6;
        println!(
            "{name:<26} {:.3}  bar {bar}  {met}  {events:.2} M events, {:.0} ns each",
            least.0,
            least.0 * 1e3 / events
        );
    }
}
