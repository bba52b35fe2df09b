//! Paired differences, one dot a replication, with their mean and its interval.

use crate::picture::sketch::length;
use crate::platform::object::Json;
use yew::prelude::*;

/// Pixels: the width of the plot, the height of a row, the room under it.
const SIZE: [f64; 3] = [420.0, 26.0, 22.0];

/// One plot a figure.
pub(super) fn plots(panel: &Json) -> Html {
    let all = panel.list("dots");
    let mut figures: Vec<String> = all.iter().map(|dots| dots.string("words")).collect();
    figures.dedup();
    let plot = |words: String| {
        let rows: Vec<&Json> = all.iter().filter(|dots| dots.string("words") == words).collect();
        figure(&words, &rows)
    };
    html! { <div class="dots">{ for figures.into_iter().map(plot) }</div> }
}

fn figure(words: &str, rows: &[&Json]) -> Html {
    let [width, step, below] = SIZE;
    let mean = |row: &Json| row.number("mean").unwrap_or(0.0);
    let half = |row: &Json| row.number("half").unwrap_or(0.0);
    let ends = rows.iter().flat_map(|row| {
        let mut all = row.numbers("values");
        all.extend([mean(row) - half(row), mean(row) + half(row), 0.0]);
        all
    });
    let (low, high) = ends.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let span = if high > low { high - low } else { 1.0 };
    let x = |v: f64| 10.0 + (v - low) / span * (width - 20.0);
    let height = step * rows.len() as f64 + below;
    let said = |row: &&Json| {
        let (title, verdict) = (row.string("title"), row.string("verdict"));
        format!("{title} against A: {:+.2}%, {verdict}", mean(row))
    };
    let sentence = rows.iter().map(said).collect::<Vec<_>>().join("; ");
    let marks = rows.iter().enumerate().map(|(n, row)| {
        let y = step * (n as f64 + 0.5);
        let [from, to, at] = [mean(row) - half(row), mean(row) + half(row), mean(row)].map(x);
        let dots = row.numbers("values").into_iter().map(|v| {
            html! {
                <circle cx={length(x(v))} cy={length(y)} r="2.5" class="dot" />
            }
        });
        html! {
            <>
                { for dots }
                <path class="interval" d={format!("M{} {y}H{}", length(from), length(to))} />
                <path class="mean" d={format!("M{} {}v14", length(at), y - 7.0)} />
            </>
        }
    });
    let zero = length(x(0.0));
    let edge = |at: f64, class: &'static str, v: f64| {
        html! {
            <text x={length(at)} y={length(height - 4.0)} {class}>{ format!("{v:+.2}%") }</text>
        }
    };
    html! {
        <figure>
            <figcaption class="small">
                { format!("Difference from A: {words}, one dot a replication") }
            </figcaption>
            <div class="plot">
                <div class="names">
                    { for rows.iter().map(|row| html! { <span>{ row.string("title") }</span> }) }
                </div>
                <svg
                    viewBox={format!("0 0 {width} {height}")}
                    role="img"
                    aria-label={sentence}
                >
                    <path class="zero" d={format!("M{zero} 0V{}", height - below)} />
                    { for marks }
                    { edge(0.0, "start", low) }
                    { edge(width, "end", high) }
                    if low < 0.0 && high > 0.0 {
                        <text x={zero} y={length(height - 4.0)} class="middle">{ "0" }</text>
                    }
                </svg>
            </div>
            { table(words, rows) }
        </figure>
    }
}

/// The dots as numbers.
fn table(words: &str, rows: &[&Json]) -> Html {
    let columns: Vec<Vec<f64>> = rows.iter().map(|row| row.numbers("values")).collect();
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    let line = |n: usize| {
        html! {
            <tr>
                <th scope="row">{ n + 1 }</th>
                { for columns.iter().map(|c| html! {
                    <td>{ c.get(n).map_or_else(String::new, |v| format!("{v:+.3}%")) }</td>
                }) }
            </tr>
        }
    };
    html! {
        <details class="more">
            <summary>{ "Table" }</summary>
            <div class="scroll" role="group" tabindex="0" aria-label={words.to_owned()}>
                <table>
                    <caption>{ format!("Difference from A in per cent of A: {words}") }</caption>
                    <thead><tr>
                        <th scope="col">{ "replication" }</th>
                        { for rows.iter().map(|row| html! {
                            <th scope="col">{ row.string("title") }</th>
                        }) }
                    </tr></thead>
                    <tbody>{ for (0..count).map(line) }</tbody>
                </table>
            </div>
        </details>
    }
}
