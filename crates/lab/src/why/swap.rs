//! Why a part of swap is as it is: the locks of slots, a device, a group of peers.

use super::{Asked, name, nanos};
use crate::view::{swap_cursors, swap_lock_name, swap_locks, who};
use catalog::swap::MediumId;
use catalog::{AllocatorId, ConstantId as C, InTierId};
use engine::lock::LockStats;
use mm::swap::{State, Swap};
use mm::vmscan::pageout::SwapState;
use report::why::Why;
use units::{LockId, SimDuration};

type Numbers = Vec<(String, String)>;

/// How a device is chosen, by who hands out slots.
struct Rule {
    /// In plain words, of the lock that it happens under.
    text: &'static str,
    function: &'static str,
    file: &'static str,
    constants: &'static [C],
}

const FILE: &str = "mm/swapfile.c";
const SERIES: &str = "mm/swapfile.c with the queue series of 2026";
const LIST: &[C] = &[C::SwapAvailHold, C::SwapRequeueLines, C::SwapAvailFar, C::LockHandOff];

fn choice(design: AllocatorId) -> Rule {
    match design {
        AllocatorId::SlotCache => Rule {
            text: "A CPU takes it when its cache of 64 slots is used up: it moves the first device \
                   of the list behind its peers and fetches the next 64 slots there. A device that \
                   becomes full or has room again leaves or joins the list under it.",
            function: "get_swap_pages(), plist_requeue()",
            file: "mm/swapfile.c, mm/swap_slots.c",
            constants: LIST,
        },
        AllocatorId::GlobalPlist => Rule {
            text: "A CPU takes it only when the cluster that it goes on in has no slot left: it \
                   moves the first device of the list behind its peers and looks there for the \
                   next cluster. So it is taken once a cluster, oftener the fewer free slots a \
                   cluster has; and whenever a device becomes full or has room again.",
            function: "swap_alloc_slow(), plist_requeue()",
            file: FILE,
            constants: LIST,
        },
        AllocatorId::DevicePlist => Rule {
            text: "Every allocation takes it: the first device of the list is moved behind its \
                   peers and gives the slot. The list's nodes were last written by another CPU, so \
                   their cache lines travel while the lock is held; with many CPUs they all wait \
                   here.",
            function: "swap_alloc_slow(), plist_requeue()",
            file: SERIES,
            constants: LIST,
        },
        AllocatorId::Ring => Rule {
            text: "No allocation takes it: each CPU has a place of its own in every ring and writes \
                   nothing that others read. It is taken only when a device becomes full or has \
                   room again, to mask it in its ring or show it again.",
            function: "folio_alloc_swap(), SWAP_ROUND_ROBIN_QUOTA",
            file: SERIES,
            constants: &[C::SwapQueueRead, C::SwapGlobalHold],
        },
    }
}

/// What happened at locks, together.
fn sum(stats: impl Iterator<Item = LockStats>) -> LockStats {
    stats.fold(LockStats::default(), |a, b| LockStats {
        acquisitions: a.acquisitions + b.acquisitions,
        contended: a.contended + b.contended,
        wait: a.wait + b.wait,
        busy: a.busy + b.busy,
    })
}

