//! Why something is as it is at an instant of a run: the rule behind it in plain words, the numbers
//! that decided, the constants that were used.

use crate::Run;
use crate::view::{locks, marks, residents, throttled, who, worker_state};
use catalog::constants::LEDGER;
use catalog::{ConstantId, ControlId};
use mm::Machine;
use mm::task::{State, Task};
use mm::vmscan::wakeup::Cause;
use report::view::{Who, WorkerState};
use report::why::{Subject, Used, Why};
use units::{SimTime, TaskId};

mod memcg;
mod swap;

impl Run {
    /// The answer for a subject at a time that is not before the last event; none when this machine
    /// has no such subject.
    #[must_use]
    pub fn why(&self, subject: Subject, time_ns: u64) -> Option<Why> {
        let now = SimTime::from_nanos(time_ns).max(self.time());
        let devices = self.scenario.devices();
        let asked = Asked { m: &self.machine, now, devices: &devices };
        let mut why = match subject {
            Subject::Worker(node, number) => asked.worker(node.into(), number.into()),
            Subject::Lock(node, number) => asked.lock(node.into(), number.into()),
            Subject::Free(node) => asked.free(node.into()),
            Subject::Readers(node) => asked.readers(node.into()),
            Subject::SwapLock(lock) => asked.swap_lock(lock),
            Subject::SwapDevice(number) => asked.swap_device(number.into()),
            Subject::SwapPeers(group) => asked.swap_peers(group.into()),
            Subject::Zswap => asked.zswap(),
            Subject::Cgroup(number) => asked.cgroup(number.into()),
        }?;
        let flavour = self.scenario.text(ControlId::Flavour);
        why.source = format!("{}, kernel {flavour}", why.source);
        Some(why)
    }
}

/// A machine at an instant.
struct Asked<'a> {
    m: &'a Machine,
    now: SimTime,
    /// The rows of the scenario's swap devices.
    devices: &'a [catalog::tables::Row],
}

/// Nanoseconds in words.
fn nanos(ns: u64) -> String {
    match ns {
        0..10_000 => format!("{ns} ns"),
        10_000..10_000_000 => format!("{} us", ns / 1_000),
        _ => format!("{} ms", ns / 1_000_000),
    }
}

fn name(who: Who) -> String {
    match who {
        Who::Kswapd(node, worker) => format!("kswapd{node}:{worker}"),
        Who::Reader(number, _) => format!("task {number}"),
    }
}

