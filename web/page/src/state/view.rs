//! How a run is looked at: where the time cursor stands, how it moves, what it stops at.

use super::run::Run;
use chart::Kind;
use report::moment::Moment;
use report::why::{Subject, Why};
use std::rc::Rc;

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// At a time, in nanoseconds.
    Time(u64),
    /// After so many events; the time, as far as it is known, in nanoseconds.
    Events(u64, u64),
}

impl Spot {
    /// Its time, in nanoseconds.
    #[must_use]
    pub const fn time_ns(self) -> u64 {
        match self {
            Self::Time(ns) | Self::Events(_, ns) => ns,
        }
    }
}

/// The machine at a spot, as the worker found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The request that the run is of.
    pub run: u32,
    /// Where it was looked for.
    pub spot: Spot,
    /// Its time, in nanoseconds.
    pub time_ns: u64,
    /// Events up to there.
    pub events: u64,
    /// The digest of the state there.
    pub digest: String,
    /// The view, flat.
    pub view: Rc<[f64]>,
    /// What was asked about there, and the answer.
    pub why: Option<(Subject, Option<Why>)>,
}

/// Simulated nanoseconds a second of playing, and what that is called.
pub const SPEEDS: [(u64, &str); 7] = [
    (1_000, "1 us/s"),
    (10_000, "10 us/s"),
    (100_000, "100 us/s"),
    (1_000_000, "1 ms/s"),
    (10_000_000, "10 ms/s"),
    (100_000_000, "100 ms/s"),
    (1_000_000_000, "1 s/s"),
];
/// The speed at the beginning.
const FIRST_SPEED: usize = 3;
/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One event of the simulation.
    Event,
    /// A millisecond.
    Millisecond,
    /// To the next wakeup of a worker.
    Wakeup,
}

impl Step {
    /// All of them, in order of the list.
    pub const ALL: [Self; 3] = [Self::Event, Self::Millisecond, Self::Wakeup];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Millisecond => "1 ms",
            Self::Wakeup => "wakeup",
        }
    }
}

/// Playing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Play {
    /// When the last frame was, in milliseconds.
    pub(super) last_ms: Option<f64>,
    /// Simulated time that is less than a nanosecond.
    pub(super) rest_ns: f64,
}

/// How a run is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// A place that was chosen; none follows the newest.
    pub cursor: Option<Spot>,
    /// The time under the pointer, while it is over a timeline.
    pub hover: Option<u64>,
    /// The machine at the place that was looked at last.
    pub seen: Option<Rc<Seen>>,
    /// Whether the cursor moves by itself.
    pub play: Option<Play>,
    /// Which of [`SPEEDS`].
    pub speed: usize,
    /// What a step is.
    pub step: Step,
    /// Steps by event that wait until it is known at which event the cursor stands.
    pub(super) waiting: i64,
    /// What is looked for by jumps and stops.
    pub moment: Moment,
    /// Whether the cursor stops where that happens.
    pub stops: bool,
    /// Who follows stops at what happens after this time, in nanoseconds.
    pub follows_from: u64,
    /// The part of the run that the timelines show, in nanoseconds; none is all of it.
    pub window: Option<(u64, u64)>,
    /// What is asked about.
    pub subject: Option<Subject>,
    /// The timelines that are shown.
    pub strips: Rc<[Kind]>,
    /// Series of timelines that are hidden: the timeline, and the number in it.
    pub hidden: Rc<[(Kind, usize)]>,
    /// What became of the last jump, or why the cursor stopped.
    pub said: Rc<str>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            cursor: None,
            hover: None,
            seen: None,
            play: None,
            speed: FIRST_SPEED,
            step: Step::Millisecond,
            waiting: 0,
            moment: Moment::Direct,
            stops: false,
            follows_from: 0,
            window: None,
            subject: None,
            strips: Kind::ALL.into(),
            hidden: Rc::default(),
            said: "".into(),
        }
    }
}

/// What can happen to it.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewAction {
    /// A time was chosen, or the newest is to be followed.
    Cursor(Option<u64>),
    /// The pointer stands over a time, or left the timelines.
    Hover(Option<u64>),
    /// The cursor is to move by itself, or to stand.
    Play(bool),
    /// An animation frame came while playing, at so many milliseconds.
    Tick(f64),
    /// Another speed.
    Speed(usize),
    /// Another kind of step.
    StepBy(Step),
    /// One step forth or back.
    Step(bool),
    /// Something else is looked for.
    LookFor(Moment),
    /// To the next, or the one before.
    Jump(bool),
    /// Why is this as it is? Or enough of that.
    Why(Option<Subject>),
    /// The timelines are to show this part of the run; none is all of it.
    Window(Option<(u64, u64)>),
    /// Half as much of it, or twice as much, about the cursor.
    Zoom(bool),
    /// What comes after, or before.
    Pan(bool),
    /// The cursor is to stop where it happens, or not.
    StopThere(bool),
    /// A series of a timeline is to be hidden, or shown again.
    Hide(Kind, usize),
}

