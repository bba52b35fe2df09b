//! The allocators on the same load, page by page: what each passes, what rotates, how devices are
//! balanced, and what priorities and tiers are worth.

use catalog::{AllocatorId, AssignmentId, InTierId, Ledger};
use engine::Stream;
use reclaimscope_mm::swap::{
    Age, DeviceConfig, Passage, Refused, Request, Slot, State, Swap, SwapConfig, SwapLock, Tier,
    TierConfig, TierError,
};
use units::SimDuration;

const A: AllocatorId = AllocatorId::GlobalPlist;
const B: AllocatorId = AllocatorId::DevicePlist;
const C: AllocatorId = AllocatorId::Ring;

/// Devices of so many whole clusters each.
fn swap(allocator: AllocatorId, cpus: u32, priorities: &[i16], clusters: u32) -> Swap {
    with_tiers(allocator, cpus, priorities, clusters, TierConfig::default())
}

fn with_tiers(
    allocator: AllocatorId,
    cpus: u32,
    priorities: &[i16],
    clusters: u32,
    tiers: TierConfig,
) -> Swap {
    let mut config = SwapConfig::new(allocator, cpus);
    config.tiers = tiers;
    let mut swap = Swap::new(config).expect("tiers that fit");
    for &priority in priorities {
        let device = DeviceConfig::new(clusters * 512);
        swap.swapon(DeviceConfig { priority: Some(priority), ..device }).expect("a device");
    }
    swap
}

fn used(swap: &Swap) -> Vec<u32> {
    swap.on().iter().map(|&d| swap.device(d).expect("on").used()).collect()
}

/// Pages by CPUs in turn; all passages.
fn pages(swap: &mut Swap, cpus: u32, count: u32) -> Vec<Passage> {
    let mut passages = Vec::new();
    for n in 0..count {
        swap.alloc(Request::page(n % cpus), &mut passages).expect("room");
    }
    assert_eq!(swap.check(), Ok(()));
    passages
}

/// How often a lock is passed.
fn times(passages: &[Passage], lock: fn(SwapLock) -> bool) -> u32 {
    passages.iter().filter(|p| lock(p.lock)).map(|p| p.times).sum()
}

fn avail(passages: &[Passage]) -> u32 {
    times(passages, |lock| lock == SwapLock::Avail)
}

#[test]
fn a_page_of_a_fresh_area_passes_the_global_lock_once_a_cluster_once_or_never() {
    let (cpus, count) = (4, 512 * 80);
    let run = |allocator| {
        let mut swap = swap(allocator, cpus, &[10; 8], 64);
        let passages = pages(&mut swap, cpus, count);
        let stats = *swap.stats();
        (passages, stats, used(&swap))
    };
    let (passages, stats, a) = run(A);
    // The header takes a slot of each device's first cluster.
    assert!((80..=84).contains(&avail(&passages)), "{}", avail(&passages));
    assert_eq!((stats.rotations, stats.choices), (stats.choices, u64::from(avail(&passages))));
    assert_eq!(stats.switches, stats.choices);
    let (passages, stats, b) = run(B);
    assert_eq!((avail(&passages), stats.rotations), (count, count.into()));
    let (passages, stats, c) = run(C);
    assert_eq!((avail(&passages), stats.rotations), (0, 0));
    assert_eq!(times(&passages, |lock| lock == SwapLock::QueueRead), count);
    // Balance: a cluster a CPU, a page, a quota a CPU.
    let spread = |used: &[u32]| used.iter().max().expect("some") - used.iter().min().expect("some");
    assert!(spread(&a) <= 512 * cpus && spread(&b) <= 1 && spread(&c) <= 512 * cpus);
    assert!(spread(&a) > 0 && spread(&c) > 0, "{a:?} {c:?}");
}

