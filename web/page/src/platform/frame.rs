//! Animation frames, and turns in them for what need not all be drawn in the same one.

use gloo::render::AnimationFrame;
use gloo::timers::callback::Interval;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Calls back once in the next animation frame, unless the handle is dropped before.
#[must_use]
pub fn request(callback: impl FnOnce() + 'static) -> AnimationFrame {
    gloo::render::request_animation_frame(move |_| callback())
}

/// Whether the page can be seen. While it cannot, there are no animation frames.
#[must_use]
pub fn is_visible() -> bool {
    !gloo::utils::document().hidden()
}

/// Between two ticks where motion is unwelcome, in milliseconds.
const STILL_MS: u32 = 250;

/// Calls back again and again with the time in milliseconds, until it is dropped.
pub struct Ticks {
    _frame: Rc<RefCell<Option<AnimationFrame>>>,
    _timer: Option<Interval>,
}

impl Ticks {
    /// Every animation frame; four times a second where motion is unwelcome.
    #[must_use]
    pub fn start(tick: impl Fn(f64) + 'static) -> Self {
        let frame = Rc::default();
        let mut timer = None;
        if is_motion_unwelcome() {
            timer = Some(Interval::new(STILL_MS, move || tick(js_sys::Date::now())));
        } else {
            again(&frame, Rc::new(tick));
        }
        Self { _frame: frame, _timer: timer }
    }
}

fn again(slot: &Rc<RefCell<Option<AnimationFrame>>>, tick: Rc<dyn Fn(f64)>) {
    let weak = Rc::downgrade(slot);
    let next = gloo::render::request_animation_frame(move |now_ms| {
        tick(now_ms);
        if let Some(slot) = weak.upgrade() {
            again(&slot, tick);
        }
    });
    // The frame that has just run is replaced.
    drop(slot.replace(Some(next)));
}

/// Whether whoever looks asked for little motion.
#[must_use]
pub fn is_motion_unwelcome() -> bool {
    let asked = gloo::utils::window().match_media("(prefers-reduced-motion: reduce)");
    asked.ok().flatten().is_some_and(|query| query.matches())
}

/// What waits for its turn.
struct Waiting {
    is_wanted: Rc<Cell<bool>>,
    draw: Box<dyn FnOnce()>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    frame: Option<AnimationFrame>,
}

thread_local! {
    static QUEUE: RefCell<Queue> = RefCell::default();
}

/// A place in the queue; it is given up when this is dropped.
#[derive(Debug)]
pub struct Turn {
    is_wanted: Rc<Cell<bool>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.is_wanted.set(false);
    }
}

/// Draws in an animation frame, one caller a frame, so that several that change together do not
/// make one long frame.
#[must_use]
pub fn turn(draw: impl FnOnce() + 'static) -> Turn {
    let is_wanted = Rc::new(Cell::new(true));
    let waiting = Waiting { is_wanted: is_wanted.clone(), draw: Box::new(draw) };
    QUEUE.with_borrow_mut(|queue| {
        queue.waiting.push_back(waiting);
        queue.frame.get_or_insert_with(|| request(next));
    });
    Turn { is_wanted }
}

/// The turn of the first who still wants it.
fn next() {
    let first = QUEUE.with_borrow_mut(|queue| {
        queue.waiting.retain(|waiting| waiting.is_wanted.get());
        let first = queue.waiting.pop_front();
        let rest = !queue.waiting.is_empty();
        // The frame that runs now is replaced, and dropped after it has run.
        (first, std::mem::replace(&mut queue.frame, rest.then(|| request(next))))
    });
    if let (Some(first), _frame) = first {
        (first.draw)();
    }
}
