//! The scenario itself: values, bounds, checks across fields, words.

use crate::constants::{Changed, constant_by_name};
use crate::preset::{self, Preset};
use crate::problem::{Problem, place, quoted};
use crate::{table, text};
use catalog::{CONTROLS, ControlId, LEDGER, Row, ZoneKind, controls, tables};
use std::collections::BTreeMap;
use units::{Bytes, Pages};

/// Most managed pages of one zone: 4 TiB.
pub const MANAGED_MAX: u64 = 1 << 30;

/// Most nodes of a machine.
#[must_use]
pub fn nodes_max() -> usize {
    ControlId::Nodes.control().bounds().1 as usize
}

fn cpus_max() -> u32 {
    ControlId::Cpus.control().bounds().1 as u32
}

/// A zone of a pasted machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneSpec {
    /// Its kind.
    pub kind: ZoneKind,
    /// Pages handed to the buddy allocator, at least 1.
    pub managed: u64,
}

/// A node of a pasted machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSpec {
    /// Its hardware threads.
    pub cpus: u32,
    /// Its zones that have pages, lowest first.
    pub zones: Vec<ZoneSpec>,
}

impl NodeSpec {
    /// Managed pages over its zones.
    #[must_use]
    pub fn managed(&self) -> u64 {
        self.zones.iter().fold(0, |sum, zone| sum.saturating_add(zone.managed))
    }
}

/// What is simulated.
///
/// Either the nodes are all alike and follow from the controls (`nodes` is empty), or they are
/// given one by one; then the controls `nodes`, `cpus` and `memory` say what the given nodes have
/// at most, and setting one of them makes the nodes alike again.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The preset that links and documents name.
    pub preset: &'static Preset,
    /// The nodes of a pasted machine; empty when all are alike.
    pub nodes: Vec<NodeSpec>,
    pub(crate) constants: Changed,
    values: [i64; ControlId::COUNT],
    /// The rows of each control that is a table, by control; those without rows are not there.
    rows: BTreeMap<ControlId, Vec<Row>>,
}

impl PartialEq for Scenario {
    /// Whether both simulate the same and name the same preset. Values that the given nodes hide
    /// do not count.
    fn eq(&self, other: &Self) -> bool {
        self.preset.name == other.preset.name
            && self.nodes == other.nodes
            && self.constants == other.constants
            && CONTROLS.iter().all(|c| self.says(c.id, other))
    }
}

impl Eq for Scenario {}

impl Scenario {
    /// A preset as it stands.
    #[must_use]
    pub fn new(preset: &'static Preset) -> Self {
        Self::with_values(preset, preset.values())
    }

    /// The preset with this name.
    ///
    /// # Errors
    /// When there is none; the sentence lists those there are.
    pub fn preset(name: &str) -> Result<Self, Problem> {
        preset::by_name(name).map(Self::new).ok_or_else(|| {
            let known = preset::known_names();
            Problem::new("preset", format!("there is no preset {}; known: {known}", quoted(name)))
        })
    }

    /// Starts from the values of one revision of the preset.
    pub(crate) fn with_values(preset: &'static Preset, values: [i64; ControlId::COUNT]) -> Self {
        let tables = preset.tables.iter();
        let rows = units::order::map(tables.map(|&(id, rows)| (id, rows.to_vec())));
        Self { preset, nodes: Vec::new(), constants: Changed::default(), values, rows }
    }

