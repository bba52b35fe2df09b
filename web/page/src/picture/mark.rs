//! The two signs: a square is a kswapd, a round mark is a reader. Shape, pattern and label say the
//! state as well as the colour does.

use super::sketch::{Paint, Pattern, Sketch, Stroke, length};
use chart::Ink;
use report::view::{ReaderState, Who, WorkerState};

/// The label under a worker's mark: what it does, or the name of the lock that it waits for.
#[must_use]
pub const fn worker_label(state: WorkerState) -> &'static str {
    match state {
        WorkerState::Asleep => "asleep",
        WorkerState::Napping => "napping",
        WorkerState::Runnable => "runnable",
        WorkerState::SpinLru => "lru_lock",
        WorkerState::SpinZone => "zone->lock",
        WorkerState::SpinIPages => "i_pages",
        WorkerState::SpinSwap => "swap lock",
        WorkerState::Isolating => "isolating",
        WorkerState::PageWork => "page work",
    }
}

/// Whether a worker spins for a lock.
#[must_use]
pub const fn is_waiting(state: WorkerState) -> bool {
    matches!(
        state,
        WorkerState::SpinLru
            | WorkerState::SpinZone
            | WorkerState::SpinIPages
            | WorkerState::SpinSwap
    )
}

/// Whether a worker is awake.
#[must_use]
pub const fn is_awake(state: WorkerState) -> bool {
    !matches!(state, WorkerState::Asleep | WorkerState::Napping)
}

/// What a reader does, in a word.
#[must_use]
pub const fn reader_label(state: ReaderState) -> &'static str {
    match state {
        ReaderState::Running => "running",
        ReaderState::Runnable => "runnable",
        ReaderState::Io => "I/O",
        ReaderState::Direct => "direct",
        ReaderState::Throttled => "throttled",
    }
}

/// A worker's mark: a square of side `s` with its upper left corner at x, y.
pub fn worker(sketch: &mut Sketch, x: f64, y: f64, s: f64, state: WorkerState) {
    sketch.group(|sketch| draw_worker(sketch, x, y, s, state));
}

fn draw_worker(sketch: &mut Sketch, x: f64, y: f64, s: f64, state: WorkerState) {
    let place = [x + 0.75, y + 0.75, s - 1.5, s - 1.5];
    let outline = |ink| Stroke::new(ink, 1.5);
    match state {
        WorkerState::Asleep => {
            let stroke = Stroke { dash: "2 2", ..outline(Ink::Io) };
            sketch.boxed(place, Paint::None, stroke);
        }
        WorkerState::Napping => {
            sketch.boxed(place, Paint::None, outline(Ink::Io));
            let low = [x + 0.75, y + s * 0.6, s - 1.5, s * 0.4 - 0.75];
            sketch.rect(low, Paint::Ink(Ink::Io));
        }
        WorkerState::Runnable => {
            sketch.boxed(place, Paint::None, outline(Ink::Ink2));
            let dot = s * 0.26;
            let middle = [x + (s - dot) / 2.0, y + (s - dot) / 2.0, dot, dot];
            sketch.rect(middle, Paint::Ink(Ink::Ink2));
        }
        WorkerState::SpinLru
        | WorkerState::SpinZone
        | WorkerState::SpinIPages
        | WorkerState::SpinSwap => {
            sketch.boxed(place, Paint::Pattern(Pattern::Lock), outline(Ink::Lock));
        }
        WorkerState::Isolating => {
            sketch.boxed(place, Paint::Pattern(Pattern::Iso), outline(Ink::Iso));
        }
        WorkerState::PageWork => {
            sketch.boxed(place, Paint::Ink(Ink::Work), outline(Ink::Work));
            let at = |dx: f64, dy: f64| [x + s * dx, y + s * dy];
            let tick = [at(0.28, 0.52), at(0.45, 0.7), at(0.75, 0.32)];
            sketch.line(&tick, Stroke::new(Ink::Bg, 1.5));
        }
    }
}

/// A reader's mark: a circle of radius `r` around x, y.
pub fn reader(sketch: &mut Sketch, x: f64, y: f64, r: f64, state: ReaderState) {
    readers(sketch, &[[x, y]], r, state);
}

/// The marks of readers in one state, around points.
pub fn readers(sketch: &mut Sketch, points: &[[f64; 2]], r: f64, state: ReaderState) {
    sketch.group(|sketch| draw_readers(sketch, points, r, state));
}

