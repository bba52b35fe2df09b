//! A real machine from what its kernel prints: `/proc/zoneinfo`, and `sysctl` lines.
//!
//! The texts come out of mails and terminals, cut and mixed. Whole zones are kept, everything that
//! cannot be read is a [`Problem`] with its line. One pass over the text, bounded by
//! [`SIZE_MAX`], no memory beyond a few numbers a line.

mod cpulist;
mod sysctl;
mod zoneinfo;

pub use cpulist::count_cpus;
pub use sysctl::Sysctl;
pub use zoneinfo::{Pageset, Zone, Zoneinfo};

use crate::problem::Problem;
use crate::scenario::{MANAGED_MAX, NodeSpec, Scenario, ZoneSpec, nodes_max};
use catalog::{ControlId, FLAVOURS, Kind, ZoneKind};
use core::fmt;

/// The longest text that is read, in bytes.
pub const SIZE_MAX: usize = 4 << 20;
/// How many problems of one text are told one by one.
pub(crate) const PROBLEMS_MAX: usize = 20;

/// Why a pasted text could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasteError {
    /// It is longer than [`SIZE_MAX`]: this many bytes.
    TooLong(usize),
    /// No whole zone is in it: what was looked for, and what its first line is.
    NoZone(String),
}

impl fmt::Display for PasteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => {
                write!(f, "the text has {bytes} bytes; at most {SIZE_MAX} are read")
            }
            Self::NoZone(first) => write!(
                f,
                "no whole zone is in the text: a /proc/zoneinfo has lines like \
                 `Node 0, zone DMA32` with pages free, min, low, high, managed and protection \
                 under them; the text begins with {first}"
            ),
        }
    }
}

impl core::error::Error for PasteError {}

/// Makes `base` the pasted machine, zone by zone: nodes, managed pages, CPUs, and the settings that
/// the sysctl lines name. Everything else stays as it is in `base`.
///
/// The problems say what the model cannot take over; those of reading the texts are in
/// [`Zoneinfo::problems`] and [`Sysctl::problems`].
#[must_use]
pub fn into_scenario(
    zoneinfo: &Zoneinfo,
    sysctl: Option<&Sysctl>,
    base: &Scenario,
) -> (Scenario, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut scenario = base.clone();
    let nodes = node_specs(zoneinfo, sysctl, &mut problems);
    if !nodes.is_empty() {
        scenario.nodes = nodes;
    }
    if let Some(sysctl) = sysctl {
        take_settings(zoneinfo, sysctl, &mut scenario, &mut problems);
    }
    (scenario, problems)
}

fn node_specs(
    zoneinfo: &Zoneinfo,
    sysctl: Option<&Sysctl>,
    problems: &mut Vec<Problem>,
) -> Vec<NodeSpec> {
    let numbers = zoneinfo.nodes();
    for (number, cpus) in sysctl.iter().flat_map(|s| &s.cpus) {
        if *cpus > 0 && !numbers.contains(number) {
            let sentence = format!("it has {cpus} CPUs, but no zone in the text, which may be cut");
            problems.push(Problem::new(format!("node {number}"), sentence));
        }
    }
    let cpus = node_cpus(zoneinfo, sysctl, &numbers, problems);
    let mut nodes = Vec::new();
    for (&number, cpus) in numbers.iter().zip(cpus) {
        let zones = zone_specs(zoneinfo, number, problems);
        let path = format!("node {number}");
        if zones.is_empty() {
            problems.push(Problem::new(path, "it has no memory; it is left out with its CPUs"));
        } else if nodes.len() == nodes_max() {
            let sentence =
                format!("a machine has at most {} nodes; this one is left out", nodes_max());
            problems.push(Problem::new(path, sentence));
        } else {
            nodes.push(NodeSpec { cpus, zones });
        }
    }
    nodes
}

fn zone_specs(zoneinfo: &Zoneinfo, node: u32, problems: &mut Vec<Problem>) -> Vec<ZoneSpec> {
    let mut specs: Vec<ZoneSpec> = Vec::new();
    for zone in zoneinfo.zones.iter().filter(|zone| zone.node == node && zone.managed > 0) {
        let path = format!("zoneinfo line {}", zone.line);
        let Some(kind) = ZoneKind::by_name(&zone.name) else {
            let sentence = format!(
                "zone {} of node {node} is not modelled; its {} pages are left out",
                zone.name, zone.managed
            );
            problems.push(Problem::new(path, sentence));
            continue;
        };
        if zone.managed > MANAGED_MAX {
            let sentence = format!(
                "zone {} of node {node} has {} managed pages; {MANAGED_MAX} are taken",
                zone.name, zone.managed
            );
            problems.push(Problem::new(path, sentence));
        }
        specs.push(ZoneSpec { kind, managed: zone.managed.min(MANAGED_MAX) });
    }
    units::order::by_key(&mut specs, |zone| zone.kind);
    specs.dedup_by_key(|zone| zone.kind);
    specs
}

