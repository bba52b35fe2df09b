//! The simulator in its worker. web/worker describes the messages.

use crate::platform::{frame, object};
use crate::state::run::{Message, Wish};
use crate::state::view::{Seen, Spot};
use gloo::events::EventListener;
use gloo::render::AnimationFrame;
use gloo::timers::callback::Timeout;
use js_sys::{Float64Array, Object, Reflect};
use report::why::Subject;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, HtmlLinkElement, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// What starts the worker (assets/worker.js).
const SCRIPT: &str = "./worker.js";
/// The element of index.html that names the script of the page's own module.
const OWN_SCRIPT: &str = "link[rel=modulepreload]";
/// How long messages wait while there are no animation frames, in milliseconds.
const HIDDEN_MS: u32 = 250;

/// A worker; it ends when this is dropped.
#[derive(Debug)]
pub struct Simulator {
    worker: Worker,
    _listeners: [EventListener; 2],
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl Simulator {
    /// Starts a worker. Its messages come together, once an animation frame.
    ///
    /// # Errors
    /// When the browser starts none, in a sentence.
    pub fn start(said: Callback<Vec<Message>>) -> Result<Self, String> {
        let worker = begun()?;
        let inbox = Inbox::new(said);
        let listeners = [
            EventListener::new(&worker, "message", {
                let inbox = inbox.clone();
                move |event| {
                    let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
                    inbox.add(data.and_then(|data| read(&data)));
                }
            }),
            EventListener::new(&worker, "error", move |event| {
                let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
                let reason = reason.filter(|reason| !reason.is_empty());
                let unknown = || "the simulator could not be loaded".into();
                inbox.add(Some(Message::Crashed(reason.unwrap_or_else(unknown))));
            }),
        ];
        Ok(Self { worker, _listeners: listeners })
    }

    /// Asks for something; the scenario is a link.
    pub fn ask(&self, run: u32, wish: Wish, scenario: &str) {
        let (kind, wish) = match wish {
            Wish::Nothing => return,
            Wish::Cancel => ("cancel", ""),
            Wish::First => ("start", "first"),
            Wish::Run => ("start", "run"),
            Wish::RunLong => ("start", "long"),
            Wish::Fork(ns) => {
                self.send(&[
                    ("type", "fork".into()),
                    ("run", run.into()),
                    ("place", format!("t{ns}").into()),
                    ("scenario", scenario.into()),
                ]);
                return;
            }
        };
        self.send(&[
            ("type", kind.into()),
            ("run", run.into()),
            ("wish", wish.into()),
            ("scenario", scenario.into()),
        ]);
    }

    /// Asks for the machine at a spot of a run, and why something is as it is there.
    pub fn seek(&self, run: u32, spot: Spot, subject: Option<Subject>) {
        let place = match spot {
            Spot::Time(ns) => format!("t{ns}"),
            Spot::Events(events, _) => format!("e{events}"),
        };
        let why = subject.map(Subject::key).unwrap_or_default();
        self.send(&[
            ("type", "seek".into()),
            ("run", run.into()),
            ("place", place.into()),
            ("why", why.into()),
        ]);
    }

    /// Asks for a sign of life.
    pub fn ping(&self) {
        self.send(&[("type", "ping".into())]);
    }

    fn send(&self, fields: &[(&str, JsValue)]) {
        send(&self.worker, fields);
    }
}

/// A worker with the page's own module, which is page and worker: it is neither loaded nor compiled
/// twice.
pub(super) fn begun() -> Result<Worker, String> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(SCRIPT, &options);
    let worker = worker.map_err(|_| "This browser starts no worker.")?;
    let script = gloo::utils::document().query_selector(OWN_SCRIPT).ok().flatten();
    let script = script.and_then(|script| script.dyn_into::<HtmlLinkElement>().ok());
    let script = script.ok_or("The page does not say what its script is.")?.href();
    send(&worker, &[("script", script.into()), ("module", wasm_bindgen::module())]);
    Ok(worker)
}

/// Sends a message.
pub(super) fn send(worker: &Worker, fields: &[(&str, JsValue)]) {
    let message = Object::new();
    for (name, value) in fields {
        // A plain new object takes any field, and texts and numbers can always be sent.
        let _ = Reflect::set(&message, &JsValue::from_str(name), value);
    }
    let _ = worker.post_message(&message);
}

