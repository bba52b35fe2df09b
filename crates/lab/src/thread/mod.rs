//! The first thread's question, answered by runs: what more kswapds a node add and cost, what then
//! binds, what LRU partitions change, and over which ranges of what is guessed the answer holds.
//!
//! Nothing here has a constant of its own: a limit is found by relieving it and looking at what the
//! tasks gain.

mod document;
pub mod queue;

use crate::sweep_with;
use catalog::{Constant, ConstantId, ControlId, LEDGER, Ledger};
use report::Report;
use scenario::{PRESETS, Problem, Scenario};

pub use document::document;

/// Workers a node that are compared.
pub const WORKERS: [u32; 4] = [1, 2, 4, 8];
/// LRU partitions that are compared with none.
pub const PARTITIONS: u32 = 8;
/// What a relief has to bring before it counts, as a share of the throughput.
pub const COUNTS: f64 = 0.02;

/// A load that the question is asked of.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its heading.
    pub name: &'static str,
    preset: &'static str,
    settings: &'static [(&'static str, &'static str)],
    /// Inputs that are assumed, or that bear on the answer.
    inputs: &'static [ControlId],
    /// Constants that are guessed or fitted and bear on the answer.
    constants: &'static [ConstantId],
    /// Operations in the unit that is printed.
    pub scale: f64,
    /// That unit.
    pub unit: &'static str,
}

const LOCKS: [ConstantId; 7] = [
    ConstantId::IsolatePerPage,
    ConstantId::LruAddPerPage,
    ConstantId::ZonePerPage,
    ConstantId::LockHandOff,
    ConstantId::ReclaimPerPage,
    ConstantId::InsertIPagesPerPage,
    ConstantId::ReclaimIPagesPerPage,
];

/// The loads.
pub const CASES: [Case; 2] = [
    Case {
        name: "cassandra2026",
        preset: "cassandra2026",
        settings: &[],
        inputs: &[
            ControlId::Size,
            ControlId::DataUses,
            ControlId::RequestCpu,
            ControlId::DriveBandwidth,
            ControlId::Readers,
        ],
        constants: &[
            ConstantId::IsolatePerPage,
            ConstantId::LruAddPerPage,
            ConstantId::ZonePerPage,
            ConstantId::LockHandOff,
            ConstantId::ReclaimPerPage,
            ConstantId::InsertIPagesPerPage,
            ConstantId::FolioReferenced,
            ConstantId::TryToUnmapFile,
            ConstantId::TlbFlushPerCpu,
            ConstantId::WalkPerPte,
        ],
        scale: 1.0,
        unit: "requests/s",
    },
    Case {
        name: "lumpkin2018 at 58 readers",
        preset: "lumpkin2018",
        settings: &[("readers", "58"), ("warmup", "1s"), ("duration", "3s")],
        inputs: &[ControlId::DriveBandwidth, ControlId::Readers],
        constants: &LOCKS,
        scale: 1.0 / 1_048_576.0,
        unit: "MiB/s",
    },
];

/// What limits the tasks when eight workers a node run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binds {
    /// lru_lock: partitions bring more than drives.
    Lock,
    /// The drives: twice as fast ones bring more than partitions.
    Device,
    /// Neither brings 2 %: reclaim is a small part of the request path.
    RequestPath,
}

impl Binds {
    /// From what partitions and faster drives bring.
    #[must_use]
    pub fn of(lock: f64, device: f64) -> Self {
        match () {
            () if lock.max(device) < COUNTS => Self::RequestPath,
            () if lock >= device => Self::Lock,
            () => Self::Device,
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Device => "device",
            Self::RequestPath => "reclaim is a small part of the request path",
        }
    }
}

/// A run that the document needs.
pub type Wanted = (Scenario, Ledger);

impl Case {
    /// The scenario with so many workers a node.
    ///
    /// # Errors
    /// A setting that the catalog refuses.
    pub fn scenario(&self, workers: u32) -> Result<Scenario, Problem> {
        let mut scenario = Scenario::preset(self.preset)?;
        for (key, value) in self.settings {
            scenario.set_text(key, value)?;
        }
        scenario.set(ControlId::Kswapds, workers.into())?;
        Ok(scenario)
    }

    /// One and eight workers, then eight with partitions and eight with drives twice as fast.
    fn four(
        &self,
        change: impl Fn(&mut Scenario) -> Result<(), Problem>,
        ledger: &Ledger,
    ) -> Result<Vec<Wanted>, Problem> {
        let mut runs = Vec::new();
        for (workers, partitions, faster) in
            [(1, 1, false), (8, 1, false), (8, PARTITIONS, false), (8, 1, true)]
        {
            let mut scenario = self.scenario(workers)?;
            change(&mut scenario)?;
            scenario.set(ControlId::LruPartitions, partitions.into())?;
            if faster {
                scale(&mut scenario, ControlId::DriveBandwidth, 2, 1)?;
                scale(&mut scenario, ControlId::DriveLatency, 1, 2)?;
            }
            runs.push((scenario, ledger.clone()));
        }
        Ok(runs)
    }
}

