//! The part of a run that the timelines show.

use super::run::Run;
use super::view::View;

/// The shortest part of a run that timelines show, as a fraction: some ten samples.
const SPANS_MAX: u64 = 60;

impl View {
    /// The part of the run that the timelines show.
    #[must_use]
    pub fn span(&self, run: &Run) -> (u64, u64) {
        let end = run.header.as_ref().map_or(1, |header| header.end_ns.max(1));
        // Of a window that was chosen in a longer run the end may be beyond.
        self.window.filter(|(_, to)| *to <= end).unwrap_or((0, end))
    }

    pub(super) fn show(&mut self, window: Option<(u64, u64)>, run: &Run) {
        let end = run.header.as_ref().map_or(1, |header| header.end_ns.max(1));
        self.window = window.and_then(|(from, to)| {
            let least = (end / SPANS_MAX).max(1);
            let span = to.saturating_sub(from).max(least);
            let from = from.min(end.saturating_sub(span));
            (span < end).then_some((from, from + span))
        });
    }

    pub(super) fn zoom(&mut self, nearer: bool, run: &Run) {
        let (from, to) = self.span(run);
        let span = to - from;
        // The cursor stays at its place; one that is not shown does not count.
        let at = self.spot(run).time_ns();
        let at = if (from..=to).contains(&at) { at } else { from + span / 2 };
        let share = |part: u64| if nearer { part / 2 } else { part * 2 };
        let begin = at.saturating_sub(share(at - from));
        self.show(Some((begin, begin.saturating_add(share(span)))), run);
    }

    pub(super) fn pan(&mut self, forth: bool, run: &Run) {
        let (from, to) = self.span(run);
        let by = (to - from) / 2;
        let begin = if forth { from + by } else { from.saturating_sub(by) };
        self.show(Some((begin, begin + (to - from))), run);
    }
}