#[test]
fn on_a_fragmented_area_a_passes_the_lock_once_for_the_slots_that_a_cluster_has_free() {
    // Every cluster has so many free slots.
    for holes in [1_u32, 2, 4, 8, 32] {
        let run = |allocator| {
            let mut swap = swap(allocator, 4, &[10; 8], 64);
            for d in 0..8 {
                let age = Age { clusters: 64, holes, spread: false };
                swap.age(d, age, &mut Stream::new(7, "age", u64::from(d)));
            }
            assert_eq!(swap.check(), Ok(()));
            swap.reset_stats();
            let passages = pages(&mut swap, 4, 8 * 64 * holes / 2);
            (avail(&passages), swap)
        };
        let count = 8 * 64 * holes / 2;
        let (passed, swap) = run(A);
        let expected = count / holes;
        assert!((expected..=expected + 4).contains(&passed), "{holes}: {passed} of {expected}");
        assert_eq!(u64::from(passed), swap.stats().choices);
        assert_eq!(run(B).0, count, "{holes}");
        assert_eq!(run(C).0, 0, "{holes}");
        let device = swap.device(0).expect("on");
        assert_eq!(device.clusters(State::Free, 0), 0, "no fresh cluster was left to open");
    }
}

#[test]
fn partly_used_clusters_come_before_fresh_ones_unless_the_device_wants_discards() {
    let run = |discard: bool| {
        let mut swap = Swap::new(SwapConfig::new(A, 1)).expect("no tiers");
        swap.swapon(DeviceConfig { discard, ..DeviceConfig::new(512 * 20) }).expect("a device");
        swap.age(0, Age { clusters: 10, holes: 8, spread: false }, &mut Stream::new(7, "age", 0));
        swap.reset_stats();
        let count = 80;
        pages(&mut swap, 1, count);
        u64::from(count) / swap.stats().switches
    };
    assert_eq!(run(false), 8);
    assert_eq!(run(true), 80, "a fresh cluster is taken first");
}

#[test]
fn a_cached_cluster_of_a_lower_device_is_a_priority_inversion_of_at_most_a_cluster_a_cpu() {
    let cpus = 4;
    let run = |allocator| {
        let mut swap = swap(allocator, cpus, &[20, 10], 8);
        let high = swap.device(0).expect("on").pages();
        // All of the high device, and a little of the low one on every CPU.
        pages(&mut swap, cpus, high + 40 * cpus);
        assert_eq!(swap.stats().inversions, 0);
        assert_eq!(used(&swap), [high, 40 * cpus]);
        // The high one has room again.
        for offset in 1..=3_000 {
            swap.free(Slot::new(0, offset), 1, 0, &mut Vec::new());
        }
        pages(&mut swap, cpus, 2_500);
        (swap.stats().inversions, used(&swap))
    };
    let (inversions, _) = run(A);
    assert!(inversions > 0 && inversions <= 512 * u64::from(cpus), "{inversions}");
    // One CPU has the cluster of the header.
    let rest = u64::from(cpus) * 472 - 1;
    assert_eq!(inversions, rest, "each CPU ends its cluster of the low device");
    for allocator in [B, C] {
        let (inversions, used) = run(allocator);
        assert_eq!((inversions, used[1]), (0, 40 * cpus), "{allocator:?}");
    }
}

#[test]
fn a_full_device_leaves_and_comes_back_behind_its_peers() {
    for allocator in [AllocatorId::SlotCache, A, B, C] {
        let mut swap = swap(allocator, 1, &[5, 5, 5], 2);
        pages(&mut swap, 1, 3 * 1_023);
        assert_eq!((swap.available(0), swap.free_slots()), (&[][..], 0), "{allocator:?}");
        assert_eq!(swap.alloc(Request::page(0), &mut Vec::new()), Err(Refused::Full));
        // The second, then the first; the slot caches are off with so little left.
        for d in [1, 0] {
            let mut passages = Vec::new();
            swap.free(Slot::new(d, 700), 1, 0, &mut passages);
            let ring = allocator == C;
            let edge = if ring { SwapLock::QueueUpdate } else { SwapLock::Avail };
            assert_eq!(passages.last().map(|p| p.lock), Some(edge), "{allocator:?}");
        }
        assert_eq!(swap.available(0), [1, 0], "{allocator:?}");
        // Slot caches that are emptied make a device full and not full once more.
        let edges = if allocator == AllocatorId::SlotCache { 7 } else { 5 };
        assert_eq!(swap.stats().edges, edges, "{allocator:?}");
        let slot = swap.alloc(Request::page(0), &mut Vec::new()).expect("room");
        let (first, offset) = (slot.device(), slot.offset());
        assert_eq!((first, offset), (if allocator == C { 0 } else { 1 }, 700), "{allocator:?}");
        assert_eq!(swap.check(), Ok(()));
    }
}

