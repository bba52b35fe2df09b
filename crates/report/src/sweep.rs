//! The points of a sweep as plain data: one line of JSON each, so that parts which ran in different
//! places can be put together, and what they say of added workers.

use crate::compare::{Arm, FIGURES, Gain, Replica, gain, letter};
use crate::stats::Spread;
use crate::window::{self, Facts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::order;

mod panel;
pub mod table;

pub use panel::{Cell, Panel};

/// What a sweep is: the first line of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Always `SIMULATED`.
    pub kind: String,
    /// Model version.
    pub model: String,
    /// Hash of the ledger of constants.
    pub ledger: String,
    /// What does not vary, as a link.
    pub link: String,
    /// The controls that vary with their values; the last one varies fastest.
    pub over: Vec<Axis>,
    /// Replications of every point.
    pub reps: u32,
    /// How many points there are.
    pub points: usize,
    /// Which part this is, as `2/4`; nothing when it is the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// A control and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Its key.
    pub key: String,
    /// Its values, as they were given.
    pub values: Vec<String>,
}

/// One point: a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its number, from 0.
    pub point: usize,
    /// The value of every control that varies, in the order of the grid.
    pub over: Vec<String>,
    /// Its scenario as a link.
    pub link: String,
    /// The digest of every replication.
    pub digests: Vec<String>,
    /// kswapd workers of the whole machine.
    pub workers: u64,
    /// Seconds of the window.
    pub window_s: f64,
    /// What the throughput counts.
    pub unit: String,
    /// Every figure of every replication, in the order of the seeds.
    pub values: BTreeMap<String, Vec<f64>>,
    /// What stands against trusting the numbers, in sentences.
    pub warnings: Vec<String>,
}

impl Point {
    /// The point of these replications.
    #[must_use]
    pub fn of(point: usize, over: Vec<String>, link: String, runs: &[Replica]) -> Self {
        let first = runs.first();
        let window_s = first.map_or(0.0, |r| r.window_s);
        let facts: Vec<&Facts> = runs.iter().map(|r| &r.facts).collect();
        let mut warnings: Vec<String> = Vec::new();
        warnings.extend(window::too_short("it", window_s, &facts));
        warnings.extend(window::still_warm("it", window_s, &facts));
        let stopped = runs.iter().find(|r| r.stopped != "window");
        warnings.extend(stopped.map(|r| format!("it stopped before its end: {}", r.stopped)));
        Self {
            point,
            over,
            link,
            digests: runs.iter().map(|r| r.digest.clone()).collect(),
            workers: first.map_or(0, |r| r.workers),
            window_s,
            unit: first.map_or_else(String::new, |r| r.throughput_unit.clone()),
            values: order::map(
                FIGURES
                    .iter()
                    .map(|f| (f.name.to_owned(), runs.iter().map(|r| r.value(f.name)).collect())),
            ),
            warnings,
        }
    }

    /// Mean and spread of a figure.
    #[must_use]
    pub fn spread(&self, figure: &str) -> Spread {
        self.values.get(figure).map_or_else(Spread::default, |values| Spread::of(values))
    }

    /// The point as an arm of a comparison.
    fn arm(&self, number: usize) -> Arm {
        let spreads = self.values.keys().map(|name| (name.clone(), self.spread(name)));
        let means = order::map(spreads);
        Arm {
            name: letter(number),
            label: String::new(),
            sets: self.over.join(" "),
            link: self.link.clone(),
            digest: String::new(),
            workers: self.workers,
            throughput: self.spread("throughput").mean,
            system_time_s: self.spread("system_time_s").mean,
            means,
            values: self.values.clone(),
        }
    }
}

/// Puts points in the order of their numbers: they came as they were done.
pub fn in_order(points: &mut [Point]) {
    order::by_key(points, |point| point.point);
}

/// What added workers gain at every point, against the point that differs from it in `kswapds` only
/// and has the fewest workers; nothing where there is none.
#[must_use]
pub fn gains(grid: &Grid, points: &[Point]) -> Vec<Option<Gain>> {
    let Some(axis) = grid.over.iter().position(|axis| axis.key == "kswapds") else {
        return vec![None; points.len()];
    };
    let others = |p: &Point| -> Vec<String> {
        let over = p.over.iter().enumerate();
        over.filter(|(i, _)| *i != axis).map(|(_, value)| value.clone()).collect()
    };
    let mut least: BTreeMap<Vec<String>, &Point> = BTreeMap::new();
    for point in points {
        let base = least.entry(others(point)).or_insert(point);
        if point.workers < base.workers {
            *base = point;
        }
    }
    let one = |p: &Point| gain(&least[&others(p)].arm(0), &p.arm(1), p.window_s);
    points.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(number: usize, over: &[&str], workers: u64, throughput: f64, cpu: f64) -> Point {
        let values = [("throughput", throughput), ("kswapd_cpu_s", cpu), ("system_time_s", cpu)];
        Point {
            point: number,
            over: over.iter().map(|v| (*v).to_owned()).collect(),
            link: String::new(),
            digests: Vec::new(),
            workers,
            window_s: 2.0,
            unit: "bytes read".into(),
            values: values.into_iter().map(|(k, v)| (k.to_owned(), vec![v])).collect(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn gains_are_against_the_fewest_workers_with_all_else_equal() {
        let axis = |key: &str| Axis { key: key.to_owned(), values: Vec::new() };
        let grid = Grid {
            kind: "SIMULATED".into(),
            model: String::new(),
            ledger: String::new(),
            link: String::new(),
            over: vec![axis("readers"), axis("kswapds")],
            reps: 1,
            points: 4,
            shard: None,
        };
        let points = [
            point(0, &["8", "1"], 2, 100.0, 1.0),
            point(1, &["8", "4"], 8, 112.0, 4.0),
            point(2, &["9", "1"], 2, 200.0, 1.0),
            point(3, &["9", "4"], 8, 190.0, 4.0),
        ];
        let gains = gains(&grid, &points);
        assert_eq!((gains[0], gains[2]), (None, None));
        let gain = gains[1].expect("more workers");
        assert_eq!((gain.workers, gain.per_cent_a_worker, gain.cpu_a_worker), (6, 2.0, 0.25));
        assert_eq!(gain.cpu_s_a_unit, Some(1.5 / 12.0));
        assert_eq!(gains[3].expect("more workers").cpu_s_a_unit, None, "nothing was gained");
        let panel = Panel::of(&grid, &points);
        assert_eq!((panel.unit.as_str(), panel.cells.len(), panel.rows.len()), ("MB", 4, 5));
        assert_eq!((panel.cells[0].gain, panel.cells[1].gain), (None, Some(2.0)));
        assert_eq!((panel.cells[3].cost, panel.gains.len()), (None, 3));
        assert!((panel.cells[1].throughput[0] - 112e-6).abs() < 1e-9, "{:?}", panel.cells[1]);
        let line = serde_json::to_string(&points[1]).expect("JSON");
        assert_eq!(serde_json::from_str::<Point>(&line).expect("a point"), points[1]);
    }
}
