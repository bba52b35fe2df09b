//! The whole state of a run as one value: a clone is a checkpoint.

use crate::boot::{build_nodes, zones};
use crate::config::{Config, GroupConfig, NODES_MAX, ZONES_PER_NODE};
use crate::lru::{ClassId, Entry, Flags, Lruvec, PageKind, Pages, Shadow};
use crate::memcontrol::Memcg;
use crate::page_alloc::pcp::Pcp;
use crate::page_alloc::zone::Zone;
use crate::psi::Psi;
use crate::speed::{Speed, Traffic};
use crate::task::{Kind, State, Step, Task};
use crate::vmscan::pageout::SwapState;
use crate::vmscan::request::Request;
use crate::vmscan::throttle::Reason;
use crate::vmscan::wakeup::WakeupState;
use crate::vmstat::Vmstat;
use crate::workload::drive::Drives;
use crate::workload::flusher::{self, Flusher};
use crate::workload::job::Job;
use crate::workload::region::{self, Layout};
use crate::workload::resident::{Resident, evicted, residents};
use catalog::{ConstantId, ZoneKind};
use engine::dist::Exponential;
use engine::{Core, CpuTable, LockTable, Stream};
use std::sync::Arc;
use units::{CpuId, EntityId, LockId, NodeId, SimTime, TaskId};

/// The class of the pages that readers ask for: they may lie in any zone.
pub const USER_CLASS: usize = ZoneKind::Movable as usize;

/// A folio batch of one CPU (`lru_add` of struct cpu_fbatches).
#[derive(Clone, Debug, Default)]
pub struct FolioBatch {
    /// Pages in it.
    pub len: u32,
    /// Its pages, each with its node.
    pub entries: Vec<(u8, Entry)>,
}

impl FolioBatch {
    /// Pages of a class are read while they are in the batch: they have their first mark when they
    /// join the lists.
    pub(crate) fn mark_read(&mut self, class: ClassId) {
        for (_, e) in self.entries.iter_mut().filter(|(_, e)| e.class == class) {
            e.flags = e.flags.with(Flags::REFERENCED);
        }
    }

    /// Pages of a node join the batch.
    pub(crate) fn add(&mut self, node: u8, e: Entry, pages: &Pages) {
        self.len += e.count;
        let runs = pages.is_loop(e.class);
        let like = self.entries.iter_mut().rev().find(|(n, old)| {
            *n == node && old.is_like(&e) && (!runs || old.heat + u64::from(old.count) == e.heat)
        });
        match like {
            // The time between the first and the last page of a batch does not matter.
            Some((_, old)) => old.count += e.count,
            None => self.entries.push((node, e)),
        }
    }
}

/// A node (`pgdat`).
#[derive(Clone, Debug)]
pub struct Node {
    /// Its LRU lists, by memory cgroup; the root is the first.
    pub lruvecs: Vec<Lruvec>,
    /// Its workers: task numbers `workers.0..workers.1`.
    pub workers: (u32, u32),
    /// How many of them a wakeup may wake: one under the policy `single`.
    pub wakeable: u32,
    /// Node whose CPUs run its workers: itself, or the nearest with CPUs.
    pub cpu_node: NodeId,
    /// Memory traffic; that of parts of a node that was cut is kept with the first of them.
    pub traffic: Traffic,
    /// What its wakeup policy keeps.
    pub wakeup: WakeupState,
    /// Free pages over its zones.
    pub free: u64,
    /// Free pages less what each zone keeps from user pages: what the marks are compared with.
    pub usable: u64,
    /// Pages that have entered its lists so far: their order over all partitions.
    pub entered: u64,
    /// Folio batches that have entered its lists so far.
    pub batches_added: u64,
    /// Pages that reclaimers have taken off its lists and not freed yet, anonymous and file.
    pub isolated: [u64; 2],
    /// kswapd_failures.
    pub kswapd_failures: u32,
    /// Pages that its workers have reclaimed, pass by pass.
    pub kswapd_reclaimed: u64,
    /// Workers that are making a generation.
    pub aging: u32,
    /// kswapd_order and kswapd_highest_zoneidx: what wakers asked for since a worker took it.
    pub request: Request,
    /// Pages that wait to be written or are being written (NR_ZONE_WRITE_PENDING).
    pub write_pending: u64,
    /// Anonymous pages on their way to a swap device.
    pub swap_pending: u64,
    /// Whether all that kswapd took in a pass was under writeback (PGDAT_WRITEBACK): until the node
    /// is balanced.
    pub writeback: bool,
    /// Tasks asleep in reclaim_throttle, by reason.
    pub reclaim_wait: [Vec<TaskId>; Reason::COUNT],
    /// Tasks asleep on pfmemalloc_wait.
    pub pfmemalloc_wait: Vec<TaskId>,
    /// Order in which its tasks look for memory: node numbers, itself first.
    pub zonelist: Vec<u8>,
}

