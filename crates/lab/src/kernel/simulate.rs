//! Runs an experiment in the model, with the kernel's sampling: once to see how much memory waits
//! on per-CPU lists, then several times with different seeds, since the kernel's run is one of
//! many.

use super::listen::Listener;
use super::load::Read;
use super::nodes::{median, rest_of};
use super::params::{Params, Zone};
use super::sawtooth::{Turns, turns};
use super::setup::{self, Added};
use super::swaps::Samples;
use mm::config::ZONES_PER_NODE;
use mm::memcontrol::Memcg;
use mm::swap::Device;
use mm::vmstat::Vmstat;
use mm::{Machine, Outcome};
use units::{SimDuration, SimTime};

/// Runs whose results are put together.
pub const RUNS: u64 = 8;
/// Events after which a run is given up.
const EVENTS_MAX: u64 = 5_000_000;
/// Most samples of a run.
const SAMPLES_MAX: u64 = 200_000;
/// The longest time after which a run looks whether it is done.
const STEP: SimDuration = SimDuration::from_millis(10);

/// What one run did.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) heard: Listener,
    pub(super) vmstat: Vmstat,
    /// The turning points of each of the machine's zones.
    pub(super) turns: Vec<Turns>,
    /// The nodes in the order in which a zone of theirs fell to its low mark.
    pub(super) fell: Vec<u32>,
    /// The largest boost of each of the machine's zones at a look.
    pub(super) boost: Vec<u64>,
    /// Used pages of its swap devices.
    pub(super) swaps: Samples,
    /// Their priorities.
    pub(super) priorities: Vec<i64>,
    /// What the load's memory cgroup counted.
    pub(super) memcg: Option<Memcg>,
    /// Pages on each node's file lists at the end.
    pub(super) file: Vec<u64>,
    /// The median of what each node has neither free nor on a file list while memory is short.
    rests: Vec<Option<u64>>,
}

/// Everything that a run needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) params: &'a Params,
    pub(super) load: &'a Read,
    /// Its swap devices and the limits of its cgroup.
    pub(super) added: Added<'a>,
    /// Free pages of each of the machine's zones at the start.
    pub(super) free: &'a [u64],
    /// The kernel's rests by node, smallest first ([`super::nodes`]).
    pub(super) rests: &'a [Vec<u64>],
    /// Pages after which the load is done, where the kernel's count is known.
    pub(super) pages: Option<u64>,
}

