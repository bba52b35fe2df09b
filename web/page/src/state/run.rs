//! The request to the worker and everything that it answered.
//!
//! Every request has a number. An answer with another number, or to a request that was cancelled,
//! is dropped here, so that an old answer cannot overwrite a new one whatever the worker does. What
//! an earlier run showed stays until the new run has something to show.

use super::draft::{Draft, sentence};
use super::shows::Shows;
use super::view::Seen;
use super::views::Views;
use report::Report;
use report::moment::Happened;
use report::series::Table;
use report::wire::{self, Header, WireError};
use scenario::{Problem, Scenario};
use std::rc::Rc;

/// What the worker says.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// It can take requests; with the version of its model.
    Ready(String),
    /// The run begins.
    Started(u32, Box<Header>),
    /// The run goes on.
    Progress {
        /// The request.
        run: u32,
        /// Events so far.
        events: u64,
        /// Views, packed.
        views: Vec<f64>,
        /// Rows of samples.
        rows: Vec<f64>,
        /// Moments, encoded.
        moments: Vec<f64>,
    },
    /// The machine at a place that was asked for.
    Seen(Box<Seen>),
    /// It lives.
    Pong,
    /// Only the first view was asked for, and it was sent.
    Held(u32),
    /// The run is over.
    Done(u32, Box<Report>),
    /// The scenario cannot be run.
    Rejected(u32, Vec<Problem>),
    /// The run would take so many seconds; it was not begun.
    NeedsForce(u32, u64),
    /// The worker is no more.
    Crashed(String),
}

/// What is asked of the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing yet.
    Nothing,
    /// The first view.
    First,
    /// A run, if it does not take too long.
    Run,
    /// A run, however long it takes.
    RunLong,
    /// The run that is shown, going on from this time in nanoseconds under what is edited.
    Fork(u64),
    /// That it stops.
    Cancel,
}

/// How far the request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was asked for yet.
    Idle,
    /// The worker was asked, and has not answered.
    Asked,
    /// It simulates.
    Running,
    /// The first view is there; the run was not asked for.
    Held,
    /// It is over and the report is there.
    Finished,
    /// It was cancelled.
    Cancelled,
    /// It would take so many seconds.
    TooLong(u64),
    /// It cannot be run.
    Rejected(Rc<Vec<Problem>>),
    /// It broke off, for this reason.
    Failed(String),
}

impl Phase {
    /// Its name in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Asked => "asked",
            Self::Running => "running",
            Self::Held => "held",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::TooLong(_) => "too-long",
            Self::Rejected(_) => "rejected",
            Self::Failed(_) => "failed",
        }
    }
}

/// A report and what it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The request.
    pub run: u32,
    /// What was run.
    pub scenario: Rc<Scenario>,
    /// What came out.
    pub report: Report,
}

/// The run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The number of the newest request; 0 before the first.
    pub id: u32,
    /// What it asks for.
    pub wish: Wish,
    /// What is run.
    pub scenario: Rc<Scenario>,
    /// How far it is.
    pub phase: Phase,
    /// The request that header, samples and views are of: an earlier one until the newest answers.
    pub shown: u32,
    /// What is fixed of that run.
    pub header: Option<Rc<Header>>,
    /// Its samples.
    pub table: Rc<Table>,
    /// Its views.
    pub views: Rc<Views>,
    /// What happened in it, in order of time.
    pub moments: Rc<Vec<Happened>>,
    /// Events so far.
    pub events: u64,
    /// What is shown while the run goes on.
    pub shows: Shows,
    /// The run that was left, and when, where what is shown is another future of it.
    pub left: Option<Rc<Left>>,
    /// The newest report; it may be of an earlier run.
    pub outcome: Option<Rc<Outcome>>,
    /// The version of the worker's model, once it is known.
    pub model: Option<Rc<str>>,
    /// How many workers died at work; each was followed by a new one.
    pub crashes: u32,
    /// Why there is no worker: it died before it could take a request.
    pub dead: Option<Rc<str>>,
}

