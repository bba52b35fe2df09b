//! Another future of a run: settings that change at an instant of it.

use crate::lower::lower;
use crate::record::Recorder;
use crate::run::Run;
use catalog::{CONTROLS, ControlId};
use scenario::{Problem, Scenario};

/// What can change while a kernel runs. All else belongs to the machine as it was booted, or to the
/// workload as it was begun.
pub const LIVE: [ControlId; 8] = [
    ControlId::MinFreeKbytes,
    ControlId::WatermarkScaleFactor,
    ControlId::WatermarkBoostFactor,
    ControlId::Policy,
    ControlId::PolicyCounting,
    ControlId::MultiKswapd,
    ControlId::Swappiness,
    ControlId::Steal,
];

impl Run {
    /// This run, going on under another scenario, which differs in what can change while it runs.
    /// Its digest goes on from here: a fork that changes nothing ends as the run itself does.
    /// Latencies are those from here on.
    ///
    /// # Errors
    /// What cannot change any more, or every problem of the scenario.
    pub fn forked(mut self, scenario: &Scenario) -> Result<Self, Vec<Problem>> {
        let old = &self.scenario;
        let is_fixed = |id: &ControlId| !LIVE.contains(id) && old.get(*id) != scenario.get(*id);
        let ids = CONTROLS.iter().map(|control| control.id);
        let fixed: Vec<_> = ids.filter(is_fixed).map(|id| id.control()).collect();
        let mut problems: Vec<Problem> = fixed
            .iter()
            .map(|control| {
                let sentence = format!(
                    "{} cannot change while the machine runs: set it back, or leave the fork",
                    control.label
                );
                Problem::new(control.key, sentence)
            })
            .collect();
        // Whatever else a scenario holds: nodes, swap devices, constants.
        let mut same = scenario.clone();
        for id in LIVE {
            // A value that was set lies in its bounds.
            drop(same.set(id, old.get(id)));
        }
        if problems.is_empty() && same != *old {
            let sentence = "a fork has the machine, the swap devices and the constants of the run \
                            that it leaves";
            problems.push(Problem::new("scenario", sentence));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.machine.take_knobs(&lower(scenario)?);
        self.scenario = scenario.clone();
        self.recorder = Some(Recorder::new(&self.machine, self.time()));
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::{Place, Track};

    fn scenario(sets: &[(&str, &str)]) -> Scenario {
        let mut scenario = Scenario::preset("tiny").unwrap();
        let base = [("readers", "6"), ("kswapds", "3"), ("duration", "200ms")];
        for (key, value) in base.iter().chain(sets) {
            scenario.set_text(key, value).unwrap();
        }
        scenario
    }

    fn at(ms: u64) -> (Run, Run) {
        let mut run = Run::prepare(&scenario(&[])).unwrap();
        let mut track = Track::new(&run);
        while run.advance(5_000) == crate::Progress::Running {
            track.note(&run);
        }
        let here = track.seek(Place::Time(ms * 1_000_000), &run, None);
        (run, here)
    }

    fn ended(mut run: Run) -> Run {
        run.advance(u64::MAX);
        run
    }

    #[test]
    fn a_fork_that_changes_nothing_ends_as_the_run_does() {
        let (run, here) = at(90);
        assert_eq!(ended(here.forked(&scenario(&[])).unwrap()).digest(), run.digest());
    }

    #[test]
    fn a_fork_leaves_the_run_where_it_is_made() {
        let (run, here) = at(90);
        let before = here.digest();
        let changed = scenario(&[("watermark_scale_factor", "500"), ("policy", "single")]);
        let fork = here.forked(&changed).unwrap();
        assert_eq!(fork.digest(), before, "the past is the same");
        let low = |run: &Run| run.machine().zones.iter().map(|zone| zone.marks.low).sum::<u64>();
        assert!(low(&fork) > low(&run));
        let fork = ended(fork);
        assert_ne!(fork.digest(), run.digest());
        assert_eq!(fork.time_ns(), run.time_ns());
        // Back in the fork, what was changed is as it was.
        let (_, here) = at(90);
        let back = here.forked(&changed).unwrap().forked(&scenario(&[])).unwrap();
        assert_eq!(ended(back).digest(), run.digest());
    }

    #[test]
    fn what_was_booted_or_begun_cannot_change() {
        let (_, here) = at(50);
        let problems = here.forked(&scenario(&[("readers", "7"), ("swappiness", "1")]));
        let problems = problems.map(|_| ()).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].sentence.contains("Readers cannot change"), "{problems:?}");
    }
}
