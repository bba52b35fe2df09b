//! One timeline: its name, its picture, and the same as a table.

use super::chart_canvas::ChartCanvas;
use super::overlay::{overlay, underlay};
use super::same::Same;
use chart::scale::TimeAxis;
use chart::twin::{Twin, twin};
use chart::{Frame, Kind, Strip, Theme};
use report::series::Table;
use report::wire::Header;
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
    /// The x axis.
    pub time: TimeAxis,
    /// Where the cursor reads; the newest values change too fast to be read, and the names at the
    /// right say where they stand.
    pub reads_at: Option<u64>,
    /// Colours for the canvas.
    pub theme: Theme,
}

/// One timeline.
#[component]
pub fn StripRow(props: &Props) -> Html {
    let is_open = use_state(|| false);
    let Props { kind, header, table, time, .. } = props;
    let strip =
        use_memo((table.clone(), header.clone(), *time, *kind), |(table, header, time, kind)| {
            chart::strip::plan(*kind, &Frame { header, table, time: *time })
        });
    let newest = table.time_ns.last().copied().unwrap_or(0);
    let time_ns = props.reads_at.unwrap_or(newest);
    let row = chart::strip::row_at(table, time_ns);
    let readings = row.map(|row| strip.readings(table, row)).unwrap_or_default();
    let shown = if props.reads_at.is_some() { &readings[..] } else { &[] };
    let toggle = {
        let is_open = is_open.clone();
        move |_| is_open.set(!*is_open)
    };
    let id = format!("table-{}", kind.title().to_ascii_lowercase().replace(' ', "-"));
    html! {
        <div class="strip">
            <div class="about">
                <h3>{ kind.title() }</h3>
                <code>{ kind.kernel_name() }</code>
                <span class="unit">{ strip.unit.clone() }</span>
                <button
                    class="text"
                    onclick={toggle}
                    aria-expanded={if *is_open { "true" } else { "false" }}
                    aria-controls={id.clone()}
                    aria-label={format!("{} as a table", kind.title())}
                >
                    { "table" }
                </button>
            </div>
            <div class="plot" style={format!("height:{}px", kind.height() as u32)}>
                { underlay(&strip, time.width) }
                <ChartCanvas
                    strip={Same(strip.clone())}
                    header={header.clone()}
                    table={table.clone()}
                    time={*time}
                    theme={props.theme}
                    label={sentence(&strip, &readings)}
                />
                { overlay(&strip, time.width, time.x(time_ns), shown) }
            </div>
            <div
                class={classes!("twin", (!*is_open).then_some("hidden"))}
                id={id}
                role="region"
                aria-label={format!("{} as a table", kind.title())}
                tabindex="0"
            >
                if *is_open {
                    { table_of(&twin(&strip, table, ROWS_MAX)) }
                }
            </div>
        </div>
    }
}

/// The timeline in words: its values at the cursor.
fn sentence(strip: &Strip, readings: &[chart::strip::Reading]) -> String {
    let title = strip.kind.title();
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
