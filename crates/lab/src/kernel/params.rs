//! The machine of an experiment: `params.json`.

use super::load::{self, CPUS_MAX, Load};
use super::memcg::Limits;
use super::place::{self, Place};
use catalog::{FLAVOURS, Flavour, FlavourId, ZoneKind};
use mm::config::{NODES_MAX, ZONES_MAX};
use scenario::{Problem, quoted};

/// The file's name.
const FILE: &str = "params.json";
/// Most pages of a zone (16 TiB), most KiB of min_free_kbytes, and the sysctls' own bounds.
const PAGES_MAX: u64 = 1 << 32;
const KBYTES_MAX: u64 = 1 << 33;
const SCALE_FACTOR_MAX: u64 = 3_000;
const BOOST_FACTOR_MAX: u64 = u32::MAX as u64;
/// vm.swappiness at most, and where it is not said.
const SWAPPINESS_MAX: u64 = 200;
const SWAPPINESS: u64 = 60;
/// Most swap devices that are listed.
const SWAPS_MAX: usize = 100;

/// A zone that has pages, as the kernel printed it before the run. All but `kind` in pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its node.
    pub node: u32,
    /// Its kind.
    pub kind: ZoneKind,
    /// Pages handed to the buddy allocator.
    pub managed: u64,
    /// Free pages.
    pub free: u64,
    /// The boost in force.
    pub boost: u64,
    /// Marks min, low, high and promo without the boost.
    pub marks: [u64; 4],
    /// lowmem_reserve by class.
    pub protection: Vec<u64>,
}

impl Zone {
    /// `0:DMA32`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}:{}", self.node, self.kind.name())
    }
}

/// A swap device as /proc/swaps showed it before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapDevice {
    /// Its name without `/dev/`.
    pub name: String,
    /// `partition` or `file`.
    pub kind: String,
    /// Pages that can be used.
    pub pages: u64,
    /// Pages that are used.
    pub used: u64,
    /// Its priority.
    pub priority: i64,
}

/// An experiment's machine, settings and load.
#[derive(Clone, Debug)]
pub struct Params {
    /// The kernel as it names itself.
    pub kernel: String,
    /// The rules that the model takes for it.
    pub flavour: Flavour,
    /// Whether the machine is emulated in software.
    pub emulated: bool,
    /// vm.min_free_kbytes.
    pub min_free_kbytes: u64,
    /// Whether transparent huge pages are on.
    pub huge_pages: bool,
    /// vm.watermark_scale_factor.
    pub watermark_scale_factor: u64,
    /// vm.watermark_boost_factor.
    pub watermark_boost_factor: u64,
    /// Whether the multi-generational LRU is on.
    pub lru_gen: bool,
    /// CPUs by node.
    pub cpus: Vec<Vec<u32>>,
    /// Zones that have pages, by node and kind.
    pub zones: Vec<Zone>,
    /// The swap devices that were on, in the order of swapon.
    pub swaps: Vec<SwapDevice>,
    /// Whether the swap devices said of themselves that they turn.
    pub rotational: Option<bool>,
    /// vm.swappiness.
    pub swappiness: u64,
    /// Limits of the memory cgroup that the workload may be in.
    pub limits: Limits,
    /// What the workload did.
    pub load: Load,
}

impl Params {
    /// Reads the text of `params.json`.
    ///
    /// # Errors
    /// Each thing that is missing or wrong in it, with its place.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let value = place::parse(FILE, text).map_err(|problem| vec![problem])?;
        Self::from_root(&Place::root(FILE, &value)).map_err(|problem| vec![problem])
    }

    fn from_root(root: &Place<'_>) -> Result<Self, Problem> {
        let kernel = root.at("kernel")?;
        let zones = zones(&root.at("zones")?)?;
        let nodes = zones.last().map_or(0, |zone| zone.node as usize + 1);
        let swaps = match root.get("swaps_before") {
            Some(list) => {
                list.items(SWAPS_MAX)?.iter().map(swap_device).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        let emulated = match root.get("vm").and_then(|vm| vm.get("accel")) {
            Some(accel) => accel.text()?.contains("tcg"),
            None => false,
        };
        let huge_pages = match root.get("thp") {
            Some(thp) => !thp.text()?.contains("[never]"),
            None => false,
        };
        let rotational = match root.get("rotational") {
            Some(flag) => Some(flag.number(1)? == 1),
            None => None,
        };
        Ok(Self {
            rotational,
            swappiness: match root.get("swappiness") {
                Some(value) => value.number(SWAPPINESS_MAX)?,
                None => SWAPPINESS,
            },
            limits: match root.get("limits") {
                Some(limits) => Limits::of_name(limits.text()?),
                None => Limits::default(),
            },
            flavour: flavour(&kernel)?,
            huge_pages,
            kernel: kernel.text()?.to_owned(),
            emulated,
            min_free_kbytes: root.at("min_free_kbytes")?.number(KBYTES_MAX)?,
            watermark_scale_factor: root.at("watermark_scale_factor")?.number(SCALE_FACTOR_MAX)?,
            watermark_boost_factor: root.at("watermark_boost_factor")?.number(BOOST_FACTOR_MAX)?,
            lru_gen: lru_gen(&root.at("lru_gen")?)?,
            cpus: cpus(root, nodes)?,
            zones,
            swaps,
            load: load::read(&root.at("gt_args")?)?,
        })
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.cpus.len()
    }

    /// The zones of a node.
    pub fn zones_of(&self, node: usize) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(move |zone| zone.node as usize == node)
    }
}

