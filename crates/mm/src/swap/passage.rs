//! What an allocation or a free does under which lock, for whoever charges time for it.

use super::DEVICES_MAX;
use catalog::{ConstantId, Ledger};
use units::SimDuration;

/// A lock on the way of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwapLock {
    /// swap_avail_lock: the list of devices with free slots, one for all.
    Avail,
    /// si->lock: the cluster lists of a device; up to 6.12 everything of it.
    Device(u8),
    /// ci->lock: the slots of one cluster.
    Cluster(u8, u32),
    /// si->global_cluster_lock: where a rotational device goes on. Held while the device is tried.
    Global(u8),
    /// The read side of the queue of rings: a counter of the CPU's own, nobody waits for it.
    QueueRead,
    /// The lock under which a device of the queue is masked and unmasked.
    QueueUpdate,
    /// The slot cache of a CPU: its tasks wait for it, other CPUs do not.
    SlotCache(u32),
}

impl SwapLock {
    /// How many numbers [`Self::number`] uses with so many numbers a device for its clusters.
    #[must_use]
    pub fn numbers(clusters: u32) -> u32 {
        2 + DEVICES_MAX as u32 * (2 + clusters.max(1))
    }

    /// A dense number for a table of locks, clusters of a device sharing `clusters` of them; none
    /// for what nobody on another CPU waits for.
    #[must_use]
    pub fn number(self, clusters: u32) -> Option<u32> {
        let clusters = clusters.max(1);
        let of = |d: u8, n: u32| Some(2 + u32::from(d) * (2 + clusters) + n);
        match self {
            Self::Avail => Some(0),
            Self::QueueUpdate => Some(1),
            Self::Device(d) => of(d, 0),
            Self::Global(d) => of(d, 1),
            Self::Cluster(d, c) => of(d, 2 + c % clusters),
            Self::QueueRead | Self::SlotCache(_) => None,
        }
    }
}

/// A hold of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Which.
    pub lock: SwapLock,
    /// How many short holds in a row it stands for.
    pub times: u32,
    /// List nodes that were linked or unlinked.
    pub list_ops: u32,
    /// Slots that were looked at.
    pub scanned: u32,
    /// Slots that were taken or freed.
    pub slots: u32,
    /// Whether a device went behind its peers (plist_requeue): with a single device, or one that is
    /// last, nothing is written.
    pub requeued: bool,
    /// Clusters that a device was told of as free (discard), waiting for it.
    pub discarded: u32,
}

impl Passage {
    /// A hold in which nothing was done yet.
    #[must_use]
    pub fn new(lock: SwapLock) -> Self {
        Self { lock, times: 1, list_ops: 0, scanned: 0, slots: 0, requeued: false, discarded: 0 }
    }

    /// How long it lasts apart from waiting and from the lock's own line: the ledger's times for
    /// what was done, `line` for each of the cache lines that another CPU wrote last.
    #[must_use]
    pub fn hold(&self, ledger: &Ledger, line: SimDuration) -> SimDuration {
        let get = |id| ledger.get(id);
        let base = match self.lock {
            SwapLock::Avail => get(ConstantId::SwapAvailHold),
            SwapLock::Device(_) => get(ConstantId::SwapDeviceHold),
            SwapLock::Cluster(..) => get(ConstantId::SwapClusterHold),
            SwapLock::Global(_) | SwapLock::QueueUpdate => get(ConstantId::SwapGlobalHold),
            SwapLock::QueueRead => get(ConstantId::SwapQueueRead),
            SwapLock::SlotCache(_) => get(ConstantId::SwapCacheHold),
        };
        let lines = if self.requeued { get(ConstantId::SwapRequeueLines) } else { 0 };
        let nanos = base * u64::from(self.times)
            + get(ConstantId::SwapListOp) * u64::from(self.list_ops)
            + get(ConstantId::SwapScanSlot) * u64::from(self.scanned)
            + get(ConstantId::SwapSlot) * u64::from(self.slots);
        SimDuration::from_nanos(nanos) + line * lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_have_numbers_of_their_own() {
        let mut all = vec![SwapLock::Avail, SwapLock::QueueUpdate];
        for d in 0..DEVICES_MAX as u8 {
            all.extend([SwapLock::Device(d), SwapLock::Global(d)]);
            all.extend((0..5).map(|c| SwapLock::Cluster(d, c)));
        }
        let mut numbers: Vec<u32> = all.iter().filter_map(|lock| lock.number(5)).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..SwapLock::numbers(5)).collect::<Vec<_>>());
        assert_eq!(SwapLock::Cluster(3, 7).number(5), SwapLock::Cluster(3, 2).number(5));
        assert_eq!(SwapLock::QueueRead.number(5), None);
    }
}
