//! The nodes at the time of the cursor.

use super::drawing::drawing;
use super::places::ask;
use super::same::Same;
use super::swap::Swap;
use crate::hook::use_width;
use crate::picture::node::{self, Layout};
use crate::picture::{small, words};
use crate::state::Action;
use report::why::Subject;
use report::wire::{self, Header};
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is fixed of the run.
    pub header: Same<Header>,
    /// The view of each node, flat.
    pub views: Vec<Same<[f64]>>,
    /// What is asked about.
    pub subject: Option<Subject>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// More nodes than so many are small; one of them may be open.
const LARGE_MAX: usize = 4;

/// All nodes.
#[component]
pub fn Machine(props: &Props) -> Html {
    let list = use_node_ref();
    let width = use_width(&list);
    let opened = use_state(|| None::<usize>);
    let header = &props.header;
    let count = header.nodes.len();
    let is_small = count > LARGE_MAX;
    let (columns, gap) = if is_small { small_columns(count, width) } else { columns(count, width) };
    let each = (width - gap * (columns - 1) as f64) / columns as f64;
    let open = |number: Option<usize>| {
        let opened = opened.clone();
        Callback::from(move |()| opened.set(number))
    };
    let node = |number: usize, view: &Same<[f64]>, is_small: bool, each: f64| {
        let is_open = *opened == Some(number);
        html! {
            <Node
                key={number}
                {number}
                header={header.clone()}
                view={view.clone()}
                width={each.floor()}
                {is_small}
                {is_open}
                open={open((!is_open).then_some(number))}
                subject={props.subject}
                dispatch={props.dispatch.clone()}
            />
        }
    };
    let nodes = props.views.iter().enumerate();
    let nodes = nodes.map(|(number, view)| node(number, view, is_small, each));
    let large = (*opened).filter(|_| is_small);
    let large = large.and_then(|number| Some(node(number, props.views.get(number)?, false, width)));
    let whole = props.views.first().and_then(|view| wire::decode_view(header, view).ok());
    let cgroup = Subject::Cgroup(1);
    let has_cgroup = whole.as_ref().is_some_and(|view| words::has_cgroup(&view.cgroup));
    let beside = whole.map(|view| words::beside_nodes(&view)).unwrap_or_default();
    let all = "inset:0".to_owned();
    let why_cgroup = ask(cgroup, "the cgroup", all, props.subject, &props.dispatch);
    let style = format!("grid-template-columns:repeat({columns},minmax(0,1fr));column-gap:{gap}px");
    html! {
        <section class="section" aria-label="Machine">
            <div class="nodes" ref={list} {style}>{ for nodes }</div>
            if is_small {
                <div class="opened" id="node-opened">{ large }</div>
                <p class="small">{ small::legend() }</p>
            }
            if let Some(view) = props.views.first() {
                <Swap
                    header={header.clone()}
                    view={view.clone()}
                    width={width.floor()}
                    subject={props.subject}
                    dispatch={props.dispatch.clone()}
                />
            }
            if !beside.is_empty() {
                <div class="asked">
                    <p class="small line">{ beside }</p>
                    if has_cgroup {
                        { why_cgroup }
                    }
                </div>
            }
        </section>
    }
}

/// How many nodes stand beside each other, and the gap between them. A node needs some 300 pixels
/// for its words.
fn columns(nodes: usize, width: f64) -> (usize, f64) {
    (fitting(nodes.min(2), width, 300.0, 24.0), 24.0)
}

/// The same for small nodes.
fn small_columns(nodes: usize, width: f64) -> (usize, f64) {
    (fitting(nodes.min(4), width, small::WIDTH_MIN, 16.0), 16.0)
}

fn fitting(most: usize, width: f64, each: f64, gap: f64) -> usize {
    (((width + gap) / (each + gap)) as usize).min(most).max(1)
}