/// A run's state.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Queue, digest, counters.
    pub core: Core,
    /// What it was made from.
    pub config: Arc<Config>,
    /// How fast CPUs are.
    pub speed: Speed,
    /// The CPUs.
    pub cpus: CpuTable,
    /// The locks: lru_locks, zone locks, the nodes' age lines, i_pages locks.
    pub locks: LockTable,
    /// By [`crate::lru::Site`], nanoseconds that tasks waited for an lru_lock.
    pub lru_waits: [u64; crate::lru::Site::ALL.len()],
    /// Zones by number, empty ones included.
    pub zones: Vec<Zone>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Per-CPU lists, `cpu * zones + zone`.
    pub pcps: Vec<Pcp>,
    /// Folio batches by CPU.
    pub batches: Vec<FolioBatch>,
    /// The workers node by node, then the tasks of the groups.
    pub tasks: Vec<Task>,
    /// Where each task looks for memory: nodes in order.
    zonelists: Arc<Vec<Vec<u8>>>,
    /// The tasks that read files of their own, which those of [`crate::lru::ClassId`] 0 are
    /// drawn from.
    pub readers: Arc<Vec<u32>>,
    /// Tasks that have not ended.
    pub alive: u32,
    /// Which pages there are, and what is resident of them.
    pub pages: Pages,
    /// Swap.
    pub swap: Option<SwapState>,
    /// When the next flush of TLBs can begin, where they are done one at a time.
    pub tlb_free_at: SimTime,
    /// What memory cgroups count.
    pub memcgs: Vec<Memcg>,
    /// Charges that CPUs hold in stock, `cpu * cgroups + cgroup`.
    pub(crate) stocks: Vec<u32>,
    /// The drives.
    pub drives: Drives,
    /// Memory pressure.
    pub psi: Psi,
    /// Counters.
    pub vmstat: Vmstat,
    /// Pages that tasks have read from drives.
    pub pages_read: u64,
    /// The regions of memory and files that the tasks use.
    pub layout: Arc<Layout>,
    /// Tasks that use each of them and have not ended.
    pub region_users: Vec<u32>,
    /// By group, what its tasks have done: pages read, uses of memory, pages filled, jobs or
    /// requests.
    pub ops: Vec<u64>,
    /// Processes of builds that have been started.
    pub processes: u64,
    /// Thousandths of a page of traffic by node that clearing pages has still to make.
    pub zeroed: [u64; NODES_MAX],
    /// Pages dirtied so far.
    pub dirtied: u64,
    /// The flusher.
    pub flusher: Flusher,
    /// Draws of zones out of cohorts.
    pub lru_draws: Stream,
    /// Draws of the files that reclaimed pages belong to.
    pub file_draws: Stream,
    /// Draws of how long a woken task needs to get its CPU.
    pub wake_draws: Stream,
    /// The distribution of that, and of what passes between fragmentation events.
    pub wake_spread: Exponential,
    /// Draws of the pages between two fragmentation events.
    pub fragmentation_draws: Stream,
}

