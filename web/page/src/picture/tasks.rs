//! Who does what: the kswapd workers of a node one by one, or counted when there are many, and its
//! readers by state.

use super::mark;
use super::sketch::{Face, Paint, Pattern, Sketch, Stroke, width};
use chart::{Ink, words};
use report::view::{ReaderState, ThrottledView, WorkerState, WorkerView};

/// Up to so many workers are drawn one by one.
const SINGLE_MAX: usize = 8;
const COLUMNS: usize = 4;
const ROW: f64 = 38.0;

/// The height of the section for so many workers.
#[must_use]
pub fn workers_height(workers: usize) -> f64 {
    match workers {
        0..=SINGLE_MAX => 22.0 + workers.max(1).div_ceil(COLUMNS) as f64 * ROW,
        _ => 22.0 + 2.0 * 22.0 + 4.0,
    }
}

/// Draws the section of the workers.
pub fn workers(sketch: &mut Sketch, all: &[WorkerView], node: usize, [x, to]: [f64; 2], y: f64) {
    sketch.hairline(x, to, y);
    sketch.text(x, y + 16.0, format!("kswapd{node}"), Face::MONO_BOLD);
    let awake = all.iter().filter(|w| mark::is_awake(w.state)).count();
    sketch.text_end(to, y + 16.0, format!("{awake} of {} awake", all.len()), Face::PLAIN);
    if all.len() > SINGLE_MAX {
        return counted(sketch, all, [x, to], y + 22.0);
    }
    let column = (to - x) / COLUMNS as f64;
    for (n, worker) in all.iter().enumerate() {
        let left = x + (n % COLUMNS) as f64 * column;
        let top = y + 22.0 + (n / COLUMNS) as f64 * ROW;
        mark::worker(sketch, left, top, 16.0, worker.state);
        sketch.text(left + 22.0, top + 12.0, format!(":{n}"), Face::MONO);
        let waits = mark::is_waiting(worker.state);
        let face = if waits { Face::BOLD } else { Face::PLAIN };
        let label = fitting(mark::worker_label(worker.state), face, column - 6.0);
        sketch.text(left, top + 29.0, label, face);
    }
}

/// Where each of so many workers stands: left, top, width, height; nothing when they are counted.
#[must_use]
pub fn worker_places(workers: usize, [x, to]: [f64; 2], y: f64) -> Vec<[f64; 4]> {
    if workers > SINGLE_MAX {
        return Vec::new();
    }
    let column = (to - x) / COLUMNS as f64;
    let place = |n: usize| {
        let left = x + (n % COLUMNS) as f64 * column;
        [left, y + 20.0 + (n / COLUMNS) as f64 * ROW, column - 4.0, ROW - 4.0]
    };
    (0..workers).map(place).collect()
}

