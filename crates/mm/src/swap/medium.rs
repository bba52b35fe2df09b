//! What swap devices are made of: how long a page takes to be written and read, and what it costs
//! in memory.
//!
//! A synchronous medium (zram, pmem) works in the caller's context, and the page is free when the
//! call returns. An asynchronous one serves in channels, first come first served; the page stays
//! under writeback until it is done (7.2 mm/page_io.c: swap_writeout, SWP_SYNCHRONOUS_IO). What
//! zram stores takes pages of memory again (drivers/block/zram, mm/zsmalloc.c).

use engine::Stream;
use engine::dist::Exponential;
use units::{SimDuration, SimTime};

/// A medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediumConfig {
    /// Whether it works in the caller's context.
    pub synchronous: bool,
    /// Of a synchronous one the caller's time for a page, of others a channel's.
    pub write: SimDuration,
    /// The same for reading a page.
    pub read: SimDuration,
    /// The part of a request's time that does not wait in a channel.
    pub latency: SimDuration,
    /// Requests that are served at a time.
    pub channels: u32,
    /// What a stored page takes of memory, in thousandths of a page; 0 if it is stored elsewhere.
    pub stored_per_mille: u32,
}

/// A medium at work.
#[derive(Clone, Debug)]
pub struct Medium {
    /// What it is.
    pub config: MediumConfig,
    free_at: Vec<SimTime>,
    /// How much of a request's service is random, in thousandths.
    random: u64,
    draws: Stream,
}

impl Medium {
    /// An idle one; `random` thousandths of its service times are exponentially distributed.
    #[must_use]
    pub fn new(config: MediumConfig, random: u64, seed: u64, number: u64) -> Self {
        let channels = config.channels.max(1) as usize;
        let draws = Stream::new(seed, "swap.medium", number);
        Self { config, free_at: vec![SimTime::ZERO; channels], random, draws }
    }

    /// A page is submitted; says when it will be done. The channel that is free first takes it.
    pub fn submit(&mut self, now: SimTime, write: bool, spread: &Exponential) -> SimTime {
        let service = if write { self.config.write } else { self.config.read }.as_nanos();
        let random = service * self.random / 1_000;
        let service = service - random + spread.draw(&mut self.draws, random);
        let first = self.free_at.iter_mut().min().expect("a medium has a channel");
        *first = (*first).max(now) + SimDuration::from_nanos(service);
        *first + self.config.latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_queue_for_channels() {
        let config = MediumConfig {
            synchronous: false,
            write: SimDuration::from_micros(100),
            read: SimDuration::from_micros(50),
            latency: SimDuration::from_micros(10),
            channels: 2,
            stored_per_mille: 0,
        };
        let spread = Exponential::default();
        let mut medium = Medium::new(config, 500, 1, 0);
        let last = (0..1_000).map(|_| medium.submit(SimTime::ZERO, true, &spread)).max();
        let millis = last.expect("some").as_nanos() / 1_000_000;
        assert!(millis.abs_diff(50) < 3, "{millis}");
    }
}
