//! Memory cgroups: charging pages, limits and what happens at them (7.2 mm/memcontrol.c:
//! try_charge_memcg, consume_stock, drain_all_stock, __mem_cgroup_handle_over_high).
//!
//! A page is charged before it is used. Each CPU keeps a stock of charges, so that the shared
//! counter is touched once in 64 pages; near the limit it is touched for every page. Over the limit
//! the task reclaims from the cgroup's own lists on every node, for itself: kswapd has no part in
//! it, and it is no allocstall. Over memory.high the charge succeeds, and the task reclaims, or is
//! put to sleep, before it goes on.
//!
//! The hierarchy is flat: the root, which has no limit, and its children.

use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use crate::trace::Event;
use catalog::ConstantId;
use units::{SimTime, TaskId};

/// The limits of a cgroup, in pages; `u64::MAX` for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemcgConfig {
    /// memory.max.
    pub max: u64,
    /// memory.high.
    pub high: u64,
    /// Pages charged for good beside those of the workload.
    pub kept: u64,
}

impl MemcgConfig {
    /// The root: no limits.
    pub const ROOT: Self = Self { max: u64::MAX, high: u64::MAX, kept: 0 };
}

/// What a cgroup counts, the names of memory.events and memory.stat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memcg {
    /// Times that usage was about to go over memory.max (events: max).
    pub max: u64,
    /// Times that a task over memory.high was made to reclaim (events: high).
    pub high: u64,
    /// Times that nothing could be reclaimed at the limit (events: oom).
    pub oom: u64,
    /// Tasks killed for it (events: oom_kill).
    pub oom_kill: u64,
    /// Reclaim calls of charging tasks.
    pub reclaims: u64,
    /// Pages scanned on its lists.
    pub pgscan: u64,
    /// Pages freed from them.
    pub pgsteal: u64,
    /// Largest usage so far, in pages (memory.peak).
    pub peak: u64,
}

impl Machine {
    /// Pages charged to a cgroup, stocks included (memory.current).
    #[must_use]
    pub fn memcg_usage(&self, memcg: u16) -> u64 {
        self.pages.usage(memcg)
    }

    fn stock(&mut self, cpu: usize, memcg: u16) -> &mut u32 {
        let cgroups = self.config.memcgs.len();
        &mut self.stocks[cpu * cgroups + usize::from(memcg)]
    }

    /// try_charge of so many pages: whether they fit under memory.max.
    fn charge_counter(&mut self, memcg: u16, pages: u64) -> bool {
        let limit = self.config.memcgs[usize::from(memcg)].max;
        let usage = self.pages.usage(memcg) + pages;
        if usage > limit {
            return false;
        }
        self.pages.charge(memcg, pages);
        let peak = &mut self.memcgs[usize::from(memcg)].peak;
        *peak = usage.max(*peak);
        true
    }

    /// drain_all_stock: what CPUs hold of a cgroup's charges goes back.
    fn drain_stocks(&mut self, memcg: u16) {
        for cpu in 0..self.cpus.len() as usize {
            let held = core::mem::take(self.stock(cpu, memcg));
            self.pages.uncharge(memcg, u64::from(held));
        }
    }
}