#[derive(Properties, PartialEq)]
struct NodeProps {
    number: usize,
    header: Same<Header>,
    view: Same<[f64]>,
    width: f64,
    /// Whether it is one of many.
    is_small: bool,
    /// Whether it is the one of many that is open.
    is_open: bool,
    /// Opens or closes it.
    open: Callback<()>,
    subject: Option<Subject>,
    dispatch: Callback<Action>,
}

#[component]
fn Node(props: &NodeProps) -> Html {
    let NodeProps { number, header, view, width, .. } = props;
    let view = match wire::decode_view(header, view) {
        Ok(view) => view,
        Err(error) => return html! { <p class="small">{ error.to_string() }</p> },
    };
    let (Some(fixed), Some(view)) = (header.nodes.get(*number), view.nodes.get(*number)) else {
        return Html::default();
    };
    let (heading, is_bad) = words::heading(fixed, view);
    let heading_class = classes!("small", "end", is_bad.then_some("below-min"));
    let (sketch, height) = match (props.is_small, *width > 0.0) {
        (true, true) => (small::draw(fixed, view, *number, *width), small::HEIGHT),
        (false, true) => (node::draw(fixed, view, *number, *width), Layout::new(fixed).height),
        (true, false) => (Default::default(), small::HEIGHT),
        (false, false) => (Default::default(), Layout::new(fixed).height),
    };
    let generations = words::generations(view).filter(|_| !props.is_small);
    html! {
        <div class={classes!("node", props.is_small.then_some("little"))}>
            <div class="head">
                <h2>{ format!("Node {number}") }</h2>
                if props.is_small {
                    { open_button(props) }
                } else {
                    <span class="small">{ words::size(fixed) }</span>
                }
                <span class={heading_class}>{ heading }</span>
            </div>
            if let Some(generations) = generations {
                <p class="small">{ generations }</p>
            }
            <div class="asked">
            { drawing(&sketch, [*width, height], words::sentences(*number, fixed, view)) }
                if *width > 0.0 {
                    <NodePlaces
                        number={*number}
                        header={header.clone()}
                        width={*width}
                        is_small={props.is_small}
                        subject={props.subject}
                        dispatch={props.dispatch.clone()}
                    />
                }
            </div>
        </div>
    }
}

/// The button that shows a small node as a large one below.
fn open_button(props: &NodeProps) -> Html {
    let open = props.open.clone();
    let what = if props.is_open { "close" } else { "open" };
    html! {
        <button
            class="text end"
            onclick={move |_| open.emit(())}
            aria-expanded={if props.is_open { "true" } else { "false" }}
            aria-controls="node-opened"
            aria-label={format!("{what} node {}", props.number)}
        >
            { what }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct PlacesProps {
    number: usize,
    header: Same<Header>,
    width: f64,
    is_small: bool,
    subject: Option<Subject>,
    dispatch: Callback<Action>,
}

/// What can be asked about. It depends on the header only, so that nothing is made anew in a run.
#[component]
fn NodePlaces(props: &PlacesProps) -> Html {
    let PlacesProps { number, header, width, is_small, subject, dispatch } = props;
    let of = if *is_small { small::places } else { node::places };
    let fixed = header.nodes.get(*number);
    let places = fixed.map(|fixed| of(fixed, *number, *width)).unwrap_or_default();
    html! { <super::places::Places {places} subject={*subject} dispatch={dispatch.clone()} /> }
}

#[cfg(test)]
mod tests {
    use super::{columns, small_columns};

    #[test]
    fn nodes_stand_beside_each_other_as_far_as_their_words_fit() {
        assert_eq!(columns(1, 770.0).0, 1);
        assert_eq!(columns(2, 770.0).0, 2);
        assert_eq!(columns(4, 1200.0).0, 2);
        assert_eq!(columns(2, 288.0).0, 1);
        assert_eq!(columns(2, 0.0).0, 1);
        assert_eq!(small_columns(8, 770.0).0, 4);
        assert_eq!(small_columns(8, 288.0).0, 2);
        assert_eq!(small_columns(8, 0.0).0, 1);
    }
}
