//! Free memory of a node as a tank against min, low and high.
//!
//! Nearly all of a machine's memory lies above high, so a tank to scale would show nothing. What
//! lies below and a little above high takes most of the tank; the rest is pressed into its head,
//! above a break.

use super::sketch::{Face, Paint, Sketch, Stroke, half};
use chart::labels::{Label, spread};
use chart::{Ink, words};

/// The width that the tank and its labels take.
pub const WIDTH: f64 = 88.0;
const TANK: f64 = 36.0;
/// The part of the tank above the break.
const HEAD: f64 = 0.14;
/// What lies below the break, in times of high.
const FOOT: f64 = 1.15;
const PAGE: f64 = 4096.0;

/// Free pages, marks (min, low, high) and managed pages of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Free pages.
    pub free: u64,
    /// min, low, high, in pages, as allocations compare with them: with the boost.
    pub marks: [u64; 3],
    /// By how many pages watermark boost raises them.
    pub boost: u64,
    /// Managed pages.
    pub managed: u64,
}

impl Level {
    /// How full the tank stands, 0 to 1, with the part below the break drawn larger.
    #[must_use]
    pub fn height(&self, pages: u64) -> f64 {
        let foot = (self.marks[2] as f64 * FOOT).max(1.0).min(self.managed.max(1) as f64);
        let pages = pages as f64;
        let rest = self.managed as f64 - foot;
        if pages <= foot || rest <= 0.0 {
            let whole = if rest <= 0.0 { 1.0 } else { 1.0 - HEAD };
            return (pages / foot).min(1.0) * whole;
        }
        1.0 - HEAD + (pages - foot).min(rest) / rest * HEAD
    }

    /// Where it stands, in words.
    #[must_use]
    pub fn zone(&self) -> &'static str {
        let [min, low, high] = self.marks;
        match self.free {
            free if free < min => "below min",
            free if free < low => "between min and low",
            free if free < high => "between low and high",
            _ => "above high",
        }
    }

    /// Whether free memory is below min.
    #[must_use]
    pub fn is_below_min(&self) -> bool {
        self.free < self.marks[0]
    }
}

/// Draws the tank from `top` to `top + height`, with the number below it. What never changes in a
/// run is apart from what always does.
pub fn draw(sketch: &mut Sketch, level: &Level, top: f64, height: f64) {
    sketch.group(|sketch| {
        let place = [0.5, top, TANK, height];
        sketch.boxed(place, Paint::Ink(Ink::Bg2), Stroke::new(Ink::Line2, 1.0));
    });
    sketch.group(|sketch| free(sketch, level, top, height));
    sketch.group(|sketch| marks(sketch, level, top, height));
}

fn free(sketch: &mut Sketch, level: &Level, top: f64, height: f64) {
    let surface = half(top + height * (1.0 - level.height(level.free)));
    let ink = if level.is_below_min() { Ink::Bad } else { Ink::Mem };
    let depth = (top + height - surface - 0.5).max(0.0);
    sketch.rect([1.0, surface, TANK - 1.0, depth], Paint::Ink(ink));
    let (divisor, unit) = words::binary_unit(level.free as f64 * PAGE);
    sketch.text(0.0, top + height + 21.0, format!("free, {unit}"), Face::PLAIN);
    let shown = words::pages_in(level.free as f64, divisor);
    sketch.text(0.0, top + height + 39.0, shown, Face::LARGE);
}

fn marks(sketch: &mut Sketch, level: &Level, top: f64, height: f64) {
    let y = |pages: u64| top + height * (1.0 - level.height(pages));
    the_break(sketch, level, top + height * HEAD);
    let (divisor, unit) = words::binary_unit(level.marks[2] as f64 * PAGE);
    sketch.text(TANK + 12.0, top + 8.0, unit, Face::PLAIN);
    let mut labels = Vec::new();
    let boost = (level.boost > 0).then_some(("boost", level.boost));
    let marks = ["min", "low", "high"].into_iter().zip(level.marks);
    for (name, pages) in boost.into_iter().chain(marks) {
        sketch.line(&[[0.0, y(pages)], [TANK + 8.0, y(pages)]], Stroke::new(Ink::Ink, 1.0));
        labels.push(Label::new(y(pages), name, Ink::Ink).bold());
        labels.push(Label::new(y(pages) + 6.0, words::pages_in(pages as f64, divisor), Ink::Ink2));
    }
    for label in spread(labels, top + 4.0, top + height - 2.0) {
        let face = if label.bold { Face::BOLD } else { Face::PLAIN };
        sketch.text(TANK + 12.0, label.y + 3.0, label.text, face);
    }
}

/// Two slanted strokes through both walls: the scale changes here.
fn the_break(sketch: &mut Sketch, level: &Level, y: f64) {
    if level.height(level.managed) <= 1.0 - HEAD
        || level.marks[2] as f64 * FOOT >= level.managed as f64
    {
        return;
    }
    for x in [0.5, TANK + 0.5] {
        let points = [[x - 4.0, y + 2.5], [x + 4.0, y - 2.5]];
        sketch.line(&points, Stroke::new(Ink::Bg, 4.0));
        sketch.line(&points.map(|[x, y]| [x, y + 1.5]), Stroke::new(Ink::Line2, 1.0));
        sketch.line(&points.map(|[x, y]| [x, y - 1.5]), Stroke::new(Ink::Line2, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIG: Level =
        Level { free: 131_072, marks: [11_264, 103_424, 195_840], boost: 0, managed: 92_000_000 };

    #[test]
    fn min_can_be_seen_and_the_order_is_kept() {
        let heights: Vec<_> =
            [0, BIG.marks[0], BIG.free, BIG.marks[2], BIG.managed / 2, BIG.managed]
                .map(|pages| BIG.height(pages))
                .to_vec();
        assert!(heights.is_sorted_by(|a, b| a < b), "{heights:?}");
        assert!(heights[1] > 0.03, "min at {}", heights[1]);
        assert_eq!((heights[0], heights[5]), (0.0, 1.0));
    }

    #[test]
    fn a_node_that_is_nearly_all_reserve_has_no_break() {
        let small = Level { free: 90, marks: [50, 70, 90], boost: 0, managed: 100 };
        assert_eq!(small.height(100), 1.0);
        assert_eq!(small.height(50), 0.5);
        let none = Level { free: 0, marks: [0; 3], boost: 0, managed: 0 };
        assert!(none.height(0).is_finite());
    }

    #[test]
    fn the_zone_is_named() {
        let at = |free| Level { free, ..BIG }.zone();
        assert_eq!(at(0), "below min");
        assert_eq!(at(11_264), "between min and low");
        assert_eq!(at(131_072), "between low and high");
        assert_eq!(at(195_840), "above high");
    }
}
