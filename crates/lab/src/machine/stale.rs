//! Reserves that were computed when a node had less memory.
//!
//! At boot the kernel computes `lowmem_reserve`, then frees its init memory: `managed` grows and
//! the reserves stay. Whether printed reserves can be explained so is a set of bounds on the
//! managed pages of that moment: a reserve r under ratio q means that the zones above held between
//! r q and r q + q - 1 pages together. All reserves of a node must fit the same moment.

/// A zone may have grown sixteenfold since; more is no plausible moment.
const GROWTH_MAX: u64 = 16;

/// The printed reserves of one zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// The zone's place among the classes.
    pub class: usize,
    /// Its ratio; 0 means that it keeps nothing.
    pub ratio: u64,
    /// What it keeps from each class.
    pub printed: &'a [u64],
}

/// A reserve of an earlier moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleReserve {
    /// The first class that it is kept from: its place in `protection`. Higher classes without
    /// memory of their own have the same reserve and are not listed.
    pub class: usize,
    /// What the kernel printed, in pages.
    pub printed: u64,
    /// Managed pages above the zone, up to that class, now.
    pub managed: u64,
    /// The least and the most of them that the reserve fits.
    pub fits: (u64, u64),
}

/// The stale reserves of the zone at `class`, when the reserves of all rows fit one earlier moment
/// of the node; `None` when they do not.
pub(super) fn find(class: usize, managed: &[u64], rows: &[Row<'_>]) -> Option<Vec<StaleReserve>> {
    let bounds = Bounds::new(managed, rows)?;
    let row = rows.iter().find(|row| row.class == class)?;
    let mut stale = Vec::new();
    for j in class + 1..managed.len() {
        let now: u64 = managed[class + 1..=j].iter().sum();
        let known = stale.last().is_some_and(|last: &StaleReserve| last.managed == now);
        if row.ratio > 0 && row.printed[j] != now / row.ratio && !known {
            let fits = bounds.between(class, j);
            stale.push(StaleReserve { class: j, printed: row.printed[j], managed: now, fits });
        }
    }
    (!stale.is_empty()).then_some(stale)
}

/// Bounds on differences of the prefix sums of managed pages: a shortest-path matrix.
struct Bounds {
    /// `most[i][j]`: the most by which the sum up to zone j - 1 exceeds the sum up to zone i - 1.
    most: Vec<Vec<i64>>,
}

impl Bounds {
    /// `None` when no managed pages fit all rows.
    fn new(managed: &[u64], rows: &[Row<'_>]) -> Option<Self> {
        let n = managed.len() + 1;
        let mut bounds = Self { most: vec![vec![i64::MAX / 4; n]; n] };
        for (i, &pages) in managed.iter().enumerate() {
            bounds.at_most(i, i + 1, pages);
            bounds.at_least(i, i + 1, pages / GROWTH_MAX);
        }
        for row in rows {
            for j in 0..managed.len() {
                let printed = row.printed[j];
                if j <= row.class || row.ratio == 0 {
                    // Nothing is kept from a zone's own class and below.
                    if printed != 0 {
                        return None;
                    }
                    continue;
                }
                let least = printed.checked_mul(row.ratio)?;
                bounds.at_least(row.class + 1, j + 1, least);
                bounds.at_most(row.class + 1, j + 1, least.checked_add(row.ratio - 1)?);
            }
        }
        bounds.close().then_some(bounds)
    }

    fn at_most(&mut self, from: usize, to: usize, pages: u64) {
        let pages = i64::try_from(pages).unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
        self.most[from][to] = self.most[from][to].min(pages);
    }

    fn at_least(&mut self, from: usize, to: usize, pages: u64) {
        let pages = i64::try_from(pages).unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
        self.most[to][from] = self.most[to][from].min(-pages);
    }

    /// Makes every bound as tight as the others allow; false when they contradict each other.
    fn close(&mut self) -> bool {
        let n = self.most.len();
        for i in 0..n {
            self.most[i][i] = self.most[i][i].min(0);
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let way = self.most[i][k].saturating_add(self.most[k][j]);
                    self.most[i][j] = self.most[i][j].min(way);
                }
            }
        }
        (0..n).all(|i| self.most[i][i] >= 0)
    }

    /// The least and the most pages of the zones after `class` up to `j`.
    fn between(&self, class: usize, j: usize) -> (u64, u64) {
        let most = self.most[class + 1][j + 1];
        let least = -self.most[j + 1][class + 1];
        (least.max(0) as u64, most.max(0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(class: usize, ratio: u64, printed: &[u64]) -> Row<'_> {
        Row { class, ratio, printed }
    }

    #[test]
    fn memory_freed_after_boot_explains_a_smaller_reserve() {
        let managed = [3840, 66_504, 0, 0];
        let rows = [row(0, 256, &[0, 253, 253, 253]), row(1, 256, &[0, 0, 0, 0])];
        let stale = find(0, &managed, &rows).expect("explained");
        assert_eq!(
            stale[0],
            StaleReserve { class: 1, printed: 253, managed: 66_504, fits: (64_768, 65_023) }
        );
        assert_eq!(stale.len(), 1, "classes without memory repeat it");
    }

    #[test]
    fn a_larger_reserve_is_not_explained() {
        let managed = [3840, 66_504];
        assert_eq!(find(0, &managed, &[row(0, 256, &[0, 260])]), None);
        assert_eq!(find(0, &managed, &[row(0, 256, &[0, 3])]), None, "less than a sixteenth");
        assert_eq!(find(0, &managed, &[row(0, 256, &[1, 253])]), None, "against its own class");
        assert_eq!(find(0, &managed, &[row(0, 0, &[0, 253])]), None, "with ratio 0");
    }

    #[test]
    fn all_reserves_must_fit_one_moment() {
        // DMA says that Normal had 100,000 to 100,255 pages fewer than DMA32's row allows.
        let managed = [3840, 500_000, 600_000];
        let fits = [row(0, 256, &[0, 1900, 4200]), row(1, 256, &[0, 0, 2300])];
        assert!(find(0, &managed, &fits).is_some());
        assert!(find(1, &managed, &fits).is_some());
        let contradicts = [row(0, 256, &[0, 1900, 4200]), row(1, 256, &[0, 0, 2000])];
        assert_eq!(find(0, &managed, &contradicts), None);
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let rows = [row(0, u64::MAX, &[0, u64::MAX])];
        assert_eq!(find(0, &[1, u64::MAX], &rows), None);
    }
}
