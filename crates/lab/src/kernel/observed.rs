//! What the kernel did in an experiment: `summary.json`.

use super::memcg::Counted;
use super::place::{self, Place};
use super::swap_runs::Steps;
use scenario::Problem;
use std::collections::BTreeMap;

/// The file's name.
const FILE: &str = "summary.json";
/// Most counters, zones and sizes of slices.
const MEMBERS_MAX: usize = 1_000;
/// Most pages, events or milliseconds of anything.
const COUNT_MAX: u64 = 1 << 50;

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub least: f64,
    /// One of ten is no larger.
    pub p10: f64,
    /// Half are no larger.
    pub median: f64,
    /// Nine of ten are no larger.
    pub p90: f64,
    /// The largest.
    pub most: f64,
}

/// Free pages of a zone during the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ZoneFree {
    /// At the first sample.
    pub first: Option<u64>,
    /// The largest boost of a sample.
    pub boost_max: Option<u64>,
    /// The low turning points.
    pub minima: Option<Spread>,
    /// The high ones.
    pub maxima: Option<Spread>,
}

/// What the kernel did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Pages that the workload read.
    pub pages: Option<u64>,
    /// Counters of /proc/vmstat that moved, by name.
    pub vmstat: BTreeMap<String, u64>,
    /// Whether there are such counters.
    pub has_vmstat: bool,
    /// Free pages by zone name.
    pub zone_free: BTreeMap<String, ZoneFree>,
    /// Pages that a balance_pgdat reclaimed.
    pub balance: Option<Spread>,
    /// Pages that a direct reclaim call reclaimed.
    pub direct: Option<Spread>,
    /// From kswapd's wake to its full sleep, in milliseconds.
    pub wake_to_sleep: Option<Spread>,
    /// Free pages above low when wakeup_kswapd was called.
    pub above_low: Option<Spread>,
    /// Calls of a tracepoint, by name.
    pub events: BTreeMap<String, u64>,
    /// Wakes without an allocation's flags: those of a boost.
    pub boost_wakes: u64,
    /// How many slices of which size kswapd scanned, and direct reclaim.
    pub slices: [BTreeMap<u64, u64>; 2],
    /// Pages that a reclaim call for a cgroup's limit reclaimed.
    pub memcg_calls: Option<Spread>,
    /// What the workload's memory cgroup counted.
    pub memcg: Option<Counted>,
    /// How many threads have counted their work.
    pub threads: Option<u32>,
    /// Steps of MADV_PAGEOUT.
    pub steps: Option<Steps>,
}

impl Observed {
    /// Reads the text of `summary.json`.
    ///
    /// # Errors
    /// What is wrong in it, with its place. What is missing is not wrong.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let value = place::parse(FILE, text).map_err(|problem| vec![problem])?;
        Self::from_root(&Place::root(FILE, &value)).map_err(|problem| vec![problem])
    }

    fn from_root(root: &Place<'_>) -> Result<Self, Problem> {
        let mut seen = Self::default();
        if let Some(ops) = root.get("workload").and_then(|w| w.get("ops")) {
            seen.pages = Some(ops.number(COUNT_MAX)?);
        }
        if let Some(threads) = root.get("workload").and_then(|w| w.get("per_thread_ops")) {
            let threads = threads.items(MEMBERS_MAX)?.len();
            seen.threads = (threads > 0).then_some(threads as u32);
        }
        if let Some(memcg) = root.get("memcg") {
            seen.memcg = Some(Counted::read(&memcg)?);
        }
        if let Some(deltas) = root.get("vmstat_delta") {
            seen.has_vmstat = true;
            seen.vmstat = counts(&deltas)?;
        }
        if let Some(zones) = root.get("zone_free") {
            for (name, place) in zones.members(MEMBERS_MAX)? {
                seen.zone_free.insert(name.to_owned(), zone_free(&place)?);
            }
        }
        if let Some(pageout) = root.get("pageout") {
            seen.steps = Some(steps(&pageout)?);
        }
        let Some(trace) = root.get("trace") else { return Ok(seen) };
        let of = |key: &str| trace.get(key).map(|place| spread(&place)).transpose();
        seen.balance = of("balance_pgdat_nr_reclaimed")?.flatten();
        seen.direct = of("direct_nr_reclaimed")?.flatten();
        seen.memcg_calls = of("memcg_nr_reclaimed")?.flatten();
        seen.wake_to_sleep = of("kswapd_wake_to_sleep_ms")?.flatten();
        if let Some(calls) = trace.get("wakeup_kswapd_calls") {
            let above = calls.get("free_minus_low");
            seen.above_low = above.map(|place| spread(&place)).transpose()?.flatten();
        }
        if let Some(events) = trace.get("event_counts") {
            seen.events = counts(&events)?;
        }
        if let Some(none) = trace.get("wakeup_kswapd_gfp").and_then(|gfp| gfp.get("none")) {
            seen.boost_wakes = none.number(COUNT_MAX)?;
        }
        if let Some(slices) = trace.get("shrink_inactive") {
            for (i, who) in ["kswapd", "direct"].into_iter().enumerate() {
                let top = slices.get(who).and_then(|place| place.get("nr_scanned_top"));
                let Some(top) = top else { continue };
                seen.slices[i] = by_size(&top)?;
            }
        }
        Ok(seen)
    }

    /// A counter; those that did not move are not in the file.
    #[must_use]
    pub fn counter(&self, name: &str) -> u64 {
        self.vmstat.get(name).copied().unwrap_or(0)
    }

    /// The sum of all counters whose names begin so.
    #[must_use]
    pub fn counters(&self, prefix: &str) -> u64 {
        let all = self.vmstat.iter().filter(|(name, _)| name.starts_with(prefix));
        all.fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }
}

