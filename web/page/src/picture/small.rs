//! A node in little room, for machines of many nodes: a small tank, the lock, workers and tasks
//! counted by state, CPUs as a bar to scale. What one of them does shows when its node is opened.

use super::mark;
use super::node::Place;
use super::sketch::{Face, Paint, Sketch, Stroke, half, width};
use super::tank::Level;
use super::{cpus, gate};
use chart::{Ink, words};
use report::view::{NodeView, ReaderState, WorkerState};
use report::why::Subject;
use report::wire::NodeHeader;

/// The height of the drawing.
pub const HEIGHT: f64 = 142.0;
/// The least width that it is readable in.
pub const WIDTH_MIN: f64 = 134.0;
const TANK: f64 = 20.0;
/// Where what stands beside the tank begins.
const BESIDE: f64 = 60.0;
/// The rows beside the tank: lock, workers, tasks, CPUs, and the end.
const ROWS: [f64; 5] = [0.0, 24.0, 66.0, 108.0, HEIGHT];

/// Draws a node `wide` pixels wide.
#[must_use]
pub fn draw(header: &NodeHeader, view: &NodeView, number: usize, wide: f64) -> Sketch {
    let mut sketch = Sketch::default();
    let NodeView { free, marks, boost, .. } = *view;
    let level = Level { free, marks, boost, managed: header.managed };
    sketch.group(|sketch| tank(sketch, &level));
    sketch.group(|sketch| lock(sketch, view, number, wide));
    sketch.group(|sketch| workers(sketch, view, wide));
    sketch.group(|sketch| tasks(sketch, view, wide));
    sketch.group(|sketch| cpus::draw(sketch, &view.cpus, [BESIDE, wide], ROWS[3]));
    sketch
}

fn tank(sketch: &mut Sketch, level: &Level) {
    let (top, height) = (4.0, 112.0);
    let y = |pages: u64| half(top + height * (1.0 - level.height(pages)));
    let outline = Stroke::new(Ink::Line2, 1.0);
    sketch.boxed([0.5, top, TANK, height], Paint::Ink(Ink::Bg2), outline);
    let ink = if level.is_below_min() { Ink::Bad } else { Ink::Mem };
    let depth = (top + height - y(level.free) - 0.5).max(0.0);
    sketch.rect([1.0, y(level.free), TANK - 1.0, depth], Paint::Ink(ink));
    let names = ["min", "low", "high"].into_iter().zip(level.marks);
    let labels = names.map(|(name, pages)| {
        sketch.line(&[[0.0, y(pages)], [TANK + 4.0, y(pages)]], Stroke::new(Ink::Ink, 1.0));
        chart::labels::Label::new(y(pages), name, Ink::Ink2)
    });
    for label in chart::labels::spread(labels.collect(), top + 4.0, top + height - 2.0) {
        sketch.text(TANK + 6.0, label.y + 3.0, label.text, Face::PLAIN);
    }
    sketch.text(0.0, HEIGHT - 10.0, words::pages(level.free), Face::BOLD);
}

fn lock(sketch: &mut Sketch, view: &NodeView, number: usize, wide: f64) {
    let all: Vec<_> = gate::lru_locks(&view.locks).collect();
    let waiters: u32 = all.iter().map(|lock| lock.waiters).sum();
    let holder = all.iter().find_map(|lock| lock.holder);
    let y = ROWS[0] + 4.0;
    let long = width("lru_lock", Face::MONO);
    let is_wide = wide - BESIDE > long + 70.0;
    sketch.text(BESIDE, y + 12.0, if is_wide { "lru_lock" } else { "lock" }, Face::MONO);
    let x = BESIDE + if is_wide { long } else { 30.0 } + 4.0;
    match holder {
        Some(who) => mark::task(sketch, x, y, 14.0, who, WorkerState::Isolating),
        None => {
            let dashed = Stroke { dash: "3 3", ..Stroke::new(Ink::Line2, 1.5) };
            sketch.boxed([x, y, 14.0, 14.0], Paint::None, dashed);
        }
    }
    let text = match (waiters, holder) {
        (0, Some(who)) if is_wide => mark::short_name(who, number),
        (0, _) => String::new(),
        (n, _) => format!("{n} wait"),
    };
    let face = if waiters > 0 { Face::BOLD } else { Face::MONO };
    sketch.text(x + 18.0, y + 12.0, text, face);
}

