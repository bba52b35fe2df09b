//! What swap devices are made of: how long a page takes to be written and read, and what it costs
//! in memory.
//!
//! A synchronous medium (zram, pmem) works in the caller's context, and the page is free when the
//! call returns. An asynchronous one serves in channels, first come first served; the page stays
//! under writeback until it is done (7.2 mm/page_io.c: swap_writeout, SWP_SYNCHRONOUS_IO). Pages
//! that a task writes to adjacent slots go in one request (block/blk-merge.c: attempts at a plug).
//! What zram stores takes pages of memory again (drivers/block/zram, mm/zsmalloc.c).

use engine::Stream;
use engine::dist::Exponential;
use units::{SimDuration, SimTime, TaskId};

/// Most pages of a request that adjacent pages join: a slice of reclaim, 128 KiB.
const REQUEST_MAX: u32 = 32;

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
    /// What each further page of a request adds to its service.
    pub more: SimDuration,
    /// Requests that are served at a time.
    pub channels: u32,
    /// Writes of an asynchronous one that may be under way at a time: whoever wants to write more
    /// sleeps first (block/blk-wbt.c: wbt_wait); 0 for any number.
    pub writes: u32,
    /// What a stored page takes of memory, in thousandths of a page; 0 if it is stored elsewhere.
    pub stored_per_mille: u32,
}

impl MediumConfig {
    /// What a stored page takes of memory, in bytes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        u64::from(self.stored_per_mille) * units::PAGE_SIZE / 1_000
    }

    /// What a mean page takes when so many thousandths of them are zeroes, which are not stored:
    /// work in the caller's context and memory.
    #[must_use]
    pub fn of_mean_page(self, zero_per_mille: u32) -> Self {
        let left = u64::from(1_000 - zero_per_mille.min(1_000));
        let part = |span: SimDuration| SimDuration::from_nanos(span.as_nanos() * left / 1_000);
        let (write, read) = if self.synchronous {
            (part(self.write), part(self.read))
        } else {
            (self.write, self.read)
        };
        let stored_per_mille = (u64::from(self.stored_per_mille) * left / 1_000) as u32;
        Self { write, read, stored_per_mille, ..self }
    }
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
    /// The request that was submitted last.
    last: Option<Open>,
}

/// A request that more pages may join.
#[derive(Clone, Copy, Debug)]
struct Open {
    task: TaskId,
    /// The slot behind its last page.
    next: u32,
    pages: u32,
    channel: usize,
}

/// What became of pages that were submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// When they are written.
    pub done: SimTime,
    /// Whether they joined the request before.
    pub merged: bool,
}

impl Medium {
    /// An idle one; `random` thousandths of its service times are exponentially distributed.
    #[must_use]
    pub fn new(config: MediumConfig, random: u64, seed: u64, number: u64) -> Self {
        let channels = config.channels.max(1) as usize;
        let draws = Stream::new(seed, "swap.medium", number);
        let free_at = vec![SimTime::ZERO; channels];
        Self { config, free_at, writing: Vec::new(), random, draws, last: None }
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
        let (done, _) = self.request(now, write, 1, spread);
        done
    }

    /// A task writes pages to slots in a row. They join its last request when that ends where they
    /// begin.
    pub fn write(
        &mut self,
        now: SimTime,
        (task, slot): (TaskId, u32),
        pages: u32,
        spread: &Exponential,
    ) -> Submitted {
        let fits = |open: &Open| open.task == task && open.next == slot;
        if let Some(open) = self.last.filter(fits).filter(|o| o.pages + pages <= REQUEST_MAX) {
            let more = self.config.more * u64::from(pages);
            let end = &mut self.free_at[open.channel];
            *end = (*end).max(now) + more;
            let done = *end + self.config.latency;
            self.last = Some(Open { next: slot + pages, pages: open.pages + pages, ..open });
            return Submitted { done, merged: true };
        }
        let (done, channel) = self.request(now, true, pages, spread);
        self.last = Some(Open { task, next: slot + pages, pages, channel });
        Submitted { done, merged: false }
    }

    /// Something else keeps the channel that is free first busy for so long; says until when.
    pub fn occupy(&mut self, now: SimTime, time: SimDuration) -> SimTime {
        let channel = self.first();
        let end = &mut self.free_at[channel];
        *end = (*end).max(now) + time;
        *end
    }

    /// Channels that serve a request at `now`.
    #[must_use]
    pub fn busy(&self, now: SimTime) -> u32 {
        self.free_at.iter().filter(|&&end| end > now).count() as u32
    }

    fn first(&self) -> usize {
        let all = self.free_at.iter().enumerate();
        all.min_by_key(|(_, end)| **end).map_or(0, |(channel, _)| channel)
    }

    fn request(
        &mut self,
        now: SimTime,
        write: bool,
        pages: u32,
        spread: &Exponential,
    ) -> (SimTime, usize) {
        let service = if write { self.config.write } else { self.config.read }.as_nanos();
        let random = service * self.random / 1_000;
        let service = service - random + spread.draw(&mut self.draws, random);
        let more = self.config.more * u64::from(pages.saturating_sub(1));
        let channel = self.first();
        let end = self.occupy(now, SimDuration::from_nanos(service) + more);
        let done = end + self.config.latency;
        if write && self.config.writes > 0 {
            self.writing.push(done);
        }
        (done, channel)
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
            more: SimDuration::from_micros(20),
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
            more: SimDuration::ZERO,
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

    #[test]
    fn adjacent_pages_of_a_task_are_one_request() {
        let config = MediumConfig {
            synchronous: false,
            write: SimDuration::from_micros(100),
            read: SimDuration::from_micros(50),
            latency: SimDuration::ZERO,
            more: SimDuration::from_micros(20),
            channels: 1,
            writes: 0,
            stored_per_mille: 0,
        };
        let spread = Exponential::default();
        let mut medium = Medium::new(config, 0, 1, 0);
        let mut write = |task, slot, pages| {
            let s = medium.write(SimTime::ZERO, (TaskId(task), slot), pages, &spread);
            (s.done.as_nanos() / 1_000, s.merged)
        };
        assert_eq!(write(0, 5, 1), (100, false));
        assert_eq!(write(0, 6, 1), (120, true));
        assert_eq!(write(0, 7, 4), (200, true));
        assert_eq!(write(1, 11, 1), (300, false), "another task");
        assert_eq!(write(0, 11, 1), (400, false), "its request was not the last");
        assert_eq!(write(0, 13, 1), (500, false), "a hole");
        assert_eq!(write(0, 14, 31), (1_120, true));
        assert_eq!(write(0, 45, 1), (1_220, false), "the request is full");
    }
}
