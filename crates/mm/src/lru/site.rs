//! From where in the kernel lru_lock is taken: what `perf lock` shows as callers.

use crate::task::Step;

/// A place that takes lru_lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// New pages join the lists by batches (7.2 mm/swap.c: folio_batch_move_lru; lru_add_drain).
    Add,
    /// Pages of the inactive list or of a generation are taken, and those kept put back
    /// (mm/vmscan.c: shrink_inactive_list, evict_folios).
    Inactive,
    /// Pages of the active list are taken and put back (shrink_active_list).
    Active,
    /// What a slice cost is noted (up to 7.2 mm/swap.c: lru_note_cost_unlock_irq).
    Cost,
    /// A new generation begins (inc_max_seq).
    Aging,
    /// Pages that are freed leave their list (mm/swap.c: folios_put_refs).
    Free,
}

impl Site {
    /// All, by number.
    pub const ALL: [Self; 6] =
        [Self::Add, Self::Inactive, Self::Active, Self::Cost, Self::Aging, Self::Free];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Inactive => "inactive",
            Self::Active => "active",
            Self::Cost => "cost",
            Self::Aging => "aging",
            Self::Free => "free",
        }
    }

    /// The site of a passage after which a task goes on at this step.
    #[must_use]
    pub(crate) const fn before(step: Step) -> Self {
        match step {
            Step::LruAdded => Self::Add,
            Step::ActiveTaken | Step::ActivePutback => Self::Active,
            Step::SliceDone | Step::ShrinkNext => Self::Cost,
            Step::Aged | Step::AgeMerged => Self::Aging,
            Step::InactiveTaken | Step::InactiveSorted | Step::InactivePutback => Self::Inactive,
            _ => Self::Free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_site_has_a_name_of_its_own() {
        for (number, site) in Site::ALL.into_iter().enumerate() {
            assert_eq!(site as usize, number);
            assert!(Site::ALL[..number].iter().all(|other| other.name() != site.name()));
        }
        assert_eq!(Site::before(Step::LruAdded), Site::Add);
        assert_eq!(Site::before(Step::SliceDone), Site::Cost);
    }
}