/// Messages that wait for the next frame.
#[derive(Clone)]
struct Inbox {
    messages: Rc<RefCell<Vec<Message>>>,
    /// Held so that it is not called off.
    delivery: Rc<RefCell<Option<Delivery>>>,
    said: Callback<Vec<Message>>,
    /// A worker that has died says nothing more: its last words may come twice.
    is_dead: Rc<Cell<bool>>,
}

enum Delivery {
    Frame { _frame: AnimationFrame },
    Timer { _timer: Timeout },
}

impl Inbox {
    fn new(said: Callback<Vec<Message>>) -> Self {
        Self { messages: Rc::default(), delivery: Rc::default(), said, is_dead: Rc::default() }
    }

    fn add(&self, message: Option<Message>) {
        let Some(message) = message else { return };
        let dies = matches!(message, Message::Crashed(_));
        if self.is_dead.replace(self.is_dead.get() || dies) {
            return;
        }
        self.messages.borrow_mut().push(message);
        let is_visible = frame::is_visible();
        // A frame that was asked for before the page was hidden does not come while it is.
        let is_coming = match &*self.delivery.borrow() {
            None => false,
            Some(Delivery::Frame { .. }) => is_visible,
            Some(Delivery::Timer { .. }) => true,
        };
        if is_coming {
            return;
        }
        let inbox = self.clone();
        let deliver = move || inbox.deliver();
        let delivery = match is_visible {
            true => Delivery::Frame { _frame: frame::request(deliver) },
            false => Delivery::Timer { _timer: Timeout::new(HIDDEN_MS, deliver) },
        };
        *self.delivery.borrow_mut() = Some(delivery);
    }

    fn deliver(&self) {
        let delivery = self.delivery.borrow_mut().take();
        let messages = std::mem::take(&mut *self.messages.borrow_mut());
        self.said.emit(messages);
        drop(delivery);
    }
}

/// A message of the worker; none when it is no message that this page knows.
fn read(data: &JsValue) -> Option<Message> {
    let run = number(data, "run") as u32;
    let broken = |what: &str| Message::Crashed(format!("its {what} cannot be read"));
    Some(match text(data, "type").as_str() {
        "ready" => Message::Ready(text(data, "model")),
        "started" => match object::header(&text(data, "header")) {
            Some(header) => Message::Started(run, Box::new(header)),
            None => broken("header"),
        },
        "progress" => Message::Progress {
            run,
            events: text(data, "events").parse().unwrap_or(0),
            views: numbers(data, "views"),
            rows: numbers(data, "rows"),
            moments: numbers(data, "moments"),
        },
        "seen" => Message::Seen(Box::new(seen(run, data))),
        "pong" => Message::Pong,
        "held" => Message::Held(run),
        "done" => match object::report(&text(data, "report")) {
            Some(report) => Message::Done(run, Box::new(report)),
            None => broken("report"),
        },
        "rejected" => match object::problems(&text(data, "problems")) {
            Some(problems) => Message::Rejected(run, problems),
            None => broken("list of problems"),
        },
        "long" => Message::NeedsForce(run, text(data, "seconds").parse().unwrap_or(u64::MAX)),
        "crashed" => Message::Crashed(text(data, "reason")),
        _ => return None,
    })
}

/// The machine at a place; its view is empty when the worker has no such run any more.
fn seen(run: u32, data: &JsValue) -> Seen {
    let view: Rc<[f64]> = numbers(data, "view").into();
    let time_ns = report::wire::view_time(&view);
    let place = text(data, "place");
    let number = place.get(1..).and_then(|number| number.parse().ok()).unwrap_or(0);
    let spot = match place.starts_with('e') {
        true => Spot::Events(number, time_ns),
        false => Spot::Time(number),
    };
    let events = text(data, "events").parse().unwrap_or(0);
    let why = Subject::by_key(&text(data, "about"));
    let why = why.map(|subject| (subject, object::why(&text(data, "why"))));
    Seen { run, spot, time_ns, events, digest: text(data, "digest"), view, why }
}

fn field(data: &JsValue, name: &str) -> JsValue {
    Reflect::get(data, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

fn text(data: &JsValue, name: &str) -> String {
    field(data, name).as_string().unwrap_or_default()
}

fn number(data: &JsValue, name: &str) -> f64 {
    field(data, name).as_f64().unwrap_or(0.0)
}

fn numbers(data: &JsValue, name: &str) -> Vec<f64> {
    field(data, name).dyn_ref::<Float64Array>().map(Float64Array::to_vec).unwrap_or_default()
}
