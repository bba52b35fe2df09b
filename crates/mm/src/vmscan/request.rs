//! What wakers ask of a node's kswapd: pgdat->kswapd_order and pgdat->kswapd_highest_zoneidx (7.2
//! mm/vmscan.c:wakeup_kswapd, kswapd, kswapd_try_to_sleep).
//!
//! Wakers merge what they want, whether or not a worker sleeps; a worker that returns from sleep
//! takes it and leaves nothing. With several workers on a node the first one takes it from all: the
//! others run with order 0 and the zones of their run before (facts F.3, point 1). The fixed form
//! keeps a copy for each worker.

use crate::config::ZONES_PER_NODE;
use crate::observe::Observer;
use crate::sim::Sim;
use catalog::ZoneKind;
use units::TaskId;

/// A merged request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Largest order asked for; every request of this version is of order 0.
    pub order: u8,
    /// Highest zone kind that a request may use; nothing when nobody has asked.
    pub highest_zoneidx: Option<u8>,
}

impl Request {
    /// Takes another request in: the larger order and the higher zone.
    pub fn merge(&mut self, order: u8, highest_zoneidx: u8) {
        self.order = self.order.max(order);
        self.highest_zoneidx = self.highest_zoneidx.max(Some(highest_zoneidx));
    }

    /// A task about to be throttled asks for no zone above Normal (throttle_direct_reclaim): a
    /// request that is there shrinks, unlike in [`Request::merge`].
    pub fn narrow_to_normal(&mut self) {
        let normal = ZoneKind::Normal as u8;
        self.highest_zoneidx = Some(self.highest_zoneidx.map_or(normal, |kind| kind.min(normal)));
    }
}

/// What a worker works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The order that it balances its node for.
    pub order: u8,
    /// The highest zone kind that it balances.
    pub highest_zoneidx: u8,
    /// The boost of each zone when it began, which it takes away when it ends.
    pub boosts: [u64; ZONES_PER_NODE],
    /// What is left to reclaim of that. While there is some, reclaim neither writes nor swaps and
    /// gets no harder than two priorities.
    pub boost_left: u64,
    /// What its node's workers had reclaimed when it began.
    pub reclaimed_before: u64,
    /// Its own copy of the node's request, where workers do not share one.
    pub request: Request,
}

impl Default for Work {
    fn default() -> Self {
        let highest_zoneidx = ZoneKind::ALL.len() as u8 - 1;
        Self {
            order: 0,
            highest_zoneidx,
            boosts: [0; ZONES_PER_NODE],
            boost_left: 0,
            reclaimed_before: 0,
            request: Request::default(),
        }
    }
}

impl<O: Observer> Sim<'_, O> {
    /// Changes the node's request, and each worker's copy of it.
    pub(crate) fn ask(&mut self, node: usize, change: impl Fn(&mut Request)) {
        change(&mut self.m.nodes[node].request);
        if self.m.config.multi_fixed {
            let (first, end) = self.m.nodes[node].workers;
            for worker in &mut self.m.tasks[first as usize..end as usize] {
                change(&mut worker.work.request);
            }
        }
    }

    /// What is asked of this worker.
    fn request_of(&mut self, id: TaskId) -> &mut Request {
        let task = &mut self.m.tasks[id.index()];
        if self.m.config.multi_fixed {
            &mut task.work.request
        } else {
            &mut self.m.nodes[task.scan.node as usize].request
        }
    }

    /// The worker reads what it is asked for and leaves it there. Where nothing is asked it keeps
    /// the zones of its last run.
    pub(crate) fn read_request(&mut self, id: TaskId) {
        let request = *self.request_of(id);
        let work = &mut self.m.tasks[id.index()].work;
        work.order = request.order;
        work.highest_zoneidx = request.highest_zoneidx.unwrap_or(work.highest_zoneidx);
    }

    /// The worker takes what it is asked for.
    pub(crate) fn take_request(&mut self, id: TaskId) {
        self.read_request(id);
        *self.request_of(id) = Request::default();
    }

    /// Woken out of its nap: what it was about to sleep on is asked for again, unless somebody
    /// asked for zones of his own.
    pub(crate) fn give_request_back(&mut self, id: TaskId) {
        let work = self.m.tasks[id.index()].work;
        let request = self.request_of(id);
        request.order = request.order.max(work.order);
        request.highest_zoneidx = request.highest_zoneidx.or(Some(work.highest_zoneidx));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_merge_upwards_and_a_throttled_task_narrows_them() {
        let mut request = Request::default();
        request.merge(0, ZoneKind::Dma as u8);
        request.merge(0, ZoneKind::Movable as u8);
        request.merge(0, ZoneKind::Dma32 as u8);
        assert_eq!(request.highest_zoneidx, Some(ZoneKind::Movable as u8));
        request.narrow_to_normal();
        assert_eq!(request.highest_zoneidx, Some(ZoneKind::Normal as u8));
        let mut none = Request::default();
        none.narrow_to_normal();
        assert_eq!(none.highest_zoneidx, Some(ZoneKind::Normal as u8));
    }
}