#[test]
fn a_device_that_turns_is_left_after_every_page() {
    for allocator in [A, B] {
        let mut swap = Swap::new(SwapConfig::new(allocator, 2)).expect("no tiers");
        for _ in 0..3 {
            let device = DeviceConfig { rotational: true, ..DeviceConfig::new(5_120) };
            swap.swapon(device).expect("a device");
        }
        let passages = pages(&mut swap, 2, 300);
        assert_eq!(used(&swap), [100; 3]);
        assert_eq!(avail(&passages), 300);
        assert_eq!(times(&passages, |lock| matches!(lock, SwapLock::Global(_))), 300);
        // All CPUs share a device's cluster.
        let device = swap.device(0).expect("on");
        assert_eq!(device.clusters(State::Frag, 0), 1);
    }
}

#[test]
fn a_large_folio_is_split_rather_than_given_a_lower_device() {
    for allocator in [A, B, C] {
        let mut swap = swap(allocator, 1, &[10, 10, 1], 2);
        let large = Request { order: 9, ..Request::page(0) };
        let mut passages = Vec::new();
        // Each has one whole cluster: the header is in the other.
        let mut alloc = |swap: &mut Swap| swap.alloc(large, &mut passages).map(|s| s.device());
        assert_eq!((alloc(&mut swap), alloc(&mut swap)), (Ok(0), Ok(1)), "{allocator:?}");
        assert_eq!(alloc(&mut swap), Err(Refused::TooLarge), "{allocator:?}");
        assert_eq!(used(&swap), [512, 512, 0], "{allocator:?}");
        // Its pages go where there is room above, then below.
        pages(&mut swap, 1, 2 * 511);
        assert_eq!(used(&swap), [1_023, 1_023, 0], "{allocator:?}");
        assert_eq!(alloc(&mut swap), Ok(2), "{allocator:?}");
    }
}

#[test]
fn slots_of_clean_swap_cache_are_taken_when_more_than_half_is_used() {
    let mut swap = swap(A, 1, &[1], 4);
    let slots: Vec<_> =
        (0..2_040).map(|_| swap.alloc(Request::page(0), &mut Vec::new()).expect("room")).collect();
    assert!(swap.is_full());
    for &slot in &slots[600..700] {
        swap.set_cache_only(slot, true);
    }
    swap.free(slots[701], 1, 0, &mut Vec::new());
    // Seven slots are free in the cluster that the CPU is in; then the next one with a freed slot
    // is searched, and its cached slots serve.
    for _ in 0..108 {
        swap.alloc(Request::page(0), &mut Vec::new()).expect("room");
    }
    assert_eq!(swap.alloc(Request::page(0), &mut Vec::new()), Err(Refused::Full));
    let mut dropped = swap.take_dropped();
    dropped.sort_unstable();
    assert_eq!(dropped, &slots[600..700]);
    assert_eq!(swap.check(), Ok(()));
    // A device that is full is not asked: its worker frees them.
    swap.set_cache_only(slots[3], true);
    assert_eq!(swap.alloc(Request::page(0), &mut Vec::new()), Err(Refused::Full));
    let mut passages = Vec::new();
    assert_eq!(swap.reclaim_full(0, &mut passages), 1);
    assert_eq!(swap.alloc(Request::page(0), &mut Vec::new()), Ok(slots[3]));
}

#[test]
fn freed_clusters_wait_for_their_discard_and_are_the_last_resort() {
    for (allocator, told) in [(A, 2), (B, 2), (C, 1)] {
        let mut swap = Swap::new(SwapConfig::new(allocator, 1)).expect("no tiers");
        let device = DeviceConfig { discard: true, ..DeviceConfig::new(512 * 3) };
        swap.swapon(device).expect("a device");
        pages(&mut swap, 1, 512 * 3 - 1);
        for c in 1..3 {
            swap.free(Slot::new(0, c * 512), 512, 0, &mut Vec::new());
        }
        let discards = |swap: &Swap| swap.device(0).expect("on").clusters(State::Discard, 0);
        assert_eq!(discards(&swap), 2);
        let mut passages = Vec::new();
        let slot = swap.alloc(Request::page(0), &mut passages).expect("room");
        assert_eq!((slot.offset(), discards(&swap)), (512, 2 - told), "{allocator:?}");
        assert_eq!(passages.iter().map(|p| p.discarded).sum::<u32>(), told);
        assert_eq!(swap.check(), Ok(()));
    }
}

