//! Sampled use of swap devices: `swaps.csv` of an experiment, and the same of a run of the model.

use super::params::SwapDevice;
use scenario::{Problem, quoted};

/// The file's name.
const FILE: &str = "swaps.csv";
/// Most samples and columns.
const ROWS_MAX: usize = 1_000_000;
const COLUMNS_MAX: usize = 200;
/// The span over which a device's speed is looked for, in ms.
const SPAN_MS: f64 = 1_000.0;

/// Used pages of each device, sample by sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples {
    /// When each sample was taken, in ms.
    pub(super) times: Vec<f64>,
    /// Used pages by device, in the order of swapon.
    pub(super) used: Vec<Vec<u64>>,
}

impl Samples {
    /// Reads the text of the table; a device without a column is never used.
    ///
    /// # Errors
    /// What is wrong in it, with its line.
    pub(super) fn read(devices: &[SwapDevice], text: &str) -> Result<Self, Problem> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let wrong = |line: u64, why: String| Problem::new(format!("{FILE} line {line}"), why);
        let heading = reader.headers().map_err(|e| wrong(1, e.to_string()))?.clone();
        if heading.len() > COLUMNS_MAX {
            return Err(wrong(1, format!("has more than {COLUMNS_MAX} columns")));
        }
        let column = |name: &str| heading.iter().position(|h| h == name);
        let time = column("t_ms").ok_or_else(|| wrong(1, "has no column t_ms".into()))?;
        let columns: Vec<Option<usize>> =
            devices.iter().map(|d| column(&format!("{}_used_pages", d.name))).collect();
        let mut samples = Self::default();
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|e| {
                let line = e.position().map_or(row as u64 + 2, csv::Position::line);
                wrong(line, e.to_string())
            })?;
            let line = record.position().map_or(row as u64 + 2, csv::Position::line);
            if row == ROWS_MAX {
                return Err(wrong(line, format!("more than {ROWS_MAX} samples")));
            }
            let cell = |column: usize| record[column].trim().to_owned();
            let not = |cell: &str| wrong(line, format!("{} is no number", quoted(cell)));
            let at = cell(time);
            let ms = at.parse::<f64>().ok().filter(|ms| ms.is_finite());
            samples.times.push(ms.ok_or_else(|| not(&at))?);
            let mut used = Vec::new();
            for column in &columns {
                let Some(column) = *column else {
                    used.push(0);
                    continue;
                };
                let cell = cell(column);
                used.push(cell.parse::<u64>().map_err(|_| not(&cell))?);
            }
            samples.used.push(used);
        }
        Ok(samples)
    }

    /// Adds a sample.
    pub(super) fn push(&mut self, ms: f64, used: Vec<u64>) {
        self.times.push(ms);
        self.used.push(used);
    }

    /// The most pages of each device.
    pub(super) fn peaks(&self, devices: usize) -> Vec<u64> {
        let of = |device: usize| self.used.iter().map(|used| used[device]).max().unwrap_or(0);
        (0..devices).map(of).collect()
    }

    /// Pages that devices took between two samples at both of which one of higher priority had
    /// room.
    pub(super) fn early(&self, devices: &[SwapDevice]) -> u64 {
        let mut early = 0_u64;
        for pair in self.used.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            for (d, device) in devices.iter().enumerate() {
                let room = devices.iter().enumerate().any(|(h, higher)| {
                    higher.priority > device.priority
                        && before[h] < higher.pages
                        && after[h] < higher.pages
                });
                if room {
                    early = early.saturating_add(after[d].saturating_sub(before[d]));
                }
            }
        }
        early
    }

    /// The largest difference between devices of equal priority that are not full, until most is
    /// used.
    pub(super) fn spread(&self, devices: &[SwapDevice]) -> u64 {
        let total = |used: &Vec<u64>| used.iter().fold(0_u64, |sum, &n| sum.saturating_add(n));
        let most = self.used.iter().map(total).max().unwrap_or(0);
        let end = self.used.iter().position(|used| total(used) == most).map_or(0, |at| at + 1);
        let of = |used: &Vec<u64>| {
            let spread = |own: &SwapDevice| {
                let peers = devices
                    .iter()
                    .zip(used)
                    .filter(|(peer, n)| peer.priority == own.priority && **n < peer.pages);
                let n: Vec<u64> = peers.map(|(_, &n)| n).collect();
                Some(n.iter().max()? - n.iter().min()?)
            };
            devices.iter().filter_map(spread).max().unwrap_or(0)
        };
        self.used[..end].iter().map(of).max().unwrap_or(0)
    }

    /// The most pages a second that each device took over a second.
    pub(super) fn rates(&self, devices: usize) -> Vec<f64> {
        let mut rates = vec![0.0_f64; devices];
        let mut end = 0;
        for (start, &from) in self.times.iter().enumerate() {
            while end < self.times.len() && self.times[end] - from < SPAN_MS {
                end += 1;
            }
            let Some(used) = self.used.get(end) else { break };
            let seconds = (self.times[end] - from) / 1_000.0;
            for (rate, (&before, &after)) in rates.iter_mut().zip(self.used[start].iter().zip(used))
            {
                *rate = rate.max(after.saturating_sub(before) as f64 / seconds);
            }
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str, pages: u64, priority: i64) -> SwapDevice {
        SwapDevice { name: name.into(), kind: "partition".into(), pages, used: 0, priority }
    }

    #[test]
    fn samples_say_who_was_early_how_far_peers_lie_apart_and_how_fast_devices_are() {
        let devices = [device("a", 100, 2), device("b", 100, 1), device("c", 100, 1)];
        let text = "t_ms,a_used_pages,c_used_pages,b_used_pages\n\
                    -500.0,0,0,0\n0,60,0,0\n500,100,3,7\n1000,90,13,7\n1500,80,13,57\n2000,0,1,0\n";
        let samples = Samples::read(&devices, text).expect("readable");
        assert_eq!(samples.used[2], [100, 7, 3]);
        assert_eq!(samples.early(&devices), 50, "while a had 10 and 20 free pages");
        assert_eq!(samples.spread(&devices), 44);
        assert_eq!(samples.peaks(3), [100, 57, 13]);
        assert_eq!(samples.rates(3), [100.0, 50.0, 13.0]);
        assert_eq!(Samples::default().spread(&devices), 0);
    }

    #[test]
    fn a_broken_table_is_an_error_with_its_line() {
        let devices = [device("a", 100, 2)];
        let said = |text: &str| Samples::read(&devices, text).map_err(|p| p.to_string());
        for (text, line) in [
            ("a_used_pages\n1\n", "line 1"),
            ("t_ms,a_used_pages\n0,-1\n", "line 2"),
            ("t_ms,a_used_pages\n0,1\nx,1\n", "line 3"),
            ("t_ms,a_used_pages\n0,1\ninf,1\n", "line 3"),
            ("t_ms,a_used_pages\n0,1\n0\n", "line 3"),
        ] {
            assert!(said(text).is_err_and(|s| s.contains(line)), "{text}");
        }
    }
}
