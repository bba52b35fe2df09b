//! Processes of a build: each grows page by page, uses what it has on the way, and exits. Its own
//! CPU time is what the build is about; the unit of work is a nanosecond of it.

use super::group::Compile;
use super::job::Op;
use crate::lru::Shadow;
use crate::machine::Machine;
use crate::observe::Observer;
use crate::sim::Sim;
use crate::swap::Request;
use catalog::ConstantId;
use engine::Stream;
use engine::dist::{ONE, exp_neg};
use units::TaskId;

/// Sizes that are told apart.
const SIZES: usize = 64;
/// Deviates of a normal distribution in the middle of as many equal shares of it, in thousandths;
/// their variance is one.
const DEVIATES: [i64; SIZES] = [
    -2442, -2007, -1779, -1617, -1488, -1380, -1285, -1201, -1124, -1054, -988, -926, -867, -811,
    -758, -706, -657, -608, -562, -516, -471, -428, -385, -343, -301, -260, -219, -179, -139, -99,
    -59, -20, 20, 59, 99, 139, 179, 219, 260, 301, 343, 385, 428, 471, 516, 562, 608, 657, 706,
    758, 811, 867, 926, 988, 1054, 1124, 1201, 1285, 1380, 1488, 1617, 1779, 2007, 2442,
];
/// Steps of a sequence whose pairs fill the unit square evenly, as fractions of 2^64.
const STEPS: [u64; 2] = [0xc13f_a9a9_02a6_328f, 0x91e1_0da5_c79e_7b1c];

impl<O: Observer> Sim<'_, O> {
    /// The plan of the build's next process, last piece first. Sizes follow each other so that any
    /// few in a row are spread as all are, and are the same whoever runs them.
    ///
    /// The first ones of a run have got some way already, and are those that are met at any
    /// instant: large ones oftener, since they live longer.
    pub(crate) fn process(&mut self, id: TaskId, compile: &Compile) -> Vec<Op> {
        let region = self.region_of(id, 0);
        let number = self.m.processes;
        self.m.processes += 1;
        let at = STEPS.map(|step| {
            let begin = Stream::new(self.m.config.seed, "process", step).bits();
            begin.wrapping_add(step.wrapping_mul(number))
        });
        let job = &mut self.m.tasks[id.index()].job;
        let first = job.units == 0;
        let pages = pages(compile, first, at[0]);
        let there = if first { (u128::from(at[1]) * u128::from(pages)) >> 64 } else { 0 } as u64;
        let layout = std::sync::Arc::clone(&self.m.layout);
        for &(class, _) in &layout.regions[region as usize].classes {
            self.m.pages.class_mut(class).restart();
        }
        self.m.grow(region, there);
        let left = pages - there;
        let there = there - self.m.start_on_swap(id, region);
        let first = if there > 0 { Op::Fill(region, there) } else { Op::Cpu(compile.kernel) };
        vec![Op::Done, Op::Unmap(region, u64::MAX), Op::Grow(region, left), first]
    }

    /// The next pages of a process, with the uses that come after them.
    pub(crate) fn grow(&mut self, id: TaskId, region: u32, left: u64) {
        let group = self.m.tasks[id.index()].group as usize;
        let super::group::Work::Compile(compile) = &self.m.config.groups[group].work else {
            return;
        };
        let uses = compile.uses;
        let count = left.min(self.constant(ConstantId::CompileStep));
        let plan = &mut self.m.tasks[id.index()].job.plan;
        if left > count {
            plan.push(Op::Grow(region, left - count));
        }
        plan.push(Op::Use(region, count * uses));
        plan.push(Op::Fill(region, count));
        self.m.grow(region, count);
    }
}

