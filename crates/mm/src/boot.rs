//! How a machine is at time 0: zones with their marks, lists filled as the start says.

use crate::config::{Config, Start, ZONES_PER_NODE};
use crate::lru::{Entry, Flags, Lruvec, Pages, Partition};
use crate::machine::{Node, USER_CLASS};
use crate::page_alloc::watermark::{self, ZoneSize};
use crate::page_alloc::zone::Zone;
use crate::page_alloc::{pcp_size, zonelist};
use crate::speed::Traffic;
use crate::vmscan::request::Request;
use crate::vmscan::wakeup::WakeupState;
use catalog::flavours::PcpRule;
use catalog::{ConstantId, PolicyId, ZoneKind};
use units::NodeId;

/// The zones by number, with marks, reserves and per-CPU list sizes; all free.
pub(crate) fn zones(config: &Config, cpus: &[u32]) -> Vec<Zone> {
    let sizes: Vec<ZoneSize> = config
        .nodes
        .iter()
        .flat_map(|n| n.zones.iter().map(|z| ZoneSize { kind: z.kind, managed: z.managed }))
        .collect();
    let lowmem = watermark::lowmem_pages(&sizes);
    let all_cpus: u32 = cpus.iter().sum();
    let mut zones = Vec::new();
    for (node, &node_cpus) in config.nodes.iter().zip(cpus) {
        let mut managed = [0; ZONES_PER_NODE];
        let mut used = [0; ZONES_PER_NODE];
        for z in &node.zones {
            managed[z.kind as usize] = z.managed;
            used[z.kind as usize] = z.used.min(z.managed);
        }
        for kind in ZoneKind::ALL {
            let pages = managed[kind as usize];
            if pages == 0 {
                zones.push(Zone::default());
                continue;
            }
            let size = ZoneSize { kind, managed: pages };
            let factor = config.watermark_scale_factor;
            let marks = watermark::zone_marks(size, config.min_free_kbytes, factor, lowmem);
            let reserve = core::array::from_fn(|class| {
                let ratios = &config.lowmem_reserve_ratio;
                watermark::lowmem_reserve(&managed, ratios, kind as usize, class)
            });
            let batch = pcp_size::batch(pages, config.flavour.pcp_batch_cap);
            let shared_by = u64::from(if node_cpus == 0 { all_cpus } else { node_cpus });
            let high_min = pcp_size::high_min(marks.low, shared_by, batch);
            let high_max = match config.flavour.pcp {
                PcpRule::AutoTuned => pcp_size::high_max(pages, shared_by, batch),
                PcpRule::LowMark | PcpRule::SixBatches => high_min,
            };
            zones.push(Zone {
                managed: pages,
                used: used[kind as usize],
                free: pages - used[kind as usize],
                marks,
                reserve,
                pcp_batch: batch as u32,
                pcp_high_min: high_min as u32,
                pcp_high_max: high_max as u32,
                ..Zone::default()
            });
        }
    }
    // A full start takes the pages off again, list by list, in `build_nodes`.
    if let Start::Full { .. } = config.start {
        for zone in &mut zones {
            let keep = zone.marks.high + zone.reserve[USER_CLASS];
            zone.lru = zone.free.saturating_sub(keep);
            zone.free -= zone.lru;
        }
    }
    zones
}

/// The nodes, their lists filled as the start says.
pub(crate) fn build_nodes(
    config: &Config,
    zones: &[Zone],
    cpus: &[u32],
    streams: &Pages,
) -> Vec<Node> {
    let lists = zonelist::build(cpus, config.distance, config.fake_numa);
    let partitions = u64::from(config.lru_partitions);
    let bound = config.ledger.get(ConstantId::CohortsPerList);
    lists
        .into_iter()
        .enumerate()
        .map(|(n, zonelist)| {
            let own = &zones[n * ZONES_PER_NODE..(n + 1) * ZONES_PER_NODE];
            let managed: u64 = own.iter().map(|z| z.managed).sum();
            let cohort_max = (managed / partitions / bound).max(64);
            let part = if config.lru_gen {
                Partition::generations(cohort_max, config.flavour.lru_gen_new_after_oldest)
            } else {
                Partition::classic(cohort_max)
            };
            let mut parts = vec![part.clone(); partitions as usize];
            if let Start::Full { inactive_per_mille } = config.start {
                fill(&mut parts, own, inactive_per_mille, cohort_max, streams);
            }
            let nearest = |&m: &u8| cpus[usize::from(m)] > 0;
            let cpu_node = zonelist.iter().copied().find(nearest).expect("a node with CPUs");
            let first = n as u32 * config.kswapds;
            let mut lruvecs = vec![Lruvec::new(parts, config.classes.len())];
            for _ in 1..config.memcgs.len() {
                lruvecs.push(Lruvec::new(
                    vec![part.clone(); partitions as usize],
                    config.classes.len(),
                ));
            }
            Node {
                lruvecs,
                workers: (first, first + config.kswapds),
                wakeable: if config.policy == PolicyId::Single { 1 } else { config.kswapds },
                cpu_node: NodeId(u32::from(cpu_node)),
                traffic: Traffic::default(),
                wakeup: WakeupState::default(),
                free: own.iter().map(|z| z.free).sum(),
                usable: own.iter().map(Zone::usable).sum(),
                entered: own.iter().map(|z| z.lru).sum(),
                batches_added: 0,
                isolated: [0; 2],
                kswapd_failures: 0,
                kswapd_reclaimed: 0,
                aging: 0,
                request: Request::default(),
                write_pending: 0,
                reclaim_wait: Default::default(),
                pfmemalloc_wait: Vec::new(),
                zonelist,
            }
        })
        .collect()
}

/// Puts all pages that are not free on the lists: the active share first, as it is the older one.
fn fill(
    parts: &mut [Partition],
    zones: &[Zone],
    inactive_per_mille: u64,
    cohort_max: u64,
    streams: &Pages,
) {
    let count = parts.len() as u64;
    for (p, part) in parts.iter_mut().enumerate() {
        let mut left: [u64; ZONES_PER_NODE] = core::array::from_fn(|k| {
            let pages = zones[k].lru;
            pages / count + u64::from((p as u64) < pages % count)
        });
        let total: u64 = left.iter().sum();
        let mut inactive = total * inactive_per_mille / 1_000;
        // Interleave the zones as steady allocation would: a cohort holds each in proportion.
        let mut rest = total;
        while rest > 0 {
            let to_inactive = rest <= inactive;
            let bound = if to_inactive { rest } else { rest - inactive };
            let step = cohort_max.min(bound);
            let mut pages: [u64; ZONES_PER_NODE] = left.map(|l| l * step / rest);
            let mut short = step - pages.iter().sum::<u64>();
            for k in 0..ZONES_PER_NODE {
                let more = short.min(left[k] - pages[k]);
                pages[k] += more;
                short -= more;
                left[k] -= pages[k];
            }
            // Partitions fill side by side: their cohorts alternate in the node's order.
            let entered = if to_inactive { (total - rest) * count } else { 0 };
            let flags = if to_inactive { Flags::default() } else { Flags::ACTIVE };
            for (zone, &taken) in pages.iter().enumerate().filter(|(_, taken)| **taken > 0) {
                let e = Entry { zone: zone as u8, count: taken as u32, flags, ..Entry::default() };
                part.add(e, entered, streams);
            }
            if to_inactive {
                inactive -= step;
            }
            rest -= step;
        }
    }
}
