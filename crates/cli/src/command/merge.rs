//! The parts of a sweep, put together, and the tables of a sweep.

use crate::table::lines;
use crate::{Exit, Failure, Streams};
use report::sweep::table::{self, Unit};
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
    out.extend(lines(&table::rows(grid, points, &unit)));
    let gains = gains(grid, points);
    if gains.iter().any(Option::is_some) {
        out.push(String::new());
        out.push("What added workers gain, against the fewest with all else equal".to_owned());
        out.extend(lines(&table::gains(grid, points, &gains, &unit)));
    }
    if grid.over.len() == 2 {
        out.push(String::new());
        let (down, across) = (&grid.over[0].key, &grid.over[1].key);
        out.push(format!("Throughput, {}/s: {down} downwards, {across} to the right", unit.name));
        out.extend(lines(&table::map(grid, points, &unit)));
    }
    out
}
