//! The workers that do errands: started when a place needs them, given tasks as they become free,
//! ended when nobody wants their answers any more.

use crate::platform::object::Json;
use crate::platform::pool::{self, Pool, Said};
use crate::state::errand::{Ask, Errand, GridPoint};
use crate::state::here::Place;
use crate::state::work::WorkAction;
use crate::state::{Action, State};
use scenario::Problem;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The workers and what they are about.
#[derive(Default)]
struct Crew {
    pool: Option<Pool>,
    /// Counts the pools: what a worker of an ended one says is nothing.
    round: u32,
    ready: Vec<bool>,
    tasks: Vec<Option<Ask>>,
    errand: Option<(u32, Errand)>,
}

type Shared = Rc<RefCell<Crew>>;

/// Keeps the workers and runs what the state asks for.
#[hook]
pub fn use_crew(state: &State, dispatch: &Callback<Action>) {
    let crew: Shared = use_mut_ref(Crew::default);
    // They are there before they are needed: loading takes longer than a first answer may.
    let place = state.here.place;
    let is_wanted = matches!(place, Place::Compare | Place::Sweep);
    use_effect_with(is_wanted, {
        let (crew, dispatch) = (crew.clone(), dispatch.clone());
        move |is_wanted| {
            if *is_wanted && crew.borrow().pool.is_none() {
                start(&crew, &dispatch);
            }
        }
    });
    let running = state.work.running().cloned();
    use_effect_with((state.work.id, running.is_some()), {
        let dispatch = dispatch.clone();
        move |(id, _)| {
            let is_at_work = crew.borrow().tasks.iter().any(Option::is_some);
            // A task cannot be taken back; its worker can.
            if is_at_work || (running.is_some() && crew.borrow().pool.is_none()) {
                start(&crew, &dispatch);
            }
            let mut borrowed = crew.borrow_mut();
            let workers = borrowed.tasks.len();
            borrowed.errand = running.map(|spec| (*id, Errand::new(spec, workers)));
            drop(borrowed);
            give(&crew, &dispatch);
        }
    });
}

fn start(crew: &Shared, dispatch: &Callback<Action>) {
    let round = {
        let mut crew = crew.borrow_mut();
        crew.round += 1;
        crew.round
    };
    let said = {
        let (crew, dispatch) = (Rc::downgrade(crew), dispatch.clone());
        move |worker: usize, said: Said| {
            let Some(crew) = crew.upgrade() else { return };
            if crew.borrow().round == round {
                hear(&crew, worker, said, &dispatch);
            }
        }
    };
    let pool = Pool::start(pool::suits(), Rc::new(said));
    let mut crew = crew.borrow_mut();
    crew.ready = vec![false; pool.len()];
    crew.tasks = vec![None; pool.len()];
    crew.pool = Some(pool);
}

fn hear(crew: &Shared, worker: usize, said: Said, dispatch: &Callback<Action>) {
    let mut borrowed = crew.borrow_mut();
    let Crew { ready, tasks, errand, .. } = &mut *borrowed;
    let (Some(ready), Some(task)) = (ready.get_mut(worker), tasks.get_mut(worker)) else { return };
    *ready = true;
    let work = |action: WorkAction| dispatch.emit(Action::Work(action));
    let (Some((id, errand)), Some(ask)) = (errand.as_mut(), task.take()) else {
        drop(borrowed);
        give(crew, dispatch);
        return;
    };
    let id = *id;
    let mut actions = Vec::new();
    match said {
        Said::Ready => {}
        Said::Refused(problems) => {
            borrowed.errand = None;
            actions.push(WorkAction::Over(id, problems));
        }
        Said::Answer(text) => {
            let shown = if Errand::is_grid(&ask) {
                match lay_out(&text) {
                    Some((grid, points)) => errand.lay_out(grid, points),
                    None => actions.push(WorkAction::Over(id, unreadable())),
                }
                None
            } else {
                errand.answer(&ask, text)
            };
            actions.push(WorkAction::Progress(id, errand.progress(), shown));
            if errand.is_over() {
                borrowed.errand = None;
                actions.push(WorkAction::Over(id, Vec::new()));
            }
        }
    }
    drop(borrowed);
    // Workers go on before anything is drawn.
    give(crew, dispatch);
    actions.into_iter().for_each(work);
}

/// Gives every free worker a task.
fn give(crew: &Shared, dispatch: &Callback<Action>) {
    let mut borrowed = crew.borrow_mut();
    let Crew { pool, ready, tasks, errand, .. } = &mut *borrowed;
    let (Some(pool), Some((id, errand))) = (pool, errand) else { return };
    if pool.is_empty() {
        let sentence = "this browser starts no worker";
        let none = vec![Problem::new("the simulator", sentence)];
        let action = WorkAction::Over(*id, none);
        drop(borrowed);
        dispatch.emit(Action::Work(action));
        return;
    }
    for (worker, task) in tasks.iter_mut().enumerate() {
        if ready[worker]
            && task.is_none()
            && let Some(ask) = errand.next(worker)
        {
            pool.send(worker, ask.name, &ask.args);
            *task = Some(ask);
        }
    }
}

fn unreadable() -> Vec<Problem> {
    vec![Problem::new("the simulator", "its grid cannot be read")]
}

/// The grid of an answer as JSON, and its points.
fn lay_out(text: &str) -> Option<(String, Vec<GridPoint>)> {
    let json = Json::parse(text)?;
    let point =
        |point: Json| GridPoint { over: point.at("over").text(), link: point.string("link") };
    let points = json.list("points").into_iter().map(point).collect();
    Some((json.at("grid").text(), points))
}
