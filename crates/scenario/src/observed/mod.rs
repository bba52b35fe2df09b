//! What a real kernel did, from text: samples of its counters, and events of its tracing.
//!
//! * [`Samples::parse`]: `vmstat 1`, `/proc/vmstat` printed again and again, or a CSV with a column
//!   `t_ms` and kernel counters.
//! * [`Events::parse`]: ftrace text, or what `trace-cmd report` and `perf script` print.
//!
//! * [`Results::parse`]: what mmtests, fio or cassandra-stress printed.
//!
//! What cannot be read is a [`Problem`] with its line; the rest is kept. Texts are bounded before
//! they are read, and nothing of them is kept but numbers and names.

mod results;
mod trace;
mod vmstat;

pub use results::{Figure, Results};
pub use trace::{Event, Events};
pub use vmstat::{Samples, Shape};

use crate::problem::Problem;
use core::fmt;

/// The longest text that is read, in bytes.
pub const SIZE_MAX: usize = 16 << 20;
/// How many problems of one text are told one by one.
const PROBLEMS_MAX: usize = 20;

/// Why a text could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is longer than [`SIZE_MAX`]: this many bytes.
    TooLong(usize),
    /// No whole sample is in it; the line with which it begins.
    NoSample(String),
    /// No event is in it; the line with which it begins.
    NoEvent(String),
    /// No result is in it; the line with which it begins.
    NoResult(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => {
                write!(f, "the text has {bytes} bytes; at most {SIZE_MAX} are read")
            }
            Self::NoSample(first) => write!(
                f,
                "line 1: no two samples are in the text: it must be `vmstat 1`, /proc/vmstat printed \
                 more than once, or a CSV with a column t_ms; it begins with {first}"
            ),
            Self::NoEvent(first) => write!(
                f,
                "line 1: no event is in the text: one looks like `kswapd0-74 [000] ..... 286.557927: \
                 mm_vmscan_kswapd_wake: nid=0 order=0`; it begins with {first}"
            ),
            Self::NoResult(first) => write!(
                f,
                "line 1: no result is in the text: a row is as mmtests (`Hmean`, `Amean`), fio \
                 (`READ: bw=`, percentiles) or cassandra-stress (`Op rate`) print it; it begins \
                 with {first}"
            ),
        }
    }
}

impl core::error::Error for ReadError {}

/// Problems of one text, bounded.
#[derive(Debug, Default)]
struct Said {
    problems: Vec<Problem>,
    more: usize,
}

impl Said {
    fn push(&mut self, line: usize, sentence: impl Into<String>) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(Problem::new(format!("line {line}"), sentence));
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self) -> Vec<Problem> {
        if self.more > 0 {
            let sentence = format!("{} more problems are not listed", self.more);
            self.problems.push(Problem::new("text", sentence));
        }
        self.problems
    }
}

#[cfg(test)]
mod tests;
