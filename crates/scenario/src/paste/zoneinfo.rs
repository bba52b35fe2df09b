//! `/proc/zoneinfo` of kernels 4.x to 7.x.
//!
//! Kernels differ in which counters they print, not in the lines that matter: `Node 0, zone DMA32`,
//! then `pages free`, the marks (with `boost` from 4.20 and `promo` from 5.18 or so), sizes,
//! `protection`, `pagesets` with a block a CPU, and `start_pfn` at the end of every zone that has
//! pages. From 4.12 on, zones without pages are printed too.

use super::{PasteError, SIZE_MAX, push_bounded};
use crate::problem::{Problem, quoted};
use catalog::ZoneKind;

/// Most zones that are kept: far more than the nodes of any machine have.
const ZONES_MAX: usize = 1024;
/// Most classes in a protection line.
const CLASSES_MAX: usize = 8;
/// What a mail puts before lines that it quotes.
const QUOTE_MARKS: [char; 3] = ['>', ' ', '\t'];
/// Longest line that is looked at, in bytes.
const LINE_MAX: usize = 4096;

/// Sizes of one CPU's page list, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pageset {
    /// The CPU.
    pub cpu: u32,
    /// Pages on it.
    pub count: u64,
    /// Where it is drained; floats with the load in newer kernels.
    pub high: u64,
    /// Pages moved at once.
    pub batch: u64,
    /// Lower end of `high`, where printed.
    pub high_min: Option<u64>,
    /// Upper end of `high`, where printed.
    pub high_max: Option<u64>,
}

/// One zone as the kernel printed it, in pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// The line of its heading, from 1.
    pub line: usize,
    /// Its node.
    pub node: u32,
    /// Its name.
    pub name: String,
    /// Free pages.
    pub free: u64,
    /// Boost of the marks, contained in all of them; 0 where not printed.
    pub boost: u64,
    /// Mark min, boost included.
    pub min: u64,
    /// Mark low, boost included.
    pub low: u64,
    /// Mark high, boost included.
    pub high: u64,
    /// Mark promo, boost included, where printed.
    pub promo: Option<u64>,
    /// Pages handed to the buddy allocator.
    pub managed: u64,
    /// `lowmem_reserve`, one a class.
    pub protection: Vec<u64>,
    /// The page lists, one a CPU.
    pub pagesets: Vec<Pageset>,
}

/// A whole `/proc/zoneinfo`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zoneinfo {
    /// Its zones, in order.
    pub zones: Vec<Zone>,
    /// What could not be read: the text is not whole when there are any.
    pub problems: Vec<Problem>,
}

impl Zoneinfo {
    /// Reads the text.
    ///
    /// # Errors
    /// When it is longer than [`SIZE_MAX`] or holds no whole zone.
    pub fn parse(text: &str) -> Result<Self, PasteError> {
        if text.len() > SIZE_MAX {
            return Err(PasteError::TooLong(text.len()));
        }
        // Editors put a byte order mark in front.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::default();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((i, line)) = lines.next() {
            // Without its line end the last line may be cut inside a number.
            let cut = lines.peek().is_none() && !text.ends_with('\n') && !line.ends_with(')');
            if !cut && line.len() <= LINE_MAX {
                reader.line(i + 1, line);
            }
            reader.last_line = i + 1;
            if cut && line.starts_with('N') {
                reader.complain(i + 1, format!("the text ends in the heading {}", quoted(line)));
            }
        }
        reader.close(true);
        reader.check_nodes();
        if reader.out.zones.is_empty() {
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
            return Err(PasteError::NoZone(quoted(first)));
        }
        Ok(reader.out)
    }

    /// The numbers of the nodes, in order.
    #[must_use]
    pub fn nodes(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.zones.iter().map(|zone| zone.node).collect();
        units::order::by_key(&mut nodes, |&node| node);
        nodes.dedup();
        nodes
    }

    /// CPUs that have page lists: those that were online.
    #[must_use]
    pub fn cpus(&self) -> u32 {
        self.zones.iter().map(|zone| zone.pagesets.len() as u32).max().unwrap_or(0)
    }

    /// The place of a kind of zone among the kernel's kinds: its index in `protection` and in
    /// `vm.lowmem_reserve_ratio`.
    ///
    /// A kernel that prints all its zones shows it; an older one is taken to have the usual kinds.
    #[must_use]
    pub fn class_of(&self, name: &str) -> Option<usize> {
        let first = self.zones.first()?;
        let names: Vec<&str> = self
            .zones
            .iter()
            .filter(|zone| zone.node == first.node)
            .map(|zone| zone.name.as_str())
            .collect();
        if names.len() == first.protection.len() {
            return names.iter().position(|n| *n == name);
        }
        if self.zones.iter().any(|zone| zone.name == "HighMem") {
            return ["DMA", "Normal", "HighMem", "Movable"].iter().position(|n| *n == name);
        }
        ZoneKind::by_name(name).map(|kind| kind as usize)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    /// Before `pages free`: counters of the node.
    #[default]
    Node,
    /// Marks, sizes, counters of the zone.
    Zone,
    /// The page lists.
    Pagesets,
    /// After `start_pfn` and the like.
    End,
}

