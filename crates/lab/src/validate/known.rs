//! Rows that miss what is asked of them, and why, as far as it is known.

use super::table::Row;
use core::ops::RangeInclusive;

/// Some rows and why they miss.
struct Known {
    sets: &'static [&'static str],
    /// How their arm ends.
    arm: &'static str,
    /// How their metric begins, one of these; every metric when there is none.
    metrics: &'static [&'static str],
    loads: RangeInclusive<u32>,
    reason: &'static str,
}

const OFF: &str = "shadow entries DISABLED";
const ON: &str = "shadow entries ENABLED";

const OF_STORE: &str = "Pages are used again less often here: 86 thousand a second were activated, \
    which takes a second use after a first pass of the list, and 11 thousand are here, where \
    requests spread evenly over all pages. How they spread (indexes, rows across pages) is not \
    published, and nothing was fitted to it.";

const OF_FILL: &str = "One process fills as fast here as 32 CPUs of one node were published to (D06, \
    D08); on this machine of two sockets it took 1.6 times as long, and where its simulated pmem \
    stands is not stated.";

const FREES: &str = "Whoever frees slots queues for no lock here. In the published kernel that is \
    where waiting is: of 122 s spent waiting for si->lock in 3 s, 82 are of those who free (D05), \
    each of whom holds it while a zram device gives the page back. What the build swaps a unit of \
    work is not fitted either.";

const KNOWN: &[Known] = &[
    Known {
        sets: &["D01e", "D01k"],
        arm: ON,
        metrics: &[],
        loads: 34..=90,
        reason: "What a shadow entry costs does not grow with the number of reclaimers here. In \
                 the published runs it does: kswapd stays at 100 % CPU and a page costs it up to \
                 17 times as much.",
    },
    Known {
        sets: &["D01c", "D01d", "D01e"],
        arm: "",
        metrics: &["cpu of one dd", "kswapd"],
        loads: 10..=10,
        reason: "The published runs themselves print 26.1 to 31.4 % CPU of one dd for the same \
                 work at 10 readers.",
    },
    Known {
        sets: &["D01d"],
        arm: OFF,
        metrics: &["system cpu"],
        loads: 16..=16,
        reason: "The highest sample is printed; the other columns of the stage add up to 7.7 %.",
    },
    Known {
        sets: &["D01c", "D01k"],
        arm: OFF,
        metrics: &["pgscan_kswapd", "kswapd scan rate"],
        loads: 16..=28,
        reason: "This run lies 5 to 13 % below the one with four kswapds where both keep up (an \
                 offset between runs), and its scan rate with it.",
    },
    Known {
        sets: &["D01c", "D01k"],
        arm: OFF,
        metrics: &["kswapd", "pgscan", "direct reclaims", "share of all"],
        loads: 34..=64,
        reason: "Direct reclaim takes over at fewer readers here than in the published run, so \
                 kswapd scans less; no constant was moved for it.",
    },
    Known {
        sets: &["D01c", "D01k"],
        arm: OFF,
        metrics: &["pgscan_kswapd", "kswapd scan rate"],
        loads: 70..=90,
        reason: "Kswapd does 14 % of all scanning in these stages, and 17 % here.",
    },
    Known {
        sets: &["D13"],
        arm: "(SMP list; lru_lock shared)",
        metrics: &[],
        loads: 1..=88,
        reason: "lru_lock binds here, and zone->lock is held half as long; in the published runs \
                 the zone lock takes over at once.",
    },
    Known { sets: &["D04"], arm: "before", metrics: &[], loads: 48..=96, reason: FREES },
    Known {
        sets: &["D04"],
        arm: "",
        metrics: &[],
        loads: 6..=24,
        reason: "At 6 jobs no lock binds, and the published build takes 2.3 times the system time \
                 already: more pages are swapped a unit of work than by the processes of D03, \
                 which were not fitted to this build.",
    },
    Known {
        sets: &["D14"],
        arm: "",
        metrics: &["lru_lock wait in 30 s at lru_add_drain", "lru_lock wait in 30 s at total"],
        loads: 16..=16,
        reason: "Draining of per-CPU batches before every slice is the largest site in the \
                 published run. Here a batch is nearly always empty by then, since one page is \
                 added a fault; what else drained is not known.",
    },
    Known {
        sets: &["D14"],
        arm: "",
        metrics: &["lru_lock wait in 30 s at shrink_active_list"],
        loads: 16..=16,
        reason: "The inactive list is rarely low here, so that the active list is scanned less.",
    },
    Known {
        sets: &["D14"],
        arm: "",
        metrics: &["lru_lock wait in 30 s at shrink_lruvec"],
        loads: 16..=16,
        reason: "A passage that notes a cost is given 100 ns here (PutbackPass, a GUESS), and \
                 refaults, which the published kernel notes as well, are none.",
    },
];

/// Why a row misses, where that is known.
pub(super) fn known(row: &Row) -> Option<&'static str> {
    if row.id == "D22" {
        return Some(OF_STORE);
    }
    if row.id == "D07" && row.workload.contains("usemem") {
        return Some(OF_FILL);
    }
    let x = row.x()?;
    let is = |known: &&Known| {
        let of_metric = known.metrics.iter().any(|metric| row.metric.starts_with(metric));
        known.sets.contains(&row.id.as_str())
            && row.arm.ends_with(known.arm)
            && known.loads.contains(&x)
            && (known.metrics.is_empty() || of_metric)
    };
    KNOWN.iter().find(is).map(|known| known.reason)
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::*;

    #[test]
    fn a_reason_is_for_its_own_rows() {
        let text = "id,metric,unit,x_name,x_value,arm,value\n\
            D01k,kswapd scan rate per node,n,dd_tasks,40,1 kswapd/node; shadow entries ENABLED,1\n\
            D01k,kswapd scan rate per node,n,dd_tasks,40,1 kswapd/node; shadow entries DISABLED,1\n\
            D01d,kswapd0 cpu,n,dd_tasks,40,4 kswapd/node; shadow entries DISABLED,1\n";
        let rows = Table::parse(text, true).expect("a table").rows;
        assert!(known(&rows[0]).is_some_and(|reason| reason.contains("shadow entry")));
        assert!(known(&rows[1]).is_some_and(|reason| reason.contains("takes over")));
        assert_eq!(known(&rows[2]), None);
    }
}
