//! Run and cancel, and the time cursor: the only filled bar of the page.

use super::same::Same;
use crate::picture::sketch::length;
use crate::platform::input;
use crate::state::run::{Phase, Run, RunAction, Wish};
use crate::state::view::ViewAction;
use crate::state::{Action, State, select};
use chart::{Kind, words};
use report::series::Table;
use yew::prelude::*;

/// Positions of the scrubber over the whole run.
const POSITIONS: u64 = 10_000;

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// All of it.
    pub state: Same<State>,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The bar.
#[component]
pub fn Playback(props: &Props) -> Html {
    let run = &props.state.run;
    let end_ns = run.header.as_ref().map_or(1, |header| header.end_ns.max(1));
    let direct = use_memo(
        (Same::from(&run.shows.tables[Kind::Scan as usize]), end_ns),
        |(table, end_ns)| direct_spans(table, *end_ns),
    );
    let newest_ns = run.newest_ns();
    let time_ns = props.state.view.time(newest_ns, run.shows.clock_ns);
    let follows = props.state.view.cursor.is_none();
    let emit = |action: Action| {
        let dispatch = props.dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.emit(action.clone()))
    };
    let to = |time| emit(Action::View(ViewAction::Cursor(time)));
    let step = |forward| to(Some(neighbour(run, time_ns, forward)));
    let has_views = !run.views.is_empty();
    html! {
        <div
            class="playback"
            role="group"
            aria-label="Run and time"
            data-phase={run.phase.name()}
            data-run={run.id.to_string()}
        >
            { run_button(run, &emit) }
            <button
                class="outlined step"
                onclick={step(false)}
                disabled={!has_views}
                aria-label="Step back"
                title="Step back"
            >
                <span aria-hidden="true">{ "\u{25c0}\u{2759}" }</span>
            </button>
            <button
                class="outlined step"
                onclick={step(true)}
                disabled={!has_views}
                aria-label="Step forward"
                title="Step forward"
            >
                <span aria-hidden="true">{ "\u{2759}\u{25b6}" }</span>
            </button>
            <button
                class="outlined"
                onclick={to(if follows { Some(time_ns) } else { None })}
                aria-pressed={if follows { "true" } else { "false" }}
            >
                { "Follow" }
            </button>
            <span class="clock">{ words::clock(time_ns) }</span>
            { scrubber(run, time_ns, &direct, &props.dispatch) }
            <span class="status">{ select::status(&props.state) }</span>
            <span class="hidden" role="status">{ spoken(&run.phase) }</span>
        </div>
    }
}

fn run_button(run: &Run, emit: &impl Fn(Action) -> Callback<MouseEvent>) -> Html {
    let ask = |wish| emit(Action::Run(RunAction::Ask(wish)));
    if run.is_busy() && run.wish != Wish::First {
        return html! {
            <button class="outlined main" onclick={ask(Wish::Cancel)}>{ "Cancel" }</button>
        };
    }
    html! { <button class="primary main" onclick={ask(Wish::Run)}>{ "Run" }</button> }
}

/// The time of the view after or before the one that is shown.
fn neighbour(run: &Run, time_ns: u64, forward: bool) -> u64 {
    let Some(shown) = run.views.at(time_ns) else { return time_ns };
    let next = if forward { shown + 1 } else { shown.saturating_sub(1) };
    run.views.time_ns(next).unwrap_or(time_ns)
}

/// Said once when a phase begins; numbers that run are not.
fn spoken(phase: &Phase) -> &'static str {
    match phase {
        Phase::Idle | Phase::Asked | Phase::Held => "",
        Phase::Running => "The simulation runs.",
        Phase::Finished => "The simulation is finished.",
        Phase::Cancelled => "The simulation was cancelled.",
        Phase::TooLong(_) | Phase::Rejected(_) | Phase::Failed(_) => "The simulation does not run.",
    }
}

fn scrubber(run: &Run, time_ns: u64, direct: &[(f64, f64)], dispatch: &Callback<Action>) -> Html {
    let (warmup_ns, end_ns) =
        run.header.as_ref().map_or((0, 0), |header| (header.warmup_ns, header.end_ns));
    let is_off = end_ns == 0;
    let end_ns = end_ns.max(1);
    let share = |time: u64| length(time.min(end_ns) as f64 * 100.0 / end_ns as f64);
    let oninput = {
        let dispatch = dispatch.clone();
        move |event: InputEvent| {
            let position: u64 = input::text(&event).parse().unwrap_or(0);
            let time = u128::from(position) * u128::from(end_ns) / u128::from(POSITIONS);
            dispatch.emit(Action::View(ViewAction::Cursor(Some(time as u64))));
        }
    };
    let position = u128::from(time_ns) * u128::from(POSITIONS) / u128::from(end_ns);
    let value = words::clock(time_ns);
    let text = match direct.is_empty() {
        true => value,
        false => format!("{value}; there is direct reclaim in this run"),
    };
    let style = format!(
        "--p:{}%;--done:{}%;--warm:{}%",
        share(time_ns),
        share(run.newest_ns()),
        share(warmup_ns)
    );
    html! {
        <span class="scrubber" {style}>
            <span class="track" aria-hidden="true">
                <span class="done"></span>
                <span class="warm" title="Warm-up"></span>
                { for direct.iter().map(|(from, to)| html! {
                    <span
                        class="direct"
                        title="Direct reclaim"
                        style={format!("left:{}%;width:{}%", length(*from), length(to - from))}
                    ></span>
                }) }
            </span>
            <input
                type="range"
                min="0"
                max={POSITIONS.to_string()}
                step="10"
                value={position.to_string()}
                disabled={is_off}
                {oninput}
                aria-label="Time shown"
                aria-valuetext={text}
            />
        </span>
    }
}

/// Where direct reclaim scanned, in per cent of the run; spans nearer than half a per cent are one.
fn direct_spans(table: &Table, end_ns: u64) -> Vec<(f64, f64)> {
    let Some(column) = table.find("pgscan_direct") else { return Vec::new() };
    let share = |time: u64| time as f64 * 100.0 / end_ns as f64;
    let mut spans: Vec<(f64, f64)> = Vec::new();
    let mut before = 0;
    for (&time, scanned) in table.time_ns.iter().zip(table.column(column)) {
        let (from, to) = (share(before), share(time));
        before = time;
        if scanned <= 0.0 {
            continue;
        }
        match spans.last_mut() {
            Some(span) if from - span.1 < 0.5 => span.1 = to,
            _ => spans.push((from, to)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::series::Column;

    #[test]
    fn spans_of_direct_reclaim_are_joined_when_near() {
        let column = Column {
            key: "pgscan_direct".into(),
            label: String::new(),
            kernel_name: String::new(),
            unit: String::new(),
            node: None,
        };
        let mut table = Table { columns: vec![column], ..Table::default() };
        for (time, scanned) in [(100, 0.0), (200, 5.0), (300, 9.0), (400, 0.0), (500, 1.0)] {
            table.push(time, &[scanned]);
        }
        assert_eq!(direct_spans(&table, 1_000), [(10.0, 30.0), (40.0, 50.0)]);
        assert!(direct_spans(&Table::default(), 1).is_empty());
    }
}
