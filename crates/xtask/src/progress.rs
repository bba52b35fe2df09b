//! What the person at the terminal is told while something takes long.
//!
//! Everything goes to standard error, so that standard output carries only results (addresses,
//! sizes, the closing line of the tests).

use std::time::{Duration, Instant};

/// What is being done.
pub(crate) fn say(sentence: &str) {
    eprintln!("[xtask] {sentence}");
}

/// What is not as it should be, though the work goes on.
pub(crate) fn warn(sentence: &str) {
    eprintln!("[xtask] warning: {sentence}");
}

/// Why the work stops.
pub(crate) fn error(sentence: &str) {
    eprintln!("[xtask] error: {sentence}");
}

/// Time since a piece of work began.
pub(crate) struct Watch(Instant);

impl Watch {
    /// Begins now.
    #[expect(
        clippy::disallowed_methods,
        reason = "tells a person how long a build took; no result depends on it"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// `4.2 s` or `2 min 05 s`.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 100 {
        return format!("{}.{} s", seconds, time.subsec_millis() / 100);
    }
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(in_words(Duration::from_millis(4_260)), "4.2 s");
        assert_eq!(in_words(Duration::from_millis(99_999)), "99.9 s");
        assert_eq!(in_words(Duration::from_secs(125)), "2 min 05 s");
    }
}
