//! The locks of swap slots, and the flush of TLBs before a page is written.
//!
//! swap_avail_lock, si->lock and the queue's lock are locks like others. ci->lock is held so short
//! and so seldom met by another CPU that whoever takes it needs no event of its own for that: its
//! time is owed and passes with the work behind it.

use crate::config::Tlb;
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::swap::{Passage, SwapLock};
use crate::task::{State, Step};
use crate::vmscan::pageout::SwapState;
use catalog::ConstantId;
use units::{CpuId, LockId, SimDuration, SimTime, TaskId};

/// Locks that a device's clusters share out among them.
const CLUSTER_LOCKS: u32 = 256;

#[derive(Clone, Copy, Debug, Default)]
struct ClusterLock {
    free_at: SimTime,
    cpu: u32,
}

/// What happened at the clusters' locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterStats {
    /// Passages.
    pub acquisitions: u64,
    /// Passages that had to wait.
    pub contended: u64,
    /// Nanoseconds waited.
    pub wait: u64,
    /// Nanoseconds held.
    pub busy: u64,
}

/// ci->lock of all clusters.
#[derive(Clone, Debug)]
pub struct ClusterLocks {
    locks: Vec<ClusterLock>,
    /// What happened at them.
    pub stats: ClusterStats,
}

impl ClusterLocks {
    /// Free locks for so many devices.
    #[must_use]
    pub fn new(devices: usize) -> Self {
        let locks = vec![ClusterLock::default(); devices * CLUSTER_LOCKS as usize];
        Self { locks, stats: ClusterStats::default() }
    }

    fn lock(&mut self, device: u8, cluster: u32) -> &mut ClusterLock {
        let own = usize::from(device) * CLUSTER_LOCKS as usize;
        &mut self.locks[own + (cluster % CLUSTER_LOCKS) as usize]
    }

    /// Until when somebody else has the lock, if somebody has.
    pub(super) fn held_until(&mut self, lock: SwapLock, now: SimTime) -> Option<SimTime> {
        let SwapLock::Cluster(device, cluster) = lock else { return None };
        let free_at = self.lock(device, cluster).free_at;
        if free_at <= now {
            return None;
        }
        self.stats.contended += 1;
        self.stats.wait += (free_at - now).as_nanos();
        Some(free_at)
    }
}

impl<O: Observer> Sim<'_, O> {
    /// Takes the lock of a passage for as long as it lasts, then goes on at `step`. What no other
    /// CPU waits for, and a cluster's lock that nobody holds, is owed instead.
    pub(super) fn swap_passage(
        &mut self,
        id: TaskId,
        passage: Passage,
        step: Step,
    ) -> Option<Flow> {
        let now = self.now();
        let m = &mut *self.m;
        let task = &mut m.tasks[id.index()];
        let (cpu, node) = (task.cpu, m.cpus.node(task.cpu));
        let ledger = &m.config.ledger;
        // Whoever tells a device of freed clusters because no slot is left waits for it.
        let discard = ledger.get(ConstantId::DiscardCluster) * u64::from(passage.discarded);
        let ns = passage.hold(ledger, SimDuration::ZERO).as_nanos() + discard;
        if let (SwapLock::Cluster(device, cluster), Some(swap)) = (passage.lock, &mut m.swap) {
            let lock = swap.clusters.lock(device, cluster);
            let last = CpuId(core::mem::replace(&mut lock.cpu, cpu.0));
            let near = last == cpu || m.cpus.node(last) == node;
            let line = if last == cpu { 0 } else { m.speed.line(near) };
            let ns = ns + line + ledger.get(ConstantId::LockUncontended);
            lock.free_at = now + SimDuration::from_nanos(ns);
            swap.clusters.stats.acquisitions += 1;
            swap.clusters.stats.busy += ns;
            task.swapping.owed += ns;
            return None;
        }
        let Some(lock) = m.swap_lock(passage.lock) else {
            m.tasks[id.index()].swapping.owed += ns;
            return None;
        };
        let more = core::mem::take(&mut m.tasks[id.index()].swapping.owed);
        let ledger = &m.config.ledger;
        let (lines, far) = if passage.requeued {
            (ledger.get(ConstantId::SwapRequeueLines), ledger.get(ConstantId::SwapAvailFar))
        } else {
            (0, 0)
        };
        let hold = Hold {
            ns: ns + more,
            node: node.0,
            held: State::PageWork,
            spin: State::SpinSwap,
            step,
        };
        Some(self.lock_with_lines(id, lock, hold, (lines as u32, SimDuration::from_nanos(far))))
    }

    /// The TLBs that may hold the page are flushed, then it is written (try_to_unmap_flush_dirty):
    /// once a page, since the one before was written already.
    pub(super) fn flush_and_work(&mut self, id: TaskId, ns: u64, node: u32) -> Flow {
        let owed = core::mem::take(&mut self.m.tasks[id.index()].swapping.owed);
        let ns = ns + owed + self.m.tlb_flush(id);
        let took = self.stretch(id, ns, node);
        if self.m.config.tlb != Tlb::Serial {
            return self.work_for(id, State::PageWork, took, Step::SwapNext);
        }
        let turn = SimDuration::from_nanos(self.constant(ConstantId::TlbSerial));
        let now = self.now();
        let begin = self.m.tlb_free_at.max(now);
        self.m.tlb_free_at = begin + turn;
        let states = [State::TlbWait, State::PageWork];
        let wait = begin - now;
        self.work_in_two(id, states, wait, wait + turn + took, Step::SwapNext)
    }
}

impl Machine {
    /// A lock of the slot allocator: they come behind those of all files. None for what no other
    /// CPU waits for, and for those of clusters.
    #[must_use]
    pub fn swap_lock(&self, lock: SwapLock) -> Option<LockId> {
        let number = match lock {
            SwapLock::Cluster(..) => None,
            _ => lock.number(0),
        };
        self.swap.as_ref()?;
        number.map(|number| LockId(self.lock_count() - SwapState::locks() + number))
    }

    /// swap_avail_lock, or the lock under which devices of the queue of rings are masked.
    #[must_use]
    pub fn swap_choice_lock(&self) -> LockId {
        let swap = self.swap.as_ref();
        let lock = swap.map_or(SwapLock::Avail, |s| s.slots.design().choice.edge_lock());
        self.swap_lock(lock).expect("a machine with swap has it")
    }

    /// What flushing the TLBs that may hold unmapped pages costs the one who asks for it, in ledger
    /// nanoseconds; waiting for one's turn apart.
    pub(crate) fn tlb_flush(&self, id: TaskId) -> u64 {
        let ledger = &self.config.ledger;
        match self.config.tlb {
            Tlb::Interrupt => {
                let each = ledger.get(ConstantId::TlbFlushPerCpu);
                ledger.get(ConstantId::TlbFlush) + each * self.cpus_to_flush(id)
            }
            Tlb::Broadcast | Tlb::Serial => ledger.get(ConstantId::TlbBroadcast),
        }
    }

    /// CPUs whose TLBs may hold what a reclaimer unmaps: those of its node that run a task.
    fn cpus_to_flush(&self, id: TaskId) -> u64 {
        let node = self.cpus.node(self.tasks[id.index()].cpu);
        u64::from(self.cpus.busy_on_node(node))
    }
}
