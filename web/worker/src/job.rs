//! One run in the worker: begun, worked on slice by slice, reported. It stays afterwards, so that
//! any instant of it can be looked at.

use crate::port;
use crate::slice::Slice;
use lab::track::{Place, Track};
use lab::{Progress, Run};
use report::why::Subject;
use report::wire;
use scenario::{Problem, Scenario, link};
use wasm_bindgen::JsValue;

/// Wall time between two messages of a run, in milliseconds: a frame.
const MESSAGE_MS: f64 = 16.0;
/// Wall time between two messages with rows: timelines cost more to draw than they change in a
/// frame.
const ROWS_MS: f64 = 100.0;
/// Views of a whole run, about: what the scrubber can go back to.
const VIEWS: u64 = 300;
/// Seconds of one CPU that a run may take without being asked for twice.
const SECONDS_MAX: u64 = 60;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The first view.
    First,
    /// A run, unless it takes too long.
    Run,
    /// A run.
    Long,
}

impl Wish {
    pub(crate) fn by_name(name: &str) -> Self {
        match name {
            "first" => Self::First,
            "long" => Self::Long,
            _ => Self::Run,
        }
    }
}

/// A run at work.
pub(crate) struct Job {
    number: u32,
    run: Run,
    /// Its checkpoints.
    track: Track,
    /// The instant that was looked at last.
    here: Option<Run>,
    /// Whether it goes on.
    is_at_work: bool,
    end_ns: u64,
    slice: Slice,
    /// Packed views that were not sent yet.
    views: Vec<f64>,
    last_view_ns: u64,
    last_message_ms: f64,
    last_rows_ms: f64,
}

impl Job {
    /// Begins a run and sends what is known of it; none when it cannot be run.
    pub(crate) fn begin(number: u32, link: &str, wish: Wish) -> Option<Self> {
        let prepared = read(link).and_then(|scenario| prepare(number, &scenario, wish));
        let run = match prepared {
            Ok(run) => run?,
            Err(problems) => {
                send(number, "rejected", "problems", text(&problems));
                return None;
            }
        };
        let header = run.header();
        send(number, "started", "header", text(&header));
        let mut job = Self {
            number,
            track: Track::new(&run),
            here: None,
            is_at_work: wish != Wish::First,
            run,
            end_ns: header.end_ns.max(1),
            slice: Slice::new(),
            views: Vec::new(),
            last_view_ns: 0,
            last_message_ms: 0.0,
            last_rows_ms: 0.0,
        };
        // Whatever was changed, its first frame is there at once.
        job.look();
        job.stream(true);
        if wish == Wish::First {
            send(number, "held", "", JsValue::UNDEFINED);
        }
        Some(job)
    }

    /// Begins another future of this run at a place; none when it cannot be. This one stays as it
    /// is.
    pub(crate) fn fork(&self, number: u32, link: &str, place: Place) -> Option<Self> {
        let here = self.track.seek(place, &self.run, None);
        let run = match read(link).and_then(|scenario| here.forked(&scenario)) {
            Ok(run) => run,
            Err(problems) => {
                send(number, "rejected", "problems", text(&problems));
                return None;
            }
        };
        send(number, "started", "header", text(&run.header()));
        let mut job = Self {
            number,
            track: self.track.forked(&run),
            here: None,
            is_at_work: true,
            end_ns: self.end_ns,
            slice: Slice::new(),
            views: Vec::new(),
            last_view_ns: run.time_ns(),
            last_message_ms: 0.0,
            last_rows_ms: 0.0,
            run,
        };
        job.look();
        job.stream(true);
        Some(job)
    }

    /// Whether there is something to simulate.
    pub(crate) fn is_at_work(&self) -> bool {
        self.is_at_work
    }

    /// Goes on no more; what was simulated stays.
    pub(crate) fn stop(&mut self) {
        self.is_at_work = false;
    }

    /// Sends the machine at a place.
    pub(crate) fn seek(&mut self, place: Place, why: &str) {
        let here = self.track.seek(place, &self.run, self.here.take());
        let time_ns = match place {
            Place::Time(ns) => ns.min(self.run.time_ns()).max(here.time_ns()),
            Place::Events(_) => here.time_ns(),
        };
        let mut view = Vec::new();
        wire::encode_view(&here.view_at(time_ns), &mut view);
        let answer = Subject::by_key(why).and_then(|subject| here.why(subject, time_ns));
        let fields = [
            ("type", "seen".into()),
            ("about", why.into()),
            ("why", answer.map_or(JsValue::UNDEFINED, |answer| text(&answer))),
            ("run", self.number.into()),
            ("place", name(place).into()),
            ("events", here.events().to_string().into()),
            ("digest", here.digest().into()),
            ("checkpoints", (self.track.len() as u32).into()),
            ("bytes", (self.track.bytes() as f64).into()),
        ];
        port::post_arrays(&fields, &[("view", &view)]);
        self.here = Some(here);
    }

