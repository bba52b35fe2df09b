//! Tables of published figures, as CSV: read with bounds, every error with its line.

use scenario::{Problem, quoted};

/// The longest table that is read, in bytes.
pub const BYTES_MAX: usize = 4 << 20;
/// Most rows of a table.
pub const ROWS_MAX: usize = 100_000;

/// What every table has, in the order of [`Row`]'s fields.
const COLUMNS: [&str; 6] = ["id", "metric", "unit", "x_name", "x_value", "arm"];

/// Slots of a cluster (SWAPFILE_CLUSTER).
const CLUSTER: f64 = 512.0;

/// One published figure, or the question for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The line of the file that it stands on, from 1; the heading is line 1.
    pub line: u64,
    /// The set that it belongs to: `D01c`.
    pub id: String,
    /// What was measured.
    pub metric: String,
    /// The unit of the figure.
    pub unit: String,
    /// What varies within the set.
    pub x_name: String,
    /// Its value in this row.
    pub x_value: String,
    /// Which variant was measured.
    pub arm: String,
    /// The load, where the table says it.
    pub workload: String,
    /// The standard deviation, where the note says it.
    pub sd: Option<f64>,
    /// The figure as printed; nothing in an index.
    pub printed: Option<String>,
}

impl Row {
    /// The figure, where it is a number, a size, or a cluster of slots.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let printed = self.printed.as_deref()?;
        if printed == "one cluster" || printed == "SWAPFILE_CLUSTER" {
            return Some(CLUSTER);
        }
        let (digits, unit) = match printed.as_bytes().last()? {
            b'G' if self.unit == "bytes" => (&printed[..printed.len() - 1], f64::from(1 << 30)),
            b'M' if self.unit == "bytes" => (&printed[..printed.len() - 1], f64::from(1 << 20)),
            _ => (printed, 1.0),
        };
        let value = digits.parse::<f64>().ok()? * unit;
        value.is_finite().then_some(value)
    }

    /// What varies, where it is a whole number.
    #[must_use]
    pub fn x(&self) -> Option<u32> {
        self.x_value.parse().ok()
    }
}

/// A file of rows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
    /// Heading and records as they were read, for whoever writes the file again.
    pub(crate) heading: csv::StringRecord,
    /// One a row.
    pub(crate) records: Vec<csv::StringRecord>,
}

impl Table {
    /// Reads a table. A column `value` is wanted, or forbidden in an index.
    ///
    /// # Errors
    /// What is wrong, with the line it is on.
    pub fn parse(text: &str, with_values: bool) -> Result<Self, Problem> {
        if text.len() > BYTES_MAX {
            let bytes = text.len();
            let sentence = format!("it has {bytes} bytes; at most {BYTES_MAX} are read");
            return Err(Problem::new("the table", sentence));
        }
        // The crate csv does the quoting; it is linked natively only.
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heading = reader.headers().map_err(|error| problem(&error))?.clone();
        let places = Places::find(&heading, with_values)?;
        let (mut rows, mut records) = (Vec::new(), Vec::new());
        for record in reader.into_records() {
            let record = record.map_err(|error| problem(&error))?;
            if rows.len() == ROWS_MAX {
                return Err(at(&record, format!("there are more than {ROWS_MAX} rows")));
            }
            rows.push(places.row(&record)?);
            records.push(record);
        }
        if rows.is_empty() {
            return Err(Problem::new("line 1", "there are no rows below the heading"));
        }
        Ok(Self { rows, heading, records })
    }
}

/// Where the columns stand.
struct Places {
    columns: [usize; COLUMNS.len()],
    workload: Option<usize>,
    note: Option<usize>,
    value: Option<usize>,
}

impl Places {
    fn find(heading: &csv::StringRecord, with_values: bool) -> Result<Self, Problem> {
        let place = |name: &str| heading.iter().position(|column| column == name);
        let missing = |name: &str| Problem::new("line 1", format!("there is no column `{name}`"));
        let mut columns = [0; COLUMNS.len()];
        for (to, name) in columns.iter_mut().zip(COLUMNS) {
            *to = place(name).ok_or_else(|| missing(name))?;
        }
        let value = place("value");
        if with_values && value.is_none() {
            return Err(missing("value"));
        }
        if !with_values && value.is_some() {
            let sentence = "there is a column `value`; an index has none";
            return Err(Problem::new("line 1", sentence));
        }
        Ok(Self { columns, workload: place("workload"), note: place("note"), value })
    }

