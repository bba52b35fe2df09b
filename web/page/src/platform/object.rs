//! Headers and reports of the worker, read from JavaScript objects.
//!
//! The browser parses their JSON itself, which costs nothing; a parser for these types would be a
//! tenth of what the page has to load. A field that is missing or of another type makes the whole
//! unreadable.

use js_sys::{Array, JSON, Object, Reflect};
use report::Report;
use report::series::Column;
use report::summary::{Latency, Lock, Node, Worker, Zone};
use report::why::{Used, Why};
use report::wire::{Header, NodeHeader};
use scenario::Problem;
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};

/// A value whose fields are read by name.
struct Fields(JsValue);

/// Whole numbers beyond this would not have survived as doubles.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;

impl Fields {
    fn parse(json: &str) -> Option<Self> {
        JSON::parse(json).ok().map(Self)
    }

    fn get(&self, name: &str) -> Option<JsValue> {
        Reflect::get(&self.0, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_string()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_f64()
    }

    fn count(&self, name: &str) -> Option<u64> {
        count(&self.get(name)?)
    }

    fn small(&self, name: &str) -> Option<u32> {
        u32::try_from(self.count(name)?).ok()
    }

    fn counts<const N: usize>(&self, name: &str) -> Option<[u64; N]> {
        let counts = items(&self.get(name)?)?.iter().map(count).collect::<Option<Vec<_>>>()?;
        counts.try_into().ok()
    }

    fn list<T>(&self, name: &str, read: impl Fn(&Fields) -> Option<T>) -> Option<Vec<T>> {
        items(&self.get(name)?)?.into_iter().map(|item| read(&Self(item))).collect()
    }

    fn map<T>(
        &self,
        name: &str,
        read: impl Fn(&JsValue) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        let object: Object = self.get(name)?.dyn_into().ok()?;
        let pair = |pair: JsValue| {
            let pair: Array = pair.unchecked_into();
            Some((pair.get(0).as_string()?, read(&pair.get(1))?))
        };
        Object::entries(&object).iter().map(pair).collect()
    }
}

fn items(value: &JsValue) -> Option<Vec<JsValue>> {
    Some(value.dyn_ref::<Array>()?.iter().collect())
}

fn count(value: &JsValue) -> Option<u64> {
    let number = value.as_f64()?;
    ((0.0..=EXACT_MAX).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

/// An answer in a JSON text; none when it holds something else.
pub(super) fn why(json: &str) -> Option<Why> {
    let fields = Fields::parse(json)?;
    let pair = |pair: &JsValue| {
        let pair: &Array = pair.dyn_ref()?;
        Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
    };
    let used = |fields: &Fields| {
        Some(Used {
            name: fields.text("name")?,
            value: fields.text("value")?,
            kind: fields.text("kind")?,
            source: fields.text("source")?,
        })
    };
    Some(Why {
        title: fields.text("title")?,
        text: fields.text("text")?,
        rule: fields.text("rule")?,
        source: fields.text("source")?,
        numbers: items(&fields.get("numbers")?)?.iter().map(pair).collect::<Option<_>>()?,
        constants: fields.list("constants", used)?,
    })
}

/// The problems in a JSON text; none when it holds something else.
pub(super) fn problems(json: &str) -> Option<Vec<Problem>> {
    let list = items(&JSON::parse(json).ok()?)?;
    let read = |item: JsValue| {
        let fields = Fields(item);
        Some(Problem::new(fields.text("path")?, fields.text("sentence")?))
    };
    list.into_iter().map(read).collect()
}

/// The header in a JSON text; none when it holds something else.
pub(super) fn header(json: &str) -> Option<Header> {
    let fields = Fields::parse(json)?;
    Some(Header {
        model: fields.text("model")?,
        link: fields.text("link")?,
        warmup_ns: fields.count("warmup_ns")?,
        end_ns: fields.count("end_ns")?,
        columns: fields.list("columns", column)?,
        nodes: fields.list("nodes", node_header)?,
    })
}

fn column(fields: &Fields) -> Option<Column> {
    Some(Column {
        key: fields.text("key")?,
        label: fields.text("label")?,
        kernel_name: fields.text("kernel_name")?,
        unit: fields.text("unit")?,
        node: fields.number("node").map(|node| node as u8),
    })
}

fn node_header(fields: &Fields) -> Option<NodeHeader> {
    Some(NodeHeader {
        cpus: fields.small("cpus")?,
        managed: fields.count("managed")?,
        marks: fields.counts("marks")?,
        locks: items(&fields.get("locks")?)?
            .iter()
            .map(JsValue::as_string)
            .collect::<Option<_>>()?,
        workers: fields.small("workers")?,
        readers: fields.small("readers")?,
    })
}

/// The report in a JSON text; none when it holds something else.
pub(super) fn report(json: &str) -> Option<Report> {
    let fields = Fields::parse(json)?;
    Some(Report {
        kind: fields.text("kind")?,
        model: fields.text("model")?,
        link: fields.text("link")?,
        preset: fields.text("preset")?,
        seed: fields.count("seed")?,
        digest: fields.text("digest")?,
        start: fields.text("start")?,
        warmup_s: fields.number("warmup_s")?,
        window_s: fields.number("window_s")?,
        stopped: fields.text("stopped")?,
        events: fields.count("events")?,
        throughput_unit: fields.text("throughput_unit")?,
        operation: fields.text("operation")?,
        throughput: fields.number("throughput")?,
        latency_us: latency(&Fields(fields.get("latency_us")?))?,
        direct_reclaim_us: latency(&Fields(fields.get("direct_reclaim_us")?))?,
        vmstat: fields.map("vmstat", count)?,
        cpu_s: fields.map("cpu_s", JsValue::as_f64)?,
        kswapd_cpu_s: fields.number("kswapd_cpu_s")?,
        kswapd_us_per_page: fields.number("kswapd_us_per_page"),
        workers: fields.list("workers", worker)?,
        locks: fields.list("locks", lock)?,
        nodes: fields.list("nodes", node)?,
        // What the page does not show is not read.
        ..Report::default()
    })
}

fn latency(fields: &Fields) -> Option<Latency> {
    Some(Latency {
        p50: fields.number("p50")?,
        p99: fields.number("p99")?,
        p999: fields.number("p999")?,
        max: fields.number("max")?,
        count: fields.count("count")?,
    })
}

fn worker(fields: &Fields) -> Option<Worker> {
    Some(Worker {
        name: fields.text("name")?,
        node: fields.small("node")?,
        seconds: fields.map("seconds", JsValue::as_f64)?,
        nanos: fields.map("nanos", count)?,
        pgscan: fields.count("pgscan")?,
        pgsteal: fields.count("pgsteal")?,
    })
}

fn lock(fields: &Fields) -> Option<Lock> {
    Some(Lock {
        name: fields.text("name")?,
        acquisitions: fields.count("acquisitions")?,
        contended: fields.count("contended")?,
        utilisation: fields.number("utilisation")?,
        wait_s: fields.number("wait_s")?,
        hold_s: fields.number("hold_s")?,
    })
}

fn node(fields: &Fields) -> Option<Node> {
    Some(Node {
        node: fields.small("node")?,
        cpus: fields.small("cpus")?,
        min: fields.count("min")?,
        low: fields.count("low")?,
        high: fields.count("high")?,
        free: fields.count("free")?,
        lists: fields.counts("lists")?,
        zones: fields.list("zones", zone)?,
    })
}

fn zone(fields: &Fields) -> Option<Zone> {
    Some(Zone {
        zone: fields.text("zone")?,
        managed: fields.count("managed")?,
        min: fields.count("min")?,
        low: fields.count("low")?,
        high: fields.count("high")?,
        reserve: fields.count("reserve")?,
        free: fields.count("free")?,
    })
}
