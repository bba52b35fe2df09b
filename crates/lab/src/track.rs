//! Checkpoints of a run, so that any instant of it is had again exactly and soon.
//!
//! A checkpoint is a clone of the run without its recorder: chunks of lists that have not changed
//! are shared. One is kept every so many events; when they take too much memory, every second one
//! goes, and they are kept at twice the distance from then on.

use crate::run::{Progress, Run};
use std::sync::Arc;
use units::SimTime;

/// Events between two checkpoints at the beginning: some 10 ms of computing.
const EVERY: u64 = 60_000;
/// What all checkpoints of a run may take, in bytes.
pub const BYTES_MAX: u64 = 48 << 20;

/// Where to go in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The state at this time in nanoseconds: all events up to and including it have happened.
    Time(u64),
    /// The state after so many events.
    Events(u64),
}

/// The checkpoints of one run.
#[derive(Clone, Debug)]
pub struct Track {
    points: Vec<(Arc<Run>, u64)>,
    every: u64,
    bytes: u64,
}

impl Track {
    /// Checkpoints of a run that is at its beginning.
    #[must_use]
    pub fn new(run: &Run) -> Self {
        let mut track = Self { points: Vec::new(), every: EVERY, bytes: 0 };
        track.keep(run);
        track
    }

    /// Takes a checkpoint if one is due. To be called between two slices of the run.
    pub fn note(&mut self, run: &Run) {
        let last = self.points.last().map_or(0, |(point, _)| point.events());
        if run.events() >= last + self.every {
            self.keep(run);
            while self.bytes > BYTES_MAX && self.points.len() > 2 {
                self.thin();
            }
        }
    }

    /// The run at a place, not recording; a place after `newest` is that of `newest`. `here` is a
    /// run that may be nearer than any checkpoint.
    #[must_use]
    pub fn seek(&self, place: Place, newest: &Run, here: Option<Run>) -> Run {
        let is_before = |run: &Run| match place {
            Place::Time(ns) => run.machine().now().as_nanos() <= ns,
            Place::Events(events) => run.events() <= events,
        };
        let number = self.points.partition_point(|(point, _)| is_before(point));
        let point = self.points.get(number.saturating_sub(1)).map(|(point, _)| &**point);
        let point = point.unwrap_or(newest);
        let here = here.filter(|here| is_before(here) && here.events() >= point.events());
        let mut run = here.unwrap_or_else(|| point.clone());
        let is_over = *newest.progress() != Progress::Running;
        let events = match place {
            // The end of a run lies after its last event.
            Place::Time(_) if is_over => u64::MAX,
            Place::Time(_) => newest.events(),
            Place::Events(events) => events.min(newest.events()),
        };
        let until = match place {
            Place::Time(ns) => SimTime::from_nanos(ns),
            Place::Events(_) => SimTime::MAX,
        };
        let left = events.saturating_sub(run.events());
        run.advance_until(until, left);
        run
    }

    /// The checkpoints up to a run that goes its own way from there.
    #[must_use]
    pub fn until(&self, run: &Run) -> Self {
        let mut track = self.clone();
        track.points.retain(|(point, _)| point.events() <= run.events());
        track.bytes = track.points.iter().map(|(_, bytes)| bytes).sum();
        track
    }

    /// The checkpoints of another future: those up to the instant where it begins, and one there.
    #[must_use]
    pub fn forked(&self, run: &Run) -> Self {
        let mut track = self.until(run);
        track.keep(run);
        track
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there is none; there always is one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// What they take, in bytes, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn keep(&mut self, run: &Run) {
        let point = run.clone().without_recording();
        let bytes = match self.points.last() {
            Some((last, _)) => point.bytes_not_shared_with(last),
            // All of the first is its own: its chunks are shared with nobody else.
            None => point.bytes_not_shared_with(&point),
        };
        self.bytes += bytes;
        self.points.push((Arc::new(point), bytes));
    }

    /// Drops every second checkpoint, but not the first.
    fn thin(&mut self) {
        self.every = self.every.saturating_mul(2);
        let mut number = 0;
        self.points.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        let mut bytes = 0;
        for n in 0..self.points.len() {
            if n > 0 {
                let (before, after) = self.points.split_at_mut(n);
                after[0].1 = after[0].0.bytes_not_shared_with(&before[n - 1].0);
            }
            bytes += self.points[n].1;
        }
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::ControlId;
    use scenario::{PRESETS, Scenario};

    fn run(preset: &str, duration_ms: i64, seed: i64) -> Run {
        let mut scenario = Scenario::preset(preset).unwrap();
        scenario.set(ControlId::Warmup, 20_000_000).unwrap();
        scenario.set(ControlId::Duration, duration_ms * 1_000_000).unwrap();
        scenario.set(ControlId::Seed, seed).unwrap();
        Run::prepare(&scenario).unwrap()
    }

    /// Runs to the end as the worker does.
    fn tracked(mut run: Run, every: u64) -> (Run, Track) {
        let mut track = Track::new(&run);
        track.every = every;
        while run.advance(every / 2 + 1) == Progress::Running {
            run.take_rows();
            track.note(&run);
        }
        (run, track)
    }

    fn random(state: &mut u64) -> u64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn any_instant_is_that_of_a_straight_run() {
        let soak = std::env::var_os("RECLAIMSCOPE_SOAK").is_some();
        let (scenarios, points) = if soak { (20, 200) } else { (3, 4) };
        let mut state = 7;
        for n in 0..scenarios {
            let preset = PRESETS[n % PRESETS.len()].name;
            let start = || run(preset, 30, 1 + n as i64);
            let (end, track) = tracked(start(), 5_000);
            assert!(track.len() > 2 || end.events() < 15_000, "{preset}: {}", track.len());
            let mut here = None;
            for _ in 0..points {
                let ns = random(&mut state) % end.time_ns();
                let events = random(&mut state) % end.events();
                for place in [Place::Time(ns), Place::Events(events)] {
                    let seen = track.seek(place, &end, here.take());
                    let mut straight = start();
                    match place {
                        Place::Time(ns) => {
                            straight.advance_until(SimTime::from_nanos(ns), u64::MAX);
                        }
                        Place::Events(events) => drop(straight.advance(events)),
                    }
                    assert_eq!(seen.digest(), straight.digest(), "{preset} {place:?}");
                    assert_eq!(seen.events(), straight.events(), "{preset} {place:?}");
                    assert_eq!(seen.view_at(ns), straight.view_at(ns), "{preset} {place:?}");
                    here = Some(seen);
                }
            }
        }
    }

    #[test]
    fn the_end_is_reached_and_nothing_after_it() {
        let (end, track) = tracked(run("tiny", 40, 3), 2_000);
        let seen = track.seek(Place::Time(u64::MAX / 2), &end, None);
        assert_eq!((seen.digest(), seen.time_ns()), (end.digest(), end.time_ns()));
        let seen = track.seek(Place::Events(u64::MAX), &end, None);
        assert_eq!((seen.digest(), seen.events()), (end.digest(), end.events()));
    }

    #[test]
    fn checkpoints_that_take_too_much_are_thinned() {
        let (end, mut track) = tracked(run("tiny", 200, 3), 500);
        let (count, bytes) = (track.len(), track.bytes());
        track.thin();
        assert_eq!(track.len(), count.div_ceil(2));
        assert!(track.bytes() < bytes && track.every == 1_000);
        let ns = end.time_ns() / 2;
        let mut straight = run("tiny", 200, 3);
        straight.advance_until(SimTime::from_nanos(ns), u64::MAX);
        assert_eq!(track.seek(Place::Time(ns), &end, None).digest(), straight.digest());
    }
}
