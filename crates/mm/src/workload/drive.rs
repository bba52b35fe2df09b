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
            draws: (0..config.tasks().into())
                .map(|r| Stream::new(config.seed, "drive", r))
                .collect(),
            exponential: Arc::new(Exponential::default()),
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
}
