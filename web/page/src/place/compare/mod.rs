//! Several arms side by side, on common random numbers: set up, run, read, sent as a mail.

mod arms;
mod bands;
mod dots;
mod mail;
mod results;

pub(in crate::place) use arms::by_group;

use super::Props;
use crate::component::command::command;
use crate::component::same::Same;
use crate::platform::{address, input};
use crate::state::errand::Spec;
use crate::state::work::{Phase, Shown, Slot, WorkAction};
use crate::state::{Action, State, draft, select};
use report::compare::Warm;
use scenario::{Arm, Shared, link};
use std::rc::Rc;
use yew::prelude::*;

/// Replications that are offered.
const REPS: [u32; 5] = [3, 5, 10, 20, 50];
/// Which of them is taken first.
const REPS_FIRST: usize = 3;

/// The place.
#[component]
pub fn Compare(props: &Props) -> Html {
    let state = &props.state;
    let reps = use_state_eq(|| REPS_FIRST);
    let warm = use_state_eq(Warm::default);
    let (shared, problems) = state.arms.shared(&state.draft.scenario);
    let shown = state.work.of(Slot::Compare);
    let spec = spec(&shared, REPS[*reps], *warm);
    let can_run = problems.is_empty() && state.draft.can_run() && !shared.arms.is_empty();
    let is_stale = shown.text.is_some() && shown.spec.as_deref() != Some(&spec);
    let link = link::encode_science(&shared);
    let warm_up = match *warm {
        Warm::Own => "",
        Warm::Shared => " --warm shared",
    };
    let line = format!("reclaimscope mail {link} --reps {}{warm_up}", REPS[*reps]);
    html! {
        <main class="page compare">
            <section class="section" aria-label="Arms">
                <h2>{ "Compare" }</h2>
                <p class="lead">
                    { "Two to five settings of one scenario on common random numbers: what each \
                       gains and costs against arm A, with intervals." }
                </p>
                { arms::editor(state, &problems, &props.dispatch) }
                <div class="row run" data-phase={shown.phase.name()}>
                    { choice("Replications", &REPS.map(|n| n.to_string()), *reps, {
                        let reps = reps.clone();
                        move |row| reps.set(row)
                    }) }
                    { choice(
                        "Warm-up",
                        &["of its own".to_owned(), "one an arm".to_owned()],
                        *warm as usize,
                        move |row| warm.set(Warm::ALL[row]),
                    ) }
                    { buttons(&shown.phase, can_run, Slot::Compare, spec, &props.dispatch) }
                    { status(shown, "replications") }
                </div>
                { refused(&shown.phase) }
            </section>
            if let Some(text) = &shown.text {
                <results::Results text={text.clone()} {is_stale} />
            }
            <mail::Mail state={state.clone()} dispatch={props.dispatch.clone()} />
            <section class="section" aria-label="In the terminal">
                { command("The same in the terminal, byte for byte", &line) }
            </section>
        </main>
    }
}

/// What is asked for.
fn spec(shared: &Shared, reps: u32, warm: Warm) -> Spec {
    let arms: Vec<Arm> = shared.all_arms();
    Spec::Compare {
        link: link::encode_science(shared),
        arms: arms.iter().map(|arm| link::encode(&arm.scenario)).collect(),
        reps,
        warm: warm.name(),
        address: address::public(),
    }
}

/// A list with its label.
pub(in crate::place) fn choice(
    label: &'static str,
    rows: &[String],
    chosen: usize,
    set: impl Fn(usize) + 'static,
) -> Html {
    let onchange = move |event: Event| set(input::chosen_row(&event));
    let option = |(n, text): (usize, &String)| {
        html! { <option selected={n == chosen}>{ text.clone() }</option> }
    };
    html! {
        <label class="small">
            { label }{ " " }
            <select {onchange}>{ for rows.iter().enumerate().map(option) }</select>
        </label>
    }
}

/// Run and cancel.
pub(in crate::place) fn buttons(
    phase: &Phase,
    can_run: bool,
    slot: Slot,
    spec: Spec,
    dispatch: &Callback<Action>,
) -> Html {
    let spec = Rc::new(spec);
    let emit = |action: WorkAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.emit(Action::Work(action.clone())))
    };
    html! {
        if *phase == Phase::Running {
            <button class="outlined main" onclick={emit(WorkAction::Cancel)}>{ "Cancel" }</button>
        } else {
            <button
                class="primary main"
                disabled={!can_run}
                onclick={emit(WorkAction::Begin(slot, spec))}
            >
                { "Run" }
            </button>
        }
    }
}

/// How far it is, for eyes and ears.
pub(in crate::place) fn status(shown: &Shown, what: &str) -> Html {
    let (done, of) = shown.progress;
    let text = match shown.phase {
        Phase::Idle => String::new(),
        Phase::Running if of == 0 => "simulating".into(),
        Phase::Running => format!("{done} of {of} {what}"),
        Phase::Done => format!("finished: {of} {what}"),
        Phase::Cancelled => format!("cancelled after {done} {what}"),
        Phase::Refused(_) => "cannot be run".into(),
    };
    html! {
        <>
            if shown.phase == Phase::Running && of > 0 {
                <progress max={of.to_string()} value={done.to_string()} aria-label="Simulated" />
            }
            <span class="small status" role="status">{ text }</span>
        </>
    }
}

/// Why nothing was simulated.
pub(in crate::place) fn refused(phase: &Phase) -> Html {
    let Phase::Refused(problems) = phase else { return Html::default() };
    let one = |p: &scenario::Problem| html! { <li>{ draft::sentence(&p.to_string()) }</li> };
    html! {
        <div class="notice bad" role="alert"><ul>{ for problems.iter().map(one) }</ul></div>
    }
}

/// What arm A is.
fn base(state: &Same<State>) -> String {
    select::title(&state.draft.scenario)
}
