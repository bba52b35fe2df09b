//! The constants that were set so that published rows come out, and which rows fixed each.

use crate::lower;
use catalog::constants::Kind;
use catalog::{Control, ControlId, LEDGER, Unit};
use scenario::Scenario;

/// One constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// Its name in the ledger, or the key of its control and the preset that sets it.
    pub name: String,
    /// Its value with its unit.
    pub value: String,
    /// `fitted`, or `stated input`.
    pub kind: &'static str,
    /// Which rows fixed it.
    pub rows: String,
}

/// A preset's controls that published rows fixed: preset, control, rows.
const CONTROLS: [(&str, ControlId, &str); 6] = [
    ("lumpkin2018", ControlId::DriveBandwidth, "D01b at 58 to 90 readers: throughput"),
    ("lumpkin2018", ControlId::DriveLatency, "D01b at 6 and 10 readers: throughput"),
    (
        "cassandra2026",
        ControlId::RequestCpu,
        "D02 with one kswapd a node: requests a second and 99th percentile, with the next one",
    ),
    (
        "cassandra2026",
        ControlId::DriveBandwidth,
        "D02 with one kswapd a node: 99th percentile and requests a second, with the one before",
    ),
    (
        "kbuild2026",
        ControlId::Size,
        "D03v A at 2 GiB: swap-outs a second of user time: memory of a process, in the middle",
    ),
    (
        "kbuild2026",
        ControlId::RequestCpu,
        "D03v A at 2 GiB: swap-outs a second of user time: CPU time of a process",
    ),
];

/// Every constant that was fitted, the ledger's first.
#[must_use]
pub fn fitted() -> Vec<Fitted> {
    let ledger = LEDGER.iter().filter(|constant| constant.kind == Kind::Calibrated);
    let mut all: Vec<Fitted> = ledger
        .map(|c| Fitted {
            name: c.name.into(),
            value: format!("{} {}", c.value, c.unit),
            kind: "fitted",
            rows: c.source.into(),
        })
        .collect();
    all.extend(CONTROLS.into_iter().map(|(preset, id, rows)| {
        let scenario = Scenario::preset(preset).expect("a preset of this table");
        Fitted {
            name: format!("{} of {preset}", id.control().key),
            value: with_unit(id.control(), &scenario.text(id)),
            kind: "fitted",
            rows: rows.into(),
        }
    }));
    let scenario = Scenario::preset("lumpkin2018").expect("the preset of the stated input");
    all.push(inactive_share(&scenario));
    all.push(Fitted {
        name: "SsdPage in D14".into(),
        value: format!("{} ns", super::d14::DRIVE_PAGE_NS),
        kind: "fitted",
        rows: "D14 baseline: pgsteal_direct; the drive of its swap file is not named".into(),
    });
    all
}

/// The share of inactive pages: read off, not searched for, and what follows from it is no result.
fn inactive_share(scenario: &Scenario) -> Fitted {
    let id = ControlId::InactiveShare;
    let share = scenario.get(id).unsigned_abs();
    let config = lower(scenario).expect("the preset is valid");
    let managed = |n: &mm::config::NodeConfig| n.zones.iter().map(|z| z.managed).sum::<u64>();
    let a_call: u64 = config.nodes.iter().map(|n| (managed(n) * share / 1_000) >> 12).sum();
    Fitted {
        name: format!("{} of lumpkin2018", id.control().key),
        value: with_unit(id.control(), &scenario.text(id)),
        kind: "stated input",
        rows: format!(
            "read off D01c: pgscan_direct / allocstall. A direct reclaim scans inactive >> 12 of \
             both nodes, so its {a_call} pages a call are this input, not a result"
        ),
    }
}

fn with_unit(control: &Control, text: &str) -> String {
    match control.unit {
        Unit::PerMille => format!("{text} / 1000"),
        Unit::MbPerSecond => format!("{text} MB/s"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_constants_are_fitted_and_each_names_its_rows() {
        let all = fitted();
        // Every constant names the set that fixed it first; at most ten for D01, and an input.
        let of = |set: &str| all.iter().filter(|c| c.rows.contains(set)).collect::<Vec<_>>();
        let fitted = of("D01").into_iter().filter(|c| c.kind == "fitted").count();
        assert!(fitted <= 10, "{fitted} constants");
        assert!(of("D13").len() <= 3 && of("D22").len() <= 2 && of("D14").len() <= 1);
        // A published set is D and two digits, an experiment with a real kernel E and one.
        let named = |c: &&Fitted| {
            let bytes = c.rows.as_bytes();
            bytes.windows(2).any(|pair| b"DE".contains(&pair[0]) && pair[1].is_ascii_digit())
        };
        let loose: Vec<_> = all.iter().filter(|c| !named(c)).collect();
        assert!(loose.is_empty(), "{loose:#?}");
        let get = |name: &str| all.iter().find(|c| c.name == name).expect("it is listed");
        assert_eq!(get("size of kbuild2026").value, "84MiB");
        assert_eq!(get("drive_bandwidth of cassandra2026").value, "1300 MB/s");
        let share = get("inactive_share of lumpkin2018");
        assert_eq!((share.kind, share.value.as_str()), ("stated input", "485 / 1000"));
        // 2 nodes of 97.1 million pages; the tables' own quotient is 22,900.
        assert!(share.rows.contains(" 22996 pages a call"), "{}", share.rows);
    }
}
