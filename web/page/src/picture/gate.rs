//! Locks as gates: a slot with the task that holds the lock, and the queue to its right in order.

use super::mark;
use super::sketch::{Face, Paint, Sketch, Stroke, length};
use chart::{Ink, words};
use report::view::{LockView, WorkerState};

/// How many gates of a partitioned lock are drawn; the others are counted.
pub const GATES_MAX: usize = 3;
const MARK: f64 = 14.0;
const SLOT: f64 = 30.0;

/// The lru_locks among a node's locks.
pub fn lru_locks(locks: &[LockView]) -> impl Iterator<Item = &LockView> {
    locks.iter().filter(|lock| lock.name.starts_with("lru_lock"))
}

/// The height of the section for a lru_lock in so many partitions, and the zone locks below it.
#[must_use]
pub fn height(partitions: usize) -> f64 {
    match partitions {
        0 | 1 => 68.0 + ZONE,
        n => 26.0 + n.min(GATES_MAX) as f64 * 26.0 + ZONE,
    }
}

/// The height of the line for the zone locks.
pub const ZONE: f64 = 28.0;

/// The busiest first, those equally busy in their own order.
fn by_queue<'a>(locks: &[&'a LockView]) -> Vec<&'a LockView> {
    let rank = |lock: &&LockView| {
        let held = if lock.holder.is_some() { 0.5 } else { 0.0 };
        -(f64::from(lock.waiters) + held)
    };
    let ranks: Vec<f64> = locks.iter().map(rank).collect();
    chart::labels::order(&ranks).into_iter().map(|n| locks[n]).collect()
}

/// Draws the section of the node's lru_locks.
pub fn draw(sketch: &mut Sketch, locks: &[LockView], node: usize, [x, to]: [f64; 2], y: f64) {
    sketch.hairline(x, to, y);
    let lru: Vec<_> = lru_locks(locks).collect();
    sketch.text(x, y + 16.0, "lru_lock", Face::MONO_BOLD);
    let [first] = lru[..] else {
        return partitions(sketch, locks, &lru, node, [x, to], y);
    };
    let narrow = to - x < 230.0;
    sketch.text_end(to, y + 16.0, state(first, node, narrow), Face::PLAIN);
    let slot = if narrow { x + 20.0 } else { x + NAME };
    if !narrow {
        sketch.text(x, y + 41.0, "holder, queue", Face::PLAIN);
    }
    one(sketch, first, node, [slot, to], y + 37.0, Size::Named);
    zone_lock(sketch, locks, node, [x, to], y + 68.0 + ZONE / 2.0 - 2.0);
}

/// The busiest zone lock of the node in one line.
fn zone_lock(sketch: &mut Sketch, locks: &[LockView], node: usize, [x, to]: [f64; 2], middle: f64) {
    let zone: Vec<_> = locks.iter().filter(|lock| lock.name.starts_with("zone->lock")).collect();
    let Some(&busiest) = by_queue(&zone).first() else { return };
    let narrow = to - x < 230.0;
    sketch.text(x, middle + 4.0, if narrow { "zone" } else { "zone->lock" }, Face::MONO);
    let slot = if narrow { x + 30.0 } else { x + NAME };
    one(sketch, busiest, node, [slot, to], middle, Size::Line);
}

/// Where the slot of a gate begins, right of its name.
const NAME: f64 = 92.0;

