//! How the cursor moves: by steps, to what is looked for, by itself.

use super::run::Run;
use super::view::{Play, SPEEDS, Spot, Step, View};
use chart::words;
use report::moment::Moment;

/// A frame that comes later than this, because the page was hidden, moves the cursor no further.
const TICK_MAX_MS: f64 = 300.0;

impl View {
    pub(super) fn step(&mut self, forth: bool, run: &Run) {
        let spot = self.spot(run);
        match self.step {
            Step::Wakeup => self.jump(Moment::Wake, forth, run),
            Step::Millisecond => {
                let ns = spot.time_ns();
                let next = if forth { ns + 1_000_000 } else { ns.saturating_sub(1_000_000) };
                self.stand(Some(Spot::Time(next.min(run.newest_ns()))), "");
            }
            Step::Event => {
                let by = if forth { 1 } else { -1 };
                let known = match spot {
                    Spot::Events(events, _) => Some(events),
                    Spot::Time(_) => self.exact(run).map(|seen| seen.events),
                };
                let waiting = self.waiting + by;
                match known {
                    Some(events) => {
                        let events = events.saturating_add_signed(by).min(run.events);
                        self.stand(Some(Spot::Events(events, spot.time_ns())), "");
                    }
                    None => {
                        self.stand(Some(spot), "");
                        self.waiting = waiting;
                    }
                }
            }
        }
    }

    pub(super) fn jump(&mut self, moment: Moment, forth: bool, run: &Run) {
        let at = self.spot(run).time_ns();
        let mut of_kind = run.moments.iter().filter(|happened| happened.moment == moment);
        let found = match forth {
            true => of_kind.find(|happened| happened.time_ns > at),
            false => of_kind.rfind(|happened| happened.time_ns < at),
        };
        let name = moment.name();
        match found {
            Some(found) => self.stand(Some(Spot::Time(found.time_ns)), ""),
            None if forth && run.is_busy() => {
                self.said = format!("No {name} after this so far.").into();
            }
            None => {
                let side = if forth { "after" } else { "before" };
                self.said = format!("No {name} {side} this.").into();
            }
        }
    }

    pub(super) fn tick(&mut self, now_ms: f64, run: &Run) {
        let Some(play) = &mut self.play else { return };
        let passed_ms = play.last_ms.map_or(0.0, |last| (now_ms - last).clamp(0.0, TICK_MAX_MS));
        let moved = play.rest_ns + passed_ms * SPEEDS[self.speed].0 as f64 / 1_000.0;
        *play = Play { last_ms: Some(now_ms), rest_ns: moved - moved.floor() };
        let from = self.cursor.map_or(0, Spot::time_ns);
        let newest = run.newest_ns();
        let to = from.saturating_add(moved as u64).min(newest);
        if to == from {
            if from >= newest && !run.is_busy() {
                self.play = None;
            }
            return;
        }
        self.cursor = Some(Spot::Time(to));
        // What is played stays in sight.
        if self.window.is_some_and(|(begin, end)| !(begin..=end).contains(&to)) {
            self.show(self.window.map(|(begin, end)| (to, to + (end - begin))), run);
        }
        self.stop(from, to, run);
    }

    /// Stands where what is looked for happened after `from`, up to `to`.
    pub fn stop(&mut self, from: u64, to: u64, run: &Run) {
        if !self.stops {
            return;
        }
        let is_it = |time_ns: u64| time_ns > from && time_ns <= to;
        let mut of_kind = run.moments.iter().filter(|happened| happened.moment == self.moment);
        if let Some(found) = of_kind.find(|happened| is_it(happened.time_ns)) {
            let clock = words::clock(found.time_ns);
            let said = format!("Stopped at {clock}: {}.", found.moment.name());
            self.stand(Some(Spot::Time(found.time_ns)), &said);
        }
    }
}
