//! Headers and reports of the worker, read from JavaScript objects.
//!
//! The browser parses their JSON itself, which costs nothing; a parser for these types would be a
//! tenth of what the page has to load. A field that is missing or of another type makes the whole
//! unreadable.

mod measured;

use js_sys::{Array, JSON, Object, Reflect};
use report::Report;
use report::series::Column;
use report::summary::{Latency, Lock, Node, Worker, Zone};
use report::why::{Used, Why};
use report::wire::{Header, NodeHeader, SwapHeader};
use scenario::Problem;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// A document of JSON that is only shown: what is missing or of another type is empty.
#[derive(Clone, Debug)]
pub struct Json(JsValue);

impl Json {
    /// The value of a text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }

    /// A field.
    #[must_use]
    pub fn at(&self, name: &str) -> Self {
        Self(Reflect::get(&self.0, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED))
    }

    /// A field that is a text.
    #[must_use]
    pub fn string(&self, name: &str) -> String {
        self.at(name).0.as_string().unwrap_or_default()
    }

    /// A field that is a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.at(name).0.as_f64()
    }

    /// Whether a field is true.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.at(name).0.is_truthy()
    }

    /// The items of a field.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<Self> {
        self.at(name).items()
    }

    /// The items of a field that are texts.
    #[must_use]
    pub fn strings(&self, name: &str) -> Vec<String> {
        self.list(name).iter().filter_map(|item| item.0.as_string()).collect()
    }

    /// The items of a field that are numbers.
    #[must_use]
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.list(name).iter().filter_map(|item| item.0.as_f64()).collect()
    }

    /// It as a pair of numbers.
    #[must_use]
    pub fn pair(&self) -> Option<[f64; 2]> {
        let numbers: Vec<f64> = self.items().iter().filter_map(|item| item.0.as_f64()).collect();
        numbers.try_into().ok()
    }

    /// The items of a list of lists of texts.
    #[must_use]
    pub fn cells(&self, name: &str) -> Vec<Vec<String>> {
        let row = |row: Self| row.items().iter().filter_map(|cell| cell.0.as_string()).collect();
        self.list(name).into_iter().map(row).collect()
    }

    /// It as a text of JSON.
    #[must_use]
    pub fn text(&self) -> String {
        JSON::stringify(&self.0).map(String::from).unwrap_or_default()
    }

    fn items(&self) -> Vec<Self> {
        self.0.dyn_ref::<Array>().map_or_else(Vec::new, |list| list.iter().map(Self).collect())
    }
}

/// A value whose fields are read by name. A field that cannot be read is taken as empty and noted,
/// so that whoever reads a large value asks once at its end.
struct Fields {
    value: JsValue,
    is_bad: Rc<Cell<bool>>,
}

/// Whole numbers beyond this would not have survived as doubles.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;

impl Fields {
    /// What is read of a JSON text; none when any of it is missing or of another type.
    fn read<T>(json: &str, read: impl FnOnce(&Self) -> T) -> Option<T> {
        let fields = Self { value: JSON::parse(json).ok()?, is_bad: Rc::default() };
        let all = read(&fields);
        (!fields.is_bad.get()).then_some(all)
    }

    fn of(&self, value: JsValue) -> Self {
        Self { value, is_bad: self.is_bad.clone() }
    }

    /// A field; undefined when there is none.
    fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
    }

    fn or_bad<T: Default>(&self, value: Option<T>) -> T {
        if value.is_none() {
            self.is_bad.set(true);
        }
        value.unwrap_or_default()
    }

    fn text(&self, name: &str) -> String {
        self.or_bad(self.get(name).as_string())
    }

    fn number(&self, name: &str) -> f64 {
        self.or_bad(self.get(name).as_f64())
    }

    fn count(&self, name: &str) -> u64 {
        self.or_bad(count(&self.get(name)))
    }

    fn small(&self, name: &str) -> u32 {
        self.or_bad(u32::try_from(self.count(name)).ok())
    }

    /// The items of the value itself, each to be read by name or number.
    fn items(&self) -> Vec<Self> {
        let array = self.value.dyn_ref::<Array>();
        if array.is_none() {
            self.is_bad.set(true);
        }
        let mut items = Vec::new();
        for index in 0..array.map_or(0, Array::length) {
            items.push(self.of(array.map_or(JsValue::UNDEFINED, |array| array.get(index))));
        }
        items
    }

    fn inner(&self, name: &str) -> Self {
        self.of(self.get(name))
    }

    fn counts<const N: usize>(&self, name: &str) -> [u64; N] {
        let items = self.inner(name).items();
        if items.len() != N {
            self.is_bad.set(true);
        }
        core::array::from_fn(|n| self.or_bad(items.get(n).and_then(|item| count(&item.value))))
    }

    fn list<T>(&self, name: &str, read: impl Fn(&Fields) -> T) -> Vec<T> {
        let mut list = Vec::new();
        for item in self.inner(name).items() {
            list.push(read(&item));
        }
        list
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.list(name, |item| item.or_bad(item.value.as_string()))
    }

    /// Names and numbers of an object.
    fn numbers(&self, name: &str) -> Vec<(String, f64)> {
        let value = self.get(name);
        let Some(object) = value.dyn_ref::<Object>() else {
            self.is_bad.set(true);
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for pair in Object::entries(object).iter() {
            let pair: Array = pair.unchecked_into();
            let name = self.or_bad(pair.get(0).as_string());
            pairs.push((name, self.or_bad(pair.get(1).as_f64())));
        }
        pairs
    }

    fn map(&self, name: &str) -> BTreeMap<String, f64> {
        let mut map = BTreeMap::new();
        for (name, value) in self.numbers(name) {
            map.insert(name, value);
        }
        map
    }

    fn count_map(&self, name: &str) -> BTreeMap<String, u64> {
        let mut map = BTreeMap::new();
        for (name, value) in self.numbers(name) {
            map.insert(name, self.or_bad(whole(value)));
        }
        map
    }
}

