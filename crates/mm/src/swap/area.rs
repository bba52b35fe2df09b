//! The slots of one device: clusters, their bitmaps and the lists they stand on.
//!
//! A cluster is on exactly one list, or on none while somebody who holds its lock has taken it off
//! (isolated). Bitmaps are made when a cluster is first used, so that an empty area of a terabyte
//! costs 16 bytes a cluster.

/// Orders of a folio, 0 to 9: the largest fills a cluster of 512 slots.
pub const ORDERS: usize = 10;
/// Slots of a cluster with large folios (7.3 mm/swap.h: SWAPFILE_CLUSTER is HPAGE_PMD_NR).
pub const CLUSTER: u32 = 512;
/// Slots of a cluster without them.
pub const CLUSTER_SMALL: u32 = 256;
/// No cluster, no slot.
pub(super) const NIL: u32 = u32::MAX;
const WORDS: usize = CLUSTER as usize / 64;
/// Lists of an area: free, full, discard, and nonfull and frag for each order.
const LISTS: usize = 3 + 2 * ORDERS;

/// The list that a cluster stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No slot is used.
    Free,
    /// Partly used, and a slot was freed last; up to 6.12 also a cluster that was just begun.
    NonFull,
    /// Partly used, and an allocation was last; up to 6.12 one that was searched without success.
    Frag,
    /// Every slot is used.
    Full,
    /// Every slot was freed and the device has not been told yet.
    Discard,
    /// On no list: somebody looks through it.
    Isolated,
}

/// A cluster.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    prev: u32,
    next: u32,
    map: u32,
    pub(super) count: u16,
    pub(super) order: u8,
    pub(super) state: State,
}

/// Which slots of a cluster are used, and which of these hold nothing but clean swap cache.
#[derive(Clone, Debug, Default)]
struct Map {
    used: [u64; WORDS],
    cached: [u64; WORDS],
}

#[derive(Clone, Copy, Debug)]
struct List {
    head: u32,
    tail: u32,
    len: u32,
}

/// All clusters of a device.
#[derive(Clone, Debug)]
pub(super) struct Area {
    /// Slots of a cluster.
    pub(super) size: u32,
    /// Slots of the device, the header's among them.
    pub(super) max: u32,
    pub(super) clusters: Vec<Cluster>,
    maps: Vec<Map>,
    lists: [List; LISTS],
}

fn list_of(state: State, order: u8) -> usize {
    match state {
        State::Free => 0,
        State::Full => 1,
        State::Discard => 2,
        State::NonFull => 3 + usize::from(order),
        State::Frag => 3 + ORDERS + usize::from(order),
        State::Isolated => unreachable!("an isolated cluster is on no list"),
    }
}

/// The words that hold the bits of `n` slots from `at` on.
fn words(at: u32, n: u32) -> core::ops::RangeInclusive<usize> {
    at as usize / 64..=(at + n - 1) as usize / 64
}

/// The bits of `n` slots from `at` that fall into word `w`.
fn mask(w: usize, at: u32, n: u32) -> u64 {
    let begin = w as u32 * 64;
    let (from, to) = (at.max(begin), (at + n).min(begin + 64));
    if from >= to {
        return 0;
    }
    let ones = if to - from == 64 { u64::MAX } else { (1 << (to - from)) - 1 };
    ones << (from - begin)
}

impl Area {
    /// An area of `max` slots of which the first holds the header.
    pub(super) fn new(size: u32, max: u32) -> Self {
        let list = List { head: NIL, tail: NIL, len: 0 };
        let cluster =
            Cluster { prev: NIL, next: NIL, map: NIL, count: 0, order: 0, state: State::Isolated };
        let count = max.div_ceil(size);
        let mut area = Self {
            size,
            max,
            clusters: vec![cluster; count as usize],
            maps: Vec::new(),
            lists: [list; LISTS],
        };
        area.block(0, 1);
        let tail = count * size - max;
        if tail > 0 {
            area.block(max, tail);
        }
        for c in 0..count {
            // What the header and the end leave is in use from the beginning.
            let state = match area.clusters[c as usize].count {
                0 => State::Free,
                n if u32::from(n) == size => State::Full,
                _ => State::NonFull,
            };
            area.attach(c, state);
        }
        area
    }

    /// Slots of the last cluster that the device does not have, and the header.
    pub(super) fn blocked(&self) -> u32 {
        1 + self.clusters.len() as u32 * self.size - self.max
    }

    fn block(&mut self, offset: u32, n: u32) {
        let c = offset / self.size;
        let at = offset % self.size;
        let map = self.map_mut(c);
        for w in words(at, n) {
            map.used[w] |= mask(w, at, n);
        }
        self.clusters[c as usize].count += n as u16;
    }

    fn map_mut(&mut self, c: u32) -> &mut Map {
        let cluster = &mut self.clusters[c as usize];
        if cluster.map == NIL {
            cluster.map = self.maps.len() as u32;
            self.maps.push(Map::default());
        }
        &mut self.maps[cluster.map as usize]
    }

    fn map(&self, c: u32) -> Option<&Map> {
        let map = self.clusters[c as usize].map;
        (map != NIL).then(|| &self.maps[map as usize])
    }

