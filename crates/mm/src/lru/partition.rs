//! One partition of a node's LRU lists: a set of lists under one lru_lock.
//!
//! A node that is not partitioned has one. Placement: a page goes to the partition of the CPU that
//! adds it (CPU number modulo partitions), so that one folio batch takes one lock.

use super::list::List;

/// The file lists of a partition; the anonymous ones are empty until there is anonymous memory.
#[derive(Clone, Debug)]
pub struct Partition {
    /// inactive_file.
    pub inactive_file: List,
    /// active_file.
    pub active_file: List,
}

impl Partition {
    /// Empty lists with cohorts of up to `cohort_max` pages.
    #[must_use]
    pub fn new(cohort_max: u64) -> Self {
        Self { inactive_file: List::new(cohort_max), active_file: List::new(cohort_max) }
    }

    /// Whether the inactive list is too short beside the active one (7.2 mm/vmscan.c:inactive_is_low):
    /// inactive x sqrt(10 x size in GiB) < active.
    #[must_use]
    pub fn inactive_is_low(&self) -> bool {
        let (inactive, active) = (self.inactive_file.size(), self.active_file.size());
        let gib = (inactive + active) >> 18;
        let ratio = if gib == 0 { 1 } else { (10 * gib).isqrt() };
        inactive * ratio < active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inactive_ratio_grows_with_the_root_of_the_size() {
        let mut p = Partition::new(1 << 20);
        p.inactive_file.add(&[0, 0, 9 << 18, 0]);
        // 100 GiB in all: ratio 31, so 3.1 GiB would be enough.
        p.active_file.add(&[0, 0, 91 << 18, 0]);
        assert!(!p.inactive_is_low());
        let mut q = Partition::new(1 << 20);
        q.inactive_file.add(&[0, 0, 2 << 18, 0]);
        q.active_file.add(&[0, 0, 98 << 18, 0]);
        assert!(q.inactive_is_low());
        let mut small = Partition::new(16);
        small.inactive_file.add(&[0, 0, 10, 0]);
        small.active_file.add(&[0, 0, 10, 0]);
        assert!(!small.inactive_is_low());
    }
}
