//! Every page with its flags and its place on a list, by the kernel's rules.

use super::traces::{Cursor, Trace, Use};
use super::{Found, Rules};
use mm::lru::lruvec::Tiers;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, Default)]
struct Page {
    resident: bool,
    active: bool,
    referenced: bool,
    workingset: bool,
    /// The accessed bit.
    young: bool,
    /// Uses by read() since it entered its generation.
    refs: u32,
    /// The generation that it belongs to; its list may be an older one's.
    seq: u64,
    /// Which entry of the lists is its place.
    place: u64,
    /// When it was evicted, from which generation, its mark and tier.
    shadow: Option<(u64, u64, bool, u8)>,
}

impl Page {
    /// Its tier, and whether it was read so often that it is promoted in any case.
    fn tier(&self) -> (usize, bool) {
        let tier = match (self.workingset, self.refs) {
            (true, _) => 3,
            (_, 0 | 1) => 0,
            (_, 2) => 1,
            _ => 2,
        };
        (tier, self.workingset && self.refs == 4)
    }
}

struct Memory {
    pages: Vec<Page>,
    /// inactive and active, or four generations by sequence number; the front is the youngest.
    lists: [VecDeque<(u64, u64)>; 4],
    /// Pages on the inactive and the active list.
    sizes: [u64; 2],
    places: u64,
    age: u64,
    activated: bool,
    min_seq: u64,
    max_seq: u64,
    tiers: Tiers,
    rules: Rules,
    batch: usize,
}

pub(crate) fn run(trace: &Trace, memory: u64, uses: u64, seed: u64, rules: Rules) -> Found {
    let mut m = Memory {
        pages: vec![Page::default(); trace.pages as usize],
        lists: Default::default(),
        sizes: [0; 2],
        places: 0,
        age: 0,
        activated: false,
        min_seq: 0,
        max_seq: 3,
        tiers: Tiers::new(64),
        rules,
        batch: 32.min(memory as usize / 8),
    };
    let mut cursor = Cursor::new(seed);
    let mut found = Found::default();
    let mut resident = 0;
    for n in 0..uses {
        let counted = n >= uses / 10;
        found.uses += u64::from(counted);
        let page = match trace.next(&mut cursor) {
            Use::Page(page) => page,
            Use::Once => {
                m.pages.push(Page::default());
                m.pages.len() as u64 - 1
            }
        };
        if m.pages[page as usize].resident {
            m.touch(page);
            found.hits += u64::from(counted);
            continue;
        }
        if resident >= memory {
            resident -= m.reclaim();
        }
        m.fault(page, counted.then_some(&mut found.distances));
        resident += 1;
    }
    found
}

impl Memory {
    fn page(&mut self, page: u64) -> &mut Page {
        &mut self.pages[page as usize]
    }

    fn touch(&mut self, page: u64) {
        let (mapped, lru_gen) = (self.rules.mapped, self.rules.lru_gen);
        let p = self.page(page);
        if mapped {
            p.young = true;
        } else if lru_gen {
            // lru_gen_inc_refs: the fifth use is the workingset mark.
            p.workingset |= p.refs == 4;
            p.refs = 4.min(p.refs + 1);
        } else if p.active || !p.referenced {
            p.referenced = true;
        } else {
            // mark_page_accessed: the second use activates.
            p.referenced = false;
            p.active = true;
            self.sizes[0] -= 1;
            self.age += 1;
            self.put(1, page);
        }
    }

    /// To the head of a classic list.
    fn put(&mut self, list: usize, page: u64) {
        self.places += 1;
        let place = self.places;
        self.page(page).place = place;
        self.lists[list].push_front((page, place));
        self.sizes[list] += 1;
    }

    /// To the head of a generation's list.
    fn put_seq(&mut self, seq: u64, page: u64) {
        self.places += 1;
        let place = self.places;
        let p = self.page(page);
        p.place = place;
        p.seq = seq;
        self.lists[(seq % 4) as usize].push_front((page, place));
    }

    /// Off the tail of a list.
    fn take(&mut self, list: usize) -> Option<u64> {
        while let Some((page, place)) = self.lists[list].pop_back() {
            if self.pages[page as usize].place == place {
                if !self.rules.lru_gen {
                    self.sizes[list] -= 1;
                }
                return Some(page);
            }
        }
        None
    }

    fn fault(&mut self, page: u64, distances: Option<&mut Vec<u64>>) {
        let shadow = self.page(page).shadow.take();
        let (mapped, lru_gen) = (self.rules.mapped, self.rules.lru_gen);
        *self.page(page) = Page { resident: true, ..Page::default() };
        if let (Some((age, ..)), Some(distances)) = (shadow, distances) {
            distances.push(self.age - age);
        }
        if lru_gen {
            self.fault_generation(page, shadow);
            return;
        }
        let p = self.page(page);
        p.young = mapped;
        p.referenced = !mapped;
        if let Some((age, _, workingset, _)) = shadow
            && self.age - age <= self.sizes[1]
        {
            self.age += 1;
            self.activated = true;
            let p = self.page(page);
            p.active = true;
            p.workingset = workingset;
            self.put(1, page);
            return;
        }
        self.put(0, page);
    }

    fn fault_generation(&mut self, page: u64, shadow: Option<(u64, u64, bool, u8)>) {
        let mapped = self.rules.mapped;
        let mut active = false;
        if let Some((_, seq, workingset, tier)) = shadow
            && self.max_seq - seq < 4
        {
            self.tiers.refaulted[usize::from(tier)] += 1;
            self.page(page).workingset = workingset;
            active = mapped && workingset;
        }
        let p = self.page(page);
        p.referenced = mapped;
        p.young = mapped;
        p.refs = u32::from(!mapped);
        let back = match (active, p.workingset || p.referenced) {
            (true, _) => 0,
            (_, true) => 2,
            _ => 3,
        };
        let seq = self.max_seq.saturating_sub(back).max(self.min_seq);
        self.put_seq(seq, page);
    }

