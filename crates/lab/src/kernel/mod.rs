//! Experiments with real kernels beside the model.
//!
//! An experiment is a folder: `params.json` says the machine, its settings and the load;
//! `summary.json` and tables say what the kernel did. [`Experiment::read`] takes their texts,
//! [`Experiment::judge`] builds that machine and load, runs it and returns a [`Line`] for each of
//! [`RULES`] that the experiment shows; [`together`] compares experiments with each other. Nothing
//! here knows an experiment by its name.
//!
//! What is decided by how fast a machine is (shares, rates, latencies) is shown and not judged: the
//! kernels ran under emulation. How slow that is goes into the run as an input (`setup`).

mod line;
mod listen;
mod load;
mod memory;
mod nodes;
mod observed;
mod pageout;
mod params;
mod place;
mod rules;
mod sawtooth;
mod setup;
mod simulate;
mod swap_runs;

pub use line::{Figure, Line, Verdict};
pub use load::{Load, Mode, Pageout, Read};
pub use memory::Use;
pub use observed::Observed;
pub use params::{Params, SwapDevice, Zone};
pub use simulate::RUNS;
pub use swap_runs::Steps;

use catalog::FlavourId;
use rayon::prelude::*;
use rules::{Case, Present, Shares};
use scenario::Problem;

/// What each rule says, by its number.
pub const RULES: &[(u32, &str)] = &[
    (1, "watermarks and lowmem_reserve"),
    (2, "low - min = high - low = promo - high"),
    (3, "kswapd is woken when all zones of the zonelist are at low; other nodes fill first"),
    (4, "balance_pgdat ends, and kswapd sleeps, with some zone at high"),
    (5, "kswapd naps 100 ms before it sleeps"),
    (6, "what one MGLRU balance reclaims"),
    (7, "batches, and what a direct reclaim call frees"),
    (8, "the sawtooth of free memory"),
    (9, "clean page cache: what is scanned is reclaimed"),
    (10, "who reclaims"),
    (11, "swap: strict priority"),
    (12, "swap: equal priorities in turn"),
    (13, "swap: default priorities"),
    (14, "memcg: reclaim at the limit"),
    (15, "swappiness"),
    (16, "watermark boost"),
];

/// The texts of an experiment's folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files<'a> {
    /// `params.json`.
    pub params: &'a str,
    /// `summary.json`.
    pub summary: Option<&'a str>,
    /// `nodes.csv`.
    pub nodes: Option<&'a str>,
    /// `swap_runs.csv`.
    pub swap_runs: Option<&'a str>,
    /// Whether `memcg.csv` is there.
    pub memcg: bool,
}

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    params: Params,
    observed: Option<Observed>,
    samples: Option<nodes::Samples>,
    swap_runs: Option<swap_runs::Runs>,
    present: Present,
}

/// An experiment beside the model.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What was compared, by rule.
    pub lines: Vec<Line>,
    /// What was taken as it is, in sentences.
    pub notes: Vec<String>,
    params: Params,
    shares: Option<Shares>,
}

impl Experiment {
    /// Reads the texts of a folder.
    ///
    /// # Errors
    /// What is missing or wrong in them, with its place.
    pub fn read(files: &Files<'_>) -> Result<Self, Vec<Problem>> {
        let params = Params::read(files.params)?;
        let observed = files.summary.map(Observed::read).transpose()?;
        let samples = files.nodes.map(|text| nodes::Samples::read(&params, text)).transpose();
        let runs = files.swap_runs.map(swap_runs::Runs::read).transpose();
        let present = Present {
            summary: observed.is_some(),
            swap_runs: files.swap_runs.is_some(),
            memcg: files.memcg,
        };
        let (samples, swap_runs) = (samples.map_err(|p| vec![p])?, runs.map_err(|p| vec![p])?);
        Ok(Self { samples, swap_runs, params, observed, present })
    }

    /// Runs it in the model and compares.
    #[must_use]
    pub fn judge(&self) -> Judged {
        let mut judged = Judged {
            lines: rules::of_machine(&self.params),
            notes: self.notes(),
            params: self.params.clone(),
            shares: None,
        };
        if self.params.load.mode == Mode::Pageout {
            let (lines, note) = self.steps();
            judged.lines.extend(lines);
            judged.notes.extend(note);
            return judged;
        }
        let observed = self.observed.as_ref();
        let not_run =
            |reason: Option<&str>| rules::not_run(&self.params, self.present, observed, reason);
        match (self.modelled(), observed) {
            (Err(reason), _) => judged.lines.extend(not_run(Some(&reason))),
            (Ok(_), None) => judged.lines.extend(not_run(None)),
            (Ok(load), Some(observed)) => match self.run(load, observed) {
                Err(reason) => judged.lines.extend(not_run(Some(&reason))),
                Ok(runs) => {
                    let fell = self.samples.as_ref().map(|s| &s.fell[..]);
                    let case = Case { params: &self.params, load, observed, runs: &runs, fell };
                    judged.lines.extend(rules::of_runs(&case));
                    judged.shares = rules::shares(&case);
                }
            },
        }
        judged
    }

