//! Drives: a few channels each, first come first served, a service time that is partly random.

use crate::config::Config;
use catalog::ConstantId;
use engine::Stream;
use engine::dist::Exponential;
use std::sync::Arc;
use units::{SimDuration, SimTime};

/// All drives. The time at which a read will be done is known when it is submitted, since a channel
/// serves in order and reads are submitted at their events' own times; nobody needs to be told.
#[derive(Clone, Debug)]
pub struct Drives {
    /// When each channel is free again.
    free_at: Vec<SimTime>,
    channels: u64,
    count: u32,
    fixed: u64,
    random: u64,
    latency: SimDuration,
    /// Pages of one window, and the least time for a shorter read.
    window: u64,
    short: u64,
    draws: Vec<Stream>,
    exponential: Arc<Exponential>,
}

impl Drives {
    /// Idle drives.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let channels = config.ledger.get(ConstantId::DriveChannels);
        let share = config.ledger.get(ConstantId::DriveRandomShare);
        let service = config.drives.service.as_nanos();
        Self {
            free_at: vec![SimTime::ZERO; config.drives.count as usize * channels as usize],
            channels,
            count: config.drives.count,
            fixed: service * (1_000 - share) / 1_000,
            random: service * share / 1_000,
            latency: config.drives.latency,
            window: config.ledger.get(ConstantId::ReadAheadWindow).max(1),
            short: config.ledger.get(ConstantId::ShortRead).min(service),
            draws: (0..=config.tasks().into())
                .map(|r| Stream::new(config.seed, "drive", r))
                .collect(),
            exponential: Arc::new(Exponential::default()),
        }
    }

    /// Draws anew from now on.
    pub(crate) fn reseed(&mut self, seed: u64) {
        for (reader, draws) in self.draws.iter_mut().enumerate() {
            *draws = Stream::new(seed, "drive", reader as u64);
        }
    }

    /// Task `reader` submits the read of one window; returns when it will be done.
    ///
    /// Each task draws from its own stream, so that its n-th read takes the same service time
    /// whatever the others do.
    #[inline]
    pub fn submit(&mut self, now: SimTime, reader: u32) -> SimTime {
        let draws = &mut self.draws[reader as usize];
        let drive = u64::from(reader % self.count);
        let channel = (drive * self.channels + draws.below(self.channels)) as usize;
        let service = self.fixed + self.exponential.draw(draws, self.random);
        let done = self.free_at[channel].max(now) + SimDuration::from_nanos(service);
        self.free_at[channel] = done;
        done + self.latency
    }

    /// The same for any number of pages: a longer read takes proportionally longer, a shorter one
    /// too, down to what any request takes.
    pub fn submit_pages(&mut self, now: SimTime, task: u32, pages: u32) -> SimTime {
        let draws = &mut self.draws[task as usize];
        let drive = u64::from(task % self.count);
        let channel = (drive * self.channels + draws.below(self.channels)) as usize;
        let (fixed, random) = (self.fixed * u64::from(pages), self.random * u64::from(pages));
        let service = fixed / self.window + self.exponential.draw(draws, random / self.window);
        let service = SimDuration::from_nanos(service.max(self.short));
        let done = self.free_at[channel].max(now) + service;
        self.free_at[channel] = done;
        done + self.latency
    }
}
