//! A sweep as a curve, or as a map where two controls vary.

use crate::picture::sketch::length;
use crate::platform::object::Json;
use yew::prelude::*;

/// What is shown of every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Application work a second.
    Throughput,
    /// The 99th percentile of the latency.
    P99,
    /// What each added worker brings.
    Gain,
    /// CPU seconds for each unit of work more.
    Cost,
}

impl View {
    pub(super) const ALL: [Self; 4] = [Self::Throughput, Self::P99, Self::Gain, Self::Cost];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::P99 => "99th percentile",
            Self::Gain => "gain of each added worker",
            Self::Cost => "kswapd CPU seconds a gained unit",
        }
    }

    fn unit(self, panel: &Json) -> String {
        let work = panel.string("unit");
        match self {
            Self::Throughput => format!("{work}/s"),
            Self::P99 => "us".into(),
            Self::Gain => "% a worker".into(),
            Self::Cost => format!("CPU s a {work} more"),
        }
    }

    /// Mean and half of the interval of a point; none where there is nothing to say.
    fn value(self, cell: &Json) -> Option<[f64; 2]> {
        let pair = |name: &str| <[f64; 2]>::try_from(cell.numbers(name)).ok();
        match self {
            Self::Throughput => pair("throughput"),
            Self::P99 => pair("p99"),
            Self::Gain => cell.number("gain").map(|gain| [gain, 0.0]),
            Self::Cost => cell.number("cost").map(|cost| [cost, 0.0]),
        }
    }
}

/// A control and its values.
struct Axis {
    key: String,
    values: Vec<String>,
}

/// The curve or the map.
pub(super) fn picture(panel: &Json, view: View) -> Html {
    let axis = |axis: &Json| Axis { key: axis.string("key"), values: axis.strings("values") };
    let axes: Vec<Axis> = panel.list("axes").iter().map(axis).collect();
    let count: usize = axes.iter().map(|axis| axis.values.len()).product();
    let mut values = vec![None; count];
    for cell in panel.list("cells") {
        let place = cell.number("point").and_then(|n| values.get_mut(n as usize));
        if let Some(place) = place {
            *place = view.value(&cell);
        }
    }
    let unit = view.unit(panel);
    let caption = format!("{}, {unit}", view.title());
    if values.iter().all(Option::is_none) {
        let why = match view {
            View::Gain | View::Cost => {
                "Nothing to show: no point has more workers than another, or gained."
            }
            _ => "No point is done yet.",
        };
        return html! { <p class="small">{ why }</p> };
    }
    match &axes[..] {
        [only] => curve(only, &values, &caption),
        [down, across] => map(down, across, &values, &caption),
        _ => Html::default(),
    }
}

/// Ends of what is drawn.
fn ends(values: &[Option<[f64; 2]>]) -> (f64, f64) {
    let all = values.iter().flatten().flat_map(|[mean, half]| [mean - half, mean + half]);
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size >= 1_000.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// Pixels: the picture's width and height, and the room left of and under the plot.
const SIZE: [f64; 4] = [640.0, 240.0, 64.0, 36.0];

fn curve(axis: &Axis, values: &[Option<[f64; 2]>], caption: &str) -> Html {
    let [width, height, left, below] = SIZE;
    let (low, high) = ends(values);
    let room = (high - low).max(high.abs() * 1e-3) * 0.08;
    let (low, high) = (low - room, high + room);
    let step = (width - left - 20.0) / (values.len().max(2) - 1) as f64;
    let x = |n: usize| left + 10.0 + step * n as f64;
    let y =
        |v: f64| 10.0 + (high - v) / (high - low).max(f64::MIN_POSITIVE) * (height - below - 20.0);
    let there = || values.iter().enumerate().filter_map(|(n, v)| v.map(|v| (n, v)));
    let line: Vec<String> =
        there().map(|(n, [mean, _])| format!("{} {}", length(x(n)), length(y(mean)))).collect();
    let marks = there().map(|(n, [mean, half])| {
        let (x, from, to) = (length(x(n)), length(y(mean - half)), length(y(mean + half)));
        let title = format!("{} = {}: {}", axis.key, axis.values[n], number(mean));
        html! {
            <g>
                <title>{ title }</title>
                <path class="interval" d={format!("M{x} {from}V{to}")} />
                <circle class="dot" cx={x} cy={length(y(mean))} r="3.5" />
            </g>
        }
    });
    let every = values.len().div_ceil(12).max(1);
    let names = axis.values.iter().enumerate().step_by(every).map(|(n, name)| html! {
        <text x={length(x(n))} y={length(height - below + 14.0)} class="middle">{ name.clone() }</text>
    });
    let tick = |v: f64| {
        html! {
            <text x={length(left - 6.0)} y={length(y(v) + 4.0)} class="end">{ number(v) }</text>
        }
    };
    let sentence = there().map(|(n, [mean, _])| format!("{} {}", axis.values[n], number(mean)));
    let sentence = sentence.collect::<Vec<_>>().join(", ");
    html! {
        <figure class="curve">
            <figcaption class="small">{ format!("{caption}; bars are 95 % intervals") }</figcaption>
            <svg
                viewBox={format!("0 0 {width} {height}")}
                role="img"
                aria-label={format!("{caption} over {}: {sentence}", axis.key)}
            >
                <path class="zero" d={format!("M{left} 10V{}H{width}", height - below)} fill="none" />
                <path class="line" d={format!("M{}", line.join("L"))} />
                { for marks }
                { for names }
                { tick(low + room) }
                { tick(high - room) }
                <text x={length(f64::midpoint(left, width))} y={length(height - 4.0)} class="middle">
                    { axis.key.clone() }
                </text>
            </svg>
        </figure>
    }
}

/// The map is a table: every cell has its number, a shade, and its interval.
fn map(down: &Axis, across: &Axis, values: &[Option<[f64; 2]>], caption: &str) -> Html {
    let means: Vec<Option<[f64; 2]>> = values.iter().map(|v| v.map(|[m, _]| [m, 0.0])).collect();
    let (low, high) = ends(&means);
    let cell = |value: &Option<[f64; 2]>| match value {
        None => html! { <td class="none">{ "-" }</td> },
        Some([mean, half]) => {
            let share = if high > low { (mean - low) / (high - low) } else { 0.5 };
            let shade = format!("--s:{}%", length(share * 55.0));
            html! {
                <td style={shade}>
                    { number(*mean) }
                    if *half > 0.0 {
                        <small>{ format!(" \u{b1} {}", number(*half)) }</small>
                    }
                </td>
            }
        }
    };
    let width = across.values.len().max(1);
    let line = |(name, row): (&String, &[Option<[f64; 2]>])| {
        html! {
            <tr><th scope="row">{ name.clone() }</th>{ for row.iter().map(cell) }</tr>
        }
    };
    html! {
        <div class="scroll" role="group" tabindex="0" aria-label={caption.to_owned()}>
            <table class="map">
                <caption>
                    { format!("{caption}; {} downwards, {} to the right", down.key, across.key) }
                </caption>
                <thead><tr>
                    <th scope="col">{ down.key.clone() }</th>
                    { for across.values.iter().map(|v| html! { <th scope="col">{ v.clone() }</th> }) }
                </tr></thead>
                <tbody>{ for down.values.iter().zip(values.chunks(width)).map(line) }</tbody>
            </table>
        </div>
    }
}