    /// The first cluster of a list.
    pub(super) fn head(&self, state: State, order: usize) -> Option<u32> {
        let head = self.lists[list_of(state, order as u8)].head;
        (head != NIL).then_some(head)
    }

    /// The cluster behind another one on its list.
    pub(super) fn after(&self, c: u32) -> Option<u32> {
        let next = self.clusters[c as usize].next;
        (next != NIL).then_some(next)
    }

    /// How many clusters are on a list.
    pub(super) fn len(&self, state: State, order: usize) -> u32 {
        self.lists[list_of(state, order as u8)].len
    }

    /// Takes a cluster off its list. Returns how many nodes moved.
    pub(super) fn detach(&mut self, c: u32) -> u32 {
        let Cluster { prev, next, order, state, .. } = self.clusters[c as usize];
        if state == State::Isolated {
            return 0;
        }
        let list = &mut self.lists[list_of(state, order)];
        list.len -= 1;
        if prev == NIL {
            list.head = next;
        } else {
            self.clusters[prev as usize].next = next;
        }
        if next == NIL {
            list.tail = prev;
        } else {
            self.clusters[next as usize].prev = prev;
        }
        let cluster = &mut self.clusters[c as usize];
        (cluster.prev, cluster.next, cluster.state) = (NIL, NIL, State::Isolated);
        1
    }

    fn attach(&mut self, c: u32, state: State) {
        let list = &mut self.lists[list_of(state, self.clusters[c as usize].order)];
        let tail = list.tail;
        list.tail = c;
        list.len += 1;
        if tail == NIL {
            list.head = c;
        } else {
            self.clusters[tail as usize].next = c;
        }
        let cluster = &mut self.clusters[c as usize];
        (cluster.prev, cluster.next, cluster.state) = (tail, NIL, state);
    }

    /// Puts a cluster behind the others of a list. Returns how many nodes moved.
    pub(super) fn move_to(&mut self, c: u32, state: State) -> u32 {
        let off = self.detach(c);
        if state == State::Free {
            self.clusters[c as usize].order = 0;
        }
        self.attach(c, state);
        off + 1
    }

    /// Whether a slot is used.
    pub(super) fn is_used(&self, offset: u32) -> bool {
        let (c, at) = (offset / self.size, (offset % self.size) as usize);
        self.map(c).is_some_and(|map| map.used[at / 64] >> (at % 64) & 1 == 1)
    }

    /// Whether a slot holds nothing but clean swap cache.
    pub(super) fn is_cached(&self, offset: u32) -> bool {
        let (c, at) = (offset / self.size, (offset % self.size) as usize);
        self.map(c).is_some_and(|map| map.cached[at / 64] >> (at % 64) & 1 == 1)
    }

    /// Whether all of `n` slots of a cluster can be taken, those with nothing but clean swap cache
    /// too if `cached`.
    fn is_open(&self, c: u32, at: u32, n: u32, cached: bool) -> bool {
        let Some(map) = self.map(c) else { return true };
        let taken = |w: usize| map.used[w] & if cached { !map.cached[w] } else { u64::MAX };
        words(at, n).all(|w| taken(w) & mask(w, at, n) == 0)
    }

    /// The first run of 2^order slots from `at` on, by steps of as many, that can be taken; and how
    /// many slots were looked at.
    pub(super) fn find(&self, c: u32, at: u32, order: u32, cached: bool) -> (Option<u32>, u32) {
        if order == 0 {
            return self.find_one(c, at, cached);
        }
        let n = 1 << order;
        let mut place = at;
        while place + n <= self.size {
            if self.is_open(c, place, n, cached) {
                return (Some(place), place + n - at);
            }
            place += n;
        }
        (None, self.size - at.min(self.size))
    }

    /// The same for a single slot, a word at a time.
    fn find_one(&self, c: u32, at: u32, cached: bool) -> (Option<u32>, u32) {
        let Some(map) = self.map(c) else { return (Some(at), 1) };
        let open = |w: usize| !map.used[w] | if cached { map.cached[w] } else { 0 };
        let mut above = u64::MAX << (at % 64);
        for w in at as usize / 64..self.size as usize / 64 {
            let open = open(w) & above;
            if open != 0 {
                let place = w as u32 * 64 + open.trailing_zeros();
                return (Some(place), place + 1 - at);
            }
            above = u64::MAX;
        }
        (None, self.size - at)
    }

    /// Takes slots, and says which of them lost clean swap cache.
    pub(super) fn take(&mut self, c: u32, at: u32, n: u32, lost: &mut Vec<u32>) -> u32 {
        let base = c * self.size;
        let map = self.map_mut(c);
        let before = lost.len();
        for w in words(at, n) {
            let mask = mask(w, at, n);
            let mut cached = map.cached[w] & mask;
            map.cached[w] &= !mask;
            map.used[w] |= mask;
            while cached != 0 {
                lost.push(base + w as u32 * 64 + cached.trailing_zeros());
                cached &= cached - 1;
            }
        }
        let gone = (lost.len() - before) as u32;
        self.clusters[c as usize].count += (n - gone) as u16;
        gone
    }

