//! A scenario once for every combination of values of some controls.

use crate::compare::{check_reps, ledger_hash, replicate, replication};
use crate::sweep::{Outcome, in_order};
use crate::{MODEL_VERSION, sweep};
use report::Report;
use report::compare::Replica;
use report::sweep::{Axis, Point};
use scenario::{Problem, Scenario, link, quoted};

/// Most points of a sweep.
pub const POINTS_MAX: usize = 10_000;
/// Most simulations of one call.
const RUNS_MAX: usize = 100_000;
/// Most values of one control.
const VALUES_MAX: usize = 1_000;

/// The points of a sweep, in order: the last control varies fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    /// What does not vary.
    pub base: Scenario,
    /// The controls that vary, with their values.
    pub over: Vec<Axis>,
    /// The scenario of every point.
    pub scenarios: Vec<Scenario>,
    /// The values of the controls, point by point.
    pub values: Vec<Vec<String>>,
}

impl Grid {
    /// The grid of `over`: texts as `kswapds=1,2,4` or `kswapds=1..16`.
    ///
    /// # Errors
    /// The problems of the first control that cannot vary so, or of the points.
    pub fn new(base: &Scenario, over: &[String]) -> Outcome<Self> {
        let (scenarios, values) = (vec![base.clone()], vec![Vec::new()]);
        let mut grid = Self { base: base.clone(), over: Vec::new(), scenarios, values };
        let refuse = |sentence: String| vec![Problem::new("--over", sentence)];
        for text in over {
            let (key, values) = text.split_once('=').ok_or_else(|| {
                refuse(format!("{} is not of the form key=a,b,c or key=a..b", quoted(text)))
            })?;
            let key = key.trim();
            if grid.over.iter().any(|axis| axis.key == key) {
                return Err(refuse(format!("{} is given twice", quoted(key))));
            }
            let values = expand(values).map_err(refuse)?;
            let points = grid.scenarios.len().saturating_mul(values.len());
            if points > POINTS_MAX {
                let sentence = format!("{points} points are too many; at most {POINTS_MAX}");
                return Err(refuse(sentence));
            }
            grid.widen(key, values).map_err(|problem| vec![problem])?;
        }
        let problems: Vec<Problem> = grid.scenarios.iter().flat_map(Scenario::validate).collect();
        if problems.is_empty() { Ok(grid) } else { Err(problems) }
    }

    /// Every point so far with every value of one more control.
    fn widen(&mut self, key: &str, values: Vec<String>) -> Result<(), Problem> {
        let (mut scenarios, mut all) = (Vec::new(), Vec::new());
        for (scenario, point) in self.scenarios.iter().zip(&self.values) {
            for value in &values {
                let mut scenario = scenario.clone();
                scenario.set_text(key, value)?;
                scenarios.push(scenario);
                all.push([&point[..], std::slice::from_ref(value)].concat());
            }
        }
        (self.scenarios, self.values) = (scenarios, all);
        self.over.push(Axis { key: key.to_owned(), values });
        Ok(())
    }

    /// What the file of this sweep begins with.
    #[must_use]
    pub fn header(&self, reps: u32, shard: Option<String>) -> report::sweep::Grid {
        report::sweep::Grid {
            kind: "SIMULATED".into(),
            model: MODEL_VERSION.into(),
            ledger: ledger_hash(),
            link: link::encode(&self.base),
            over: self.over.clone(),
            reps,
            points: self.scenarios.len(),
            shard,
        }
    }

