//! The swap devices at the time of the cursor.

use super::drawing::drawing;
use super::same::Same;
use crate::picture::swap;
use report::wire::{self, Header};
use yew::prelude::*;

/// What is shown.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is fixed of the run.
    pub header: Same<Header>,
    /// The view, flat.
    pub view: Same<[f64]>,
    /// How wide it may be.
    pub width: f64,
}

/// All devices; nothing where there is none.
#[component]
pub fn Swap(props: &Props) -> Html {
    let (header, width) = (&props.header, props.width);
    let view = wire::decode_view(header, &props.view).map(|view| view.devices);
    let Ok(view) = view else { return Html::default() };
    if header.swap.is_empty() || width <= 0.0 {
        return Html::default();
    }
    let height = swap::Layout::new(&view, width).height;
    let sketch = swap::draw(&header.swap, &view, width);
    html! {
        <div class="node swap">
            <div class="head"><h2>{ "Swap" }</h2></div>
            { drawing(&sketch, [width, height], swap::sentences(&header.swap, &view)) }
        </div>
    }
}