fn partitions(
    sketch: &mut Sketch,
    all: &[LockView],
    locks: &[&LockView],
    node: usize,
    [x, to]: [f64; 2],
    y: f64,
) {
    let held = locks.iter().filter(|lock| lock.holder.is_some()).count();
    let waiters: u32 = locks.iter().map(|lock| lock.waiters).sum();
    let narrow = to - x < 230.0;
    let text = match narrow {
        true => format!("{held} of {} held, {waiters} wait", locks.len()),
        false => format!("{} partitions: {held} held, {waiters} wait", locks.len()),
    };
    sketch.text_end(to, y + 16.0, text, Face::PLAIN);
    let slot = if narrow { x + 30.0 } else { x + NAME };
    for (row, lock) in by_queue(locks).into_iter().take(GATES_MAX).enumerate() {
        let middle = y + 36.0 + row as f64 * 26.0;
        let number = lock.name.strip_prefix("lru_lock").unwrap_or(&lock.name);
        sketch.text(x, middle + 4.0, number, Face::MONO);
        if !narrow && row == 0 && locks.len() > GATES_MAX {
            sketch.text(x + 28.0, middle + 4.0, "busiest", Face::PLAIN);
        }
        one(sketch, lock, node, [slot, to], middle, Size::Line);
    }
    let below = y + 26.0 + locks.len().min(GATES_MAX) as f64 * 26.0;
    zone_lock(sketch, all, node, [x, to], below + ZONE / 2.0 - 2.0);
}

/// What a lock does, in words: `held by kswapd0:2, 2.1 of 3.4 us`.
#[must_use]
pub fn state(lock: &LockView, node: usize, narrow: bool) -> String {
    let Some(holder) = lock.holder else { return "free".into() };
    if narrow {
        return format!("held by {}", mark::short_name(holder, node));
    }
    let name = mark::name(holder);
    if lock.hold_ns == 0 {
        return format!("held by {name}");
    }
    let total = words::nanos(lock.hold_ns as f64);
    let since = match total.rsplit_once(' ') {
        Some((_, "us")) => words::short(lock.held_ns as f64 / 1e3),
        Some((_, "ns")) => words::short(lock.held_ns as f64),
        _ => words::nanos(lock.held_ns as f64),
    };
    format!("held by {name}, {since} of {total}")
}

/// A lock in one line.
pub fn line(sketch: &mut Sketch, lock: &LockView, node: usize, ends: [f64; 2], middle: f64) {
    one(sketch, lock, node, ends, middle, Size::Line);
}

/// How much room a gate has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// With names below the marks.
    Named,
    /// One line.
    Line,
}

/// What stands at the right end: how many wait.
const WAIT: f64 = 50.0;

/// One gate with its queue around the height `middle`.
fn one(
    sketch: &mut Sketch,
    lock: &LockView,
    node: usize,
    [x, to]: [f64; 2],
    middle: f64,
    size: Size,
) {
    let half = if size == Size::Named { 13.0 } else { 11.0 };
    let post = |x: f64| {
        let [x, top, foot] = [x, middle - half, middle + half - 4.0].map(length);
        format!("M{x} {top}v4M{x} {foot}v4")
    };
    let posts = post(x - 1.0) + &post(x + SLOT - 1.0);
    sketch.path(posts, Paint::None, Some(Stroke::new(Ink::Ink, 2.0)));
    let rail = Stroke { dash: "1 3", ..Stroke::new(Ink::Line2, 1.0) };
    let end = if lock.waiters > 0 { to - WAIT } else { to };
    sketch.line(&[[x + SLOT + 2.0, middle + 0.5], [end, middle + 0.5]], rail);
    let slot = [x - 1.0, middle - 9.0, SLOT, 18.0];
    let below = middle + 22.0;
    let (stroke, name) = match lock.holder {
        None => {
            let dashed = Stroke { dash: "3 3", ..Stroke::new(Ink::Line2, 1.5) };
            (dashed, ("open".to_owned(), Face::PLAIN))
        }
        Some(who) => (Stroke::new(Ink::Ink, 1.5), (mark::short_name(who, node), Face::MONO)),
    };
    sketch.boxed(slot, Paint::Ink(Ink::Bg), stroke);
    sketch.group(|sketch| {
        if let Some(who) = lock.holder {
            mark::task(sketch, x + 7.0, middle - 7.0, MARK, who, under(lock));
        }
    });
    if size == Size::Named {
        sketch.text_middle(x + SLOT / 2.0 - 1.0, below, name.0, name.1);
    }
    sketch.group(|s| queue(s, lock, node, [x + SLOT + 12.0, to - WAIT], middle, size));
    if lock.waiters > 0 {
        sketch.text_end(to, middle + 4.0, format!("{} wait", lock.waiters), Face::BOLD);
    } else if size == Size::Named {
        sketch.text_end(to, below, "nobody waits", Face::PLAIN);
    }
}

