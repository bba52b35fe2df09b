//! What a benchmark printed: rows of mmtests, of fio and of cassandra-stress, as figures that a
//! report has too.

use super::{ReadError, SIZE_MAX, Said};
use crate::problem::{Problem, quoted};

/// Most figures that are kept.
const FIGURES_MAX: usize = 1_000;
/// The longest name of a row.
const NAME_MAX: usize = 64;
/// Most columns of an mmtests row.
const COLUMNS_MAX: usize = 16;
/// Bytes of the units that fio writes.
const UNITS: [(&str, f64); 8] = [
    ("GiB/s", 1_073_741_824.0),
    ("MiB/s", 1_048_576.0),
    ("KiB/s", 1_024.0),
    ("GB/s", 1e9),
    ("MB/s", 1e6),
    ("kB/s", 1e3),
    ("KB/s", 1e3),
    ("B/s", 1.0),
];

/// One figure of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// `throughput`, `latency_p50_us`, `latency_p99_us`, `latency_p999_us`, or what the row calls
    /// it.
    pub name: String,
    /// One value a column: mmtests has a column a kernel, the others have one.
    pub values: Vec<f64>,
    /// How many rows of the text went into it.
    pub rows: usize,
}

/// The figures of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// In the order of the text.
    pub figures: Vec<Figure>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// How rows of one figure join.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// Several clients or groups at once: together they did the sum.
    Sum,
    /// Several clients say how it was for them.
    Mean,
    /// A row is all.
    First,
}

impl Results {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is too long, or has no row of a result.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        if text.len() > SIZE_MAX {
            return Err(ReadError::TooLong(text.len()));
        }
        let (mut results, mut said) = (Self { figures: vec![], problems: vec![] }, Said::default());
        // The unit of fio's percentiles stands in the line above them.
        let mut micros = 1.0;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if results.figures.len() >= FIGURES_MAX {
                said.push(
                    number + 1,
                    format!("more than {FIGURES_MAX} figures; the rest is left out"),
                );
                break;
            }
            if let Some(unit) = line.split("percentiles (").nth(1) {
                micros = micros_of(unit.trim_end_matches([')', ':'])).unwrap_or(1.0);
            } else if line.contains("th=[") {
                results.percentiles(line, micros);
            } else if let Some((name, values)) = mmtests(line) {
                results.add(&name, values, Join::First);
            } else if let Some(bytes) = fio(line) {
                results.add("throughput", vec![bytes], Join::Sum);
            } else if let Some((name, value, join)) = stress(line) {
                results.add(name, vec![value], join);
            }
        }
        for figure in &mut results.figures {
            if figure.name.starts_with("latency") {
                // Means were summed so far.
                figure.values.iter_mut().for_each(|value| *value /= figure.rows as f64);
            }
        }
        results.problems = said.finish();
        if results.figures.is_empty() {
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
            return Err(ReadError::NoResult(quoted(first)));
        }
        Ok(results)
    }

    fn add(&mut self, name: &str, values: Vec<f64>, join: Join) {
        let known = self.figures.iter_mut().find(|figure| figure.name == name);
        match known {
            Some(figure) if join != Join::First && figure.values.len() == values.len() => {
                figure.values.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                figure.rows += 1;
            }
            Some(_) => {}
            None => self.figures.push(Figure { name: name.to_owned(), values, rows: 1 }),
        }
    }

    /// `| 50.00th=[  123], 99.00th=[ 6390], 99.90th=[ 7000]`.
    fn percentiles(&mut self, line: &str, micros: f64) {
        for part in line.split("th=[").collect::<Vec<_>>().windows(2) {
            let percent = part[0].rsplit([' ', '|', ',']).next().and_then(number);
            let value = part[1].split(']').next().and_then(number);
            let name = match percent {
                Some(50.0) => "latency_p50_us",
                Some(99.0) => "latency_p99_us",
                Some(p) if (p - 99.9).abs() < 1e-9 => "latency_p999_us",
                _ => continue,
            };
            if let Some(value) = value {
                self.add(name, vec![value * micros], Join::Mean);
            }
        }
    }
}

/// A finite number, with commas between thousands or without.
fn number(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().filter(|c| *c != ',').take(32).collect();
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Microseconds of a unit of time.
fn micros_of(unit: &str) -> Option<f64> {
    match unit.trim() {
        "nsec" | "ns" => Some(1e-3),
        "usec" | "us" => Some(1.0),
        "msec" | "ms" => Some(1e3),
        "sec" | "s" => Some(1e6),
        _ => None,
    }
}

/// `Hmean  name  1234.50 (  0.00%)  1300.00 *  5.31%*`: the row's name and its values.
fn mmtests(line: &str) -> Option<(String, Vec<f64>)> {
    let mut words = line.split_whitespace();
    let kind = words.next()?;
    let kinds = ["Hmean", "Amean", "Gmean", "Min", "Max", "Stddev", "CoeffVar", "Mean"];
    if !kinds.contains(&kind) {
        return None;
    }
    // What stands in brackets or stars is a per cent of the first column.
    let behind = line[line.find(kind)? + kind.len()..].trim_start();
    let mut plain = String::new();
    let mut inside = false;
    for c in behind.chars() {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            '*' => inside = !inside,
            c if !inside => plain.push(c),
            _ => {}
        }
        if matches!(c, '(' | ')' | '*') {
            plain.push(' ');
        }
    }
    let words: Vec<&str> = plain.split_whitespace().take(COLUMNS_MAX + 8).collect();
    let first = words.iter().skip(1).position(|word| number(word).is_some())? + 1;
    let values: Option<Vec<f64>> = words[first..].iter().map(|word| number(word)).collect();
    let name = words[..first].join(" ");
    let values = values.filter(|values| values.len() <= COLUMNS_MAX)?;
    Some(known(kind, &name, values))
}

