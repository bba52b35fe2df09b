//! Directions: which of two published rows is larger, where the difference exceeds their spread.
//!
//! Made from the published figures alone. Every stage of the 2018 tables was run once, so that the
//! spread has to be read off stages that did the same work. At 10 readers, where nobody reclaims
//! directly and kswapd is idle most of the time, the three runs print 8.05, 7.36 and 7.84 million
//! KiB/s (9 % between them) and 31.4, 26.1 and 27.1 % CPU of one dd (17 %). A direction is kept
//! where the difference exceeds 10 % of the larger figure, 18 % for the CPU of one dd, and:
//!
//! - of CPU in whole per cent: 2 points (two roundings, and the highest sample is printed);
//! - of kswapd's CPU: the difference between the nodes in either of the two stages;
//! - of direct reclaim: 1 % of the pages scanned in the larger stage, or 1,000 calls.
//!
//! Scan counts at 10 readers contain the fill of memory and are left out.
//!
//! Of other sets (`OTHERS`) two rows of the same metric are compared when they differ either in
//! their load or in their arm, the rest being the same. Where both have a standard deviation, in
//! their note or in a row of its own (D03s), the difference has to exceed twice that of a
//! difference and 2 % of the larger figure; else 10 % of it. D22 has no direction: what is open of
//! it is one arm over one interval, counters since boot, single samples and parts of wholes.

use super::plan::Validation;
use super::table::Row;
use std::collections::BTreeMap;

/// The sets whose directions are kept, and their names in a comparison across sets.
const SETS: [&str; 3] = ["D01b", "D01c", "D01d"];
/// The other sets.
const OTHERS: [&str; 8] = ["D03s", "D04", "D06", "D07", "D08", "D09", "D13", "D14"];
/// The share of the larger figure that a difference of two means with known spreads has to exceed.
const SHARE_OF_MEANS: f64 = 0.02;
/// The share of the larger figure that a difference has to exceed.
const SHARE: f64 = 0.10;
/// The same for the CPU of one dd.
const SHARE_OF_ONE_DD: f64 = 0.18;
/// The least difference of a CPU share in whole per cent, in points.
const POINTS: f64 = 2.0;
/// The least difference of direct reclaim, as a share of all pages scanned.
const OF_SCANNING: f64 = 0.01;
/// The least difference of a number of calls.
const CALLS: f64 = 1_000.0;
/// The stage whose scan counts contain the fill.
const FILL: u32 = 10;

/// Two rows and which is larger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ordering {
    /// `D01c`, or `D01c:D01d` across sets.
    pub set: String,
    /// The line of the first row in the table.
    pub first: u64,
    /// The line of the second row.
    pub second: u64,
    /// Whether the second figure is the larger one.
    pub rises: bool,
    /// What was measured.
    pub metric: String,
    /// The load of the first row.
    pub first_x: String,
    /// The load of the second row.
    pub second_x: String,
}

/// Every direction in the table: within a set between any two loads, across sets at the same load.
#[must_use]
pub fn orderings(rows: &[Row]) -> Vec<Ordering> {
    let stages = Stages::new(rows);
    let mut found = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[i + 1..] {
            let related = if a.id == b.id { a.x() != b.x() } else { a.x() == b.x() };
            let known = |row: &Row| SETS.contains(&row.id.as_str());
            if a.metric == b.metric && related && known(a) && known(b) {
                found.extend(stages.compare(a, b));
            }
        }
    }
    found.extend(of_others(rows));
    found.sort();
    found
}

/// Directions of the sets that have no rule of their own.
fn of_others(rows: &[Row]) -> Vec<Ordering> {
    let known = |row: &&Row| OTHERS.contains(&row.id.as_str());
    let rows: Vec<&Row> = rows.iter().filter(known).collect();
    let mut found = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[i + 1..] {
            let same = (&a.id, &a.metric, &a.unit, &a.workload)
                == (&b.id, &b.metric, &b.unit, &b.workload);
            let one = (a.x_value == b.x_value) != (a.arm == b.arm);
            if same && one && a.x_name == b.x_name && !a.metric.starts_with("sample sd") {
                found.extend(differs(&rows, a, b));
            }
        }
    }
    found
}

