//! The parts of a sweep, put together, and the tables of a sweep.

use crate::table::{lines, row};
use crate::{Exit, Failure, Streams};
use report::compare::Gain;
use report::sweep::{Grid, Point, gains};
use scenario::quoted;
use std::collections::BTreeMap;

/// How many missing points are named.
const NAMED_MAX: usize = 20;

/// Writes what one run without shards writes.
pub(super) fn merge(
    files: &[(String, String)],
    table: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let mut whole: Option<Grid> = None;
    let mut points: BTreeMap<usize, (&str, Point)> = BTreeMap::new();
    for (name, text) in files {
        let shown = quoted(name);
        let refuse =
            |line: usize, why: &str| Failure::refused(format!("{shown} line {line}: {why}"));
        let mut all = text.lines().enumerate();
        let (_, first) = all.next().ok_or_else(|| refuse(1, "the file is empty"))?;
        let mut grid: Grid = serde_json::from_str(first)
            .map_err(|error| refuse(1, &format!("it does not begin as a sweep does: {error}")))?;
        grid.shard = None;
        match &whole {
            Some(other) if *other != grid => {
                return Err(refuse(1, "it is a part of another sweep or of another model"));
            }
            _ => whole = Some(grid.clone()),
        }
        for (number, line) in all {
            let point: Point = serde_json::from_str(line).map_err(|error| {
                refuse(number + 1, &format!("it is no point of a sweep ({error}); run it again"))
            })?;
            if point.point >= grid.points || point.over.len() != grid.over.len() {
                return Err(refuse(number + 1, "the sweep has no such point"));
            }
            let other = points.insert(point.point, (line, point));
            if other.is_some_and(|(other, _)| other != line) {
                return Err(refuse(number + 1, "the point is there already, with other numbers"));
            }
        }
    }
    let grid = whole.ok_or_else(|| Failure::refused("there is nothing to merge"))?;
    let missing: Vec<usize> = (0..grid.points).filter(|p| !points.contains_key(p)).collect();
    if table {
        let all: Vec<Point> = points.into_values().map(|(_, point)| point).collect();
        for line in tables(&grid, &all) {
            writeln!(streams.stdout, "{line}")?;
        }
    } else {
        let header = serde_json::to_string(&grid).expect("a grid has text keys");
        writeln!(streams.stdout, "{header}")?;
        for (line, _) in points.values() {
            writeln!(streams.stdout, "{line}")?;
        }
    }
    if missing.is_empty() {
        return Ok(Exit::Done);
    }
    let named: Vec<String> = missing.iter().take(NAMED_MAX).map(ToString::to_string).collect();
    let more = if missing.len() > NAMED_MAX { " and others" } else { "" };
    let (n, of) = (missing.len(), grid.points);
    let named = named.join(", ");
    writeln!(streams.stderr, "error: {n} of {of} points are missing: {named}{more}")?;
    Ok(Exit::Differs)
}

/// A sweep as tables: every point, what added workers gain, and a map where two controls vary.
pub(super) fn tables(grid: &Grid, points: &[Point]) -> Vec<String> {
    let mut out = vec![
        format!("SIMULATED by model {}, ledger {}", grid.model, grid.ledger),
        format!("link {}, {} replications a point", grid.link, grid.reps),
        String::new(),
    ];
    let unit = Unit::of(points);
    out.extend(lines(&rows(grid, points, &unit)));
    let gains = gains(grid, points);
    if gains.iter().any(Option::is_some) {
        out.push(String::new());
        out.push("What added workers gain, against the fewest with all else equal".to_owned());
        out.extend(lines(&gain_rows(grid, points, &gains, &unit)));
    }
    if grid.over.len() == 2 {
        out.push(String::new());
        let (down, across) = (&grid.over[0].key, &grid.over[1].key);
        out.push(format!("Throughput, {}/s: {down} downwards, {across} to the right", unit.name));
        out.extend(lines(&map(grid, points, &unit)));
    }
    out
}

fn keys(grid: &Grid) -> impl Iterator<Item = String> + '_ {
    grid.over.iter().map(|axis| axis.key.clone())
}

/// The unit of work that suits the fastest point.
struct Unit {
    name: &'static str,
    factor: f64,
}

impl Unit {
    fn of(points: &[Point]) -> Self {
        let most = points.iter().map(|p| p.spread("throughput").mean).fold(0.0, f64::max);
        match most {
            most if most >= 1e9 => Self { name: "GB", factor: 1e9 },
            _ => Self { name: "MB", factor: 1e6 },
        }
    }
}

fn rows(grid: &Grid, points: &[Point], unit: &Unit) -> Vec<Vec<String>> {
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

fn gain_rows(
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

fn map(grid: &Grid, points: &[Point], unit: &Unit) -> Vec<Vec<String>> {
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
