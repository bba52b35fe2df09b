//! kswapd: waking and sleeping (7.2 mm/vmscan.c: wakeup_kswapd, kswapd, kswapd_try_to_sleep).
//!
//! All workers of a node share one wait queue, one failure counter and one set of lists; each runs
//! the whole of balance_pgdat for itself, as the 2018 patch has it ([`super::several`]).

use crate::config::ZONES_PER_NODE;
use crate::machine::USER_CLASS;
use crate::observe::Observer;
use crate::page_alloc::zone::Zone;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use crate::trace::Event;
use crate::vmscan::request::Request;
use crate::vmscan::wakeup::{Cause, Decision};
use catalog::ConstantId;
use units::TaskId;

impl<O: Observer> Sim<'_, O> {
    /// Whether a worker that a wakeup may wake sleeps or naps on the node's kswapd_wait.
    pub(crate) fn has_sleeper(&self, node: usize) -> bool {
        let n = &self.m.nodes[node];
        (n.workers.0..n.workers.0 + n.wakeable).any(|w| self.sleeps(w))
    }

    pub(crate) fn sleeps(&self, worker: u32) -> bool {
        matches!(self.m.tasks[worker as usize].state, State::Asleep | State::Napping)
    }

    /// pgdat_balanced: any zone of the node up to this kind is above high and what it keeps from
    /// requests of that kind.
    pub(crate) fn balanced(&self, node: usize, highest_zoneidx: u8) -> bool {
        let class = usize::from(highest_zoneidx);
        let mut zones = self.zones_up_to(node, highest_zoneidx);
        zones.any(|z| z.above(z.marks.high, class))
    }

    /// The zones of a node up to this kind that have pages.
    pub(crate) fn zones_up_to(&self, node: usize, kind: u8) -> impl Iterator<Item = &Zone> {
        let first = node * ZONES_PER_NODE;
        self.m.zones[first..=first + usize::from(kind)].iter().filter(|z| z.managed > 0)
    }

    /// Whether reclaim of the node has failed so often that kswapd gave up.
    pub(crate) fn hopeless(&self, node: usize) -> bool {
        let failures = u64::from(self.m.nodes[node].kswapd_failures);
        failures >= self.constant(ConstantId::MaxReclaimRetries)
    }

    /// wake_all_kswapds: every node that the task may take memory from.
    pub(crate) fn wake_all_kswapds(&mut self, id: TaskId) {
        for i in 0..self.m.zonelist(id).len() {
            let node = usize::from(self.m.zonelist(id)[i]);
            self.wakeup_kswapd(id, node, USER_CLASS as u8, Cause::Allocation);
        }
    }

    /// wakeup_kswapd for a request that may use zones up to this kind: it is merged with those that
    /// are there, even when nobody sleeps or the node needs nothing.
    pub(crate) fn wakeup_kswapd(
        &mut self,
        waker: TaskId,
        node: usize,
        highest_zoneidx: u8,
        cause: Cause,
    ) {
        self.ask(node, |request| request.merge(0, highest_zoneidx));
        if !self.has_sleeper(node) || self.hopeless(node) {
            return;
        }
        let boosted = self.zones_up_to(node, highest_zoneidx).any(|z| z.boost > 0);
        if boosted || !self.balanced(node, highest_zoneidx) {
            let (nid, gfp) = (node as u32, cause != Cause::Boost);
            self.trace(waker, Event::WakeupKswapd { nid, order: 0, gfp });
            self.wake_workers(node, cause);
        }
    }

    /// A task is about to be throttled until kswapd has made room (throttle_direct_reclaim).
    pub(crate) fn wake_for_throttled(&mut self, node: usize) {
        if self.has_sleeper(node) {
            self.ask(node, Request::narrow_to_normal);
            self.wake_workers(node, Cause::Throttle);
        }
    }

    /// Wakes as many workers as the policy says. Under `all` that is wake_up_interruptible on a
    /// queue of non-exclusive waiters; the others are wake_up_nr on exclusive ones.
    fn wake_workers(&mut self, node: usize, cause: Cause) {
        let now = self.now();
        let (first, wakeable) = (self.m.nodes[node].workers.0, self.m.nodes[node].wakeable);
        let sleepers = (first..first + wakeable).filter(|&w| self.sleeps(w)).count() as u32;
        let awake = wakeable - sleepers;
        let (target, saw) = self.m.wakeup_target(node);
        let more = if self.m.config.policy_literal { target } else { target.saturating_sub(awake) };
        let woke = more.min(sleepers);
        for _ in 0..woke {
            // Waiters stand in the order in which they went to sleep; the first is woken first.
            let sleeping = (first..first + wakeable).filter(|&w| self.sleeps(w));
            let oldest = sleeping.min_by_key(|&w| (self.m.tasks[w as usize].since, w));
            let Some(worker) = oldest else { break };
            self.m.vmstat.kswapd_wake += 1;
            self.wake(TaskId(worker));
        }
        let decision = Decision { time: now, cause, saw, target, awake, woke };
        let wakeup = &mut self.m.nodes[node].wakeup;
        wakeup.last = decision;
        wakeup.decisions += 1;
        wakeup.saw = wakeup.saw.saturating_add(saw);
        wakeup.targets += u64::from(target);
        wakeup.woke += u64::from(woke);
        self.observer.wakeup(now, node, &decision);
    }

    /// prepare_kswapd_sleep: releases the throttled, then says whether the worker may sleep.
    fn prepare_sleep(&mut self, id: TaskId) -> bool {
        let task = &self.m.tasks[id.index()];
        let (node, highest_zoneidx) = (task.scan.node as usize, task.work.highest_zoneidx);
        self.release_throttled(id);
        if self.balanced(node, highest_zoneidx) {
            self.m.nodes[node].writeback = false;
            return true;
        }
        self.hopeless(node)
    }

    pub(crate) fn wake_pfmemalloc(&mut self, node: usize) {
        for task in core::mem::take(&mut self.m.nodes[node].pfmemalloc_wait) {
            self.wake(task);
        }
    }

    /// kswapd_try_to_sleep, first part: nap for HZ/10 when the node is balanced.
    pub(crate) fn kswapd_try_to_sleep(&mut self, id: TaskId) -> Flow {
        // What was asked for while it ran decides whether it may sleep.
        self.read_request(id);
        if self.prepare_sleep(id) {
            let until = self.schedule_timeout(self.ticks(ConstantId::NapMillis));
            self.observer.nap_begin(self.now(), id);
            return self.sleep(id, State::Napping, Some(until), Step::KswapdNapped);
        }
        self.m.vmstat.kswapd_high_wmark_hit_quickly += 1;
        self.kswapd_run(id)
    }

    /// Second part: woken early, or still balanced after the nap and fully asleep.
    pub(crate) fn kswapd_napped(&mut self, id: TaskId) -> Flow {
        let task = &self.m.tasks[id.index()];
        let (node, woken) = (task.scan.node as usize, task.woken);
        // It has been runnable since the nap ended.
        self.observer.nap_end(task.since, id, woken);
        if woken {
            self.m.vmstat.kswapd_low_wmark_hit_quickly += 1;
            self.give_request_back(id);
            return self.kswapd_run(id);
        }
        if self.prepare_sleep(id) {
            self.observer.kswapd_sleep(self.m, node);
            self.trace(id, Event::KswapdSleep { nid: node as u32 });
            return self.sleep(id, State::Asleep, None, Step::KswapdWoken);
        }
        self.m.vmstat.kswapd_high_wmark_hit_quickly += 1;
        self.kswapd_run(id)
    }

    /// A wakeup ended the full sleep, or sleep was out of the question: takes what is asked for.
    pub(crate) fn kswapd_run(&mut self, id: TaskId) -> Flow {
        self.take_request(id);
        let node = self.m.tasks[id.index()].scan.node as usize;
        self.observer.kswapd_wake(self.now(), node);
        let order = self.m.tasks[id.index()].work.order;
        self.trace(id, Event::KswapdWake { nid: node as u32, order });
        self.balance_begin(id)
    }
}
