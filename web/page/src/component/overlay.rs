//! What lies under and over a strip's canvas: numbers of the axis, names at the right end, what the
//! cursor reads. It is text, so it is not drawn on canvas, and it can change without drawing the
//! strip again.

use crate::picture::sketch::length;
use chart::labels::{Label, spread};
use chart::strip::{Ground, Reading};
use chart::{Ink, Strip};
use yew::prelude::*;

/// What lies under a strip's samples: warm-up, hairlines, watermarks.
pub fn underlay(strip: &Strip, width: f64) -> Html {
    let marks = strip.ground.iter().map(|ground| match *ground {
        Ground::Warmup(to) => {
            let [to, height] = [to, strip.axis.height].map(length);
            html! { <rect width={to} {height} fill={Ink::Bg2.css()} /> }
        }
        Ground::Line(y, ink, dash) => {
            let dash: Vec<_> = dash.iter().map(|&n| length(n)).collect();
            // Lines stand on whole pixels, so that they are not blurred.
            let d = format!("M0 {}H{}", length(y.round() + 0.5), length(width));
            html! {
                <path
                    {d}
                    fill="none"
                    stroke={ink.css()}
                    stroke-dasharray={(!dash.is_empty()).then(|| dash.join(" "))}
                />
            }
        }
    });
    html! {
        <svg
            width={length(width)}
            height={length(strip.axis.height)}
            class="underlay"
            aria-hidden="true"
        >
            { for marks }
        </svg>
    }
}

/// The texts of a strip that is drawn `width` pixels wide, and what the cursor at `x` reads.
pub fn overlay(strip: &Strip, width: f64, x: f64, readings: &[Reading]) -> Html {
    let height = strip.axis.height;
    if width <= 0.0 {
        return Html::default();
    }
    let ticks = strip.ticks.iter().map(|(y, number)| {
        html! { <text x="-6" y={length(y + 4.0)} class="end tick">{ number.clone() }</text> }
    });
    let ends = strip.ends.iter().map(|label| text(width + 6.0, label, "name"));
    // Near the right edge the readings stand left of the cursor.
    let (at, side) = match x > width - 64.0 {
        true => (x - 5.0, "end halo"),
        false => (x + 5.0, "halo"),
    };
    let labels = readings.iter().map(|r| Label::new(r.y, r.text.clone(), r.ink).bold());
    let labels = spread(labels.collect(), 4.0, height);
    html! {
        <svg
            width={length(width)}
            height={length(height)}
            class="overlay"
            aria-hidden="true"
        >
            { for ticks }
            { for ends }
            { for labels.iter().map(|label| text(at, label, side)) }
        </svg>
    }
}

fn text(x: f64, label: &Label, class: &str) -> Html {
    let class = format!("{class}{}", if label.bold { " bold" } else { "" });
    let fill = (label.ink != Ink::Ink2).then(|| AttrValue::from(label.ink.css()));
    html! {
        <text
            x={length(x)}
            y={length(label.y + 4.0)}
            {class}
            style={fill.map(|fill| format!("fill:{fill}"))}
        >
            { label.text.clone() }
        </text>
    }
}
