//! Uses of pages: which page comes next, and the classes that the model makes of them.

use engine::Stream;
use mm::lru::{ClassConfig, Order, PageKind};

/// How pages are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// Twice as many pages as memory holds, each as likely as any other.
    Uniform,
    /// Four times as many, by rank to this power in thousandths.
    Zipf(u32),
    /// A quarter more than memory holds, round and round.
    Loop,
    /// A hot set of half of memory takes half of the uses, beside pages that are used once.
    Scan,
    /// Zipf 0.9 for two thirds of the uses, beside a loop over a quarter of memory.
    Mix,
}

/// A set of pages that the trace draws from.
pub(crate) struct Part {
    /// Pages, numbered on from `first`.
    pub(crate) first: u64,
    pub(crate) pages: u64,
    pub(crate) order: Order,
    /// Share of the uses, cumulated, in 2^-64.
    until: f64,
    /// Cumulated shares by page, where they differ.
    ranks: Vec<f64>,
}

/// A class of the model: pages `first..first + pages` of the trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub(crate) config: ClassConfig,
    pub(crate) first: u64,
}

/// A trace.
pub(crate) struct Trace {
    parts: Vec<Part>,
    /// Pages that are used again; what is above is used once.
    pub(crate) pages: u64,
    pub(crate) classes: Vec<Class>,
}

/// The next use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Of this page.
    Page(u64),
    /// Of a page that is never used again.
    Once,
}

/// Chooses uses one after the other.
pub(crate) struct Cursor {
    draws: Stream,
    looped: u64,
}

impl Cursor {
    pub(crate) fn new(seed: u64) -> Self {
        Self { draws: Stream::new(seed, "oracle.uses", 0), looped: 0 }
    }

    fn unit(&mut self) -> f64 {
        (self.draws.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Trace {
    pub(crate) fn new(load: Load, memory: u64) -> Self {
        let mut trace = Self { parts: Vec::new(), pages: 0, classes: Vec::new() };
        match load {
            Load::Uniform => trace.random(2 * memory, 1.0, 0.0),
            Load::Zipf(power) => trace.random(4 * memory, 1.0, f64::from(power) / 1_000.0),
            Load::Loop => trace.looped(memory * 5 / 4, 1.0),
            // The rest of the uses are of pages that are used once.
            Load::Scan => trace.random(memory / 2, 0.5, 0.0),
            Load::Mix => {
                trace.random(2 * memory, 2.0 / 3.0, 0.9);
                trace.looped(memory / 4, 1.0);
            }
        }
        trace
    }

    fn push_class(&mut self, first: u64, pages: u64, order: Order) {
        let config = ClassConfig {
            kind: PageKind::File,
            mapped: true,
            mapping: Some(0),
            pages,
            order,
            memcg: 0,
        };
        self.classes.push(Class { config, first });
    }

    fn random(&mut self, pages: u64, until: f64, power: f64) {
        let first = self.pages;
        self.pages += pages;
        let mut ranks = Vec::new();
        if power == 0.0 {
            self.push_class(first, pages, Order::Random);
        } else {
            let mut sum = 0.0;
            for rank in 1..=pages {
                sum += libm::pow(rank as f64, -power);
                ranks.push(sum);
            }
            for share in &mut ranks {
                *share /= sum;
            }
            let mut at = 0;
            while at < pages {
                // Ranks within a quarter of an octave are one class.
                let end = ((at + 1) as f64 * 1.19).ceil().min(pages as f64 + 1.0) as u64;
                let end = (end - 1).max(at + 1);
                self.push_class(first + at, end - at, Order::Random);
                at = end;
            }
        }
        self.parts.push(Part { first, pages, order: Order::Random, until, ranks });
    }

    fn looped(&mut self, pages: u64, until: f64) {
        let first = self.pages;
        self.pages += pages;
        self.push_class(first, pages, Order::Loop);
        self.parts.push(Part { first, pages, order: Order::Loop, until, ranks: Vec::new() });
    }

    pub(crate) fn next(&self, cursor: &mut Cursor) -> Use {
        let which = cursor.unit();
        let Some(part) = self.parts.iter().find(|part| which < part.until) else {
            return Use::Once;
        };
        if part.order == Order::Loop {
            cursor.looped += 1;
            return Use::Page(part.first + (cursor.looped - 1) % part.pages);
        }
        if part.ranks.is_empty() {
            return Use::Page(part.first + cursor.draws.below(part.pages));
        }
        let at = cursor.unit();
        let rank = part.ranks.partition_point(|&share| share <= at) as u64;
        Use::Page(part.first + rank.min(part.pages - 1))
    }

    /// The class of a page.
    pub(crate) fn class_of(&self, page: u64) -> usize {
        self.classes.partition_point(|class| class.first <= page) - 1
    }
}
