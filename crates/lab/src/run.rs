//! One simulation: prepared, advanced in slices, looked at on the way, reported.

use crate::MODEL_VERSION;
use crate::lower::lower_with;
use crate::record::{Listener, Recorder, columns};
use crate::snapshot::Snapshot;
use crate::trace::TraceLog;
use catalog::{ControlId, Ledger};
use engine::Stop;
use mm::Machine;
use report::moment::Happened;
use report::wire::{Header, NodeHeader};
use report::{MachineView, Report};
use scenario::{Problem, Scenario};
use std::sync::Arc;
use units::SimTime;

/// Sample rows a run has, about.
const SAMPLES: u64 = 600;

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to simulate.
    Running,
    /// The end of the window was reached.
    Finished,
    /// The run cannot go on, for this reason.
    Stopped(String),
}

/// A simulation. A clone is a checkpoint: it goes on exactly as this one does.
#[derive(Clone, Debug)]
pub struct Run {
    pub(crate) scenario: Scenario,
    pub(crate) machine: Machine,
    pub(crate) recorder: Option<Recorder>,
    /// The figures at the start of the window, once it has begun.
    pub(crate) base: Option<Arc<Snapshot>>,
    pub(crate) warmup: SimTime,
    pub(crate) end: SimTime,
    sample_ns: u64,
    next_sample: SimTime,
    progress: Progress,
}

