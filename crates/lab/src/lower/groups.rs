//! The workload's controls as groups of tasks.

use catalog::{ConstantId, ControlId, Ledger};
use mm::config::{
    Backing, Build, Churn, Compile, GroupConfig, Memory, Pattern, Phases, RegionConfig, Store,
    Stream, Work,
};
use scenario::Scenario;
use units::{PAGE_SHIFT, SimDuration};

/// The tasks of a scenario: those of its workload, and what runs beside them. `cpus` are those of
/// each node.
pub(super) fn groups(scenario: &Scenario, ledger: &Ledger, cpus: &[u32]) -> Vec<GroupConfig> {
    let get = |id| scenario.get(id).unsigned_abs();
    let kind = scenario.choice(ControlId::Workload);
    let bound = get(ControlId::Bound) == 1;
    let memcg = u16::from(super::swap::memcgs(scenario, ledger).len() > 1);
    let own = GroupConfig {
        bound,
        memcg,
        nodes: if kind == "faults" { socket_by_socket(scenario, cpus) } else { Vec::new() },
        ..GroupConfig::new(get(ControlId::Readers) as u32, work(scenario, ledger, kind))
    };
    let mix = scenario.choice(ControlId::Mix);
    if mix == "none" {
        return vec![own];
    }
    let (size, rate) = (pages(scenario, ControlId::MixSize), get(ControlId::MixRate));
    let work = match mix {
        "stream" => Work::Stream(stream(scenario, ledger, rate)),
        "hog" => Work::Memory(hog(size, Pattern::Uniform, rate)),
        "faults" => Work::Churn(Churn { chunk: size, window: 0, pace: pace(1, rate) }),
        _ => Work::Churn(Churn {
            chunk: pages(scenario, ControlId::Chunk).min(size),
            window: size,
            pace: pace(1, rate),
        }),
    };
    let span = |id| SimDuration::from_nanos(get(id));
    let phases = Phases {
        start: span(ControlId::MixStart),
        length: SimDuration::ZERO,
        burst: [span(ControlId::MixOn), span(ControlId::MixOff)],
    };
    let tasks = get(ControlId::MixTasks) as u32;
    vec![own, GroupConfig { bound, phases, ..GroupConfig::new(tasks, work) }]
}

/// What the tasks of the workload do.
fn work(scenario: &Scenario, ledger: &Ledger, kind: &str) -> Work {
    let get = |id| scenario.get(id).unsigned_abs();
    let (size, rate) = (pages(scenario, ControlId::Size), get(ControlId::Rate));
    let writes = get(ControlId::Writes) as u32;
    match kind {
        "random" => {
            let backing = match get(ControlId::Backing) {
                0 => Backing::Anon,
                1 => Backing::Mapped,
                _ => Backing::Read,
            };
            let pattern = pattern(scenario);
            let shared = get(ControlId::Shared) == 1;
            let region = RegionConfig { backing, pages: size, pattern, shared, memcg: 0 };
            Work::Memory(Memory {
                region,
                prefill: backing == Backing::Anon,
                writes,
                ..hog(size, pattern, rate)
            })
        }
        "hog" => Work::Memory(hog(size, pattern(scenario), rate)),
        "faults" => Work::Churn(Churn { chunk: size, window: 0, pace: pace(1, rate) }),
        "churn" => Work::Churn(Churn {
            chunk: pages(scenario, ControlId::Chunk),
            window: size,
            pace: pace(1, rate),
        }),
        "build" => Work::Build(Build {
            files: ledger.get(ConstantId::BuildFiles),
            pages_min: (size / 4).max(1),
            pages_max: size,
            cpu: get(ControlId::RequestCpu),
        }),
        "kbuild" => Work::Compile(compile(size, get(ControlId::RequestCpu), ledger)),
        "kv" => Work::Store(store(scenario, ledger, size, writes)),
        _ => Work::Stream(stream(scenario, ledger, rate)),
    }
}

/// Processes of so many pages and so much CPU time on average.
fn compile(pages: u64, cpu: u64, ledger: &Ledger) -> Compile {
    let get = |id| ledger.get(id);
    let per_mille = |id| ledger.get(id) as u32;
    let hot = per_mille(ConstantId::CompileHotPages);
    Compile {
        pages,
        pages_max: get(ConstantId::CompileLargest).max(pages),
        spread: per_mille(ConstantId::CompileSpread),
        cpu,
        kernel: get(ConstantId::CompileKernel),
        uses: get(ConstantId::CompileUses),
        pattern: Pattern::Hot(hot, per_mille(ConstantId::CompileHotUses)),
    }
}

