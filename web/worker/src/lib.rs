//! The worker: simulates in slices so that a cancel gets through, and streams what it sees.
//!
//! The page sends `{type: "start", run, scenario, wish}` (scenario as a link; wish `first`,
//! `run` or `long`), `{type: "fork", run, scenario, place}` (the run at work goes on from there
//! under that scenario), `{type: "cancel", run}`, `{type: "seek", run, place, why}` (place as `t` with
//! nanoseconds, or `e` with a number of events; `why` names what is asked about, or is empty) and
//! `{type: "ping"}`. The worker answers with
//!
//! * `{type: "ready", model}` once,
//! * `{type: "started", run, header}` (header as JSON),
//! * `{type: "progress", run, events, views, rows, moments}`: packed views, rows and moments as
//!   `Float64Array`s that are handed over, not copied,
//! * `{type: "seen", run, place, events, digest, checkpoints, bytes, about, why, view}`: the
//!   machine at that place, the answer to what was asked about, and what the run's checkpoints
//!   hold; without a view when there is no such run any more,
//! * `{type: "pong"}`,
//! * `{type: "held", run}` when only the first view was asked for,
//! * `{type: "done", run, report}` (report as JSON),
//! * `{type: "rejected", run, problems}` (problems as JSON),
//! * `{type: "long", run, seconds}` when a run would take so long that the page has to ask,
//! * `{type: "crashed", reason}` before it dies.
//!
//! A worker that has no run to show does tasks ([`task`]): `{type: "task", name, args}` is answered
//! by `{type: "answer", text}`, or by `{type: "refused", problems}`.
//!
//! 64-bit integers cross as text. One run at a time: a new start ends the one before. A run that is
//! over, cancelled or only begun stays to be looked at.

mod job;
mod port;
mod slice;
mod task;

use job::{Job, Wish};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// The run at work, if any.
type Bench = Rc<RefCell<Option<Job>>>;

/// Takes messages as long as the worker lives.
pub fn run() {
    std::panic::set_hook(Box::new(|info| {
        port::post(&[("type", "crashed".into()), ("reason", info.to_string().into())]);
    }));
    let bench: Bench = Rc::default();
    let turn = port::Turn::new({
        let bench = Rc::clone(&bench);
        move || work(&bench)
    });
    let mut desk = task::Desk::default();
    port::on_message(move |message| {
        if port::text(message, "type") == "task" {
            let (name, args) = (port::text(message, "name"), port::text(message, "args"));
            port::post(&match desk.take(&name, &args) {
                Ok(text) => [("type", "answer".into()), ("text", text.into())],
                Err(problems) => [("type", "refused".into()), ("problems", job::text(&problems))],
            });
        } else if take(&bench, message) {
            turn.request();
        }
    });
    port::post(&[("type", "ready".into()), ("model", lab::MODEL_VERSION.into())]);
}

/// One slice of the run at work; says whether there is more to do.
fn work(bench: &Bench) -> bool {
    let mut bench = bench.borrow_mut();
    bench.as_mut().filter(|job| job.is_at_work()).is_some_and(|job| job.work())
}

/// Does what the page asks for; says whether there is work now.
fn take(bench: &Bench, message: &JsValue) -> bool {
    let run = port::number(message, "run") as u32;
    match port::text(message, "type").as_str() {
        "start" => {
            let wish = Wish::by_name(&port::text(message, "wish"));
            let job = Job::begin(run, &port::text(message, "scenario"), wish);
            let is_at_work = job.as_ref().is_some_and(Job::is_at_work);
            *bench.borrow_mut() = job;
            is_at_work
        }
        "fork" => {
            let place = job::place(&port::text(message, "place"));
            let mut bench = bench.borrow_mut();
            let fork = bench
                .as_ref()
                .and_then(|job| job.fork(run, &port::text(message, "scenario"), place));
            if let Some(job) = bench.as_mut() {
                job.stop();
            }
            let is_at_work = fork.is_some();
            if is_at_work {
                *bench = fork;
            }
            is_at_work
        }
        "cancel" => {
            let mut bench = bench.borrow_mut();
            if let Some(job) = bench.as_mut().filter(|job| job.run() <= run) {
                job.stop();
            }
            false
        }
        "seek" => {
            let name = port::text(message, "place");
            match bench.borrow_mut().as_mut().filter(|job| job.run() == run) {
                Some(job) => job.seek(job::place(&name), &port::text(message, "why")),
                None => port::post(&[
                    ("type", "seen".into()),
                    ("run", run.into()),
                    ("place", name.into()),
                ]),
            }
            false
        }
        "ping" => {
            port::post(&[("type", "pong".into())]);
            false
        }
        _ => false,
    }
}
