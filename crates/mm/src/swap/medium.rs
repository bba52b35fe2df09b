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
    /// Writes of an asynchronous one that may be under way at a time: whoever wants to write more
    /// sleeps first (block/blk-wbt.c: wbt_wait); 0 for any number.
    pub writes: u32,
    /// What a stored page takes of memory, in thousandths of a page; 0 if it is stored elsewhere.
    pub stored_per_mille: u32,
}

/// A medium at work.
#[derive(Clone, Debug)]
pub struct Medium {
    /// What it is.
    pub config: MediumConfig,
    free_at: Vec<SimTime>,
    /// When the writes that are under way are done, where they are counted.
    writing: Vec<SimTime>,
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
        Self { config, free_at: vec![SimTime::ZERO; channels], writing: Vec::new(), random, draws }
    }

    /// Until when whoever wants to write has to sleep, if as many writes are under way as may be.
    pub fn full_until(&mut self, now: SimTime) -> Option<SimTime> {
        self.writing.retain(|done| *done > now);
        let full = self.config.writes > 0 && self.writing.len() >= self.config.writes as usize;
        if full { self.writing.iter().min().copied() } else { None }
    }

    /// Draws anew from now on.
    pub(crate) fn reseed(&mut self, seed: u64, number: u64) {
        self.draws = Stream::new(seed, "swap.medium", number);
    }

    /// A page is submitted; says when it will be done. The channel that is free first takes it.
    pub fn submit(&mut self, now: SimTime, write: bool, spread: &Exponential) -> SimTime {
        let service = if write { self.config.write } else { self.config.read }.as_nanos();
        let random = service * self.random / 1_000;
        let service = service - random + spread.draw(&mut self.draws, random);
        let first = self.free_at.iter_mut().min().expect("a medium has a channel");
        *first = (*first).max(now) + SimDuration::from_nanos(service);
        let done = *first + self.config.latency;
        if write && self.config.writes > 0 {
            self.writing.push(done);
        }
        done
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
            writes: 0,
            stored_per_mille: 0,
        };
        let spread = Exponential::default();
        let mut medium = Medium::new(config, 500, 1, 0);
        let last = (0..1_000).map(|_| medium.submit(SimTime::ZERO, true, &spread)).max();
        let millis = last.expect("some").as_nanos() / 1_000_000;
        assert!(millis.abs_diff(50) < 3, "{millis}");
    }

    #[test]
    fn only_so_many_writes_are_under_way() {
        let config = MediumConfig {
            synchronous: false,
            write: SimDuration::from_micros(100),
            read: SimDuration::from_micros(50),
            latency: SimDuration::ZERO,
            channels: 4,
            writes: 2,
            stored_per_mille: 0,
        };
        let (spread, now) = (Exponential::default(), SimTime::ZERO);
        let mut medium = Medium::new(config, 0, 1, 0);
        for _ in 0..2 {
            assert_eq!(medium.full_until(now), None);
            medium.submit(now, true, &spread);
        }
        medium.submit(now, false, &spread);
        let done = now + SimDuration::from_micros(100);
        assert_eq!((medium.full_until(now), medium.full_until(done)), (Some(done), None));
    }
}
