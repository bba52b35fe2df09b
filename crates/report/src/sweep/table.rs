//! A sweep as rows of text, a cell a column; the first row has the headings.

use super::{Grid, Point};
use crate::compare::Gain;

fn row<T: Into<String>>(cells: impl IntoIterator<Item = T>) -> Vec<String> {
    cells.into_iter().map(Into::into).collect()
}

fn keys(grid: &Grid) -> impl Iterator<Item = String> + '_ {
    grid.over.iter().map(|axis| axis.key.clone())
}

/// The unit of work that suits the fastest point.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// How much of the throughput it is.
    pub factor: f64,
}

impl Unit {
    /// Of these points.
    #[must_use]
    pub fn of(points: &[Point]) -> Self {
        let most = points.iter().map(|p| p.spread("throughput").mean).fold(0.0, f64::max);
        let unit = points.first().map_or("", |point| &point.unit);
        let (name, factor) = match most {
            _ if !unit.starts_with("bytes") => (unit, 1.0),
            most if most >= 1e9 => ("GB", 1e9),
            _ => ("MB", 1e6),
        };
        Self { name: name.to_owned(), factor }
    }
}

/// Every point: its values, then its figures with half of their intervals.
#[must_use]
pub fn rows(grid: &Grid, points: &[Point], unit: &Unit) -> Vec<Vec<String>> {
    let work = format!("{}/s", unit.name);
    let figures =
        [work.as_str(), "+/-", "p50 us", "p99 us", "+/-", "kswapd CPU s", "us/page", "direct %"];
    let figures = figures.into_iter().chain(["allocstall", "lru wait s", "digest"]);
    let mut rows = vec![row(keys(grid).chain(figures.map(str::to_owned)))];
    for point in points {
        let mean = |figure: &str| point.spread(figure).mean;
        let half = |figure: &str, scale: f64, digits: usize| {
            let half = point.spread(figure).half_width();
            half.map_or_else(|| "-".to_owned(), |half| format!("{:.digits$}", half / scale))
        };
        let cells = [
            format!("{:.3}", mean("throughput") / unit.factor),
            half("throughput", unit.factor, 3),
            format!("{:.1}", mean("latency_p50_us")),
            format!("{:.1}", mean("latency_p99_us")),
            half("latency_p99_us", 1.0, 1),
            format!("{:.3}", mean("kswapd_cpu_s")),
            format!("{:.4}", mean("kswapd_us_per_page")),
            format!("{:.2}", mean("direct_share") * 100.0),
            format!("{:.0}", mean("allocstall")),
            format!("{:.4}", mean("lru_lock_wait_s")),
            point.digests.first().cloned().unwrap_or_default(),
        ];
        rows.push(row(point.over.iter().cloned().chain(cells)));
    }
    rows
}

/// What added workers gain and cost.
#[must_use]
pub fn gains(
    grid: &Grid,
    points: &[Point],
    gains: &[Option<Gain>],
    unit: &Unit,
) -> Vec<Vec<String>> {
    let cost = format!("CPU s a {} more", unit.name);
    let figures = ["workers more", "% a worker", "kswapd CPUs a worker", cost.as_str()];
    let mut rows = vec![row(keys(grid).chain(figures.map(str::to_owned)))];
    for (point, gain) in points.iter().zip(gains) {
        let Some(gain) = gain else { continue };
        let cells = [
            gain.workers.to_string(),
            format!("{:+.3}", gain.per_cent_a_worker),
            format!("{:+.4}", gain.cpu_a_worker),
            gain.cpu_s_a_unit.map_or_else(|| "-".to_owned(), |s| format!("{:.4}", s * unit.factor)),
        ];
        rows.push(row(point.over.iter().cloned().chain(cells)));
    }
    rows
}

/// The throughput over two controls: the first downwards, the second to the right.
#[must_use]
pub fn map(grid: &Grid, points: &[Point], unit: &Unit) -> Vec<Vec<String>> {
    let [down, across] = [&grid.over[0].values, &grid.over[1].values];
    let mut rows = vec![row(std::iter::once(String::new()).chain(across.iter().cloned()))];
    for (y, value) in down.iter().enumerate() {
        let cell = |x: usize| {
            let number = y * across.len() + x;
            let point = points.iter().find(|p| p.point == number);
            point.map_or_else(
                || "-".to_owned(),
                |p| format!("{:.3}", p.spread("throughput").mean / unit.factor),
            )
        };
        rows.push(row(std::iter::once(value.clone()).chain((0..across.len()).map(cell))));
    }
    rows
}