/// Counts by a number of pages.
fn by_size(place: &Place<'_>) -> Result<BTreeMap<u64, u64>, Problem> {
    let mut counts = BTreeMap::new();
    for (size, count) in place.members(MEMBERS_MAX)? {
        let pages = size.parse().map_err(|_| place.problem("has a size in words"))?;
        counts.insert(pages, count.number(COUNT_MAX)?);
    }
    Ok(counts)
}

fn steps(place: &Place<'_>) -> Result<Steps, Problem> {
    let sizes = |key: &str| place.get(key).map(|p| by_size(&p)).transpose();
    Ok(Steps {
        runs: place.get("n_runs").map(|p| p.number(COUNT_MAX)).transpose()?,
        used: place.get("final_used_pages").map(|p| counts(&p)).transpose()?.unwrap_or_default(),
        lengths: sizes("run_length_hist")?.unwrap_or_default(),
        growth: sizes("counter_increment_hist")?.unwrap_or_default(),
    })
}

/// Counts by name. A gauge may have fallen: that counts as nothing.
fn counts(place: &Place<'_>) -> Result<BTreeMap<String, u64>, Problem> {
    let mut counts = BTreeMap::new();
    for (name, place) in place.members(MEMBERS_MAX)? {
        let count = if place.float()? < 0.0 { 0 } else { place.number(COUNT_MAX)? };
        counts.insert(name.to_owned(), count);
    }
    Ok(counts)
}

fn zone_free(place: &Place<'_>) -> Result<ZoneFree, Problem> {
    let count = |key: &str| place.get(key).map(|p| p.number(COUNT_MAX)).transpose();
    let turns = |key: &str| place.get(key).map(|p| spread(&p)).transpose();
    Ok(ZoneFree {
        first: count("free_first")?,
        boost_max: count("boost_max")?,
        minima: turns("turning_minima")?.flatten(),
        maxima: turns("turning_maxima")?.flatten(),
    })
}

/// A spread of values; none when there was no value.
fn spread(place: &Place<'_>) -> Result<Option<Spread>, Problem> {
    let n = place.at("n")?.number(COUNT_MAX)?;
    if n == 0 {
        return Ok(None);
    }
    let value = |key: &str| place.at(key)?.float();
    Ok(Some(Spread {
        n,
        mean: value("mean")?,
        least: value("p0")?,
        p10: value("p10")?,
        median: value("p50")?,
        p90: value("p90")?,
        most: value("p100")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_not_wrong_and_what_is_wrong_has_its_place() {
        assert_eq!(Observed::read("{}"), Ok(Observed::default()));
        let said = |text: &str| match Observed::read(text) {
            Err(problems) => problems[0].to_string(),
            Ok(seen) => panic!("{seen:?}"),
        };
        let wrong = said(r#"{"vmstat_delta": {"pgfree": "many"}}"#);
        assert_eq!(wrong, "summary.json, vmstat_delta, pgfree: is not a number");
        let wrong = said(r#"{"trace": {"direct_nr_reclaimed": {"n": 3}}}"#);
        assert_eq!(wrong, "summary.json, trace, direct_nr_reclaimed: `mean` is missing");
        assert!(said("[").starts_with("summary.json line 1"));
    }

    #[test]
    fn counters_that_did_not_move_are_nothing_and_no_values_are_no_spread() {
        let text = r#"{"vmstat_delta": {"pgskip_dma": 3, "pgskip_dma32": 4, "nr_x": -2},
            "trace": {"direct_nr_reclaimed": {"n": 0}}}"#;
        let seen = Observed::read(text).expect("readable");
        assert_eq!((seen.counters("pgskip_"), seen.counter("allocstall_normal")), (7, 0));
        assert_eq!((seen.counter("nr_x"), seen.direct), (0, None));
    }
}