fn count(value: &JsValue) -> Option<u64> {
    value.as_f64().and_then(whole)
}

fn whole(number: f64) -> Option<u64> {
    ((0.0..=EXACT_MAX).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

/// An answer in a JSON text; none when it holds something else.
pub(super) fn why(json: &str) -> Option<Why> {
    let pair = |pair: &Fields| {
        let item = |n: &str| pair.or_bad(pair.get(n).as_string());
        (item("0"), item("1"))
    };
    let used = |fields: &Fields| Used {
        name: fields.text("name"),
        value: fields.text("value"),
        kind: fields.text("kind"),
        source: fields.text("source"),
    };
    Fields::read(json, |fields| Why {
        title: fields.text("title"),
        text: fields.text("text"),
        rule: fields.text("rule"),
        source: fields.text("source"),
        numbers: fields.list("numbers", pair),
        constants: fields.list("constants", used),
    })
}

/// The problems in a JSON text; none when it holds something else.
pub(super) fn problems(json: &str) -> Option<Vec<Problem>> {
    let read = |item: &Fields| Problem::new(item.text("path"), item.text("sentence"));
    Fields::read(json, |fields| fields.items().iter().map(read).collect())
}

/// The header in a JSON text; none when it holds something else.
pub(super) fn header(json: &str) -> Option<Header> {
    Fields::read(json, |fields| Header {
        model: fields.text("model"),
        link: fields.text("link"),
        warmup_ns: fields.count("warmup_ns"),
        end_ns: fields.count("end_ns"),
        columns: fields.list("columns", column),
        nodes: fields.list("nodes", node_header),
        swap: fields.list("swap", swap_header),
        swap_lock: fields.text("swap_lock"),
        swap_design: fields.text("swap_design"),
        swap_quota: fields.small("swap_quota"),
    })
}

fn swap_header(fields: &Fields) -> SwapHeader {
    SwapHeader {
        name: fields.text("name"),
        pages: fields.count("pages"),
        priority: fields.number("priority") as i32,
    }
}

fn column(fields: &Fields) -> Column {
    Column {
        key: fields.text("key"),
        label: fields.text("label"),
        kernel_name: fields.text("kernel_name"),
        unit: fields.text("unit"),
        node: fields.get("node").as_f64().map(|node| node as u8),
    }
}

fn node_header(fields: &Fields) -> NodeHeader {
    NodeHeader {
        cpus: fields.small("cpus"),
        managed: fields.count("managed"),
        marks: fields.counts("marks"),
        locks: fields.texts("locks"),
        workers: fields.small("workers"),
        readers: fields.small("readers"),
    }
}

/// The report in a JSON text; none when it holds something else.
pub(super) fn report(json: &str) -> Option<Report> {
    Fields::read(json, |fields| Report {
        kind: fields.text("kind"),
        model: fields.text("model"),
        link: fields.text("link"),
        preset: fields.text("preset"),
        seed: fields.count("seed"),
        digest: fields.text("digest"),
        start: fields.text("start"),
        warmup_s: fields.number("warmup_s"),
        window_s: fields.number("window_s"),
        stopped: fields.text("stopped"),
        events: fields.count("events"),
        throughput_unit: fields.text("throughput_unit"),
        operation: fields.text("operation"),
        throughput: fields.number("throughput"),
        latency_us: latency(&fields.inner("latency_us")),
        direct_reclaim_us: latency(&fields.inner("direct_reclaim_us")),
        vmstat: fields.count_map("vmstat"),
        cpu_s: fields.map("cpu_s"),
        kswapd_cpu_s: fields.number("kswapd_cpu_s"),
        kswapd_us_per_page: fields.get("kswapd_us_per_page").as_f64(),
        workers: fields.list("workers", worker),
        wakeups: fields.list("wakeups", measured::wakeups),
        locks: fields.list("locks", lock),
        swap: measured::swap(fields),
        nodes: fields.list("nodes", node),
        // What the page does not show is not read.
        ..Report::default()
    })
}

fn latency(fields: &Fields) -> Latency {
    Latency {
        p50: fields.number("p50"),
        p99: fields.number("p99"),
        p999: fields.number("p999"),
        max: fields.number("max"),
        count: fields.count("count"),
    }
}

fn worker(fields: &Fields) -> Worker {
    Worker {
        name: fields.text("name"),
        node: fields.small("node"),
        seconds: fields.map("seconds"),
        nanos: fields.count_map("nanos"),
        pgscan: fields.count("pgscan"),
        pgsteal: fields.count("pgsteal"),
    }
}

fn lock(fields: &Fields) -> Lock {
    Lock {
        name: fields.text("name"),
        acquisitions: fields.count("acquisitions"),
        contended: fields.count("contended"),
        utilisation: fields.number("utilisation"),
        wait_s: fields.number("wait_s"),
        hold_s: fields.number("hold_s"),
    }
}

fn node(fields: &Fields) -> Node {
    Node {
        node: fields.small("node"),
        cpus: fields.small("cpus"),
        min: fields.count("min"),
        low: fields.count("low"),
        high: fields.count("high"),
        free: fields.count("free"),
        lists: fields.counts("lists"),
        zones: fields.list("zones", zone),
    }
}

fn zone(fields: &Fields) -> Zone {
    Zone {
        zone: fields.text("zone"),
        managed: fields.count("managed"),
        min: fields.count("min"),
        low: fields.count("low"),
        high: fields.count("high"),
        reserve: fields.count("reserve"),
        free: fields.count("free"),
    }
}
