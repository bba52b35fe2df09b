//! CPUs with a run queue each.
//!
//! A wakeup takes an idle CPU of the task's node (one whose whole core is idle before one that
//! shares its core), else joins the shortest queue there. A CPU with one task has no slice event: a
//! task gives way only between two pieces of its own work, when its slice is over and another one
//! waits. The pieces are shorter than a slice, and a task that holds or spins for a lock is inside
//! one.
//!
//! Idle CPUs, CPUs of idle cores, and CPUs by the length of their queue are kept as bit sets, so
//! that a wakeup looks at words of 64 CPUs and not at every CPU of a node.

use units::{CpuId, NodeId, SimDuration, SimTime, TaskId};

const NOBODY: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Cpu {
    node: u32,
    /// Numbered over the whole machine.
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
/// In a node with `n` CPUs and `t` threads a core, CPUs `i`, `i + n/t`, `i + 2n/t` ... share a
/// core, as common firmware numbers them.
#[derive(Clone, Debug)]
pub struct CpuTable {
    cpus: Vec<Cpu>,
    /// First CPU of each node, and one past the last.
    first: Vec<u32>,
    /// Cores of each node: CPUs of a node that are so far apart share one.
    cores: Vec<u32>,
    /// Next in its run queue, by task.
    next: Vec<u32>,
    /// Tasks on a CPU, by core.
    busy_on_core: Vec<u32>,
    /// Tasks on a CPU, by node.
    busy_on_node: Vec<u32>,
    /// Tasks in queues, by node.
    queued_on_node: Vec<u32>,
    /// Idle CPUs whose whole core is idle, as a bit set over all CPUs.
    idle_core: Vec<u64>,
    /// Idle CPUs, as a bit set over all CPUs.
    idle: Vec<u64>,
    /// CPUs with no task in their queue, then those with one, and so on: bit sets over all CPUs one
    /// after another, as many as were needed.
    by_queued: Vec<u64>,
    /// No queue of the node is shorter.
    shortest: Vec<u32>,
}

impl CpuTable {
    /// CPUs of nodes with `cpus[node]` hardware threads, `smt` a core, for tasks `0..tasks`.
    #[must_use]
    pub fn new(cpus: &[u32], smt: u32, tasks: u32) -> Self {
        let mut table = Self {
            cpus: Vec::new(),
            first: vec![0],
            cores: Vec::new(),
            next: vec![NOBODY; tasks as usize],
            busy_on_core: Vec::new(),
            busy_on_node: vec![0; cpus.len()],
            queued_on_node: vec![0; cpus.len()],
            idle_core: Vec::new(),
            idle: Vec::new(),
            by_queued: Vec::new(),
            shortest: vec![0; cpus.len()],
        };
        for (node, &count) in cpus.iter().enumerate() {
            let cores = count.div_ceil(smt.max(1)).max(1);
            let first_core = table.busy_on_core.len() as u32;
            table.cores.push(cores);
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
            set(&mut table.idle, i as u32);
        }
        table.idle_core = table.idle.clone();
        table.by_queued = table.idle.clone();
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
        self.queued_on_node[node.index()]
    }

    /// A task becomes runnable on `node`. `last` is the CPU that it ran on before: it is taken
    /// again when it is idle and nothing runs on its core.
    ///
    /// # Panics
    /// When the node has no CPU.
    #[inline]
    pub fn wake(&mut self, now: SimTime, task: TaskId, node: NodeId, last: CpuId) -> Placed {
        let range = self.of_node(node);
        assert!(!range.is_empty(), "a task runs on a node with CPUs");
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
        let cpu = self.shortest_queue(node);
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
        let task = self.dequeue(cpu.0)?;
        self.put_on(now, cpu.0, task);
        Some(task)
    }

    /// To be called when [`Self::wake`] has put a task into the queue of `cpu`. The task that runs
    /// there has had one slice after the other while it was alone: what is left of the one at hand
    /// is still its own.
    #[inline]
    pub fn wait_for_slice(&mut self, now: SimTime, cpu: CpuId, slice: SimDuration) {
        let c = &mut self.cpus[cpu.index()];
        if c.queued == 1 {
            let used = now.saturating_since(c.since).as_nanos() % slice.as_nanos().max(1);
            c.since = SimTime::from_nanos(now.as_nanos() - used);
        }
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

    /// The CPU with the fewest tasks in its queue; of several the first.
    fn shortest_queue(&mut self, node: NodeId) -> u32 {
        let range = self.of_node(node);
        let shortest = &mut self.shortest[node.index()];
        let words = self.idle.len();
        loop {
            let cpus = &self.by_queued[*shortest as usize * words..];
            if let Some(cpu) = first_set(cpus, range.clone()) {
                return cpu;
            }
            *shortest += 1;
        }
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
        self.set_queued(cpu, self.cpus[cpu as usize].queued + 1);
    }

    fn dequeue(&mut self, cpu: u32) -> Option<TaskId> {
        let c = &mut self.cpus[cpu as usize];
        let task = c.head;
        if task == NOBODY {
            return None;
        }
        c.head = self.next[task as usize];
        if c.head == NOBODY {
            c.tail = NOBODY;
        }
        self.set_queued(cpu, self.cpus[cpu as usize].queued - 1);
        Some(TaskId(task))
    }

    fn set_queued(&mut self, cpu: u32, queued: u32) {
        let c = &mut self.cpus[cpu as usize];
        let (before, node) = (c.queued, c.node as usize);
        c.queued = queued;
        self.queued_on_node[node] = self.queued_on_node[node] - before + queued;
        self.shortest[node] = self.shortest[node].min(queued);
        let words = self.idle.len();
        let end = (queued as usize + 1) * words;
        if self.by_queued.len() < end {
            self.by_queued.resize(end, 0);
        }
        clear(&mut self.by_queued[before as usize * words..], cpu);
        set(&mut self.by_queued[queued as usize * words..], cpu);
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
        let (first, end, cores) = (self.first[node], self.first[node + 1], self.cores[node]);
        let mut c = first + (cpu - first) % cores;
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

fn is_set(bits: &[u64], i: u32) -> bool {
    bits[i as usize / 64] >> (i % 64) & 1 == 1
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
    fn a_task_that_was_alone_keeps_the_rest_of_the_slice_at_hand() {
        let mut t = CpuTable::new(&[1], 1, 3);
        let slice = SimDuration::from_millis(3);
        let ms = |n| NOW + SimDuration::from_millis(n);
        assert_eq!(wake(&mut t, 0, 0), Placed::Running(CpuId(0)));
        // Its third slice began at 6 ms.
        assert_eq!(t.wake(ms(7), TaskId(1), NodeId(0), CpuId(0)), Placed::Queued(CpuId(0)));
        t.wait_for_slice(ms(7), CpuId(0), slice);
        assert!(!t.slice_over(ms(8), CpuId(0), slice));
        assert!(t.slice_over(ms(9), CpuId(0), slice));
        // One more in the queue changes nothing.
        assert_eq!(t.wake(ms(10), TaskId(2), NodeId(0), CpuId(0)), Placed::Queued(CpuId(0)));
        t.wait_for_slice(ms(10), CpuId(0), slice);
        assert!(t.slice_over(ms(10), CpuId(0), slice));
    }

    /// The same rules by looking at every CPU.
    struct Plain {
        queues: Vec<Vec<u32>>,
        cores: Vec<(u32, u32)>,
    }

    impl Plain {
        fn new(cpus: &[u32], smt: u32) -> Self {
            let mut cores = Vec::new();
            for (node, &n) in cpus.iter().enumerate() {
                cores.extend((0..n).map(|i| (node as u32, i % n.div_ceil(smt))));
            }
            Self { queues: vec![Vec::new(); cores.len()], cores }
        }
        fn busy_on_core(&self, cpu: usize) -> u32 {
            let of = self.cores[cpu];
            self.cores.iter().zip(&self.queues).filter(|(c, q)| **c == of && !q.is_empty()).count()
                as u32
        }
        fn wake(&mut self, task: u32, node: u32, last: u32) -> Placed {
            let mine = |c: &usize| self.cores[*c].0 == node;
            let all = || (0..self.cores.len()).filter(mine);
            let whole = |c: &usize| self.busy_on_core(*c) == 0;
            let to = Some(last as usize)
                .filter(|c| mine(c) && whole(c))
                .or_else(|| all().find(whole))
                .or_else(|| all().min_by_key(|&c| self.queues[c].len()))
                .expect("a CPU");
            self.queues[to].push(task);
            let cpu = CpuId(to as u32);
            if self.queues[to].len() == 1 { Placed::Running(cpu) } else { Placed::Queued(cpu) }
        }
    }

    #[test]
    fn placement_is_that_of_looking_at_every_cpu() {
        for (cpus, smt) in [(&[3u32, 0, 70, 5][..], 2), (&[104, 104], 2), (&[1, 2], 1), (&[9], 4)] {
            let tasks = 3 * cpus.iter().sum::<u32>();
            let mut table = CpuTable::new(cpus, smt, tasks);
            let mut plain = Plain::new(cpus, smt);
            let mut stream = crate::Stream::new(5, "cpus", u64::from(smt));
            let mut asleep: Vec<u32> = (0..tasks).collect();
            let n = table.len();
            for step in 0..20_000u64 {
                // In turn there are mostly wakeups and mostly tasks that block.
                let wakes = stream.below(10) < if step % 2_000 < 1_000 { 7 } else { 3 };
                let cpu = stream.below(u64::from(n)) as u32;
                let at = SimTime::from_nanos(step);
                let node = table.node(CpuId(cpu));
                if wakes && !asleep.is_empty() {
                    let task = asleep.swap_remove(stream.below(asleep.len() as u64) as usize);
                    let last = stream.below(u64::from(n)) as u32;
                    let placed = table.wake(at, TaskId(task), node, CpuId(last));
                    assert_eq!(placed, plain.wake(task, node.0, last));
                } else if table.current(CpuId(cpu)).is_some() {
                    let queue = &mut plain.queues[cpu as usize];
                    asleep.push(queue.remove(0));
                    assert_eq!(table.block(at, CpuId(cpu)).map(|t| t.0), queue.first().copied());
                }
                assert_eq!(table.busy_on_core(CpuId(cpu)), plain.busy_on_core(cpu as usize));
                let waiting = table.of_node(node).map(|c| plain.queues[c as usize].len());
                let waiting: usize = waiting.map(|len| len.saturating_sub(1)).sum();
                assert_eq!(table.queued_on_node(node), waiting as u32);
            }
        }
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
