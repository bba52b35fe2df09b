//! The results that both threads turn on, as questions with a limit, and the figures beside them.

use super::{Arm, Asked, Study};
use scenario::{Problem, story};

/// The runs, by name: a preset and what is set.
const ARMS: [(&str, &str); 17] = [
    ("c1", "cassandra2026 duration=500ms"),
    ("c8", "cassandra2026 duration=500ms kswapds=8"),
    ("c8p", "cassandra2026 duration=500ms kswapds=8 lru_partitions=8"),
    ("f1", "cassandra2026 duration=500ms drive_bandwidth=2600 drive_latency=50us"),
    ("f8", "cassandra2026 duration=500ms drive_bandwidth=2600 drive_latency=50us kswapds=8"),
    ("l1", "lumpkin2018 readers=58 warmup=500ms duration=500ms"),
    ("l2", "lumpkin2018 readers=58 warmup=500ms duration=500ms kswapds=2"),
    ("l4", "lumpkin2018 readers=58 warmup=500ms duration=500ms kswapds=4"),
    ("l4p", "lumpkin2018 readers=58 warmup=500ms duration=500ms kswapds=4 lru_partitions=8"),
    ("kA", "kbuild2026 warmup=500ms duration=300ms"),
    ("kB", "kbuild2026 warmup=500ms duration=300ms allocator=device-plist"),
    ("kC", "kbuild2026 warmup=500ms duration=300ms allocator=ring"),
    ("A", "allocator=global-plist swap_devices=8"),
    ("B", "allocator=device-plist swap_devices=8"),
    ("C", "allocator=ring swap_devices=8"),
    ("A1", "allocator=global-plist swap_devices=1"),
    ("B1", "allocator=device-plist swap_devices=1"),
];

/// The arms that go along the paths of Morris screening.
const SCREENED: [&str; 6] = ["c1", "c8", "l1", "l2", "A", "B"];

/// What the small arms of the second thread have in common: a stand-in for its load, whose tasks
/// hardly do anything but swap.
const SWAP: &str = "small memory=1GiB cpus=16 workload=random size=8MiB start=empty swap_size=64MiB \
                    lru=mglru warmup=50ms duration=50ms readers=24 memcg=96MiB";

/// Name, words, expression, limit.
const ASKED: [(&str, &str, &str, Option<f64>); 17] = [
    (
        "cassandra, 8 kswapds",
        "Thread 1: do 8 kswapds a node for 1 bring the assumed Cassandra machine 2 % more requests?",
        "throughput@c8 / throughput@c1",
        Some(1.02),
    ),
    (
        "cassandra, partitions",
        "Thread 1: do 8 LRU partitions bring these 8 kswapds 2 % more requests?",
        "throughput@c8p / throughput@c8",
        Some(1.02),
    ),
    (
        "fast drives, 8 kswapds",
        "Thread 1: do 8 kswapds for 1 bring 2 % more requests where drives are twice as fast?",
        "throughput@f8 / throughput@f1",
        Some(1.02),
    ),
    (
        "lumpkin, 2 kswapds",
        "Thread 1: does a second kswapd a node bring 58 readers 2 % more?",
        "throughput@l2 / throughput@l1",
        Some(1.02),
    ),
    (
        "lumpkin, 4 kswapds",
        "Thread 1: do 4 kswapds for 2 bring 58 readers 2 % more?",
        "throughput@l4 / throughput@l2",
        Some(1.02),
    ),
    (
        "lumpkin, partitions",
        "Thread 1: do 8 LRU partitions bring 4 kswapds and 58 readers 2 % more?",
        "throughput@l4p / throughput@l4",
        Some(1.02),
    ),
    (
        "build, B for A",
        "Thread 2: does the build of the mail take arm B half as much system time again as arm A?",
        "system_us_a_unit@kB / system_us_a_unit@kA",
        Some(1.5),
    ),
    (
        "build, C for A",
        "Thread 2: does the build take arm C a fifth more system time than arm A?",
        "system_us_a_unit@kC / system_us_a_unit@kA",
        Some(1.2),
    ),
    (
        "B for A",
        "Thread 2: does a swapped page cost arm B half as much CPU again as arm A on a small machine?",
        "cpu:direct_work@B / pswpout@B / cpu:direct_work@A * pswpout@A",
        Some(1.5),
    ),
    (
        "C for A",
        "Thread 2: does a swapped page cost arm C a fifth more CPU than arm A there?",
        "cpu:direct_work@C / pswpout@C / cpu:direct_work@A * pswpout@A",
        Some(1.2),
    ),
    (
        "B for A, one device",
        "Thread 2: does arm B cost half as much again as arm A there with one device?",
        "cpu:direct_work@B1 / pswpout@B1 / cpu:direct_work@A1 * pswpout@A1",
        Some(1.5),
    ),
    ("cassandra, requests", "Thread 1: requests a second, 1 kswapd", "throughput@c1", None),
    (
        "cassandra, p99",
        "Thread 1: 99th percentile of a request, us, 1 kswapd",
        "latency_p99_us@c1",
        None,
    ),
    (
        "lumpkin, reads",
        "Thread 1: bytes read a second, 58 readers, 1 kswapd",
        "throughput@l1",
        None,
    ),
    (
        "lumpkin, a page",
        "Thread 1: kswapd's CPU time a page, us, 58 readers, 2 kswapds",
        "kswapd_us_per_page@l2",
        None,
    ),
    (
        "build, a unit",
        "Thread 2: system CPU a unit of the build, us, arm A",
        "system_us_a_unit@kA",
        None,
    ),
    (
        "swap, a page",
        "Thread 2: CPU seconds a swapped page, arm A, small machine",
        "cpu:direct_work@A / pswpout@A",
        None,
    ),
];

/// The study of both threads. Screening is over the loads as they are and eight kswapds (two for
/// the readers), and over arms A and B: that is what both threads turn on.
///
/// # Errors
/// A scenario that the catalog refuses.
pub fn headlines(trajectories: u32) -> Result<Study, Vec<Problem>> {
    let arm = |(name, words): &(&str, &str)| {
        let words = if words.starts_with("allocator") {
            format!("{SWAP} {words}")
        } else {
            (*words).into()
        };
        let scenario = story::scenario(&words);
        scenario
            .map(|scenario| Arm { name: (*name).to_owned(), scenario })
            .map_err(|why| vec![Problem::new(*name, why)])
    };
    let asked = |&(name, words, expression, limit): &(&str, &str, &str, Option<f64>)| Asked {
        name: name.to_owned(),
        words: words.to_owned(),
        expression: expression.to_owned(),
        limit,
    };
    Ok(Study {
        arms: ARMS.iter().map(arm).collect::<Result<_, _>>()?,
        asked: ASKED.iter().map(asked).collect(),
        trajectories,
        screened: SCREENED.map(str::to_owned).to_vec(),
        guesses: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arm_is_a_scenario_and_is_asked_about() {
        let study = headlines(0).expect("scenarios");
        for arm in &study.arms {
            let at = format!("@{}", arm.name);
            let mut all = study.asked.iter().flat_map(|a| a.expression.split_whitespace());
            assert!(all.any(|word| word.ends_with(&at)), "{} is not asked about", arm.name);
        }
    }
}
