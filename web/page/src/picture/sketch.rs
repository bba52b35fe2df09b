//! Shapes as data, and a sheet that collects them.

use chart::Ink;
use std::fmt::Write as _;
use std::rc::Rc;

/// What a shape is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// Nothing.
    None,
    /// One colour.
    Ink(Ink),
    /// One colour, paler: the active lists.
    Pale(Ink),
    /// A pattern that the style sheet's ground is cut out of.
    Pattern(Pattern),
}

/// The patterns that stand in the page's definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Diagonal hatch: a lock.
    Lock,
    /// Dots: direct reclaim.
    Direct,
    /// Vertical bars: isolating.
    Iso,
    /// Horizontal rules: zone->lock.
    Zone,
}

impl Pattern {
    /// The address of its definition.
    #[must_use]
    pub const fn css(self) -> &'static str {
        match self {
            Self::Lock => "url(#pattern-lock)",
            Self::Direct => "url(#pattern-direct)",
            Self::Iso => "url(#pattern-iso)",
            Self::Zone => "url(#pattern-zone)",
        }
    }
}

/// An outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width in pixels.
    pub width: f64,
    /// Lengths drawn and left out, as SVG writes them; empty for a whole line.
    pub dash: &'static str,
}

impl Stroke {
    /// A whole line.
    #[must_use]
    pub const fn new(ink: Ink, width: f64) -> Self {
        Self { ink, width, dash: "" }
    }
}

/// Where a text stands against its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Its colour.
    pub ink: Ink,
    /// Semi-bold.
    pub bold: bool,
    /// Monospaced: a kernel name.
    pub mono: bool,
    /// 15 px instead of 11.
    pub large: bool,
}

impl Face {
    /// Plain text.
    pub const PLAIN: Self = Self { ink: Ink::Ink2, bold: false, mono: false, large: false };
    /// A heading or a number that matters.
    pub const BOLD: Self = Self { ink: Ink::Ink, bold: true, mono: false, large: false };
    /// A kernel name.
    pub const MONO: Self = Self { ink: Ink::Ink2, bold: false, mono: true, large: false };
    /// A kernel name as a heading.
    pub const MONO_BOLD: Self = Self { ink: Ink::Ink, bold: true, mono: true, large: false };
    /// The value of the tank.
    pub const LARGE: Self = Self { ink: Ink::Ink, bold: true, mono: false, large: true };
}

/// One thing that is drawn. All lengths are CSS pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle: x, y, width, height.
    Rect([f64; 4], Paint, Option<Stroke>),
    /// A path in SVG's own words.
    Path(String, Paint, Option<Stroke>),
    /// A text on its base line.
    Text(f64, f64, String, Anchor, Face),
    /// Shapes that belong together. What changes in one group does not move the shapes of another
    /// to other elements of the page.
    Group(Rc<Vec<Shape>>),
}

/// A drawing in the making.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// First to last.
    pub shapes: Vec<Shape>,
}

impl Sketch {
    /// A filled rectangle.
    pub fn rect(&mut self, place: [f64; 4], paint: Paint) {
        self.shapes.push(Shape::Rect(place, paint, None));
    }

    /// A rectangle with an outline.
    pub fn boxed(&mut self, place: [f64; 4], paint: Paint, stroke: Stroke) {
        self.shapes.push(Shape::Rect(place, paint, Some(stroke)));
    }

    /// Circles of one radius around points: one shape, however many they are.
    pub fn circles(&mut self, points: &[[f64; 2]], r: f64, paint: Paint, stroke: Option<Stroke>) {
        let [radius, across] = [r, 2.0 * r].map(length);
        let mut path = String::new();
        for [x, y] in points {
            let [left, y] = [x - r, *y].map(length);
            // Writing to a string cannot fail.
            let _ = write!(path, "M{left} {y}a{radius} {radius} 0 1 0 {across} 0");
            let _ = write!(path, "a{radius} {radius} 0 1 0-{across} 0");
        }
        self.path(path, paint, stroke);
    }

    /// Rectangles of one size at their upper left corners: one shape, however many they are.
    pub fn cells(&mut self, corners: &[[f64; 2]], [w, h]: [f64; 2], paint: Paint) {
        let [w, h] = [w, h].map(length);
        let mut path = String::new();
        for [x, y] in corners {
            let [x, y] = [*x, *y].map(length);
            let _ = write!(path, "M{x} {y}h{w}v{h}h-{w}z");
        }
        self.path(path, paint, None);
    }