#[test]
fn up_to_6_14_slots_are_taken_64_at_once_and_cached_ones_count_as_used() {
    let mut swap = swap(AllocatorId::SlotCache, 2, &[1, 1], 8);
    let mut passages = Vec::new();
    let slot = swap.alloc(Request::page(0), &mut passages).expect("room");
    assert_eq!(used(&swap), [64, 0]);
    let locks: Vec<SwapLock> = passages.iter().map(|p| p.lock).collect();
    assert_eq!(locks, [SwapLock::SlotCache(0), SwapLock::Avail, SwapLock::Device(0)]);
    swap.alloc(Request::page(1), &mut Vec::new()).expect("room");
    assert_eq!(used(&swap), [64, 64]);
    let more = pages(&mut swap, 1, 63);
    assert_eq!((used(&swap), avail(&more)), (vec![64, 64], 0));
    // A freed slot waits for 64 more.
    swap.free(slot, 1, 1, &mut Vec::new());
    assert_eq!(used(&swap), [64, 64]);
    // With fewer free slots than 128 a CPU all caches are emptied.
    let free = swap.free_slots() as u32;
    pages(&mut swap, 2, free - 64);
    assert!(used(&swap).iter().sum::<u32>() > 8_000);
    let mut rest = 0;
    while swap.alloc(Request::page(0), &mut Vec::new()).is_ok() {
        rest += 1;
    }
    assert_eq!(swap.free_slots(), 0);
    assert!(rest > 0);
    assert_eq!(swap.check(), Ok(()));
}

fn ranges(assignment: AssignmentId, starts: &[(i32, InTierId)]) -> TierConfig {
    let tiers = starts.iter().map(|&(start, policy)| Tier { start, policy }).collect();
    TierConfig { assignment, tiers, ..TierConfig::default() }
}

#[test]
fn devices_of_a_tier_are_peers_where_the_review_wants_it_and_not_in_v10() {
    let starts = [(10, InTierId::Ring), (-1, InTierId::Ring)];
    let run = |assignment| {
        let mut swap = with_tiers(C, 2, &[30, 20, 5, 1], 16, ranges(assignment, &starts));
        pages(&mut swap, 2, 4_096);
        used(&swap)
    };
    assert_eq!(run(AssignmentId::RunTime), [4_096, 0, 0, 0]);
    for joined in [AssignmentId::RunTimeReview, AssignmentId::Boot] {
        assert_eq!(run(joined), [2_048, 2_048, 0, 0], "{joined:?}");
    }
    assert_eq!(run(AssignmentId::EqualPriority), [4_096, 0, 0, 0]);
    // Equal parts of all priorities: everything usual is one tier.
    let buckets = TierConfig { buckets: 4, ..ranges(AssignmentId::Buckets, &[]) };
    let mut swap = with_tiers(C, 4, &[30, 20, 5, 1], 16, buckets);
    pages(&mut swap, 4, 4_096);
    assert_eq!(used(&swap), [1_024; 4]);
    // Strict order across tiers, peers or not.
    let mut swap =
        with_tiers(C, 2, &[30, 20, 5, 1], 4, ranges(AssignmentId::RunTimeReview, &starts));
    pages(&mut swap, 2, 2 * 2_047 + 100);
    let all = used(&swap);
    assert_eq!((all[0], all[1], all[2] + all[3]), (2_047, 2_047, 100));
    assert_eq!(swap.stats().inversions, 0);
}

#[test]
fn tiers_that_change_at_run_time_regroup_devices_and_keep_every_slot() {
    let tier = |start| Tier { start, policy: InTierId::Ring };
    let mut swap = with_tiers(C, 2, &[30, 20, 5], 16, ranges(AssignmentId::RunTimeReview, &[]));
    pages(&mut swap, 2, 1_000);
    let before = used(&swap);
    assert_eq!(before, [1_000, 0, 0]);
    assert_eq!(swap.set_tiers(vec![tier(10), tier(-1)]), Ok(()));
    assert_eq!((used(&swap), swap.check()), (before, Ok(())));
    assert_eq!(swap.groups().map(<[u8]>::to_vec).collect::<Vec<_>>(), [vec![0, 1], vec![2]]);
    pages(&mut swap, 2, 1_000);
    assert_eq!(used(&swap), [1_500, 500, 0]);
    assert_eq!(swap.set_tiers(vec![tier(10)]), Err(TierError::Invalid));

    // v10: tiers may be added where no active device moves.
    let mut swap =
        with_tiers(C, 2, &[30, 20, 5], 16, ranges(AssignmentId::RunTime, &[(-1, InTierId::Ring)]));
    let busy = swap.set_tiers(vec![tier(10), tier(-1)]);
    assert_eq!(busy.map_err(TierError::errno), Err("EBUSY"));
    assert_eq!(swap.set_tiers(vec![tier(100), tier(-1)]), Ok(()));
    let boot = ranges(AssignmentId::Boot, &[(-1, InTierId::Ring)]);
    let mut swap = with_tiers(C, 2, &[30], 16, boot);
    assert_eq!(swap.set_tiers(Vec::new()), Err(TierError::Fixed));
}

