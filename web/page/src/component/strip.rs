//! One timeline: its name, its picture, and the same as a table.

use super::chart_canvas::ChartCanvas;
use super::extremes::extremes;
use super::overlay::{overlay, underlay};
use super::same::Same;
use crate::hook::use_seen;
use crate::state::Action;
use crate::state::view::ViewAction;
use chart::scale::TimeAxis;
use chart::strip::Series;
use chart::twin::{Twin, twin};
use chart::{Frame, Kind, Strip, Theme};
use report::series::Table;
use report::wire::Header;
use std::rc::Rc;
use yew::prelude::*;

/// Most rows of a table.
const ROWS_MAX: usize = 200;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which timeline.
    pub kind: Kind,
    /// What is fixed of the run.
    pub header: Same<Header>,
    /// The samples so far.
    pub table: Same<Table>,
    /// The samples of the future that was left.
    pub left: Option<Same<Table>>,
    /// The x axis.
    pub time: TimeAxis,
    /// Where the cursor reads; the newest values change too fast to be read, and the names at the
    /// right say where they stand.
    pub reads_at: Option<u64>,
    /// Whether it can be asked why samples stand out.
    pub asks: bool,
    /// The series that are hidden, by their numbers.
    pub hidden: Vec<usize>,
    /// Colours for the canvas.
    pub theme: Theme,
    /// What was done.
    pub dispatch: Callback<Action>,
}

/// What is open of a timeline.
#[derive(Clone, Copy, Default, PartialEq)]
struct Open {
    table: bool,
    series: bool,
}

/// One timeline.
#[component]
pub fn StripRow(props: &Props) -> Html {
    let place = use_node_ref();
    let is_seen = use_seen(&place);
    let open = use_state(Open::default);
    let Props { kind, time, hidden, left, .. } = props;
    // What nobody sees is not drawn again. Samples stay with the head of their run: under another
    // they would be taken for that run's, whose samples are of the same times.
    let shown = use_mut_ref(|| (props.header.clone(), props.table.clone()));
    if is_seen || open.table {
        *shown.borrow_mut() = (props.header.clone(), props.table.clone());
    }
    let (header, table) = shown.borrow().clone();
    let header = &header;
    let whole = use_memo((table.clone(), left.clone(), header.clone(), *time, *kind), |planned| {
        let (table, left, header, time, kind) = planned;
        // The axis has room for both futures.
        let both = left.as_ref().map(|left| table.after(left));
        let table = both.as_ref().unwrap_or(table);
        chart::strip::plan(*kind, &Frame { header, table, time: *time })
    });
    let strip = match hidden.is_empty() {
        true => whole.clone(),
        false => Rc::new((*whole).clone().without(hidden)),
    };
    let newest = table.time_ns.last().copied().unwrap_or(0);
    let time_ns = props.reads_at.unwrap_or(newest);
    let row = chart::strip::row_at(&table, time_ns);
    let readings = row.map(|row| strip.readings(&table, row)).unwrap_or_default();
    let read = if props.reads_at.is_some() { &readings[..] } else { &[] };
    let title = kind.title(&header.columns);
    let frame = Frame { header, table: &table, time: *time };
    let id = format!("table-{}", title.to_ascii_lowercase().replace(' ', "-"));
    let opens = |what: &'static str, is_open: bool, next: Open, id: Option<String>| {
        let open = open.clone();
        let label = format!("{title} {}", if what == "table" { "as a table" } else { what });
        html! {
            <button
                class="text"
                onclick={move |_| open.set(next)}
                aria-expanded={if is_open { "true" } else { "false" }}
                aria-controls={id}
                aria-label={label}
            >
                { what }
            </button>
        }
    };
    let tables = Open { table: !open.table, ..*open };
    let series = Open { series: !open.series, ..*open };
    html! {
        <div class="strip" ref={place}>
            <div class="about">
                <h3>{ title.clone() }</h3>
                <code>{ kind.kernel_name(&header.columns) }</code>
                <span class="unit">{ strip.unit.clone() }</span>
                if let Some(note) = &strip.note {
                    <span class="unit">{ note.clone() }</span>
                }
                <span class="opens">
                    if props.asks {
                        { extremes(&title, &strip, &frame, &props.dispatch) }
                    }
                    { opens("table", open.table, tables, Some(id.clone())) }
                    if whole.series.len() > 1 {
                        { opens("series", open.series, series, None) }
                    }
                </span>
            </div>
            <div class="plot" style={format!("height:{}px", kind.height() as u32)}>
                { underlay(&strip, time.width) }
                <ChartCanvas
                    strip={Same(strip.clone())}
                    header={header.clone()}
                    table={table.clone()}
                    left={left.clone()}
                    time={*time}
                    theme={props.theme}
                    label={sentence(&title, &strip, &readings)}
                />
                { overlay(&strip, time.width, time.x(time_ns), read) }
            </div>
            if open.series {
                { legend(*kind, &whole, hidden, &props.dispatch) }
            }
            <div
                class={classes!("twin", (!open.table).then_some("hidden"))}
                {id}
                role="region"
                aria-label={format!("{title} as a table")}
                tabindex="0"
            >
                if open.table {
                    { table_of(&twin(&strip, &table, ROWS_MAX)) }
                }
            </div>
        </div>
    }
}

/// A button a series that hides it or shows it again.
fn legend(kind: Kind, strip: &Strip, hidden: &[usize], dispatch: &Callback<Action>) -> Html {
    let button = |(number, series): (usize, &Series)| {
        let is_shown = !hidden.contains(&number);
        let dispatch = dispatch.clone();
        let onclick = move |_| dispatch.emit(Action::View(ViewAction::Hide(kind, number)));
        html! {
            <button {onclick} aria-pressed={if is_shown { "true" } else { "false" }}>
                <span class="swatch" style={format!("background:{}", series.ink.css())}></span>
                { series.name.clone() }
            </button>
        }
    };
    html! {
        <div
            class="legend"
            role="group"
            aria-label="Series shown"
            onpointerdown={|event: PointerEvent| event.stop_propagation()}
        >
            { for strip.series.iter().enumerate().map(button) }
        </div>
    }
}

/// The timeline in words: its values at the cursor.
fn sentence(title: &str, strip: &Strip, readings: &[chart::strip::Reading]) -> String {
    if readings.is_empty() {
        return format!("{title}: no samples yet");
    }
    let values = readings.iter().map(|reading| format!("{} {}", reading.name, reading.text));
    format!("{title} at the cursor, {}: {}", strip.unit, values.collect::<Vec<_>>().join(", "))
}

fn table_of(twin: &Twin) -> Html {
    let row = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(n, cell)| match n {
            0 => html! { <th scope="row">{ cell.clone() }</th> },
            _ => html! { <td>{ cell.clone() }</td> },
        });
        html! { <tr>{ for cells }</tr> }
    };
    html! {
        <table>
            <caption>{ twin.caption.clone() }</caption>
            <thead>
                <tr>
                    { for twin.columns.iter().map(|name| html! {
                        <th scope="col">{ name.clone() }</th>
                    }) }
                </tr>
            </thead>
            <tbody>{ for twin.rows.iter().map(row) }</tbody>
        </table>
    }
}