impl Run {
    /// A run of this scenario at time 0.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn prepare(scenario: &Scenario) -> Result<Self, Vec<Problem>> {
        Self::prepare_with(scenario, scenario.ledger())
    }

    /// The same with other constants than those of the ledger.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn prepare_with(scenario: &Scenario, ledger: Ledger) -> Result<Self, Vec<Problem>> {
        let machine = Machine::new(lower_with(scenario, ledger)?);
        let warmup = scenario.get(ControlId::Warmup).unsigned_abs();
        let end = warmup + scenario.get(ControlId::Duration).unsigned_abs();
        // Rounded up: a remainder would be a row of its own over next to no time.
        let sample_ns = end.div_ceil(SAMPLES).max(1);
        Ok(Self {
            scenario: scenario.clone(),
            recorder: Some(Recorder::new(&machine, SimTime::ZERO)),
            machine,
            base: None,
            warmup: SimTime::from_nanos(warmup),
            end: SimTime::from_nanos(end),
            sample_ns,
            next_sample: SimTime::from_nanos(sample_ns),
            progress: Progress::Running,
        })
    }

    /// The same without samples and latencies; its digest is the same.
    #[must_use]
    pub fn without_recording(mut self) -> Self {
        self.recorder = None;
        self
    }

    /// The same with an event log of so many events at most; its digest is the same. It begins now.
    #[must_use]
    pub fn with_trace(mut self, most: usize) -> Self {
        if let Some(recorder) = &mut self.recorder {
            recorder.trace = Some(TraceLog::new(most));
        }
        self
    }

    /// The event log as `trace-cmd report` prints it, line by line; nothing without one.
    pub fn trace_lines(&self) -> impl Iterator<Item = String> + '_ {
        let log = self.recorder.as_ref().and_then(|r| r.trace.as_ref());
        log.into_iter().flat_map(|log| log.lines(&self.machine))
    }

    /// Dispatches about `max_events` events, or fewer when the run ends.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        self.advance_until(SimTime::MAX, max_events)
    }

    /// The same, but no event after `until`. The state is then that of a run that was cut nowhere.
    pub(crate) fn advance_until(&mut self, until: SimTime, max_events: u64) -> Progress {
        let stop_at = self.machine.core.events.saturating_add(max_events);
        while self.progress == Progress::Running && self.machine.core.events < stop_at {
            let boundary = self.boundary().min(until);
            let budget = stop_at - self.machine.core.events;
            let stop =
                mm::advance(&mut self.machine, &mut Listener(&mut self.recorder), boundary, budget);
            match stop {
                Stop::Budget => break,
                Stop::Horizon | Stop::Idle => {
                    self.cross(boundary);
                    if boundary == until {
                        break;
                    }
                }
                Stop::Stuck(name) => {
                    let sentence = format!("a million events without time moving, in {name}");
                    self.progress = Progress::Stopped(sentence);
                }
            }
        }
        self.progress.clone()
    }

    /// The next instant at which something is noted.
    fn boundary(&self) -> SimTime {
        let window = if self.base.is_none() { self.warmup } else { self.end };
        window.min(self.next_sample).min(self.end)
    }

    /// Notes what is due at `time`.
    fn cross(&mut self, time: SimTime) {
        if time == self.warmup && self.base.is_none() {
            self.base = Some(Arc::new(Snapshot::take(&self.machine, time)));
            if let Some(recorder) = &mut self.recorder {
                recorder.begin_window();
            }
        }
        if time == self.next_sample || time == self.end {
            if let Some(recorder) = &mut self.recorder {
                recorder.sample(&self.machine, time);
            }
            self.next_sample = SimTime::from_nanos(time.as_nanos() + self.sample_ns);
        }
        let m = &self.machine;
        if m.alive == 0 && m.config.tasks() > 0 {
            let killed = m.tasks.iter().any(|task| task.job.killed);
            let why = if killed { "was killed for its memory" } else { "has ended" };
            self.progress = Progress::Stopped(format!("every task of the workload {why}"));
        } else if time == self.end {
            self.progress = Progress::Finished;
        }
    }

    /// The same at the beginning of its window.
    #[must_use]
    pub fn warmed_up(mut self) -> Self {
        self.advance_until(self.warmup, u64::MAX);
        self.take_rows();
        self
    }

    /// The same run, but from here on everything is drawn as under another seed.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Self {
        let mut run = self.clone();
        run.machine.reseed(seed);
        run
    }

    /// Simulated nanoseconds of the last event, or the end when the run is finished.
    #[must_use]
    pub fn time_ns(&self) -> u64 {
        self.time().as_nanos()
    }

    pub(crate) fn time(&self) -> SimTime {
        if self.progress == Progress::Finished { self.end } else { self.machine.now() }
    }

    /// Events dispatched so far.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.machine.core.events
    }

    /// 16 hex digits over every event dispatched so far.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", self.machine.core.digest.value())
    }

    /// How far the run is.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The state of the model.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What is fixed for this run: shapes of views and rows.
    #[must_use]
    pub fn header(&self) -> Header {
        let m = &self.machine;
        let node = |n: usize| NodeHeader {
            cpus: m.cpus.of_node(units::NodeId(n as u32)).len() as u32,
            managed: crate::view::zones(m, n).iter().map(|z| z.managed).sum(),
            marks: crate::view::marks(m, n),
            locks: crate::view::lock_names(m, n),
            workers: m.config.kswapds,
            readers: crate::view::residents(m, n).count() as u32,
        };
        Header {
            model: MODEL_VERSION.into(),
            link: scenario::link::encode(&self.scenario),
            warmup_ns: self.warmup.as_nanos(),
            end_ns: self.end.as_nanos(),
            columns: columns(m),
            nodes: (0..m.nodes.len()).map(node).collect(),
            swap: crate::view::swap_headers(m, &self.scenario),
            swap_lock: crate::view::swap_lock_name(m),
            swap_design: crate::view::swap_design(m),
            swap_quota: crate::view::swap_quota(m),
        }
    }

    /// The machine now.
    #[must_use]
    pub fn view(&self) -> MachineView {
        crate::view::view(&self.machine, self.time())
    }

    /// The machine at a time that is not before the last event; an earlier one is taken as that.
    #[must_use]
    pub fn view_at(&self, time_ns: u64) -> MachineView {
        let time = SimTime::from_nanos(time_ns).max(self.time());
        crate::view::view(&self.machine, time)
    }

    /// Bytes that keeping this run costs beside an earlier state of it, about. Recording is not
    /// counted.
    #[must_use]
    pub fn bytes_not_shared_with(&self, other: &Self) -> u64 {
        self.machine.bytes_not_shared_with(&other.machine) + size_of::<Self>() as u64
    }

    /// The sample rows since the last call: time in ns and one value a column of the header.
    pub fn take_rows(&mut self) -> Vec<(u64, Vec<f64>)> {
        self.recorder.as_mut().map(Recorder::take_rows).unwrap_or_default()
    }

    /// The moments since the last call, in order of time.
    pub fn take_moments(&mut self) -> Vec<Happened> {
        self.recorder.as_mut().map(Recorder::take_moments).unwrap_or_default()
    }

    /// What the run says of its window so far.
    #[must_use]
    pub fn report(&self) -> Report {
        crate::summary::report(self)
    }
}
