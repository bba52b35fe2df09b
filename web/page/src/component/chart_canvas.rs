//! The one canvas of all timelines: it draws in an animation frame, and only when what it shows,
//! its size or its colours have changed. Samples that were added are drawn beside those that stand
//! there. The cursor is not its business.

use super::same::Same;
use crate::picture::sketch::length;
use crate::platform::{canvas, frame};
use chart::scale::TimeAxis;
use chart::{Frame, Strip, Theme};
use report::series::Table;
use report::wire::Header;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// What is drawn.
#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The planned strip.
    pub strip: Same<Strip>,
    /// What is fixed of the run.
    pub header: Same<Header>,
    /// The samples.
    pub table: Same<Table>,
    /// The samples of the future that was left.
    pub left: Option<Same<Table>>,
    /// The x axis.
    pub time: TimeAxis,
    /// Colours.
    pub theme: Theme,
    /// The same in words.
    pub label: AttrValue,
}

/// What stands on the canvas.
struct Drawn {
    props: Props,
    scale: f64,
}

impl Drawn {
    /// Up to how many pixels it can stay when `props` are to be drawn.
    fn stays(&self, props: &Props, scale: f64) -> f64 {
        let old = &self.props;
        let stays = old.header == props.header
            && old.time == props.time
            && old.left == props.left
            && old.theme == props.theme
            && self.scale == scale
            && old.strip.axis == props.strip.axis
            && old.strip.layers == props.strip.layers
            && props.table.time_ns.starts_with(&old.table.time_ns);
        let last = old.table.time_ns.last().filter(|_| stays);
        // A line is wider than its points, and its last pixels may be drawn otherwise.
        last.map_or(0.0, |&last| (props.time.x(last) - 4.0).max(0.0))
    }
}

/// A strip on a canvas.
#[component]
pub fn ChartCanvas(props: &Props) -> Html {
    let place = use_node_ref();
    let failed = use_state_eq(|| None::<String>);
    let drawn = use_mut_ref(|| None::<Drawn>);
    let samples = (props.table.clone(), props.left.clone());
    let what = (props.strip.clone(), samples, props.time, props.theme);
    use_effect_with((what, (canvas::scale() * 100.0) as u32), {
        let (place, failed, props) = (place.clone(), failed.setter(), props.clone());
        move |_| {
            let turn = (props.time.width > 0.0)
                .then(|| frame::turn(move || failed.set(draw(&place, props, &drawn).err())));
            move || drop(turn)
        }
    });
    let [width, height] = [props.time.width, props.strip.axis.height].map(length);
    let style = format!("width:{width}px;height:{height}px");
    html! {
        <>
            <canvas ref={place} {style} role="img" aria-label={props.label.clone()}></canvas>
            if let Some(failed) = &*failed {
                <p class="small">{ failed.clone() }</p>
            }
        </>
    }
}

fn draw(place: &NodeRef, props: Props, drawn: &Rc<RefCell<Option<Drawn>>>) -> Result<(), String> {
    let scale = canvas::scale();
    let from_x = drawn.take().map_or(0.0, |drawn| drawn.stays(&props, scale));
    let Props { header, table, time, left, .. } = &props;
    let frame = Frame { header, table, time: *time };
    let left = left.as_ref().map(|table| Frame { header, table, time: *time });
    canvas::draw(place, &props.strip, &frame, left.as_ref(), &props.theme, from_x)?;
    *drawn.borrow_mut() = Some(Drawn { props, scale });
    Ok(())
}
