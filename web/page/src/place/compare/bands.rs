//! How the arms differ from A over the window: the mean paired difference of every span of it,
//! with its interval as a band, on one clock.

use crate::picture::sketch::length;
use crate::platform::object::Json;
use chart::words;
use report::window::seconds;
use std::fmt::Write;
use yew::prelude::*;

/// Pixels of the plot before it is stretched: its width, its height.
const SIZE: [f64; 2] = [400.0, 64.0];

/// What is shown.
#[derive(Properties)]
pub(super) struct Props {
    /// The panel.
    pub panel: Json,
    /// How many replications it is of, and of which run.
    pub key_of: AttrValue,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        self.key_of == other.key_of
    }
}

/// One plot a figure and arm, and the numbers of one figure as a table.
#[component]
pub(super) fn Bands(props: &Props) -> Html {
    let opened = use_state_eq(|| None::<usize>);
    let bands = props.panel.list("bands");
    if bands.is_empty() {
        return Html::default();
    }
    let window = props.panel.number("window_s").unwrap_or(0.0);
    let one = |(number, band): (usize, &Json)| {
        let is_open = *opened == Some(number);
        let toggle = {
            let opened = opened.clone();
            move |_: MouseEvent| opened.set((!is_open).then_some(number))
        };
        let name = format!("{}, {}", band.string("words"), band.string("unit"));
        html! {
            <figure>
                <figcaption class="small">
                    { name.clone() }
                    <button
                        class="text"
                        onclick={toggle}
                        aria-expanded={is_open.to_string()}
                        aria-label={format!("{} as a table", band.string("words"))}
                    >
                        { "Table" }
                    </button>
                </figcaption>
                { for band.list("others").iter().map(|other| plot(&name, other, window)) }
                if is_open {
                    { table(&name, band, window) }
                }
            </figure>
        }
    };
    html! {
        <div class="bands">
            <h3>{ "Differences from A over the window" }</h3>
            <p class="small">
                { "The line is the mean of the pairs in each fortieth of the window, the band its \
                   95 % interval. Every span stands by itself: of 40 bands about two miss 0 by \
                   chance." }
            </p>
            { for bands.iter().enumerate().map(one) }
        </div>
    }
}

/// The outline of the band and the line of its means.
fn paths(difference: &[f64], half: &[f64], [low, high]: [f64; 2]) -> (String, String) {
    let [width, height] = SIZE;
    let step = width / difference.len().max(1) as f64;
    let x = |n: usize| length(step * (n as f64 + 0.5));
    let y = |v: f64| length((high - v) / (high - low) * height);
    let (mut area, mut line) = (String::new(), String::new());
    let sign = |text: &str| if text.is_empty() { 'M' } else { 'L' };
    // Writing to a string cannot fail.
    for (n, mean) in difference.iter().enumerate() {
        let sign = sign(&line);
        let _ = write!(line, "{sign}{} {}", x(n), y(*mean));
    }
    let upper = difference.iter().zip(half).enumerate().map(|(n, (mean, half))| (n, mean + half));
    let lower = difference.iter().zip(half).enumerate().map(|(n, (mean, half))| (n, mean - half));
    for (n, v) in upper.chain(lower.rev()) {
        let sign = sign(&area);
        let _ = write!(area, "{sign}{} {}", x(n), y(v));
    }
    (area, line)
}

fn plot(name: &str, other: &Json, window: f64) -> Html {
    let [difference, half] = ["difference", "half_width"].map(|name| other.numbers(name));
    let reach = |(n, mean): (usize, &f64)| {
        let half = half.get(n).copied().unwrap_or(0.0);
        [mean - half, mean + half]
    };
    let ends = difference.iter().enumerate().flat_map(reach);
    let (low, high) = ends.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    // Arms that do not differ have one line, in the middle.
    let span = if high > low { [low, high] } else { [-1.0, 1.0] };
    let (area, line) = paths(&difference, &half, span);
    let zero = length(span[1] / (span[1] - span[0]) * SIZE[1]);
    let (title, verdict) = (other.string("title"), other.string("verdict"));
    let signed = |v: f64| match v {
        v if v > 0.0 => format!("+{}", words::three(v)),
        v => words::three(v),
    };
    html! {
        <div class="band">
            <div class="ends small">
                <b>{ title.clone() }</b><span>{ signed(high) }</span><span>{ signed(low) }</span>
            </div>
            <svg
                viewBox={format!("0 0 {} {}", SIZE[0], SIZE[1])}
                preserveAspectRatio="none"
                role="img"
                aria-label={format!("{title} against A, {name}: {verdict}")}
            >
                <path class="reach" d={area} />
                <path class="zero" d={format!("M0 {zero}H{}", SIZE[0])} />
                <path class="line" d={line} />
            </svg>
            <div class="clock small"><span>{ "0" }</span><span>{ seconds(window) }</span></div>
            <div class="said small">{ verdict }</div>
        </div>
    }
}

/// The numbers of all arms.
fn table(name: &str, band: &Json, window: f64) -> Html {
    let others: Vec<(String, Vec<f64>, Vec<f64>)> = band
        .list("others")
        .iter()
        .map(|o| (o.string("title"), o.numbers("difference"), o.numbers("half_width")))
        .collect();
    let first = band.numbers("first");
    let step = window / first.len().max(1) as f64;
    let line = |(n, value): (usize, &f64)| {
        let cell = |(_, difference, half): &(String, Vec<f64>, Vec<f64>)| {
            let mean = difference.get(n).map_or_else(String::new, |v| words::three(*v));
            let half =
                half.get(n).map_or_else(String::new, |v| format!(" \u{b1} {}", words::three(*v)));
            html! { <td>{ mean }{ half }</td> }
        };
        html! {
            <tr>
                <th scope="row">{ seconds(step * n as f64) }</th>
                <td>{ words::three(*value) }</td>
                { for others.iter().map(cell) }
            </tr>
        }
    };
    html! {
        <div class="scroll" role="group" tabindex="0" aria-label={name.to_owned()}>
            <table>
                <caption>{ format!("{name}: A, and the others minus A with their intervals") }</caption>
                <thead><tr>
                    <th scope="col">{ "from" }</th>
                    <th scope="col">{ "A" }</th>
                    { for others.iter().map(|(title, ..)| html! {
                        <th scope="col">{ format!("{title} - A") }</th>
                    }) }
                </tr></thead>
                <tbody>{ for first.iter().enumerate().map(line) }</tbody>
            </table>
        </div>
    }
}
