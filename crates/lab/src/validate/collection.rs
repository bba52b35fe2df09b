//! What comes with this version: the published table and the experiments with real kernels.

use crate::kernel::Files;
use engine::Digest;

/// The published figures (tests/data/published/calibration.csv).
pub const CALIBRATION: &str = include_str!("../../../../tests/data/published/calibration.csv");

/// A text of an experiment's folder below tests/data/kernel.
macro_rules! text {
    ($name:literal, $file:expr) => {
        include_str!(concat!("../../../../tests/data/kernel/", $name, "/", $file))
    };
}

/// An experiment: its name, and which tables its folder has besides params.json and summary.json.
macro_rules! experiment {
    ($name:literal; $($table:ident)*) => {
        (
            $name,
            Files {
                summary: Some(text!($name, "summary.json")),
                $($table: Some(text!($name, concat!(stringify!($table), ".csv"))),)*
                ..Files::of(text!($name, "params.json"))
            },
        )
    };
}

/// The experiments by the names of their folders.
pub static EXPERIMENTS: &[(&str, Files<'static>)] = &[
    experiment!("6.12/E2-lrun-bind0-r1-rate5k-noboost"; nodes),
    experiment!("6.12/E2-lrun-bind0-r1-rate5k-noboost-wsf200"; nodes),
    experiment!("6.12/E2-lrun-bind0-r1-readahead"; nodes),
    experiment!("6.12/E2-lruy-bind0-r1-rate5k-noboost"; nodes),
    experiment!("6.12/E2-lruy-bind0-r1-rate5k-noboost-wsf200"; nodes),
    experiment!("6.12/E3-lruy-mix-virtio-sw0"; nodes swaps),
    experiment!("6.12/E4-step-a-distinct-rot0-cpu1"; swap_runs),
    experiment!("6.12/E4-step-a-distinct-rot1-cpu1"; swap_runs),
    experiment!("6.12/E4-step-b-equal-rot0-burst"; swap_runs),
    experiment!("6.12/E4-step-b-equal-rot0-cpu1"; swap_runs),
    experiment!("6.12/E4-step-b-equal-rot0-cpu4"; swap_runs),
    experiment!("6.12/E4-step-b-equal-rot0-thp"; swap_runs),
    experiment!("6.12/E4-step-b-equal-rot1-cpu1"; swap_runs),
    experiment!("6.12/E4-step-b-equal-zram-cpu1"; swap_runs),
    experiment!("6.12/E4-step-c-tiers-rot0-cpu1"; swap_runs),
    experiment!("6.12/E4-step-c-tiers-rot1-cpu1"; swap_runs),
    experiment!("6.12/E4-step-c-tiers-rot1-cpu4"; swap_runs),
    experiment!("6.12/E4-step-d-default-rot0-cpu1"; swap_runs),
    experiment!("6.12/E4-step-d-default-rot1-cpu1"; swap_runs),
    experiment!("6.12/E4P-press-a-t1"; swaps),
    experiment!("6.12/E4P-press-b-t1"; swaps),
    experiment!("6.12/E5-lruy-max256-anon"; memcg),
    experiment!("6.12/E6-an-lruy-rate2000"; nodes swaps),
    experiment!("6.12/E6-pc-lrun-rate5000"; nodes),
    experiment!("6.12/E6-pc-lruy-rate5000"; nodes),
    experiment!("6.12/E8-fill-anon-node0"; nodes),
    experiment!("6.12/E8-fill-pc-node0"; nodes),
    experiment!("6.12/E8-fill-pc-node3"; nodes),
    experiment!("7.3/E2-lrun-bind0-r1-rate5k-noboost"; nodes),
    experiment!("7.3/E2-lrun-bind0-r1-rate5k-noboost-wsf200"; nodes),
    experiment!("7.3/E2-lruy-bind0-r1-rate5k-noboost"; nodes),
    experiment!("7.3/E2-lruy-bind0-r1-rate5k-noboost-wsf200"; nodes),
    experiment!("7.3/E2-lruy-bind0-r1-readahead";),
    experiment!("7.3/E2L-lruy-bind0-r4-lock"; nodes),
    experiment!("7.3/E3-lruy-mix-virtio-sw0"; nodes swaps),
    experiment!("7.3/E3-lruy-mix-virtio-sw100"; nodes swaps),
    experiment!("7.3/E3-lruy-mix-virtio-sw200"; nodes swaps),
    experiment!("7.3/E3-lruy-mix-virtio-sw60"; nodes swaps),
    experiment!("7.3/E4-step-a-distinct-rot0-cpu1"; swap_runs),
    experiment!("7.3/E4-step-a-distinct-rot1-cpu1"; swap_runs),
    experiment!("7.3/E4-step-b-equal-rot0-burst"; swap_runs),
    experiment!("7.3/E4-step-b-equal-rot0-cpu1"; swap_runs),
    experiment!("7.3/E4-step-b-equal-rot0-cpu4"; swap_runs),
    experiment!("7.3/E4-step-b-equal-rot0-thp"; swap_runs),
    experiment!("7.3/E4-step-b-equal-rot1-cpu1"; swap_runs),
    experiment!("7.3/E4-step-b-equal-zram-cpu1"; swap_runs),
    experiment!("7.3/E4-step-c-tiers-rot0-cpu1"; swap_runs),
    experiment!("7.3/E4-step-c-tiers-rot1-cpu1"; swap_runs),
    experiment!("7.3/E4-step-c-tiers-rot1-cpu4"; swap_runs),
    experiment!("7.3/E4-step-d-default-rot0-cpu1"; swap_runs),
    experiment!("7.3/E4-step-d-default-rot1-cpu1"; swap_runs),
    experiment!("7.3/E4P-press-b-t1"; swaps),
    experiment!("7.3/E4P-press-c-t1"; swaps),
    experiment!("7.3/E5-lruy-max256"; memcg),
    experiment!("7.3/E5-lruy-max256-anon"; memcg),
    experiment!("7.3/E6-pc-lrun-rate5000"; nodes),
    experiment!("7.3/E6-pc-lrun-unl-t1"; nodes),
    experiment!("7.3/E6-pc-lrun-unl-t8"; nodes),
    experiment!("7.3/E6-pc-lruy-rate5000"; nodes),
    experiment!("7.3/E6-pc-lruy-unl-t1"; nodes),
    experiment!("7.3/E6-pc-lruy-unl-t8"; nodes),
    experiment!("7.3/E8-fill-anon-node0"; nodes),
    experiment!("7.3/E8-fill-pc-node0"; nodes),
    experiment!("7.3/E8-fill-pc-node3"; nodes),
];

/// Eight hex digits over a table and experiments: other data, other verdicts.
#[must_use]
pub fn data_hash(table: &str, experiments: &[(&str, Files<'_>)]) -> String {
    let mut digest = Digest::default();
    let mut take = |text: &str| {
        digest.word(text.len() as u64);
        for part in text.as_bytes().chunks(8) {
            digest.word(part.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte)));
        }
    };
    take(table);
    for (name, files) in experiments {
        take(name);
        take(files.params);
        for text in [files.summary, files.nodes, files.swap_runs, files.swaps, files.memcg] {
            take(text.unwrap_or_default());
        }
    }
    format!("{:08x}", digest.value() >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_the_data_is_in_the_hash() {
        let of = |table: &str, memcg: Option<&'static str>| {
            data_hash(table, &[("a", Files { memcg, ..Files::of("{}") })])
        };
        let all = [
            of("id", None),
            of("ie", None),
            of("id\n", None),
            of("id", Some("x")),
            data_hash("id", &[]),
        ];
        assert!(all.iter().all(|hash| hash.len() == 8));
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
    }
}