/// The direction of two rows, if their difference exceeds their spread.
fn differs(rows: &[&Row], a: &Row, b: &Row) -> Option<Ordering> {
    let (x, y) = (a.value()?, b.value()?);
    let larger = x.abs().max(y.abs());
    let spread = match (deviation(rows, a), deviation(rows, b)) {
        (Some(a), Some(b)) => (2.0 * (a * a + b * b).sqrt()).max(SHARE_OF_MEANS * larger),
        _ => SHARE * larger,
    };
    ((x - y).abs() > spread).then(|| Ordering {
        set: a.id.clone(),
        first: a.line,
        second: b.line,
        rises: y > x,
        metric: a.metric.clone(),
        first_x: a.x_value.clone(),
        second_x: b.x_value.clone(),
    })
}

/// The standard deviation of a row: in its note, or in a row of its own.
fn deviation(rows: &[&Row], row: &Row) -> Option<f64> {
    row.sd.or_else(|| {
        let of = row.metric.strip_prefix("mean ")?.strip_suffix(" of 12")?;
        let is = |other: &&&Row| {
            let named = other.metric.strip_prefix("sample sd of ") == Some(of);
            named && (&other.id, &other.arm, &other.x_value) == (&row.id, &row.arm, &row.x_value)
        };
        rows.iter().find(is)?.value()
    })
}

/// Which published directions a comparison holds: how many, and those that it does not.
#[must_use]
pub fn check(validation: &Validation) -> (usize, Vec<Ordering>) {
    let rows: Vec<Row> = validation.lines.iter().map(|line| line.row.clone()).collect();
    let models: BTreeMap<u64, f64> =
        validation.lines.iter().filter_map(|line| Some((line.row.line, line.model()?))).collect();
    let (mut held, mut broken) = (0, Vec::new());
    for ordering in orderings(&rows) {
        let model = |line: u64| models.get(&line);
        let (Some(a), Some(b)) = (model(ordering.first), model(ordering.second)) else { continue };
        if if ordering.rises { b > a } else { b < a } {
            held += 1;
        } else {
            broken.push(ordering);
        }
    }
    (held, broken)
}

/// The directions as CSV.
#[must_use]
pub fn to_csv(orderings: &[Ordering]) -> String {
    let mut text = String::from("set,first,second,sign,metric,x_first,x_second\n");
    for o in orderings {
        let sign = if o.rises { '+' } else { '-' };
        let Ordering { set, first, second, metric, first_x, second_x, .. } = o;
        text.push_str(&format!("{set},{first},{second},{sign},{metric},{first_x},{second_x}\n"));
    }
    text
}

/// Figures by set, load and metric.
struct Stages<'a>(BTreeMap<(&'a str, u32, &'a str), f64>);

impl<'a> Stages<'a> {
    fn new(rows: &'a [Row]) -> Self {
        let figures = rows.iter().filter_map(|row| {
            Some(((row.id.as_str(), row.x()?, row.metric.as_str()), row.value()?))
        });
        Self(figures.collect())
    }

    fn get(&self, row: &Row, metric: &str) -> f64 {
        let x = row.x().unwrap_or(0);
        self.0.get(&(row.id.as_str(), x, metric)).copied().unwrap_or(0.0)
    }

    fn compare(&self, a: &Row, b: &Row) -> Option<Ordering> {
        let (x, y) = (a.value()?, b.value()?);
        let counts_fill = a.metric.starts_with("pgscan") && a.x()?.min(b.x()?) == FILL;
        let one_dd = a.metric.starts_with("cpu of one dd");
        let share = if one_dd { SHARE_OF_ONE_DD } else { SHARE };
        let spread = (share * x.abs().max(y.abs())).max(self.floor(a)).max(self.floor(b));
        if counts_fill || (x - y).abs() <= spread {
            return None;
        }
        let set = if a.id == b.id { a.id.clone() } else { format!("{}:{}", a.id, b.id) };
        let (first, second, metric) = (a.line, b.line, a.metric.clone());
        let (first_x, second_x) = (a.x_value.clone(), b.x_value.clone());
        Some(Ordering { set, first, second, rises: y > x, metric, first_x, second_x })
    }