    fn row(&self, record: &csv::StringRecord) -> Result<Row, Problem> {
        let field = |column: usize| record.get(column).unwrap_or_default().to_owned();
        let [id, metric, unit, x_name, x_value, arm] = self.columns.map(field);
        if id.is_empty() || metric.is_empty() {
            return Err(at(record, "it has no id or no metric".to_owned()));
        }
        let printed = self.value.map(field);
        if printed.as_deref() == Some("") {
            return Err(at(record, format!("{} has no value", quoted(&metric))));
        }
        Ok(Row {
            line: line_of(record.position()),
            id,
            metric,
            unit,
            x_name,
            x_value,
            arm,
            workload: self.workload.map(field).unwrap_or_default(),
            sd: self.note.and_then(|note| deviation(record.get(note).unwrap_or_default())),
            printed,
        })
    }
}

/// The standard deviation that a note ends a part with: `VERBATIM; sd 910`.
fn deviation(note: &str) -> Option<f64> {
    note.split("; ").find_map(|part| part.strip_prefix("sd ")?.parse().ok())
}

fn line_of(position: Option<&csv::Position>) -> u64 {
    position.map_or(0, csv::Position::line)
}

fn at(record: &csv::StringRecord, sentence: String) -> Problem {
    Problem::new(format!("line {}", line_of(record.position())), sentence)
}

fn problem(error: &csv::Error) -> Problem {
    let place = format!("line {}", line_of(error.position()).max(1));
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let sentence = format!("it has {len} fields, but the heading has {expected_len}");
            Problem::new(place, sentence)
        }
        _ => Problem::new(place, "it cannot be read as CSV"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "id,metric,unit,x_name,x_value,arm,value\n";

    fn refused(text: &str, with_values: bool) -> String {
        Table::parse(text, with_values).expect_err("a wrong table").to_string()
    }

    #[test]
    fn quoted_fields_and_numbers_are_read() {
        let text = format!(
            "{HEADING}D1,\"a, \"\"b\"\"\",%,n,10,one,5.25\nD1,c,s,n,-,\"two\nlines\",966.2M\n\
             D2,d,s,n,6,x,1\n"
        );
        let table = Table::parse(&text, true).expect("a table");
        assert_eq!(table.rows[0].metric, "a, \"b\"");
        assert_eq!((table.rows[0].value(), table.rows[0].x()), (Some(5.25), Some(10)));
        assert_eq!((table.rows[1].value(), table.rows[1].x()), (None, None));
        assert_eq!(table.rows[1].printed.as_deref(), Some("966.2M"));
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3, 5]);
    }

    #[test]
    fn errors_name_the_line() {
        let short = format!("{HEADING}D1,m,%,n,10,one,5\nD1,m,%,n\n");
        assert_eq!(refused(&short, true), "line 3: it has 4 fields, but the heading has 7");
        let empty = format!("{HEADING}D1,m,%,n,10,one,\n");
        assert_eq!(refused(&empty, true), "line 2: `m` has no value");
        let nobody = format!("{HEADING},m,%,n,10,one,1\n");
        assert_eq!(refused(&nobody, true), "line 2: it has no id or no metric");
        assert_eq!(refused("id,metric\n", true), "line 1: there is no column `unit`");
        assert_eq!(refused("", true), "line 1: there is no column `id`");
        assert_eq!(refused(HEADING, true), "line 1: there are no rows below the heading");
        let index = format!("{HEADING}D1,m,%,n,10,one,5\n");
        assert_eq!(refused(&index, false), "line 1: there is a column `value`; an index has none");
        let unclosed = format!("{HEADING}D1,\"m,%,n,10,one,5\nD1,m,%,n,10,one,5\n");
        assert!(refused(&unclosed, true).starts_with("line 2: "));
    }

    #[test]
    fn tables_are_bounded() {
        let long = format!("{HEADING}{}", "D1,m,%,n,10,one,5\n".repeat(ROWS_MAX + 1));
        let sentence = format!("line {}: there are more than {ROWS_MAX} rows", ROWS_MAX + 2);
        assert_eq!(refused(&long, true), sentence);
        let huge = " ".repeat(BYTES_MAX + 1);
        assert!(refused(&huge, true).starts_with("the table: it has "));
    }
}