#[test]
fn a_mask_by_cgroup_costs_a_its_cached_cluster_and_c_nothing() {
    let starts = [(10, InTierId::Ring), (-1, InTierId::Ring)];
    // Two cgroups on one CPU in turn, with these masks.
    let run = |allocator, masks: [u32; 2]| {
        let tiers = ranges(AssignmentId::RunTime, &starts);
        let mut swap = with_tiers(allocator, 1, &[20, 5], 16, tiers);
        let mut passages = Vec::new();
        for n in 0..1_000 {
            let tiers = masks[n % 2];
            let slot = swap.alloc(Request { tiers, ..Request::page(0) }, &mut passages);
            assert!(tiers >> slot.expect("room").device() & 1 == 1);
        }
        let none = Request { tiers: 0, ..Request::page(0) };
        assert_eq!(swap.alloc(none, &mut Vec::new()), Err(Refused::Full));
        (avail(&passages), *swap.stats())
    };
    // One may use the fast tier only, one the slow one only: each replaces what the other cached.
    let (passed, stats) = run(A, [0b01, 0b10]);
    assert_eq!((passed, stats.inversions), (1_000, 0));
    // One may use both, and is left with the slow device that the other one cached.
    let (passed, stats) = run(A, [0b11, 0b10]);
    assert!(passed < 10 && stats.inversions > 450, "{passed} {stats:?}");
    for masks in [[0b01, 0b10], [0b11, 0b10]] {
        let (passed, stats) = run(C, masks);
        assert_eq!((passed, stats.inversions, stats.switches), (0, 0, 2));
    }
}

#[test]
fn each_policy_of_a_tier_shares_in_its_own_way() {
    let run = |policy, priorities: &[i16], request: fn(u32) -> Request| {
        let tiers = ranges(AssignmentId::RunTimeReview, &[(-1, policy)]);
        let mut swap = with_tiers(C, 2, priorities, 40, tiers);
        for n in 0..8_192 {
            swap.alloc(request(n), &mut Vec::new()).expect("room");
            if n % 1_000 == 0 {
                assert_eq!(swap.check(), Ok(()));
            }
        }
        used(&swap)
    };
    let page: fn(u32) -> Request = |n| Request::page(n % 2);
    let one: fn(u32) -> Request = |_| Request::page(0);
    assert_eq!(run(InTierId::Ring, &[1, 9, 4, 2], page), [2_048; 4]);
    assert_eq!(run(InTierId::RoundRobin, &[1, 9, 4, 2], one), [2_048; 4]);
    // Weights 1, 3: priorities above the lowest, and one.
    let shares = run(InTierId::Proportional, &[5, 7], one);
    assert_eq!(shares, [2_048, 6_144]);
    let by_cgroup: fn(u32) -> Request = |n| Request { cgroup: n % 8 / 3, ..Request::page(0) };
    assert_eq!(run(InTierId::Cgroup, &[1, 1, 1], by_cgroup), [3_072, 3_072, 2_048]);
}

