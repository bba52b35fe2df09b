//! CPUs with a run queue each.
//!
//! A wakeup takes an idle CPU of the task's node (one whose whole core is idle before one that shares
//! its core), else joins the shortest queue there. A CPU with one task has no slice event: a task
//! gives way only between two pieces of its own work, when its slice is over and another one waits.
//! The pieces are shorter than a slice, and a task that holds or spins for a lock is inside one.

use units::{CpuId, NodeId, SimDuration, SimTime, TaskId};

const NOBODY: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Cpu {
    node: u32,
    core: u32,
    current: u32,
    since: SimTime,
    head: u32,
    tail: u32,
    queued: u32,
}

/// Where a woken task went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It has this CPU.
    Running(CpuId),
    /// It waits in this CPU's queue.
    Queued(CpuId),
}

/// All CPUs of a run, numbered node by node.
///
/// In a node with `n` CPUs and `t` threads a core, CPUs `i`, `i + n/t`, `i + 2n/t` ... share a core, as
/// common firmware numbers them.
#[derive(Clone, Debug)]
pub struct CpuTable {
    cpus: Vec<Cpu>,
    /// First CPU of each node, and one past the last.
    first: Vec<u32>,
    /// Next in its run queue, by task.
    next: Vec<u32>,
    /// Tasks on a CPU, by core.
    busy_on_core: Vec<u32>,
    /// Tasks on a CPU, by node.
    busy_on_node: Vec<u32>,
    /// Idle CPUs whose whole core is idle, as a bit set over all CPUs.
    idle_core: Vec<u64>,
    /// Idle CPUs, as a bit set over all CPUs.
    idle: Vec<u64>,
}

impl CpuTable {
    /// CPUs of nodes with `cpus[node]` hardware threads, `smt` a core, for tasks `0..tasks`.
    #[must_use]
    pub fn new(cpus: &[u32], smt: u32, tasks: u32) -> Self {
        let mut table = Self {
            cpus: Vec::new(),
            first: vec![0],
            next: vec![NOBODY; tasks as usize],
            busy_on_core: Vec::new(),
            busy_on_node: vec![0; cpus.len()],
            idle_core: Vec::new(),
            idle: Vec::new(),
        };
        for (node, &count) in cpus.iter().enumerate() {
            let cores = count.div_ceil(smt.max(1)).max(1);
            let first_core = table.busy_on_core.len() as u32;
            if count > 0 {
                table.busy_on_core.resize(table.busy_on_core.len() + cores as usize, 0);
            }
            for i in 0..count {
                table.cpus.push(Cpu {
                    node: node as u32,
                    core: first_core + i % cores,
                    current: NOBODY,
                    since: SimTime::ZERO,
                    head: NOBODY,
                    tail: NOBODY,
                    queued: 0,
                });
            }
            table.first.push(table.cpus.len() as u32);
        }
        table.idle = vec![0; table.cpus.len().div_ceil(64)];
        for i in 0..table.cpus.len() {
            table.idle[i / 64] |= 1 << (i % 64);
        }
        table.idle_core = table.idle.clone();
        table
    }