/// CPUs of each node: as the sysctl lines say, else shared out evenly.
fn node_cpus(
    zoneinfo: &Zoneinfo,
    sysctl: Option<&Sysctl>,
    numbers: &[u32],
    problems: &mut Vec<Problem>,
) -> Vec<u32> {
    let max = ControlId::Cpus.control().bounds().1 as u32;
    let known = |number: u32| sysctl.and_then(|s| s.node_cpus(number));
    let mut cpus: Vec<Option<u32>> = numbers.iter().map(|&n| known(n)).collect();
    let unknown = cpus.iter().filter(|c| c.is_none()).count() as u32;
    let given = cpus.iter().flatten().fold(0u32, |sum, n| sum.saturating_add(*n));
    let rest = zoneinfo.cpus().saturating_sub(given);
    if let Some(share) = rest.checked_div(unknown) {
        if numbers.len() > 1 {
            let sentence = format!(
                "the text does not say which CPUs belong to which node; {rest} are shared out \
                 evenly (lines such as `node0.cpus = 0-3` would say it)"
            );
            problems.push(Problem::new("cpus", sentence));
        }
        let open = cpus.iter_mut().filter(|c| c.is_none());
        for (i, place) in open.enumerate() {
            *place = Some(share + u32::from((i as u32) < rest % unknown));
        }
    }
    let bounded = numbers.iter().zip(cpus).map(|(number, cpus)| {
        let cpus = cpus.unwrap_or(0);
        if cpus > max {
            let sentence = format!("{cpus} CPUs are more than a node has here; {max} are taken");
            problems.push(Problem::new(format!("node {number}"), sentence));
        }
        cpus.min(max)
    });
    bounded.collect()
}

fn take_settings(
    zoneinfo: &Zoneinfo,
    sysctl: &Sysctl,
    scenario: &mut Scenario,
    problems: &mut Vec<Problem>,
) {
    let mut set = |id: ControlId, value: u64| {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        if let Err(mut problem) = scenario.set(id, value) {
            problem.sentence.push_str("; left as it was");
            problems.push(problem);
        }
    };
    if let Some(kbytes) = sysctl.min_free_kbytes {
        set(ControlId::MinFreeKbytes, kbytes);
    }
    if let Some(factor) = sysctl.watermark_scale_factor {
        set(ControlId::WatermarkScaleFactor, factor);
    }
    if let Some(ratios) = &sysctl.lowmem_reserve_ratio {
        let controls = [
            (ZoneKind::Dma, ControlId::ReserveDma),
            (ZoneKind::Dma32, ControlId::ReserveDma32),
            (ZoneKind::Normal, ControlId::ReserveNormal),
        ];
        for (kind, id) in controls {
            let class = zoneinfo.class_of(kind.name());
            if let Some(&ratio) = class.and_then(|class| ratios.get(class)) {
                set(id, ratio);
            }
        }
    }
    if let Some(version) = sysctl.kernel {
        let (row, exact) = flavour_of(version);
        set(ControlId::Flavour, row as i64 as u64);
        if !exact {
            let Kind::Choice(rows) = ControlId::Flavour.control().kind else { return };
            let sentence = format!(
                "{}.{} is not a kernel that is modelled; the nearest, {}, is taken",
                version.0, version.1, rows[row].name
            );
            problems.push(Problem::new("flavour", sentence));
        }
    }
}

/// The row of the flavour that models a kernel: its own, else the newest that is not newer, else
/// the oldest; and whether it is its own.
#[must_use]
pub fn flavour_of(version: (u32, u32)) -> (usize, bool) {
    let Kind::Choice(rows) = ControlId::Flavour.control().kind else { return (0, false) };
    let number = |name: &str| sysctl::parse_version(name).filter(|_| !name.contains('-'));
    let known = (0..FLAVOURS.len()).filter_map(|i| number(rows[i].name).map(|v| (v, i)));
    let mut known: Vec<_> = known.collect();
    units::order::by_key(&mut known, |&known| known);
    let best = known.iter().rev().find(|(v, _)| *v <= version).or(known.first());
    best.map_or((0, false), |&(v, row)| (row, v == version))
}

/// Adds a problem unless there are many already; the last one says that there are more.
pub(crate) fn push_bounded(problems: &mut Vec<Problem>, problem: Problem) {
    use core::cmp::Ordering::{Equal, Greater, Less};
    match problems.len().cmp(&PROBLEMS_MAX) {
        Less => problems.push(problem),
        Equal => problems.push(Problem::new(problem.path, "this line and more cannot be read")),
        Greater => {}
    }
}

#[cfg(test)]
mod tests;
