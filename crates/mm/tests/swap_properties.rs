//! Whatever is asked of swap, in whatever order, and with allocations under way at the same time:
//! no slot is given twice, none is lost, and each allocator keeps its promises.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{AllocatorId, AssignmentId, InTierId};
use proptest::prelude::*;
use reclaimscope_mm::swap::{
    Allocation, DeviceConfig, Refused, Request, Slot, State, Swap, SwapConfig, SwapLock, Tier,
    TierConfig,
};

const CPUS: u32 = 3;

#[derive(Clone, Debug)]
enum Op {
    Alloc {
        cpu: u32,
        order: u32,
        tiers: u32,
        cgroup: u32,
    },
    /// Frees the n-th of the slots that are held.
    Free {
        nth: usize,
        cpu: u32,
    },
    Cache {
        nth: usize,
    },
    Discard {
        d: u8,
    },
    Reclaim {
        d: u8,
    },
    Off {
        d: u8,
    },
    On(DeviceConfig),
}

fn device() -> impl Strategy<Value = DeviceConfig> {
    let priority = prop_oneof![Just(None), (0..4_i16).prop_map(Some)];
    (20..2_600_u32, priority, any::<[bool; 3]>(), prop::option::of(0..2_u8)).prop_map(
        |(slots, priority, f, node)| {
            let [rotational, discard, block] = f;
            DeviceConfig { priority, rotational, discard, block, node, ..DeviceConfig::new(slots) }
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    let order = prop_oneof![6 => Just(0_u32), 1 => 1..5_u32, 1 => Just(9_u32)];
    let tiers = prop_oneof![3 => Just(u32::MAX), 1 => 0..8_u32];
    prop_oneof![
        30 => (0..CPUS, order, tiers, 0..5_u32)
            .prop_map(|(cpu, order, tiers, cgroup)| Op::Alloc { cpu, order, tiers, cgroup }),
        20 => (any::<usize>(), 0..CPUS).prop_map(|(nth, cpu)| Op::Free { nth, cpu }),
        4 => any::<usize>().prop_map(|nth| Op::Cache { nth }),
        1 => (0..5_u8).prop_map(|d| Op::Discard { d }),
        1 => (0..5_u8).prop_map(|d| Op::Reclaim { d }),
        1 => (0..5_u8).prop_map(|d| Op::Off { d }),
        1 => device().prop_map(Op::On),
    ]
}

fn allocator() -> impl Strategy<Value = AllocatorId> {
    prop::sample::select(AllocatorId::ALL)
}

fn tiers() -> impl Strategy<Value = TierConfig> {
    let policy = prop::sample::select(InTierId::ALL);
    let assignment = prop_oneof![
        Just(AssignmentId::None),
        Just(AssignmentId::RunTime),
        Just(AssignmentId::RunTimeReview),
        Just(AssignmentId::EqualPriority),
        Just(AssignmentId::Buckets),
    ];
    (policy.clone(), policy, assignment, 1..4_i32).prop_map(|(policy, low, assignment, start)| {
        let tiers = vec![Tier { start, policy }, Tier { start: -1, policy: low }];
        TierConfig { assignment, tiers, buckets: 3, policy }
    })
}

/// What is held: the first slot of a run, and its length.
#[derive(Default)]
struct Held {
    runs: BTreeMap<Slot, u32>,
    taken: BTreeSet<Slot>,
}

impl Held {
    fn add(&mut self, slot: Slot, pages: u32) {
        for i in 0..pages {
            let fresh = self.taken.insert(Slot::new(slot.device(), slot.offset() + i));
            assert!(fresh && slot.offset() > 0, "a slot is given once, the header never: {slot:?}");
        }
        self.runs.insert(slot, pages);
    }

    fn remove(&mut self, slot: Slot) -> u32 {
        let pages = self.runs.remove(&slot).expect("it is held");
        for i in 0..pages {
            self.taken.remove(&Slot::new(slot.device(), slot.offset() + i));
        }
        pages
    }

    fn nth(&self, n: usize) -> Option<Slot> {
        self.runs.keys().nth(n % self.runs.len().max(1)).copied()
    }

    /// Pages whose clean swap cache was dropped have no slot any more.
    fn dropped(&mut self, swap: &mut Swap) {
        for slot in swap.take_dropped() {
            assert_eq!(self.remove(slot), 1, "only single pages are read back");
        }
    }
}

/// The groups that may be used, down to the first that has room in clusters that wait for no
/// discard; all of them when none has.
fn asked(swap: &Swap, tiers: u32, config: &TierConfig) -> Vec<Vec<u8>> {
    let room = |&d: &u8| {
        let device = swap.device(d).expect("it is on");
        device.used() + 512 * device.clusters(State::Discard, 0) < device.pages()
    };
    let mut groups = allowed(swap, tiers, config);
    if let Some(first) = groups.iter().position(|group| group.iter().any(room)) {
        groups.truncate(first + 1);
    }
    groups
}

/// The groups that may be used, the first one asked first.
fn allowed(swap: &Swap, tiers: u32, config: &TierConfig) -> Vec<Vec<u8>> {
    let masks = config.assignment != AssignmentId::None;
    let allowed = |&(i, group): &(usize, &[u8])| {
        let priority = swap.device(group[0]).expect("it is on").priority();
        let tier = match config.assignment {
            AssignmentId::EqualPriority => i as u32,
            _ => u32::from(config.tier_of(priority).unwrap_or(0)),
        };
        !masks || tiers >> tier & 1 == 1
    };
    swap.groups().enumerate().filter(allowed).map(|(_, group)| group.to_vec()).collect()
}

/// Whether a device that may be used has room.
fn has_room(swap: &Swap, tiers: u32, config: &TierConfig) -> bool {
    let available = |d: &u8| swap.device(*d).is_some_and(|d| d.is_available());
    allowed(swap, tiers, config).iter().flatten().any(available)
}

fn apply(swap: &mut Swap, held: &mut Held, op: &Op, config: &TierConfig, allocator: AllocatorId) {
    let mut passages = Vec::new();
    match *op {
        Op::Alloc { cpu, order, tiers, cgroup } => {
            let node = (cpu % 2) as u8;
            let request = Request { cpu, order, tiers, cgroup, node };
            let room = has_room(swap, tiers, config);
            let asked = asked(swap, tiers, config);
            let result = swap.alloc(request, &mut passages);
            held.dropped(swap);
            match result {
                Ok(slot) => held.add(slot, 1 << order),
                Err(Refused::Full) => {
                    // A slot of clean swap cache may have been freed on the way.
                    assert!(!room || !passages.is_empty() && order == 0, "{request:?}");
                }
                Err(Refused::TooLarge) => assert!(order > 0),
            }
            if allocator == AllocatorId::Ring {
                if let Ok(slot) = result {
                    let strict = asked.iter().flatten().any(|&d| d == slot.device());
                    assert!(strict, "{request:?} got {slot:?} with room in {asked:?}");
                }
                let shared = |l: &SwapLock| matches!(l, SwapLock::Avail);
                assert!(passages.iter().all(|p| !shared(&p.lock)), "nothing global is taken");
            }
        }
        Op::Free { nth, cpu } => {
            let Some(slot) = held.nth(nth) else { return };
            let pages = held.remove(slot);
            let lock = swap.free_lock(slot, pages, cpu);
            swap.free(slot, pages, cpu, &mut passages);
            assert_eq!(passages[0].lock, lock);
        }
        Op::Cache { nth } => {
            if let Some(slot) = held.nth(nth).filter(|slot| held.runs[slot] == 1) {
                swap.set_cache_only(slot, !swap.is_cache_only(slot));
            }
        }
        Op::Discard { d } => {
            if swap.device(d).is_some() {
                swap.discard(d, 1);
            }
        }
        Op::Reclaim { d } => {
            if swap.on().contains(&d) {
                swap.reclaim_full(d, &mut passages);
                held.dropped(swap);
            }
        }
        Op::Off { d } => {
            if swap.swapoff(d).is_ok() {
                let own: Vec<Slot> =
                    held.runs.keys().filter(|slot| slot.device() == d).copied().collect();
                for slot in own {
                    let pages = held.remove(slot);
                    swap.free(slot, pages, 0, &mut passages);
                }
            }
        }
        Op::On(config) => {
            let _ = swap.swapon(config);
        }
    }
}

fn build(allocator: AllocatorId, tiers: &TierConfig, devices: &[DeviceConfig]) -> Swap {
    let mut config = SwapConfig::new(allocator, CPUS);
    config.tiers = tiers.clone();
    config.nodes = 2;
    config.priorities_descend = allocator == AllocatorId::SlotCache;
    let mut swap = Swap::new(config).expect("tiers that fit");
    for &device in devices {
        swap.swapon(device).expect("room for a device");
    }
    swap
}

fn cases() -> ProptestConfig {
    let soak = std::env::var_os("RECLAIMSCOPE_SOAK").is_some();
    ProptestConfig { cases: if soak { 2_000 } else { 60 }, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn slots_are_neither_lost_nor_given_twice(
        allocator in allocator(),
        tiers in tiers(),
        devices in prop::collection::vec(device(), 1..5),
        ops in prop::collection::vec((op(), 1..400_usize), 1..120),
    ) {
        let mut swap = build(allocator, &tiers, &devices);
        let mut held = Held::default();
        for (op, times) in &ops {
            // Rows of the same: devices are to run full.
            let times = if matches!(op, Op::Alloc { .. } | Op::Free { .. }) { *times } else { 1 };
            for _ in 0..times {
                apply(&mut swap, &mut held, op, &tiers, allocator);
            }
            prop_assert_eq!(swap.check(), Ok(()));
            let used: u32 = (0..16).filter_map(|d| swap.device(d)).map(|d| d.used()).sum();
            let cached = if allocator == AllocatorId::SlotCache { 64 * 2 * CPUS } else { 0 };
            let taken = held.taken.len() as u32;
            prop_assert!((taken..=taken + cached).contains(&used), "{} of {}", used, taken);
        }
        // A clone is a checkpoint: it goes on the same way.
        let mut other = swap.clone();
        for cpu in 0..CPUS {
            let (a, b) = (&mut Vec::new(), &mut Vec::new());
            let request = Request::page(cpu);
            prop_assert_eq!(swap.alloc(request, a), other.alloc(request, b));
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn allocations_under_way_at_the_same_time_do_not_disturb_each_other(
        allocator in allocator(),
        devices in prop::collection::vec(device(), 1..4),
        turns in prop::collection::vec((0..6_usize, any::<bool>()), 100..1_500),
    ) {
        let mut swap = build(allocator, &TierConfig::default(), &devices);
        let mut held = Held::default();
        // Six tasks, two a CPU, each with the lock that it holds.
        let mut tasks: Vec<Option<(Allocation, u32)>> = vec![None; 6];
        let mut locks: [Option<SwapLock>; 6] = [None; 6];
        for (n, &(task, large)) in turns.iter().enumerate() {
            locks[task] = None;
            let order = if large && n % 7 == 0 { 3 } else { 0 };
            let request = Request { order, ..Request::page(task as u32 / 2) };
            let (mut allocation, order) =
                tasks[task].take().unwrap_or_else(|| (Allocation::new(&mut swap, request), order));
            match allocation.next(&swap) {
                Some(lock) if locks.contains(&Some(lock)) => {}
                Some(lock) => {
                    let passage = allocation.pass(&mut swap, |l| locks.contains(&Some(l)));
                    prop_assert_eq!(passage.lock, lock);
                    locks[task] = Some(lock);
                }
                None => {}
            }
            match allocation.result() {
                Some(Ok(slot)) => held.add(slot, 1 << order),
                Some(Err(_)) => {}
                None => tasks[task] = Some((allocation, order)),
            }
            prop_assert_eq!(swap.check(), Ok(()));
            if n % 5 == 0 && let Some(slot) = held.nth(n / 5 * 31) {
                let pages = held.remove(slot);
                swap.free(slot, pages, task as u32 / 2, &mut Vec::new());
                prop_assert_eq!(swap.check(), Ok(()));
            }
        }
    }
}