impl View {
    /// Changes it.
    pub fn reduce(&mut self, action: ViewAction, run: &Run) {
        match action {
            ViewAction::Hover(time) => self.hover = time,
            ViewAction::Tick(now_ms) => self.tick(now_ms, run),
            ViewAction::Speed(speed) => self.speed = speed.min(SPEEDS.len() - 1),
            ViewAction::StepBy(step) => self.step = step,
            ViewAction::LookFor(moment) => self.moment = moment,
            ViewAction::StopThere(stops) => {
                self.stops = stops;
                self.follows_from = run.newest_ns();
            }
            ViewAction::Cursor(time) => {
                self.follows_from = run.newest_ns();
                self.stand(time.map(Spot::Time), "");
            }
            ViewAction::Window(window) => self.show(window, run),
            ViewAction::Zoom(nearer) => self.zoom(nearer, run),
            ViewAction::Pan(forth) => self.pan(forth, run),
            ViewAction::Why(subject) => {
                // What is explained stands still.
                if subject.is_some() && self.cursor.is_none() {
                    self.stand(Some(self.spot(run)), "");
                }
                self.subject = subject;
            }
            ViewAction::Play(plays) => {
                let at = self.spot(run).time_ns();
                let is_at_end = !run.is_busy() && at >= run.newest_ns();
                self.stand(Some(Spot::Time(if is_at_end && plays { 0 } else { at })), "");
                self.play = plays.then(Play::default);
            }
            ViewAction::Hide(kind, series) => {
                let was = self.hidden.iter().copied().filter(|&one| one != (kind, series));
                let mut hidden: Vec<_> = was.collect();
                if hidden.len() == self.hidden.len() {
                    hidden.push((kind, series));
                }
                self.hidden = hidden.into();
            }
            ViewAction::Step(forth) => self.step(forth, run),
            ViewAction::Jump(forth) => self.jump(self.moment, forth, run),
        }
    }

    pub(super) fn stand(&mut self, spot: Option<Spot>, said: &str) {
        self.cursor = spot;
        self.play = None;
        self.waiting = 0;
        self.said = said.into();
    }

    /// Another run is asked for: what was said is of the one before, and so is what was asked about
    /// while nothing stands still.
    pub(super) fn leave(&mut self) {
        self.said = "".into();
        if self.cursor.is_none() {
            self.subject = None;
        }
    }

    /// Where the cursor stands, or where following has got to.
    pub(super) fn spot(&self, run: &Run) -> Spot {
        self.cursor.unwrap_or(Spot::Time(run.shows.clock_ns))
    }

    /// The time to show: under the pointer, else chosen, as far as there is something to show; else
    /// the one that follows the run.
    #[must_use]
    pub fn time(&self, newest_ns: u64, following_ns: u64) -> u64 {
        let chosen = self.hover.or(self.cursor.map(Spot::time_ns));
        chosen.map_or(following_ns, |time| time.min(newest_ns))
    }

    /// Where the worker is to look; nowhere when the newest is followed or nothing is there yet.
    #[must_use]
    pub fn wanted(&self, run: &Run) -> Option<Spot> {
        let spot = self.hover.map(Spot::Time).or(self.cursor)?;
        (spot.time_ns() <= run.newest_ns() && run.header.is_some()).then_some(spot)
    }

    /// The machine at the place that is wanted, once it was found.
    #[must_use]
    pub fn exact(&self, run: &Run) -> Option<&Rc<Seen>> {
        let wanted = self.wanted(run)?;
        self.seen.as_ref().filter(|seen| seen.run == run.shown && seen.spot == wanted)
    }

    /// Whether the worker has to look once more: for the place, or for an answer.
    #[must_use]
    pub fn is_open(&self, run: &Run) -> bool {
        let about = |seen: &Rc<Seen>| seen.why.as_ref().map(|(subject, _)| *subject);
        match self.exact(run) {
            Some(seen) => self.subject.is_some() && about(seen) != self.subject,
            None => true,
        }
    }

    /// The answer to what is asked about, of where the cursor stands or of where it was.
    #[must_use]
    pub fn answer(&self, run: &Run) -> Option<&Why> {
        let seen = self.seen.as_ref().filter(|seen| seen.run == run.shown)?;
        let (subject, why) = seen.why.as_ref()?;
        why.as_ref().filter(|_| self.subject == Some(*subject))
    }

    /// Whether the run has no such thing as is asked about.
    #[must_use]
    pub fn has_none(&self, run: &Run) -> bool {
        let seen = self.seen.as_ref().filter(|seen| seen.run == run.shown);
        let about = seen.and_then(|seen| seen.why.as_ref());
        about.is_some_and(|(subject, why)| why.is_none() && self.subject == Some(*subject))
    }

    /// Whether the worker has the run no more, so that only what was streamed can be shown.
    #[must_use]
    pub fn is_lost(&self, run: &Run) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.run == run.shown && seen.view.is_empty())
    }

    /// The flat view to show at the place that is wanted: the exact one, or while the worker looks
    /// for it the nearest of what it found before and what the run streamed.
    #[must_use]
    pub fn nearest(&self, run: &Run) -> Option<Rc<[f64]>> {
        let time_ns = self.wanted(run)?.time_ns();
        let streamed = run.views.at(time_ns);
        let seen = self.seen.as_ref().filter(|s| s.run == run.shown && !s.view.is_empty());
        let Some(seen) = seen else { return streamed.and_then(|n| run.views.flat(n)) };
        let far = |other: u64| other.abs_diff(time_ns);
        let other = streamed.filter(|&n| run.views.time_ns(n).map(far) < Some(far(seen.time_ns)));
        match other.filter(|_| self.exact(run).is_none()) {
            Some(number) => run.views.flat(number),
            None => Some(seen.view.clone()),
        }
    }

    /// Takes what the worker found.
    pub fn take(&mut self, mut seen: Seen) {
        if let Spot::Events(asked, _) = seen.spot {
            seen.spot = Spot::Events(seen.events, seen.time_ns);
            if let Some(Spot::Events(events, _)) = self.cursor
                && events == asked
            {
                // Behind the newest event there is none.
                self.cursor = Some(seen.spot);
            }
        }
        if self.waiting != 0 && self.cursor == Some(seen.spot) {
            let events = seen.events.saturating_add_signed(self.waiting);
            self.cursor = Some(Spot::Events(events, seen.time_ns));
            self.waiting = 0;
        }
        self.seen = Some(Rc::new(seen));
    }
}
