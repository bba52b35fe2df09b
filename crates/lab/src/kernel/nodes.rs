//! The sampled memory of an experiment: `nodes.csv`, for what the machine's other memory is.
//!
//! Free pages and file lists do not add up to a node: the kernel, its tables, other processes and
//! the workload's own buffers have the rest, and pages wait on per-CPU lists. The rest in a sample
//! taken while memory is short is what a run of the model is made to have too. It changes during a
//! run, for one with the nodes that shadow entries take.
//!
//! What other processes have of anonymous memory before the load begins is on the lists as well:
//! nobody uses it during the run, so that it is what reclaim can swap out first.

use super::params::Params;
use catalog::ZoneKind;
use mm::config::ZONES_PER_NODE;
use scenario::{Problem, quoted};

/// The file's name.
const FILE: &str = "nodes.csv";
/// The column of the time, in milliseconds since the load began.
const TIME: &str = "t_ms";
/// Most samples and columns.
const ROWS_MAX: usize = 1_000_000;
const COLUMNS_MAX: usize = 500;

/// What the table tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Samples {
    /// Pages of each node that are neither free nor on a file list, in the samples taken while its
    /// memory is short, smallest first. None for a node that never is, or of which the table does
    /// not tell.
    pub(super) rests: Vec<Vec<u64>>,
    /// The nodes in the order in which a zone of theirs was seen at its low mark.
    pub(super) fell: Vec<u32>,
    /// The same of pages that are neither free nor on any list.
    pub(super) unlisted: Vec<Vec<u64>>,
    /// Anonymous pages on each node's lists in the first sample, before the load has any.
    pub(super) idle: Vec<u64>,
}

impl Samples {
    /// Reads the text of the table.
    ///
    /// # Errors
    /// What is wrong in it, with its line.
    pub(super) fn read(params: &Params, text: &str) -> Result<Self, Problem> {
        read(params, text)
    }
}

fn read(params: &Params, text: &str) -> Result<Samples, Problem> {
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
    let wrong = |line: u64, why: String| Problem::new(format!("{FILE} line {line}"), why);
    let heading = reader.headers().map_err(|e| wrong(1, e.to_string()))?.clone();
    if heading.len() > COLUMNS_MAX {
        return Err(wrong(1, format!("has more than {COLUMNS_MAX} columns")));
    }
    let column = |name: &str| heading.iter().position(|h| h == name);
    let shapes: Vec<Option<Shape>> =
        (0..params.nodes()).map(|node| Shape::find(params, node, column)).collect();
    let mut rests = vec![Vec::new(); params.nodes()];
    let mut unlisted = vec![Vec::new(); params.nodes()];
    let mut fell = Vec::new();
    let mut idle = vec![0; params.nodes()];
    let early = heading.iter().position(|h| h == TIME);
    for (row, record) in reader.records().enumerate() {
        let line = row as u64 + 2;
        if row == ROWS_MAX {
            return Err(wrong(line, format!("more than {ROWS_MAX} samples")));
        }
        let record = record.map_err(|e| wrong(line, e.to_string()))?;
        let number = |column: usize| -> Result<u64, Problem> {
            let cell = record[column].trim();
            // Counters of CPUs that are not added up yet make a free count of a few below nothing.
            let parsed = cell.parse::<i64>().map(|n| n.max(0).unsigned_abs());
            parsed.map_err(|_| wrong(line, format!("{} is no whole number", quoted(cell))))
        };
        let is_before = early.is_some_and(|column| record[column].trim().starts_with('-'));
        for (node, shape) in shapes.iter().enumerate() {
            let Some(shape) = shape else { continue };
            if row == 0 && is_before {
                idle[node] = shape.anonymous(number)?.unwrap_or(0);
            }
            if let Some(rest) = shape.rest(number)? {
                rests[node].push(rest);
                let anonymous = shape.anonymous(number)?;
                unlisted[node].extend(anonymous.and_then(|anon| rest.checked_sub(anon)));
            }
            if !fell.contains(&(node as u32)) && shape.at_low(number)? {
                fell.push(node as u32);
            }
        }
    }
    rests.iter_mut().chain(&mut unlisted).for_each(|rests| rests.sort_unstable());
    Ok(Samples { rests, unlisted, fell, idle })
}