/// A run that was left for another future.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// When it was left, in nanoseconds.
    pub from_ns: u64,
    /// Its samples from then on.
    pub after: Rc<Table>,
    table: Rc<Table>,
    views: Rc<Views>,
    moments: Rc<Vec<Happened>>,
}

/// What can happen to it.
#[derive(Clone, Debug, PartialEq)]
pub enum RunAction {
    /// What is edited shall count from this time on, in nanoseconds; or for the whole run again.
    Fork(Option<u64>),
    /// The draft is to be run, or looked at.
    Ask(Wish),
    /// The worker said this.
    Worker(Vec<Message>),
}

impl Run {
    /// Before the first request.
    #[must_use]
    pub fn new(scenario: Rc<Scenario>) -> Self {
        Self {
            id: 0,
            wish: Wish::Nothing,
            scenario,
            phase: Phase::Idle,
            shown: 0,
            header: None,
            table: Rc::default(),
            views: Rc::default(),
            moments: Rc::default(),
            events: 0,
            shows: Shows::default(),
            left: None,
            outcome: None,
            model: None,
            crashes: 0,
            dead: None,
        }
    }

    /// Changes it.
    pub fn reduce(&mut self, action: RunAction, draft: &Draft) {
        match action {
            RunAction::Ask(Wish::Cancel) => {
                if self.is_busy() {
                    self.wish = Wish::Cancel;
                    self.phase = Phase::Cancelled;
                    self.show();
                }
            }
            RunAction::Fork(Some(from_ns)) => self.fork(from_ns, draft),
            RunAction::Fork(None) => {
                self.left = None;
                self.ask(Wish::Run, draft);
            }
            RunAction::Ask(wish) => self.ask(wish, draft),
            RunAction::Worker(messages) => {
                let mut is_news = false;
                for message in messages {
                    is_news |= self.take(message);
                }
                if is_news {
                    self.show();
                }
            }
        }
    }