/// Rows as the mails of this program have them are figures of a report; the others keep a name of
/// printable characters.
fn known(kind: &str, name: &str, mut values: Vec<f64>) -> (String, Vec<f64>) {
    let figure = match (kind, name) {
        ("Hmean", "GB") => ("throughput", 1e9),
        ("Hmean", "MB") => ("throughput", 1e6),
        ("Hmean", "kB") => ("throughput", 1e3),
        ("Hmean", "requests" | "uses" | "pages" | "jobs" | "ops") => ("throughput", 1.0),
        ("Amean", "p50") => ("latency_p50_us", 1.0),
        ("Amean", "p99") => ("latency_p99_us", 1.0),
        ("Amean", "p999") => ("latency_p999_us", 1.0),
        _ => {
            let plain =
                name.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' });
            return (format!("{kind} {}", plain.take(NAME_MAX).collect::<String>()), values);
        }
    };
    values.iter_mut().for_each(|value| *value *= figure.1);
    (figure.0.to_owned(), values)
}

/// `READ: bw=1234MiB/s (1294MB/s), ...`, the line of a group: bytes a second.
fn fio(line: &str) -> Option<f64> {
    let rest = line.strip_prefix("READ:").or_else(|| line.strip_prefix("WRITE:"))?;
    let bandwidth = rest.split("bw=").nth(1)?;
    let (unit, bytes) = UNITS.iter().find_map(|(unit, bytes)| {
        let end = bandwidth.find(unit)?;
        number(&bandwidth[..end]).map(|value| (value, *bytes))
    })?;
    Some(unit * bytes)
}

/// `Op rate : 43,256 op/s` and `Latency 99th percentile : 6.4 ms` of cassandra-stress.
fn stress(line: &str) -> Option<(&'static str, f64, Join)> {
    let (name, rest) = line.split_once(':')?;
    let mut words = rest.split_whitespace();
    let value = words.next().and_then(number)?;
    let unit = words.next().unwrap_or("");
    let name = name.trim().to_ascii_lowercase();
    let latency = match name.as_str() {
        "op rate" => return unit.starts_with("op/s").then_some(("throughput", value, Join::Sum)),
        "latency median" => "latency_p50_us",
        "latency 99th percentile" => "latency_p99_us",
        "latency 99.9th percentile" => "latency_p999_us",
        _ => return None,
    };
    Some((latency, value * micros_of(unit)?, Join::Mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure<'a>(results: &'a Results, name: &str) -> &'a Figure {
        results.figures.iter().find(|figure| figure.name == name).expect("a figure")
    }

    #[test]
    fn rows_of_mmtests_keep_their_columns() {
        let text = "                          vanilla                patched\n\
            Hmean     GB            8.1100  ( 0.00%)       8.7000 *   7.27%*\n\
            Amean     p99 read      612.0 (   0.00%)      600.5 (   1.88%)\n\
            Stddev    GB            0.0100 (   0.00%)      0.0100 (   0.00%)\n";
        let results = Results::parse(text).expect("rows");
        let rates = &figure(&results, "throughput").values;
        let near = |(is, was): (&f64, f64)| (is / was - 1.0).abs() < 1e-12;
        assert!(rates.len() == 2 && rates.iter().zip([8.11e9, 8.7e9]).all(near), "{rates:?}");
        assert_eq!(figure(&results, "Amean p99 read").values, [612.0, 600.5]);
        assert_eq!(results.figures.len(), 3);
    }

    #[test]
    fn fio_says_what_its_groups_and_percentiles_were() {
        let text = "    clat percentiles (usec):\n\
            |  1.00th=[   50], 50.00th=[  120], 99.00th=[ 6390], 99.90th=[ 7,046],\n\
            Run status group 0 (all jobs):\n   READ: bw=1000MiB/s (1049MB/s), io=58GiB\n\
            Run status group 1 (all jobs):\n   READ: bw=0.5GiB/s (537MB/s), io=29GiB\n";
        let results = Results::parse(text).expect("rows");
        let bytes = 1_048_576_000.0 + 536_870_912.0;
        assert_eq!(figure(&results, "throughput").values, [bytes]);
        assert_eq!(figure(&results, "latency_p99_us").values, [6390.0]);
        assert_eq!(figure(&results, "latency_p999_us").values, [7046.0]);
    }

    #[test]
    fn clients_of_cassandra_stress_are_summed_and_their_latencies_averaged() {
        let client = |rate: &str, p99: &str| {
            format!(
                "Op rate                   :   {rate} op/s  [READ: 1 op/s]\n\
                     Latency 99th percentile   :    {p99} ms\n"
            )
        };
        let text = client("43,256", "6.3") + &client("42,731", "6.4");
        let results = Results::parse(&text).expect("rows");
        assert_eq!(figure(&results, "throughput").values, [85_987.0]);
        assert_eq!(figure(&results, "latency_p99_us").values, [6_350.0]);
    }

    #[test]
    fn other_texts_are_refused_with_their_first_line() {
        let said = Results::parse("\nhello: world\n").expect_err("no result").to_string();
        assert!(said.contains("hello: world"), "{said}");
        assert!(Results::parse("Hmean").is_err() && Results::parse("Amean x (y").is_err());
        assert!(
            Results::parse("READ: bw=").is_err() && Results::parse("Op rate : x op/s").is_err()
        );
    }
}
