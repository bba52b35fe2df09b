//! reclaim_throttle: reclaimers that sleep because reclaim does not go on (7.2 mm/vmscan.c:
//! reclaim_throttle, consider_reclaim_throttle, skip_throttle_noprogress).
//!
//! Four reasons, each with a time and a wait queue of its own on every node. WRITEBACK is kswapd's,
//! on classic lists: a pass that takes nothing but pages under writeback flags the node, and one
//! that meets such pages there again sleeps until some are written. NOPROGRESS is passed over where
//! little waits to be written, so that it is never met while all pages are clean. CONGESTED has no
//! cause: it takes dirty file pages that all are under writeback, and file pages have no writeback
//! here ([`crate::workload`]).

use crate::config::ZONES_PER_NODE;
use crate::lru::PageKind;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use crate::trace::Event;
use catalog::ConstantId;
use units::{SimDuration, SimTime, TaskId};

/// Why a reclaimer is throttled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Pages marked for immediate reclaim were met under writeback twice.
    Writeback,
    /// More pages are in the hands of reclaimers than on the inactive list.
    Isolated,
    /// Nothing was reclaimed at priority 1.
    NoProgress,
    /// The node's lists are flagged congested.
    Congested,
}

impl Reason {
    /// How many reasons there are.
    pub const COUNT: usize = 4;

    /// The kernel's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Writeback => "VMSCAN_THROTTLE_WRITEBACK",
            Self::Isolated => "VMSCAN_THROTTLE_ISOLATED",
            Self::NoProgress => "VMSCAN_THROTTLE_NOPROGRESS",
            Self::Congested => "VMSCAN_THROTTLE_CONGESTED",
        }
    }
}

/// A throttled sleep of a task, the one at hand or the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttled {
    /// The node whose reclaim does not go on.
    pub node: u32,
    /// Why.
    pub reason: Reason,
    /// Since when.
    pub since: SimTime,
    /// When it ends at the latest.
    pub until: SimTime,
    /// Where the task goes on.
    pub then: Step,
}

