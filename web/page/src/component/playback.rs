//! Run and cancel, and the time machine: the only filled bar of the page.

use super::fork;
use super::same::Same;
use crate::picture::sketch::length;
use crate::platform::input;
use crate::state::run::{Phase, RunAction, Wish};
use crate::state::view::{SPEEDS, Step, ViewAction};
use crate::state::{Action, State, select};
use chart::words;
use report::moment::{Happened, Moment};
use report::series::Table;
use std::rc::Rc;
use yew::prelude::*;

/// Where the timeline of pages scanned stands among those that take turns.
const SCAN: usize = 1;
/// Positions of the scrubber over the whole run.
const POSITIONS: u64 = 10_000;

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// How far the run is.
    pub phase: Phase,
    /// The number of the request.
    pub id: u32,
    /// Whether it can be cancelled.
    pub is_busy: bool,
    /// Begin of the window and end of the run, in nanoseconds; zeros before there is one.
    pub span: (u64, u64),
    /// The time shown.
    pub time_ns: u64,
    /// Up to where there is something to be seen.
    pub newest_ns: u64,
    /// Whether the newest is followed.
    pub follows: bool,
    /// Whether anything can be looked at.
    pub has_views: bool,
    /// Whether the cursor moves by itself.
    pub plays: bool,
    /// Which speed.
    pub speed: usize,
    /// What a step is.
    pub step: Step,
    /// What jumps and stops look for.
    pub moment: Moment,
    /// Whether the cursor stops there.
    pub stops: bool,
    /// When the run was left for another future, in nanoseconds.
    pub left_ns: Option<u64>,
    /// What became of a jump or stop.
    pub said: Rc<str>,
    /// Event and digest of the state shown, once it is exact.
    pub exact: Option<(u64, String)>,
    /// The samples of pages scanned.
    pub scan: Same<Table>,
    /// What happened.
    pub moments: Same<Vec<Happened>>,
    /// What the run is doing.
    pub status: String,
    /// What was done.
    pub dispatch: Callback<Action>,
}

impl Props {
    /// What is shown of a state.
    #[must_use]
    pub fn of(state: &State, dispatch: Callback<Action>) -> Self {
        let (run, view) = (&state.run, &state.view);
        let span = run.header.as_ref().map_or((0, 0), |header| (header.warmup_ns, header.end_ns));
        Self {
            phase: run.phase.clone(),
            id: run.id,
            is_busy: run.is_busy() && run.wish != Wish::First,
            span,
            time_ns: view.time(run.newest_ns(), run.shows.clock_ns),
            newest_ns: run.shows.clock_ns,
            follows: view.cursor.is_none(),
            has_views: !run.views.is_empty(),
            plays: view.play.is_some(),
            speed: view.speed,
            step: view.step,
            moment: view.moment,
            stops: view.stops,
            left_ns: run.left.as_ref().map(|left| left.from_ns),
            said: view.said.clone(),
            exact: view.exact(run).map(|seen| (seen.events, seen.digest.clone())),
            scan: Same::from(&run.shows.tables[SCAN]),
            moments: Same::from(&run.moments),
            status: select::status(state),
            dispatch,
        }
    }
}

/// The bar.
#[component]
pub fn Playback(props: &Props) -> Html {
    let end_ns = props.span.1;
    let direct = use_memo((props.scan.clone(), end_ns), |(table, end_ns)| {
        direct_spans(table, (*end_ns).max(1))
    });
    let ticks = use_memo((props.moments.clone(), end_ns), |(moments, end_ns)| {
        [Moment::Wake, Moment::Min].map(|kind| ticks(moments, kind, *end_ns))
    });
    let bar = Bar(props);
    let (event, digest) = props.exact.clone().unwrap_or_default();
    html! {
        <div
            class="playback"
            role="group"
            aria-label="Run and time"
            data-phase={props.phase.name()}
            data-run={props.id.to_string()}
            data-event={props.exact.as_ref().map(|_| event.to_string())}
            data-digest={props.exact.as_ref().map(|_| digest)}
        >
            <div class="row">
                { bar.run() }
                { bar.steps() }
                <span class="clock">{ words::clock(props.time_ns) }</span>
                { bar.speed() }
                { fork::button(props) }
                <span class="event small">
                    { for props.exact.as_ref().map(|_| format!("event {}", words::count(event))) }
                </span>
                <span class="status">
                    { if props.said.is_empty() { &props.status } else { &*props.said } }
                </span>
            </div>
            <div class="row">
                { bar.jumps() }
                { scrubber(props, &direct, &ticks) }
            </div>
            { fork::row(props) }
            <span class="hidden" role="status">{ &*props.said }</span>
            <span class="hidden" role="status">{ spoken(&props.phase) }</span>
        </div>
    }
}

struct Bar<'a>(&'a Props);