#[test]
fn least_used_evens_out_and_local_devices_come_first() {
    let tiers = |policy| ranges(AssignmentId::RunTimeReview, &[(-1, policy)]);
    let mut config = SwapConfig::new(C, 1);
    config.tiers = tiers(InTierId::LeastUsed);
    let mut swap = Swap::new(config.clone()).expect("tiers");
    for clusters in [8, 16] {
        swap.swapon(DeviceConfig::new(clusters * 512)).expect("a device");
    }
    swap.age(0, Age { clusters: 2, holes: 0, spread: false }, &mut Stream::new(1, "age", 0));
    let aged = used(&swap)[0];
    pages(&mut swap, 1, 3_000);
    // The same part of each, whatever was used before.
    let all = used(&swap);
    let even = (all[0] + all[1]) / 3;
    assert!(all[0] >= aged && all[0].abs_diff(even) <= 2, "{all:?}");

    config.tiers = tiers(InTierId::NumaLocal);
    let mut swap = Swap::new(config).expect("tiers");
    for node in [0, 1, 1].map(Some) {
        swap.swapon(DeviceConfig { node, ..DeviceConfig::new(4 * 512) }).expect("a device");
    }
    let remote = Request { node: 1, ..Request::page(0) };
    for _ in 0..2_048 {
        swap.alloc(remote, &mut Vec::new()).expect("room");
    }
    assert_eq!(used(&swap), [0, 1_024, 1_024]);
    for _ in 0..2_100 {
        swap.alloc(remote, &mut Vec::new()).expect("room");
    }
    assert_eq!(used(&swap), [2_048 + 2_100 - 2 * 2_047, 2_047, 2_047]);
}

#[test]
fn large_folios_do_not_break_shares_or_quotas() {
    let tiers = ranges(AssignmentId::RunTimeReview, &[(-1, InTierId::Proportional)]);
    let mut swap = with_tiers(C, 1, &[1, 3], 200, tiers);
    for n in 0..120 {
        let order = if n % 3 == 0 { 9 } else { 4 };
        swap.alloc(Request { order, ..Request::page(0) }, &mut Vec::new()).expect("room");
        assert_eq!(swap.check(), Ok(()));
    }
    let all = used(&swap);
    let pages: u32 = all.iter().sum();
    // One of four by weight, to a folio and a share.
    assert!(all[0].abs_diff(pages / 4) <= 1_024, "{all:?}");
}

#[test]
fn holds_grow_with_what_is_done_and_with_the_distance_of_the_lines() {
    let ledger = Ledger::default();
    let line = SimDuration::from_nanos(218);
    let hold = |lists, requeued| {
        let passage = Passage { list_ops: lists, requeued, ..Passage::new(SwapLock::Avail) };
        passage.hold(&ledger, line)
    };
    assert!(hold(2, true) > hold(2, false) && hold(2, false) > hold(0, false));
    // One device, or one at the end of its peers, is not moved: nothing is written.
    let mut single = swap(B, 1, &[1], 4);
    assert!(pages(&mut single, 1, 50).iter().all(|passage| !passage.requeued));
    let mut pair = swap(B, 1, &[1, 1], 4);
    let moved = pages(&mut pair, 1, 50).iter().filter(|passage| passage.requeued).count();
    assert_eq!(moved, 50);
}

#[test]
fn default_priorities_descend_or_are_equal_and_move_up_when_an_earlier_device_goes() {
    let priorities = |descend: bool| {
        let mut config = SwapConfig::new(if descend { AllocatorId::SlotCache } else { A }, 1);
        config.priorities_descend = descend;
        let mut swap = Swap::new(config).expect("no tiers");
        for priority in [None, Some(7), None, None] {
            let device = DeviceConfig { priority, ..DeviceConfig::new(1_024) };
            swap.swapon(device).expect("a device");
        }
        let all = |swap: &Swap| -> Vec<i32> {
            swap.on().iter().map(|&d| swap.device(d).expect("on").priority()).collect()
        };
        let before = all(&swap);
        swap.swapoff(0).expect("on");
        (before, all(&swap))
    };
    assert_eq!(priorities(true), (vec![-2, 7, -3, -4], vec![7, -2, -3]));
    assert_eq!(priorities(false), (vec![-1, 7, -1, -1], vec![7, -1, -1]));
}