/// Multiplies a control, within its bounds.
fn scale(scenario: &mut Scenario, id: ControlId, by: i64, of: i64) -> Result<(), Problem> {
    let (min, max) = id.control().bounds();
    scenario.set(id, (scenario.get(id) * by / of).clamp(min, max))
}

/// What one group of four runs says.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// What seven more workers bring, as a share.
    pub workers: f64,
    /// What partitions bring eight workers.
    pub lock: f64,
    /// What drives twice as fast bring eight workers.
    pub device: f64,
}

impl Answer {
    fn of(reports: &[Report]) -> Self {
        let gain = |from: usize, to: usize| {
            reports[to].throughput / reports[from].throughput.max(1e-9) - 1.0
        };
        Self { workers: gain(0, 1), lock: gain(1, 2), device: gain(1, 3) }
    }

    /// What binds.
    #[must_use]
    pub fn binds(&self) -> Binds {
        Binds::of(self.lock, self.device)
    }
}

/// One line of the sensitivity table.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// What is varied.
    pub name: String,
    /// To which value.
    pub value: String,
    /// What comes out.
    pub answer: Answer,
}

/// Varies each constant over its range in the ledger, each input to half and twice its value; the
/// first line is the case as it is.
///
/// # Errors
/// A scenario that the model refuses.
pub fn sensitivity(case: &Case) -> Result<Vec<Sensitivity>, Vec<Problem>> {
    let one = |problem: Problem| vec![problem];
    let (mut names, mut runs) = (Vec::new(), Vec::new());
    let plain = Ledger::default();
    names.push(("as it is".to_owned(), String::new()));
    runs.extend(case.four(|_| Ok(()), &plain).map_err(one)?);
    for &id in case.constants {
        let c: &Constant = &LEDGER[id as usize];
        for value in [c.low, c.high] {
            names.push((
                format!("{} ({}, {})", c.name, c.kind.word(), c.value),
                format!("{value} {}", c.unit),
            ));
            runs.extend(case.four(|_| Ok(()), &plain.clone().with(id, value)).map_err(one)?);
        }
    }
    for &id in case.inputs {
        for (by, of) in [(1, 2), (2, 1)] {
            let mut shown = case.scenario(1).map_err(one)?;
            let before = shown.text(id);
            scale(&mut shown, id, by, of).map_err(one)?;
            names.push((format!("{} (input, {before})", id.control().key), shown.text(id)));
            runs.extend(case.four(|s| scale(s, id, by, of), &plain).map_err(one)?);
        }
    }
    let reports = sweep_with(&runs).into_iter().collect::<Result<Vec<Report>, _>>()?;
    let lines = names.into_iter().zip(reports.chunks(4));
    Ok(lines
        .map(|((name, value), four)| Sensitivity { name, value, answer: Answer::of(four) })
        .collect())
}

/// Sixteen hex digits over the ledger and the presets: what the document on kswapds was made from.
#[must_use]
pub fn made_from() -> String {
    made_from_presets(&CASES.map(|case| case.preset))
}

/// The same over the ledger and these presets.
#[must_use]
pub fn made_from_presets(names: &[&str]) -> String {
    let mut text = String::new();
    for c in LEDGER {
        text.push_str(&format!("{}={}:{}..{};", c.name, c.value, c.low, c.high));
    }
    for preset in PRESETS.iter().filter(|p| names.contains(&p.name)) {
        text.push_str(&format!("{}={:?};", preset.name, preset.overrides));
    }
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_brings_most_binds() {
        assert_eq!(Binds::of(0.01, 0.019), Binds::RequestPath);
        assert_eq!(Binds::of(0.05, 0.019), Binds::Lock);
        assert_eq!(Binds::of(0.05, 0.06), Binds::Device);
        assert_eq!(Binds::of(-0.05, -0.2), Binds::RequestPath);
    }

    #[test]
    fn every_case_is_a_scenario_and_relief_is_what_it_says() {
        for case in &CASES {
            let runs = case.four(|_| Ok(()), &Ledger::default()).expect("a case");
            let get = |n: usize, id| runs[n].0.get(id);
            assert_eq!([0, 1, 2, 3].map(|n| get(n, ControlId::Kswapds)), [1, 8, 8, 8]);
            assert_eq!(get(2, ControlId::LruPartitions), 8);
            let (id, twice) = (ControlId::DriveBandwidth, ControlId::DriveLatency);
            assert_eq!(get(3, id), 2 * get(1, id));
            assert_eq!(get(3, twice), get(1, twice) / 2);
        }
        assert_eq!(made_from().len(), 16);
    }
}