    /// The value of a control, in the base unit of its row; a choice is its row, a flag 0 or 1, a
    /// table how many rows it has.
    #[must_use]
    pub fn get(&self, id: ControlId) -> i64 {
        if id.control().table().is_some() {
            return self.rows(id).len() as i64;
        }
        if let (true, Some(first)) = (is_alike(id), self.rows(ControlId::SwapTable).first()) {
            // What the devices that are given one by one have, as far as one value can say it.
            return match id {
                ControlId::SwapDevices => self.rows(ControlId::SwapTable).len() as i64,
                ControlId::SwapSize => first[tables::SIZE],
                ControlId::SwapMedium => first[tables::MEDIUM],
                _ => 0,
            };
        }
        if self.nodes.is_empty() {
            return self.values[id as usize];
        }
        match id {
            ControlId::Nodes => self.nodes.len() as i64,
            ControlId::Cpus => self.nodes.iter().map(|n| i64::from(n.cpus)).max().unwrap_or(0),
            ControlId::Memory => {
                let largest = self.nodes.iter().map(NodeSpec::managed).max().unwrap_or(0);
                let (min, max) = id.control().bounds();
                (Pages(largest.min(MANAGED_MAX)).bytes().0 as i64).clamp(min, max)
            }
            _ => self.values[id as usize],
        }
    }

    /// Sets a control.
    ///
    /// # Errors
    /// When the value is outside the control's bounds; the scenario is unchanged then.
    pub fn set(&mut self, id: ControlId, value: i64) -> Result<(), Problem> {
        let control = id.control();
        let (min, max) = control.bounds();
        if !(min..=max).contains(&value) {
            let (label, range) = (control.label, text::range(control));
            let sentence = format!("{label} must be {range}, not {}", self.shown(id, value));
            return Err(Problem::new(control.key, sentence));
        }
        if self.get(id) == value {
            return Ok(());
        }
        if let Some(table) = control.table() {
            // More rows are like the last one.
            let mut rows = self.rows(id).to_vec();
            let more = rows.last().copied().unwrap_or_else(|| table.default_row());
            rows.resize(value.unsigned_abs() as usize, more);
            return self.set_rows(id, rows);
        }
        if is_shape(id) {
            self.make_alike();
        }
        if is_alike(id) {
            self.make_devices_alike();
        }
        self.values[id as usize] = value;
        Ok(())
    }