    /// What a difference has to exceed whatever the figures are.
    fn floor(&self, row: &Row) -> f64 {
        let of_stage = |metric| self.get(row, metric);
        match row.metric.as_str() {
            m if m.starts_with("system cpu") => POINTS,
            "kswapd0 cpu" | "kswapd1 cpu" => {
                (of_stage("kswapd0 cpu") - of_stage("kswapd1 cpu")).abs()
            }
            "pgscan_direct in stage" => {
                let all = of_stage("pgscan_kswapd in stage") + of_stage("pgscan_direct in stage");
                OF_SCANNING * all
            }
            m if m.starts_with("direct reclaims") => CALLS,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u64, id: &str, metric: &str, x: u32, value: f64) -> Row {
        Row {
            line,
            id: id.into(),
            metric: metric.into(),
            unit: String::new(),
            x_name: String::new(),
            x_value: x.to_string(),
            arm: String::new(),
            printed: Some(value.to_string()),
            ..Row::default()
        }
    }

    fn lines(rows: &[Row]) -> Vec<(u64, u64, bool)> {
        orderings(rows).iter().map(|o| (o.first, o.second, o.rises)).collect()
    }

    #[test]
    fn a_direction_needs_more_than_the_spread() {
        let rows = [
            row(2, "D01b", "read throughput", 6, 100.0),
            row(3, "D01b", "read throughput", 10, 111.0),
            row(4, "D01b", "read throughput", 16, 112.0),
            row(5, "D01b", "cpu of one dd task (mean)", 16, 500.0),
            row(6, "D01a", "read throughput", 6, 500.0),
            row(7, "D01c", "read throughput", 16, 90.0),
            row(8, "D01c", "read throughput", 22, 89.0),
        ];
        // 111 is within 10 % of itself above 100; across sets only the same load counts.
        assert_eq!(lines(&rows), [(2, 4, true), (4, 7, false)]);
        let across = &orderings(&rows)[1];
        assert_eq!((&*across.set, &*across.first_x, &*across.second_x), ("D01b:D01c", "16", "16"));
    }

    #[test]
    fn nodes_that_differ_make_a_spread() {
        let cpu = |line, x, a, b| {
            [row(line, "D01d", "kswapd0 cpu", x, a), row(line + 1, "D01d", "kswapd1 cpu", x, b)]
        };
        let rows =
            [cpu(2, 28, 48.0, 47.0), cpu(4, 46, 89.0, 57.0), cpu(6, 58, 79.0, 82.0)].concat();
        assert_eq!(lines(&rows), [(2, 4, true), (2, 6, true), (3, 7, true)]);
    }

    #[test]
    fn small_counts_and_the_fill_have_no_direction() {
        let stage = |line, x, kswapd: f64, direct: f64| {
            [
                row(line, "D01c", "pgscan_kswapd in stage", x, kswapd),
                row(line + 1, "D01c", "pgscan_direct in stage", x, direct),
            ]
        };
        let rows = [stage(2, 10, 460.0, 0.0), stage(4, 16, 900.0, 1.0), stage(6, 34, 950.0, 250.0)]
            .concat();
        assert_eq!(lines(&rows), [(5, 7, true)]);
    }

    #[test]
    fn means_with_a_spread_need_twice_that_of_their_difference() {
        let of = |line, x: u32, arm: &str, value, sd| Row {
            arm: arm.into(),
            sd,
            ..row(line, "D13", "page faults", x, value)
        };
        let rows = [
            of(2, 44, "baseline", 1_000.0, Some(10.0)),
            of(3, 44, "lru", 1_028.0, Some(10.0)),
            of(4, 44, "both", 1_060.0, Some(10.0)),
            of(5, 88, "lru", 1_060.0, None),
            of(6, 88, "both", 1_200.0, None),
        ];
        // 2 * sqrt(200) is 28.3; without a spread a tenth of the larger one is asked for; two
        // things at once are never compared.
        assert_eq!(lines(&rows), [(2, 4, true), (3, 4, true), (4, 6, true), (5, 6, true)]);
    }

    #[test]
    fn a_spread_may_stand_in_a_row_of_its_own() {
        let of = |line, metric: &str, x: u32, value| row(line, "D03s", metric, x, value);
        let rows = [
            of(2, "mean elapsed of 12", 2, 530.0),
            of(3, "sample sd of elapsed", 2, 8.0),
            of(4, "mean elapsed of 12", 3, 500.0),
            of(5, "sample sd of elapsed", 3, 2.0),
        ];
        assert_eq!(lines(&rows), [(2, 4, false)]);
    }
}
