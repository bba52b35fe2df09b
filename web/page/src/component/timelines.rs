//! All strips on one clock, with one cursor.

use super::chooser::Chooser;
use super::same::Same;
use super::strip::StripRow;
use crate::hook::use_width;
use crate::picture::sketch::length;
use crate::platform::input;
use crate::state::Action;
use crate::state::view::ViewAction;
use chart::scale::TimeAxis;
use chart::{Kind, Theme, words};
use report::series::Table;
use report::wire::Header;
use std::cell::Cell;
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is fixed of the run.
    pub header: Same<Header>,
    /// The timelines that are shown.
    pub strips: Same<[Kind]>,
    /// Series of them that are hidden.
    pub hidden: Same<[(Kind, usize)]>,
    /// The samples so far, of one timeline after the other by turns: while a run goes on they do
    /// not change together.
    pub tables: [Same<Table>; Kind::ALL.len()],
    /// The samples of the future that was left.
    pub left: Option<Same<Table>>,
    /// The part of the run that is shown, in nanoseconds.
    pub span: (u64, u64),
    /// The cursor.
    pub time_ns: u64,
    /// Whether the cursor says what it reads.
    pub reads: bool,
    /// Whether it can be asked why samples stand out: not while new ones come all the time.
    pub asks: bool,
    /// Colours for the canvas.
    pub theme: Theme,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// The strips, top to bottom, over the one x axis.
#[component]
pub fn Timelines(props: &Props) -> Html {
    let axis_place = use_node_ref();
    let width = use_width(&axis_place);
    let (begin_ns, end_ns) = props.span;
    let time = TimeAxis { begin_ns, end_ns, width };
    let is_whole = begin_ns == 0 && end_ns >= props.header.end_ns;
    let pointer = Pointer {
        place: axis_place.clone(),
        time,
        is_down: use_memo((), |()| Cell::new(false)),
        marked: use_memo((), |()| Cell::new(None)),
        dispatch: props.dispatch.clone(),
    };
    let hidden_of = |kind: Kind| {
        let hidden = props.hidden.iter().filter(|(other, _)| *other == kind);
        hidden.map(|&(_, series)| series).collect::<Vec<_>>()
    };
    let strips = props.strips.iter().zip(props.tables.iter().cycle()).map(|(&kind, table)| {
        html! {
            <StripRow
                key={format!("{kind:?}")}
                hidden={hidden_of(kind)}
                dispatch={props.dispatch.clone()}
                {kind}
                header={props.header.clone()}
                table={table.clone()}
                left={props.left.clone()}
                {time}
                reads_at={props.reads.then_some(props.time_ns)}
                asks={props.asks}
                theme={props.theme}
            />
        }
    });
    html! {
        <section class="section timelines" aria-label="Timelines">
            <div
                class="strips"
                onpointermove={pointer.moves()}
                onpointerleave={pointer.leaves()}
                onpointerdown={pointer.presses()}
                onpointerup={pointer.releases()}
            >
                { for strips }
                { cursor(&time, props.time_ns) }
            </div>
            <div class="strip axis">
                { zoom(is_whole, &props.dispatch) }
                <div class="plot" ref={axis_place}>{ axis(&time) }</div>
            </div>
            { values_of(&props.tables[0]) }
            <Chooser
                header={props.header.clone()}
                strips={props.strips.clone()}
                dispatch={props.dispatch.clone()}
            />
        </section>
    }
}

/// Of what time the values at the cursor are.
fn values_of(table: &Table) -> Html {
    let Some(ns) = table.time_ns.windows(2).last().map(|pair| pair[1] - pair[0]) else {
        return Html::default();
    };
    let each = words::nanos(ns as f64);
    html! {
        <p class="small">
            { format!(
                "Values at the cursor are of the sample that holds it, {each} long: rates, CPUs and \
                 waits are its means, free memory and counts as they are at its end. The machine \
                 above is of the instant itself."
            ) }
        </p>
    }
}

/// What the pointer does over the strips.
#[derive(Clone)]
struct Pointer {
    place: NodeRef,
    time: TimeAxis,
    is_down: std::rc::Rc<Cell<bool>>,
    /// Where a part of the run began to be marked.
    marked: std::rc::Rc<Cell<Option<u64>>>,
    dispatch: Callback<Action>,
}