impl<O: Observer> Sim<'_, O> {
    /// The task sleeps for this reason, then goes on at `then`; without a sleep if the reason's
    /// skip rule says so.
    pub(crate) fn reclaim_throttle(
        &mut self,
        id: TaskId,
        node: usize,
        reason: Reason,
        then: Step,
    ) -> Flow {
        let may_skip = matches!(reason, Reason::NoProgress | Reason::Congested);
        if may_skip && self.skip_throttle_noprogress(node) {
            self.m.tasks[id.index()].step = then;
            return Flow::GoOn;
        }
        let span = match reason {
            Reason::Writeback => self.until_written(node),
            Reason::Isolated => self.ticks(ConstantId::IsolatedThrottleMillis),
            Reason::NoProgress | Reason::Congested => self.m.config.jiffy,
        };
        let vmstat = &mut self.m.vmstat;
        *match reason {
            Reason::Writeback => &mut vmstat.throttle_writeback,
            Reason::Isolated => &mut vmstat.throttle_isolated,
            Reason::NoProgress => &mut vmstat.throttle_noprogress,
            Reason::Congested => &mut vmstat.throttle_congested,
        } += 1;
        let until = self.schedule_timeout(span);
        let since = self.now();
        let throttled = Throttled { node: node as u32, reason, since, until, then };
        self.m.tasks[id.index()].throttled = Some(throttled);
        self.m.nodes[node].reclaim_wait[reason as usize].push(id);
        self.sleep(id, State::Throttled, Some(until), Step::ThrottleEnd)
    }

    /// How long a sleep for WRITEBACK lasts: HZ/10, or until more than a slice of pages is written
    /// for each that sleeps (__acct_reclaim_writeback). When pages are written is known.
    fn until_written(&self, node: usize) -> SimDuration {
        let most = self.ticks(ConstantId::WritebackThrottleMillis);
        let asleep = self.m.nodes[node].reclaim_wait[Reason::Writeback as usize].len() as u64 + 1;
        let pages = self.constant(ConstantId::SwapClusterMax) * asleep;
        let now = self.now().as_nanos();
        let parts = self.m.nodes[node].lruvecs.iter().flat_map(|vec| &vec.parts);
        let mut times: Vec<u64> =
            parts.flat_map(|part| part.written_after(now, pages as usize + 1)).collect();
        times.sort_unstable();
        let written = times.get(pages as usize).map(|&at| SimDuration::from_nanos(at - now));
        written.map_or(most, |span| span.min(most))
    }

    /// A pass of kswapd is over (shrink_node's end): on classic lists it sleeps when it met pages
    /// under writeback for the second time.
    pub(crate) fn throttle_writeback(&mut self, id: TaskId) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        let node = scan.node as usize;
        if self.m.config.lru_gen {
            // Reclaim of the root returns before any of this.
            return self.kswapd_pass_done(id);
        }
        if scan.nr_writeback > 0 && scan.nr_writeback == scan.nr_scanned {
            self.m.nodes[node].writeback = true;
        }
        if scan.nr_immediate > 0 {
            return self.reclaim_throttle(id, node, Reason::Writeback, Step::KswapdPassDone);
        }
        self.kswapd_pass_done(id)
    }

    /// The sleep is over, by its time or because somebody ended it.
    pub(crate) fn throttle_end(&mut self, id: TaskId) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let throttled = task.throttled.take().expect("only a throttled task ends its throttle");
        task.step = throttled.then;
        let queue = &mut self.m.nodes[throttled.node as usize].reclaim_wait;
        queue[throttled.reason as usize].retain(|&waiter| waiter != id);
        let Throttled { node: nid, reason, since, until, .. } = throttled;
        // It may have waited for a CPU after that: the kernel reads its clock when it runs.
        let (timeout, delayed) = (until - since, self.now() - since);
        self.trace(id, Event::Throttled { nid, timeout, delayed, reason });
        Flow::GoOn
    }

    /// Ends the sleep of all that are throttled on the node for this reason.
    pub(crate) fn wake_throttled(&mut self, node: usize, reason: Reason) {
        let queue = &mut self.m.nodes[node].reclaim_wait[reason as usize];
        if queue.is_empty() {
            return;
        }
        for waiter in core::mem::take(queue) {
            // One whose time is up is on its way already.
            if self.m.tasks[waiter.index()].state == State::Throttled {
                self.wake(waiter);
            }
        }
    }

    /// too_many_isolated, for a caller that may do I/O: more pages are in the hands of reclaimers
    /// than an eighth of the inactive list. When there are not, those who slept for it go on.
    pub(crate) fn too_many_isolated(&mut self, node: usize, kind: PageKind) -> bool {
        let too_many =
            self.m.nodes[node].isolated[kind as usize] > self.m.list_sizes(node, kind).0 >> 3;
        if !too_many && self.m.config.flavour.isolated_wake {
            self.wake_throttled(node, Reason::Isolated);
        }
        too_many
    }

    /// skip_throttle_noprogress: the node is given up, or most of what could be reclaimed needs no
    /// writing.
    fn skip_throttle_noprogress(&self, node: usize) -> bool {
        let zones = &self.m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
        let reclaimable: u64 = zones.iter().map(|z| z.lru).sum();
        let pending = self.m.nodes[node].write_pending + self.m.nodes[node].swap_pending;
        self.hopeless(node) || 2 * pending <= reclaimable
    }

    /// consider_reclaim_throttle after a round of direct reclaim over the zonelist: good progress
    /// ends the sleep of those who had none, no progress at priority 1 is a reason to sleep.
    /// What was reclaimed counts from the beginning of the call, what was scanned from that of the
    /// round.
    pub(crate) fn consider_reclaim_throttle(
        &mut self,
        id: TaskId,
        node: usize,
        then: Step,
    ) -> Flow {
        let scan = &self.m.tasks[id.index()].scan;
        if scan.total > scan.total_scanned >> 3 {
            self.wake_throttled(node, Reason::NoProgress);
        } else if scan.priority == 1 && scan.total == 0 && scan.limit.is_none() {
            return self.reclaim_throttle(id, node, Reason::NoProgress, then);
        }
        self.m.tasks[id.index()].step = then;
        Flow::GoOn
    }
}
