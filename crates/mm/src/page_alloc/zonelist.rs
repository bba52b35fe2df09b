//! The order in which a node's tasks look for memory (7.2 mm/page_alloc.c:find_next_best_node,
//! build_zonelists): nearest first; among equals the next number, cyclically.

/// Distance of a node to itself.
const LOCAL_DISTANCE: u64 = 10;
/// Any number above every node_load: distance decides first.
const MAX_NUMNODES: u64 = 1024;

/// Distance of the parts of a node that is cut into several: what firmware with sub-NUMA clustering
/// reports, at least.
const PART_DISTANCE: u64 = 11;

/// The node order for every node. `cpus` are the CPUs by node; all nodes are `distance` apart, but
/// for groups of `parts` nodes that are one in hardware.
#[must_use]
pub fn build(cpus: &[u32], distance: u32, parts: u32) -> Vec<Vec<u8>> {
    let nodes = cpus.len();
    let mut load = vec![0u64; nodes];
    let parts = parts.max(1) as usize;
    let away = |a: usize, b: usize| {
        if a == b {
            LOCAL_DISTANCE
        } else if a / parts == b / parts {
            PART_DISTANCE
        } else {
            u64::from(distance)
        }
    };
    (0..nodes)
        .map(|local| {
            let mut order: Vec<u8> = Vec::with_capacity(nodes);
            let mut previous = local;
            while order.len() < nodes {
                let next = if order.is_empty() {
                    local
                } else {
                    (0..nodes)
                        .filter(|&n| !order.contains(&(n as u8)))
                        .min_by_key(|&n| {
                            let penalty = u64::from(n < local) + u64::from(cpus[n] > 0);
                            (away(local, n) + penalty) * MAX_NUMNODES + load[n]
                        })
                        .expect("a node is left")
                };
                // The first of a group of equal distance is used less by the nodes that follow.
                if away(local, next) != away(local, previous) {
                    load[next] += 1;
                }
                order.push(next as u8);
                previous = next;
            }
            order
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_one_that_real_kernels_showed() {
        // Experiment E8: four nodes, all 20 apart; from 0 and from 3.
        let lists = build(&[1; 4], 20, 1);
        assert_eq!(lists[0], [0, 1, 2, 3]);
        assert_eq!(lists[3][..2], [3, 0]);
        assert_eq!(build(&[4, 4], 21, 1), [vec![0, 1], vec![1, 0]]);
    }

    #[test]
    fn parts_of_a_node_come_before_other_nodes() {
        let lists = build(&[4; 4], 21, 2);
        assert_eq!(lists[1][..2], [1, 0]);
        assert_eq!(lists[2][..2], [2, 3]);
        assert!(lists.iter().all(|list| list.len() == 4));
    }

    #[test]
    fn a_node_without_cpus_is_preferred_among_equals() {
        assert_eq!(build(&[4, 4, 0], 21, 1)[0], [0, 2, 1]);
    }
}