    /// Simulates points on all cores and hands them over in the order given, each as soon as it and
    /// those before it are done. Ends early when `done` says so.
    ///
    /// # Errors
    /// The problems of the first point that has some.
    pub fn run(
        &self,
        points: &[usize],
        reps: u32,
        mut done: impl FnMut(Point) -> bool,
    ) -> Outcome<()> {
        check_reps(reps)?;
        let runs = points.len().saturating_mul(reps as usize);
        if runs > RUNS_MAX {
            let sentence = format!("{runs} simulations are too many at once; at most {RUNS_MAX}");
            return Err(vec![Problem::new("--shard", sentence)]);
        }
        let jobs: Vec<Scenario> = points
            .iter()
            .flat_map(|&p| (0..reps).map(move |i| replication(&self.scenarios[p], i)))
            .collect();
        let mut runs: Vec<Replica> = Vec::new();
        let mut problems = Vec::new();
        in_order(&jobs, replicate, |i, outcome| match outcome {
            Err(said) => {
                problems = said;
                false
            }
            Ok(run) => {
                runs.push(run);
                if runs.len() < reps as usize {
                    return true;
                }
                let number = points[i / reps as usize];
                let link = link::encode(&self.scenarios[number]);
                let point = Point::of(number, self.values[number].clone(), link, &runs);
                runs.clear();
                done(point)
            }
        });
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The report of every point, from one replication each.
    #[must_use]
    pub fn reports(&self) -> Vec<Outcome<Report>> {
        sweep(&self.scenarios)
    }
}

/// The values of a text: `1,2,4`, or all whole numbers of `1..16`, both ends included.
fn expand(text: &str) -> Result<Vec<String>, String> {
    let Some((from, to)) = text.split_once("..") else {
        let values: Vec<String> = text.split(',').map(|v| v.trim().to_owned()).collect();
        return if values.len() > VALUES_MAX { Err(too_many(values.len())) } else { Ok(values) };
    };
    let ends = from.trim().parse::<i64>().ok().zip(to.trim().parse::<i64>().ok());
    let (from, to) = ends
        .filter(|(from, to)| from <= to)
        .ok_or_else(|| format!("{} is no range of whole numbers such as 1..16", quoted(text)))?;
    let count = to.abs_diff(from).saturating_add(1);
    match usize::try_from(count) {
        Ok(n) if n <= VALUES_MAX => Ok((from..=to).map(|n| n.to_string()).collect()),
        _ => Err(too_many(usize::try_from(count).unwrap_or(usize::MAX))),
    }
}

fn too_many(values: usize) -> String {
    format!("{values} values are too many for one control; at most {VALUES_MAX}")
}

/// A part of a sweep: the `index`-th of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part.
    pub index: usize,
    /// How many parts.
    pub count: usize,
}

impl Shard {
    /// Reads `2/4`.
    ///
    /// # Errors
    /// A sentence when it is none.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| i.trim().parse().ok().zip(n.trim().parse().ok()));
        let shard = numbers.map(|(index, count)| Self { index, count });
        shard.filter(|s| s.count <= POINTS_MAX && (1..=s.count).contains(&s.index)).ok_or_else(
            || {
                let shown = quoted(text);
                let sentence = format!("{shown} is no part such as 2/4: they are counted from 1");
                Problem::new("--shard", sentence)
            },
        )
    }

    /// The points of this part: every `count`-th, so that parts take about as long.
    #[must_use]
    pub fn points(self, of: usize) -> Vec<usize> {
        (self.index - 1..of).step_by(self.count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> Scenario {
        let mut scenario = Scenario::preset("tiny").expect("a preset");
        scenario.set_text("duration", "20ms").expect("a valid setting");
        scenario
    }

    fn grid(over: &[&str]) -> Outcome<Grid> {
        Grid::new(&tiny(), &over.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_control_varies_fastest_and_ranges_are_expanded() {
        let grid = grid(&["readers=1,2", "kswapds=1..3"]).expect("a grid");
        let all: Vec<String> = grid.values.iter().map(|v| v.concat()).collect();
        assert_eq!(all, ["11", "12", "13", "21", "22", "23"]);
    }

    #[test]
    fn wrong_grids_are_refused_with_a_sentence() {
        let said = |over: &[&str]| grid(over).expect_err("refused")[0].to_string();
        assert!(said(&["readers"]).contains("not of the form"));
        assert!(said(&["readers=1", "readers=2"]).contains("given twice"));
        assert!(said(&["readers=1..x"]).contains("no range"));
        assert!(said(&["readers=9..1"]).contains("no range"));
        assert!(said(&["seed=0..9223372036854775807"]).contains("too many for one control"));
        assert!(said(&["seed=0..999", "readers=1..11"]).contains("11000 points are too many"));
        assert!(said(&["kswapds=1..99"]).contains("must be 1 to 32"));
        let text = |text: &str| Shard::parse(text).expect_err("refused").to_string();
        for wrong in ["0/4", "5/4", "1", "a/b", "1/99999999999", "-1/4", ""] {
            assert!(text(wrong).starts_with("--shard: "), "{wrong}");
        }
    }

    #[test]
    fn parts_hold_every_point_once() {
        let mut all: Vec<usize> =
            (1..=4).flat_map(|index| Shard { index, count: 4 }.points(10)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(Shard::parse("2/4").expect("a part").points(10), [1, 5, 9]);
    }

    #[test]
    fn points_come_in_order_with_their_replications() {
        let grid = grid(&["kswapds=1..4"]).expect("a grid");
        let mut seen = Vec::new();
        grid.run(&[0, 2, 3], 2, |point| {
            seen.push(point);
            true
        })
        .expect("valid");
        assert_eq!(seen.iter().map(|p| p.point).collect::<Vec<_>>(), [0, 2, 3]);
        let alone = crate::run(&grid.scenarios[2]).expect("valid");
        assert_eq!(seen[1].digests[0], alone.digest);
        assert_eq!(seen[1].values["throughput"].len(), 2);
        assert_eq!(seen[1].workers, 3);
    }
}