impl Bar<'_> {
    fn does(&self, action: Action) -> Callback<MouseEvent> {
        let dispatch = self.0.dispatch.clone();
        Callback::from(move |_| dispatch.emit(action.clone()))
    }

    fn view(&self, action: ViewAction) -> Callback<MouseEvent> {
        self.does(Action::View(action))
    }

    fn run(&self) -> Html {
        let ask = |wish| self.does(Action::Run(RunAction::Ask(wish)));
        if self.0.is_busy {
            return html! {
                <button class="outlined main" onclick={ask(Wish::Cancel)}>{ "Cancel" }</button>
            };
        }
        html! { <button class="primary main" onclick={ask(Wish::Run)}>{ "Run" }</button> }
    }

    /// A button with a sign; its label is read and shown when pointed at.
    fn sign(&self, sign: &str, label: &str, class: &'static str, action: ViewAction) -> Html {
        html! {
            <button
                class={classes!("outlined", class)}
                onclick={self.view(action)}
                disabled={!self.0.has_views}
                aria-label={label.to_owned()}
                title={label.to_owned()}
            >
                <span aria-hidden="true">{ sign.to_owned() }</span>
            </button>
        }
    }

    fn steps(&self) -> Html {
        let (sign, label) = match self.0.plays {
            true => ("\u{2759}\u{2759}", "Pause"),
            false => ("\u{25b6}", "Play"),
        };
        let follow = if self.0.follows { Some(self.0.time_ns) } else { None };
        html! {
            <>
                { self.sign("\u{25c0}\u{2759}", "Step back", "step", ViewAction::Step(false)) }
                { self.sign(sign, label, "play", ViewAction::Play(!self.0.plays)) }
                { self.sign("\u{2759}\u{25b6}", "Step forward", "step", ViewAction::Step(true)) }
                { self.list("A step is", "step", Step::ALL.map(Step::name), self.0.step as usize, |n| {
                    ViewAction::StepBy(Step::ALL[n.min(Step::ALL.len() - 1)])
                }) }
                <button
                    class="outlined"
                    onclick={self.view(ViewAction::Cursor(follow))}
                    aria-pressed={pressed(self.0.follows)}
                >
                    { "Follow" }
                </button>
            </>
        }
    }

    fn speed(&self) -> Html {
        let names = SPEEDS.map(|(_, name)| name);
        self.list("Speed of playing", "speed", names, self.0.speed, ViewAction::Speed)
    }

    fn jumps(&self) -> Html {
        let names = Moment::ALL.map(Moment::name);
        let name = self.0.moment.name();
        let jump = |sign, side: &str, forth| {
            self.sign(sign, &format!("{side}: {name}"), "", ViewAction::Jump(forth))
        };
        let stops = self.0.stops;
        html! {
            <span class="jumps">
                { jump("|\u{25c2}", "Previous", false) }
                { self.list("Look for", "moment", names, self.0.moment as usize, |n| {
                    ViewAction::LookFor(Moment::ALL[n.min(Moment::ALL.len() - 1)])
                }) }
                { jump("\u{25b8}|", "Next", true) }
                <button
                    class="outlined"
                    onclick={self.view(ViewAction::StopThere(!stops))}
                    aria-pressed={pressed(stops)}
                    title={format!("Stop at: {name}")}
                >
                    { "Stop there" }
                </button>
            </span>
        }
    }

    fn list<const N: usize>(
        &self,
        label: &'static str,
        class: &'static str,
        names: [&'static str; N],
        chosen: usize,
        action: impl Fn(usize) -> ViewAction + 'static,
    ) -> Html {
        let dispatch = self.0.dispatch.clone();
        let onchange = move |event: Event| {
            dispatch.emit(Action::View(action(input::chosen_row(&event))));
        };
        html! {
            <select {class} aria-label={label} {onchange}>
                { for names.iter().enumerate().map(|(n, name)| html! {
                    <option selected={n == chosen}>{ *name }</option>
                }) }
            </select>
        }
    }
}

const fn pressed(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// The path of a mark for every moment of a kind, in thousandths of the run; those nearer than one
/// are one.
fn ticks(moments: &[Happened], kind: Moment, end_ns: u64) -> String {
    let mut path = String::new();
    let mut last = None;
    for happened in moments.iter().filter(|happened| happened.moment == kind) {
        let at = u128::from(happened.time_ns) * 1_000 / u128::from(end_ns.max(1));
        if last.replace(at) != Some(at) {
            path.push_str(&format!("M{at} 0v4"));
        }
    }
    path
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

fn scrubber(props: &Props, direct: &[(f64, f64)], ticks: &[String; 2]) -> Html {
    let Props { time_ns, dispatch, .. } = props;
    let (warmup_ns, end_ns) = props.span;
    let time_ns = *time_ns;
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
        share(props.newest_ns),
        share(warmup_ns)
    );
    html! {
        <span class="scrubber" {style}>
            <span class="track" aria-hidden="true">
                <span class="done"></span>
                <span class="warm" title="Warm-up"></span>
                <svg class="ticks" viewBox="0 0 1000 4" preserveAspectRatio="none">
                    <path d={ticks[0].clone()} class="wake" />
                    <path d={ticks[1].clone()} class="min" />
                </svg>
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
