//! Samples of kernel counters over time.

use super::{ReadError, SIZE_MAX, Said};
use crate::problem::{Problem, quoted};
use std::collections::BTreeMap;

/// Most columns that are kept.
const COLUMNS_MAX: usize = 512;
/// Most values that are kept, over all rows.
const VALUES_MAX: usize = 1 << 20;
/// The longest name of a counter.
const NAME_MAX: usize = 64;
/// The unit of `vmstat`'s memory columns over a page: KiB and 4 KiB.
const KIB_A_PAGE: f64 = 4.0;

/// How the text was laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `vmstat 1`: a row a sample, names in short, the first row since boot (left out).
    Vmstat,
    /// `/proc/vmstat`, printed again and again.
    Proc,
    /// Comma-separated, with a row of names.
    Csv,
}

/// Counters over time, row by row. Counters are as the kernel shows them: most only grow; those
/// whose name begins with `nr_` are levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// How the text was laid out.
    pub shape: Shape,
    /// The kernel's names.
    pub names: Vec<String>,
    /// Time of each row in milliseconds; from 0 in steps of the interval where the text has none.
    pub t_ms: Vec<f64>,
    /// Row-major, a value a name; NaN where the text has none.
    pub values: Vec<f64>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Samples {
    /// Reads a text; `interval_ms` is the time between samples where the text does not say it.
    ///
    /// # Errors
    /// When it is too long, or no two samples are in it.
    pub fn parse(text: &str, interval_ms: f64) -> Result<Self, ReadError> {
        if text.len() > SIZE_MAX {
            return Err(ReadError::TooLong(text.len()));
        }
        let text = text.trim_start_matches('\u{feff}');
        let mut said = Said::default();
        let first = lines(text).next().map_or("", |(_, line)| line);
        let mut read = if first.contains(',') {
            csv(text, &mut said)
        } else if first.starts_with("procs") || first.split_whitespace().next() == Some("r") {
            columns(text, interval_ms, &mut said)
        } else {
            proc_vmstat(text, interval_ms, &mut said)
        };
        let rows_in_order = read.sort();
        if !rows_in_order {
            said.push(1, "the times do not rise; the rows are put in order");
        }
        read.problems = said.finish();
        if read.t_ms.len() < 2 || read.names.is_empty() {
            return Err(ReadError::NoSample(quoted(first)));
        }
        Ok(read)
    }

    fn new(shape: Shape) -> Self {
        let (names, t_ms, values, problems) = (vec![], vec![], vec![], vec![]);
        Self { shape, names, t_ms, values, problems }
    }

    /// The number of a counter.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// A counter over time, without rows that do not have it.
    pub fn column(&self, number: usize) -> impl Iterator<Item = (f64, f64)> + '_ {
        let values = self.values.iter().skip(number).step_by(self.names.len().max(1));
        self.t_ms.iter().copied().zip(values.copied()).filter(|(_, v)| !v.is_nan())
    }

    /// How much a counter rose a second between two times, in milliseconds; a counter that falls
    /// was set back, and what it rose to since is counted.
    #[must_use]
    pub fn rate(&self, number: usize, from_ms: f64, to_ms: f64) -> Option<f64> {
        let inside = self.column(number).filter(|(t, _)| (from_ms..=to_ms).contains(t));
        let (mut sum, mut first, mut last) = (0.0, None, None::<(f64, f64)>);
        for (t, value) in inside {
            if let Some((_, before)) = last {
                sum += if value >= before { value - before } else { value };
            }
            first.get_or_insert(t);
            last = Some((t, value));
        }
        let span = last?.0 - first?;
        (span > 0.0).then(|| sum * 1000.0 / span)
    }

    /// Whether there is room for another row.
    fn has_room(&self) -> bool {
        self.values.len() + self.names.len() <= VALUES_MAX
    }

    /// Puts the rows in the order of their times; says whether they were.
    fn sort(&mut self) -> bool {
        if self.t_ms.windows(2).all(|pair| pair[0] <= pair[1]) {
            return true;
        }
        let mut order: Vec<usize> = (0..self.t_ms.len()).collect();
        order.sort_by(|a, b| self.t_ms[*a].total_cmp(&self.t_ms[*b]));
        let width = self.names.len();
        let row = |i: &usize| self.values[i * width..(i + 1) * width].iter().copied();
        let values = order.iter().flat_map(row).collect();
        self.t_ms = order.iter().map(|i| self.t_ms[*i]).collect();
        self.values = values;
        false
    }
}

/// Lines with their numbers, from 1, without empty ones and comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    all.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A finite number.
fn number(text: &str) -> Option<f64> {
    let short = text.len() <= 32;
    text.parse::<f64>().ok().filter(|v| short && v.is_finite())
}

/// Whether a text can be the name of a counter.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    (1..=NAME_MAX).contains(&text.len()) && text.bytes().all(plain)
}

