//! The ledger: every constant with value, range, source and what hangs on it. A value that is
//! changed here is part of the scenario, of its link and of every mail.

use crate::hook::use_text;
use crate::platform::input;
use crate::state::Action;
use crate::state::draft::{Draft, DraftAction, sentence};
use catalog::constants::Kind;
use catalog::{Constant, ConstantId, LEDGER};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The scenario, with the constants that it has changed.
    pub draft: Rc<Draft>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// What can be asked for beside a word.
const KINDS: [(&str, Option<Kind>); 5] = [
    ("all kinds", None),
    ("GUESS", Some(Kind::Guess)),
    ("CALIBRATED", Some(Kind::Calibrated)),
    ("published", Some(Kind::Published)),
    ("kernel", Some(Kind::Kernel)),
];

/// The table.
#[component]
pub(super) fn LedgerTable(props: &Props) -> Html {
    let moved = use_text("sensitivity.tsv".to_owned());
    let find = use_state_eq(String::new);
    let kind = use_state_eq(|| 0);
    let refused = use_state(|| None::<(ConstantId, String)>);
    let moves = use_memo(moved, |text| match text {
        Some(Ok(text)) => moves(text),
        _ => BTreeMap::new(),
    });
    let looks_for = find.trim().to_ascii_lowercase();
    let matches = |constant: &&Constant| {
        let is_kind = KINDS[*kind].1.is_none_or(|kind| kind == constant.kind);
        let said = moves.get(constant.name).map_or("", String::as_str);
        let texts = [constant.name, constant.source, constant.unit, said];
        is_kind && texts.iter().any(|text| text.to_ascii_lowercase().contains(&looks_for))
    };
    let rows: Vec<&Constant> = LEDGER.iter().filter(matches).collect();
    let oninput = {
        let find = find.setter();
        move |event: InputEvent| find.set(input::text(&event))
    };
    let onchange = {
        let kind = kind.setter();
        move |event: Event| kind.set(input::chosen_row(&event).min(KINDS.len() - 1))
    };
    let table = Table { props, refused: &refused, moves: &moves };
    html! {
        <>
            <p class="lead">
                { "Every constant of the model. GUESS has no source; CALIBRATED was set so that \
                   published rows come out. Change one within its range: the run, the link and \
                   every mail have it. What a GUESS moves, at both ends of its range, is told of \
                   both threads' headline results; undecided is an answer that it flips." }
            </p>
            <div class="find">
                <input
                    type="search"
                    placeholder="Find: a name, a source, a result"
                    aria-label="Find a constant by name, source or what it moves"
                    value={(*find).clone()}
                    {oninput}
                />
                <select aria-label="How well it is known" {onchange}>
                    { for KINDS.iter().enumerate().map(|(i, (name, _))| html! {
                        <option selected={i == *kind}>{ *name }</option>
                    }) }
                </select>
                <span class="small" role="status">
                    { format!("{} of {}", rows.len(), LEDGER.len()) }
                </span>
            </div>
            <ul class="ledger">{ for rows.into_iter().map(|constant| table.row(constant)) }</ul>
        </>
    }
}

/// What each constant moves: a name, a tab, words.
fn moves(text: &str) -> BTreeMap<String, String> {
    let row = |line: &str| {
        let (name, words) = line.split_once('\t')?;
        Some((name.to_owned(), words.to_owned()))
    };
    units::order::map(text.lines().filter_map(row))
}

struct Table<'a> {
    props: &'a Props,
    refused: &'a UseStateHandle<Option<(ConstantId, String)>>,
    moves: &'a BTreeMap<String, String>,
}

impl Table<'_> {
    fn row(&self, constant: &'static Constant) -> Html {
        let Constant { id, name, low, high, unit, kind, source, value } = *constant;
        let now = self.props.draft.scenario.constant(id);
        let is_changed = now != value;
        let range = match low == high {
            true => "a rule of the kernel".to_owned(),
            false => format!("{low} to {high}"),
        };
        let said = self.moves.get(name).map(|words| match words.as_str() {
            "-" => "No event of the threads' headline runs hangs on it.".to_owned(),
            "" => {
                "Moves none of the threads' headline results by more than chance does.".to_owned()
            }
            words => format!("Moves {words}."),
        });
        let refused = self.refused.as_ref().filter(|(other, _)| *other == id);
        html! {
            <li key={name} class={classes!("constant", is_changed.then_some("changed"))}>
                <div>
                    <code class="name">{ name }</code>
                    <span class={classes!("kind", kind.word().to_ascii_lowercase())}>
                        { kind.word() }
                    </span>
                </div>
                <div class="value">
                    if low < high {
                        { self.entry(constant, now) }
                    } else {
                        <span>{ value }</span>
                    }
                    <span class="unit">{ unit }</span>
                    <span class="small">{ range }</span>
                    if is_changed {
                        <button class="text" onclick={self.set(id, value)}>
                            { format!("back to {value}") }
                        </button>
                    }
                </div>
                <div class="source">
                    <p>{ source }</p>
                    { for said.map(|said| html! { <p class="small">{ said }</p> }) }
                    { for refused.map(|(_, why)| html! {
                        <p class="error" role="alert">{ sentence(why) }</p>
                    }) }
                </div>
            </li>
        }
    }

    fn set(&self, id: ConstantId, value: u64) -> Callback<MouseEvent> {
        let (dispatch, refused) = (self.props.dispatch.clone(), self.refused.setter());
        Callback::from(move |_| {
            refused.set(None);
            dispatch.emit(Action::Draft(DraftAction::Constant(id, value)));
        })
    }

    fn entry(&self, constant: &'static Constant, now: u64) -> Html {
        let (dispatch, refused) = (self.props.dispatch.clone(), self.refused.setter());
        let scenario = self.props.draft.scenario.clone();
        let id = constant.id;
        let onchange = move |event: Event| {
            let mut other = (*scenario).clone();
            match other.set_constant_text(constant.name, &input::chosen_text(&event)) {
                Ok(()) => {
                    refused.set(None);
                    let value = other.constant(id);
                    dispatch.emit(Action::Draft(DraftAction::Constant(id, value)));
                }
                Err(problem) => refused.set(Some((id, problem.sentence))),
            }
        };
        html! {
            <input
                class="entry"
                inputmode="numeric"
                aria-label={format!("{}, {}", constant.name, constant.unit)}
                value={now.to_string()}
                {onchange}
            />
        }
    }
}
