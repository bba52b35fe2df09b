//! The small presets of swap tiers: each comes out as the review says it must.

use catalog::ControlId;
use mm::swap::{State, Swap, TierError};
use mm::{Machine, NoObserver};
use scenario::Scenario;
use units::{SimDuration, SimTime};

/// A preset with changes, run to its end; `look` sees it every millisecond.
fn run(preset: &str, sets: &[(&str, &str)], mut look: impl FnMut(&Machine)) -> Machine {
    let mut s = Scenario::preset(preset).expect("a preset");
    for (key, value) in sets {
        s.set_text(key, value).expect("a value");
    }
    let mut m = Machine::new(lab::lower(&s).expect("a valid preset"));
    let end = s.get(ControlId::Warmup) + s.get(ControlId::Duration);
    let end = SimTime::from_nanos(end.unsigned_abs());
    let mut at = SimTime::ZERO;
    while at < end {
        at = at + SimDuration::from_millis(1);
        mm::advance(&mut m, &mut NoObserver, at, u64::MAX);
        look(&m);
    }
    let swap = swap(&m);
    swap.check().expect("no contradiction");
    assert!(swap.stats().granted > 5_000, "{preset}: {:?}", swap.stats());
    m
}

fn swap(m: &Machine) -> &Swap {
    &m.swap.as_ref().expect("it has swap").slots
}

fn groups(m: &Machine) -> Vec<Vec<u8>> {
    swap(m).groups().map(<[u8]>::to_vec).collect()
}

fn taken(m: &Machine) -> Vec<u64> {
    let swap = swap(m);
    swap.on().iter().map(|&d| swap.device(d).map_or(0, |device| device.taken())).collect()
}

/// Runs a preset, in which no device gives a slot while one of higher rank has room.
fn strict(preset: &str) -> Machine {
    let m = run(preset, &[], |_| {});
    assert_eq!(swap(&m).stats().inversions, 0, "{preset}");
    m
}

#[test]
fn without_tiers_each_priority_stands_for_itself() {
    let m = strict("tiers-none");
    assert_eq!(groups(&m), [[0], [1], [2], [3]]);
    let swap = swap(&m);
    let peaks: Vec<u32> = (0..4).map(|d| swap.device(d).map_or(0, |d| d.peak())).collect();
    let pages = |d| swap.device(d).map_or(0, |d| d.pages());
    assert_eq!(peaks[..2], [pages(0), pages(1)], "the first two are filled: {peaks:?}");
    assert!(peaks[2] > 0 && peaks[3] == 0, "{peaks:?}");
}

#[test]
fn version_10_refuses_what_would_move_an_active_device() {
    let m = strict("tiers-v10");
    // Inside a tier priorities still count.
    assert_eq!(groups(&m), [[0], [1], [2], [3]]);
    let changed = m.swap.as_ref().and_then(|s| s.changed).expect("it was written");
    assert_eq!(changed.map_err(TierError::errno), Err("EBUSY"));
    // A change that moves nobody is taken.
    let taken = [("tiers_then", "50; -1; "), ("tiers_then", "2000; 50; -1")];
    for set in taken {
        let set = [(set.0, set.1.trim_end_matches("; "))];
        let m = run("tiers-v10", &set, |_| {});
        assert_eq!(m.swap.as_ref().and_then(|s| s.changed), Some(Ok(())), "{set:?}");
    }
}

#[test]
fn the_review_makes_peers_of_a_tier_and_regroups_with_every_slot_kept() {
    let mut before: Option<(Vec<Vec<u8>>, u64)> = None;
    let mut after = None;
    let mut regrouped = 0;
    let m = run("tiers-review", &[], |m| {
        let now = (groups(m), swap(m).total_slots() - swap(m).free_slots());
        if m.swap.as_ref().is_some_and(|s| s.changed.is_some()) {
            after.get_or_insert(now.clone());
        } else {
            before = Some(now.clone());
            // Until then peers with priorities 100 and 90 are used alike.
            let peaks: Vec<u32> =
                (0..2).map(|d| swap(m).device(d).map_or(0, |d| d.peak())).collect();
            assert!(peaks[0].abs_diff(peaks[1]) <= 4 * 512, "{peaks:?}");
        }
        if before.as_ref().is_some_and(|(groups, _)| *groups != now.0) {
            regrouped += 1;
        }
    });
    assert_eq!(before.as_ref().map(|b| b.0.clone()), Some(vec![vec![0, 1], vec![2, 3]]));
    assert_eq!(after.as_ref().map(|a| a.0.clone()), Some(vec![vec![0], vec![1, 2], vec![3]]));
    assert!(regrouped > 100, "it holds to the end");
    let (before, after) = (before.map_or(0, |b| b.1), after.map_or(0, |a| a.1));
    assert!(before > 8_000 && after.abs_diff(before) < before / 10, "{before} {after}");
    assert_eq!(swap(&m).stats().inversions, 0);
}