impl Asked<'_> {
    /// Constants as this run uses them.
    fn used(&self, ids: &[ConstantId]) -> Vec<Used> {
        let used = ids.iter().map(|&id| {
            let (row, value) = (&LEDGER[id as usize], self.m.config.ledger.get(id));
            let changed = if value == row.value { "" } else { ", changed" };
            Used {
                name: row.name.into(),
                value: format!("{value} {}", row.unit),
                kind: format!("{}{changed}", row.kind.word()),
                source: row.source.into(),
            }
        });
        used.collect()
    }

    fn age(&self, since: SimTime) -> u64 {
        self.now.saturating_since(since).as_nanos()
    }

    fn worker(&self, node: usize, number: u32) -> Option<Why> {
        let (first, end) = self.m.nodes.get(node)?.workers;
        let id = first.checked_add(number).filter(|&id| id < end)?;
        let task = &self.m.tasks[id as usize];
        let state = worker_state(task.state);
        let me = format!("kswapd{node}:{number}");
        let rule = rule_of(state);
        let mut why = Why {
            title: format!("{me} {}", rule.does),
            text: rule.text.into(),
            rule: rule.function.into(),
            source: rule.file.into(),
            numbers: vec![("since".into(), nanos(self.age(task.since)))],
            constants: self.used(rule.constants),
        };
        if state == WorkerState::Asleep && self.m.nodes[node].wakeup.decisions == 0 {
            why.text = "Nobody has woken it yet: it sleeps on kswapd_wait until an allocation \
                        finds no zone above low, or its policy wants one more awake."
                .into();
        }
        match state {
            WorkerState::Asleep | WorkerState::Napping => self.balance(node, &mut why.numbers),
            WorkerState::SpinLru
            | WorkerState::SpinZone
            | WorkerState::SpinIPages
            | WorkerState::SpinSwap => {
                self.waiting(TaskId(id), &mut why.numbers);
            }
            _ => pass(task, &mut why.numbers),
        }
        self.decision(node, &mut why.numbers);
        Some(why)
    }

    /// Whom a task that spins waits for.
    fn waiting(&self, id: TaskId, numbers: &mut Vec<(String, String)>) {
        for node in 0..self.m.nodes.len() {
            for (lock, text) in locks(self.m, node) {
                let Some(ahead) = self.m.locks.queue(lock).position(|task| task == id) else {
                    continue;
                };
                numbers.push(("waits for".into(), format!("{text} of node {node}")));
                numbers.push(("ahead in the queue".into(), ahead.to_string()));
                if let Some((holder, since)) = self.m.locks.holder(lock) {
                    let held = nanos(self.age(since));
                    numbers.push(("holder".into(), name(who(self.m, holder))));
                    numbers.push(("held for".into(), held));
                }
            }
        }
    }

    /// What the node's last wakeup saw and decided.
    fn decision(&self, node: usize, numbers: &mut Vec<(String, String)>) {
        let wakeup = &self.m.nodes[node].wakeup;
        if wakeup.decisions == 0 {
            numbers.push(("last wakeup".into(), "none so far".into()));
            return;
        }
        let last = &wakeup.last;
        let cause = match last.cause {
            Cause::Allocation => "an allocation found no zone above low",
            Cause::Boost => "a fragmentation event raised the marks",
            Cause::Throttle => "a task was about to be throttled",
        };
        numbers
            .push(("last wakeup".into(), format!("{} ago: {cause}", nanos(self.age(last.time)))));
        numbers.push(("what its policy counted".into(), last.saw.to_string()));
        numbers.push(("kswapds it wanted awake".into(), last.target.to_string()));
        numbers.push(("awake before".into(), last.awake.to_string()));
        numbers.push(("woken".into(), last.woke.to_string()));
    }

    /// Free pages against the marks.
    fn balance(&self, node: usize, numbers: &mut Vec<(String, String)>) {
        let [min, low, high] = marks(self.m, node);
        let pages = |n: u64| format!("{n} pages");
        numbers.push(("free".into(), pages(self.m.nodes[node].usable)));
        numbers.push(("min".into(), pages(min)));
        numbers.push(("low".into(), pages(low)));
        numbers.push(("high".into(), pages(high)));
    }

    fn free(&self, node: usize) -> Option<Why> {
        let free = self.m.nodes.get(node)?.usable;
        let [min, low, high] = marks(self.m, node);
        let (place, text) = if free < min {
            (
                "below min",
                "Below min an allocation cannot be served from here: the task reclaims for itself \
                 (direct reclaim), while kswapd goes on until high is reached.",
            )
        } else if free < low {
            (
                "between min and low",
                "Below low every allocation that finds no better zone wakes kswapd; pages are \
                 still handed out down to min. Falling means that tasks take more than kswapd \
                 frees.",
            )
        } else if free < high {
            (
                "between low and high",
                "A kswapd that is awake works until high is reached; one that sleeps is not woken \
                 before free pages fall below low. So free memory swings between the two.",
            )
        } else {
            (
                "above high",
                "The node is balanced: kswapd may nap and then sleep, and allocations take free \
                 pages without waking anybody.",
            )
        };
        let mut why = Why {
            title: format!("Free memory of node {node} is {place}"),
            text: text.into(),
            rule: "zone_watermark_ok(), pgdat_balanced()".into(),
            source: "mm/page_alloc.c, mm/vmscan.c".into(),
            ..Why::default()
        };
        self.balance(node, &mut why.numbers);
        let awake = |task: &Task| !matches!(task.state, State::Asleep | State::Napping);
        let (first, end) = self.m.nodes[node].workers;
        let workers = &self.m.tasks[first as usize..end as usize];
        let count = workers.iter().filter(|task| awake(task)).count();
        why.numbers.push(("kswapds awake".into(), format!("{count} of {}", workers.len())));
        let config = &self.m.config;
        why.numbers.push(("min_free_kbytes".into(), config.min_free_kbytes.to_string()));
        let factor = config.watermark_scale_factor.to_string();
        why.numbers.push(("watermark_scale_factor".into(), factor));
        self.decision(node, &mut why.numbers);
        Some(why)
    }

    fn lock(&self, node: usize, number: usize) -> Option<Why> {
        self.m.nodes.get(node)?;
        let (lock, text) = locks(self.m, node).into_iter().nth(number)?;
        let is_lru = text.starts_with("lru_lock");
        let holder = self.m.locks.holder(lock);
        let waiters = self.m.locks.waiters(lock);
        let title = match holder {
            Some((task, _)) => {
                format!(
                    "{text} of node {node} is held by {}; {waiters} wait",
                    name(who(self.m, task))
                )
            }
            None => format!("{text} of node {node} is free"),
        };
        let stats = self.m.locks.stats(self.now, lock);
        let mean = stats.wait.as_nanos() / stats.acquisitions.max(1);
        let busy = stats.busy.as_nanos() * 100 / self.now.as_nanos().max(1);
        let mut numbers = Vec::new();
        if let Some((_, since)) = holder {
            numbers.push(("held for".into(), nanos(self.age(since))));
        }
        numbers.push(("taken so far".into(), stats.acquisitions.to_string()));
        numbers.push(("somebody waited".into(), stats.contended.to_string()));
        numbers.push(("mean wait".into(), nanos(mean)));
        numbers.push(("held, of all time".into(), format!("{busy} %")));
        use ConstantId as C;
        let (text, rule, source, ids): (_, _, _, &[C]) = if is_lru {
            (
                "It guards the LRU lists. Tasks take it to put a batch of new pages on a list, \
                 reclaimers to take pages off the tail and to put some back. One holder at a time: \
                 the more reclaimers, the longer each waits here instead of reclaiming.",
                "lruvec_lock_irq() in shrink_inactive_list(), folio_batch_move_lru()",
                "mm/vmscan.c, mm/swap.c",
                &[C::IsolatePerPage, C::LruAddPerPage, C::LockHandOff, C::LineSameNode],
            )
        } else {
            (
                "It guards the free lists of the zone. Per-CPU lists are refilled and spilled under \
                 it, a batch at a time.",
                "rmqueue_bulk(), free_pcppages_bulk()",
                "mm/page_alloc.c",
                &[C::ZonePerPage, C::LockHandOff, C::LineSameNode],
            )
        };
        Some(Why {
            title,
            text: text.into(),
            rule: rule.into(),
            source: source.into(),
            numbers,
            constants: self.used(ids),
        })
    }

    fn readers(&self, node: usize) -> Option<Why> {
        self.m.nodes.get(node)?;
        let of = |wanted: fn(&Task) -> bool| {
            residents(self.m, node).filter(|task| wanted(task)).count().to_string()
        };
        let direct = residents(self.m, node).filter(|task| task.direct).count();
        let [min, _, _] = marks(self.m, node);
        let are = if direct == 1 { "task is" } else { "tasks are" };
        let throttled = throttled(self.m, node).counts();
        let (title, text) = if let Some((count, reason)) = most(&throttled) {
            (
                format!("{count} throttled on node {node}, {direct} in direct reclaim"),
                reason_text(reason),
            )
        } else if direct > 0 {
            (
                format!("{direct} {are} in direct reclaim on node {node}"),
                "When they asked for memory no zone was above min, even after kswapd was woken, so \
                 they reclaim pages for themselves before they go on: that is the stall that \
                 kswapd is to spare them. Such a call ends its pass whatever is free meanwhile; \
                 free memory may be above min again.",
            )
        } else if self.m.nodes[node].usable < min {
            (
                format!("Nobody is in direct reclaim on node {node}"),
                "Free memory is below min, but nobody has asked for memory since it fell there, or \
                 found it on another node. Who asks next and finds none reclaims for itself.",
            )
        } else {
            (
                format!("Nobody is in direct reclaim on node {node}"),
                "Every allocation finds a zone above min, so tasks take free pages and go on.",
            )
        };
        let mut why = Why {
            title,
            text: text.into(),
            rule: match most(&throttled) {
                Some((_, 0)) => "throttle_direct_reclaim()".into(),
                Some(_) => "reclaim_throttle()".into(),
                None => "__alloc_pages_slowpath(), try_to_free_pages()".into(),
            },
            source: "mm/page_alloc.c, mm/vmscan.c".into(),
            numbers: vec![
                ("waiting for a read".into(), of(|task| task.state == State::Io)),
                ("throttled".into(), of(|task| task.state == State::Throttled)),
                ("throttled by reason".into(), reasons(&throttled)),
                ("direct reclaim calls".into(), self.m.vmstat.allocstall_normal.to_string()),
            ],
            constants: self.used(&[ConstantId::SwapClusterMax, ConstantId::SlowPathEntry]),
        };
        self.balance(node, &mut why.numbers);
        Some(why)
    }
}

