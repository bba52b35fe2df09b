//! Uses of pages: how many find theirs, which one does not.
//!
//! Of a region that is used at random the number of uses up to the next miss is geometric; every
//! page of a class is as likely as any other, so that the uses that found theirs warm each class
//! evenly. Of a loop it is known.

use super::group::{Backing, Work};
use super::job::{Op, Run};
use super::region::Region;
use crate::lru::{ClassId, Flags, Miss, Pages, Partition};
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{State, Step};
use catalog::ConstantId;
use engine::Stream;
use engine::dist::{ONE, ln_ratio};
use std::sync::Arc;
use units::TaskId;

/// Fraction bits of a mean number of uses.
const FRACTION: u32 = 10;

impl<O: Observer> Sim<'_, O> {
    /// Pages that were never there are touched, a run at a time.
    pub(crate) fn fill(&mut self, id: TaskId, region: u32, left: u64) -> Flow {
        if left == 0 {
            return Flow::GoOn;
        }
        if let Some(until) = self.ahead_until(id) {
            self.m.tasks[id.index()].job.plan.push(Op::Fill(region, left));
            return self.sleep(id, State::Io, Some(until), Step::WorkNext);
        }
        let layout = Arc::clone(&self.m.layout);
        let own = &layout.regions[region as usize];
        let most = left.min(self.constant(ConstantId::FillRun));
        let Some(class) = self.fresh_class(id, own) else { return Flow::GoOn };
        let first_use = self.m.pages.class(class).next_use();
        let count = if own.is_loop {
            self.m.pages.class_mut(class).step_run(false, most)
        } else {
            self.m.pages.class(class).fresh().min(most)
        };
        if count == 0 {
            return Flow::GoOn;
        }
        let flags = self.fault_flags(class);
        let group = self.m.tasks[id.index()].group as usize;
        if let Work::Churn(_) = self.m.config.groups[group].work {
            self.m.ops[group] += count;
        }
        let job = &mut self.m.tasks[id.index()].job;
        job.units += count;
        if left > count {
            job.plan.push(Op::Fill(region, left - count));
        }
        job.runs.push(Run { class, flags, first_use, count: count as u32 });
        job.to_read = if own.backing == Backing::Anon { 0 } else { count as u32 };
        self.pay(id, Step::WorkMiss)
    }

    /// A class of a region with pages that were never there, in proportion to them.
    fn fresh_class(&mut self, id: TaskId, region: &Region) -> Option<ClassId> {
        let m = &mut *self.m;
        let fresh = |class: ClassId| m.pages.class(class).fresh();
        let sum: u64 = region.classes.iter().map(|&(class, _)| fresh(class)).sum();
        if sum == 0 {
            return None;
        }
        let mut at = m.tasks[id.index()].job.draws.below(sum);
        for &(class, _) in &region.classes {
            let own = m.pages.class(class).fresh();
            if at < own {
                return Some(class);
            }
            at -= own;
        }
        None
    }

    /// Uses of a region's pages, up to the next that finds none or the end of a chunk.
    pub(crate) fn use_pages(&mut self, id: TaskId, region: u32, left: u64) -> Flow {
        if left == 0 {
            return Flow::GoOn;
        }
        let again = |left: u64, used: u64| if left == u64::MAX { left } else { left - used };
        if let Some(until) = self.ahead_until(id) {
            self.m.tasks[id.index()].job.plan.push(Op::Use(region, left));
            return self.sleep(id, State::Io, Some(until), Step::WorkNext);
        }
        let layout = Arc::clone(&self.m.layout);
        let own = &layout.regions[region as usize];
        let group = self.m.tasks[id.index()].group as usize;
        let user = match &self.m.config.groups[group].work {
            Work::Compile(compile) => Some(compile.cpu_per_use()),
            _ => None,
        };
        let each = user.unwrap_or_else(|| {
            self.constant(match own.backing {
                Backing::Read => ConstantId::CopyPerPage,
                Backing::Anon | Backing::Mapped => ConstantId::AccessPage,
            })
        });
        let most = (self.constant(ConstantId::UseChunk) / each.max(1)).clamp(1, left);
        let most = self.within_pace(id, most);
        let (hits, missed) =
            if own.is_loop { self.loop_uses(own, most) } else { self.random_uses(id, own, most) };
        let mut used = hits + u64::from(missed.is_some());
        if let Some(class) = missed {
            used += self.miss(id, own, class, left - used);
        }
        let ns = used * each;
        if user.is_some() {
            self.m.tasks[id.index()].job.user += ns;
            self.m.ops[group] += ns;
        } else {
            let extra = self.remote_share(id, own) * self.m.speed.remote() / 1_000;
            let extra = ((u128::from(ns) * u128::from(extra)) >> 32) as u64;
            self.m.tasks[id.index()].job.owed += ns + extra;
        }
        let task = &mut self.m.tasks[id.index()];
        task.job.units += used;
        let left = again(left, used);
        if left > 0 {
            task.job.plan.push(Op::Use(region, left));
        }
        if let Work::Memory(memory) = &self.m.config.groups[group].work {
            let writes = u64::from(memory.writes);
            self.m.ops[group] += used;
            if own.backing == Backing::Mapped && writes > 0 {
                self.dirty_uses(id, own, hits * writes / 1_000);
            }
        }
        if missed.is_some() {
            return self.pay(id, Step::WorkMiss);
        }
        Flow::GoOn
    }

    /// A paced task does no more at once than it may be ahead.
    fn within_pace(&self, id: TaskId, most: u64) -> u64 {
        let group = self.m.tasks[id.index()].group as usize;
        match &self.m.config.groups[group].work {
            Work::Memory(memory) if !memory.pace.is_zero() => {
                let ahead = self.constant(ConstantId::PaceAhead);
                most.min(ahead / memory.pace.as_nanos().max(1) + 1)
            }
            _ => most,
        }
    }

    /// Uses of a loop: those that find their pages, and whether the next does not.
    fn loop_uses(&mut self, region: &Region, most: u64) -> (u64, Option<ClassId>) {
        let (id, _) = region.classes[0];
        let class = self.m.pages.class_mut(id);
        let first = class.next_use();
        let hits = class.step_run(true, most);
        let missed = hits < most;
        if missed {
            class.step_loop();
        }
        self.mark_accessed(id, |part, with, _| part.use_in_order(id, (first, hits), with));
        (hits, missed.then_some(id))
    }

    /// Pages of a class were used by read(): on classic lists those that had their mark become
    /// active (mark_page_accessed).
    fn mark_accessed(
        &mut self,
        id: ClassId,
        uses: impl Fn(&mut Partition, (u64, &Pages), &mut Stream) -> u64,
    ) {
        let m = &mut *self.m;
        let class = m.pages.class(id);
        if m.config.lru_gen || class.config.mapped || m.config.lru_partitions > 1 {
            return;
        }
        let memcg = usize::from(class.config.memcg);
        for (node, _) in m.nodes.iter_mut().zip(class.resident).filter(|(_, n)| *n > 0) {
            let vec = &mut node.lruvecs[memcg];
            let count = uses(&mut vec.parts[0], (node.entered, &m.pages), &mut m.lru_draws);
            node.entered += count;
            vec.nonresident_age += count;
            m.vmstat.pgactivate += count;
        }
    }

    /// Uses at random: those that find their pages, and the class of the one that does not.
    fn random_uses(&mut self, task: TaskId, region: &Region, most: u64) -> (u64, Option<ClassId>) {
        let m = &mut *self.m;
        let share = |(class, weight): (ClassId, u64)| {
            let class = m.pages.class(class);
            let misses = u128::from(weight) * u128::from(class.missing());
            (misses / u128::from(class.config.pages.max(1))) as u64
        };
        let misses: u64 = region.classes.iter().map(|&part| share(part)).sum();
        let draws = &mut m.tasks[task.index()].job.draws;
        let hits = until_miss(misses, &m.wake_spread, draws).min(most);
        for &(id, weight) in &region.classes {
            let class = self.m.pages.class_mut(id);
            let all = u128::from(class.config.pages.max(1));
            let mean = (u128::from(hits) * u128::from(weight) / all) as u64;
            class.heat += mean;
            let uses = |part: &mut Partition, with: (u64, &Pages), draws: &mut Stream| {
                part.use_at_random(id, mean, with, draws)
            };
            self.mark_accessed(id, uses);
        }
        let m = &mut *self.m;
        let draws = &mut m.tasks[task.index()].job.draws;
        if hits == most || misses == 0 {
            return (hits, None);
        }
        let mut at = draws.below(misses);
        for &part in &region.classes {
            let class = m.pages.class(part.0);
            let own = (u128::from(part.1) * u128::from(class.missing())
                / u128::from(class.config.pages.max(1))) as u64;
            if at < own {
                return (hits, Some(part.0));
            }
            at -= own;
        }
        (hits.max(1), None)
    }

    /// A use found no page: which come in. A file that is read brings a window, in which `left`
    /// further uses find theirs; says how many of them are done with it.
    fn miss(&mut self, id: TaskId, region: &Region, class: ClassId, left: u64) -> u64 {
        let around = self.read_around(id, region);
        if around > 1 {
            self.miss_around(id, class, around);
            return 0;
        }
        let now = self.now();
        let most = if region.backing == Backing::Read {
            self.constant(ConstantId::ReadAheadWindow).min(left.saturating_add(1))
        } else {
            1
        };
        let first_use = self.m.pages.class(class).next_use().saturating_sub(1);
        let count = if region.is_loop {
            1 + self.m.pages.class_mut(class).step_run(false, most - 1)
        } else {
            most.min(self.m.pages.class(class).missing())
        };
        let mut runs = core::mem::take(&mut self.m.tasks[id.index()].job.runs);
        debug_assert!(runs.is_empty(), "a task misses once at a time");
        for i in 0..count {
            let flags = self.missed_flags(id, class, first_use + i);
            match runs.last_mut() {
                Some(run) if run.flags == flags => run.count += 1,
                _ => runs.push(Run { class, flags, first_use: first_use + i, count: 1 }),
            }
        }
        runs.reverse();
        let job = &mut self.m.tasks[id.index()].job;
        job.missed = now;
        job.runs = runs;
        job.to_read = if region.backing == Backing::Anon { 0 } else { count as u32 };
        count - 1
    }

    /// Pages that a fault of this task reads in this region.
    fn read_around(&self, id: TaskId, region: &Region) -> u64 {
        let group = self.m.tasks[id.index()].group as usize;
        match &self.m.config.groups[group].work {
            Work::Store(store) if region.backing == Backing::Mapped && !region.is_loop => {
                store.read_around
            }
            _ => 1,
        }
    }

    /// A fault in a mapped file reads the pages around the one that it asks for: they came and went
    /// together before, so that they are remembered together. Only the one is mapped.
    fn miss_around(&mut self, id: TaskId, class: ClassId, around: u64) {
        let now = self.now();
        let count = around.min(self.m.pages.class(class).missing()).max(1);
        let job = &mut self.m.tasks[id.index()].job;
        let miss = self.m.pages.class_mut(class).draw_misses(count, &mut job.draws);
        let flags = self.flags_of_miss(id, class, miss, count);
        let run = |flags, count| Run { class, flags, first_use: 0, count };
        let job = &mut self.m.tasks[id.index()].job;
        job.missed = now;
        job.to_read = count as u32;
        job.runs = vec![run(flags, 1)];
        if count > 1 {
            let flags = flags.without(Flags::YOUNG).with(Flags::UNMAPPED);
            job.runs.push(run(flags, count as u32 - 1));
        }
    }

    /// The state of the page that a use asks for: that of any new one, and what its shadow says.
    fn missed_flags(&mut self, id: TaskId, class: ClassId, number: u64) -> Flags {
        let m = &mut *self.m;
        let draws = &mut m.tasks[id.index()].job.draws;
        let miss = m.pages.class_mut(class).draw_miss_of(number, draws);
        self.flags_of_miss(id, class, miss, 1)
    }

    /// The state of so many pages that came back, or are new.
    fn flags_of_miss(&mut self, id: TaskId, class: ClassId, miss: Miss, count: u64) -> Flags {
        let flags = self.fault_flags(class);
        let Miss::Refault(shadow) = miss else { return flags };
        let comes_to = self.node_to_take(id);
        let m = &mut *self.m;
        let kind = m.pages.class(class).config.kind;
        if !m.config.shadow && !shadow.swapped {
            return flags;
        }
        let swap = m.may_swap();
        if shadow.swapped {
            m.tasks[id.index()].job.swap_in = Some(class);
        }
        let mapped = m.pages.class(class).config.mapped;
        if m.config.lru_gen && comes_to != usize::from(shadow.node) {
            // A page of another lruvec is an unknown one.
            return flags;
        }
        let vec = &mut m.nodes[usize::from(shadow.node)].lruvecs[usize::from(shadow.memcg)];
        let refault = if m.config.lru_gen {
            vec.refault_generation(kind, &shadow, (count, mapped))
        } else {
            vec.refault(kind, &shadow, swap, count)
        };
        m.vmstat.count_refault(kind, refault, count);
        m.tasks[id.index()].job.thrashes |= refault.restore;
        let flags = if refault.activate { flags.with(Flags::ACTIVE) } else { flags };
        if refault.restore { flags.with(Flags::WORKINGSET) } else { flags }
    }

    /// The state in which a page of this class comes in that nobody remembers: mapped pages are
    /// young, what is read has its first mark.
    fn fault_flags(&self, class: ClassId) -> Flags {
        let config = &self.m.config;
        let mapped = self.m.pages.class(class).config.mapped;
        match (config.lru_gen, mapped) {
            (false, true) => Flags::YOUNG,
            (false, false) => Flags::REFERENCED,
            (true, true) if config.flavour.lru_gen_older_rules => Flags::YOUNG.with(Flags::ACTIVE),
            (true, true) => Flags::YOUNG.with(Flags::REFERENCED),
            (true, false) => Flags::default(),
        }
    }

    /// The share of a region's uses that go to other nodes than the task's, with 32 fraction bits.
    fn remote_share(&self, id: TaskId, region: &Region) -> u64 {
        if self.m.nodes.len() == 1 {
            return 0;
        }
        let home = self.m.cpus.node(self.m.tasks[id.index()].cpu).index();
        let away = |&(class, weight): &(ClassId, u64)| {
            let class = self.m.pages.class(class);
            let resident = class.resident_pages().max(1);
            let away = class.resident_pages() - class.resident[home];
            (u128::from(weight) * u128::from(away) / u128::from(resident)) as u64
        };
        region.classes.iter().map(away).sum()
    }

    /// Uses that write to a mapped file: pages that were clean are dirty then.
    fn dirty_uses(&mut self, id: TaskId, region: &Region, writes: u64) {
        let m = &mut *self.m;
        let draws = &mut m.tasks[id.index()].job.draws;
        for &(class, weight) in &region.classes {
            let class = m.pages.class_mut(class);
            let resident = class.resident_pages().max(1);
            let clean = resident.saturating_sub(class.dirty);
            // Written uses of this class with 32 fraction bits; the part of clean pages among them.
            let uses = u128::from(writes) * u128::from(weight);
            let new = (uses * u128::from(clean) / u128::from(resident)) as u64;
            let more = u64::from(draws.below(ONE) < new & (ONE - 1));
            let new = ((new >> 32) + more).min(clean);
            class.dirty += new;
            m.dirtied += new;
        }
        self.note_dirty();
    }
}

/// How many uses find their page before one does not, when `misses` of 2^32 do not.
fn until_miss(misses: u64, exponential: &engine::dist::Exponential, draws: &mut Stream) -> u64 {
    match misses {
        0 => u64::MAX,
        ONE.. => 0,
        _ => {
            let rate = ln_ratio(ONE, ONE - misses).max(1);
            let mean = ((u128::from(ONE) << FRACTION) / u128::from(rate)) as u64;
            exponential.draw(draws, mean) >> FRACTION
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_up_to_a_miss_are_geometric() {
        let exponential = engine::dist::Exponential::default();
        let mut draws = Stream::new(1, "test", 0);
        for (per_mille, mean) in [(500, 1_000), (100, 9_000), (1, 999_000)] {
            let n = 20_000;
            let draw = |_| until_miss(ONE * per_mille / 1_000, &exponential, &mut draws);
            let sum: u64 = (0..n).map(draw).sum();
            let got = sum * 1_000 / n;
            assert!(got.abs_diff(mean) < mean / 25, "{got} {mean}");
        }
        assert_eq!(until_miss(ONE, &exponential, &mut draws), 0);
        assert_eq!(until_miss(0, &exponential, &mut draws), u64::MAX);
    }
}
