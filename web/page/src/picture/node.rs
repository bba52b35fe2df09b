//! One node: tank at the left; lists, locks, workers, readers and CPUs beside it.

use super::sketch::Sketch;
use super::{cpus, gate, lists, tank, tasks};
use report::view::NodeView;
use report::why::Subject;
use report::wire::NodeHeader;

/// From one list to the next.
const LIST_STEP: f64 = 19.0;

/// Where the sections of a node begin, and its height. It depends on the header only, so that
/// nothing moves while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    lists: f64,
    gate: f64,
    workers: f64,
    readers: f64,
    cpus: f64,
    /// The height of the drawing.
    pub height: f64,
}

impl Layout {
    /// The layout of a node with this header.
    #[must_use]
    pub fn new(header: &NodeHeader) -> Self {
        let partitions = header.locks.iter().filter(|name| name.starts_with("lru_lock")).count();
        let lists = 8.0;
        let gate = lists + 4.0 * LIST_STEP + 16.0;
        let workers = gate + gate::height(partitions);
        let readers = workers + tasks::workers_height(header.workers as usize);
        let cpus = readers + tasks::READERS_HEIGHT;
        Self { lists, gate, workers, readers, cpus, height: cpus + cpus::HEIGHT }
    }
}

/// Draws a node `width` pixels wide.
#[must_use]
pub fn draw(header: &NodeHeader, view: &NodeView, number: usize, width: f64) -> Sketch {
    let layout = Layout::new(header);
    let mut sketch = Sketch::default();
    let NodeView { free, marks, boost, .. } = *view;
    let level = tank::Level { free, marks, boost, managed: header.managed };
    let across = [tank::WIDTH, width];
    tank::draw(&mut sketch, &level, 10.0, layout.height - 58.0);
    sketch.group(|s| {
        lists::draw(s, &view.lists, header.managed, across, layout.lists, LIST_STEP);
    });
    sketch.group(|s| gate::draw(s, &view.locks, number, across, layout.gate));
    sketch.group(|s| tasks::workers(s, &view.workers, number, across, layout.workers));
    sketch.group(|s| tasks::readers(s, &view.readers, &view.throttled, across, layout.readers));
    sketch.group(|s| cpus::draw(s, &view.cpus, across, layout.cpus));
    sketch
}

/// A part of a node's drawing that can be asked about: left, top, width, height.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where it is, in pixels.
    pub at: [f64; 4],
    /// What stands there.
    pub subject: Subject,
    /// Its name.
    pub name: String,
}

/// What of a node can be asked about. It depends on the header only.
#[must_use]
pub fn places(header: &NodeHeader, number: usize, width: f64) -> Vec<Place> {
    let layout = Layout::new(header);
    let [x, wide] = [tank::WIDTH, (width - tank::WIDTH).max(1.0)];
    let node = number as u16;
    let place = |at, subject, name: String| Place { at, subject, name };
    let rows = |from: f64, to: f64| [x, from + 2.0, wide, (to - from - 4.0).max(1.0)];
    let mut places = vec![place(
        [0.0, 0.0, x - 12.0, layout.height],
        Subject::Free(node),
        format!("free memory of node {number}"),
    )];
    let zone = header.locks.iter().position(|name| name.starts_with("zone->lock"));
    let lru_end = if zone.is_some() { layout.workers - gate::ZONE } else { layout.workers };
    let lru = format!("lru_lock of node {number}");
    places.push(place(rows(layout.gate, lru_end), Subject::Lock(node, 0), lru));
    if let Some(zone) = zone {
        let at = rows(lru_end, layout.workers);
        let name = format!("{} of node {number}", header.locks[zone]);
        places.push(place(at, Subject::Lock(node, zone as u16), name));
    }
    match tasks::worker_places(header.workers as usize, [x, width], layout.workers) {
        single if !single.is_empty() => {
            for (n, at) in single.into_iter().enumerate() {
                let subject = Subject::Worker(node, n as u16);
                places.push(place(at, subject, format!("kswapd{number}:{n}")));
            }
        }
        _ => places.push(place(
            rows(layout.workers, layout.readers),
            Subject::Worker(node, 0),
            format!("kswapd{number}:0"),
        )),
    }
    let readers = format!("tasks of node {number}");
    places.push(place(rows(layout.readers, layout.cpus), Subject::Readers(node), readers));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::{Anchor, Shape, width};
    use crate::samples;

    /// Every text's left and right end.
    fn ends(sketch: &Sketch) -> Vec<(f64, f64, String)> {
        let end = |shape: &Shape| match shape {
            Shape::Text(x, _, text, anchor, face) => {
                let long = width(text, *face);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - long / 2.0,
                    Anchor::End => x - long,
                };
                Some((left, left + long, text.clone()))
            }
            _ => None,
        };
        sketch.flat().into_iter().filter_map(end).collect()
    }

    #[test]
    fn no_text_leaves_the_drawing_at_any_width() {
        for (workers, partitions, readers) in [(1, 1, 1), (4, 1, 29), (32, 32, 128)] {
            let (header, view) = samples::machine(1, workers, partitions, readers);
            for wide in [288.0, 340.0, 430.0, 700.0] {
                let sketch = draw(&header.nodes[0], &view.nodes[0], 0, wide);
                for (left, right, text) in ends(&sketch) {
                    // The estimate of a width is on the safe side by a letter or so.
                    assert!(left >= -6.0 && right <= wide + 12.0, "{wide}: {text} {left} {right}");
                }
            }
        }
    }

    #[test]
    fn what_can_be_asked_about_lies_apart_and_in_the_drawing() {
        for (workers, partitions) in [(1, 1), (8, 1), (32, 32)] {
            let (header, _) = samples::machine(1, workers, partitions, 8);
            let header = &header.nodes[0];
            let places = places(header, 0, 430.0);
            assert!(places.len() >= 4, "{places:?}");
            let high = Layout::new(header).height;
            for (n, place) in places.iter().enumerate() {
                let [x, y, w, h] = place.at;
                assert!(w >= 24.0 && h >= 20.0 && x + w <= 431.0 && y + h <= high, "{place:?}");
                for other in &places[n + 1..] {
                    let [ox, oy, ow, oh] = other.at;
                    let apart = x + w <= ox || ox + ow <= x || y + h <= oy || oy + oh <= y;
                    assert!(apart, "{place:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn the_height_follows_from_the_header() {
        let height = |workers, partitions| {
            let (header, _) = samples::machine(1, workers, partitions, 8);
            Layout::new(&header.nodes[0]).height
        };
        assert_eq!(height(1, 1), height(4, 1));
        assert!(height(8, 1) > height(4, 1));
        assert_eq!(height(9, 3), height(32, 32));
    }
}
