//! The worker: simulates in slices so that a cancel gets through, and streams what it sees.
//!
//! The page sends `{type: "start", run, scenario, wish}` (scenario as JSON; wish `first`, `run` or
//! `long`) and `{type: "cancel", run}`. The worker answers with
//!
//! * `{type: "ready", model}` once,
//! * `{type: "started", run, header}` (header as JSON),
//! * `{type: "progress", run, events, views, rows}`: packed views and rows as `Float64Array`s that
//!   are handed over, not copied,
//! * `{type: "held", run}` when only the first view was asked for,
//! * `{type: "done", run, report}` (report as JSON),
//! * `{type: "rejected", run, problems}` (problems as JSON),
//! * `{type: "long", run, seconds}` when a run would take so long that the page has to ask,
//! * `{type: "crashed", reason}` before it dies.
//!
//! 64-bit integers cross as text. One run at a time: a new start ends the one before.

mod job;
mod port;
mod slice;

use job::{Job, Wish};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// The run at work, if any.
type Bench = Rc<RefCell<Option<Job>>>;

fn main() {
    std::panic::set_hook(Box::new(|info| {
        port::post(&[("type", "crashed".into()), ("reason", info.to_string().into())]);
    }));
    let bench: Bench = Rc::default();
    let turn = port::Turn::new({
        let bench = Rc::clone(&bench);
        move || work(&bench)
    });
    port::on_message(move |message| {
        if take(&bench, message) {
            turn.request();
        }
    });
    port::post(&[("type", "ready".into()), ("model", lab::MODEL_VERSION.into())]);
}

/// One slice of the run at work; says whether there is more to do.
fn work(bench: &Bench) -> bool {
    let mut bench = bench.borrow_mut();
    let more = bench.as_mut().is_some_and(Job::work);
    if !more {
        *bench = None;
    }
    more
}

/// Does what the page asks for; says whether there is work now.
fn take(bench: &Bench, message: &JsValue) -> bool {
    let run = port::number(message, "run") as u32;
    match port::text(message, "type").as_str() {
        "start" => {
            let wish = Wish::by_name(&port::text(message, "wish"));
            let job = Job::begin(run, &port::text(message, "scenario"), wish);
            let is_there = job.is_some();
            *bench.borrow_mut() = job;
            is_there
        }
        "cancel" => {
            let mut bench = bench.borrow_mut();
            if bench.as_ref().is_some_and(|job| job.run() <= run) {
                *bench = None;
            }
            false
        }
        _ => false,
    }
}
