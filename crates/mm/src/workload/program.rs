//! A task's program: what it does next, operation by operation.
//!
//! Uses that find their pages cost no event of their own: their time is owed and paid at the next
//! miss, at the end of the operation or after [`ConstantId::UseChunk`].

use super::group::Work;
use super::job::Op;
use super::region::SOURCE_PAGES;
use crate::observe::Observer;
use crate::sim::{Flow, Sim};
use crate::task::{Kind, State, Step};
use catalog::ConstantId;
use units::{PAGE_SIZE, SimDuration, TaskId};

impl<O: Observer> Sim<'_, O> {
    /// The number of a task over all groups, and the regions that it uses.
    pub(crate) fn region_of(&self, id: TaskId, which: usize) -> u32 {
        let Kind::Task(number) = self.m.tasks[id.index()].kind else { return 0 };
        self.m.layout.of_task[number as usize][which]
    }

    /// The next piece of a task's work.
    pub(crate) fn work_next(&mut self, id: TaskId) -> Flow {
        if let Some(flow) = self.rest(id, Step::WorkNext) {
            return flow;
        }
        let job = &self.m.tasks[id.index()].job;
        if job.owed + job.user >= self.constant(ConstantId::UseChunk) {
            return self.pay(id, Step::WorkNext);
        }
        let Some(op) = self.m.tasks[id.index()].job.plan.pop() else {
            self.plan(id);
            return Flow::GoOn;
        };
        let now = self.now();
        match op {
            Op::Begin => self.m.tasks[id.index()].job.began = now,
            Op::Cpu(ns) => self.m.tasks[id.index()].job.owed += ns,
            Op::Fill(region, left) => return self.fill(id, region, left),
            Op::Grow(region, left) => self.grow(id, region, left),
            Op::Use(region, left) => return self.use_pages(id, region, left),
            Op::Write(left) => return self.write_new(id, left),
            Op::Unmap(region, before) => return self.unmap(id, region, before),
            Op::Wait(span) if span.is_zero() => {}
            Op::Wait(span) => {
                return self.sleep(id, State::Io, Some(now + span), Step::WorkNext);
            }
            Op::Done => return self.pay(id, Step::WorkDone),
            Op::Exit => return self.task_exit(id),
        }
        Flow::GoOn
    }

    /// The time of what was done passes, then the task goes on at `step`.
    pub(crate) fn pay(&mut self, id: TaskId, step: Step) -> Flow {
        let task = &mut self.m.tasks[id.index()];
        let (owed, home) = (core::mem::take(&mut task.job.owed), task.node.0);
        let user = core::mem::take(&mut task.job.user);
        if user == 0 {
            return self.work(id, State::App, owed.max(1), home, step);
        }
        let kernel = self.stretch(id, owed, home);
        let all = kernel + self.stretch(id, user, home);
        self.work_in_two(id, [State::App, State::User], kernel, all, step)
    }

    /// An operation is over.
    pub(crate) fn work_done(&mut self, id: TaskId) -> Flow {
        let now = self.now();
        let task = &mut self.m.tasks[id.index()];
        task.step = Step::WorkNext;
        let (began, group) = (task.job.began, task.group as usize);
        task.job.began = now;
        if !matches!(self.m.config.groups[group].work, Work::Churn(_) | Work::Compile(_)) {
            self.m.ops[group] += 1;
        }
        self.operation(id, now - began);
        Flow::GoOn
    }

    /// How far ahead of its pace a task is, if so far that it sleeps: until when.
    pub(crate) fn ahead_until(&self, id: TaskId) -> Option<units::SimTime> {
        let task = &self.m.tasks[id.index()];
        let pace = match &self.m.config.groups[task.group as usize].work {
            Work::Memory(memory) => memory.pace,
            Work::Churn(churn) => churn.pace,
            _ => return None,
        };
        let due = task.job.started + pace * task.job.units;
        let ahead = SimDuration::from_nanos(self.constant(ConstantId::PaceAhead));
        (due > self.now() + ahead).then_some(due)
    }

    /// The plan of the next operation, last piece first.
    fn plan(&mut self, id: TaskId) {
        let group = self.m.tasks[id.index()].group as usize;
        let work = self.m.config.groups[group].work.clone();
        let plan = match &work {
            Work::Stream(_) => vec![Op::Exit],
            Work::Memory(memory) => {
                let region = self.region_of(id, 0);
                let own = &self.m.layout.regions[region as usize];
                let fill = if memory.prefill { own.pages.div_ceil(own.tasks.into()) } else { 0 };
                let uses = Op::Use(region, memory.uses);
                vec![Op::Exit, Op::Wait(memory.hold), uses, Op::Fill(region, fill)]
            }
            Work::Churn(churn) => {
                let region = self.region_of(id, 0);
                let class = self.m.layout.regions[region as usize].classes[0].0;
                let next = self.m.pages.class(class).next_use() + churn.chunk;
                let mut plan = vec![Op::Done, Op::Fill(region, churn.chunk)];
                if next > churn.window {
                    plan.insert(1, Op::Unmap(region, next - churn.window));
                }
                plan
            }
            Work::Build(build) => {
                let (sources, own) = (self.region_of(id, 0), self.region_of(id, 1));
                let reads = self.constant(ConstantId::BuildReads) * SOURCE_PAGES;
                let output = self.constant(ConstantId::BuildOutput) as u32;
                let draws = &mut self.m.tasks[id.index()].job.draws;
                let spread = build.pages_max.saturating_sub(build.pages_min) + 1;
                let pages = (build.pages_min + draws.below(spread)).max(1);
                let class = self.m.layout.regions[own as usize].classes[0].0;
                self.m.pages.class_mut(class).resize(pages);
                vec![
                    Op::Done,
                    Op::Unmap(own, u64::MAX),
                    Op::Write(output),
                    Op::Use(own, 2 * pages),
                    Op::Fill(own, pages),
                    Op::Use(sources, reads),
                    Op::Cpu(build.cpu),
                ]
            }
            Work::Compile(compile) => self.process(id, compile),
            Work::Store(store) => {
                let (data, heap) = (self.region_of(id, 0), self.region_of(id, 1));
                let job = &mut self.m.tasks[id.index()].job;
                let mut plan = vec![Op::Done];
                if job.draws.below(1_000) < u64::from(store.writes) {
                    job.logged += store.log_bytes;
                    let pages = job.logged / PAGE_SIZE;
                    job.logged %= PAGE_SIZE;
                    if pages > 0 {
                        plan.push(Op::Write(pages as u32));
                    }
                } else {
                    plan.push(Op::Use(data, store.data_uses));
                }
                plan.push(Op::Use(heap, store.heap_uses));
                plan.push(Op::Cpu(store.cpu));
                plan.push(Op::Begin);
                plan.push(Op::Wait(store.wait));
                plan
            }
        };
        self.m.tasks[id.index()].job.plan = plan;
    }

    /// New file pages are written, a run at a time; a task that writes faster than the drives
    /// sleeps while too much is dirty (balance_dirty_pages).
    fn write_new(&mut self, id: TaskId, left: u32) -> Flow {
        let now = self.now();
        if self.m.too_dirty() {
            self.m.tasks[id.index()].job.plan.push(Op::Write(left));
            let until = now + self.m.config.jiffy;
            return self.sleep(id, State::Io, Some(until), Step::WorkNext);
        }
        let count = left.min(self.constant(ConstantId::WriteRun) as u32);
        let copy = self.constant(ConstantId::CopyPerPage);
        let group = self.m.tasks[id.index()].group as usize;
        let class = self.m.layout.written[group];
        let job = &mut self.m.tasks[id.index()].job;
        if left > count {
            job.plan.push(Op::Write(left - count));
        }
        job.owed += copy * u64::from(count);
        job.to_dirty = Some(class);
        job.runs.push(super::job::Run {
            class,
            flags: crate::lru::Flags::default(),
            first_use: 0,
            count,
        });
        self.pay(id, Step::WorkMiss)
    }
}