impl Setting<'_> {
    /// All runs.
    ///
    /// # Errors
    /// Why the model cannot run it.
    pub(super) fn runs(&self) -> Result<Vec<Run>, String> {
        let mut used: Vec<u64> =
            self.params.zones.iter().zip(self.free).map(|(z, f)| z.managed - f).collect();
        for (node, &idle) in self.added.idle.iter().enumerate() {
            // They are faulted in as the run begins.
            if let Some(largest) = self.largest_of(node) {
                used[largest] = used[largest].saturating_sub(idle);
            }
        }
        let mut waiting = vec![0; self.params.nodes()];
        if self.rests.iter().any(|rests| !rests.is_empty()) {
            self.set_rests(&mut used, &waiting, RUNS);
            // What waits on per-CPU lists belongs to the rest too.
            let first = self.run(&used, 0)?;
            for (node, waiting) in waiting.iter_mut().enumerate() {
                let kept: u64 = self.zones_of(node).map(|z| used[z]).sum();
                *waiting = first.rests[node].map_or(0, |rest| rest.saturating_sub(kept));
            }
        }
        let run = |seed: u64| {
            let mut used = used.clone();
            self.set_rests(&mut used, &waiting, 2 * seed - 1);
            self.run(&used, seed)
        };
        (1..=RUNS).map(run).collect()
    }

    /// The numbers of a node's zones.
    fn zones_of(&self, node: usize) -> impl Iterator<Item = usize> {
        let zones = self.params.zones.iter().enumerate();
        zones.filter(move |(_, z)| z.node as usize == node).map(|(i, _)| i)
    }

    /// The largest of them.
    fn largest_of(&self, node: usize) -> Option<usize> {
        self.zones_of(node).max_by_key(|&z| self.params.zones[z].managed)
    }

    /// Lets the largest zone of each node keep what `part` of twice [`RUNS`] equal parts of the
    /// samples have at most, less what waits on lists: each run has its share of what it was during
    /// the kernel's.
    fn set_rests(&self, used: &mut [u64], waiting: &[u64], part: u64) {
        for (node, rests) in self.rests.iter().enumerate() {
            let at = rests.len() as u64 * part / (2 * RUNS);
            let Some(rest) = rests.get(at as usize) else { continue };
            let zones: Vec<usize> = self.zones_of(node).collect();
            let managed = |z: usize| self.params.zones[z].managed;
            let Some(largest) = self.largest_of(node) else { continue };
            let others: u64 = zones.iter().filter(|&&z| z != largest).map(|&z| used[z]).sum();
            let own = rest.saturating_sub(others + waiting[node]);
            used[largest] = own.min(managed(largest));
        }
    }

    fn run(&self, used: &[u64], seed: u64) -> Result<Run, String> {
        let (params, load) = (self.params, self.load);
        let mut machine = Machine::new(setup::config(params, load, self.added, used, seed));
        let mut heard = Listener::default();
        let period = SimDuration::from_millis(load.sample_ms);
        // A paced load that fell behind is given the time to read as much.
        let more = self.pages.is_some() && load.memory.is_none();
        let seconds = if more { load.seconds * 2 } else { load.seconds };
        let most = match load.memory {
            Some(_) => u64::MAX,
            None => (load.bytes / 4096).saturating_mul(load.threads.into()),
        };
        let pages = self.pages.filter(|_| load.memory.is_none()).unwrap_or(most).min(most);
        if seconds * 1_000 / load.sample_ms > SAMPLES_MAX {
            return Err(format!("more than {SAMPLES_MAX} samples"));
        }
        let end = SimTime::ZERO + SimDuration::from_secs(seconds);
        let number = |z: &Zone| z.node as usize * ZONES_PER_NODE + z.kind as usize;
        let mut free = vec![Vec::new(); params.zones.len()];
        let mut rests = vec![Vec::new(); params.nodes()];
        let mut fell = Vec::new();
        let mut boost = vec![0; params.zones.len()];
        let mut swaps = Samples::default();
        let (mut now, mut sample) = (SimTime::ZERO, SimTime::ZERO + period);
        let idle = self.added.idle_tasks();
        while now < end && machine.pages_read < pages && u64::from(machine.alive) > idle {
            now = (now + STEP).min(sample).min(end);
            advance(&mut machine, &mut heard, now)?;
            for (zone, boost) in params.zones.iter().zip(&mut boost) {
                let z = &machine.zones[number(zone)];
                *boost = z.boost.max(*boost);
                if z.free <= z.plain_marks().low && !fell.contains(&zone.node) {
                    fell.push(zone.node);
                }
            }
            if now < sample {
                continue;
            }
            sample = now + period;
            for (samples, zone) in free.iter_mut().zip(&params.zones) {
                samples.push(machine.zones[number(zone)].free);
            }
            if let Some(used) = used_of(&machine) {
                let ms = (now - SimTime::ZERO).as_nanos() as f64 / 1e6;
                swaps.push(ms, used);
            }
            for (node, rests) in rests.iter_mut().enumerate() {
                rests.extend(rest_of(&machine, node));
            }
        }
        let marks = params.zones.iter().map(|z| machine.zones[number(z)].plain_marks());
        let file = |node: usize| {
            let (inactive, active) = machine.file_pages(node);
            inactive + active
        };
        let devices = 0..params.swaps.len() as u8;
        let priority =
            |device: u8| machine.swap.as_ref()?.slots.device(device).map(Device::priority);
        Ok(Run {
            swaps,
            priorities: devices.filter_map(priority).map(i64::from).collect(),
            memcg: machine.memcgs.get(1).copied(),
            heard,
            vmstat: machine.vmstat,
            turns: free.iter().zip(marks).map(|(f, m)| turns(f, m.low, m.high)).collect(),
            fell,
            boost,
            file: (0..params.nodes()).map(file).collect(),
            rests: rests.into_iter().map(median).collect(),
        })
    }
}

/// Used pages of each swap device.
fn used_of(machine: &Machine) -> Option<Vec<u64>> {
    let slots = &machine.swap.as_ref()?.slots;
    let used = |device: u8| slots.device(device).map(|d| u64::from(d.used()));
    Some((0..).map_while(used).collect())
}

fn advance(machine: &mut Machine, heard: &mut Listener, until: SimTime) -> Result<(), String> {
    let budget = EVENTS_MAX.saturating_sub(machine.core.events);
    match mm::advance(machine, heard, until, budget) {
        Outcome::Budget => Err(format!("a run of more than {EVENTS_MAX} events")),
        Outcome::Stuck(name) => Err(format!("a run that is stuck in {name}")),
        Outcome::Horizon | Outcome::Idle => Ok(()),
    }
}
