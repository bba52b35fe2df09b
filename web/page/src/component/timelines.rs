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
    /// The samples so far.
    pub table: Same<Table>,
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
    let time = TimeAxis { end_ns, width };
    let pointer = Pointer {
        place: axis_place.clone(),
        time,
        is_down: use_memo((), |()| Cell::new(false)),
        dispatch: props.dispatch.clone(),
    };
    let strips = Kind::ALL.into_iter().map(|kind| {
        html! {
            <StripRow
                key={kind.title()}
                {kind}
                header={props.header.clone()}
                table={props.table.clone()}
                {time}
                time_ns={props.time_ns}
                reads={props.reads}
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
            </div>
            <div class="strip axis">
                <div class="plot" ref={axis_place}>{ axis(&time, props.time_ns) }</div>
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

const LABEL: f64 = 76.0;

/// The numbers under the strips; the cursor's own stands before them.
fn axis(time: &TimeAxis, cursor_ns: u64) -> Html {
    let width = time.width;
    if width <= 0.0 {
        return html! { <svg width="1" height="22" aria-hidden="true"></svg> };
    }
    let x = time.x(cursor_ns);
    let left = (x - LABEL / 2.0).clamp(0.0, (width - LABEL).max(0.0));
    let ticks = time.ticks(64.0).into_iter().map(|(at, text)| {
        let tick = time.x(at);
        // The cursor's number covers what stands under it.
        let is_covered = tick > left - 18.0 && tick < left + LABEL + 18.0;
        html! {
            <>
                <path d={format!("M{} 0v4", length(tick))} stroke="var(--line2)" fill="none" />
                if !is_covered {
                    <text x={length(tick)} y="16" class="middle">{ text }</text>
                }
            </>
        }
    });
    html! {
        <svg width={length(width)} height="22" aria-hidden="true">
            { for ticks }
            <rect x={length(left)} y="4" width={length(LABEL)} height="15" class="now" />
            <text x={length(left + LABEL / 2.0)} y="15" class="middle now">
                { words::clock(cursor_ns) }
            </text>
        </svg>
    }
}
