//! The four LRU lists as bands that grow from their tail, to the scale of the node's memory.

use super::sketch::{Face, Paint, Sketch, Stroke, half};
use chart::{Ink, words};

const NAMES: [&str; 4] = ["inactive_anon", "active_anon", "inactive_file", "active_file"];
/// In the drawing the file lists come first: there is where reclaim works.
const ORDER: [usize; 4] = [2, 3, 0, 1];
const NAME: f64 = 92.0;
const VALUE: f64 = 64.0;

/// Draws the lists from x to `to`, rows `step` apart. Returns where they end.
pub fn draw(
    sketch: &mut Sketch,
    lists: &[u64; 4],
    managed: u64,
    [x, to]: [f64; 2],
    y: f64,
    step: f64,
) -> f64 {
    let track = (to - x - NAME - VALUE).max(10.0);
    let bar = (step - 8.0).max(10.0);
    for (row, list) in ORDER.into_iter().enumerate() {
        let top = y + row as f64 * step;
        let pages = lists[list];
        sketch.text(x, top + bar - 1.0, NAMES[list], Face::MONO);
        let tail = x + NAME + track;
        sketch.rect([x + NAME, top, track, bar], Paint::Ink(Ink::Idle));
        if pages > 0 {
            let length = (pages as f64 / managed.max(1) as f64).min(1.0) * track;
            let length = half(length).max(3.0);
            let active = list % 2 == 1;
            let paint = if active { Paint::Pale(Ink::Mem) } else { Paint::Ink(Ink::Mem) };
            sketch.rect([tail - length, top, length, bar], paint);
        }
        let rule = [[tail + 0.75, top - 2.0], [tail + 0.75, top + bar + 2.0]];
        sketch.line(&rule, Stroke::new(Ink::Ink, 1.5));
        sketch.text_end(to, top + bar - 1.0, words::pages(pages), Face::PLAIN);
    }
    let end = y + 4.0 * step;
    if track > 64.0 {
        sketch.text(x + NAME, end + 7.0, "head", Face::PLAIN);
    }
    sketch.text_end(x + NAME + track, end + 7.0, "tail", Face::PLAIN);
    end + 12.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;

    #[test]
    fn bars_end_at_the_tail_and_are_to_scale() {
        let mut sketch = Sketch::default();
        draw(&mut sketch, &[0, 0, 50, 25], 100, [0.0, 256.0], 0.0, 19.0);
        let bars: Vec<_> = sketch
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Rect([x, _, w, _], Paint::Ink(Ink::Mem) | Paint::Pale(Ink::Mem), None) => {
                    Some((*x, *w))
                }
                _ => None,
            })
            .collect();
        assert_eq!(bars, [(142.0, 50.0), (167.0, 25.0)]);
    }
}
