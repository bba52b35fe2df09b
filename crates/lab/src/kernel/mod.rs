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

mod devices;
mod line;
mod listen;
mod load;
mod memcg;
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
mod swaps;

pub use line::{Figure, Line, Verdict};
pub use load::{Load, Mode, Pageout, Read};
pub use memcg::{Counted, Limits};
pub use memory::Use;
pub use observed::Observed;
pub use params::{Params, SwapDevice, Zone};
pub use simulate::RUNS;
pub use swap_runs::Steps;

use catalog::FlavourId;
use rayon::prelude::*;
use rules::{Case, Entry, Present, Shares, Swapped};
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
    /// `swaps.csv`.
    pub swaps: Option<&'a str>,
    /// `memcg.csv`.
    pub memcg: Option<&'a str>,
}

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    params: Params,
    observed: Option<Observed>,
    samples: Option<nodes::Samples>,
    swap_runs: Option<swap_runs::Runs>,
    swaps: Option<swaps::Samples>,
    memcg_most: Option<u64>,
    load: Result<Read, String>,
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
    load: Option<Read>,
    shares: Option<Shares>,
    swapped: Option<Swapped>,
}

impl<'a> Files<'a> {
    /// A folder with nothing but `params.json`.
    #[must_use]
    pub const fn of(params: &'a str) -> Self {
        Self { params, summary: None, nodes: None, swap_runs: None, swaps: None, memcg: None }
    }
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
            memcg: files.memcg.is_some(),
        };
        let swaps = files.swaps.map(|text| swaps::Samples::read(&params.swaps, text)).transpose();
        let memcg_most = files.memcg.map(memcg::most).transpose().map_err(|p| vec![p])?.flatten();
        let (samples, swap_runs) = (samples.map_err(|p| vec![p])?, runs.map_err(|p| vec![p])?);
        let swaps = swaps.map_err(|p| vec![p])?;
        let load = as_counted(&params, observed.as_ref());
        Ok(Self { samples, swap_runs, swaps, memcg_most, load, params, observed, present })
    }

    /// Runs it in the model and compares.
    #[must_use]
    pub fn judge(&self) -> Judged {
        let mut judged = Judged {
            lines: rules::of_machine(&self.params),
            notes: self.notes(),
            params: self.params.clone(),
            load: self.load.clone().ok(),
            shares: None,
            swapped: None,
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
                    let case = Case {
                        params: &self.params,
                        load,
                        observed,
                        runs: &runs,
                        fell,
                        swaps: self.swaps.as_ref(),
                        limits: self.limits(),
                        memcg_most: self.memcg_most,
                    };
                    judged.lines.extend(rules::of_runs(&case));
                    judged.shares = rules::shares(&case);
                    judged.swapped = rules::swapped(&case);
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
        // A stream's machine keeps anonymous memory as it keeps everything else.
        let rests = self.samples.as_ref().map_or(&[][..], |samples| match load.memory {
            None => &samples.rests[..],
            Some(_) => &samples.unlisted[..],
        });
        // Without a swap device nothing of them can go; of a stream's machine they are in the rest.
        let swaps = load.memory.is_some() && !self.params.swaps.is_empty();
        let idle = self.samples.as_ref().filter(|_| swaps).map(|samples| &samples.idle[..]);
        let pages = observed.pages;
        let params = &self.params;
        let incompressible = load.memory.as_ref().map_or(0, |own| own.incompressible);
        let swap = devices::setup(params, self.swaps.as_ref(), incompressible)?;
        let limits = params.load.cgroup.then(|| self.limits());
        let added = setup::Added { swap: swap.as_ref(), limits, idle: idle.unwrap_or(&[]) };
        simulate::Setting { params, load, added, free: &free, rests, pages }.runs()
    }

    /// The load, or why the model does not have it on this machine.
    fn modelled(&self) -> Result<&Read, String> {
        let params = &self.params;
        let load = self.load.as_ref().map_err(Clone::clone)?;
        let large_folios =
            !matches!(params.flavour.id, FlavourId::V4_16 | FlavourId::V5_15 | FlavourId::V6_12);
        if !load.random && large_folios {
            return Err("read-ahead in large folios, which need contiguous free memory".into());
        }
        if params.load.cgroup && self.limits().is_empty() {
            return Err("a memory cgroup whose limits neither file says".into());
        }
        let counted = self.observed.as_ref().and_then(|o| o.memcg.as_ref());
        if counted.is_some_and(|memcg| memcg.swap_limit) {
            return Err("memory.swap.max".into());
        }
        if setup::homes(params, load).len() < load.threads as usize {
            return Err("threads on CPUs that no node has".into());
        }
        if load.bind.iter().any(|&mask| mask & ((1 << params.nodes()) - 1) == 0) {
            return Err("threads bound to nodes that are not there".into());
        }
        Ok(load)
    }

    /// The limits of the load's cgroup: those of its own files, else those of params.json.
    fn limits(&self) -> Limits {
        let counted = self.observed.as_ref().and_then(|o| o.memcg.as_ref());
        let own = counted.map(|memcg| memcg.limits).filter(|limits| !limits.is_empty());
        own.unwrap_or(self.params.limits)
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
        let could = self.present.summary && self.load.is_ok();
        if could && let Ok(load) = &self.load {
            if load.memory.is_some() {
                notes.extend(devices::note(&self.params, self.swaps.as_ref()));
            }
            let stated = self.params.load.read.as_ref().map_or(0, |read| read.threads);
            if load.threads != stated {
                notes.push(format!(
                    "summary.json counts the work of {} threads: so many are run, not the {stated} \
                     of the arguments.",
                    load.threads
                ));
            }
        }
        if could && self.samples.is_none() {
            let note = "nodes.csv is missing: what others keep of memory is what is not free at \
                        first, pages on per-CPU lists included.";
            notes.push(note.to_owned());
        }
        notes
    }
}

/// The load, with as many threads as have counted their work: arguments may be given twice.
fn as_counted(params: &Params, observed: Option<&Observed>) -> Result<Read, String> {
    let mut load = params.load.read.clone()?;
    let counted = observed.and_then(|o| o.threads);
    if let Some(threads) = counted.filter(|_| load.memory.is_some()) {
        load.threads = threads;
    }
    Ok(load)
}

impl Judged {
    /// The kernel as it names itself.
    #[must_use]
    pub fn kernel(&self) -> &str {
        &self.params.kernel
    }

    fn entry<'a>(&'a self, name: &'a str) -> Option<Entry<'a>> {
        let Self { params, shares, swapped, .. } = self;
        let load = self.load.as_ref()?;
        Some(Entry { name, params, load, shares: *shares, swapped: *swapped })
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
    let entries: Vec<Entry<'_>> =
        all.iter().filter_map(|&(name, judged)| judged.entry(name)).collect();
    rules::together(&entries)
}
