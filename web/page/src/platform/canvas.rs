//! A strip on a canvas.

use chart::{Frame, Strip, Theme};
use plotters::prelude::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::NodeRef;

/// Backends count whole pixels, so lines are drawn on more of them than are shown.
const SCALE_MIN: f64 = 1.5;

/// How many pixels of a canvas make one CSS pixel.
#[must_use]
pub fn scale() -> f64 {
    gloo::utils::window().device_pixel_ratio().max(SCALE_MIN)
}

/// Draws the samples of a strip on a canvas as wide as the frame's axis, and thin lines of those of
/// another future over them; what stands left of `from_x` CSS pixels stays.
///
/// # Errors
/// What the canvas says, in a sentence.
pub fn draw(
    canvas: &NodeRef,
    strip: &Strip,
    frame: &Frame<'_>,
    left: Option<&Frame<'_>>,
    theme: &Theme,
    from_x: f64,
) -> Result<(), String> {
    let canvas = canvas.cast::<HtmlCanvasElement>().ok_or("There is no canvas to draw on.")?;
    let scale = scale();
    let size = [frame.time.width * scale, strip.axis.height * scale];
    let size = size.map(|n| n.max(1.0) as u32);
    let context = canvas.get_context("2d").ok().flatten();
    let context = context.and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok());
    let context = context.ok_or("The canvas gives no context to draw with.")?;
    let mut from = (from_x * scale).floor().max(0.0);
    // Setting the size clears the canvas, and costs: only when it differs.
    if [canvas.width(), canvas.height()] != size {
        canvas.set_width(size[0]);
        canvas.set_height(size[1]);
        from = 0.0;
    }
    let [width, height] = size.map(f64::from);
    context.save();
    context.begin_path();
    context.rect(from, 0.0, width - from, height);
    context.clip();
    context.clear_rect(from, 0.0, width - from, height);
    let backend = CanvasBackend::with_canvas_object(canvas);
    let area = backend.ok_or("The canvas gives no context to draw with.")?.into_drawing_area();
    let mut marks = strip.marks(frame, from / scale);
    if let Some(left) = left {
        marks.extend(strip.outlines(left));
    }
    let drawn = chart::draw::draw_marks(&marks, theme, &area, scale);
    context.restore();
    drawn.map_err(|e| format!("{e}."))
}