/// The row of the kernel's rules: the newest that is not newer than the kernel.
fn flavour(kernel: &Place<'_>) -> Result<Flavour, Problem> {
    let text = kernel.text()?;
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        return Err(kernel.problem(format!("{} does not begin with a version", quoted(text))));
    };
    let known = [
        ((7, 3), FlavourId::V7_3),
        ((7, 2), FlavourId::V7_2),
        ((6, 12), FlavourId::V6_12),
        ((5, 15), FlavourId::V5_15),
    ];
    let found = known.iter().find(|&&(version, _)| (major, minor) >= version);
    Ok(FLAVOURS[found.map_or(FlavourId::V4_16, |row| row.1) as usize])
}

/// A line of /proc/swaps: name, type, size and used in KiB, priority.
fn swap_device(line: &Place<'_>) -> Result<SwapDevice, Problem> {
    let text = line.text()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, kind, size, used, priority] = words[..] else {
        return Err(line.problem(format!("{} is no line of /proc/swaps", quoted(text))));
    };
    let pages = |word: &str| match word.parse::<u64>() {
        Ok(kib) if kib <= 4 * PAGES_MAX => Ok(kib / 4),
        _ => Err(line.problem(format!("{} is no size in KiB", quoted(word)))),
    };
    let priority = priority.parse::<i64>().ok().filter(|p| p.unsigned_abs() <= 32_768);
    let priority =
        priority.ok_or_else(|| line.problem(format!("{} has no priority", quoted(text))))?;
    Ok(SwapDevice {
        name: name.strip_prefix("/dev/").unwrap_or(name).to_owned(),
        kind: kind.to_owned(),
        pages: pages(size)?,
        used: pages(used)?,
        priority,
    })
}

/// `0x0007`: bit 0 is the switch of the whole.
fn lru_gen(value: &Place<'_>) -> Result<bool, Problem> {
    let text = value.text()?;
    let digits = text.trim().strip_prefix("0x").unwrap_or(text.trim());
    let bits = u64::from_str_radix(digits, 16);
    bits.map(|bits| bits & 1 == 1)
        .map_err(|_| value.problem(format!("{} is no hexadecimal number", quoted(text))))
}

/// `nodeN_cpus` of every node.
fn cpus(root: &Place<'_>, nodes: usize) -> Result<Vec<Vec<u32>>, Problem> {
    let mut all = Vec::new();
    for node in 0..nodes {
        let place = root.at(&format!("node{node}_cpus"))?;
        let list = load::cpu_list(place.text()?);
        let list = list.ok_or_else(|| {
            place.problem(format!("is not a list of CPUs from 0 to {}", CPUS_MAX - 1))
        })?;
        all.push(list);
    }
    if all.iter().all(Vec::is_empty) {
        return Err(root.problem("no node has a CPU"));
    }
    let mut flat: Vec<u32> = all.concat();
    flat.sort_unstable();
    if flat.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(root.problem("a CPU belongs to two nodes"));
    }
    Ok(all)
}

fn zones(all: &Place<'_>) -> Result<Vec<Zone>, Problem> {
    let mut zones = Vec::new();
    for (name, place) in all.members(2 * ZONES_MAX)? {
        let parts = name.split_once(':').and_then(|(n, kind)| Some((n.parse().ok()?, kind)));
        let Some((node, kind)) = parts.filter(|&(n, _): &(u32, _)| (n as usize) < NODES_MAX) else {
            let sentence = format!("{} is not NODE:KIND with a node up to 7", quoted(name));
            return Err(all.problem(sentence));
        };
        let pages = |key: &str| place.at(key)?.number(PAGES_MAX);
        let managed = pages("managed")?;
        if managed == 0 {
            continue;
        }
        let kind = ZoneKind::by_name(kind)
            .ok_or_else(|| place.problem("is of a kind that the model does not have"))?;
        let (free, boost) = (pages("free")?, pages("boost")?);
        if free > managed {
            return Err(place.problem(format!("{free} pages are free of {managed}")));
        }
        let mut marks = [0; 4];
        for (mark, key) in marks.iter_mut().zip(["min", "low", "high", "promo"]) {
            let printed = pages(key)?;
            let less = "is less than the boost that it contains";
            *mark = printed.checked_sub(boost).ok_or_else(|| place.problem(less))?;
        }
        let protection = protection(&place.at("protection")?)?;
        zones.push(Zone { node, kind, managed, free, boost, marks, protection });
    }
    zones.sort_by_key(|zone| (zone.node, zone.kind));
    if zones.is_empty() {
        return Err(all.problem("no zone has pages"));
    }
    for node in 0..zones.last().map_or(0, |zone| zone.node) {
        if zones.iter().all(|zone| zone.node != node) {
            return Err(all.problem(format!("node {node} has no zone, and a later one has")));
        }
    }
    Ok(zones)
}

/// `0, 253, 253`.
fn protection(place: &Place<'_>) -> Result<Vec<u64>, Problem> {
    let text = place.text()?;
    let wrong = || place.problem(format!("{} is not numbers between commas", quoted(text)));
    if text.len() > 200 {
        return Err(wrong());
    }
    let numbers = text.split(',').map(|word| word.trim().parse::<u64>());
    numbers.collect::<Result<_, _>>().map_err(|_| wrong())
}
