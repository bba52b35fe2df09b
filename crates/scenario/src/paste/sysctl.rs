//! `key = value` lines, as `sysctl -a` prints them and people add to them.

use super::{PasteError, SIZE_MAX, count_cpus, push_bounded};
use crate::problem::{Problem, quoted};

/// Most nodes whose CPUs are remembered.
const NODES_MAX: usize = 64;
/// The largest value of the kernel's integers here.
const INT_MAX: u64 = 2_147_483_647;
/// Most reserve ratios of a kernel: one a kind of zone.
const RATIOS_MAX: usize = 8;

/// What the lines say about reclaim; everything else in them is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sysctl {
    /// `vm.min_free_kbytes`, in KiB.
    pub min_free_kbytes: Option<u64>,
    /// `vm.watermark_scale_factor`, in 1/10,000.
    pub watermark_scale_factor: Option<u64>,
    /// `vm.lowmem_reserve_ratio`, one a kind of zone of that kernel.
    pub lowmem_reserve_ratio: Option<Vec<u64>>,
    /// `vm.percpu_pagelist_high_fraction`; 0 lets the lists float.
    pub percpu_pagelist_high_fraction: Option<u64>,
    /// `kernel` or `kernel.osrelease`: major and minor version.
    pub kernel: Option<(u32, u32)>,
    /// `nodeN.cpus`: node and number of CPUs, in order of the lines.
    pub cpus: Vec<(u32, u32)>,
    /// Lines that name one of these and cannot be read.
    pub problems: Vec<Problem>,
}

impl Sysctl {
    /// Reads the lines.
    ///
    /// # Errors
    /// When the text is longer than [`SIZE_MAX`].
    pub fn parse(text: &str) -> Result<Self, PasteError> {
        if text.len() > SIZE_MAX {
            return Err(PasteError::TooLong(text.len()));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut sysctl = Self::default();
        for (i, line) in text.lines().enumerate() {
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            if key.starts_with(['#', ';']) {
                continue;
            }
            if let Err(why) = sysctl.take(key, value) {
                let sentence = format!("{} has the value {}: {why}", key, quoted(value));
                push_bounded(
                    &mut sysctl.problems,
                    Problem::new(format!("sysctl line {}", i + 1), sentence),
                );
            }
        }
        Ok(sysctl)
    }

    /// CPUs of a node, where a line gives them.
    #[must_use]
    pub fn node_cpus(&self, node: u32) -> Option<u32> {
        self.cpus.iter().find(|(n, _)| *n == node).map(|(_, cpus)| *cpus)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "vm.min_free_kbytes" => self.min_free_kbytes = Some(number(value, 0, INT_MAX)?),
            "vm.watermark_scale_factor" => {
                self.watermark_scale_factor = Some(number(value, 1, 3_000)?);
            }
            "vm.percpu_pagelist_high_fraction" => {
                self.percpu_pagelist_high_fraction = Some(number(value, 0, INT_MAX)?);
            }
            "vm.lowmem_reserve_ratio" => {
                let words = value.split_whitespace().take(RATIOS_MAX + 1);
                let ratio = |word| number(word, 0, INT_MAX);
                let ratios = words.map(ratio).collect::<Result<Vec<_>, _>>()?;
                if ratios.is_empty() || ratios.len() > RATIOS_MAX {
                    return Err(format!("it takes 1 to {RATIOS_MAX} numbers"));
                }
                self.lowmem_reserve_ratio = Some(ratios);
            }
            "kernel" | "kernel.osrelease" => {
                let version = parse_version(value);
                self.kernel = Some(version.ok_or("it is no version such as 7.3")?);
            }
            _ => return self.take_cpus(key, value),
        }
        Ok(())
    }

    fn take_cpus(&mut self, key: &str, value: &str) -> Result<(), String> {
        let node = key.strip_prefix("node").and_then(|rest| rest.strip_suffix(".cpus"));
        let Some(node) = node.and_then(|n| n.parse().ok()) else { return Ok(()) };
        let cpus =
            count_cpus(value).map_err(|piece| format!("{} is no list of CPUs", quoted(&piece)))?;
        if self.cpus.len() == NODES_MAX {
            return Err(format!("more than {NODES_MAX} nodes have CPUs"));
        }
        if self.node_cpus(node).is_none() {
            self.cpus.push((node, cpus));
        }
        Ok(())
    }
}

/// A number within the bounds that the kernel itself has.
fn number(text: &str, min: u64, max: u64) -> Result<u64, String> {
    let bounded = text.parse().ok().filter(|n| (min..=max).contains(n));
    bounded.ok_or_else(|| format!("it takes a whole number from {min} to {max}"))
}

/// Major and minor version of `7.3`, `6.12.117-amd64`, `7.2.0-rc1`.
pub(super) fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.trim().split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((major.parse().ok()?, rest[..digits].parse().ok()?))
}
