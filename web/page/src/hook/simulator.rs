//! The worker: started, started again when it dies or answers no more, asked for what the state
//! wishes and for what is looked at.

use crate::platform::worker::Simulator;
use crate::state::draft::{Draft, Origin};
use crate::state::here::Place;
use crate::state::run::{Message, Phase, Run, RunAction, Wish};
use crate::state::view::Spot;
use crate::state::{Action, State};
use gloo::timers::callback::{Interval, Timeout};
use scenario::link;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// While a slider is dragged, a new run begins at most so often, in milliseconds.
const DRAG_MS: u32 = 60;

/// Beats of the heart, in milliseconds.
const BEAT_MS: u32 = 1_000;
/// After so many beats without an answer a worker that is awaited is taken for dead. Beats are
/// counted, not time: a page that is hidden or stopped has fewer of them.
const BEATS_MAX: u32 = 15;
/// One that was never ready still has to be loaded: half a kilobyte, as the module is there.
const BEATS_TO_LOAD: u32 = 30;

/// The worker, and what was asked of it.
#[derive(Default)]
struct Post {
    simulator: Option<Simulator>,
    /// The run and spot that it is looking at now.
    looks_at: Option<(u32, Spot)>,
    /// Beats since it said something.
    silent: u32,
}

/// Keeps a worker, runs every edit, and passes requests on.
#[hook]
pub fn use_simulator(state: &State, dispatch: &Callback<Action>) {
    let (draft, run) = (&state.draft, &state.run);
    let post = use_mut_ref(Post::default);
    use_effect_with(run.crashes, {
        let (post, dispatch) = (post.clone(), dispatch.clone());
        move |_| start(&post, &dispatch)
    });
    use_effect_with((run.id, run.wish, run.model.is_some()), {
        let (run, post) = (run.clone(), post.clone());
        move |(id, wish, is_ready)| {
            let post = post.borrow();
            let Some(simulator) = post.simulator.as_ref().filter(|_| *is_ready) else { return };
            // A request that killed its worker is not repeated to the next one.
            if run.phase == Phase::Asked || *wish == Wish::Cancel {
                simulator.ask(*id, *wish, &link::encode(&run.scenario));
            }
        }
    });
    // One look at a time: of several that are wished meanwhile, the last is the next.
    let answered = state.view.seen.as_ref().map(Rc::as_ptr);
    let wanted = state.view.wanted(run);
    let subject = state.view.subject;
    use_effect_with((run.shown, wanted, answered, subject, run.crashes), {
        let post = post.clone();
        let is_there = run.model.is_some() && state.view.is_open(run) && !state.view.is_lost(run);
        move |(shown, wanted, _, subject, _)| {
            let mut post = post.borrow_mut();
            let Some(spot) = wanted.filter(|_| is_there && post.looks_at.is_none()) else { return };
            if let Some(simulator) = &post.simulator {
                simulator.seek(*shown, spot, *subject);
                post.looks_at = Some((*shown, spot));
            }
        }
    });
    use_heartbeat(run, post, dispatch);
    // Elsewhere only arm A's first view is wanted: the processors are for what is compared there.
    let looks_on = !matches!(state.here.place, Place::Compare | Place::Sweep);
    use_runs(draft, looks_on, dispatch);
}

fn start(post: &Rc<RefCell<Post>>, dispatch: &Callback<Action>) {
    let said = {
        let (post, dispatch) = (post.clone(), dispatch.clone());
        move |messages: Vec<Message>| {
            if let Ok(mut post) = post.try_borrow_mut() {
                post.silent = 0;
                if messages.iter().any(|message| matches!(message, Message::Seen(_))) {
                    post.looks_at = None;
                }
            }
            dispatch.emit(Action::Run(RunAction::Worker(messages)));
        }
    };
    match Simulator::start(Callback::from(said)) {
        Ok(started) => {
            *post.borrow_mut() = Post { simulator: Some(started), ..Post::default() };
        }
        Err(reason) => {
            dispatch.emit(Action::Run(RunAction::Worker(vec![Message::Crashed(reason)])));
        }
    }
}

/// Notices a worker that ended without a word, or works on and on without answering.
#[hook]
fn use_heartbeat(run: &Run, post: Rc<RefCell<Post>>, dispatch: &Callback<Action>) {
    let is_there = run.dead.is_none();
    let is_ready = run.model.is_some();
    let is_busy = run.is_busy();
    let dispatch = dispatch.clone();
    use_effect_with((is_there, is_ready, is_busy, run.crashes), move |_| {
        post.borrow_mut().silent = 0;
        let beat = move || {
            let mut post = post.borrow_mut();
            if !is_there || !(is_busy || !is_ready || post.looks_at.is_some()) {
                post.silent = 0;
                return;
            }
            post.silent += 1;
            let most = if is_ready { BEATS_MAX } else { BEATS_TO_LOAD };
            if post.silent == most {
                let reason = "it does not answer any more".to_owned();
                // Its own end must not wait for it.
                post.simulator = None;
                post.looks_at = None;
                drop(post);
                let dead = RunAction::Worker(vec![Message::Crashed(reason)]);
                dispatch.emit(Action::Run(dead));
            } else if let Some(simulator) = post.simulator.as_ref().filter(|_| is_ready) {
                simulator.ping();
            }
        };
        let beats = Interval::new(BEAT_MS, beat);
        move || drop(beats)
    });
}

/// Asks for a run whenever the draft has changed.
#[hook]
fn use_runs(draft: &Draft, looks_on: bool, dispatch: &Callback<Action>) {
    let waiting: Rc<RefCell<Option<Timeout>>> = use_mut_ref(|| None);
    let dispatch = dispatch.clone();
    let origin = draft.origin;
    use_effect_with(draft.edits, move |_| {
        let ask = move |wish| dispatch.emit(Action::Run(RunAction::Ask(wish)));
        match origin {
            Origin::Nothing => ask(Wish::First),
            _ if !looks_on => ask(Wish::First),
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