impl Machine {
    /// A machine at time 0.
    ///
    /// # Panics
    /// When the configuration is not one that validation lets through (no node, no CPU, more than
    /// 8 nodes).
    #[must_use]
    pub fn new(mut config: Config) -> Self {
        assert!((1..=NODES_MAX).contains(&config.nodes.len()), "1 to 8 nodes");
        let cpu_counts: Vec<u32> = config.nodes.iter().map(|n| n.cpus).collect();
        assert!(cpu_counts.iter().any(|&c| c > 0), "a machine has a CPU");
        let nodes = config.nodes.len() as u32;
        let layout = region::lay_out(&mut config);
        let flushes = config.groups.iter().any(|g| g.tasks > 0 && flusher::writes(&g.work));
        let tasks = nodes * config.kswapds + config.tasks() + u32::from(flushes);
        let lists = config.memcgs.len() as u32 * config.lru_partitions;
        let swap_locks = if config.swap.is_some() { SwapState::locks() } else { 0 };
        let locks = nodes * (lists + ZONES_PER_NODE as u32 + 1)
            + config.tasks()
            + config.files
            + swap_locks;
        let zones = zones(&config, &cpu_counts);
        let cpus = CpuTable::new(&cpu_counts, config.smt, tasks);
        let pcps = (0..cpus.len()).flat_map(|_| zones.iter().map(Pcp::new)).collect();
        let mut pages = Pages::new(&config.classes)
            .with_fault_around(config.ledger.get(ConstantId::FaultAround));
        let room = zones.iter().map(|z| z.lru).sum();
        let residents = residents(&config, &layout, room);
        for r in &residents {
            pages.class_mut(r.class).heat = r.uses;
        }
        let random = config.ledger.get(ConstantId::DriveRandomShare);
        let mut machine = Self {
            core: Core::new(tasks.max(1)),
            speed: Speed::new(&config.ledger, config.distance),
            locks: LockTable::new(locks, tasks),
            lru_waits: [0; crate::lru::Site::ALL.len()],
            nodes: build_nodes(&config, &zones, &cpu_counts, (&pages, &residents)),
            batches: vec![FolioBatch::default(); cpus.len() as usize],
            tasks: Vec::with_capacity(tasks as usize),
            zonelists: Arc::default(),
            readers: Arc::default(),
            alive: config.tasks(),
            pages,
            swap: config.swap.as_ref().map(|s| SwapState::new(s, zones.len(), random, config.seed)),
            tlb_free_at: SimTime::ZERO,
            memcgs: vec![Memcg::default(); config.memcgs.len()],
            stocks: vec![0; cpus.len() as usize * config.memcgs.len()],
            drives: Drives::new(&config),
            psi: Psi::new(&cpu_counts),
            vmstat: Vmstat::default(),
            pages_read: 0,
            region_users: layout.regions.iter().map(|region| region.tasks).collect(),
            layout: Arc::new(layout),
            ops: vec![0; config.groups.len()],
            processes: 0,
            zeroed: [0; NODES_MAX],
            dirtied: 0,
            flusher: Flusher::default(),
            lru_draws: Stream::new(config.seed, "lru", 0),
            file_draws: Stream::new(config.seed, "reclaim.file", 0),
            wake_draws: Stream::new(config.seed, "wake", 0),
            wake_spread: Exponential::default(),
            fragmentation_draws: Stream::new(config.seed, "page_alloc.fragmentation", 0),
            pcps,
            cpus,
            zones,
            config: Arc::new(config),
        };
        let kept = machine.config.memcgs.iter().map(|memcg| memcg.kept).collect::<Vec<_>>();
        for (memcg, &pages) in kept.iter().enumerate().filter(|(_, pages)| **pages > 0) {
            machine.pages.charge(memcg as u16, pages);
        }
        machine.count_residents();
        machine.remember(&residents);
        machine.add_tasks();
        if flushes {
            machine.add_flusher();
        }
        machine
    }

    /// What a full start put on the lists is resident.
    fn count_residents(&mut self) {
        for (n, node) in self.nodes.iter().enumerate() {
            let parts = node.lruvecs.iter().flat_map(|vec| &vec.parts);
            let lists = parts.flat_map(|part| part.each());
            for e in lists.flat_map(|list| list.each()).flat_map(|cohort| &cohort.entries) {
                self.pages.arrive(e.class, n, u64::from(e.count), 0);
            }
        }
    }

    /// What was evicted of the stores before time 0 is remembered.
    fn remember(&mut self, residents: &[Resident]) {
        let listed = |node: usize| {
            let zones = &self.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
            zones.iter().map(|z| z.lru).sum()
        };
        let shares: Vec<u64> = (0..self.nodes.len()).map(listed).collect();
        let all: Vec<_> = residents.iter().map(|r| (r.class, evicted(r.gone, &shares))).collect();
        for &(node, _, ago) in all.iter().flat_map(|(_, runs)| runs) {
            let age = &mut self.nodes[node].lruvecs[0].nonresident_age;
            *age = (*age).max(ago);
        }
        for (class, runs) in all {
            for (node, count, ago) in runs {
                let age = self.nodes[node].lruvecs[0].nonresident_age - ago;
                let shadow = Shadow { age, node: node as u8, ..Shadow::default() };
                self.pages.class_mut(class).shadows.push(shadow, count, None);
            }
        }
    }