/// Where the n-th of some signs with their counts stands, from `y` on; none when there is no room.
fn slot(n: usize, wide: f64, y: f64) -> Option<[f64; 2]> {
    let across = (((wide - BESIDE) / COUNTED) as usize).max(1);
    (n < 2 * across)
        .then(|| [BESIDE + (n % across) as f64 * COUNTED, y + (n / across) as f64 * 20.0])
}

/// The room of a sign and its count.
const COUNTED: f64 = 37.0;

fn workers(sketch: &mut Sketch, view: &NodeView, wide: f64) {
    // What matters first; spinning for any lock has one sign.
    let order: [&[WorkerState]; 6] = [
        &[
            WorkerState::SpinLru,
            WorkerState::SpinZone,
            WorkerState::SpinIPages,
            WorkerState::SpinSwap,
        ],
        &[WorkerState::Isolating],
        &[WorkerState::PageWork],
        &[WorkerState::Runnable],
        &[WorkerState::Napping],
        &[WorkerState::Asleep],
    ];
    sketch.hairline(BESIDE, wide, ROWS[1]);
    let count = |states: &[WorkerState]| {
        view.workers.iter().filter(|worker| states.contains(&worker.state)).count()
    };
    let there = order.iter().map(|states| (states[0], count(states))).filter(|(_, n)| *n > 0);
    for (n, (state, count)) in there.enumerate() {
        let Some([x, y]) = slot(n, wide, ROWS[1] + 4.0) else { break };
        mark::worker(sketch, x, y, 14.0, state);
        sketch.text(x + 17.0, y + 11.0, count.to_string(), Face::BOLD);
    }
}

fn tasks(sketch: &mut Sketch, view: &NodeView, wide: f64) {
    let order = [
        ReaderState::Throttled,
        ReaderState::Direct,
        ReaderState::Running,
        ReaderState::Runnable,
        ReaderState::Io,
    ];
    sketch.hairline(BESIDE, wide, ROWS[2]);
    let there = order.into_iter().map(|state| (state, view.readers[state as usize]));
    for (n, (state, count)) in there.filter(|(_, count)| *count > 0).enumerate() {
        let Some([x, y]) = slot(n, wide, ROWS[2] + 4.0) else { break };
        mark::reader(sketch, x + 7.0, y + 7.0, 6.0, state);
        sketch.text(x + 17.0, y + 11.0, count.to_string(), Face::BOLD);
    }
}

/// What of it can be asked about.
#[must_use]
pub fn places(header: &NodeHeader, number: usize, wide: f64) -> Vec<Place> {
    let node = number as u16;
    let place = |at, subject, name: String| Place { at, subject, name };
    let row = |n: usize| [BESIDE - 2.0, ROWS[n], wide - BESIDE + 2.0, ROWS[n + 1] - ROWS[n]];
    let free = [0.0, 0.0, BESIDE - 6.0, HEIGHT];
    let mut places = vec![
        place(free, Subject::Free(node), format!("free memory of node {number}")),
        place(row(0), Subject::Lock(node, 0), format!("lru_lock of node {number}")),
        place(row(2), Subject::Readers(node), format!("tasks of node {number}")),
    ];
    if header.workers > 0 {
        places.push(place(row(1), Subject::Worker(node, 0), format!("kswapd{number}:0")));
    }
    places
}

/// The signs in words.
#[must_use]
pub fn legend() -> &'static str {
    "Squares are kswapds: hatched wait for a lock, barred isolate pages, ticked work on pages, dotted \
     wait for a CPU, half full nap, dashed sleep. Round marks are tasks: crossed throttled, half in \
     direct reclaim, full running, dotted runnable, empty in I/O."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn many_workers_and_cpus_are_told_in_little_room() {
        let (mut header, mut view) = samples::machine(8, 32, 1, 128);
        let node = &mut view.nodes[3];
        node.cpus = [300, 32, 1, 31, 4, 144, 0, 0];
        header.nodes[3].cpus = 512;
        node.readers[ReaderState::Throttled as usize] = 7;
        for wide in [WIDTH_MIN, 170.0, 240.0] {
            let sketch = draw(&header.nodes[3], &view.nodes[3], 3, wide);
            let texts = sketch.texts();
            assert!(texts.contains(&"512 CPUs") && texts.contains(&"7"), "{wide}: {texts:?}");
            for place in places(&header.nodes[3], 3, wide) {
                let [x, y, w, h] = place.at;
                assert!(w >= 24.0 && h >= 24.0 && x + w <= wide + 0.5, "{place:?}");
                assert!(y + h <= HEIGHT, "{place:?}");
            }
        }
    }
}
