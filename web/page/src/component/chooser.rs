//! Which timelines are shown: those that are made for something, and every column of the samples.

use super::same::Same;
use crate::state::Action;
use chart::Kind;
use chart::strips::column::bases;
use report::wire::Header;
use yew::prelude::*;

/// What can be chosen.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is fixed of the run: its columns.
    pub header: Same<Header>,
    /// What is shown.
    pub strips: Same<[Kind]>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// A list of all timelines, to be shown or not.
#[component]
pub fn Chooser(props: &Props) -> Html {
    let is_open = use_state(|| false);
    let columns = &props.header.columns;
    let of_columns = bases(columns).len().min(usize::from(u8::MAX)) as u8;
    let all = Kind::ALL.into_iter().chain((0..of_columns).map(Kind::Column));
    let toggled = {
        let is_open = is_open.clone();
        move |_| is_open.set(!*is_open)
    };
    let row = |kind: Kind| {
        let is_shown = props.strips.contains(&kind);
        let (strips, dispatch) = (props.strips.clone(), props.dispatch.clone());
        let onchange = move |_| {
            // One that is added comes last, so that nothing moves that is being looked at.
            let mut strips: Vec<_> = strips.iter().copied().filter(|&one| one != kind).collect();
            if !is_shown {
                strips.push(kind);
            }
            dispatch.emit(Action::Strips(strips));
        };
        // The last one stays: an empty list is nobody's wish.
        let disabled = is_shown && props.strips.len() == 1;
        html! {
            <li>
                <label>
                    <input type="checkbox" checked={is_shown} {disabled} {onchange} />
                    { kind.title(columns) }
                </label>
                <code>{ of_nodes(kind, columns) }{ kind.kernel_name(columns) }</code>
            </li>
        }
    };
    html! {
        <div class="chooser">
            <button
                class="text"
                onclick={toggled}
                aria-expanded={if *is_open { "true" } else { "false" }}
            >
                { format!("Choose timelines, {} of {}", props.strips.len(), all.clone().count()) }
            </button>
            if *is_open {
                <ul>{ for all.map(row) }</ul>
            }
        </div>
    }
}

/// Tells a column of each node from the one of all.
fn of_nodes(kind: Kind, columns: &[report::series::Column]) -> &'static str {
    let Kind::Column(number) = kind else { return "" };
    match bases(columns).get(usize::from(number)) {
        Some(base) if base.is_of_nodes => "a node: ",
        _ => "",
    }
}
