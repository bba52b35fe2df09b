//! The nodes at the time of the cursor.

use super::drawing::drawing;
use super::places::ask;
use super::same::Same;
use super::swap::Swap;
use crate::hook::use_width;
use crate::picture::node::{self, Layout, Room};
use crate::picture::words;
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

/// All nodes.
#[component]
pub fn Machine(props: &Props) -> Html {
    let list = use_node_ref();
    let width = use_width(&list);
    let header = &props.header;
    let columns = columns(header.nodes.len(), width);
    let each = (width - 24.0 * (columns - 1) as f64) / columns as f64;
    let nodes = props.views.iter().enumerate().map(|(number, view)| {
        html! {
            <Node
                key={number}
                {number}
                header={header.clone()}
                view={view.clone()}
                width={each.floor()}
                subject={props.subject}
                dispatch={props.dispatch.clone()}
            />
        }
    });
    let whole = props.views.first().and_then(|view| wire::decode_view(header, view).ok());
    let cgroup = Subject::Cgroup(1);
    let has_cgroup = whole.as_ref().is_some_and(|view| words::has_cgroup(&view.cgroup));
    let beside = whole.map(|view| words::beside_nodes(&view)).unwrap_or_default();
    let all = "inset:0".to_owned();
    let why_cgroup = ask(cgroup, "the cgroup", all, props.subject, &props.dispatch);
    let style = format!("grid-template-columns:repeat({columns},minmax(0,1fr))");
    html! {
        <section class="section" aria-label="Machine">
            <div class="nodes" ref={list} {style}>{ for nodes }</div>
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

/// How many nodes stand beside each other. A node needs some 300 pixels for its words.
fn columns(nodes: usize, width: f64) -> usize {
    let fit = ((width + 24.0) / (300.0 + 24.0)) as usize;
    let most = if nodes > 4 { 3 } else { 2 };
    nodes.min(fit).min(most).max(1)
}

#[derive(Properties, PartialEq)]
struct NodeProps {
    number: usize,
    header: Same<Header>,
    view: Same<[f64]>,
    width: f64,
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
    let room = Room::for_nodes(header.nodes.len());
    let height = Layout::new(fixed, room).height;
    let (heading, is_bad) = words::heading(fixed, view);
    let sketch = if *width > 0.0 {
        node::draw(fixed, view, *number, *width, room)
    } else {
        Default::default()
    };
    html! {
        <div class="node">
            <div class="head">
                <h2>{ format!("Node {number}") }</h2>
                <span class="small">{ words::size(fixed) }</span>
                <span class={classes!("small", "end", is_bad.then_some("below-min"))}>{ heading }</span>
            </div>
            if let Some(generations) = words::generations(view) {
                <p class="small">{ generations }</p>
            }
            <div class="asked">
            { drawing(&sketch, [*width, height], words::sentences(*number, fixed, view)) }
                if *width > 0.0 {
                    <NodePlaces
                        number={*number}
                        header={header.clone()}
                        width={*width}
                        subject={props.subject}
                        dispatch={props.dispatch.clone()}
                    />
                }
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct PlacesProps {
    number: usize,
    header: Same<Header>,
    width: f64,
    subject: Option<Subject>,
    dispatch: Callback<Action>,
}

/// What can be asked about. It depends on the header only, so that nothing is made anew in a run.
#[component]
fn NodePlaces(props: &PlacesProps) -> Html {
    let PlacesProps { number, header, width, subject, dispatch } = props;
    let room = Room::for_nodes(header.nodes.len());
    let fixed = header.nodes.get(*number);
    let places = fixed.map(|fixed| node::places(fixed, *number, *width, room)).unwrap_or_default();
    html! { <super::places::Places {places} subject={*subject} dispatch={dispatch.clone()} /> }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn nodes_stand_beside_each_other_as_far_as_their_words_fit() {
        assert_eq!(columns(1, 770.0), 1);
        assert_eq!(columns(2, 770.0), 2);
        assert_eq!(columns(8, 770.0), 2);
        assert_eq!(columns(8, 1200.0), 3);
        assert_eq!(columns(4, 1200.0), 2);
        assert_eq!(columns(2, 288.0), 1);
        assert_eq!(columns(2, 0.0), 1);
    }
}