/// How many pages a process has whose place among all is `at` of 2^64: their logarithm is normal.
/// `met`: of a process that is met at some instant, so that it counts as often as it has pages.
fn pages(compile: &Compile, met: bool, at: u64) -> u64 {
    let size = |deviate: &i64| -> u64 {
        let far = ONE * deviate.unsigned_abs() * u64::from(compile.spread) / 1_000_000;
        let times = exp_neg(far).max(1);
        if *deviate > 0 { ((1u128 << 64) / u128::from(times)) as u64 } else { times }
    };
    let sizes = DEVIATES.each_ref().map(size);
    let sum: u128 = sizes.iter().copied().map(u128::from).sum();
    let number = if met {
        let mut left = (u128::from(at) * sum) >> 64;
        let found = sizes.iter().position(|&size| {
            let found = left < u128::from(size);
            left = left.saturating_sub(size.into());
            found
        });
        found.unwrap_or(SIZES - 1)
    } else {
        (at >> 58) as usize
    };
    let pages = u128::from(compile.pages) * u128::from(sizes[number]) * SIZES as u128 / sum;
    u64::try_from(pages).unwrap_or(u64::MAX).clamp(1, compile.pages_max.max(1))
}

impl Machine {
    /// What a region has when a run begins stands on swap: memory fills with what is used of it. Of
    /// what there is no slot for, nothing; says how many pages have one.
    fn start_on_swap(&mut self, id: TaskId, region: u32) -> u64 {
        let (cpu, node) = (self.tasks[id.index()].cpu, self.tasks[id.index()].node.0);
        let layout = std::sync::Arc::clone(&self.layout);
        let Some(swap) = self.swap.as_mut().filter(|swap| swap.zswap.is_none()) else { return 0 };
        let mut passages = Vec::new();
        let mut bytes = 0;
        let mut all = 0;
        for &(class, _) in &layout.regions[region as usize].classes {
            let class = self.pages.class_mut(class);
            let memcg = class.config.memcg;
            let tiers = swap.masks.get(usize::from(memcg)).copied().unwrap_or(u32::MAX);
            let mut count = 0;
            while count < class.fresh() {
                let cgroup = u32::from(memcg);
                let request = Request { node: node as u8, tiers, cgroup, ..Request::page(cpu.0) };
                let Ok(slot) = swap.slots.alloc(request, &mut passages) else { break };
                passages.clear();
                bytes += swap.media[usize::from(slot.device())].config.stored_bytes();
                class.put_slot(slot);
                count += 1;
            }
            // Long gone: its generation is.
            let (seq, node) = (u64::MAX / 2, node as u8);
            let shadow = Shadow { seq, node, memcg, swapped: true, ..Shadow::default() };
            class.shadows.push(shadow, count, None);
            all += count;
        }
        self.store(node as usize, bytes);
        all
    }

    /// A region has so many more pages: of each of its classes a share.
    fn grow(&mut self, region: u32, count: u64) {
        let layout = std::sync::Arc::clone(&self.layout);
        let region = &layout.regions[region as usize];
        let all = region.pages.max(1);
        let has: u64 = region.classes.iter().map(|&(c, _)| self.pages.class(c).config.pages).sum();
        let mut left = count;
        for (i, (&(class, _), &share)) in
            region.classes.iter().zip(&region.class_pages).enumerate().rev()
        {
            let class = self.pages.class_mut(class);
            let wanted = (has + count) * share / all;
            let more = if i == 0 { left } else { wanted.saturating_sub(class.config.pages) };
            class.grow(more.min(left));
            left -= more.min(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::group::Pattern;

    #[test]
    fn processes_spread_about_their_mean() {
        let compile = Compile {
            pages: 19_000,
            pages_max: u64::MAX,
            spread: 500,
            cpu: 0,
            kernel: 0,
            uses: 6,
            pattern: Pattern::Uniform,
        };
        let at = |n: u64| STEPS[0].wrapping_mul(n);
        let mean = |from: u64, count: u64, met: bool| {
            let all = from..from + count;
            all.map(|n| pages(&compile, met, at(n))).sum::<u64>() / count
        };
        let all = mean(0, 20_000, false);
        assert!(all.abs_diff(19_000) < 150, "{all}");
        // Any few in a row have the same mean.
        for from in [0, 77, 5_000] {
            let few = mean(from, 96, false);
            assert!(few.abs_diff(all) < 800, "{few}");
        }
        // exp(0.25) of the mean.
        let met = mean(0, 20_000, true);
        assert!(met.abs_diff(24_396) < 300, "{met}");
        assert_eq!(pages(&Compile { spread: 0, ..compile }, false, 1 << 63), 19_000);
        assert_eq!(pages(&Compile { pages_max: 900, ..compile }, false, u64::MAX), 900);
    }
}
