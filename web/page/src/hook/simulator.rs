//! The worker: started, started again when it dies, asked for what the state wishes.

use crate::platform::worker::Simulator;
use crate::state::Action;
use crate::state::draft::{Draft, Origin};
use crate::state::run::{Message, Phase, Run, RunAction, Wish};
use gloo::timers::callback::Timeout;
use scenario::document;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// While a slider is dragged, a new run begins at most so often, in milliseconds.
const DRAG_MS: u32 = 60;

/// Keeps a worker, runs every edit, and passes requests on.
#[hook]
pub fn use_simulator(draft: &Draft, run: &Run, dispatch: &Callback<Action>) {
    let simulator = use_mut_ref(|| None::<Simulator>);
    use_effect_with(run.crashes, {
        let simulator = simulator.clone();
        let dispatch = dispatch.clone();
        move |_| {
            let said = {
                let dispatch = dispatch.clone();
                move |messages| dispatch.emit(Action::Run(RunAction::Worker(messages)))
            };
            let started = Simulator::start(Callback::from(said));
            match started {
                Ok(started) => *simulator.borrow_mut() = Some(started),
                Err(reason) => {
                    let dead = RunAction::Worker(vec![Message::Crashed(reason)]);
                    dispatch.emit(Action::Run(dead));
                }
            }
        }
    });
    use_effect_with((run.id, run.wish, run.model.is_some()), {
        let run = run.clone();
        move |(id, wish, is_ready)| {
            let simulator = simulator.borrow();
            let Some(simulator) = simulator.as_ref().filter(|_| *is_ready) else { return };
            // A request that killed its worker is not repeated to the next one.
            if run.phase == Phase::Asked || *wish == Wish::Cancel {
                simulator.ask(*id, *wish, &document::to_json(&run.scenario));
            }
        }
    });
    use_runs(draft, dispatch);
}

/// Asks for a run whenever the draft has changed.
#[hook]
fn use_runs(draft: &Draft, dispatch: &Callback<Action>) {
    let waiting: Rc<RefCell<Option<Timeout>>> = use_mut_ref(|| None);
    let dispatch = dispatch.clone();
    let origin = draft.origin;
    use_effect_with(draft.edits, move |_| {
        let ask = move |wish| dispatch.emit(Action::Run(RunAction::Ask(wish)));
        match origin {
            Origin::Nothing => ask(Wish::First),
            Origin::Dragged => {
                if waiting.borrow().is_none() {
                    let again = waiting.clone();
                    let timeout = Timeout::new(DRAG_MS, move || {
                        // The state has the newest draft by then.
                        drop(again.borrow_mut().take());
                        ask(Wish::Run);
                    });
                    *waiting.borrow_mut() = Some(timeout);
                }
            }
            Origin::Link | Origin::Chosen => {
                drop(waiting.borrow_mut().take());
                ask(Wish::Run);
            }
        }
    });
}