    /// Adds what is drawn by a function as one group.
    pub fn group(&mut self, draw: impl FnOnce(&mut Sketch)) {
        let mut part = Sketch::default();
        draw(&mut part);
        self.shapes.push(Shape::Group(Rc::new(part.shapes)));
    }

    /// A line through points.
    pub fn line(&mut self, points: &[[f64; 2]], stroke: Stroke) {
        let mut path = String::new();
        for (n, [x, y]) in points.iter().enumerate() {
            let sign = if n == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{sign}{} {}", length(*x), length(*y));
        }
        self.shapes.push(Shape::Path(path, Paint::None, Some(stroke)));
    }

    /// A path in SVG's own words.
    pub fn path(&mut self, path: String, paint: Paint, stroke: Option<Stroke>) {
        self.shapes.push(Shape::Path(path, paint, stroke));
    }

    /// A hairline from x to x at y.
    pub fn hairline(&mut self, from: f64, to: f64, y: f64) {
        self.line(&[[from, y], [to, y]], Stroke::new(Ink::Line, 1.0));
    }

    /// A text that begins at x.
    pub fn text(&mut self, x: f64, y: f64, text: impl Into<String>, face: Face) {
        self.write(x, y, text, Anchor::Start, face);
    }

    /// A text that ends at x.
    pub fn text_end(&mut self, x: f64, y: f64, text: impl Into<String>, face: Face) {
        self.write(x, y, text, Anchor::End, face);
    }

    /// A text around x.
    pub fn text_middle(&mut self, x: f64, y: f64, text: impl Into<String>, face: Face) {
        self.write(x, y, text, Anchor::Middle, face);
    }

    fn write(&mut self, x: f64, y: f64, text: impl Into<String>, anchor: Anchor, face: Face) {
        let text = text.into();
        if !text.is_empty() {
            self.shapes.push(Shape::Text(x, y, text, anchor, face));
        }
    }

    /// All its texts, in order.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        for shape in self.flat() {
            if let Shape::Text(_, _, text, _, _) = shape {
                texts.push(text.as_str());
            }
        }
        texts
    }

    /// All its shapes out of their groups, in order.
    #[cfg(test)]
    pub(crate) fn flat(&self) -> Vec<&Shape> {
        let mut flat = Vec::new();
        let mut waiting: Vec<&Shape> = self.shapes.iter().rev().collect();
        while let Some(shape) = waiting.pop() {
            match shape {
                Shape::Group(shapes) => waiting.extend(shapes.iter().rev()),
                other => flat.push(other),
            }
        }
        flat
    }
}

/// A length as SVG takes it: at most two decimals.
#[must_use]
pub fn length(value: f64) -> String {
    let hundredths = (value * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match rest {
        0 => format!("{sign}{whole}"),
        n if n % 10 == 0 => format!("{sign}{whole}.{}", n / 10),
        n => format!("{sign}{whole}.{n:02}"),
    }
}

/// A length to half a pixel: what moves by less is not drawn again.
#[must_use]
pub fn half(value: f64) -> f64 {
    (value * 2.0).round() / 2.0
}

/// About how wide a text is in the 11 px face: enough to decide what fits.
#[must_use]
pub fn width(text: &str, face: Face) -> f64 {
    let letter = match (face.mono, face.bold) {
        (true, _) => 6.7,
        (false, true) => 6.5,
        (false, false) => 6.0,
    };
    text.chars().count() as f64 * letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let values = [1.0, 1.25, -0.5, 1.0 / 3.0, 2.07, -12.0];
        assert_eq!(values.map(length), ["1", "1.25", "-0.5", "0.33", "2.07", "-12"]);
    }

    #[test]
    fn a_line_is_a_path() {
        let mut sketch = Sketch::default();
        sketch.line(&[[0.0, 1.5], [2.0, 3.0]], Stroke::new(Ink::Ink, 1.0));
        let Shape::Path(path, Paint::None, Some(_)) = &sketch.shapes[0] else { panic!("a path") };
        assert_eq!(path, "M0 1.5L2 3");
    }
}