    fn reclaim(&mut self) -> u64 {
        let mut freed = 0;
        for _ in 0..10_000 {
            if freed >= self.batch as u64 {
                break;
            }
            freed += if self.rules.lru_gen { self.evict() } else { self.shrink() };
        }
        self.activated = false;
        freed
    }

    fn shrink(&mut self) -> u64 {
        let gib = (self.sizes[0] + self.sizes[1]) >> 18;
        let ratio = if gib == 0 { 1 } else { (10 * gib).isqrt() };
        if self.activated || self.sizes[0] * ratio < self.sizes[1] {
            let taken: Vec<u64> = (0..32).map_while(|_| self.take(1)).collect();
            for page in taken {
                let p = self.page(page);
                p.active = false;
                p.young = false;
                p.workingset = true;
                self.put(0, page);
            }
        }
        let taken: Vec<u64> = (0..self.batch).map_while(|_| self.take(0)).collect();
        let mut freed = 0;
        for page in taken {
            let mapped = self.rules.mapped;
            let p = self.page(page);
            if !mapped || !p.young {
                let shadow = (self.age, 0, self.page(page).workingset, 0);
                *self.page(page) = Page { shadow: Some(shadow), ..Page::default() };
                self.age += 1;
                freed += 1;
                continue;
            }
            p.young = false;
            let again = p.referenced;
            p.referenced = true;
            p.active = again;
            self.age += u64::from(again);
            self.put(usize::from(again), page);
        }
        freed
    }

    /// try_to_inc_min_seq.
    fn drop_empty(&mut self) {
        let min_seq = self.min_seq;
        while self.min_seq + 2 <= self.max_seq && self.lists[(self.min_seq % 4) as usize].is_empty()
        {
            self.min_seq += 1;
        }
        if self.min_seq > min_seq {
            self.tiers.carry_over();
        }
    }

    /// The walk of the page tables, which promotes to what is the youngest generation then.
    fn walk(&mut self) {
        for p in self.pages.iter_mut().filter(|p| p.resident && p.young) {
            p.young = false;
            if p.referenced || p.workingset {
                p.seq = self.max_seq;
                p.referenced = false;
                p.workingset = true;
            } else {
                p.referenced = true;
            }
        }
    }

    /// inc_min_seq: the pages of the oldest generation belong to the next one, behind its own, and
    /// what was promoted is moved when it is met.
    fn merge_oldest(&mut self) {
        let mut oldest = core::mem::take(&mut self.lists[(self.min_seq % 4) as usize]);
        for &(page, _) in &oldest {
            let p = &mut self.pages[page as usize];
            if p.seq == self.min_seq {
                let (tier, promoted) = p.tier();
                self.tiers.protected[tier] += u64::from(!promoted);
                p.seq += 1;
            }
        }
        self.lists[((self.min_seq + 1) % 4) as usize].append(&mut oldest);
        self.min_seq += 1;
        self.tiers.carry_over();
    }

    /// try_to_inc_max_seq.
    fn age_generations(&mut self) {
        if self.rules.mapped {
            self.walk();
        }
        if self.max_seq - self.min_seq == 3 {
            self.merge_oldest();
        }
        self.max_seq += 1;
    }

    fn evict(&mut self) -> u64 {
        if self.min_seq + 2 >= self.max_seq {
            self.age_generations();
        }
        self.drop_empty();
        let tier_idx = self.tiers.evictable();
        if self.min_seq + 2 > self.max_seq {
            return 0;
        }
        let list = (self.min_seq % 4) as usize;
        let taken: Vec<u64> = (0..self.batch).map_while(|_| self.take(list)).collect();
        let min_seq = self.min_seq;
        // Where the scan moves them is done under the lock, before any page is looked up.
        let mut isolated = Vec::new();
        for page in taken {
            let p = *self.page(page);
            let (tier, promoted) = p.tier();
            if p.seq > min_seq {
                self.put_seq(p.seq, page);
            } else if promoted || tier > usize::from(tier_idx) {
                self.tiers.protected[tier] += u64::from(!promoted);
                let p = self.page(page);
                p.referenced = false;
                p.refs = 0;
                self.put_seq(min_seq + 1, page);
            } else {
                isolated.push((page, tier as u8));
            }
        }
        self.drop_empty();
        self.look_up(&isolated)
    }

    /// shrink_folio_list of what was isolated.
    fn look_up(&mut self, isolated: &[(u64, u8)]) -> u64 {
        let mut freed = 0;
        for &(page, tier) in isolated {
            let (mapped, min_seq) = (self.rules.mapped, self.min_seq);
            let p = *self.page(page);
            if mapped && p.young {
                let known = p.referenced || p.workingset;
                let max_seq = self.max_seq;
                let p = self.page(page);
                p.young = false;
                p.referenced = !known;
                p.workingset = known || p.workingset;
                let mut seq = if known { max_seq } else { min_seq.max(max_seq.saturating_sub(2)) };
                if seq == min_seq {
                    // Never to the oldest generation.
                    p.referenced = false;
                    seq = max_seq - 1;
                }
                self.put_seq(seq, page);
            } else {
                self.tiers.evicted[usize::from(tier)] += 1;
                let shadow = (self.age, min_seq, p.workingset, tier);
                self.age += 1;
                *self.page(page) = Page { shadow: Some(shadow), ..Page::default() };
                freed += 1;
            }
        }
        freed
    }
}