/// Bits of the lines that a whole zone has.
const FREE: u8 = 1;
const MIN: u8 = 2;
const LOW: u8 = 4;
const HIGH: u8 = 8;
const MANAGED: u8 = 16;
const PROTECTION: u8 = 32;
const WHOLE: u8 = 63;
/// Bits of the lines that a whole page list has.
const COUNT: u8 = 1;
const LIST_HIGH: u8 = 2;
const BATCH: u8 = 4;

#[derive(Debug, Default)]
struct Reader {
    out: Zoneinfo,
    zone: Option<Zone>,
    section: Section,
    seen: u8,
    seen_list: u8,
    last_line: usize,
    /// A line was seen that only kernels have which print zones without pages too.
    prints_all: bool,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let line = line.trim_start_matches(QUOTE_MARKS);
        if let Some(rest) = line.strip_prefix("Node ") {
            self.close(false);
            self.open(number, rest);
            return;
        }
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or("");
        // Every zone has one such line: a second one, or one outside a zone, is a zone without
        // heading.
        if first == "pages" && words.clone().next() == Some("free") {
            let is_expected = self.zone.is_some() && self.section == Section::Node;
            if !is_expected {
                self.close(false);
                let sentence = "a zone begins here whose heading cannot be read; it is left out";
                return self.complain(number, sentence.to_owned());
            }
        }
        let Some(zone) = &mut self.zone else { return };
        let key = first.strip_suffix(':').unwrap_or(first);
        let read = match (self.section, key) {
            (Section::Node, "pages") => {
                self.section = Section::Zone;
                let value = words.next().filter(|word| *word == "free").and(words.next());
                store(value, &mut zone.free, &mut self.seen, FREE)
            }
            (Section::Zone, "min") => store(words.next(), &mut zone.min, &mut self.seen, MIN),
            (Section::Zone, "low") => store(words.next(), &mut zone.low, &mut self.seen, LOW),
            (Section::Zone, "high") => store(words.next(), &mut zone.high, &mut self.seen, HIGH),
            (Section::Zone, "boost") => store(words.next(), &mut zone.boost, &mut self.seen, 0),
            (Section::Zone, "promo") => optional(words.next(), &mut zone.promo),
            (Section::Zone, "managed") => {
                store(words.next(), &mut zone.managed, &mut self.seen, MANAGED)
            }
            (Section::Zone, "protection") => protection(line).map(|list| {
                zone.protection = list;
                self.seen |= PROTECTION;
            }),
            (Section::Zone, "pagesets") => {
                self.section = Section::Pagesets;
                Some(())
            }
            (
                Section::Zone | Section::Pagesets,
                "start_pfn" | "all_unreclaimable" | "node_unreclaimable",
            ) => {
                self.section = Section::End;
                self.prints_all |= key == "node_unreclaimable";
                Some(())
            }
            (Section::Pagesets, _) => pageset_line(zone, key, words.next(), &mut self.seen_list),
            _ => Some(()),
        };
        if read.is_none() {
            let sentence = format!("{} cannot be read", quoted(line.trim()));
            self.complain(number, sentence);
        }
    }

    fn open(&mut self, number: usize, rest: &str) {
        self.section = Section::Node;
        self.seen = 0;
        self.seen_list = 0;
        let heading = rest.split_once(", zone");
        let node = heading.and_then(|(node, _)| node.trim().parse().ok());
        let name = heading.map(|(_, name)| name.trim()).filter(|name| is_zone_name(name));
        let (Some(node), Some(name)) = (node, name) else {
            let sentence = format!("{} is no heading of a zone", quoted(rest));
            return self.complain(number, sentence);
        };
        if self.out.zones.len() == ZONES_MAX {
            return self.complain(number, format!("there are more than {ZONES_MAX} zones"));
        }
        let of_node = self.out.zones.iter().rev().filter(|zone| zone.node == node);
        if of_node.take(CLASSES_MAX).count() == CLASSES_MAX {
            let sentence = format!("node {node} has more than {CLASSES_MAX} zones");
            return self.complain(number, sentence);
        }
        self.zone = Some(Zone { line: number, node, name: name.to_owned(), ..Zone::default() });
    }

    /// Ends the open zone: keeps it when it is whole.
    fn close(&mut self, at_end: bool) {
        let Some(mut zone) = self.zone.take() else { return };
        // The lists of a zone that ends early: the last one may have lost lines.
        if self.section == Section::Pagesets && self.seen_list != COUNT | LIST_HIGH | BATCH {
            zone.pagesets.pop();
        }
        let (place, heading) = (zone.line, format!("zone {} of node {}", zone.name, zone.node));
        let until = if at_end {
            format!(": the text ends at line {}", self.last_line)
        } else {
            String::new()
        };
        if self.seen != WHOLE {
            let sentence = format!("{heading} is not whole{until}; it is left out");
            return self.complain(place, sentence);
        }
        if zone.low < zone.min || zone.high < zone.low || zone.min < zone.boost {
            let sentence = format!("{heading} has marks out of order; it is left out");
            return self.complain(place, sentence);
        }
        if self.is_known(&zone) {
            return self.complain(place, format!("{heading} is there twice; the first is kept"));
        }
        if zone.managed > 0 && self.section != Section::End {
            let sentence = format!("{heading} has lost its last lines{until}; its marks are kept");
            self.complain(place, sentence);
        }
        self.out.zones.push(zone);
    }

    /// Zones come node by node, so a repeat is looked for from the end; at most [`ZONES_MAX`].
    fn is_known(&self, zone: &Zone) -> bool {
        self.out.zones.iter().rev().any(|z| z.node == zone.node && z.name == zone.name)
    }

    /// A kernel that prints empty zones prints one zone a class for every node.
    fn check_nodes(&mut self) {
        let zones = &self.out.zones;
        let Some(first) = zones.first() else { return };
        let prints_all = self.prints_all || zones.iter().any(|zone| zone.managed == 0);
        let want = first.protection.len();
        if !prints_all || !self.out.problems.is_empty() {
            return;
        }
        let have = |node: u32| zones.iter().filter(|zone| zone.node == node).count();
        let short = self.out.nodes().into_iter().find(|&node| have(node) < want);
        if let Some(node) = short {
            let have = have(node);
            let sentence = format!("node {node} has {have} zones of {want}: the text is cut");
            let line = self.last_line;
            self.complain(line, sentence);
        }
    }

    fn complain(&mut self, line: usize, sentence: String) {
        push_bounded(
            &mut self.out.problems,
            Problem::new(format!("zoneinfo line {line}"), sentence),
        );
    }
}

