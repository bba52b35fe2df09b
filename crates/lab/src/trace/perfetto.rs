//! The event log as trace events in JSON, which ui.perfetto.dev and chrome://tracing open.
//!
//! One process, a thread a task: spans while a kswapd is awake, while it balances its node and
//! while a task reclaims for itself; everything else is an instant. Free memory and scan rates are
//! counters, from the samples. Times are microseconds of simulated time.

use super::{Entry as Logged, FIRST_PID, comm, told};
use crate::run::Run;
use mm::trace::Event;
use report::series::Table;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

/// Columns of the samples that become counters: their key, or what it ends in behind a node.
const COUNTERS: [&str; 6] = [
    ".nr_free_pages",
    ".workers_awake",
    "pgscan_kswapd",
    "pgscan_direct",
    "pgsteal_kswapd",
    "pgsteal_direct",
];

/// What an event does to the spans of its task.
enum Span {
    Begin(&'static str),
    End(&'static str),
    None,
}

fn span(event: &Event) -> Span {
    match event {
        Event::KswapdWake { .. } => Span::Begin("awake"),
        Event::KswapdSleep { .. } => Span::End("awake"),
        Event::BalanceBegin { .. } => Span::Begin("balance_pgdat"),
        Event::BalanceEnd { .. } => Span::End("balance_pgdat"),
        Event::DirectBegin => Span::Begin("direct reclaim"),
        Event::DirectEnd { .. } => Span::End("direct reclaim"),
        Event::MemcgBegin => Span::Begin("memcg reclaim"),
        Event::MemcgEnd { .. } => Span::End("memcg reclaim"),
        _ => Span::None,
    }
}

/// The events of a run with a log, with counters from its samples: a document line by line.
pub(super) fn lines<'a>(run: &'a Run, table: &'a Table) -> Vec<String> {
    let report = run.report();
    let head = format!(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"kind\":\"SIMULATED\",\"program\":\
         \"reclaimscope\",\"model\":\"{}\",\"link\":\"{}\",\"digest\":\"{}\",\"seed\":\"{}\"}},\
         \"traceEvents\":[",
        report.model, report.link, report.digest, report.seed
    );
    let mut events = vec![
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\
         \"reclaimscope (SIMULATED)\"}}"
            .to_owned(),
    ];
    counters(table, &mut events);
    if let Some(log) = run.recorder.as_ref().and_then(|recorder| recorder.trace.as_ref()) {
        let mut threads = Threads { run, open: BTreeMap::new(), events: &mut events };
        log.entries.iter().for_each(|entry| threads.take(entry));
        threads.close(run.time_ns());
    }
    let last = events.len() - 1;
    let comma = |(n, event): (usize, String)| format!("{event}{}", if n < last { "," } else { "" });
    let body = events.into_iter().enumerate().map(comma);
    core::iter::once(head).chain(body).chain(["]}".to_owned()]).collect()
}

fn counters(table: &Table, events: &mut Vec<String>) {
    for (number, column) in table.columns.iter().enumerate() {
        let wanted = |key: &str| column.key == key || column.key.ends_with(key);
        if !COUNTERS.iter().any(|key| wanted(key)) {
            continue;
        }
        for (time, value) in table.time_ns.iter().zip(table.column(number)) {
            events.push(format!(
                "{{\"ph\":\"C\",\"pid\":1,\"name\":\"{}\",\"ts\":{},\"args\":{{\"{}\":{value}}}}}",
                column.key,
                us(*time),
                column.unit
            ));
        }
    }
}

/// Microseconds with all digits.
fn us(ns: u64) -> String {
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

/// The threads, with the spans that are open in each.
struct Threads<'a> {
    run: &'a Run,
    open: BTreeMap<u32, Vec<&'static str>>,
    events: &'a mut Vec<String>,
}

impl Threads<'_> {
    fn take(&mut self, entry: &Logged) {
        let tid = FIRST_PID + entry.task.0;
        if let Entry::Vacant(place) = self.open.entry(tid) {
            place.insert(Vec::new());
            let name = comm(&self.run.machine, entry.task);
            self.events.push(format!(
                "{{\"ph\":\"M\",\"pid\":1,\"tid\":{tid},\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"{name}\"}}}}"
            ));
        }
        let ts = us(entry.time.as_nanos());
        let args = self.args(entry, tid);
        match span(&entry.event) {
            Span::Begin(name) => {
                // A kswapd that finds more to do begins anew without having slept.
                self.end(tid, name, &ts, "");
                self.open.entry(tid).or_default().push(name);
                self.mark("B", tid, name, &ts, &args);
            }
            Span::End(name) => self.end(tid, name, &ts, &args),
            Span::None => {
                let (name, _) = told(&self.run.machine, entry, tid);
                self.mark("i", tid, name, &ts, &format!("{args},\"s\":\"t\""));
            }
        }
    }

    /// Ends a span and those within it; one that began before the log does not end.
    fn end(&mut self, tid: u32, name: &'static str, ts: &str, args: &str) {
        if !self.open.get(&tid).is_some_and(|open| open.contains(&name)) {
            return;
        }
        while let Some(last) = self.open.get_mut(&tid).and_then(Vec::pop) {
            self.mark("E", tid, last, ts, if last == name { args } else { "" });
            if last == name {
                return;
            }
        }
    }

    /// Ends everything at the end of the run.
    fn close(&mut self, end_ns: u64) {
        let open: Vec<(u32, Vec<&'static str>)> =
            core::mem::take(&mut self.open).into_iter().collect();
        for (tid, names) in open {
            for name in names.into_iter().rev() {
                self.mark("E", tid, name, &us(end_ns), "");
            }
        }
    }

    fn mark(&mut self, ph: &str, tid: u32, name: &str, ts: &str, args: &str) {
        self.events.push(format!(
            "{{\"ph\":\"{ph}\",\"pid\":1,\"tid\":{tid},\"name\":\"{name}\",\"ts\":{ts}{args}}}"
        ));
    }

    /// What the tracepoint tells, and its CPU.
    fn args(&self, entry: &Logged, pid: u32) -> String {
        let (_, told) = told(&self.run.machine, entry, pid);
        let mut args = format!(",\"args\":{{\"cpu\":{}", entry.cpu);
        for (key, value) in told.split_whitespace().filter_map(|word| word.split_once('=')) {
            let is_number = value.parse::<u64>().is_ok();
            let quote = if is_number { "" } else { "\"" };
            // Writing into a string cannot fail.
            let _ = write!(args, ",\"{key}\":{quote}{value}{quote}");
        }
        args.push('}');
        args
    }
}