impl Pointer {
    /// The time under the pointer; none beside the plots.
    fn at(&self, event: &PointerEvent) -> Option<u64> {
        let x = input::across(event, &self.place);
        (-4.0..=self.time.width + 4.0).contains(&x).then(|| self.time.time(x))
    }

    fn send(&self, action: ViewAction) {
        self.dispatch.emit(Action::View(action));
    }

    fn moves(&self) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |event| {
            let time = pointer.at(&event);
            if pointer.is_down.get() && time.is_some() {
                pointer.send(ViewAction::Cursor(time));
            }
            pointer.send(ViewAction::Hover(time));
        })
    }

    fn leaves(&self) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |_| {
            pointer.is_down.set(false);
            pointer.send(ViewAction::Hover(None));
        })
    }

    fn presses(&self) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(time) = pointer.at(&event).filter(|_| event.button() == 0) {
                if event.shift_key() {
                    pointer.marked.set(Some(time));
                    return;
                }
                pointer.is_down.set(true);
                pointer.send(ViewAction::Cursor(Some(time)));
            }
        })
    }

    fn releases(&self) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |event: PointerEvent| {
            pointer.is_down.set(false);
            if let (Some(from), Some(to)) = (pointer.marked.take(), pointer.at(&event)) {
                pointer.send(ViewAction::Window(Some((from.min(to), from.max(to)))));
            }
            // A finger does not hover.
            if event.pointer_type() != "mouse" {
                pointer.send(ViewAction::Hover(None));
            }
        })
    }
}

/// The width of the cursor's label, in pixels.
const LABEL: f64 = 78.0;

/// The cursor through all strips, with its time under them. It is one element that is only moved:
/// that costs no drawing.
fn cursor(time: &TimeAxis, cursor_ns: u64) -> Html {
    let is_shown = (time.begin_ns..=time.end_ns).contains(&cursor_ns);
    if time.width <= 0.0 || !is_shown {
        return Html::default();
    }
    let x = time.x(cursor_ns);
    let left = (x - LABEL / 2.0).clamp(0.0, (time.width - LABEL).max(0.0));
    html! {
        <div class="cursor" style={format!("transform:translateX({}px)", length(x))} aria-hidden="true">
            <span style={format!("transform:translateX({}px)", length(left - x))}>
                { words::clock(cursor_ns) }
            </span>
        </div>
    }
}

/// Buttons that show more or less of the run.
fn zoom(is_whole: bool, dispatch: &Callback<Action>) -> Html {
    let button = |sign: &'static str, label: &'static str, is_off: bool, action: ViewAction| {
        let dispatch = dispatch.clone();
        let onclick = move |_| dispatch.emit(Action::View(action.clone()));
        html! {
            <button class="outlined" {onclick} disabled={is_off} aria-label={label} title={label}>
                <span aria-hidden="true">{ sign }</span>
            </button>
        }
    };
    html! {
        <div class="zoom" role="group" aria-label="Part of the run shown">
            { button("+", "Zoom in about the cursor; or drag with Shift", false, ViewAction::Zoom(true)) }
            { button("\u{2212}", "Zoom out", is_whole, ViewAction::Zoom(false)) }
            { button("\u{25c2}", "Show what is before", is_whole, ViewAction::Pan(false)) }
            { button("\u{25b8}", "Show what comes after", is_whole, ViewAction::Pan(true)) }
            { button("all", "Show all of the run", is_whole, ViewAction::Window(None)) }
        </div>
    }
}

/// The numbers under the strips.
fn axis(time: &TimeAxis) -> Html {
    if time.width <= 0.0 {
        return html! { <svg width="1" height="22" aria-hidden="true"></svg> };
    }
    let ticks = time.ticks(64.0).into_iter().map(|(at, text)| {
        let tick = length(time.x(at));
        html! {
            <>
                <path d={format!("M{tick} 0v4")} stroke="var(--line2)" fill="none" />
                <text x={tick} y="16" class="middle">{ text }</text>
            </>
        }
    });
    html! { <svg width={length(time.width)} height="22" aria-hidden="true">{ for ticks }</svg> }
}
