//! How a run is looked at: where the time cursor stands.

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// A time that was chosen, in nanoseconds; none follows the newest.
    pub cursor: Option<u64>,
    /// The time under the pointer, while it is over a timeline.
    pub hover: Option<u64>,
}

/// What can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewAction {
    /// A time was chosen, or the newest is to be followed.
    Cursor(Option<u64>),
    /// The pointer stands over a time, or left the timelines.
    Hover(Option<u64>),
}

impl View {
    /// Changes it.
    pub fn reduce(&mut self, action: ViewAction) {
        match action {
            ViewAction::Cursor(time) => self.cursor = time,
            ViewAction::Hover(time) => self.hover = time,
        }
    }

    /// The time to show: under the pointer, else chosen, as far as there is something to show; else
    /// the one that follows the run.
    #[must_use]
    pub fn time(&self, newest_ns: u64, following_ns: u64) -> u64 {
        self.hover.or(self.cursor).map_or(following_ns, |time| time.min(newest_ns))
    }
}
