//! Workers that do tasks beside the one that simulates. web/worker describes the messages.

use crate::platform::object;
use gloo::events::EventListener;
use js_sys::Reflect;
use scenario::Problem;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};

/// Most of them: more take more memory than they save time.
const WORKERS_MAX: f64 = 4.0;

/// What a worker says.
#[derive(Clone, Debug)]
pub enum Said {
    /// It can take tasks.
    Ready,
    /// The answer to its task.
    Answer(String),
    /// Why its task cannot be done.
    Refused(Vec<Problem>),
}

/// The workers; they end when this is dropped.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<(Worker, [EventListener; 2])>,
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.workers.iter().for_each(|(worker, _)| worker.terminate());
    }
}

/// How many workers suit this machine: one a core, two where that is not known.
#[must_use]
pub fn suits() -> usize {
    let cores = gloo::utils::window().navigator().hardware_concurrency();
    if cores >= 1.0 { cores.clamp(1.0, WORKERS_MAX) as usize } else { 2 }
}

impl Pool {
    /// Starts workers; what each says comes with its number.
    #[must_use]
    pub fn start(count: usize, said: Rc<dyn Fn(usize, Said)>) -> Self {
        let one = |number: usize| {
            let worker = super::worker::begun().ok()?;
            let heard = {
                let said = said.clone();
                move |event: &web_sys::Event| {
                    let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
                    if let Some(what) = data.and_then(|data| read(&data)) {
                        said(number, what);
                    }
                }
            };
            let failed = {
                let said = said.clone();
                move |event: &web_sys::Event| {
                    let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
                    said(number, crashed(why.unwrap_or_default()));
                }
            };
            let listeners = [
                EventListener::new(&worker, "message", heard),
                EventListener::new(&worker, "error", failed),
            ];
            Some((worker, listeners))
        };
        Self { workers: (0..count).filter_map(one).collect() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Whether the browser started none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.workers.is_empty()
    }

    /// Gives a worker a task.
    pub fn send(&self, worker: usize, name: &str, args: &str) {
        if let Some((worker, _)) = self.workers.get(worker) {
            let fields = [("type", "task"), ("name", name), ("args", args)];
            super::worker::send(worker, &fields.map(|(field, value)| (field, value.into())));
        }
    }
}

fn crashed(why: String) -> Said {
    Said::Refused(vec![Problem::new("the simulator", format!("it has failed: {why}"))])
}

fn read(data: &JsValue) -> Option<Said> {
    let text = |name: &str| {
        let value = Reflect::get(data, &JsValue::from_str(name)).ok();
        value.and_then(|value| value.as_string()).unwrap_or_default()
    };
    Some(match text("type").as_str() {
        "ready" => Said::Ready,
        "answer" => Said::Answer(text("text")),
        "refused" => Said::Refused(object::problems(&text("problems")).unwrap_or_default()),
        "crashed" => crashed(text("reason")),
        _ => return None,
    })
}
