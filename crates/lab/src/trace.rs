//! The event log: what passed the kernel's vmscan tracepoints, as `trace-cmd report` prints it.
//!
//! The newest events are kept, up to a bound; how many were dropped stands in the first line, as
//! trace-cmd says it. Whether there is a log changes nothing in a run.

use crate::run::Run;
use catalog::{FlavourId, ZoneKind};
use mm::lru::{LruList, PageKind};
use mm::task::Kind;
use mm::trace::Event;
use mm::{Machine, Observer};
use report::series::Table;
use std::collections::VecDeque;
use units::{SimTime, TaskId};

mod perfetto;

/// Most events of a log.
pub const EVENTS_MAX: usize = 1 << 20;
/// The first task's pid; the others follow in order.
const FIRST_PID: u32 = 100;
/// The class of pages that tasks ask for.
const GFP: &str = "GFP_HIGHUSER_MOVABLE";

#[derive(Clone, Copy, Debug)]
struct Entry {
    time: SimTime,
    task: TaskId,
    cpu: u32,
    event: Event,
}

/// The newest events of a run.
#[derive(Clone, Debug)]
pub struct TraceLog {
    entries: VecDeque<Entry>,
    most: usize,
    dropped: u64,
}

impl Observer for TraceLog {
    fn trace(&mut self, m: &Machine, task: TaskId, event: &Event) {
        let only_7 = matches!(
            event,
            Event::BalanceBegin { .. } | Event::BalanceEnd { .. } | Event::ReclaimFail { .. }
        );
        if only_7 && !is_7(m) {
            return;
        }
        if self.entries.len() == self.most {
            self.entries.pop_front();
            self.dropped += 1;
        }
        let cpu = m.tasks[task.index()].cpu.0;
        self.entries.push_back(Entry { time: m.now(), task, cpu, event: *event });
    }
}

/// Whether the kernel has the tracepoints and fields that came with 7.x.
fn is_7(m: &Machine) -> bool {
    !matches!(m.config.flavour.id, FlavourId::V4_16 | FlavourId::V5_15 | FlavourId::V6_12)
}

impl TraceLog {
    /// A log of so many events at most, [`EVENTS_MAX`] if that is fewer.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { entries: VecDeque::new(), most: most.clamp(1, EVENTS_MAX), dropped: 0 }
    }

    /// Events that there was no room for: the oldest ones.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The log as text, a line an event.
    pub(crate) fn lines<'a>(&'a self, m: &'a Machine) -> impl Iterator<Item = String> + 'a {
        let head = format!("cpus={}", m.cpus.len());
        let first = self.entries.front().filter(|_| self.dropped > 0);
        let lost = first.map(|e| format!("CPU:{} [{} EVENTS DROPPED]", e.cpu, self.dropped));
        let head = core::iter::once(head).chain(lost);
        head.chain(self.entries.iter().map(move |entry| line(m, entry)))
    }
}

/// The log of a run as trace events in JSON, a document line by line: what ui.perfetto.dev opens.
/// `table` has the samples of the run, which become counters.
#[must_use]
pub fn perfetto(run: &Run, table: &Table) -> Vec<String> {
    perfetto::lines(run, table)
}

/// `         kswapd1-214   [037]  1234.567890: mm_vmscan_kswapd_wake: nid=1 order=0`.
fn line(m: &Machine, entry: &Entry) -> String {
    let pid = FIRST_PID + entry.task.0;
    let us = entry.time.as_nanos() / 1_000;
    let (name, told) = told(m, entry, pid);
    format!(
        "{:>16}-{pid:<5} [{:03}] {:>5}.{:06}: mm_vmscan_{name}: {told}",
        comm(m, entry.task),
        entry.cpu,
        us / 1_000_000,
        us % 1_000_000,
    )
}

/// The task's name, 15 characters at most.
fn comm(m: &Machine, task: TaskId) -> String {
    let task = &m.tasks[task.index()];
    match task.kind {
        Kind::Kswapd(_) if m.config.kswapds == 1 => format!("kswapd{}", task.scan_home()),
        Kind::Kswapd(worker) => format!("kswapd{}:{worker}", task.scan_home()),
        Kind::Task(number) => format!("task{number}"),
        Kind::Flusher => "flusher".into(),
    }
}

fn zone_name(kind: u8) -> &'static str {
    ZoneKind::ALL.get(usize::from(kind)).map_or("none", |kind| kind.name())
}

