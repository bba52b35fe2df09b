//! All strips on one clock, with one cursor.

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
    /// The samples so far, for each timeline: while a run goes on they do not change together.
    pub tables: [Same<Table>; Kind::ALL.len()],
    /// The cursor.
    pub time_ns: u64,
    /// Whether the cursor says what it reads.
    pub reads: bool,
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
    let end_ns = props.header.end_ns.max(1);
    let time = TimeAxis { begin_ns: 0, end_ns, width };
    let pointer = Pointer {
        place: axis_place.clone(),
        time,
        is_down: use_memo((), |()| Cell::new(false)),
        dispatch: props.dispatch.clone(),
    };
    let strips = Kind::ALL.into_iter().zip(&props.tables).map(|(kind, table)| {
        html! {
            <StripRow
                key={kind.title()}
                {kind}
                header={props.header.clone()}
                table={table.clone()}
                {time}
                reads_at={props.reads.then_some(props.time_ns)}
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
                <div class="plot" ref={axis_place}>{ axis(&time) }</div>
            </div>
        </section>
    }
}

/// What the pointer does over the strips.
#[derive(Clone)]
struct Pointer {
    place: NodeRef,
    time: TimeAxis,
    is_down: std::rc::Rc<Cell<bool>>,
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
                pointer.is_down.set(true);
                pointer.send(ViewAction::Cursor(Some(time)));
            }
        })
    }

    fn releases(&self) -> Callback<PointerEvent> {
        let pointer = self.clone();
        Callback::from(move |event: PointerEvent| {
            pointer.is_down.set(false);
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
    if time.width <= 0.0 {
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