/// A label's shorter form where the whole does not fit.
fn fitting(label: &'static str, face: Face, room: f64) -> &'static str {
    if width(label, face) <= room {
        return label;
    }
    match label {
        "page work" => "work",
        "lru_lock" => "lock",
        "zone->lock" => "zone",
        "isolating" => "isolate",
        "runnable" => "ready",
        other => other,
    }
}

/// All states with their counts, so that nothing moves when a state empties.
fn counted(sketch: &mut Sketch, all: &[WorkerView], [x, to]: [f64; 2], y: f64) {
    let cells: [(&str, &[WorkerState]); 6] = [
        ("page work", &[WorkerState::PageWork]),
        ("isolating", &[WorkerState::Isolating]),
        (
            "wait for a lock",
            &[
                WorkerState::SpinLru,
                WorkerState::SpinZone,
                WorkerState::SpinIPages,
                WorkerState::SpinSwap,
            ],
        ),
        ("runnable", &[WorkerState::Runnable]),
        ("napping", &[WorkerState::Napping]),
        ("asleep", &[WorkerState::Asleep]),
    ];
    let column = (to - x) / 3.0;
    for (n, (label, states)) in cells.into_iter().enumerate() {
        let left = x + (n % 3) as f64 * column;
        let top = y + (n / 3) as f64 * 22.0;
        let count = all.iter().filter(|w| states.contains(&w.state)).count();
        mark::worker(sketch, left, top, 16.0, states[0]);
        let face = if count > 0 { Face::BOLD } else { Face::PLAIN };
        sketch.text(left + 21.0, top + 12.0, count.to_string(), face);
        let room = column - 45.0;
        let label = if width(label, Face::PLAIN) > room { short(label) } else { label };
        sketch.text(left + 41.0, top + 12.0, label, Face::PLAIN);
    }
}

fn short(label: &str) -> &str {
    match label {
        "wait for a lock" => "lock",
        "page work" => "work",
        "isolating" => "isolate",
        other => other,
    }
}

/// The height of the section of the readers.
pub const READERS_HEIGHT: f64 = 66.0;
/// Readers in the order that matters for reclaim.
const ORDER: [ReaderState; 5] = [
    ReaderState::Direct,
    ReaderState::Throttled,
    ReaderState::Running,
    ReaderState::Runnable,
    ReaderState::Io,
];

/// Why tasks are throttled, in the order of the counts: what they sleep for.
const REASONS: [&str; 5] = ["min/2", "writeback", "isolated", "no progress", "congested"];

/// How many tasks are throttled and why: `3 throttled: 2 min/2, 1 writeback`.
#[must_use]
pub fn throttled(by_state: &[u32; 5], reasons: &ThrottledView) -> String {
    let count = by_state[ReaderState::Throttled as usize];
    let there = REASONS.iter().zip(reasons.counts()).filter(|(_, count)| *count > 0);
    let texts: Vec<_> = match reasons.counts().iter().filter(|&&count| count > 0).count() {
        1 => there.map(|(reason, _)| (*reason).to_owned()).collect(),
        _ => there.map(|(reason, count)| format!("{count} {reason}")).collect(),
    };
    match texts.is_empty() {
        true => format!("{count} throttled"),
        false => format!("{count} throttled: {}", texts.join(", ")),
    }
}

/// Draws the section of the readers.
pub fn readers(
    sketch: &mut Sketch,
    by_state: &[u32; 5],
    reasons: &ThrottledView,
    [x, to]: [f64; 2],
    y: f64,
) {
    sketch.hairline(x, to, y);
    let total: u32 = by_state.iter().sum();
    sketch.text(x, y + 16.0, words::plural(u64::from(total), "task"), Face::BOLD);
    let is_any = by_state[ReaderState::Throttled as usize] > 0;
    let face = if is_any { Face::BOLD } else { Face::PLAIN };
    sketch.text_end(to, y + 16.0, throttled(by_state, reasons), face);
    let groups: Vec<_> = ORDER
        .into_iter()
        .map(|state| (state, by_state[state as usize]))
        .filter(|(_, count)| *count > 0)
        .collect();
    let step = if to - x < 230.0 { 10.5 } else { 12.0 };
    let mut lefts = Vec::new();
    let mut left = x;
    for (state, count) in &groups {
        lefts.push(left);
        let dots = f64::from(count.div_ceil(2)) * step;
        left += dots.max(width(&label(*state, *count), Face::BOLD)) + 8.0;
    }
    if left - 8.0 <= to {
        for ((state, count), left) in groups.iter().zip(lefts) {
            let place = |n: u32| {
                let across = left + 5.0 + f64::from(n / 2) * step;
                [across, y + 28.0 + f64::from(n % 2) * 12.0]
            };
            mark::readers(sketch, &(0..*count).map(place).collect::<Vec<_>>(), 5.0, *state);
            sketch.text(left, y + 58.0, label(*state, *count), weight(*state));
        }
    } else {
        proportional(sketch, &groups, total, [x, to], y);
    }
}

fn weight(state: ReaderState) -> Face {
    match state {
        ReaderState::Direct | ReaderState::Throttled => Face::BOLD,
        _ => Face::PLAIN,
    }
}

fn label(state: ReaderState, count: u32) -> String {
    format!("{count} {}", mark::reader_label(state))
}

/// More readers than marks fit: a bar to scale, and one mark a state beside its count.
fn proportional(
    sketch: &mut Sketch,
    groups: &[(ReaderState, u32)],
    total: u32,
    [x, to]: [f64; 2],
    y: f64,
) {
    let scale = (to - x) / f64::from(total.max(1));
    let long = |text: &String| 14.0 + width(text, Face::BOLD) + 8.0;
    let mut texts: Vec<_> = groups.iter().map(|&(state, count)| label(state, count)).collect();
    // Where the words do not fit, the marks have to say what the counts are of.
    if texts.iter().map(long).sum::<f64>() - 8.0 > to - x {
        texts = groups.iter().map(|(_, count)| count.to_string()).collect();
    }
    let mut left = x;
    let mut label_left = x;
    for (&(state, count), text) in groups.iter().zip(&texts) {
        let share = f64::from(count) * scale;
        let place = [left, y + 24.0, (share - 1.0).max(1.0), 12.0];
        match state {
            ReaderState::Running => sketch.rect(place, Paint::Ink(Ink::App)),
            ReaderState::Direct => sketch.rect(place, Paint::Pattern(Pattern::Direct)),
            ReaderState::Throttled => sketch.rect(place, Paint::Ink(Ink::Ink)),
            ReaderState::Runnable => sketch.rect(place, Paint::Pale(Ink::App)),
            ReaderState::Io => {
                let inner = [place[0] + 0.5, place[1] + 0.5, (place[2] - 1.0).max(0.5), 11.0];
                sketch.boxed(inner, Paint::None, Stroke::new(Ink::Io, 1.0));
            }
        }
        left += share;
        mark::reader(sketch, label_left + 5.0, y + 51.0, 5.0, state);
        sketch.text(label_left + 14.0, y + 55.0, text.clone(), weight(state));
        label_left += long(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;

    fn worker(state: WorkerState) -> WorkerView {
        WorkerView { state, since_ns: 0, priority: 12 }
    }

    #[test]
    fn few_workers_have_a_mark_each_and_name_the_lock_they_wait_for() {
        let mut sketch = Sketch::default();
        let all = [WorkerState::SpinLru, WorkerState::PageWork, WorkerState::SpinZone];
        workers(&mut sketch, &all.map(worker), 1, [88.0, 500.0], 0.0);
        let texts = sketch.texts();
        assert_eq!(texts[..2], ["kswapd1", "3 of 3 awake"]);
        assert_eq!(texts[2..], [":0", "lru_lock", ":1", "page work", ":2", "zone->lock"]);
    }

    #[test]
    fn many_workers_are_counted_by_state() {
        let mut all = vec![worker(WorkerState::Asleep); 30];
        all.push(worker(WorkerState::SpinZone));
        all.push(worker(WorkerState::SpinLru));
        let mut sketch = Sketch::default();
        workers(&mut sketch, &all, 0, [88.0, 500.0], 0.0);
        let texts = sketch.texts();
        assert_eq!(texts[1], "2 of 32 awake");
        assert!(texts.windows(2).any(|t| t == ["2", "wait for a lock"]), "{texts:?}");
        assert!(texts.windows(2).any(|t| t == ["30", "asleep"]), "{texts:?}");
        assert!(workers_height(32) < workers_height(9) + 1.0);
    }

    #[test]
    fn who_is_throttled_says_why() {
        let text = |counts, all| throttled(&[0, 0, 0, 0, all], &ThrottledView::of(counts));
        assert_eq!(text([0; 5], 0), "0 throttled");
        assert_eq!(text([2, 0, 0, 0, 0], 2), "2 throttled: min/2");
        assert_eq!(text([0, 2, 0, 1, 0], 3), "3 throttled: 2 writeback, 1 no progress");
    }

    #[test]
    fn few_readers_have_a_mark_each_and_many_share_a_bar() {
        let rounds = |counts: [u32; 5]| {
            let mut sketch = Sketch::default();
            readers(&mut sketch, &counts, &ThrottledView::default(), [88.0, 400.0], 0.0);
            let circles = |shape: &Shape| match shape {
                // A circle is two arcs, the half of direct reclaim one.
                Shape::Path(path, ..) => path.matches('a').count() / 2,
                _ => 0,
            };
            let marks: usize = sketch.flat().into_iter().map(circles).sum();
            (marks, sketch.texts().iter().map(|t| (*t).to_owned()).collect::<Vec<_>>())
        };
        let (marks, texts) = rounds([11, 0, 16, 2, 0]);
        // Each direct reclaimer is a circle and a half disc.
        assert_eq!(marks, 29 + 1);
        assert_eq!(texts, ["29 tasks", "0 throttled", "2 direct", "11 running", "16 I/O"]);
        let (marks, texts) = rounds([100, 0, 900, 24, 0]);
        assert_eq!(marks, 3);
        assert_eq!(texts[2..], ["24 direct", "100 running", "900 I/O"]);
    }
}