impl Asked<'_> {
    /// What happened since the start at so many locks; with 0 their share of time is not told.
    fn passages(&self, stats: LockStats, locks: usize, numbers: &mut Numbers) {
        let mean = stats.wait.as_nanos() / stats.acquisitions.max(1);
        numbers.push(("taken so far".into(), stats.acquisitions.to_string()));
        numbers.push(("somebody waited".into(), stats.contended.to_string()));
        numbers.push(("mean wait".into(), nanos(mean)));
        if locks > 0 {
            let all = u128::from(self.now.as_nanos().max(1)) * locks as u128;
            let busy = u128::from(stats.busy.as_nanos()) * 100 / all;
            numbers.push(("held, of all time".into(), format!("{busy} %")));
        }
    }

    /// The state of a lock in a title.
    fn state_of(&self, lock: LockId) -> String {
        let waiters = self.m.locks.waiters(lock);
        match self.m.locks.holder(lock) {
            Some((task, _)) => format!("is held by {}; {waiters} wait", name(who(self.m, task))),
            None => "is free".into(),
        }
    }

    pub(super) fn swap_lock(&self, number: u16) -> Option<Why> {
        let swap = self.m.swap.as_ref()?;
        match number {
            0 => Some(self.choice_lock(swap)),
            1 => Some(self.device_locks(swap)),
            2 => Some(self.cluster_locks(swap)),
            _ => None,
        }
    }

    fn choice_lock(&self, swap: &SwapState) -> Why {
        let rule = choice(swap.slots.allocator());
        let lock = self.m.swap_choice_lock();
        let mut numbers = Numbers::new();
        if let Some((_, since)) = self.m.locks.holder(lock) {
            numbers.push(("held for".into(), nanos(self.age(since))));
        }
        self.passages(self.m.locks.stats(self.now, lock), 1, &mut numbers);
        given(&swap.slots, &mut numbers);
        Why {
            title: format!("{} {}", swap_lock_name(self.m), self.state_of(lock)),
            text: rule.text.into(),
            rule: rule.function.into(),
            source: rule.file.into(),
            numbers,
            constants: self.used(rule.constants),
        }
    }

    fn device_locks(&self, swap: &SwapState) -> Why {
        let [_, _, (_, locks)] = swap_locks(self.m);
        let held = locks.iter().filter(|&&lock| self.m.locks.holder(lock).is_some()).count();
        let waiters: u32 = locks.iter().map(|&lock| self.m.locks.waiters(lock)).sum();
        let (text, rule) = if swap.slots.design().slot_caches {
            (
                "Each device has one. The whole search for a cache's 64 slots happens under it, so \
                 CPUs that refill from one device wait for each other.",
                "scan_swap_map_slots()",
            )
        } else {
            (
                "Each device has one. It guards the lists of the device's clusters: a CPU takes it \
                 when it needs another cluster, and when a cluster becomes full, free or partly \
                 used and so moves to another list. The slots themselves are guarded by the \
                 clusters' locks.",
                "isolate_lock_cluster(), move_cluster()",
            )
        };
        let mut numbers = vec![("devices".into(), locks.len().to_string())];
        let all = sum(locks.iter().map(|&lock| self.m.locks.stats(self.now, lock)));
        self.passages(all, locks.len(), &mut numbers);
        numbers.push(("clusters begun".into(), swap.slots.stats().switches.to_string()));
        Why {
            title: format!("si->lock: {held} of {} held; {waiters} wait", locks.len()),
            text: text.into(),
            rule: rule.into(),
            source: choice(swap.slots.allocator()).file.into(),
            numbers,
            constants: self.used(&[C::SwapDeviceHold, C::SwapListOp, C::SwapScanSlot]),
        }
    }

    fn cluster_locks(&self, swap: &SwapState) -> Why {
        let counted = &swap.clusters.stats;
        let share = (counted.contended * 100).checked_div(counted.acquisitions).unwrap_or(0);
        let stats = LockStats {
            acquisitions: counted.acquisitions,
            contended: counted.contended,
            wait: SimDuration::from_nanos(counted.wait),
            busy: SimDuration::from_nanos(counted.busy),
        };
        let mut numbers = Numbers::new();
        self.passages(stats, 0, &mut numbers);
        let rule = match swap.slots.design().slot_caches {
            true => "lock_cluster()",
            false => "swap_alloc_fast(), swap_entries_free()",
        };
        Why {
            title: format!("ci->lock: {share} % of the passages had to wait"),
            text:
                "Each cluster of slots has one: it guards which of its slots are used. Every slot \
                   that is given or freed takes it, for some tens of nanoseconds. CPUs meet here \
                   only when they use the same cluster, as when one frees what another one took."
                    .into(),
            rule: rule.into(),
            source: choice(swap.slots.allocator()).file.into(),
            numbers,
            constants: self.used(&[C::SwapClusterHold, C::SwapSlot, C::LineSameNode]),
        }
    }

    pub(super) fn swap_device(&self, number: usize) -> Option<Why> {
        let swap = self.m.swap.as_ref()?;
        let slots = &swap.slots;
        let d = *slots.on().get(number)?;
        let device = slots.device(d)?;
        let rule = choice(slots.allocator());
        let is_full = device.used() >= device.pages();
        let percent = u64::from(device.used()) * 100 / u64::from(device.pages().max(1));
        let here = (0..self.m.cpus.len()).flat_map(|cpu| swap_cursors(slots, cpu));
        let here = here.filter(|&(at, _)| at == d).count();
        let mut numbers = vec![
            ("used".into(), format!("{} of {} slots", device.used(), device.pages())),
            ("most used so far".into(), format!("{} slots", device.peak())),
            ("slots given so far".into(), device.taken().to_string()),
            ("priority".into(), device.priority().to_string()),
            ("requests under way".into(), swap.media[usize::from(d)].busy(self.now).to_string()),
            ("CPUs that go on here".into(), here.to_string()),
            ("free clusters".into(), device.clusters(State::Free, 0).to_string()),
        ];
        if let Some(group) = slots.group_of(d) {
            let place = format!("{} of {}", group + 1, slots.groups().count());
            numbers.push(("group of peers".into(), place));
        }
        given(slots, &mut numbers);
        let medium = medium(&self.devices[usize::from(d).min(self.devices.len() - 1)]);
        Some(Why {
            title: match is_full {
                true => format!("Device {number} is full"),
                false => format!("Device {number} is {percent} % used"),
            },
            text: format!("{} {}", standing(slots, d, is_full), medium_text(medium)),
            rule: rule.function.into(),
            source: rule.file.into(),
            numbers,
            constants: self.used(medium_constants(medium)),
        })
    }

    pub(super) fn swap_peers(&self, group: usize) -> Option<Why> {
        let slots = &self.m.swap.as_ref()?.slots;
        let members = slots.groups().nth(group)?;
        let design = slots.allocator();
        let is_ring = design == AllocatorId::Ring;
        let policy = slots.policy_of(*members.first()?).filter(|_| is_ring);
        let has_quota = !is_ring || policy == Some(InTierId::Ring);
        let mut at = vec![(0_u32, 0_u32); members.len()];
        for (d, left) in (0..self.m.cpus.len()).flat_map(|cpu| swap_cursors(slots, cpu)) {
            if let Some(n) = members.iter().position(|&member| member == d) {
                at[n] = (at[n].0 + 1, at[n].1 + left);
            }
        }
        let mut numbers = vec![("devices".into(), members.len().to_string())];
        for (&d, (cpus, left)) in members.iter().zip(at) {
            let number = slots.on().iter().position(|&other| other == d).unwrap_or_default();
            let left = left.checked_div(cpus).filter(|_| has_quota);
            let left = left.map_or(String::new(), |left| format!(", {left} pages left each"));
            numbers.push((format!("device {number}"), format!("{cpus} CPUs{left}")));
        }
        if has_quota {
            numbers.push(("pages a CPU takes in a row".into(), slots.quota().to_string()));
        }
        given(slots, &mut numbers);
        let kind = if is_ring { "Ring" } else { "Peers" };
        let rule = choice(design);
        Some(Why {
            title: match slots.groups().count() {
                1 => format!("{kind} of all devices"),
                groups => format!("{kind} {} of {groups}", group + 1),
            },
            text: policy.map_or(rule.text, turns).into(),
            rule: rule.function.into(),
            source: rule.file.into(),
            numbers,
            constants: self.used(rule.constants),
        })
    }
}