fn is_zone_name(name: &str) -> bool {
    (1..=16).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn store(word: Option<&str>, place: &mut u64, seen: &mut u8, bit: u8) -> Option<()> {
    *place = page_count(word)?;
    *seen |= bit;
    Some(())
}

fn optional(word: Option<&str>, place: &mut Option<u64>) -> Option<()> {
    *place = Some(page_count(word)?);
    Some(())
}

/// A number of pages, bounded so that sums over all zones cannot overflow.
fn page_count(word: Option<&str>) -> Option<u64> {
    word?.parse().ok().filter(|&pages: &u64| pages <= 1 << 50)
}

fn protection(line: &str) -> Option<Vec<u64>> {
    let list = line.split_once('(')?.1.split_once(')')?.0;
    let list: Option<Vec<u64>> =
        list.split(',').take(CLASSES_MAX + 1).map(|word| page_count(Some(word.trim()))).collect();
    list.filter(|list| list.len() <= CLASSES_MAX)
}

fn pageset_line(zone: &mut Zone, key: &str, word: Option<&str>, seen: &mut u8) -> Option<()> {
    if key == "cpu" {
        let cpu = word?.parse().ok()?;
        zone.pagesets.push(Pageset { cpu, ..Pageset::default() });
        *seen = 0;
        return Some(());
    }
    let Some(list) = zone.pagesets.last_mut() else { return Some(()) };
    match key {
        "count" => store(word, &mut list.count, seen, COUNT),
        "high" => store(word, &mut list.high, seen, LIST_HIGH),
        "batch" => store(word, &mut list.batch, seen, BATCH),
        "high_min" => optional(word, &mut list.high_min),
        "high_max" => optional(word, &mut list.high_max),
        _ => Some(()),
    }
}