    /// How many CPUs there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.cpus.len() as u32
    }

    /// Whether there are no CPUs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cpus.is_empty()
    }

    /// The CPUs of a node.
    #[must_use]
    pub fn of_node(&self, node: NodeId) -> core::ops::Range<u32> {
        self.first[node.index()]..self.first[node.index() + 1]
    }

    /// The node of a CPU.
    #[must_use]
    #[inline]
    pub fn node(&self, cpu: CpuId) -> NodeId {
        NodeId(self.cpus[cpu.index()].node)
    }

    /// Who runs on a CPU.
    #[must_use]
    pub fn current(&self, cpu: CpuId) -> Option<TaskId> {
        let task = self.cpus[cpu.index()].current;
        (task != NOBODY).then_some(TaskId(task))
    }

    /// How many of the CPUs that share `cpu`'s core run a task, `cpu` included.
    #[must_use]
    #[inline]
    pub fn busy_on_core(&self, cpu: CpuId) -> u32 {
        self.busy_on_core[self.cpus[cpu.index()].core as usize]
    }

    /// How many CPUs of a node run a task.
    #[must_use]
    pub fn busy_on_node(&self, node: NodeId) -> u32 {
        self.busy_on_node[node.index()]
    }

    /// How many tasks wait in queues of a node's CPUs.
    #[must_use]
    pub fn queued_on_node(&self, node: NodeId) -> u32 {
        self.of_node(node).map(|c| self.cpus[c as usize].queued).sum()
    }

    /// A task becomes runnable on `node`. `last` is the CPU that it ran on before: it is taken again
    /// when it is idle and nothing runs on its core.
    ///
    /// # Panics
    /// When the node has no CPU.
    #[inline]
    pub fn wake(&mut self, now: SimTime, task: TaskId, node: NodeId, last: CpuId) -> Placed {
        let range = self.of_node(node);
        assert!(!range.is_empty(), "a task runs on a node with CPUs");
        let is_set = |set: &[u64], c: u32| set[c as usize / 64] >> (c % 64) & 1 == 1;
        let cpu = if range.contains(&last.0) && is_set(&self.idle_core, last.0) {
            Some(last.0)
        } else {
            first_set(&self.idle_core, range.clone())
                .or_else(|| first_set(&self.idle, range.clone()))
        };
        if let Some(cpu) = cpu {
            self.put_on(now, cpu, task);
            return Placed::Running(CpuId(cpu));
        }
        let cpu = range.min_by_key(|&c| self.cpus[c as usize].queued).expect("a CPU");
        self.enqueue(cpu, task);
        Placed::Queued(CpuId(cpu))
    }

    /// The task on `cpu` blocks; the first in its queue, if any, has the CPU now.
    ///
    /// # Panics
    /// When nobody runs there.
    #[inline]
    pub fn block(&mut self, now: SimTime, cpu: CpuId) -> Option<TaskId> {
        self.take_off(cpu.0);
        let c = &mut self.cpus[cpu.index()];
        if c.head == NOBODY {
            return None;
        }
        let task = c.head;
        c.head = self.next[task as usize];
        if c.head == NOBODY {
            c.tail = NOBODY;
        }
        c.queued -= 1;
        self.put_on(now, cpu.0, TaskId(task));
        Some(TaskId(task))
    }

    /// Whether the task on `cpu` has used its slice while another one waits.
    #[must_use]
    #[inline]
    pub fn slice_over(&self, now: SimTime, cpu: CpuId, slice: SimDuration) -> bool {
        let c = &self.cpus[cpu.index()];
        c.queued > 0 && now.saturating_since(c.since) >= slice
    }

    /// The task on `cpu` goes to the end of the queue; the first in the queue has the CPU now.
    ///
    /// # Panics
    /// When nobody runs there or nobody waits.
    pub fn give_way(&mut self, now: SimTime, cpu: CpuId) -> TaskId {
        let task = self.current(cpu).expect("somebody runs");
        let next = self.block(now, cpu).expect("somebody waits");
        self.enqueue(cpu.0, task);
        next
    }

    fn enqueue(&mut self, cpu: u32, task: TaskId) {
        let c = &mut self.cpus[cpu as usize];
        self.next[task.index()] = NOBODY;
        if c.tail == NOBODY {
            c.head = task.0;
        } else {
            self.next[c.tail as usize] = task.0;
        }
        c.tail = task.0;
        c.queued += 1;
    }

    #[inline]
    fn put_on(&mut self, now: SimTime, cpu: u32, task: TaskId) {
        let c = &mut self.cpus[cpu as usize];
        assert!(c.current == NOBODY, "a CPU runs one task");
        c.current = task.0;
        c.since = now;
        let (core, node) = (c.core as usize, c.node as usize);
        self.busy_on_node[node] += 1;
        self.busy_on_core[core] += 1;
        clear(&mut self.idle, cpu);
        if self.busy_on_core[core] == 1 {
            self.mark_core(cpu, false);
        }
    }

    #[inline]
    fn take_off(&mut self, cpu: u32) {
        let c = &mut self.cpus[cpu as usize];
        assert!(c.current != NOBODY, "somebody runs");
        c.current = NOBODY;
        let (core, node) = (c.core as usize, c.node as usize);
        self.busy_on_node[node] -= 1;
        self.busy_on_core[core] -= 1;
        set(&mut self.idle, cpu);
        if self.busy_on_core[core] == 0 {
            self.mark_core(cpu, true);
        }
    }

    /// Marks every CPU of `cpu`'s core as (not) belonging to an idle core.
    #[inline]
    fn mark_core(&mut self, cpu: u32, is_idle: bool) {
        let node = self.cpus[cpu as usize].node as usize;
        let (first, end) = (self.first[node], self.first[node + 1]);
        let core = self.cpus[cpu as usize].core;
        let first_core = self.cpus[first as usize].core;
        // Cores of a node are dense: its CPU i has core first_core + i % cores.
        let cores = self.cpus[first as usize..end as usize]
            .iter()
            .skip(1)
            .position(|c| c.core == first_core)
            .map_or(end - first, |p| p as u32 + 1);
        let mut c = first + (core - first_core);
        while c < end {
            if is_idle {
                set(&mut self.idle_core, c);
            } else {
                clear(&mut self.idle_core, c);
            }
            c += cores;
        }
    }
}