#[test]
fn up_to_6_14_each_node_has_its_list_and_prefers_its_own_default_devices() {
    let mut config = SwapConfig::new(AllocatorId::SlotCache, 4);
    (config.nodes, config.priorities_descend) = (2, true);
    let run = |priority: Option<i16>, nodes: [Option<u8>; 3]| {
        let mut swap = Swap::new(config.clone()).expect("no tiers");
        for node in nodes {
            let device = DeviceConfig { priority, node, ..DeviceConfig::new(512 * 20) };
            swap.swapon(device).expect("a device");
        }
        // CPUs 0 and 1 are on node 0, the others on node 1; each refills four times.
        for n in 0..4 * 4 * 64 {
            let cpu = n % 4;
            let request = Request { node: (cpu / 2) as u8, ..Request::page(cpu) };
            swap.alloc(request, &mut Vec::new()).expect("room");
        }
        used(&swap)
    };
    // Devices of no node: strict order. Of a node: its CPUs take them first.
    assert_eq!(run(None, [None; 3]), [1_024, 0, 0]);
    assert_eq!(run(None, [None, Some(1), Some(0)]), [0, 512, 512]);
    // Equal priorities rotate on each node for itself.
    assert_eq!(run(Some(3), [None, Some(1), Some(0)]), [384, 384, 256]);
}

#[test]
fn a_cpu_stays_with_a_device_of_a_ring_for_its_quota_and_cpus_start_spread() {
    let mut config = SwapConfig::new(C, 5);
    config.quota = 64;
    let mut swap = Swap::new(config).expect("no tiers");
    for _ in 0..3 {
        swap.swapon(DeviceConfig::new(512 * 40)).expect("a device");
    }
    for cpu in 0..5 {
        assert_eq!(swap.cursor(cpu, 0), Some((cpu as u8 % 3, 64)));
    }
    // By CPU: the device, pages in a row there, and all rows.
    let mut rows: [(u8, u32, Vec<u32>); 5] = core::array::from_fn(|_| (u8::MAX, 0, Vec::new()));
    for n in 0..20_000_u32 {
        let cpu = (n * 3 % 5) as usize;
        let slot = swap.alloc(Request::page(cpu as u32), &mut Vec::new()).expect("room");
        let row = &mut rows[cpu];
        if row.0 == slot.device() {
            row.1 += 1;
        } else {
            row.2.push(row.1);
            (row.0, row.1) = (slot.device(), 1);
        }
    }
    for (cpu, row) in rows.iter().enumerate() {
        assert!(row.2[1..].iter().all(|&length| length == 64), "CPU {cpu}: {:?}", row.2);
    }
    assert_eq!(swap.check(), Ok(()));
}

#[test]
fn a_policy_is_set_tier_by_tier_wherever_tiers_have_policies() {
    let buckets = TierConfig { buckets: 4, ..ranges(AssignmentId::Buckets, &[]) };
    let mut swap = with_tiers(C, 1, &[30, 20], 16, buckets);
    let row = |swap: &mut Swap| -> Vec<u8> {
        let page = |_| swap.alloc(Request::page(0), &mut Vec::new()).expect("room").device();
        (0..4).map(page).collect()
    };
    assert_eq!(row(&mut swap), [0; 4]);
    // Everything usual is in the lowest of the four.
    assert_eq!(swap.set_policy(0, InTierId::RoundRobin), Ok(()));
    assert_eq!(row(&mut swap), [0; 4]);
    assert_eq!(swap.set_policy(3, InTierId::RoundRobin), Ok(()));
    assert_eq!((row(&mut swap), swap.check()), (vec![0, 1, 0, 1], Ok(())));
    assert_eq!(swap.set_policy(4, InTierId::Ring), Err(TierError::Invalid));
    let mut v10 =
        with_tiers(C, 1, &[30], 16, ranges(AssignmentId::RunTime, &[(-1, InTierId::Ring)]));
    assert_eq!(v10.set_policy(0, InTierId::Ring), Err(TierError::Invalid));
}

#[test]
fn holes_that_frees_in_no_order_left_are_as_many_and_spread() {
    let mut swap = swap(A, 1, &[1, 1], 64);
    for d in [0, 1] {
        let age = Age { clusters: 50, holes: 4, spread: d == 1 };
        swap.age(d, age, &mut Stream::new(3, "age", 0));
    }
    assert_eq!(swap.check(), Ok(()));
    assert_eq!(used(&swap), [50 * 508 - 1; 2]);
    let count = |d: u8, state| swap.device(d).expect("on").clusters(state, 0);
    assert_eq!((count(0, State::NonFull), count(0, State::Full)), (50, 0));
    // One of e^4 = 55 has none.
    let full = count(1, State::Full);
    assert!((1..6).contains(&full) && count(1, State::NonFull) == 50 - full, "{full}");
    assert_eq!(count(1, State::Free), 14);
    assert_eq!(swap.used_slots(1).count() as u32, used(&swap)[1]);
}
