//! The memory cgroup of an experiment: its limits, and what `summary.json` and `memcg.csv` say that
//! it used and counted.

use super::place::Place;
use scenario::{Problem, quoted};

/// The file's name.
const FILE: &str = "memcg.csv";
/// Most samples and columns, bytes and events.
const ROWS_MAX: usize = 1_000_000;
const COLUMNS_MAX: usize = 200;
const BYTES_MAX: u64 = 1 << 50;
const COUNT_MAX: u64 = 1 << 50;
const PAGE: u64 = 4_096;
const MIB: u64 = 1 << 20;

/// Limits in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// memory.max.
    pub max: Option<u64>,
    /// memory.high.
    pub high: Option<u64>,
}

impl Limits {
    /// Reads `max256-high200-...`: MiB by parts. Other parts say something else.
    pub(super) fn of_name(name: &str) -> Self {
        let mut limits = Self::default();
        for part in name.split('-') {
            let pages = |prefix: &str| -> Option<u64> {
                let mib: u64 = part.strip_prefix(prefix)?.parse().ok()?;
                (mib <= BYTES_MAX / MIB).then_some(mib * (MIB / PAGE))
            };
            limits.max = limits.max.or(pages("max"));
            limits.high = limits.high.or(pages("high"));
        }
        limits
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.max.is_none() && self.high.is_none()
    }
}

/// What the kernel counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Limits as its files had them.
    pub limits: Limits,
    /// Whether swap was limited too.
    pub swap_limit: bool,
    /// The most that was charged, in bytes.
    pub most: Option<u64>,
    /// Events of memory.max and of memory.high.
    pub events: Option<(u64, u64)>,
    /// Pages scanned in its memory.stat.
    pub pgscan: u64,
}

impl Counted {
    /// Reads the cgroup's part of `summary.json`.
    ///
    /// # Errors
    /// What is wrong in it, with its place.
    pub(super) fn read(place: &Place<'_>) -> Result<Self, Problem> {
        let limit = |key: &str| -> Result<Option<u64>, Problem> {
            let Some(file) = place.get(key) else { return Ok(None) };
            let text = file.text()?.trim();
            if text == "max" {
                return Ok(None);
            }
            let bytes = text.parse().ok().filter(|&bytes: &u64| bytes <= BYTES_MAX);
            let bytes = bytes.ok_or_else(|| {
                file.problem(format!("{} is neither bytes nor max", quoted(text)))
            })?;
            Ok(Some(bytes / PAGE))
        };
        let events = match place.get("events") {
            Some(events) => {
                Some((events.at("max")?.number(COUNT_MAX)?, events.at("high")?.number(COUNT_MAX)?))
            }
            None => None,
        };
        let most = place.get("max_current").map(|p| p.number(BYTES_MAX)).transpose()?;
        let scan = place.get("stat_delta").and_then(|stat| stat.get("pgscan"));
        Ok(Self {
            limits: Limits { max: limit("memory.max")?, high: limit("memory.high")? },
            swap_limit: limit("memory.swap.max")?.is_some(),
            most,
            events,
            pgscan: scan.map(|p| p.number(COUNT_MAX)).transpose()?.unwrap_or(0),
        })
    }
}

/// The most that was charged in a sample of `memcg.csv`, in bytes.
///
/// # Errors
/// What is wrong in it, with its line.
pub(super) fn most(text: &str) -> Result<Option<u64>, Problem> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let wrong = |line: u64, why: String| Problem::new(format!("{FILE} line {line}"), why);
    let heading = reader.headers().map_err(|e| wrong(1, e.to_string()))?.clone();
    if heading.len() > COLUMNS_MAX {
        return Err(wrong(1, format!("has more than {COLUMNS_MAX} columns")));
    }
    let column = heading.iter().position(|h| h == "current");
    let column = column.ok_or_else(|| wrong(1, "has no column current".into()))?;
    let mut most = None;
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|e| {
            let line = e.position().map_or(row as u64 + 2, csv::Position::line);
            wrong(line, e.to_string())
        })?;
        let line = record.position().map_or(row as u64 + 2, csv::Position::line);
        if row == ROWS_MAX {
            return Err(wrong(line, format!("more than {ROWS_MAX} samples")));
        }
        let cell = record[column].trim();
        let bytes = cell.parse::<u64>().ok().filter(|&bytes| bytes <= BYTES_MAX);
        let bytes = bytes.ok_or_else(|| wrong(line, format!("{} is no size", quoted(cell))))?;
        most = most.max(Some(bytes));
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_a_name_and_from_the_cgroups_files() {
        let both = Limits { max: Some(65_536), high: Some(51_200) };
        assert_eq!(Limits::of_name("max256-high200-anon"), both);
        assert!(Limits::of_name("maximum-high-99999999999999").is_empty());
        let value = serde_json::json!({
            "memory.max": "268435456", "memory.high": "max", "max_current": 4096,
            "events": {"max": 3, "high": 0}, "stat_delta": {"pgscan": 7},
        });
        let counted = Counted::read(&Place::root("summary.json", &value)).expect("readable");
        assert_eq!(counted.limits, Limits { max: Some(65_536), high: None });
        assert_eq!((counted.most, counted.events, counted.pgscan), (Some(4_096), Some((3, 0)), 7));
        let value = serde_json::json!({"memory.max": "much"});
        assert!(Counted::read(&Place::root("summary.json", &value)).is_err());
    }

    #[test]
    fn the_most_of_a_table_and_its_broken_lines() {
        assert_eq!(most("t_ms,current\n0,5\n1,9\n2,0\n"), Ok(Some(9)));
        assert_eq!(most("t_ms,current\n"), Ok(None));
        let said = |text: &str| most(text).map_err(|p| p.to_string());
        assert!(said("t_ms\n0\n").is_err_and(|s| s.starts_with("memcg.csv line 1")));
        assert!(said("t_ms,current\n0,-5\n").is_err_and(|s| s.starts_with("memcg.csv line 2")));
        assert!(said("t_ms,current\n0,5\n1\n").is_err_and(|s| s.starts_with("memcg.csv line 3")));
    }
}
