//! The model's side: classes, entries and cohorts, reclaimed by its own rules.

use super::traces::{Cursor, Trace, Use};
use super::{Found, Rules};
use engine::Stream;
use mm::lru::generations::{Generations, Sorting};
use mm::lru::list::cohort_max;
use mm::lru::{ClassConfig, ClassId, Entry, Flags, LruList, Lruvec, Miss, Order, PageKind, Pages};
use mm::lru::{Partition, Shadow};
use mm::vmscan::folio_list::{self, deactivate, shrink_folio_list};

/// Only file pages can be evicted.
const FILE: [bool; 2] = [false, true];

struct Memory {
    pages: Pages,
    vec: Lruvec,
    draws: Stream,
    rules: Rules,
    batch: u64,
}

pub(crate) fn run(trace: &Trace, memory: u64, uses: u64, seed: u64, rules: Rules) -> Found {
    let mut configs: Vec<ClassConfig> = trace.classes.iter().map(|c| c.config).collect();
    for config in &mut configs {
        config.mapped = rules.mapped;
    }
    configs.push(ClassConfig { mapped: rules.mapped, ..ClassConfig::STREAMS });
    let once = ClassId(configs.len() as u16 - 1);
    let ledger = catalog::Ledger::default();
    let cohorts = ledger.get(catalog::ConstantId::CohortsPerList);
    let size = cohort_max(memory, cohorts);
    let part = if rules.lru_gen {
        Partition::generations(size, false)
    } else {
        Partition::classic(size).with_marks()
    };
    let mut m = Memory {
        pages: Pages::new(&configs),
        vec: Lruvec::new(vec![part], configs.len(), &ledger),
        draws: Stream::new(seed, "oracle.cohorts", 0),
        rules,
        batch: 32.min(memory / 8),
    };
    let mut cursor = Cursor::new(seed);
    let mut found = Found::default();
    let mut resident = 0;
    for n in 0..uses {
        let counted = n >= uses / 10;
        found.uses += u64::from(counted);
        let id = match trace.next(&mut cursor) {
            Use::Page(page) => ClassId(trace.class_of(page) as u16),
            Use::Once => once,
        };
        if id != once && m.hit(id) {
            found.hits += u64::from(counted);
            continue;
        }
        let miss =
            if id == once { Miss::Fresh } else { m.pages.class_mut(id).draw_miss(&mut m.draws) };
        m.pages.class_mut(id).expect(1);
        if resident >= memory {
            resident -= m.reclaim();
        }
        let flags = m.flags(miss, counted.then_some(&mut found.distances));
        m.fault(id, flags);
        resident += 1;
    }
    found
}

impl Memory {
    fn hit(&mut self, id: ClassId) -> bool {
        let class = self.pages.class_mut(id);
        let part = &mut self.vec.parts[0];
        let moves = !class.config.mapped && !self.rules.lru_gen;
        let mut active = 0;
        let found = if class.config.order == Order::Loop {
            let first = class.next_use();
            let found = class.step_loop();
            if found && moves {
                active = part.use_in_order(id, (first, 1), (0, &self.pages));
            }
            found
        } else {
            let resident = class.resident_pages();
            let found = self.draws.below(class.config.pages) < resident;
            if found {
                class.touch(1);
                if moves {
                    let mean = engine::dist::ONE / resident;
                    active = part.use_at_random(id, mean, (0, &self.pages), &mut self.draws);
                }
            }
            found
        };
        self.vec.nonresident_age += active;
        found
    }

    fn flags(&mut self, miss: Miss, distances: Option<&mut Vec<u64>>) -> Flags {
        let fresh = if self.rules.lru_gen {
            let mapped = Flags::REFERENCED.with(Flags::YOUNG);
            if self.rules.mapped { mapped } else { Flags::default() }
        } else if self.rules.mapped {
            Flags::YOUNG
        } else {
            Flags::REFERENCED
        };
        let Miss::Refault(shadow) = miss else { return fresh };
        if let Some(distances) = distances {
            distances.push(self.vec.nonresident_age - shadow.age);
        }
        let refault = if self.rules.lru_gen {
            self.vec.refault_generation(PageKind::File, &shadow, (1, self.rules.mapped))
        } else {
            self.vec.refault(PageKind::File, &shadow, false, 1)
        };
        let mut flags = fresh;
        if refault.restore {
            flags = flags.with(Flags::WORKINGSET);
        }
        if refault.activate { flags.with(Flags::ACTIVE) } else { flags }
    }

