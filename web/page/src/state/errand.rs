//! What is asked of the workers that have no run to show: a comparison, a sweep, a text of a run.
//!
//! An [`Errand`] hands out tasks and takes their answers, in whatever order they come; it does not
//! know who works. Answers are JSON that only goes back to a worker or to what shows it: nothing of
//! it is read here but the points of a grid, which are asked for one by one.

use std::rc::Rc;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Replications of arms, put together whenever there are more.
    Compare {
        /// The link with all arms.
        link: String,
        /// The link of each arm.
        arms: Vec<String>,
        /// Replications of each.
        reps: u32,
        /// `own` or `shared`.
        warm: &'static str,
        /// The page's address, for the mail.
        address: String,
    },
    /// Points of a sweep.
    Sweep {
        /// What does not vary.
        link: String,
        /// What varies: `kswapds=1,2,4`.
        over: Vec<String>,
        /// Replications of each.
        reps: u32,
    },
    /// One task.
    One {
        /// Its name.
        name: &'static str,
        /// Its arguments.
        args: String,
    },
}

/// What a task is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// A replication of an arm.
    Row(usize, usize),
    /// The grid of a sweep.
    Grid,
    /// A point of a sweep.
    Point(usize),
    /// So many rows of every arm, or so many points, put together.
    Shown(usize),
}

/// A task for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub args: String,
    what: For,
}

/// A point that is to be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridPoint {
    /// Its values as JSON.
    pub over: String,
    /// Its link.
    pub link: String,
}

/// An errand that is being run.
#[derive(Debug)]
pub struct Errand {
    spec: Rc<Spec>,
    workers: usize,
    /// Answers so far: a row an arm, or one row of points.
    rows: Vec<Vec<Option<String>>>,
    given: Vec<Vec<bool>>,
    /// Which workers have simulated something of an arm.
    warmed: Vec<Vec<usize>>,
    grid: Option<(String, Vec<GridPoint>)>,
    /// Whether the grid was asked for.
    asked: bool,
    /// How much of it is shown, and whether more is being put together.
    shown: usize,
    joining: bool,
}

/// Fewest replications that are put together before all are there.
const FIRST_SHOWN: usize = 3;

impl Errand {
    /// An errand for so many workers.
    #[must_use]
    pub fn new(spec: Rc<Spec>, workers: usize) -> Self {
        let (arms, reps) = match &*spec {
            Spec::Compare { arms, reps, .. } => (arms.len(), *reps as usize),
            Spec::Sweep { .. } => (0, 0),
            Spec::One { .. } => (1, 1),
        };
        Self {
            spec,
            workers: workers.max(1),
            rows: vec![vec![None; reps]; arms],
            given: vec![vec![false; reps]; arms],
            warmed: vec![Vec::new(); arms],
            grid: None,
            asked: false,
            shown: 0,
            joining: false,
        }
    }

