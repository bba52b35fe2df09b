//! Shadow entries: what is remembered of an evicted page (7.2 mm/workingset.c: pack_shadow).
//!
//! Pages of a class that were evicted after each other, from one node and in one state, are one
//! run. Runs are bounded: when there are too many the oldest is forgotten, and its pages come back
//! as if they had never been there.

use std::collections::VecDeque;

/// Runs that a class keeps at most.
const RUNS_MAX: usize = 2_048;
/// Runs that are looked back for one that pages of a class used at random can join.
const RECENT: usize = 16;
/// Pages of a run, at most: this part of the class.
const RUN_SHARE: u64 = 512;

/// Pages of a run of a class that grows, at most.
const ROUGH_RUN: u64 = 64;

/// What a page leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// nonresident_age of its lruvec when it was evicted.
    pub age: u64,
    /// Under MGLRU the generation that it was evicted from.
    pub seq: u64,
    /// The node.
    pub node: u8,
    /// The memory cgroup.
    pub memcg: u16,
    /// Whether it had the workingset mark.
    pub workingset: bool,
    /// Its tier (MGLRU).
    pub tier: u8,
    /// Whether it stands on a swap device.
    pub swapped: bool,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    shadow: Shadow,
    count: u64,
    /// Position of the first page, of a loop.
    at: u64,
}

/// The shadows of a class.
#[derive(Clone, Debug)]
pub struct Shadows {
    runs: VecDeque<Run>,
    count: u64,
    run_max: u64,
}

impl Shadows {
    /// None yet, of a class of so many pages.
    #[must_use]
    pub fn new(pages: u64) -> Self {
        Self { runs: VecDeque::new(), count: 0, run_max: (pages / RUN_SHARE).max(1) }
    }

    /// None yet, of a class that grows: times are remembered no finer than this.
    #[must_use]
    pub fn rough() -> Self {
        Self { runs: VecDeque::new(), count: 0, run_max: ROUGH_RUN }
    }

    /// How many pages are remembered.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Pages were evicted; `at` is the first one's position in a loop.
    pub fn push(&mut self, shadow: Shadow, count: u64, at: Option<u64>) {
        self.count += count;
        let same = |run: &Run| Shadow { age: 0, ..run.shadow } == Shadow { age: 0, ..shadow };
        match at {
            // Ages go up by one a page, as they do along the run.
            Some(at) => {
                if let Some(last) = self.runs.back_mut()
                    && same(last)
                    && last.at + last.count == at
                    && last.shadow.age + last.count == shadow.age
                {
                    last.count += count;
                    return;
                }
            }
            // Nodes and states take turns: the run that this one belongs to is not far back.
            None => {
                let run_max = self.run_max;
                let mut recent = self.runs.iter_mut().rev().take(RECENT);
                if let Some(run) = recent.find(|run| same(run))
                    && run.count + count <= run_max
                {
                    let gap = shadow.age.saturating_sub(run.shadow.age);
                    run.shadow.age += gap * count / (run.count + count);
                    run.count += count;
                    return;
                }
            }
        }
        self.runs.push_back(Run { shadow, count, at: at.unwrap_or(0) });
        if self.runs.len() > RUNS_MAX
            && let Some(oldest) = self.runs.pop_front()
        {
            match self.runs.front_mut() {
                // A page on swap is never forgotten: its run joins the next one.
                Some(next) if oldest.shadow.swapped && next.shadow.swapped => {
                    next.count += oldest.count;
                }
                _ => self.count -= oldest.count,
            }
        }
    }

    /// Takes the shadow of the page that is number `at` of those that are missing, those that are
    /// remembered first; `None` when it is not remembered.
    pub fn take(&mut self, at: u64) -> Option<Shadow> {
        self.take_some(at, 1)
    }

    /// Takes that one and those of the same run with it, `most` in all.
    pub fn take_some(&mut self, at: u64, most: u64) -> Option<Shadow> {
        if at >= self.count {
            return None;
        }
        let mut at = at;
        let number = self.runs.iter().position(|run| {
            let found = at < run.count;
            if !found {
                at -= run.count;
            }
            found
        })?;
        let run = &mut self.runs[number];
        let gone = most.min(run.count);
        self.count -= gone;
        run.count -= gone;
        let shadow = run.shadow;
        if run.count == 0 {
            self.runs.remove(number);
        }
        Some(shadow)
    }

    /// Takes the shadow of the page of a loop that stands at this position.
    pub fn take_position(&mut self, at: u64) -> Option<Shadow> {
        let number = self.runs.iter().position(|run| (run.at..run.at + run.count).contains(&at))?;
        let run = self.runs[number];
        let before = at - run.at;
        let after = run.count - before - 1;
        self.count -= 1;
        self.runs.remove(number);
        if after > 0 {
            let age = run.shadow.age + before + 1;
            let rest = Run { shadow: Shadow { age, ..run.shadow }, count: after, at: at + 1 };
            self.runs.insert(number, rest);
        }
        if before > 0 {
            self.runs.insert(number, Run { count: before, ..run });
        }
        Some(Shadow { age: run.shadow.age + before, ..run.shadow })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aged(age: u64) -> Shadow {
        Shadow { age, ..Shadow::default() }
    }

    #[test]
    fn a_run_has_the_mean_age_of_its_pages() {
        let mut shadows = Shadows::new(51_200);
        shadows.push(aged(1_000), 30, None);
        shadows.push(aged(1_100), 30, None);
        assert_eq!((shadows.count(), shadows.runs.len()), (60, 1));
        assert_eq!(shadows.take(0), Some(aged(1_050)));
        shadows.push(aged(2_000), 90, None);
        assert_eq!(shadows.take(59), Some(aged(2_000)));
        assert_eq!(shadows.take(148), None);
    }

    #[test]
    fn a_loops_shadows_are_found_by_position_with_their_age() {
        let mut shadows = Shadows::new(100);
        shadows.push(aged(500), 10, Some(20));
        shadows.push(aged(510), 10, Some(30));
        assert_eq!(shadows.runs.len(), 1);
        assert_eq!(shadows.take_position(25), Some(aged(505)));
        assert_eq!(shadows.take_position(25), None);
        assert_eq!(shadows.take_position(39), Some(aged(519)));
        assert_eq!(shadows.take_position(20), Some(aged(500)));
        assert_eq!(shadows.count(), 17);
    }

    #[test]
    fn too_many_runs_forget_the_oldest() {
        let mut shadows = Shadows::new(1_000_000);
        for i in 0..RUNS_MAX as u64 + 5 {
            // Of many states, so that none is near.
            shadows.push(Shadow { seq: i % 50, ..aged(i) }, 2, None);
        }
        assert_eq!(shadows.runs.len(), RUNS_MAX);
        assert_eq!(shadows.count(), 2 * RUNS_MAX as u64);
        assert_eq!(shadows.take(0), Some(Shadow { seq: 5, ..aged(5) }));
    }
}
