//! The second thread's question, answered by runs: where B's time goes, whether the queue of rings
//! costs or brings anything against the list of today, and on which machines and loads it does.
//!
//! Nothing here has a constant of its own. Two were set from published rows, the rest follows:
//! A at 2 GiB fixed the load and TlbSerial, whose cause is a GUESS, B at 2 GiB the lock.

mod document;
mod map;
mod windows;

use catalog::{ConstantId, ControlId, Ledger};
use report::Report;
use report::compare::figure;
use report::stats::Spread;
use scenario::{Problem, Scenario};

pub use document::document;

/// Seconds of compiler time that the build takes (D03v, A at 2 GiB: 6,958 and 6,868 s of it).
pub const BUILD_S: u32 = 6_913;

/// An arm of the thread, with what was published of it at 2 and at 3 GiB.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// Its letter.
    pub letter: &'static str,
    /// The value of the control.
    pub allocator: &'static str,
    /// Mean system time of the build, seconds (thread 2).
    pub published: [f64; 2],
    /// What the published value is here: the source of a constant, or something to be met.
    pub role: [&'static str; 2],
}

/// The arms.
pub const DESIGNS: [Design; 3] = [
    Design {
        letter: "A",
        allocator: "global-plist",
        published: [40_899.14, 22_621.86],
        role: ["fixes the load and TlbSerial", "result"],
    },
    Design {
        letter: "B",
        allocator: "device-plist",
        published: [88_712.52, 53_244.70],
        role: ["fixes SwapAvailFar", "result"],
    },
    Design {
        letter: "C",
        allocator: "ring",
        published: [41_140.76, 22_925.48],
        role: ["result", "result"],
    },
];

/// Sixteen hex digits over the ledger and the preset that the document is made from.
#[must_use]
pub fn made_from() -> String {
    super::made_from_presets(&["kbuild2026"])
}

/// The limits of the cgroup.
pub const LIMITS: [&str; 2] = ["2GiB", "3GiB"];

/// What a scenario of the thread differs in from the preset, as `--set` takes it.
pub type Settings<'a> = &'a [(&'a str, &'a str)];

/// The preset with these settings and seed.
///
/// # Errors
/// A setting that the catalog refuses.
pub fn scenario(settings: Settings<'_>, seed: u32) -> Result<Scenario, Problem> {
    let mut scenario = Scenario::preset("kbuild2026")?;
    for (key, value) in settings {
        scenario.set_text(key, value)?;
    }
    scenario.set(ControlId::Seed, seed.into())?;
    Ok(scenario)
}

/// System CPU of a whole build, in seconds: that of the window for each unit of work that was
/// finished in it, times the build's work.
#[must_use]
pub fn system_of_build(report: &Report) -> f64 {
    figure(report, "system_us_a_unit") * f64::from(BUILD_S) / 1e3
}

/// A mean with half of its 95 % interval.
fn plus_minus(values: &[f64], digits: usize) -> String {
    let spread = Spread::of(values);
    match spread.half_width() {
        Some(half) => format!("{:.digits$} +/- {half:.digits$}", spread.mean),
        None => format!("{:.digits$}", spread.mean),
    }
}

/// What a passage of swap_avail_lock takes that moves a device behind its peers while others wait,
/// in nanoseconds: what the ledger knows of it, and what was fitted. `near` of 1,000 hand-overs
/// come from the same node.
#[must_use]
pub fn avail_passage(ledger: &Ledger, near: u64) -> [u64; 2] {
    let get = |id| ledger.get(id);
    let line =
        get(ConstantId::LineSameNode) * near + get(ConstantId::LineOtherNode) * (1_000 - near);
    let lines = (get(ConstantId::SwapRequeueLines) + 1) * line / 1_000;
    let known = get(ConstantId::SwapAvailHold)
        + 2 * get(ConstantId::SwapListOp)
        + get(ConstantId::LockHandOff)
        + lines;
    [known, get(ConstantId::SwapAvailFar) * (1_000 - near) / 1_000]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_of_the_thread_is_one() {
        for design in DESIGNS {
            for limit in LIMITS {
                let settings = [("allocator", design.allocator), ("memcg", limit)];
                let scenario = scenario(&settings, 3).expect("settings of the catalog");
                assert_eq!(scenario.validate(), []);
                assert_eq!(scenario.get(ControlId::Seed), 3);
            }
        }
        for case in map::CASES {
            for allocator in ["global-plist", "ring"] {
                let scenario = case.scenario(allocator, 1).expect("settings of the catalog");
                assert_eq!(scenario.validate(), [], "{}", case.words);
            }
        }
    }

    #[test]
    fn the_ledger_explains_part_of_the_passage() {
        let [known, guess] = avail_passage(&Ledger::default(), 250);
        // 200 + 2 x 25 + 60 + 8 x 102.5 ns.
        assert_eq!(known, 1_130);
        assert!(guess > 0 && guess < known, "{guess}");
    }
}
