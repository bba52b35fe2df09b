//! Draws the marks of a strip onto a plotters drawing area.
//!
//! Backends count whole pixels. A surface that wants smooth lines gives an area that is `scale`
//! times as large as the strip and shrinks the picture when it shows it.

use crate::fill::Cut;
use crate::path::{Point, dash};
use crate::strip::{Mark, Strip};
use crate::theme::{Ink, Theme};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor, ShapeStyle};

/// What a backend says when it cannot draw. The picture is then incomplete; nothing else is lost.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// Draws all marks of a strip.
///
/// # Errors
/// What the backend says.
pub fn draw<DB: DrawingBackend>(
    strip: &Strip,
    theme: &Theme,
    area: &DrawingArea<DB, Shift>,
    scale: f64,
) -> Result<(), DrawError<DB>> {
    let pen = Pen { theme, area, scale };
    for mark in &strip.marks {
        match mark {
            Mark::Area { points, ink } => pen.area(points, *ink)?,
            Mark::Line { points, ink, width, dash: pattern } => {
                for piece in dash(points, pattern) {
                    pen.line(&piece, *ink, *width)?;
                }
            }
            Mark::Cuts(cuts) => {
                for cut in cuts {
                    match cut {
                        Cut::Line(from, to, width) => pen.line(&[*from, *to], Ink::Bg, *width)?,
                        Cut::Dot(at, radius) => pen.dot(*at, *radius, Ink::Bg)?,
                    }
                }
            }
        }
    }
    Ok(())
}

struct Pen<'a, DB: DrawingBackend> {
    theme: &'a Theme,
    area: &'a DrawingArea<DB, Shift>,
    scale: f64,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    fn place(&self, [x, y]: Point) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn line(&self, points: &[Point], ink: Ink, width: f64) -> Result<(), DrawError<DB>> {
        let points: Vec<_> = points.iter().map(|&p| self.place(p)).collect();
        let width = (width * self.scale).round().max(1.0) as u32;
        let style = self.colour(ink).stroke_width(width);
        self.area.draw(&PathElement::new(points, style))
    }

    fn area(&self, points: &[Point], ink: Ink) -> Result<(), DrawError<DB>> {
        let points: Vec<_> = points.iter().map(|&p| self.place(p)).collect();
        self.area.draw(&Polygon::new(points, self.colour(ink).filled()))
    }

    fn dot(&self, at: Point, radius: f64, ink: Ink) -> Result<(), DrawError<DB>> {
        let radius = (radius * self.scale).round().max(1.0) as i32;
        let style: ShapeStyle = self.colour(ink).filled();
        self.area.draw(&Circle::new(self.place(at), radius, style))
    }

    fn colour(&self, ink: Ink) -> RGBColor {
        self.theme.colour(ink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::{Kind, plan};
    use crate::strips::samples::Samples;
    use plotters::prelude::IntoDrawingArea;
    use plotters_backend::{BackendColor, BackendCoord, DrawingErrorKind};
    use std::convert::Infallible;

    /// A backend that only counts, and keeps which pixels were touched.
    struct Canvas {
        size: (u32, u32),
        pixels: Vec<[u8; 3]>,
    }

    impl DrawingBackend for &mut Canvas {
        type ErrorType = Infallible;

        fn get_size(&self) -> (u32, u32) {
            self.size
        }

        fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
            Ok(())
        }

        fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
            Ok(())
        }

        fn draw_pixel(
            &mut self,
            (x, y): BackendCoord,
            colour: BackendColor,
        ) -> Result<(), DrawingErrorKind<Infallible>> {
            let (width, height) = self.size;
            if x >= 0 && y >= 0 && x < width as i32 && y < height as i32 {
                let (r, g, b) = colour.rgb;
                self.pixels[y as usize * width as usize + x as usize] = [r, g, b];
            }
            Ok(())
        }
    }

    fn drawn(kind: Kind) -> Canvas {
        let samples = Samples::two_nodes();
        let strip = plan(kind, &samples.frame());
        let size = (1120, strip.axis.height as u32 * 2);
        let ground = Theme::LIGHT.rgb(Ink::Bg);
        let mut canvas = Canvas { size, pixels: vec![ground; (size.0 * size.1) as usize] };
        draw(&strip, &Theme::LIGHT, &(&mut canvas).into_drawing_area(), 2.0).unwrap();
        canvas
    }

    fn share(canvas: &Canvas, ink: Ink) -> f64 {
        let colour = Theme::LIGHT.rgb(ink);
        let hits = canvas.pixels.iter().filter(|&&p| p == colour).count();
        hits as f64 / canvas.pixels.len() as f64
    }

    #[test]
    fn every_strip_draws_its_inks() {
        for (kind, inks) in [
            (Kind::Free, &[Ink::Ink, Ink::Ink3, Ink::Line, Ink::Line2, Ink::Bg2][..]),
            (Kind::Scan, &[Ink::Work, Ink::Direct, Ink::Line]),
            (Kind::Cpu, &[Ink::Work, Ink::Lock, Ink::Iso, Ink::App]),
            (Kind::Lock, &[Ink::Ink, Ink::Ink3]),
            (Kind::Wait, &[Ink::Lock]),
            (Kind::Reads, &[Ink::App]),
        ] {
            let canvas = drawn(kind);
            for &ink in inks {
                assert!(share(&canvas, ink) > 0.0, "{kind:?} {ink:?}");
            }
        }
    }

    #[test]
    fn the_application_band_has_the_size_of_its_cpus() {
        // A third of the time axis holds samples; there the band is 20 to 24 of 52 CPUs high.
        let app = share(&drawn(Kind::Cpu), Ink::App);
        let want = 22.0 / 52.0 / 3.0;
        assert!((app - want).abs() < 0.01, "{app} {want}");
    }
}
