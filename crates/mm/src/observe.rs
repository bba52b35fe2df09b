//! How listeners hear what happens. The model never reads anything back: with or without a listener
//! the digest is the same.

use crate::machine::Machine;
use crate::oom::Kill;
use crate::trace::Event;
use crate::vmscan::wakeup::Decision;
use units::{SimDuration, SimTime, TaskId};

/// Someone who listens. Every method does nothing unless it is overridden.
pub trait Observer {
    /// A task passes a tracepoint.
    fn trace(&mut self, _m: &Machine, _task: TaskId, _event: &Event) {}
    /// An operation of a task of the first group is done; it took this long.
    fn operation(&mut self, _now: SimTime, _took: SimDuration) {}
    /// A direct reclaim call returned; it took this long and freed this many pages.
    fn direct_reclaim(&mut self, _now: SimTime, _took: SimDuration, _nr_reclaimed: u64) {}
    /// A reclaim call for a cgroup's limit returned; it took this long and freed this many pages.
    fn memcg_reclaim(&mut self, _now: SimTime, _memcg: u16, _took: SimDuration, _freed: u64) {}
    /// The OOM killer chose a victim.
    fn oom_kill(&mut self, _now: SimTime, _kill: &Kill) {}
    /// A wakeup of a node's kswapd was decided.
    fn wakeup(&mut self, _now: SimTime, _node: usize, _decision: &Decision) {}
    /// The free pages of a node changed.
    ///
    /// `usable` leaves out what its zones keep from user pages (lowmem_reserve).
    fn free(&mut self, _now: SimTime, _node: usize, _free: u64, _usable: u64) {}
    /// A task's look for memory failed: it enters the slow path, which wakes kswapds.
    fn slow_path(&mut self, _m: &Machine, _task: TaskId) {}
    /// A worker begins balance_pgdat on a node.
    fn balance_begin(&mut self, _m: &Machine, _node: usize) {}
    /// balance_pgdat of a node returns; it freed this many pages.
    fn balance_end(&mut self, _m: &Machine, _node: usize, _nr_reclaimed: u64) {}
    /// A worker begins its nap of HZ/10.
    fn nap_begin(&mut self, _now: SimTime, _worker: TaskId) {}
    /// A worker runs again after its nap, which ended at this time, early if `woken`.
    fn nap_end(&mut self, _at: SimTime, _worker: TaskId, _woken: bool) {}
    /// A worker of a node falls fully asleep.
    fn kswapd_sleep(&mut self, _m: &Machine, _node: usize) {}
    /// A worker of a node runs: woken, or because it could not sleep.
    fn kswapd_wake(&mut self, _now: SimTime, _node: usize) {}
    /// A reclaimer took this many pages off a list at once, or found none; `direct` if for itself.
    fn shrink_inactive(&mut self, _now: SimTime, _node: usize, _nr_scanned: u64, _direct: bool) {}
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}
