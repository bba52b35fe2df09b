//! A sweep as the page shows it: numbers to draw, and the rows of the tables behind them.

use super::table::{self, Unit};
use super::{Axis, Grid, Point, gains};
use serde::Serialize;

/// A sweep in parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// The controls that vary with their values; the last one varies fastest.
    pub axes: Vec<Axis>,
    /// The unit of the throughput.
    pub unit: String,
    /// Every point that is there.
    pub cells: Vec<Cell>,
    /// All of it as a table, with headings.
    pub rows: Vec<Vec<String>>,
    /// What added workers gain and cost as a table; headings only when nothing varies in workers.
    pub gains: Vec<Vec<String>>,
    /// What stands against trusting points, in sentences, bounded.
    pub warnings: Vec<String>,
}

/// A point to draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Its number in the grid.
    pub point: usize,
    /// Mean throughput in the panel's unit a second, and half of its interval.
    pub throughput: [f64; 2],
    /// Mean 99th percentile of the latency in microseconds, and half of its interval.
    pub p99: [f64; 2],
    /// What each added worker brings, in per cent; nothing where none was added.
    pub gain: Option<f64>,
    /// CPU seconds of kswapd for each unit of work more; nothing where nothing was gained.
    pub cost: Option<f64>,
}

/// Most warnings that are told.
const WARNINGS_MAX: usize = 3;

impl Panel {
    /// Of the points that are there so far.
    #[must_use]
    pub fn of(grid: &Grid, points: &[Point]) -> Self {
        let unit = Unit::of(points);
        let gained = gains(grid, points);
        let pair = |point: &Point, figure: &str, factor: f64| {
            let spread = point.spread(figure);
            [spread.mean / factor, spread.half_width().unwrap_or(0.0) / factor]
        };
        let cells = points.iter().zip(&gained).map(|(point, gain)| Cell {
            point: point.point,
            throughput: pair(point, "throughput", unit.factor),
            p99: pair(point, "latency_p99_us", 1.0),
            gain: gain.map(|gain| gain.per_cent_a_worker),
            cost: gain.and_then(|gain| gain.cpu_s_a_unit).map(|s| s * unit.factor),
        });
        let doubted = points.iter().filter(|point| !point.warnings.is_empty());
        let mut warnings: Vec<String> = doubted
            .clone()
            .take(WARNINGS_MAX)
            .flat_map(|p| p.warnings.iter().map(|w| format!("Point {}: {w}.", p.over.join(" "))))
            .collect();
        let more = doubted.count().saturating_sub(WARNINGS_MAX);
        if more > 0 {
            warnings.push(format!("So it is with {more} more of {} points.", points.len()));
        }
        Self {
            axes: grid.over.clone(),
            cells: cells.collect(),
            rows: table::rows(grid, points, &unit),
            gains: table::gains(grid, points, &gained, &unit),
            unit: unit.name,
            warnings,
        }
    }
}
