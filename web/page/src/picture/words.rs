//! A node in words: what the drawing says, for those who do not see it.

use super::mark;
use super::tank::Level;
use chart::words;
use report::view::{NodeView, ReaderState};
use report::wire::NodeHeader;

/// Where free memory stands and whether somebody is in direct reclaim: the node's heading.
#[must_use]
pub fn heading(header: &NodeHeader, view: &NodeView) -> (String, bool) {
    let level = Level { free: view.free, marks: view.marks, managed: header.managed };
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
    let [_, _, inactive, active] = view.lists;
    text.push_str(&format!(
        " inactive_file {}, active_file {}.",
        words::pages(inactive),
        words::pages(active)
    ));
    text.push_str(&locks(view));
    text.push_str(&workers(view));
    text.push_str(&readers(view));
    text
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
    match total {
        0 => " No readers.".into(),
        _ => format!(" {}: {}.", words::plural(u64::from(total), "reader"), parts.join(", ")),
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
             34 GiB. lru_lock held by kswapd0:0, 3 wait. 4 of 4 kswapds awake. 29 readers: 11 \
             running, 16 I/O, 2 direct."
        );
        assert_eq!(size(&header.nodes[0]), "26 CPUs, 351 GiB");
    }
}