    /// Whether an answer is awaited.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self.phase, Phase::Asked | Phase::Running)
    }

    /// Whether the report is of another run than the newest request.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.run != self.id)
    }

    /// The simulated time up to which it can be looked at, in nanoseconds.
    #[must_use]
    pub fn newest_ns(&self) -> u64 {
        self.views.newest_ns().max(self.table.time_ns.last().copied().unwrap_or(0))
    }

    /// Shows the newest: in turns while there is more to come, and all at the end.
    fn show(&mut self) {
        // The first frame of a run is whole, and so is the last.
        let all = !self.is_busy() || self.views.len() <= 1;
        let nodes = self.header.as_ref().map_or(0, |header| header.nodes.len());
        let newest_ns = self.newest_ns();
        self.shows.turn(self.shown, nodes, newest_ns, self.events, &self.table, all);
    }

    fn ask(&mut self, wish: Wish, draft: &Draft) {
        self.id += 1;
        self.scenario = draft.scenario.clone();
        if let Some(reason) = &self.dead {
            self.phase = Phase::Failed(no_worker(reason));
        } else if draft.can_run() {
            self.wish = match &self.left {
                Some(left) => Wish::Fork(left.from_ns),
                None => wish,
            };
            self.phase = Phase::Asked;
        } else {
            // The worker may still be busy with what came before.
            self.wish = Wish::Cancel;
            self.phase = Phase::Rejected(draft.problems.clone());
        }
    }

    fn fork(&mut self, from_ns: u64, draft: &Draft) {
        if self.header.is_none() || self.left.is_some() {
            return;
        }
        let (table, views) = (self.table.clone(), self.views.clone());
        let moments = self.moments.clone();
        let after = Rc::new(table.since(from_ns));
        self.left = Some(Rc::new(Left { from_ns, after, table, views, moments }));
        self.ask(Wish::Run, draft);
    }

    fn is_awaited(&self, run: u32) -> bool {
        run == self.id && self.is_busy()
    }

    /// Takes what the worker says; says whether anybody waited for it.
    fn take(&mut self, message: Message) -> bool {
        match message {
            Message::Ready(model) => self.model = Some(model.into()),
            Message::Crashed(reason) => self.crash(&reason),
            Message::Started(run, header) if self.is_awaited(run) => {
                self.phase = Phase::Running;
                self.shown = run;
                let columns = header.columns.clone();
                self.table = Rc::new(Table { columns, ..Table::default() });
                self.views = Rc::default();
                self.moments = Rc::default();
                if let Some(left) = &self.left {
                    // The past is common to both futures.
                    self.table = Rc::new(left.table.until(left.from_ns));
                    self.views = Rc::new(left.views.until(left.from_ns));
                    let mut moments = (*left.moments).clone();
                    moments.retain(|happened| happened.time_ns <= left.from_ns);
                    self.moments = Rc::new(moments);
                }
                self.events = 0;
                self.header = Some(Rc::from(header));
            }
            Message::Progress { run, events, views, rows, moments } if self.is_awaited(run) => {
                self.events = events;
                if let Err(error) = self.grow(&views, &rows, &moments) {
                    self.phase = Phase::Failed(self.failure(&error.to_string()));
                }
            }
            Message::Held(run) if self.is_awaited(run) => self.phase = Phase::Held,
            Message::Done(run, report) if self.is_awaited(run) => {
                self.phase = match report.stopped.as_str() {
                    "window" => Phase::Finished,
                    reason => Phase::Failed(self.failure(reason)),
                };
                self.events = report.events;
                let scenario = self.scenario.clone();
                self.outcome = Some(Rc::new(Outcome { run, scenario, report: *report }));
            }
            Message::Rejected(run, problems) if self.is_awaited(run) => {
                self.phase = Phase::Rejected(Rc::new(problems));
            }
            Message::NeedsForce(run, seconds) if self.is_awaited(run) => {
                self.phase = Phase::TooLong(seconds);
            }
            // An answer to a request that nobody waits for any more.
            _ => return false,
        }
        true
    }

    fn grow(&mut self, views: &[f64], rows: &[f64], moments: &[f64]) -> Result<(), WireError> {
        let Some(header) = &self.header else { return Ok(()) };
        Rc::make_mut(&mut self.views).add(views)?;
        let rows = wire::decode_rows(header, rows)?;
        if !rows.is_empty() {
            let table = Rc::make_mut(&mut self.table);
            for (time, values) in rows {
                table.push(time, values);
            }
        }
        let moments = wire::decode_moments(moments)?;
        if !moments.is_empty() {
            let all = Rc::make_mut(&mut self.moments);
            for happened in moments {
                // Direct reclaim is heard of late.
                let after = all.partition_point(|other| other.time_ns <= happened.time_ns);
                all.insert(after, happened);
            }
        }
        Ok(())
    }

    fn crash(&mut self, reason: &str) {
        let was_ready = self.model.take().is_some();
        if was_ready {
            self.crashes += 1;
            if self.is_busy() {
                self.phase = Phase::Failed(self.failure(reason));
            }
        } else {
            // One that never was ready would not be the next time either. A worker's last words
            // come once: its inbox sees to that.
            self.dead = Some(reason.into());
            self.phase = Phase::Failed(no_worker(reason));
        }
    }

    fn failure(&self, reason: &str) -> String {
        let at = match self.newest_ns() {
            0 => "before it began".to_owned(),
            ns => format!("at {}", chart::words::clock(ns)),
        };
        format!("The run stopped {at}: {} Your settings are kept.", sentence(reason))
    }
}

fn no_worker(reason: &str) -> String {
    format!("There is no simulator: {} Reload the page to try again.", sentence(reason))
}
