//! Draws the marks of a strip onto a plotters drawing area.
//!
//! Backends count whole pixels. A surface that wants smooth lines gives an area that is `scale`
//! times as large as the strip and shrinks the picture when it shows it.

use crate::fill::Cut;
use crate::path::{self, Point};
use crate::strip::{Frame, Ground, Mark, Strip};
use crate::theme::{Ink, Theme};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor, ShapeStyle};

/// What a backend says when it cannot draw. The picture is then incomplete; nothing else is lost.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// Draws a strip, ground and samples.
///
/// # Errors
/// What the backend says.
pub fn draw<DB: DrawingBackend>(
    strip: &Strip,
    frame: &Frame<'_>,
    theme: &Theme,
    area: &DrawingArea<DB, Shift>,
    scale: f64,
) -> Result<(), DrawError<DB>> {
    let pen = Pen { theme, area, scale };
    for ground in &strip.ground {
        match *ground {
            Ground::Warmup(to) => {
                let height = strip.axis.height;
                pen.area(&[[0.0, 0.0], [to, 0.0], [to, height], [0.0, height]], Ink::Bg2)?;
            }
            Ground::Line(y, ink, dash) => {
                for piece in path::dash(&[[0.0, y], [frame.time.width, y]], dash) {
                    pen.line(&piece, ink, 1.0)?;
                }
            }
        }
    }
    draw_marks(&strip.marks(frame, 0.0), theme, area, scale)
}

/// Draws some marks.
///
/// # Errors
/// What the backend says.
pub fn draw_marks<DB: DrawingBackend>(
    marks: &[Mark],
    theme: &Theme,
    area: &DrawingArea<DB, Shift>,
    scale: f64,
) -> Result<(), DrawError<DB>> {
    let pen = Pen { theme, area, scale };
    for mark in marks {
        match mark {
            Mark::Area { points, ink } => pen.area(points, *ink)?,
            Mark::Line { points, ink, width } => pen.line(points, *ink, *width)?,
            Mark::Cuts(cuts) => {
                for cut in cuts {
                    match cut {
                        Cut::Line(from, to, width) => pen.line(&[*from, *to], Ink::Bg, *width)?,
                        Cut::Dot(at, size) => pen.dot(*at, *size, Ink::Bg)?,
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

    fn dot(&self, [x, y]: Point, size: f64, ink: Ink) -> Result<(), DrawError<DB>> {
        let (left, top) = self.place([x - size / 2.0, y - size / 2.0]);
        let side = (size * self.scale).round().max(1.0) as i32;
        let style: ShapeStyle = self.colour(ink).filled();
        self.area.draw(&Rectangle::new([(left, top), (left + side, top + side)], style))
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
    use plotters::prelude::{IntoDrawingArea, SVGBackend};

    /// The strip at twice its size, as SVG.
    fn drawn(kind: Kind) -> String {
        let samples = Samples::two_nodes();
        let strip = plan(kind, &samples.frame());
        let mut svg = String::new();
        let size = (1120, strip.axis.height as u32 * 2);
        let backend = SVGBackend::with_string(&mut svg, size);
        draw(&strip, &samples.frame(), &Theme::LIGHT, &backend.into_drawing_area(), 2.0).unwrap();
        svg
    }

    fn colour(ink: Ink) -> String {
        let [r, g, b] = Theme::LIGHT.rgb(ink);
        format!("\"#{r:02X}{g:02X}{b:02X}\"")
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
            let svg = drawn(kind);
            for &ink in inks {
                assert!(svg.contains(&colour(ink)), "{kind:?} {ink:?}: {svg}");
            }
        }
    }

    #[test]
    fn a_band_stands_at_its_values_times_the_scale() {
        let svg = drawn(Kind::Cpu);
        let band =
            svg.split('<').find(|e| e.starts_with("polygon") && e.contains(&colour(Ink::App)));
        let points = band.unwrap().split("points=\"").nth(1).unwrap();
        let points: Vec<_> = points.trim_end_matches(['"', '/', '>', '\n']).split(' ').collect();
        // 30.1 and 30.8 of 52 CPUs at one and two thirds of the width, then back at 6.1 and 10.8.
        let y = |value: f64| (136.0 * (1.0 - value / 52.0)).round();
        let at = |x: u32, value: f64| format!("{x},{}", y(value));
        assert_eq!(
            points[..4],
            [at(373, 30.1), at(747, 30.8), at(747, 10.8), at(373, 6.1)],
            "{svg}"
        );
    }
}