fn csv(text: &str, said: &mut Said) -> Samples {
    let mut read = Samples::new(Shape::Csv);
    let mut rows = lines(text);
    let Some((first, heads)) = rows.next() else { return read };
    let heads: Vec<&str> = heads.split(',').map(|h| h.trim().trim_matches('"')).collect();
    let Some(time) = heads.iter().position(|head| *head == "t_ms") else {
        said.push(first, "there is no column t_ms");
        return read;
    };
    let mut kept = Vec::new();
    for (at, head) in heads.iter().enumerate().filter(|(at, _)| *at != time) {
        if !is_name(head) {
            said.push(first, format!("{} is no name of a counter; left out", quoted(head)));
        } else if read.names.iter().any(|name| name == head) {
            said.push(first, format!("the column {} stands twice; the first holds", quoted(head)));
        } else if kept.len() < COLUMNS_MAX {
            read.names.push((*head).to_owned());
            kept.push(at);
        } else {
            said.push(
                first,
                format!("there are more than {COLUMNS_MAX} columns; the rest is left out"),
            );
            break;
        }
    }
    for (line, row) in rows {
        let cells: Vec<&str> = row.split(',').take(heads.len() + 1).map(str::trim).collect();
        let t = cells.get(time).and_then(|cell| number(cell));
        let (Some(t), true) = (t, cells.len() == heads.len()) else {
            let (have, want) = (cells.len(), heads.len());
            said.push(
                line,
                format!("{have} cells with a time are expected to be {want}; left out"),
            );
            continue;
        };
        if !read.has_room() {
            said.push(line, format!("more than {VALUES_MAX} values; the rest is left out"));
            break;
        }
        read.t_ms.push(t);
        for &at in &kept {
            let cell = cells[at].trim_matches('"');
            let value = number(cell);
            if value.is_none() && !cell.is_empty() {
                said.push(line, format!("{} is no number; left out", quoted(cell)));
            }
            read.values.push(value.unwrap_or(f64::NAN));
        }
    }
    read
}

/// The columns of `vmstat` that have a kernel counter, and how many of them are one of it.
const VMSTAT: [(&str, &str, f64); 6] = [
    ("free", "nr_free_pages", KIB_A_PAGE),
    ("cache", "nr_file_pages", KIB_A_PAGE),
    ("swpd", "nr_swap_used", KIB_A_PAGE),
    ("si", "pswpin", KIB_A_PAGE),
    ("so", "pswpout", KIB_A_PAGE),
    ("bi", "pgpgin", 1.0),
];

fn columns(text: &str, interval_ms: f64, said: &mut Said) -> Samples {
    let mut read = Samples::new(Shape::Vmstat);
    let mut places: Vec<(usize, f64, bool)> = Vec::new();
    let mut width = 0;
    let mut sums: Vec<f64> = Vec::new();
    let mut since_boot = true;
    for (line, row) in lines(text) {
        let cells: Vec<&str> = row.split_whitespace().take(COLUMNS_MAX).collect();
        if row.starts_with("procs") {
            continue;
        }
        if cells.first() == Some(&"r") {
            if !read.names.is_empty() {
                continue;
            }
            width = cells.len();
            for (head, name, factor) in VMSTAT {
                if let Some(at) = cells.iter().position(|cell| *cell == head) {
                    read.names.push(name.to_owned());
                    // Rates a second become counters that grow.
                    places.push((at, factor, !name.starts_with("nr_")));
                }
            }
            sums = vec![0.0; places.len()];
            continue;
        }
        let numbers: Option<Vec<f64>> = cells.iter().take(width).map(|cell| number(cell)).collect();
        let Some(numbers) = numbers.filter(|n| !places.is_empty() && n.len() == width) else {
            said.push(line, format!("{} is no row of vmstat; left out", quoted(row)));
            continue;
        };
        // The first row is a mean since boot.
        if core::mem::take(&mut since_boot) {
            continue;
        }
        if !read.has_room() {
            said.push(line, format!("more than {VALUES_MAX} values; the rest is left out"));
            break;
        }
        read.t_ms.push(read.t_ms.len() as f64 * interval_ms);
        for (sum, (at, factor, is_rate)) in sums.iter_mut().zip(&places) {
            let value = numbers[*at] / factor;
            *sum = if *is_rate { *sum + value * interval_ms / 1000.0 } else { value };
            read.values.push(*sum);
        }
    }
    read
}

fn proc_vmstat(text: &str, interval_ms: f64, said: &mut Said) -> Samples {
    let mut read = Samples::new(Shape::Proc);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut row: Vec<f64> = Vec::new();
    let mut time = None;
    let mut started = false;
    for (line, text) in lines(text) {
        let mut words = text.split_whitespace();
        let pair = words.next().zip(words.next().and_then(number));
        let Some((name, value)) = pair.filter(|(name, _)| is_name(name) && words.next().is_none())
        else {
            said.push(line, format!("{} is not a counter and its number; left out", quoted(text)));
            continue;
        };
        let number = places.get(name).copied();
        // A counter that comes again, or a time behind counters, begins the next sample.
        let again = number.is_some_and(|n| row.get(n).is_some_and(|v| !v.is_nan()));
        if started && (again || name == "t_ms") {
            if !read.has_room() {
                said.push(line, format!("more than {VALUES_MAX} values; the rest is left out"));
                return read;
            }
            read.close(&mut row, time.take(), interval_ms);
            started = false;
        }
        if name == "t_ms" {
            time = Some(value);
            continue;
        }
        started = true;
        match number {
            Some(number) => {
                row.resize(read.names.len(), f64::NAN);
                row[number] = value;
            }
            // Later samples have no counters that the first one has not.
            None if read.t_ms.is_empty() && read.names.len() < COLUMNS_MAX => {
                places.insert(name, read.names.len());
                read.names.push(name.to_owned());
                row.resize(read.names.len(), f64::NAN);
                row[read.names.len() - 1] = value;
            }
            None => {
                said.push(line, format!("the first sample has no {}; left out", quoted(name)));
            }
        }
    }
    if started && read.has_room() {
        read.close(&mut row, time, interval_ms);
    }
    read
}

impl Samples {
    /// Adds a row that has been collected.
    fn close(&mut self, row: &mut Vec<f64>, time: Option<f64>, interval_ms: f64) {
        let next = self.t_ms.last().map_or(0.0, |last| last + interval_ms);
        self.t_ms.push(time.unwrap_or(next));
        row.resize(self.names.len(), f64::NAN);
        self.values.append(row);
    }
}