    /// Puts the workers to sleep on their nodes and starts the tasks.
    fn add_tasks(&mut self) {
        let config = Arc::clone(&self.config);
        for n in 0..config.nodes.len() as u32 {
            let home = self.nodes[n as usize].cpu_node;
            let cpu = CpuId(self.cpus.of_node(home).start);
            for worker in 0..config.kswapds {
                let kind = Kind::Kswapd(worker);
                let mut task = Task::new(kind, home, cpu, Step::KswapdWoken, State::Asleep);
                task.scan.node = n;
                self.tasks.push(task);
            }
        }
        let has_cpus = |&n: &u32| config.nodes.get(n as usize).is_some_and(|node| node.cpus > 0);
        let mut zonelists = Vec::with_capacity(config.tasks() as usize);
        let mut readers = Vec::with_capacity(config.readers() as usize);
        for (g, group) in config.groups.iter().enumerate() {
            let mut homes: Vec<u32> = group.nodes.iter().copied().filter(has_cpus).collect();
            if homes.is_empty() {
                homes = (0..config.nodes.len() as u32).filter(has_cpus).collect();
            }
            for i in 0..group.tasks {
                let number = zonelists.len() as u32;
                let home = NodeId(homes[i as usize % homes.len()]);
                zonelists.push(self.allowed_nodes(home, group, i as usize));
                if group.stream().is_some() {
                    readers.push(number);
                }
                self.add_task(number, g as u32, home);
            }
        }
        self.zonelists = Arc::new(zonelists);
        self.readers = Arc::new(readers);
    }

    /// A task of a group that begins with the others, spread over a millisecond.
    fn add_task(&mut self, number: u32, group: u32, home: NodeId) {
        let cpu = CpuId(self.cpus.of_node(home).start);
        let mut task = Task::new(Kind::Task(number), home, cpu, Step::ReaderWindow, State::Io);
        task.group = group;
        let reads = self.config.groups[group as usize].stream().is_some();
        if !reads {
            task.step = Step::WorkNext;
        }
        let spread = Stream::new(self.config.seed, "reader.start", u64::from(number))
            .below(self.config.ledger.get(ConstantId::StartSpread).max(1));
        let start = SimTime::from_nanos(spread);
        task.reading.ready_at = start;
        task.reading.started = start;
        task.job = Job::new(self.config.seed, u64::from(number), start);
        task.job.is_reader = reads;
        let id = EntityId(self.tasks.len() as u32);
        self.core.queue.schedule(id, start, 0);
        self.tasks.push(task);
    }

    /// The flusher, asleep until its first period.
    fn add_flusher(&mut self) {
        let id = TaskId(self.tasks.len() as u32);
        let home = self.nodes[0].cpu_node;
        let cpu = CpuId(self.cpus.of_node(home).start);
        self.tasks.push(Task::new(Kind::Flusher, home, cpu, Step::Flush, State::Asleep));
        let period = self.config.ledger.get(ConstantId::DirtyWritebackMillis) * 1_000_000;
        self.core.queue.schedule(EntityId(id.0), SimTime::from_nanos(period), 0);
        self.flusher.task = Some(id);
    }

    /// The part of a home node's zonelist that a task may use.
    fn allowed_nodes(&self, home: NodeId, group: &GroupConfig, task: usize) -> Vec<u8> {
        let list = &self.nodes[home.index()].zonelist;
        let mems = &group.mems;
        if mems.is_empty() {
            let most = if group.bound { 1 } else { list.len() };
            return list[..most].to_vec();
        }
        let mask = mems[task % mems.len()];
        let allowed: Vec<u8> = list.iter().copied().filter(|&n| mask >> n & 1 == 1).collect();
        if allowed.is_empty() { list[..1].to_vec() } else { allowed }
    }

    /// The nodes that a task looks for memory on, in order (its zonelist under its nodemask).
    #[must_use]
    #[inline]
    pub fn zonelist(&self, id: TaskId) -> &[u8] {
        match self.tasks[id.index()].kind {
            Kind::Task(number) => &self.zonelists[number as usize],
            Kind::Kswapd(_) | Kind::Flusher => {
                &self.nodes[self.tasks[id.index()].node.index()].zonelist
            }
        }
    }

    /// Whether two nodes are one in hardware: the same, or parts of one that was cut.
    #[must_use]
    #[inline]
    pub fn is_near(&self, a: NodeId, b: NodeId) -> bool {
        let parts = self.config.fake_numa;
        a == b || (parts > 1 && a.0 / parts == b.0 / parts)
    }

    /// The time of the last event.
    #[must_use]
    #[inline]
    pub fn now(&self) -> SimTime {
        self.core.queue.now()
    }

    /// A constant of the run's ledger.
    #[must_use]
    #[inline]
    pub fn constant(&self, id: ConstantId) -> u64 {
        self.config.ledger.get(id)
    }

