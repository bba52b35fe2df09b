//! The same scenario, seed and model give the same digest: again, in any slices, from a checkpoint,
//! with recording on or off. (wasm against native: tests/browser.)

use lab::{Progress, Run};
use scenario::Scenario;

fn scenario(preset: &str, settings: &[(&str, &str)]) -> Scenario {
    let mut scenario = Scenario::preset(preset).expect("a preset");
    for (key, value) in settings {
        scenario.set_text(key, value).expect("a valid setting");
    }
    scenario
}

/// Small, with everything that this model has: spill, direct reclaim, several workers.
fn small() -> Scenario {
    scenario(
        "tiny",
        &[
            ("nodes", "2"),
            ("cpus", "4"),
            ("memory", "8MiB"),
            ("readers", "12"),
            ("kswapds", "3"),
            ("lru_partitions", "2"),
            ("drive_bandwidth", "3000"),
            ("duration", "40ms"),
        ],
    )
}

fn prepare(scenario: &Scenario) -> Run {
    Run::prepare(scenario).expect("a valid scenario")
}

fn finish(mut run: Run, slice: u64) -> (String, u64) {
    while run.advance(slice) == Progress::Running {}
    assert_eq!(*run.progress(), Progress::Finished);
    (run.digest(), run.events())
}

#[test]
fn again_in_slices_and_without_recording() {
    let scenario = small();
    let whole = finish(prepare(&scenario), u64::MAX);
    assert!(whole.1 > 10_000, "{} events exercise nothing", whole.1);
    assert_eq!(finish(prepare(&scenario), u64::MAX), whole);
    assert_eq!(finish(prepare(&scenario), 1), whole);
    assert_eq!(finish(prepare(&scenario), 1_000), whole);
    assert_eq!(finish(prepare(&scenario).without_recording(), 77), whole);
}

#[test]
fn the_reports_of_slices_are_equal_too() {
    let scenario = small();
    let (mut whole, mut sliced) = (prepare(&scenario), prepare(&scenario));
    while whole.advance(u64::MAX) == Progress::Running {}
    while sliced.advance(7) == Progress::Running {}
    assert_eq!(whole.report(), sliced.report());
    assert_eq!(whole.take_rows(), sliced.take_rows());
    assert_eq!(whole.view(), sliced.view());
}

#[test]
fn a_checkpoint_goes_on_as_the_run_does() {
    let scenario = small();
    let whole = finish(prepare(&scenario), u64::MAX);
    let mut run = prepare(&scenario);
    for _ in 0..10 {
        run.advance(1_234);
        let checkpoint = run.clone();
        assert_eq!(finish(checkpoint, u64::MAX), whole);
    }
}

#[test]
fn seeds_and_settings_change_the_digest() {
    let base = finish(prepare(&small()), u64::MAX).0;
    for (key, value) in [
        ("seed", "2"),
        ("kswapds", "2"),
        ("policy", "single"),
        ("flavour", "6.12"),
        ("distance", "40"),
    ] {
        let mut other = small();
        other.set_text(key, value).expect("a valid setting");
        assert_ne!(finish(prepare(&other), u64::MAX).0, base, "{key} does not matter");
    }
}

#[test]
fn a_checkpoint_of_a_big_machine_costs_what_changed() {
    let settings = [("readers", "90"), ("kswapds", "4"), ("warmup", "0s"), ("duration", "200ms")];
    let mut run = prepare(&scenario("lumpkin2018", &settings));
    run.advance(200_000);
    let before = run.machine().clone();
    run.advance(20_000);
    let added = run.machine().bytes_not_shared_with(&before);
    // Lists of 194 million pages are some 8,000 cohorts; per-CPU lists and tasks are copied whole.
    assert!(added < 400_000, "{added} bytes");
}
