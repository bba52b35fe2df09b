//! How a machine is at time 0: zones with their marks, lists filled as the start says.

use crate::config::{Config, Start, ZONES_PER_NODE};
use crate::lru::list::cohort_max;
use crate::lru::{Entry, Flags, Lruvec, Pages, Partition};
use crate::machine::{Node, USER_CLASS};
use crate::page_alloc::watermark::{self, ZoneSize};
use crate::page_alloc::zone::Zone;
use crate::page_alloc::{pcp_size, zonelist};
use crate::speed::Traffic;
use crate::vmscan::request::Request;
use crate::vmscan::wakeup::WakeupState;
use crate::workload::resident::Resident;
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
    (pages, residents): (&Pages, &[Resident]),
) -> Vec<Node> {
    let lists = zonelist::build(cpus, config.distance, config.fake_numa);
    let partitions = u64::from(config.lru_partitions);
    let bound = config.ledger.get(ConstantId::CohortsPerList);
    let everywhere: u64 = zones.iter().map(|z| z.lru).sum();
    lists
        .into_iter()
        .enumerate()
        .map(|(n, zonelist)| {
            let own = &zones[n * ZONES_PER_NODE..(n + 1) * ZONES_PER_NODE];
            let managed: u64 = own.iter().map(|z| z.managed).sum();
            let cohort_max = cohort_max(managed / partitions, bound);
            let part = if config.lru_gen {
                Partition::generations(cohort_max, config.flavour.lru_gen_older_rules)
            } else {
                Partition::classic(cohort_max)
            };
            let part = if partitions == 1 { part.with_marks() } else { part };
            let mut parts = vec![part.clone(); partitions as usize];
            if let Start::Full { inactive_per_mille } = config.start {
                let listed: u64 = own.iter().map(|z| z.lru).sum();
                let share = |r: &Resident| {
                    let pages = u128::from(r.pages) * u128::from(listed);
                    Resident { pages: (pages / u128::from(everywhere.max(1))) as u64, ..*r }
                };
                let here: Vec<Resident> = residents.iter().map(share).collect();
                fill(&mut parts, own, inactive_per_mille, cohort_max, (pages, &here));
            }
            let nearest = |&m: &u8| cpus[usize::from(m)] > 0;
            let cpu_node = zonelist.iter().copied().find(nearest).expect("a node with CPUs");
            let first = n as u32 * config.kswapds;
            let mut lruvecs = vec![Lruvec::new(parts, config.classes.len(), &config.ledger)];
            for _ in 1..config.memcgs.len() {
                lruvecs.push(Lruvec::new(
                    vec![part.clone(); partitions as usize],
                    config.classes.len(),
                    &config.ledger,
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
                swap_pending: 0,
                writeback: false,
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
    (pages, residents): (&Pages, &[Resident]),
) {
    let count = parts.len() as u64;
    for (p, part) in parts.iter_mut().enumerate() {
        let mut left: [u64; ZONES_PER_NODE] = core::array::from_fn(|k| {
            let pages = zones[k].lru;
            pages / count + u64::from((p as u64) < pages % count)
        });
        let total: u64 = left.iter().sum();
        let inactive = total * inactive_per_mille / 1_000;
        let mut mixed = Mixed::new(residents, count, total);
        // Interleave the zones as steady allocation would: a cohort holds each in proportion.
        let mut rest = total;
        while rest > 0 {
            let to_inactive = rest <= inactive;
            let bound = if to_inactive { rest } else { rest - inactive };
            let step = cohort_max.min(bound);
            let mut by_zone: [u64; ZONES_PER_NODE] = left.map(|l| l * step / rest);
            let mut short = step - by_zone.iter().sum::<u64>();
            for k in 0..ZONES_PER_NODE {
                let more = short.min(left[k] - by_zone[k]);
                by_zone[k] += more;
                short -= more;
                left[k] -= by_zone[k];
            }
            // Partitions fill side by side: their cohorts alternate in the node's order.
            let entered = if to_inactive { (total - rest) * count } else { 0 };
            // How long ago, in thousandths of the inactive list.
            let age = (inactive > 0 && to_inactive).then(|| rest * 1_000 / inactive);
            for (zone, &taken) in by_zone.iter().enumerate().filter(|(_, taken)| **taken > 0) {
                for e in mixed.take(taken, age) {
                    part.add(Entry { zone: zone as u8, ..e }, entered, pages);
                }
            }
            rest -= step;
        }
    }
}

/// The classes that a full start mixes, and how many pages of each are left.
struct Mixed<'a> {
    residents: &'a [Resident],
    left: Vec<u64>,
    /// Pages of streams.
    streams: u64,
    total: u64,
}

impl<'a> Mixed<'a> {
    /// An even share of `count` of a node's residents, on `total` pages.
    fn new(residents: &'a [Resident], count: u64, total: u64) -> Self {
        let left: Vec<u64> = residents.iter().map(|r| r.pages / count).collect();
        let streams = total - left.iter().sum::<u64>();
        Self { residents, left, streams, total }
    }

    /// The next so many pages, of each class in proportion; `age` in thousandths of the inactive
    /// list, nothing for active ones.
    fn take(&mut self, count: u64, age: Option<u64>) -> Vec<Entry> {
        let mut wanted: Vec<u64> = self
            .left
            .iter()
            .map(|&l| (u128::from(l) * u128::from(count) / u128::from(self.total)) as u64)
            .collect();
        let streams = u128::from(self.streams) * u128::from(count) / u128::from(self.total);
        let mut streams = streams as u64;
        let mut short = count - wanted.iter().sum::<u64>() - streams;
        let more = short.min(self.streams - streams);
        streams += more;
        short -= more;
        for (want, &left) in wanted.iter_mut().zip(&self.left) {
            let more = short.min(left - *want);
            *want += more;
            short -= more;
        }
        self.streams -= streams;
        self.total -= count;
        let flags = if age.is_some() { Flags::default() } else { Flags::ACTIVE };
        let mut out = Vec::new();
        if streams > 0 {
            out.push(Entry { count: streams as u32, flags, ..Entry::default() });
        }
        for ((r, left), &want) in self.residents.iter().zip(&mut self.left).zip(&wanted) {
            *left -= want;
            if want == 0 {
                continue;
            }
            let heat = r.uses - r.uses * age.unwrap_or(1_000).min(1_000) / 1_000;
            // Of the inactive ones those that pass the list for the first time.
            let new = if r.unmapped && age.is_some() { want / r.passes } else { 0 };
            let unmapped = flags.with(Flags::UNMAPPED);
            for (count, flags) in [(new, unmapped), (want - new, flags)] {
                if count > 0 {
                    let (count, class) = (count as u32, r.class);
                    out.push(Entry { heat, count, class, flags, ..Entry::default() });
                }
            }
        }
        out
    }
}
