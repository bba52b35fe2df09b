//! A pass over a node (7.2 mm/vmscan.c: shrink_node, shrink_node_memcgs, shrink_lruvec,
//! get_scan_count, shrink_list).
//!
//! A pass visits the lruvec of every memory cgroup on the node, and of each its partitions: the
//! reclaimer's own comes first, the others follow in turn. On classic lists it goes round the four
//! lists, a slice of 32 pages of each ([`super::slice`], [`super::active`]), until the quotas are
//! used up or enough is reclaimed; MGLRU has its own order ([`super::lru_gen`]).

use crate::lru::{LruList, PageKind};
use crate::observe::Observer;
use crate::sim::{Flow, Hold, Sim};
use crate::task::{Aging, Kind, State, Step};
use catalog::ConstantId;
use units::TaskId;

/// How the lists of both kinds are scanned (enum scan_balance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Balance {
    /// All of both.
    Equal,
    /// In shares by cost and swappiness.
    Fract,
    /// Anonymous pages only.
    Anon,
    /// File pages only.
    File,
}

impl<O: Observer> Sim<'_, O> {
    /// Begins the pass over `scan.node`.
    pub(crate) fn shrink_node(&mut self, id: TaskId) -> Flow {
        let memcgs = self.m.config.memcgs.len() as u16;
        let task = &mut self.m.tasks[id.index()];
        task.scan.nr_scanned = 0;
        task.scan.nr_reclaimed = 0;
        task.scan.nr_writeback = 0;
        task.scan.nr_immediate = 0;
        task.scan.memcg = task.scan.limit.unwrap_or(0);
        task.scan.memcgs_left = if task.scan.limit.is_some() { 1 } else { memcgs };
        let node = task.scan.node;
        self.begin_lruvec(id);
        let cost = self.constant(ConstantId::NodePass);
        self.work(id, State::PageWork, cost, node, Step::ShrinkNext)
    }

    /// Begins with a cgroup's lists: the partitions that are the reclaimer's.
    fn begin_lruvec(&mut self, id: TaskId) {
        let partitions = self.m.config.lru_partitions;
        let task = &mut self.m.tasks[id.index()];
        let own = match task.kind {
            Kind::Kswapd(worker) => worker,
            Kind::Task(_) | Kind::Flusher => task.cpu.0,
        };
        task.scan.lruvec_reclaimed = 0;
        task.scan.aged = Aging::No;
        task.scan.partition = own % partitions;
        task.scan.partitions_left = partitions;
        task.scan.stride = 1;
        if let Kind::Kswapd(_) = task.kind
            && !self.m.config.steal
        {
            // A worker's own partitions: every n-th from its number on, n workers sharing them out.
            // A policy that wakes fewer of them leaves some partitions to direct reclaim.
            let workers = self.m.nodes[task.scan.node as usize].wakeable.min(partitions);
            task.scan.stride = workers;
            task.scan.partitions_left = (partitions - own % partitions).div_ceil(workers);
        }
        self.begin_partition(id);
    }

    /// get_scan_count: what the pass may scan of each list.
    fn begin_partition(&mut self, id: TaskId) {
        let balance = self.scan_balance(id);
        let swappiness = self.m.config.swappiness;
        let evictable = self.evictable_kinds(id);
        let m = &mut *self.m;
        let scan = &mut m.tasks[id.index()].scan;
        let vec = &m.nodes[scan.node as usize].lruvecs[usize::from(scan.memcg)];
        let part = &vec.parts[scan.partition as usize];
        let kinds = [PageKind::Anon, PageKind::File];
        scan.isolated_throttled = false;
        scan.cursor = 0;
        scan.aged = Aging::No;
        let first = u64::from(scan.priority) == m.config.ledger.get(ConstantId::DefPriority);
        scan.adjusted = scan.direct && scan.limit.is_none() && first;
        if m.config.lru_gen {
            // MGLRU's quota counts every generation of what can be evicted (get_nr_to_scan);
            // how lists are balanced is no question of it.
            let of = kinds.into_iter().filter(|&kind| evictable[kind as usize]);
            let size: u64 = of.map(|kind| part.size(kind)).sum();
            scan.quota = [size >> scan.priority, 0, 0, 0];
            scan.targets = scan.quota;
            return;
        }
        let shares = vec.balance(swappiness);
        let sum = (shares[0] + shares[1]).max(1);
        scan.may_deactivate = kinds.map(|kind| vec.may_deactivate(kind, scan.partition as usize));
        for list in LruList::ALL {
            let kind = list.kind();
            let size = if list.is_active() { part.active(kind) } else { part.inactive(kind) };
            let base = size >> scan.priority;
            scan.quota[list as usize] = match balance {
                Balance::Equal => base,
                Balance::Fract => base * shares[kind as usize] / sum,
                Balance::Anon if kind == PageKind::Anon => base,
                Balance::File if kind == PageKind::File => base,
                Balance::Anon | Balance::File => 0,
            };
        }
        scan.targets = scan.quota;
    }

    /// Whether this reclaimer may swap: there is a free slot, and it does not reclaim what a boost
    /// asks for (scan_control.may_swap).
    pub(crate) fn scan_may_swap(&self, id: TaskId) -> bool {
        self.m.may_swap() && self.m.tasks[id.index()].work.boost_left == 0
    }

    /// How the lists are balanced; the first rule that applies.
    fn scan_balance(&self, id: TaskId) -> Balance {
        let scan = &self.m.tasks[id.index()].scan;
        let node = &self.m.nodes[scan.node as usize];
        let vec = &node.lruvecs[usize::from(scan.memcg)];
        let swappiness = self.m.config.swappiness;
        if !self.scan_may_swap(id) || vec.inactive(PageKind::Anon) + vec.active(PageKind::Anon) == 0
        {
            return Balance::File;
        }
        if scan.limit.is_some() && swappiness == 0 {
            return Balance::File;
        }
        if scan.priority == 0 && swappiness > 0 {
            return Balance::Equal;
        }
        let part = scan.partition as usize;
        let file: u64 = node
            .lruvecs
            .iter()
            .map(|v| v.inactive(PageKind::File) + v.active(PageKind::File))
            .sum();
        let anon = vec.inactive(PageKind::Anon) >> scan.priority;
        let high = self.m.high_marks(scan.node as usize);
        let tiny = file + node.free <= high;
        if scan.limit.is_none() && tiny && anon > 0 && !vec.may_deactivate(PageKind::Anon, part) {
            return Balance::Anon;
        }
        let inactive = vec.inactive(PageKind::File) >> scan.priority;
        if inactive > 0 && !vec.may_deactivate(PageKind::File, part) {
            return Balance::File;
        }
        Balance::Fract
    }

    /// Takes the lru_lock of the partition at hand for `ns`, then goes on at `step`.
    pub(crate) fn lru_passage(&mut self, id: TaskId, ns: u64, step: Step) -> Flow {
        let scan = self.m.tasks[id.index()].scan;
        let hold = Hold { ns, node: scan.node, held: State::Isolating, spin: State::SpinLru, step };
        let lock = self.m.lru_lock(scan.node, scan.memcg, scan.partition);
        self.lock(id, lock, hold)
    }

    /// The next slice, partition, or the end of the pass.
    pub(crate) fn shrink_next(&mut self, id: TaskId) -> Flow {
        if self.enough_by_others(id) {
            return self.pass_done(id);
        }
        if self.m.config.lru_gen {
            return self.lru_gen_next(id);
        }
        let cluster = self.constant(ConstantId::SwapClusterMax);
        loop {
            let task = &mut self.m.tasks[id.index()];
            let scan = &mut task.scan;
            if scan.cursor == 0 && scan.quota[0] + scan.quota[2] + scan.quota[3] == 0 {
                return self.next_partition(id);
            }
            let Some(&list) = LruList::ALL.get(usize::from(scan.cursor)) else {
                scan.cursor = 0;
                if self.round_is_last(id) {
                    return self.next_partition(id);
                }
                continue;
            };
            scan.cursor += 1;
            let quota = scan.quota[list as usize];
            if quota == 0 {
                continue;
            }
            if list.is_active() {
                if scan.may_deactivate[list.kind() as usize] {
                    return self.take_active(id, list);
                }
                // Its quota goes by without a look.
                scan.quota[list as usize] = quota.saturating_sub(cluster);
                continue;
            }
            scan.list = list;
            if self.m.batches[task.cpu.index()].len > 0 {
                return self.lru_add_drain(id, Step::ShrinkInactive);
            }
            task.step = Step::ShrinkInactive;
            return Flow::GoOn;
        }
    }

    /// After a round over the lists: whether the pass over this partition is done. When enough was
    /// reclaimed the kind with less left to scan is dropped, and the other one goes on to the same
    /// share of its quota.
    fn round_is_last(&mut self, id: TaskId) -> bool {
        let scan = &mut self.m.tasks[id.index()].scan;
        if scan.lruvec_reclaimed < scan.nr_to_reclaim || scan.adjusted {
            return false;
        }
        let left = [scan.quota[0] + scan.quota[1], scan.quota[2] + scan.quota[3]];
        if left[0] == 0 || left[1] == 0 {
            scan.quota = [0; 4];
            return true;
        }
        let drop = usize::from(left[1] <= left[0]);
        let targets = scan.targets[2 * drop] + scan.targets[2 * drop + 1] + 1;
        let done = 100 - (left[drop] * 100 / targets).min(100);
        scan.quota[2 * drop] = 0;
        scan.quota[2 * drop + 1] = 0;
        for list in [2 * (1 - drop), 2 * (1 - drop) + 1] {
            let scanned = scan.targets[list] - scan.quota[list];
            scan.quota[list] = (scan.targets[list] * done / 100).saturating_sub(scanned);
        }
        scan.adjusted = true;
        false
    }

    /// Goes on with the next partition, the next cgroup, or ends the pass.
    pub(crate) fn next_partition(&mut self, id: TaskId) -> Flow {
        let partitions = self.m.config.lru_partitions;
        let memcgs = self.m.config.memcgs.len() as u16;
        let scan = &mut self.m.tasks[id.index()].scan;
        scan.partitions_left -= 1;
        // A pass of direct reclaim at the first priority goes through every partition.
        let whole = scan.adjusted && scan.direct;
        let enough = scan.lruvec_reclaimed >= scan.nr_to_reclaim && !whole;
        if scan.partitions_left > 0 && !enough {
            scan.partition = (scan.partition + scan.stride) % partitions;
            self.begin_partition(id);
            self.m.tasks[id.index()].step = Step::ShrinkNext;
            return Flow::GoOn;
        }
        scan.memcgs_left -= 1;
        let stop = scan.direct && scan.nr_reclaimed >= scan.nr_to_reclaim;
        if scan.memcgs_left == 0 || stop {
            return self.pass_done(id);
        }
        scan.memcg = (scan.memcg + 1) % memcgs;
        self.begin_lruvec(id);
        self.m.tasks[id.index()].step = Step::ShrinkNext;
        Flow::GoOn
    }

    pub(crate) fn pass_done(&mut self, id: TaskId) -> Flow {
        if self.m.tasks[id.index()].scan.direct {
            self.direct_pass_done(id)
        } else {
            self.throttle_writeback(id)
        }
    }
}
