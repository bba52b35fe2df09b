//! C: groups of peers as rings, each CPU with a cursor of its own, and the policies of a tier.
//!
//! A ring changes only with swapon, swapoff and tiers. A full device is masked and skipped. A CPU
//! stays with a device for a quota of pages and then goes on to the next one; nothing global is
//! written on the way.

use super::alloc::Request;
use super::device::Device;
use super::tier::{Grouping, Peers};
use catalog::InTierId;

/// Where a CPU stands in a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reader {
    /// The device, by its place in the ring.
    pub(super) at: u8,
    /// Pages left of the quota there.
    pub(super) left: u32,
    /// What each device may still give, where priorities are weights.
    credit: Vec<i64>,
}

/// The queue of rings as CPUs see it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Pages that a CPU takes from a device before it goes on (SWAP_ROUND_ROBIN_QUOTA).
    pub(super) quota: u32,
    /// By CPU, then by ring.
    pub(super) readers: Vec<Reader>,
    rings: usize,
}

/// What a look at a ring says.
pub(super) enum Pick {
    /// This device, at this place.
    Device(u8),
    /// Devices have room, and none of them in one piece for this order.
    TooLarge,
    /// No device of it has room.
    Exhausted,
}

impl Queue {
    /// Fresh cursors: CPUs start spread over the devices.
    pub(super) fn new(cpus: u32, quota: u32, peers: &Grouping, devices: &[Device]) -> Self {
        let reader = |cpu: u32, group: &Peers| {
            let at = cpu as usize % group.members.len();
            let mut credit = Vec::new();
            if group.policy == InTierId::Proportional {
                credit = vec![0; group.members.len()];
                credit[at] = share(devices, group, quota, at);
            }
            Reader { at: at as u8, left: quota, credit }
        };
        let groups = &peers.groups;
        let readers = (0..cpus).flat_map(|cpu| groups.iter().map(move |g| reader(cpu, g)));
        Self { quota, readers: readers.collect(), rings: groups.len() }
    }

    pub(super) fn reader(&self, cpu: u32, ring: u8) -> &Reader {
        &self.readers[cpu as usize * self.rings + usize::from(ring)]
    }

    fn reader_mut(&mut self, cpu: u32, ring: u8) -> &mut Reader {
        &mut self.readers[cpu as usize * self.rings + usize::from(ring)]
    }

    /// The next device of a ring for an attempt that has visited some already. What it may take is
    /// counted against the quota at once.
    pub(super) fn pick(
        &mut self,
        devices: &[Device],
        group: &Peers,
        ring: u8,
        request: &Request,
        visited: u16,
    ) -> Pick {
        let n = 1 << request.order;
        let room = |i: usize| devices[usize::from(group.members[i])].available;
        let free = |i: usize| visited >> i & 1 == 0 && room(i);
        let quota = self.quota;
        let reader = self.reader_mut(request.cpu, ring);
        let local =
            |i: usize| devices[usize::from(group.members[i])].config.node == Some(request.node);
        let len = group.members.len();
        let found = match group.policy {
            InTierId::Ring => reader.with_quota(len, quota, n, free),
            InTierId::NumaLocal => reader
                .with_quota(len, quota, n, |i| free(i) && local(i))
                .or_else(|| reader.with_quota(len, quota, n, free)),
            InTierId::RoundRobin => {
                let first = reader.around(len).find(|&i| free(i));
                first.inspect(|&i| reader.at = ((i + 1) % len) as u8)
            }
            InTierId::Cgroup => {
                let home = request.cgroup as usize % len;
                (home..home + len).map(|i| i % len).find(|&i| free(i))
            }
            InTierId::LeastUsed => {
                let least = reader.around(len).filter(|&i| free(i)).min_by(|&a, &b| {
                    let part = |i: usize, other: usize| {
                        let device = |i: usize| &devices[usize::from(group.members[i])];
                        u64::from(device(i).used) * u64::from(device(other).pages())
                    };
                    part(a, b).cmp(&part(b, a))
                });
                least.inspect(|&i| reader.at = ((i + 1) % len) as u8)
            }
            InTierId::Proportional => {
                let share = |i: usize| share(devices, group, quota, i);
                reader.by_credit(len, n, free, share)
            }
        };
        match found {
            Some(i) => Pick::Device(i as u8),
            None if request.order > 0 && (0..len).any(room) => Pick::TooLarge,
            None => Pick::Exhausted,
        }
    }

    /// The device picked gave nothing: what was counted against the quota is given back.
    pub(super) fn gave_nothing(&mut self, request: &Request, ring: u8, at: u8) {
        let n = 1_u32 << request.order;
        let quota = self.quota;
        let reader = self.reader_mut(request.cpu, ring);
        if let Some(credit) = reader.credit.get_mut(usize::from(at)) {
            *credit += i64::from(n);
        } else if reader.at == at {
            reader.left = (reader.left + n).min(quota);
        }
    }
}

/// What a device may give in a round: its part of a quota a device, by priority above the lowest.
fn share(devices: &[Device], group: &Peers, quota: u32, i: usize) -> i64 {
    let priority = |&d: &u8| i64::from(devices[usize::from(d)].priority);
    let lowest = group.members.iter().map(priority).min().unwrap_or(0);
    let weight = |d: &u8| priority(d) - lowest + 1;
    let all: i64 = group.members.iter().map(weight).sum();
    let pages = i64::from(quota) * group.members.len() as i64;
    (pages * weight(&group.members[i]) / all).max(1)
}

impl Reader {
    /// Places of the ring from the cursor on.
    fn around(&self, len: usize) -> impl Iterator<Item = usize> + use<> {
        let at = usize::from(self.at);
        (at..at + len).map(move |i| i % len)
    }

    /// The device at the cursor while its quota lasts, else the next one.
    fn with_quota(
        &mut self,
        len: usize,
        quota: u32,
        n: u32,
        free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let at = usize::from(self.at);
        let steps = if self.left >= n { 0 } else { 1 }..=len;
        let (step, i) = steps.map(|k| (k, (at + k) % len)).find(|&(_, i)| free(i))?;
        if step > 0 {
            (self.at, self.left) = (i as u8, quota.max(n));
        }
        self.left -= n;
        Some(i)
    }

    /// The device at the cursor while it has credit, else the next one that has some when its share
    /// is added; when none has, the first with room.
    fn by_credit(
        &mut self,
        len: usize,
        n: u32,
        free: impl Fn(usize) -> bool,
        share: impl Fn(usize) -> i64,
    ) -> Option<usize> {
        let first = self.around(len).find(|&i| free(i))?;
        let mut found = None;
        for _ in 0..=len {
            let i = usize::from(self.at);
            if free(i) && self.credit[i] > 0 {
                found = Some(i);
                break;
            }
            let next = (i + 1) % len;
            self.at = next as u8;
            self.credit[next] = (self.credit[next] + share(next)).min(share(next));
        }
        let i = found.unwrap_or(first);
        self.credit[i] -= i64::from(n);
        Some(i)
    }
}