    /// The rows of a control that is a table, none of any other.
    #[must_use]
    pub fn rows(&self, id: ControlId) -> &[Row] {
        self.rows.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Sets the rows of a control that is a table.
    ///
    /// # Errors
    /// When it is none, there are too many rows or a cell is outside its column's bounds; the
    /// scenario is unchanged then.
    pub fn set_rows(&mut self, id: ControlId, rows: Vec<Row>) -> Result<(), Problem> {
        let control = id.control();
        table::check(control, &rows).map_err(|why| Problem::new(control.key, why))?;
        if id == ControlId::SwapTable && rows.is_empty() {
            self.make_devices_alike();
        }
        if rows.is_empty() {
            self.rows.remove(&id);
        } else {
            self.rows.insert(id, rows);
        }
        Ok(())
    }

    /// Makes swap devices alike: the controls keep what they say of those given one by one.
    pub(crate) fn make_devices_alike(&mut self) {
        if self.rows(ControlId::SwapTable).is_empty() {
            return;
        }
        for id in CONTROLS.iter().map(|c| c.id).filter(|id| is_alike(*id)) {
            self.values[id as usize] = self.get(id);
        }
        self.rows.remove(&ControlId::SwapTable);
    }

    /// Whether both say the same of a control.
    #[must_use]
    pub fn says(&self, id: ControlId, other: &Self) -> bool {
        self.get(id) == other.get(id) && self.rows(id) == other.rows(id)
    }

    /// Makes given nodes alike: the controls of the shape keep what they say of them.
    pub(crate) fn make_alike(&mut self) {
        if self.nodes.is_empty() {
            return;
        }
        for shape in CONTROLS.iter().map(|c| c.id).filter(|id| is_shape(*id)) {
            let (min, max) = shape.control().bounds();
            self.values[shape as usize] = self.get(shape).clamp(min, max);
        }
        self.nodes.clear();
    }

    /// Sets a control by its key from text with units: `kswapds` and `8`, `memory` and `378GiB`;
    /// or a constant of the ledger by its name: `IsolatePerPage` and `40`.
    ///
    /// # Errors
    /// When there is no such control, or the text is no value of it; the scenario is unchanged.
    pub fn set_text(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        if constant_by_name(key).is_some() {
            return self.set_constant_text(key, value);
        }
        let control = controls::by_key(key).ok_or_else(|| unknown_key(key))?;
        if let Some(table) = control.table() {
            let rows = table::parse(table, value).map_err(|why| Problem::new(control.key, why))?;
            return self.set_rows(control.id, rows);
        }
        let value =
            text::parse(control, value).map_err(|sentence| Problem::new(control.key, sentence))?;
        self.set(control.id, value)
    }

    /// A control's value as text that [`Scenario::set_text`] reads back exactly.
    #[must_use]
    pub fn text(&self, id: ControlId) -> String {
        match id.control().table() {
            Some(table) => table::print(table, self.rows(id)),
            None => text::print(id.control(), self.get(id)),
        }
    }

    /// The controls whose value differs from the preset's, in table order; those that given nodes
    /// hide are not among them.
    #[must_use]
    pub fn changes(&self) -> Vec<ControlId> {
        let base = Self::new(self.preset);
        let (given, own) = (base.has_own_devices(), self.has_own_devices());
        let ids = CONTROLS.iter().map(|c| c.id);
        let changed = |&id: &ControlId| match (is_shape(id), is_alike(id)) {
            (true, _) if !self.nodes.is_empty() => false,
            (_, true) if own => false,
            // Devices that are alike again need all of it.
            (_, true) if given => true,
            _ if id == ControlId::SwapTable && !own => false,
            _ => !self.says(id, &base),
        };
        ids.filter(changed).collect()
    }

    /// Whether swap devices are given one by one.
    #[must_use]
    pub fn has_own_devices(&self) -> bool {
        !self.rows(ControlId::SwapTable).is_empty()
    }

    /// Hardware threads of the whole machine.
    #[must_use]
    pub fn total_cpus(&self) -> u64 {
        if self.nodes.is_empty() {
            return (self.get(ControlId::Nodes) * self.get(ControlId::Cpus)) as u64;
        }
        self.nodes.iter().map(|node| u64::from(node.cpus)).sum()
    }

    /// Memory of the whole machine: what the controls say, or the managed pages of given nodes.
    #[must_use]
    pub fn total_memory(&self) -> Bytes {
        if self.nodes.is_empty() {
            return Bytes((self.get(ControlId::Nodes) * self.get(ControlId::Memory)) as u64);
        }
        let pages = self.nodes.iter().fold(0u64, |sum, n| sum.saturating_add(n.managed()));
        Pages(pages.min(MANAGED_MAX * 64)).bytes()
    }

    /// Everything that stands against running this scenario and can be seen without the model.
    #[must_use]
    pub fn validate(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.nodes.len() > nodes_max() {
            let (have, max) = (self.nodes.len(), nodes_max());
            problems.push(Problem::new(
                "nodes_detail",
                format!("there are {have} nodes; a machine has at most {max}"),
            ));
        }
        let (nodes, parts) = (self.get(ControlId::Nodes), self.get(ControlId::FakeNuma));
        if parts > 1 && nodes * parts > nodes_max() as i64 {
            problems.push(Problem::new(
                ControlId::FakeNuma.control().key,
                format!(
                    "{nodes} nodes of {parts} parts are {}; a machine has at most {}",
                    nodes * parts,
                    nodes_max()
                ),
            ));
        }
        for (i, node) in self.nodes.iter().take(nodes_max()).enumerate() {
            check_node(i, node, &mut problems);
        }
        if self.total_cpus() == 0 {
            let path = if self.nodes.is_empty() { "cpus" } else { "nodes_detail" };
            problems.push(Problem::new(path, "no node has a CPU to run readers and kswapd on"));
        }
        let reserve = self.get(ControlId::MinFreeKbytes) as u64 * 1024;
        let memory = self.total_memory();
        if reserve > memory.0 / 2 {
            let label = ControlId::MinFreeKbytes.control().label;
            problems.push(Problem::new(
                ControlId::MinFreeKbytes.control().key,
                format!(
                    "{label} of {} is more than half of the machine's {memory}",
                    Bytes(reserve)
                ),
            ));
        }
        let (chunk, size) = (self.get(ControlId::Chunk), self.get(ControlId::Size));
        table::validate(self, &mut problems);
        if self.choice(ControlId::Workload) == "churn" && chunk > size {
            let sentence = format!(
                "a chunk of {} is larger than the {} that stay mapped",
                self.text(ControlId::Chunk),
                self.text(ControlId::Size)
            );
            problems.push(Problem::new(ControlId::Chunk.control().key, sentence));
        }
        problems
    }

    /// The scenario in a few words.
    #[must_use]
    pub fn title(&self) -> String {
        let number = |id: ControlId| self.get(id);
        let nodes = number(ControlId::Nodes);
        let each = if self.nodes.is_empty() && nodes > 1 { " each" } else { "" };
        let at_most = if self.nodes.len() > 1 { "up to " } else { "" };
        let cpus = counted(number(ControlId::Cpus), "CPU", "CPUs");
        let memory = self.text(ControlId::Memory);
        let mut title = format!(
            "{} with {at_most}{cpus} and {memory}{each}, kernel {}, {} a node, {}",
            counted(nodes, "node", "nodes"),
            self.text(ControlId::Flavour),
            counted(number(ControlId::Kswapds), "kswapd", "kswapds"),
            self.tasks_in_words(),
        );
        for (i, (id, value)) in self.changed_constants().iter().enumerate() {
            let with = if i == 0 { ", with" } else { " and" };
            title.push_str(&format!("{with} {}={value}", LEDGER[*id as usize].name));
        }
        title
    }

    /// The name of a choice's value.
    #[must_use]
    pub fn choice(&self, id: ControlId) -> &'static str {
        match id.control().kind {
            controls::Kind::Choice(rows) => {
                rows.get(self.get(id).unsigned_abs() as usize).map_or("", |row| row.name)
            }
            _ => "",
        }
    }

