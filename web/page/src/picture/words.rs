//! A node in words: what the drawing says, for those who do not see it.

use super::mark;
use super::tank::Level;
use chart::words;
use report::view::{CgroupView, MachineView, NodeView, ReaderState};
use report::wire::NodeHeader;

/// Where free memory stands and whether somebody is in direct reclaim: the node's heading.
#[must_use]
pub fn heading(header: &NodeHeader, view: &NodeView) -> (String, bool) {
    let level =
        Level { free: view.free, marks: view.marks, boost: view.boost, managed: header.managed };
    let direct = view.readers[ReaderState::Direct as usize];
    let tail = if direct > 0 { ", direct reclaim" } else { "" };
    (format!("{}{tail}", level.zone()), level.is_below_min())
}

/// `26 CPUs, 352 GiB`.
#[must_use]
pub fn size(header: &NodeHeader) -> String {
    let cpus = words::plural(u64::from(header.cpus), "CPU");
    format!("{cpus}, {}", words::pages(header.managed))
}

/// The whole node as sentences.
#[must_use]
pub fn sentences(number: usize, header: &NodeHeader, view: &NodeView) -> String {
    let (zone, _) = heading(header, view);
    let mut text = format!("Node {number}: free {}, {zone}.", words::pages(view.free));
    let [inactive_anon, active_anon, inactive, active] = view.lists;
    text.push_str(&format!(
        " inactive_file {}, active_file {}.",
        words::pages(inactive),
        words::pages(active)
    ));
    if inactive_anon + active_anon > 0 {
        text.push_str(&format!(
            " inactive_anon {}, active_anon {}.",
            words::pages(inactive_anon),
            words::pages(active_anon)
        ));
    }
    text.push_str(&locks(view));
    text.push_str(&workers(view));
    text.push_str(&readers(view));
    text
}

/// Whether the workload has a cgroup of its own.
#[must_use]
pub const fn has_cgroup(cgroup: &CgroupView) -> bool {
    cgroup.usage > 0 || cgroup.max > 0
}

/// What belongs to no node: the cgroup, swap, who was killed. Empty when there is none of it.
#[must_use]
pub fn beside_nodes(view: &MachineView) -> String {
    let mut parts = Vec::new();
    let cgroup = view.cgroup;
    if has_cgroup(&cgroup) {
        let limit = match cgroup.max {
            0 => String::new(),
            max => format!(" of {}", words::pages(max)),
        };
        let hits = words::plural(cgroup.hits, "time");
        parts.push(format!(
            "memory.current {}{limit}, at its limit {hits}",
            words::pages(cgroup.usage)
        ));
    }
    let [used, all] = view.swap;
    if all > 0 {
        parts.push(format!("swap {} of {}", words::pages(used), words::pages(all)));
    }
    if view.oom_kills > 0 {
        parts.push(format!("oom_kill {}", view.oom_kills));
    }
    parts.join("; ")
}

/// Sizes of the generations, where the lists are generations.
#[must_use]
pub fn generations(view: &NodeView) -> Option<String> {
    if view.gens.iter().all(|&pages| pages == 0) {
        return None;
    }
    let sizes = |gens: &[u64]| {
        let sizes: Vec<_> = gens.iter().map(|&pages| words::pages(pages)).collect();
        sizes.join(", ")
    };
    let (anon, file) = view.gens.split_at(4);
    let mut text = format!("generations, oldest first: file {}", sizes(file));
    if anon.iter().any(|&pages| pages > 0) {
        text.push_str(&format!("; anon {}", sizes(anon)));
    }
    Some(text)
}

fn locks(view: &NodeView) -> String {
    let locks: Vec<_> = super::gate::lru_locks(&view.locks).collect();
    let waiters: u32 = locks.iter().map(|lock| lock.waiters).sum();
    let held = locks.iter().filter(|lock| lock.holder.is_some()).count();
    let state = match locks[..] {
        [] => return String::new(),
        [lock] => match lock.holder {
            Some(who) => format!("held by {}", mark::name(who)),
            None => "free".into(),
        },
        _ => format!("{held} of {} partitions held", locks.len()),
    };
    let wait = match waiters {
        0 => "nobody waits".to_owned(),
        1 => "1 waits".to_owned(),
        n => format!("{n} wait"),
    };
    format!(" lru_lock {state}, {wait}.")
}

fn workers(view: &NodeView) -> String {
    let total = view.workers.len() as u64;
    let awake = view.workers.iter().filter(|w| mark::is_awake(w.state)).count();
    format!(" {awake} of {} awake.", words::plural(total, "kswapd"))
}

fn readers(view: &NodeView) -> String {
    let count = |state: ReaderState| view.readers[state as usize];
    let total: u32 = view.readers.iter().sum();
    let parts: Vec<_> = ReaderState::ALL
        .into_iter()
        .filter(|&state| count(state) > 0)
        .map(|state| format!("{} {}", count(state), mark::reader_label(state)))
        .collect();
    let why = match count(ReaderState::Throttled) {
        0 => String::new(),
        _ => format!(" {}.", super::tasks::throttled(&view.readers, &view.throttled)),
    };
    match total {
        0 => " No tasks.".into(),
        _ => format!(" {}: {}.", words::plural(u64::from(total), "task"), parts.join(", ")) + &why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_node_in_trouble_says_so() {
        let (header, mut view) = samples::machine(1, 4, 1, 29);
        view.nodes[0].free = 9_779;
        let (zone, bad) = heading(&header.nodes[0], &view.nodes[0]);
        assert_eq!((zone.as_str(), bad), ("below min, direct reclaim", true));
        assert_eq!(
            sentences(0, &header.nodes[0], &view.nodes[0]),
            "Node 0: free 38.2 MiB, below min, direct reclaim. inactive_file 306 GiB, active_file \
             34 GiB. inactive_anon 918 MiB, active_anon 2.59 GiB. lru_lock held by kswapd0:0, 3 wait. 4 of 4 kswapds awake. 29 tasks: 11 \
             running, 16 I/O, 2 direct."
        );
        assert_eq!(size(&header.nodes[0]), "26 CPUs, 351 GiB");
    }

    #[test]
    fn what_is_not_there_is_not_spoken_of() {
        let (_, mut view) = samples::machine(1, 1, 1, 1);
        assert_eq!((beside_nodes(&view), generations(&view.nodes[0])), (String::new(), None));
        view.cgroup = CgroupView { usage: 71_680, max: 76_800, hits: 3 };
        view.swap = [262_144, 786_432];
        view.oom_kills = 1;
        assert_eq!(
            beside_nodes(&view),
            "memory.current 280 MiB of 300 MiB, at its limit 3 times; swap 1 GiB of 3 GiB; \
             oom_kill 1"
        );
        view.nodes[0].gens = [0, 0, 0, 0, 256, 512, 0, 0];
        assert_eq!(
            generations(&view.nodes[0]).as_deref(),
            Some("generations, oldest first: file 1 MiB, 2 MiB, 0 B, 0 B")
        );
    }
}