impl<O: Observer> Sim<'_, O> {
    /// The cgroup that a task's next page is charged to, if it is not the root.
    pub(crate) fn charged_to(&self, id: TaskId) -> Option<u16> {
        let class = self.m.tasks[id.index()].alloc.class;
        let memcg = self.m.pages.class(class).config.memcg;
        (memcg > 0).then_some(memcg)
    }

    /// Charges the next pages: from the CPU's stock, else 64 at once, else one by one, else over
    /// the limit.
    pub(crate) fn charge(&mut self, id: TaskId) -> Flow {
        let Some(memcg) = self.charged_to(id) else { unreachable!("the root is not charged") };
        let batch = self.constant(ConstantId::MemcgChargeBatch);
        let m = &mut *self.m;
        let cpu = m.tasks[id.index()].cpu.index();
        let need = m.tasks[id.index()].alloc.need;
        let stock = m.stock(cpu, memcg);
        if *stock > 0 {
            let part = need.min(*stock);
            *stock -= part;
            m.tasks[id.index()].alloc.charged = part;
            m.tasks[id.index()].step = Step::Alloc;
            return Flow::GoOn;
        }
        let charged = if m.charge_counter(memcg, batch) {
            let part = u64::from(need).min(batch) as u32;
            *m.stock(cpu, memcg) = batch as u32 - part;
            (part, batch)
        } else if m.charge_counter(memcg, 1) {
            (1, 1)
        } else {
            return self.charge_failed(id, memcg);
        };
        let high = m.config.memcgs[usize::from(memcg)].high;
        let over = m.pages.usage(memcg) > high;
        let alloc = &mut m.tasks[id.index()].alloc;
        alloc.charged = charged.0;
        alloc.charge_tries = 0;
        alloc.stocks_drained = false;
        if over {
            alloc.over_high += charged.1;
        }
        let home = m.tasks[id.index()].node.0;
        let cost = self.constant(ConstantId::PageCounter);
        self.work(id, State::App, cost, home, Step::Alloc)
    }

    /// The limit is reached: the task reclaims for the cgroup.
    fn charge_failed(&mut self, id: TaskId, memcg: u16) -> Flow {
        self.m.memcgs[usize::from(memcg)].max += 1;
        let target = self.constant(ConstantId::SwapClusterMax);
        self.memcg_reclaim(id, memcg, target)
    }

    /// try_to_free_mem_cgroup_pages: passes over the cgroup's lists on every node.
    fn memcg_reclaim(&mut self, id: TaskId, memcg: u16, nr_to_reclaim: u64) -> Flow {
        let now = self.now();
        let priority = self.constant(ConstantId::DefPriority) as u8;
        self.m.memcgs[usize::from(memcg)].reclaims += 1;
        let task = &mut self.m.tasks[id.index()];
        task.direct = true;
        task.alloc.direct_since = now;
        task.scan.limit = Some(memcg);
        task.scan.direct = true;
        task.scan.priority = priority;
        task.scan.total = 0;
        task.scan.total_scanned = 0;
        task.scan.visited = 0;
        task.scan.nr_to_reclaim = nr_to_reclaim;
        task.step = Step::DirectPriority;
        let home = task.node.index();
        self.m.note_stall(id, home, true);
        self.trace(id, Event::MemcgBegin);
        Flow::GoOn
    }

    /// The reclaim call for a limit returns.
    pub(crate) fn memcg_reclaimed(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        let memcg = task.scan.limit.take().expect("a reclaim for a limit");
        task.direct = false;
        let took = now - task.alloc.direct_since;
        let (home, reclaimed) = (task.node.index(), task.scan.total);
        self.m.note_stall(id, home, false);
        for node in &mut self.m.nodes {
            node.lruvecs[usize::from(memcg)].snapshot_refaults();
        }
        self.observer.memcg_reclaim(now, memcg, took, reclaimed);
        self.trace(id, Event::MemcgEnd { nr_reclaimed: reclaimed });
        if self.m.tasks[id.index()].alloc.need == 0 {
            return self.over_high_reclaimed(id, memcg);
        }
        let room = self.m.pages.usage(memcg) < self.m.config.memcgs[usize::from(memcg)].max;
        let tries = self.constant(ConstantId::MaxReclaimRetries) as u32;
        let task = &mut self.m.tasks[id.index()];
        task.step = Step::Alloc;
        if room {
            return Flow::GoOn;
        }
        if !task.alloc.stocks_drained {
            task.alloc.stocks_drained = true;
            let home = task.node.0;
            let cost = self.constant(ConstantId::DrainPerCpu) * u64::from(self.m.cpus.len());
            return self.work(id, State::PageWork, cost, home, Step::StocksDrained);
        }
        if reclaimed > 0 {
            return Flow::GoOn;
        }
        task.alloc.charge_tries += 1;
        if task.alloc.charge_tries <= tries {
            return Flow::GoOn;
        }
        task.alloc.charge_tries = 0;
        self.m.memcgs[usize::from(memcg)].oom += 1;
        self.out_of_memory(id, Some(memcg))
    }

    /// drain_all_stock is done: another try to charge.
    pub(crate) fn stocks_drained(&mut self, id: TaskId) -> Flow {
        if let Some(memcg) = self.charged_to(id) {
            self.m.drain_stocks(memcg);
        }
        self.m.tasks[id.index()].step = Step::Alloc;
        Flow::GoOn
    }

    /// mem_cgroup_handle_over_high, on the way back to user mode: whether there is anything to do,
    /// and its first step.
    pub(crate) fn handle_over_high(&mut self, id: TaskId) -> Option<Flow> {
        let debt = self.m.tasks[id.index()].alloc.over_high;
        if debt == 0 {
            return None;
        }
        let memcg = self.charged_to(id)?;
        self.m.tasks[id.index()].alloc.charge_tries = 0;
        self.m.memcgs[usize::from(memcg)].high += 1;
        Some(self.memcg_reclaim(id, memcg, debt))
    }

    /// The debt is reclaimed: done when usage is under memory.high, or the task sleeps the longer
    /// the further it is over; as long as reclaim makes progress it goes on instead.
    fn over_high_reclaimed(&mut self, id: TaskId, memcg: u16) -> Flow {
        let jiffy = self.m.config.jiffy;
        let tries = self.constant(ConstantId::MaxReclaimRetries) as u32;
        let batch = self.constant(ConstantId::MemcgChargeBatch);
        let cluster = self.constant(ConstantId::SwapClusterMax);
        let high = self.m.config.memcgs[usize::from(memcg)].high;
        let over = self.m.pages.usage(memcg).saturating_sub(high);
        let hz = 1_000_000_000 / jiffy.as_nanos().max(1);
        let alloc = &mut self.m.tasks[id.index()].alloc;
        let ticks = delay(over, high, alloc.over_high, batch, hz);
        let progress = self.m.tasks[id.index()].scan.total > 0;
        let alloc = &mut self.m.tasks[id.index()].alloc;
        if ticks > hz / 100 && progress && alloc.charge_tries < tries {
            alloc.charge_tries += 1;
            self.m.memcgs[usize::from(memcg)].high += 1;
            return self.memcg_reclaim(id, memcg, cluster);
        }
        alloc.over_high = 0;
        alloc.charge_tries = 0;
        if ticks <= hz / 100 {
            self.m.tasks[id.index()].step = Step::Alloc;
            return Flow::GoOn;
        }
        let until: SimTime = self.schedule_timeout(jiffy * ticks);
        let home = self.m.tasks[id.index()].node.index();
        self.m.note_stall(id, home, true);
        self.sleep(id, State::Throttled, Some(until), Step::HighSlept)
    }

    /// The sleep over memory.high counted as a stall on memory.
    pub(crate) fn high_slept(&mut self, id: TaskId) -> Flow {
        let home = self.m.tasks[id.index()].node.index();
        self.m.note_stall(id, home, false);
        self.m.tasks[id.index()].step = Step::Alloc;
        Flow::GoOn
    }
}

/// calculate_high_delay in ticks: the overage in parts of memory.high, squared, for a charge of
/// `batch` pages; two seconds at most.
fn delay(over: u64, high: u64, debt: u64, batch: u64, hz: u64) -> u64 {
    let overage = (u128::from(over) << 20) / u128::from(high.max(1));
    let ticks = (overage * overage * u128::from(hz)) >> 34;
    let ticks = ticks * u128::from(debt) / u128::from(batch.max(1));
    ticks.min(u128::from(2 * hz)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_penalty_grows_with_the_square_of_the_overage() {
        // A tenth over: 104,857^2 x 250 >> 34 = 159 ticks of 4 ms.
        assert_eq!(delay(1_000, 10_000, 64, 64, 250), 159);
        assert_eq!(delay(500, 10_000, 64, 64, 250), 39);
        assert_eq!(delay(100, 10_000, 64, 64, 250), 1);
        assert_eq!(delay(9_000, 10_000, 64, 64, 250), 500);
        assert_eq!(delay(1_000, 10_000, 6_400, 64, 250), 500);
        assert_eq!(delay(0, 0, 64, 64, 250), 0);
    }
}
