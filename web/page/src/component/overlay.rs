//! What lies over a strip's canvas: numbers of the axis, names at the right end, the cursor with what it
//! reads. It is text, so it is not drawn on canvas, and it can change without drawing the strip again.

use super::same::Same;
use chart::labels::{Label, spread};
use chart::strip::Reading;
use chart::{Ink, Strip};
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The planned strip.
    pub strip: Same<Strip>,
    /// CSS pixels.
    pub width: f64,
    /// Where the cursor stands, in CSS pixels.
    pub x: f64,
    /// What it reads.
    pub readings: Vec<Reading>,
}

/// The texts of a strip.
#[component]
pub fn Overlay(props: &Props) -> Html {
    let Props { strip, width, x, readings } = props;
    let height = strip.axis.height;
    if *width <= 0.0 {
        return Html::default();
    }
    let ticks = strip.ticks.iter().map(|(y, number)| {
        html! { <text x="-6" y={format!("{:.1}", y + 4.0)} class="end tick">{ number.clone() }</text> }
    });
    let ends = strip.ends.iter().map(|label| text(*width + 6.0, label, "name"));
    // Near the right edge the readings stand left of the cursor.
    let (at, side) = if *x > width - 64.0 { (x - 5.0, "end") } else { (x + 5.0, "start") };
    let labels = readings.iter().map(|r| Label::new(r.y, r.text.clone(), r.ink).bold());
    let labels = spread(labels.collect(), 4.0, height);
    html! {
        <svg
            width={width.to_string()}
            height={height.to_string()}
            class="overlay"
            aria-hidden="true"
        >
            { for ticks }
            { for ends }
            if let Some(note) = &strip.note {
                <text x={format!("{:.1}", width - 4.0)} y="10" class="end halo">{ note.clone() }</text>
            }
            <path d={format!("M{x:.1} -10V{:.1}", height + 10.0)} class="cursor" />
            { for labels.iter().map(|label| text(at, label, if side == "end" { "end halo" } else { "halo" })) }
        </svg>
    }
}

fn text(x: f64, label: &Label, class: &str) -> Html {
    let class = format!("{class}{}", if label.bold { " bold" } else { "" });
    let fill = (label.ink != Ink::Ink2).then(|| AttrValue::from(label.ink.css()));
    html! {
        <text x={format!("{x:.1}")} y={format!("{:.1}", label.y + 4.0)} {class} style={
            fill.map(|fill| AttrValue::from(format!("fill:{fill}")))
        }>
            { label.text.clone() }
        </text>
    }
}