/// The tracepoint's name after `mm_vmscan_`, and what it prints.
fn told(m: &Machine, entry: &Entry, pid: u32) -> (&'static str, String) {
    let whose = if is_7(m) { format!(" pid={pid} memcg_id=0 ") } else { String::new() };
    match entry.event {
        Event::KswapdSleep { nid } => ("kswapd_sleep", format!("nid={nid}")),
        Event::KswapdWake { nid, order } => ("kswapd_wake", format!("nid={nid} order={order}")),
        Event::WakeupKswapd { nid, order, gfp } => {
            let flags = if gfp { GFP } else { "none" };
            ("wakeup_kswapd", format!("nid={nid} order={order} gfp_flags={flags}"))
        }
        Event::BalanceBegin { nid, order, highest_zoneidx } => {
            let zone = zone_name(highest_zoneidx);
            ("balance_pgdat_begin", format!("nid={nid} order={order} highest_zoneidx={zone:<8}"))
        }
        Event::BalanceEnd { nid, order, highest_zoneidx, nr_reclaimed } => {
            let zone = zone_name(highest_zoneidx);
            let told = format!(
                "nid={nid} order={order} highest_zoneidx={zone:<8} nr_reclaimed={nr_reclaimed}"
            );
            ("balance_pgdat_end", told)
        }
        Event::DirectBegin => ("direct_reclaim_begin", format!("order=0 gfp_flags={GFP}{whose}")),
        Event::DirectEnd { nr_reclaimed } => {
            ("direct_reclaim_end", format!("nr_reclaimed={nr_reclaimed}{whose}"))
        }
        Event::MemcgBegin => ("memcg_reclaim_begin", format!("order=0 gfp_flags={GFP}{whose}")),
        Event::MemcgEnd { nr_reclaimed } => {
            ("memcg_reclaim_end", format!("nr_reclaimed={nr_reclaimed}{whose}"))
        }
        Event::ReclaimFail { nid, failures } => {
            ("kswapd_reclaim_fail", format!("nid={nid} failures={failures}"))
        }
        Event::Throttled { nid, timeout, delayed, reason } => {
            // The misspelt key is the kernel's.
            let (timeout, delayed) = (timeout.as_nanos() / 1_000, delayed.as_nanos() / 1_000);
            let reason = reason.name();
            let told =
                format!("nid={nid} usec_timeout={timeout} usect_delayed={delayed} reason={reason}");
            ("throttled", told)
        }
        Event::Isolate { .. } | Event::ShrinkInactive { .. } | Event::ShrinkActive { .. } => {
            of_a_list(&entry.event)
        }
    }
}

/// The tracepoints of slices.
fn of_a_list(event: &Event) -> (&'static str, String) {
    let flags = |kind| match kind {
        PageKind::Anon => "RECLAIM_WB_ANON|RECLAIM_WB_ASYNC",
        PageKind::File => "RECLAIM_WB_FILE|RECLAIM_WB_ASYNC",
    };
    match *event {
        Event::Isolate { classzone, nr_requested, nr_scanned, nr_taken, lru } => {
            let lru = match lru {
                LruList::InactiveAnon => "inactive_anon",
                LruList::ActiveAnon => "active_anon",
                LruList::InactiveFile => "inactive_file",
                LruList::ActiveFile => "active_file",
            };
            let told = format!(
                "classzone={classzone} order=0 nr_requested={nr_requested} \
                 nr_scanned={nr_scanned} nr_skipped=0 nr_taken={nr_taken} lru={lru}"
            );
            ("lru_isolate", told)
        }
        Event::ShrinkInactive {
            nid,
            nr_scanned,
            nr_reclaimed,
            nr_dirty,
            nr_writeback,
            nr_immediate,
            nr_activate,
            nr_ref_keep,
            priority,
            kind,
        } => {
            let of_kind = |which| if kind == which { nr_activate } else { 0 };
            let (anon, file) = (of_kind(PageKind::Anon), of_kind(PageKind::File));
            let flags = flags(kind);
            let told = format!(
                "nid={nid} nr_scanned={nr_scanned} nr_reclaimed={nr_reclaimed} \
                 nr_dirty={nr_dirty} nr_writeback={nr_writeback} nr_congested=0 \
                 nr_immediate={nr_immediate} \
                 nr_activate_anon={anon} nr_activate_file={file} nr_ref_keep={nr_ref_keep} \
                 nr_unmap_fail=0 priority={priority} flags={flags}"
            );
            ("lru_shrink_inactive", told)
        }
        Event::ShrinkActive { nid, nr_taken, nr_deactivated, priority, kind } => {
            let flags = flags(kind);
            let told = format!(
                "nid={nid} nr_taken={nr_taken} nr_active=0 nr_deactivated={nr_deactivated} \
                 nr_referenced=0 priority={priority} flags={flags}"
            );
            ("lru_shrink_active", told)
        }
        _ => unreachable!("called for slices only"),
    }
}