fn set(bits: &mut [u64], i: u32) {
    bits[i as usize / 64] |= 1 << (i % 64);
}

fn clear(bits: &mut [u64], i: u32) {
    bits[i as usize / 64] &= !(1 << (i % 64));
}

/// The lowest bit that is set in `range`.
fn first_set(bits: &[u64], range: core::ops::Range<u32>) -> Option<u32> {
    let mut at = range.start;
    while at < range.end {
        let word = bits[at as usize / 64] >> (at % 64);
        if word != 0 {
            let found = at + word.trailing_zeros();
            return (found < range.end).then_some(found);
        }
        at = (at / 64 + 1) * 64;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: SimTime = SimTime::ZERO;

    fn wake(t: &mut CpuTable, task: u32, node: u32) -> Placed {
        let last = CpuId(t.of_node(NodeId(node)).start);
        t.wake(NOW, TaskId(task), NodeId(node), last)
    }

    #[test]
    fn idle_cores_come_first_then_idle_threads_then_the_shortest_queue() {
        let mut t = CpuTable::new(&[2, 4], 2, 8);
        // Node 1 has CPUs 2..6: cores {2, 4} and {3, 5}.
        assert_eq!(wake(&mut t, 0, 1), Placed::Running(CpuId(2)));
        assert_eq!(wake(&mut t, 1, 1), Placed::Running(CpuId(3)));
        assert_eq!(t.busy_on_core(CpuId(4)), 1);
        assert_eq!(wake(&mut t, 2, 1), Placed::Running(CpuId(4)));
        assert_eq!(t.busy_on_core(CpuId(2)), 2);
        assert_eq!(wake(&mut t, 3, 1), Placed::Running(CpuId(5)));
        assert_eq!(wake(&mut t, 4, 1), Placed::Queued(CpuId(2)));
        assert_eq!(wake(&mut t, 5, 1), Placed::Queued(CpuId(3)));
        assert_eq!((t.busy_on_node(NodeId(1)), t.queued_on_node(NodeId(1))), (4, 2));
        assert_eq!(t.block(NOW, CpuId(2)), Some(TaskId(4)));
        assert_eq!(t.block(NOW, CpuId(2)), None);
        assert_eq!(t.block(NOW, CpuId(4)), None);
        // The whole core {2, 4} is idle again.
        assert_eq!(wake(&mut t, 0, 1), Placed::Running(CpuId(2)));
    }

    #[test]
    fn a_task_gives_way_only_after_its_slice_and_only_to_somebody() {
        let mut t = CpuTable::new(&[1], 1, 2);
        let slice = SimDuration::from_millis(3);
        let late = NOW + slice;
        assert_eq!(wake(&mut t, 0, 0), Placed::Running(CpuId(0)));
        assert!(!t.slice_over(late, CpuId(0), slice));
        assert_eq!(wake(&mut t, 1, 0), Placed::Queued(CpuId(0)));
        assert!(!t.slice_over(NOW, CpuId(0), slice));
        assert!(t.slice_over(late, CpuId(0), slice));
        assert_eq!(t.give_way(late, CpuId(0)), TaskId(1));
        assert_eq!(t.current(CpuId(0)), Some(TaskId(1)));
        assert_eq!(t.block(late, CpuId(0)), Some(TaskId(0)));
    }

    #[test]
    fn bits_are_found_across_words() {
        let mut bits = vec![0u64; 3];
        set(&mut bits, 130);
        assert_eq!(first_set(&bits, 5..131), Some(130));
        assert_eq!(first_set(&bits, 5..130), None);
        assert_eq!(first_set(&bits, 131..150), None);
    }
}
