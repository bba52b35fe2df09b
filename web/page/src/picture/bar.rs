//! A whole in parts: a stacked bar over one row a part.

use super::sketch::{Face, Paint, Sketch};

/// A part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// Its share of the whole, 0 to 1.
    pub share: f64,
    /// Its amount in words.
    pub amount: String,
    /// What it is filled with.
    pub paint: Paint,
}

const ROW: f64 = 15.0;

/// The height of the drawing.
#[must_use]
pub fn height(parts: &[Part]) -> f64 {
    30.0 + parts.len() as f64 * ROW
}

/// Draws parts `width` pixels wide; the largest is set in bold.
#[must_use]
pub fn draw(parts: &[Part], width: f64) -> Sketch {
    let mut sketch = Sketch::default();
    let largest = parts.iter().map(|part| part.share).fold(0.0, f64::max);
    let mut left = 0.0;
    for (row, part) in parts.iter().enumerate() {
        let long = part.share * width;
        if long > 0.0 {
            sketch.rect([left, 4.0, (long - 1.5).max(0.5), 18.0], part.paint);
        }
        left += long;
        let y = 40.0 + row as f64 * ROW;
        let face = if part.share == largest { Face::BOLD } else { Face::PLAIN };
        sketch.rect([0.0, y - 9.0, 10.0, 10.0], part.paint);
        sketch.text(16.0, y, part.name.clone(), face);
        sketch.text_end(width - 44.0, y, part.amount.clone(), face);
        sketch.text_end(width, y, chart::words::percent(part.share), face);
    }
    sketch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;
    use chart::Ink;

    #[test]
    fn parts_fill_the_width() {
        let part = |name: &str, share| Part {
            name: name.into(),
            share,
            amount: "1 us".into(),
            paint: Paint::Ink(Ink::Work),
        };
        let parts = [part("page work", 0.75), part("isolating", 0.25), part("zone", 0.0)];
        let sketch = draw(&parts, 300.0);
        let bars: Vec<_> = sketch
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Rect([x, 4.0, w, _], ..) => Some((*x, *w)),
                _ => None,
            })
            .collect();
        assert_eq!(bars, [(0.0, 223.5), (225.0, 73.5)]);
        assert_eq!(sketch.texts()[2], "75 %");
    }
}