/// What a kswapd does that holds a lock: under lru_lock it isolates, under others it frees pages.
fn under(lock: &LockView) -> WorkerState {
    match lock.name.starts_with("lru_lock") {
        true => WorkerState::Isolating,
        false => WorkerState::PageWork,
    }
}

/// The queue from left to right as far as it fits.
fn queue(
    sketch: &mut Sketch,
    lock: &LockView,
    node: usize,
    [from, to]: [f64; 2],
    middle: f64,
    size: Size,
) {
    let (wide, narrow) = (28.0, MARK + 2.0);
    // Names need room; a queue that has none for them stands closer and goes without.
    let names = size == Size::Named && lock.queue.len() as f64 * wide <= to - from;
    let step = if names { wide } else { narrow };
    let room = ((to - from) / step).max(0.0) as usize;
    for (n, &who) in lock.queue.iter().take(room).enumerate() {
        let x = from + n as f64 * step;
        sketch.group(|sketch| {
            mark::task(sketch, x, middle - 7.0, MARK, who, WorkerState::SpinLru);
            if names {
                let name = mark::short_name(who, node);
                sketch.text_middle(x + MARK / 2.0, middle + 22.0, name, Face::MONO);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::view::Who;

    fn lock(name: &str, holder: Option<Who>, waiters: u32) -> LockView {
        let queue = (0..waiters.min(24) as u16).map(|n| Who::Kswapd(0, n)).collect();
        LockView { name: name.into(), holder, held_ns: 2_100, hold_ns: 3_400, queue, waiters }
    }

    #[test]
    fn a_held_lock_says_by_whom_and_how_long() {
        let held = lock("lru_lock", Some(Who::Kswapd(0, 2)), 1);
        assert_eq!(state(&held, 0, false), "held by kswapd0:2, 2.1 of 3.4 us");
        assert_eq!(state(&held, 0, true), "held by :2");
        assert_eq!(state(&lock("lru_lock", None, 0), 0, false), "free");
    }

    #[test]
    fn of_many_partitions_the_busiest_are_drawn_and_all_are_counted() {
        let mut locks: Vec<_> = (0..32).map(|n| lock(&format!("lru_lock:{n}"), None, 0)).collect();
        locks[17] = lock("lru_lock:17", Some(Who::Reader(9, true)), 5);
        locks[4] = lock("lru_lock:4", Some(Who::Kswapd(0, 0)), 0);
        locks.push(lock("zone->lock Normal", Some(Who::Kswapd(0, 1)), 9));
        let mut sketch = Sketch::default();
        draw(&mut sketch, &locks, 0, [88.0, 400.0], 100.0);
        let texts = sketch.texts();
        assert!(texts.contains(&"32 partitions: 2 held, 5 wait"), "{texts:?}");
        let rows: Vec<_> = texts.iter().filter(|t| t.starts_with(':')).collect();
        assert_eq!(rows, [&":17", &":4", &":0"]);
        assert_eq!(texts[texts.len() - 2..], ["zone->lock", "9 wait"]);
    }

    #[test]
    fn a_queue_that_has_no_room_for_names_keeps_its_count() {
        let mut sketch = Sketch::default();
        let busy = lock("lru_lock", Some(Who::Kswapd(0, 2)), 40);
        draw(&mut sketch, &[busy], 0, [88.0, 330.0], 0.0);
        let texts = sketch.texts();
        assert!(texts.contains(&"40 wait"), "{texts:?}");
        assert!(!texts.contains(&":5"), "{texts:?}");
    }
}
