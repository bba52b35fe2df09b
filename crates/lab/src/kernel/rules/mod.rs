//! The rules, one module a group: each reads what the kernel did and what the runs of the model
//! did, and returns a line for every figure that the experiment has.

mod absent;
mod amounts;
mod balance;
mod boost;
mod marks;
mod memcg;
mod pressure;
mod shares;
pub(super) mod swap;
mod swappiness;
mod wake;

pub(super) use absent::{Present, not_run};
pub(super) use shares::{Entry, Shares, shares, together};
pub(super) use swappiness::{Swapped, swapped};

use super::line::Line;
use super::load::Read;
use super::memcg::Limits;
use super::observed::Observed;
use super::params::Params;
use super::simulate::Run;
use super::swaps::Samples;

/// What the rules look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) params: &'a Params,
    pub(super) load: &'a Read,
    pub(super) observed: &'a Observed,
    pub(super) runs: &'a [Run],
    /// The nodes in the order in which the kernel's fell to low, where there are samples.
    pub(super) fell: Option<&'a [u32]>,
    /// Samples of the kernel's swap devices.
    pub(super) swaps: Option<&'a Samples>,
    /// The limits of the load's memory cgroup.
    pub(super) limits: Limits,
    /// The most bytes that the kernel charged to it in a sample.
    pub(super) memcg_most: Option<u64>,
}

impl Case<'_> {
    /// Whether watermark boost is on: it decides how much a balance takes and which node is short,
    /// and how often its events come is a guess.
    fn boosts(&self) -> bool {
        self.params.watermark_boost_factor > 0 && self.params.flavour.watermark_boost
    }

    /// Whether pages may be swapped out: under writeback they are freed when the device is done.
    fn swaps_out(&self) -> bool {
        self.load.memory.is_some() && !self.params.swaps.is_empty()
    }

    /// Whether the load fills memory once, one thread after the other's pages: where its pages are
    /// does not depend on which thread was faster.
    fn is_fill(&self) -> bool {
        self.load.memory.as_ref().is_none_or(|own| own.is_fill(self.load.threads))
    }

    /// Whether there are samples that say how long the lists were.
    fn has_samples(&self) -> bool {
        self.fell.is_some()
    }

    /// The mean of a figure over the runs, the least and the most.
    fn over_runs(&self, figure: impl Fn(&Run) -> f64) -> (f64, f64, f64) {
        let values: Vec<f64> = self.runs.iter().map(figure).collect();
        mean_least_most(&values)
    }
}

/// Rules that need nothing but the machine.
pub(super) fn of_machine(params: &Params) -> Vec<Line> {
    marks::lines(params)
}

/// Rules that need the kernel's and the model's runs.
pub(super) fn of_runs(case: &Case<'_>) -> Vec<Line> {
    if case.params.load.cgroup {
        return memcg::lines(case);
    }
    let mut lines = wake::lines(case);
    lines.extend(balance::lines(case));
    lines.extend(amounts::lines(case));
    lines.extend(shares::lines(case));
    lines.extend(boost::lines(case));
    if case.load.memory.is_some() {
        lines.extend(pressure::lines(case));
        lines.extend(swappiness::lines(case));
    }
    lines
}

/// The mean of values, the least and the most; nothing for none.
pub(super) fn mean_least_most(values: &[f64]) -> (f64, f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0, 0.0);
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (mean, least, most)
}

/// The mean of whole numbers.
fn mean(values: &[u64]) -> f64 {
    values.iter().map(|&v| v as f64).sum::<f64>() / values.len().max(1) as f64
}

/// The most frequent of whole numbers, and its share; the larger one of two that are as frequent.
fn mode(values: impl IntoIterator<Item = u64>) -> Option<(u64, f64)> {
    let mut counts = std::collections::BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0_u64) += 1;
    }
    let all: u64 = counts.values().sum();
    let most = counts.into_iter().max_by_key(|&(value, count)| (count, value));
    most.map(|(value, count)| (value, count as f64 / all as f64))
}

/// So many hundredths of the values are no larger.
fn percentile(values: &[u64], hundredths: usize) -> Option<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[last * hundredths / 100])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_lists() {
        assert_eq!(mode([3, 5, 3, 4]), Some((3, 0.5)));
        assert_eq!(mode([]), None);
        assert_eq!(percentile(&[5, 1, 3], 50), Some(3));
        assert_eq!(percentile(&[5, 1, 3], 90), Some(3));
        assert_eq!(percentile(&[], 90), None);
        assert_eq!(mean_least_most(&[1.0, 2.0, 6.0]), (3.0, 1.0, 6.0));
        assert_eq!(mean(&[1, 2]), 1.5);
    }
}
