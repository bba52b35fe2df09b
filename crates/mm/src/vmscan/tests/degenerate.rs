//! Degenerate cases are equalities.

use super::{config, readers};
use crate::config::{Config, NodeConfig, Placement, Start, ZoneConfig};
use crate::machine::Machine;
use crate::observe::NoObserver;
use crate::sim::advance;
use crate::vmstat::Vmstat;
use catalog::{FLAVOURS, FlavourId, POLICIES, PolicyId, ZoneKind};
use units::{SimDuration, SimTime};

fn run(config: Config, millis: u64) -> Machine {
    let mut m = Machine::new(config);
    let until = SimTime::ZERO + SimDuration::from_millis(millis);
    advance(&mut m, &mut NoObserver, until, u64::MAX);
    crate::invariant::check(&m).expect("nothing is lost");
    m
}

/// Every kernel, classic and MGLRU.
fn kernels() -> impl Iterator<Item = (FlavourId, bool)> {
    let flavours = [FlavourId::V4_16, FlavourId::V6_12, FlavourId::V7_2, FlavourId::V7_3];
    flavours.into_iter().flat_map(|flavour| [(flavour, false), (flavour, true)])
}

#[test]
fn one_worker_is_single_under_every_policy() {
    for (flavour, lru_gen) in kernels() {
        let with = |policy, policy_literal| {
            let flavour = FLAVOURS[flavour as usize];
            let config = Config {
                policy,
                policy_literal,
                flavour,
                lru_gen,
                groups: readers(5, SimDuration::ZERO),
                ..config(1)
            };
            let m = run(config, 100);
            assert!(m.vmstat.pageoutrun > 2, "kswapd never ran");
            m.core.digest.value()
        };
        let single = with(PolicyId::Single, false);
        for policy in POLICIES {
            for literal in [false, true] {
                assert_eq!(with(policy.id, literal), single, "{:?} {flavour:?}", policy.id);
            }
        }
    }
}

#[test]
fn one_partition_is_none() {
    for (flavour, lru_gen) in kernels() {
        let with = |placement, steal| {
            let flavour = FLAVOURS[flavour as usize];
            let config = Config {
                placement,
                steal,
                flavour,
                lru_gen,
                groups: readers(5, SimDuration::ZERO),
                ..config(2)
            };
            run(config, 100).core.digest.value()
        };
        let base = with(Placement::Cpu, true);
        for placement in [Placement::Cpu, Placement::Batch, Placement::Page] {
            assert_eq!([with(placement, true), with(placement, false)], [base; 2], "{placement:?}");
        }
    }
}

/// Two equal nodes; the readers live on these and take memory there only.
fn mirrored(homes: [u32; 4], flavour: FlavourId, lru_gen: bool) -> Machine {
    let zones = vec![ZoneConfig { kind: ZoneKind::Normal, managed: 16_384, used: 0 }];
    let mut groups = readers(4, SimDuration::ZERO);
    groups[0].nodes = homes.to_vec();
    groups[0].bound = true;
    let config = Config {
        nodes: vec![NodeConfig { cpus: 4, zones: zones.clone() }, NodeConfig { cpus: 4, zones }],
        groups,
        flavour: FLAVOURS[flavour as usize],
        lru_gen,
        // Fragmentation events of both nodes come from one stream.
        watermark_boost_factor: 0,
        ..config(2)
    };
    run(config, 100)
}

#[test]
fn equal_nodes_mirrored_are_symmetric() {
    for (flavour, lru_gen) in kernels() {
        let (one, other) =
            (mirrored([0, 1, 1, 0], flavour, lru_gen), mirrored([1, 0, 0, 1], flavour, lru_gen));
        assert_eq!(one.vmstat, other.vmstat, "{flavour:?} {lru_gen}");
        assert!(one.vmstat.pgsteal_direct + one.vmstat.pgsteal_kswapd > 1_000);
        for node in 0..2 {
            let (a, b) = (&one.nodes[node], &other.nodes[1 - node]);
            assert_eq!((a.free, a.entered), (b.free, b.entered), "{flavour:?} {lru_gen}");
            assert_eq!(a.wakeup, b.wakeup, "{flavour:?} {lru_gen}");
            for worker in 0..2 {
                let spent =
                    |m: &Machine, node: usize| m.tasks[2 * node + worker].spent_until(m.now());
                assert_eq!(spent(&one, node), spent(&other, 1 - node));
            }
        }
    }
}

#[test]
fn memory_that_is_never_short_is_never_reclaimed() {
    for (flavour, lru_gen) in kernels() {
        let with = |kswapds, policy, multi_fixed| {
            let config = Config {
                policy,
                multi_fixed,
                flavour: FLAVOURS[flavour as usize],
                lru_gen,
                // Some 100 windows of 32 pages in a zone of 32,768.
                groups: readers(2, SimDuration::from_millis(2)),
                start: Start::Empty,
                ..config(kswapds)
            };
            let m = run(config, 100);
            assert!(m.pages_read > 3_000, "{}", m.pages_read);
            let quiet = Vmstat {
                pgalloc_normal: m.vmstat.pgalloc_normal,
                numa_hit: m.vmstat.numa_hit,
                ..Vmstat::default()
            };
            assert_eq!(m.vmstat, quiet, "{flavour:?} {lru_gen}");
            assert_eq!(m.nodes[0].wakeup.decisions, 0);
            (m.pages_read, m.vmstat)
        };
        let base = with(1, PolicyId::Single, false);
        for policy in POLICIES {
            assert_eq!(with(8, policy.id, true), base, "{:?}", policy.id);
        }
    }
}