/// Why tasks sleep instead of reclaiming, with the kernel's names.
const REASONS: [&str; 5] = [
    "pfmemalloc_wait",
    "VMSCAN_THROTTLE_WRITEBACK",
    "VMSCAN_THROTTLE_ISOLATED",
    "VMSCAN_THROTTLE_NOPROGRESS",
    "VMSCAN_THROTTLE_CONGESTED",
];

/// How many are throttled for the most frequent reason, and that reason's number.
fn most(counts: &[u32; 5]) -> Option<(u32, usize)> {
    let all = counts.iter().sum();
    let most = counts.iter().max().copied().filter(|&most| most > 0)?;
    Some((all, counts.iter().position(|&count| count == most)?))
}

fn reasons(counts: &[u32; 5]) -> String {
    let there = REASONS.iter().zip(counts).filter(|(_, count)| **count > 0);
    let texts: Vec<_> = there.map(|(name, count)| format!("{count} {name}")).collect();
    if texts.is_empty() { "none".into() } else { texts.join(", ") }
}

fn reason_text(reason: usize) -> &'static str {
    match reason {
        0 => {
            "Less than half of min is free. Tasks that would reclaim for themselves sleep on \
             pfmemalloc_wait until kswapd has freed enough that more than half of min is free."
        }
        1 => {
            "Too many of the pages that reclaim meets are under writeback. Reclaimers sleep in \
             reclaim_throttle() until enough of them are written, at most a tenth of a second."
        }
        2 => {
            "Reclaimers hold more pages taken off the lists than are left on them. Who comes then \
             sleeps in reclaim_throttle() until some are put back."
        }
        3 => {
            "Reclaim found next to nothing even when it looked at all pages. It sleeps in \
             reclaim_throttle() before it tries again."
        }
        _ => {
            "All dirty pages of the node wait for a busy device. Reclaim sleeps in \
             reclaim_throttle() before it goes on."
        }
    }
}