    /// How many locks there are.
    #[must_use]
    pub fn lock_count(&self) -> u32 {
        let a_node = self.lists_a_node() + ZONES_PER_NODE as u32 + 1;
        let swap = if self.config.swap.is_some() { SwapState::locks() } else { 0 };
        self.nodes.len() as u32 * a_node + self.config.tasks() + self.config.files + swap
    }

    /// Sets of lists of a node: partitions of every cgroup.
    fn lists_a_node(&self) -> u32 {
        self.config.memcgs.len() as u32 * self.config.lru_partitions
    }

    /// The lru_lock of a partition of a cgroup's lists on a node.
    #[must_use]
    #[inline]
    pub fn lru_lock(&self, node: u32, memcg: u16, partition: u32) -> LockId {
        let before = node * self.config.memcgs.len() as u32 + u32::from(memcg);
        LockId(before * self.config.lru_partitions + partition)
    }

    /// The lock of a zone, by zone number.
    #[must_use]
    #[inline]
    pub fn zone_lock(&self, zone: u32) -> LockId {
        LockId(self.nodes.len() as u32 * self.lists_a_node() + zone)
    }

    /// The cache line of a node's nonresident age: not a lock, but a place where increments queue.
    #[must_use]
    #[inline]
    pub fn age_line(&self, node: u32) -> LockId {
        let before = self.lists_a_node() + ZONES_PER_NODE as u32;
        LockId(self.nodes.len() as u32 * before + node)
    }

    /// The i_pages lock of a file: one for each task comes first, then the others.
    #[must_use]
    #[inline]
    pub fn i_pages_lock(&self, file: u32) -> LockId {
        let before = self.lists_a_node() + ZONES_PER_NODE as u32 + 1;
        LockId(self.nodes.len() as u32 * before + file)
    }

    /// The file that the next pages of a mapping belong to: one of those that it stands for.
    pub(crate) fn file_of(&mut self, mapping: u32) -> u32 {
        match self.config.spread.iter().find(|(first, _)| *first == mapping) {
            Some(&(first, files)) => first + self.file_draws.below(files.into()) as u32,
            None => mapping,
        }
    }

    /// Pages on a node's inactive and active file lists.
    #[must_use]
    pub fn file_pages(&self, node: usize) -> (u64, u64) {
        self.list_sizes(node, PageKind::File)
    }

    /// Whether there is a free swap slot.
    #[must_use]
    pub fn may_swap(&self) -> bool {
        self.swap.as_ref().is_some_and(|swap| swap.slots.free_slots() > 0)
    }

    /// A page of a zone is taken, whatever its marks.
    pub(crate) fn take_page(&mut self, zone: usize) {
        let node = &mut self.nodes[zone / ZONES_PER_NODE];
        let zone = &mut self.zones[zone];
        node.usable -= zone.usable();
        zone.free -= 1;
        node.free -= 1;
        node.usable += zone.usable();
    }

    /// A page of a zone is free again.
    pub(crate) fn give_page(&mut self, zone: usize) {
        let node = &mut self.nodes[zone / ZONES_PER_NODE];
        let zone = &mut self.zones[zone];
        node.usable -= zone.usable();
        zone.free += 1;
        node.free += 1;
        node.usable += zone.usable();
    }

    /// The high marks of a node's zones together.
    #[must_use]
    pub fn high_marks(&self, node: usize) -> u64 {
        let zones = &self.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
        zones.iter().filter(|z| z.managed > 0).map(|z| z.marks.high).sum()
    }

    /// Bytes that this state does not share with an earlier one, about: what keeping both costs.
    #[must_use]
    pub fn bytes_not_shared_with(&self, other: &Self) -> u64 {
        let flat = size_of::<Self>()
            + self.tasks.len() * size_of::<Task>()
            + self.pcps.len() * size_of::<Pcp>()
            + self.batches.len() * size_of::<FolioBatch>()
            + self.zones.len() * size_of::<Zone>()
            + self.cpus.len() as usize * 64
            + (self.config.tasks() as usize + self.tasks.len()) * 96;
        let lists = self.nodes.iter().zip(&other.nodes).flat_map(|(a, b)| {
            let own = a.lruvecs.iter().flat_map(|vec| &vec.parts);
            own.zip(b.lruvecs.iter().flat_map(|vec| &vec.parts)).map(|(p, q)| {
                p.each().zip(q.each()).map(|(own, old)| own.bytes_not_shared_with(old)).sum::<u64>()
            })
        });
        flat as u64 + lists.sum::<u64>()
    }
}