    /// How many answers there are, and how many there will be.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let done = self.rows.iter().flatten().flatten().count();
        (done, self.rows.iter().map(Vec::len).sum())
    }

    /// Whether all of it is there and shown.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let (done, of) = self.progress();
        of > 0
            && done == of
            && (matches!(*self.spec, Spec::One { .. }) || self.shown == self.ready())
    }

    /// What can be put together: replications of every arm, or points.
    fn ready(&self) -> usize {
        match *self.spec {
            Spec::Compare { .. } => {
                let whole =
                    |row: &Vec<Option<String>>| row.iter().take_while(|r| r.is_some()).count();
                self.rows.iter().map(whole).min().unwrap_or(0)
            }
            _ => self.progress().0,
        }
    }

    /// The next task for a worker; none when there is nothing for it now.
    pub fn next(&mut self, worker: usize) -> Option<Ask> {
        match &*self.spec.clone() {
            Spec::One { name, args } => {
                let is_given = std::mem::replace(&mut self.given[0][0], true);
                (!is_given).then(|| Ask { name, args: args.clone(), what: For::Row(0, 0) })
            }
            Spec::Compare { link, arms, reps, warm, address } => {
                let ready = self.ready();
                let is_due = ready >= FIRST_SHOWN || ready == *reps as usize;
                if !self.joining && ready > self.shown && is_due {
                    self.joining = true;
                    let row = |row: &Vec<Option<String>>| -> String {
                        let texts = row.iter().take(ready).flatten().map(String::as_str);
                        format!("[{}]", texts.collect::<Vec<_>>().join(","))
                    };
                    let rows = self.rows.iter().map(row).collect::<Vec<_>>().join(",");
                    let args = format!(
                        "{{\"link\":{},\"warm\":\"{warm}\",\"address\":{},\"rows\":[{rows}]}}",
                        quoted(link),
                        quoted(address)
                    );
                    return Some(Ask { name: "compare", args, what: For::Shown(ready) });
                }
                let (arm, index) = self.choose(worker, *warm == "shared")?;
                self.given[arm][index] = true;
                self.warmed[arm].push(worker);
                let link = quoted(&arms[arm]);
                let args = format!("{{\"link\":{link},\"warm\":\"{warm}\",\"index\":{index}}}");
                Some(Ask { name: "replicate", args, what: For::Row(arm, index) })
            }
            Spec::Sweep { link, over, reps } => self.next_point(link, over, *reps),
        }
    }

    fn next_point(&mut self, link: &str, over: &[String], reps: u32) -> Option<Ask> {
        let Some((grid, points)) = &self.grid else {
            if std::mem::replace(&mut self.asked, true) {
                return None;
            }
            let over = over.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(",");
            let args = format!("{{\"link\":{},\"reps\":{reps},\"over\":[{over}]}}", quoted(link));
            return Some(Ask { name: "grid", args, what: For::Grid });
        };
        let ready = self.ready();
        // A sweep of many points is put together ever less often.
        let is_due = ready == points.len() || ready > self.shown + self.shown / 8;
        if !self.joining && ready > self.shown && is_due {
            self.joining = true;
            let points = self.rows.iter().flatten().flatten().map(String::as_str);
            let points = points.collect::<Vec<_>>().join(",");
            let args = format!("{{\"grid\":{grid},\"points\":[{points}]}}");
            return Some(Ask { name: "sweep", args, what: For::Shown(ready) });
        }
        let number = self.given.first()?.iter().position(|given| !given)?;
        self.given[0][number] = true;
        let GridPoint { over, link } = &points[number];
        let link = quoted(link);
        let args =
            format!("{{\"point\":{number},\"reps\":{reps},\"over\":{over},\"link\":{link}}}");
        Some(Ask { name: "point", args, what: For::Point(number) })
    }

    /// The replication that a worker simulates next: the one that is missing first. Where warm-ups
    /// are shared a worker stays with the arms that it has warmed up, and takes one of another
    /// worker only when much of it is left.
    fn choose(&self, worker: usize, is_shared: bool) -> Option<(usize, usize)> {
        let left = |arm: usize| self.given[arm].iter().filter(|given| !**given).count();
        let first = |arm: usize| self.given[arm].iter().position(|given| !given);
        let arms = (0..self.given.len()).filter(|&arm| left(arm) > 0);
        let most =
            |arms: Vec<usize>| arms.into_iter().max_by_key(|&arm| (left(arm), usize::MAX - arm));
        let arm = if is_shared {
            let own = arms.clone().filter(|&arm| self.warmed[arm].contains(&worker));
            let fresh = arms.clone().find(|&arm| self.warmed[arm].is_empty());
            let others = arms.filter(|&arm| left(arm) > 2 * self.workers);
            most(own.collect()).or(fresh).or_else(|| most(others.collect()))
        } else {
            most(arms.collect())
        };
        arm.and_then(|arm| Some((arm, first(arm)?)))
    }

    /// Takes an answer; what is to be shown now, if that changes.
    pub fn answer(&mut self, ask: &Ask, text: String) -> Option<String> {
        match ask.what {
            For::Row(arm, index) => {
                if matches!(*self.spec, Spec::One { .. }) {
                    self.rows[0][0] = Some(String::new());
                    return Some(text);
                }
                self.rows[arm][index] = Some(text);
            }
            For::Point(number) => self.rows[0][number] = Some(text),
            For::Shown(count) => {
                self.joining = false;
                self.shown = self.shown.max(count);
                return Some(text);
            }
            For::Grid => {}
        }
        None
    }

    /// Whether an answer is that to the grid, which [`Errand::lay_out`] takes.
    #[must_use]
    pub fn is_grid(ask: &Ask) -> bool {
        ask.what == For::Grid
    }

    /// Takes the grid of a sweep as JSON, and its points.
    pub fn lay_out(&mut self, grid: String, points: Vec<GridPoint>) {
        self.rows = vec![vec![None; points.len()]];
        self.given = vec![vec![false; points.len()]];
        self.grid = Some((grid, points));
    }
}