#[test]
fn tiers_of_the_boot_line_are_peers_and_never_change() {
    let m = strict("tiers-boot");
    assert_eq!(groups(&m), [[0, 1], [2, 3]]);
    let changed = m.swap.as_ref().and_then(|s| s.changed).expect("it was written");
    assert_eq!(changed.map_err(TierError::errno), Err("EPERM"));
    let taken = taken(&m);
    assert!(taken[2].abs_diff(taken[3]) <= 4 * 512, "{taken:?}");
}

#[test]
fn by_equal_priority_only_equals_are_peers() {
    let m = strict("tiers-equal");
    assert_eq!(groups(&m), [[0, 1], [2, 3]]);
    // A cgroup that is kept out of the first tier leaves it alone.
    let m = run("tiers-equal", &[("swap_tiers", "0 barred=on; -1")], |_| {});
    let used = taken(&m);
    assert!(used[0] + used[1] == 0 && used[2] > 1_000, "{used:?}");
}

#[test]
fn buckets_put_the_usual_priorities_into_one_tier() {
    let m = strict("tiers-buckets");
    assert_eq!(groups(&m), [[0, 1, 2, 3]]);
}

/// Slots given by each of four devices with room throughout, in thousandths.
fn shares(preset: &str) -> Vec<u64> {
    let m = strict(preset);
    let taken = taken(&m);
    let all: u64 = taken.iter().sum();
    taken.iter().map(|t| t * 1_000 / all).collect()
}

#[test]
fn a_ring_with_a_quota_and_round_robin_spread_evenly() {
    let m = strict("policy-ring");
    let all = taken(&m);
    let (least, most) = (all.iter().min().copied(), all.iter().max().copied());
    // Each of four CPUs is at most a quota ahead on each device.
    assert!(most.zip(least).is_some_and(|(a, b)| a - b <= 4 * 512), "{all:?}");
    let m = strict("policy-robin");
    let all = taken(&m);
    let (least, most) = (all.iter().min().copied(), all.iter().max().copied());
    assert!(most.zip(least).is_some_and(|(a, b)| a - b <= 4), "{all:?}");
}

#[test]
fn by_priority_devices_get_their_share() {
    // 40, 30, 20 and 10: weights of 31, 21, 11 and 1.
    let shares = shares("policy-priority");
    for (share, wanted) in shares.iter().zip([484, 328, 172, 16]) {
        assert!(share.abs_diff(wanted) <= 45, "{shares:?}");
    }
}

#[test]
fn the_least_used_are_filled_to_the_same_part() {
    let m = strict("policy-least");
    let swap = swap(&m);
    let part =
        |d: u8| swap.device(d).map_or(0, |d| u64::from(d.peak()) * 1_000 / u64::from(d.pages()));
    let parts: Vec<u64> = (0..4).map(part).collect();
    assert!(parts.iter().all(|p| p.abs_diff(parts[0]) <= 20), "{parts:?}");
    assert!(parts[0] > 100, "{parts:?}");
}

#[test]
fn by_cgroup_one_device_is_filled_before_the_others() {
    let m = strict("policy-cgroup");
    let all = taken(&m);
    let first = m.config.memcgs.len() - 1;
    assert_eq!(first, 1, "the workload has a cgroup");
    let home = swap(&m).device(1).map_or(0, |d| d.peak());
    let full = swap(&m).device(1).map_or(0, |d| d.pages());
    let others = all[0] + all[2] + all[3];
    assert!(home == full || others == 0, "{all:?}: {home} of {full}");
    assert!(all[1] > 5_000, "{all:?}");
}

