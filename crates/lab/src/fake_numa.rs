//! Every node cut into several, as `numa=fake=<k>U` and sub-NUMA clustering do: more lists, locks,
//! watermarks and kswapds on the same machine. It is what LRU partitions are compared with, since
//! it needs no patch.
//!
//! Memory is cut by address, lowest zone first; CPUs are dealt in whole cores (as sub-NUMA
//! clustering does; `numa=fake` would show all of them on each part). Nothing is lost or added.

use mm::config::{NodeConfig, ZoneConfig};

/// The nodes, each cut into `parts`, one after the other.
pub(crate) fn split(nodes: Vec<NodeConfig>, parts: u32, smt: u32) -> Vec<NodeConfig> {
    if parts <= 1 {
        return nodes;
    }
    nodes.iter().flat_map(|node| (0..parts).map(|part| piece(node, part, parts, smt))).collect()
}

/// One part of a node.
fn piece(node: &NodeConfig, part: u32, parts: u32, smt: u32) -> NodeConfig {
    let managed: u64 = node.zones.iter().map(|z| z.managed).sum();
    let edge = |part: u32| managed * u64::from(part) / u64::from(parts);
    let (from, to) = (edge(part), edge(part + 1));
    let mut at = 0;
    let mut zones = Vec::new();
    for zone in &node.zones {
        // Where the piece begins and ends within this zone.
        let low = from.clamp(at, at + zone.managed) - at;
        let high = to.clamp(at, at + zone.managed) - at;
        at += zone.managed;
        if high > low {
            let used_below = |pages: u64| {
                let share = u128::from(zone.used) * u128::from(pages);
                (share / u128::from(zone.managed)) as u64
            };
            let used = used_below(high) - used_below(low);
            zones.push(ZoneConfig { kind: zone.kind, managed: high - low, used });
        }
    }
    let cores = node.cpus.div_ceil(smt);
    let thread = |part: u32| (cores * part / parts * smt).min(node.cpus);
    NodeConfig { cpus: thread(part + 1) - thread(part), zones }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::ZoneKind;

    fn node(cpus: u32, zones: &[(ZoneKind, u64, u64)]) -> NodeConfig {
        let zone = |&(kind, managed, used): &(_, _, _)| ZoneConfig { kind, managed, used };
        NodeConfig { cpus, zones: zones.iter().map(zone).collect() }
    }

    /// Pages and used pages by kind, and CPUs.
    fn sums(nodes: &[NodeConfig]) -> ([u64; 4], [u64; 4], u32) {
        let (mut managed, mut used) = ([0; 4], [0; 4]);
        for zone in nodes.iter().flat_map(|n| &n.zones) {
            managed[zone.kind as usize] += zone.managed;
            used[zone.kind as usize] += zone.used;
        }
        (managed, used, nodes.iter().map(|n| n.cpus).sum())
    }

    #[test]
    fn memory_and_cpus_are_conserved_zone_by_zone() {
        let first = [
            (ZoneKind::Dma, 3_840, 17),
            (ZoneKind::Dma32, 416_940, 1_001),
            (ZoneKind::Normal, 9_999_999, 77_777),
        ];
        let nodes = vec![
            node(52, &first),
            node(51, &[(ZoneKind::Normal, 10_000_003, 5)]),
            node(0, &[(ZoneKind::Normal, 7, 7), (ZoneKind::Movable, 1_000, 0)]),
        ];
        for parts in 1..=8 {
            for smt in [1, 2, 4] {
                let cut = split(nodes.clone(), parts, smt);
                assert_eq!(cut.len(), 3 * parts as usize);
                assert_eq!(sums(&cut), sums(&nodes), "{parts} {smt}");
                for part in &cut {
                    let pages: u64 = part.zones.iter().map(|z| z.managed).sum();
                    assert!(pages > 0, "{parts}: {part:?}");
                }
            }
        }
    }

    #[test]
    fn parts_are_cut_by_address_and_in_whole_cores() {
        let zones = [(ZoneKind::Dma, 100, 10), (ZoneKind::Normal, 900, 90)];
        let cut = split(vec![node(6, &zones)], 2, 2);
        let want = [
            node(2, &[(ZoneKind::Dma, 100, 10), (ZoneKind::Normal, 400, 40)]),
            node(4, &[(ZoneKind::Normal, 500, 50)]),
        ];
        assert_eq!(cut, want);
    }
}