fn draw_readers(sketch: &mut Sketch, points: &[[f64; 2]], r: f64, state: ReaderState) {
    let inner = r - 0.75;
    let outline = |ink, width| Some(Stroke::new(ink, width));
    match state {
        ReaderState::Running => {
            sketch.circles(points, inner, Paint::Ink(Ink::App), outline(Ink::App, 1.5));
        }
        ReaderState::Runnable => {
            sketch.circles(points, inner, Paint::None, outline(Ink::App, 1.5));
            sketch.circles(points, r * 0.3, Paint::Ink(Ink::Ink2), None);
        }
        ReaderState::Io => sketch.circles(points, inner, Paint::None, outline(Ink::Io, 1.25)),
        ReaderState::Direct => {
            sketch.circles(points, inner, Paint::Ink(Ink::Bg), outline(Ink::Direct, 1.5));
            let half = r - 0.5;
            let mut path = String::new();
            for [x, y] in points {
                let [x, top, r, down] = [*x, y - half, half, half * 2.0].map(length);
                path.push_str(&format!("M{x} {top}a{r} {r} 0 0 0 0 {down}z"));
            }
            sketch.path(path, Paint::Ink(Ink::Direct), None);
        }
        ReaderState::Throttled => {
            sketch.circles(points, inner, Paint::None, outline(Ink::Ink, 1.25));
            let mut path = String::new();
            let across = length(r);
            for [x, y] in points {
                let [left, top] = [x - r * 0.5, y - r * 0.5].map(length);
                path.push_str(&format!(
                    "M{left} {top}l{across} {across}m0-{across}l-{across} {across}"
                ));
            }
            sketch.path(path, Paint::None, outline(Ink::Ink, 1.25));
        }
    }
}

/// A task at a gate. `state` is what a kswapd does there: it waits, or works under the lock.
pub fn task(sketch: &mut Sketch, x: f64, y: f64, s: f64, who: Who, state: WorkerState) {
    match who {
        Who::Kswapd(..) => worker(sketch, x, y, s, state),
        Who::Reader(_, direct) => {
            let state = if direct { ReaderState::Direct } else { ReaderState::Running };
            reader(sketch, x + s / 2.0, y + s / 2.0, s / 2.0, state);
        }
    }
}

/// A task's short name on its own node: `:2`, `t17`; a worker of another node: `1:2`.
#[must_use]
pub fn short_name(who: Who, node: usize) -> String {
    match who {
        Who::Kswapd(n, worker) if usize::from(n) == node => format!(":{worker}"),
        Who::Kswapd(n, worker) => format!("{n}:{worker}"),
        Who::Reader(number, _) => format!("t{number}"),
    }
}

/// A task's full name: `kswapd0:2`, `task 17`.
#[must_use]
pub fn name(who: Who) -> String {
    match who {
        Who::Kswapd(node, worker) => format!("kswapd{node}:{worker}"),
        Who::Reader(number, _) => format!("task {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::sketch::Shape;

    fn is_round(shape: &Shape) -> bool {
        matches!(shape, Shape::Path(path, ..) if path.contains('a'))
    }

    #[test]
    fn workers_are_square_readers_round_and_no_two_states_look_alike() {
        let mut seen: Vec<Sketch> = Vec::new();
        for state in WorkerState::ALL {
            let mut sketch = Sketch::default();
            worker(&mut sketch, 0.0, 0.0, 16.0, state);
            assert!(!sketch.flat().into_iter().any(is_round), "{state:?}");
            // The three locks share a sign; their label names the lock.
            if !is_waiting(state) || state == WorkerState::SpinLru {
                assert!(!seen.contains(&sketch), "{state:?}");
            }
            seen.push(sketch);
        }
        for state in ReaderState::ALL {
            let mut sketch = Sketch::default();
            reader(&mut sketch, 8.0, 8.0, 5.0, state);
            assert!(is_round(sketch.flat()[0]), "{state:?}");
            assert!(!seen.contains(&sketch), "{state:?}");
            seen.push(sketch);
        }
    }

    #[test]
    fn tasks_are_named() {
        assert_eq!(name(Who::Kswapd(0, 2)), "kswapd0:2");
        assert_eq!(short_name(Who::Kswapd(0, 2), 0), ":2");
        assert_eq!(short_name(Who::Kswapd(1, 2), 0), "1:2");
        assert_eq!(short_name(Who::Reader(17, true), 0), "t17");
    }
}