/// A text in JSON.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(arms: usize, reps: u32, warm: &'static str) -> Errand {
        let arms = (0..arms).map(|arm| format!("v1.arm{arm}")).collect();
        let (link, address) = ("v1.all".to_owned(), String::new());
        Errand::new(Rc::new(Spec::Compare { link, arms, reps, warm, address }), 2)
    }

    /// Runs an errand with two workers that take turns; what was asked, in order.
    fn run(errand: &mut Errand) -> Vec<(usize, Ask)> {
        let mut all = Vec::new();
        while !errand.is_over() {
            let before = all.len();
            for worker in 0..2 {
                if let Some(ask) = errand.next(worker) {
                    let text = format!("\"{}\"", ask.name);
                    if Errand::is_grid(&ask) {
                        let point = || GridPoint { over: "[]".into(), link: "v1.p".into() };
                        errand.lay_out("{}".into(), (0..40).map(|_| point()).collect());
                    } else {
                        errand.answer(&ask, text);
                    }
                    all.push((worker, ask));
                }
            }
            assert!(all.len() > before, "it goes on");
        }
        all
    }

    #[test]
    fn every_replication_is_simulated_once_and_the_first_three_are_shown_first() {
        let mut errand = compare(3, 7, "own");
        let all = run(&mut errand);
        let rows = all.iter().filter(|(_, ask)| ask.name == "replicate").count();
        assert_eq!((rows, errand.progress()), (21, (21, 21)));
        let mut shown = all.iter().filter_map(|(_, ask)| match ask.what {
            For::Shown(n) => Some(n),
            _ => None,
        });
        assert_eq!((shown.next(), shown.next_back()), (Some(3), Some(7)));
        let first = all.iter().position(|(_, ask)| ask.name == "compare").expect("shown");
        assert!(first <= 10, "nine runs are enough for it: {first}");
        assert!(all[first].1.args.ends_with("[\"replicate\",\"replicate\",\"replicate\"]]}"));
    }

    #[test]
    fn a_shared_warm_up_stays_with_its_worker() {
        let mut errand = compare(2, 20, "shared");
        let all = run(&mut errand);
        for (worker, ask) in &all {
            if let For::Row(arm, _) = ask.what {
                assert_eq!(arm, *worker);
            }
        }
        let few = run(&mut compare(1, 20, "shared"));
        assert!(few.iter().any(|(worker, _)| *worker == 1), "one arm is worth two workers");
    }

    #[test]
    fn a_sweep_asks_for_its_grid_and_is_shown_as_it_grows() {
        let over = vec!["kswapds=1..40".to_owned()];
        let spec = Spec::Sweep { link: "v1.x".into(), over, reps: 2 };
        let all = run(&mut Errand::new(Rc::new(spec), 2));
        assert_eq!(all[0].1.args, r#"{"link":"v1.x","reps":2,"over":["kswapds=1..40"]}"#);
        assert_eq!(all.iter().filter(|(_, ask)| ask.name == "point").count(), 40);
        let shown = all.iter().filter(|(_, ask)| ask.name == "sweep").count();
        assert!((8..30).contains(&shown), "{shown}");
        assert_eq!(all[2].1.name, "sweep", "the first point is shown at once");
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
    }
}