/// Where a pass of reclaim stands.
fn pass(task: &Task, numbers: &mut Vec<(String, String)>) {
    let scan = &task.scan;
    numbers.push(("priority".into(), scan.priority.to_string()));
    numbers.push(("pages wanted of this pass".into(), scan.nr_to_reclaim.to_string()));
    numbers
        .push(("scanned, reclaimed".into(), format!("{}, {}", scan.nr_scanned, scan.nr_reclaimed)));
}

/// What a worker in a state does, and by which rule.
struct Rule {
    does: &'static str,
    text: &'static str,
    function: &'static str,
    file: &'static str,
    constants: &'static [ConstantId],
}

fn rule_of(state: WorkerState) -> Rule {
    use ConstantId as C;
    let vmscan = "mm/vmscan.c";
    match state {
        WorkerState::Asleep => Rule {
            does: "sleeps",
            text: "The node stayed balanced through its nap, so it sleeps on kswapd_wait until an \
                   allocation finds no zone above low, or its policy wants one more awake.",
            function: "kswapd_try_to_sleep(), wakeup_kswapd()",
            file: vmscan,
            constants: &[C::WakeLatency],
        },
        WorkerState::Napping => Rule {
            does: "naps",
            text: "The node is balanced. It naps for a tenth of a second before it sleeps, in case \
                   memory runs low again at once; the allocator sees the node as idle.",
            function: "kswapd_try_to_sleep()",
            file: vmscan,
            constants: &[C::NapMillis],
        },
        WorkerState::Runnable => Rule {
            does: "waits for a CPU",
            text: "It is ready, but another task has its CPU, or the wakeup has not reached it yet.",
            function: "try_to_wake_up()",
            file: "kernel/sched",
            constants: &[C::WakeLatency, C::SchedulerSlice, C::ContextSwitch],
        },
        WorkerState::SpinLru => Rule {
            does: "waits for lru_lock",
            text: "It wants its next pages from the tail of a list, or to put some back. One lock \
                   guards the lists of the node (or of the partition); it spins until those ahead \
                   have had it.",
            function: "shrink_inactive_list()",
            file: vmscan,
            constants: &[C::IsolatePerPage, C::LockHandOff, C::LineSameNode],
        },
        WorkerState::SpinZone => Rule {
            does: "waits for zone->lock",
            text: "Pages that it freed filled its CPU's list; a batch goes back to the zone, whose \
                   lock somebody else holds.",
            function: "free_pcppages_bulk()",
            file: "mm/page_alloc.c",
            constants: &[C::ZonePerPage, C::LockHandOff],
        },
        WorkerState::SpinIPages => Rule {
            does: "waits for i_pages",
            text: "A page leaves its file under the lock of that file's page tree; a reader or \
                   another reclaimer holds it.",
            function: "__remove_mapping()",
            file: vmscan,
            constants: &[C::ReclaimIPagesPerPage, C::InsertIPagesPerPage],
        },
        WorkerState::SpinSwap => Rule {
            does: "waits for a swap lock",
            text: "An anonymous page needs a slot: swap_avail_lock guards the list of devices, \
                   si->lock the cluster lists of one device, ci->lock one cluster. It spins until \
                   those ahead have had it.",
            function: "folio_alloc_swap()",
            file: "mm/swapfile.c",
            constants: &[C::SwapAvailHold, C::SwapRequeueLines, C::SwapAvailFar],
        },
        WorkerState::Isolating => Rule {
            does: "isolates pages",
            text: "It holds lru_lock and takes up to 32 pages off the tail of a list, or puts some \
                   back; nobody else can touch the lists meanwhile.",
            function: "isolate_lru_folios()",
            file: vmscan,
            constants: &[C::SwapClusterMax, C::IsolatePerPage],
        },
        WorkerState::PageWork => Rule {
            does: "works on pages",
            text: "It decides for each page that it took whether it can go, takes it out of its \
                   file and frees it. No lru_lock is needed for that.",
            function: "shrink_folio_list()",
            file: vmscan,
            constants: &[C::ReclaimPerPage, C::ReclaimIPagesPerPage, C::PcpPerPage],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Progress;
    use scenario::Scenario;

    fn busy() -> Run {
        let mut scenario = Scenario::preset("lumpkin2018").unwrap();
        scenario.set(ControlId::Kswapds, 4).unwrap();
        scenario.set(ControlId::Readers, 90).unwrap();
        scenario.set(ControlId::Duration, 300_000_000).unwrap();
        Run::prepare(&scenario).unwrap()
    }

    #[test]
    fn everything_in_a_machine_has_an_answer_and_nothing_else_does() {
        let mut run = busy();
        let mut titles = std::collections::BTreeSet::new();
        while run.advance(20_000) == Progress::Running {
            let view = run.view();
            for (n, node) in view.nodes.iter().enumerate() {
                let n = n as u16;
                let workers = (0..node.workers.len() as u16).map(|w| Subject::Worker(n, w));
                let locks = (0..node.locks.len() as u16).map(|l| Subject::Lock(n, l));
                for subject in workers.chain(locks).chain([Subject::Free(n), Subject::Readers(n)]) {
                    let why = run.why(subject, view.time_ns).unwrap();
                    assert!(!why.text.is_empty() && why.rule.ends_with("()"), "{why:?}");
                    assert!(why.source.contains("kernel 4.16"), "{why:?}");
                    assert!(why.numbers.len() >= 2, "{why:?}");
                    titles.insert(why.title);
                }
            }
            if run.events() > 1_500_000 {
                break;
            }
        }
        let parts =
            ["sleeps", "waits for lru_lock", "isolates", "works on pages", "between min and low"];
        for part in parts {
            assert!(titles.iter().any(|title| title.contains(part)), "{part}: {titles:?}");
        }
        let absent = [Subject::Worker(0, 4), Subject::Worker(2, 0), Subject::Lock(0, 99)];
        for subject in absent.into_iter().chain([Subject::Free(9), Subject::Readers(9)]) {
            assert_eq!(run.why(subject, 0), None);
        }
    }

    #[test]
    fn a_waiting_worker_says_for_whom() {
        let mut run = busy();
        while run.advance(500) == Progress::Running && run.events() < 3_000_000 {
            let view = run.view();
            let spins = |w: &report::view::WorkerView| w.state == WorkerState::SpinLru;
            let found = view.nodes[0].workers.iter().position(spins);
            if let Some(worker) = found {
                let why = run.why(Subject::Worker(0, worker as u16), view.time_ns).unwrap();
                let has = |name: &str| why.numbers.iter().any(|(n, _)| n == name);
                assert!(has("waits for") && has("holder") && has("ahead in the queue"), "{why:?}");
                assert!(why.constants.iter().any(|used| used.name == "LockHandOff"), "{why:?}");
                return;
            }
        }
        panic!("no worker ever waited");
    }
}