    fn fault(&mut self, id: ClassId, flags: Flags) {
        let first = self.pages.class(id).next_use().saturating_sub(1);
        self.pages.arrive(id, 0, 1, first);
        let class = self.pages.class(id);
        let heat = if class.config.order == Order::Loop { first } else { class.heat };
        let e = Entry { heat, due: 0, count: 1, class: id, zone: 0, flags };
        self.vec.parts[0].add(e, 0, &self.pages);
    }

    /// Reclaims until a batch is freed; says how many pages.
    fn reclaim(&mut self) -> u64 {
        let mut freed = 0;
        for _ in 0..10_000 {
            if freed >= self.batch {
                break;
            }
            freed += if self.rules.lru_gen { self.evict() } else { self.shrink() };
        }
        if !self.rules.lru_gen {
            self.vec.snapshot_refaults();
        }
        freed
    }

    fn shrink(&mut self) -> u64 {
        if self.vec.may_deactivate(PageKind::File, 0) {
            let mut taken = Vec::new();
            let part = &mut self.vec.parts[0];
            part.take(LruList::ActiveFile, 32, &self.pages, &mut self.draws, &mut taken);
            for e in deactivate(&taken, &self.pages, &mut self.draws) {
                self.vec.parts[0].add(e, 0, &self.pages);
            }
        }
        let mut taken = Vec::new();
        let part = &mut self.vec.parts[0];
        part.take(LruList::InactiveFile, self.batch, &self.pages, &mut self.draws, &mut taken);
        self.judge(taken.into_iter().map(|e| (e, 0)).collect())
    }

    fn evict(&mut self) -> u64 {
        if self.vec.parts[0].gens().is_some_and(|gens| gens.should_age(false, FILE)) {
            self.vec.age(&mut self.pages, FILE, &mut self.draws);
        }
        self.drop_empty();
        let tier_idx = self.vec.tiers[1].evictable();
        let gens = self.vec.parts[0].gens_mut().expect("generations");
        let with = Sorting { pages: &self.pages, walks: &self.vec.walks, tier_idx, now: 0 };
        let n = self.batch;
        let found = gens.scan(PageKind::File, (n, n), with, &mut self.draws);
        let protected = &mut self.vec.tiers[1].protected;
        for (sum, new) in protected.iter_mut().zip(found.nr_protected) {
            *sum += new;
        }
        self.drop_empty();
        self.judge(found.isolated)
    }

    fn drop_empty(&mut self) {
        let gens = self.vec.parts[0].gens_mut().expect("generations");
        let gone = gens.drop_empty(FILE);
        self.vec.generations_gone(gone);
    }

    fn judge(&mut self, taken: Vec<(Entry, u8)>) -> u64 {
        let rules = folio_list::Rules { lru_gen: self.rules.lru_gen, swap: false, now: 0 };
        let verdict = shrink_folio_list(&taken, rules, &self.pages, &mut self.draws);
        let seq = self.vec.parts[0].gens().map_or(0, |gens| gens.min_seq[1]);
        let mut freed = 0;
        for (e, tier) in verdict.reclaim {
            self.vec.tiers[1].evicted[usize::from(tier)] += u64::from(e.count);
            let age = self.vec.nonresident_age;
            self.vec.nonresident_age += u64::from(e.count);
            let workingset = e.flags.has(Flags::WORKINGSET);
            let shadow = Shadow { age, seq, workingset, tier, ..Shadow::default() };
            self.pages.leave(0, &e, Some(shadow));
            freed += u64::from(e.count);
        }
        for e in verdict.keep {
            let part = &mut self.vec.parts[0];
            let rejected = |gens: &Generations| gens.rejected(PageKind::File, &e, 0);
            let flags = part.gens().map_or(e.flags, rejected);
            part.add(e.flagged(flags), 0, &self.pages);
            let ages = !self.rules.lru_gen && flags.has(Flags::ACTIVE);
            self.vec.nonresident_age += u64::from(ages) * u64::from(e.count);
        }
        freed
    }
}
