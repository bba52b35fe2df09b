//! A strip on a canvas.

use chart::{Strip, Theme};
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

/// Draws the samples of a strip on a canvas that is shown at `width` CSS pixels.
///
/// # Errors
/// What the canvas says, in a sentence.
pub fn draw(canvas: &NodeRef, strip: &Strip, theme: &Theme, width: f64) -> Result<(), String> {
    let canvas = canvas.cast::<HtmlCanvasElement>().ok_or("There is no canvas to draw on.")?;
    let scale = scale();
    let size = [width * scale, strip.axis.height * scale].map(|n| n.max(1.0) as u32);
    // Setting the size clears the canvas, and costs: only when it differs.
    if [canvas.width(), canvas.height()] == size {
        clear(&canvas);
    } else {
        canvas.set_width(size[0]);
        canvas.set_height(size[1]);
    }
    let backend = CanvasBackend::with_canvas_object(canvas);
    let area = backend.ok_or("The canvas gives no context to draw with.")?.into_drawing_area();
    chart::draw::draw_marks(&strip.marks, theme, &area, scale).map_err(|e| format!("{e}."))
}

fn clear(canvas: &HtmlCanvasElement) {
    let context = canvas.get_context("2d").ok().flatten();
    if let Some(context) = context.and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok()) {
        context.clear_rect(0.0, 0.0, canvas.width().into(), canvas.height().into());
    }
}