#[test]
fn numa_local_pages_go_to_the_device_of_their_node() {
    let m = strict("policy-numa");
    let all = taken(&m);
    let swapped = m.vmstat.pswpout;
    assert!(all.iter().all(|&t| t * 10 > swapped * 3), "{all:?}");
    // Nodes change roles with the devices' nodes.
    let away = [("swap_table", "pmem size=96MiB priority=10 node=1; pmem size=96MiB priority=10")];
    let m = run("policy-numa", &away, |_| {});
    assert!(taken(&m)[0] > 0);
}

#[test]
fn the_global_cluster_inverts_priorities_for_at_most_a_cluster_and_rings_do_not() {
    let m = run("swap-inversion", &[], |_| {});
    let stats = *swap(&m).stats();
    assert!(stats.inversions > 1_000, "{stats:?}");
    assert!(stats.inversion_most > 100 && stats.inversion_most <= 512, "{stats:?}");
    let m = run("swap-inversion", &[("allocator", "ring")], |_| {});
    assert_eq!(swap(&m).stats().inversions, 0);
}

#[test]
fn discard_gives_clusters_back_after_its_time() {
    let table = "pmem size=48MiB discard=on; nvme size=160MiB discard=on";
    let sets = [("swap_table", table), ("allocator", "ring")];
    let mut waited = 0;
    let m = run("swap-inversion", &sets, |m| {
        waited += u64::from((0..2).map(|d| swap(m).discards_waiting(d)).sum::<u32>() > 0);
    });
    let free: u32 = (0..2)
        .map(|d| swap(&m).device(d).map_or(0, |device| device.clusters(State::Free, 0)))
        .sum();
    assert!(free > 0, "what was discarded is free");
    assert!(m.vmstat.pswpin > 1_000 && waited < 200, "{waited}");
}

#[test]
fn zswap_takes_pages_up_to_its_limit_and_virtual_swap_takes_slots_at_writeback() {
    let table = ("swap_table", "nvme size=256MiB");
    let runs: Vec<Machine> = ["off", "on", "virtual"]
        .into_iter()
        .map(|zswap| {
            let mut s = Scenario::preset("swap-inversion").expect("a preset");
            for (key, value) in [table, ("zswap", zswap), ("zswap_pool", "10")] {
                s.set_text(key, value).expect("a value");
            }
            let mut m = Machine::new(lab::lower(&s).expect("valid"));
            let end = SimTime::from_nanos(200_000_000);
            mm::advance(&mut m, &mut NoObserver, end, u64::MAX);
            swap(&m).check().expect("no contradiction");
            m
        })
        .collect();
    let used = |m: &Machine| swap(m).total_slots() - swap(m).free_slots();
    let pool = |m: &Machine| m.swap.as_ref().and_then(|s| s.zswap.clone()).expect("zswap");
    assert!(runs[0].vmstat.zswpout == 0 && runs[0].vmstat.pswpout > 5_000);
    for m in &runs[1..] {
        let (v, pool) = (&m.vmstat, pool(m));
        assert!(v.zswpout > 5_000 && v.zswpwb > 100 && v.zswpin > 100, "{v:?}");
        assert!(pool.bytes() <= pool.config.max + 4096, "{}", pool.bytes());
        assert!(pool.bytes() > pool.config.max / 2, "{}", pool.bytes());
    }
    // With slots of the device every stored page has one; without, those of the pool have none.
    let (plain, lazy) = (used(&runs[1]), used(&runs[2]));
    assert!(lazy + pool(&runs[2]).pages() / 2 < plain, "{lazy} of {plain}");
}

#[test]
fn large_folios_take_slots_in_a_row_or_are_split() {
    let folios = ("swap_folios", "4 share=500; 9 share=200");
    let fresh = run("swap-inversion", &[("swap_table", "pmem size=256MiB"), folios], |_| {});
    assert!(fresh.vmstat.thp_swpout > 100, "{:?}", fresh.vmstat);
    // A device whose clusters all have a few holes has no room for them in one piece.
    let table = "pmem size=1GiB used=1000 holes=60";
    for allocator in ["global-plist", "ring"] {
        let sets = [("swap_table", table), folios, ("allocator", allocator)];
        let aged = run("swap-inversion", &sets, |_| {});
        let v = &aged.vmstat;
        assert!(v.thp_swpout_fallback > 100, "{allocator}: {v:?}");
        assert!(v.pswpout > 5_000, "{allocator}: split folios go page by page");
    }
}
