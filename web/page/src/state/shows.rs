//! What of a run is shown while it goes on.

use chart::Kind;
use report::series::Table;
use std::rc::Rc;

/// What of a run is shown when the newest is followed. To draw all of it anew takes long for one
/// frame, so while the run goes on the nodes, the clock and the timelines take turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shows {
    /// The time that each node is shown at, in nanoseconds: the same for all, but one after the
    /// other gets there.
    pub nodes_ns: Vec<u64>,
    /// The time of clock and cursor, in nanoseconds.
    pub clock_ns: u64,
    /// Events up to then.
    pub events: u64,
    /// The samples of the timelines: the first of these are of the first timeline and of the one
    /// that comes after as many as these are, and so on.
    pub tables: [Rc<Table>; Kind::ALL.len()],
    /// The run they are of.
    run: u32,
    turn: usize,
    /// The time that the nodes are getting to.
    next_ns: u64,
    strip: usize,
}

/// The nodes get to a new time in at most so many turns.
const NODE_TURNS: usize = 4;
/// Then so many turns are the timelines', one each.
const STRIP_TURNS: usize = 2;

impl Shows {
    /// One turn of a run; `all` shows everything at once, and so does the first of another run:
    /// nothing of one run is shown under the head of another.
    pub(super) fn turn(
        &mut self,
        run: u32,
        nodes: usize,
        newest_ns: u64,
        events: u64,
        table: &Rc<Table>,
        all: bool,
    ) {
        let all = all || self.run != run;
        self.run = run;
        self.nodes_ns.resize(nodes, newest_ns);
        let groups = nodes.clamp(1, NODE_TURNS);
        let turn = self.turn % (groups + STRIP_TURNS);
        self.turn = if all { 0 } else { self.turn + 1 };
        if all || turn == 0 {
            self.next_ns = newest_ns;
        }
        for (node, shown) in self.nodes_ns.iter_mut().enumerate() {
            if all || node % groups == turn {
                *shown = self.next_ns;
            }
        }
        if all || turn >= groups {
            (self.clock_ns, self.events) = (newest_ns, events);
            for _ in 0..if all { self.tables.len() } else { 1 } {
                self.strip = (self.strip + 1) % self.tables.len();
                self.tables[self.strip] = table.clone();
            }
        }
    }
}
