//! A small run for the tests of all strips: two nodes, two rows.

use crate::scale::TimeAxis;
use crate::strip::Frame;
use report::series::{Column, Table};
use report::wire::{Header, NodeHeader};

pub(crate) struct Samples {
    pub(crate) header: Header,
    pub(crate) table: Table,
}

/// Keys with their values in the two rows.
const ROWS: &[(&str, [f64; 2])] = &[
    ("node0.nr_free_pages", [120_000.0, 9_779.0]),
    ("node0.nr_free_pages.min", [110_000.0, 9_000.0]),
    ("node0.nr_free_pages.max", [125_000.0, 120_000.0]),
    ("node1.nr_free_pages", [180_000.0, 131_072.0]),
    ("node1.nr_free_pages.min", [180_000.0, 131_072.0]),
    ("node1.nr_free_pages.max", [190_000.0, 181_000.0]),
    ("node0.lru_lock.util", [46.0, 97.0]),
    ("node1.lru_lock.util", [40.0, 41.0]),
    ("node0.lru_lock.wait", [600.0, 15_000.0]),
    ("node1.lru_lock.wait", [0.0, 0.0]),
    ("pgscan_kswapd", [4.5e6, 6.4e6]),
    ("pgsteal_kswapd", [4.5e6, 6.4e6]),
    ("pgscan_direct", [1e5, 1.2e6]),
    ("pgsteal_direct", [0.0, 1.1e6]),
    ("cpu.application", [24.0, 20.0]),
    ("cpu.kswapd_work", [3.3, 3.5]),
    ("cpu.isolating", [0.5, 1.0]),
    ("cpu.lock_spin", [2.2, 4.3]),
    ("cpu.direct_work", [0.1, 2.0]),
    ("cpu.idle", [21.9, 21.2]),
    ("throughput", [22.3e9, 17.6e9]),
];

impl Samples {
    pub(crate) fn two_nodes() -> Self {
        let column = |key: &str| Column {
            key: key.into(),
            label: format!("label of {key}"),
            kernel_name: key.into(),
            unit: "pages".into(),
            node: key.strip_prefix("node").and_then(|rest| rest[..1].parse().ok()),
        };
        let columns: Vec<_> = ROWS.iter().map(|(key, _)| column(key)).collect();
        let node = NodeHeader {
            cpus: 26,
            managed: 92_000_000,
            marks: [11_264, 103_424, 195_840],
            locks: vec!["lru_lock".into()],
            workers: 4,
            readers: 29,
        };
        let mut table = Table { columns: columns.clone(), ..Table::default() };
        for row in 0..2 {
            let values: Vec<_> = ROWS.iter().map(|(_, values)| values[row]).collect();
            table.push(1_000_000_000 * (row as u64 + 1), &values);
        }
        let header = Header {
            model: "0".into(),
            link: "v1.tiny.x".into(),
            warmup_ns: 500_000_000,
            end_ns: 3_000_000_000,
            columns,
            nodes: vec![node.clone(), node],
            swap: Vec::new(),
            swap_lock: String::new(),
            swap_design: String::new(),
            swap_quota: 0,
        };
        Self { header, table }
    }

    pub(crate) fn frame(&self) -> Frame<'_> {
        let time = TimeAxis { begin_ns: 0, end_ns: self.header.end_ns, width: 560.0 };
        Frame { header: &self.header, table: &self.table, time }
    }
}