/// Slots given and devices chosen.
fn given(slots: &Swap, numbers: &mut Numbers) {
    let stats = slots.stats();
    numbers.push(("slots given, all devices".into(), stats.granted.to_string()));
    numbers.push(("devices chosen from the list".into(), stats.choices.to_string()));
    let passed_over = stats.inversions.to_string();
    numbers.push(("given while a higher device had room".into(), passed_over));
}

/// Whose turn it is in a ring.
fn turns(policy: InTierId) -> &'static str {
    match policy {
        InTierId::Ring => {
            "The devices of a ring serve in turn, for each CPU apart: it takes pages from the \
             device at its place until its quota there is used up, then it goes on to the next one. \
             CPUs begin spread over the devices. A ring below is asked only when no device of the \
             rings above it has room."
        }
        InTierId::RoundRobin => "Each CPU goes on to the next device at every allocation.",
        InTierId::Proportional => {
            "Each CPU takes more pages from devices of higher priority, in proportion to it."
        }
        InTierId::LeastUsed => "The device of which the smallest part is used serves next.",
        InTierId::Cgroup => {
            "The task's cgroup says which device serves; the others when that one is full."
        }
        InTierId::NumaLocal => {
            "Devices of the CPU's own node serve first, the others when those are full."
        }
    }
}

