//! Pages that cannot be told apart: the same class, zone and state.

use crate::config::ZONES_PER_NODE;

/// The number of a class of pages: its row in [`super::Pages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ClassId(pub u16);

impl ClassId {
    /// For indexing.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is noted on a page (page flags under the kernel's names).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flags(pub u8);

impl Flags {
    /// PG_referenced: used once since it was last looked at.
    pub const REFERENCED: Self = Self(1);
    /// PG_workingset: was active, or came back soon enough.
    pub const WORKINGSET: Self = Self(2);
    /// The accessed bit is set for certain: the page was mapped by the fault that brought it.
    pub const YOUNG: Self = Self(4);
    /// PG_active: it shall join the active end.
    pub const ACTIVE: Self = Self(8);
    /// PG_reclaim: met under writeback or dirty; it goes to the tail when it is written.
    pub const RECLAIM: Self = Self(16);

    /// PG_swapcache: it has a slot and is clean, or is being written to it.
    pub const SWAPPED: Self = Self(32);
    /// A page of a mapped file that no page table maps: it was read around another one, and nobody
    /// has used it or a page beside it since it was last looked at.
    pub const UNMAPPED: Self = Self(64);
    /// Generations: its uses by read() were forgotten when it was moved to a younger one, that
    /// which brought it among them.
    pub const FORGOTTEN: Self = Self(128);

    /// Whether all of `other` is set.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// With `other` set.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// With `other` cleared.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// So many pages of one class, zone kind and state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Where in the class they stand in time.
    ///
    /// Of a class that is used at random: how often, on average, a page of it had been used when
    /// these were last looked at, with 32 fraction bits ([`super::Class::heat`]). Of a loop: the
    /// number of the use that brought the first of them; the others follow it.
    pub heat: u64,
    /// When their writeback is over, in nanoseconds; 0 when they are not written.
    pub due: u64,
    /// How many.
    pub count: u32,
    /// Their class.
    pub class: ClassId,
    /// Their zone kind.
    pub zone: u8,
    /// Their state.
    pub flags: Flags,
}

impl Entry {
    /// Whether pages of `other` differ from these in nothing but their time of use.
    #[must_use]
    #[inline]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.class, self.zone, self.flags, self.due)
            == (other.class, other.zone, other.flags, other.due)
    }

    /// The same pages, but only so many of them.
    #[must_use]
    #[inline]
    pub const fn of(self, count: u32) -> Self {
        Self { count, ..self }
    }

    /// The same pages in another state.
    #[must_use]
    #[inline]
    pub const fn flagged(self, flags: Flags) -> Self {
        Self { flags, ..self }
    }
}

/// Pages by zone kind.
#[must_use]
pub fn by_zone(entries: &[Entry]) -> [u64; ZONES_PER_NODE] {
    let mut sum = [0; ZONES_PER_NODE];
    for e in entries {
        sum[usize::from(e.zone)] += u64::from(e.count);
    }
    sum
}

/// How many pages in all.
#[must_use]
#[inline]
pub fn pages(entries: &[Entry]) -> u64 {
    entries.iter().map(|e| u64::from(e.count)).sum()
}

/// Whether like pages join: runs of a loop only end to end.
#[must_use]
#[inline]
pub fn joins(e: &Entry, new: &Entry, runs: bool) -> bool {
    !runs || e.heat + u64::from(e.count) == new.heat
}

/// Adds pages to others, together with those they are like. Runs of a loop keep their order: one
/// only joins the last of its class, if it goes on where that ends.
#[inline]
pub fn merge(entries: &mut Vec<Entry>, new: Entry, runs: bool) {
    let mut younger = entries.iter_mut().rev();
    let like = if runs {
        let last = younger.find(|e| e.class == new.class);
        last.filter(|e| e.is_like(&new) && joins(e, &new, true))
    } else {
        younger.find(|e| e.is_like(&new))
    };
    match like {
        Some(e) if runs || e.heat == new.heat => e.count += new.count,
        Some(e) => {
            // Their mean time, weighted: e + (new - e) * share, without overflow.
            let (own, more) = (u64::from(e.count), u64::from(new.count));
            let share =
                |gap: u64| (u128::from(gap) * u128::from(more) / u128::from(own + more)) as u64;
            e.heat = if new.heat >= e.heat {
                e.heat + share(new.heat - e.heat)
            } else {
                e.heat - share(e.heat - new.heat)
            };
            e.count += new.count;
        }
        None => entries.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(class: u16, heat: u64, count: u32) -> Entry {
        Entry { heat, count, class: ClassId(class), ..Entry::default() }
    }

    #[test]
    fn like_pages_join_at_their_mean_time() {
        let mut entries = vec![entry(1, 100, 30)];
        merge(&mut entries, entry(1, 400, 10), false);
        merge(&mut entries, entry(2, 7, 5), false);
        assert_eq!(entries, [entry(1, 175, 40), entry(2, 7, 5)]);
        merge(&mut entries, entry(2, 1, 5), false);
        assert_eq!(entries[1], entry(2, 4, 10));
        let flagged = entry(2, 4, 1).flagged(Flags::REFERENCED);
        merge(&mut entries, flagged, false);
        assert_eq!(entries.len(), 3);
        assert_eq!(pages(&entries), 51);
    }

    #[test]
    fn runs_of_a_loop_join_end_to_end_only() {
        let mut entries = vec![entry(1, 100, 30)];
        merge(&mut entries, entry(1, 130, 10), true);
        merge(&mut entries, entry(1, 200, 10), true);
        assert_eq!(entries, [entry(1, 100, 40), entry(1, 200, 10)]);
        // What came between stays between.
        merge(&mut entries, entry(1, 140, 5), true);
        assert_eq!(entries.len(), 3);
    }
}
