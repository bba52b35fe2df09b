//! The benchmark's models as a wasm module, for `wasm_bench.mjs`, which builds and runs it:
//! `node crates/engine/examples/wasm_bench.mjs`.
//!
//! Exports: `prepare(case)` starts a case by its number in the table of cases (0 when there is
//! none), `run(events)` fires so many more events and returns the digest so far.

#![allow(unsafe_code, reason = "an export needs its plain name, which the compiler cannot check")]

#[path = "../benches/queue/models.rs"]
mod models;

use models::{CASES, start};
use std::cell::RefCell;

type Run = Box<dyn FnMut(u64) -> u64>;

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

/// Starts case number `case`; returns 0 when there is no such case, else 1.
#[unsafe(no_mangle)]
pub extern "C" fn prepare(case: u32) -> u32 {
    let run = CASES.get(case as usize).map(|&(_, kind)| start(kind));
    let found = u32::from(run.is_some());
    RUN.set(run);
    found
}

/// Fires `events` more events and returns the digest so far; 0 when nothing was prepared.
#[unsafe(no_mangle)]
pub extern "C" fn run(events: u64) -> u64 {
    RUN.with_borrow_mut(|run| run.as_mut().map_or(0, |run| run(events)))
}
