//! The one canvas of all timelines: it draws in an animation frame, and only when what it shows,
//! its size or its colours have changed. The cursor is not its business.

use super::same::Same;
use crate::picture::sketch::length;
use crate::platform::{canvas, frame};
use chart::{Strip, Theme};
use yew::prelude::*;

/// What is drawn.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The planned strip.
    pub strip: Same<Strip>,
    /// CSS pixels.
    pub width: f64,
    /// Colours.
    pub theme: Theme,
    /// The same in words.
    pub label: AttrValue,
}

/// A strip on a canvas.
#[component]
pub fn ChartCanvas(props: &Props) -> Html {
    let place = use_node_ref();
    let failed = use_state_eq(|| None::<String>);
    let drawn = (props.strip.clone(), props.width, props.theme, (canvas::scale() * 100.0) as u32);
    use_effect_with(drawn, {
        let (place, failed) = (place.clone(), failed.setter());
        move |(strip, width, theme, _)| {
            let (strip, width, theme) = (strip.clone(), *width, *theme);
            let turn = (width > 0.0).then(|| {
                frame::turn(move || {
                    failed.set(canvas::draw(&place, &strip, &theme, width).err());
                })
            });
            move || drop(turn)
        }
    });
    let style =
        format!("width:{}px;height:{}px", length(props.width), length(props.strip.axis.height));
    html! {
        <>
            <canvas ref={place} {style} role="img" aria-label={props.label.clone()}></canvas>
            if let Some(failed) = &*failed {
                <p class="small">{ failed.clone() }</p>
            }
        </>
    }
}