    /// Frees used slots.
    ///
    /// # Panics
    /// When one of them is not used.
    pub(super) fn put(&mut self, c: u32, at: u32, n: u32) {
        let map = self.map_mut(c);
        for w in words(at, n) {
            let mask = mask(w, at, n);
            assert!(map.used[w] & mask == mask, "a slot is freed once");
            map.used[w] &= !mask;
            map.cached[w] &= !mask;
        }
        self.clusters[c as usize].count -= n as u16;
    }

    /// Frees the slots of a cluster that hold nothing but clean swap cache, and says which.
    pub(super) fn drop_cached(&mut self, c: u32, lost: &mut Vec<u32>) -> u32 {
        let base = c * self.size;
        let map = self.map_mut(c);
        let before = lost.len();
        for w in 0..WORDS {
            let mut cached = map.cached[w];
            map.used[w] &= !cached;
            map.cached[w] = 0;
            while cached != 0 {
                lost.push(base + w as u32 * 64 + cached.trailing_zeros());
                cached &= cached - 1;
            }
        }
        let gone = (lost.len() - before) as u32;
        self.clusters[c as usize].count -= gone as u16;
        gone
    }

    /// Marks a used slot as holding nothing but clean swap cache, or not.
    ///
    /// # Panics
    /// When it is not used.
    pub(super) fn set_cached(&mut self, offset: u32, cached: bool) {
        assert!(self.is_used(offset), "a free slot holds nothing");
        let (c, at) = (offset / self.size, (offset % self.size) as usize);
        let word = &mut self.map_mut(c).cached[at / 64];
        *word = *word & !(1 << (at % 64)) | u64::from(cached) << (at % 64);
    }

    /// Used slots by their bitmaps, blocked ones among them; what is wrong with lists and counts.
    pub(super) fn check(&self) -> Result<u32, String> {
        let mut used = 0;
        for (c, cluster) in self.clusters.iter().enumerate() {
            let bits = |words: &[u64; WORDS]| words.iter().map(|w| w.count_ones()).sum::<u32>();
            let map = self.map(c as u32);
            let count = map.map_or(0, |map| bits(&map.used));
            if count != u32::from(cluster.count) {
                return Err(format!("cluster {c} counts {} of {count} slots", cluster.count));
            }
            if map.is_some_and(|map| (0..WORDS).any(|w| map.cached[w] & !map.used[w] != 0)) {
                return Err(format!("cluster {c} has clean swap cache in free slots"));
            }
            let fits = match cluster.state {
                State::Free | State::Discard => count == 0,
                State::Full => count == self.size,
                State::NonFull | State::Frag => count < self.size,
                State::Isolated => true,
            };
            if !fits {
                return Err(format!("cluster {c} is {:?} with {count} slots", cluster.state));
            }
            used += count;
        }
        for (l, list) in self.lists.iter().enumerate() {
            let (mut c, mut len, mut prev) = (list.head, 0, NIL);
            while c != NIL && len <= self.clusters.len() as u32 {
                let cluster = &self.clusters[c as usize];
                if list_of(cluster.state, cluster.order) != l || cluster.prev != prev {
                    return Err(format!("cluster {c} stands on a list that is not its own"));
                }
                (prev, c, len) = (c, cluster.next, len + 1);
            }
            if len != list.len || list.tail != prev {
                return Err(format!("list {l} has {len} clusters and counts {}", list.len));
            }
        }
        Ok(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_and_a_cut_end_are_never_given_out() {
        let area = Area::new(CLUSTER, 1_000);
        assert_eq!(area.blocked(), 25);
        assert_eq!((area.len(State::Free, 0), area.len(State::NonFull, 0)), (0, 2));
        assert!(area.is_used(0) && !area.is_used(1) && area.is_used(1_000) && !area.is_used(999));
        assert_eq!(area.check(), Ok(25));
        assert_eq!(area.find(0, 0, 0, false), (Some(1), 2));
        assert_eq!(area.find(1, 480, 3, false), (Some(480), 8));
        assert_eq!(area.find(1, 488, 3, false), (None, 24));
    }

    #[test]
    fn a_run_is_found_behind_used_words_and_clean_cache_counts_when_wanted() {
        let mut area = Area::new(CLUSTER, 2_048);
        let mut lost = Vec::new();
        area.take(1, 0, 300, &mut lost);
        assert_eq!(area.find(1, 0, 0, false).0, Some(300));
        assert_eq!(area.find(1, 0, 8, false).0, None);
        assert_eq!(area.find(1, 0, 5, false).0, Some(320));
        area.set_cached(CLUSTER + 7, true);
        assert_eq!(area.find(1, 0, 0, true).0, Some(7));
        assert_eq!(area.take(1, 7, 1, &mut lost), 1);
        assert_eq!((lost.as_slice(), area.clusters[1].count), (&[CLUSTER + 7][..], 300));
        assert!(area.check().is_err(), "it is on the list of free ones still");
        area.put(1, 0, 300);
        assert_eq!(area.check(), Ok(1));
    }
}