    /// The tasks in a few words: `28 readers`, `64 threads of a kv server and 1 hog`.
    fn tasks_in_words(&self) -> String {
        let tasks = self.get(ControlId::Readers);
        let size = self.text(ControlId::Size);
        let own = match self.choice(ControlId::Workload) {
            "random" if self.get(ControlId::Shared) == 1 => {
                format!("{} on {size} together", counted(tasks, "task", "tasks"))
            }
            "random" => format!("{} on {size} each", counted(tasks, "task", "tasks")),
            "faults" => format!("{} faulting in {size}", counted(tasks, "process", "processes")),
            "kv" => format!("{} serving {size}", counted(tasks, "thread", "threads")),
            "churn" => format!("{} mapping anew", counted(tasks, "task", "tasks")),
            "build" => format!("{} at once", counted(tasks, "job", "jobs")),
            "kbuild" => format!("{} of a build", counted(tasks, "process", "processes")),
            "hog" => format!("{} of {size}", counted(tasks, "hog", "hogs")),
            _ => counted(tasks, "reader", "readers"),
        };
        let others = self.get(ControlId::MixTasks);
        let beside = match self.choice(ControlId::Mix) {
            "stream" => counted(others, "reader", "readers"),
            "hog" => counted(others, "hog", "hogs"),
            "churn" => counted(others, "task mapping anew", "tasks mapping anew"),
            "faults" => counted(others, "process faulting", "processes faulting"),
            _ => return own,
        };
        format!("{own}, beside {beside}")
    }