    /// The number of its request.
    pub(crate) fn run(&self) -> u32 {
        self.number
    }

    /// One slice; says whether there is more.
    pub(crate) fn work(&mut self) -> bool {
        let (events, time_ns) = (self.run.events(), self.run.time_ns());
        let begin_ms = port::now_ms();
        let progress = self.run.advance(self.slice.budget());
        let now_ms = port::now_ms();
        let share = (self.run.time_ns() - time_ns) as f64 / self.end_ns as f64;
        self.slice.learn(self.run.events() - events, now_ms - begin_ms, share, 1.0 / VIEWS as f64);
        let is_over = progress != Progress::Running;
        self.track.note(&self.run);
        if is_over || self.run.time_ns() - self.last_view_ns >= self.end_ns / VIEWS {
            self.look();
        }
        if is_over || now_ms - self.last_message_ms >= MESSAGE_MS {
            // A machine that is slow to simulate is still seen at every frame.
            if self.views.is_empty() && self.run.time_ns() > self.last_view_ns {
                self.look();
            }
            self.stream(is_over);
        }
        if is_over {
            send(self.number, "done", "report", text(&self.run.report()));
            self.is_at_work = false;
        }
        !is_over
    }

    fn look(&mut self) {
        wire::pack_view(&self.run.view(), &mut self.views);
        self.last_view_ns = self.run.time_ns();
    }

    fn stream(&mut self, with_rows: bool) {
        let now_ms = port::now_ms();
        let mut rows = Vec::new();
        if with_rows || now_ms - self.last_rows_ms >= ROWS_MS {
            for (time_ns, values) in self.run.take_rows() {
                wire::encode_row(time_ns, &values, &mut rows);
            }
            self.last_rows_ms = now_ms;
        }
        let mut moments = Vec::new();
        wire::encode_moments(&self.run.take_moments(), &mut moments);
        let fields = [
            ("type", "progress".into()),
            ("run", self.number.into()),
            ("events", self.run.events().to_string().into()),
        ];
        port::post_arrays(
            &fields,
            &[("views", &self.views), ("rows", &rows), ("moments", &moments)],
        );
        self.views.clear();
        self.last_message_ms = now_ms;
    }
}

/// A place as a message names it.
fn name(place: Place) -> String {
    match place {
        Place::Time(ns) => format!("t{ns}"),
        Place::Events(events) => format!("e{events}"),
    }
}

/// The place that a message names.
pub(crate) fn place(name: &str) -> Place {
    let number = name.get(1..).and_then(|number| number.parse().ok()).unwrap_or(0);
    if name.starts_with('e') { Place::Events(number) } else { Place::Time(number) }
}

fn read(text: &str) -> Result<Scenario, Vec<Problem>> {
    match link::decode(text) {
        Ok(opened) if opened.problems.is_empty() => Ok(opened.scenario),
        Ok(opened) => Err(opened.problems),
        Err(error) => Err(vec![Problem::new("scenario", error.to_string())]),
    }
}

/// The run, or none when it would take too long and the page has to ask.
fn prepare(number: u32, scenario: &Scenario, wish: Wish) -> Result<Option<Run>, Vec<Problem>> {
    if wish == Wish::Run {
        let seconds = lab::estimate(scenario)?.seconds;
        if seconds > SECONDS_MAX {
            send(number, "long", "seconds", seconds.to_string().into());
            return Ok(None);
        }
    }
    Run::prepare(scenario).map(Some)
}

fn send(run: u32, kind: &str, name: &str, value: JsValue) {
    let fields = [("type", kind.into()), ("run", run.into()), (name, value)];
    let count = if name.is_empty() { 2 } else { 3 };
    port::post(&fields[..count]);
}

pub(crate) fn text<T: serde::Serialize>(value: &T) -> JsValue {
    let json = serde_json::to_string(value);
    json.expect("plain data can be written as JSON").into()
}