fn store(scenario: &Scenario, ledger: &Ledger, size: u64, writes: u32) -> Store {
    let get = |id| scenario.get(id).unsigned_abs();
    let region = |backing, pages| RegionConfig {
        backing,
        pages,
        pattern: pattern(scenario),
        shared: true,
        memcg: 0,
    };
    Store {
        data: region(Backing::Mapped, size),
        heap: region(Backing::Anon, pages(scenario, ControlId::Heap)),
        writes,
        data_uses: get(ControlId::DataUses),
        read_around: if get(ControlId::ReadAhead) == 1 { read_around(ledger) } else { 1 },
        heap_uses: ledger.get(ConstantId::StoreHeapUses),
        log_bytes: ledger.get(ConstantId::StoreLogBytes),
        cpu: get(ControlId::RequestCpu),
        wait: SimDuration::from_nanos(get(ControlId::RequestWait)),
    }
}

/// Pages that a fault in a mapped file reads (7.2 mm/filemap.c: do_sync_mmap_readahead).
fn read_around(ledger: &Ledger) -> u64 {
    let window = ledger.get(ConstantId::ReadAheadWindow);
    (window * ledger.get(ConstantId::ReadAroundMissing) + 500) / 1_000
}

fn stream(scenario: &Scenario, ledger: &Ledger, rate: u64) -> Stream {
    let window = ledger.get(ConstantId::ReadAheadWindow);
    Stream { read_ahead: scenario.get(ControlId::ReadAhead) == 1, pace: pace(window, rate) }
}

/// Anonymous memory that is filled and then used.
fn hog(pages: u64, pattern: Pattern, rate: u64) -> Memory {
    let backing = Backing::Anon;
    Memory {
        region: RegionConfig { backing, pages, pattern, shared: false, memcg: 0 },
        prefill: true,
        writes: 0,
        pace: pace(1, rate),
        uses: u64::MAX,
        hold: SimDuration::ZERO,
    }
}

fn pattern(scenario: &Scenario) -> Pattern {
    let get = |id| scenario.get(id).unsigned_abs() as u32;
    match scenario.choice(ControlId::Pattern) {
        "zipf" => Pattern::Zipf(get(ControlId::Skew)),
        "hot" => Pattern::Hot(get(ControlId::HotShare), get(ControlId::HotUses)),
        "loop" => Pattern::Loop,
        _ => Pattern::Uniform,
    }
}

/// Whole pages of a size, at least one.
fn pages(scenario: &Scenario, id: ControlId) -> u64 {
    (scenario.get(id).unsigned_abs() >> PAGE_SHIFT).max(1)
}

/// Time for so many pages at so many a second; zero for no limit.
fn pace(pages: u64, rate: u64) -> SimDuration {
    SimDuration::from_nanos((pages * 1_000_000_000).checked_div(rate).unwrap_or(0))
}

/// Tasks that are pinned to CPUs in the order of their numbers: the cores of one node after those
/// of the other, then their other hardware threads.
fn socket_by_socket(scenario: &Scenario, cpus: &[u32]) -> Vec<u32> {
    let smt = scenario.get(ControlId::Smt).unsigned_abs().max(1) as u32;
    let cores = cpus.iter().enumerate().map(|(n, cpus)| (n as u32, cpus.div_ceil(smt)));
    cores.flat_map(|(n, cores)| core::iter::repeat_n(n, cores as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(settings: &[(&str, &str)]) -> Vec<GroupConfig> {
        let mut scenario = Scenario::preset("lumpkin2018").expect("a preset");
        for (key, value) in settings {
            scenario.set_text(key, value).expect("a setting");
        }
        crate::lower(&scenario).expect("valid").groups
    }

    #[test]
    fn every_workload_and_mix_is_a_group() {
        for workload in catalog::controls::WORKLOADS {
            for mix in catalog::controls::MIXES {
                let groups = lowered(&[("workload", workload.name), ("mix", mix.name)]);
                assert_eq!(groups.len(), 1 + usize::from(mix.name != "none"));
                assert_eq!(groups[0].stream().is_some(), workload.name == "stream");
            }
        }
    }

    #[test]
    fn sizes_and_rates_are_pages() {
        let groups = lowered(&[
            ("workload", "churn"),
            ("size", "256MiB"),
            ("rate", "10000"),
            ("mix", "hog"),
            ("mix_on", "1s"),
            ("mix_off", "2s"),
        ]);
        let pace = SimDuration::from_micros(100);
        assert_eq!(groups[0].work, Work::Churn(Churn { chunk: 256, window: 65_536, pace }));
        assert_eq!(groups[1].phases.burst, [1, 2].map(SimDuration::from_secs));
        assert_eq!(lowered(&[("workload", "faults")])[0].nodes.len(), 52);
        assert_eq!(lowered(&[("workload", "faults")])[0].nodes[25..27], [0, 1]);
    }
}
