//! Where a loop stands, and which of its positions are resident.

use std::collections::VecDeque;

/// A loop over so many positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Cycle {
    /// Number of the next use; its position is this modulo the length.
    pub(super) next: u64,
    /// Runs of resident positions, `start..end`, in order and apart.
    pub(super) resident: VecDeque<(u64, u64)>,
}

impl Cycle {
    /// How many positions in a row, `most` at most, are used that are all resident, or all not; the
    /// loop stands behind them.
    pub(super) fn step_run(&mut self, len: u64, resident: bool, most: u64) -> u64 {
        let mut count = 0;
        while count < most {
            let at = self.next % len;
            let runs = &self.resident;
            let after = runs.partition_point(|run| run.0 <= at);
            let own = after.checked_sub(1).map(|i| runs[i]).filter(|run| at < run.1);
            let end = match own {
                Some(run) => run.1,
                None => runs.get(after).map_or(len, |run| run.0),
            };
            if own.is_some() != resident {
                break;
            }
            let step = (end - at).min(most - count);
            self.next += step;
            count += step;
        }
        count
    }

    /// The pages that `count` uses from number `first` on asked for are resident.
    pub(super) fn insert(&mut self, len: u64, first: u64, count: u64) {
        self.each_part(len, first, count, Self::insert_part);
    }

    /// The runs of what `count` uses from number `first` on asked for that are resident: the number
    /// of the first use, and how many.
    pub(super) fn within(&self, len: u64, first: u64, count: u64) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let (mut number, mut left) = (first, count);
        while left > 0 {
            let at = number % len;
            let part = left.min(len - at);
            let begin = self.resident.partition_point(|run| run.1 <= at);
            for &(start, end) in self.resident.range(begin..) {
                if start >= at + part {
                    break;
                }
                let (start, end) = (start.max(at), end.min(at + part));
                found.push((number + start - at, end - start));
            }
            number += part;
            left -= part;
        }
        found
    }

    /// They are resident no more.
    pub(super) fn remove(&mut self, len: u64, first: u64, count: u64) {
        self.each_part(len, first, count, Self::remove_part);
    }

    /// Calls `what` with the parts of a run that do not go round the end.
    fn each_part(&mut self, len: u64, first: u64, count: u64, what: fn(&mut Self, u64, u64)) {
        let (mut at, mut left) = (first % len, count);
        while left > 0 {
            let part = left.min(len - at);
            what(self, at, at + part);
            left -= part;
            at = 0;
        }
    }

    fn insert_part(&mut self, start: u64, end: u64) {
        let runs = &mut self.resident;
        let at = runs.partition_point(|run| run.0 < start);
        if at > 0 && runs[at - 1].1 == start {
            runs[at - 1].1 = end;
            if at < runs.len() && runs[at].0 == end {
                runs[at - 1].1 = runs[at].1;
                runs.remove(at);
            }
        } else if at < runs.len() && runs[at].0 == end {
            runs[at].0 = start;
        } else {
            runs.insert(at, (start, end));
        }
    }

    fn remove_part(&mut self, start: u64, end: u64) {
        let runs = &mut self.resident;
        let mut at = runs.partition_point(|run| run.1 <= start);
        while at < runs.len() && runs[at].0 < end {
            let (s, e) = runs[at];
            match (s < start, e > end) {
                (true, true) => {
                    runs[at].1 = start;
                    runs.insert(at + 1, (end, e));
                    return;
                }
                (true, false) => {
                    runs[at].1 = start;
                    at += 1;
                }
                (false, true) => {
                    runs[at].0 = end;
                    return;
                }
                (false, false) => {
                    runs.remove(at);
                }
            }
        }
    }
}
