//! Other draws from one state on: replications that share what happened before them.

use crate::machine::Machine;
use crate::task::Kind;
use engine::Stream;
use std::sync::Arc;

impl Machine {
    /// From now on everything is drawn as under another seed. What has happened stays, and so does
    /// what is under way.
    pub fn reseed(&mut self, seed: u64) {
        Arc::make_mut(&mut self.config).seed = seed;
        self.lru_draws = Stream::new(seed, "lru", 0);
        self.file_draws = Stream::new(seed, "reclaim.file", 0);
        self.wake_draws = Stream::new(seed, "wake", 0);
        self.fragmentation_draws = Stream::new(seed, "page_alloc.fragmentation", 0);
        self.drives.reseed(seed);
        for task in &mut self.tasks {
            if let Kind::Task(number) = task.kind {
                task.job.reseed(seed, number.into());
            }
        }
        if let Some(swap) = &mut self.swap {
            swap.reseed(seed);
        }
    }
}
