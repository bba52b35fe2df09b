//! One run: controls at the left, machine, playback and timelines, what came out at the right.

mod files;

use super::Props;
use crate::component::controls::Controls;
use crate::component::machine::Machine;
use crate::component::playback::{self, Playback};
use crate::component::results::{self, Results};
use crate::component::same::Same;
use crate::component::timelines::Timelines;
use crate::component::why::WhyCard;
use crate::state::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// Why something is as it is at the cursor.
fn why_card(state: &State, dispatch: &Callback<Action>) -> Html {
    let why = state.view.answer(&state.run).cloned().map(Rc::new);
    let time_ns = state.view.seen.as_ref().map_or(0, |seen| seen.time_ns);
    html! {
        <WhyCard
            subject={state.view.subject}
            {why}
            is_none={state.view.has_none(&state.run)}
            clock={chart::words::clock(time_ns)}
            dispatch={dispatch.clone()}
        />
    }
}

/// The place.
#[component]
pub fn Explore(props: &Props) -> Html {
    let Props { state, theme, dispatch, locked, cover } = props;
    let run = &state.run;
    let newest_ns = run.newest_ns();
    let time_ns = state.view.time(newest_ns, run.shows.clock_ns);
    let header = run.header.as_ref().map(Same::from);
    let nearest = state.view.nearest(run).map(Same);
    let view_at = |following_ns| {
        if nearest.is_some() {
            return nearest.clone();
        }
        let number = run.views.at(state.view.time(newest_ns, following_ns))?;
        run.views.flat(number).map(Same)
    };
    let views: Option<Vec<_>> = run.shows.nodes_ns.iter().map(|&ns| view_at(ns)).collect();
    let views = views.filter(|views| !views.is_empty());
    let playback = playback::Props::of(state, dispatch.clone());
    let reads = state.view.hover.is_some() || state.view.cursor.is_some();
    let results = results::Props::of(run, dispatch.clone());
    html! {
        <main>
            <div class="contents" inert={*locked}>
                <Controls draft={Same::from(&state.draft)} dispatch={dispatch.clone()} />
            </div>
            <div class="centre">
                if let (Some(header), Some(views)) = (header.clone(), views) {
                    <Machine
                        {header}
                        {views}
                        subject={state.view.subject}
                        dispatch={dispatch.clone()}
                    />
                    { why_card(state, dispatch) }
                } else {
                    <section class="section machine-place" aria-label="Machine"></section>
                }
                <Playback ..playback />
                if let Some(header) = header {
                    <Timelines
                        {header}
                        strips={Same::from(&state.view.strips)}
                        hidden={Same::from(&state.view.hidden)}
                        tables={run.shows.tables.each_ref().map(Same::from)}
                        left={run.left.as_ref().map(|left| Same::from(&left.after))}
                        span={state.view.span(run)}
                        {time_ns}
                        {reads}
                        asks={!state.run.is_busy()}
                        theme={*theme}
                        dispatch={dispatch.clone()}
                    />
                } else {
                    <section class="section timelines-place" aria-label="Timelines"></section>
                }
                <files::Files state={state.clone()} dispatch={dispatch.clone()} />
            </div>
            <Results cover={cover.clone()} ..results />
        </main>
    }
}