/// Where a device stands among the others.
fn standing(slots: &Swap, d: u8, is_full: bool) -> String {
    if is_full {
        return "It has no free slot and is not asked until one of its slots is freed.".into();
    }
    if slots.allocator() == AllocatorId::Ring {
        return "It gives slots to the CPUs whose place in the ring it is.".into();
    }
    match slots.available(0).iter().position(|&other| other == d) {
        Some(0) => {
            "It is the first of the list: the next CPU that chooses a device takes this one \
                    and puts it behind its peers."
                .into()
        }
        Some(ahead) => {
            format!("It is number {} in the list of devices with room.", ahead + 1)
        }
        None => "It is not on the list of devices with room.".into(),
    }
}

/// What a device of a row is made of.
fn medium(row: &catalog::tables::Row) -> MediumId {
    let number = row[catalog::tables::MEDIUM].unsigned_abs() as usize;
    MediumId::ALL.get(number).copied().unwrap_or(MediumId::ZramLzoRle)
}

fn medium_text(medium: MediumId) -> &'static str {
    match medium {
        MediumId::ZramLzoRle | MediumId::ZramLz4 | MediumId::ZramZstd | MediumId::ZramLzo => {
            "It is compressed memory: who swaps a page out compresses it in its own time, and the \
             page is free at once."
        }
        MediumId::Pmem => "It is memory: who swaps a page out copies it in its own time.",
        _ => {
            "It is written by I/O: the page stays under writeback until the device is done, and is \
             freed when reclaim meets it again."
        }
    }
}

fn medium_constants(medium: MediumId) -> &'static [C] {
    match medium {
        MediumId::ZramLzoRle => &[C::ZramLzoRleWrite, C::ZramLzoRleRead, C::ZramLzoRleStored],
        MediumId::ZramLz4 => &[C::ZramLz4Write, C::ZramLz4Read, C::ZramLz4Stored],
        MediumId::ZramZstd => &[C::ZramZstdWrite, C::ZramZstdRead, C::ZramZstdStored],
        MediumId::ZramLzo => &[C::ZramLzoWrite, C::ZramLzoRead, C::ZramLzoStored],
        _ => &[C::SwapSubmit, C::SwapMerge, C::SwapWritesAtOnce],
    }
}

#[cfg(test)]
mod tests {
    use crate::{Progress, Run};
    use catalog::ControlId;
    use report::why::Subject;
    use scenario::Scenario;

    /// Every part of swap in a run of this allocator.
    fn asked(allocator: &str) -> Vec<report::why::Why> {
        let mut scenario = Scenario::preset("policy-ring").unwrap();
        scenario.set_text("allocator", allocator).unwrap();
        scenario.set_text("memcg", "48MiB").unwrap();
        scenario.set(ControlId::Duration, 100_000_000).unwrap();
        let mut run = Run::prepare(&scenario).unwrap();
        while run.advance(20_000) == Progress::Running && run.events() < 60_000 {}
        let view = run.view();
        let devices = view.devices.devices.len() as u16;
        assert!(devices > 1);
        let groups = view.devices.devices.iter().map(|d| d.group as u16 + 1).max().unwrap();
        let locks = (0..3).map(Subject::SwapLock);
        let parts = locks.chain((0..devices).map(Subject::SwapDevice));
        let parts = parts.chain((0..groups).map(Subject::SwapPeers)).chain([Subject::Cgroup(1)]);
        let why = |subject| run.why(subject, view.time_ns).unwrap_or_else(|| panic!("{subject:?}"));
        for absent in [Subject::SwapLock(3), Subject::SwapDevice(devices), Subject::Cgroup(9)] {
            assert_eq!(run.why(absent, view.time_ns), None);
        }
        parts.map(why).collect()
    }

    #[test]
    fn every_part_of_swap_says_what_happens_there_and_by_which_rule() {
        for allocator in ["slot-cache", "global-plist", "device-plist", "ring"] {
            for why in asked(allocator) {
                assert!(why.text.len() > 40 && why.rule.contains("()"), "{allocator}: {why:?}");
                assert!(why.source.contains(".c") && why.source.contains("kernel"), "{why:?}");
                assert!(why.numbers.len() >= 3 && !why.constants.is_empty(), "{why:?}");
            }
        }
    }

    #[test]
    fn what_is_said_of_the_lock_is_what_the_allocator_does() {
        let text = |allocator| asked(allocator).swap_remove(0).text;
        assert!(text("device-plist").starts_with("Every allocation takes it"));
        assert!(text("ring").starts_with("No allocation takes it"));
        assert!(text("global-plist").contains("has no slot left"));
    }
}