    /// Anonymous memory that the tasks fill, in bytes.
    #[must_use]
    pub fn anonymous(&self) -> Bytes {
        let get = |id| self.get(id).unsigned_abs();
        let (tasks, size) = (get(ControlId::Readers), get(ControlId::Size));
        let own = match self.choice(ControlId::Workload) {
            "random" if get(ControlId::Backing) != 0 => 0,
            "random" if get(ControlId::Shared) == 1 => size,
            "random" | "hog" | "faults" | "churn" | "build" | "kbuild" => {
                tasks.saturating_mul(size)
            }
            "kv" => get(ControlId::Heap),
            _ => 0,
        };
        let beside = match self.choice(ControlId::Mix) {
            "hog" | "churn" | "faults" => {
                get(ControlId::MixTasks).saturating_mul(get(ControlId::MixSize))
            }
            _ => 0,
        };
        Bytes(own.saturating_add(beside))
    }

    /// What can be run, but will hardly be what is meant.
    #[must_use]
    pub fn warnings(&self) -> Vec<Problem> {
        let mut warnings = Vec::new();
        let (wanted, memory) = (self.anonymous(), self.total_memory());
        let devices = self.get(ControlId::SwapDevices).unsigned_abs();
        let swap = match self.rows(ControlId::SwapTable) {
            [] => devices.saturating_mul(self.get(ControlId::SwapSize).unsigned_abs()),
            rows => rows.iter().map(|row| row[tables::SIZE].unsigned_abs()).sum(),
        };
        if wanted.0 > memory.0.saturating_add(swap) {
            let sentence = format!(
                "{wanted} of anonymous memory on a machine with {memory} and {} of swap: tasks will \
                 be killed for want of memory",
                Bytes(swap)
            );
            warnings.push(Problem::new(ControlId::Size.control().key, sentence));
        }
        warnings
    }

    /// A value that may lie outside its bounds, as a sentence shows it.
    fn shown(&self, id: ControlId, value: i64) -> String {
        if value < 0 { value.to_string() } else { text::print(id.control(), value) }
    }
}

/// Whether a control gives the shape that given nodes have of their own.
pub(crate) fn is_shape(id: ControlId) -> bool {
    matches!(id, ControlId::Nodes | ControlId::Cpus | ControlId::Memory)
}

/// Whether a control says what swap devices have that are all alike.
pub(crate) fn is_alike(id: ControlId) -> bool {
    use ControlId as Id;
    matches!(id, Id::SwapDevices | Id::SwapSize | Id::SwapMedium | Id::SwapPriorities)
}

fn counted(n: i64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn check_node(i: usize, node: &NodeSpec, problems: &mut Vec<Problem>) {
    let at = |field: &str| format!("nodes_detail[{i}]{field}");
    if node.cpus > cpus_max() {
        let sentence = format!("node {i} has {} CPUs; a node has 0 to {}", node.cpus, cpus_max());
        problems.push(Problem::new(at(".cpus"), sentence));
    }
    if node.zones.is_empty() {
        problems.push(Problem::new(at(".zones"), format!("node {i} has no zone with memory")));
    }
    let in_order = node.zones.windows(2).all(|pair| pair[0].kind < pair[1].kind);
    if !in_order {
        let sentence = format!(
            "the zones of node {i} must be DMA, DMA32, Normal, Movable in this order, each once"
        );
        problems.push(Problem::new(at(".zones"), sentence));
    }
    for (j, zone) in node.zones.iter().enumerate().take(ZoneKind::ALL.len()) {
        if !(1..=MANAGED_MAX).contains(&zone.managed) {
            let sentence = format!(
                "zone {} of node {i} has {} managed pages; a zone has 1 to {MANAGED_MAX}",
                zone.kind.name(),
                zone.managed
            );
            problems.push(Problem::new(at(&format!(".zones[{j}].managed")), sentence));
        }
    }
}

fn unknown_key(key: &str) -> Problem {
    let mut sentence = String::from("there is no such control");
    let near = CONTROLS.iter().map(|c| (distance(key, c.key), c.key)).min();
    if let Some((_, known)) = near.filter(|(letters, _)| *letters <= 3) {
        sentence.push_str(&format!("; did you mean `{known}`?"));
    }
    Problem::new(place(key), sentence)
}

/// How many letters differ between two words (Levenshtein); long words are far from everything.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 32 || b.len() > 32 {
        return usize::MAX;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
