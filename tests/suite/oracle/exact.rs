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
        tiers: Tiers::default(),
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
            p.refs += 1;
        } else if p.active || !p.referenced {
            p.referenced = true;
        } else {
            // mark_page_accessed: the second use activates.
            p.referenced = false;
            p.active = true;
            self.sizes[0] -= 1;
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
        p.refs = 1;
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
            self.put(usize::from(again), page);
        }
        freed
    }

    fn size(&self, seq: u64) -> usize {
        let list = &self.lists[(seq % 4) as usize];
        list.iter().filter(|(page, place)| self.pages[*page as usize].place == *place).count()
    }

    fn drop_empty(&mut self) {
        while self.min_seq + 2 <= self.max_seq && self.size(self.min_seq) == 0 {
            self.lists[(self.min_seq % 4) as usize].clear();
            self.min_seq += 1;
            self.tiers.carry_over();
        }
    }

    fn age_generations(&mut self) {
        self.drop_empty();
        if self.max_seq - self.min_seq == 3 {
            // The oldest joins the next one.
            let mut oldest = core::mem::take(&mut self.lists[(self.min_seq % 4) as usize]);
            let next = &mut self.lists[((self.min_seq + 1) % 4) as usize];
            for (page, place) in &oldest {
                let p = &mut self.pages[*page as usize];
                if p.place == *place {
                    p.seq = p.seq.max(self.min_seq + 1);
                }
            }
            next.append(&mut oldest);
            self.min_seq += 1;
            self.tiers.carry_over();
        }
        if self.rules.mapped {
            let young = self.max_seq + 1;
            for p in self.pages.iter_mut().filter(|p| p.resident && p.young) {
                p.young = false;
                if p.referenced || p.workingset {
                    p.seq = young;
                    p.referenced = false;
                    p.workingset = true;
                } else {
                    p.referenced = true;
                }
            }
        }
        self.max_seq += 1;
    }

    fn evict(&mut self) -> u64 {
        let oldest = (self.min_seq..=self.max_seq).find(|&s| self.size(s) > 0);
        if oldest.is_some_and(|seq| seq + 2 >= self.max_seq) {
            self.age_generations();
        }
        let tier_idx = self.tiers.evictable();
        self.drop_empty();
        if self.min_seq + 2 > self.max_seq {
            return 0;
        }
        let list = (self.min_seq % 4) as usize;
        let taken: Vec<u64> = (0..self.batch).map_while(|_| self.take(list)).collect();
        let mut freed = 0;
        for page in taken {
            let (mapped, min_seq) = (self.rules.mapped, self.min_seq);
            let p = *self.page(page);
            let tier = match (p.workingset, if mapped { 0 } else { p.refs }) {
                (true, _) => 3,
                (_, 0 | 1) => 0,
                (_, 2) => 1,
                _ => 2,
            };
            if p.seq > min_seq {
                self.put_seq(p.seq, page);
            } else if tier > tier_idx {
                self.tiers.protected[usize::from(tier)] += 1;
                let p = self.page(page);
                p.referenced = false;
                p.refs = 1;
                self.put_seq(min_seq + 1, page);
            } else if mapped && p.young {
                let known = p.referenced || p.workingset;
                let p = self.page(page);
                p.young = false;
                p.referenced = !known;
                p.workingset = known || p.workingset;
                let back = u64::from(!p.workingset) * 2;
                let seq = self.max_seq.saturating_sub(back).max(min_seq);
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
