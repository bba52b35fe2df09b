//! Animation frames, and turns in them for what need not all be drawn in the same one.

use gloo::render::AnimationFrame;
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
