//! The swap devices at the time of the cursor.

use super::drawing::drawing;
use super::places::Places;
use super::same::Same;
use crate::picture::swap::{self, layout, words};
use crate::state::Action;
use report::why::Subject;
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
    /// What is asked about.
    pub subject: Option<Subject>,
    /// What was done.
    pub dispatch: Callback<Action>,
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
    let height = layout::Layout::new(header, &view, width).height;
    let sketch = swap::draw(header, &view, width);
    let label = words::sentences(header, &view);
    html! {
        <div class="node swap">
            <div class="head">
                <h2>{ "Swap" }</h2>
                <span class="small">{ design(header) }</span>
            </div>
            <div class="asked">
                { drawing(&sketch, [width, height], label) }
                <Places
                    places={layout::places(header, &view, width)}
                    subject={props.subject}
                    dispatch={props.dispatch.clone()}
                />
            </div>
            <p class="small">{ words::legend(header, &view) }</p>
        </div>
    }
}

/// Who hands out slots, as the control names it.
fn design(header: &Header) -> &'static str {
    let all = catalog::swap::ALLOCATORS;
    all.iter().find(|row| row.name == header.swap_design).map_or("", |row| row.label)
}