    /// Steps of MADV_PAGEOUT: slots alone, no time.
    fn steps(&self) -> rules::swap::Said {
        let observed = self.observed.as_ref();
        let not_run = |reason: Option<&str>| {
            (rules::not_run(&self.params, self.present, observed, reason), None)
        };
        let load = match &self.params.load.pageout {
            Ok(load) => load,
            Err(reason) => return not_run(Some(reason)),
        };
        let Some(runs) = &self.swap_runs else { return not_run(None) };
        let seen = rules::swap::Seen { runs, steps: observed.and_then(|o| o.steps.as_ref()) };
        let said = rules::swap::judge(&self.params, load, &seen);
        said.unwrap_or_else(|reason| not_run(Some(&reason)))
    }

    fn run(&self, load: &Read, observed: &Observed) -> Result<Vec<simulate::Run>, String> {
        let free = |zone: &Zone| {
            let sampled = observed.zone_free.get(&zone.name()).and_then(|z| z.first);
            sampled.unwrap_or(zone.free).min(zone.managed)
        };
        let free: Vec<u64> = self.params.zones.iter().map(free).collect();
        // Of anonymous memory the samples do not say what is the load's.
        let samples = self.samples.as_ref().filter(|_| load.memory.is_none());
        let rests = samples.map_or(&[][..], |samples| &samples.rests[..]);
        let pages = observed.pages;
        simulate::Setting { params: &self.params, load, free: &free, rests, pages }.runs()
    }

    /// The load, or why the model does not have it on this machine.
    fn modelled(&self) -> Result<&Read, String> {
        let params = &self.params;
        let load = params.load.read.as_ref().map_err(Clone::clone)?;
        let large_folios =
            !matches!(params.flavour.id, FlavourId::V4_16 | FlavourId::V5_15 | FlavourId::V6_12);
        if !load.random && large_folios {
            return Err("read-ahead in large folios, which need contiguous free memory".into());
        }
        if !params.swaps.is_empty() && !self.needs_no_swap(load) {
            return Err("swap devices beside a load that needs them".into());
        }
        if setup::homes(params, load).len() < load.threads as usize {
            return Err("threads on CPUs that no node has".into());
        }
        if load.bind.iter().any(|&mask| mask & ((1 << params.nodes()) - 1) == 0) {
            return Err("threads bound to nodes that are not there".into());
        }
        Ok(load)
    }

    /// Whether a load is anonymous memory that fits into what is free on the nodes that it may use.
    /// What little is swapped out all the same is not modelled.
    fn needs_no_swap(&self, load: &Read) -> bool {
        let Some(memory) = &load.memory else { return false };
        let mask = load.bind.iter().copied().reduce(|all, one| all & one).unwrap_or(u64::MAX);
        let usable = |z: &&Zone| z.node < 64 && mask >> z.node & 1 == 1;
        let free: u64 = self.params.zones.iter().filter(usable).map(|z| z.free).sum();
        memory.readers.0 == 0 && memory.anonymous <= free
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.params.emulated && self.params.load.mode != Mode::Pageout {
            let note = "The machine is emulated: the model's CPUs are as slow as that, and wake as \
                        late.";
            notes.push(note.to_owned());
        }
        let name = catalog::flavours::CHOICES[self.params.flavour.id as usize].name;
        if !self.params.kernel.starts_with(name) {
            let kernel = scenario::quoted(&self.params.kernel);
            notes.push(format!("The rules of {name} are taken for the kernel {kernel}."));
        }
        let could = self.present.summary && self.params.load.read.is_ok();
        if could && self.samples.is_none() {
            let note = "nodes.csv is missing: what others keep of memory is what is not free at \
                        first, pages on per-CPU lists included.";
            notes.push(note.to_owned());
        }
        notes
    }
}

impl Judged {
    /// The kernel as it names itself.
    #[must_use]
    pub fn kernel(&self) -> &str {
        &self.params.kernel
    }
}

/// Judges experiments, several at once; in their order.
#[must_use]
pub fn judge_all(experiments: &[&Experiment]) -> Vec<Judged> {
    experiments.par_iter().map(|experiment| experiment.judge()).collect()
}

/// What experiments show beside each other: orderings of rule 10.
#[must_use]
pub fn together(all: &[(&str, &Judged)]) -> Vec<Line> {
    let entries: Vec<_> = all
        .iter()
        .filter_map(|&(name, judged)| Some((name, &judged.params, judged.shares?)))
        .collect();
    rules::together(&entries)
}
