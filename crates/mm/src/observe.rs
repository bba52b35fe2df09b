//! How listeners hear what happens. The model never reads anything back: with or without a listener
//! the digest is the same.

use crate::vmscan::wakeup::Decision;
use units::{SimDuration, SimTime};

/// Someone who listens. Every method does nothing unless it is overridden.
pub trait Observer {
    /// An operation of the application is done; it took this long.
    fn operation(&mut self, _now: SimTime, _took: SimDuration) {}
    /// A direct reclaim call returned; it took this long.
    fn direct_reclaim(&mut self, _now: SimTime, _took: SimDuration) {}
    /// A wakeup of a node's kswapd was decided.
    fn wakeup(&mut self, _now: SimTime, _node: usize, _decision: &Decision) {}
    /// The free pages of a node changed.
    fn free(&mut self, _now: SimTime, _node: usize, _free: u64) {}
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}
