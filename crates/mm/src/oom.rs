//! Nothing left: the OOM killer (7.2 mm/page_alloc.c: __alloc_pages_may_oom; mm/oom_kill.c:
//! select_bad_process, oom_badness, oom_kill_process).
//!
//! One task at a time has the kernel look for a victim; while one is dying the others sleep a tick
//! and try again. The victim is the task with the most anonymous memory, with all that share it; it
//! ends when it notices, and gives its memory back by the same way as any task that ends.

use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Kind, State, Step};
use units::TaskId;

/// A kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kill {
    /// The task that was chosen.
    pub victim: TaskId,
    /// The task that ran out of memory.
    pub by: TaskId,
    /// Its anonymous pages.
    pub rss: u64,
    /// The cgroup whose limit it was about.
    pub memcg: Option<u16>,
}

impl Machine {
    /// Whether a task still runs, or will.
    fn lives(&self, id: TaskId) -> bool {
        let task = &self.tasks[id.index()];
        matches!(task.kind, Kind::Task(_)) && task.step != Step::Ended
    }

    /// Whether a task's anonymous memory, if it has any, is charged to a cgroup.
    fn is_in(&self, id: TaskId, memcg: Option<u16>) -> bool {
        let Some(memcg) = memcg else { return true };
        let regions = self.regions_of(id);
        let mut classes = regions.iter().flat_map(|&r| &self.layout.regions[r as usize].classes);
        classes.any(|&(class, _)| self.pages.class(class).config.memcg == memcg)
    }

    /// The task to kill: the one with the most anonymous memory, the first of several.
    fn select_bad_process(&self, memcg: Option<u16>) -> Option<(TaskId, u64)> {
        let all = (0..self.tasks.len() as u32).map(TaskId);
        let candidates = all.filter(|&t| self.lives(t) && self.is_in(t, memcg));
        candidates.map(|t| (t, self.rss(t))).max_by_key(|&(t, rss)| (rss, u32::MAX - t.0))
    }
}

impl<O: Observer> Sim<'_, O> {
    /// Reclaim and all retries were in vain: somebody dies, unless somebody is dying; then the task
    /// sleeps a tick and tries again.
    pub(crate) fn out_of_memory(&mut self, id: TaskId, memcg: Option<u16>) -> Flow {
        if self.give_up(id) {
            return Flow::GoOn;
        }
        let dying = |m: &Machine, t: TaskId| m.tasks[t.index()].job.killed && m.lives(t);
        let one_dies = (0..self.m.tasks.len() as u32).map(TaskId).any(|t| dying(self.m, t));
        if !one_dies && let Some((victim, rss)) = self.m.select_bad_process(memcg) {
            self.m.vmstat.oom_kill += 1;
            if let Some(memcg) = memcg {
                self.m.memcgs[usize::from(memcg)].oom_kill += 1;
            }
            for task in self.m.same_mm(victim) {
                self.m.kill(task);
            }
            let now = self.now();
            self.observer.oom_kill(now, &Kill { victim, by: id, rss, memcg });
        }
        let tick = self.schedule_timeout(self.m.config.jiffy);
        self.sleep(id, State::Throttled, Some(tick), Step::OomSlept)
    }

    /// The tick is over: the task gives up if it is the victim, else it looks for memory again.
    pub(crate) fn oom_slept(&mut self, id: TaskId) -> Flow {
        if !self.give_up(id) {
            self.m.tasks[id.index()].step = Step::Alloc;
        }
        Flow::GoOn
    }
}