/// The value in the middle.
pub(super) fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// Free pages at or under which memory of a zone is short.
pub(super) fn short(high: u64) -> u64 {
    2 * high
}

/// What the columns tell of a node.
struct Shape {
    managed: u64,
    /// Free pages of its sampled zones: the column, under how many memory is short, and low.
    free: Vec<(usize, u64, u64)>,
    /// Its file lists.
    file: Vec<usize>,
    /// Its anonymous lists.
    anon: Vec<usize>,
    /// Free pages of the zones without a column, while memory is short.
    unseen: u64,
}

impl Shape {
    fn find(params: &Params, node: usize, column: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        let mut shape =
            Self { managed: 0, free: Vec::new(), file: Vec::new(), anon: Vec::new(), unseen: 0 };
        for zone in params.zones_of(node) {
            shape.managed += zone.managed;
            let kind = zone.kind.name().to_lowercase();
            let [_, low, high, _] = zone.marks;
            match column(&format!("n{node}_{kind}_free")) {
                Some(column) => shape.free.push((column, short(high), low)),
                // Requests take such a zone down to low and its reserve.
                None => {
                    let reserve = zone.protection.iter().copied().max().unwrap_or(0);
                    shape.unseen += zone.free.min(low.saturating_add(reserve));
                }
            }
        }
        for list in ["inactive", "active"] {
            shape.file.push(column(&format!("n{node}_nr_{list}_file"))?);
            shape.anon.extend(column(&format!("n{node}_nr_{list}_anon")));
        }
        (!shape.free.is_empty()).then_some(shape)
    }

    /// Pages on its anonymous lists, if the table has both.
    fn anonymous(
        &self,
        number: impl Fn(usize) -> Result<u64, Problem>,
    ) -> Result<Option<u64>, Problem> {
        if self.anon.len() < 2 {
            return Ok(None);
        }
        let sum = |sum: u64, &column: &usize| Ok(sum.saturating_add(number(column)?));
        self.anon.iter().try_fold(0_u64, sum).map(Some)
    }

    /// Whether one of its zones is at low.
    fn at_low(&self, number: impl Fn(usize) -> Result<u64, Problem>) -> Result<bool, Problem> {
        for &(column, _, low) in &self.free {
            if number(column)? <= low {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a sample leaves when free and listed pages are taken off, if memory is short in it.
    fn rest(&self, number: impl Fn(usize) -> Result<u64, Problem>) -> Result<Option<u64>, Problem> {
        let mut known = self.unseen;
        for &(column, short, _) in &self.free {
            let free = number(column)?;
            if free > short {
                return Ok(None);
            }
            known = known.saturating_add(free);
        }
        for &column in &self.file {
            known = known.saturating_add(number(column)?);
        }
        Ok(self.managed.checked_sub(known))
    }
}

/// The same of a node of the model, if memory is short on it: in all zones but DMA, which is hardly
/// ever sampled.
pub(super) fn rest_of(m: &mm::Machine, node: usize) -> Option<u64> {
    let zones = &m.zones[node * ZONES_PER_NODE..(node + 1) * ZONES_PER_NODE];
    let mut seen = zones[ZoneKind::Dma32 as usize..].iter().filter(|z| z.managed > 0);
    if !seen.all(|z| z.free <= short(z.plain_marks().high)) {
        return None;
    }
    let managed: u64 = zones.iter().map(|z| z.managed).sum();
    let known: u64 = zones.iter().map(|z| z.free + z.lru).sum();
    managed.checked_sub(known)
}
